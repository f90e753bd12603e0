#include "core/systems/tops/families.h"

#include "core/base/error.h"

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
                            "|μ cos θ| ≤ 1 fails",
                            u));
    if (!(std::abs(choice.x3) >= 1))
        throw Error(fmt::format("the third root x₃ = {} lies within [−1, 1]; |x₃| ≥ 1 fails", choice.x3));
}

// The cubic of the first plane, and the constants of a plane from the values of its own cubic at +-1:
// f(1) = -(p - k)^2, f(-1) = -(p + k)^2, f(0) = h - p^2.
Cubic cubicOf(double A, double bound, const RootChoice& choice)
{
    requireChoice(choice);
    if (A == 0)
        throw Error("a g must not be 0: a balanced or weightless chain has no cubic");
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

// With y = mu x the cubic of the group is mu^2 lambda f(y/mu), lambda = 1 for the first plane.
PlaneGroup groupOf(const Cubic& cubic, double mu, double lambda, double R, const RootChoice& choice,
                   int minusSign, int plusSign)
{
    PlaneGroup group;
    group.mu = mu;
    group.A = lambda * cubic.A / mu; // (26)
    group.R = R;
    const double low = std::min(choice.u1, choice.u2), high = std::max(choice.u1, choice.u2);
    const bool bounding = std::abs(mu) * std::max(std::abs(cubic.x1), std::abs(cubic.x2)) >= 1 - 1e-15;
    const double top = mu > 0 ? high : -low, bottom = mu > 0 ? low : -high;
    group.throughTop = bounding && top == 1;
    group.throughBottom = bounding && bottom == -1;
    const auto root = [&](double x) { return std::abs(mu) * std::sqrt(lambda * std::max(-cubic(x), 0.0)); };
    group.minus = group.throughTop ? 0 : minusSign * root(1 / mu);
    group.plus = group.throughBottom ? 0 : plusSign * root(-1 / mu);
    group.p = (group.minus + group.plus) / 2;
    group.k = (group.plus - group.minus) / 2;
    group.h = mu * mu * lambda * cubic(0) + group.p * group.p;
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

// x'^2 = f(x)/(1 + R (1 - x^2)) is a motion while the denominator is positive.
void requireDenominator(const Cubic& cubic, double R)
{
    for (const double x : {cubic.x1, cubic.x2, std::clamp(0.0, cubic.x1, cubic.x2)})
        if (const double D = 1 + R * (1 - x * x); !(D > 0))
            throw Error(fmt::format("1 + R (1 - x^2) > 0 fails: it is {} at x = {}", D, x));
}

// How far a - b is from 0, relative to the two.
double mismatch(double a, double b)
{
    const double size = std::abs(a) + std::abs(b);
    return size > 0 ? (a - b) / size : 0;
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
    std::vector<PlaneGroup> groups{groupOf(cubic, 1, 1, 0, choice, choice.signs[0], choice.signs[1])};
    giveSpins(chain, groups, {0}, {P});
    return ExactMotion(std::move(chain), Nutation(cubic), std::move(groups), {0}, {0}, {P});
}

ExactMotion steadyPrecession(const std::vector<Top>& tops, const std::vector<double>& theta, double Omega,
                             double g)
{
    Chain chain(tops, g);
    if (Omega == 0)
        throw Error("steady precession at the rate Ω = 0 is rest; Ω must not be 0");
    for (int i = 0; i < chain.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double sine = std::sin(theta[at]);
        if (std::abs(sine) < 1e-9)
            throw Error(fmt::format("top {} is vertical (θ = {}): its spin would be infinite, sin θ "
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
        throw Error("the geometry makes P₁ = 0; the similar motions divide by it");
    double R = sums.Rtilde[0] / P;
    if (largest(sums.Rtilde) <= conditionTolerance * largest(sums.P))
        R = 0;
    const Cubic cubic = cubicOf(a[0] * g / P, 1, choice);
    requireDenominator(cubic, R);
    std::vector<PlaneGroup> groups{groupOf(cubic, 1, 1, R, choice, choice.signs[0], choice.signs[1])};
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
        throw Error(
            fmt::format("two planes must have at least two tops each, four in all; the table has {}", n));
    if (mu == 0)
        throw Error("μ = 0; cos θ_n = μ cos θ₁ would leave S^* level for ever, μ must not be 0");
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
        throw Error(fmt::format("the geometry does not satisfy (22), sum s_l ε_1l = 0 over S_* and "
                                "sum a_l ε_nl = 0 over S^*: the residual is {:.3g}",
                                best));
    const ChainSums sums = chainSums(chain, delta, first, mu);
    const auto size = tops.size(), cut = static_cast<std::size_t>(first);
    requireProportional("a : P", a, sums.P, 0, cut);
    requireProportional("a : P", a, sums.P, cut, size);
    // (20) is mu^2 f_1(x) (1 + R_n (1 - mu^2 x^2)) = f_n(mu x) (1 + R_1 (1 - x^2)) for every x. The even
    // quadratics are either proportional or prime to each other; prime, each divides its cubic, what is left
    // of x'^2 is linear and not positive at both poles, and nothing moves. So they are proportional, with the
    // factor lambda, and f_n(mu x) = mu^2 lambda f_1(x).
    double R1 = 0, Rn = 0, lambda = 1;
    if (largest(sums.R) > conditionTolerance * largest(sums.P)) {
        requireProportional("R : P (R = 0 would do)", sums.R, sums.P, 0, cut);
        requireProportional("R : P (R = 0 would do)", sums.R, sums.P, cut, size);
        R1 = sums.R[0] / sums.P[0];
        Rn = sums.R[size - 1] / sums.P[size - 1];
        if (const double off = mismatch(R1 * (1 + Rn), mu * mu * Rn * (1 + R1));
            !(std::abs(off) <= conditionTolerance))
            throw Error(fmt::format("the geometry does not satisfy (20), R₁/P₁ (1 + R_n/P_n) = μ² R_n/P_n "
                                    "(1 + R₁/P₁): the residual is {:.3g}",
                                    off));
        lambda = (1 + Rn) / (1 + R1);
        if (!(lambda > 0))
            throw Error(fmt::format("(1 + R_n/P_n)/(1 + R₁/P₁) > 0 fails: it is {:.6g}", lambda));
    }
    const double A1 = a[0] * g / sums.P[0], An = a[size - 1] * g / sums.P[size - 1];
    if (const double off = mismatch(lambda * A1, mu * An); !(std::abs(off) <= conditionTolerance))
        throw Error(fmt::format("the geometry does not satisfy {}: the residual is {:.3g}",
                                R1 == 0 ? "(26), a₁/P₁ = μ a_n/P_n" : "(20), a_n R₁ = μ a₁ R_n", off));
    const double bound = std::min(1.0, 1 / std::abs(mu));
    const Cubic cubic = cubicOf(A1, bound, choice);
    if (std::abs(mu * cubic.x3) < 1 - 1e-12)
        throw Error(fmt::format("|μ x₃| ≥ 1 fails: the third root {} must lie beyond 1/|μ| = {}", cubic.x3,
                                1 / std::abs(mu)));
    requireDenominator(cubic, R1);
    std::vector<PlaneGroup> groups{groupOf(cubic, 1, 1, R1, choice, choice.signs[0], choice.signs[1]),
                                   groupOf(cubic, mu, lambda, Rn, choice, choice.signs[2], choice.signs[3])};
    std::vector<int> group(size, 0);
    std::fill(group.begin() + first, group.end(), 1);
    giveSpins(chain, groups, group, sums.P);
    return ExactMotion(std::move(chain), Nutation(cubic, R1), std::move(groups), group, delta, sums.P);
}

} // namespace casimir::tops
