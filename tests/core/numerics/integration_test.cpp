#include "core/base/error.h"
#include "core/numerics/methods.h"
#include "tests/core/numerics/problems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace casimir {
namespace {

using testing::FreeRigidBody;
using ::testing::HasSubstr;
using testing::Pendulum;

double error(const State& a, const State& b)
{
    return (a - b).cwiseAbs().maxCoeff();
}

// The error after the time 16 in steps of h: a loose tolerance leaves their length to the limits, but for the
// few that a controlled method begins with.
double rigidBodyError(std::string_view method, double h)
{
    const FreeRigidBody body;
    const double t0 = 0.25;
    IntegrationOptions o;
    o.step = h;
    o.rtol = 0.9;
    const auto run = startIntegration(method, FreeRigidBody::field(), t0, body.exact(t0), o);
    const int wanted = static_cast<int>(std::lround(16 / h));
    int made = 0;
    for (int i = 1; i <= wanted; ++i)
        EXPECT_TRUE(advanceTo(*run, t0 + i * h, [&](const Integration&) { ++made; }).ok());
    EXPECT_LE(made, wanted + 4);
    return error(run->state(), body.exact(t0 + 16));
}

class EveryMethod : public ::testing::TestWithParam<std::string> {
protected:
    IntegrationOptions options(double rtol, double step) const
    {
        IntegrationOptions o;
        o.rtol = rtol;
        if (genericMethod(GetParam()).fixedStep)
            o.step = step;
        return o;
    }
};

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         ::testing::Values("dopri5", "rkf78", "midpoint", "gauss4", "gauss6"),
                         [](const auto& name) { return name.param; });

TEST_P(EveryMethod, ConvergesToJacobisSolutionOfTheRigidBodyWithItsOrder)
{
    const MethodInfo& method = genericMethod(GetParam());
    const double h = method.order == 8 ? 0.25 : method.order == 2 ? 0.0625 : 0.125;
    const double coarse = rigidBodyError(GetParam(), h);
    const double fine = rigidBodyError(GetParam(), h / 2);
    EXPECT_GT(fine, 1e-13) << "rounding hides the order";
    EXPECT_NEAR(std::log2(coarse / fine), method.order, 0.45);
}

TEST_P(EveryMethod, MeetsItsToleranceOnThePendulum)
{
    const Pendulum pendulum;
    IntegrationOptions o;
    o.rtol = 1e-9;
    const auto run = startIntegration(GetParam(), Pendulum::field(), 0, pendulum.exact(0), o);
    long steps = 0;
    ASSERT_TRUE(advanceTo(*run, 10, [&](const Integration&) { ++steps; }).ok());
    // Every step may err by rtol times the scale; the pendulum's own divergence is linear in time.
    EXPECT_LT(error(run->state(), pendulum.exact(10)), 10 * static_cast<double>(steps) * o.rtol * 2);
    EXPECT_GT(run->evaluations(), steps);
}

TEST_P(EveryMethod, IsAsAccurateInsideItsStepsAsAtTheirEnds)
{
    const Pendulum pendulum;
    const auto run =
        startIntegration(GetParam(), Pendulum::field(), 0, pendulum.exact(0), options(1e-8, 0.1));
    double inside = 0;
    double atEnds = 0;
    State before = run->state();
    const Status status = advanceTo(*run, 10, [&](const Integration& i) {
        const auto step = i.interpolant();
        EXPECT_EQ(step->sample(step->begin()), before);
        EXPECT_EQ(step->sample(step->end()), i.state());
        EXPECT_EQ(step->end(), i.time());
        before = i.state();
        atEnds = std::max(atEnds, error(i.state(), pendulum.exact(i.time())));
        for (int k = 1; k < 16; ++k) {
            const double t = step->begin() + (step->end() - step->begin()) * k / 16;
            inside = std::max(inside, error(step->sample(t), pendulum.exact(t)));
        }
    });
    ASSERT_TRUE(status.ok());
    EXPECT_GT(atEnds, 0);
    // Dormand-Prince's extension is one order below its steps.
    EXPECT_LT(inside, GetParam() == "dopri5" ? 20 * atEnds : 1.2 * atEnds);
}

TEST_P(EveryMethod, ReturnsToTheStartWhenTimeRunsBackwards)
{
    const Pendulum pendulum;
    const auto run =
        startIntegration(GetParam(), Pendulum::field(), 1, pendulum.exact(1), options(1e-12, 0.05));
    ASSERT_TRUE(advanceTo(*run, 5).ok());
    ASSERT_TRUE(run->advance(1).ok());
    EXPECT_LT(run->time(), 5);
    EXPECT_GT(run->interpolant()->begin(), run->interpolant()->end());
    const double middle = (run->interpolant()->begin() + run->time()) / 2;
    EXPECT_LT(error(run->interpolant()->sample(middle), pendulum.exact(middle)), 1e-3);
    ASSERT_TRUE(advanceTo(*run, 1).ok());
    EXPECT_EQ(run->time(), 1);
    // The Gauss methods are symmetric: they return to rounding, whatever their error on the way.
    EXPECT_LT(error(run->state(), pendulum.exact(1)), genericMethod(GetParam()).fixedStep ? 1e-13 : 1e-10);
}

