// The claims of the paper: all hold, corrected where it misprints, and an altered coefficient is noticed.
#include "core/systems/planar/two_body/two_body_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace casimir::planar {
namespace {

using Formulas = TwoBodyFormulas;

const Claim& find(const std::vector<Claim>& claims, const std::string& id)
{
    for (const Claim& claim : claims)
        if (claim.id == id)
            return claim;
    throw std::runtime_error("no claim " + id);
}

TEST(TwoBodyClaims, AllHoldAndThoseWithAnErratumHoldAsCorrected)
{
    for (const unsigned seed : {1u, 2u, 3u, 20u, 77u}) {
        for (const Claim& claim : twoBodyClaims(seed)) {
            SCOPED_TRACE(claim.id + " with seed " + std::to_string(seed) + ", digits " +
                         std::to_string(claim.digits));
            EXPECT_EQ(claim.verdict, claim.erratum.empty() ? "holds" : "holds as corrected");
            EXPECT_FALSE(claim.statement.empty());
            EXPECT_FALSE(claim.computed.empty());
        }
    }
}

TEST(TwoBodyClaims, TheNumberedEquationsAndTheErrataAreCovered)
{
    const std::vector<Claim> claims = twoBodyClaims(1);
    std::set<std::string> withErratum;
    for (const Claim& claim : claims)
        if (!claim.erratum.empty())
            withErratum.insert(claim.id);
    EXPECT_THAT(withErratum, testing::UnorderedElementsAre(
                                 "(2.4)", "(2.17)", "(2.18)", "(2.19)", "section 2, Remark 1",
                                 "section 4, leaf coordinates", "Theorem 1", "after (5.4)", "(5.5)",
                                 "(5.8), mixed entries", "(5.9), first entry", "(5.10)", "Theorem 2"));
    EXPECT_GE(claims.size(), 35u);
}

TEST(TwoBodyClaims, TheSameSeedGivesTheSameDigits)
{
    const std::vector<Claim> first = twoBodyClaims(5), second = twoBodyClaims(5);
    for (std::size_t k = 0; k < first.size(); ++k)
        EXPECT_EQ(first[k].digits, second[k].digits) << first[k].id;
}

struct Alteration {
    const char* id;
    std::function<void(Formulas&)> apply;
};

class AlteredFormula : public testing::TestWithParam<Alteration> {};

TEST_P(AlteredFormula, MakesItsClaimFail)
{
    const auto altered = [](const TwoBody& bodies) {
        Formulas f = formulasOf(bodies);
        GetParam().apply(f);
        return f;
    };
    EXPECT_EQ(find(twoBodyClaims(1, altered), GetParam().id).verdict, "fails as printed");
}

constexpr double slightly = 1 + 1e-6;

INSTANTIATE_TEST_SUITE_P(
    Coefficients, AlteredFormula,
    testing::Values(Alteration{"(1.5)",
                               [](Formulas& f) {
                                   f.velocityField = [g = f.velocityField](const Formulas::C3& x) {
                                       Formulas::C3 rate = g(x);
                                       rate[1] *= slightly;
                                       return rate;
                                   };
                               }},
                    Alteration{"(1.8)",
                               [](Formulas& f) {
                                   f.bracket = [](const Formulas::C3& a, const Formulas::C3& b) {
                                       return a[0] * (b[2] - b[1]) - b[0] * (a[2] - slightly * a[1]);
                                   };
                               }},
                    Alteration{"(4.4)",
                               [](Formulas& f) {
                                   f.nu0 = [g = f.nu0](Formulas::Complex theta) {
                                       return slightly * g(theta);
                                   };
                               }},
                    Alteration{"(5.8), mixed entries",
                               [](Formulas& f) {
                                   f.hessian = [g = f.hessian](const Eigen::Vector3d& x) {
                                       Eigen::Matrix3d h = g(x);
                                       h(1, 0) *= slightly;
                                       return h;
                                   };
                               }},
                    Alteration{"(5.10)",
                               [](Formulas& f) {
                                   f.amendedPotential = [g = f.amendedPotential](Formulas::Complex theta) {
                                       return slightly * g(theta);
                                   };
                               }},
                    Alteration{"(2.22)",
                               [](Formulas& f) {
                                   f.lambda = [g = f.lambda](Formulas::Complex theta) {
                                       return g(theta + 1e-6);
                                   };
                               }},
                    Alteration{"Theorem 2",
                               [](Formulas& f) {
                                   f.equilibrium = [g = f.equilibrium](int sigma) {
                                       TwoBodyEquilibrium e = g(sigma);
                                       e.eigenvalues[1] *= slightly;
                                       return e;
                                   };
                               }},
                    Alteration{"Theorem 2, homoclinic", [](Formulas& f) {
                                   f.homoclinicNu = [g = f.homoclinicNu](double psi, int branch) {
                                       return slightly * g(psi, branch);
                                   };
                               }}));

} // namespace
} // namespace casimir::planar
