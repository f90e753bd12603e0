#include "core/systems/tops/families.h"

#include "core/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir::tops {

namespace {

// A given geometry meets a condition of the family when its relative residual is below this: geometry comes
// from files with some ten digits.
constexpr double conditionTolerance = 1e-9;
// Closer together, x2 and x3 belong to a motion whose period exceeds any that is worth waiting for.
constexpr double rootSeparation = 1e-9;

int sign(int delta)
{
    return delta == 0 ? 1 : -1;
}

void requireChoice(const RootChoice& choice)
{
    for (const double u : {choice.u1, choice.u2})
        if (!(std::abs(u) <= 1))
            throw Error(
                fmt::format("a turning point lies at {} of the interval in which all angles are real; "
                            "|mu cos theta| <= 1 fails",
                            u));
    if (!(std::abs(choice.x3) >= 1))
        throw Error(fmt::format("the third root x3 = {} lies within [-1, 1]; |x3| >= 1 fails", choice.x3));
}

// The cubic of the first plane, and the constants of a plane from the values of its own cubic at +-1:
// f(1) = -(p - k)^2, f(-1) = -(p + k)^2, f(0) = h - p^2.
Cubic cubicOf(double A, double bound, const RootChoice& choice)
{
    requireChoice(choice);
    if (A == 0)
        throw Error("the chain is balanced or weightless, a g = 0: its cubic has no third root");
    Cubic cubic;
    cubic.A = A;
    cubic.x1 = bound * std::min(choice.u1, choice.u2);
    cubic.x2 = bound * std::max(choice.u1, choice.u2);
    cubic.x3 = std::copysign(std::abs(choice.x3), A);
    const double gap = A > 0 ? cubic.x3 - cubic.x2 : cubic.x1 - cubic.x3;
    if (!(gap > rootSeparation))
        throw Error(
            fmt::format("the turning point {} meets the third root {}; the motion would take for ever, "
                        "x2 < |x3| fails",
                        A > 0 ? cubic.x2 : cubic.x1, cubic.x3));
    return cubic;
}

PlaneGroup groupOf(const Cubic& cubic, double mu, const RootChoice& choice, int minusSign, int plusSign)
{
    PlaneGroup group;
    group.mu = mu;
    group.A = cubic.A / mu; // (26)
    const double low = std::min(choice.u1, choice.u2), high = std::max(choice.u1, choice.u2);
    const bool bounding = std::abs(mu) * std::max(std::abs(cubic.x1), std::abs(cubic.x2)) >= 1 - 1e-15;
    const double top = mu > 0 ? high : -low, bottom = mu > 0 ? low : -high;
    group.throughTop = bounding && top == 1;
    group.throughBottom = bounding && bottom == -1;
    const auto root = [&](double x) { return std::abs(mu) * std::sqrt(std::max(-cubic(x), 0.0)); };
    group.minus = group.throughTop ? 0 : minusSign * root(1 / mu);
    group.plus = group.throughBottom ? 0 : plusSign * root(-1 / mu);
    group.p = (group.minus + group.plus) / 2;
    group.k = (group.plus - group.minus) / 2;
    group.h = mu * mu * cubic(0) + group.p * group.p;
    return group;
}

void giveSpins(Chain& chain, const std::vector<PlaneGroup>& groups, const std::vector<int>& group,
               const std::vector<double>& P)
{
    for (std::size_t i = 0; i < P.size(); ++i) {
        const int at = static_cast<int>(i);
        chain.setSpin(at, P[i] * groups[static_cast<std::size_t>(group[i])].k / chain.tops()[i].Js);
    }
}

// Throws unless the numbers are proportional to the reference: x_i r_1 = x_1 r_i.
void requireProportional(const char* what, const std::vector<double>& x, const std::vector<double>& reference,
                         std::size_t begin, std::size_t end)
{
    double size = 0;
    for (std::size_t i = begin; i < end; ++i)
        size = std::max(size, std::abs(x[i]));
    double scale = 0;
    for (std::size_t i = begin; i < end; ++i)
        scale = std::max(scale, std::abs(reference[i]));
    for (std::size_t i = begin; i < end; ++i) {
        const double off = std::abs(x[i] * reference[begin] - x[begin] * reference[i]);
        if (off > conditionTolerance * size * scale)
            throw Error(fmt::format("the geometry does not satisfy (16), {} of top {} against top {}: the "
                                    "residual is {:.3g}",
                                    what, i + 1, begin + 1, off / (size * scale)));
    }
}

std::vector<double> levers(const Chain& chain)
{
    std::vector<double> a;
    for (int i = 0; i < chain.size(); ++i)
        a.push_back(chain.a(i));
    return a;
}

double largest(const std::vector<double>& x)
{
    double size = 0;
    for (const double y : x)
        size = std::max(size, std::abs(y));
    return size;
}

} // namespace

