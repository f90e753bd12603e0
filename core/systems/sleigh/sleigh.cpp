#include "core/systems/sleigh/sleigh.h"

#include "core/base/error.h"

#include <boost/math/quadrature/gauss.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace casimir::sleigh {

namespace {

constexpr double halfPi = std::numbers::pi / 2;
// Below this part of kappa, a changes no digit of any motion.
constexpr double negligible = 1e-100;
// Panels short against the distance of the integrand's singularities: with 20 nodes the quadrature is exact
// to rounding.
constexpr double panelOfRate = 0.5, panelOfTurn = 0.3;
// Where sech(tau) is this far out it is below the rounding of 1, twice over.
constexpr double straightBeyond = 80;
using Nodes = boost::math::quadrature::gauss<double, 20>;

int signOf(double x)
{
    return (x > 0) - (x < 0);
}

double sinc(double x)
{
    return std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x;
}

double sech(double x)
{
    const double e = std::exp(-std::abs(x));
    return 2 * e / (1 + e * e);
}

// asinh(p/q) for q > 0, also where the quotient overflows.
double asinhOfRatio(double p, double q)
{
    const double ratio = p / q;
    if (std::abs(ratio) < 1e150)
        return std::asinh(ratio);
    return std::copysign(std::log(std::abs(p)) - std::log(q) + std::numbers::ln2, p);
}

double gudermannian(double x)
{
    return 2 * std::atan(std::tanh(x / 2));
}

// gd(u + d) - gd(u), without the cancellation of a small d.
double gudermannianStep(double u, double d)
{
    if (std::abs(d) > 1 || std::abs(u) > 300)
        return gudermannian(u + d) - gudermannian(u);
    const double product = sech(u) * sech(u + d);
    return std::atan2(2 * std::cosh(u + d / 2) * std::sinh(d / 2) * product,
                      product + std::tanh(u) * std::tanh(u + d));
}

} // namespace

Sleigh::Sleigh(const SleighParameters& p) : p_(p), kappa_(std::hypot(p.a, p.k))
{
    if (!std::isfinite(p.a) || !std::isfinite(p.b) || !std::isfinite(p.G))
        throw Error(fmt::format("the sleigh's a = {}, b = {} and G = {} must be finite", p.a, p.b, p.G));
    if (!(p.k > 0 && std::isfinite(p.k)))
        throw Error(fmt::format("the radius of gyration k = {} must be greater than 0", p.k));
}

double Sleigh::delta() const
{
    return std::hypot(kappa_, p_.b);
}

double Sleigh::speed(const Vector5& x) const
{
    return std::hypot(s(x), kappa_ * x[PhiDot]);
}

double Sleigh::energy(const Vector5& x) const
{
    const double c = speed(x);
    return 0.5 * c * c - p_.G * massCentre(x).x();
}

double Sleigh::force(const Vector5& x) const
{
    const double part = p_.k / kappa_;
    return (s(x) * x[PhiDot] + p_.G * std::sin(x[Phi])) * part * part;
}

Vector5 Sleigh::field(const Vector5& x) const
{
    const double w = x[PhiDot], cosine = std::cos(x[Phi]), sine = std::sin(x[Phi]);
    const double sRate = p_.a * w * w + p_.G * cosine;
    const double wRate = -(p_.a / (kappa_ * kappa_)) * (s(x) * w + p_.G * sine);
    return Vector5(x[V] * cosine, x[V] * sine, w, sRate + p_.b * wRate, wRate);
}

Eigen::Vector2d Sleigh::massCentre(const Vector5& x) const
{
    const double cosine = std::cos(x[Phi]), sine = std::sin(x[Phi]);
    return {x[X] + p_.a * cosine - p_.b * sine, x[Y] + p_.a * sine + p_.b * cosine};
}

int Sleigh::straightens() const
{
    return std::abs(p_.a) < negligible * kappa_ ? 0 : signOf(p_.a);
}

SleighMotion::SleighMotion(const Sleigh& sleigh, const Vector5& start) : sleigh_(sleigh), start_(start)
{
    if (!sleigh.hasClosedForm())
        throw Error(fmt::format(
            "there is no closed form for a sleigh on a slope whose mass centre is a = {} ahead of the runner",
            sleigh.parameters().a));
    const double w = start[PhiDot];
    level_ = sleigh.straightens() == 0;
    straight_ = !level_ && w == 0;
    if (level_ || straight_)
        return;
    const double kappa = sleigh.kappa();
    c_ = sleigh.speed(start);
    L_ = (sleigh.parameters().a / kappa) * (c_ / kappa);
    // atanh(s/c) would lose digits where w is small.
    tau0_ = asinhOfRatio(sleigh.s(start), kappa * std::abs(w));
    sign_ = signOf(w);
}

SleighMotion::Turn SleighMotion::turn(double t) const
{
    const double w = start_[PhiDot], kappa = sleigh_.kappa();
    if (straight_)
        return {start_[Phi], start_[V], 0};
    if (level_) { // v' = G cos phi at constant w
        const double half = w * t / 2;
        return {start_[Phi] + w * t,
                start_[V] + sleigh_.parameters().G * t * sinc(half) * std::cos(start_[Phi] + half), w};
    }
    const double tau = tau0_ + L_ * t, rate = sign_ * (c_ / kappa) * sech(tau);
    return {start_[Phi] + sign_ * (kappa / sleigh_.parameters().a) * gudermannianStep(tau0_, L_ * t),
            c_ * std::tanh(tau) + sleigh_.parameters().b * rate, rate};
}

