// The claims of sections 2 to 4 about motions in two planes and chains of four tops.
#include "core/systems/tops/tops_claims.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace casimir::tops::claims {

namespace {

template <class F>
double alongMotion(const ExactMotion& motion, F&& deviation)
{
    MotionFrame frame;
    double result = 0;
    for (const double part : {0.04, 0.31, 0.5, 0.83, 1.6}) {
        motion.at(part * motion.period(), std::vector<double>(static_cast<std::size_t>(motion.planes()), 0.7),
                  frame);
        if (const double d = deviation(frame); !(d <= result))
            result = d;
    }
    return result;
}

// The accelerations of the full chain at a state of the motion are those of the motion itself.
double motionOff(const ExactMotion& motion)
{
    return alongMotion(motion, [&](const MotionFrame& at) {
        Eigen::Matrix3Xd full(3, 4);
        motion.chain().accelerations(at.e, at.v, full);
        return (full - at.acceleration).norm() / full.norm();
    });
}

double cosinesOff(const Sample& s)
{
    const ExactMotion motion = motionOf(s);
    return alongMotion(motion, [&](const MotionFrame& at) {
        double result = 0;
        for (int i = 0; i < 4; ++i)
            result = std::max(result, off(at.e(2, i), (i < 2 ? 1 : s.design.mu) * at.x, 1));
        result = std::max({result, (at.e.col(0).head<2>() + at.e.col(1).head<2>()).norm(),
                           (at.e.col(2).head<2>() + at.e.col(3).head<2>()).norm()});
        return result;
    });
}

// theta'^2 and psi' of a top against Theta and Psi of (14), (15) with its own h, p, k, P, R.
double quadratureOff(const ExactMotion& motion, int i)
{
    const auto k = static_cast<std::size_t>(i);
    const double P = motion.P()[k], h = motion.h()[k], p = motion.p()[k], spin = motion.chain().k(i),
                 a = motion.chain().a(i),
                 R = motion.groups()[static_cast<std::size_t>(motion.groupOf(i))].R * P;
    return alongMotion(motion, [&](const MotionFrame& at) {
        const AxisAngles angles = anglesOf(at.e.col(i), at.v.col(i), 0);
        const double x = std::cos(angles.theta), s2 = std::pow(std::sin(angles.theta), 2);
        const double Theta =
            (P * s2 * (h - 2 * a * gravity * x) - (p - spin * x) * (p - spin * x)) / (P * s2 * (P + R * s2));
        const double Psi = (p - spin * x) / (P * s2);
        const double scale =
            std::abs(h / P) + p * p / (P * P * s2); // the terms that cancel at a turning point
        return std::max(off(Theta, angles.dtheta * angles.dtheta, scale), off(Psi, angles.dpsi, 1));
    });
}

double integralsOff(const ExactMotion& motion)
{
    double result = 0;
    for (int i = 0; i < motion.chain().size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        const double P = motion.P()[k], h = motion.h()[k], p = motion.p()[k], spin = motion.chain().k(i),
                     a = motion.chain().a(i),
                     R = motion.groups()[static_cast<std::size_t>(motion.groupOf(i))].R * P;
        result = std::max(result, alongMotion(motion, [&](const MotionFrame& at) {
                              const AxisAngles x = anglesOf(at.e.col(i), at.v.col(i), 0);
                              const double s2 = std::pow(std::sin(x.theta), 2);
                              const double energy = P * (x.dtheta * x.dtheta + x.dpsi * x.dpsi * s2) +
                                                    R * x.dtheta * x.dtheta * s2 +
                                                    2 * a * gravity * std::cos(x.theta);
                              const double momentum = P * x.dpsi * s2 + spin * std::cos(x.theta);
                              return std::max(off(energy, h), off(momentum, p, std::abs(P * x.dpsi)));
                          }));
    }
    return result;
}

ExactMotion pairOf(const Sample& s)
{
    SimilarDesign design;
    design.m1 = s.design.m2;
    design.m2 = s.design.m4;
    design.s = 0.3 + s.design.part;
    design.c = 0.2 + s.design.J02;
    const DesignedChain made = similarChain(design);
    return similarMotion(made.tops, made.delta, gravity, s.choice);
}

// Four tops with R_i != 0, |mu| on either side of 1.
ExactMotion liftedOf(const Sample& s)
{
    LiftedDesign design;
    design.mu = s.mu / 1.5;
    design.m2 = s.design.m2;
    design.m3 = s.design.m3;
    design.m4 = s.design.m4;
    design.c4 = 0.2 + s.design.part;
    design.s3 = 0.1 + s.design.J01;
    design.ratio = 0.5 + s.design.part;
    const DesignedChain made = liftedChain(design);
    return twoPlanes(made.tops, made.delta, design.mu, gravity, s.choice);
}

struct Numbers {
    double A1, A4, mu, p1, p4, k1, k4, h1, h4, P1, P4;
};
Numbers numbersOf(const ExactMotion& motion)
{
    const PlaneGroup &one = motion.groups()[0], &four = motion.groups()[1];
    // From the chain, not from the construction of the motion.
    return {motion.chain().a(0) * gravity / motion.P()[0],
            motion.chain().a(3) * gravity / motion.P()[3],
            four.mu,
            one.p,
            four.p,
            motion.chain().k(0) / motion.P()[0],
            motion.chain().k(3) / motion.P()[3],
            one.h,
            four.h,
            motion.P()[0],
            motion.P()[3]};
}

double proportionsOff(const Sample& s)
{
    const ExactMotion motion = motionOf(s);
    const auto p = motion.p(), h = motion.h(), P = motion.P();
    double result = 0;
    for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>(1, 0), {2, 3}}) {
        const int a = static_cast<int>(i), b = static_cast<int>(j);
        const double ratio = P[i] / P[j];
        for (const double other : {motion.chain().k(a) / motion.chain().k(b),
                                   motion.chain().a(a) / motion.chain().a(b), h[i] / h[j], p[i] / p[j]})
            result = std::max(result, off(other, ratio));
    }
    return result;
}

