// The claims of the paper's section 6 about three bodies, each computed when asked from random parameter sets
// by a route of its own: the kinetic energy of the hinged bodies from their velocities, Fourier coefficients
// of their polar inertia, the polynomial against the closed form. The formulas under test are handed in, so
// that an altered one can be seen to fail.
#pragma once

#include "core/model/analysis.h"
#include "core/systems/planar/three_body/three_body_cases.h"
#include "core/systems/planar/three_body/three_body_equilibria.h"

#include <functional>
#include <vector>

namespace casimir::planar {

struct ThreeBodyFormulas {
    std::function<Eigen::Matrix3d(const ThreeBody&, double, double)> inertia;            // (6.2)-(6.4)
    std::function<double(const ThreeBody&, const Vector5d&)> hamiltonian;                // (6.9)
    std::function<Vector5d(const ThreeBody&, const Vector5d&)> field;                    // (6.5)-(6.7)
    std::function<double(const ThreeBody&, double, double)> lockedInertia;               // (6.8)
    std::function<ThreeBodyCoefficients(const ThreeBodyParameters&)> coefficients;       // (6.12)-(6.17)
    std::function<Eigen::Vector2d(const ThreeBodyCoefficients&, double, double)> slopes; // (6.11), (6.15)
    std::function<Eigen::Vector2d(double kappa, double tau)> bentCosines;                // (6.33), (6.34)
    std::function<bool(double kappa, double tau)> bentExists;                            // (6.35), (6.36)
    std::function<SignPair(int signCase, Region)> signs;                                 // Tables 1-3
    std::function<int(int signCase, Region, SignPair)> straightIndex;                    // stability
    std::function<LeafPolynomial(const ThreeBody&, double, double)> leafPolynomial;      // stability
};

// The formulas as the mechanics has them.
ThreeBodyFormulas threeBodyFormulas();

std::vector<casimir::Claim> threeBodyClaims(unsigned seed,
                                            const ThreeBodyFormulas& formulas = threeBodyFormulas());

} // namespace casimir::planar
