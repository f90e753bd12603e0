// Dense linear algebra behind plain functions: spectra, pencils, singular values, least squares. Eigen's
// decompositions are large templates; here they are compiled once for matrices of any size. What a kernel
// solves in every step stays with it, on fixed sizes.
#pragma once

#include <Eigen/Core>

namespace casimir::dense {

// Real eigenvalues in ascending order, one vector a column.
struct SymmetricSpectrum {
    Eigen::VectorXd values;
    Eigen::MatrixXd vectors;
};
SymmetricSpectrum symmetricSpectrum(const Eigen::MatrixXd& A);
Eigen::VectorXd symmetricValues(const Eigen::MatrixXd& A);

struct HermitianSpectrum {
    Eigen::VectorXd values;
    Eigen::MatrixXcd vectors;
};
HermitianSpectrum hermitianSpectrum(const Eigen::MatrixXcd& A);
Eigen::VectorXd hermitianValues(const Eigen::MatrixXcd& A);

// A v = lambda B v with A symmetric and B positive definite; v^T B v = 1.
SymmetricSpectrum pencilSpectrum(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::VectorXd pencilValues(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

// Of a matrix without symmetry, in no order.
struct Spectrum {
    Eigen::VectorXcd values;
    Eigen::MatrixXcd vectors;
};
Spectrum spectrum(const Eigen::MatrixXd& A);
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);

// A = U diag(s) V^T with s in descending order, as many as A has of the fewer of rows and columns.
struct SingularValues {
    Eigen::MatrixXd U;
    Eigen::VectorXd s;
    Eigen::MatrixXd V;
    // The x that makes |A x - b| least; no singular value is 0.
    Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
};
SingularValues decomposed(const Eigen::MatrixXd& A);
// In descending order.
Eigen::VectorXd singularValues(const Eigen::MatrixXd& A);
int rank(const Eigen::MatrixXd& A);
// Columns that span what A takes to zero.
Eigen::MatrixXd kernel(const Eigen::MatrixXd& A);
// Orthonormal columns with the span of A's, of which there are no more than rows.
Eigen::MatrixXd orthonormalColumns(const Eigen::MatrixXd& A);
// Q of A = Q R, square.
Eigen::MatrixXd orthogonalFactor(const Eigen::MatrixXd& A);

// A X = B: by elimination with row exchanges, and for a positive definite A by Cholesky.
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::MatrixXd solveDefinite(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
// The shortest x that makes |A x - b| least.
Eigen::VectorXd leastSquares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

} // namespace casimir::dense