ChainSums chainSums(const Chain& chain, const std::vector<int>& delta, int first, double mu)
{
    const int n = chain.size();
    const auto size = static_cast<std::size_t>(n);
    ChainSums sums;
    for (auto* list : {&sums.P, &sums.Rtilde, &sums.Q, &sums.T, &sums.R})
        list->assign(size, 0);
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        for (int j = 0; j < n; ++j) {
            const double M = chain.inertia()(i, j);
            const double epsilon = sign(delta[at]) * sign(delta[static_cast<std::size_t>(j)]);
            if ((i < first) == (j < first)) {
                sums.P[at] += M * epsilon;
                sums.Rtilde[at] += i == j ? 0 : M * (1 - epsilon);
            } else {
                sums.Q[at] += M;
                sums.T[at] += M * epsilon;
            }
        }
        sums.R[at] = sums.Rtilde[at] + (i < first ? mu * sums.Q[at] : sums.Q[at] / mu); // (13), corrected
    }
    return sums;
}

ExactMotion singleTop(const Top& top, double g, const RootChoice& choice)
{
    Chain chain({top}, g);
    const double P = chain.jPrime(0);
    const Cubic cubic = cubicOf(chain.a(0) * g / P, 1, choice);
    std::vector<PlaneGroup> groups{groupOf(cubic, 1, choice, choice.signs[0], choice.signs[1])};
    giveSpins(chain, groups, {0}, {P});
    return ExactMotion(std::move(chain), Nutation(cubic), std::move(groups), {0}, {0}, {P});
}

ExactMotion steadyPrecession(const std::vector<Top>& tops, const std::vector<double>& theta, double Omega,
                             double g)
{
    Chain chain(tops, g);
    if (Omega == 0)
        throw Error("steady precession at the rate Omega = 0 is rest; Omega must not be 0");
    for (int i = 0; i < chain.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double sine = std::sin(theta[at]);
        if (std::abs(sine) < 1e-9)
            throw Error(fmt::format("top {} is vertical (theta = {}): its spin would be infinite, sin theta "
                                    "must not be 0",
                                    i + 1, theta[at]));
        double arm = 0;
        for (int j = 0; j < chain.size(); ++j)
            arm += chain.inertia()(i, j) * std::sin(theta[static_cast<std::size_t>(j)]);
        const double k = (Omega * Omega * std::cos(theta[at]) * arm + chain.a(i) * g * sine) / (Omega * sine);
        chain.setSpin(i, k / chain.tops()[at].Js);
    }
    return ExactMotion(std::move(chain), theta, Omega);
}

ExactMotion similarMotion(const std::vector<Top>& tops, const std::vector<int>& delta, double g,
                          const RootChoice& choice)
{
    Chain chain(tops, g);
    const int n = chain.size();
    const ChainSums sums = chainSums(chain, delta, n, 1);
    const std::vector<double> a = levers(chain);
    requireProportional("a : P", a, sums.P, 0, tops.size());
    requireProportional("R : P", sums.Rtilde, sums.P, 0, tops.size());
    const double P = sums.P[0];
    if (P == 0)
        throw Error("the geometry makes P_1 = 0; the similar motions divide by it");
    double R = sums.Rtilde[0] / P;
    if (largest(sums.Rtilde) <= conditionTolerance * largest(sums.P))
        R = 0;
    const Cubic cubic = cubicOf(a[0] * g / P, 1, choice);
    for (const double x : {cubic.x1, cubic.x2, std::clamp(0.0, cubic.x1, cubic.x2)})
        if (const double D = 1 + R * (1 - x * x); !(D > 0))
            throw Error(fmt::format("1 + R (1 - x^2) = {} at x = {}; it must be greater than 0", D, x));
    std::vector<PlaneGroup> groups{groupOf(cubic, 1, choice, choice.signs[0], choice.signs[1])};
    groups[0].R = R;
    const std::vector<int> group(tops.size(), 0);
    giveSpins(chain, groups, group, sums.P);
    return ExactMotion(std::move(chain), Nutation(cubic, R), std::move(groups), group, delta, sums.P);
}

