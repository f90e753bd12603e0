#include "tests/bench/section_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace casimir::bench {

using planar::Vector5d;

const planar::ThreeBody& threeBodies()
{
    static const planar::ThreeBody bodies({});
    return bodies;
}

const planar::ThreeBodySection& section()
{
    using std::numbers::pi;
    static const planar::ThreeBodySection folded(threeBodies(), planar::ThreeBodySection::Angle::Theta21, 0,
                                                 1.1 * threeBodies().amendedPotential(pi, pi));
    return folded;
}

const std::vector<Vector5d>& sectionSeeds()
{
    static const std::vector<Vector5d> seeds = section().seeds(sectionOrbits);
    return seeds;
}

namespace {

// One step after the other, the same slope at the end of a step and the begin of the next.
void plainOrbit(const Vector5d& start, int crossings, std::vector<Vector5d>& found)
{
    const planar::ThreeBody& bodies = threeBodies();
    const auto f = [&bodies](const Vector5d& x) { return bodies.reducedField<double>(x); };
    constexpr double tolerance = sectionTolerance;
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
        const double before = height(z);
        if (crosses(before, end)) {
            // Shampine's dense output of order 4
            const Vector5d r2 = end - z, r3 = h * k1 - r2, r4 = r2 - h * k7 - r3;
            const Vector5d r5 = h * (-12715105075.0 / 11282082432 * k1 + 87487479700.0 / 32700410799 * k3 -
                                     10690763975.0 / 1880347072 * k4 + 701980252875.0 / 199316789632 * k5 -
                                     1453857185.0 / 822651844 * k6 + 69997945.0 / 29380423 * k7);
            const auto dense = [&](double t) -> Vector5d {
                const double s = t / h, r = 1 - s;
                return z + s * (r2 + r * (r3 + s * (r4 + r * r5)));
            };
            found.push_back(
                dense(risingRoot([&](double t) { return height(dense(t)); }, h, before, height(end))));
        }
        z = end;
        k1 = k7;
        h *= factor;
    }
}

// The first of each orbit.
const std::vector<Vector5d>& rightCrossings()
{
    static const std::vector<Vector5d> right = [] {
        std::vector<Vector5d> result;
        for (const Vector5d& seed : sectionSeeds())
            (void)section().follow(seed, 1, sectionTime, 1e-13, [&](double, const Vector5d& z) {
                result.push_back(z);
                return true;
            });
        return result;
    }();
    return right;
}

} // namespace

int sectionCrossings(const Report& report)
{
    return report.quick() ? 100 : 500;
}

std::string sectionName(const Report& report)
{
    return fmt::format("section, {} orbits x {} crossings", sectionOrbits, sectionCrossings(report));
}

void plainSection(int crossings, Crossings& out)
{
    out.assign(sectionOrbits, {});
    for (std::size_t i = 0; i < out.size(); ++i)
        plainOrbit(sectionSeeds()[i], crossings, out[i]);
}

std::string sectionAccuracy(const Crossings& found)
{
    double energy = 0;
    std::vector<double> apart;
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const Vector5d& z : found[i])
            energy =
                std::max(energy, std::abs(threeBodies().hamiltonian<double>(z) / section().energy() - 1));
        Vector5d difference = found[i].at(0) - rightCrossings().at(i);
        for (const int angle : {0, 1})
            difference[angle] = std::remainder(difference[angle], 2 * std::numbers::pi);
        apart.push_back(difference.norm());
    }
    return fmt::format("energy {:.0e}, first crossing {:.0e}", energy, spreadOf(apart).median);
}

} // namespace casimir::bench
