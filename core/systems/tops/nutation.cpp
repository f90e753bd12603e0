#include "core/systems/tops/nutation.h"

#include "core/numerics/pi.h"

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

namespace casimir::tops {

namespace {

// More terms than this would say that a singularity sits on the path itself.
constexpr std::size_t mostTerms = 2048;
constexpr double seriesTail = 1e-15;

// In place, by halving; the size is a power of 2.
void fourier(std::vector<std::complex<double>>& x)
{
    const std::size_t n = x.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(x[i], x[j]);
    }
    for (std::size_t length = 2; length <= n; length *= 2) {
        const std::size_t half = length / 2;
        for (std::size_t k = 0; k < half; ++k) {
            const auto turn = std::polar(1.0, -2 * pi * static_cast<double>(k) / static_cast<double>(length));
            for (std::size_t i = k; i < n; i += length) {
                const auto odd = turn * x[i + half];
                x[i + half] = x[i] - odd;
                x[i] += odd;
            }
        }
    }
}

} // namespace

template <class F>
PeriodicPrimitive::PeriodicPrimitive(const F& f)
{
    // Samples at angle = pi j/(2N), j = 0..N, continued as an even function, give the cosine series; N
    // doubles until its tail is at rounding.
    for (std::size_t n = 16;; n *= 2) {
        std::vector<std::complex<double>> sample(2 * n);
        for (std::size_t j = 0; j <= n; ++j)
            sample[j] = sample[(2 * n - j) % (2 * n)] =
                f(pi * static_cast<double>(j) / (2 * static_cast<double>(n)));
        fourier(sample);
        coefficients_.resize(n + 1);
        double largest = 0, tail = 0;
        for (std::size_t k = 0; k <= n; ++k) {
            coefficients_[k] = sample[k].real() / static_cast<double>(k == 0 || k == n ? 2 * n : n);
            largest = std::max(largest, std::abs(coefficients_[k]));
            if (k >= n - n / 8)
                tail = std::max(tail, std::abs(coefficients_[k]));
        }
        if (tail <= seriesTail * largest || 2 * n > mostTerms)
            break;
    }
    while (coefficients_.size() > 1 &&
           std::abs(coefficients_.back()) <= 1e-18 * std::abs(coefficients_.front()))
        coefficients_.pop_back();
}

double PeriodicPrimitive::operator()(double angle) const
{
    if (coefficients_.empty())
        return 0;
    // Clenshaw's recurrence for sum b_k sin(2 k angle), b_k = a_k/(2k).
    const double twice = 2 * std::cos(2 * angle);
    double next = 0, afterNext = 0;
    for (std::size_t k = coefficients_.size() - 1; k >= 1; --k) {
        const double here = coefficients_[k] / (2 * static_cast<double>(k)) + twice * next - afterNext;
        afterNext = next;
        next = here;
    }
    return coefficients_[0] * angle + next * std::sin(2 * angle);
}

Nutation::Nutation(const Cubic& cubic, double R) : cubic_(cubic), R_(R)
{
    const bool up = cubic_.A > 0;
    base_ = up ? cubic_.x1 : cubic_.x2;
    direction_ = up ? 1 : -1;
    const double reach = up ? cubic_.x3 - cubic_.x1 : cubic_.x2 - cubic_.x3;
    L_ = std::sqrt(std::abs(cubic_.A) * reach / 2);
    m_ = width() / reach;
    modulus_ = std::sqrt(m_);
    if (R_ == 0) {
        period_ = 2 * boost::math::ellint_1(modulus_) / L_;
        return;
    }
    time_ = PeriodicPrimitive([this](double angle) {
        const double s = std::sin(angle);
        return 1 / rateAt(xAt(s * s));
    });
    period_ = pi * time_.mean();
}

double Nutation::xAt(double sineSquared) const
{
    return base_ + direction_ * width() * sineSquared;
}

double Nutation::rateAt(double x) const
{
    return 0.5 * std::sqrt(std::abs(2 * cubic_.A * (x - cubic_.x3)) / (1 + R_ * (1 - x * x)));
}

