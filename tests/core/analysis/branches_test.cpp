// Equilibria followed along a parameter, on normal forms whose special points are known.
#include "core/analysis/branch_plot.h"
#include "core/analysis/branches.h"
#include "core/analysis/general_plots.h"
#include "core/systems/catalogue.h"
#include "tests/core/support/stand_ins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir {

namespace {

using Special = SpecialPoint::Kind;

std::shared_ptr<const System> normalForm(const char* form, double shift)
{
    const auto& kind = test::normalFormKind();
    return kind.make(kind.schema.with(kind.schema.defaults(),
                                      {{"form", std::string(form)}, {"shift", shift}, {"r", 0.6}}));
}

BranchDiagram over(const System& system, const char* address, double from, double to)
{
    return followBranches(system, parameterAxis(system, address, from, to));
}

// The value of the quantity "q" along a branch.
double place(const BranchDiagram& diagram, const Branch& branch, std::size_t k)
{
    EXPECT_EQ(diagram.quantities.front().id, "q");
    return diagram.samples[branch.first + k].states[branch.states[k]].values.front();
}

// A value hit by the first samples, one between them, and one near an end.
constexpr double shifts[] = {0, 0.3, -0.123456789, 0.9871};

} // namespace

TEST(Branches, aPitchforkIsLocatedAndItsArmsAreTheSquareRoot)
{
    for (const double shift : shifts) {
        SCOPED_TRACE(shift);
        const BranchDiagram diagram = over(*normalForm("pitchfork", shift), "r", -1, 1);
        ASSERT_EQ(diagram.specials.size(), 1u);
        EXPECT_EQ(diagram.specials[0].kind, Special::Pitchfork);
        EXPECT_EQ(diagram.specials[0].label, "pitchfork");
        EXPECT_NEAR(diagram.specials[0].parameter, shift, 1e-6);
        ASSERT_EQ(diagram.branches.size(), 3u);
        int whole = 0;
        for (const Branch& branch : diagram.branches) {
            const bool middle = branch.states.size() == diagram.samples.size();
            whole += middle;
            const double sign = std::copysign(1.0, place(diagram, branch, branch.states.size() - 1));
            for (std::size_t k = 0; k < branch.states.size(); ++k) {
                const double r = diagram.samples[branch.first + k].parameter;
                EXPECT_NEAR(place(diagram, branch, k), middle ? 0 : sign * std::sqrt(r - shift), 1e-14);
            }
        }
        EXPECT_EQ(whole, 1);
    }
}

TEST(Branches, aFoldIsLocatedWhereTwoBranchesEnd)
{
    for (const double shift : shifts) {
        SCOPED_TRACE(shift);
        const BranchDiagram diagram = over(*normalForm("fold", shift), "r", -1, 1);
        ASSERT_EQ(diagram.specials.size(), 1u);
        EXPECT_EQ(diagram.specials[0].kind, Special::Fold);
        EXPECT_NEAR(diagram.specials[0].parameter, shift, 1e-6);
        ASSERT_EQ(diagram.branches.size(), 2u);
        for (const Branch& branch : diagram.branches)
            for (std::size_t k = 1; k < branch.states.size(); ++k)
                EXPECT_GT(place(diagram, branch, k) * place(diagram, branch, k - 1), 0)
                    << "a branch changed over to its partner";
    }
}

TEST(Branches, branchesThatCrossGoStraightOnAndExchangeTheirStability)
{
    for (const double shift : shifts) {
        SCOPED_TRACE(shift);
        const BranchDiagram diagram = over(*normalForm("transcritical", shift), "r", -1, 1);
        ASSERT_EQ(diagram.specials.size(), 1u);
        EXPECT_EQ(diagram.specials[0].kind, Special::Exchange);
        EXPECT_NEAR(diagram.specials[0].parameter, shift, 1e-6);
        ASSERT_EQ(diagram.branches.size(), 2u);
        for (const Branch& branch : diagram.branches) {
            ASSERT_EQ(branch.states.size(), diagram.samples.size());
            const bool rest = place(diagram, branch, 0) == 0;
            for (std::size_t k = 0; k < branch.states.size(); ++k)
                EXPECT_NEAR(place(diagram, branch, k), rest ? 0 : diagram.samples[k].parameter - shift,
                            1e-14);
        }
    }
}

TEST(Branches, aLossOfStabilityOnOneBranchIsLocated)
{
    const BranchDiagram diagram = over(*normalForm("hopf", 0.3), "r", -1, 1);
    ASSERT_EQ(diagram.specials.size(), 1u);
    EXPECT_EQ(diagram.specials[0].kind, Special::StabilityChange);
    EXPECT_EQ(diagram.specials[0].label, "loss of stability");
    EXPECT_NEAR(diagram.specials[0].parameter, 0.3, 1e-6);
    EXPECT_EQ(diagram.branches.size(), 1u);
}

