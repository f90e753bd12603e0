// The claims of the paper's sections 1 to 5 about two bodies, each computed when asked from random parameter
// sets by a route of its own: the embedding of the hinged bodies in the plane, Newton's and Euler's laws,
// complex-step derivatives, sums over point masses. The formulas under test are handed in, so that an altered
// one can be seen to fail.
#pragma once

#include "core/model/claims.h"
#include "core/systems/planar/two_body/two_body_equilibria.h"

#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace casimir::planar {

struct TwoBodyFormulas {
    using Complex = std::complex<double>;
    using C2 = Vec2<Complex>;
    using C3 = Vec3<Complex>;

    TwoBody bodies;
    std::function<Complex(Complex)> lambda, lambdaPrime, delta, lockedInertia, nu0, amendedPotential;
    std::function<C2(Complex, const C2&)> momenta, velocities;      // (1.6a) and its inverse
    std::function<Complex(Complex, const C2&)> kineticEnergy;       // (1.7a)
    std::function<Complex(const C3&)> hamiltonian;                  // (1.7b)
    std::function<Complex(const C3&, const C3&)> bracket;           // (1.8)
    std::function<C3(const C3&)> velocityField;                     // (1.5)
    std::function<C3(const C3&)> reducedField;                      // (4.5)
    std::function<Complex(Complex, Complex)> leafHamiltonian;       // (4.4)
    std::function<C2(Complex, Complex)> leafField;                  // (4.6)
    std::function<Eigen::Matrix3d(const Eigen::Vector3d&)> hessian; // (5.8)
    std::function<TwoBodyEquilibrium(int)> equilibrium;
    std::function<double(double, int)> homoclinicNu; // of psi and branch
    std::function<TwoBodyPlacement(double, double)> placement;
};

// The formulas as TwoBody has them; mu != 0 and d1 d2 != 0.
TwoBodyFormulas formulasOf(const TwoBody& bodies);

// With the formulas of TwoBody all hold, corrected where the paper misprints.
std::vector<Claim> twoBodyClaims(unsigned seed,
                                 const std::function<TwoBodyFormulas(const TwoBody&)>& formulas = formulasOf);

} // namespace casimir::planar
