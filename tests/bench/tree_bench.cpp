// W1: the forward dynamics of a free planar chain, per evaluation and over 10 s at an energy error of 1e-8,
// against a plain dense solve with a plain integrator in the same run; and how the time grows with the number
// of bodies.
#include "core/numerics/methods.h"
#include "tests/bench/chain.h"

#include <fmt/format.h>

namespace casimir::bench {

namespace {

void benchEvaluations(const Report& report)
{
    std::vector<double> sizes, times;
    for (const int n : {2, 3, 5, 10, 20, 50, 100, 200, 512}) {
        if (report.quick() && n > 200)
            break;
        const planar::Tree tree = chainOf(n);
        DenseChain dense(tree);
        auto [theta, mu] = chainStart(n);
        std::vector<double> omega(theta), muDot(theta);
        planar::Tree::Workspace w;
        const auto [fast, slow] = repeatsFor(n);
        // Each evaluation waits for the one before, as in an integration.
        const Comparison c = compare(
            report.repetitions(9), fast,
            [&] {
                tree.field(0, theta.data(), mu.data(), omega.data(), muDot.data(), w);
                theta[0] += 1e-9 * omega[0];
            },
            slow,
            [&] {
                dense.field(theta.data(), mu.data(), omega.data(), muDot.data());
                theta[0] += 1e-9 * omega[0];
            });
        const char* goal = n == 2     ? ", goal 0.5"
                           : n == 10  ? ", goal 0.4"
                           : n == 100 ? ", goal 0.015"
                           : n == 200 ? ", goal 0.004"
                                      : "";
        report.add({fmt::format("field of a chain of {}", n), "us", scaled(c.time, 1e6), "dense solve",
                    c.ratio, fmt::format("{:.1f} ns a body{}", 1e9 * c.time.median / n, goal)});
        if (n >= 10) {
            sizes.push_back(n);
            times.push_back(c.time.median);
        }
    }
    report.addGrowth(fmt::format("growth of that with N, 10 to {:.0f}", sizes.back()), sizes, times,
                     "1 is linear");
}

// Energy is watched at every step on both sides.
void benchTenSeconds(const Report& report)
{
    std::vector<double> sizes, times;
    for (const int n : {2, 5, 10, 20, 50, 100, 200, 512}) {
        if (report.quick() && n > 50)
            break;
        const planar::Tree tree = chainOf(n);
        const ChainStart given = chainStart(n);
        State start(2 * n);
        std::copy(given.theta.begin(), given.theta.end(), start.data());
        std::copy(given.mu.begin(), given.mu.end(), start.data() + n);
        const auto at = [&](double tolerance) {
            planar::Tree::Workspace w, watched;
            const auto run =
                startIntegration("rkf78",
                                 [&](double t, const State& x, State& dxdt) {
                                     tree.field(t, x.data(), x.data() + n, dxdt.data(), dxdt.data() + n, w);
                                 },
                                 0, start, {.rtol = tolerance, .scale = State::Ones(2 * n)});
            const double first = tree.energy(0, start.data(), start.data() + n, watched);
            double worst = 0;
            const Status status = advanceTo(*run, chainDuration, [&](const Integration& now) {
                const double* x = now.state().data();
                worst = std::max(worst, std::abs(tree.energy(0, x, x + n, watched) / first - 1));
            });
            return status.ok() ? worst : 1.0;
        };
        const Tuned tuned = tunedToEnergy(at);
        const std::string name = fmt::format("10 s of a chain of {}, energy 1e-8", n);
        if (n <= 200) {
            const ChainBaseline baseline(n);
            const Comparison c = compare(
                report.repetitions(n > 50 ? 1 : 5), [&] { at(tuned.tolerance); }, [&] { baseline.run(); });
            const char* goal = n == 2 ? ", goal 0.42" : n == 200 ? ", goal 0.0038" : "";
            report.add(
                name, "Casimir", c, "dense + dopri5",
                fmt::format("energy {:.0e}, baseline {:.0e}{}", tuned.error, baseline.tuned().error, goal));
            times.push_back(c.time.median);
        } else {
            const double time = timeOf([&] { at(tuned.tolerance); });
            report.add({name,
                        "ms",
                        scaled({time, time, time}, 1e3),
                        "",
                        {},
                        fmt::format("energy {:.0e}", tuned.error)});
            times.push_back(time);
        }
        sizes.push_back(n);
    }
    report.addGrowth(fmt::format("growth of that with N, 10 to {:.0f}", sizes.back()),
                     {sizes.begin() + 2, sizes.end()}, {times.begin() + 2, times.end()}, "1 is linear");
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::bench::benchEvaluations(report.forItem("W1"));
    casimir::bench::benchTenSeconds(report.forItem("W1"));
}
