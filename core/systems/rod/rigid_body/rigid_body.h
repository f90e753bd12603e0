// The free rigid body (section 3 of Posbergh, Simo and Marsden; (1.1)-(1.4) of Sreenath, Oh, Krishnaprasad
// and Marsden): the Lie-Poisson bracket on so(3)*, Euler's equations on the momentum sphere |M| = μ, and its
// equilibria by the energy-Casimir method. The motion in closed form is in rigid_body_motion.h.
#pragma once

#include "core/base/status.h"
#include "core/systems/rod/rod/rod_element.h"

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <vector>

namespace casimir::rod {

struct RigidBodyParameters {
    Vec3 I{1, 2, 2.6}; // principal moments of inertia about the mass centre
    double mu = 2;     // |M|, the radius of the momentum sphere
};

class RigidBody {
public:
    // Throws casimir::Error where no body has these inertias: each is at most the sum of the other two.
    explicit RigidBody(const RigidBodyParameters& parameters);

    const Vec3& I() const { return p_.I; }
    double mu() const { return p_.mu; }

    // The body axes by ascending inertia, and whether that order is a cyclic one (+1) or not (-1).
    const std::array<int, 3>& order() const { return order_; }
    int parity() const { return parity_; }
    int minimum() const { return order_[0]; }
    int middle() const { return order_[1]; }
    int maximum() const { return order_[2]; }
    bool hasMiddleAxis() const; // three different inertias

    Vec3 velocity(const Vec3& M) const { return M.cwiseQuotient(p_.I); } // M = I ω
    double hamiltonian(const Vec3& M) const { return 0.5 * M.dot(velocity(M)); }
    double casimir(const Vec3& M) const { return M.squaredNorm(); }
    // (1.2): {F, G}(M) = -M·(∇F x ∇G), from the gradients.
    static double bracket(const Vec3& M, const Vec3& dF, const Vec3& dG) { return -M.dot(dF.cross(dG)); }
    // (1.3): dM/dt = M x ω.
    Vec3 field(const Vec3& M) const { return M.cross(velocity(M)); }

    // |M|² - 2 H I_b with the middle inertia, and the two terms it is the difference of: positive on the
    // polhodes about the axis of maximum inertia, negative about that of minimum inertia, zero on the
    // separatrix. It is formed without cancellation other than its own.
    struct Margin {
        double value = 0, scale = 0;
    };
    Margin margin(const Vec3& M) const;

    // On the separatrix, unit vectors of the plane of the minimum and maximum axis: the four heteroclinic
    // orbits are half great circles from one end of the middle axis over these to the other.
    std::array<Vec3, 4> heteroclinicDirections() const;
    double heteroclinicRate() const; // |growth rate| of the middle axis; M along it is μ tanh(rate t)

private:
    RigidBodyParameters p_;
    std::array<int, 3> order_{};
    int parity_ = 1;
};

// What an axis is among the three.
enum class AxisRole { Minimum, Middle, Maximum, Symmetry, Equator, Any };
const char* name(AxisRole role);

struct RigidBodyEquilibrium {
    std::string name; // "axis-1", "axis-1-reversed"
    int axis = 0;
    int sign = 1;
    AxisRole role = AxisRole::Any;
    Vec3 M = Vec3::Zero();
    double omega = 0, energy = 0;
    std::array<std::complex<double>, 2> eigenvalues; // on the leaf
    // Of H + Φ(|M|²/2) with Φ' = -1/I_i on the tangent plane of the leaf: 1/I_j - 1/I_i, ascending.
    std::array<double, 2> secondVariation{};
    std::vector<Vec3> directions; // of departure, tangent to the sphere; the growing one first
    std::string stability, basis, detail;
};

struct RigidBodyEquilibria {
    Status status; // "degenerate" at μ = 0, where the leaf is one point
    std::vector<RigidBodyEquilibrium> equilibria;
};

RigidBodyEquilibria equilibria(const RigidBody& body);

} // namespace casimir::rod
