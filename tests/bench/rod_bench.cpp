// The rod: an equilibrium solved again from its neighbour, the verdict, a step of motion; and how each grows
// with the number of elements.
#include "core/systems/rod/rod/rod_dynamics.h"
#include "core/systems/rod/rod/rod_stability.h"
#include "tests/bench/report.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace casimir::rod {

namespace {

using bench::Report;
using bench::Spread;

constexpr int repetitions = 21;
constexpr double spin = 3, neighbour = 3.05;

RodParameters tiltedAssembly(int elements)
{
    RodParameters p;
    p.bodyInertia = {0.4, 0.5, 0.9};
    p.r0 = {0.2, 0.1, 0.1};
    p.d3 = {1, 0, 1};
    p.CN = {128.2, 128.2, 400};
    p.elements = elements;
    return p;
}

struct Times {
    Spread solve, verdict, step; // ms
};

Spread milliseconds(const std::function<void()>& work)
{
    std::vector<double> times;
    work();
    for (int k = 0; k < repetitions; ++k)
        times.push_back(1e3 * bench::timeOf(work));
    return bench::spreadOf(times);
}

Times measure(int elements)
{
    const Rod rod(tiltedAssembly(elements));
    const RodEquilibrium e = followFromRest(rod, SpinAxis::Maximum, spin);
    Times times;
    times.solve = milliseconds([&] { (void)follow(rod, e, neighbour); });
    times.verdict = milliseconds([&] {
        const RodLinearisation at(rod, follow(rod, e, neighbour));
        const RodBlocks blocks = blocksOf(at);
        (void)verdictOf(blocks, spectrumOf(at, 8), 0);
    });
    const RodDynamics dynamics(rod, 0);
    const RodEquilibrium moving = followFromRest(dynamics.rod(), SpinAxis::Maximum, spin);
    std::vector<Vec3> v, w;
    for (const Vec3& x : moving.at.x) {
        // A swing of the rod on top of the rotation.
        v.push_back(moving.xi().cross(x) + 0.1 * x.squaredNorm() * Vec3(0.3, 0.2, 0.4));
        w.push_back(moving.xi());
    }
    RodState s = dynamics.stateOf(moving.at, v, w);
    times.step = milliseconds([&] { (void)dynamics.step(s, 1.0 / 60); });
    return times;
}

void run(const Report& report)
{
    const std::vector<double> sizes = report.quick() ? std::vector<double>{8, 16, 32, 64, 128}
                                                     : std::vector<double>{8, 16, 32, 64, 128, 256, 512};
    std::vector<double> solve, verdict, step;
    Times at32;
    for (const double elements : sizes) {
        const Times times = measure(static_cast<int>(elements));
        solve.push_back(times.solve.median);
        verdict.push_back(times.verdict.median);
        step.push_back(times.step.median);
        if (elements == 32)
            at32 = times;
    }
    const auto grows = [&](const std::vector<double>& times, double goal) {
        return fmt::format("goal {} ms; 8 to {:.0f} elements: {:.2g} to {:.2g} ms, exponent {:.2f}", goal,
                           sizes.back(), times.front(), times.back(), bench::fittedExponent(sizes, times));
    };
    report.add(
        {"rod, 32 elements: equilibrium from its neighbour", "ms", at32.solve, "", {}, grows(solve, 2)});
    report.add({"rod, 32 elements: equilibrium and verdict", "ms", at32.verdict, "", {}, grows(verdict, 10)});
    report.add({"rod, 32 elements: one conserving step", "ms", at32.step, "", {}, grows(step, 0.5)});
}

} // namespace

} // namespace casimir::rod

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::rod::run(report.forItem("rod"));
}
