// Section 5: equilibria and their stability by the energy-Casimir method.
#include "core/systems/planar/two_body/two_body_checks.h"

#include "core/numerics/dense.h"

#include <numbers>

namespace casimir::planar::claims {

namespace {

using std::numbers::pi;

double thetaSlope(const Sample& s)
{
    return gradient(s.f.hamiltonian, s.reduced())[0].real();
}

Eigen::Matrix2d inertiaSlope(const Sample& s)
{
    const double c = s.f.bodies.epsilon() * s.f.lambdaPrime(s.theta()).real();
    return Eigen::Matrix2d{{0, c}, {c, 0}};
}

Eigen::Vector2d velocitiesOf(const Sample& s, double theta, const Eigen::Vector2d& mu)
{
    return s.f.velocities(theta, mu.cast<Complex>()).real();
}

// Derivative of dH/dtheta, dH/dmu1, dH/dmu2 = (-eps lambda' omega1 omega2, omega1, omega2) along one
// coordinate.
Eigen::Vector3d hessianColumn(const Sample& s, int coordinate)
{
    constexpr double h = 1e-30;
    C3 x = s.reduced();
    x[coordinate] += i * h;
    const C2 omega = s.f.velocities(x[0], {x[1], x[2]});
    const Complex slope = -s.f.bodies.epsilon() * s.f.lambdaPrime(x[0]) * omega[0] * omega[1];
    return {slope.imag() / h, omega[0].imag() / h, omega[1].imag() / h};
}

// The mixed entries of (5.8) with the given power of Delta below.
Eigen::Vector2d mixedEntries(const Sample& s, int power)
{
    const TwoBody& b = s.f.bodies;
    const double c = b.epsilon() * s.f.lambda(s.theta()).real(),
                 slope = b.epsilon() * s.f.lambdaPrime(s.theta()).real();
    const double below = std::pow(s.f.delta(s.theta()).real(), power);
    return -slope / below *
           Eigen::Vector2d(b.I2Tilde() * s.omega2 - c * s.omega1, b.I1Tilde() * s.omega1 - c * s.omega2);
}

// Second difference along theta of H at an equilibrium, the momenta held: (5.9)'s first entry by another
// route.
double secondThetaDerivative(const Sample& s, const TwoBodyEquilibrium& e)
{
    constexpr double h = 1e-30;
    const auto slope = [&](Complex theta) {
        const C2 omega = s.f.velocities(theta, {e.mu1, e.mu2});
        return -s.f.bodies.epsilon() * s.f.lambdaPrime(theta) * omega[0] * omega[1];
    };
    return slope(Complex(e.theta, h)).imag() / h;
}

double firstEntry(const Sample& s, bool strayLambda)
{
    double worst = 0;
    for (const int sigma : {1, -1}) {
        const TwoBodyEquilibrium e = s.f.equilibrium(sigma);
        const double stray = strayLambda ? s.f.lambda(e.theta).real() : 1;
        worst = std::max(worst, off(stray * e.secondVariation(0, 0), secondThetaDerivative(s, e)));
    }
    return worst;
}

double momentumBlock(const Sample& s)
{
    double worst = 0;
    for (const int sigma : {1, -1}) {
        const TwoBodyEquilibrium e = s.f.equilibrium(sigma);
        Eigen::Matrix2d inverse; // omega for unit momenta
        inverse.col(0) = velocitiesOf(s, e.theta, {1, 0});
        inverse.col(1) = velocitiesOf(s, e.theta, {0, 1});
        const double mixed = e.secondVariation.block<1, 2>(0, 1).norm();
        worst = std::max({worst, off(inverse, e.secondVariation.block<2, 2>(1, 1)), mixed});
    }
    return worst;
}

// 0 if (5.9) is definite at the stretched state for random Phi'' >= 0 and indefinite at the folded one for
// any Phi''.
double definiteness(const Sample& s)
{
    const auto eigenvalues = [&](int sigma, double curvature) {
        Eigen::Matrix3d m = s.f.equilibrium(sigma).secondVariation;
        m.block<2, 2>(1, 1).array() += curvature;
        return Eigen::Vector3d(dense::symmetricValues(m));
    };
    for (int k = 0; k < 20; ++k) {
        const Eigen::Vector3d stretched = eigenvalues(1, s.uniform(0, 10)),
                              folded = eigenvalues(-1, s.uniform(-10, 10));
        if (!(stretched[0] > 0) || !(folded[0] < 0 && folded[2] > 0))
            return 1;
    }
    return 0;
}

// (5.10) with the given sign between its terms.
double potential510(const Sample& s, int sign)
{
    const TwoBody& b = s.f.bodies;
    const double I1 = b.I1Tilde(), I2 = b.I2Tilde(), mu2 = b.mu() * b.mu();
    const double c = b.epsilon() * s.f.lambda(s.theta()).real(), det = I1 * I2 - c * c;
    return (0.25 * mu2 * (I1 + I2 - 2 * c) + sign * (I1 - I2) * (I1 - I2) * mu2 / (4 * (I1 + I2 + 2 * c))) /
           (2 * det);
}

// The least value of (1.7b) over the leaf at a fixed joint angle: a parabola through three points of nu.
double leastOnFibre(const Sample& s)
{
    const double mu = s.f.bodies.mu();
    const auto h = [&](double nu) {
        return s.f.hamiltonian({s.theta(), 0.5 * mu - nu, 0.5 * mu + nu}).real();
    };
    const double a = 0.5 * (h(mu) + h(-mu)) - h(0), b = 0.5 * (h(mu) - h(-mu));
    return h(0) - b * b / (4 * a);
}

double firstVariation(const Sample& s)
{
    double worst = 0;
    for (const int sigma : {1, -1}) {
        const TwoBodyEquilibrium e = s.f.equilibrium(sigma);
        const C3 d = gradient(s.f.hamiltonian, {e.theta, e.mu1, e.mu2});
        const double slope = -e.omega; // Phi'
        const C3 sum(d[0] / s.f.bodies.mu(), (d[1] + slope) / e.omega, (d[2] + slope) / e.omega);
        worst = std::max(worst, sum.norm());
    }
    return worst;
}

// Zeros of the field on a leaf: theta' = 0 puts nu at nu0(theta), along which nu' = -V' changes sign at each
// of them.
int equilibriaOnLeaf(const Sample& s)
{
    constexpr int n = 720;
    const auto rate = [&](int k) {
        const double theta = s.p().theta0 + 2 * pi * (k + 0.5) / n;
        return s.f.leafField(theta, s.f.nu0(theta))[1].real();
    };
    int count = 0;
    for (int k = 0; k < n; ++k)
        count += std::signbit(rate(k)) != std::signbit(rate(k + 1)) ? 1 : 0;
    return count;
}

Eigen::Matrix2d leafJacobian(const Sample& s, const TwoBodyEquilibrium& e)
{
    constexpr double h = 1e-30;
    Eigen::Matrix2d a;
    a.col(0) = s.f.leafField(Complex(e.theta, h), e.nu).imag() / h;
    a.col(1) = s.f.leafField(e.theta, Complex(e.nu, h)).imag() / h;
    return a;
}

double theorem2(const Sample& s)
{
    if (equilibriaOnLeaf(s) != 2)
        return 1;
    double worst = 0;
    for (const int sigma : {1, -1}) {
        const TwoBodyEquilibrium e = s.f.equilibrium(sigma);
        const Eigen::Matrix2d a = leafJacobian(s, e);
        const double determinant = a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
        const Complex squared = e.eigenvalues[1] * e.eigenvalues[1];
        if (e.stability != (determinant > 0 ? "stable" : "unstable"))
            return 1;
        const double size = std::sqrt(std::abs(determinant));
        worst = std::max({worst, off(squared, -determinant), std::abs(a.trace()) / size});
    }
    return worst;
}

// The field on the line nu = 0 of the leaf mu = 0, where a single pair of equilibria is claimed.
double theorem2WithoutMomentum(const Sample& s)
{
    TwoBodyParameters p = s.p();
    p.mu = 0;
    const TwoBody b(p);
    const bool rests = b.leafField(s.theta(), 0.0).norm() == 0 && b.leafField(s.theta() + 1, 0.0).norm() == 0;
    return rests ? 1 : 0;
}

double homoclinicOrbit(const Sample& s)
{
    const TwoBodyEquilibrium saddle = s.f.equilibrium(-1);
    double worst = 0;
    for (const int branch : {1, -1}) {
        for (int k = -4; k <= 4; ++k) {
            const double psi = 0.7 * k, theta = s.p().theta0 + psi;
            const Complex nu = s.f.homoclinicNu(psi, branch);
            worst = std::max(worst, off(s.f.leafHamiltonian(theta, nu), saddle.energy));
            if (!(branch * s.f.leafField(theta, nu)[0].real() > 0)) // no rest before the saddle
                return 1;
        }
        const double size = std::abs(saddle.mu1) + std::abs(saddle.mu2);
        for (const double end : {pi, -pi})
            worst = std::max(worst, std::abs(s.f.homoclinicNu(end, branch) - saddle.nu) / size);
    }
    return worst;
}

} // namespace

void addStability(std::vector<Check>& checks)
{
    checks.push_back({"(5.1)",
                      "∂H/∂θ = −½ μ · J⁻¹ (∂J/∂θ) J⁻¹ μ.",
                      "Complex-step derivative of (1.7b).",
                      [](const Sample& s) {
                          const Eigen::Vector2d omega = velocitiesOf(s, s.theta(), s.realMomenta());
                          return off(-0.5 * omega.dot(inertiaSlope(s) * omega), thetaSlope(s));
                      },
                      {},
                      ""});
    checks.push_back({"(5.2)",
                      "∂J/∂θ has ε λ' beside the diagonal and 0 on it.",
                      "Complex-step derivative of J, column by column, from (1.6a).",
                      [](const Sample& s) {
                          constexpr double h = 1e-30;
                          Eigen::Matrix2d slope;
                          slope.col(0) = s.f.momenta(Complex(s.theta(), h), {1, 0}).imag() / h;
                          slope.col(1) = s.f.momenta(Complex(s.theta(), h), {0, 1}).imag() / h;
                          return off(slope, inertiaSlope(s));
                      },
                      {},
                      ""});
    checks.push_back(
        {"(5.3), (5.4)",
         "∂H/∂θ = −ε λ' ω₁ ω₂.",
         "Complex-step derivative of (1.7b).",
         [](const Sample& s) { return off(-inertiaSlope(s)(0, 1) * s.omega1 * s.omega2, thetaSlope(s)); },
         {},
         ""});
    const auto rest = [](const Sample& s, bool swapped) { // of theta' = 0 with mu = J (1, 1)
        const Eigen::Vector2d mu = s.f.momenta(s.theta(), C2(1, 1)).real();
        const double c = s.f.bodies.epsilon() * s.f.lambda(s.theta()).real();
        const double a = swapped ? s.f.bodies.I1Tilde() : s.f.bodies.I2Tilde();
        const double b = swapped ? s.f.bodies.I2Tilde() : s.f.bodies.I1Tilde();
        return off(a * mu[0] - c * mu[1], b * mu[1] - c * mu[0]);
    };
    checks.push_back(
        {"after (5.4)", "θ' = 0 if Ĩ₂ μ₁ − ε λ μ₂ = Ĩ₁ μ₂ − ε λ μ₁.",
         "Both sides at equal angular velocities.", [rest](const Sample& s) { return rest(s, false); },
         [rest](const Sample& s) { return rest(s, true); }, "Printed with Ĩ₁ and Ĩ₂ exchanged."});
    checks.push_back(
        {"(5.5)", "∂H/∂θ = −ε λ' ω₁ ω₂, ∂H/∂μ_i = ω_i.", "Complex-step gradient of (1.7b).",
         [](const Sample& s) {
             const C3 formula(-inertiaSlope(s)(0, 1) * s.omega1 * s.omega2, s.omega1, s.omega2);
             return off(formula, gradient(s.f.hamiltonian, s.reduced()));
         },
         [](const Sample& s) { return off(inertiaSlope(s)(0, 1) * s.omega1 * s.omega2, thetaSlope(s)); },
         "Printed: ∂H/∂θ = +ε λ' ω₁ ω₂; the sign is that of (5.4)."});
    checks.push_back({"(5.6), (5.7)",
                      "The equilibria are critical points of H + Φ with Φ' = −ω_e; Φ'' is free.",
                      "First variation of H + Φ at both equilibria, by complex step.",
                      firstVariation,
                      {},
                      {}});
    checks.push_back({"(5.8), mixed entries", "∂²H/∂θ∂μ₁ = −(ε λ'/Δ)(Ĩ₂ ω₂ − ε λ ω₁), and so for μ₂.",
                      "Complex-step derivative of ω along θ, and the Hessian in closed form.",
                      [](const Sample& s) {
                          const Eigen::Vector3d x = s.reduced().real();
                          const Eigen::Vector2d column = hessianColumn(s, 0).tail<2>();
                          return off(mixedEntries(s, 1), column) +
                                 off(s.f.hessian(x).col(0).tail<2>(), column);
                      },
                      [](const Sample& s) { return off(mixedEntries(s, 2), hessianColumn(s, 0).tail<2>()); },
                      "Printed with Δ² below instead of Δ."});
    checks.push_back({"(5.8), other entries",
                      "∂²H/∂θ² and ∂²H/∂μ_i∂μ_j = J⁻¹ as printed.",
                      "Complex-step derivatives of the gradient in all three coordinates.",
                      [](const Sample& s) {
                          Eigen::Matrix3d h;
                          for (int k = 0; k < 3; ++k)
                              h.col(k) = hessianColumn(s, k);
                          const Eigen::Matrix3d closed = s.f.hessian(s.reduced().real());
                          return off(closed(0, 0), h(0, 0)) +
                                 off(closed.block<2, 2>(1, 1), h.block<2, 2>(1, 1));
                      },
                      {},
                      ""});
    checks.push_back({"(5.9), first entry", "At the equilibria ∂²H/∂θ² = ±ε d₁ d₂ ω_e².",
                      "Complex-step derivative of ∂H/∂θ at both equilibria.",
                      [](const Sample& s) { return firstEntry(s, false); },
                      [](const Sample& s) { return firstEntry(s, true); },
                      "Printed: ±ε λ d₁ d₂ ω_e². The stray λ changes sign with ±, and "
                      "would make the folded "
                      "state look definite too."});
    checks.push_back(
        {"(5.9), block",
         "The rest of the second variation is J⁻¹ + Φ'' [[1, 1], [1, 1]], without mixed entries.",
         "ω at unit momenta, at both equilibria (Φ'' = 0).",
         momentumBlock,
         {},
         ""});
    checks.push_back({"after (5.9)",
                      "Definite at the stretched state if Φ'' ≥ 0, indefinite at the folded one for any Φ''.",
                      "Eigenvalues of (5.9) for random Φ''.",
                      definiteness,
                      {},
                      ""});
    checks.push_back(
        {"(5.10)", "V = 1/(2 Δ)[μ² (Ĩ₁ + Ĩ₂ − 2 ε λ)/4 − (Ĩ₁ − Ĩ₂)² μ²/(4 S)] = μ²/(2 S).",
         "The least value of (1.7b) on the leaf at a fixed joint angle, from three values of H.",
         [](const Sample& s) {
             const double least = leastOnFibre(s);
             return off(potential510(s, -1), least) + off(s.f.amendedPotential(s.theta()), least);
         },
         [](const Sample& s) { return off(potential510(s, 1), leastOnFibre(s)); },
         "Printed with a plus between the terms. With the minus they collapse to μ²/(2 S), S = Ĩ₁ + Ĩ₂ + "
         "2 ε λ."});
    checks.push_back({"Theorem 2",
                      "On each leaf, if μ ≠ 0 and d₁ d₂ ≠ 0, one equilibrium is stable and one unstable.",
                      "Zeros of the field counted around the leaf; its linearisation at both by complex "
                      "step. The form as printed is "
                      "tried at μ = 0.",
                      theorem2, theorem2WithoutMomentum,
                      "Printed without the conditions. On the leaf μ = 0 every joint angle with ν = 0 is "
                      "an equilibrium, and with "
                      "d₁ d₂ = 0 every joint angle is one on each leaf."});
    checks.push_back({"Theorem 2, homoclinic",
                      "A pair of homoclinic orbits joins the unstable equilibrium to itself.",
                      "The closed form ν_h(ψ): its energy is the saddle's, θ never rests on it, and "
                      "both ends are the saddle.",
                      homoclinicOrbit,
                      {},
                      ""});
}

} // namespace casimir::planar::claims
