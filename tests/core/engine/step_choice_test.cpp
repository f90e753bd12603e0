// Whether the step sought for a whole run keeps the tolerance at its end, and what is said where it cannot.
#include "core/engine/step_choice.h"

#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/core/support/stand_ins.h"

#include <gtest/gtest.h>

#include <cmath>

namespace casimir {
namespace {

State endOf(const System& system, const std::string& method, const IntegrationOptions& options,
            const State& x0, double tEnd)
{
    const auto run = system.integrate(method, 0, x0, options);
    EXPECT_TRUE(advanceTo(*run, tEnd).ok());
    return run->state();
}

IntegrationOptions tolerance(double rtol)
{
    IntegrationOptions options;
    options.rtol = rtol;
    return options;
}

// x″ = −x: the state is known, and the midpoint rule of step h errs by T h²/12.
TEST(StepChoice, OfTheOscillatorKeepsTheToleranceAtTheEnd)
{
    const auto system = test::exactKind().make();
    const State x0{{1.0, 0.0}};
    constexpr double T = 50;
    const State end{{std::cos(T), -std::sin(T)}};
    for (const double rtol : {1e-4, 1e-6, 1e-8})
        for (const char* method : {"midpoint", "gauss4", "gauss6"}) {
            SCOPED_TRACE(std::string(method) + " " + std::to_string(-std::log10(rtol)));
            const StepChoice choice = stepForRun(*system, method, tolerance(rtol), 0, x0, T);
            EXPECT_TRUE(choice.met);
            IntegrationOptions options = tolerance(rtol);
            options.step = choice.step;
            const double error = (endOf(*system, method, options, x0, T) - end).cwiseAbs().maxCoeff();
            EXPECT_LE(error, rtol);
            EXPECT_NEAR(choice.reached, error, 0.3 * error + 1e-13);
            // And the step is not wastefully short.
            EXPECT_GE(error, 1e-3 * rtol);
        }
}

TEST(StepChoice, OfALongRunIsShorterThanThatOfOneStep)
{
    const Kind& kind = kindNamed("two-body");
    const Session session = readSession(presetNamed("two-body", "figure-1").text);
    const auto system = kind.make(session.values);
    const State x0 = system->start(session.motions.front().state);
    constexpr double T = 20;
    const State end = endOf(*system, "exact", {}, x0, T);
    const auto off = [&](const std::string& method, double rtol, double step) {
        IntegrationOptions options = tolerance(rtol);
        options.step = step;
        const State x = endOf(*system, method, options, x0, T);
        return ((x - end).array() / end.array().abs().max(1)).abs().maxCoeff();
    };
    for (const auto& [method, rtol] : {std::pair{"midpoint", 1e-7}, {"gauss4", 1e-9}}) {
        SCOPED_TRACE(method);
        const StepChoice choice = stepForRun(*system, method, tolerance(rtol), 0, x0, T);
        EXPECT_TRUE(choice.met);
        EXPECT_GT(off(method, rtol, 0), rtol);
        EXPECT_LE(off(method, rtol, choice.step), 2 * rtol);
    }
}

TEST(StepChoice, SaysWhatItReachedWhereTheToleranceIsBeyondIt)
{
    const auto system = test::exactKind().make();
    const State x0{{1.0, 0.0}};
    constexpr double T = 1000;
    const StepChoice choice = stepForRun(*system, "midpoint", tolerance(1e-12), 0, x0, T);
    EXPECT_FALSE(choice.met);
    EXPECT_GT(choice.reached, 1e-12);
    IntegrationOptions options;
    options.step = choice.step;
    const double error = (endOf(*system, "midpoint", options, x0, T) - State{{std::cos(T), -std::sin(T)}})
                             .cwiseAbs()
                             .maxCoeff();
    EXPECT_NEAR(choice.reached, error, 0.5 * error + 1e-13);
}

TEST(StepChoice, EndsWhereNobodyWaits)
{
    const auto system = test::exactKind().make();
    int asked = 0;
    const StepChoice choice = stepForRun(*system, "midpoint", tolerance(1e-10), 0, State{{1.0, 0.0}}, 100,
                                         [&] { return ++asked > 10; });
    EXPECT_EQ(asked, 11);
    EXPECT_EQ(choice.status.code, "cancelled");
}

} // namespace
} // namespace casimir
