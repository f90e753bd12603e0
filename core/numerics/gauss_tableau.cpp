#include "core/numerics/gauss_tableau.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace casimir {

namespace {

constexpr int kMostStages = 4;

using Reals = std::vector<long double>;

// The zeros of the Legendre polynomial P_n on [-1, 1], ascending, by Newton's method from Tricomi's estimate.
Reals legendreZeros(int n)
{
    Reals zeros(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        long double x = -std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (n + 0.5L));
        for (int iteration = 0; iteration < 20; ++iteration) {
            long double p = 1;
            long double below = 0;
            for (int k = 1; k <= n; ++k) {
                const long double next = ((2 * k - 1) * x * p - (k - 1) * below) / k;
                below = p;
                p = next;
            }
            const long double slope = n * (x * p - below) / (x * x - 1);
            x -= p / slope;
        }
        zeros[static_cast<std::size_t>(i)] = x;
    }
    return zeros;
}

// The coefficients of the Lagrange polynomial l_j on the nodes, in powers of its argument.
Reals lagrange(const Reals& nodes, std::size_t j)
{
    Reals p{1};
    for (std::size_t m = 0; m < nodes.size(); ++m) {
        if (m == j)
            continue;
        Reals q(p.size() + 1, 0);
        for (std::size_t k = 0; k < p.size(); ++k) {
            q[k + 1] += p[k] / (nodes[j] - nodes[m]);
            q[k] -= p[k] * nodes[m] / (nodes[j] - nodes[m]);
        }
        p = q;
    }
    return p;
}

long double primitive(const Reals& p, long double x)
{
    long double sum = 0;
    for (std::size_t k = p.size(); k-- > 0;)
        sum = (sum + p[k] / static_cast<long double>(k + 1)) * x;
    return sum;
}

void split(long double value, double& high, double& low)
{
    const long double rounded = std::round(value * 1024) / 1024;
    high = static_cast<double>(rounded);
    low = static_cast<double>(value - rounded);
}

GaussTableau compute(int stages)
{
    // In x = 2 tau - 1 the nodes are symmetric about zero, which keeps cancellation out of the polynomials.
    const Reals x = legendreZeros(stages);
    GaussTableau tableau{Eigen::VectorXd(stages),         Eigen::VectorXd(stages),
                         Eigen::VectorXd(stages),         Eigen::MatrixXd(stages, stages),
                         Eigen::MatrixXd(stages, stages), Eigen::MatrixXd(stages, stages)};
    for (int j = 0; j < stages; ++j) {
        const Reals l = lagrange(x, static_cast<std::size_t>(j));
        const auto integral = [&l](long double from, long double to) {
            return (primitive(l, to) - primitive(l, from)) / 2;
        };
        tableau.c[j] = static_cast<double>((x[static_cast<std::size_t>(j)] + 1) / 2);
        split(integral(-1, 1), tableau.bHigh[j], tableau.bLow[j]);
        for (int i = 0; i < stages; ++i) {
            const long double xi = x[static_cast<std::size_t>(i)];
            split(integral(-1, xi), tableau.aHigh(i, j), tableau.aLow(i, j));
            tableau.extrapolation(i, j) = static_cast<double>(integral(1, 2 + xi));
        }
    }
    return tableau;
}

} // namespace

const GaussTableau& gaussTableau(int stages)
{
    if (stages < 1 || stages > kMostStages)
        throw Error(fmt::format("A Gauss method of {} stages was asked for; there are 1 to {}.", stages,
                                kMostStages));
    static const std::array<GaussTableau, kMostStages> all = [] {
        std::array<GaussTableau, kMostStages> tableaux;
        for (int s = 1; s <= kMostStages; ++s)
            tableaux[static_cast<std::size_t>(s - 1)] = compute(s);
        return tableaux;
    }();
    return all[static_cast<std::size_t>(stages - 1)];
}

} // namespace casimir
