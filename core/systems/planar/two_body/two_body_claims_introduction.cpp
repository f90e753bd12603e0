// Section 1: the equations of motion, the momenta, the energy and the bracket; and sections 3 and 4, the
// reduction.
#include "core/systems/planar/two_body/two_body_checks.h"

#include <Eigen/LU>

namespace casimir::planar::claims {

namespace {

// (1.5) put into Newton's and Euler's laws with the force F that the hinge exerts on body 1.
double newtonEuler(const Sample& s)
{
    const C3 rate = s.f.velocityField({s.theta(), s.omega1, s.omega2});
    const double a1 = rate[1].real(), a2 = rate[2].real();
    const Plane arm1 = turned(s.theta1, s.d12), arm2 = turned(s.theta2, s.d21);
    const Plane relative = (i * a1 - s.omega1 * s.omega1) * arm1 - (i * a2 - s.omega2 * s.omega2) * arm2;
    const Plane force = -(s.p().m1 * s.p().m2 / s.m()) * relative;
    const double size =
        std::abs(force) * (s.p().d1 + s.p().d2) + std::abs(s.p().I1 * a1) + std::abs(s.p().I2 * a2);
    const double residual1 = s.p().I1 * a1 - cross(arm1, force),
                 residual2 = s.p().I2 * a2 + cross(arm2, force);
    return (std::abs(residual1) + std::abs(residual2)) / size + off(rate[0], s.omega2 - s.omega1);
}

// dK/domega from the embedding; exact for a quadratic form.
Eigen::Vector2d embeddedMomenta(const Sample& s)
{
    return {0.5 * (s.embeddedEnergy(s.omega1 + 1, s.omega2) - s.embeddedEnergy(s.omega1 - 1, s.omega2)),
            0.5 * (s.embeddedEnergy(s.omega1, s.omega2 + 1) - s.embeddedEnergy(s.omega1, s.omega2 - 1))};
}

// d/dt of (theta, mu1, mu2) along (1.5), through (1.6a).
C3 momentaRates(const Sample& s)
{
    constexpr double h = 1e-30;
    const C3 rate = s.f.velocityField({s.theta(), s.omega1, s.omega2});
    const C2 omega(s.omega1 + i * h * rate[1], s.omega2 + i * h * rate[2]);
    const C2 mu = s.f.momenta(s.theta() + i * h * rate[0], omega);
    return {rate[0], mu[0].imag() / h, mu[1].imag() / h};
}

// A test function F(x) = sin(a . x) with its gradient, both at complex arguments.
struct Wave {
    Eigen::Vector3d a;
    Complex phase(const C3& x) const { return a[0] * x[0] + a[1] * x[1] + a[2] * x[2]; }
    Complex operator()(const C3& x) const { return std::sin(phase(x)); }
    C3 gradientAt(const C3& x) const { return a.cast<Complex>() * std::cos(phase(x)); }
};

Wave randomWave(const Sample& s)
{
    return {{s.uniform(-2, 2), s.uniform(-2, 2), s.uniform(-2, 2)}};
}

double poissonLaws(const Sample& s)
{
    const Wave F = randomWave(s), G = randomWave(s), K = randomWave(s);
    const C3 x = s.reduced();
    const auto nested = [&](const Wave& A, const Wave& B, const Wave& C) { // {A, {B, C}}
        const auto inner = [&](const C3& y) { return s.f.bracket(B.gradientAt(y), C.gradientAt(y)); };
        return s.f.bracket(A.gradientAt(x), gradient(inner, x));
    };
    const Complex jacobi1 = nested(F, G, K), jacobi2 = nested(G, K, F), jacobi3 = nested(K, F, G);
    const double size = std::abs(jacobi1) + std::abs(jacobi2) + std::abs(jacobi3);
    const Complex FG = s.f.bracket(F.gradientAt(x), G.gradientAt(x)),
                  GF = s.f.bracket(G.gradientAt(x), F.gradientAt(x));
    const auto product = [&](const C3& y) { return F(y) * G(y); };
    const Complex leibniz = s.f.bracket(gradient(product, x), K.gradientAt(x));
    const Complex byRule = F(x) * s.f.bracket(G.gradientAt(x), K.gradientAt(x)) +
                           G(x) * s.f.bracket(F.gradientAt(x), K.gradientAt(x));
    return std::abs(jacobi1 + jacobi2 + jacobi3) / size + off(FG, -GF) + off(leibniz, byRule);
}

double casimirs(const Sample& s)
{
    const Wave F = randomWave(s);
    const C3 x = s.reduced(), dF = F.gradientAt(x);
    const double slope = s.uniform(0.5, 2); // Phi'
    const C3 dC(0, slope, slope);
    const C3 rates = momentaRates(s);
    return std::abs(s.f.bracket(dF, dC)) / (dF.norm() * dC.norm()) +
           std::abs(rates[1] + rates[2]) / rates.norm();
}

double canonicalLeaf(const Sample& s)
{
    const Wave F = randomWave(s), G = randomWave(s);
    const double theta = s.theta(), nu = s.leafNu(), mu = s.f.bodies.mu();
    const auto at = [mu](Complex t, Complex n) { return C3(t, 0.5 * mu - n, 0.5 * mu + n); };
    const auto byTheta = [&](const Wave& A) {
        return complexStep([&](Complex t) { return A(at(t, nu)); }, theta);
    };
    const auto byNu = [&](const Wave& A) {
        return complexStep([&](Complex n) { return A(at(theta, n)); }, nu);
    };
    const C3 x = at(theta, nu);
    return off(s.f.bracket(F.gradientAt(x), G.gradientAt(x)), byTheta(F) * byNu(G) - byTheta(G) * byNu(F));
}

// The printed digits of the caption of Fig. 1: the inferred parameters must reproduce them when cut off
// there.
double figure1(const Sample&)
{
    const TwoBody b({100, 125, 50, 50, 1, 0.6, 0, 50});
    const auto cut = [](double x) { return std::floor(100 * x + 1e-9) / 100; };
    return off(cut(b.I1Tilde()), 105.55) + off(cut(b.I2Tilde()), 70) + off(cut(b.epsilon()), 55.55) +
           off(b.mu(), 50);
}

Eigen::Matrix3d poissonTensor(const Sample& s)
{
    Eigen::Matrix3d tensor;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            tensor(a, b) = s.f.bracket(C3::Unit(a), C3::Unit(b)).real();
    return tensor;
}

double theorem1(const Sample& s)
{
    const Eigen::Matrix3d tensor = poissonTensor(s);
    const double kernel = (tensor * Eigen::Vector3d(0, 1, 1)).norm();
    return tensor.fullPivLu().rank() == 2 ? kernel : 1;
}

C3 hamiltonsEquations(const Sample& s)
{
    const C3 x = s.reduced(), dH = gradient(s.f.hamiltonian, x);
    return {s.f.bracket(C3::Unit(0), dH), s.f.bracket(C3::Unit(1), dH), s.f.bracket(C3::Unit(2), dH)};
}

// Angular momentum of the embedded bodies about their centre of mass.
double angularMomentum(const Sample& s)
{
    const Plane apart = turned(s.theta1, s.d12) - turned(s.theta2, s.d21);
    const Plane r1 = -(s.p().m2 / s.m()) * apart, r2 = (s.p().m1 / s.m()) * apart;
    return s.p().m1 * cross(r1, s.velocity1(s.omega1, s.omega2)) +
           s.p().m2 * cross(r2, s.velocity2(s.omega1, s.omega2)) + s.p().I1 * s.omega1 + s.p().I2 * s.omega2;
}

// (4.4) as printed, term by term; it is right.
double leafHamiltonianPrinted(const Sample& s, double theta, double nu)
{
    const double I1 = s.f.bodies.I1Tilde(), I2 = s.f.bodies.I2Tilde(), mu = s.f.bodies.mu();
    const double c = s.f.bodies.epsilon() * s.f.lambda(theta).real(), det = I1 * I2 - c * c;
    return ((I1 + I2 + 2 * c) * nu * nu + (I1 - I2) * mu * nu + 0.25 * mu * mu * (I1 + I2 - 2 * c)) /
           (2 * det);
}

} // namespace

void addIntroduction(std::vector<Check>& checks)
{
    checks.push_back({"Fig. 1",
                      "The portrait is drawn for Ĩ₁ = 105.55, Ĩ₂ = 70, ε = 55.55, μ = 50.",
                      "The augmented inertias of m₁ = 100, m₂ = 125, I₁ = I₂ = 50, d₁ = 1, d₂ = 0.6 "
                      "(inferred: the caption gives "
                      "no lengths), cut after two decimals as the caption cuts them.",
                      figure1,
                      {},
                      ""});
    checks.push_back(
        {"(1.5)",
         "The joint angle and the angular velocities obey (1.5).",
         "The accelerations of (1.5) in Newton's and Euler's laws of both bodies with the hinge force.",
         newtonEuler,
         {},
         ""});
    checks.push_back({"(1.6)",
                      "The momenta are μ = J ω, with J of (1.6b).",
                      "∂K/∂ω of the kinetic energy of the bodies embedded in the plane, and J⁻¹ back again.",
                      [](const Sample& s) {
                          const Eigen::Vector2d mu = s.realMomenta();
                          const C2 back = s.f.velocities(s.theta(), mu.cast<Complex>());
                          return off(mu, embeddedMomenta(s)) + off(back, s.omega());
                      },
                      {},
                      ""});
    checks.push_back({"(1.7a)",
                      "H = ½ ω · J ω is the total kinetic energy.",
                      "Kinetic energy of the embedded bodies, from the velocities the hinge allows.",
                      [](const Sample& s) {
                          return off(s.f.kineticEnergy(s.theta(), s.omega()),
                                     s.embeddedEnergy(s.omega1, s.omega2));
                      },
                      {},
                      ""});
    checks.push_back(
        {"(1.7b)",
         "H = ½ μ · J⁻¹ μ is the same energy.",
         "H at μ = ∂K/∂ω against the kinetic energy of the embedded bodies.",
         [](const Sample& s) {
             const Eigen::Vector2d mu = embeddedMomenta(s);
             return off(s.f.hamiltonian({s.theta(), mu[0], mu[1]}), s.embeddedEnergy(s.omega1, s.omega2));
         },
         {},
         ""});
    checks.push_back({"(1.8)",
                      "{F, H} = {F, H}_2 − {F, H}_1 is a Poisson bracket.",
                      "Antisymmetry, Leibniz' rule and Jacobi's identity for random F, G, K.",
                      poissonLaws,
                      {},
                      ""});
    checks.push_back({"(1.8), motion",
                      "(1.5) is equivalent to F' = {F, H}.",
                      "{θ, H}, {μ₁, H}, {μ₂, H} against the rates that (1.5) gives μ = J ω.",
                      [](const Sample& s) { return off(hamiltonsEquations(s), momentaRates(s)); },
                      {},
                      ""});
    checks.push_back({"(1.9)",
                      "Functions of μ₁ + μ₂ are Casimirs, and μ is constant along (1.5).",
                      "{F, Φ(μ₁ + μ₂)} for random F and Φ, and μ' along (1.5).",
                      casimirs,
                      {},
                      ""});
    checks.push_back({"(1.10)",
                      "On a leaf the bracket is canonical in (θ, ν), ν = (μ₂ − μ₁)/2.",
                      "The bracket of random F, G against their derivatives along the leaf.",
                      canonicalLeaf,
                      {},
                      ""});
}

void addReduction(std::vector<Check>& checks)
{
    checks.push_back({"(3.3), (3.4)",
                      "The momentum of translations is p = m r', and it separates from the rest.",
                      "dK/dr' of the embedded bodies with a moving centre of mass.",
                      [](const Sample& s) {
                          const auto energy = [&](Plane v) {
                              return 0.5 * (s.p().m1 * std::norm(v + s.velocity1(s.omega1, s.omega2)) +
                                            s.p().m2 * std::norm(v + s.velocity2(s.omega1, s.omega2)));
                          };
                          const Plane v = s.centreVelocity;
                          const Plane p(0.5 * (energy(v + 1.0) - energy(v - 1.0)),
                                        0.5 * (energy(v + i) - energy(v - i)));
                          return off(p, s.m() * v);
                      },
                      {},
                      ""});
    checks.push_back({"(4.1)",
                      "The momentum map of the rotations is μ₁ + μ₂.",
                      "Angular momentum of the embedded bodies about the common centre of mass.",
                      [](const Sample& s) { return off(s.realMomenta().sum(), angularMomentum(s)); },
                      {},
                      ""});
    checks.push_back({"section 4, leaf coordinates", "(θ, μ₂) and (−θ, μ₁) are canonical on a leaf.",
                      "{θ, μ₂} = 1 and {−θ, μ₁} = 1 by (1.8).",
                      [](const Sample& s) {
                          return off(s.f.bracket(C3::Unit(0), C3::Unit(2)), 1) +
                                 off(s.f.bracket(-C3::Unit(0), C3::Unit(1)), 1);
                      },
                      [](const Sample& s) { return off(s.f.bracket(C3::Unit(0), C3::Unit(1)), 1); },
                      "Printed: (θ₂, μ₂) or (θ₁, μ₁), each canonical. θ₁ and θ₂ are "
                      "no functions on the "
                      "quotient, and with the joint angle {θ, μ₁} = −1."});
    checks.push_back({"(4.3)",
                      "H = 1/(2 Δ) μ · [[Ĩ₂, −ε λ], [−ε λ, Ĩ₁]] μ.",
                      "The printed matrix, with the determinant of J from the embedding, against the "
                      "embedded kinetic energy.",
                      [](const Sample& s) {
                          const Eigen::Vector2d mu = s.realMomenta();
                          const double c = s.f.bodies.epsilon() * s.f.lambda(s.theta()).real();
                          const double value = (s.f.bodies.I2Tilde() * mu[0] * mu[0] - 2 * c * mu[0] * mu[1] +
                                                s.f.bodies.I1Tilde() * mu[1] * mu[1]) /
                                               (2 * s.f.delta(s.theta()).real());
                          return off(value, s.embeddedEnergy(s.omega1, s.omega2));
                      },
                      {},
                      ""});
    checks.push_back(
        {"(4.4)",
         "H on the leaf as a quadratic in ν, and with the square completed.",
         "The printed quadratic and the completed square against (1.7b) at μ₁ = μ/2 − ν, μ₂ = μ/2 + ν.",
         [](const Sample& s) {
             const double theta = s.theta(), nu = s.leafNu(), mu = s.f.bodies.mu();
             const Complex h = s.f.hamiltonian({theta, 0.5 * mu - nu, 0.5 * mu + nu});
             const double c = s.f.nu0(theta).real();
             const Complex kinetic =
                 s.f.lockedInertia(theta) / (2.0 * s.f.delta(theta)) * (nu - c) * (nu - c);
             return off(leafHamiltonianPrinted(s, theta, nu), h) + off(s.f.leafHamiltonian(theta, nu), h) +
                    off(kinetic + s.f.amendedPotential(theta), h);
         },
         {},
         ""});
    checks.push_back({"(4.5)",
                      "θ' = H_{μ₂} − H_{μ₁}, μ₁' = H_θ, μ₂' = −H_θ.",
                      "The field in closed form against complex-step derivatives of H.",
                      [](const Sample& s) {
                          const C3 d = gradient(s.f.hamiltonian, s.reduced());
                          return off(s.f.reducedField(s.reduced()), C3(d[2] - d[1], d[0], -d[0]));
                      },
                      {},
                      ""});
    checks.push_back({"(4.6)",
                      "θ' = H_ν, ν' = −H_θ with H of (4.4).",
                      "The field on the leaf against complex-step derivatives of (4.4), and against (4.5).",
                      [](const Sample& s) {
                          const double theta = s.theta(), nu = s.leafNu(), mu = s.f.bodies.mu();
                          const auto h = s.f.leafHamiltonian;
                          const double byTheta = complexStep([&](Complex t) { return h(t, nu); }, theta);
                          const double byNu = complexStep([&](Complex n) { return h(theta, n); }, nu);
                          const C2 field = s.f.leafField(theta, nu);
                          const C3 whole = s.f.reducedField({theta, 0.5 * mu - nu, 0.5 * mu + nu});
                          return off(field, C2(byNu, -byTheta)) +
                                 off(field, C2(whole[0], 0.5 * (whole[2] - whole[1])));
                      },
                      {},
                      ""});
    checks.push_back({"Theorem 1",
                      "P = S¹ × R² is a Poisson manifold of three dimensions whose leaves are cylinders.",
                      "The Poisson tensor of (1.8) has rank 2, and d(μ₁ + μ₂) spans its kernel.", theorem1,
                      [](const Sample& s) { return std::abs(poissonTensor(s).cols() - 2) / 2.0; },
                      "Printed: P = S¹ × R, which has two dimensions, not three."});
}

} // namespace casimir::planar::claims
