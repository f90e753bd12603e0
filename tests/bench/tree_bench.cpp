// W1: the forward dynamics of a free planar chain, per evaluation and over 10 s at an energy error of 1e-8,
// against a plain dense solve with a plain integrator in the same run; and how the time grows with the number
// of bodies; many states at once, Jacobians, and maps over starts.
#include "core/model/kind.h"
#include "core/numerics/methods.h"
#include "core/systems/planar/multibody/multibody_chaos.h"
#include "core/systems/planar/multibody/multibody_ensemble.h"
#include "core/systems/planar/multibody/multibody_flow.h"
#include "core/systems/planar/multibody/multibody_system.h"
#include "tests/bench/chain.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>

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

// Many states in lanes, against one after the other.
void benchEnsembles(const Report& report)
{
    for (const int n : {2, 10, 50, 200}) {
        const planar::Tree tree = chainOf(n);
        planar::TreeEnsemble ensemble(tree);
        const auto lanes = static_cast<std::size_t>(ensemble.lanes()), count = static_cast<std::size_t>(n);
        auto [theta, mu] = chainStart(n);
        std::vector<double> omega(theta), muDot(theta), x(2 * count * lanes), rate(x), t(lanes), one(theta);
        one.insert(one.end(), mu.begin(), mu.end());
        for (std::size_t k = 0; k < 2 * count; ++k)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                x[k * lanes + lane] = one[k] + 0.01 * static_cast<double>(lane);
        planar::Tree::Workspace w;
        const auto plain = [&] {
            tree.field(0, theta.data(), mu.data(), omega.data(), muDot.data(), w);
            theta[0] += 1e-9 * omega[0];
        };
        const auto [fast, slow] = repeatsFor(n);
        Comparison c = compare(
            report.repetitions(9), fast / static_cast<int>(lanes) + 1,
            [&] {
                ensemble.field(t.data(), x.data(), rate.data());
                x[0] += 1e-9 * rate[0];
            },
            fast, plain);
        const auto perState = [&](Spread s) {
            const double share = 1 / static_cast<double>(lanes);
            return Spread{s.median * share, s.low * share, s.high * share};
        };
        report.add({fmt::format("field of a chain of {}, a state of an ensemble", n), "us",
                    scaled(perState(c.time), 1e6), "one alone", perState(c.ratio),
                    fmt::format("{} lanes", lanes)});
        Eigen::MatrixXd jacobian;
        c = compare(
            report.repetitions(5), std::max(fast / (2 * n), 1),
            [&] { ensemble.jacobian(0, one.data(), jacobian); }, std::max(fast / (2 * n), 1),
            [&] {
                for (int k = 0; k <= 2 * n; ++k)
                    plain();
            });
        report.add({fmt::format("its Jacobian, {0} x {0}", 2 * n), "us", scaled(c.time, 1e6),
                    "2N + 1 evaluations", c.ratio, "exact; differences lose half the digits"});
    }
}

