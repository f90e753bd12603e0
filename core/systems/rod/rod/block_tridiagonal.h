// Matrices of a chain of nodes with six numbers each: 6 x 6 blocks on and beside the diagonal. Products,
// solutions bordered by a few dense rows, and the count of negative directions, all in a time that grows with
// the number of nodes. Nothing here knows mechanics.
#pragma once

#include "core/numerics/banded.h"

#include <Eigen/LU>

#include <vector>

namespace casimir::rod {

using Mat6 = Eigen::Matrix<double, 6, 6>;
using Vec6 = Eigen::Matrix<double, 6, 1>;

struct BlockTridiagonal {
    std::vector<Mat6> diagonal, upper, lower; // upper[i] couples i with i + 1, lower[i] the other way

    BlockTridiagonal() = default;
    explicit BlockTridiagonal(std::size_t nodes);
    std::size_t nodes() const { return diagonal.size(); }
    Eigen::Index size() const { return 6 * static_cast<Eigen::Index>(diagonal.size()); }
    void setZero();

    // this += factor * other
    void add(double factor, const BlockTridiagonal& other);
    Eigen::MatrixXd operator*(const Eigen::MatrixXd& x) const;
    double largest() const; // the largest magnitude of an entry
    Eigen::MatrixXd dense() const;
};

// The chain as a matrix of few diagonals, ready to be factored.
BandedMatrix banded(const BlockTridiagonal& A);

// The system [A U; U^T D] with A a chain, possibly singular by itself: springs on the first node make its
// factors regular and are taken away again in the border.
class BorderedChain {
public:
    BorderedChain(const BlockTridiagonal& A, const Eigen::MatrixXd& U, const Eigen::MatrixXd& D,
                  const Vec6& springs);

    bool regular() const { return regular_; }
    // x of [A U; U^T D][x; y] = [f; 0], one column each.
    Eigen::MatrixXd solve(const Eigen::MatrixXd& f) const;
    // The same with g in the border's rows; y is returned too.
    void solve(const Eigen::MatrixXd& f, const Eigen::MatrixXd& g, Eigen::MatrixXd& x,
               Eigen::MatrixXd& y) const;

private:
    BandedMatrix factors_;
    Eigen::MatrixXd border_;   // springs and U
    Eigen::MatrixXd response_; // A0^{-1} border
    Eigen::PartialPivLU<Eigen::MatrixXd> schur_;
    bool regular_ = true;
};

// Negative eigenvalues of the symmetric [A U; U^T D], by Sylvester's law of inertia block after block.
int negativeDirections(const BlockTridiagonal& A, const Eigen::MatrixXd& U, const Eigen::MatrixXd& D,
                       const Vec6& springs);
// The same of the Hermitian [A + iB, U; U^H, D] with A symmetric and B skew.
int negativeDirections(const BlockTridiagonal& A, const BlockTridiagonal& B, const Eigen::MatrixXcd& U,
                       const Eigen::MatrixXd& D, const Vec6& springs);

} // namespace casimir::rod