Nutation::Point Nutation::at(double t) const
{
    Point point;
    point.t = t;
    const double turns = std::floor(t / period_);
    const double within = t - turns * period_;
    if (R_ == 0) {
        double delta = 1; // not used: the library's dn loses all digits at a quarter period
        point.sine = boost::math::jacobi_elliptic(modulus_, L_ * within, &point.cosine, &delta);
        point.amplitude = std::atan2(point.sine, point.cosine);
        if (point.amplitude < 0) // rounding at the very end of a period
            point.amplitude += 2 * pi;
    } else {
        // t(amplitude) is monotone; Newton from the uniform guess, kept in its bracket.
        double low = 0, high = pi, angle = pi * within / period_;
        for (int i = 0; i < 60; ++i) {
            const double s = std::sin(angle);
            const double off = time_(angle) - within;
            (off > 0 ? high : low) = angle;
            double next = angle - off * rateAt(xAt(s * s));
            if (!(next > low && next < high))
                next = 0.5 * (low + high);
            const double step = std::abs(next - angle);
            angle = next;
            if (step <= 1e-16 * (1 + angle))
                break;
        }
        point.amplitude = angle;
        point.sine = std::sin(angle);
        point.cosine = std::cos(angle);
    }
    point.rate = rateAt(xAt(point.sine * point.sine));
    if (std::fmod(turns, 2.0) != 0) {
        point.sine = -point.sine;
        point.cosine = -point.cosine;
    }
    point.amplitude += turns * pi;
    point.x = xAt(point.sine * point.sine);
    point.dx = 2 * direction_ * width() * point.sine * point.cosine * point.rate;
    const double denominator = 1 + R_ * (1 - point.x * point.x);
    point.ddx =
        0.5 * cubic_.derivative(point.x) / denominator + R_ * point.x * point.dx * point.dx / denominator;
    return point;
}

double Nutation::timeOf(double x, double dx) const
{
    if (!(width() > 0))
        return 0;
    // 2 sin^2 - 1 = -cos(2 amplitude) and x' = direction width sin(2 amplitude) rate: well conditioned at the
    // turning points too.
    const double inside = std::clamp(x, cubic_.x1, cubic_.x2);
    const double cosine = 1 - 2 * direction_ * (x - base_) / width();
    const double sine = direction_ * dx / (width() * rateAt(inside));
    double amplitude = 0.5 * std::atan2(sine, cosine);
    if (amplitude < 0)
        amplitude += pi;
    const double t = R_ == 0 ? boost::math::ellint_1(modulus_, amplitude) / L_ : time_(amplitude);
    return t >= period_ ? 0 : t;
}

Nutation::Pole::Pole(const Nutation& nutation, double d) : d_(d)
{
    n_ = nutation.direction_ * nutation.width() / (d - nutation.base_);
    if (nutation.R_ == 0) {
        perPeriod_ = 2 * boost::math::ellint_3(nutation.modulus_, n_) / (nutation.L_ * (d - nutation.base_));
        return;
    }
    // The pole itself is integrated in closed form, with the weight 1/rate(d); what is left is smooth however
    // near a turning point lies. A pole so far out that the rate is not real there needs no such care.
    const double end = d > nutation.cubic_.x2 ? nutation.cubic_.x2 : nutation.cubic_.x1;
    const auto denominator = [&nutation](double x) { return 1 + nutation.R_ * (1 - x * x); };
    weight_ = 1 / nutation.rateAt(denominator(d) > 0.5 * denominator(end) ? d : end);
    primitive_ = PeriodicPrimitive([&nutation, d, weight = weight_](double angle) {
        const double s = std::sin(angle);
        const double x = nutation.xAt(s * s);
        return (1 / nutation.rateAt(x) - weight) / (d - x);
    });
    perPeriod_ = pi * (primitive_.mean() + weight_ / ((d - nutation.base_) * std::sqrt(1 - n_)));
}

double Nutation::Pole::integral(const Nutation& nutation, const Point& point) const
{
    const double turns = std::floor(point.amplitude / pi);
    const double angle = point.amplitude - turns * pi;
    const double reach = d_ - nutation.base_;
    if (nutation.R_ == 0)
        return turns * perPeriod_ +
               boost::math::ellint_3(nutation.modulus_, n_, angle) / (nutation.L_ * reach);
    const double root = std::sqrt(1 - n_);
    double turned = std::atan2(root * std::sin(angle), std::cos(angle));
    if (turned < 0)
        turned += 2 * pi;
    return turns * perPeriod_ + primitive_(angle) + weight_ * turned / (reach * root);
}

} // namespace casimir::tops
