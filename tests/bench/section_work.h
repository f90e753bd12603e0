// What the W4 benchmarks share, ours and the peers': the bodies, the section and its orbits, how right their
// crossings are, and the plain loop that is the baseline.
#pragma once

#include "core/systems/planar/three_body/three_body_section.h"
#include "tests/bench/report.h"

#include <cmath>
#include <string>
#include <vector>

namespace casimir::bench {

inline constexpr int sectionOrbits = 20;
inline constexpr double sectionTolerance = 1e-10, sectionTime = 1e6; // s, more than any orbit needs

const planar::ThreeBody& threeBodies();
// Where theta21 passes 0 growing, above the energy of the folded states: librations, rotations and chaos side
// by side.
const planar::ThreeBodySection& section();
const std::vector<planar::Vector5d>& sectionSeeds();

// The sine of the angle rises through 0 at the section, and half a turn away where the angle falls; `crosses`
// tells the two apart.
inline double height(const planar::Vector5d& z)
{
    return std::sin(z[0]);
}
inline bool crosses(double before, const planar::Vector5d& end)
{
    return before < 0 && height(end) >= 0 && std::cos(end[0]) > 0;
}

// Where g rises through 0 between 0 and `length`, to 1e-12: regula falsi, halving the weight of an end that
// stays.
template <class Function>
double risingRoot(const Function& g, double length, double gLo, double gHi)
{
    double lo = 0, hi = length;
    while (hi - lo > 1e-12) {
        double s = (lo * gHi - hi * gLo) / (gHi - gLo);
        if (!(s > lo && s < hi))
            s = 0.5 * (lo + hi);
        const double at = g(s);
        if (std::abs(at) < 1e-13)
            return s;
        if (at < 0) {
            lo = s;
            gLo = at;
            gHi /= 2;
        } else {
            hi = s;
            gHi = at;
            gLo /= 2;
        }
    }
    return hi;
}

using Crossings = std::vector<std::vector<planar::Vector5d>>; // of each orbit

// How many of each orbit, and the row's name for them.
int sectionCrossings(const Report& report);
std::string sectionName(const Report& report);

// Dormand and Prince's method of order 5 with its dense output and a root in it.
void plainSection(int crossings, Crossings& out);

// In words: the largest relative error of the energy, and the median over the orbits of the first crossing's
// distance from ours at 1e-13. Later crossings of chaotic orbits tell more of the orbit than of the method.
std::string sectionAccuracy(const Crossings& found);

} // namespace casimir::bench
