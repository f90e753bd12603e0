// The free rigid body: its closed form against integration in another formulation, phases against areas on
// the sphere, verdicts against differences.
#include "core/base/error.h"
#include "core/numerics/elliptic.h"
#include "core/numerics/quadrature.h"
#include "core/systems/rod/rigid_body/rigid_body_claims.h"
#include "core/systems/rod/rigid_body/rigid_body_system.h"

#include <Eigen/Eigenvalues>
#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace casimir::rod {
namespace {

constexpr double pi = std::numbers::pi;

struct Start {
    Vec3 I, M;
};

// Every order of the axes, both regions, symmetric bodies, a lamina, and states next to the separatrix.
std::vector<Start> starts()
{
    std::vector<Start> all;
    const Vec3 bodies[] = {{1, 2, 2.6}, {2.6, 1, 2},   {2, 2.6, 1}, {2, 1, 2.6}, {1, 2.6, 2},    {2.6, 2, 1},
                           {1, 1, 1.7}, {1, 1.7, 1.7}, {1.7, 1, 1}, {1, 2, 3},   {0.02, 1, 1.01}};
    const Vec3 momenta[] = {{0.3, 0.4, 2}, {-2, 0.3, 0.4}, {0.2, -1.9, 0.3}, {1, 1, -1}, {-0.01, 0.02, -1.5}};
    for (const Vec3& I : bodies)
        for (const Vec3& M : momenta)
            all.push_back({I, M});
    return all;
}

// The second formulation: attitude alone, x = q, with the angular momentum fixed in space and no equation for
// M.
State byAttitude(const Vec3& I, const Vec3& M0, const Quat& q0, double t)
{
    const Vec3 L = q0 * M0;
    const Field field = [=](double, const State& x, State& dxdt) {
        const Quat q = Quat(x[0], x[1], x[2], x[3]).normalized();
        const Vec3 omega = q * Vec3((q.conjugate() * L).cwiseQuotient(I)), v = x.tail<3>();
        dxdt[0] = -omega.dot(v) / 2;
        dxdt.tail<3>() = (x[0] * omega + omega.cross(v)) / 2;
    };
    IntegrationOptions options;
    options.rtol = 1e-13;
    options.scale = State::Ones(4);
    State x(4);
    x << q0.w(), q0.x(), q0.y(), q0.z();
    const auto run = startIntegration("rkf78", field, 0, x, options);
    EXPECT_TRUE(advanceTo(*run, t).ok());
    return run->state().normalized();
}

TEST(Jacobi, FunctionsAgreeWithBoostWhereTheModulusIsKnown)
{
    for (const double k : {0.0, 1e-4, 0.3, 0.8, 0.99, 0.99999}) {
        const JacobiFunctions jacobi(std::sqrt((1 - k) * (1 + k)));
        for (const double u : {-7.3, -1.0, -1e-5, 0.0, 0.4, 1.5, 2.9, 12.0}) {
            double cn = 0, dn = 0;
            const double sn = boost::math::jacobi_elliptic(k, u, &cn, &dn);
            const EllipticPhase phase = jacobi.advanced({}, u);
            const JacobiValues v = jacobi.at(phase);
            EXPECT_NEAR(v.sn, sn, 4e-14) << k << " " << u;
            EXPECT_NEAR(v.cn, cn, 4e-14) << k << " " << u;
            EXPECT_NEAR(v.dn, dn, 4e-14) << k << " " << u;
            const EllipticPhase back = jacobi.phaseAt(sn, cn);
            EXPECT_NEAR(std::remainder((back.quarters - phase.quarters) * jacobi.quarterPeriod() +
                                           back.offset - phase.offset,
                                       4 * jacobi.quarterPeriod()),
                        0, 1e-11)
                << k << " " << u;
            if (std::abs(u) < jacobi.quarterPeriod()) {
                const double angle = std::atan2(sn, cn);
                for (const double w : {0.0, 0.7, 30.0})
                    EXPECT_NEAR(jacobi.thirdKind(w, phase), boost::math::ellint_3(k, -w, angle), 1e-13)
                        << k << " " << u << " " << w;
            }
        }
    }
}

TEST(Jacobi, NearTheSeparatrixTheQuarterPeriodIsTheLogarithmOfTheComplement)
{
    // K = ln(4/k') + O(k'² ln k'), where k itself rounds to 1.
    for (const double kc : {1e-9, 1e-30, 1e-100}) {
        const JacobiFunctions jacobi(kc);
        EXPECT_NEAR(jacobi.quarterPeriod(), std::log(4 / kc), 1e-13 * std::log(4 / kc));
        // sech and tanh near 0; about K, cn = -k' sinh to first order.
        const JacobiValues v = jacobi.at({0, 1.2});
        EXPECT_NEAR(v.cn, 1 / std::cosh(1.2), 1e-15);
        EXPECT_NEAR(jacobi.at({1, 0.5}).cn / (-kc * std::sinh(0.5)), 1, 1e-14);
        const EllipticPhase back = jacobi.phaseAt(1, -kc * std::sinh(0.5));
        EXPECT_EQ(back.quarters, 1);
        EXPECT_NEAR(back.offset, 0.5, 1e-14);
    }
}

TEST(RigidBodyMotion, TheClosedFormIsTheMotionOfTheAttitudeAlone)
{
    const Quat q0(Eigen::AngleAxisd(1.1, Vec3(1, -2, 0.5).normalized()));
    for (const Start& s : starts()) {
        const RigidBodyMotion motion(RigidBody({s.I, s.M.norm()}), s.M, q0);
        for (const double t : {0.7, 9.3, -4.1}) {
            SCOPED_TRACE(testing::Message() << s.I.transpose() << " | " << s.M.transpose() << " | " << t);
            const State x = byAttitude(s.I, s.M, q0, t);
            const Quat q = motion.attitude(t);
            const double tolerance = 2e-10;
            EXPECT_NEAR((State{{q.w(), q.x(), q.y(), q.z()}} - x).norm(), 0, tolerance);
            const Vec3 M = Quat(x[0], x[1], x[2], x[3]).conjugate() * (q0 * s.M);
            EXPECT_NEAR((motion.momentum(t) - M).norm(), 0, tolerance * s.M.norm());
        }
        EXPECT_NEAR((motion.momentum(0) - s.M).norm(), 0, 1e-14 * s.M.norm());
        EXPECT_NEAR(motion.attitude(0).angularDistance(q0), 0, 1e-7);
    }
}

TEST(RigidBodyMotion, BesideTheSeparatrixTheDepartureIsThatOfTheLinearisation)
{
    // So close to the middle axis that the modulus rounds to 1: the small components grow as cosh and sinh
    // until they are large, and the period is that of the logarithm.
    const RigidBody body({{1, 2, 2.6}, 1});
    const double rate = body.heteroclinicRate(), small = 1e-11;
    const RigidBodyMotion motion(body, {0.3 * small, 1, small});
    ASSERT_EQ(motion.kind(), PolhodeKind::AboutAxis);
    const double down = 1 / 2.6 - 1 / 2.0, up = 1 / 2.0 - 1 / 1.0; // dM1 = down M3, dM3 = up M1 for M2 = 1
    for (const double t : {3.0, 8.0}) {
        const double c = std::cosh(rate * t), s = std::sinh(rate * t) / rate;
        const Vec3 M = motion.momentum(t);
        EXPECT_NEAR(M[0] / (small * (0.3 * c + down * s)), 1, 1e-8) << t;
        EXPECT_NEAR(M[2] / (small * (c + 0.3 * up * s)), 1, 1e-8) << t;
    }
    EXPECT_NEAR((motion.momentum(*motion.period()) - motion.momentum(0)).norm(), 0, 1e-14);
}

TEST(RigidBodyMotion, TheHeteroclinicOrbitIsTheHyperbolicTangent)
{
    for (const Vec3& I : {Vec3(1, 2, 2.6), Vec3(2, 1, 2.6), Vec3(2.6, 1.3, 2)}) {
        const RigidBody body({I, 1.7});
        const int b = body.middle();
        for (const Vec3& d : body.heteroclinicDirections()) {
            const RigidBodyMotion motion(body, 1.7 * d);
            ASSERT_EQ(motion.kind(), PolhodeKind::Heteroclinic);
            EXPECT_FALSE(motion.period());
            const double sign = motion.momentum(0.1)[b] > 0 ? 1 : -1;
            for (const double t : {-3.0, 0.4, 2.0})
                EXPECT_NEAR(motion.momentum(t)[b], sign * 1.7 * std::tanh(body.heteroclinicRate() * t),
                            1e-14);
            EXPECT_NEAR(std::abs(motion.momentum(60)[b]), 1.7, 1e-14);
            const Quat q = Quat::Identity();
            const State x = byAttitude(I, 1.7 * d, q, 3);
            const Quat exact = motion.attitude(3);
            EXPECT_NEAR((State{{exact.w(), exact.x(), exact.y(), exact.z()}} - x).norm(), 0, 1e-10);
        }
    }
}

TEST(RigidBodyMotion, AfterAPeriodTheBodyHasTurnedByMontgomerysPhase)
{
    for (const Start& s : starts()) {
        const RigidBodyMotion motion(RigidBody({s.I, s.M.norm()}), s.M);
        if (motion.kind() != PolhodeKind::AboutAxis)
            continue;
        SCOPED_TRACE(testing::Message() << s.I.transpose() << " | " << s.M.transpose());
        const double T = *motion.period();
        EXPECT_NEAR((motion.momentum(T) - s.M).norm(), 0, 1e-11 * s.M.norm());
        // By integration of the attitude: a turn about the fixed angular momentum.
        const State x = byAttitude(s.I, s.M, Quat::Identity(), T);
        const Eigen::AngleAxisd turned(Quat(x[0], x[1], x[2], x[3]));
        const double angle = turned.angle() * turned.axis().dot(s.M.normalized());
        const MontgomeryPhase phase = *motion.phase();
        EXPECT_NEAR(std::remainder(phase.turn - angle, 2 * pi), 0, 1e-8);
        // The geometric part is the cap that the polhode cuts off, against the sense of its traversal.
        const int e = motion.axis(), i = (e + 1) % 3, j = (e + 2) % 3;
        const double length = s.M.norm(), sign = s.M[e] > 0 ? 1 : -1;
        const Integral area = periodicIntegral(
            [&](double t) {
                const Vec3 M = motion.momentum(t), rate = M.cross(M.cwiseQuotient(s.I));
                const double across = M[i] * M[i] + M[j] * M[j];
                const double longitude = sign * (M[i] * rate[j] - M[j] * rate[i]) / across;
                return across / (length * (length + std::abs(M[e]))) * longitude; // 1 - cos, uncancelled
            },
            0, T, 1e-13);
        EXPECT_NEAR(phase.geometric, -area.value, 1e-9);
        EXPECT_NEAR(phase.dynamic, 2 * motion.energy() * T / length, 1e-12 * phase.dynamic);
    }
}

TEST(RigidBodyMotion, TheHerpolhodeStaysBetweenItsCirclesAndReachesBoth)
{
    const RigidBody body({{1, 2, 2.6}, 2});
    const RigidBodyMotion motion(body, {0.5, 1.2, 1.5});
    const auto [least, greatest] = motion.herpolhodeRadii();
    double low = 1e300, high = 0;
    const Vec3 L(0.5, 1.2, 1.5);
    for (int k = 0; k <= 4000; ++k) {
        const double t = *motion.period() * k / 4000;
        const Vec3 omega = motion.attitude(t) * body.velocity(motion.momentum(t));
        const double r = (omega - omega.dot(L) / L.squaredNorm() * L).norm();
        low = std::min(low, r);
        high = std::max(high, r);
        // Poinsot: the invariable plane stands still.
        EXPECT_NEAR(omega.dot(L), 2 * body.hamiltonian(L), 1e-12);
    }
    EXPECT_NEAR(low, least, 1e-5);
    EXPECT_NEAR(high, greatest, 1e-5);
}

TEST(RigidBodyEquilibria, VerdictsAreThoseOfTheEnergyOnTheSphere)
{
    for (const Vec3& I : {Vec3(1, 2, 2.6), Vec3(2.6, 1, 2), Vec3(2, 2.6, 1)}) {
        const RigidBody body({I, 1.4});
        const auto found = equilibria(body).equilibria;
        ASSERT_EQ(found.size(), 6u);
        for (const RigidBodyEquilibrium& e : found) {
            // Second differences of H along two great circles.
            std::vector<double> seconds;
            for (const int j : {(e.axis + 1) % 3, (e.axis + 2) % 3}) {
                const auto H = [&](double a) {
                    return body.hamiltonian(std::cos(a) * e.M + std::sin(a) * 1.4 * Vec3::Unit(j));
                };
                const double h = 1e-3;
                seconds.push_back((H(h) + H(-h) - 2 * H(0)) / (h * h) / (1.4 * 1.4));
            }
            std::sort(seconds.begin(), seconds.end());
            EXPECT_NEAR(e.secondVariation[0], seconds[0], 1e-5);
            EXPECT_NEAR(e.secondVariation[1], seconds[1], 1e-5);
            const bool definite = seconds[0] * seconds[1] > 0;
            EXPECT_EQ(e.stability, definite ? verdict::stable : verdict::unstable) << e.name;
            EXPECT_EQ(e.role,
                      definite ? (seconds[0] > 0 ? AxisRole::Maximum : AxisRole::Minimum) : AxisRole::Middle);
            // The linearisation by differences of the field.
            Mat3 A;
            for (int k = 0; k < 3; ++k)
                A.col(k) =
                    (body.field(e.M + 1e-6 * Vec3::Unit(k)) - body.field(e.M - 1e-6 * Vec3::Unit(k))) / 2e-6;
            const auto values = Eigen::EigenSolver<Mat3>(A).eigenvalues();
            const auto largest = [&](auto part) {
                double most = 0;
                for (int k = 0; k < 3; ++k)
                    most = std::max(most, part(values[k]));
                return most;
            };
            EXPECT_NEAR(e.eigenvalues[1].real(), largest([](auto z) { return z.real(); }), 1e-8);
            EXPECT_NEAR(e.eigenvalues[1].imag(), largest([](auto z) { return z.imag(); }), 1e-8);
            if (!definite) {
                EXPECT_NEAR((A * e.directions[0] - e.eigenvalues[1].real() * e.directions[0]).norm(), 0,
                            1e-8);
            }
        }
    }
}

TEST(RigidBodyEquilibria, OfSymmetricBodiesAreCirclesOrTheWholeSphere)
{
    for (const auto& e : equilibria(RigidBody({{1, 1, 1.7}, 2})).equilibria) {
        EXPECT_EQ(e.stability, e.axis == 2 ? verdict::stable : verdict::degenerate);
        EXPECT_EQ(e.role, e.axis == 2 ? AxisRole::Symmetry : AxisRole::Equator);
    }
    for (const auto& e : equilibria(RigidBody({{1, 1, 1}, 2})).equilibria)
        EXPECT_EQ(e.stability, verdict::stable);
    EXPECT_EQ(equilibria(RigidBody({{1, 2, 2.6}, 0})).status.code, "degenerate");
    // On the circle M rests; beside it, M drifts along the circle at the rate of the symmetric top.
    const RigidBody body({{1, 1, 1.7}, 1});
    EXPECT_EQ(RigidBodyMotion(body, {0.6, 0.8, 0}).momentum(5), Vec3(0.6, 0.8, 0));
    const Vec3 M(std::sqrt(1 - 1e-4), 0, 1e-2), later = RigidBodyMotion(body, M).momentum(20);
    EXPECT_NEAR(std::atan2(later.y(), later.x()), 1e-2 * (1 / 1.7 - 1) * 20 * -1, 1e-12);
}

TEST(RigidBody, InertiasThatNoBodyHasAreRefusedWithTheReason)
{
    const Kind& kind = rigidBodyKind();
    try {
        (void)kind.make(kind.schema.with(kind.schema.defaults(), {{"I3", 3.5}}));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("at most the sum of the other two"));
    }
    EXPECT_NO_THROW((void)kind.make(kind.schema.with(kind.schema.defaults(), {{"I3", 3.0}}))); // a lamina
}

