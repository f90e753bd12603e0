#include "core/numerics/elliptic.h"

#include "core/base/error.h"

#include <boost/math/special_functions/ellint_rf.hpp>
#include <boost/math/special_functions/ellint_rj.hpp>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace casimir {

namespace {

// Integral of sn²/(1 - n sn²) over [0, u], |u| below the quarter period, with s = sn u, c = cn u and
// p = 1 - n s² (Carlson's form).
double squareIntegral(double s, double c, double kc, double p)
{
    if (s == 0)
        return 0;
    const double d2 = c * c + kc * kc * s * s;
    return s * s * s / 3 * boost::math::ellint_rj(c * c, d2, 1.0, p);
}

} // namespace

JacobiFunctions::JacobiFunctions(double complement) : kc_(complement)
{
    if (!(complement >= 0 && complement <= 1))
        throw Error(
            fmt::format("A complementary modulus lies between 0 and 1, but {} was given.", complement));
    if (kc_ == 0) {
        quarter_ = std::numeric_limits<double>::infinity();
        return;
    }
    a_[0] = 1;
    b_[0] = kc_;
    while (levels_ + 1 < deepest &&
           std::abs(a_[static_cast<std::size_t>(levels_)] - b_[static_cast<std::size_t>(levels_)]) >
               1e-16 * a_[static_cast<std::size_t>(levels_)]) {
        const auto i = static_cast<std::size_t>(levels_++);
        a_[i + 1] = (a_[i] + b_[i]) / 2;
        b_[i + 1] = std::sqrt(a_[i] * b_[i]);
        c_[i + 1] = (a_[i] - b_[i]) / 2;
    }
    quarter_ = std::numbers::pi / (2 * a_[static_cast<std::size_t>(levels_)]);
}

JacobiValues JacobiFunctions::near(double u) const
{
    if (kc_ == 0) {
        const double sech = 1 / std::cosh(u);
        return {std::tanh(u), sech, sech};
    }
    // Landen's descending steps. asin(c/a sin φ) is taken as an angle with its cosine, whose square is
    // cos² φ + (b/a)² sin² φ: nothing is lost where c/a is nearly 1.
    double phi = std::ldexp(a_[static_cast<std::size_t>(levels_)] * u, levels_);
    for (int n = levels_; n > 0; --n) {
        const auto i = static_cast<std::size_t>(n);
        const double s = std::sin(phi), c = std::cos(phi);
        // The angle of [-π/2, π/2] whatever the sign of cos φ.
        phi = (phi + std::atan2(c_[i] * s, std::hypot(a_[i] * c, b_[i] * s))) / 2;
    }
    const double s = std::sin(phi), c = std::cos(phi);
    return {s, c, std::hypot(c, kc_ * s)};
}

JacobiValues JacobiFunctions::at(const EllipticPhase& u) const
{
    const JacobiValues v = near(u.offset);
    switch (static_cast<int>(u.quarters - 4 * std::floor(u.quarters / 4))) {
    case 1:
        return {v.cn / v.dn, -kc_ * v.sn / v.dn, kc_ / v.dn};
    case 2:
        return {-v.sn, -v.cn, v.dn};
    case 3:
        return {-v.cn / v.dn, kc_ * v.sn / v.dn, kc_ / v.dn};
    default:
        return v;
    }
}

EllipticPhase JacobiFunctions::phaseAt(double sn, double cn) const
{
    if (kc_ == 0)
        return {0, std::asinh(sn / cn)};
    // At K/2, cn/sn = √k'. Beyond, the functions of u - K: sd = -cn/k' and cd = sn.
    double quarters = 0, s = sn, c = cn;
    if (std::abs(cn) < std::sqrt(kc_) * std::abs(sn)) {
        quarters = sn > 0 ? 1 : 3;
        s = (sn > 0 ? -cn : cn) / kc_;
        c = std::abs(sn);
    } else if (cn < 0) {
        quarters = 2;
        s = -sn;
        c = -cn;
    }
    const double r = std::hypot(s, c);
    s /= r;
    c /= r;
    return {quarters, s * boost::math::ellint_rf(c * c, c * c + kc_ * kc_ * s * s, 1.0)};
}

EllipticPhase JacobiFunctions::advanced(const EllipticPhase& u, double by) const
{
    const double offset = u.offset + by;
    if (kc_ == 0)
        return {u.quarters, offset};
    const double whole = std::round(offset / quarter_);
    return {u.quarters + whole, offset - whole * quarter_};
}

double JacobiFunctions::completeThirdKind(double w) const
{
    return quarter_ - w / 3 * boost::math::ellint_rj(0.0, kc_ * kc_, 1.0, 1 + w);
}

double JacobiFunctions::thirdKind(double w, const EllipticPhase& u) const
{
    const JacobiValues v = near(u.offset);
    if (kc_ == 0) {
        const double root = std::sqrt(w);
        return (u.offset + root * std::atan(root * v.sn)) / (1 + w);
    }
    double part = 0;
    if (std::fmod(u.quarters, 2) == 0)
        part = u.offset - w * squareIntegral(v.sn, v.cn, kc_, 1 + w * v.sn * v.sn);
    else {
        // About K: 1/(1 + w cd²) = [1 + m sn²/(1 - n sn²)]/(1 + w), m = w k'²/(1 + w), 1 - n = k'²/(1 + w).
        const double kc2 = kc_ * kc_;
        const double p = v.cn * v.cn + kc2 / (1 + w) * v.sn * v.sn;
        part = (u.offset + w * kc2 / (1 + w) * squareIntegral(v.sn, v.cn, kc_, p)) / (1 + w);
    }
    return (u.quarters == 0 ? 0 : u.quarters * completeThirdKind(w)) + part;
}

} // namespace casimir
