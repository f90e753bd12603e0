#include "core/engine/batch.h"

#include "core/base/error.h"
#include "core/numerics/closed_form_motion.h"
#include "tests/core/support/pendulum.h"

#include <gtest/gtest.h>

namespace casimir {
namespace {

struct Rows {
    std::vector<double> t;
    std::vector<double> q;
    Status status;
};

Rows rowsOf(double v, double wall, double tEnd, double dt, const std::string& method = {}, double step = 0)
{
    Values values = test::pendulum().schema.defaults();
    values.set("g", 0.0);
    values.set("wall", wall);
    Rows rows;
    rows.status = runBatch(*test::pendulum().make(values), method, test::fixedStep(step), State{{0.0, v}},
                           tEnd, dt, [&](double t, const State& x) {
                               rows.t.push_back(t);
                               rows.q.push_back(x[0]);
                           });
    return rows;
}

TEST(Batch, GivesRowsAtExactSpacingWithTheLastExactlyAtTheEnd)
{
    const Rows rows = rowsOf(2, 0, 1, 0.1);
    ASSERT_EQ(rows.t.size(), 11u);
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_EQ(rows.t[i], 0.1 * static_cast<double>(i));
        EXPECT_NEAR(rows.q[i], 2 * rows.t[i], 1e-12);
    }
    EXPECT_EQ(rows.t.back(), 1);
    EXPECT_TRUE(rows.status.ok());
}

TEST(Batch, EndsOffTheGridWhereTheEndIs)
{
    const Rows rows = rowsOf(1, 0, 1, 0.4);
    EXPECT_EQ(rows.t, (std::vector<double>{0, 0.4, 0.8, 1}));
}

TEST(Batch, GivesOneRowWhereTheEndIsTheBeginning)
{
    EXPECT_EQ(rowsOf(1, 0, 0, 0.1).t, (std::vector<double>{0}));
}

TEST(Batch, RunsBackwardsToANegativeEnd)
{
    const Rows rows = rowsOf(1, 0, -25, 10);
    EXPECT_EQ(rows.t, (std::vector<double>{0, -10, -20, -25}));
    EXPECT_NEAR(rows.q.back(), -25, 1e-12);
}

TEST(Batch, KeepsAFixedStepWhateverTheSpacing)
{
    for (const double dt : {0.01, 0.37, 5.0}) {
        const Rows rows = rowsOf(1, 0, 10, dt, "gauss4", 0.125);
        EXPECT_NEAR(rows.q.back(), 10, 1e-12);
        EXPECT_EQ(rows.t.back(), 10);
    }
}

TEST(Batch, EndsWithARowAtTheEvent)
{
    const Rows rows = rowsOf(2, 5, 10, 1);
    ASSERT_EQ(rows.t.size(), 4u);
    EXPECT_NEAR(rows.t.back(), 2.5, 1e-11);
    EXPECT_NEAR(rows.q.back(), 5, 1e-11);
    EXPECT_EQ(rows.status.code, "event");
}

// What a formula gives is asked at the rows and nowhere between them.
TEST(Batch, GoesStraightToTheRowsOfAMotionKnownAtAnyTime)
{
    struct Known : test::Pendulum {
        using Pendulum::Pendulum;
        std::unique_ptr<Integration> integrate(std::string_view, double t0, const State& x0,
                                               const IntegrationOptions&) const override
        {
            return std::make_unique<ClosedFormMotion>(t0, x0, [this](double t) -> State {
                ++asked;
                return State{{std::cos(t), -std::sin(t)}};
            });
        }
        mutable int asked = 0;
    };
    const auto known = std::make_shared<Known>(test::pendulum(), test::pendulum().schema.defaults());
    std::vector<double> t, q;
    const auto row = [&](double time, const State& x) {
        t.push_back(time);
        q.push_back(x[0]);
    };
    EXPECT_TRUE(runBatch(*known, "", {}, State{{1.0, 0.0}}, 4e6, 1.5e6, row).ok());
    EXPECT_EQ(t, (std::vector<double>{0, 1.5e6, 3e6, 4e6}));
    EXPECT_EQ(q.back(), std::cos(4e6));
    EXPECT_LE(known->asked, 3);
    t.clear();
    EXPECT_TRUE(runBatch(*known, "", {}, State{{1.0, 0.0}}, -7, 5, row).ok());
    EXPECT_EQ(t, (std::vector<double>{0, -5, -7}));
}

TEST(Batch, RefusesASpacingThatMakesNoRows)
{
    EXPECT_THROW(rowsOf(1, 0, 1, 0), Error);
    EXPECT_THROW(rowsOf(1, 0, 1, -1), Error);
    EXPECT_THROW(rowsOf(1, 0, std::nan(""), 1), Error);
    EXPECT_THROW(rowsOf(1, 0, 1, 1, "no-such-method"), Error);
}

} // namespace
} // namespace casimir
