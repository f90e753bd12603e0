// The portrait of two bodies and the long run near its separatrix, each against the plain loop that a general
// integrator offers for the same work; the map of three bodies against the closed form cell by cell.
#include "core/numerics/gauss.h"
#include "core/systems/planar/three_body_map.h"
#include "core/systems/planar/two_body_portrait.h"
#include "tests/bench/report.h"

// g++ 12 sees uninitialised members in the constructors of Odeint's steppers; the first step sets them.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
// The header below uses it without including it.
#include <boost/numeric/odeint/util/unwrap_reference.hpp>

#include <boost/numeric/odeint/stepper/dense_output_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
// Specialises templates that the headers above declare.
#include <boost/numeric/odeint/external/eigen/eigen.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace casimir::planar {

namespace {

namespace odeint = boost::numeric::odeint;
using bench::Comparison;
using bench::Report;

constexpr int curves = 64, points = 512;
constexpr double portraitTolerance = 1e-6; // what a picture needs

const TwoBody bodies({.m1 = 100, .m2 = 125, .I1 = 50, .I2 = 50, .d1 = 1, .d2 = 0.6, .theta0 = 0, .mu = 50});

template <class State>
auto dopri5(double tolerance)
{
    using Stepper = odeint::runge_kutta_dopri5<State, double, State, double, odeint::vector_space_algebra>;
    return odeint::make_dense_output(tolerance, tolerance, Stepper());
}

struct Arc {
    Eigen::Vector2d start;
    double duration; // negative: backwards
    int samples;
};

// The curves of the portrait as a list of arcs to integrate. Their periods are given to the baseline for
// nothing.
std::vector<Arc> arcsOf(const TwoBodyPortrait& picture)
{
    std::vector<Arc> arcs;
    for (const PhaseCurve& curve : picture.curves)
        arcs.push_back({curve.points.front(), orbitOfEnergy(bodies, curve.energy).period.value(), points});
    const HomoclinicPair pair(bodies);
    for (const int branch : {1, -1})
        for (const int direction : {1, -1})
            arcs.push_back({{bodies.theta0(), pair.nu(0, branch)},
                            direction * std::abs(pair.time(3.1, branch)),
                            points / 2});
    return arcs;
}

void integrate(const Arc& arc, std::vector<Eigen::Vector2d>& out)
{
    const double sign = arc.duration < 0 ? -1 : 1;
    const auto field = [sign](const Eigen::Vector2d& x, Eigen::Vector2d& dxdt, double) {
        dxdt = sign * bodies.leafField(x[0], x[1]);
    };
    auto stepper = dopri5<Eigen::Vector2d>(portraitTolerance);
    stepper.initialize(arc.start, 0.0, 0.01);
    out.resize(static_cast<std::size_t>(arc.samples));
    for (int i = 0; i < arc.samples; ++i) {
        const double t = std::abs(arc.duration) * i / (arc.samples - 1);
        while (stepper.current_time() < t)
            stepper.do_step(field);
        stepper.calc_state(t, out[static_cast<std::size_t>(i)]);
    }
}

void benchPortrait(const Report& report)
{
    constexpr int repetitions = 51;
    const NuWindow window = usualWindow(bodies);
    TwoBodyPortrait kept = portrait(bodies, curves, points, window);
    const std::vector<Arc> arcs = arcsOf(kept);
    std::vector<std::vector<Eigen::Vector2d>> integrated(arcs.size());
    const auto plainLoop = [&] {
        for (std::size_t i = 0; i < arcs.size(); ++i)
            integrate(arcs[i], integrated[i]);
    };
    const auto add = [&](const char* work, const Comparison& c, const std::string& note) {
        const bench::Spread ms{1e3 * c.time.median, 1e3 * c.time.low, 1e3 * c.time.high};
        report.add({work, "ms", ms, "dopri5 dense output", c.ratio, note});
    };

    const Comparison fresh = bench::compare(
        repetitions, [&] { portrait(bodies, curves, points, window); }, plainLoop);
    const Comparison reused = bench::compare(
        repetitions, [&] { portrait(bodies, curves, points, window, kept); }, plainLoop);
    double worst = 0;
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        const double h = bodies.leafHamiltonian(arcs[i].start[0], arcs[i].start[1]);
        for (const Eigen::Vector2d& p : integrated[i])
            worst = std::max(worst, std::abs(bodies.leafHamiltonian(p[0], p[1]) / h - 1));
    }
    double exact = 0;
    for (const PhaseCurve& curve : kept.curves)
        for (const Eigen::Vector2d& p : curve.points)
            exact = std::max(exact, std::abs(bodies.leafHamiltonian(p[0], p[1]) / curve.energy - 1));
    const std::string accuracy = fmt::format("energy {:.0e}; baseline {:.2g} ms, energy {:.0e}", exact,
                                             1e3 * fresh.baseline.median, worst);
    add("portrait, 64 x 512 and pair, fresh memory", fresh, accuracy);
    add("portrait, the same memory again", reused, accuracy);
}

