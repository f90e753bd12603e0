// The plane of kappa = B1/B2 and tau = B1/A1, in which the number, the place and the index of the equilibria
// of three aligned bodies (e2 = 0) are decided: sign cases, regions, bifurcation lines, Tables 1-3 of the
// paper and the table of stability it announces, and the way from (kappa, tau) back to lengths.
#pragma once

#include "core/model/parameter.h"
#include "core/systems/planar/three_body/three_body.h"

#include <optional>
#include <string>

namespace casimir::planar {

struct KappaTau {
    double kappa = 0, tau = 0;
};

// Not there if B2 or A1 vanishes, or both quotients overflow.
std::optional<double> kappaOf(const ThreeBodyCoefficients& f);
std::optional<double> tauOf(const ThreeBodyCoefficients& f);

// 1: kappa, tau > 0; 2: both < 0; 3: kappa > 0 > tau; 4: kappa < 0 < tau, which the paper rules out and e1 <
// 0 allows; 0: one of them is zero.
int signCase(const KappaTau& at);

enum class Region { One, Two, Three, OSum, OTau, OKappa, Line };
Region regionOf(const KappaTau& at); // kappa and tau not zero
const char* name(Region region);     // "1", "2", "3", "O_sum", "O_tau", "O_kappa", "line"
const char* title(Region region);    // the same for people: "outside, |κ| > 1 + |τ|"
inline bool insideStrip(Region region)
{
    return region == Region::One || region == Region::Two || region == Region::Three;
}

// Signs of (cos theta21, cos theta32) of the extra pair, by case and region: Tables 1-3, and the fourth they
// lack.
struct SignPair {
    int x = 0, y = 0;
    bool operator==(const SignPair&) const = default;
};
SignPair tableSigns(int signCase, Region region);

// A straight state as the signs of (cos theta21, cos theta32): {1, 1} is (0, 0), {-1, -1} is (pi, pi).
// Its index, by case and region.
int tableIndex(int signCase, Region region, SignPair straight);
// Of the extra pair: 0 where kappa < 0, 2 where kappa > 0.
inline int tableExtraIndex(int signCase)
{
    return signCase == 2 || signCase == 4 ? 0 : 2;
}

// Parameters with these kappa and tau: d1 and c1 by the recipe, b1 and e1 as they are if their sign case
// fits, else set (in the size they had); masses, inertias, e2 and the sign of e1 are kept. Refused where that
// sign of e1 has no such sign case, and where a length leaves the range of lengths.
Outcome<ThreeBodyParameters> withKappaTau(const ThreeBodyParameters& p, const KappaTau& wanted,
                                          double longest);

// The same in place and without words: false where it is refused for want of a sign case.
bool setKappaTau(ThreeBodyParameters& p, const KappaTau& wanted);

// Whether the quadrant of a sign case can be reached with this sign of e1.
bool reachable(int signCase, double e1);
// Why the quadrant of a sign case cannot be reached with this sign of e1; empty if it can.
std::string impossible(int signCase, double e1);

} // namespace casimir::planar
