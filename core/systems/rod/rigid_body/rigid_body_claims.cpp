#include "core/systems/rod/rigid_body/rigid_body_claims.h"

#include "core/model/claims.h"
#include "core/numerics/dense.h"
#include "core/numerics/pi.h"

#include <cmath>
#include <memory>
#include <random>

namespace casimir::rod {

namespace {

Vec3 axial(const Mat3& skew)
{
    return {skew(2, 1), skew(0, 2), skew(1, 0)};
}

// Random bodies made of mass points, and a random state.
struct Sample {
    std::mt19937_64 engine;
    RigidBodyFormulas f;
    std::vector<MassPoint> points;  // mass centre at the origin, axes not principal
    std::vector<MassPoint> aligned; // principal axes along the coordinates
    Mat3 turn;
    Vec3 omega, theta, r;

    Sample(unsigned seed, RigidBodyFormulas formulas) : engine(seed), f(std::move(formulas))
    {
        Vec3 centre = Vec3::Zero();
        double mass = 0;
        for (int k = 0; k < 9; ++k) {
            points.push_back({uniform(0.2, 2), vector()});
            mass += points.back().mass;
            centre += points.back().mass * points.back().X;
        }
        for (MassPoint& p : points)
            p.X -= centre / mass;
        const Vec3 arms(uniform(0.5, 0.7), uniform(0.9, 1.1), uniform(1.3, 1.6));
        for (int k = 0; k < 3; ++k)
            for (const double sign : {1.0, -1.0})
                aligned.push_back({1, sign * arms[k] * Vec3::Unit(k)});
        const Vec3 axis = vector().normalized();
        turn = Eigen::AngleAxisd(uniform(0.5, 2.5), axis).toRotationMatrix();
        omega = vector();
        theta = vector();
        r = vector();
    }
    double uniform(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(engine);
    }
    Vec3 vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
    static double massOf(const std::vector<MassPoint>& all)
    {
        double sum = 0;
        for (const MassPoint& p : all)
            sum += p.mass;
        return sum;
    }
    // Moments of the aligned points, by adding up squares.
    Vec3 moments() const
    {
        Vec3 I = Vec3::Zero();
        for (const MassPoint& p : aligned)
            for (int k = 0; k < 3; ++k)
                I[k] += p.mass * (p.X.squaredNorm() - p.X[k] * p.X[k]);
        return I;
    }
    RigidBody body(const Vec3& M) const { return RigidBody({moments(), M.norm()}); }
};

// Fourth-order central difference.
template <class F>
auto slope(F f, double h) -> decltype(f(h))
{
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

void addNotation(std::vector<ClaimCheck>& checks, const std::shared_ptr<Sample>& s)
{
    checks.push_back({"(3.1)", "Ω^ r = Ω x r: the last row of Ω^ is (−Ω_2, +Ω_1, 0).",
                      "Applied to a random vector.",
                      [=] { return off(s->f.hat(s->omega) * s->r, s->omega.cross(s->r)); },
                      [=] {
                          Mat3 printed = hat(s->omega);
                          printed(2, 1) *= -1;
                          return off(printed * s->r, s->omega.cross(s->r));
                      },
                      "Printed (−Ω_2, −Ω_1, 0), which is not skew."});
    checks.push_back({"after (3.1)", "Ω^Θ^ − Θ^Ω^ = (Ω x Θ)^: the bracket of so(3) is the cross product.",
                      "The commutator of two random matrices.",
                      [=] {
                          const Mat3 a = s->f.hat(s->omega), b = s->f.hat(s->theta);
                          return off(axial(a * b - b * a), s->omega.cross(s->theta));
                      },
                      [=] {
                          const Mat3 a = hat(s->omega), b = hat(s->theta);
                          return off(axial(a * b - b * a), s->omega.cross(s->r));
                      },
                      "Printed (Ω x r)^ with the vector r that Ω^ acts on."});
    checks.push_back(
        {"(3.2), (3.2b)",
         "θ^Λ is tangent to SO(3) at Λ: Λ vᵀ + v Λᵀ = 0.",
         "The derivative of exp(ε θ^) Λ by differences, and the condition for it.",
         [=] {
             const Mat3 v = s->f.hat(s->theta) * s->turn;
             const Mat3 curve = slope(
                 [&](double e) -> Mat3 {
                     return Eigen::AngleAxisd(e * s->theta.norm(), s->theta.normalized()).toRotationMatrix() *
                            s->turn;
                 },
                 1e-3);
             const Mat3 condition = s->turn * v.transpose() + v * s->turn.transpose();
             return std::max(off(v, curve), condition.norm());
         },
         {},
         {},
         10});
    checks.push_back(
        {"(3.3), (3.4)", "π·θ = ½ tr(π^ᵀθ^), and the same of π^Λ and θ^Λ: the pairing is invariant.",
         "The dot product of random vectors.", [=] {
             const Mat3 a = s->f.hat(s->omega), b = s->f.hat(s->theta);
             const double dot = s->omega.dot(s->theta);
             return std::max(off(s->f.pairing(a, b), dot), off(s->f.pairing(a * s->turn, b * s->turn), dot));
         }});
}

void addDynamics(std::vector<ClaimCheck>& checks, const std::shared_ptr<Sample>& s)
{
    checks.push_back(
        {"before (3.6)", "A configuration has six degrees of freedom: φ_0 in R³ and Λ_0 in SO(3).",
         "Rank of the kinetic energy of the mass points in the velocity of the centre and the spin.",
         [=] {
             Eigen::Matrix<double, 6, 6> T = Eigen::Matrix<double, 6, 6>::Zero();
             for (const MassPoint& p : s->points) {
                 Eigen::Matrix<double, 3, 6> velocity;
                 velocity << Mat3::Identity(), -s->f.hat(s->turn * p.X);
                 T += p.mass * velocity.transpose() * velocity;
             }
             return std::abs(dense::rank(T) - 6.0) / 6;
         },
         [] { return (6.0 - 4.0) / 6; },
         "Printed φ_0 in R, which leaves four; (3.6) itself has R³ x SO(3)."});
    checks.push_back({"(3.11)", "J_B = Σ ρ (|X|² 1 − X ⊗ X), and I_B = Λ J_B Λᵀ turns with the body.",
                      "½ ω·I_B ω against the kinetic energy of the turned points.", [=] {
                          const Mat3 IB = s->turn * s->f.inertia(s->points) * s->turn.transpose();
                          double T = 0;
                          for (const MassPoint& p : s->points)
                              T += p.mass * s->omega.cross(s->turn * p.X).squaredNorm() / 2;
                          return off(0.5 * s->omega.dot(IB * s->omega), T);
                      }});
    checks.push_back(
        {"(3.9), (3.10)",
         "H = ½ π_0·I_B⁻¹ π_0 + ½ |p_0|²/M_B is the kinetic energy, half the pairing of momenta and "
         "velocities.",
         "Momenta and energy summed over the moving points.", [=] {
             const Vec3 v0 = s->r;
             Vec3 p0 = Vec3::Zero(), pi0 = Vec3::Zero();
             double T = 0;
             for (const MassPoint& p : s->points) {
                 const Vec3 x = s->turn * p.X, v = v0 + s->omega.cross(x);
                 p0 += p.mass * v;
                 pi0 += p.mass * x.cross(v);
                 T += p.mass * v.squaredNorm() / 2;
             }
             const Mat3 IB = s->turn * s->f.inertia(s->points) * s->turn.transpose();
             const double H = s->f.energy(IB, Sample::massOf(s->points), pi0, p0);
             return std::max(off(H, T), off((p0.dot(v0) + pi0.dot(s->omega)) / 2, T));
         }});
    checks.push_back(
        {"section 2, remark 1; abstract (ii), for the body alone",
         "The rigid block of δ²H_ξ is |μ|²(1/I_a − 1/λ): positive about the axis of maximum inertia.",
         "Second differences of H(exp(εη)Λ, π) at fixed π along each axis in turn.",
         [=] {
             const Vec3 I = s->moments();
             double worst = 0;
             for (int axis = 0; axis < 3; ++axis)
                 for (const int other : {(axis + 1) % 3, (axis + 2) % 3}) {
                     const double mu = 1.7;
                     // Turning about one of the two axes across brings the other into play.
                     const auto H = [&](double e) {
                         const Mat3 L = Eigen::AngleAxisd(e, Vec3::Unit(3 - axis - other)).toRotationMatrix();
                         const Mat3 IB = L * I.asDiagonal() * L.transpose();
                         return s->f.energy(IB, 1, mu * Vec3::Unit(axis), Vec3::Zero());
                     };
                     const double h = 2e-3;
                     const double second =
                         (16 * (H(h) + H(-h)) - (H(2 * h) + H(-2 * h)) - 30 * H(0)) / (12 * h * h);
                     worst = std::max(worst, off(s->f.rigidBlock(I[other], I[axis], mu), second));
                 }
             Eigen::Index largest;
             I.maxCoeff(&largest);
             for (const Eigen::Index other : {(largest + 1) % 3, (largest + 2) % 3})
                 if (s->f.rigidBlock(I[other], I[largest], 1) <= 0)
                     worst = 1;
             return worst;
         },
         [=] {
             // Printed: stable about the minimum axis, where both eigenvalues are negative.
             const Vec3 I = s->moments();
             Eigen::Index least;
             I.minCoeff(&least);
             return rigidBodyFormulas().rigidBlock(I[(least + 1) % 3], I[least], 1) > 0 ? 0.0 : 1.0;
         },
         "Printed in the abstract: the minimum axis.", 7});
}

void addPoisson(std::vector<ClaimCheck>& checks, const std::shared_ptr<Sample>& s)
{
    checks.push_back({"planar (1.1), (1.2)",
                      "The (−) Lie-Poisson bracket of so(3)* is {F, G}(l) = −l·(∇F x ∇G).",
                      "−<l, [δF, δG]> with the commutator of matrices and the pairing ½ tr.", [=] {
                          const Mat3 a = hat(s->omega), b = hat(s->theta);
                          const double matrices = -0.5 * (hat(s->r).transpose() * (a * b - b * a)).trace();
                          return off(s->f.bracket(s->r, s->omega, s->theta), matrices);
                      }});
    checks.push_back({"planar (1.1), Jacobi's identity",
                      "The bracket is one: {{F,G},K} + cyclic = 0.",
                      "Quadratic functions ½ l·A l; the gradients of the inner brackets by differences.",
                      [=] {
                          std::array<Mat3, 3> A;
                          for (Mat3& a : A) {
                              a << s->vector(), s->vector(), s->vector();
                              a = (a + a.transpose()).eval();
                          }
                          const auto inner = [&](int i, int j, const Vec3& l) {
                              return s->f.bracket(l, A[static_cast<std::size_t>(i)] * l,
                                                  A[static_cast<std::size_t>(j)] * l);
                          };
                          double sum = 0, scale = 0;
                          for (int i = 0; i < 3; ++i) {
                              const int j = (i + 1) % 3, k = (i + 2) % 3;
                              Vec3 gradient;
                              for (int c = 0; c < 3; ++c)
                                  gradient[c] = slope(
                                      [&](double e) { return inner(i, j, s->r + e * Vec3::Unit(c)); }, 1e-2);
                              const double term =
                                  s->f.bracket(s->r, gradient, A[static_cast<std::size_t>(k)] * s->r);
                              sum += term;
                              scale += std::abs(term);
                          }
                          return std::abs(sum) / scale;
                      },
                      {},
                      {},
                      9});
    checks.push_back(
        {"planar, after (1.1)", "The leaves are the spheres |l| = const: |l|² commutes with everything.",
         "{|l|², F} for a random gradient.", [=] {
             return std::abs(s->f.bracket(s->r, 2 * s->r, s->theta)) / (s->r.squaredNorm() * s->theta.norm());
         }});
    checks.push_back({"planar (1.3)", "Euler's equations dl/dt = l x ω.",
                      "The mass points then feel no torque: Σ m x × a = 0.", [=] {
                          const Vec3 I = s->moments(), l = I.cwiseProduct(s->omega);
                          const Vec3 rate = s->f.field(l, s->omega).cwiseQuotient(I);
                          Vec3 torque = Vec3::Zero();
                          double scale = 0;
                          for (const MassPoint& p : s->aligned) {
                              const Vec3 a = rate.cross(p.X) + s->omega.cross(s->omega.cross(p.X));
                              torque += p.mass * p.X.cross(a);
                              scale += p.mass * p.X.norm() * a.norm();
                          }
                          return torque.norm() / scale;
                      }});
    checks.push_back({"planar (1.4)", "Hamilton's equations dF/dt = {F, H} are Euler's, with H = ½<l, ω>.",
                      "The components of l for F.", [=] {
                          const Vec3 I = s->moments(), l = I.cwiseProduct(s->omega);
                          Vec3 rate;
                          for (int k = 0; k < 3; ++k)
                              rate[k] = s->f.bracket(l, Vec3::Unit(k), l.cwiseQuotient(I));
                          return off(rate, s->f.field(l, l.cwiseQuotient(I)));
                      }});
}

void addSolutions(std::vector<ClaimCheck>& checks, const std::shared_ptr<Sample>& s)
{
    // A state about each outer axis.
    const auto states = [s] {
        const double a = 0.3 + 0.1 * s->uniform(0, 1);
        return std::array<Vec3, 2>{Vec3(1.3, a, 0.2), Vec3(0.2, -a, -1.1)};
    };
    checks.push_back(
        {"planar (1.3), solved",
         "Jacobi's functions solve Euler's equations, and hyperbolic ones between the ends of the "
         "middle axis.",
         "Differences in time against l x ω.",
         [=] {
             double worst = 0;
             std::vector<Vec3> starts;
             for (const Vec3& M : states())
                 starts.push_back(M);
             const RigidBody body = s->body(starts[0]);
             starts.push_back(0.6 * body.heteroclinicDirections()[1] + 0.4 * Vec3::Unit(body.middle()));
             for (const Vec3& M0 : starts) {
                 const RigidBodyMotion motion(body, M0);
                 for (const double t : {0.4, 2.3, -1.1}) {
                     const Vec3 M = motion.momentum(t);
                     const Vec3 rate = slope([&](double h) { return motion.momentum(t + h); }, 1e-3);
                     worst = std::max(worst, off(rate, s->f.field(M, body.velocity(M))));
                 }
             }
             return worst;
         },
         {},
         {},
         8});
    checks.push_back(
        {"(3.10) and planar (1.3), reconstructed",
         "After a period of l the body has turned about its angular momentum by 2HT/|l| less the solid angle "
         "of "
         "the polhode (Montgomery).",
         "The solid angle by quadrature on the sphere.",
         [=] {
             double worst = 0;
             for (const Vec3& M0 : states()) {
                 const RigidBodyMotion motion(s->body(M0), M0);
                 const std::vector<Vec3> loop = motion.polhode(4096);
                 // Signed cap about the axis that is encircled, in the direction of the motion.
                 const int e = motion.axis(), i = (e + 1) % 3, j = (e + 2) % 3;
                 double area = 0;
                 for (std::size_t k = 0; k + 1 < loop.size(); ++k) {
                     const auto longitude = [&](const Vec3& M) { return std::atan2(M[j], M[i]); };
                     const double step = std::remainder(longitude(loop[k + 1]) - longitude(loop[k]), 2 * pi);
                     const double height =
                         (std::abs(loop[k][e]) + std::abs(loop[k + 1][e])) / (2 * M0.norm());
                     area += (1 - height) * step;
                 }
                 worst = std::max(worst, std::abs(std::abs(s->f.geometricPhase(motion)) - std::abs(area)) /
                                             std::abs(area));
             }
             return worst;
         },
         {},
         {},
         5});
}

} // namespace

RigidBodyFormulas rigidBodyFormulas()
{
    RigidBodyFormulas f;
    f.hat = [](const Vec3& a) { return hat(a); };
    f.pairing = [](const Mat3& a, const Mat3& b) { return 0.5 * (a.transpose() * b).trace(); };
    f.inertia = [](const std::vector<MassPoint>& points) {
        Mat3 J = Mat3::Zero();
        for (const MassPoint& p : points)
            J += p.mass * (p.X.squaredNorm() * Mat3::Identity() - p.X * p.X.transpose());
        return J;
    };
    f.energy = [](const Mat3& IB, double mass, const Vec3& pi0, const Vec3& p0) {
        return 0.5 * pi0.dot(IB.ldlt().solve(pi0)) + 0.5 * p0.squaredNorm() / mass;
    };
    f.bracket = [](const Vec3& l, const Vec3& dF, const Vec3& dG) { return RigidBody::bracket(l, dF, dG); };
    f.field = [](const Vec3& l, const Vec3& omega) -> Vec3 { return l.cross(omega); };
    f.rigidBlock = [](double Ia, double lambda, double mu) { return mu * mu * (1 / Ia - 1 / lambda); };
    f.geometricPhase = [](const RigidBodyMotion& motion) { return motion.phase()->geometric; };
    return f;
}

std::vector<Claim> rigidBodyClaims(unsigned seed, const RigidBodyFormulas& formulas)
{
    const auto sample = std::make_shared<Sample>(seed, formulas);
    std::vector<ClaimCheck> checks;
    addNotation(checks, sample);
    addDynamics(checks, sample);
    addPoisson(checks, sample);
    addSolutions(checks, sample);
    return judge(checks);
}

} // namespace casimir::rod
