#include "core/systems/tops/exact_motion.h"

#include "core/numerics/pi.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <complex>

namespace casimir::tops {

ExactMotion::ExactMotion(Chain chain, const Nutation& nutation, std::vector<PlaneGroup> groups,
                         std::vector<int> group, std::vector<int> delta, std::vector<double> P)
    : chain_(std::move(chain)),
      nutation_(nutation),
      groups_(std::move(groups)),
      group_(std::move(group)),
      delta_(std::move(delta)),
      P_(std::move(P)),
      period_(nutation.period())
{
    for (const PlaneGroup& g : groups_) {
        PolePair pair;
        if (g.minus != 0)
            pair.minus.emplace(*nutation_, 1 / g.mu);
        if (g.plus != 0)
            pair.plus.emplace(*nutation_, -1 / g.mu);
        poles_.push_back(std::move(pair));
    }
}

ExactMotion::ExactMotion(Chain chain, std::vector<double> theta, double Omega)
    : chain_(std::move(chain)), theta_(std::move(theta)), omega_(Omega), period_(2 * pi / std::abs(Omega))
{
    group_.assign(theta_.size(), 0);
    delta_.assign(theta_.size(), 0);
}

int ExactMotion::firstGroupSize() const
{
    return static_cast<int>(std::count(group_.begin(), group_.end(), 0));
}

std::vector<double> ExactMotion::p() const
{
    std::vector<double> all;
    for (std::size_t i = 0; i < P_.size(); ++i)
        all.push_back(P_[i] * groups_[static_cast<std::size_t>(group_[i])].p);
    return all;
}

std::vector<double> ExactMotion::h() const
{
    std::vector<double> all;
    for (std::size_t i = 0; i < P_.size(); ++i)
        all.push_back(P_[i] * groups_[static_cast<std::size_t>(group_[i])].h);
    return all;
}

double ExactMotion::advance(int plane) const
{
    if (steady())
        return omega_ * period_;
    const auto g = static_cast<std::size_t>(plane);
    const PlaneGroup& group = groups_[g];
    double advance = 0;
    if (poles_[g].minus)
        advance += group.minus / (2 * group.mu) * poles_[g].minus->perPeriod();
    if (poles_[g].plus)
        advance -= group.plus / (2 * group.mu) * poles_[g].plus->perPeriod();
    return advance;
}

void ExactMotion::groupAt(const Nutation::Point& at, std::size_t g, double psi0, MotionFrame& out) const
{
    const PlaneGroup& group = groups_[g];
    const Cubic& cubic = nutation_->cubic();
    const double width = cubic.x2 - cubic.x1;
    const bool up = cubic.A > 0;
    const double y = group.mu * at.x, dy = group.mu * at.dx, ddy = group.mu * at.ddx;
    // r = sin(theta), signed where the axis goes through the vertical: there 1 - y or 1 + y is |mu| (x2 - x1)
    // times a square, whose root changes sign. slope = x'/r stays finite.
    double r = 1, slope = 2 * (up ? 1 : -1) * width * at.rate;
    bool usedSine = false, usedCosine = false;
    const auto factor = [&](bool through, double plain, bool atUpper) {
        if (!through) {
            r *= std::sqrt(std::max(plain, 0.0));
            slope /= std::sqrt(std::max(plain, 0.0));
            return;
        }
        // x2 - x carries the cosine for A > 0, the sine for A < 0.
        const bool cosine = atUpper == up;
        const double size = std::sqrt(std::abs(group.mu) * width);
        r *= size * (cosine ? at.cosine : at.sine);
        slope /= size;
        (cosine ? usedCosine : usedSine) = true;
    };
    factor(group.throughTop, 1 - y, group.mu > 0);
    factor(group.throughBottom, 1 + y, group.mu < 0);
    if (!usedSine)
        slope *= at.sine;
    if (!usedCosine)
        slope *= at.cosine;

    double psi = psi0, beta = -group.k * at.t, dpsi = 0, ddpsi = 0;
    if (const auto& pole = poles_[g].minus) {
        const double part = group.minus / (2 * group.mu) * pole->integral(*nutation_, at);
        psi += part;
        beta -= part;
        dpsi += group.minus / (2 * (1 - y));
        ddpsi += dy * group.minus / (2 * (1 - y) * (1 - y));
    }
    if (const auto& pole = poles_[g].plus) {
        const double part = group.plus / (2 * group.mu) * pole->integral(*nutation_, at);
        psi -= part;
        beta -= part;
        dpsi += group.plus / (2 * (1 + y));
        ddpsi -= dy * group.plus / (2 * (1 + y) * (1 + y));
    }
    const double dr = -y * group.mu * slope;
    const std::complex<double> turn = std::polar(1.0, psi);
    const std::complex<double> place = r * turn, rate = std::complex(dr, r * dpsi) * turn;
    const Eigen::Vector3d e(place.real(), place.imag(), y), v(rate.real(), rate.imag(), dy);
    Eigen::Vector3d acceleration;
    constexpr double nearVertical = 1e-3;
    if (std::abs(r) > nearVertical) {
        const double ddr = (-dy * dy - y * ddy - dr * dr) / r;
        const std::complex<double> second =
            std::complex(ddr - r * dpsi * dpsi, 2 * dr * dpsi + r * ddpsi) * turn;
        acceleration = {second.real(), second.imag(), ddy};
    } else {
        // The same from the group's own equation e x (e'' + (A + R y'') e3) + k e' = 0, which does not divide
        // by sin(theta).
        const double pull = group.A + group.R * ddy;
        acceleration =
            (pull * y - v.squaredNorm()) * e - pull * Eigen::Vector3d::UnitZ() + group.k * e.cross(v);
    }
    const double theta = std::atan2(r, y);
    for (int i = 0; i < chain_.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (group_[k] != static_cast<int>(g))
            continue;
        const double sign = delta_[k] == 0 ? 1 : -1;
        const Eigen::Vector3d flip(sign, sign, 1);
        out.e.col(i) = flip.cwiseProduct(e);
        out.v.col(i) = flip.cwiseProduct(v);
        out.acceleration.col(i) = flip.cwiseProduct(acceleration);
        out.theta[k] = theta;
        out.psi[k] = psi + delta_[k] * pi;
        out.beta[k] = beta;
    }
}

void ExactMotion::at(double t, const std::vector<double>& planeAngles, MotionFrame& out) const
{
    const int n = chain_.size();
    out.e.resize(3, n);
    out.v.resize(3, n);
    out.acceleration.resize(3, n);
    out.theta.resize(static_cast<std::size_t>(n));
    out.psi.resize(static_cast<std::size_t>(n));
    out.beta.resize(static_cast<std::size_t>(n));
    if (steady()) {
        const double psi = planeAngles[0] + omega_ * t;
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const AxisAngles angles{theta_[k], psi, 0, omega_};
            out.e.col(i) = axisOf(angles);
            out.v.col(i) = axisRateOf(angles);
            out.acceleration.col(i) = -omega_ * omega_ * Eigen::Vector3d(out.e(0, i), out.e(1, i), 0);
            out.theta[k] = theta_[k];
            out.psi[k] = psi;
            out.beta[k] = -omega_ * std::cos(theta_[k]) * t;
        }
        out.x = std::cos(theta_[0]);
        out.dx = 0;
        return;
    }
    const Nutation::Point point = nutation_->at(t);
    out.x = point.x;
    out.dx = point.dx;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        groupAt(point, g, planeAngles[g], out);
}

