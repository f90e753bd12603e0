#include "core/systems/constrained/appell/appell_claims.h"

#include "core/numerics/methods.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace casimir::constrained {

namespace {

using State6 = Appell::State6;

struct Sample {
    AppellParameters p;
    State6 s;
    Appell machine() const { return Appell(p); }
    Appell point() const
    {
        AppellParameters alone = p;
        alone.machine = false;
        return Appell(alone);
    }
    Appell machineWithoutLead() const
    {
        AppellParameters straight = p;
        straight.rho = 0;
        return Appell(straight);
    }
};

double relative(const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    return (a - b).norm() / std::max(b.norm(), 1e-300);
}

// The rates of (x, y, z, theta, phidot, thetadot) in a motion of the phase space of the split.
State6 fromPhaseSpace(const Appell& appell, const Eigen::VectorXd& XD)
{
    State6 rate;
    if (appell.parameters().machine)
        rate << XD.head<4>(), XD[9], XD[8];
    else
        rate << XD.head<3>(), 0, XD[5] / appell.parameters().b, 0;
    return rate;
}

State6 integrated(const AppellFormulas& f, const Appell& appell, const State6& s, double t)
{
    const Field field = [&](double, const casimir::State& x, casimir::State& dxdt) {
        dxdt = f.field(appell, State6(x));
    };
    IntegrationOptions options;
    options.step = 1e-3;
    const auto run = startIntegration("gauss6", field, 0, casimir::State(s), options);
    (void)advanceTo(*run, t);
    return run->state();
}

} // namespace

