#include "core/numerics/events.h"
#include "core/numerics/methods.h"
#include "tests/core/numerics/problems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace casimir {
namespace {

using std::numbers::pi;

class Cosine : public Interpolant {
public:
    Cosine(double begin, double end) : Interpolant(begin, end, 1) {}
    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override { x[0] = std::cos(t); }
};

double first(double, const State& x)
{
    return x[0];
}

TEST(LocateEvent, FindsTheFirstSignChangeInTheDirectionOfTime)
{
    EXPECT_NEAR(locateEvent(Cosine(0, 6), first).value(), pi / 2, 1e-12);
    EXPECT_NEAR(locateEvent(Cosine(6, 0), first).value(), 3 * pi / 2, 1e-12);
    EXPECT_NEAR(locateEvent(Cosine(1000 * pi, 1000 * pi + 2), first).value(), 1000.5 * pi, 1e-12);
    EXPECT_FALSE(locateEvent(Cosine(-1.5, 1.5), first).has_value());
}

TEST(LocateEvent, DoesNotFindTheEventAtWhichTheStepBegins)
{
    const auto g = [](double t, const State&) { return t - 1; };
    EXPECT_FALSE(locateEvent(Cosine(1, 2), g).has_value());
    EXPECT_EQ(locateEvent(Cosine(0, 1), g).value(), 1);
}

class Events : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Methods, Events,
                         ::testing::Values("dopri5", "rkf78", "midpoint", "gauss4", "gauss6"),
                         [](const auto& name) { return name.param; });

TEST_P(Events, EndAFallExactlyAtTheGround)
{
    // Every method is exact on a parabola, so the time is known to rounding: 10 - t^2/2 = 0.
    const auto field = [](double, const State& x, State& dxdt) { dxdt << x[1], -1; };
    State x0(2);
    x0 << 10, 0;
    IntegrationOptions o;
    o.step = 0.7;
    auto run = withEvents(startIntegration(GetParam(), field, 0, x0, o),
                          {{"ceiling", "It went up.", [](double, const State& x) { return x[0] - 11; }},
                           {"ground", "It reached the ground.", first}});
    long steps = 0;
    const Status status = advanceTo(*run, 100, [&](const Integration&) { ++steps; });
    EXPECT_EQ(status, Status::failed("event", "It reached the ground."));
    EXPECT_NEAR(run->time(), std::sqrt(20.0), 2e-12);
    EXPECT_NEAR(run->state()[0], 0, 1e-11);
    EXPECT_EQ(run->interpolant()->end(), run->time());
    EXPECT_EQ(run->interpolant()->sample(run->time()), run->state());
    const double t = run->time();
    EXPECT_EQ(run->advance(100), status);
    EXPECT_EQ(run->time(), t);
    EXPECT_GT(steps, 0);
}

TEST(Events, OfThePendulumFallAtTheQuarterPeriod)
{
    const testing::Pendulum pendulum;
    IntegrationOptions o;
    o.rtol = 1e-14;
    auto run = withEvents(startIntegration("rkf78", testing::Pendulum::field(), 0, pendulum.exact(0), o),
                          {{"bottom", "It passes the bottom.", first}});
    EXPECT_EQ(advanceTo(*run, 100).code, "event");
    EXPECT_NEAR(run->time(), pendulum.quarterPeriod(), 1e-12);
}

class Projections : public Events {};

INSTANTIATE_TEST_SUITE_P(Methods, Projections,
                         ::testing::Values("dopri5", "rkf78", "midpoint", "gauss4", "gauss6"),
                         [](const auto& name) { return name.param; });

TEST_P(Projections, KeepTheMotionOnTheSphereAtAndBetweenItsSteps)
{
    const testing::FreeRigidBody body;
    IntegrationOptions o;
    o.rtol = 1e-5;
    o.step = 0.1;
    const double radius = body.momentum;
    long calls = 0;
    auto run = withProjection(
        startIntegration(GetParam(), testing::FreeRigidBody::field(), 0, body.exact(0), o), [&](State& x) {
            x *= radius / x.norm();
            ++calls;
        });
    long steps = 0;
    State before = run->state();
    ASSERT_TRUE(advanceTo(*run, 30, [&](const Integration& i) {
                    ++steps;
                    const auto step = i.interpolant();
                    EXPECT_NEAR(i.state().norm(), radius, 1e-15 * 4);
                    EXPECT_NEAR(step->sample((step->begin() + step->end()) / 2).norm(), radius, 1e-15 * 4);
                    EXPECT_EQ(step->sample(step->begin()), before);
                    EXPECT_EQ(step->sample(step->end()), i.state());
                    before = i.state();
                }).ok());
    EXPECT_EQ(calls, 2 * steps);
    EXPECT_LT((run->state() - body.exact(30)).norm(), 0.1);
}

} // namespace
} // namespace casimir
