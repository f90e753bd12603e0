// The splitting of the homoclinic orbit by a driven joint: Melnikov's prediction against the manifolds.
#include "core/systems/planar/splitting/driven_joint.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace casimir::planar {
namespace {

constexpr double pi = std::numbers::pi;

TwoBody bodies()
{
    return TwoBody({1, 1.2, 0.4, 0.3, 0.8, 0.6, 0.2, 2});
}

// Of no drive at all the integral is the whole turn.
TEST(DrivenJoint, ASlowDriveGathersTheWholeTurn)
{
    const TwoBody b = bodies();
    for (const int branch : {1, -1})
        EXPECT_NEAR(DrivenJoint(b, 1e-9, branch).amplitude(), branch * 2 * pi, 1e-10);
}

// The same integral over the angle, where nothing was assumed about decay in time.
TEST(DrivenJoint, TheAmplitudeIsTheIntegralOverTheAngle)
{
    const TwoBody b = bodies();
    const HomoclinicPair pair(b);
    const double Omega = 0.7;
    for (const int branch : {1, -1}) {
        // psi = pi - exp(-u) spreads the slow approach to the saddle evenly
        double sum = 0;
        const int n = 20000;
        const double uMin = -std::log(pi), uMax = 30, h = (uMax - uMin) / n;
        for (int k = 0; k < n; ++k) {
            const double w = std::exp(-(uMin + (k + 0.5) * h));
            sum += 2 * w * h * std::cos(Omega * pair.time(pi - w, branch));
        }
        EXPECT_NEAR(DrivenJoint(b, Omega, branch).amplitude(), branch * sum, 1e-6);
    }
}

// Fourier's transform of what is analytic in a strip falls by e^(-width) for each unit of the frequency, at
// least; and not much more, or the frequencies refused below would be too few.
TEST(DrivenJoint, TheAmplitudeFallsAsTheStripOfAnalyticityIsWide)
{
    for (const double d : {0.1, 0.8, 3.0, 20.0}) {
        const TwoBody b({1, 1.2, 0.4, 0.3, d, 0.75 * d, 0.2, 2});
        const HomoclinicPair pair(b);
        const double width = pair.stripWidth();
        double last = std::abs(DrivenJoint(b, 4 / width, 1).amplitude());
        for (const double exponent : {8.0, 12.0, 16.0}) {
            const double now = std::abs(DrivenJoint(b, exponent / width, 1).amplitude());
            EXPECT_LT(now, std::exp(-4) * last + 1e-12) << d << ", " << exponent;
            last = now;
        }
        EXPECT_GT(std::abs(DrivenJoint(b, 4 / width, 1).amplitude()), 1e-9) << d;
        EXPECT_THROW(DrivenJoint(b, 46 / width, 1), Error);
    }
}

TEST(DrivenJoint, StopsWhenNobodyWaits)
{
    EXPECT_THROW(DrivenJoint(bodies(), 1, 1, [] { return true; }), Error);
}

TEST(DrivenJoint, MeasuredAndPredictedSplittingAgreeToFirstOrder)
{
    const TwoBody b = bodies();
    for (const int branch : {1, -1}) {
        const DrivenJoint joint(b, 1.3, branch);
        double previous = 1;
        for (const double eps : {4e-3, 2e-3, 1e-3, 5e-4}) {
            const Splitting s = joint.splitting(eps, 8);
            ASSERT_TRUE(s.status.ok()) << s.status.sentence;
            const double off = std::abs(s.ratio() - 1);
            EXPECT_LT(off, 0.75 * previous) << eps;
            previous = off;
        }
        EXPECT_LT(previous, 2e-3);
    }
}

TEST(DrivenJoint, TheManifoldsCrossWhereTheMelnikovFunctionVanishes)
{
    const DrivenJoint joint(bodies(), 1.3, 1);
    const Splitting s = joint.splitting(1e-4, 32);
    ASSERT_TRUE(s.status.ok());
    for (const double zero : joint.zeros()) {
        EXPECT_NEAR(joint.melnikov(zero), 0, 1e-12);
        bool changes = false;
        for (std::size_t k = 0; k + 1 < s.samples.size(); ++k)
            if (s.samples[k].t0 <= zero && s.samples[k + 1].t0 >= zero)
                changes = changes || s.samples[k].measured * s.samples[k + 1].measured <= 0;
        for (const SplittingSample& sample : s.samples) // a zero that falls on a sample
            changes = changes || (std::abs(sample.t0 - zero) < 1e-9 &&
                                  std::abs(sample.measured) < 1e-2 * 1e-4 * std::abs(joint.amplitude()));
        EXPECT_TRUE(changes) << zero;
    }
}

} // namespace
} // namespace casimir::planar
