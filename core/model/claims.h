// How `verify` judges one statement of a paper: a deviation computed by a route of its own, and, where the
// paper misprints, how far off the printed form is. The statements themselves stand beside each system.
#pragma once

#include "core/model/analysis.h"

#include <Eigen/Core>

#include <algorithm>
#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace casimir {

// A misprint that moves numbers by less than this would not be told from rounding.
inline constexpr double visibleDeviation = 1e-6;

struct ClaimCheck {
    std::string id;        // equation, theorem or place in the paper
    std::string statement; // as corrected where there is an erratum
    std::string computed;  // by what it was checked
    std::function<double()> deviation;
    std::function<double()> printed = {}; // of the form with the misprint; empty without an erratum
    std::string erratum = {};
    double digitsNeeded = 11;
};

// How far a and b are apart relative to the larger of them, or to `scale` where that is larger; 0 of two
// zeros.
double off(double a, double b, double scale = 0);
double off(std::complex<double> a, std::complex<double> b);
template <class A, class B>
double off(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b)
{
    const double size = std::max(a.norm(), b.norm());
    return size == 0 ? 0 : (a - b).norm() / size;
}

// The largest deviation of a sample; a NaN stays.
template <class Samples, class F>
double worst(const Samples& samples, const F& deviation)
{
    double most = 0;
    for (const auto& sample : samples)
        if (const double d = deviation(sample); !(d <= most))
            most = d;
    return most;
}
// The same, to be asked for later.
template <class Samples, class F>
std::function<double()> over(const Samples& samples, F deviation)
{
    return [samples, deviation] { return worst(samples, deviation); };
}

// Decimal digits of a relative deviation, at most 16; NaN has none.
double digitsOf(double deviation);

Claim judge(const ClaimCheck& check);
std::vector<Claim> judge(const std::vector<ClaimCheck>& checks);

} // namespace casimir