TEST_P(EveryMethod, LandsExactlyOnTheLimitAndNeverBeyond)
{
    const Pendulum pendulum;
    const auto run =
        startIntegration(GetParam(), Pendulum::field(), 0, pendulum.exact(0), options(1e-6, 0.1));
    for (const double limit :
         {0.3, 0.1 + 0.2 + 0.1, std::nextafter(0.4, 1.0) + 1e-15, 1.0, std::numbers::pi, 3.0, 2.9}) {
        const double direction = limit > run->time() ? 1 : -1;
        while (run->time() != limit) {
            const double before = run->time();
            ASSERT_TRUE(run->advance(limit).ok());
            ASSERT_GT(direction * (run->time() - before), 0);
            ASSERT_LE(direction * (run->time() - limit), 0);
        }
    }
    const State x = run->state();
    EXPECT_TRUE(run->advance(2.9).ok());
    EXPECT_EQ(run->state(), x);
}

TEST_P(EveryMethod, StopsBeforeABlowUpAndSaysWhen)
{
    const auto run = startIntegration(
        GetParam(), [](double, const State& x, State& dxdt) { dxdt = x.cwiseAbs2(); }, 0, State::Ones(1),
        options(1e-8, 0.003));
    const Status status = advanceTo(*run, 2);
    EXPECT_FALSE(status.ok());
    // x = 1/(1 - t).
    EXPECT_NEAR(run->time(), 1, 0.01);
    EXPECT_THAT(status.sentence, ::testing::AnyOf(HasSubstr("t = 1"), HasSubstr("t = 0.99")));
    EXPECT_TRUE(run->state().allFinite());
}

TEST_P(EveryMethod, SaysWhenTheFieldIsNotFinite)
{
    const auto run = startIntegration(
        GetParam(),
        [](double t, const State&, State& dxdt) {
            dxdt.setConstant(t < 1 ? 1 : std::numeric_limits<double>::quiet_NaN());
        },
        0, State::Zero(2), options(1e-8, 0.01));
    const Status status = advanceTo(*run, 2);
    EXPECT_FALSE(status.ok());
    EXPECT_NEAR(run->time(), 1, 0.011);
    EXPECT_THAT(status.sentence, HasSubstr("t = "));
    EXPECT_TRUE(run->state().allFinite());
    EXPECT_TRUE(run->interpolant()->sample(run->time()).allFinite());
}

TEST_P(EveryMethod, RespectsTheLimitOnSteps)
{
    IntegrationOptions o = options(1e-8, 0.01);
    o.maxSteps = 3;
    const auto run = startIntegration(GetParam(), Pendulum::field(), 0, Pendulum().exact(0), o);
    EXPECT_EQ(advanceTo(*run, 100).code, "too-many-steps");
}

TEST_P(EveryMethod, ResolvesASmallComponentBesideALargeOne)
{
    // Two oscillators that do not know of each other, their amplitudes a million apart.
    const auto field = [](double, const State& x, State& dxdt) { dxdt << x[1], -x[0], 3 * x[3], -3 * x[2]; };
    State x0(4);
    x0 << 1, 0, 1e-6, 0;
    IntegrationOptions o;
    o.rtol = 1e-9;
    const auto run = startIntegration(GetParam(), field, 0, x0, o);
    ASSERT_TRUE(advanceTo(*run, 3).ok());
    EXPECT_NEAR(run->state()[2], 1e-6 * std::cos(9.0), 1e-6 * 1e-5);
    EXPECT_NEAR(run->state()[0], std::cos(3.0), 1e-5);
}

TEST_P(EveryMethod, ChoosesAStepByItselfWhereNothingMoves)
{
    const auto run = startIntegration(GetParam(), [](double, const State&, State& dxdt) { dxdt.setZero(); },
                                      0, State::Zero(2), {});
    EXPECT_TRUE(advanceTo(*run, 1000).ok());
    EXPECT_EQ(run->state(), State::Zero(2));
}

TEST(ControlledSteps, AreShortEnoughForAMereQuadrature)
{
    // A steady turn and the path it draws: the rate of the path depends on time alone.
    const auto field = [](double, const State& x, State& rate) {
        rate[0] = 0.7;
        rate[1] = std::cos(x[0]);
    };
    for (const char* method : {"dopri5", "rkf78"}) {
        IntegrationOptions o;
        o.rtol = 1e-10;
        State x(2);
        x << 0.3, 0;
        const auto run = startIntegration(method, field, 0, x, o);
        ASSERT_TRUE(advanceTo(*run, 100).ok());
        EXPECT_NEAR(run->state()[1], (std::sin(70.3) - std::sin(0.3)) / 0.7, 1e-8) << method;
    }
}

