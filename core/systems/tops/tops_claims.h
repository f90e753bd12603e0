// The statements of Chebanov's paper about chains of tops, each computed when asked from random chains by a
// route of its own: the vector equations of motion, embedded positions, polynomial identities, the closed
// form. The formulas under test are handed in, so that an altered one can be seen to fail.
#pragma once

#include "core/model/claims.h"
#include "core/systems/tops/families.h"

#include <functional>

namespace casimir::tops {

// Rates of the angles of one top.
struct AngleMotion {
    double theta = 0, psi = 0, dtheta = 0, dpsi = 0, ddtheta = 0, ddpsi = 0;
};

// What section 3 computes from masses and inertias, J03 = J04.
struct FourTopMasses {
    double mu = -3, m1 = 0, m2 = 0, m3 = 0, m4 = 0, J01 = 0, J02 = 0, J04 = 0;
};

inline constexpr double gravity = 9.81; // of the chains that the claims are computed on

struct TopsFormulas {
    // The left sides of (1), m = 1 and m = 2, one pair for each top.
    std::function<std::vector<std::array<double, 2>>(const Chain&, const std::vector<AngleMotion>&)>
        equations;
    std::function<ChainSums(const Chain&, const std::vector<int>&, int, double)> sums; // (9), (13)
    std::function<double(const FourTopMasses&)> alpha1, alpha2;                        // (39)
    std::function<std::array<double, 3>(const FourTopMasses&, double)> beta;           // of c4, before (43)
    std::function<double(const FourTopMasses&)> alpha3;                                // (43), (44)
    std::function<double(const FourTopMasses&)> discriminant;                          // D_*, after (46)
    // k1/P1 from (28) and h1/P1, h4/P4 from (27), (29); arguments A1, A4, mu, p1, p4, k1, k4, all over P.
    std::function<double(double, double, double, double, double, double)> spin1;
    std::function<std::array<double, 2>(double, double, double, double, double)>
        energies; // mu, p1, p4, k1, k4
};

TopsFormulas topsFormulas();

std::vector<Claim> topsClaims(unsigned seed, const TopsFormulas& formulas = topsFormulas());

namespace claims {
// Random material that the sections share.
struct Sample {
    Chain random;                    // five tops
    std::vector<AngleMotion> angles; // of the random chain
    std::vector<int> delta;          // of the random chain, n_* = 2
    double mu = -2;
    FourTopDesign design;
    DesignedChain four;
    RootChoice choice;
};
using Samples = std::vector<Sample>;
// The largest deviation over the samples; NaN stays.
ExactMotion motionOf(const Sample& sample);
FourTopMasses massesOf(const Sample& sample);
void addStructure(std::vector<ClaimCheck>& checks, const TopsFormulas& f, const Samples& samples);
void addFourTops(std::vector<ClaimCheck>& checks, const TopsFormulas& f, const Samples& samples);
} // namespace claims

} // namespace casimir::tops
