#include "core/systems/planar/driven_joint.h"

#include "core/model/error.h"
#include "core/numerics/events.h"
#include "core/numerics/methods.h"

#include <Eigen/LU>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace casimir::planar {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double manifoldTolerance = 1e-13;
// How far from the periodic orbit a manifold is entered, along its tangent, as a share of the widest swing of
// nu: its curvature then errs by the cube of this in the energy.
constexpr double entry = 1e-5;

// Of the passage; the energy changes by eps times this.
constexpr double phaseTolerance = 1e-9;

using Complex = std::complex<double>;

// The driven leaf flow, forwards in time.
struct Flow {
    const TwoBody& bodies;
    double Omega, eps;

    Eigen::Vector2d rate(double t, const Eigen::Vector2d& z) const
    {
        const Vec2<double> f = bodies.leafField<double>(z[0], z[1]);
        return {f[0], f[1] + eps * std::cos(Omega * t)};
    }
    // By complex steps, exact to rounding.
    Eigen::Matrix2d jacobian(const Eigen::Vector2d& z) const
    {
        constexpr double h = 1e-30;
        const Vec2<Complex> a = bodies.leafField<Complex>(Complex(z[0], h), z[1]),
                            b = bodies.leafField<Complex>(z[0], Complex(z[1], h));
        Eigen::Matrix2d j;
        j << a[0].imag() / h, b[0].imag() / h, a[1].imag() / h, b[1].imag() / h;
        return j;
    }
};

// The periodic orbit that the saddle becomes under the drive, as a Fourier sum about the saddle. A shooting
// method would meet the growth over a whole period of the drive; this does not.
class DrivenSaddle {
public:
    DrivenSaddle(const Flow& flow, const Eigen::Vector2d& saddle) : flow_(flow), saddle_(saddle)
    {
        const Eigen::Matrix2d J = flow.jacobian(saddle);
        std::array<Eigen::Vector2d, points> values;
        values.fill(Eigen::Vector2d::Zero());
        coefficients_.fill(Eigen::Vector2cd::Zero());
        // d' = J d + r(t) with r the drive and what J leaves out, solved harmonic by harmonic: a contraction
        // as long as the orbit stays near the saddle.
        for (int pass = 0; pass < 200 && !converged_; ++pass) {
            std::array<Eigen::Vector2d, points> rest;
            for (int k = 0; k < points; ++k) {
                const double t = period() * k / points;
                rest[static_cast<std::size_t>(k)] =
                    flow.rate(t, saddle + values[static_cast<std::size_t>(k)]) -
                    J * values[static_cast<std::size_t>(k)];
            }
            for (int n = 0; n <= harmonics; ++n) {
                Eigen::Vector2cd sum = Eigen::Vector2cd::Zero();
                for (int k = 0; k < points; ++k)
                    sum += rest[static_cast<std::size_t>(k)] * std::polar(1.0, -2 * pi * n * k / points);
                const Eigen::Matrix2cd A =
                    Complex(0, n * flow.Omega) * Eigen::Matrix2cd::Identity() - J.cast<Complex>();
                coefficients_[static_cast<std::size_t>(n)] =
                    A.inverse() * sum * ((n == 0 ? 1.0 : 2.0) / points);
            }
            double change = 0, size = 0;
            for (int k = 0; k < points; ++k) {
                const Eigen::Vector2d now = deviation(period() * k / points);
                change = std::max(change, (now - values[static_cast<std::size_t>(k)]).norm());
                size = std::max(size, now.norm());
                values[static_cast<std::size_t>(k)] = now;
            }
            if (!(size < 1))
                return;
            converged_ = change <= 1e-15 * (1 + saddle.norm());
        }
    }

    bool converged() const { return converged_; }
    double period() const { return 2 * pi / flow_.Omega; }
    Eigen::Vector2d at(double t) const { return saddle_ + deviation(t); }

    // The tangent of the unstable manifold at time 0, or of the stable one: what grows over some periods
    // forwards, or backwards, in time.
    Eigen::Vector2d direction(bool unstable) const
    {
        const double sign = unstable ? 1 : -1;
        const double start = -sign * 2 * period() * std::ceil(1 / (period() * flow_.Omega));
        IntegrationOptions options;
        options.rtol = 1e-12;
        const Field field = [this](double t, const State& v, State& r) {
            r = flow_.jacobian(at(t)) * Eigen::Vector2d(v);
        };
        Eigen::Vector2d v = Eigen::Vector2d::Ones().normalized();
        const auto run = startIntegration("dopri5", field, start, State(v), options);
        for (int k = 1; k <= 8; ++k) {
            if (!advanceTo(*run, start * (8 - k) / 8).ok())
                break;
            v = run->state().normalized();
            run->replaceState(v);
        }
        return v;
    }

private:
    static constexpr int points = 64, harmonics = 24;

    Eigen::Vector2d deviation(double t) const
    {
        Eigen::Vector2cd sum = Eigen::Vector2cd::Zero();
        for (int n = 0; n <= harmonics; ++n)
            sum += coefficients_[static_cast<std::size_t>(n)] * std::polar(1.0, n * flow_.Omega * t);
        return sum.real();
    }

    Flow flow_;
    Eigen::Vector2d saddle_;
    std::array<Eigen::Vector2cd, harmonics + 1> coefficients_;
    bool converged_ = false;
};

struct Arrival {
    double t = 0, energy = 0;
    bool reached = false;
};

