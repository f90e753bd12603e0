// W2, W3 and W5: the portrait of two bodies and the long run near its separatrix, each against the plain loop
// of a general integrator, and Odeint's beside them; the map of three bodies against the closed form cell by
// cell, and NumPy's.
#include "core/numerics/gauss.h"
#include "core/numerics/held_invariants.h"
#include "core/numerics/methods.h"
#include "core/systems/planar/three_body_map.h"
#include "core/systems/planar/two_body_motion.h"
#include "tests/bench/report.h"
#include "tests/bench/two_body_work.h"

// g++ 12 sees uninitialised members in the constructors of Odeint's steppers; the first step sets them.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
// The header below uses it without including it.
#include <boost/numeric/odeint/util/unwrap_reference.hpp>

#include <boost/numeric/odeint/stepper/dense_output_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
// Specialises templates that the headers above declare.
#include <boost/numeric/odeint/external/eigen/eigen.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace casimir::bench {

namespace {

namespace odeint = boost::numeric::odeint;
using planar::TwoBodyPortrait;

void odeintPortrait(const std::vector<Arc>& arcs, Curves& out)
{
    using State2 = Eigen::Vector2d;
    out.resize(arcs.size());
    for (std::size_t k = 0; k < arcs.size(); ++k) {
        const Arc& arc = arcs[k];
        const double sign = arc.duration < 0 ? -1 : 1;
        const auto field = [sign](const State2& x, State2& dxdt, double) {
            dxdt = sign * bodies().leafField(x[0], x[1]);
        };
        auto stepper = odeint::make_dense_output(
            portraitTolerance, portraitTolerance,
            odeint::runge_kutta_dopri5<State2, double, State2, double, odeint::vector_space_algebra>());
        stepper.initialize(arc.start, 0.0, 0.01);
        out[k].resize(static_cast<std::size_t>(arc.samples));
        out[k][0] = arc.start;
        for (int i = 1; i < arc.samples; ++i) {
            const double t = std::abs(arc.duration) * i / (arc.samples - 1);
            while (stepper.current_time() < t)
                stepper.do_step(field);
            stepper.calc_state(t, out[k][static_cast<std::size_t>(i)]);
        }
    }
}

void benchPortrait(const Report& report)
{
    const int repetitions = report.repetitions(51);
    const planar::NuWindow window = planar::usualWindow(bodies());
    TwoBodyPortrait kept = planar::portrait(bodies(), curves, points, window);
    const std::vector<Arc> arcs = arcsOf(kept);
    Curves plain, byOdeint;
    const auto plainLoop = [&] { plainPortrait(arcs, plain); };

    const Comparison reused = compare(
        repetitions, 20, [&] { planar::portrait(bodies(), curves, points, window, kept); }, 1, plainLoop);
    const Comparison fresh = compare(
        repetitions, [&] { planar::portrait(bodies(), curves, points, window); }, plainLoop);
    const Comparison peer = compare(
        repetitions, [&] { odeintPortrait(arcs, byOdeint); }, plainLoop);
    double exact = 0;
    for (const planar::PhaseCurve& curve : kept.curves)
        for (const Eigen::Vector2d& p : curve.points)
            exact = std::max(exact, std::abs(bodies().leafHamiltonian(p[0], p[1]) / curve.energy - 1));
    const std::string accuracy =
        fmt::format("energy {:.0e}, baseline {:.0e}", exact, portraitError(arcs, plain));
    const char* baseline = "plain dopri5";
    report.add("portrait, 64 x 512 and pair", "Casimir", reused, baseline, accuracy + ", goal 0.03");
    report.add("  the same into fresh memory", "Casimir", fresh, baseline, "the system hands out 132 pages");
    report.add("  the same", "Odeint", peer, baseline,
               fmt::format("energy {:.0e}", portraitError(arcs, byOdeint)));
}

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
    (void)advanceTo(*run, static_cast<double>(periods) * work.period, [&](const Integration& at) {
        error.energy = std::max(error.energy, work.errorAt(at.state()));
    });
    error.lag = work.lagAt(run->time(), run->state());
    return error;
}

LongRunError byOdeint(double tolerance, long periods)
{
    using State3 = Eigen::Vector3d;
    const LongRun& work = longRun();
    auto stepper = odeint::make_controlled(
        tolerance, tolerance,
        odeint::runge_kutta_fehlberg78<State3, double, State3, double, odeint::vector_space_algebra>());
    const auto field = [](const State3& x, State3& dxdt, double) { dxdt = bodies().reducedField(x); };
    State3 x = work.start;
    double t = 0, h = 1e-2 * work.period;
    LongRunError error;
    while (t < static_cast<double>(periods) * work.period)
        if (stepper.try_step(field, x, t, h) == odeint::success)
            error.energy = std::max(error.energy, work.errorAt(x));
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
        error.energy = std::max(error.energy, work.errorAt(x));
    }
    error.lag = work.lagAt(h * static_cast<double>(steps), x);
    return error;
}