ExactMotion twoPlanes(const std::vector<Top>& tops, const std::vector<int>& delta, double mu, double g,
                      const RootChoice& choice)
{
    Chain chain(tops, g);
    const int n = chain.size();
    if (n < 4)
        throw Error(fmt::format("two planes need at least two tops each, four in all; there are {}", n));
    if (mu == 0)
        throw Error("mu = 0; cos theta_n = mu cos theta_1 would leave S^* level for ever, mu must not be 0");
    // Where S_* ends is not said: it is where the sums of (22) vanish best.
    const std::vector<double> a = levers(chain);
    int first = 2;
    double best = std::numeric_limits<double>::infinity();
    for (int candidate = 2; candidate <= n - 2; ++candidate) {
        double upper = 0, lower = 0, upperSize = 0, lowerSize = 0;
        for (int i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const double value = (i < candidate ? tops[at].s : a[at]) * sign(delta[at]);
            (i < candidate ? lower : upper) += value;
            (i < candidate ? lowerSize : upperSize) += std::abs(value);
        }
        const double off = std::abs(lower) / lowerSize + std::abs(upper) / upperSize;
        if (off < best) {
            best = off;
            first = candidate;
        }
    }
    if (!(best <= conditionTolerance))
        throw Error(fmt::format("the geometry does not satisfy (22), sum s_l eps_1l = 0 over S_* and "
                                "sum a_l eps_nl = 0 over S^*: the residual is {:.3g}",
                                best));
    const ChainSums sums = chainSums(chain, delta, first, mu);
    const auto size = tops.size(), cut = static_cast<std::size_t>(first);
    for (std::size_t i = 0; i < size; ++i)
        if (std::abs(sums.R[i]) > conditionTolerance * largest(sums.P))
            throw Error(fmt::format("the geometry does not satisfy R_{} = 0: the residual is {:.3g}", i + 1,
                                    sums.R[i] / largest(sums.P)));
    requireProportional("a : P", a, sums.P, 0, cut);
    requireProportional("a : P", a, sums.P, cut, size);
    const double A1 = a[0] * g / sums.P[0], An = a[size - 1] * g / sums.P[size - 1];
    if (std::abs(A1 - mu * An) > conditionTolerance * (std::abs(A1) + std::abs(mu * An)))
        throw Error(
            fmt::format("the geometry does not satisfy (26), a_1/P_1 = mu a_n/P_n: the residual is {:.3g}",
                        (A1 - mu * An) / (std::abs(A1) + std::abs(mu * An))));
    const double bound = std::min(1.0, 1 / std::abs(mu));
    const Cubic cubic = cubicOf(A1, bound, choice);
    std::vector<PlaneGroup> groups{groupOf(cubic, 1, choice, choice.signs[0], choice.signs[1]),
                                   groupOf(cubic, mu, choice, choice.signs[2], choice.signs[3])};
    std::vector<int> group(size, 0);
    std::fill(group.begin() + first, group.end(), 1);
    giveSpins(chain, groups, group, sums.P);
    return ExactMotion(std::move(chain), Nutation(cubic), std::move(groups), group, delta, sums.P);
}

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
    positive("mu^2 - 2 > 0 (40)", mu2 - 2);
    double c4 = d.c4, s3 = d.s3, s1 = 0, c2 = 0, c3 = 0, P4 = 0, J02 = d.J02, J03 = d.J04;
    if (d.equal) {
        positive("(1 - 2/mu^2) m4 - m3 > 0 (41)", (1 - 2 / mu2) * d.m4 - d.m3);
        const double alpha2 = (mu2 - 2) * d.m2 * d.m4 - mu2 * beyond * d.m3;
        positive("alpha_2 = (mu^2 - 2) m2 m4 - mu^2 (m2 + m3 + m4) m3 > 0 (41)", alpha2);
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

ConstantsOutcome fromConstants(const FourTopNumbers& c, double p1, double p4, double q4)
{
    ConstantsOutcome outcome;
    using Kind = ConstantsOutcome::Kind;
    // Long double: roots that nearly meet lose half of the digits.
    using Long = long double;
    const Long A1 = c.A1, mu = c.mu, A4 = A1 / mu;
    const Long pt1 = Long(p1) / c.P1, pt4 = Long(p4) / c.P4, kt4 = Long(c.Js4) * q4 / c.P4;
    if (p1 == 0 || c.A1 == 0)
        return outcome;
    const Long kt1 = (pt4 * kt4 - A4 + mu * A1) / (mu * pt1); // (28), with p4/P4 where the paper prints p4
    const Long h1 = (mu * mu * pt1 * pt1 - pt4 * pt4 + kt1 * kt1 - kt4 * kt4) / (mu * mu - 1); // (27), (29)
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
