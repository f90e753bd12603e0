// The claims of sections 1 to 5 of Ghori's paper, and of the slope, each computed when asked from random
// parameter sets by a route of its own: Newton's and Euler's laws of the body on its blade, complex-step
// derivatives, integrals in time. The formulas under test are handed in, so that an altered one can be seen
// to fail.
#pragma once

#include "core/model/analysis.h"
#include "core/systems/sleigh/sleigh.h"

#include <Eigen/Core>

#include <array>
#include <functional>
#include <vector>

namespace casimir::sleigh {

struct SleighFormulas {
    using X = Eigen::Vector3d; // phi, x, y
    using Theta = Eigen::Vector2d;

    SleighParameters p;
    std::function<std::array<Eigen::Matrix3d, 3>(Variables, const X&)> structure; // (1.4)
    std::function<std::array<Eigen::Matrix2d, 3>(Variables, const X&)> curvature; // K^p_ji
    std::function<Theta(Variables, const X&, const Theta&)> accelerations;        // (2.4)
    std::function<double(Variables, const X&, const Theta&)> energy;              // (3.2)
    std::function<double(const X&, const X& eta)> kinetic;                        // 2 T_0 / 2
    std::function<double(Variables, const X&, const Theta&)> ratioRate;           // (4.11), of theta'_2
    std::function<double(Variables, const X&, const Theta&)> eta1;                // (4.6), (5.6)
    std::function<double(double phi, double c)> thetaPrime;                       // (5.7)
    std::function<Vector5(const Vector5&)> field;
    std::function<double(const Vector5&)> force;
    std::function<SleighForecast(const Vector5&)> forecast;
    std::function<Vector5(const Vector5&, double t)> closedForm;
};

SleighFormulas formulasOf(const SleighParameters& p);
using FormulaMaker = std::function<SleighFormulas(const SleighParameters&)>;

std::vector<Claim> sleighClaims(unsigned seed, const FormulaMaker& formulas = formulasOf);
std::vector<Claim> slopeClaims(unsigned seed, const FormulaMaker& formulas = formulasOf);

} // namespace casimir::sleigh