std::shared_ptr<const RigidBodySystem> made(const std::vector<Assignment>& assignments = {})
{
    const Kind& kind = rigidBodyKind();
    return std::static_pointer_cast<const RigidBodySystem>(
        kind.make(kind.schema.with(kind.schema.defaults(), assignments)));
}

TEST(RigidBodySystem, ColumnsAreTheOnesPromised)
{
    const auto system = made();
    std::string columns;
    for (const Quantity& q : system->quantities())
        columns += q.id + " ";
    EXPECT_EQ(columns, "M1 M2 M3 omega1 omega2 omega3 qw qx qy qz H C ");
}

TEST(RigidBodySystem, AStartIsPutOnTheMomentumSphere)
{
    const auto system = made({{"mu", 5.0}});
    const State x = system->start({{"M1", 3}, {"M2", 0}, {"M3", 4}});
    EXPECT_NEAR((x.head<3>() - Vec3(3, 0, 4)).norm(), 0, 1e-15);
    EXPECT_NEAR(system->start({{"M1", 30}, {"M2", 0}, {"M3", 40}}).head<3>().norm(), 5, 1e-14);
}

TEST(RigidBodySystem, APickedStateKeepsTheAngularMomentumInSpace)
{
    const auto system = made();
    const State before = system->start({});
    const Vec3 L = Quat(before[3], before[4], before[5], before[6]) * Vec3(before.head<3>());
    const State after = system->start(system->pick("portrait", 2.1, -0.4, system->inputsOf(before)));
    EXPECT_NEAR((Quat(after[3], after[4], after[5], after[6]) * Vec3(after.head<3>()) - L).norm(), 0, 1e-14);
    EXPECT_NEAR(after[2], -0.4 * 2, 1e-14);
}

