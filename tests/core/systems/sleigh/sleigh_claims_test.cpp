// The claims of the paper: all hold, corrected where it misprints, and an altered coefficient is noticed.
#include "core/systems/sleigh/sleigh_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace casimir::sleigh {
namespace {

using Formulas = SleighFormulas;
constexpr double slightly = 1 + 1e-6;

TEST(SleighClaims, allComeOutAsStatedAndErrataAreSeen)
{
    for (const unsigned seed : {1u, 2u, 3u, 20u, 77u})
        for (const auto& claims : {sleighClaims(seed), slopeClaims(seed)})
            for (const Claim& claim : claims) {
                EXPECT_TRUE(claim.expected) << claim.id << " " << seed << ", digits " << claim.digits;
                EXPECT_EQ(claim.verdict, claim.erratum.empty() ? "holds" : "holds as corrected")
                    << claim.id << " " << seed;
            }
}

TEST(SleighClaims, theErrataOfThePaperAreCovered)
{
    std::set<std::string> corrected;
    for (const auto& claims : {sleighClaims(1), slopeClaims(1)})
        for (const Claim& claim : claims)
            if (!claim.erratum.empty())
                corrected.insert(claim.id);
    EXPECT_THAT(corrected, testing::UnorderedElementsAre("(1.2)", "section 4, first lines", "before (4.11)",
                                                         "section 4, end", "section 5, constraint", "(5.1)",
                                                         "2T_0", "(5.3)", "(5.4)", "x(φ), y(φ)", "t(φ)"));
}

struct Alteration {
    const char* name;
    std::vector<std::string> fail;
    std::function<void(Formulas&)> apply;
};

class AlteredFormula : public testing::TestWithParam<Alteration> {};

TEST_P(AlteredFormula, MakesItsClaimFail)
{
    const auto altered = [](const SleighParameters& p) {
        Formulas f = formulasOf(p);
        GetParam().apply(f);
        return f;
    };
    std::set<std::string> failed;
    for (const auto& claims : {sleighClaims(1, altered), slopeClaims(1, altered)})
        for (const Claim& claim : claims)
            if (!claim.expected) {
                EXPECT_EQ(claim.verdict, "fails as printed");
                failed.insert(claim.id);
            }
    for (const std::string& id : GetParam().fail)
        EXPECT_TRUE(failed.contains(id)) << id;
}

INSTANTIATE_TEST_SUITE_P(
    Coefficients, AlteredFormula,
    testing::Values(Alteration{"Curvature",
                               {"K after (2.3)", "K_12^2, K_12^3"},
                               [](Formulas& f) {
                                   f.curvature = [g = f.curvature](Variables v, const Formulas::X& x) {
                                       auto k = g(v, x);
                                       k[2](0, 1) *= slightly;
                                       return k;
                                   };
                               }},
                    Alteration{"Structure",
                               {"(1.4)", "(2.3)"},
                               [](Formulas& f) {
                                   f.structure = [g = f.structure](Variables v, const Formulas::X& x) {
                                       auto c = g(v, x);
                                       c[1](0, 2) += 1e-6;
                                       return c;
                                   };
                               }},
                    Alteration{"Accelerations",
                               {"(2.4)", "(2.4) with a potential"},
                               [](Formulas& f) {
                                   f.accelerations = [g = f.accelerations](Variables v, const Formulas::X& x,
                                                                           const Formulas::Theta& theta) {
                                       return Formulas::Theta(slightly * g(v, x, theta));
                                   };
                               }},
                    Alteration{"Kinetic",
                               {"2T_0"},
                               [](Formulas& f) {
                                   f.kinetic = [g = f.kinetic](const Formulas::X& x, const Formulas::X& eta) {
                                       return g(x, slightly * eta);
                                   };
                               }},
                    Alteration{"RatioRate",
                               {"before (4.11)", "(4.11)", "(4.11) with a potential", "section 4, end"},
                               [](Formulas& f) {
                                   f.ratioRate = [g = f.ratioRate](Variables v, const Formulas::X& x,
                                                                   const Formulas::Theta& theta) {
                                       return slightly * g(v, x, theta);
                                   };
                               }},
                    Alteration{"ThetaPrime",
                               {"(5.7)", "x(φ), y(φ)"},
                               [](Formulas& f) {
                                   f.thetaPrime = [g = f.thetaPrime](double phi, double c) {
                                       return g(phi, c * slightly);
                                   };
                               }},
                    Alteration{"Force",
                               {"constraint force"},
                               [](Formulas& f) {
                                   f.force = [g = f.force](const Vector5& x) { return slightly * g(x); };
                               }},
                    Alteration{"Forecast",
                               {"asymptotics", "instability"},
                               [](Formulas& f) {
                                   f.forecast = [g = f.forecast](const Vector5& x) {
                                       SleighForecast forecast = g(x);
                                       forecast.rate *= slightly;
                                       forecast.turnTotal = slightly * *forecast.turnTotal;
                                       return forecast;
                                   };
                               }}),
    [](const auto& alteration) { return std::string(alteration.param.name); });

} // namespace
} // namespace casimir::sleigh
