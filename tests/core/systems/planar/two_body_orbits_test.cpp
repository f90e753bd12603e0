// Periods, phases, the homoclinic pair and level curves against integration in time, quadrature in quadruple
// precision and limits.
#include "core/systems/planar/two_body/two_body_orbits.h"

#include "core/base/error.h"
#include "core/systems/planar/two_body/two_body_equilibria.h"
#include "core/systems/planar/two_body/two_body_portrait.h"
#include "tests/core/systems/planar/two_body_cases.h"

#include <boost/math/constants/constants.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

namespace casimir::planar {
namespace {

using std::numbers::pi;
using Quad = boost::multiprecision::cpp_bin_float_quad;

double saddleEnergy(const TwoBody& b)
{
    return b.mu() * b.mu() / (2 * b.foldedInertia());
}
double leastEnergy(const TwoBody& b)
{
    return b.mu() * b.mu() / (2 * b.stretchedInertia());
}

// The period from theta'^2 = (2 E S - mu^2)/Delta in quadruple precision: u with sin(psi/2) = k sin u for
// librations, psi = 2 u for rotations, the distance to u = pi/2 kept apart so that the nearly singular end is
// resolved.
double periodInQuad(const TwoBodyParameters& p, double energy)
{
    const Quad eps = Quad(p.m1) * p.m2 / (Quad(p.m1) + p.m2), a = p.I1 + eps * p.d1 * p.d1,
               b = p.I2 + eps * p.d2 * p.d2;
    const Quad D = eps * p.d1 * p.d2, E = energy, mu2 = Quad(p.mu) * p.mu;
    const Quad plus = 2 * E * (a + b + 2 * D) - mu2, minus = 2 * E * (a + b - 2 * D) - mu2;
    const bool libration = minus < 0;
    const Quad k2 = libration ? plus / (8 * E * D) : Quad(1), whole = libration ? Quad(8 * E * D) : plus;
    const Quad complement = abs(minus) / whole;
    const auto integrand = [&](Quad u, Quad uc) {
        const Quad c = u > 0.5 ? sin(abs(uc)) : cos(u), s = sin(u); // uc: distance to the nearer end
        const Quad root2 = c * c + complement * s * s, s2 = k2 * s * s, c2 = libration ? root2 : Quad(c * c);
        return Quad(sqrt((a * b - D * D + 4 * D * D * s2 * c2) / root2));
    };
    boost::math::quadrature::tanh_sinh<Quad> rule(12);
    const Quad half = boost::math::constants::half_pi<Quad>();
    const auto shifted = [&](Quad u, Quad uc) { return integrand(u, u > half / 2 ? uc : Quad(half - u)); };
    const Quad value = rule.integrate(shifted, Quad(0), half, Quad(1e-25));
    return static_cast<double>((libration ? 8 : 4) * value / sqrt(whole));
}

std::vector<double> ordinaryEnergies(const TwoBody& b)
{
    const double low = leastEnergy(b), high = saddleEnergy(b);
    return {low + 0.1 * (high - low), low + 0.7 * (high - low), high + 0.3 * (high - low),
            high + 4 * (high - low)};
}

TEST(TwoBodyOrbits, APeriodLaterTheJointReturnsAndBody1HasTurnedByItsPhase)
{
    for (const TwoBodyParameters& p : randomParameters(10, 21)) {
        const TwoBody b(p);
        for (const double energy : ordinaryEnergies(b)) {
            const TwoBodyOrbit o = orbitOfEnergy(b, energy);
            ASSERT_TRUE(o.phase);
            for (const int branch : {1, -1}) {
                const PhaseCurve curve = levelCurve(b, energy, branch, 9);
                const std::size_t at =
                    o.kind == OrbitKind::Libration ? 0 : 4; // psi = 0, with growing theta for branch 1
                const double sign = o.kind == OrbitKind::Libration ? 0 : branch;
                const Eigen::Vector2d start = curve.points[at];
                const Eigen::Vector3d end = flow(b, {start[0], start[1], 0}, *o.period);
                EXPECT_NEAR(end[0], start[0] + sign * 2 * pi, 1e-10);
                const OrbitPhase& phase = sign < 0 ? *o.phaseFalling : *o.phase;
                EXPECT_NEAR(end[2], phase.rotationBody1, 1e-10 * std::max(1.0, std::abs(end[2])));
            }
        }
    }
}

TEST(TwoBodyOrbits, PeriodsAgreeWithQuadruplePrecisionForExtremeParameters)
{
    for (const TwoBodyParameters& p : allParameters(22)) {
        const TwoBody b(p);
        for (const double energy : ordinaryEnergies(b)) {
            const double wanted = periodInQuad(p, energy);
            EXPECT_NEAR(*orbitOfEnergy(b, energy).period, wanted, 1e-12 * wanted);
        }
    }
}

TEST(TwoBodyOrbits, PeriodsNearTheSeparatrixKeepTheirDigits)
{
    for (const TwoBodyParameters& p : randomParameters(6, 23)) {
        const TwoBody b(p);
        for (const double distance : {1e-3, 1e-6, 1e-9, 1e-12, 1e-14}) {
            for (const double side : {-1.0, 1.0}) {
                const double energy = saddleEnergy(b) * (1 + side * distance);
                const TwoBodyOrbit o = orbitOfEnergy(b, energy);
                ASSERT_EQ(o.kind, side < 0 ? OrbitKind::Libration : OrbitKind::Rotation);
                const double wanted = periodInQuad(p, energy);
                EXPECT_NEAR(*o.period, wanted, 1e-11 * wanted) << distance;
            }
        }
    }
}

TEST(TwoBodyOrbits, SmallLibrationsHaveThePeriodOfTheLinearisation)
{
    for (const TwoBodyParameters& p : randomParameters(10, 24)) {
        const TwoBody b(p);
        const double rate = equilibrium(b, 1).eigenvalues[1].imag();
        for (const double amplitude : {1e-6, 1e-7, 1e-9}) {
            // theta0 + amplitude is rounded, so that the amplitude itself is only known to this much
            const double theta = p.theta0 + amplitude, psi = theta - p.theta0;
            const TwoBodyOrbit o = orbitThrough(b, theta, b.nu0(theta));
            ASSERT_EQ(o.kind, OrbitKind::Libration);
            EXPECT_NEAR(*o.period, 2 * pi / rate, 2e-11 * 2 * pi / rate);
            EXPECT_NEAR(*o.turningAngle, psi, 1e-7 * psi);
            // Area of the ellipse 2 pi (E - E_min)/rate, with E - E_min = psi^2 d2H/dtheta2 /2
            const double area = pi * psi * psi * equilibrium(b, 1).d2Hdtheta2 / rate;
            EXPECT_NEAR(*o.area, area, 1e-6 * area);
        }
    }
}

TEST(TwoBodyOrbits, BothSplittingsOfThePhaseGiveTheSameRotation)
{
    for (const TwoBodyParameters& p : allParameters(25)) {
        const TwoBody b(p);
        for (const double energy : ordinaryEnergies(b)) {
            const TwoBodyOrbit o = orbitOfEnergy(b, energy);
            for (const auto& phase : {o.phase, o.phaseFalling}) {
                if (!phase)
                    continue;
                const double sum = *phase->dynamicMontgomery + *phase->geometricMontgomery;
                const double size =
                    std::abs(*phase->dynamicMontgomery) + std::abs(*phase->geometricMontgomery);
                EXPECT_NEAR(sum, phase->dynamicLocked + phase->geometricLocked, 1e-12 * size);
            }
        }
    }
}

TEST(TwoBodyOrbits, ConnectionLoopIsTheIntegralOfTheMechanicalConnection)
{
    for (const TwoBodyParameters& p : randomParameters(20, 26)) {
        const TwoBody b(p);
        constexpr int n = 4000;
        double sum = 0;
        for (int k = 0; k < n; ++k) {
            const double theta = 2 * pi * k / n;
            sum += b.share2(theta) / b.lockedInertia(theta);
        }
        EXPECT_NEAR(connectionLoop(b), 2 * pi * sum / n, 1e-12);
    }
}

TEST(TwoBodyOrbits, WithoutMomentumTheJointOnlyRotatesAndThePhaseIsGeometric)
{
    TwoBodyParameters p = figure1();
    p.mu = 0;
    const TwoBody b(p);
    const TwoBodyOrbit o = orbitOfEnergy(b, 2.5);
    ASSERT_EQ(o.kind, OrbitKind::Rotation);
    EXPECT_NEAR(*o.period, periodInQuad(p, 2.5), 1e-12 * *o.period);
    EXPECT_EQ(o.phase->dynamicLocked, 0);
    EXPECT_FALSE(o.phase->dynamicMontgomery);
    const Eigen::Vector2d start = levelCurve(b, 2.5, 1, 9).points[4];
    const Eigen::Vector3d end = flow(b, {start[0], start[1], 0}, *o.period);
    EXPECT_NEAR(end[0], start[0] + 2 * pi, 1e-10);
    EXPECT_NEAR(end[2], o.phase->rotationBody1, 1e-10);
    EXPECT_EQ(orbitOfEnergy(b, 0).kind, OrbitKind::Equilibrium);
    EXPECT_EQ(orbitOfEnergy(b, -1e-9).kind, OrbitKind::None);
}

TEST(TwoBodyOrbits, WithoutCouplingTheJointTurnsAtAConstantRate)
{
    TwoBodyParameters p = figure1();
    p.d1 = 0;
    const TwoBody b(p);
    const TwoBodyOrbit o = orbitThrough(b, 0.4, 3.0);
    ASSERT_EQ(o.kind, OrbitKind::Rotation);
    EXPECT_NEAR(*o.period, 2 * pi / std::abs(b.thetaDot(2.0, 3.0)), 1e-13 * *o.period);
    EXPECT_EQ(orbitOfEnergy(b, leastEnergy(b)).kind, OrbitKind::Equilibrium);
}

TEST(TwoBodyOrbits, EnergiesOfTheEquilibriaAreRecognisedAndTheirNeighboursAreNot)
{
    for (const TwoBodyParameters& p : allParameters(27)) {
        const TwoBody b(p);
        const double low = equilibrium(b, 1).energy, high = equilibrium(b, -1).energy;
        EXPECT_EQ(orbitOfEnergy(b, low).kind, OrbitKind::Equilibrium);
        EXPECT_EQ(orbitOfEnergy(b, high).kind, OrbitKind::Homoclinic);
        EXPECT_EQ(orbitOfEnergy(b, high * (1 + 1e-14)).kind, OrbitKind::Rotation);
        EXPECT_EQ(orbitOfEnergy(b, high * (1 - 1e-14)).kind, OrbitKind::Libration);
        EXPECT_EQ(orbitOfEnergy(b, low * (1 - 1e-14)).kind, OrbitKind::None);
        EXPECT_EQ(orbitOfEnergy(b, low * (1 + 1e-14)).kind, OrbitKind::Libration);
    }
    EXPECT_THROW(orbitOfEnergy(TwoBody(figure1()), INFINITY), Error);
}

TEST(TwoBodyOrbits, TheFoldedStateIsToldFromTheOrbitsThatApproachIt)
{
    const TwoBody b(figure1());
    const HomoclinicPair pair(b);
    EXPECT_EQ(orbitThrough(b, pair.saddleTheta(), pair.saddleNu()).kind, OrbitKind::Equilibrium);
    EXPECT_EQ(orbitThrough(b, 1.0, pair.nu(1.0, 1)).kind, OrbitKind::Homoclinic);
    EXPECT_EQ(orbitThrough(b, b.theta0(), b.nu0(b.theta0())).kind, OrbitKind::Equilibrium);
}

TEST(HomoclinicPair, TimeIsThatOfTheMotion)
{
    for (const TwoBodyParameters& p : randomParameters(8, 28)) {
        const TwoBody b(p);
        const HomoclinicPair pair(b);
        for (const int branch : {1, -1}) {
            const double target = branch * 2.0, time = pair.time(target, branch);
            const Eigen::Vector3d end = flow(b, {p.theta0, pair.nu(0, branch), 0}, time);
            EXPECT_NEAR(end[0] - p.theta0, target, 1e-10);
            EXPECT_NEAR(end[1], pair.nu(target, branch), 1e-10 * std::abs(p.mu));
        }
    }
}

TEST(HomoclinicPair, AngleAtATimeInvertsTimeAtAnAngle)
{
    for (const TwoBodyParameters& p : allParameters(29)) {
        const HomoclinicPair pair{TwoBody(p)};
        for (const double psi : {-3.1, -1.0, 1e-5, 0.3, 2.0, 3.0})
            for (const int branch : {1, -1})
                EXPECT_NEAR(pair.psi(pair.time(psi, branch), branch), psi, 1e-12 * std::abs(psi));
        EXPECT_EQ(pair.psi(0, 1), 0);
        EXPECT_TRUE(std::isinf(pair.time(pi, 1)));
        EXPECT_NEAR(pair.psi(1e6 / pair.growthRate(), -1), -pi, 1e-12);
    }
}

TEST(HomoclinicPair, ApproachesTheSaddleAtTheGrowthRate)
{
    for (const TwoBodyParameters& p : randomParameters(8, 30)) {
        const TwoBody b(p);
        const HomoclinicPair pair(b);
        const double late = 12 / pair.growthRate(), later = 13 / pair.growthRate();
        const double ratio = (pi - pair.psi(late, 1)) / (pi - pair.psi(later, 1));
        EXPECT_NEAR(std::log(ratio), 1, 1e-6);
        EXPECT_NEAR(pair.growthRate(), equilibrium(b, -1).eigenvalues[1].real(), 1e-13 * pair.growthRate());
    }
}

TEST(HomoclinicPair, ExtentsBoundAFineSampling)
{
    for (const TwoBodyParameters& p : allParameters(31)) {
        const TwoBody b(p);
        const HomoclinicPair pair(b);
        double low = INFINITY, high = -INFINITY;
        for (int k = -20000; k <= 20000; ++k) {
            const double psi = pi * k / 20000;
            low = std::min(low, pair.nu(psi, -1));
            high = std::max(high, pair.nu(psi, 1));
        }
        const double size = std::max(high - low, 1e-9 * std::abs(p.mu));
        EXPECT_NEAR(pair.nuMin(), low, 1e-5 * size);
        EXPECT_NEAR(pair.nuMax(), high, 1e-5 * size);
        EXPECT_NEAR(pair.nu(pair.psiAtMax(), 1), pair.nuMax(), 1e-10 * std::abs(p.mu));
        EXPECT_NEAR(pair.nu(pair.psiAtMin(), -1), pair.nuMin(), 1e-10 * std::abs(p.mu));
    }
}

void expectOnLevel(const TwoBody& b, const PhaseCurve& curve)
{
    for (const Eigen::Vector2d& point : curve.points) {
        const double slope = std::abs(b.thetaDot(point[0], point[1]));
        const double tilt = std::abs(b.leafField(point[0], point[1])[1]);
        // a point is only as exact as its rounded coordinates
        const double slack =
            1e-15 * (slope * (std::abs(point[1]) + std::abs(b.mu())) + tilt * (std::abs(point[0]) + pi));
        ASSERT_NEAR(b.leafHamiltonian(point[0], point[1]), curve.energy, 4 * slack + 1e-14 * curve.energy);
    }
}

TEST(TwoBodyPortrait, EveryPointOfEveryCurveHasItsEnergy)
{
    for (const TwoBodyParameters& p : randomParameters(12, 32)) {
        const TwoBody b(p);
        const TwoBodyPortrait picture = portrait(b, 40, 101, usualWindow(b));
        EXPECT_EQ(picture.curves.size(), 40u);
        for (const PhaseCurve& curve : picture.curves)
            expectOnLevel(b, curve);
        ASSERT_TRUE(picture.homoclinicUpper && picture.homoclinicLower);
        expectOnLevel(b, *picture.homoclinicUpper);
        expectOnLevel(b, *picture.homoclinicLower);
        for (const double energy : ordinaryEnergies(b))
            expectOnLevel(b, levelCurve(b, energy, -1, 64));
    }
}

TEST(TwoBodyPortrait, ExtremeAndDegenerateParametersGiveFiniteCurves)
{
    std::vector<TwoBodyParameters> sets = extremeParameters();
    TwoBodyParameters p = figure1();
    p.mu = 0;
    sets.push_back(p);
    p = figure1();
    p.d1 = 0;
    sets.push_back(p);
    for (const TwoBodyParameters& set : sets) {
        const TwoBody b(set);
        const TwoBodyPortrait picture = portrait(b, 24, 64, usualWindow(b));
        ASSERT_EQ(picture.curves.size(), 24u);
        for (const PhaseCurve& curve : picture.curves) {
            ASSERT_EQ(curve.points.size(), 64u);
            for (const Eigen::Vector2d& point : curve.points)
                ASSERT_TRUE(point.allFinite());
        }
        EXPECT_EQ(picture.circle.has_value(), !picture.homoclinicUpper.has_value());
    }
}

TEST(TwoBodyPortrait, NoGapInTheWindowIsWiderThanAFewMeanGaps)
{
    for (const TwoBodyParameters& p : randomParameters(8, 33)) {
        const TwoBody b(p);
        const NuWindow window = usualWindow(b);
        const int curves = 40;
        const TwoBodyPortrait picture = portrait(b, curves, 128, window);
        // Crossings of the line through the stretched angle, where every orbit passes.
        std::vector<double> crossings{window.low, window.high};
        for (const PhaseCurve& curve : picture.curves)
            for (const int branch : {1, -1}) {
                if (curve.branch == -branch)
                    continue;
                const double q = std::sqrt(2 * b.straightDeterminant() * (curve.energy - leastEnergy(b)) /
                                           b.stretchedInertia());
                const double nu = b.nu0(p.theta0) + branch * q;
                if (nu > window.low && nu < window.high)
                    crossings.push_back(nu);
            }
        std::sort(crossings.begin(), crossings.end());
        double widest = 0;
        for (std::size_t k = 1; k < crossings.size(); ++k)
            widest = std::max(widest, crossings[k] - crossings[k - 1]);
        EXPECT_LT(widest, 8 * (window.high - window.low) / curves);
    }
}

TEST(TwoBodyPortrait, ALibrationContainsItsTurningPoints)
{
    const TwoBody b(figure1());
    const double energy = 0.5 * (leastEnergy(b) + saddleEnergy(b));
    const PhaseCurve curve = levelCurve(b, energy, 1, 30);
    ASSERT_EQ(curve.points.size(), 32u);
    EXPECT_TRUE(curve.closed);
    const double turning = *orbitOfEnergy(b, energy).turningAngle;
    EXPECT_NEAR(curve.points[8][0], turning, 1e-14);
    EXPECT_NEAR(curve.points[24][0], -turning, 1e-14);
    EXPECT_NEAR(b.thetaDot(curve.points[8][0], curve.points[8][1]), 0, 1e-15);
}

} // namespace
} // namespace casimir::planar
