// Private to the equilibria of trees: the straight states of aligned trees, in which every hinge and every
// centre of mass lies on one line, and what they are called.
#pragma once

#include "core/systems/planar/multibody/multibody_equilibria.h"

namespace casimir::planar {

class StraightStates {
public:
    // Of a tree with springs there are none.
    explicit StraightStates(const Tree& tree);

    bool exist() const { return base_.size() > 0; }
    double count() const; // 2^(N-1), or 0
    // Joint angles of the first `limit`, fewest folds first.
    std::vector<Eigen::VectorXd> first(int limit) const;
    bool contain(const Eigen::VectorXd& beta) const;
    // The one nearest to beta, exactly.
    Eigen::VectorXd nearest(const Eigen::VectorXd& beta) const;
    std::string name(const Eigen::VectorXd& beta) const;
    // The same for people: "straight (0, π)", of many joints "folded at 3, 12".
    std::string title(const Eigen::VectorXd& beta) const;
    // The mirror image: reflected, an aligned tree is the same tree.
    Eigen::VectorXd mirrored(const Eigen::VectorXd& beta) const { return 2 * base_ - beta; }

    // How far each joint is from the straight state without folds.
    Eigen::VectorXd bends(const Eigen::VectorXd& beta) const { return beta - base_; }

private:
    bool folded(const Eigen::VectorXd& beta, Eigen::Index joint) const;

    const Tree& tree_;
    Eigen::VectorXd base_; // joint angles without folds
};

} // namespace casimir::planar
