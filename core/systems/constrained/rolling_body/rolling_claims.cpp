#include "core/systems/constrained/rolling_body/rolling_claims.h"

#include "core/numerics/events.h"
#include "core/numerics/methods.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace casimir::constrained {

namespace {

using State10 = RollingBody::State10;
using Vec3 = Eigen::Vector3d;

double relative(const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    return (a - b).norm() / std::max(b.norm(), 1e-300);
}

struct Sample {
    RollingParameters p; // a triaxial ellipsoid on a plane at rest
    Eigen::Vector4d q;
    Vec3 Omega;

    RollingBody body(double omega) const
    {
        RollingParameters changed = p;
        changed.omega = omega;
        return RollingBody(changed);
    }
    // A sphere with the given middle and inertia.
    RollingBody sphere(const Vec3& centre, const Eigen::Matrix3d& inertia, double omega = 0) const
    {
        RollingParameters changed = p;
        changed.shape = RollingShape::Sphere;
        changed.radius = 0.3;
        changed.centre = centre;
        changed.inertia = inertia;
        changed.omega = omega;
        return RollingBody(changed);
    }
    State10 start(const RollingBody& body) const
    {
        State10 x;
        x << 0.4, -0.2, 0, q, Omega;
        body.project(x);
        return x;
    }
};

State10 integrated(const RollingFormulas& f, const RollingBody& body, const State10& x, double t)
{
    const Field field = [&](double, const casimir::State& y, casimir::State& dydt) {
        dydt = f.field(body, State10(y));
    };
    IntegrationOptions options;
    options.rtol = 1e-12;
    const auto run = withProjection(startIntegration("dopri5", field, 0, casimir::State(x), options),
                                    [&](casimir::State& y) {
                                        State10 z = y;
                                        body.project(z);
                                        y = z;
                                    });
    (void)advanceTo(*run, t);
    return run->state();
}

} // namespace

