// Integrals of real functions of one variable: over a full period, where the trapezoidal rule converges
// faster than any power, and over any other interval, finite or not, by adaptive Gauss-Kronrod.
#pragma once

#include "core/base/status.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

struct Integral {
    double value = std::numeric_limits<double>::quiet_NaN();
    double error = std::numeric_limits<double>::infinity(); // an estimate, meant to be pessimistic
    double magnitude = 0; // the integral of |f|, which the tolerance refers to
    long evaluations = 0;
    Status status;
};

namespace detail {

inline Status quadratureStatus(const Integral& integral, double tolerance)
{
    if (!std::isfinite(integral.value))
        return Status::failed("not-finite", "The integrand has no finite value somewhere on the interval.");
    // Rounding of the sum itself bounds what can be asked.
    const double attainable = std::max(tolerance, 64 * std::numeric_limits<double>::epsilon());
    if (integral.error <= attainable * integral.magnitude)
        return {};
    return Status::failed("not-converged",
                          fmt::format("The integral is known to {:.2g} only.", integral.error));
}

} // namespace detail

// The integral of a smooth f over [a, a + period]. The number of points doubles, reusing those there are,
// until two successive doublings change the sum by less than tolerance * integral of |f|: one alone could be
// an alias. The error given is the last change.
template <class F>
Integral periodicIntegral(F&& f, double a, double period, double tolerance = 1e-14,
                          long maxEvaluations = 1 << 20)
{
    constexpr long kFirst = 16;
    Integral result;
    double sum = 0;
    double absolute = 0;
    const auto add = [&](long n, double shift) {
        double part = 0;
        for (long i = 0; i < n; ++i) {
            const double y = f(a + period * ((static_cast<double>(i) + shift) / static_cast<double>(n)));
            part += y;
            absolute += std::abs(y);
        }
        result.evaluations += n;
        sum += part;
    };
    const double attainable = std::max(tolerance, 8 * std::numeric_limits<double>::epsilon());
    long n = kFirst;
    add(n, 0);
    result.value = period * sum / static_cast<double>(n);
    int agreed = 0;
    while (agreed < 2 && 2 * n <= maxEvaluations && std::isfinite(result.value)) {
        add(n, 0.5);
        n *= 2;
        const double before = result.value;
        result.value = period * sum / static_cast<double>(n);
        result.magnitude = std::abs(period) * absolute / static_cast<double>(n);
        result.error = std::abs(result.value - before);
        agreed = result.error <= attainable * result.magnitude ? agreed + 1 : 0;
    }
    result.status = detail::quadratureStatus(result, tolerance);
    return result;
}

// The integral of f from a to b, either of which may be infinite; the tolerance is relative to the integral
// of |f|.
template <class F>
Integral adaptiveIntegral(F&& f, double a, double b, double tolerance = 1e-12, unsigned maxDepth = 15)
{
    Integral result;
    const auto counted = [&](double x) {
        ++result.evaluations;
        return static_cast<double>(f(x));
    };
    result.value = boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
        counted, a, b, maxDepth, tolerance, &result.error, &result.magnitude);
    result.status = detail::quadratureStatus(result, tolerance);
    return result;
}

} // namespace casimir
