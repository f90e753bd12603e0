// A third body attached near its centre of mass splits the homoclinic orbit of the other two: the Melnikov
// function against the manifolds.
#include "core/numerics/methods.h"
#include "core/systems/planar/splitting/attached_body.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace casimir::planar {
namespace {

constexpr double pi = std::numbers::pi;

ThreeBodyParameters bodies()
{
    return {1, 1.3, 0.4, 0.3, 0.25, 0.05, 0.7, 0.5, 0.1, 0.05, 0, 2};
}

// Of a chain whose third body hangs by its own centre of mass.
TEST(AttachedBody, AtItsCentreOfMassTheOthersMoveAsTwoBodies)
{
    const ThreeBodyParameters p = bodies();
    const double mu3 = 0.3;
    const TwoBody pair = carriedPair(p, mu3);
    const ThreeBody chain(p);
    for (const double x : {-2.0, 0.3, 1.1})
        for (const double y : {0.0, 2.0}) {
            Vector5d z;
            z << x, y, 0.9, p.mu - mu3 - 0.9, mu3;
            const Vector5d rate = chain.reducedField<double>(z);
            const Vec3<double> two = pair.reducedField<double>(Vec3<double>(x, z[2], z[3]));
            EXPECT_NEAR(rate[0], two[0], 1e-13);
            EXPECT_NEAR(rate[2], two[1], 1e-13);
            EXPECT_EQ(rate[4], 0);
            EXPECT_NEAR(chain.hamiltonian<double>(z),
                        pair.hamiltonian<double>(Vec3<double>(x, z[2], z[3])) + mu3 * mu3 / (2 * p.I3),
                        1e-13);
        }
}

// mu3 along the orbit of the chain itself, from and to where the saddle's periodic orbit is followed: its
// change less that of the swing. The chain is integrated at a d1 so small that it stays by the homoclinic
// orbit.
TEST(AttachedBody, TheAmplitudeIsTheChangeOfMomentumLessTheSwingAtTheSaddle)
{
    const ThreeBodyParameters undisturbed = bodies();
    const double mu3 = 0.25, y0 = 0.7;
    const AttachedBody attached(undisturbed, mu3, 1);
    const TwoBody pair = carriedPair(undisturbed, mu3);
    const HomoclinicPair orbit(pair);
    ThreeBodyParameters p = undisturbed;
    p.d1 = 1;
    const ThreeBody unit(p);
    const ThreeBody chain(undisturbed);
    const double nu = orbit.nu(0, 1), T = 12 / orbit.growthRate();
    Vector5d start;
    start << pair.theta0(), y0, 0.5 * pair.mu() - nu, 0.5 * pair.mu() + nu, mu3;
    // Beside the undisturbed motion, what the couplings at d1 = 1 would do to mu3 with its velocities.
    const Field field = [&](double, const State& z, State& rate) {
        Eigen::Vector3d omega;
        rate.head<5>() = chain.reducedField<double>(Vector5d(z.head<5>()), omega);
        const auto g = unit.couplings<double>(z[0], z[1]);
        rate[5] = -omega[2] * (g.K13 * omega[0] + g.K23 * omega[1]);
    };
    double change = 0;
    for (const double side : {1.0, -1.0}) {
        IntegrationOptions options;
        options.rtol = 1e-13;
        State z = State::Zero(6);
        z.head<5>() = start;
        const auto run = startIntegration("rkf78", field, 0, z, options);
        ASSERT_TRUE(advanceTo(*run, side * T).ok());
        const State end = run->state();
        // At the saddle mu3 follows the energy of the coupling: mu3 y' - (J13 + J23 sum) stays.
        const auto g = unit.couplings<double>(pair.theta0() + pi, end[1]);
        const double spin = pair.mu() / pair.foldedInertia(), omega3 = mu3 / p.I3;
        const double swing = omega3 * (g.J13 + g.J23) * spin / (omega3 - spin);
        change += side * (end[5] - swing);
    }
    EXPECT_NEAR(attached.melnikov(y0), change, 2e-4 * std::abs(attached.amplitude()));
}

TEST(AttachedBody, MeasuredAndPredictedSplittingAgreeToFirstOrder)
{
    for (const int branch : {1, -1}) {
        const AttachedBody attached(bodies(), 0.3, branch);
        double previous = 1;
        for (const double eps : {4e-3, 2e-3, 1e-3, 5e-4}) {
            const Splitting s = attached.splitting(eps, 8);
            ASSERT_TRUE(s.status.ok()) << s.status.sentence;
            const double off = std::abs(s.ratio() - 1);
            EXPECT_LT(off, 0.75 * previous) << eps;
            previous = off;
        }
        EXPECT_LT(previous, 5e-3);
    }
}

TEST(AttachedBody, ARotorThatDoesNotSpinSplitsNothingToFirstOrder)
{
    EXPECT_EQ(std::abs(AttachedBody(bodies(), 0, 1).amplitude()), 0);
}

} // namespace
} // namespace casimir::planar