void benchLongRun(const Report& report)
{
    const long periods = report.quick() ? 200 : 1000;
    const auto add = [&](std::string by, const std::string& how, const char* trend,
                         const std::function<LongRunError()>& run, const char* goal = "") {
        LongRunError error, plainError;
        const Comparison c = compare(
            report.repetitions(5), [&] { error = run(); }, [&] { plainError = plainLongRun(periods); });
        report.add(fmt::format("{} periods at 0.999 E_h, {}", periods, how), std::move(by), c,
                   "plain dopri5 1e-10",
                   fmt::format("energy {:.1e} {}, late {:.0e} s; baseline {:.1e} growing, {:.0e} s{}",
                               error.energy, trend, error.lag, plainError.energy, plainError.lag, goal));
    };
    add(
        "Casimir", "conserving at 4e-9", "bounded", [&] { return byMethod("rkf78", 4e-9, periods, true); },
        "; goal 0.5");
    add("Casimir", "rkf78 at 4e-9", "growing", [&] { return byMethod("rkf78", 4e-9, periods, false); });
    add("Casimir", "gauss6, 200 steps each", "bounded", [&] { return byGauss<3>(200, periods); });
    if (!report.quick())
        add("Casimir", "Gauss 8, 80 steps each", "bounded", [&] { return byGauss<4>(80, periods); });
    add("Odeint", "rkf78 at 1e-10", "growing", [&] { return byOdeint(1e-10, periods); });
}

// The plain loop for aligned bodies: the index of each straight state from trace and determinant, the bent
// pair's angles from the closed form where there is one.
long plainMap(const planar::MapAxis& x, const planar::MapAxis& y)
{
    long sum = 0;
    for (int j = 0; j < y.cells; ++j)
        for (int i = 0; i < x.cells; ++i) {
            const double kappa = x.at(i), tau = y.at(j), B2 = 1 / kappa, A1 = 1 / tau;
            const auto index = [&](double cx, double cy) {
                const double cz = A1 * (cx * cy), a = cx + cz, b = B2 * cy + cz, det = a * b - cz * cz;
                return det < 0 ? 1 : a < 0 ? 2 : 0;
            };
            for (const double cx : {1.0, -1.0})
                for (const double cy : {1.0, -1.0})
                    sum += index(cx, cy);
            const double cx = (1 - kappa * kappa - tau * tau) / (2 * kappa * tau),
                         cy = (kappa * kappa - tau * tau - 1) / (2 * tau);
            if (std::abs(cx) < 1 && std::abs(cy) < 1)
                sum += kappa < 0 ? 100 : 200;
        }
    return sum;
}

// Seconds that NumPy takes for the same closed form, as numpy_map.py prints them; empty without NumPy.
std::vector<double> numpyTimes()
{
    std::vector<double> times;
    // The system's own, which sees the Debian package.
    const std::string command = "/usr/bin/python3 '" CASIMIR_BENCH_SOURCES "/numpy_map.py' 2>/dev/null";
    if (std::FILE* pipe = popen(command.c_str(), "r")) {
        double seconds = 0;
        while (std::fscanf(pipe, "%lf", &seconds) == 1)
            times.push_back(seconds);
        pclose(pipe);
    }
    return times;
}

void benchMap(const Report& report)
{
    const int repetitions = report.repetitions(51);
    const planar::MapAxis kappa{"kappa", -3, 3}, tau{"tau", -3, 3};
    long kept = 0; // used at the end, so that no loop is left out
    const auto plain = [&] { kept += plainMap(kappa, tau); };
    const char* baseline = "scalar closed form";
    double plainSeconds = 1;
    const auto add = [&](const char* work, const planar::ThreeBodyParameters& p, const planar::MapAxis& x,
                         const planar::MapAxis& y, const char* goal) {
        const Comparison c = compare(
            repetitions, [&] { kept += static_cast<long>(equilibriumMap(p, x, y).front()); }, plain);
        report.add(work, "Casimir", c, baseline, goal);
        plainSeconds = c.baseline.median;
    };
    add("map of kappa and tau, 200 x 200, aligned", {}, kappa, tau, "goal 0.3");
    if (const std::vector<double> times = numpyTimes(); !times.empty()) {
        const Spread seconds = spreadOf(times);
        report.add({"  the same", "ms", scaled(seconds, 1e3), baseline, scaled(seconds, 1 / plainSeconds), "",
                    "NumPy"});
    }
    add("the same with e2 = 0.5", {.e2 = 0.5}, kappa, tau, "goal 20");
    add("map of e1 and e2, 200 x 200", {.e2 = 0.5}, {"e1", -2, 2}, {"e2", -2, 2}, "goal 20");
    if (kept == 0)
        fmt::print("no equilibria\n");
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::bench::benchPortrait(report.forItem("W2"));
    casimir::bench::benchMap(report.forItem("W3"));
    casimir::bench::benchExactLongRun(report.forItem("W5"));
    casimir::bench::benchLongRun(report.forItem("W5"));
}
