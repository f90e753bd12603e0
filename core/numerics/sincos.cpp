#include "core/numerics/sincos.h"

#include "core/numerics/wide.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace casimir {

namespace {

// pi/2 in three parts of which the first two have 33 bits, so that their products with the number of
// quadrants (up to 2^19) are exact (Cody and Waite).
constexpr double halfPi1 = 1.57079632673412561417e+00;
constexpr double halfPi2 = 6.07710050630396597660e-11;
constexpr double halfPi3 = 2.02226624879595063154e-21;
constexpr double twoOverPi = 0.63661977236758134308;
// Added and taken away again it rounds to a whole number, which then stands in the lowest bits.
constexpr double rounder = 0x1.8p52;

// Says in the result, by any bit set, that x was out of reach.
CASIMIR_INLINE std::uint64_t one(double x, double& sine, double& cosine)
{
    const double shifted = x * twoOverPi + rounder;
    const double quadrants = shifted - rounder;
    const double r = ((x - quadrants * halfPi1) - quadrants * halfPi2) - quadrants * halfPi3;
    const double z = r * r;
    // The minimax polynomials that Sun's library made common, |r| <= pi/4.
    const double s =
        r + r * z *
                (-1.66666666666666324348e-01 +
                 z * (8.33333333332248946124e-03 +
                      z * (-1.98412698298579493134e-04 +
                           z * (2.75573137070700676789e-06 +
                                z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
    const double c =
        1 - (0.5 * z -
             z * z *
                 (4.16666666666666019037e-02 +
                  z * (-1.38888888888741095749e-03 +
                       z * (2.48015872894767294178e-05 +
                            z * (-2.75573143513906633035e-07 +
                                 z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));
    const auto bits = std::bit_cast<std::uint64_t>(shifted);
    const std::uint64_t odd = std::uint64_t{0} - (bits & 1);
    const auto sBits = std::bit_cast<std::uint64_t>(s), cBits = std::bit_cast<std::uint64_t>(c);
    sine = std::bit_cast<double>(((sBits & ~odd) | (cBits & odd)) ^ ((bits & 2) << 62));
    cosine = std::bit_cast<double>(((cBits & ~odd) | (sBits & odd)) ^ (((bits + 1) & 2) << 62));
    constexpr std::uint64_t most = std::uint64_t{1} << 19;
    return (bits - std::bit_cast<std::uint64_t>(rounder) + most) >> 20;
}

CASIMIR_INLINE bool all(const double* __restrict angle, double* __restrict sine, double* __restrict cosine,
                        std::size_t n)
{
    std::uint64_t beyond = 0;
    for (std::size_t i = 0; i < n; ++i)
        beyond |= one(angle[i], sine[i], cosine[i]);
    return beyond == 0;
}

CASIMIR_WIDE bool allWide(const double* angle, double* sine, double* cosine, std::size_t n)
{
    return all(angle, sine, cosine, n);
}
bool allNarrow(const double* angle, double* sine, double* cosine, std::size_t n)
{
    return all(angle, sine, cosine, n);
}

} // namespace

void sinesAndCosines(const double* angle, double* sine, double* cosine, std::size_t n)
{
    if ((machineIsWide() ? allWide : allNarrow)(angle, sine, cosine, n))
        return;
    for (std::size_t i = 0; i < n; ++i)
        if (!(std::abs(angle[i]) <= kLargestReduced)) {
            sine[i] = std::sin(angle[i]);
            cosine[i] = std::cos(angle[i]);
        }
}

} // namespace casimir
