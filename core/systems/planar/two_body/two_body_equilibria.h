// Relative equilibria of two bodies: the stretched and the folded state, their linearisation on the leaf and
// their second variation by the energy-Casimir method (section 5 of the paper). On the leaves and at the
// lengths where the paper's Theorem 2 does not hold (mu = 0, or d1 d2 = 0) a circle of equilibria is
// described instead.
#pragma once

#include "core/base/status.h"
#include "core/systems/planar/two_body/two_body.h"

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <vector>

namespace casimir::planar {

struct Signature {
    int positive = 0, negative = 0, zero = 0;
};

struct TwoBodyEquilibrium {
    std::string name; // "stretched" or "folded"
    int sigma = 1;    // +1 stretched, -1 folded
    double theta = 0, nu = 0, mu1 = 0, mu2 = 0;
    double omega = 0; // the common spin mu/S
    double energy = 0;
    // On the leaf; the structural zero along the Casimir is left out.
    std::array<std::complex<double>, 2> eigenvalues;
    // H on the leaf in (theta, nu): diagonal at an equilibrium.
    double d2Hdtheta2 = 0, d2Hdnu2 = 0;
    Signature leafSignature;
    // H + Phi(mu1 + mu2) in (theta, mu1, mu2), (5.9) with Phi' = -omega and the choice Phi'' = 0.
    Eigen::Matrix3d secondVariation = Eigen::Matrix3d::Zero();
    Eigen::Vector3d secondVariationEigenvalues = Eigen::Vector3d::Zero(); // ascending
    Signature signature;
    std::string stability, basis, detail;
};

// Every joint angle theta with this nu is an equilibrium.
struct EquilibriumCircle {
    double nu = 0, mu1 = 0, mu2 = 0, omega = 0, energy = 0;
    std::string stability, detail;
};

struct TwoBodyEquilibria {
    Status status; // "ok", or "degenerate" with the reason; then `circle` is set and `equilibria` is empty
    std::vector<TwoBodyEquilibrium> equilibria; // stretched, folded
    std::optional<EquilibriumCircle> circle;
};

TwoBodyEquilibria equilibria(const TwoBody& bodies);

// One of the two, sigma = +1 or -1; needs mu != 0 and d1 d2 != 0 (throws casimir::Error otherwise).
TwoBodyEquilibrium equilibrium(const TwoBody& bodies, int sigma);

} // namespace casimir::planar
