#include "core/numerics/banded.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace casimir {
namespace {

// A random band and the same matrix in full, which Eigen solves with all rows in sight.
std::pair<BandedMatrix, Eigen::MatrixXd> randomBand(Eigen::Index n, Eigen::Index half,
                                                    std::mt19937_64& engine)
{
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::pair<BandedMatrix, Eigen::MatrixXd> made{BandedMatrix(n, half), Eigen::MatrixXd::Zero(n, n)};
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = std::max<Eigen::Index>(0, i - half); j <= std::min(n - 1, i + half); ++j)
            made.first(i, j) = made.second(i, j) = uniform(engine);
    return made;
}

TEST(BandedMatrix, SolvesAsTheFullMatrixDoes)
{
    std::mt19937_64 engine(5);
    for (const auto& [n, half] :
         {std::pair<Eigen::Index, Eigen::Index>{1, 0}, {2, 1}, {7, 1}, {40, 3}, {60, 12}, {9, 8}}) {
        auto [band, full] = randomBand(n, half, engine);
        ASSERT_TRUE(band.factor());
        RowMatrix b = RowMatrix::Random(n, 3);
        const Eigen::MatrixXd expected = full.fullPivLu().solve(Eigen::MatrixXd(b));
        Eigen::VectorXd first = b.col(0);
        band.solve(b);
        band.solve(first);
        EXPECT_LT((full * (b - expected)).norm(), 1e-12 * (1 + full.norm() * expected.norm())) << n;
        EXPECT_LT((first - b.col(0)).norm(), 1e-13 * (1 + b.norm())) << n;
    }
}

TEST(BandedMatrix, ExchangesRowsWhereTheDiagonalVanishes)
{
    BandedMatrix band(4, 1);
    for (Eigen::Index i = 0; i < 3; ++i)
        band(i, i + 1) = band(i + 1, i) = 1;
    ASSERT_TRUE(band.factor());
    Eigen::VectorXd b(4);
    b << 2, 5, 7, 3; // x1 = 2, x0 + x2 = 5, x1 + x3 = 7, x2 = 3
    band.solve(b);
    EXPECT_EQ(b, Eigen::Vector4d(2, 2, 3, 5));
}

TEST(BandedMatrix, SaysThatItIsSingular)
{
    BandedMatrix band(3, 1); // the middle of three unknowns appears nowhere
    band(0, 0) = band(2, 2) = 1;
    EXPECT_FALSE(band.factor());
}

} // namespace
} // namespace casimir