TEST(RigidBodySystem, EnergiesAreClassified)
{
    const auto system = made({{"I1", 1.0}, {"I2", 2.0}, {"I3", 2.5}, {"mu", 2.0}});
    const Analysis analysis = system->analyze({{"energy", {0.9, 1.0, 1.5, 0.8, 3.0}}});
    const auto& orbits = analysis.more.at("orbits");
    EXPECT_EQ(orbits.at(0).at("kind"), "about axis");
    EXPECT_EQ(orbits.at(0).at("axis"), 3);
    EXPECT_EQ(orbits.at(1).at("kind"), "heteroclinic");
    EXPECT_EQ(orbits.at(2).at("axis"), 1);
    EXPECT_EQ(orbits.at(3).at("kind"), "equilibrium");
    EXPECT_EQ(orbits.at(4).at("kind"), "none");
    EXPECT_NEAR(analysis.more.at("heteroclinic").at("energy").number(), 1, 1e-15);
}

TEST(RigidBodySystem, TheOrbitThroughAStateHasItsEnergyAndPassesThroughIt)
{
    const auto system = made();
    const State x = system->start({{"M1", 1}, {"M2", 0.5}, {"M3", 1}});
    const Orbit orbit = system->orbitThrough(x);
    const Vec3 m = x.head<3>().normalized();
    double nearest = 1e300;
    for (std::size_t i = 0; i < orbit.lines[0].x.size(); ++i) {
        Surface sphere;
        sphere.shape = Surface::Shape::Sphere;
        const Vec3 p = sphere.embed(orbit.lines[0].x[i], orbit.lines[0].y[i]);
        EXPECT_NEAR(system->body().hamiltonian(2 * p), system->body().hamiltonian(2 * m), 1e-12);
        nearest = std::min(nearest, (p - m).norm());
    }
    EXPECT_LT(nearest, 0.03);
}