// Where the orbit from z at time 0 passes `theta`, forwards (direction +1) or backwards in time.
Arrival arrive(const Flow& flow, const Eigen::Vector2d& z, double theta, int direction, double patience)
{
    IntegrationOptions options;
    options.rtol = manifoldTolerance;
    const Field field = [&flow](double t, const State& x, State& r) { r = flow.rate(t, Eigen::Vector2d(x)); };
    const EventFunction section = [theta](double, const State& x) { return x[0] - theta; };
    const auto run = startIntegration("rkf78", field, 0, State(z), options);
    const bool below = z[0] < theta;
    while (std::abs(run->time()) < patience) {
        if (!run->advance(direction * patience).ok())
            return {};
        if ((run->state()[0] < theta) == below)
            continue;
        const auto t = locateEvent(*run->interpolant(), section);
        if (!t)
            return {};
        const State x = run->interpolant()->sample(*t);
        return {*t, flow.bodies.leafHamiltonian<double>(x[0], x[1]), true};
    }
    return {};
}

} // namespace

DrivenJoint::DrivenJoint(const TwoBody& bodies, double Omega, int branch)
    : bodies_(bodies), pair_(bodies), Omega_(Omega), branch_(branch)
{
    if (!(Omega > 0) || !std::isfinite(Omega))
        throw Error(fmt::format("the frequency of the drive = {} must be greater than 0", Omega));
    // The integrand is analytic and falls exponentially, so the trapezoidal rule converges exponentially; its
    // step is halved until two agree.
    const double rate = pair_.growthRate();
    const double tEnd = 40 / rate;
    double h = std::min(0.5 / rate, 0.5 / Omega);
    const auto term = [&](double t) { return homoclinicRate(t) * std::cos(Omega_ * t); };
    const auto sum = [&](double first, double step) {
        double total = 0;
        for (double t = first; t < tEnd; t += step)
            total += 2 * term(t);
        return total;
    };
    double trapezoid = h * (term(0) + sum(h, h));
    for (int k = 0; k < 12; ++k) {
        const double finer = trapezoid / 2 + h / 2 * sum(h / 2, h);
        h /= 2;
        const bool settled = std::abs(finer - trapezoid) <= 1e-14 * 2 * pi;
        trapezoid = finer;
        if (settled)
            break;
    }
    amplitude_ = trapezoid;
}

double DrivenJoint::homoclinicRate(double t) const
{
    const double psi = pair_.psi(t, branch_);
    return bodies_.leafField<double>(bodies_.parameters().theta0 + psi, pair_.nu(psi, branch_))[0];
}

double DrivenJoint::melnikov(double t0) const
{
    return amplitude_ * std::cos(Omega_ * t0);
}

std::vector<double> DrivenJoint::zeros() const
{
    return {0.5 * pi / Omega_, 1.5 * pi / Omega_};
}

Splitting DrivenJoint::splitting(double eps, int samples) const
{
    Splitting result;
    result.predictedAmplitude = eps * amplitude_;
    const Flow flow{bodies_, Omega_, eps};
    const double period = 2 * pi / Omega_;
    const double theta0 = bodies_.parameters().theta0;

    const DrivenSaddle saddle(flow, {theta0 + pi, pair_.saddleNu()});
    if (!saddle.converged()) {
        result.status = Status::failed(
            "not-converged", "The driven joint has no saddle near the folded state at this amplitude.");
        return result;
    }
    const double scale = entry * (pair_.nuMax() - pair_.nuMin());

    // The unstable manifold leaves the saddle before theta0 and the stable one enters it beyond, or the other
    // way round on branch -1.
    const auto side = [&](bool leaving) {
        Eigen::Vector2d e = saddle.direction(leaving);
        if ((e[0] > 0) != (leaving == (branch_ > 0)))
            e = -e;
        Eigen::Vector2d base = saddle.at(0);
        base[0] += (leaving == (branch_ > 0)) ? -2 * pi : 0;
        return std::pair(base, e);
    };
    const auto [uBase, uDirection] = side(true);
    const auto [sBase, sDirection] = side(false);
    const double patience = 60 / pair_.growthRate() + 5 * period;

    // The energy on one manifold where it passes the stretched angle at the time t0 of the drive: the entry
    // point is moved along the tangent until the passage comes at that phase.
    const auto energyAt = [&](bool leaving, double t0) -> std::optional<double> {
        const Eigen::Vector2d& base = leaving ? uBase : sBase;
        const Eigen::Vector2d& e = leaving ? uDirection : sDirection;
        const int direction = leaving ? 1 : -1;
        double logarithm = std::log(scale);
        Arrival arrival;
        for (int k = 0; k < 40; ++k) {
            arrival = arrive(flow, base + std::exp(logarithm) * e, theta0, direction, patience);
            if (!arrival.reached)
                return std::nullopt;
            const double late = std::remainder(arrival.t - t0, period);
            if (std::abs(late) < phaseTolerance * period)
                return arrival.energy;
            logarithm += direction * pair_.growthRate() * late;
        }
        return arrival.energy;
    };

    double sum = 0;
    for (int k = 0; k < samples; ++k) {
        SplittingSample sample;
        sample.t0 = period * k / samples;
        const auto u = energyAt(true, sample.t0), s = energyAt(false, sample.t0);
        if (!u || !s) {
            result.status = Status::failed("not-reached", "A manifold did not come round at this amplitude; "
                                                          "the drive is too strong for a first order.");
            return result;
        }
        sample.measured = *u - *s;
        sample.predicted = eps * melnikov(sample.t0);
        sum += sample.measured * std::cos(Omega_ * sample.t0);
        result.samples.push_back(sample);
    }
    result.measuredAmplitude = 2 * sum / samples;
    return result;
}

} // namespace casimir::planar