// The condition a1 P2 = a2 P1 as a quadratic in c1, from the chain itself at three values of c1.
std::array<double, 3> flywheelQuadratic(const Sample& s)
{
    const auto value = [&](double c1) {
        std::vector<Top> tops = s.four.tops;
        tops[0].c = c1;
        const Chain chain(tops, gravity);
        const double s1a2 = tops[0].s * chain.a(1);
        return chain.a(0) * (chain.jPrime(1) - s1a2) - chain.a(1) * (chain.jPrime(0) - s1a2);
    };
    const double unit = std::abs(s.four.tops[0].c), zero = value(0), plus = value(unit), minus = value(-unit);
    return {((plus + minus) / 2 - zero) / (unit * unit), (plus - minus) / (2 * unit), zero};
}

double betaOff(const Sample& s, const TopsFormulas& f, bool asPrinted)
{
    const auto derived = flywheelQuadratic(s);
    auto printed = f.beta(massesOf(s), s.four.tops[3].c);
    if (asPrinted)
        printed[0] /= s.design.m4;
    const double factor = derived[0] / printed[0];
    return std::max(off(derived[1], factor * printed[1]), off(derived[2], factor * printed[2]));
}

// (35) and (36) as functions of (c4, s1) against J'_3 = J'_4 and (34) for arbitrary c4 and s1.
double pairOfEquationsOff(const Sample& s)
{
    const double mu = s.design.mu, m2 = s.design.m2, m3 = s.design.m3, m4 = s.design.m4, t1 = m2 + m3 + m4,
                 t2 = m3 + m4;
    const double J02 = s.design.J02, J03 = 1.3 * s.design.J04, J04 = s.design.J04;
    const double c4 = 0.3 + s.design.part, s1 = 0.4 + s.design.J01;
    const double c2 = -(mu * m4 * c4 + t2 * s1) / m2, c3 = m4 * (mu * c4 + s1) / (mu * m3), s3 = -s1 / mu;
    const Chain chain({{1, 0.1, s1, 1, 1, 0},
                       {m2, c2, s1, J02, J02, 0},
                       {m3, c3, s3, J03, J03, 0},
                       {m4, c4, 0, J04, J04, 0}},
                      gravity);
    const double first = (chain.jPrime(2) - chain.jPrime(3)) * mu * mu * m3;
    const double printed35 = mu * mu * m4 * (m4 - m3) * c4 * c4 + 2 * mu * m4 * m4 * c4 * s1 +
                             t2 * m4 * s1 * s1 + mu * mu * m3 * (J03 - J04);
    const double second = mu * chain.a(3) * (chain.jPrime(1) - s1 * chain.a(1)) -
                          chain.a(1) * (chain.jPrime(3) - s3 * chain.a(3));
    const double printed36 = mu * m4 * (m2 + mu * mu * m4) * c4 * c4 +
                             m4 * (m2 + mu * mu * (t1 + t2)) * c4 * s1 + mu * t1 * t2 * s1 * s1 +
                             mu * m2 * (J02 + J04);
    // Each is the printed polynomial times a common factor.
    const double factor = chain.a(3) / m2;
    return std::max(off(first, printed35, std::abs(mu * mu * m4 * m4 * c4 * c4)),
                    off(second, factor * printed36, std::abs(factor * mu * m4 * m4 * mu * mu * c4 * c4)));
}

