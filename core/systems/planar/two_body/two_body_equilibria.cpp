#include "core/systems/planar/two_body/two_body_equilibria.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace casimir::planar {

namespace {

// The eigenvalues of J, smaller first. The smaller as det/larger: the difference under it would cancel.
std::array<double, 2> inertiaEigenvalues(const TwoBody& bodies)
{
    const double root = std::hypot(bodies.inertiaDifference(), 2 * bodies.coupling());
    const double larger = 0.5 * (bodies.I1Tilde() + bodies.I2Tilde() + root);
    return {bodies.straightDeterminant() / larger, larger};
}

EquilibriumCircle circleOf(const TwoBody& bodies)
{
    EquilibriumCircle circle;
    const double s = bodies.stretchedInertia();
    circle.omega = bodies.mu() / s;
    circle.energy = 0.5 * bodies.mu() * circle.omega;
    circle.nu = -0.5 * bodies.inertiaDifference() * circle.omega;
    circle.stability = "degenerate";
    if (bodies.mu() == 0) {
        circle.nu = circle.mu1 = circle.mu2 = circle.omega = circle.energy = 0;
        circle.detail =
            "With μ = 0 the amended potential vanishes: at ν = 0 the bodies rest at any joint angle. The "
            "second "
            "variation is zero along the circle, and the slightest ν makes the joint turn, so no single "
            "state of it is stable; the circle as a whole is, since H = S ν²/(2 Δ) is least on it.";
    } else {
        circle.mu1 = bodies.I1Tilde() * circle.omega;
        circle.mu2 = bodies.I2Tilde() * circle.omega;
        circle.detail = fmt::format(
            "With d1 d2 = 0 the hinge sits at a centre of mass, nothing couples the bodies and both spin at "
            "their own "
            "constant rates: every joint angle is an equilibrium at ν = {:.12g}, where both rates are "
            "{:.12g}. The second "
            "variation is zero along the circle; the circle as a whole is stable, no single state of it is.",
            circle.nu, circle.omega);
    }
    return circle;
}

} // namespace

TwoBodyEquilibrium equilibrium(const TwoBody& bodies, int sigma)
{
    if (sigma != 1 && sigma != -1)
        throw Error(
            fmt::format("An equilibrium of two bodies is stretched (1) or folded (-1), not {}.", sigma));
    if (bodies.hasCircleOfEquilibria())
        throw Error(
            fmt::format("μ = {} and coupling ε d₁ d₂ = {}: the equilibria form a circle, not two points.",
                        bodies.mu(), bodies.coupling()));

    const double D = bodies.coupling(), s = bodies.lockedInertiaAt(sigma), det = bodies.straightDeterminant();
    const TwoBodyParameters& p = bodies.parameters();
    TwoBodyEquilibrium e;
    e.name = sigma > 0 ? "stretched" : "folded";
    e.sigma = sigma;
    e.theta = principalAngle(sigma > 0 ? bodies.theta0() : bodies.theta0() + std::numbers::pi);
    e.omega = bodies.mu() / s;
    e.energy = 0.5 * bodies.mu() * e.omega;
    e.nu = -0.5 * bodies.inertiaDifference() * e.omega;
    // mu_i = (Ii~ + sigma D) omega, with eps d_i factored out
    e.mu1 = (p.I1 + bodies.epsilon() * p.d1 * (p.d1 + sigma * p.d2)) * e.omega;
    e.mu2 = (p.I2 + bodies.epsilon() * p.d2 * (p.d2 + sigma * p.d1)) * e.omega;

    e.d2Hdtheta2 = sigma * D * e.omega * e.omega;
    e.d2Hdnu2 = s / det;
    const double rate = std::sqrt(D * s / det) * std::abs(e.omega); // sqrt(D mu^2/(Delta_e S))
    if (sigma > 0)
        e.eigenvalues = {std::complex<double>(0, -rate), std::complex<double>(0, rate)};
    else
        e.eigenvalues = {std::complex<double>(-rate, 0), std::complex<double>(rate, 0)};
    e.leafSignature = sigma > 0 ? Signature{2, 0, 0} : Signature{1, 1, 0};

    // (5.9); its printed first entry carries a stray lambda that would make the folded state look definite
    // too.
    const double c = sigma * D;
    e.secondVariation << e.d2Hdtheta2, 0, 0, 0, bodies.I2Tilde() / det, -c / det, 0, -c / det,
        bodies.I1Tilde() / det;
    const auto [small, large] = inertiaEigenvalues(bodies);
    e.secondVariationEigenvalues = {e.d2Hdtheta2, 1 / large, 1 / small};
    std::sort(e.secondVariationEigenvalues.begin(), e.secondVariationEigenvalues.end());
    e.signature = sigma > 0 ? Signature{3, 0, 0} : Signature{2, 1, 0};

    if (sigma > 0) {
        e.stability = "stable";
        e.basis = "energy-Casimir";
        e.detail =
            fmt::format("H + Φ with Φ' = {:.6g} and Φ'' = 0 has a positive definite second variation "
                        "(∂²H/∂θ² = {:.6g} > 0), so the stretched state is Liapunov stable on its leaf "
                        "and beside it; small "
                        "oscillations have the rate {:.6g}.",
                        -e.omega, e.d2Hdtheta2, rate);
    } else {
        e.stability = "unstable";
        e.basis = "linearisation";
        e.detail =
            fmt::format("The second variation is indefinite whatever Φ'' is (∂²H/∂θ² = {:.6g} < 0), and the "
                        "linearisation has the real eigenvalue {:.6g} > 0: the folded state is a saddle.",
                        e.d2Hdtheta2, rate);
    }
    return e;
}

TwoBodyEquilibria equilibria(const TwoBody& bodies)
{
    TwoBodyEquilibria result;
    if (bodies.hasCircleOfEquilibria()) {
        result.circle = circleOf(bodies);
        result.status = Status::failed(
            "degenerate",
            bodies.mu() == 0
                ? "μ = 0: Theorem 2 does not apply; every joint angle with ν = 0 is an equilibrium."
                : "d₁ d₂ = 0: Theorem 2 does not apply; every joint angle is an equilibrium at the ν "
                  "given.");
        return result;
    }
    result.equilibria = {equilibrium(bodies, 1), equilibrium(bodies, -1)};
    return result;
}

} // namespace casimir::planar
