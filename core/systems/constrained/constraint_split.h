// The split X_H = X_D + X_W of a constrained Hamiltonian system (P, Lambda, H, D, W) at one point: D the
// constraint set, W the directions in which the constraint forces may push. Works on numbers alone; what they
// mean is said by the system that asks (HasConstraintSplit in core/model/capabilities.h).
#pragma once

#include "core/base/status.h"

#include <Eigen/Core>

namespace casimir::constrained {

// Below this smallest singular value of G (rows and columns of length 1) TD and W are taken to meet.
inline constexpr double kIrregular = 1e-10;

struct SplitProblem {
    Eigen::VectorXd XH;   // Lambda dH
    Eigen::MatrixXd dphi; // one row for each function that defines D
    Eigen::MatrixXd W;    // one column for each direction of the force
};

struct ConstraintSplit {
    Eigen::VectorXd XD, XW;
    Eigen::VectorXd lambda;           // XW = W lambda
    double smallestSingularValue = 0; // of the normalised G_ab = <dphi_a, w_b>
    double mismatch = 0; // |G lambda - dphi(XH)| / |dphi(XH)|, of use where rows outnumber columns
    Status status;       // "irregular" with the reason

    bool regular() const { return status.ok(); }
    Eigen::VectorXd force() const { return -XW; } // XD = XH + force

    // dF/dt along the motion that the constraint force is answerable for; F = H: its power.
    double balance(const Eigen::VectorXd& dF) const { return -dF.dot(XW); }
};

// An irregular point has XD = XH and XW = 0.
ConstraintSplit split(const SplitProblem& problem);

// The same by bases: T spans the null space of dphi, [T | W] (alpha; lambda) = XH, XD = T alpha. For checks;
// only at regular points.
Eigen::VectorXd splitByBases(const SplitProblem& problem);

// The step z - W G^+ phi of Newton's method that leads back to D along W.
Eigen::VectorXd stepTowards(const SplitProblem& problem, const Eigen::VectorXd& phi);

} // namespace casimir::constrained
