#include "core/systems/rod/rod/rod_modes.h"

#include "core/numerics/dense.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace casimir::rod {

namespace {

Eigen::MatrixXd times(const BlockTridiagonal* M, const Eigen::MatrixXd& x)
{
    return M ? *M * x : x;
}

// Orthonormal columns of W's own span; directions lost in rounding are dropped.
Eigen::MatrixXd orthonormal(Eigen::MatrixXd W, const BlockTridiagonal* M)
{
    for (int pass = 0; pass < 2 && W.cols() > 0; ++pass) {
        const Eigen::MatrixXd gram = W.transpose() * times(M, W);
        const dense::SymmetricSpectrum squares = dense::symmetricSpectrum((gram + gram.transpose()) / 2);
        constexpr double floor = 1e-16; // the columns had unit length before they were made orthogonal
        Eigen::Index kept = 0;
        Eigen::MatrixXd scaled(W.cols(), W.cols());
        for (Eigen::Index k = 0; k < W.cols(); ++k)
            if (squares.values[k] > floor)
                scaled.col(kept++) = squares.vectors.col(k) / std::sqrt(squares.values[k]);
        W = (W * scaled.leftCols(kept)).eval();
    }
    return W;
}

} // namespace

Eigen::MatrixXd genericColumns(Eigen::Index rows, int count, int variant)
{
    std::mt19937_64 engine(20 + static_cast<unsigned>(variant));
    std::uniform_real_distribution<double> unit(-1, 1);
    return Eigen::MatrixXd::NullaryExpr(rows, count, [&] { return unit(engine); });
}

Eigen::MatrixXd krylovBasis(const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& op,
                            const Eigen::MatrixXd& start, int depth, const BlockTridiagonal* M)
{
    Eigen::MatrixXd basis(start.rows(), start.cols() * depth), MBasis(start.rows(), start.cols() * depth);
    Eigen::Index filled = 0;
    Eigen::MatrixXd block = start;
    for (int level = 0; level < depth; ++level) {
        if (level > 0)
            block = op(block);
        const Eigen::MatrixXd image = times(M, block);
        for (Eigen::Index k = 0; k < block.cols(); ++k)
            block.col(k) /= std::max(std::sqrt(block.col(k).dot(image.col(k))), 1e-150);
        for (int pass = 0; pass < 2 && filled > 0; ++pass)
            block -= basis.leftCols(filled) * (MBasis.leftCols(filled).transpose() * block);
        block = orthonormal(std::move(block), M);
        if (block.cols() == 0)
            break;
        basis.middleCols(filled, block.cols()) = block;
        MBasis.middleCols(filled, block.cols()) = times(M, block);
        filled += block.cols();
    }
    basis.conservativeResize(Eigen::NoChange, filled);
    return basis;
}

ConstrainedModes::ConstrainedModes(const BlockTridiagonal& K, const BlockTridiagonal& M,
                                   const Eigen::MatrixXd& U, const Vec6& springs, double shift,
                                   const Eigen::MatrixXd& also, KrylovSize size)
{
    BlockTridiagonal shifted = K;
    shifted.add(-shift, M);
    const BorderedChain inverse(shifted, U, Eigen::MatrixXd::Zero(U.cols(), U.cols()), springs);
    Eigen::MatrixXd loads(K.size(), size.block);
    loads << also, M * genericColumns(K.size(), size.block - static_cast<int>(also.cols()));
    // More columns than there are free directions would be rounding, in which the conditions are lost.
    const int room = static_cast<int>((K.size() - U.cols()) / size.block);
    basis_ = krylovBasis([&](const Eigen::MatrixXd& x) { return inverse.solve(M * x); }, inverse.solve(loads),
                         std::clamp(size.depth, 1, std::max(room, 1)), &M);
    const Eigen::MatrixXd form = basis_.transpose() * (K * basis_);
    K_ = (form + form.transpose()) / 2;
}

LowestModes ConstrainedModes::solved(const Eigen::MatrixXd& form, int count) const
{
    // What is not found is NaN.
    LowestModes modes{Eigen::VectorXd::Constant(count, std::numeric_limits<double>::quiet_NaN()),
                      Eigen::MatrixXd::Zero(basis_.rows(), count)};
    if (form.rows() == 0 || !form.allFinite())
        return modes;
    const dense::SymmetricSpectrum all = dense::symmetricSpectrum(form);
    const Eigen::Index kept = std::min<Eigen::Index>(count, form.rows());
    modes.values.head(kept) = all.values.head(kept);
    modes.vectors.leftCols(kept) = basis_ * all.vectors.leftCols(kept);
    return modes;
}

LowestModes ConstrainedModes::lowest(int count) const
{
    return solved(K_, count);
}

LowestModes ConstrainedModes::lowest(int count, const Eigen::MatrixXd& w, const Eigen::MatrixXd& weight) const
{
    const Eigen::MatrixXd inBasis = w.transpose() * basis_;
    return solved(K_ + inBasis.transpose() * weight * inBasis, count);
}

} // namespace casimir::rod
