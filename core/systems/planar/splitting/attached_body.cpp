#include "core/systems/planar/splitting/attached_body.h"

#include "core/base/error.h"
#include "core/numerics/pi.h"
#include "core/systems/planar/splitting/homoclinic_integral.h"

#include <fmt/format.h>

#include <cmath>

namespace casimir::planar {

namespace {

using Complex = std::complex<double>;

// The rate of (theta21, mu1) by the phase s = sign y of the rotor, and mu3, on the level `energy`: of the two
// momenta mu3 with this energy the one with which y runs the way of `sign`.
template <class T>
struct ByPhase {
    T angleRate, momentumRate, mu3;

    ByPhase(const ThreeBody& bodies, double energy, int sign, double s, const T& x, const T& mu1)
    {
        using std::sqrt;
        using V = Eigen::Matrix<T, 3, 1>;
        const T y(sign * s);
        const V a(mu1, T(bodies.mu()) - mu1, T(0)), b(T(0), T(-1), T(1));
        const auto g = bodies.couplings(x, y);
        const V Ja = bodies.velocities(g, a), Jb = bodies.velocities(g, b);
        // Sums without conjugation, so that a complex step passes through.
        const T bb = Jb[2] - Jb[1], ab = Ja[2] - Ja[1], aa = a[0] * Ja[0] + a[1] * Ja[1];
        const T yRate = static_cast<double>(sign) * sqrt(ab * ab - bb * (aa - 2 * energy));
        mu3 = (yRate - ab) / bb;
        const V omega = Ja + mu3 * Jb;
        const T perPhase = static_cast<double>(sign) / yRate;
        angleRate = (omega[1] - omega[0]) * perPhase;
        momentumRate = omega[0] * (g.K12 * omega[1] + g.K13 * omega[2]) * perPhase;
    }
};

} // namespace

TwoBody carriedPair(const ThreeBodyParameters& p, double mu3)
{
    // Body 2 and the point mass have their common centre of mass at share * e.
    const double m = p.m2 + p.m3, share = p.m3 / m;
    const double hx = -p.b1 - share * p.e1, hy = -share * p.e2;
    return TwoBody({.m1 = p.m1,
                    .m2 = m,
                    .I1 = p.I1,
                    .I2 = p.I2 + p.m2 * share * (p.e1 * p.e1 + p.e2 * p.e2),
                    .d1 = p.c1,
                    .d2 = std::hypot(hx, hy),
                    .theta0 = std::atan2(hy, -hx),
                    .mu = p.mu - mu3});
}

AttachedBody::AttachedBody(const ThreeBodyParameters& bodies, double mu3, int branch,
                           std::function<bool()> cancelled)
    : p_(bodies),
      pair_(carriedPair(bodies, mu3)),
      orbit_(pair_),
      mu3_(mu3),
      branch_(branch),
      cancelled_(std::move(cancelled))
{
    if (!(p_.I3 > 0))
        throw Error(fmt::format("a rotor needs an inertia greater than 0, but I3 = {}", p_.I3));
    p_.d1 = 1; // the couplings are in proportion to it
    const ThreeBodyCoefficients unit = coefficientsOf(p_);
    const double M = p_.m1 + p_.m2 + p_.m3, omega3 = mu3 / p_.I3;
    const auto f = [&](double theta, const Vec2<double>& omega) {
        return Complex(0, omega3 / M) * (unit.A1 * std::polar(1.0, theta) * omega[0] + unit.P2() * omega[1]);
    };
    const double spin = pair_.mu() / pair_.foldedInertia();
    saddleRate_ = omega3 - spin;
    if (!(std::abs(saddleRate_) > 1e-9 * (std::abs(omega3) + std::abs(spin))))
        throw Error(
            fmt::format("the rotor turns with body 2 at the saddle (μ₃ = {}), so it has no phase", mu3));
    const Complex fSaddle = f(pair_.theta0() + pi, {spin, spin});

    requireVisible(saddleRate_, orbit_.stripWidth());

    const auto term = [&](double x) {
        const double psi = HomoclinicPair::psiAt(x, branch_), nu = orbit_.nu(psi, branch_),
                     theta = pair_.theta0() + psi, timeRate = orbit_.timeRate(x);
        const Vec2<double> omega =
            pair_.velocities<double>(theta, {0.5 * pair_.mu() - nu, 0.5 * pair_.mu() + nu});
        const double etaRate = omega3 - omega[1];
        oneWay_ = oneWay_ && etaRate * saddleRate_ > 0;
        return HomoclinicTerm{etaRate * timeRate,
                              (f(theta, omega) - fSaddle * (etaRate / saddleRate_)) * timeRate};
    };
    // Both ways from the stretched angle, forwards and backwards in time.
    amplitude_ =
        homoclinicIntegral(orbit_, 1, term, cancelled_) - homoclinicIntegral(orbit_, -1, term, cancelled_);
}

Splitting AttachedBody::splitting(double eps, int samples,
                                  const std::function<bool(const Splitting&)>& goOn) const
{
    if (!oneWay_) {
        Splitting none;
        none.status =
            Status::failed("rotor-turns-back", "The third body does not turn one way against the second "
                                               "along the homoclinic orbit, so its phase cannot serve as "
                                               "the time.");
        return none;
    }
    ThreeBodyParameters p = p_;
    p.d1 = eps;
    const ThreeBody bodies(p);
    const int sign = saddleRate_ > 0 ? 1 : -1;
    const double energy = orbit_.energy() + mu3_ * mu3_ / (2 * p.I3);
    DisturbedFlow flow;
    flow.rate = [&](double s, const Eigen::Vector2d& z) {
        const ByPhase<double> at(bodies, energy, sign, s, z[0], z[1]);
        return Eigen::Vector2d(at.angleRate, at.momentumRate);
    };
    flow.jacobian = [&](double s, const Eigen::Vector2d& z) {
        return complexStepJacobian(z, [&](const Eigen::Vector2cd& w) {
            const ByPhase<Complex> at(bodies, energy, sign, s, w[0], w[1]);
            return Eigen::Vector2cd(at.angleRate, at.momentumRate);
        });
    };
    flow.value = [&](double s, const Eigen::Vector2d& z) {
        return ByPhase<double>(bodies, energy, sign, s, z[0], z[1]).mu3;
    };
    flow.Omega = 1;
    flow.saddle = {pair_.theta0() + pi, 0.5 * pair_.mu() - orbit_.saddleNu()};
    flow.growthRate = orbit_.growthRate() / std::abs(saddleRate_);
    flow.momentumSwing = orbit_.nuMax() - orbit_.nuMin();
    flow.section = pair_.theta0();
    flow.branch = branch_;
    flow.cancelled = cancelled_;
    return measureSplitting(
        flow, samples, [&](double s0) { return eps * melnikov(sign * s0); }, goOn);
}

} // namespace casimir::planar
