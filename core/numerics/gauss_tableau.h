// The coefficients of the Gauss-Legendre collocation methods, computed in extended precision for any number
// of stages.
#pragma once

#include <Eigen/Core>

namespace casimir {

// Collocation at the zeros c_i of the shifted Legendre polynomial; with l_j the Lagrange polynomials on them
//     a_ij = int_0^{c_i} l_j,   b_j = int_0^1 l_j,   extrapolation_ij = int_1^{1 + c_i} l_j.
//
// a and b come in two parts, high + low: the high part is a multiple of 1/1024 and the low part its
// remainder. A rounded coefficient would err the same way in every step and make the energy drift (Hairer,
// McLachlan, Razakarivony, Achieving Brouwer's law with implicit Runge-Kutta methods, BIT 48, 2008, section
// 3); split so, the error is below 1e-18.
struct GaussTableau {
    Eigen::VectorXd c;
    Eigen::VectorXd bHigh;
    Eigen::VectorXd bLow;
    Eigen::MatrixXd aHigh;
    Eigen::MatrixXd aLow;
    Eigen::MatrixXd extrapolation;
};

// Computed once for each number of stages, 1 to 4.
const GaussTableau& gaussTableau(int stages);

} // namespace casimir
