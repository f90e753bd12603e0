#include "core/systems/planar/splitting/driven_joint.h"

#include "core/base/error.h"
#include "core/numerics/pi.h"
#include "core/systems/planar/splitting/homoclinic_integral.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>

namespace casimir::planar {

DrivenJoint::DrivenJoint(const TwoBody& bodies, double Omega, int branch, std::function<bool()> cancelled)
    : bodies_(bodies), pair_(bodies), Omega_(Omega), branch_(branch), cancelled_(std::move(cancelled))
{
    if (!(Omega > 0) || !std::isfinite(Omega))
        throw Error(fmt::format("the frequency of the drive = {} must be greater than 0", Omega));
    requireVisible(Omega, pair_.stripWidth());
    // theta' is even in time: A = 2 Int_0^oo cos(Omega t) dpsi.
    const auto term = [this](double x) {
        return HomoclinicTerm{Omega_ * pair_.timeRate(x), 4 / std::cosh(x)};
    };
    amplitude_ = branch_ * homoclinicIntegral(pair_, 1, term, cancelled_).real();
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
    flow.cancelled = cancelled_;
    return measureSplitting(
        flow, samples, [this, eps](double t0) { return eps * melnikov(t0); }, goOn);
}

} // namespace casimir::planar
