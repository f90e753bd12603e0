// The motion of two bodies as a function of time, against integration, periods and phases that were computed
// on other ways, and long after the start.
#include "core/systems/planar/two_body/two_body_equilibria.h"
#include "core/systems/planar/two_body/two_body_motion.h"
#include "tests/core/systems/planar/two_body_cases.h"

#include <gtest/gtest.h>

namespace casimir::planar {
namespace {

using std::numbers::pi;

// Starts on librations and rotations of both directions, some of them wound up, at various phases.
std::vector<TwoBodyMotion::Point> starts(const TwoBody& b)
{
    const HomoclinicPair pair(b);
    std::vector<TwoBodyMotion::Point> result;
    for (const double part : {0.3, 0.97, 1.04, 2.0})
        for (const int branch : {1, -1})
            for (const double psi : {0.0, 0.4, -0.2, 2 * pi + 0.3, -4 * pi - 0.1}) {
                const double centre = b.nu0(b.theta0() + psi);
                const double nu = centre + part * (pair.nu(std::remainder(psi, 2 * pi), branch) - centre);
                result.push_back({b.theta0() + psi, nu, 0.7});
            }
    // Beyond the reach of slow librations, where only rotations and wide librations come.
    for (const double psi : {2.9, -3.0, pi})
        for (const double rise : {0.02, -0.5})
            result.push_back({b.theta0() + psi, b.nu0(b.theta0() + psi) + rise * std::abs(b.mu()), -0.2});
    return result;
}

std::vector<TwoBodyParameters> ordinary(unsigned seed)
{
    auto sets = randomParameters(8, seed);
    sets.push_back(figure1());
    sets.push_back({3, 2, 1e-2, 2e-2, 1, 1.2, 0.3, 0.7}); // slender: Delta_e much below D^2
    return sets;
}

TEST(TwoBodyMotion, FollowsTheEquationsOfMotion)
{
    for (const TwoBodyParameters& p : ordinary(51)) {
        const TwoBody b(p);
        for (const auto& start : starts(b)) {
            const TwoBodyMotion motion(b, start);
            ASSERT_TRUE(motion.period());
            const double unit = std::abs(b.mu()) + std::abs(start.nu);
            for (const double part : {0.0, 0.013, 0.21, 0.5, 0.77, 1.9}) {
                const double time = part * *motion.period();
                const auto at = motion.at(time);
                const Eigen::Vector3d other = part == 0
                                                  ? Eigen::Vector3d(start.theta, start.nu, start.theta1)
                                                  : flow(b, {start.theta, start.nu, start.theta1}, time);
                // The integrator's own error, which the neighbourhood of the saddle magnifies.
                const double slack = 1e-9 * (1 + time * std::abs(b.thetaDot(start.theta, start.nu)));
                ASSERT_NEAR(at.theta, other[0], slack);
                ASSERT_NEAR(at.nu, other[1], slack * unit);
                ASSERT_NEAR(at.theta1, other[2], slack * (1 + std::abs(other[2])));
            }
        }
    }
}

TEST(TwoBodyMotion, RunsBackwardsToItsPast)
{
    const TwoBody b(figure1());
    for (const auto& start : starts(b)) {
        const TwoBodyMotion motion(b, start);
        for (const double time : {-0.1, -7.0, -300.0}) {
            const TwoBodyMotion again(b, motion.at(time));
            const auto back = again.at(-time);
            EXPECT_NEAR(back.theta, start.theta, 1e-10);
            EXPECT_NEAR(back.nu, start.nu, 1e-10 * 50);
            EXPECT_NEAR(back.theta1, start.theta1, 1e-10);
        }
    }
}

// The loop integrals are sums over an infinite grid, the motion's panels of Gauss points.
TEST(TwoBodyMotion, APeriodAndItsPhaseAreThoseOfTheLoopIntegrals)
{
    for (const TwoBodyParameters& p : allParameters(52)) {
        const TwoBody b(p);
        for (const auto& start : starts(b)) {
            const TwoBodyMotion motion(b, start);
            const TwoBodyOrbit orbit = orbitThrough(b, start.theta, start.nu);
            ASSERT_EQ(motion.period().has_value(), orbit.period.has_value());
            if (!orbit.period)
                continue;
            EXPECT_NEAR(*motion.period() / *orbit.period, 1, 1e-13);
            const auto after = motion.at(*motion.period());
            const bool falls = orbit.kind == OrbitKind::Rotation && start.nu < b.nu0(start.theta);
            const OrbitPhase& phase = falls ? *orbit.phaseFalling : *orbit.phase;
            EXPECT_NEAR(after.theta1 - start.theta1, phase.rotationBody1,
                        1e-11 * (1 + std::abs(phase.rotationBody1) + std::abs(phase.dynamicLocked)));
            const double turned = orbit.kind == OrbitKind::Rotation ? (falls ? -2 * pi : 2 * pi) : 0;
            EXPECT_NEAR(after.theta - start.theta, turned, 1e-9);
        }
    }
}

TEST(TwoBodyMotion, KeepsTheEnergyAndThePlaceAfterAHundredThousandPeriods)
{
    const TwoBody b(figure1());
    const double energy = HomoclinicPair(b).energy() * (1 - 1e-3);
    const double nu =
        b.nu0(0.0) + std::sqrt(2 * b.delta(0.0) * (energy - b.amendedPotential(0.0)) / b.lockedInertia(0.0));
    const TwoBodyMotion motion(b, {0, nu, 0});
    const double period = *motion.period();
    for (const double part : {0.0, 0.1, 0.37, 0.9}) {
        const auto near = motion.at(part * period), far = motion.at((1e5 + part) * period);
        EXPECT_NEAR(b.leafHamiltonian(far.theta, far.nu) / energy, 1, 2e-14);
        EXPECT_NEAR(far.theta, near.theta, 1e-9);
        EXPECT_NEAR(far.theta1 - near.theta1, 1e5 * orbitOfEnergy(b, energy).phase->rotationBody1, 1e-6);
    }
}

TEST(TwoBodyMotion, OnTheHomoclinicPairItApproachesTheFoldedState)
{
    for (const TwoBodyParameters& p : ordinary(53)) {
        const TwoBody b(p);
        const HomoclinicPair pair(b);
        for (const int branch : {1, -1}) {
            const double psi = -1.1 * branch;
            const TwoBodyMotion::Point start{b.theta0() + psi, pair.nu(psi, branch), 0.4};
            const TwoBodyMotion motion(b, start);
            ASSERT_EQ(motion.kind(), OrbitKind::Homoclinic);
            EXPECT_FALSE(motion.period());
            const double time = 3 / pair.growthRate(); // the integrator leaves the pair later
            const Eigen::Vector3d other = flow(b, {start.theta, start.nu, start.theta1}, time);
            const auto at = motion.at(time);
            EXPECT_NEAR(at.theta, other[0], 1e-9);
            EXPECT_NEAR(at.nu, other[1], 1e-9 * std::abs(b.mu()));
            EXPECT_NEAR(at.theta1, other[2], 1e-9);
            const auto late = motion.at(60 / pair.growthRate());
            EXPECT_NEAR(late.theta, b.theta0() + branch * pi, 1e-10);
        }
    }
}

TEST(TwoBodyMotion, AnEquilibriumOnlyTurns)
{
    const TwoBody b(figure1());
    for (const TwoBodyEquilibrium& e : equilibria(b).equilibria) {
        const auto at = TwoBodyMotion(b, {e.theta, e.nu, 0.1}).at(12);
        EXPECT_EQ(at.theta, e.theta);
        EXPECT_EQ(at.nu, e.nu);
        EXPECT_NEAR(at.theta1, 0.1 + 12 * e.omega, 1e-12);
    }
}

} // namespace
} // namespace casimir::planar
