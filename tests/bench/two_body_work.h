// What the W2 and W5 benchmarks of two bodies share, ours and the peers': the bodies, the arcs of the
// portrait, the start near the separatrix, and the plain loops that are the baselines.
#pragma once

#include "core/systems/planar/two_body/two_body_portrait.h"

#include <vector>

namespace casimir::bench {

inline constexpr int curves = 64, points = 512;
// With it the energy along the baseline's curves is right to 1e-6, which is what a picture needs.
inline constexpr double portraitTolerance = 1e-7;

const planar::TwoBody& bodies();

// A curve of the portrait as a motion to integrate. The periods are given for nothing.
struct Arc {
    Eigen::Vector2d start;
    double duration; // negative: backwards
    int samples;
};
std::vector<Arc> arcsOf(const planar::TwoBodyPortrait& picture);

using Curves = std::vector<std::vector<Eigen::Vector2d>>;
void plainPortrait(const std::vector<Arc>& arcs, Curves& out, double tolerance = portraitTolerance);
double portraitError(const std::vector<Arc>& arcs, const Curves& out); // of the energy, relative

// The orbit with 0.999 of the separatrix' energy.
struct LongRun {
    Eigen::Vector3d start; // (theta, mu1, mu2)
    double nu, period, energy;
    double errorAt(const Eigen::Vector3d& x) const;         // of the energy, relative
    double lagAt(double t, const Eigen::Vector3d& x) const; // s, how late the joint is
};
struct LongRunError {
    double energy = 0, lag = 0;          // the largest, and at the end
    double early = 0;                    // the largest of the energy in the first fifth
    void see(double part, double error); // part: of the whole time
    const char* trend() const { return energy > 2 * early ? "growing" : "bounded"; }
};
const LongRun& longRun();
LongRunError plainLongRun(long periods); // Dormand-Prince 5 at 1e-10

} // namespace casimir::bench
