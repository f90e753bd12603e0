// W5: two bodies near their separatrix for a long time, in closed form and by integration, against a plain
// loop of a general integrator, and Odeint's beside them.
#include "core/numerics/gauss.h"
#include "core/numerics/held_invariants.h"
#include "core/numerics/methods.h"
#include "core/systems/planar/two_body/two_body_motion.h"
#include "tests/bench/odeint.h"
#include "tests/bench/report.h"
#include "tests/bench/two_body_work.h"

#include <fmt/format.h>

#include <cmath>

namespace casimir::bench {

namespace {

void benchExactLongRun(const Report& report)
{
    const LongRun& work = longRun();
    const long periods = report.quick() ? 200 : 1000;
    constexpr double far = 1e5;
    double exactError = 0;
    LongRunError plainError;
    const Comparison c = compare(
        report.repetitions(9), 20,
        [&] {
            const planar::TwoBodyMotion motion(bodies(), {0, work.nu, 0});
            for (int i = 0; i < 100; ++i) {
                const auto at = motion.at((far + 0.01 * i) * work.period);
                exactError = std::max(exactError,
                                      std::abs(bodies().leafHamiltonian(at.theta, at.nu) / work.energy - 1));
            }
        },
        1, [&] { plainError = plainLongRun(periods); });
    const double share = static_cast<double>(periods) / far;
    report.add({"1e5 periods at 0.999 E_h, then 100 states of one", "ms", scaled(c.time, 1e3),
                "plain dopri5 1e-10", scaled(c.ratio, share),
                fmt::format("energy {:.0e}; baseline {} periods, energy {:.1e}, times {:.0f}; goal 1e-3",
                            exactError, periods, plainError.energy, 1 / share)});
}

// A method of the program, with the field called as the engine calls it.
LongRunError byMethod(const char* method, double rtol, long periods, bool hold)
{
    const LongRun& work = longRun();
    auto run = startIntegration(method,
                                [](double, const State& x, State& dxdt) {
                                    const Eigen::Vector3d at = x;
                                    dxdt = bodies().reducedField(at);
                                },
                                0, State(work.start), {.rtol = rtol, .scale = Eigen::Vector3d(1, 0, 0)});
    if (hold)
        run = withInvariants(
            std::move(run),
            [](double, const State& x, Eigen::VectorXd& out) {
                const Eigen::Vector3d at = x;
                out << bodies().hamiltonian(at), at[1] + at[2];
            },
            2, 0.1 * rtol, Eigen::Vector3d(1, 0, 0));
    LongRunError error;
    const double end = static_cast<double>(periods) * work.period;
    (void)advanceTo(*run, end,
                    [&](const Integration& at) { error.see(at.time() / end, work.errorAt(at.state())); });
    error.lag = work.lagAt(run->time(), run->state());
    return error;
}

LongRunError byOdeint(double tolerance, long periods)
{
    using State3 = Eigen::Vector3d;
    const LongRun& work = longRun();
    auto stepper = odeint::make_controlled(tolerance, tolerance, OdeintRkf78<State3>());
    const auto field = [](const State3& x, State3& dxdt, double) { dxdt = bodies().reducedField(x); };
    State3 x = work.start;
    double t = 0, h = 1e-2 * work.period;
    const double end = static_cast<double>(periods) * work.period;
    LongRunError error;
    while (t < end)
        if (stepper.try_step(field, x, t, h) == odeint::success)
            error.see(t / end, work.errorAt(x));
    error.lag = work.lagAt(t, x);
    return error;
}

template <int Stages>
LongRunError byGauss(int stepsAPeriod, long periods)
{
    const LongRun& work = longRun();
    const auto field = [](const Eigen::Vector3d& x, Eigen::Vector3d& dxdt, double) {
        dxdt = bodies().reducedField(x);
    };
    GaussStepper<Stages, Eigen::Vector3d> stepper;
    Eigen::Vector3d x = work.start;
    // Not a whole part of the period: the errors would repeat, and seem larger or smaller than they are.
    const double h = work.period / (stepsAPeriod + 0.377);
    LongRunError error;
    const long steps = periods * stepsAPeriod;
    for (long i = 0; i < steps; ++i) {
        stepper.do_step(field, x, 0.0, h);
        error.see(static_cast<double>(i) / static_cast<double>(steps), work.errorAt(x));
    }
    error.lag = work.lagAt(h * static_cast<double>(steps), x);
    return error;
}

void benchLongRun(const Report& report)
{
    const long periods = report.quick() ? 200 : 1000;
    const auto add = [&](std::string by, const std::string& how, const std::function<LongRunError()>& run,
                         const char* goal = "") {
        LongRunError error, plainError;
        const Comparison c = compare(
            report.repetitions(5), [&] { error = run(); }, [&] { plainError = plainLongRun(periods); });
        report.add(fmt::format("{} periods at 0.999 E_h, {}", periods, how), std::move(by), c,
                   "plain dopri5 1e-10",
                   fmt::format("energy {:.1e} {}, late {:.0e} s; baseline {:.1e} {}, {:.0e} s{}",
                               error.energy, error.trend(), error.lag, plainError.energy, plainError.trend(),
                               plainError.lag, goal));
    };
    add(
        "Casimir", "conserving at 4e-9", [&] { return byMethod("rkf78", 4e-9, periods, true); },
        "; goal 0.5");
    add("Casimir", "rkf78 at 4e-9", [&] { return byMethod("rkf78", 4e-9, periods, false); });
    add("Casimir", "gauss6, 200 steps each", [&] { return byGauss<3>(200, periods); });
    if (!report.quick())
        add("Casimir", "Gauss 8, 80 steps each", [&] { return byGauss<4>(80, periods); });
    add("Odeint", "rkf78 at 1e-10", [&] { return byOdeint(1e-10, periods); });
    add("Odeint", "rkf78 at 1e-11", [&] { return byOdeint(1e-11, periods); });
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::bench::benchExactLongRun(report.forItem("W5"));
    casimir::bench::benchLongRun(report.forItem("W5"));
}
