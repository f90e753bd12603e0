// The matrices of a tree of planar bodies: the constant Hermitian Gamma behind (6.2)-(6.4) generalised to N
// bodies, and at given angles the inertia matrix J, its companion K and the graph Laplacian L of J. For
// equilibria, stability and as the plain way to what multibody.h does without matrices.
#pragma once

#include "core/systems/planar/multibody/multibody.h"

#include <Eigen/Core>

namespace casimir::planar {

class TreeMatrices {
public:
    explicit TreeMatrices(const Tree& tree);

    // Gamma_kl = sum_i m_i conj(v_ik) v_il, where r_i = sum_k exp(i theta_k) v_ik.
    const Eigen::MatrixXcd& gamma() const { return gamma_; }

    struct AtAngles {
        Eigen::MatrixXd J; // J_kl = Re(Gamma_kl exp(i(theta_l - theta_k))) + I_k delta_kl
        Eigen::MatrixXd K; // K_kl = Im(Gamma_kl exp(i(theta_l - theta_k))), antisymmetric

        Eigen::VectorXd unitMomenta() const { return J.rowwise().sum(); } // J 1
        double lockedInertia() const { return J.sum(); }                  // 1^T J 1
        // L_kl = -J_kl off the diagonal, rows sum to 0: D^2 of the locked inertia is -2 L.
        Eigen::MatrixXd laplacian() const;
    };
    AtAngles at(const Eigen::VectorXd& theta) const;

    // omega = J^-1 mu by Cholesky, and Theorem 3's rates mu_k' = omega_k sum_l K_kl omega_l.
    struct Rates {
        Eigen::VectorXd omega, muDot;
        double energy = 0;
    };
    Rates rates(const Eigen::VectorXd& theta, const Eigen::VectorXd& mu) const;

private:
    Eigen::MatrixXcd gamma_;
    Eigen::VectorXd inertia_;
};

// The columns of B take joint angles beta_j (of the bodies but the root, in the order of the tree) to the
// angles they add to each body: 1 for those the hinge carries.
Eigen::MatrixXd jointMatrix(const Tree& tree);

// Sum_j [ (f_mu_p(j) - f_mu_j) g_beta_j - f_beta_j (g_mu_p(j) - g_mu_j) ], the bracket of Theorem 3, from
// gradients in beta (as above) and mu. With this order of signs beta_j' = {beta_j, H}.
double treeBracket(const Tree& tree, const Eigen::VectorXd& fBeta, const Eigen::VectorXd& fMu,
                   const Eigen::VectorXd& gBeta, const Eigen::VectorXd& gMu);

} // namespace casimir::planar