std::vector<ClaimCheck> rollingClaims(unsigned seed, const RollingFormulas& f)
{
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> positive(0.6, 1.4), any(-1, 1);
    std::vector<Sample> samples;
    for (int i = 0; i < 4; ++i) {
        Sample s;
        s.p.m = positive(engine);
        s.p.axes = {0.5 * positive(engine), 0.4 * positive(engine), 0.3 * positive(engine)};
        s.p.centre = 0.05 * Vec3(any(engine), any(engine), any(engine));
        Eigen::Matrix3d A;
        for (int k = 0; k < 9; ++k)
            A(k / 3, k % 3) = any(engine);
        s.p.inertia = s.p.m * 0.03 * (2 * Eigen::Matrix3d::Identity() + 0.2 * (A + A.transpose()));
        s.q = Eigen::Vector4d(1.5, any(engine), any(engine), any(engine)).normalized();
        s.Omega = Vec3(any(engine), any(engine), any(engine));
        samples.push_back(s);
    }
    const auto isotropic = [](const Sample& s) -> Eigen::Matrix3d {
        return s.p.m * 0.09 * 0.4 * Eigen::Matrix3d::Identity();
    };
    constexpr double T = 1;

    std::vector<ClaimCheck> checks;
    checks.push_back({"(7), height", "The mass centre stands at the support function of the downward normal",
                      "n·Γ(n) against the largest n·x over points of the surface.",
                      over(samples, [f](const Sample& s) {
                          const RollingBody body = s.body(0);
                          const Vec3 n = s.Omega.normalized();
                          // The point of the ellipsoid highest along n, by Lagrange's condition.
                          const Vec3 top = s.p.axes.cwiseProduct(s.p.axes.cwiseProduct(n).normalized());
                          const double highest = n.dot(s.p.centre + top);
                          return std::abs(n.dot(f.gamma(body, n)) - highest) / highest;
                      })});
    const auto slip = [f](const Sample& s) {
        const RollingBody body = s.body(0);
        const State10 x = s.start(body);
        const Eigen::Matrix3d R = RollingBody::rotation(x);
        const Vec3 V = f.field(body, x).head<3>();
        return (V + R * x.tail<3>().cross(f.gamma(body, -R.row(2).transpose()))).norm() / V.norm();
    };
    checks.push_back({"(8), rolling", "The point of contact has the velocity of the plane",
                      "Velocity of the body at the contact, plane at rest.", over(samples, slip)});
    checks.push_back({"Example 2, last sentence",
                      "The vector sub-bundle is defined by (8), over the submanifold of (7)",
                      "Velocity of the body at the contact, plane at rest.", over(samples, slip),
                      over(samples,
                           [](const Sample& s) { // (7) has no velocity: it does not forbid slipping
                               const RollingBody body = s.body(0);
                               const State10 x = s.start(body);
                               const Vec3 V = body.field(x).head<3>();
                               const Vec3 sliding(1, 0, V[2]); // keeps (7) as well
                               return (sliding - V).norm() / V.norm();
                           }),
                      "Printed: defined by (7), which has no velocity in it."});
    checks.push_back({"first (9) of two, turning plane",
                      "The plane's velocity at the contact is ω e₃ × (a + g Γ g⁻¹(−e₃))",
                      "Velocity of the body at the contact, plane turning.",
                      over(samples,
                           [f](const Sample& s) {
                               const RollingBody body = s.body(0.8);
                               const State10 x = s.start(body);
                               const Eigen::Matrix3d R = RollingBody::rotation(x);
                               const Vec3 rs = R * f.gamma(body, -R.row(2).transpose());
                               const Vec3 at = f.field(body, x).head<3>() + (R * x.tail<3>()).cross(rs);
                               const Vec3 P = x.head<3>() + rs;
                               return relative(at, 0.8 * Vec3::UnitZ().cross(P));
                           }),
                      over(samples,
                           [](const Sample& s) { // ω as the number the text introduces
                               const RollingBody body = s.body(0.8);
                               const Vec3 P = body.report(s.start(body)).contactPoint;
                               return relative(0.8 * P, 0.8 * Vec3::UnitZ().cross(P));
                           }),
                      "ω must be read as a rotation, an element of so(3); the cross product is missing."});
    checks.push_back(
        {"section 3, rolling body", "The motion is the part X_D of the split with forces at the contact",
         "The equations against the split in thirteen dimensions, its conditions by complex step.",
         over(samples, [f](const Sample& s) {
             double d = 0;
             for (const double omega : {0.0, 0.8}) {
                 const RollingBody body = s.body(omega);
                 const State10 x = s.start(body);
                 const ConstraintSplit answer = split(body.splitProblem(x));
                 State10 rate;
                 rate << answer.XD.head<7>(), answer.XD.tail<3>();
                 d = std::max(d, answer.regular() ? relative(f.field(body, x), rate) : 1.0);
             }
             return d;
         })});
    checks.push_back({"contact force", "The force at the contact moves the mass centre",
                      "The force of the report against that of the split.",
                      over(samples, [f](const Sample& s) {
                          const RollingBody body = s.body(0.8);
                          const State10 x = s.start(body);
                          const ConstraintSplit answer = split(body.splitProblem(x));
                          return relative(f.report(body, x).force, s.p.m * answer.force().segment<3>(7));
                      })});
    checks.push_back({"section 4, energy",
                      "On a plane at rest the energy is conserved",
                      "E after one second of a triaxial body.",
                      over(samples,
                           [f](const Sample& s) {
                               const RollingBody body = s.body(0);
                               const State10 x = s.start(body);
                               const double E = f.report(body, x).energy;
                               return std::abs(f.report(body, integrated(f, body, x, T)).energy - E) / E;
                           }),
                      {},
                      {},
                      9});
    checks.push_back(
        {"section 4, group",
         "The Euclidean group of the plane, a semi-direct product, carries motions over into motions",
         "The field at a displaced state against the displaced field; and a turn conjugates a shift to the "
         "turned shift.",
         over(samples,
              [f](const Sample& s) {
                  const RollingBody body = s.body(0);
                  const Eigen::AngleAxisd turn(1.1, Vec3::UnitZ());
                  const Eigen::Quaterniond turnQ(turn);
                  const Vec3 shift(0.7, -0.3, 0);
                  const auto displaced = [&](const State10& x, const Vec3& by) {
                      const Eigen::Quaterniond q = turnQ * Eigen::Quaterniond(x[3], x[4], x[5], x[6]);
                      State10 y;
                      y << turn * x.head<3>() + by, q.w(), q.x(), q.y(), q.z(), x.tail<3>();
                      return y;
                  };
                  const State10 x = s.start(body);
                  const double d =
                      relative(f.field(body, displaced(x, shift)), displaced(f.field(body, x), Vec3::Zero()));
                  const Vec3 conjugated = turn * (turn.inverse() * Vec3(x.head<3>()) + shift);
                  return std::max(d, relative(conjugated, x.head<3>() + turn * shift));
              }),
         over(samples,
              [](const Sample& s) { // in a direct product the turn would leave the shift as it is
                  const Vec3 shift(s.p.axes[0], s.p.axes[1], 0);
                  return relative(Eigen::AngleAxisd(1.1, Vec3::UnitZ()) * shift, shift);
              }),
         "F × S¹ is printed as if it were a direct product."});
    checks.push_back(
        {"section 4, momentum",
         "The momentum of the Euclidean group is not conserved by a rolling body",
         "dJ_z/dt against the torque of the contact force, and J_z really changes.",
         over(samples,
              [f](const Sample& s) {
                  const RollingBody body = s.body(0);
                  const State10 x = s.start(body);
                  constexpr double h = 1e-4;
                  const auto at = [&](double t) {
                      return f.report(body, integrated(f, body, x, t)).angularMomentum;
                  };
                  // Fourth order.
                  const double rate = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
                  const double torque = f.report(body, x).torque;
                  const double change = std::abs(at(0.5) - at(0));
                  return change < 1e-6 ? 1.0 : std::abs(rate - torque) / (std::abs(torque) + 0.1);
              }),
         {},
         {},
         7});
    checks.push_back({"turning plane",
                      "dE/dt = F·U, and E − ω J_z is conserved for every body",
                      "E − ω J_z after one second, while E itself changes.",
                      over(samples,
                           [f](const Sample& s) {
                               const RollingBody body = s.body(0.8);
                               const State10 x = s.start(body), y = integrated(f, body, x, T);
                               const auto a = f.report(body, x), b = f.report(body, y);
                               if (std::abs(b.energy - a.energy) < 1e-6)
                                   return 1.0;
                               return std::abs(b.energy - a.energy -
                                               0.8 * (b.angularMomentum - a.angularMomentum)) /
                                      a.energy;
                           }),
                      {},
                      {},
                      9});
    checks.push_back({"Chaplygin's ball",
                      "A ball with its mass centre in the middle keeps its momentum about the contact",
                      "The vector K after one second, any inertia.",
                      over(samples,
                           [f](const Sample& s) {
                               const RollingBody body = s.sphere(Vec3::Zero(), s.p.inertia);
                               const State10 x = s.start(body);
                               return relative(f.report(body, integrated(f, body, x, T)).contactMomentum,
                                               f.report(body, x).contactMomentum);
                           }),
                      {},
                      {},
                      9});
    checks.push_back({"Jellett and Routh",
                      "A ball with its mass centre on its axis of symmetry keeps both integrals",
                      "s·I Ω and Ω₃ √(I₁I₃ + m s·I s) after one second.",
                      over(samples,
                           [f](const Sample& s) {
                               const Eigen::Matrix3d inertia = s.p.m * 0.03 * Vec3(1, 1, 0.7).asDiagonal();
                               const RollingBody body = s.sphere({0, 0, 0.06}, inertia);
                               const State10 x = s.start(body);
                               const auto a = f.report(body, x),
                                          b = f.report(body, integrated(f, body, x, T));
                               return std::abs(b.jellett - a.jellett) / (std::abs(a.jellett) + 1e-3) +
                                      std::abs(b.routh - a.routh) / (std::abs(a.routh) + 1e-3);
                           }),
                      {},
                      {},
                      8});
    checks.push_back({"section 4, homogeneous sphere",
                      "The vertical spin of a homogeneous sphere is conserved",
                      "e₃·Ω after one second, plane at rest and turning.",
                      over(samples,
                           [f, isotropic](const Sample& s) {
                               double d = 0;
                               for (const double omega : {0.0, 1.2}) {
                                   const RollingBody body = s.sphere(Vec3::Zero(), isotropic(s), omega);
                                   const State10 x = s.start(body);
                                   d = std::max(
                                       d, std::abs(f.report(body, integrated(f, body, x, T)).verticalSpin -
                                                   f.report(body, x).verticalSpin));
                               }
                               return d;
                           }),
                      {},
                      {},
                      9});
    checks.push_back(
        {"sphere on the turning plane",
         "It runs on a circle at 2/7 of the plane's rate, 2/5 if it is hollow",
         "The closed form against integration.",
         over(samples,
              [f](const Sample& s) {
                  double d = 0;
                  for (const auto& [kappa, ratio] : {std::pair(0.4, 2.0 / 7), std::pair(2.0 / 3, 0.4)}) {
                      const RollingBody body =
                          s.sphere(Vec3::Zero(), kappa * s.p.m * 0.09 * Eigen::Matrix3d::Identity(), 1.2);
                      const State10 x = s.start(body), y = integrated(f, body, x, T);
                      const auto exact = f.sphereAt(body, x, T);
                      d = std::max({d, relative(y.head<3>(), exact.X),
                                    relative(RollingBody::rotation(y) * y.tail<3>(), exact.spin),
                                    std::abs(body.circle(x)->nu / (1.2 * ratio) - 1)});
                  }
                  return d;
              }),
         {},
         {},
         9});
    return checks;
}

} // namespace casimir::constrained