double SleighMotion::panel(double t, bool forward) const
{
    if (straight_ || level_)
        return std::numeric_limits<double>::infinity();
    // On either far side of the turn nothing is left to see of it: the run is straight up to where the turn
    // begins.
    const double tau = tau0_ + L_ * t;
    if (std::abs(tau) > straightBeyond)
        return (tau > 0) == (forward == (L_ > 0)) ? std::numeric_limits<double>::infinity()
                                                  : (std::abs(tau) - straightBeyond / 2) / std::abs(L_);
    const double rate = std::abs(turn(t).w);
    return std::min(panelOfRate / std::abs(L_),
                    rate > 0 ? panelOfTurn / rate : std::numeric_limits<double>::infinity());
}

Eigen::Vector2d SleighMotion::displacement(double t0, double t1) const
{
    const double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    const auto add = [&](double node, double weight) {
        const Turn now = turn(middle + half * node);
        sum += weight * half * now.v * Eigen::Vector2d(std::cos(now.phi), std::sin(now.phi));
    };
    const auto& nodes = Nodes::abscissa();
    for (std::size_t i = 0; i < nodes.size(); ++i) { // an even rule has no node in the middle
        add(nodes[i], Nodes::weights()[i]);
        add(-nodes[i], Nodes::weights()[i]);
    }
    return sum;
}

Vector5 SleighMotion::from(double t0, const Vector5& x0, double t) const
{
    if (straight_ || level_)
        return at(t);
    const Eigen::Vector2d d = displacement(t0, t);
    const Turn now = turn(t);
    return Vector5(x0[X] + d.x(), x0[Y] + d.y(), now.phi, now.v, now.w);
}

Vector5 SleighMotion::at(double t) const
{
    const Turn end = turn(t);
    const double phi0 = start_[Phi], w = start_[PhiDot], v0 = start_[V];
    if (straight_)
        return Vector5(start_[X] + v0 * t * std::cos(phi0), start_[Y] + v0 * t * std::sin(phi0), end.phi, v0,
                       0);
    if (level_) {
        const double G = sleigh_.parameters().G, half = w * t / 2;
        const double chord = t * sinc(half); // of the arc that the heading describes
        const double C = chord * std::cos(phi0 + half), S = chord * std::sin(phi0 + half);
        double drift = 0; // the integral of (sin phi - sin phi0)/w sin phi
        if (G != 0 && std::abs(half) > 0.5) {
            drift = (half - 0.25 * (std::sin(2 * end.phi) - std::sin(2 * phi0)) +
                     std::sin(phi0) * (std::cos(end.phi) - std::cos(phi0))) /
                    (w * w);
        } else if (G != 0) {
            const auto integrand = [&](double time) {
                const double h = w * time / 2;
                return time * sinc(h) * std::cos(phi0 + h) * std::sin(phi0 + w * time);
            };
            drift = Nodes::integrate(integrand, 0, t);
        }
        return Vector5(start_[X] + v0 * C + 0.5 * G * C * C, start_[Y] + v0 * S + G * drift, end.phi, end.v,
                       w);
    }
    Vector5 x = start_;
    double now = 0;
    while (now != t) {
        const double length = panel(now, t > now);
        const double next = std::abs(t - now) <= length ? t : now + std::copysign(length, t);
        x.head<2>() += displacement(now, next);
        now = next;
    }
    x.tail<3>() << end.phi, end.v, end.w;
    return x;
}

SleighByAngle::SleighByAngle(const Sleigh& sleigh, const Vector5& start)
    : a(sleigh.parameters().a),
      b(sleigh.parameters().b),
      kappa(sleigh.kappa()),
      c(sleigh.speed(start)),
      phi0(start[Phi]),
      u0(std::atan2(sleigh.s(start) * signOf(start[PhiDot]), kappa * std::abs(start[PhiDot]))),
      sign(signOf(start[PhiDot]))
{
}

double SleighByAngle::u(double phi) const
{
    return u0 + a * (phi - phi0) / kappa;
}

double SleighByAngle::phiAt(double u) const
{
    return phi0 + kappa * (u - u0) / a;
}

double SleighByAngle::thetaPrime(double phi) const
{
    return b + kappa * std::tan(u(phi));
}

double SleighByAngle::rate(double phi) const
{
    return sign * (c / kappa) * std::cos(u(phi));
}

double SleighByAngle::time(double phi) const
{
    // ln tan(pi/4 + u/2) = asinh(tan u)
    return sign * (kappa / a) * (kappa / c) * (std::asinh(std::tan(u(phi))) - std::asinh(std::tan(u0)));
}

SleighForecast forecast(const Sleigh& sleigh, const Vector5& start)
{
    SleighForecast f;
    f.energy = sleigh.energy(start);
    f.speed = sleigh.speed(start);
    const int direction = sleigh.straightens();
    const double kappa = sleigh.kappa(), a = sleigh.parameters().a;
    f.asymptoticSpeed = start[V];
    if (direction == 0)
        return f;
    f.rate = std::abs(a) * f.speed / (kappa * kappa);
    f.turnTotal = std::numbers::pi * kappa / std::abs(a);
    if (start[PhiDot] == 0)
        return f;
    f.asymptoticSpeed = direction * f.speed;
    const SleighByAngle by(sleigh, start);
    // s = c sin(u) sign(w) grows with a's sign, so u ends at sign(w) sign(a) pi/2.
    const double end = by.sign * direction * halfPi;
    f.phiFinal = by.phiAt(end);
    f.phiInitial = by.phiAt(-end);
    const double cusp = std::atan(-by.b / kappa);
    f.cuspPhi = by.phiAt(cusp);
    f.cuspTime =
        by.sign * (kappa / a) * (kappa / by.c) * (std::asinh(-by.b / kappa) - std::asinh(std::tan(by.u0)));
    return f;
}

} // namespace casimir::sleigh
