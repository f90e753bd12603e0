// Sweeps and the paths by which their numbers are named.
#include "core/analysis/analysis_json.h"
#include "core/analysis/number_path.h"
#include "core/analysis/sweep.h"
#include "core/base/error.h"
#include "core/systems/catalogue.h"
#include "tests/core/support/stand_ins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace casimir {

namespace {

using testing::HasSubstr;

template <class F>
std::string complaintOf(F&& act)
{
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

Sweep sweepOf(const Kind& kind, const std::vector<std::string>& axes, std::vector<std::string> quantities)
{
    Sweep sweep{&kind, kind.schema.defaults(), {}, std::move(quantities)};
    for (const std::string& axis : axes)
        sweep.axes.push_back(parseSweepAxis(kind, axis));
    return sweep;
}

std::vector<std::vector<double>> rowsOf(const Sweep& sweep, int threads, long first = 0)
{
    std::vector<std::vector<double>> rows;
    long expected = first;
    const SweepOutcome outcome = runSweep(
        sweep, first, threads,
        [&](long point, std::span<const double> row) {
            EXPECT_EQ(point, expected++);
            rows.emplace_back(row.begin(), row.end());
        },
        [] { return false; });
    EXPECT_TRUE(outcome.finished);
    return rows;
}

} // namespace

TEST(NumberPath, leadsToEveryNumberThatTheJsonOfAnalyzeHas)
{
    for (const Kind* kind : catalogue()) {
        const auto system = kind->make();
        const Analysis analysis = system->analyze({});
        const auto json = toJson(*system, analysis);
        for (const std::string& path : numberPaths(*system, analysis)) {
            const auto number = numberAt(*system, analysis, path);
            ASSERT_TRUE(number) << kind->id << " " << path;
        }
        for (std::size_t i = 0; i < analysis.equilibria.size(); ++i) {
            const auto& entry = json["equilibria"][i];
            const std::string prefix = "equilibria." + std::to_string(i) + ".";
            EXPECT_EQ(numberAt(*system, analysis, prefix + "energy")->value, entry["energy"]);
            for (const auto& [key, value] : entry["state"].items())
                if (value.is_number())
                    EXPECT_EQ(numberAt(*system, analysis, prefix + "state." + key)->value, value) << key;
            for (std::size_t k = 0; k < entry["eigenvalues"].size(); ++k) {
                const std::string at = prefix + "eigenvalues." + std::to_string(k);
                EXPECT_EQ(numberAt(*system, analysis, at + ".re")->value, entry["eigenvalues"][k][0]);
                EXPECT_EQ(numberAt(*system, analysis, at + ".im")->value, entry["eigenvalues"][k][1]);
            }
        }
        EXPECT_EQ(numberAt(*system, analysis, "equilibria.count")->value,
                  static_cast<double>(analysis.equilibria.size()));
    }
}

TEST(NumberPath, tellsWordsAndNothingFromNumbers)
{
    const auto system = kindNamed("two-body").make();
    const Analysis analysis = system->analyze({});
    EXPECT_EQ(numberAt(*system, analysis, "derived.epsilon")->unit, "kg");
    EXPECT_EQ(numberAt(*system, analysis, "parameters.mu")->value, 50);
    EXPECT_EQ(numberAt(*system, analysis, "equilibria.count.unstable")->value, 1);
    EXPECT_EQ(numberAt(*system, analysis, "homoclinic.energy")->value,
              numberAt(*system, analysis, "equilibria.folded.energy")->value);
    for (const char* path : {"", "equilibria", "equilibria.2.energy", "equilibria.stretched", "derived.eps",
                             "equilibria.0.eigenvalues.0", "equilibria.0.eigenvalues.7.re", "homoclinic"})
        EXPECT_FALSE(numberAt(*system, analysis, path)) << path;
    EXPECT_THAT(complaintOf([&] { (void)numberAt(*system, analysis, "equilibria.0.stability"); }),
                HasSubstr("is a word here ('stable')"));
}

TEST(Sweep, ofTwoBodiesIsTheClosedFormAtEveryPoint)
{
    const Sweep sweep =
        sweepOf(kindNamed("two-body"), {"d1=0.1:2:20", "mu=log:1:100:21"},
                {"equilibria.stretched.energy", "equilibria.folded.growth_rate", "derived.epsilon"});
    EXPECT_EQ(sweepColumns(sweep).at(2).unit, "J");
    const auto rows = rowsOf(sweep, 3);
    ASSERT_EQ(rows.size(), 420u);
    const double eps = 100.0 * 125 / 225, d2 = 0.6;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double d1 = rows[i][0], mu = rows[i][1];
        EXPECT_NEAR(d1, 0.1 * static_cast<double>(i / 21 + 1), 1e-14);
        EXPECT_NEAR(std::log10(mu), 0.1 * static_cast<double>(i % 21), 1e-13);
        const double I1 = 50 + eps * d1 * d1, I2 = 50 + eps * d2 * d2, D = eps * d1 * d2;
        const double stretched = I1 + I2 + 2 * D, folded = I1 + I2 - 2 * D;
        EXPECT_NEAR(rows[i][2], mu * mu / (2 * stretched), 1e-13 * mu * mu);
        EXPECT_NEAR(rows[i][3], mu * std::sqrt(D / (folded * (I1 * I2 - D * D))), 1e-13 * mu);
        EXPECT_NEAR(rows[i][4], eps, 1e-13);
    }
}

