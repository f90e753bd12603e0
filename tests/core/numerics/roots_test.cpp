#include "core/numerics/quadrature.h"
#include "core/numerics/roots.h"

#include <boost/math/special_functions/bessel.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace casimir {
namespace {

using std::numbers::pi;

TEST(BracketedRoot, FindsARootToTheLastDigits)
{
    const Root root = bracketedRoot([](double x) { return std::cos(x); }, 2, 1);
    EXPECT_TRUE(root.status.ok());
    EXPECT_NEAR(root.x, pi / 2, 4e-16);
    EXPECT_NEAR(bracketedRoot([](double x) { return std::pow(x, 9); }, -1, 2, 1e-12).x, 0, 1e-12);
    EXPECT_EQ(bracketedRoot([](double x) { return x - 1; }, 1, 2).x, 1);
}

TEST(BracketedRoot, SaysWhyThereIsNone)
{
    EXPECT_EQ(bracketedRoot([](double x) { return x * x + 1; }, -1, 1).status.code, "no-bracket");
    EXPECT_EQ(bracketedRoot([](double x) { return std::sqrt(x); }, -1, 1).status.code, "not-finite");
    const auto hole = [](double x) {
        return x < -0.5 ? -1.0 : x > 0.5 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
    };
    EXPECT_EQ(bracketedRoot(hole, -1, 1).status.code, "not-finite");
}

TEST(PeriodicIntegral, GivesBesselFunctionsInFewPoints)
{
    // int_0^2pi exp(cos t) dt = 2 pi I_0(1).
    const Integral a = periodicIntegral([](double t) { return std::exp(std::cos(t)); }, 0.3, 2 * pi);
    EXPECT_TRUE(a.status.ok());
    EXPECT_NEAR(a.value, 2 * pi * boost::math::cyl_bessel_i(0, 1.0), 1e-14);
    EXPECT_LE(a.evaluations, 64);
    EXPECT_LE(std::abs(a.value - 2 * pi * boost::math::cyl_bessel_i(0, 1.0)), a.error + 1e-14);
}

TEST(PeriodicIntegral, IsNotFooledByOneAlias)
{
    // At 16 and 32 points cos 32 t looks like 1.
    const Integral a = periodicIntegral([](double t) { return 1 + std::cos(32 * t); }, 0, 2 * pi);
    EXPECT_NEAR(a.value, 2 * pi, 1e-13);
}

TEST(PeriodicIntegral, AdmitsThatItDidNotConverge)
{
    const auto cusp = [](double t) { return std::sqrt(std::abs(std::sin(t))); };
    EXPECT_EQ(periodicIntegral(cusp, 0.1, 2 * pi, 1e-12, 4096).status.code, "not-converged");
}

TEST(AdaptiveIntegral, ReachesInfinityAndTellsItsError)
{
    const Integral a = adaptiveIntegral([](double t) { return 1 / std::cosh(t); }, 0,
                                        std::numeric_limits<double>::infinity());
    EXPECT_TRUE(a.status.ok());
    EXPECT_NEAR(a.value, pi / 2, 1e-12);
    EXPECT_GT(a.evaluations, 0);
    const Integral b = adaptiveIntegral([](double t) { return std::sin(t); }, 0, pi);
    EXPECT_NEAR(b.value, 2, 1e-14);
    EXPECT_EQ(adaptiveIntegral([](double t) { return 1 / t; }, 0, 1).status.code, "not-converged");
}

} // namespace
} // namespace casimir