double ExactMotion::residual(int samples) const
{
    MotionFrame frame;
    const std::vector<double> angles(static_cast<std::size_t>(planes()), 0.0);
    double worst = 0;
    for (int j = 0; j < samples; ++j) {
        at(period_ * (j + 0.3) / samples, angles, frame);
        worst = std::max(worst, chain_.residual(frame.e, frame.v, frame.acceleration));
    }
    return worst;
}

std::string ExactMotion::curveName(int plane) const
{
    if (steady() || nutation_->cubic().x2 == nutation_->cubic().x1)
        return "circle";
    const PlaneGroup& group = groups_[static_cast<std::size_t>(plane)];
    const double y1 = group.mu * nutation_->cubic().x1, y2 = group.mu * nutation_->cubic().x2;
    // psi' = (p - k y)/(1 - y^2) at the two turning points: of one sign, of two, or zero at one of them.
    const double at1 = group.p - group.k * y1, at2 = group.p - group.k * y2;
    const double size = std::abs(group.p) + std::abs(group.k);
    constexpr double cusp = 1e-9;
    if (std::min(std::abs(at1), std::abs(at2)) <= cusp * size)
        return "cusps";
    return (at1 > 0) == (at2 > 0) ? "waves" : "loops";
}

} // namespace casimir::tops
