// Relative equilibria of the body with its rod: dV_ξ = 0 at ξ = ω e_z, found by Newton's method and followed
// in ω from rest; where branches fork, the bent one. In natural units, length L and time √(ρ_A L⁴/EI), where
// the step lengths below make sense. Stability is in rod_stability.h.
#pragma once

#include "core/base/status.h"
#include "core/systems/rod/rod/rod.h"

#include <optional>

namespace casimir::rod {

struct RodEquilibrium {
    RodConfiguration at; // ξ along e_z, mass centre at the origin
    double omega = 0;
    double residual = 0; // largest component of dV_ξ, relative to the forces that balance in it
    int iterations = 0;
    Status status = {};

    Vec3 xi() const { return {0, 0, omega}; }
};

enum class SpinAxis { Maximum, Middle, Minimum, X, Y, Z };

// The undeformed assembly, turned so that the wanted principal axis lies along e_z. X, Y, Z mean the
// principal axis of the whole nearest to that axis of the body.
RodConfiguration atRest(const Rod& rod, SpinAxis axis);

// Newton's method from a nearby configuration.
RodEquilibrium solveAtSpin(const Rod& rod, const RodConfiguration& start, double omega);

// dq/dω along the branch, with the mass centre and the angle about the axis held.
Eigen::VectorXd branchTangent(const Rod& rod, const RodEquilibrium& e);

// dμ/dω along the branch.
double momentumSlope(const Rod& rod, const RodEquilibrium& e, const Eigen::VectorXd& tangent);
double angularMomentum(const Rod& rod, const RodEquilibrium& e);

// Follows the branch from a known equilibrium to another spin rate with steps that adapt. Where no further
// step succeeds the result is the last good equilibrium and a status that says so.
RodEquilibrium follow(const Rod& rod, const RodEquilibrium& from, double omega);
// From rest. Equal to atRest() with a small correction for small ω.
RodEquilibrium followFromRest(const Rod& rod, SpinAxis axis, double omega);

// Along the branch from `from` to the angular momentum μ.
RodEquilibrium followToMomentum(const Rod& rod, const RodEquilibrium& from, double mu);

// Leaves a branch where the second variation is singular along `mode`: several amplitudes to both sides, a
// few per cent above and below the spin rate; a return to the old branch is no answer.
std::optional<RodEquilibrium> switchBranch(const Rod& rod, const RodEquilibrium& fork,
                                           const Eigen::VectorXd& mode);

} // namespace casimir::rod
