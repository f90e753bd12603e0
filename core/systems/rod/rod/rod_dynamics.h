// Motion of the body with its rod: a chain of rigid bodies with the mass of the given Rod, stepped so that
// energy, linear and angular momentum are kept to the solver's tolerance, whatever the step. Second order and
// time-symmetric. Relative equilibria of the Rod are those of the motion, and every step keeps them. Where a
// motion starts is decided by the system.
#pragma once

#include "core/systems/rod/rod/rod.h"

namespace casimir::rod {

// Node 0 is the body together with the half element at the clamp; x[0] is the mass centre of the two.
//
// The kinetic energy is that of masses lumped at the nodes less b/2 |d'|² for every element with the chord d:
// b = ρ_A h c/6 makes the mass matrix the Rod's blend c of the consistent and the lumped one. p and pi are
// the momenta of the lumped masses, so velocities are p/m; the whole's follow by the functions below.
struct RodState {
    std::vector<Vec3> x;
    std::vector<Quat> q;
    std::vector<Vec3> p, pi; // linear momentum, angular momentum about the node's own centre, in space
    // d' of the first element, whose lower end turns with the body: a velocity of its own, as its mean over a
    // step is d's change exactly and that of the body's velocity at the clamp is not.
    Vec3 chordRate = Vec3::Zero();
};

struct RodStep {
    bool converged = false;
    int corrections = 0;
};

class RodDynamics {
public:
    // `viscosity` is the time constant of the rod: stress = C (ε + viscosity dε/dt).
    RodDynamics(const Rod& rod, double viscosity);

    const Rod& rod() const { return rod_; }
    std::size_t nodes() const { return rod_.nodes(); }
    double mass(std::size_t node) const { return mass_[node]; }            // lumped
    const Mat3& inertia(std::size_t node) const { return inertia_[node]; } // in the node's own axes

    RodState
    stateOf(const RodConfiguration& at, const std::vector<Vec3>& velocity,
            const std::vector<Vec3>& angularVelocity) const; // velocities of the configuration's nodes
    RodConfiguration configurationOf(const RodState& s) const;
    void velocities(const RodState& s, std::vector<Vec3>& velocity, std::vector<Vec3>& angularVelocity) const;
    // The change of the velocities by a blow at the tip.
    void strike(RodState& s, const Vec3& impulse) const;
    Vec3 angularVelocity(const RodState& s, std::size_t node) const;

    double kineticEnergy(const RodState& s) const;
    double strainEnergy(const RodState& s) const;
    double energy(const RodState& s) const { return kineticEnergy(s) + strainEnergy(s); }
    Vec3 linearMomentum(const RodState& s) const;
    Vec3 angularMomentum(const RodState& s) const; // about the origin

    // The state is left as it was where the corrections do not converge.
    RodStep step(RodState& s, double dt) const;

private:
    struct Trial;
    void forces(const RodState& s, double dt, const Trial& trial, std::vector<Vec3>& f,
                std::vector<Vec3>& tau) const;
    void factor(const RodState& s, double dt, const Trial& trial, BandedMatrix& jacobian) const;
    Vec3 base(const Vec3& x, const Quat& q) const { return x + q * arm_; }
    Vec3 rise(const RodState& s, const Trial& trial) const;
    Vec3 chord(const RodState& s, std::size_t element) const;
    Vec3 chordRate(const RodState& s, std::size_t element) const;

    Rod rod_;
    double viscosity_;
    std::vector<double> mass_;
    std::vector<Mat3> inertia_;
    double coupling_; // b
    Vec3 offset_;     // from the body's mass centre to that of node 0, in the body's axes
    Vec3 arm_;        // from node 0 to the clamp
};

} // namespace casimir::rod
