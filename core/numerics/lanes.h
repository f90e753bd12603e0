// Lanes: several numbers computed with as if they were one, by the compiler's vector types. Written once, a
// formula runs on one double or on four; each lane gives the same digits as the double alone. Functions over
// lanes must be inlined into one that is compiled for the wanted instructions, hence the attribute, and take
// them by reference, since how they are passed depends on those instructions.
#pragma once

#include "core/numerics/wide.h"

#include <cstdint>

namespace casimir {

template <int W>
struct Lanes;
template <>
struct Lanes<1> {
    using Real = double;
    using Bits = std::uint64_t;
    static CASIMIR_INLINE double get(const double& x, int) { return x; }
    static CASIMIR_INLINE void set(double& x, int, double value) { x = value; }
};
template <>
struct Lanes<2> {
    typedef double Real __attribute__((vector_size(16)));
    typedef std::uint64_t Bits __attribute__((vector_size(16)));
    static CASIMIR_INLINE double get(const Real& x, int lane) { return x[lane]; }
    static CASIMIR_INLINE void set(Real& x, int lane, double value) { x[lane] = value; }
};
template <>
struct Lanes<4> {
    typedef double Real __attribute__((vector_size(32)));
    typedef std::uint64_t Bits __attribute__((vector_size(32)));
    static CASIMIR_INLINE double get(const Real& x, int lane) { return x[lane]; }
    static CASIMIR_INLINE void set(Real& x, int lane, double value) { x[lane] = value; }
};

// Sine and cosine to about one unit in the last place, |x| up to 8e5. Bits set in the result say that x was
// out of reach.
template <class Real, class Bits>
CASIMIR_INLINE void sineAndCosine(const Real& x, Real& sine, Real& cosine, Bits& beyond)
{
    // pi/2 in three parts of which the first two have 33 bits, so that their products with the number of
    // quadrants (up to 2^19) are exact (Cody and Waite).
    constexpr double halfPi1 = 1.57079632673412561417e+00;
    constexpr double halfPi2 = 6.07710050630396597660e-11;
    constexpr double halfPi3 = 2.02226624879595063154e-21;
    constexpr double twoOverPi = 0.63661977236758134308;
    // Added and taken away again it rounds to a whole number, which then stands in the lowest bits.
    constexpr double rounder = 0x1.8p52;

    const Real shifted = x * twoOverPi + rounder;
    const Real quadrants = shifted - rounder;
    const Real r = ((x - quadrants * halfPi1) - quadrants * halfPi2) - quadrants * halfPi3;
    const Real z = r * r, zz = z * z;
    // The minimax polynomials that Sun's library made common, |r| <= pi/4, in halves that do not wait for
    // each other.
    const Real s = r + r * z *
                           ((-1.66666666666666324348e-01 + z * 8.33333333332248946124e-03) +
                            zz * ((-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
                                  zz * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    const Real c =
        1 - (0.5 * z - zz * ((4.16666666666666019037e-02 + z * -1.38888888888741095749e-03) +
                             zz * ((2.48015872894767294178e-05 + z * -2.75573143513906633035e-07) +
                                   zz * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
    const Bits bits = __builtin_bit_cast(Bits, shifted);
    const Bits odd = 0 - (bits & 1);
    const Bits sBits = __builtin_bit_cast(Bits, s), cBits = __builtin_bit_cast(Bits, c);
    sine = __builtin_bit_cast(Real, ((sBits & ~odd) | (cBits & odd)) ^ ((bits & 2) << 62));
    cosine = __builtin_bit_cast(Real, ((cBits & ~odd) | (sBits & odd)) ^ (((bits + 1) & 2) << 62));
    constexpr std::uint64_t most = std::uint64_t{1} << 19;
    beyond = (bits - __builtin_bit_cast(std::uint64_t, rounder) + most) >> 20;
}

// x^(-1/16) for positive x to some parts in a hundred: enough to choose a step from an error.
template <class Real, class Bits>
CASIMIR_INLINE void roughInverseSixteenthRoot(const Real& x, Real& result)
{
    // The bits of a double read as a number are nearly its logarithm; (1 + 1/16) of the exponent's bias less
    // a shift that evens out the error.
    constexpr std::uint64_t one = 0x3ff0000000000000u;
    const Bits bits = (one + one / 16 - 0x0000900000000000u) - (__builtin_bit_cast(Bits, x) >> 4);
    result = __builtin_bit_cast(Real, bits);
}

} // namespace casimir
