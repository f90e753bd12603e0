#include "core/numerics/gauss.h"
#include "core/numerics/gauss_integration.h"
#include "tests/core/numerics/problems.h"

#include <boost/numeric/odeint/integrate/integrate_n_steps.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace casimir {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

void pendulum(const Vector2d& x, Vector2d& dxdt, double)
{
    dxdt << x[1], -std::sin(x[0]);
}

double energyOf(const Vector2d& x)
{
    return x[1] * x[1] / 2 - std::cos(x[0]);
}

// x' = c x grad H, a Poisson bracket with the linear Casimir c . x; H is neither linear nor quadratic.
const Vector3d kCasimir(1, 1, 1);

Vector3d gradH(const Vector3d& x)
{
    return {x[0], x[1] * x[1] * x[1], x[2] + std::sin(x[2])};
}

template <int Stages>
void expectCasimirKept()
{
    GaussStepper<Stages, Vector3d> stepper;
    Vector3d x(0.3, 1.1, -0.4);
    const double casimir = kCasimir.dot(x);
    const auto system = [](const Vector3d& y, Vector3d& dydt, double) { dydt = kCasimir.cross(gradH(y)); };
    double worst = 0;
    for (long i = 0; i < 300'000; ++i) {
        stepper.do_step(system, x, 0.0, 0.1);
        worst = std::max(worst, std::abs(kCasimir.dot(x) - casimir));
    }
    // The rounding inside the field alone, random from step to step: sqrt(300000) x 1e-17 or so in each
    // component.
    EXPECT_LT(worst, 3e-14);
}

TEST(GaussStepper, KeepsALinearCasimirToRoundingOverManySteps)
{
    expectCasimirKept<1>();
    expectCasimirKept<2>();
    expectCasimirKept<3>();
}

struct Line {
    double slope;
    double scatter;
};

Line fit(const Eigen::VectorXd& t, const Eigen::VectorXd& y)
{
    const Eigen::VectorXd s = (t.array() - t.mean()).matrix();
    const double slope = s.dot(y) / s.squaredNorm();
    return {slope, (y.array() - y.mean()).abs().maxCoeff()};
}

template <int Stages>
Line energyLine(double h, long steps)
{
    constexpr long kSamples = 4000;
    GaussStepper<Stages, Vector2d> stepper;
    Vector2d x(2, 0);
    const double energy = energyOf(x);
    Eigen::VectorXd t(kSamples);
    Eigen::VectorXd e(kSamples);
    long made = 0;
    for (long k = 0; k < kSamples; ++k) {
        for (; made < steps * (k + 1) / kSamples; ++made)
            stepper.do_step(pendulum, x, 0.0, h);
        t[k] = h * static_cast<double>(made);
        e[k] = energyOf(x) - energy;
    }
    return fit(t, e);
}

TEST(GaussStepper, LetsTheEnergySwingInABandWithoutDrift)
{
    constexpr long kSteps = 200'000;
    const double h = 0.2;
    for (const auto& [line, band] : {std::pair{energyLine<1>(h, kSteps), 1e-2},
                                     {energyLine<2>(h, kSteps), 1e-4},
                                     {energyLine<3>(h, kSteps), 1e-6}}) {
        EXPECT_LT(line.scatter, band);
        // The drift over the whole run is a small part of the band, as the samples do not meet it evenly.
        EXPECT_LT(std::abs(line.slope) * h * kSteps, 0.05 * line.scatter);
    }
}