double ridersOff(const Sample& s)
{
    const ExactMotion motion = motionOf(s);
    const Chain& chain = motion.chain();
    return alongMotion(motion, [&](const MotionFrame& at) {
        const Eigen::Vector3d joint = chain.joint(at.e, 2);
        Eigen::Vector3d centre = Eigen::Vector3d::Zero();
        double mass = 0, size = 0;
        for (int i = 2; i < 4; ++i) {
            const double m = chain.tops()[static_cast<std::size_t>(i)].m;
            centre += m * chain.centre(at.e, i);
            mass += m;
        }
        for (const Top& top : chain.tops())
            size += std::abs(top.s);
        return std::max(joint.head<2>().norm(), (centre / mass).head<2>().norm()) / size;
    });
}

double sumOfForty8Off(const Sample& s)
{
    const ExactMotion motion = motionOf(s);
    const Chain& chain = motion.chain();
    return alongMotion(motion, [&](const MotionFrame& at) {
        Eigen::Vector3d left = Eigen::Vector3d::Zero(),
                        right = (chain.tops()[2].m + chain.tops()[3].m) * chain.joint(at.e, 2);
        for (int i = 2; i < 4; ++i) {
            left += chain.tops()[static_cast<std::size_t>(i)].m * chain.centre(at.e, i);
            right += chain.a(i) * at.e.col(i);
        }
        return (left - right).norm() / left.norm();
    });
}

// How many of 40 draws of the constants leave no real motion.
double share(const Sample& s)
{
    const Numbers x = numbersOf(motionOf(s));
    const FourTopNumbers chain{x.A1, x.P1, x.P4, s.four.tops[3].Js, x.mu};
    int without = 0, count = 0;
    for (int i = -4; i <= 5; ++i)
        for (int j = -2; j < 2; ++j, ++count) {
            const double p1 = (i + 0.5) * 4, p4 = (j + 0.5) * 7, k4 = 3.0 * (i - j);
            if (fromConstants(chain, x.P1 * p1, x.P4 * p4, x.P4 * k4 / chain.Js4).kind !=
                ConstantsOutcome::Kind::Real)
                ++without;
        }
    return static_cast<double>(without) / count;
}

double roundTripOff(const Sample& s)
{
    const ExactMotion motion = motionOf(s);
    const Numbers x = numbersOf(motion);
    const ConstantsOutcome found = fromConstants({x.A1, x.P1, x.P4, s.four.tops[3].Js, x.mu}, motion.p()[0],
                                                 motion.p()[3], motion.chain().tops()[3].q);
    if (found.kind != ConstantsOutcome::Kind::Real)
        return 1;
    return std::max({off(found.choice.u1, s.choice.u1, 1), off(found.choice.u2, s.choice.u2, 1),
                     off(found.choice.x3, s.choice.x3)});
}

// (46) is a step of the algorithm that the paper suggests; the discriminant D may be positive without it.
double massBoundOff(const Sample& s)
{
    const auto q = flywheelQuadratic(s);
    return q[1] * q[1] - 4 * q[0] * q[2] >= -1e-9 * q[1] * q[1] ? 0 : 1;
}

} // namespace

