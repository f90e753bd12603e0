// The motion of a free rigid body in closed form: the polhode by Jacobi's elliptic functions, the attitude by
// the integral of the third kind, the heteroclinic orbits by hyperbolic functions, and how far the body has
// turned when its momentum comes back (Montgomery's phase). Nothing is integrated step by step.
#pragma once

#include "core/numerics/elliptic.h"
#include "core/systems/rod/rigid_body/rigid_body.h"

#include <optional>
#include <string>

namespace casimir::rod {

enum class PolhodeKind { Equilibrium, AboutAxis, Heteroclinic };
const char* name(PolhodeKind kind);

// After one period M is back and the body has turned about the fixed angular momentum by
// `dynamic` + `geometric` (mod 2π).
struct MontgomeryPhase {
    double turn = 0;
    double dynamic = 0;   // 2 H T/|M|
    double geometric = 0; // of the cap that the polhode cuts off the sphere, signed
};

class RigidBodyMotion {
public:
    // From M and the attitude q, which takes body axes to space. |M| need not be the body's μ.
    RigidBodyMotion(const RigidBody& body, const Vec3& M0, const Quat& q0 = Quat::Identity());

    PolhodeKind kind() const { return kind_; }
    int axis() const { return e_; } // the body axis the polhode encircles (AboutAxis, Equilibrium on an axis)
    double energy() const { return energy_; }
    std::optional<double> period() const; // AboutAxis
    std::optional<MontgomeryPhase> phase() const;

    Vec3 momentum(double t) const;
    Quat attitude(double t) const; // continuous in t, also in sign

    // The closed polhode (a half great circle for a heteroclinic orbit) in `n` steps of equal angle.
    std::vector<Vec3> polhode(int n) const;

    // The least and the greatest of |ω - (ω·L)L/|L|²|: the herpolhode runs between these circles.
    std::pair<double, double> herpolhodeRadii() const;

private:
    EllipticPhase phaseAt(double t) const { return jacobi_.advanced(phase0_, rate_ * t); }
    Vec3 momentumAt(const EllipticPhase& u) const;
    Quat inFrame(const Vec3& M, const EllipticPhase& u) const; // body axes to the frame of ψ

    RigidBody body_;
    Vec3 M0_;
    Quat q0_;
    double length_, energy_;
    PolhodeKind kind_ = PolhodeKind::Equilibrium;
    // The axis encircled, the middle one, and the other; M_o = amp_o cn, M_b = amp_b sn, M_e = amp_e dn.
    int e_ = 0, b_ = 1, o_ = 2;
    double handed_ = 1; // of (o, b, e)
    double ampO_ = 0, ampB_ = 0, ampE_ = 0;
    double rate_ = 0; // du/dt
    double w_ = 0;    // amp_b²/amp_o² - 1
    double spin_ = 0; // of ψ' = |M|/I_e + spin/(1 + w sn²)
    JacobiFunctions jacobi_{1};
    EllipticPhase phase0_;
    double third0_ = 0; // the third integral at the start
    Quat frame_ = Quat::Identity();
};

// A state of the leaf |M| = μ with this energy, or none.
std::optional<Vec3> stateOfEnergy(const RigidBody& body, double energy);

} // namespace casimir::rod
