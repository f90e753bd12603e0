// Relative equilibria of three bodies with all that decides their stability: the index of the amended
// potential, the second variation of H + C, the eigenvalues on the leaf (theory: s^4 + p s^2 + q = 0). Which
// they are is found in three_body_roots.h; where kappa and tau tell it beforehand is in three_body_cases.h.
#pragma once

#include "core/base/status.h"
#include "core/systems/planar/three_body/three_body.h"
#include "core/systems/planar/three_body/three_body_roots.h"
#include "core/systems/planar/two_body/two_body_equilibria.h"

#include <array>
#include <complex>
#include <string>
#include <vector>

namespace casimir::planar {

// The linearisation on the leaf: s^4 + p s^2 + q = 0.
struct LeafPolynomial {
    double p = 0, q = 0;
};

struct ThreeBodyEquilibrium {
    std::string name;
    std::string title; // for people; empty where a state has no word of its own
    std::string kind;  // "fundamental", "extra", "general"
    double x = 0, y = 0;
    Eigen::Vector3d momenta = Eigen::Vector3d::Zero();
    double omega = 0; // the common spin mu/I_L
    double lockedInertia = 0;
    double energy = 0;
    Eigen::Matrix2d potentialHessian = Eigen::Matrix2d::Zero(); // of V in (theta21, theta32)
    int index = 0;                                              // negative eigenvalues of it
    int zero = 0;                                               // vanishing ones
    LeafPolynomial polynomial;
    std::array<std::complex<double>, 4> eigenvalues; // by real part, then imaginary part
    Matrix5d secondVariation = Matrix5d::Zero(); // of H + Phi in (theta21, theta32, mu1, mu2, mu3), Phi'' = 0
    Vector5d secondVariationEigenvalues = Vector5d::Zero(); // ascending
    Signature signature;
    int merged = 1; // how many equilibria coincide in it, to rounding
    std::string stability, basis, detail;

    Vector5d state() const { return {x, y, momenta[0], momenta[1], momenta[2]}; }
};

// A one-parameter family at rest: `condition` says which joint angles.
struct EquilibriumFamily {
    std::string condition;
    double omega = 0, energy = 0;
    Eigen::Vector3d momenta = Eigen::Vector3d::Zero();
    std::string stability, detail;
};

struct ThreeBodyEquilibria {
    Status status; // "ok"; "degenerate": families instead of points, with the reason
    std::vector<ThreeBodyEquilibrium> equilibria;
    std::vector<EquilibriumFamily> families;
};

ThreeBodyEquilibria equilibria(const ThreeBody& bodies);

// From the closed coefficients, at a critical point of f.
LeafPolynomial leafPolynomial(const ThreeBody& bodies, double x, double y);
std::array<std::complex<double>, 4> leafEigenvalues(const LeafPolynomial& polynomial);

// "stable", "unstable", "spectrally stable" or "degenerate", from what the theory asks.
std::string stabilityOf(int index, int zero, const LeafPolynomial& polynomial);

// The direction in (theta21, theta32, mu1, mu2, mu3) in which a disturbance of rate s departs; complex for
// complex s.
Vec5<std::complex<double>> departure(const ThreeBody& bodies, const ThreeBodyEquilibrium& e,
                                     std::complex<double> s);

} // namespace casimir::planar
