// The rigid body with a geometrically exact rod clamped to it (Posbergh, Simo, Marsden 1989), cut into
// two-node elements: configuration, strain energy, locked inertia, and the first and second variation of the
// energy-momentum function V_ξ = V - ½ ξ·II ξ. Solving for equilibria is in rod_equilibrium.h, deciding
// stability in rod_stability.h, motion in rod_dynamics.h.
//
// Node 0 is the body (its mass centre φ0 and turn Λ0); nodes 1..N are the rod's. The rod's first point
// x_0 = φ0 + Λ0 r0 follows the body. Variations are spatial, six numbers a node: (δx_i, ϑ_i), Λ -> exp(ϑ^)Λ.
#pragma once

#include "core/systems/rod/rod/block_tridiagonal.h"
#include "core/systems/rod/rod/rod_element.h"

namespace casimir::rod {

struct RodParameters {
    double bodyMass = 5;
    Vec3 bodyInertia{0.4, 0.4, 0.7}; // principal, about the body's mass centre, along its axes
    Vec3 r0{0.3, 0, 0};              // where the rod is clamped, in the body's frame
    Vec3 d3{1, 0, 0};                // direction of the undeformed rod; any length
    double length = 1;
    double rhoA = 1;               // mass per length
    Vec3 CN{128, 128, 400};        // GA1, GA2, EA
    Vec3 CM{1, 1, 0.77};           // EI1, EI2, GJ
    Vec3 j{0.0025, 0.0025, 0.005}; // section inertia per length along d1, d2, d3
    int elements = 32;
    // The rod's translational mass: 1 is the consistent mass matrix, 0 the mass lumped at the nodes. Their
    // errors have opposite signs; with this blend blocks and critical spin rates are best.
    double consistency = 0.85;
    bool operator==(const RodParameters&) const = default;
};

struct RodConfiguration {
    std::vector<Vec3> x; // x[0] is the body's mass centre
    std::vector<Quat> q;
};

// Turns and shifts by a variation; the turns are rotation vectors.
void move(RodConfiguration& at, const Eigen::VectorXd& variation);
Quat turnBy(const Vec3& rotationVector);

class Rod {
public:
    explicit Rod(const RodParameters& parameters);

    const RodParameters& parameters() const { return p_; }
    const ElementLaw& law() const { return law_; }
    std::size_t nodes() const { return static_cast<std::size_t>(p_.elements) + 1; }
    Eigen::Index size() const { return 6 * static_cast<Eigen::Index>(nodes()); }
    double mass() const { return p_.bodyMass + p_.rhoA * p_.length; }
    double h() const { return p_.length / p_.elements; }

    // Undeformed, the body's axes along space's, the common mass centre at the origin.
    RodConfiguration reference() const;
    Vec3 point(const RodConfiguration& at, std::size_t node) const; // of the rod; node 0 is the clamp
    Vec3 centre(const RodConfiguration& at) const;
    void centreAtOrigin(RodConfiguration& at) const;

    double strainEnergy(const RodConfiguration& at) const;
    std::vector<ElementStrain> strains(const RodConfiguration& at) const;
    // About the common mass centre.
    Mat3 lockedInertia(const RodConfiguration& at) const;

    // The strain energy's gradient and Hessian (the A of (5.40)).
    void strain(const RodConfiguration& at, Eigen::VectorXd& gradient, BlockTridiagonal* hessian) const;
    // The same of -½ ξ·II ξ, without the term of the moving mass centre in the Hessian: it vanishes where the
    // centre is held.
    void centrifugal(const RodConfiguration& at, const Vec3& xi, Eigen::VectorXd& gradient,
                     BlockTridiagonal* hessian) const;
    // The material part of the strain energy's Hessian: what viscosity resists. Rigid motions are free of it.
    BlockTridiagonal viscosity(const RodConfiguration& at) const;
    BlockTridiagonal massMatrix(const RodConfiguration& at) const;
    // G of the equation M η'' + G η' + K η = 0 in the frame that turns with ξ.
    BlockTridiagonal gyroscopic(const RodConfiguration& at, const Vec3& xi) const;
    // c(δq) = (DII·δq) ξ for variations that hold the mass centre: three rows.
    Eigen::MatrixXd inertiaVariation(const RodConfiguration& at, const Vec3& xi) const;

    // Rigid shifts, and the rigid rotations η_Q about the mass centre, three columns each.
    Eigen::MatrixXd translations() const;
    Eigen::MatrixXd rotations(const RodConfiguration& at) const;

    // Mass per pair of neighbouring rod nodes, and of one with itself.
    double massOf(std::size_t node) const;
    double massBetween() const;
    double weightOf(std::size_t node) const; // length that a node stands for

    // Inertias in space at a turn.
    Mat3 sectionInertia(const Quat& q) const;
    Mat3 bodyInertia(const Quat& q) const;

private:
    void slave(const RodConfiguration& at, const Vec3& force, Eigen::VectorXd& gradient,
               BlockTridiagonal* hessian) const;
    std::vector<Vec3> positions(const RodConfiguration& at) const;         // of the rod, from the mass centre
    std::vector<Vec3> massTimes(const std::vector<Vec3>& positions) const; // (m y)_i

    RodParameters p_;
    ElementLaw law_;
    Mat3 J_; // section inertia in body axes
};

} // namespace casimir::rod
