// Poincare sections of three bodies and the growth of perturbations along their orbits.
#include "core/numerics/events.h"
#include "core/numerics/lyapunov.h"
#include "core/numerics/methods.h"
#include "core/systems/planar/three_body/three_body_section.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

namespace casimir::planar {
namespace {

constexpr double pi = std::numbers::pi;
using Angle = ThreeBodySection::Angle;

ThreeBody bodies()
{
    return ThreeBody({1, 1.3, 0.8, 0.2, 0.15, 0.1, 0.9, 0.5, 0.4, 0.1, 0.7, 2});
}

double energyOf(const ThreeBody& b)
{
    return 1.6 * b.amendedPotential(0.0, 0.0);
}

TEST(ThreeBodySection, EverySeedLiesOnTheLeafOnTheLevelAndCrossesUpwards)
{
    const ThreeBody b = bodies();
    for (const Angle angle : {Angle::Theta21, Angle::Theta32}) {
        const ThreeBodySection section(b, angle, 0.3, energyOf(b));
        const auto seeds = section.seeds(50);
        ASSERT_EQ(seeds.size(), 50u);
        for (const Vector5d& z : seeds) {
            EXPECT_NEAR(b.hamiltonian<double>(z), section.energy(), 1e-13);
            EXPECT_NEAR(z.tail<3>().sum(), b.mu(), 1e-13);
            EXPECT_GE(b.reducedField<double>(z)[angle == Angle::Theta21 ? 0 : 1], -1e-12);
            const Eigen::Vector2d c = section.coordinates(z);
            const auto again = section.state(c.x(), c.y());
            ASSERT_TRUE(again);
            EXPECT_LT((*again - z).norm(), 1e-7); // the root is double on the rim of the level
        }
    }
}

TEST(ThreeBodySection, TheMomentaAllowedEndWhereNoStateHasTheEnergy)
{
    const ThreeBody b = bodies();
    const ThreeBodySection section(b, Angle::Theta21, 0, energyOf(b));
    int columns = 0;
    for (double q = -3; q <= 3; q += 0.25) {
        const auto range = section.momenta(q);
        if (!range)
            continue;
        ++columns;
        const double width = range->second - range->first;
        EXPECT_TRUE(section.state(q, range->first + 1e-9 * width));
        EXPECT_TRUE(section.state(q, range->second - 1e-9 * width));
        EXPECT_FALSE(section.state(q, range->first - 1e-6 * width));
        EXPECT_FALSE(section.state(q, range->second + 1e-6 * width));
    }
    EXPECT_GT(columns, 5);
}

TEST(ThreeBodySection, CrossingsAgreeWithAnotherMethodAtTheirTimes)
{
    const ThreeBody b = bodies();
    const ThreeBodySection section(b, Angle::Theta32, 0.5, energyOf(b));
    const Vector5d start = section.seeds(3).back();
    std::vector<std::pair<double, Vector5d>> crossings;
    ASSERT_TRUE(section
                    .follow(start, 12, 1e4, 1e-12,
                            [&](double t, const Vector5d& z) {
                                crossings.emplace_back(t, z);
                                return true;
                            })
                    .ok());
    ASSERT_EQ(crossings.size(), 12u);
    IntegrationOptions tight;
    tight.rtol = 1e-13;
    const auto run = startIntegration(
        "rkf78", [&b](double, const State& x, State& r) { r = b.reducedField<double>(Vector5d(x)); }, 0,
        State(start), tight);
    double previous = 0;
    for (const auto& [t, z] : crossings) {
        EXPECT_GT(t, previous);
        previous = t;
        ASSERT_TRUE(advanceTo(*run, t).ok());
        EXPECT_LT((run->state() - z).norm(), 1e-7);
        EXPECT_NEAR(std::remainder(z[1] - 0.5, 2 * pi), 0, 1e-11);
        EXPECT_GT(b.reducedField<double>(z)[1], 0);
        EXPECT_NEAR(b.hamiltonian<double>(z), section.energy(), 1e-9);
    }
}

// The plain way: order 5 with its dense output, and a root in it.
std::vector<std::pair<double, Vector5d>> plainCrossings(const ThreeBody& b, const Vector5d& start,
                                                        Eigen::Index angle, double at, std::size_t count)
{
    IntegrationOptions options;
    options.rtol = 1e-13;
    const auto run = startIntegration(
        "dopri5", [&b](double, const State& x, State& r) { r = b.reducedField<double>(Vector5d(x)); }, 0,
        State(start), options);
    const EventFunction g = [angle, at](double, const State& x) { return std::sin(x[angle] - at); };
    std::vector<std::pair<double, Vector5d>> found;
    double before = g(0, run->state());
    while (found.size() < count && run->advance(1e4).ok()) {
        const double after = g(run->time(), run->state());
        if (before < 0 && after >= 0 && std::cos(run->state()[angle] - at) > 0)
            if (const auto t = locateEvent(*run->interpolant(), g, 1e-13))
                found.emplace_back(*t, run->interpolant()->sample(*t));
        before = after;
    }
    return found;
}

TEST(ThreeBodySection, CrossingsAreThoseOfThePlainLoop)
{
    const ThreeBody b = bodies();
    for (const auto& [angle, k, at] :
         {std::tuple(Angle::Theta21, 0, 0.0), std::tuple(Angle::Theta32, 1, pi)}) {
        const ThreeBodySection section(b, angle, at, energyOf(b));
        for (const Vector5d& start : section.seeds(6)) {
            const auto plain = plainCrossings(b, start, k, at, 6);
            std::size_t i = 0;
            (void)section.follow(start, 6, 1e4, 1e-12, [&, k = k, at = at](double t, const Vector5d& z) {
                EXPECT_LT(i, plain.size());
                EXPECT_NEAR(t, plain[i].first, 1e-7);
                for (const Eigen::Index angleAt : {0, 1})
                    EXPECT_NEAR(std::remainder(z[angleAt] - plain[i].second[angleAt], 2 * pi), 0, 1e-6);
                EXPECT_LT((z - plain[i].second).tail<3>().norm(), 1e-6);
                EXPECT_NEAR(std::remainder(z[k] - at, 2 * pi), 0, 1e-12);
                ++i;
                return true;
            });
            EXPECT_EQ(i, plain.size());
        }
    }
}

TEST(ThreeBodySection, ManyOrbitsTogetherHaveTheDigitsOfEachAlone)
{
    const ThreeBody b = bodies();
    const ThreeBodySection section(b, Angle::Theta21, 0, energyOf(b));
    const auto seeds = section.seeds(11); // not a multiple of the lanes
    constexpr std::size_t count = 40;
    std::vector<std::vector<Vector5d>> together(seeds.size());
    EXPECT_TRUE(section.followAll(seeds, 1e5, 1e-10, [&](int i, double, const Vector5d& z) {
        auto& orbit = together[static_cast<std::size_t>(i)];
        orbit.push_back(z);
        return orbit.size() < count;
    }));
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        std::size_t k = 0;
        (void)section.follow(seeds[i], count, 1e5, 1e-10, [&](double, const Vector5d& z) {
            EXPECT_EQ((z - together[i].at(k++)).norm(), 0);
            return true;
        });
        EXPECT_EQ(k, together[i].size());
    }
}

TEST(ThreeBodySection, SeedsOfAPartLieInItAlsoAcrossTheSeam)
{
    const ThreeBody b = bodies();
    const ThreeBodySection section(b, Angle::Theta21, 0, 3 * energyOf(b));
    const auto all = section.momenta();
    ASSERT_TRUE(all);
    const double middle = 0.5 * (all->first + all->second), height = 0.1 * (all->second - all->first);
    for (const double q : {0.4, 3.0}) {
        const SectionWindow part{q, q + 0.5, middle - height, middle + height};
        const auto seeds = section.seeds(15, part);
        EXPECT_EQ(seeds.size(), 15u);
        for (const Vector5d& z : seeds) {
            const Eigen::Vector2d c = section.coordinates(z);
            EXPECT_TRUE(part.contains(c.x(), c.y()));
            const double turned = c.x() < q ? c.x() + 2 * pi : c.x();
            EXPECT_GE(turned, q);
            EXPECT_LE(turned, q + 0.5);
        }
    }
}

// The return map is symplectic in (q, p): a small triangle keeps its area.
TEST(ThreeBodySection, TheReturnMapKeepsAreas)
{
    const ThreeBody b = bodies();
    const ThreeBodySection section(b, Angle::Theta21, 0, energyOf(b));
    const Eigen::Vector2d c = section.coordinates(section.seeds(4)[3]);
    const auto image = [&](double dq, double dp) {
        Eigen::Vector2d result = Eigen::Vector2d::Zero();
        (void)section.follow(*section.state(c.x() + dq, c.y() + dp), 1, 1e4, 1e-13,
                             [&](double, const Vector5d& z) {
                                 result = section.coordinates(z);
                                 return true;
                             });
        return result;
    };
    constexpr double h = 1e-4;
    const Eigen::Vector2d dq = (image(h, 0) - image(-h, 0)) / (2 * h),
                          dp = (image(0, h) - image(0, -h)) / (2 * h);
    EXPECT_NEAR(dq.x() * dp.y() - dq.y() * dp.x(), 1, 1e-5);
}

TEST(Lyapunov, OfALinearFlowItIsTheLargestRate)
{
    const VariationalFlow flow{[](double, const State& x, State& r) {
                                   r[0] = 0.3 * x[0];
                                   r[1] = -0.5 * x[1];
                               },
                               [](double, const State&, const State& v, State& r) {
                                   r[0] = 0.3 * v[0];
                                   r[1] = -0.5 * v[1];
                               }};
    EXPECT_NEAR(largestLyapunov(flow, State::Zero(2), {.tEnd = 200}), 0.3, 1e-6);
}

// A pendulum's libration is quasi-periodic: perturbations grow at most linearly, the mean falls like ln t/t.
TEST(Lyapunov, OfAPendulumItTendsToZero)
{
    const VariationalFlow flow{[](double, const State& x, State& r) {
                                   r[0] = x[1];
                                   r[1] = -std::sin(x[0]);
                               },
                               [](double, const State& x, const State& v, State& r) {
                                   r[0] = v[1];
                                   r[1] = -std::cos(x[0]) * v[0];
                               }};
    State x(2);
    x << 1.2, 0;
    std::vector<double> means;
    (void)largestLyapunov(flow, x, {.tEnd = 2000}, [&](double, double mean) {
        means.push_back(mean);
        return true;
    });
    EXPECT_LT(std::abs(means.back()), 2e-3);
}

} // namespace
} // namespace casimir::planar
