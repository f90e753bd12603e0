// Shape control: all joints move as prescribed, and the whole turns by the mechanical connection,
//     theta_root' = mu/I_L - A . beta',      A = (J 1)^T B / I_L.
// Over a closed loop of shapes the geometric part, minus the integral of A around it, depends on the loop
// alone: with mu = 0 it is how a falling cat turns. By Stokes it is minus the integral of the curvature
//     F(u, v) = 2 delta^T K w/I_L - (2/I_L^2) [ (R . w)(kappa . delta) - (R . delta)(kappa . w) ],
// delta = B u, w = B v, R = J 1, kappa = K 1, over any surface the loop bounds.
#pragma once

#include "core/base/status.h"
#include "core/model/quantity.h"
#include "core/systems/planar/multibody/multibody_matrices.h"

#include <optional>

namespace casimir::planar {

// A . rates at joint angles beta; both in the order of the tree.
double connection(const Tree& tree, const Eigen::VectorXd& beta, const Eigen::VectorXd& rates);
double connectionCurvature(const Tree& tree, const TreeMatrices& matrices, const Eigen::VectorXd& beta,
                           const Eigen::VectorXd& u, const Eigen::VectorXd& v);

struct ShapeLoop {
    Status status; // "ok"; "open": the joints have no common period; "free": some joint is not prescribed
    double period = 0;
    double geometric = 0;            // - the integral of A around the loop
    std::optional<double> curvature; // the same as - the integral of F over the cone from the rest shape
    double dynamic = 0;              // the integral of mu/I_L over the period
    double predicted() const { return geometric + dynamic; }
};
ShapeLoop shapeLoop(const Tree& tree, double mu);
// By how much the root turned, from the equations of motion over that period; NaN where they fail.
double measuredRotation(const Tree& tree, double mu, double period);

// The prescribed joint angles at time t, in the order of the tree.
Eigen::VectorXd prescribedShape(const Tree& tree, double t);
Eigen::VectorXd prescribedRates(const Tree& tree, double t);

// What the angle of the joint that carries a body is called.
Quantity jointQuantity(const Tree& tree, int body);

// Joint angles in the order of the tree <-> absolute angles with the root at 0.
Eigen::VectorXd jointAngles(const Tree& tree, const Eigen::VectorXd& theta);
Eigen::VectorXd anglesOf(const Tree& tree, const Eigen::VectorXd& beta);

} // namespace casimir::planar