// The map over two starting angles of five bodies: growth of a disturbance. The plain way follows each start
// alone together with a neighbour 1e-7 away, as one does who has no derivative.
void benchMap(const Report& report)
{
    const int n = 5, side = report.quick() ? 8 : 16;
    const planar::Tree tree = chainOf(n);
    State base(2 * n), unit(n);
    base.setZero();
    const double inertia = tree.lockedInertia(base.data(), unit.data()), mu = 4;
    base.tail(n) = mu / inertia * unit;
    const auto axes = planar::startAxes(tree);
    const auto startOf = [&](int i) {
        const auto at = [side](int k) { return 2 * std::numbers::pi * ((k + 0.5) / side - 0.5); };
        return planar::startOn(tree, mu, base, {axes[0], axes[1]}, {at(i % side), at(i / side)});
    };
    const double rate = planar::typicalRate(tree, base);
    planar::TreeFlow flow;
    flow.tEnd = 2 * std::numbers::pi / rate;
    flow.time = 1 / rate;
    flow.momentum = rate * inertia;
    flow.disturbance = State::LinSpaced(2 * n, 1, -1);
    flow.disturbance.tail(n) *= flow.momentum;
    const auto norm = [&](const State& d) {
        return std::hypot(d.head(n).norm(), d.tail(n).norm() / flow.momentum);
    };
    const int cells = side * side;
    const auto inLanes = [&](double rtol) {
        planar::TreeFlow here = flow;
        here.rtol = rtol;
        std::vector<double> values(static_cast<std::size_t>(cells));
        int next = 0;
        const std::atomic<bool> stop = false;
        planar::followTrees(
            tree, here,
            [&]() -> std::optional<planar::TreeStart> {
                if (next == cells)
                    return std::nullopt;
                const int i = next++;
                return planar::TreeStart{i, startOf(i)};
            },
            [&](int i, const planar::TreeEnd& end) { values[static_cast<std::size_t>(i)] = end.answer; },
            stop);
        return values;
    };
    const auto plainly = [&](double rtol) {
        std::vector<double> values(static_cast<std::size_t>(cells));
        planar::Tree::Workspace w;
        const auto end = [&](const State& x) -> State {
            const auto run =
                startIntegration("rkf78",
                                 [&](double t, const State& z, State& dzdt) {
                                     tree.field(t, z.data(), z.data() + n, dzdt.data(), dzdt.data() + n, w);
                                 },
                                 0, x, {.rtol = rtol, .scale = State::Ones(2 * n)});
            (void)advanceTo(*run, flow.tEnd);
            return run->state();
        };
        for (int i = 0; i < cells; ++i) {
            const State x = startOf(i);
            const double h = 1e-7 / norm(flow.disturbance);
            values[static_cast<std::size_t>(i)] =
                std::log(norm(end(x + h * flow.disturbance) - end(x)) / 1e-7);
        }
        return values;
    };
    const std::vector<double> exact = inLanes(1e-13);
    const auto error = [&](const std::vector<double>& values) {
        std::vector<double> errors;
        for (std::size_t i = 0; i < values.size(); ++i)
            errors.push_back(std::abs(values[i] - exact[i]));
        return percentile(errors, 0.9);
    };
    // Each with the largest tolerance at which nine of ten cells are right to 0.01.
    const auto tuned = [&](const auto& way) {
        double rtol = 1e-4;
        while (rtol > 1e-12 && error(way(rtol)) > 0.01)
            rtol /= 10;
        return rtol;
    };
    const double ours = tuned(inLanes), theirs = tuned(plainly);
    const Comparison c = compare(
        report.repetitions(5), [&] { (void)inLanes(ours); }, [&] { (void)plainly(theirs); });
    report.add(
        fmt::format("map of starts, {0} x {0}, five bodies, one core", side), "Casimir", c,
        "rkf78 one by one",
        fmt::format("ln growth to {:.0e}, baseline {:.0e}", error(inLanes(ours)), error(plainly(theirs))));

    // What a person waits for: the map of the preset's size, first picture and last, on all cores.
    const auto system = planar::multibodyKind().factory(
        planar::multibodyKind(),
        planar::multibodyKind().schema.with(planar::multibodyKind().schema.defaults(),
                                            {{"chain", 5.0}, {"mu", 4.0}}));
    for (const PlotInfo& info : system->plots())
        if (info.id == planar::startMapId) {
            PlotRequest request{info.id, plotOptions(info, {})};
            // Of each map only the first picture is waited for.
            using Clock = std::chrono::steady_clock;
            std::optional<Clock::time_point> published;
            request.publish = [&](const Plot&, double) {
                if (!published)
                    published = Clock::now();
            };
            request.cancelled = [&] { return published.has_value(); };
            std::vector<double> times;
            for (int i = 0; i < report.repetitions(9); ++i) {
                published.reset();
                const Clock::time_point begin = Clock::now();
                (void)system->plot(request);
                times.push_back(std::chrono::duration<double>(*published - begin).count());
            }
            report.add(
                {"map of starts, first picture", "ms", scaled(spreadOf(times), 1e3), "", {}, "goal 100"});
            if (report.quick())
                continue;
            request.cancelled = {};
            const double all = wallTimeOf([&] { (void)system->plot(request); });
            report.add({"map of starts, 96 x 96, all cores", "ms", scaled({all, all, all}, 1e3), "", {}, ""});
        }
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::bench::benchEvaluations(report.forItem("W1"));
    casimir::bench::benchEnsembles(report.forItem("W1"));
    casimir::bench::benchMap(report.forItem("W1"));
    casimir::bench::benchTenSeconds(report.forItem("W1"));
}