std::vector<ClaimCheck> appellClaims(unsigned seed, const AppellFormulas& f)
{
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> positive(0.3, 1.5), any(-1, 1);
    std::vector<Sample> samples;
    for (int i = 0; i < 6; ++i) {
        AppellParameters p;
        p.m = positive(engine);
        p.R = positive(engine);
        p.b = positive(engine);
        p.rho = 0.3 * any(engine);
        p.M = positive(engine);
        p.Jz = 0.2 * positive(engine);
        p.C = 0.2 * positive(engine);
        State6 s;
        s << any(engine), any(engine), any(engine), 3 * any(engine), 4 * positive(engine),
            2 * positive(engine);
        samples.push_back({p, s});
    }
    std::vector<ClaimCheck> checks;
    checks.push_back({"Chetaev, equations",
                      "With Chetaev's force z'' = −g/(1 + a²) and the heading is constant",
                      "The equations against the constraint split of the point in space.",
                      over(samples, [f](const Sample& s) {
                          const Appell point = s.point();
                          const ConstraintSplit answer = split(point.splitProblem(s.s));
                          const Eigen::Vector3d along = answer.XD.tail<3>().normalized();
                          const double turned = along.cross(point.velocity(s.s).normalized()).norm();
                          return turned + relative(f.field(point, s.s), fromPhaseSpace(point, answer.XD));
                      })});
    checks.push_back(
        {"Chetaev, line", "r = r₀ + v₀ (t − g t²/(2(1 + a²) v_z0)): a straight line, there and back",
         "The closed form against integration past the vertex.", over(samples, [f](const Sample& s) {
             const Appell point = s.point();
             const double t = 1.5 * point.apexTime(s.s).value();
             const State6 end = f.closedForm(point, s.s, t);
             const double a = point.a(), vz = s.p.b * s.s[4];
             const Eigen::Vector3d line =
                 s.s.head<3>() + point.velocity(s.s) * (t - s.p.g * t * t / (2 * (1 + a * a) * vz));
             return relative(end.head<3>(), line) + relative(end, integrated(f, point, s.s, t));
         })});
    checks.push_back(
        {"Chetaev, energy", "The force does no work: the constraint is homogeneous in the velocity",
         "dH along the split's force, and H along the closed form.", over(samples, [f](const Sample& s) {
             const Appell point = s.point();
             const ConstraintSplit answer = split(point.splitProblem(s.s));
             const Eigen::Vector3d v = point.velocity(s.s);
             const double power = answer.force().tail<3>().dot(v) / (answer.force().norm() * v.norm());
             const double H0 = f.energy(point, s.s), H = f.energy(point, f.closedForm(point, s.s, 0.7));
             return std::abs(power) + std::abs(H - H0) / (std::abs(H0) + 1);
         })});
    checks.push_back({"Chetaev, vertex",
                      "At v = 0 the cone has its vertex: the constraint is irregular there",
                      "The smallest singular value of the split at the top of the climb.",
                      over(samples, [](const Sample& s) {
                          State6 top = s.s;
                          top[4] = 0;
                          const ConstraintSplit answer = split(s.point().splitProblem(top));
                          return answer.regular() ? 1.0 : answer.smallestSingularValue;
                      })});
    checks.push_back({"machine, equations",
                      "[m(R² + b²) + M R² + C] u' = m R ρ w² − m g b, (J_z + m ρ²) w' = −m R ρ u w",
                      "Against three multipliers in the five coordinates of the machine.",
                      over(samples, [f](const Sample& s) {
                          const Appell machine = s.machine();
                          const ConstraintSplit answer = split(machine.splitProblem(s.s));
                          return relative(f.field(machine, s.s), fromPhaseSpace(machine, answer.XD));
                      })});
    checks.push_back({"machine, energy", "The machine conserves its energy",
                      "H at the end of an integration.", over(samples, [f](const Sample& s) {
                          const Appell machine = s.machine();
                          const double H = f.energy(machine, s.s);
                          return std::abs(f.energy(machine, integrated(f, machine, s.s, 1)) - H) /
                                 (std::abs(H) + 1);
                      })});
    checks.push_back({"machine, cone", "With ρ = 0 the point obeys v_x² + v_y² = a² v_z² exactly",
                      "The velocities of the machine.", over(samples, [](const Sample& s) {
                          const Eigen::Vector3d v = s.machineWithoutLead().velocity(s.s);
                          const double a = s.p.R / s.p.b;
                          return std::abs(v.head<2>().norm() / (a * std::abs(v[2])) - 1);
                      })});
    checks.push_back(
        {"machine, involute",
         "With ρ = 0 the path is an involute of a circle of radius R γ/w², with a cusp at the top",
         "The closed form against integration, and the distance of the path's normals from one point.",
         over(samples, [f](const Sample& s) {
             const Appell machine = s.machineWithoutLead();
             const double w = s.s[5], radius = machine.involuteRadius(w);
             const double t = 1.3 * machine.apexTime(s.s).value();
             const State6 end = f.closedForm(machine, s.s, t);
             double d = relative(end, integrated(f, machine, s.s, t));
             // The centre from the start: along the heading v'/w^2, across it -v/w.
             const auto centre = [&](const State6& at) {
                 const double v = s.p.R * at[4];
                 const Eigen::Vector2d e(std::cos(at[3]), std::sin(at[3])), n(-e[1], e[0]);
                 return Eigen::Vector2d(at.head<2>() + n * (v / w) + e * radius);
             };
             return d + (centre(end) - centre(s.s)).norm() / radius;
         })});
    checks.push_back(
        {"massless limit, height", "Without accessories the machine climbs exactly as Chetaev's point",
         "Heights of both at several times.", over(samples, [f](const Sample& s) {
             AppellParameters bare = s.p;
             bare.M = bare.C = bare.Jz = bare.rho = 0;
             double d = 0;
             for (const double t : {0.2, 0.6, 1.1})
                 d = std::max(
                     d, std::abs(f.closedForm(Appell(bare), s.s, t)[2] - f.closedForm(s.point(), s.s, t)[2]));
             return d;
         })});
    checks.push_back(
        {"massless limit, path",
         "As the accessories vanish the path tends to the spiral at the rate of their mass, not to the "
         "line",
         "The distance to the spiral at two small masses, extrapolated; the line stays away.",
         over(samples,
              [f](const Sample& s) {
                  const auto path = [&](double fraction) {
                      AppellParameters p = s.p;
                      p.rho = 0;
                      p.M = fraction * p.m;
                      p.C = fraction * p.m * p.R * p.R;
                      return Eigen::Vector3d(f.closedForm(Appell(p), s.s, 1).head<3>());
                  };
                  const Eigen::Vector3d spiral = path(0);
                  const Eigen::Vector3d line = f.closedForm(s.point(), s.s, 1).head<3>();
                  if ((spiral - line).norm() < 1e-3)
                      return 1.0;
                  // Of first order: halving the mass halves the distance, up to second order.
                  const double one = (path(1e-5) - spiral).norm(), half = (path(5e-6) - spiral).norm();
                  return std::abs(one / half - 2) / 2;
              }),
         {},
         {},
         4});
    checks.push_back({"order of limits",
                      "With J_z = 0 and ρ ≠ 0, w' = −(R/ρ) u w: w dies or blows up with the sign of ρu",
                      "The logarithmic rate of w, both signs.", over(samples, [f](const Sample& s) {
                          double d = 0;
                          for (const double rho : {0.01, -0.01}) {
                              AppellParameters p = s.p;
                              p.Jz = 0;
                              p.rho = rho;
                              const double rate = f.field(Appell(p), s.s)[5] / s.s[5];
                              d = std::max(d, std::abs(rate / (-p.R / rho * s.s[4]) - 1));
                          }
                          return d;
                      })});
    checks.push_back({"no turning", "Started with θ̇ = 0 the machine draws the line of Chetaev's motion",
                      "The place of both against the line through the start along its velocity.",
                      over(samples, [f](const Sample& s) {
                          State6 start = s.s;
                          start[5] = 0;
                          double d = 0;
                          for (const Appell& appell : {s.machine(), s.point()}) {
                              const Eigen::Vector3d along = appell.velocity(start).normalized();
                              const Eigen::Vector3d way =
                                  (integrated(f, appell, start, 0.7) - start).head<3>();
                              d = std::max(d, way.cross(along).norm() / way.norm());
                          }
                          return d;
                      })});
    checks.push_back(
        {"point behind, flip",
         "With J_z = 0, ρ u < 0 and no gravity the machine flips: it turns by π√(I_u/(m R²)) in all and "
         "rolls "
         "on backwards as fast as before, I_u its inertia of rolling and climbing",
         "By integration from a small rate of turn until it is as small again.",
         over(samples,
              [f](const Sample& s) {
                  AppellParameters p = s.p;
                  p.g = p.Jz = 0;
                  p.rho = -std::abs(p.rho) - 0.1;
                  const Appell machine(p);
                  // u = -U tanh, w = W sech of the time from the middle of the flip, as for a sleigh.
                  const double Iu = machine.rollingInertia(), U = s.s[4], rate = p.R / -p.rho * U;
                  const double W = U * std::sqrt(Iu / (p.m * p.rho * p.rho)), half = 16;
                  State6 start = s.s;
                  start[4] = U * std::tanh(half);
                  start[5] = W / std::cosh(half);
                  const Field field = [&](double, const casimir::State& x, casimir::State& dxdt) {
                      dxdt = f.field(machine, State6(x));
                  };
                  IntegrationOptions options;
                  options.rtol = 1e-13;
                  const auto run = startIntegration("dopri5", field, 0, casimir::State(start), options);
                  if (!advanceTo(*run, 2 * half / rate).ok())
                      return 1.0;
                  const double turn = std::numbers::pi * std::sqrt(Iu / (p.m * p.R * p.R));
                  return std::abs((run->state()[3] - start[3]) / turn - 1) +
                         std::abs(run->state()[4] / -U - 1);
              }),
         {},
         {},
         6});
    checks.push_back(
        {"point ahead, line",
         "With J_z = 0 the path tends to the line as ρ > 0 goes to 0: it turns by w ρ/(R u) in all",
         "The turn of the heading at two small leads, extrapolated.",
         over(samples,
              [f](const Sample& s) {
                  const auto turned = [&](double rho) {
                      AppellParameters p = s.p;
                      p.Jz = 0;
                      p.rho = rho;
                      const Appell machine(p);
                      const Field field = [&](double, const casimir::State& x, casimir::State& dxdt) {
                          dxdt = f.field(machine, State6(x));
                      };
                      IntegrationOptions options;
                      options.rtol = 1e-12;
                      const auto run = startIntegration("dopri5", field, 0, casimir::State(s.s), options);
                      if (!advanceTo(*run, 60 * rho / (p.R * s.s[4])).ok())
                          return 0.0;
                      return (run->state()[3] - s.s[3]) * p.R * s.s[4] / (s.s[5] * rho);
                  };
                  return std::abs(2 * turned(1e-5) - turned(2e-5) - 1);
              }),
         {},
         {},
         5});
    checks.push_back(
        {"side force", "The machine pushes the point sideways by m v w, outside Chetaev's directions",
         "The force on the point across the heading at ρ = 0.", over(samples, [](const Sample& s) {
             const Appell machine = s.machineWithoutLead();
             const double wanted = s.p.m * s.p.R * s.s[4] * s.s[5];
             return std::abs(machine.forceOnPoint(s.s)[1] / wanted - 1);
         })});
    return checks;
}

} // namespace casimir::constrained