TEST(Sweep, rowsDoNotDependOnThreadsNorOnWhereTheyBegin)
{
    const Sweep sweep = sweepOf(kindNamed("two-body"), {"omega_e=-1:1:301"}, {"equilibria.folded.energy"});
    const auto alone = rowsOf(sweep, 1), together = rowsOf(sweep, 5), late = rowsOf(sweep, 2, 200);
    ASSERT_EQ(alone.size(), 301u);
    ASSERT_EQ(late.size(), 101u);
    for (std::size_t i = 0; i < alone.size(); ++i) {
        if (std::isnan(alone[i][1])) {
            EXPECT_EQ(alone[i][0], 0); // without momentum the equilibria form a circle
            continue;
        }
        EXPECT_EQ(alone[i], together[i]);
        if (i >= 200)
            EXPECT_EQ(alone[i], late[i - 200]);
    }
}

TEST(Sweep, aPointWithoutAnAnswerIsAnEmptyNumberAndCounted)
{
    // Before the fold there is no equilibrium; an alias and what it moves cannot both be chosen.
    const Kind& kind = test::normalFormKind();
    Sweep sweep = sweepOf(kind, {"r=-20:20:41"}, {"equilibria.upper.energy", "parameters.beyond"});
    sweep.values = kind.schema.with(sweep.values, {{"form", std::string("fold")}});
    (void)sweepColumns(sweep);
    for (const auto& row : rowsOf(sweep, 2)) {
        if (row[0] < 0.3)
            EXPECT_TRUE(std::isnan(row[1]));
        else
            EXPECT_NEAR(row[1], std::sqrt(row[0] - 0.3), 1e-15);
        EXPECT_NEAR(row[2], row[0] - 0.3, 1e-14);
    }
    for (const auto& axes :
         {std::vector<std::string>{"beyond=-1:1:3", "r=0:1:3"}, {"r=0:1:3", "beyond=-1:1:3"}}) {
        const SweepOutcome outcome = runSweep(
            sweepOf(kind, axes, {"equilibria.count"}), 0, 2, [](long, std::span<const double>) {},
            [] { return false; });
        EXPECT_EQ(outcome.unanswered, 9) << axes.front();
        EXPECT_THAT(outcome.refusal, HasSubstr("contradict"));
    }
}

TEST(Sweep, stopsWhenAsked)
{
    const Sweep sweep = sweepOf(kindNamed("two-body"), {"mu=1:2:1000000"}, {"equilibria.folded.energy"});
    long rows = 0;
    const SweepOutcome outcome = runSweep(
        sweep, 0, 2, [&](long, std::span<const double>) { ++rows; }, [&] { return rows > 100; });
    EXPECT_FALSE(outcome.finished);
    EXPECT_LT(rows, 1000);
}

TEST(Sweep, aPathThatExistsOnlyElsewhereOnTheGridIsKnown)
{
    const Kind& kind = test::normalFormKind();
    Sweep sweep = sweepOf(kind, {"r=-1:1:5"}, {"equilibria.upper.energy"});
    sweep.values = kind.schema.with(sweep.values, {{"r", -1.0}});
    EXPECT_EQ(sweepColumns(sweep).size(), 2u);
    sweep.quantities = {"equilibria.uper.energy"};
    EXPECT_THAT(complaintOf([&] { (void)sweepColumns(sweep); }),
                HasSubstr("did you mean 'equilibria.upper.energy'"));
}

TEST(Sweep, anAxisThatMakesNoSenseIsRefused)
{
    const Kind& kind = kindNamed("two-body");
    for (const auto& [text, sentence] : {std::pair{"mu", "name=from:to:count"},
                                         {"mu=1:2", "name=from:to:count"},
                                         {"mu=1:2:x", "'x' is not a number"},
                                         {"mu=1:2:0", "whole number from 1"},
                                         {"mu=1:2:2.5", "whole number from 1"},
                                         {"mu=1:2:1", "give two or more"},
                                         {"mu=nan:2:3", "out of range"},
                                         {"m1=-1:2:3", "m1 = -1 is out of range"},
                                         {"mm1=1:2:3", "did you mean 'm1'"},
                                         {"mu=log:-1:1:3", "same sign"}})
        EXPECT_THAT(complaintOf([&, t = text] { (void)parseSweepAxis(kind, t); }), HasSubstr(sentence))
            << text;
    EXPECT_THAT(complaintOf([] { (void)parseSweepAxis(test::normalFormKind(), "form=1:2:2"); }),
                HasSubstr("is not a number that can be varied"));
    const Sweep twice = sweepOf(kind, {"mu=1:2:2", "mu=1:2:2"}, {"equilibria.count"});
    EXPECT_THAT(complaintOf([&] { (void)sweepColumns(twice); }), HasSubstr("varied twice"));
}

} // namespace casimir