TEST(GaussStepper, LosesEnergyOnlyByRoundingWhenTheStepIsShort)
{
    const Line line = energyLine<4>(0.05, 500'000);
    EXPECT_LT(line.scatter, 1e-14);
}

TEST(GaussStepper, HasTheCoefficientsOfTheKnownTableaux)
{
    const GaussTableau& two = gaussTableau(2);
    const double r = std::sqrt(3.0) / 6;
    EXPECT_DOUBLE_EQ(two.c[0], 0.5 - r);
    EXPECT_DOUBLE_EQ(two.aHigh(0, 1) + two.aLow(0, 1), 0.25 - r);
    EXPECT_DOUBLE_EQ(two.aHigh(1, 0) + two.aLow(1, 0), 0.25 + r);
    const GaussTableau& three = gaussTableau(3);
    EXPECT_DOUBLE_EQ(three.bHigh[1] + three.bLow[1], 4.0 / 9);
    EXPECT_DOUBLE_EQ(three.aHigh(0, 2) + three.aLow(0, 2), 5.0 / 36 - std::sqrt(15.0) / 30);
    for (int s = 1; s <= 4; ++s) {
        // Symplecticity, b_i a_ij + b_j a_ji = b_i b_j, far below what rounded coefficients would give.
        using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
        const GaussTableau& g = gaussTableau(s);
        const Wide a = g.aHigh.cast<long double>() + g.aLow.cast<long double>();
        const Wide b = g.bHigh.cast<long double>() + g.bLow.cast<long double>();
        const Wide m = b.asDiagonal() * a;
        EXPECT_LT((m + m.transpose() - b * b.transpose()).cwiseAbs().maxCoeff(), 1e-18L) << s;
        EXPECT_LT(std::abs(b.sum() - 1), 1e-18L) << s;
    }
}

TEST(GaussStepper, FallsBackOnNewtonWhereTheIterationDoesNotContract)
{
    // x' = -1000 (x - cos t) - sin t, x = cos t: the fixed-point iteration would need h < 0.001.
    GaussStepper<2, Eigen::Matrix<double, 1, 1>> stepper;
    Eigen::Matrix<double, 1, 1> x(1.0);
    const auto stiff = [](const auto& y, auto& dydt, double t) {
        dydt[0] = -1000 * (y[0] - std::cos(t)) - std::sin(t);
    };
    for (int i = 0; i < 100; ++i)
        ASSERT_EQ(stepper.step(stiff, x, 0.05 * i, 0.05), GaussOutcome::converged);
    // On stiff problems the order falls to that of the stages, here h^3.
    EXPECT_NEAR(x[0], std::cos(5.0), 0.05 * 0.05 * 0.05);
}

TEST(GaussStepper, ReportsStageEquationsWithoutSolutionAndLeavesTheStateAlone)
{
    // The midpoint rule on x' = x^2 asks y = 1 + h y^2 / 2, which has no real root for h > 1/2.
    GaussStepper<1, Eigen::Matrix<double, 1, 1>> stepper;
    Eigen::Matrix<double, 1, 1> x(1.0);
    const auto square = [](const auto& y, auto& dydt, double) { dydt[0] = y[0] * y[0]; };
    EXPECT_NE(stepper.step(square, x, 0, 0.6), GaussOutcome::converged);
    EXPECT_EQ(x[0], 1.0);
    ASSERT_EQ(stepper.step(square, x, 0, 0.4), GaussOutcome::converged);
    const double stage = (1 - std::sqrt(1 - 0.8)) / 0.4;
    EXPECT_NEAR(x[0], 1 + 0.4 * stage * stage, 1e-13);
}

TEST(GaussStepper, IsAStepperForOdeintsIntegrateFunctions)
{
    const testing::Pendulum exact;
    Vector2d x = exact.exact(0);
    boost::numeric::odeint::integrate_n_steps(GaussStepper<3, Vector2d>(), pendulum, x, 0.0, 0.05, 100);
    EXPECT_LT((x - Vector2d(exact.exact(5))).norm(), 1e-9);
}

TEST(GaussIntegration, KeepsQuadraticInvariantsInsideItsStepsToo)
{
    const testing::FreeRigidBody body;
    IntegrationOptions o;
    o.step = 0.5;
    const auto run = startGauss(2, testing::FreeRigidBody::field(), 0, body.exact(0), o);
    const double casimir = body.momentum * body.momentum;
    ASSERT_TRUE(advanceTo(*run, 50, [&](const Integration& i) {
                    const auto step = i.interpolant();
                    const State M = step->sample(step->begin() + 0.3 * (step->end() - step->begin()));
                    EXPECT_NEAR(M.squaredNorm(), casimir, 1e-13);
                    EXPECT_NEAR(M.cwiseAbs2().cwiseQuotient(body.I).sum() / 2, body.energy, 1e-13);
                }).ok());
}

TEST(GaussIntegration, OfEighthOrderConvergesWithItsOrder)
{
    const testing::Pendulum pendulum;
    const auto errorAt = [&](double step) {
        IntegrationOptions o;
        o.step = step;
        const auto run = startGauss(4, testing::Pendulum::field(), 0, pendulum.exact(0), o);
        EXPECT_TRUE(advanceTo(*run, 8).ok());
        return (run->state() - pendulum.exact(8)).norm();
    };
    EXPECT_NEAR(std::log2(errorAt(0.4) / errorAt(0.2)), 8, 0.5);
}

} // namespace
} // namespace casimir
