// Chains that have exact motions, and those motions: the single top, steady precession of any planar shape,
// Kharlamov's similar motions, Chebanov's two planes. Geometry is either constructed so that the conditions
// hold or given and checked; the motion is then chosen by the roots of the cubic, which always gives a real
// one.
#pragma once

#include "core/systems/tops/exact_motion.h"

#include <array>
#include <optional>

namespace casimir::tops {

// Turning points as parts of the interval [-1/|mu|, 1/|mu|] that keeps every angle real (mu = 1 with one
// plane), in either order; the third root by its modulus, its sign being that of A; the signs of p - k and
// p + k of the first plane, then of the second.
struct RootChoice {
    double u1 = -0.6, u2 = 0.75;
    double x3 = 1.5;
    std::array<int, 4> signs{1, 1, 1, 1};
};

// P, R, Q, T and the like of (9) for a chain with the given deltas, its first `first` tops being S_*; with
// first = n there is one plane. `R` has the correction R_k = R~_k + Q_k/mu of (13).
struct ChainSums {
    std::vector<double> P, Rtilde, Q, T, R;
};
ChainSums chainSums(const Chain& chain, const std::vector<int>& delta, int first, double mu);

// Each throws Error with the inequality or condition that fails and its residual; the spins of `tops` are
// replaced by those the motion needs.
ExactMotion singleTop(const Top& top, double g, const RootChoice& choice);
ExactMotion steadyPrecession(const std::vector<Top>& tops, const std::vector<double>& theta, double Omega,
                             double g);
ExactMotion similarMotion(const std::vector<Top>& tops, const std::vector<int>& delta, double g,
                          const RootChoice& choice);
ExactMotion twoPlanes(const std::vector<Top>& tops, const std::vector<int>& delta, double mu, double g,
                      const RootChoice& choice);

// Kharlamov's chains. `spare` is the least central inertia, `roundness` is Js/J0.
struct SimilarDesign {
    enum class Shape { Folded, Zigzag, Straight };
    Shape shape = Shape::Folded;
    int n = 4; // straight only
    double m1 = 2, m2 = 1, m3 = 1;
    double s = 0.5;   // s1 folded, s2 zigzag, every s straight
    double c = 0.4;   // c2 folded, c3 zigzag, every c straight
    double ratio = 1; // a1/a3, zigzag
    double spare = 0.05, roundness = 1.6;
};
struct DesignedChain {
    std::vector<Top> tops;
    std::vector<int> delta;
    std::vector<Inequality> inequalities;
};
DesignedChain similarChain(const SimilarDesign& design);

// Chebanov's four tops, delta = (0, 1, 1, 0), R = 0. `equal`: J03 = J04, with c4 and s3 computed; otherwise
// c4 and s3 are given and J02, J03 computed. c1 = -part P4/a2.
struct FourTopDesign {
    double mu = -3;
    bool equal = true;
    double m2 = 3, m3 = 0.5, m4 = 1;
    double J01 = 0.07, J02 = 0.01, J04 = 0.02;
    double c4 = 0.6, s3 = 0.2;
    double part = 9.0 / 13;
    double roundness = 2;
};
DesignedChain fourTopChain(const FourTopDesign& design);

// Four tops in two planes with R != 0, which the paper allows for and does not look for. With
// delta = (0, 1, 1, 0), (10), (16) and (20) come down to s1 = s2, a3 = a4, a1 = a2 = sigma a4, sigma = s1/s3,
// J'1 = J'2, J'3 = J'4 and P1 + R1 = (sigma/mu) (P4 + R4). All inertias follow, the least being `spare`;
// sigma = ratio with the sign of mu, so that every choice is a chain, |mu| < sqrt 2 included.
struct LiftedDesign {
    double mu = 1.5;
    double m1 = 2, m2 = 3, m3 = 0.5, m4 = 1;
    double c4 = 0.6, s3 = 0.2;
    double ratio = 1;
    double spare = 0.05, roundness = 2;
};
DesignedChain liftedChain(const LiftedDesign& design);

// Throws Error naming the first inequality that fails.
void require(const std::vector<Inequality>& inequalities);

// The paper's own way: constants p1, p4, q4 of a four-top chain, of which not all leave a real motion.
struct ConstantsOutcome {
    enum class Kind { Real, ComplexPair, AngleNotReal, NoThirdRoot, Undefined };
    Kind kind = Kind::Undefined;
    RootChoice choice = {};
};
// What does not depend on the constants: A1 = a1 g/P1, P1, P4, Js4, mu, and lambda = (1 + R4/P4)/(1 + R1/P1).
struct FourTopNumbers {
    double A1 = 0, P1 = 1, P4 = 1, Js4 = 1, mu = -3, lambda = 1;
};
FourTopNumbers fourTopNumbers(const ExactMotion& motion);
ConstantsOutcome fromConstants(const FourTopNumbers& chain, double p1, double p4, double q4);

} // namespace casimir::tops
