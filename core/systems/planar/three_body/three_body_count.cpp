// How many critical points the shape function has, without finding them: the real roots of the polynomial,
// counted.
#include "core/systems/planar/three_body/three_body_roots.h"

#include <algorithm>
#include <cmath>

namespace casimir::planar {

namespace {

// |sin phi| below which the bodies are as good as aligned for counting: Sturm's chain does not tell such
// roots apart.
constexpr double straightPhase = 1e-6;

constexpr double negligible = 1e-14; // of a remainder, to the polynomial it is left of

template <std::size_t Size>
double largestOf(const std::array<double, Size>& p)
{
    double largest = 0;
    for (const double x : p)
        largest = std::max(largest, std::abs(x));
    return largest;
}

// Two neighbours of Sturm's chain, of degrees Size - 1 and Size - 2 and none of them degenerate: the changes
// of sign from here on that the chain loses between -infinity and infinity. The loops are of fixed length, so
// that the compiler writes them out. Negative where a remainder loses more than one degree.
template <std::size_t Size>
int changesLost(const std::array<double, Size>& p, const std::array<double, Size - 1>& q)
{
    const bool sameLeads = (p[Size - 1] > 0) == (q[Size - 2] > 0);
    const int here = sameLeads ? 1 : -1; // one of the two degrees is odd
    if constexpr (Size == 2) {
        return here;
    } else {
        // p := -(p mod q)
        const double inverse = 1 / q[Size - 2], a = p[Size - 1] * inverse,
                     b = (p[Size - 2] - a * q[Size - 3]) * inverse;
        std::array<double, Size - 2> r;
        r[0] = b * q[0] - p[0];
        for (std::size_t k = 1; k < Size - 2; ++k)
            r[k] = a * q[k - 1] + b * q[k] - p[k];
        if (!(std::abs(r[Size - 3]) > negligible * largestOf(p)))
            return -8; // more than the others can make up for
        return here + changesLost<Size - 1>(q, r);
    }
}

// Distinct real roots of a polynomial of degree six (lowest power first): the changes of sign that Sturm's
// chain loses from -infinity to infinity, whatever degrees its members have.
int realRootsOfAny(std::array<double, 7> p)
{
    std::array<double, 7> q{};
    for (std::size_t k = 1; k < 7; ++k)
        q[k - 1] = static_cast<double>(k) * p[k];
    int degree = 6, below = 5;
    double sign = p[6] > 0 ? 1 : -1, signMinus = sign; // even degree
    int changes = 0;
    while (true) {
        const double lead = q[static_cast<std::size_t>(below)] > 0 ? 1 : -1;
        const double leadMinus = below % 2 == 0 ? lead : -lead;
        changes += (leadMinus != signMinus) - (lead != sign);
        sign = lead;
        signMinus = leadMinus;
        if (below == 0)
            return changes;
        // p := -(p mod q)
        double before = 0;
        for (int k = 0; k <= degree; ++k)
            before = std::max(before, std::abs(p[static_cast<std::size_t>(k)]));
        const double inverse = 1 / q[static_cast<std::size_t>(below)];
        for (int shift = degree - below; shift >= 0; --shift) {
            const double factor = p[static_cast<std::size_t>(below + shift)] * inverse;
            for (int k = 0; k < below; ++k)
                p[static_cast<std::size_t>(k + shift)] -= factor * q[static_cast<std::size_t>(k)];
        }
        int rest = below - 1;
        while (rest >= 0 && std::abs(p[static_cast<std::size_t>(rest)]) <= negligible * before)
            --rest;
        if (rest < 0)
            return changes;
        for (int k = 0; k <= rest; ++k)
            p[static_cast<std::size_t>(k)] = -p[static_cast<std::size_t>(k)];
        std::swap(p, q);
        degree = below;
        below = rest;
    }
}

int realRoots(const std::array<double, 7>& p)
{
    std::array<double, 6> q;
    for (std::size_t k = 1; k < 7; ++k)
        q[k - 1] = static_cast<double>(k) * p[k];
    const int changes = changesLost<7>(p, q);
    return changes >= 0 ? changes : realRootsOfAny(p);
}

// The zeros of F, over l^2, on the circle; (cosPhi, sinPhi) = e^{i phi}. The point of the circle that goes to
// infinity is one where F is far from zero.
int eliminantZeros(double m, double s, double cosPhi, double sinPhi)
{
    constexpr std::array<std::array<double, 2>, 4> circle{
        {{0.8, 0.6}, {-0.6, 0.8}, {0.96, -0.28}, {-0.28, -0.96}}};
    const double mm = m * m, ss = s * s;
    double best = -1, c0 = 1, s0 = 0;
    for (const auto& [cu, su] : circle) {
        const double q = su * cosPhi - cu * sinPhi, r = cu * cosPhi + su * sinPhi;
        const double value = std::abs(mm * su * su * (1 + ss + 2 * s * r) - ss * q * q);
        if (value > best) {
            best = value;
            c0 = -cu; // the origin t = 0 lies opposite
            s0 = -su;
        }
    }
    const double cd = c0 * cosPhi + s0 * sinPhi, sd = s0 * cosPhi - c0 * sinPhi;
    // sin U, sin(U - phi), cos(U - phi) times 1 + t^2
    const std::array<double, 3> S{s0, 2 * c0, -s0}, Q{sd, 2 * cd, -sd}, R{cd, -2 * sd, -cd};
    const auto squared = [](const std::array<double, 3>& p) {
        return std::array<double, 5>{p[0] * p[0], 2 * p[0] * p[1], p[1] * p[1] + 2 * p[0] * p[2],
                                     2 * p[1] * p[2], p[2] * p[2]};
    };
    const std::array<double, 5> SS = squared(S), QQ = squared(Q);
    const std::array<double, 3> square{1 + ss + 2 * s * R[0], 2 * s * R[1], 1 + ss + 2 * s * R[2]};
    std::array<double, 7> p{};
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            p[i + j] += mm * SS[i] * square[j];
        p[i] -= ss * QQ[i];
        p[i + 2] -= ss * QQ[i];
    }
    return realRoots(p);
}

} // namespace

bool sixHaveTwoMaxima(const ThreeBodyCoefficients& f)
{
    return (f.P1() * f.P2()).real() * f.A1 < 0; // cos phi < 0
}

int countCriticalPoints(const ThreeBodyCoefficients& f)
{
    const double a = std::sqrt(std::norm(f.P1())), b = std::sqrt(std::norm(f.P2())), c = f.A1;
    const double l = std::max({a, b, c}), s = std::min({a, b, c}),
                 m = std::max(std::min(a, b), std::min(std::max(a, b), c));
    if (!(m > 0))
        return 0;
    if (s < smallAmplitude * m)
        return 4;
    // e^{i phi} without an angle
    const double scale = 1 / (a * b);
    const std::complex<double> e((f.B1 * f.B2 + f.C1 * f.C2) * scale, (f.C1 * f.B2 - f.B1 * f.C2) * scale);
    // Aligned bodies have double roots at 0 and pi, two straight states on each.
    if (std::abs(e.imag()) < straightPhase)
        return triangleSides(m / l * (s / l), s / l, m / l) ? 6 : 4;
    return eliminantZeros(m / l, s / l, e.real(), e.imag()) > 4 ? 6 : 4;
}

} // namespace casimir::planar
