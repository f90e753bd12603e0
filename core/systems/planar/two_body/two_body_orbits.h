// Orbits of two bodies on the leaf mu1 + mu2 = mu, from closed forms and quadratures: what an energy level
// is, its period, how far body 1 turns during one, and the homoclinic pair with its time. Nothing is
// integrated step by step. Curves for drawing are in two_body_portrait.h.
#pragma once

#include "core/systems/planar/two_body/two_body.h"

#include <optional>
#include <string>
#include <string_view>

namespace casimir::planar {

// An energy is taken for that of an equilibrium if it differs by no more than this many units in the last
// place (relative 2^-52): computing mu^2/(2 S) from the parameters rounds about six times, so the closest
// double to the energy of the folded state, or that state's energy as computed here, lies within this
// distance.
inline constexpr double energyToleranceUlps = 8;

enum class OrbitKind { Libration, Rotation, Homoclinic, Equilibrium, None };
std::string_view name(OrbitKind kind); // "libration", "rotation", ...

// An energy with its margins over both equilibria. They are kept apart from the energy because near the
// equilibria their differences decide (k^2 and 1 - k^2 below), and those would be lost in E.
struct EnergyLevel {
    double energy = 0;
    double aboveStretched = 0; // 2 E S_+ - mu^2: negative if no state has this energy
    double aboveFolded = 0;    // 2 E S_- - mu^2: positive if the joint turns over
    double stretchedTolerance = 0, foldedTolerance = 0; // margins up to these count as none
};

// The margins are formed in quadruple precision: one rounding of S_- would cost half the digits near the
// separatrix.
EnergyLevel levelOfEnergy(const TwoBody& bodies, double energy);
EnergyLevel levelThrough(const TwoBody& bodies, double theta, double nu);

// The angle body 1 turns by during one period, 2 pi not removed, split in two ways into dynamic and geometric
// phase.
struct OrbitPhase {
    double rotationBody1 = 0;
    double dynamicLocked = 0, geometricLocked = 0; // Int mu/S dt, -Loop (I2~ + eps lambda)/S dtheta
    // 2 E T/mu and -(1/mu) Loop mu2 dtheta; absent for mu = 0
    std::optional<double> dynamicMontgomery, geometricMontgomery;
    double loopMu2 = 0; // Loop mu2 dtheta; for a libration equal to the enclosed area
};

struct TwoBodyOrbit {
    OrbitKind kind = OrbitKind::None;
    double energy = 0;
    std::optional<double> period;           // libration, rotation
    std::optional<double> turningAngle;     // libration: largest |theta - theta0|
    std::optional<double> area;             // libration: Loop nu dtheta
    std::optional<OrbitPhase> phase;        // libration; rotation with growing theta
    std::optional<OrbitPhase> phaseFalling; // rotation with falling theta
    std::string detail;                     // why it is of this kind
};

OrbitKind classify(const TwoBody& bodies, const EnergyLevel& level);
// Of a libration: the largest |theta - theta0|. Costs no quadrature.
std::optional<double> turningAngle(const TwoBody& bodies, const EnergyLevel& level);
TwoBodyOrbit orbit(const TwoBody& bodies, const EnergyLevel& level);
TwoBodyOrbit orbitOfEnergy(const TwoBody& bodies, double energy);
// Of the motion through a state; unlike its energy alone, this tells the saddle from the orbits that approach
// it.
TwoBodyOrbit orbitThrough(const TwoBody& bodies, double theta, double nu);

// Loop (I2~ + eps lambda)/S dtheta over theta growing by 2 pi.
double connectionLoop(const TwoBody& bodies);

// The two orbits that leave the folded state and return to it. Branch +1: theta grows, nu > nu0; branch -1:
// it falls.
class HomoclinicPair {
public:
    // Needs mu != 0 and d1 d2 != 0 (throws casimir::Error otherwise).
    explicit HomoclinicPair(const TwoBody& bodies);

    double energy() const { return energy_; }
    double growthRate() const { return rate_ / std::sqrt(bodies_.straightDeterminant()); }
    double saddleTheta() const;
    double saddleNu() const;
    // Largest and smallest nu of the pair, and |theta - theta0| there.
    double nuMax() const { return nuMax_; }
    double nuMin() const { return nuMin_; }
    double psiAtMax() const { return psiAtMax_; }
    double psiAtMin() const { return psiAtMin_; }

    // For psi = theta - theta0 in [-pi, pi].
    double nu(double psi, int branch) const;
    // Time since the stretched angle psi = 0 was passed; infinite at psi = +-pi.
    double time(double psi, int branch) const;
    double psi(double time, int branch) const;

    // The pair by x instead of the time, with tanh x = sin(psi/2) on branch +1: psi and its time without
    // quadrature. Far out x grows as growthRate() times the time.
    static double psiAt(double x, int branch);
    double timeRate(double x) const; // dt/dx

    double branchPoint() const; // y: the nearest zero of dt/dx for complex x is i y
    // No less than this far from the real axis the orbit is analytic in the time, so that a disturbance of
    // the frequency Omega splits the pair by exp(-Omega times this) of its size or less.
    double stripWidth() const;

private:
    double stretchedTime(double x) const;

    TwoBody bodies_;
    double energy_ = 0;
    double rate_ = 0; // k = |mu| sqrt(D/S_-)
    double nuMax_ = 0, nuMin_ = 0, psiAtMax_ = 0, psiAtMin_ = 0;
};

} // namespace casimir::planar
