// A Poincare section of three bodies, 20 orbits with 500 crossings each at a tolerance of 1e-10: the flow in
// lanes and on all cores against a plain loop with Dormand and Prince's method of order 5, its dense output
// and a root in it.
#include "core/systems/planar/three_body_section.h"
#include "tests/bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace casimir::planar {

namespace {

constexpr int orbits = 20, crossings = 500;
constexpr double tolerance = 1e-10, tMax = 1e6;

using Points = std::vector<std::vector<Vector5d>>;

// One orbit at a time, one step after the other, the same slope at the end of a step and the begin of the
// next.
void plainOrbit(const ThreeBody& bodies, const Vector5d& start, double at, std::vector<Vector5d>& found)
{
    const auto f = [&bodies](const Vector5d& x) { return bodies.reducedField<double>(x); };
    Vector5d z = start, k1 = f(z);
    double h = 1e-3;
    while (static_cast<int>(found.size()) < crossings) {
        const Vector5d k2 = f(z + h * (k1 / 5));
        const Vector5d k3 = f(z + h * (3.0 / 40 * k1 + 9.0 / 40 * k2));
        const Vector5d k4 = f(z + h * (44.0 / 45 * k1 - 56.0 / 15 * k2 + 32.0 / 9 * k3));
        const Vector5d k5 =
            f(z + h * (19372.0 / 6561 * k1 - 25360.0 / 2187 * k2 + 64448.0 / 6561 * k3 - 212.0 / 729 * k4));
        const Vector5d k6 = f(z + h * (9017.0 / 3168 * k1 - 355.0 / 33 * k2 + 46732.0 / 5247 * k3 +
                                       49.0 / 176 * k4 - 5103.0 / 18656 * k5));
        const Vector5d end = z + h * (35.0 / 384 * k1 + 500.0 / 1113 * k3 + 125.0 / 192 * k4 -
                                      2187.0 / 6784 * k5 + 11.0 / 84 * k6);
        const Vector5d k7 = f(end);
        const Vector5d e = h * (71.0 / 57600 * k1 - 71.0 / 16695 * k3 + 71.0 / 1920 * k4 -
                                17253.0 / 339200 * k5 + 22.0 / 525 * k6 - k7 / 40);
        const double error =
            (e.array() / (tolerance + tolerance * z.array().abs().max(end.array().abs()))).abs().maxCoeff();
        const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
        if (error > 1) {
            h *= factor;
            continue;
        }
        const double before = std::sin(z[0] - at), after = std::sin(end[0] - at);
        if (before < 0 && after >= 0 && std::cos(end[0] - at) > 0) {
            // Shampine's dense output of order 4
            const Vector5d r2 = end - z, r3 = h * k1 - r2, r4 = r2 - h * k7 - r3;
            const Vector5d r5 = h * (-12715105075.0 / 11282082432 * k1 + 87487479700.0 / 32700410799 * k3 -
                                     10690763975.0 / 1880347072 * k4 + 701980252875.0 / 199316789632 * k5 -
                                     1453857185.0 / 822651844 * k6 + 69997945.0 / 29380423 * k7);
            const auto dense = [&](double s) -> Vector5d {
                const double r = 1 - s;
                return z + s * (r2 + r * (r3 + s * (r4 + r * r5)));
            };
            double lo = 0, hi = 1, gLo = before, gHi = after;
            while ((hi - lo) * h > 1e-12) { // regula falsi, halving the weight of an end that stays
                double s = (lo * gHi - hi * gLo) / (gHi - gLo);
                if (!(s > lo && s < hi))
                    s = 0.5 * (lo + hi);
                const double g = std::sin(dense(s)[0] - at);
                if (g < 0) {
                    lo = s;
                    gLo = g;
                    gHi /= 2;
                } else {
                    hi = s;
                    gHi = g;
                    gLo /= 2;
                }
                if (std::abs(g) < 1e-13)
                    lo = hi = s;
            }
            found.push_back(dense(hi));
        }
        z = end;
        k1 = k7;
        h *= factor;
    }
}

double energyError(const ThreeBody& bodies, double energy, const Points& points)
{
    double worst = 0;
    for (const auto& orbit : points)
        for (const Vector5d& z : orbit)
            worst = std::max(worst, std::abs(bodies.hamiltonian<double>(z) / energy - 1));
    return worst;
}

void benchSection(const bench::Report& report)
{
    const ThreeBody bodies({});
    // Above the folded states: librations, rotations and chaos side by side.
    const double energy = 1.1 * bodies.amendedPotential(std::numbers::pi, std::numbers::pi);
    const ThreeBodySection section(bodies, ThreeBodySection::Angle::Theta21, 0, energy);
    const std::vector<Vector5d> seeds = section.seeds(orbits);
    Points plain, singly, batched;
    const auto clear = [](Points& points) { points.assign(orbits, {}); };
    const auto baseline = [&] {
        clear(plain);
        for (std::size_t i = 0; i < seeds.size(); ++i)
            plainOrbit(bodies, seeds[i], 0, plain[i]);
    };
    const auto one = [&] {
        clear(singly);
        for (std::size_t i = 0; i < seeds.size(); ++i)
            (void)section.follow(seeds[i], crossings, tMax, tolerance, [&](double, const Vector5d& z) {
                singly[i].push_back(z);
                return true;
            });
    };
    const auto all = [&] {
        clear(batched);
        (void)section.followAll(seeds, tMax, tolerance, [&](int i, double, const Vector5d& z) {
            auto& orbit = batched[static_cast<std::size_t>(i)];
            orbit.push_back(z);
            return static_cast<int>(orbit.size()) < crossings;
        });
    };
    const auto add = [&](const char* work, const auto& run, const Points& points, auto* clock,
                         const char* goal) {
        const bench::Comparison c = bench::compare(report.repetitions(5), run, baseline, clock);
        report.add(work, "Casimir", c, "dopri5, dense root",
                   fmt::format("energy {:.0e}, baseline {:.0e}; goal {}", energyError(bodies, energy, points),
                               energyError(bodies, energy, plain), goal));
    };
    add("section, 20 orbits x 500 crossings, one by one", one, singly, bench::timeOf, "0.3");
    add("the same in lanes and on all cores", all, batched, bench::wallTimeOf, "0.08");
}

} // namespace

} // namespace casimir::planar

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::planar::benchSection(report.forItem("W4"));
}
