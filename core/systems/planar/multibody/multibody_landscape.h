// Private to the equilibria of trees: the function whose critical points they are, as a landscape over the
// angles, and the ways through it: up and down to a critical point of a wanted index, and the plain ascent of
// the locked inertia to its maximum. Which of them are taken is decided in multibody_search.cpp.
#pragma once

#include "core/systems/planar/multibody/multibody_matrices.h"

#include <Eigen/Core>

#include <vector>

namespace casimir::planar {

// Without springs the function is -I_L, whose critical points and indices are those of mu^2/(2 I_L); with
// springs it is mu^2/(2 I_L) and their energy. Angles are those of the bodies, the root's held at 0; inside,
// each is measured in a length of its own that makes the second derivatives of light and heavy bodies alike.
class TreeLandscape {
public:
    TreeLandscape(const Tree& tree, const TreeMatrices& matrices, double mu);

    // Newton's step along every eigenvector of the second derivative, turned uphill along the `index` lowest
    // and downhill along the others. Ends at a critical point, mostly of that index; false where it does not
    // end.
    bool follow(Eigen::VectorXd& theta, int index) const;

    // In how many directions the landscape falls, and in how many it is flat.
    struct Signature {
        int index = 0, nullity = 0;
    };
    Signature signature(const Eigen::VectorXd& theta) const;
    // The eigenvectors of the second derivative, lowest first, as turns of the bodies of which the largest is
    // 1.
    std::vector<Eigen::VectorXd> directions(const Eigen::VectorXd& theta) const;

    // Without springs: each body in turn is set to the angle at which I_L is greatest for the others as they
    // are, z_k <- sum_l Gamma_kl z_l normalised, z = exp(i theta). I_L never falls.
    void ascend(Eigen::VectorXd& theta) const;
    // Where the ascent may well begin: the phases of the dominant eigenvector of Gamma.
    Eigen::VectorXd dominantPhases() const;

private:
    double slope(const Eigen::VectorXd& y, Eigen::VectorXd& gradient, Eigen::MatrixXd& hessian) const;
    Eigen::VectorXd inside(const Eigen::VectorXd& theta) const;
    Eigen::VectorXd outside(const Eigen::VectorXd& y) const;
    double largestTurn(const Eigen::VectorXd& y) const
    {
        return y.cwiseQuotient(length_).cwiseAbs().maxCoeff();
    }

    struct Spring {
        int at, parentAt;
        double stiffness, restAngle;
    };

    double mu_;
    std::vector<int> body_;       // by place; the root at 0
    Eigen::MatrixXd real_, imag_; // of Gamma, by place, without the diagonal; in the unit of the landscape
    double ownInertia_ = 0;       // the trace of J, in the unit of real_
    std::vector<Spring> springs_; // stiffnesses in the unit of the landscape
    Eigen::VectorXd length_;      // by place without the root
};

} // namespace casimir::planar