void addFourTops(std::vector<ClaimCheck>& checks, const TopsFormulas& f, const Samples& samples)
{
    const auto add = [&](std::string id, std::string statement, std::string computed,
                         std::function<double(const Sample&)> deviation,
                         std::function<double(const Sample&)> printed = {}, std::string erratum = {},
                         double digits = 11) {
        ClaimCheck check;
        check.id = std::move(id);
        check.statement = std::move(statement);
        check.computed = std::move(computed);
        check.deviation = [&samples, deviation] { return worst(samples, deviation); };
        if (printed)
            check.printed = [&samples, printed] { return worst(samples, printed); };
        check.erratum = std::move(erratum);
        check.digitsNeeded = digits;
        checks.push_back(std::move(check));
    };
    add("(4), (5)",
        "θ₂ = θ₁, θ₃ = θ₄, ψ₂ = ψ₁ + π, ψ₃ = ψ₄ + π, cos θ₄ = μ cos "
        "θ₁",
        "Along constructed motions, from the axes. δ₁ = δ₄ = 0 is implied.", cosinesOff);
    add("first integrals of (11), (12)", "h_i and p_i stay constant, with the R term",
        "Along four-top motions and along folded pairs and four tops with R ≠ 0.", [](const Sample& s) {
            return std::max({integralsOff(motionOf(s)), integralsOff(pairOf(s)), integralsOff(liftedOf(s))});
        });
    add("(14)", "θ₁'² = Θ_j(θ₁) and ψ₁' = Ψ_j(θ₁)",
        "Tops 1 and 2, and a folded pair and four tops with R ≠ 0.", [](const Sample& s) {
            const ExactMotion motion = motionOf(s);
            return std::max({quadratureOff(motion, 0), quadratureOff(motion, 1), quadratureOff(pairOf(s), 1),
                             quadratureOff(liftedOf(s), 1)});
        });
    add("(15)", "θ_n'² = Θ_k(θ_n) and ψ_n' = Ψ_k(θ_n)", "Tops 3 and 4, with R = 0 and with R ≠ 0.",
        [](const Sample& s) {
            const ExactMotion motion = motionOf(s);
            return std::max(
                {quadratureOff(motion, 2), quadratureOff(motion, 3), quadratureOff(liftedOf(s), 2)});
        });
    add("(16), (24), (25)", "P, J^s q, a, h, p are proportional within each part",
        "The chain's own sums, spins and constants.", proportionsOff);
    add("(17), (18), Proposition 1", "the quadratures solve the full equations of motion",
        "Accelerations of the whole chain at states of the closed form.",
        [](const Sample& s) { return motionOff(motionOf(s)); });
    add("Proposition 1, R ≠ 0", "the conditions (10), (16), (20) can be met with R_i ≠ 0 too, and for μ² < 2",
        "Four tops with s₁ a₄ = s₃ a₂ and P₁ + R₁ = (s₁/s₃ μ) (P₄ + R₄): accelerations of the "
        "whole chain at states of the quadratures.",
        [](const Sample& s) {
            const ExactMotion motion = liftedOf(s);
            return motion.groups()[1].R == 0 ? 1.0 : motionOff(motion);
        });
    add("(10), (22)", "T_i = 0 where the sums of s over S_* and of a over S^* vanish",
        "On constructed chains.", [f](const Sample& s) {
            const Chain chain(s.four.tops, gravity);
            const ChainSums sums = f.sums(chain, s.four.delta, 2, s.design.mu);
            double result = 0;
            for (std::size_t i = 0; i < 4; ++i)
                result = std::max({result, std::abs(sums.T[i]), std::abs(sums.R[i])});
            return result / std::abs(sums.P[0]);
        });
    add(
        "(21)", "s₁, s₂, s₃ and all a_i differ from 0", "On constructed chains.",
        [](const Sample& s) {
            const Chain chain(s.four.tops, gravity);
            bool good = true;
            for (int i = 0; i < 4; ++i)
                good = good && chain.a(i) != 0 && (i == 3 || s.four.tops[static_cast<std::size_t>(i)].s != 0);
            return good ? 0.0 : 1.0;
        },
        [](const Sample& s) { return s.four.tops[3].s == 0 ? 1.0 : 0.0; },
        "s_n is asked to differ from 0 as well, but there is no joint O_(n+1).");
    add("(23)", "s₁ = s₂, s₁ + μ s₃ = 0, a₃ = a₄, a₂ + μ a₄ = 0", "On constructed chains.",
        [](const Sample& s) {
            const Chain chain(s.four.tops, gravity);
            const auto& t = s.four.tops;
            return std::max({off(t[0].s, t[1].s), off(t[0].s, -s.design.mu * t[2].s),
                             off(chain.a(2), chain.a(3)), off(chain.a(1), -s.design.mu * chain.a(3))});
        });
    add("(26)", "a₁/P₁ = μ a₄/P₄", "On constructed chains.", [](const Sample& s) {
        const Numbers x = numbersOf(motionOf(s));
        return off(x.A1, x.mu * x.A4);
    });
    add("(27) to (29)", "three relations among the constants of the two planes",
        "From the spins of the constructed motion.", [](const Sample& s) {
            const Numbers x = numbersOf(motionOf(s));
            return std::max({off(x.h4 + x.k4 * x.k4, x.h1 + x.k1 * x.k1),
                             off(x.A4 - x.p4 * x.k4, x.mu * (x.A1 - x.p1 * x.k1), std::abs(x.A1)),
                             off(x.h4 - x.p4 * x.p4, x.mu * x.mu * (x.h1 - x.p1 * x.p1), x.h1)});
        });
    add("(31) to (33)", "s₂, s₃, c₂, c₃ by s₁ and c₄", "On constructed chains.", [](const Sample& s) {
        const auto& t = s.four.tops;
        const double mu = s.design.mu;
        return std::max(off(t[1].c, -(mu * t[3].m * t[3].c + (t[2].m + t[3].m) * t[0].s) / t[1].m),
                        off(t[2].c, t[3].m * (mu * t[3].c + t[0].s) / (mu * t[2].m)));
    });
    add("(34) to (36)", "two equations for c₄ and s₁", "As polynomials in arbitrary c₄, s₁ with J⁰₃ ≠ J⁰₄.",
        pairOfEquationsOff);
    add("(37) to (39)", "s₁ = μ c₄ (m₃ − m₄)/(m₃ + m₄) and c₄² = α₁", "Substituted in the chain: P₂ = −P₄.",
        [f](const Sample& s) {
            const FourTopMasses x = massesOf(s);
            const double c4 = std::sqrt(f.alpha1(x)), s1 = x.mu * c4 * (x.m3 - x.m4) / (x.m3 + x.m4);
            const double c2 = -(x.mu * x.m4 * c4 + (x.m3 + x.m4) * s1) / x.m2,
                         c3 = x.m4 * (x.mu * c4 + s1) / (x.mu * x.m3);
            const Chain chain({{1, 0.1, s1, 1, 1, 0},
                               {x.m2, c2, s1, x.J02, x.J02, 0},
                               {x.m3, c3, -s1 / x.mu, x.J04, x.J04, 0},
                               {x.m4, c4, 0, x.J04, x.J04, 0}},
                              gravity);
            const double P2 = chain.jPrime(1) - s1 * chain.a(1),
                         P4 = chain.jPrime(3) + s1 / x.mu * chain.a(3);
            return std::max(off(chain.jPrime(2), chain.jPrime(3)), off(P2, -P4));
        });
    add("(40) to (42)", "α₂ > 0 exactly where μ² > 2, m₃ < (1 − 2/μ²) m₄ and m₂ is large enough",
        "α₂ at the bound of m₂ vanishes; both differences of (42) are negative.", [f](const Sample& s) {
            FourTopMasses x = massesOf(s);
            const double part = (1 - 2 / (x.mu * x.mu)) * x.m4 - x.m3, t1 = x.m2 + x.m3 + x.m4;
            const bool signs = x.m3 - x.m4 < 0 && t1 * x.m3 - x.m2 * x.m4 < 0 && f.alpha2(x) > 0;
            x.m2 = x.m3 * (x.m3 + x.m4) / part;
            return signs ? std::abs(f.alpha2(x)) / (x.mu * x.mu * x.m2 * x.m4) : 1;
        });
    add(
        "β₁, β₂, β₃", "the quadratic for c₁", "Against a₁ P₂ − a₂ P₁ of the chain at three values of c₁.",
        [f](const Sample& s) { return betaOff(s, f, false); },
        [f](const Sample& s) { return betaOff(s, f, true); },
        "β₁ lacks the factor m₄, as its dimension shows; D and α₄ have it.", 9);
    add(
        "D, (43), (44)", "D = m₁ (m₃ + m₄)² α₃ is the discriminant of the quadratic",
        "β₂² − 4 β₁ β₃ with c₄² = α₁.",
        [f](const Sample& s) {
            const FourTopMasses x = massesOf(s);
            const auto b = f.beta(x, s.four.tops[3].c);
            const double t2 = x.m3 + x.m4;
            const double D = b[1] * b[1] - 4 * b[0] * b[2];
            return off(D, x.m1 * t2 * t2 * f.alpha3(x), b[1] * b[1]);
        },
        {}, {}, 9);
    add("(45) to (47)", "m₁ at least its minimum makes D ≥ 0, for every J⁰₁ > 0", "On constructed chains.",
        massBoundOff);
    add(
        "D_*", "the discriminant of α₅ as a quadratic in J⁰₂/J⁰₄", "α₇² − 4 α₆ α₈ from α₃ at J⁰₁ = 0.",
        [f](const Sample& s) {
            FourTopMasses x = massesOf(s);
            x.J01 = 0;
            const auto alpha5 = [&](double J02, double J04) {
                FourTopMasses y = x;
                y.J02 = J02;
                y.J04 = J04;
                return f.alpha3(y);
            };
            const double a6 = alpha5(1, 0), a8 = alpha5(0, 1), a7 = alpha5(1, 1) - a6 - a8;
            return off(a7 * a7 - 4 * a6 * a8, f.discriminant(x), a7 * a7);
        },
        {}, {}, 9);
    const auto spin = [f](const Sample& s, bool printed) {
        const Numbers x = numbersOf(motionOf(s));
        return off(f.spin1(x.A1, x.A4, x.mu, x.p1, printed ? x.p4 * x.P4 : x.p4, x.k4), x.k1);
    };
    add(
        "q_1", "q₁ = (p̃₄ J̃₄ q₄ − ã₄ g + μ ã₁ g)/(μ p̃₁ J̃₁)", "Against the spin of the constructed motion.",
        [spin](const Sample& s) { return spin(s, false); }, [spin](const Sample& s) { return spin(s, true); },
        "p₄ is printed where p₄/P₄ is meant; p₁ must not be 0.", 10);
    add(
        "h₁, h₄", "h₁ and h₄ from (27) and (29)", "Against the constructed motion.",
        [f](const Sample& s) {
            const Numbers x = numbersOf(motionOf(s));
            const auto h = f.energies(x.mu, x.p1, x.p4, x.k1, x.k4);
            return std::max(off(h[0], x.h1, x.p1 * x.p1), off(h[1], x.h4, x.p4 * x.p4));
        },
        {}, {}, 10);
    add("algorithm of section 3",
        "roots x₁ ≤ x₂ in [−1/|μ|, 1/|μ|] and x₃ beyond ±1 describe every real motion",
        "Roots to (p₁, p₄, q₄) and back.", roundTripOff, share,
        "p₁, p₄, q₄ cannot be arbitrary: many choices leave a complex pair of roots or |μ cos θ₁| > "
        "1.",
        9);
    add("algorithm of section 3, inertias",
        "the axial inertias J^s_i are arbitrary; a real body has J^s ≤ 2 J⁰",
        "Only the products J^s q enter: halving every J^s doubles the spins and leaves the motion.",
        [](const Sample& s) {
            Sample half = s;
            for (Top& top : half.four.tops)
                top.Js /= 2;
            const ExactMotion a = motionOf(s), b = motionOf(half);
            double result = off(a.period(), b.period());
            for (std::size_t i = 0; i < 4; ++i)
                result = std::max(result, off(2 * a.chain().tops()[i].q, b.chain().tops()[i].q));
            return result;
        });
    add("(48)", "m^* c^* = m^* s_* + sum a_k e₃^(k)",
        "From the places of the mass centres. In the proof read "
        "e^* · e₃^(n) = sin θ_n.",
        sumOfForty8Off);
    add("Proposition 2", "O₃ and C^* move on the vertical through O₁",
        "Distance from it, relative to the chain.", ridersOff);
}

} // namespace casimir::tops::claims
