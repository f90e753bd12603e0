// Motion of the body with its rod: a chain of rigid bodies (lumped mass) stepped so that energy, linear and
// angular momentum are kept to the solver's tolerance, whatever the step. Second order and time-symmetric.
// Where a motion starts is decided by the system.
#pragma once

#include "core/systems/rod/rod.h"

namespace casimir::rod {

// Node 0 is the body together with the half element at the clamp; x[0] is the mass centre of the two.
struct RodState {
    std::vector<Vec3> x;
    std::vector<Quat> q;
    std::vector<Vec3> p, pi; // linear momentum, angular momentum about the node's own centre, in space
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
    double mass(std::size_t node) const { return mass_[node]; }
    const Mat3& inertia(std::size_t node) const { return inertia_[node]; } // in the node's own axes

    RodState
    stateOf(const RodConfiguration& at, const std::vector<Vec3>& velocity,
            const std::vector<Vec3>& angularVelocity) const; // velocities of the configuration's nodes
    RodConfiguration configurationOf(const RodState& s) const;
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

    Rod rod_;
    double viscosity_;
    std::vector<double> mass_;
    std::vector<Mat3> inertia_;
    Vec3 offset_; // from the body's mass centre to that of node 0, in the body's axes
    Vec3 arm_;    // from node 0 to the clamp
};

} // namespace casimir::rod