// A wheel whose rate grows as e^t: every step is good, and each is shorter than the one before.
TEST(ControlledSteps, EndAMotionThatRunsAwayWithASentence)
{
    const Field wheel = [](double, const State& x, State& dxdt) { dxdt << -x[2] * x[1], x[2] * x[0], x[2]; };
    for (const char* method : {"dopri5", "rkf78"}) {
        const auto run = startIntegration(method, wheel, 0, State{{1.0, 0.0, 1.0}}, {});
        const Status status = advanceTo(*run, 1e3);
        EXPECT_EQ(status.code, "runs-away") << method;
        EXPECT_THAT(status.sentence, HasSubstr("The motion runs away"));
        EXPECT_GT(run->time(), 5);
        EXPECT_LT(run->evaluations(), 20'000'000) << method;
        EXPECT_FALSE(advanceTo(*run, 1e3).ok()) << "it stays so";
    }
}

// Kepler's ellipse with e = 0.9999: at each passage the steps are a millionth of those far out.
TEST(ControlledSteps, AreNotTakenForARunawayInAClosePassage)
{
    const Field kepler = [](double, const State& x, State& dxdt) {
        const double r = std::hypot(x[0], x[1]);
        dxdt << x[2], x[3], -x[0] / (r * r * r), -x[1] / (r * r * r);
    };
    constexpr double e = 0.9999;
    const auto run =
        startIntegration("dopri5", kepler, 0, State{{1 + e, 0.0, 0.0, std::sqrt((1 - e) / (1 + e))}}, {});
    EXPECT_TRUE(advanceTo(*run, 60 * std::numbers::pi).ok());
}

// Steps cut short by who asks say nothing about the motion.
TEST(ControlledSteps, MayBeAskedForInTinyPieces)
{
    const Field slow = [](double, const State& x, State& dxdt) { dxdt << x[1], -x[0]; };
    const auto run = startIntegration("dopri5", slow, 0, State{{1.0, 0.0}}, {});
    for (int i = 0; i < 20'000; ++i)
        ASSERT_TRUE(run->advance(run->time() + 1).ok());
    for (int i = 0; i < 40'000; ++i)
        ASSERT_TRUE(run->advance(run->time() + 1e-8).ok());
}

TEST(FixedSteps, AreChosenForTheFastestPartOfTheMotionNotForASlowStart)
{
    // Released just beside the upper equilibrium the pendulum stays there for a while.
    const Pendulum pendulum{std::numbers::pi - 1e-6};
    IntegrationOptions o;
    o.rtol = 1e-8;
    const auto run = startIntegration("gauss4", Pendulum::field(), 0, pendulum.exact(0), o);
    const double energy = Pendulum::energy(run->state());
    double worst = 0;
    ASSERT_TRUE(advanceTo(*run, 40, [&](const Integration& i) {
                    worst = std::max(worst, std::abs(Pendulum::energy(i.state()) - energy));
                }).ok());
    // Some ten steps pass while the motion is fast, each of an error up to rtol pi in q; a step chosen for
    // the start alone would give 1e-3.
    EXPECT_LT(worst, 1e-6);
}

TEST(ErrorNorm, HoldsAWindingAngleToTheScaleGivenForIt)
{
    // The angle has wound 1e6 times; with its scale given as 1 the error stays at 1e-9 rather than 1e-9 x
    // 6e6.
    const Pendulum pendulum;
    State x0 = pendulum.exact(0);
    const double turns = 2 * std::numbers::pi * 1e6;
    x0[0] += turns;
    IntegrationOptions o;
    o.rtol = 1e-9;
    o.scale = State::Zero(2);
    o.scale[0] = 1;
    o.scale[1] = 1;
    const auto run = startIntegration("dopri5", Pendulum::field(), 0, x0, o);
    ASSERT_TRUE(advanceTo(*run, 5).ok());
    EXPECT_NEAR(run->state()[0] - turns, pendulum.exact(5)[0], 1e-7);
}

TEST(Methods, RefuseWhatCannotBeMeant)
{
    const auto start = [](std::string_view id, const IntegrationOptions& o) {
        return startIntegration(id, Pendulum::field(), 0, State::Zero(2), o);
    };
    try {
        start("dorpi5", {});
        FAIL();
    } catch (const Error& e) {
        EXPECT_THAT(e.what(), HasSubstr("'dorpi5'"));
        EXPECT_THAT(e.what(), HasSubstr("mean 'dopri5'"));
        EXPECT_THAT(e.what(), HasSubstr("gauss6"));
    }
    IntegrationOptions o;
    o.rtol = 0;
    EXPECT_THROW(start("dopri5", o), Error);
    o = {};
    o.step = -1;
    EXPECT_THROW(start("gauss4", o), Error);
    o = {};
    o.scale = State::Ones(3);
    EXPECT_THROW(start("rkf78", o), Error);
    EXPECT_THROW(start("rkf78", {})->advance(std::numeric_limits<double>::infinity()), Error);
}

} // namespace
} // namespace casimir
