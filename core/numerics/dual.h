// Dual numbers: a value and its slope along a direction, so that a formula gives its exact derivative along
// with itself (forward mode). Value and slope may be lanes (lanes.h): several values each with its own
// direction, or one value with several directions.
#pragma once

#include "core/numerics/wide.h"

namespace casimir {

template <class V, class D>
struct Dual {
    V value{};
    D slope{};

    CASIMIR_INLINE Dual& operator+=(const Dual& b)
    {
        value = value + b.value;
        slope = slope + b.slope;
        return *this;
    }
    CASIMIR_INLINE Dual& operator-=(const Dual& b)
    {
        value = value - b.value;
        slope = slope - b.slope;
        return *this;
    }

    friend CASIMIR_INLINE Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
    friend CASIMIR_INLINE Dual operator+(const Dual& a, const Dual& b)
    {
        return {a.value + b.value, a.slope + b.slope};
    }
    friend CASIMIR_INLINE Dual operator-(const Dual& a, const Dual& b)
    {
        return {a.value - b.value, a.slope - b.slope};
    }
    friend CASIMIR_INLINE Dual operator*(const Dual& a, const Dual& b)
    {
        return {a.value * b.value, a.value * b.slope + b.value * a.slope};
    }
    friend CASIMIR_INLINE Dual operator/(const Dual& a, const Dual& b)
    {
        const V value = a.value / b.value;
        return {value, (a.slope - value * b.slope) / b.value};
    }
    friend CASIMIR_INLINE Dual operator/(double a, const Dual& b)
    {
        const V inverse = 1 / b.value, value = a * inverse;
        return {value, -(value * inverse) * b.slope};
    }
    friend CASIMIR_INLINE Dual operator+(double a, const Dual& b) { return {a + b.value, b.slope}; }
    friend CASIMIR_INLINE Dual operator-(const Dual& a, double b) { return {a.value - b, a.slope}; }
    friend CASIMIR_INLINE Dual operator*(double a, const Dual& b) { return {a * b.value, a * b.slope}; }
    friend CASIMIR_INLINE Dual operator*(const Dual& a, double b) { return {a.value * b, a.slope * b}; }
};

} // namespace casimir