TEST(RigidBodyClaims, AllComeOutAsStated)
{
    const std::vector<Claim> claims = rigidBodyClaims(1);
    EXPECT_GE(claims.size(), 14u);
    for (const Claim& claim : claims) {
        EXPECT_TRUE(claim.expected) << claim.id << ", digits " << claim.digits << ": " << claim.computed;
        EXPECT_EQ(claim.verdict, claim.erratum.empty() ? "holds" : "holds as corrected") << claim.id;
    }
}

TEST(RigidBodyClaims, AnAlteredCoefficientIsNoticed)
{
    RigidBodyFormulas f = rigidBodyFormulas();
    f.bracket = [g = f.bracket](const Vec3& l, const Vec3& a, const Vec3& b) { return 1.0001 * g(l, a, b); };
    f.field = [g = f.field](const Vec3& l, const Vec3& w) -> Vec3 { return 1.0001 * g(l, w); };
    f.inertia = [g = f.inertia](const std::vector<MassPoint>& p) { return Mat3(1.0001 * g(p)); };
    f.rigidBlock = [g = f.rigidBlock](double a, double l, double mu) { return 1.0001 * g(a, l, mu); };
    f.geometricPhase = [g = f.geometricPhase](const RigidBodyMotion& m) { return 1.0001 * g(m); };
    std::vector<std::string> failed;
    for (const Claim& claim : rigidBodyClaims(1, f))
        if (!claim.expected)
            failed.push_back(claim.id);
    EXPECT_THAT(failed, testing::IsSupersetOf({"planar (1.1), (1.2)", "planar (1.3)", "(3.11)",
                                               "section 2, remark 1; abstract (ii), for the body alone",
                                               "(3.10) and planar (1.3), reconstructed"}));
}

} // namespace
} // namespace casimir::rod
