// The claims of the paper: all hold, corrected where it misprints, and an altered coefficient is noticed.
#include "core/systems/tops/tops_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace casimir::tops {
namespace {

constexpr double slightly = 1 + 1e-6;

const Claim& find(const std::vector<Claim>& claims, const std::string& id)
{
    for (const Claim& claim : claims)
        if (claim.id == id)
            return claim;
    throw std::runtime_error("no claim " + id);
}

TEST(TopsClaims, allHoldAndThoseWithAnErratumHoldAsCorrected)
{
    for (const unsigned seed : {1u, 2u, 3u, 20u, 77u})
        for (const Claim& claim : topsClaims(seed)) {
            SCOPED_TRACE(claim.id + " with seed " + std::to_string(seed) + ", digits " +
                         std::to_string(claim.digits));
            EXPECT_EQ(claim.verdict, claim.erratum.empty() ? "holds" : "holds as corrected");
            EXPECT_TRUE(claim.expected);
        }
}

TEST(TopsClaims, theErrataAreCovered)
{
    std::set<std::string> withErratum;
    const std::vector<Claim> claims = topsClaims(1);
    for (const Claim& claim : claims)
        if (!claim.erratum.empty())
            withErratum.insert(claim.id);
    EXPECT_THAT(withErratum, testing::UnorderedElementsAre("(3), (30)", "(11) to (13)", "(21)", "β₁, β₂, β₃",
                                                           "q_1", "algorithm of section 3"));
    EXPECT_GE(claims.size(), 30u);
}

struct Alteration {
    const char* id;
    std::function<void(TopsFormulas&)> apply;
};

class AlteredTopsFormula : public testing::TestWithParam<Alteration> {};

TEST_P(AlteredTopsFormula, makesItsClaimFail)
{
    TopsFormulas formulas = topsFormulas();
    GetParam().apply(formulas);
    EXPECT_EQ(find(topsClaims(1, formulas), GetParam().id).verdict, "fails as printed");
}

INSTANTIATE_TEST_SUITE_P(
    Coefficients, AlteredTopsFormula,
    testing::Values(
        Alteration{"(1), m = 2",
                   [](TopsFormulas& f) {
                       f.equations = [g = f.equations](const Chain& c, const std::vector<AngleMotion>& x) {
                           auto left = g(c, x);
                           left[2][1] *= slightly;
                           return left;
                       };
                   }},
        Alteration{"(11) to (13)",
                   [](TopsFormulas& f) {
                       f.sums = [g = f.sums](const Chain& c, const std::vector<int>& d, int n, double mu) {
                           ChainSums sums = g(c, d, n, mu);
                           sums.R[3] *= slightly;
                           return sums;
                       };
                   }},
        Alteration{"(37) to (39)",
                   [](TopsFormulas& f) {
                       f.alpha1 = [g = f.alpha1](const FourTopMasses& x) { return slightly * g(x); };
                   }},
        Alteration{"β₁, β₂, β₃",
                   [](TopsFormulas& f) {
                       f.beta = [g = f.beta](const FourTopMasses& x, double c4) {
                           auto b = g(x, c4);
                           b[1] *= slightly;
                           return b;
                       };
                   }},
        Alteration{"D_*",
                   [](TopsFormulas& f) {
                       f.discriminant = [g = f.discriminant](const FourTopMasses& x) {
                           return slightly * g(x);
                       };
                   }},
        Alteration{"q_1", [](TopsFormulas& f) {
                       f.spin1 = [g = f.spin1](double A1, double A4, double mu, double p1, double p4,
                                               double k4) { return slightly * g(A1, A4, mu, p1, p4, k4); };
                   }}));

} // namespace
} // namespace casimir::tops