void benchLongRun(const Report& report)
{
    constexpr int repetitions = 5;
    constexpr long periods = 1000;
    const double energy = HomoclinicPair(bodies).energy() * (1 - 1e-3);
    const double period = orbitOfEnergy(bodies, energy).period.value();
    const double s = bodies.lockedInertia(0.0);
    const double nu =
        bodies.nu0(0.0) + std::sqrt(2 * bodies.delta(0.0) * (energy - bodies.amendedPotential(0.0)) / s);
    const Eigen::Vector3d start = bodies.onLeaf(0.0, nu);
    const auto field = [](const Eigen::Vector3d& x, Eigen::Vector3d& dxdt, double) {
        dxdt = bodies.reducedField(x);
    };
    const auto errorOf = [h0 = bodies.hamiltonian(start)](const Eigen::Vector3d& x) {
        return std::abs(bodies.hamiltonian(x) / h0 - 1);
    };

    double dopriError = 0;
    const auto dopri = [&] {
        dopriError = 0;
        auto stepper = dopri5<Eigen::Vector3d>(1e-10);
        stepper.initialize(start, 0.0, 1e-3 * period);
        while (stepper.current_time() < periods * period) {
            stepper.do_step(field);
            dopriError = std::max(dopriError, errorOf(stepper.current_state()));
        }
    };
    for (const int stepsAPeriod : {100, 200, 300}) {
        double gaussError = 0;
        const auto gauss = [&] {
            gaussError = 0;
            GaussStepper<3, Eigen::Vector3d> stepper;
            Eigen::Vector3d x = start;
            for (long i = 0; i < periods * stepsAPeriod; ++i) {
                stepper.do_step(field, x, 0.0, period / stepsAPeriod);
                gaussError = std::max(gaussError, errorOf(x));
            }
        };
        const Comparison c = bench::compare(repetitions, gauss, dopri);
        const bench::Spread ms{1e3 * c.time.median, 1e3 * c.time.low, 1e3 * c.time.high};
        report.add({fmt::format("1000 periods at 0.999 E_h, gauss6, {} steps each", stepsAPeriod), "ms", ms,
                    "dopri5 at 1e-10", c.ratio,
                    fmt::format("energy {:.1e}; baseline {:.3g} ms, energy {:.1e}", gaussError,
                                1e3 * c.baseline.median, dopriError)});
    }
}

// The plain loop for aligned bodies: the index of each straight state from trace and determinant, the bent
// pair's angles from the closed form where there is one.
long plainMap(const MapAxis& x, const MapAxis& y)
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

void benchMap(const Report& report)
{
    constexpr int repetitions = 51;
    const MapAxis kappa{"kappa", -3, 3}, tau{"tau", -3, 3};
    long kept = 0; // used at the end, so that no loop is left out
    const auto plain = [&] { kept += plainMap(kappa, tau); };
    const auto add = [&](const char* work, const ThreeBodyParameters& p, const MapAxis& x, const MapAxis& y) {
        const Comparison c = bench::compare(
            repetitions, [&] { kept += static_cast<long>(equilibriumMap(p, x, y).front()); }, plain);
        const bench::Spread ms{1e3 * c.time.median, 1e3 * c.time.low, 1e3 * c.time.high};
        report.add({work, "ms", ms, "scalar closed form", c.ratio,
                    fmt::format("baseline {:.2g} ms", 1e3 * c.baseline.median)});
    };
    add("map of kappa and tau, 200 x 200, aligned", {}, kappa, tau);
    add("the same with e2 = 0.5", {.e2 = 0.5}, kappa, tau);
    add("map of e1 and e2, 200 x 200", {.e2 = 0.5}, {"e1", -2, 2}, {"e2", -2, 2});
    if (kept == 0)
        fmt::print("no equilibria\n");
}

} // namespace

} // namespace casimir::planar

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::planar::benchPortrait(report);
    casimir::planar::benchLongRun(report);
    casimir::planar::benchMap(report);
}
