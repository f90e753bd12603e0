#include "core/systems/constrained/servo_rod/servo_rod_claims.h"

#include "core/numerics/dense.h"
#include "core/numerics/pi.h"

#include "core/numerics/methods.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace casimir::constrained {

namespace {

using Complex = std::complex<double>;
using Phase = ServoRod::Phase;

struct Sample {
    ServoRodParameters p;
    Phase z; // on D
    ServoRod rod(ServoForce force) const
    {
        ServoRodParameters changed = p;
        changed.force = force;
        return ServoRod(changed);
    }
    ServoRod rod() const { return ServoRod(p); }
};

// H of the embedded rod at complex arguments: the mass centre is at (x + l cos, l sin), its velocity
// (xdot - l sin thetadot, l cos thetadot); the momenta are inverted with the mass matrix this gives.
Complex embeddedHamiltonian(const ServoRodParameters& p, const Eigen::Vector4cd& z)
{
    const Complex s = std::sin(z[1]), c = std::cos(z[1]);
    Eigen::Matrix<Complex, 2, 2> velocity, mass;
    velocity << 1.0, -p.l * s, 0.0, p.l * c;
    mass = p.m * velocity.transpose() * velocity;
    mass(1, 1) += p.I;
    const Complex det = mass(0, 0) * mass(1, 1) - mass(0, 1) * mass(1, 0);
    const Complex xDot = (mass(1, 1) * z[2] - mass(0, 1) * z[3]) / det;
    const Complex thetaDot = (mass(0, 0) * z[3] - mass(1, 0) * z[2]) / det;
    return (xDot * z[2] + thetaDot * z[3]) / 2.0 + p.m * p.g * p.l * s;
}

Phase embeddedField(const ServoRodParameters& p, const Phase& z)
{
    constexpr double h = 1e-30;
    Phase dH;
    for (int k = 0; k < 4; ++k) {
        Eigen::Vector4cd shifted = z.cast<Complex>();
        shifted[k] += Complex(0, h);
        dH[k] = embeddedHamiltonian(p, shifted).imag() / h;
    }
    return {dH[2], dH[3], -dH[0], -dH[1]};
}

double relative(const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    return (a - b).norm() / std::max(b.norm(), 1e-300);
}

double relative(double a, double b)
{
    return std::abs(a - b) / std::max(std::abs(b), 1e-300);
}

// The motion linearised on D at the upright position, (1 - w dphi/<dphi, w>) dX_H, as a matrix; one of its
// eigenvalues 0 belongs to the direction off D.
std::vector<Complex> linearised(const ServoRod& rod)
{
    const auto& p = rod.parameters();
    const Phase upright(0, halfPi, 0, 0);
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    const double mI = p.m * p.I;
    A(0, 2) = rod.J() / mI;
    A(0, 3) = A(1, 2) = p.l / p.I;
    A(1, 3) = 1 / p.I;
    A(3, 1) = p.m * p.g * p.l;
    Eigen::Vector4d w = Eigen::Vector4d::Zero();
    w.tail<2>() = rod.forceDirection(upright);
    const Eigen::Vector4d d = rod.dphi(upright);
    const Eigen::Matrix4d M = (Eigen::Matrix4d::Identity() - w * d.transpose() / d.dot(w)) * A;
    const Eigen::VectorXcd values = dense::eigenvalues(M);
    std::vector<Complex> list(values.begin(), values.end());
    std::sort(list.begin(), list.end(), [](Complex a, Complex b) { return std::abs(a) > std::abs(b); });
    return list;
}

// Largest distance of each claimed eigenvalue to the nearest of the matrix.
double spectraDiffer(const std::vector<Complex>& claimed, const std::vector<Complex>& found)
{
    double worst = claimed.empty() ? 1 : 0;
    const double scale = std::abs(found.front());
    for (const Complex s : claimed) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const Complex t : found)
            nearest = std::min(nearest, std::abs(s - t));
        worst = std::max(worst, nearest / scale);
    }
    return worst;
}

} // namespace

