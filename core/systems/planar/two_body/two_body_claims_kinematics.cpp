// Section 2: the hinge constraint and the kinetic energy, body by body.
#include "core/systems/planar/two_body/two_body_checks.h"

namespace casimir::planar::claims {

namespace {

// A body as point masses about their centre: what the integrals of (2.3) to (2.7) stand for.
struct PointMasses {
    std::vector<double> mass;
    std::vector<Eigen::Vector2d> at;
    double total = 0, inertia = 0;                    // sum m, sum m |X|^2
    Eigen::Matrix2d tensor = Eigen::Matrix2d::Zero(); // (2.6), sum m X X^T
};

PointMasses randomBody(const Sample& s)
{
    PointMasses body;
    Eigen::Vector2d centre = Eigen::Vector2d::Zero();
    for (int k = 0; k < 5; ++k) {
        body.mass.push_back(s.uniform(0.5, 2));
        body.at.emplace_back(s.uniform(-1, 1), s.uniform(-1, 1));
        body.total += body.mass.back();
        centre += body.mass.back() * body.at.back();
    }
    for (std::size_t k = 0; k < body.mass.size(); ++k) {
        body.at[k] -= centre / body.total;
        body.inertia += body.mass[k] * body.at[k].squaredNorm();
        body.tensor += body.mass[k] * body.at[k] * body.at[k].transpose();
    }
    return body;
}

Eigen::Matrix2d rotation(double angle)
{
    Eigen::Matrix2d r;
    r << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    return r;
}

Eigen::Matrix2d hat(double omega)
{
    Eigen::Matrix2d w;
    w << 0, -omega, omega, 0;
    return w;
}

Eigen::Vector2d vectorOf(Plane z)
{
    return {z.real(), z.imag()};
}

double hinge(const Sample& s)
{
    const TwoBodyPlacement at = s.f.placement(s.theta1, s.theta());
    const Eigen::Vector2d arm1 = rotation(s.theta1) * s.f.bodies.d12(),
                          arm2 = rotation(s.theta2) * s.f.bodies.d21();
    const Eigen::Vector2d centre = (s.p().m1 * at.r1 + s.p().m2 * at.r2) / s.m();
    return off(at.r2, at.r1 + arm1 - arm2) + off(at.hinge, at.r2 + arm2) +
           centre.norm() / (at.r1.norm() + at.r2.norm());
}

double bodyEnergy(const Sample& s)
{
    const PointMasses body = randomBody(s);
    const Eigen::Matrix2d rate = rotation(s.theta1) * hat(s.omega1);
    const Eigen::Vector2d drift = vectorOf(s.centreVelocity);
    double energy = 0;
    for (std::size_t k = 0; k < body.mass.size(); ++k)
        energy += 0.5 * body.mass[k] * (rate * body.at[k] + drift).squaredNorm();
    const double formula =
        0.5 * (rate * body.tensor * rate.transpose()).trace() + 0.5 * body.total * drift.squaredNorm();
    return off(energy, formula);
}

double rotationRate(const Sample& s)
{
    Eigen::Matrix2d rate; // entry by entry along theta1 + omega1 t
    const auto cosine = [&](Complex t) { return std::cos(s.theta1 + s.omega1 * t); };
    const auto sine = [&](Complex t) { return std::sin(s.theta1 + s.omega1 * t); };
    const double c = complexStep(cosine, 0), d = complexStep(sine, 0);
    rate << c, -d, d, c;
    return off(rate, rotation(s.theta1) * hat(s.omega1));
}

// d/dt of (2.12) through the placement that is tested as (2.1), by differences of high order.
Eigen::Vector2d placementRate(const Sample& s)
{
    const auto at = [&](double t) {
        return s.f.placement(s.theta1 + s.omega1 * t, s.theta() + (s.omega2 - s.omega1) * t).r2;
    };
    const double h = 1e-2;
    return (672 * (at(h) - at(-h)) - 168 * (at(2 * h) - at(-2 * h)) + 32 * (at(3 * h) - at(-3 * h)) -
            3 * (at(4 * h) - at(-4 * h))) /
           (840 * h);
}

Eigen::Vector2d velocity217(const Sample& s)
{
    return s.p().m1 / s.m() *
           (rotation(s.theta1) * hat(s.omega1) * s.f.bodies.d12() -
            rotation(s.theta2) * hat(s.omega2) * s.f.bodies.d21());
}

double movingEnergy(const Sample& s)
{
    return s.embeddedEnergy(s.omega1, s.omega2) + 0.5 * s.m() * std::norm(s.centreVelocity);
}

// (2.18) with the given factor before its last term.
double lagrangian218(const Sample& s, double factor)
{
    const Eigen::Vector2d d12 = vectorOf(s.d12), d21 = vectorOf(s.d21);
    const double last = (hat(s.omega1) * d12 - rotation(s.theta()) * hat(s.omega2) * d21).squaredNorm();
    return 0.5 * (s.p().I1 * s.omega1 * s.omega1 + s.p().I2 * s.omega2 * s.omega2) +
           0.5 * s.m() * std::norm(s.centreVelocity) + factor * s.p().m1 * s.p().m2 / s.m() * last;
}

double directEnergy(const Sample& s)
{
    const Plane v1 = s.centreVelocity + s.velocity1(s.omega1, s.omega2);
    const Plane v2 = s.centreVelocity + s.velocity2(s.omega1, s.omega2);
    return 0.5 * (s.p().m1 * std::norm(v1) + s.p().m2 * std::norm(v2) + s.p().I1 * s.omega1 * s.omega1 +
                  s.p().I2 * s.omega2 * s.omega2);
}

// lambda from the energy of the embedded bodies: eps lambda = K(1, 1) - K(1, 0) - K(0, 1).
double embeddedLambda(const Sample& s)
{
    const double c = s.embeddedEnergy(1, 1) - s.embeddedEnergy(1, 0) - s.embeddedEnergy(0, 1);
    return c / (s.p().m1 * s.p().m2 / s.m());
}

// lambda by its definition -d12 . R(theta) d21 for vectors along one line, antiparallel (-1) or parallel
// (+1).
double alignedLambda(const Sample& s, int sign)
{
    const Plane d12 = std::polar(s.p().d1, 0.3), d21 = static_cast<double>(sign) * std::polar(s.p().d2, 0.3);
    return -dot(d12, turned(s.theta(), d21));
}

double inertia219(const Sample& s, double factor)
{
    const PointMasses body = randomBody(s);
    const double trace = 0.5 * (hat(s.omega1) * body.tensor * hat(s.omega1).transpose()).trace();
    return off(trace, factor * s.omega1 * s.omega1 * body.inertia);
}

} // namespace

void addKinematics(std::vector<Check>& checks)
{
    checks.push_back(
        {"(2.1), (2.9)-(2.12)",
         "The hinge constraint fixes both centres of mass about the common one.",
         "The positions of (2.12): the hinge seen from both bodies, and the centre of mass at the origin.",
         hinge,
         {},
         ""});
    checks.push_back({"(2.4)", "|R' X|² = tr(R' X X^T R'^T).", "Both sides for random X and rotation.",
                      [](const Sample& s) {
                          const Eigen::Matrix2d rate = rotation(s.theta1) * hat(s.omega1);
                          const Eigen::Vector2d x = vectorOf(s.d12);
                          return off((rate * x).squaredNorm(),
                                     (rate * x * x.transpose() * rate.transpose()).trace());
                      },
                      [](const Sample& s) {
                          const Eigen::Matrix2d rate = rotation(s.theta1) * hat(s.omega1);
                          const Eigen::Vector2d x = vectorOf(s.d12);
                          return off((rate * x).squaredNorm(), x.dot(x) * (rate * rate.transpose()).trace());
                      },
                      "Printed: X₁^T X₁, a number, for the matrix X₁ X₁^T."});
    checks.push_back({"(2.3), (2.5)-(2.7)",
                      "K₁ = ½ tr(R' I¹ R'^T) + ½ m₁ |r₁'|².",
                      "Kinetic energy summed over random point masses.",
                      bodyEnergy,
                      {},
                      ""});
    checks.push_back({"(2.8), (2.13)-(2.15)",
                      "L is the energy about the centre of mass plus p²/(2m).",
                      "Kinetic energy with a moving centre of mass against the sum of the parts.",
                      [](const Sample& s) { return off(directEnergy(s), movingEnergy(s)); },
                      {},
                      ""});
    checks.push_back({"(2.16)",
                      "R' = R ω̂, ω̂ = [[0, −ω], [ω, 0]].",
                      "Complex-step derivative of R(θ₁ + ω₁ t).",
                      rotationRate,
                      {},
                      ""});
    checks.push_back(
        {"(2.17)", "The velocities of the centres of mass are (m_j/m)(R ω̂ d₁₂ − R ω̂ d₂₁).",
         "Eighth-order difference of the positions (2.12) in time.",
         [](const Sample& s) { return off(velocity217(s), placementRate(s)); },
         [](const Sample& s) { return off(velocity217(s), s.f.placement(s.theta1, s.theta()).r2); },
         "Printed: r₂⁰, r₁⁰ on the left; the dots that make them velocities are missing (perhaps in the "
         "scan only).",
         8});
    checks.push_back(
        {"(2.18)", "L = ½ tr(...) + p²/(2m) + ½ (m₁ m₂/m) |ω̂₁ d₁₂ − R(θ) ω̂₂ d₂₁|².",
         "Kinetic energy of the embedded bodies.",
         [](const Sample& s) { return off(lagrangian218(s, 0.5), directEnergy(s)); },
         [](const Sample& s) { return off(lagrangian218(s, 1), directEnergy(s)); },
         "Printed: the last term without its factor 1/2 (and a bracket not closed); (2.21) has it right."});
    checks.push_back({"(2.19)", "½ tr(ω̂ I¹ ω^T) = ½ ω₁² I₁.", "Both sides for random point masses.",
                      [](const Sample& s) { return inertia219(s, 0.5); },
                      [](const Sample& s) { return inertia219(s, 1); },
                      "Printed: ω₁² tr I¹ = ω₁² I₁, twice too large; (2.21) has it right."});
    checks.push_back({"(2.20)",
                      "The square in (2.18) is ω₁² d₁² + ω₂² d₂² − 2 ω₁ ω₂ <d₁₂, R(θ) d₂₁>.",
                      "The square itself, for random vectors.",
                      [](const Sample& s) {
                          const Plane apart = s.omega1 * s.d12 - s.omega2 * turned(s.theta(), s.d21);
                          const double formula =
                              std::norm(s.omega1 * s.d12) + std::norm(s.omega2 * s.d21) -
                              2 * s.omega1 * s.omega2 * dot(s.d12, turned(s.theta(), s.d21));
                          return off(std::norm(apart), formula);
                      },
                      {},
                      ""});
    checks.push_back({"(2.21)",
                      "L = ½ [ω₁² Ĩ₁ + ω₂² Ĩ₂ + 2 ω₁ ω₂ ε λ] + p²/(2m).",
                      "Kinetic energy of the embedded bodies with a moving centre of mass.",
                      [](const Sample& s) {
                          const TwoBody& b = s.f.bodies;
                          const double value =
                              0.5 * (b.I1Tilde() * s.omega1 * s.omega1 + b.I2Tilde() * s.omega2 * s.omega2) +
                              s.omega1 * s.omega2 * b.epsilon() * s.f.lambda(s.theta()).real() +
                              0.5 * s.m() * std::norm(s.centreVelocity);
                          return off(value, directEnergy(s));
                      },
                      {},
                      ""});
    checks.push_back({"(2.22)",
                      "λ = −[d₁₂ · d₂₁ cos θ − (d₁₂ × d₂₁) sin θ] = d₁ d₂ cos(θ − θ₀).",
                      "The coupling in the energy of the embedded bodies, for vectors in random directions.",
                      [](const Sample& s) {
                          const double formula = -(dot(s.d12, s.d21) * std::cos(s.theta()) -
                                                   cross(s.d12, s.d21) * std::sin(s.theta()));
                          const double scale = s.p().d1 * s.p().d2;
                          return std::abs(formula - embeddedLambda(s)) / scale +
                                 std::abs(s.f.lambda(s.theta()) - embeddedLambda(s)) / scale;
                      },
                      {},
                      ""});
    checks.push_back(
        {"section 2, Remark 1", "If d₁₂ and d₂₁ are antiparallel, λ = d₁ d₂ cos θ.",
         "−<d₁₂, R(θ) d₂₁> for antiparallel vectors.",
         [](const Sample& s) { return off(alignedLambda(s, -1), s.p().d1 * s.p().d2 * std::cos(s.theta())); },
         [](const Sample& s) { return off(alignedLambda(s, 1), s.p().d1 * s.p().d2 * std::cos(s.theta())); },
         "Printed: parallel, here and in section 5. Parallel vectors give λ = −d₁ d₂ cos θ, and the "
         "stable "
         "and the unstable state change places."});
    checks.push_back({"section 2, Remark 2",
                      "Ĩ₁, Ĩ₂ are the inertias of the bodies with a mass ε put at the hinge.",
                      "Twice the kinetic energy of the embedded bodies when one of them turns at unit rate.",
                      [](const Sample& s) {
                          return off(s.f.bodies.I1Tilde(), 2 * s.embeddedEnergy(1, 0)) +
                                 off(s.f.bodies.I2Tilde(), 2 * s.embeddedEnergy(0, 1));
                      },
                      {},
                      ""});
}

} // namespace casimir::planar::claims
