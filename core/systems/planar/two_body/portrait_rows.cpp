#include "core/systems/planar/two_body/portrait_rows.h"

#include "core/numerics/wide.h"

#include <cmath>

namespace casimir::planar {

namespace {

// atan(y) for 0 <= y <= tan(pi/8): y + y z p(z), z = y^2, with p interpolating (atan(y)/y - 1)/z at
// Chebyshev's points; the relative error of the polynomial is below 1e-17.
CASIMIR_INLINE double smallArcTangent(double y)
{
    // In pairs of pairs, so that the sums do not wait for each other.
    const double z = y * y, z2 = z * z, z4 = z2 * z2;
    const double low = (-0.3333333333333333 + z * 0.1999999999999552) +
                       z2 * (-0.14285714284666534 + z * 0.11111111015255669);
    const double middle = (-0.09090904578095735 + z * 0.07692183190171728) +
                          z2 * (-0.06664511438164644 + z * 0.05858148832731273);
    const double high = (-0.05085449318930035 + z * 0.039231646190551486) + z2 * -0.019176872294336067;
    const double p = low + z4 * (middle + z4 * high);
    return y + y * (z * p);
}

CASIMIR_INLINE void librations(const LibrationRow& row, const double* __restrict sinU,
                               const double* __restrict cosU, std::size_t n, double* __restrict psi,
                               double* __restrict upper, double* __restrict lower)
{
    const double sMinus = row.foldedInertia, D4 = 4 * row.coupling, D2 = 2 * row.coupling,
                 detE = row.straightDeterminant, half = row.halfMomentum, k = row.k, kPrime = row.kPrime,
                 amplitude = row.amplitude;
    for (std::size_t j = 0; j < n; ++j) {
        const double s = k * sinU[j], w = kPrime * sinU[j]; // sin(psi/2)
        const double c2 = cosU[j] * cosU[j] + w * w;        // cos^2(psi/2)
        const double c = std::sqrt(c2);
        // tan(psi/8) = sin(psi/2)/(2 C (1 + C)) with C = cos(psi/4)
        const double C = std::sqrt(0.5 + 0.5 * c);
        const double inertia = sMinus + D4 * c2, wave = D2 * s;
        const double det = detE + (wave * wave) * c2;
        psi[j] = 8 * smallArcTangent(s / (2 * C * (1 + C)));
        const double inverse = 1 / inertia;
        const double centre = half * inverse, rise = amplitude * std::sqrt(det) * cosU[j] * inverse;
        upper[j] = centre + rise;
        lower[j] = centre - rise;
    }
}

CASIMIR_INLINE void rotations(const double* __restrict c2, const double* __restrict nu0,
                              const double* __restrict factor, std::size_t n, double base, double wave,
                              double* __restrict upper, double* __restrict lower)
{
    for (std::size_t i = 0; i < n; ++i) {
        const double rise = factor[i] * std::sqrt(base + wave * c2[i]);
        upper[i] = nu0[i] + rise;
        lower[i] = nu0[i] - rise;
    }
}

CASIMIR_INLINE void forwards(const double* __restrict x, const double* __restrict y, std::size_t n,
                             double origin, double side, double* __restrict out)
{
    for (std::size_t i = 0; i < n; ++i) {
        out[2 * i] = origin + side * x[i];
        out[2 * i + 1] = y[i];
    }
}

CASIMIR_INLINE void backwards(const double* __restrict x, const double* __restrict y, std::size_t n,
                              double origin, double side, double* __restrict out)
{
    for (std::size_t i = 0; i < n; ++i) {
        out[2 * i] = origin + side * x[n - 1 - i];
        out[2 * i + 1] = y[n - 1 - i];
    }
}

CASIMIR_WIDE void librationsWide(const LibrationRow& row, const double* sinU, const double* cosU,
                                 std::size_t n, double* psi, double* upper, double* lower)
{
    librations(row, sinU, cosU, n, psi, upper, lower);
}
CASIMIR_WIDE void rotationsWide(const double* c2, const double* nu0, const double* factor, std::size_t n,
                                double base, double wave, double* upper, double* lower)
{
    rotations(c2, nu0, factor, n, base, wave, upper, lower);
}
CASIMIR_WIDE void forwardsWide(const double* x, const double* y, std::size_t n, double origin, double side,
                               double* out)
{
    forwards(x, y, n, origin, side, out);
}
CASIMIR_WIDE void backwardsWide(const double* x, const double* y, std::size_t n, double origin, double side,
                                double* out)
{
    backwards(x, y, n, origin, side, out);
}

} // namespace

void librationRow(const LibrationRow& row, const double* sinU, const double* cosU, std::size_t n, double* psi,
                  double* upper, double* lower)
{
    if (machineIsWide())
        librationsWide(row, sinU, cosU, n, psi, upper, lower);
    else
        librations(row, sinU, cosU, n, psi, upper, lower);
}

void rotationRow(const double* c2, const double* nu0, const double* factor, std::size_t n, double base,
                 double wave, double* upper, double* lower)
{
    if (machineIsWide())
        rotationsWide(c2, nu0, factor, n, base, wave, upper, lower);
    else
        rotations(c2, nu0, factor, n, base, wave, upper, lower);
}

void writePoints(const double* x, const double* y, std::size_t n, double origin, double side, double* out)
{
    if (machineIsWide())
        forwardsWide(x, y, n, origin, side, out);
    else
        forwards(x, y, n, origin, side, out);
}

void writePointsBackwards(const double* x, const double* y, std::size_t n, double origin, double side,
                          double* out)
{
    if (machineIsWide())
        backwardsWide(x, y, n, origin, side, out);
    else
        backwards(x, y, n, origin, side, out);
}

} // namespace casimir::planar
