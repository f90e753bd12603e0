#include "core/systems/planar/driven_joint.h"

#include "core/model/error.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace casimir::planar {

namespace {

constexpr double pi = std::numbers::pi;

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
    double h = std::min(0.25 / rate, 0.25 / Omega);
    const auto term = [&](double t) { return homoclinicRate(t) * std::cos(Omega_ * t); };
    const auto sum = [&](double first, double step) {
        double total = 0;
        for (double t = first; t < tEnd; t += step)
            total += 2 * term(t);
        return total;
    };
    double trapezoid = h * (term(0) + sum(h, h));
    for (int k = 0; k < 5; ++k) {
        const double finer = trapezoid / 2 + h / 2 * sum(h / 2, h);
        h /= 2;
        const bool settled = std::abs(finer - trapezoid) <= 1e-13 * 2 * pi;
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

Splitting DrivenJoint::splitting(double eps, int samples,
                                 const std::function<bool(const Splitting&)>& goOn) const
{
    DisturbedFlow flow;
    flow.rate = [this, eps](double t, const Eigen::Vector2d& z) {
        const Vec2<double> f = bodies_.leafField<double>(z[0], z[1]);
        return Eigen::Vector2d(f[0], f[1] + eps * std::cos(Omega_ * t));
    };
    flow.jacobian = [this](double, const Eigen::Vector2d& z) {
        return complexStepJacobian(z, [this](const Eigen::Vector2cd& w) {
            return bodies_.leafField<std::complex<double>>(w[0], w[1]);
        });
    };
    flow.value = [this](double, const Eigen::Vector2d& z) {
        return bodies_.leafHamiltonian<double>(z[0], z[1]);
    };
    flow.Omega = Omega_;
    flow.saddle = {bodies_.theta0() + pi, pair_.saddleNu()};
    flow.growthRate = pair_.growthRate();
    flow.momentumSwing = pair_.nuMax() - pair_.nuMin();
    flow.section = bodies_.theta0();
    flow.branch = branch_;
    return measureSplitting(
        flow, samples, [this, eps](double t0) { return eps * melnikov(t0); }, goOn);
}

} // namespace casimir::planar