TEST(Branches, aBeadOnAHoopLeavesBottomAndTopAcrossTheSeamOfItsAngle)
{
    const BranchDiagram diagram = over(*normalForm("hoop", 0), "r", -3, 4);
    ASSERT_EQ(diagram.specials.size(), 2u);
    EXPECT_EQ(diagram.specials[0].kind,
              Special::Pitchfork); // at the top, where the angle jumps from pi to -pi
    EXPECT_NEAR(diagram.specials[0].parameter, -1, 1e-6);
    EXPECT_EQ(diagram.specials[1].kind, Special::Pitchfork);
    EXPECT_NEAR(diagram.specials[1].parameter, 1, 1e-6);
    EXPECT_EQ(diagram.branches.size(), 6u);
}

TEST(Branches, aTestThatDecidesNothingNearThePointHidesNeitherItsKindNorItsPlace)
{
    const auto& kind = test::normalFormKind();
    for (const double fuzz : {1e-7, 1e-5, 1e-4})
        for (const auto& [form, expected] : {std::pair{"pitchfork", Special::Pitchfork},
                                             {"transcritical", Special::Exchange},
                                             {"fold", Special::Fold}}) {
            SCOPED_TRACE(form + std::to_string(fuzz));
            const auto system = kind.make(kind.schema.with(
                kind.schema.defaults(), {{"form", std::string(form)}, {"fuzz", fuzz}, {"r", 0.6}}));
            const BranchDiagram diagram = over(*system, "r", -1, 1);
            ASSERT_EQ(diagram.specials.size(), 1u);
            EXPECT_EQ(diagram.specials[0].kind, expected);
            EXPECT_NEAR(diagram.specials[0].parameter, 0.3, 1e-6);
        }
}

TEST(Branches, anAliasServesAsAxisAsAParameterDoes)
{
    const BranchDiagram diagram = over(*normalForm("fold", 0.3), "beyond", -1, 1);
    ASSERT_EQ(diagram.specials.size(), 1u);
    EXPECT_NEAR(diagram.specials[0].parameter, 0, 1e-6);
    EXPECT_NEAR(diagram.axis.present, 0.3, 1e-15);
}

TEST(Branches, oneValueWithoutIsolatedEquilibriaInterruptsNoBranchOfTwoBodies)
{
    const auto system = kindNamed("two-body").make();
    const BranchDiagram diagram = over(*system, "mu", -100, 100);
    ASSERT_EQ(diagram.specials.size(), 1u);
    EXPECT_EQ(diagram.specials[0].kind, Special::Degenerate);
    EXPECT_NEAR(diagram.specials[0].parameter, 0, 1e-4);
    ASSERT_EQ(diagram.branches.size(), 2u);
    for (const Branch& branch : diagram.branches)
        EXPECT_EQ(branch.states.size(), diagram.samples.size());
}

TEST(Branches, aCancelledComputationStopsAtOnce)
{
    const auto system = normalForm("pitchfork", 0.3);
    int asked = 0;
    const BranchDiagram diagram =
        followBranches(*system, parameterAxis(*system, "r", -1, 1), {}, [&asked] { return ++asked > 10; });
    EXPECT_LE(diagram.samples.size(), 10u);
    EXPECT_LE(asked, 13);
}

TEST(Branches, coarserDiagramsArePublishedFirst)
{
    const auto system = normalForm("pitchfork", 0.3);
    std::vector<std::size_t> sizes;
    const BranchDiagram diagram =
        followBranches(*system, parameterAxis(*system, "r", -1, 1), {}, {},
                       [&sizes](const BranchDiagram& d, double) { sizes.push_back(d.samples.size()); });
    ASSERT_FALSE(sizes.empty());
    EXPECT_LT(sizes.front(), diagram.samples.size());
    EXPECT_LT(diagram.samples.size(), 500u) << "refined where nothing happens";
}

TEST(Branches, aPointOfTheDiagramLeadsToTheEquilibriumThere)
{
    const auto system = normalForm("pitchfork", 0);
    const PlotRequest request{"branch", plotOptions(branchInfo(*system), {{"x", "r"}, {"y", "q"}})};
    const Plot diagram = plotOf(*system, request);
    const auto arm = branchPointAt(*system, {}, diagram, 0.49, 0.6);
    ASSERT_TRUE(arm);
    EXPECT_EQ(arm->parameter.address, "r");
    EXPECT_EQ(std::get<double>(arm->parameter.value), 0.49);
    EXPECT_NEAR(arm->y, 0.7, 1e-12); // the square root
    EXPECT_FALSE(arm->state.empty());
    EXPECT_NEAR(branchPointAt(*system, {}, diagram, 0.49, 0.2)->y, 0, 1e-12);
    EXPECT_NEAR(branchPointAt(*system, {}, diagram, -0.5, -3)->y, 0, 1e-12); // the only one there
    Plot other = diagram;
    other.id = "potential";
    EXPECT_FALSE(branchPointAt(*system, {}, other, 0.49, 0.6));
}

} // namespace casimir
