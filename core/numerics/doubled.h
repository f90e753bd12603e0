// Numbers carried as the unevaluated sum of two doubles, with only the operations that long sums need.
// Rounding in products with a constant factor (the step, a weight) is not random but biased, and shows after
// a million steps.
#pragma once

namespace casimir {

struct DoubledNumber {
    double high = 0;
    double low = 0;
};

// Knuth: a + b without error.
inline DoubledNumber exactSum(double a, double b)
{
    const double sum = a + b;
    const double part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
}

// Dekker: a b without error, by halves of 26 bits (portable x86-64 has no fused multiply-add); for factors
// below 1e299.
inline DoubledNumber exactProduct(double a, double b)
{
    constexpr double kSplit = 134217729; // 2^27 + 1
    const auto upper = [](double x) {
        const double y = kSplit * x;
        return y - (y - x);
    };
    const double product = a * b;
    const double a1 = upper(a);
    const double a2 = a - a1;
    const double b1 = upper(b);
    const double b2 = b - b1;
    return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

inline DoubledNumber operator+(const DoubledNumber& a, const DoubledNumber& b)
{
    const DoubledNumber sum = exactSum(a.high, b.high);
    return exactSum(sum.high, sum.low + (a.low + b.low));
}

} // namespace casimir