std::vector<ClaimCheck> servoRodClaims(unsigned seed, const ServoRodFormulas& f)
{
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> positive(0.4, 2), tilt(-0.7, 0.7), momentum(-1, 1);
    std::vector<Sample> samples;
    for (int i = 0; i < 6; ++i) {
        ServoRodParameters p;
        p.m = positive(engine);
        p.l = positive(engine);
        p.I = p.m * p.l * p.l / 3 * positive(engine);
        p.a = -positive(engine);
        p.beta = positive(engine);
        p.kx = 0;
        p.kt = positive(engine);
        p.ko = 3 * positive(engine);
        p.wx = positive(engine);
        p.wt = positive(engine);
        const double theta = halfPi + tilt(engine), pTheta = momentum(engine);
        samples.push_back({p, {0.3, theta, *ServoRod(p).lawMomentum(0.3, theta, pTheta), pTheta}});
    }

    std::vector<ClaimCheck> checks;
    checks.push_back(
        {"section 2.1, Δ(L)",
         "Δ(L) = (d/dt ∂L/∂v − ∂L/∂x) dx is a covector at x, the constraint force; its pairing with v is the "
         "power",
         "dp/dt − ∂L/∂x along the motion of each force, ∂L/∂x by complex step, paired with the velocity.",
         over(
             samples,
             [f](const Sample& s) {
                 double d = 0;
                 for (const ServoForce force : {ServoForce::Finger, ServoForce::Angle, ServoForce::Chetaev}) {
                     const Phase free = embeddedField(s.p, s.z);
                     const auto motion = f.motion(s.rod(force), s.z);
                     const Eigen::Vector2d delta = motion.rate.tail<2>() - free.tail<2>();
                     d = std::max(d, std::abs(delta.dot(free.head<2>()) - motion.power) /
                                         (delta.norm() * free.head<2>().norm()));
                 }
                 return d;
             }),
         over(samples,
              [](const Sample& s) { // along ∂/∂p it has no component that a velocity could be paired with
                  const auto motion = s.rod(ServoForce::Finger).motion(s.z);
                  const Phase vertical(0, 0, motion.force[0], motion.force[1]);
                  return relative(vertical.head<2>().dot(motion.rate.head<2>()), motion.power);
              }),
         "It is printed with ∂/∂p_i where dx^i belongs; so printed it is the vertical vector of section "
         "2.2."});
    checks.push_back({"section 2.2, Hamiltonian", "H = v dL/dv − L, as a function of the momenta",
                      "H against the Legendre transform of the embedded rod's Lagrangian.",
                      over(samples,
                           [f](const Sample& s) {
                               const double H = embeddedHamiltonian(s.p, s.z.cast<Complex>()).real();
                               return relative(f.hamiltonian(s.rod(), s.z), H);
                           }),
                      over(samples,
                           [](const Sample& s) {
                               const double H = embeddedHamiltonian(s.p, s.z.cast<Complex>()).real();
                               const double V = s.p.m * s.p.g * s.p.l * std::sin(s.z[1]);
                               return relative(-(H - 2 * V), H); // i(Z)L is no term of its own: −L remains
                           }),
                      "i(Z)L should be i(Z)dL, that is v dL/dv."});
    checks.push_back({"section 2.2, X_H", "x' = ∂H/∂p, p' = −∂H/∂x",
                      "The field against complex-step derivatives of the embedded rod's energy.",
                      over(samples, [f](const Sample& s) {
                          return relative(f.XH(s.rod(), s.z), embeddedField(s.p, s.z));
                      })});
    checks.push_back(
        {"section 3.4, (12)", "X_H = X_D + X_W with X_D tangent to D and X_W in W, at a regular point",
         "The motion of each force against the split by bases of TD and W.",
         over(samples, [f](const Sample& s) {
             double d = 0;
             for (const ServoForce force :
                  {ServoForce::Finger, ServoForce::Angle, ServoForce::Chetaev, ServoForce::Direction}) {
                 const ServoRod rod = s.rod(force);
                 SplitProblem problem = rod.splitProblem(s.z);
                 problem.XH = embeddedField(s.p, s.z);
                 d = std::max(d, relative(f.motion(rod, s.z).rate, splitByBases(problem)));
             }
             return d;
         })});
    checks.push_back(
        {"Example 3", "With the force on the finger x' and θ' on D are functions of (θ, p_θ) alone",
         "The split against x' = J (a ψ − B p_θ)/(m (I + m l² cos² θ)), θ' = (p_θ + m l sin θ x')/J.",
         over(samples, [f](const Sample& s) {
             const auto& p = s.p;
             const double sn = std::sin(s.z[1]), c = std::cos(s.z[1]), J = p.I + p.m * p.l * p.l;
             const double inner = p.I + p.m * p.l * p.l * c * c, B = inner / (p.l * J) + p.beta;
             const double xDot = J / (p.m * inner) * (p.a * (s.z[1] - halfPi) - B * s.z[3]);
             const double thetaDot = (s.z[3] + p.m * p.l * sn * xDot) / J;
             const Phase rate = f.motion(s.rod(ServoForce::Finger), s.z).rate;
             return std::max(relative(rate[0], xDot), relative(rate[1], thetaDot));
         })});
    checks.push_back({"second servo example (printed as Example 5; there is no 4)",
                      "With a torque on the angle and a sliding contact p_x is constant",
                      "The rate of p_x against 0, and the rate of p_θ against the derivative of the law.",
                      over(samples, [f](const Sample& s) {
                          const ServoRod rod = s.rod(ServoForce::Angle);
                          const Phase rate = f.motion(rod, s.z).rate;
                          const double along = rod.dphi(s.z).dot(rate);
                          return std::abs(rate[2]) + std::abs(along) / (rod.dphi(s.z).norm() * rate.norm());
                      })});
    checks.push_back(
        {"section 4, energy", "dH/dt is the power of the constraint force; H is kept where it vanishes",
         "The power against dH along the motion, dH by complex step.",
         over(
             samples,
             [f](const Sample& s) {
                 double d = 0;
                 for (const ServoForce force : {ServoForce::Finger, ServoForce::Angle, ServoForce::Chetaev}) {
                     const Phase free = embeddedField(s.p, s.z);
                     const Phase dH(-free[2], -free[3], free[0], free[1]);
                     const auto motion = f.motion(s.rod(force), s.z);
                     d = std::max(d, std::abs(dH.dot(motion.rate) - motion.power) /
                                         (dH.norm() * motion.rate.norm()));
                 }
                 return d;
             }),
         over(
             samples,
             [](const Sample& s) { // X_W paired with v as it stands, vertical vector with velocity: no number
                 const auto motion = s.rod(ServoForce::Finger).motion(s.z);
                 const Phase XW = s.rod().XH(s.z) - motion.rate;
                 const Eigen::Vector2d v = s.rod().velocities(s.z);
                 return relative(XW.head<2>().dot(v), motion.power);
             }),
         "⟨X_W, v⟩ must be read through the vertical lift, or as dH(X_W)."});
    checks.push_back({"section 5, control law",
                      "θ' = (1 − sin θ) p_θ/J + l sin θ (a ψ − β p_θ)/(I + m l² cos² θ)",
                      "The split against this form.", over(samples, [f](const Sample& s) {
                          const auto& p = s.p;
                          const double sn = std::sin(s.z[1]), c = std::cos(s.z[1]), ml2 = p.m * p.l * p.l;
                          const double wanted =
                              (1 - sn) * s.z[3] / (p.I + ml2) +
                              p.l * sn * (p.a * (s.z[1] - halfPi) - p.beta * s.z[3]) / (p.I + ml2 * c * c);
                          return relative(f.motion(s.rod(ServoForce::Finger), s.z).rate[1], wanted);
                      })});
    checks.push_back(
        {"section 5, stability",
         "The upright rod becomes stable: θ and p_θ decay if and only if a < 0 and β > 0, and x stays near, "
         "its rate depending on them alone",
         "Eigenvalues in closed form against those of the linearised split, their signs over the four "
         "quadrants of (a, β), and the rates at another x.",
         over(samples,
              [f](const Sample& s) {
                  double d = 0;
                  for (const double signA : {-1.0, 1.0})
                      for (const double signBeta : {-1.0, 1.0}) {
                          ServoRodParameters p = s.p;
                          p.a *= -signA;
                          p.beta *= signBeta;
                          p.a = signA * std::abs(p.a);
                          const ServoRod rod(p);
                          const auto values = f.eigenvalues(rod);
                          const auto found = linearised(rod);
                          d = std::max(d, spectraDiffer(values, found));
                          const bool stable =
                              values.size() == 2 && values[0].real() < 0 && values[1].real() < 0;
                          if (stable != (signA < 0 && signBeta > 0))
                              d = 1;
                      }
                  const Phase elsewhere = s.z + Phase(1.7, 0, 0, 0);
                  return std::max(d,
                                  relative(f.motion(s.rod(), elsewhere).rate, f.motion(s.rod(), s.z).rate));
              }),
         {},
         {},
         9});
    checks.push_back({"section 5, solving for x'",
                      "The law can be solved for x' while |ψ| < ψ*; there θ' does not depend on p_θ",
                      "θ' at ψ* for two values of p_θ.",
                      over(samples,
                           [f](const Sample& s) {
                               const ServoRod rod = s.rod(ServoForce::Finger);
                               const double theta = halfPi + f.strip(rod);
                               const auto rate = [&](double p) {
                                   return rod.motion({0, theta, *rod.lawMomentum(0, theta, p), p}).rate[1];
                               };
                               return std::abs(rate(1) - rate(-1)) / (std::abs(rate(1)) + 1e-3);
                           }),
                      over(samples,
                           [](const Sample& s) { // as if solvable everywhere: the factor of xdot changes sign
                               const auto& p = s.p;
                               const auto factor = [&](double psi) {
                                   const double sn = std::sin(psi), c = std::cos(psi), ml2 = p.m * p.l * p.l;
                                   return (p.I + ml2 * sn * sn) * (1 - c) / (p.I + ml2) - p.beta * p.l * c;
                               };
                               return factor(0) * factor(halfPi) < 0 ? 1.0 : 0.0;
                           }),
                      "x' is given as a function of θ and θ' only implicitly, for |ψ| < ψ*.", 9});
    checks.push_back({"section 5, strip", "For a < 0 < β no motion leaves |ψ| < ψ*, whatever p_θ",
                      "The sign of θ' at both edges for p_θ over ten scales.",
                      over(samples, [f](const Sample& s) {
                          const ServoRod rod = s.rod(ServoForce::Finger);
                          const double psi = f.strip(rod);
                          if (!(psi > 0))
                              return 1.0;
                          double outward = 0;
                          for (int k = -10; k <= 10; ++k)
                              for (const double side : {-1.0, 1.0}) {
                                  const double theta = halfPi + side * psi, p = k * rod.momentumScale();
                                  const auto z = Phase(0, theta, *rod.lawMomentum(0, theta, p), p);
                                  if (side * rod.motion(z).rate[1] > 0)
                                      outward = 1;
                              }
                          return outward;
                      })});
    checks.push_back(
        {"force direction",
         "Which force keeps the law decides: Chetaev's never balances the rod",
         "Eigenvalues for the torque, Chetaev's force and a direction between against the linearised "
         "split; Chetaev's have opposite signs.",
         over(samples,
              [f](const Sample& s) {
                  double d = 0;
                  for (const ServoForce force :
                       {ServoForce::Angle, ServoForce::Chetaev, ServoForce::Direction}) {
                      const ServoRod rod = s.rod(force);
                      const auto values = f.eigenvalues(rod);
                      d = std::max(d, spectraDiffer(values, linearised(rod)));
                      if (force == ServoForce::Chetaev &&
                          !(values[0].real() * values[1].real() < 0 && values[0].imag() == 0))
                          d = 1;
                  }
                  return d;
              }),
         {},
         {},
         9});
    checks.push_back({"linear law", "(J − m l k_o sin θ) θ'' = m l sin θ k_t θ' − m g l cos θ",
                      "The split against this equation of motion.", over(samples, [f](const Sample& s) {
                          ServoRodParameters p = s.p;
                          p.law = ServoLaw::Linear;
                          const ServoRod rod(p);
                          Phase z = s.z;
                          const auto px = rod.lawMomentum(z[0], z[1], z[3]);
                          if (!px)
                              return 0.0;
                          z[2] = *px;
                          // theta'' by the chain rule along the motion, thetadot by its momenta.
                          const Phase rate = f.motion(rod, z).rate;
                          constexpr double h = 1e-30;
                          const Eigen::Vector4cd y = z.cast<Complex>() + Complex(0, h) * rate.cast<Complex>();
                          const Complex sn = std::sin(y[1]), c = std::cos(y[1]);
                          const Complex thetaDot = (p.l * sn * y[2] + y[3]) / (p.I + p.m * p.l * p.l * c * c);
                          const double s0 = std::sin(z[1]), ml = p.m * p.l;
                          const double left = (rod.J() - ml * p.ko * s0) * thetaDot.imag() / h;
                          const double right = ml * s0 * p.kt * rate[1] - ml * p.g * std::cos(z[1]);
                          return std::abs(left - right) / (std::abs(left) + ml * p.g);
                      })});
    checks.push_back({"energy of a settled run",
                      "The servo supplies m g l − H(0) in all until the rod rests",
                      "The integral of its power along a motion of the first rod until it rests.",
                      [samples, f] {
                          ServoRodParameters p = samples.front().p;
                          // Poles at rates of order one gravity time, so that it rests soon.
                          const double rate = std::sqrt(p.m * p.g * p.l / (p.I + p.m * p.l * p.l));
                          p.a = -2 * rate * p.I / p.l;
                          p.beta = rate * rate * p.I / (p.m * p.g * p.l * p.l);
                          const ServoRod rod(p);
                          State x(5);
                          x << 0, halfPi + 0.2, *rod.lawMomentum(0, halfPi + 0.2, 0), 0, 0;
                          const double H0 = f.hamiltonian(rod, x.head<4>());
                          const Field field = [&](double, const State& s, State& dsdt) {
                              const auto motion = f.motion(rod, s.head<4>());
                              dsdt << motion.rate, motion.power;
                          };
                          IntegrationOptions options;
                          options.rtol = 1e-12;
                          const auto run = startIntegration("dopri5", field, 0, x, options);
                          if (!advanceTo(*run, 40 / rate).ok())
                              return 1.0;
                          return relative(run->state()[4], p.m * p.g * p.l - H0);
                      },
                      {},
                      {},
                      8});
    return checks;
}

} // namespace casimir::constrained
