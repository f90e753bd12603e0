// Chains built so that an exact motion exists, and the way from the paper's constants to the roots.
#include "core/systems/tops/families.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir::tops {

void require(const std::vector<Inequality>& inequalities)
{
    for (const Inequality& inequality : inequalities)
        if (!inequality.holds)
            throw Error(fmt::format("{} fails: the left side is {:.6g}", inequality.name, inequality.value));
}

DesignedChain similarChain(const SimilarDesign& d)
{
    DesignedChain made;
    using Shape = SimilarDesign::Shape;
    const auto positive = [&made](const char* name, double value) {
        made.inequalities.push_back({name, value, value > 0});
    };
    if (d.shape == Shape::Folded) {
        // a1 = a2 gives c1; J'1 = J'2 is made as small as `spare` allows.
        const double c1 = d.m2 * (d.c - d.s) / d.m1;
        const double own1 = d.m1 * c1 * c1 + d.m2 * d.s * d.s, own2 = d.m2 * d.c * d.c;
        const double both = std::max(own1, own2) + d.spare;
        made.tops = {{d.m1, c1, d.s, both - own1, 0, 0}, {d.m2, d.c, 0, both - own2, 0, 0}};
        made.delta = {0, 1};
    } else {
        std::vector<double> a;
        if (d.shape == Shape::Zigzag) {
            const double a3 = d.m3 * d.c, a1 = d.ratio * a3, a2 = a1 + a3;
            const double s1 = d.s * a1 / a2;
            made.tops = {{d.m1, (a1 - (d.m2 + d.m3) * s1) / d.m1, s1, 1, 1, 0},
                         {d.m2, (a2 - d.m3 * d.s) / d.m2, d.s, 1, 1, 0},
                         {d.m3, d.c, 0, 1, 1, 0}};
            made.delta = {0, 1, 0};
        } else {
            for (int i = 0; i < d.n; ++i)
                made.tops.push_back({d.m1, d.c, i + 1 < d.n ? d.s : 0.0, 1, 1, 0});
            made.delta.assign(made.tops.size(), 0);
        }
        // P_i = lambda a_i with one lambda for all, the least that leaves every J0 its share.
        const Chain probe(made.tops, 1);
        const ChainSums sums = chainSums(probe, made.delta, probe.size(), 1);
        double lambda = -std::numeric_limits<double>::infinity();
        for (int i = 0; i < probe.size(); ++i) {
            positive("a_i > 0", probe.a(i));
            const double without = sums.P[static_cast<std::size_t>(i)] - 1; // J0 = 1 in the probe
            lambda = std::max(lambda, (without + d.spare) / probe.a(i));
        }
        for (int i = 0; i < probe.size(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            made.tops[at].J0 = std::max(lambda * probe.a(i) - (sums.P[at] - 1), d.spare);
        }
    }
    for (Top& top : made.tops) {
        positive("J0_i > 0", top.J0);
        top.Js = d.roundness * top.J0;
    }
    return made;
}

DesignedChain fourTopChain(const FourTopDesign& d)
{
    DesignedChain made;
    made.delta = {0, 1, 1, 0};
    bool sound = true;
    const auto positive = [&](const char* name, double value) {
        made.inequalities.push_back({name, value, value > 0});
        sound = sound && value > 0;
    };
    const double mu = d.mu, mu2 = mu * mu, tail = d.m3 + d.m4, beyond = d.m2 + tail;
    positive("μ² − 2 > 0 (40)", mu2 - 2);
    double c4 = d.c4, s3 = d.s3, s1 = 0, c2 = 0, c3 = 0, P4 = 0, J02 = d.J02, J03 = d.J04;
    if (d.equal) {
        positive("(1 − 2/μ²) m₄ − m₃ > 0 (41)", (1 - 2 / mu2) * d.m4 - d.m3);
        const double alpha2 = (mu2 - 2) * d.m2 * d.m4 - mu2 * beyond * d.m3;
        positive("α₂ = (μ² − 2) m₂ m₄ − μ² (m₂ + m₃ + m₄) m₃ > 0 (41)", alpha2);
        if (!sound)
            return made;
        c4 = std::sqrt(d.m2 * tail * (J02 + d.J04) / (d.m3 * alpha2)); // (39)
        s1 = -mu * c4 * (d.m4 - d.m3) / tail;                          // (38)
        s3 = -s1 / mu;                                                 // (31)
        c2 = -mu * c4 * d.m3 / d.m2;
        c3 = 2 * d.m4 * c4 / tail;
        P4 = d.J04 + 2 * d.m3 * d.m4 * c4 * c4 / tail;
    } else {
        s1 = -mu * s3;                             // (31)
        c3 = d.m4 * (c4 - s3) / d.m3;              // (33)
        c2 = (-mu * d.m4 * c4 - tail * s1) / d.m2; // (32)
        P4 = d.J04 + d.m4 * c4 * (c4 - s3);
        J03 = P4 - d.m3 * c3 * (c3 - s3);
        J02 = d.m2 * c2 * (s1 - c2) - P4; // P2 = -P4
        positive("P4 = J04 + m4 c4 (c4 - s3) > 0", P4);
        positive("J03 = P4 - m3 c3 (c3 - s3) > 0", J03);
        positive("J02 = m2 c2 (s1 - c2) - P4 > 0", J02);
        if (!sound)
            return made;
    }
    const double a2 = -mu * d.m4 * c4;
    const double c1 = -d.part * P4 / a2;
    const double m1 = (a2 * (d.J01 + d.m2 * s1 * (s1 - c2)) + P4 * beyond * s1) / (-c1 * (P4 + a2 * c1));
    positive("m1 > 0", m1);
    if (!sound)
        return made;
    made.tops = {{m1, c1, s1, d.J01, 0, 0},
                 {d.m2, c2, s1, J02, 0, 0},
                 {d.m3, c3, s3, J03, 0, 0},
                 {d.m4, c4, 0, d.J04, 0, 0}};
    for (Top& top : made.tops)
        top.Js = d.roundness * top.J0;
    return made;
}

DesignedChain liftedChain(const LiftedDesign& d)
{
    DesignedChain made;
    made.delta = {0, 1, 1, 0};
    const auto positive = [&made](const char* name, double value) {
        made.inequalities.push_back({name, value, value > 0});
    };
    positive("|μ| > 0", std::abs(d.mu));
    if (d.mu == 0)
        return made;
    const double mu = d.mu, sigma = std::copysign(d.ratio, mu), s1 = sigma * d.s3, a4 = d.m4 * d.c4;
    const double c3 = d.m4 * (d.c4 - d.s3) / d.m3;
    const double c2 = (sigma * a4 - (d.m3 + d.m4) * s1) / d.m2;
    const double c1 = d.m2 * (c2 - s1) / d.m1;
    // The inertias as they would be at P4 = 0; each grows with P4.
    const double slope = sigma / mu, P1 = 2 * s1 * a4 * (sigma + mu) * (1 / (mu * mu) - 1);
    const double J04 = -a4 * (d.c4 - d.s3), J03 = J04 + a4 * d.c4 - d.m3 * c3 * c3 - d.m4 * d.s3 * d.s3;
    const double J02 = P1 - d.m2 * c2 * (c2 - s1), J01 = J02 + d.m2 * (c2 * c2 - s1 * s1) - d.m1 * c1 * c1;
    const double P4 = d.spare + std::max({0.0, -J04, -J03, -P1 / slope, (d.spare - J02) / slope - d.spare,
                                          (d.spare - J01) / slope - d.spare});
    made.tops = {{d.m1, c1, s1, J01 + slope * P4, 0, 0},
                 {d.m2, c2, s1, J02 + slope * P4, 0, 0},
                 {d.m3, c3, d.s3, J03 + P4, 0, 0},
                 {d.m4, d.c4, 0, J04 + P4, 0, 0}};
    for (Top& top : made.tops) {
        positive("J0_i > 0", top.J0);
        top.Js = d.roundness * top.J0;
    }
    positive("P₁ > 0", P1 + slope * P4);
    positive("P₄ > 0", P4);
    return made;
}

FourTopNumbers fourTopNumbers(const ExactMotion& motion)
{
    const PlaneGroup &one = motion.groups()[0], &four = motion.groups()[1];
    return {one.A,         motion.P()[0],
            motion.P()[3], motion.chain().tops()[3].Js,
            four.mu,       (1 + four.R) / (1 + one.R)};
}

ConstantsOutcome fromConstants(const FourTopNumbers& c, double p1, double p4, double q4)
{
    ConstantsOutcome outcome;
    using Kind = ConstantsOutcome::Kind;
    // Long double: roots that nearly meet lose half of the digits.
    using Long = long double;
    // (20) leaves f_4(mu x) = mu^2 lambda f_1(x); with lambda = 1 its coefficients are (26) to (29).
    const Long A1 = c.A1, mu = c.mu, lambda = c.lambda, A4 = lambda * A1 / mu;
    const Long pt1 = Long(p1) / c.P1, pt4 = Long(p4) / c.P4, kt4 = Long(c.Js4) * q4 / c.P4;
    if (p1 == 0 || c.A1 == 0 || mu * mu == 1)
        return outcome;
    // (28), with p4/P4 where the paper prints p4; (27), (29).
    const Long kt1 = ((pt4 * kt4 - A4) / lambda + mu * A1) / (mu * pt1);
    const Long h1 = (mu * mu * pt1 * pt1 + kt1 * kt1 - (pt4 * pt4 + kt4 * kt4) / lambda) / (mu * mu - 1);
    // f/(2 A1) = x^3 + b x^2 + c1 x + d.
    const Long scale = 1 / (2 * A1);
    const Long b = -(h1 + kt1 * kt1) * scale, c1 = (2 * pt1 * kt1 - 2 * A1) * scale,
               d = (h1 - pt1 * pt1) * scale;
    if (!std::isfinite(static_cast<double>(b)) || !std::isfinite(static_cast<double>(c1)) ||
        !std::isfinite(static_cast<double>(d)))
        return outcome;
    const auto f = [&](Long x) { return ((x + b) * x + c1) * x + d; };
    // f(+-1) has a sign of its own, so one root lies beyond the pole on the side of A; it is the one to
    // divide by, being apart from the others.
    const Long side = A1 > 0 ? 1 : -1;
    Long near = side, far = side * (1 + std::abs(b) + std::abs(c1) + std::abs(d));
    Long third = far;
    for (int i = 0; i < 200; ++i) {
        const Long slope = (3 * third + 2 * b) * third + c1;
        (f(third) * side > 0 ? far : near) = third;
        Long next = third - f(third) / slope;
        if (!((next - near) * side >= 0 && (far - next) * side >= 0))
            next = (near + far) / 2;
        const Long step = std::abs(next - third);
        third = next;
        if (step <= 1e-19L * std::abs(third))
            break;
    }
    const Long sum = -(b + third), product = c1 - third * sum; // x1 + x2, x1 x2
    const Long discriminant = sum * sum / 4 - product;
    if (discriminant < 0) {
        outcome.kind = Kind::ComplexPair;
        return outcome;
    }
    const Long half = std::sqrt(discriminant), bound = std::min<Long>(1, 1 / std::abs(mu));
    const Long x1 = sum / 2 - half, x2 = sum / 2 + half;
    if (!(x1 >= -bound && x2 <= bound)) {
        outcome.kind = Kind::AngleNotReal;
        return outcome;
    }
    if (!(std::abs(third) >= 1)) {
        outcome.kind = Kind::NoThirdRoot;
        return outcome;
    }
    outcome.kind = Kind::Real;
    const auto signOf = [](Long x) { return x < 0 ? -1 : 1; };
    outcome.choice.u1 = static_cast<double>(x1 / bound);
    outcome.choice.u2 = static_cast<double>(x2 / bound);
    outcome.choice.x3 = static_cast<double>(std::abs(third));
    outcome.choice.signs = {signOf(pt1 - kt1), signOf(pt1 + kt1), signOf(pt4 - kt4), signOf(pt4 + kt4)};
    return outcome;
}

} // namespace casimir::tops
