// Private to the equilibria of trees: the amended potential on a leaf of constant momentum, its slope and
// Newton's method for where that vanishes.
#pragma once

#include "core/systems/planar/multibody/multibody_matrices.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace casimir::planar {

// Everything without the root, whose angle is held: its coordinates are the other bodies' angles.
class TreeLeaf {
public:
    TreeLeaf(const Tree& tree, const TreeMatrices& matrices, double mu)
        : tree_(tree),
          matrices_(matrices),
          mu_(mu),
          stiffness_(spread(&TreeJoint::stiffness)),
          damping_(spread(&TreeJoint::damping)),
          sprung_(stiffness_.cwiseAbs().maxCoeff() > 0)
    {
    }

    bool sprung() const { return sprung_; }
    bool damped() const { return damping_.cwiseAbs().maxCoeff() > 0; }
    Eigen::MatrixXd damping() const { return without(damping_); }

    Eigen::MatrixXd without(const Eigen::MatrixXd& X) const
    {
        const Eigen::Index n = X.rows(), r = tree_.root();
        Eigen::MatrixXd Y(n - 1, n - 1);
        Y << X.topLeftCorner(r, r), X.topRightCorner(r, n - 1 - r), X.bottomLeftCorner(n - 1 - r, r),
            X.bottomRightCorner(n - 1 - r, n - 1 - r);
        return Y;
    }
    Eigen::VectorXd without(const Eigen::VectorXd& x) const
    {
        const Eigen::Index n = x.size(), r = tree_.root();
        Eigen::VectorXd y(n - 1);
        y << x.head(r), x.tail(n - 1 - r);
        return y;
    }

    // dV and D^2V; the second is exact at every angle.
    struct Slope {
        Eigen::VectorXd gradient;
        Eigen::MatrixXd hessian;
        double scale = 0; // of the gradient
        TreeMatrices::AtAngles at;
        double omega = 0;
    };
    Slope slope(const Eigen::VectorXd& theta) const
    {
        Slope s;
        s.at = matrices_.at(theta);
        const double inertia = s.at.lockedInertia();
        s.omega = mu_ / inertia;
        const double w2 = s.omega * s.omega;
        const Eigen::VectorXd kappa = without(Eigen::VectorXd(s.at.K.rowwise().sum()));
        s.gradient = -w2 * kappa;
        s.hessian = w2 * without(s.at.laplacian()) + (4 * w2 / inertia) * kappa * kappa.transpose();
        s.scale = w2 * s.at.J.cwiseAbs().maxCoeff();
        if (sprung_) {
            Eigen::VectorXd torque = Eigen::VectorXd::Zero(theta.size());
            for (const TreeJoint& j : tree_.joints()) {
                const int p = tree_.bodies()[static_cast<std::size_t>(j.body)].parent;
                const double T = j.stiffness * (theta[j.body] - theta[p] - j.restAngle);
                torque[j.body] += T;
                torque[p] -= T;
                s.scale = std::max(s.scale, j.stiffness);
            }
            s.gradient += without(torque);
            s.hessian += without(stiffness_);
        }
        return s;
    }
    double springEnergy(const Eigen::VectorXd& theta) const
    {
        double sum = 0;
        for (const TreeJoint& j : tree_.joints()) {
            const int p = tree_.bodies()[static_cast<std::size_t>(j.body)].parent;
            const double x = theta[j.body] - theta[p] - j.restAngle;
            sum += 0.5 * j.stiffness * x * x;
        }
        return sum;
    }

    // Newton's method, the step shortened until the slope falls; false where it does not end.
    bool polish(Eigen::VectorXd& theta) const
    {
        const int r = tree_.root();
        Slope s = slope(theta);
        int still = 0;
        for (int iteration = 0; iteration < 60; ++iteration) {
            const double size = s.gradient.norm();
            if (size <= 1e-15 * s.scale || still >= 2)
                return size <= 1e-9 * s.scale;
            Eigen::VectorXd step = -s.hessian.partialPivLu().solve(s.gradient);
            if (!step.allFinite())
                return size <= 1e-12 * s.scale;
            const double longest = step.cwiseAbs().maxCoeff();
            if (longest > 0.7)
                step *= 0.7 / longest;
            bool falls = false;
            for (double part = 1; part > 0.02; part *= 0.5) {
                Eigen::VectorXd next = theta;
                for (Eigen::Index k = 0, i = 0; k < theta.size(); ++k)
                    if (k != r)
                        next[k] += part * step[i++];
                Slope there = slope(next);
                if (there.gradient.norm() < size) {
                    theta = next;
                    s = std::move(there);
                    falls = true;
                    break;
                }
            }
            if (!falls)
                return size <= 1e-11 * s.scale;
            still = longest < 1e-14 ? still + 1 : 0;
        }
        return s.gradient.norm() <= 1e-9 * s.scale;
    }

private:
    Eigen::MatrixXd spread(double TreeJoint::*coefficient) const
    {
        Eigen::MatrixXd X = Eigen::MatrixXd::Zero(tree_.size(), tree_.size());
        for (const TreeJoint& j : tree_.joints()) {
            const int k = j.body, p = tree_.bodies()[static_cast<std::size_t>(k)].parent;
            const double c = j.*coefficient;
            X(k, k) += c;
            X(p, p) += c;
            X(k, p) -= c;
            X(p, k) -= c;
        }
        return X;
    }

    const Tree& tree_;
    const TreeMatrices& matrices_;
    double mu_;
    Eigen::MatrixXd stiffness_, damping_;
    bool sprung_;
};

} // namespace casimir::planar
