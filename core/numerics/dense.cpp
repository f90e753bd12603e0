#include "core/numerics/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace casimir::dense {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

SymmetricSpectrum symmetricSpectrum(const MatrixXd& A)
{
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd symmetricValues(const MatrixXd& A)
{
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

HermitianSpectrum hermitianSpectrum(const MatrixXcd& A)
{
    const Eigen::SelfAdjointEigenSolver<MatrixXcd> solver(A);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd hermitianValues(const MatrixXcd& A)
{
    return Eigen::SelfAdjointEigenSolver<MatrixXcd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricSpectrum pencilSpectrum(const MatrixXd& A, const MatrixXd& B)
{
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(A, B);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd pencilValues(const MatrixXd& A, const MatrixXd& B)
{
    return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(A, B, Eigen::EigenvaluesOnly | Eigen::Ax_lBx)
        .eigenvalues();
}

Spectrum spectrum(const MatrixXd& A)
{
    const Eigen::EigenSolver<MatrixXd> solver(A);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXcd eigenvalues(const MatrixXd& A)
{
    return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues();
}

VectorXd SingularValues::solve(const VectorXd& b) const
{
    return V * (U.transpose() * b).cwiseQuotient(s);
}

SingularValues decomposed(const MatrixXd& A)
{
    const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
    return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

VectorXd singularValues(const MatrixXd& A)
{
    return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
}

int rank(const MatrixXd& A)
{
    return static_cast<int>(Eigen::FullPivLU<MatrixXd>(A).rank());
}

MatrixXd kernel(const MatrixXd& A)
{
    return Eigen::FullPivLU<MatrixXd>(A).kernel();
}

MatrixXd orthonormalColumns(const MatrixXd& A)
{
    return Eigen::HouseholderQR<MatrixXd>(A).householderQ() * MatrixXd::Identity(A.rows(), A.cols());
}

MatrixXd orthogonalFactor(const MatrixXd& A)
{
    return Eigen::HouseholderQR<MatrixXd>(A).householderQ();
}

MatrixXd solve(const MatrixXd& A, const MatrixXd& B)
{
    return Eigen::PartialPivLU<MatrixXd>(A).solve(B);
}

MatrixXd solveDefinite(const MatrixXd& A, const MatrixXd& B)
{
    return Eigen::LLT<MatrixXd>(A).solve(B);
}

VectorXd leastSquares(const MatrixXd& A, const VectorXd& b)
{
    return Eigen::CompleteOrthogonalDecomposition<MatrixXd>(A).solve(b);
}

} // namespace casimir::dense
