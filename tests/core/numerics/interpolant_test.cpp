#include "core/base/error.h"
#include "core/numerics/interpolant.h"

#include <gtest/gtest.h>

#include <cmath>

namespace casimir {
namespace {

using Eigen::VectorXd;

TEST(PolynomialInterpolant, ReproducesAQuarticAndItsEndsExactly)
{
    const auto quartic = [](double t) { return 3 - t + 2 * t * t - 0.5 * std::pow(t, 4); };
    const auto nodes = std::make_shared<const InterpolationNodes>(VectorXd::LinSpaced(5, 0, 1));
    for (const auto& [begin, end] : {std::pair{0.1, 2.3}, {2.3, 0.1}}) {
        Eigen::MatrixXd values(1, 5);
        for (int i = 0; i < 5; ++i)
            values(0, i) = quartic(begin + (end - begin) * nodes->s()[i]);
        const PolynomialInterpolant p(begin, end, nodes, values);
        EXPECT_EQ(p.sample(begin)[0], values(0, 0));
        EXPECT_EQ(p.sample(end)[0], values(0, 4));
        for (const double t : {0.1000001, 0.7, 1.2, 1.9, 2.2999})
            EXPECT_NEAR(p.sample(t)[0], quartic(t), 1e-14);
    }
}

TEST(PolynomialInterpolant, RefusesNodesThatDoNotFit)
{
    EXPECT_THROW(InterpolationNodes(VectorXd::LinSpaced(3, 0, 2)), Error);
    EXPECT_THROW(InterpolationNodes(Eigen::Vector4d(0, 0.5, 0.5, 1)), Error);
    const auto nodes = std::make_shared<const InterpolationNodes>(VectorXd::LinSpaced(3, 0, 1));
    EXPECT_THROW(PolynomialInterpolant(0, 1, nodes, Eigen::MatrixXd::Zero(2, 4)), Error);
}

TEST(HermiteInterpolant, ReproducesACubicInBothDirectionsOfTime)
{
    const auto x = [](double t) { return VectorXd::Constant(1, 1 - 2 * t + 0.3 * t * t * t); };
    const auto f = [](double t) { return VectorXd::Constant(1, -2 + 0.9 * t * t); };
    for (const auto& [a, b] : {std::pair{-1.0, 2.0}, {2.0, -1.0}}) {
        const HermiteInterpolant h(a, b, x(a), f(a), x(b), f(b));
        EXPECT_EQ(h.sample(b), x(b));
        for (const double t : {-0.5, 0.0, 1.7})
            EXPECT_NEAR(h.sample(t)[0], x(t)[0], 1e-14);
    }
}

// A turn about the z axis by the angle 2 phi, behind one ordinary component.
VectorXd turn(double phi)
{
    VectorXd x(5);
    x << phi, std::cos(phi), 0, 0, std::sin(phi);
    return x;
}

VectorXd turning(double phi)
{
    VectorXd f(5);
    f << 1, -std::sin(phi), 0, 0, std::cos(phi);
    return f;
}

TEST(HermiteInterpolant, KeepsQuaternionsOfUnitLengthWithFourthOrder)
{
    const auto worst = [](double h) {
        const HermiteInterpolant q(0, h, turn(0), turning(0), turn(h), turning(h), {1});
        EXPECT_NEAR(q.sample(0.3 * h).tail(4).norm(), 1, 1e-15);
        return (q.sample(0.3 * h) - turn(0.3 * h)).norm();
    };
    EXPECT_GT(std::log2(worst(0.4) / worst(0.2)), 3.8);
}

TEST(HermiteInterpolant, TakesTheShortArcWhenTheSignOfAQuaternionFlips)
{
    VectorXd end = turn(0.8);
    end.tail(4) *= -1;
    VectorXd endSlope = turning(0.8);
    endSlope.tail(4) *= -1;
    const HermiteInterpolant q(0, 0.8, turn(0), turning(0), end, endSlope, {1});
    EXPECT_LT((q.sample(0.2) - turn(0.2)).norm(), 1e-14);
    EXPECT_EQ(q.sample(0.8), end);
    EXPECT_THROW(HermiteInterpolant(0, 1, turn(0), turning(0), turn(1), turning(1), {2}), Error);
}

} // namespace
} // namespace casimir
