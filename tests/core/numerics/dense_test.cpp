#include "core/numerics/dense.h"
#include "core/numerics/rotations.h"
#include "core/numerics/small_solve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace casimir {
namespace {

// Springs and masses in a row, both ends held: lambda_k = 4 sin^2(k pi/(2 (n + 1))).
Eigen::MatrixXd springs(int n)
{
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < n; ++i) {
        K(i, i) = 2;
        if (i > 0)
            K(i, i - 1) = K(i - 1, i) = -1;
    }
    return K;
}

double squaredFrequency(int k, int n)
{
    const double s = std::sin(k * std::acos(-1.0) / (2 * (n + 1)));
    return 4 * s * s;
}

TEST(Dense, SpectraOfARowOfSprings)
{
    const int n = 12;
    const auto found = dense::symmetricSpectrum(springs(n));
    const Eigen::MatrixXd mass = 0.25 * Eigen::MatrixXd::Identity(n, n);
    const auto pencil = dense::pencilSpectrum(springs(n), mass);
    Eigen::VectorXd general = dense::eigenvalues(springs(n)).real();
    std::sort(general.begin(), general.end());
    for (int k = 1; k <= n; ++k) {
        EXPECT_NEAR(found.values[k - 1], squaredFrequency(k, n), 1e-13);
        EXPECT_NEAR(general[k - 1], squaredFrequency(k, n), 1e-13);
        EXPECT_NEAR(pencil.values[k - 1], 4 * squaredFrequency(k, n), 1e-12);
        EXPECT_NEAR(pencil.vectors.col(k - 1).dot(mass * pencil.vectors.col(k - 1)), 1, 1e-13);
    }
    EXPECT_EQ(dense::symmetricValues(springs(n)).size(), n);
    EXPECT_LT((springs(n) * found.vectors - found.vectors * found.values.asDiagonal()).norm(), 1e-13);
    EXPECT_LT((dense::pencilValues(springs(n), mass) - pencil.values).norm(), 1e-12);
}

TEST(Dense, TurningHasImaginaryRates)
{
    Eigen::MatrixXd J(2, 2);
    J << 0, -3, 3, 0;
    const auto found = dense::spectrum(J);
    EXPECT_NEAR(std::abs(found.values[0].imag()), 3, 1e-15);
    EXPECT_NEAR(found.values[0].real(), 0, 1e-15);
    EXPECT_LT(
        (J.cast<std::complex<double>>() * found.vectors - found.vectors * found.values.asDiagonal()).norm(),
        1e-14);
    Eigen::MatrixXcd H(2, 2); // a spin: eigenvalues -1 and 1 whatever the direction
    H << 0.6, std::complex(0.0, -0.8), std::complex(0.0, 0.8), -0.6;
    EXPECT_LT((dense::hermitianValues(H) - Eigen::Vector2d(-1, 1)).norm(), 1e-15);
    EXPECT_LT((dense::hermitianSpectrum(H).values - Eigen::Vector2d(-1, 1)).norm(), 1e-15);
}

TEST(Dense, WhatIsLostIsInTheKernel)
{
    Eigen::MatrixXd A(3, 3);
    A << 1, 2, 3, 4, 5, 6, 7, 8, 9; // the rows are in an arithmetic progression
    EXPECT_EQ(dense::rank(A), 2);
    EXPECT_LT((A * dense::kernel(A)).norm(), 1e-13);
    EXPECT_NEAR(dense::singularValues(A)[2], 0, 1e-14);
    EXPECT_NEAR(dense::singularValues(A).norm(), A.norm(), 1e-13);
    const Eigen::MatrixXd Q = dense::orthogonalFactor(A.leftCols(2));
    EXPECT_LT((Q.transpose() * Q - Eigen::MatrixXd::Identity(3, 3)).norm(), 1e-14);
}

TEST(Dense, SolvesExactlyDefinitelyAndAsNearAsCanBe)
{
    const int n = 9;
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, -1, 3), b = springs(n) * x;
    EXPECT_LT((dense::solve(springs(n), b) - x).norm(), 1e-13);
    EXPECT_LT((dense::solveDefinite(springs(n), b) - x).norm(), 1e-13);
    // A line through four points, by the usual sums.
    Eigen::MatrixXd A(4, 2);
    A << 1, 0, 1, 1, 1, 2, 1, 3;
    const Eigen::VectorXd line = dense::leastSquares(A, Eigen::Vector4d(1, 3, 4, 6));
    EXPECT_NEAR(line[1], 1.6, 1e-14);
    EXPECT_NEAR(line[0], 1.1, 1e-14);
    // Of all x with x0 + x1 = 2 the shortest.
    const Eigen::VectorXd shortest =
        dense::leastSquares(Eigen::MatrixXd::Ones(1, 2), Eigen::VectorXd::Constant(1, 2));
    EXPECT_LT((shortest - Eigen::Vector2d(1, 1)).norm(), 1e-15);
}

TEST(Dense, SingularValuesGiveTheMatrixBackAndSolveLeastSquares)
{
    Eigen::MatrixXd A(4, 3);
    A << 1, 2, 0, 0, 3, -1, 4, 0, 2, 1, 1, 1;
    const auto parts = dense::decomposed(A);
    EXPECT_LT((parts.U * parts.s.asDiagonal() * parts.V.transpose() - A).norm(), 1e-14);
    EXPECT_LT((parts.s - dense::singularValues(A)).norm(), 1e-14);
    const Eigen::Vector4d b(1, -2, 3, 5);
    // The residual of a least square is orthogonal to every column.
    EXPECT_LT((A.transpose() * (A * parts.solve(b) - b)).norm(), 1e-13);
    const Eigen::MatrixXd Q = dense::orthonormalColumns(A);
    EXPECT_LT((Q.transpose() * Q - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_LT((Q * (Q.transpose() * A) - A).norm(), 1e-14);
}

TEST(SmallSolver, SolvesWhereThePivotsMustBeExchanged)
{
    Eigen::Matrix4d A;
    A << 0, 2, 1, 1, 1, 0, 0, 3, 4, 1, 0, 0, 0, 0, 5, 1;
    const Eigen::Vector4d x(1, -2, 3, 0.5);
    EXPECT_LT((SmallSolver<4>(A).solve(A * x) - x).norm(), 1e-14);
    EXPECT_EQ(SmallSolver<1>(Eigen::Matrix<double, 1, 1>(4.0)).solve(Eigen::Matrix<double, 1, 1>(2.0))[0],
              0.5);
}

TEST(Rotations, TurnOneDirectionIntoTheOtherAlsoWhereTheyAreNearlyOpposite)
{
    const Eigen::Vector3d from(0.3, -2, 1.1);
    for (const double off : {3.0, 1.0, 1e-3, 1e-5, 1e-7, 1e-9, 1e-16, 0.0}) {
        const Eigen::Vector3d to = 5 * (-from + off * from.norm() * from.unitOrthogonal());
        const Eigen::Quaterniond q = turnBetween(from, to);
        EXPECT_NEAR(q.norm(), 1, 1e-15) << off;
        EXPECT_LT((q * from.normalized() - to.normalized()).norm(), 1e-9) << off;
    }
    EXPECT_LT(turnBetween(from, 2 * from).vec().norm(), 1e-16);
}

} // namespace
} // namespace casimir
