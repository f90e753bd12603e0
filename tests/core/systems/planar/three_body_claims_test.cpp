// The claims of section 6: all hold, corrected where the paper misprints or says too much, and an altered
// formula is noticed.
#include "core/systems/planar/three_body/three_body_claims.h"

#include <gtest/gtest.h>

namespace casimir::planar {
namespace {

using Formulas = ThreeBodyFormulas;

TEST(ThreeBodyClaims, AllHoldAndThoseWithAnErratumHoldAsCorrected)
{
    for (const unsigned seed : {1u, 2u, 3u, 20u, 77u})
        for (const casimir::Claim& claim : threeBodyClaims(seed)) {
            SCOPED_TRACE(claim.id + ", seed " + std::to_string(seed) + ", digits " +
                         std::to_string(claim.digits));
            EXPECT_TRUE(claim.expected);
            EXPECT_EQ(claim.verdict, claim.erratum.empty() ? "holds" : "holds as corrected");
        }
}

TEST(ThreeBodyClaims, EveryRowOfTheTablesIsThere)
{
    const auto claims = threeBodyClaims(1);
    for (const char* table : {"Table 1, region ", "Table 2, region ", "Table 3, region "})
        for (const char* region : {"1", "2", "3"})
            EXPECT_TRUE(
                std::any_of(claims.begin(), claims.end(),
                            [&](const casimir::Claim& c) { return c.id == std::string(table) + region; }))
                << table << region;
}

struct Alteration {
    const char* id;
    std::function<void(Formulas&)> apply;
};
class AlteredThreeBodyFormula : public testing::TestWithParam<Alteration> {};

TEST_P(AlteredThreeBodyFormula, MakesItsClaimFail)
{
    Formulas altered = threeBodyFormulas();
    GetParam().apply(altered);
    bool seen = false;
    for (const casimir::Claim& claim : threeBodyClaims(1, altered))
        if (claim.id == GetParam().id) {
            seen = true;
            EXPECT_FALSE(claim.expected);
            EXPECT_EQ(claim.verdict, "fails as printed");
        }
    EXPECT_TRUE(seen);
}

constexpr double slightly = 1 + 1e-6;

INSTANTIATE_TEST_SUITE_P(
    Coefficients, AlteredThreeBodyFormula,
    testing::Values(Alteration{"(6.4)",
                               [](Formulas& f) {
                                   f.inertia = [g = f.inertia](const ThreeBody& b, double x, double y) {
                                       Eigen::Matrix3d j = g(b, x, y);
                                       j(1, 1) *= slightly;
                                       return j;
                                   };
                               }},
                    Alteration{"(6.5)",
                               [](Formulas& f) {
                                   f.field = [g = f.field](const ThreeBody& b, const Vector5d& z) {
                                       Vector5d rate = g(b, z);
                                       rate[3] *= slightly;
                                       return rate;
                                   };
                               }},
                    Alteration{"(6.12), (6.13), (6.14)",
                               [](Formulas& f) {
                                   f.coefficients = [](const ThreeBodyParameters& p) {
                                       ThreeBodyCoefficients c = coefficientsOf(p);
                                       c.B1 *= slightly;
                                       return c;
                                   };
                               }},
                    Alteration{"(6.15)",
                               [](Formulas& f) {
                                   f.coefficients = [](const ThreeBodyParameters& p) {
                                       ThreeBodyCoefficients c = coefficientsOf(p);
                                       c.C2 *= slightly;
                                       return c;
                                   };
                               }},
                    Alteration{"(6.33), (6.34)",
                               [](Formulas& f) {
                                   f.bentCosines = [g = f.bentCosines](double kappa, double tau) {
                                       return Eigen::Vector2d(slightly * g(kappa, tau));
                                   };
                               }},
                    Alteration{"(6.35), (6.36)",
                               [](Formulas& f) {
                                   f.bentExists = [g = f.bentExists](double kappa, double tau) {
                                       return g(1.1 * kappa, tau);
                                   };
                               }},
                    Alteration{"Table 2, region 3",
                               [](Formulas& f) {
                                   f.signs = [g = f.signs](int sign, Region region) {
                                       SignPair s = g(sign, region);
                                       if (sign == 2 && region == Region::Three)
                                           s.y = -s.y;
                                       return s;
                                   };
                               }},
                    Alteration{"stability, case 2",
                               [](Formulas& f) {
                                   f.straightIndex = [g = f.straightIndex](int sign, Region region,
                                                                           SignPair s) {
                                       return region == Region::OTau ? g(sign, Region::OSum, s)
                                                                     : g(sign, region, s);
                                   };
                               }},
                    Alteration{"stability, spectrum", [](Formulas& f) {
                                   f.leafPolynomial = [g = f.leafPolynomial](const ThreeBody& b, double x,
                                                                             double y) {
                                       LeafPolynomial p = g(b, x, y);
                                       p.p *= slightly;
                                       return p;
                                   };
                               }}));

} // namespace
} // namespace casimir::planar
