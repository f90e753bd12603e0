// The energy-momentum test of a relative equilibrium (sections 2 and 5 of the paper): the blocks of the
// second variation on rigid and internal variations, at fixed momentum and at fixed spin rate, the paper's
// bound by λ_0, the number of negative directions, the linearised spectrum, and what follows from them.
#pragma once

#include "core/systems/rod/rod/rod_equilibrium.h"
#include "core/systems/rod/rod/rod_modes.h"

#include <complex>
#include <string>
#include <vector>

namespace casimir::rod {

// Everything linear about one equilibrium that several questions need.
struct RodLinearisation {
    RodLinearisation(const Rod& rod, const RodEquilibrium& equilibrium);

    const Rod* rod;
    RodEquilibrium e;
    Mat3 II;            // locked inertia about the mass centre
    BlockTridiagonal A; // d²V
    BlockTridiagonal K; // d²V_ξ
    BlockTridiagonal M;
    Eigen::MatrixXd rotations;     // η_Q
    Eigen::MatrixXd unitVariation; // c(δq) for the unit axis: rows x, y, z
    // Conditions of a held mass centre and angle about the axis, columns: four; a bent rod of an axisymmetric
    // assembly has one more, for turning every section about its own axis changes nothing.
    Eigen::MatrixXd centred;
    Eigen::MatrixXd internal; // and those of c(δq) ∥ ξ: 𝒱_INT
    bool materialSymmetry = false;
    Eigen::VectorXd sectionTurn; // that turn
    Vec6 springs;

    double lambda() const { return II(2, 2); }
    double omega() const { return e.omega; }
};

struct RodBlocks {
    Vec3 moments;      // principal, of the deformed whole, ascending
    double lambda = 0; // of the axis; II ξ = λ ξ
    double mu = 0;
    Eigen::Vector2d rigid;            // of S_RIG for unit η, (5.34) as corrected: |μ|² (1/I_a - 1/λ)
    double internalFixedMomentum = 0; // lowest of d²V_μ on 𝒱_INT relative to the mass
    double internalFixedSpin = 0;     // lowest of d²V_ξ on 𝒱_INT
    double lambda0 = 0;               // (5.40)
    double kappa = 1;                 // λ_0 - κ|ξ|² bounds internalFixedSpin from below
    double offDiagonal = 0;           // |d²V_ξ(η_Q, 𝒱_INT)| relative to |d²V_ξ|
    int negativeRigid = 0;
    int negativeInternal = 0; // of d²V_μ on 𝒱_INT
    int negative = 0;         // of d²V_μ on all variations that hold centre and angle: their sum

    double bound() const { return lambda0 - kappa * mu * mu / (lambda * lambda); }
};

RodBlocks blocksOf(const RodLinearisation& at);

// The largest ratio of the rotary part of d²(½ ξ·II ξ) to |ξ|² <ϑ, I ϑ> for ξ along z: 1 where ξ is principal
// for the inertia I of a section or the body; κ is the largest of them.
double rotaryFactor(const Mat3& I);

// Negative directions of d²V_μ = d²V_ξ + cᵀ II⁻¹ c where centre and angle are held. It stays meaningful where
// λ ceases to be a simple moment and the two blocks change sign together.
int negativeDirections(const RodLinearisation& at);
// The lowest eigenvalues of the same form relative to the mass; what crosses zero where stability changes.
LowestModes energyModes(const RodLinearisation& at, int count);
// The lowest of d²V_μ on 𝒱_INT.
LowestModes internalModes(const RodLinearisation& at, int count);
// The lowest of d²V_ξ where centre and angle are held: its zeros are the forks at equal spin rate.
LowestModes spinModes(const RodLinearisation& at, int count);

// Frequencies are best with this blend of consistent and lumped mass, whose errors have opposite signs: the
// first two of free and clamped beams are within 1e-3 with 32 elements, with the consistent mass 5e-3.
inline constexpr double vibrationConsistency = 0.45;
RodParameters withVibrationMass(RodParameters parameters);

struct RodMode {
    std::complex<double> value; // exponent; of a pair the one with Im >= 0
    Eigen::VectorXcd shape;     // δq in the turning frame, largest component 1
    Eigen::VectorXcd velocity;  // its rate
    int energy = 0;             // the sign of a neutral mode's energy; 0 where it grows or fades
};

// The exponents of the linearised motion on the reduced space: fixed momentum, no rigid shift, no angle about
// the axis; the smallest |value| first. `damping` is the time constant τ of the rod's viscosity; of
// vibrations that it overdamps the exponents that gather at -1/τ and those beyond -2/τ are left out. Each is
// tested in the full pencil, and without damping their number is compared with inertia's; where either fails
// the status says so.
struct RodSpectrum {
    std::vector<RodMode> modes;
    double growth = 0; // largest real part of all exponents found; 0 where rounding cannot tell it from none
    double residual = 0; // the largest of a mode in the full pencil, relative to the mode
    Status status = {};
};
RodSpectrum spectrumOf(const RodLinearisation& at, int count, double damping = 0, bool shapes = false);

// The verdict in the words of core/model/analysis.h, and why; `rate` is the natural unit of growth rates in
// 1/s.
struct RodVerdict {
    std::string stability, basis, detail;
};
RodVerdict verdictOf(const RodBlocks& blocks, const RodSpectrum& spectrum, double damping, double rate = 1);

// What an undamped or damped rod cannot be: no negative direction and yet something that grows, or an odd
// number of them and nothing that grows. A sentence, empty where all agree.
std::string contradiction(const RodBlocks& blocks, const RodSpectrum& spectrum, const RodVerdict& verdict);

} // namespace casimir::rod
