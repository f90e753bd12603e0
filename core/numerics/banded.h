// A square matrix with few diagonals, factored once by Gaussian elimination with row exchanges and then
// solved in a time that grows with its size only. Symmetry is not asked for; counting signs is not here.
#pragma once

#include <Eigen/Core>

#include <vector>

namespace casimir {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class BandedMatrix {
public:
    BandedMatrix() = default;
    // `half` diagonals on either side of the main one.
    BandedMatrix(Eigen::Index size, Eigen::Index half);

    Eigen::Index size() const { return size_; }
    double& operator()(Eigen::Index row, Eigen::Index column)
    {
        return entries_[static_cast<std::size_t>(row * width_ + column - row + half_)];
    }
    const double& operator()(Eigen::Index row, Eigen::Index column) const
    {
        return entries_[static_cast<std::size_t>(row * width_ + column - row + half_)];
    }

    // Replaces the matrix by its factors. False where it is singular to rounding; solving is then
    // meaningless.
    bool factor();
    void solve(RowMatrix& b) const;
    void solve(Eigen::VectorXd& b) const;

private:
    Eigen::Index size_ = 0, half_ = 0, width_ = 0;
    std::vector<double> entries_; // row by row, with room for what the exchanges fill in
    std::vector<Eigen::Index> pivots_;
};

} // namespace casimir
