// Lowest modes of long chains: Rayleigh-Ritz on a block Krylov space of the shifted inverse, whose steps are
// bordered solves. Blocks, because the modes of symmetric rods come in pairs. Dense algebra happens only in
// the small space.
#pragma once

#include "core/systems/rod/rod/block_tridiagonal.h"

#include <functional>

namespace casimir::rod {

struct KrylovSize {
    int block = 5, depth = 8;
};

// Orthonormal columns (w.r.t. M where given) that span start, op(start), op(op(start)), ...
Eigen::MatrixXd krylovBasis(const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& op,
                            const Eigen::MatrixXd& start, int depth, const BlockTridiagonal* M);

// Columns with generic entries, always the same for one `variant`.
Eigen::MatrixXd genericColumns(Eigen::Index rows, int count, int variant = 0);

struct LowestModes {
    Eigen::VectorXd values;  // ascending
    Eigen::MatrixXd vectors; // M-orthonormal columns
};

// Of K u = λ M u on {Uᵀ u = 0}: the lowest, found near `shift` (below them where possible). `also` joins the
// starting block, so that the basis serves a rank-one change of K along it too.
class ConstrainedModes {
public:
    ConstrainedModes(const BlockTridiagonal& K, const BlockTridiagonal& M, const Eigen::MatrixXd& U,
                     const Vec6& springs, double shift, const Eigen::MatrixXd& also, KrylovSize size = {});

    // The forms K and K + ρ w wᵀ + ... in the basis.
    LowestModes lowest(int count) const;
    LowestModes lowest(int count, const Eigen::MatrixXd& w, const Eigen::MatrixXd& weight) const;

private:
    LowestModes solved(const Eigen::MatrixXd& form, int count) const;
    Eigen::MatrixXd basis_, K_;
};

} // namespace casimir::rod
