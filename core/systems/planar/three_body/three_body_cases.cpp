#include "core/systems/planar/three_body/three_body_cases.h"

#include "core/systems/planar/three_body/three_body_roots.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace casimir::planar {

namespace {

std::optional<double> quotient(double above, double below)
{
    const double q = above / below;
    return below != 0 && std::isfinite(q) ? std::optional(q) : std::nullopt;
}

// B1 and B2 without the factors m1 c1 and m3 d1.
struct Arms {
    double first, second;
};
Arms armsOf(const ThreeBodyParameters& p)
{
    return {p.m3 * (p.b1 + p.e1) + p.m2 * p.b1, p.m1 * (p.b1 + p.e1) + p.m2 * p.e1};
}

} // namespace

std::optional<double> kappaOf(const ThreeBodyCoefficients& f)
{
    return quotient(f.B1, f.B2);
}

std::optional<double> tauOf(const ThreeBodyCoefficients& f)
{
    return quotient(f.B1, f.A1);
}

int signCase(const KappaTau& at)
{
    if (at.kappa == 0 || at.tau == 0 || std::isnan(at.kappa) || std::isnan(at.tau))
        return 0;
    return at.kappa > 0 ? (at.tau > 0 ? 1 : 3) : (at.tau > 0 ? 4 : 2);
}

Region regionOf(const KappaTau& at)
{
    const double k = std::abs(at.kappa), t = std::abs(at.tau);
    if (triangleSides(1, k, t)) {
        // The curves only mark a right angle of the extra pair; nothing bifurcates there.
        if (k > 1 && (k - 1) * (k + 1) > t * t)
            return Region::One;
        return k * k + t * t < 1 ? Region::Three : Region::Two;
    }
    const double longest = std::max({1.0, k, t});
    const double slack = k + t + 1 - 2 * longest;
    if (std::abs(slack) <= lineTolerance * longest)
        return Region::Line;
    return longest == 1 ? Region::OSum : longest == t ? Region::OTau : Region::OKappa;
}

const char* name(Region region)
{
    constexpr std::array names{"1", "2", "3", "O_sum", "O_tau", "O_kappa", "line"};
    return names[static_cast<std::size_t>(region)];
}

const char* title(Region region)
{
    constexpr std::array titles{
        "1",          "2", "3", "outside, |κ| + |τ| < 1", "outside, |τ| > 1 + |κ|", "outside, |κ| > 1 + |τ|",
        "on a border"};
    return titles[static_cast<std::size_t>(region)];
}

SignPair tableSigns(int signCase, Region region)
{
    // cos x = (1 - kappa^2 - tau^2)/(2 kappa tau), cos y = (kappa^2 - tau^2 - 1)/(2 tau)
    const int product = signCase <= 2 ? 1 : -1, tau = signCase == 1 || signCase == 4 ? 1 : -1;
    return {(region == Region::Three ? 1 : -1) * product, (region == Region::One ? 1 : -1) * tau};
}

int tableIndex(int signCase, Region region, SignPair straight)
{
    // The states that are not saddles. With tau > 0 those of case 1 (kappa > 0) and 4; turning body 2's frame
    // by pi moves both angles by pi and changes the sign of tau.
    const int flip = signCase == 1 || signCase == 4 ? 1 : -1;
    const SignPair at{flip * straight.x, flip * straight.y};
    const bool kappaPositive = signCase == 1 || signCase == 3;
    // kappa > 0: (0, 0) stable; the least of f by region. kappa < 0: (pi, 0) of index 2; the largest of f by
    // region.
    if (kappaPositive ? at == SignPair{1, 1} : at == SignPair{-1, 1})
        return kappaPositive ? 0 : 2;
    if (insideStrip(region))
        return 1;
    SignPair other{};
    switch (region) {
    case Region::OSum:
        other = kappaPositive ? SignPair{1, -1} : SignPair{-1, -1};
        break;
    case Region::OTau:
        other = kappaPositive ? SignPair{-1, -1} : SignPair{1, -1};
        break;
    default:
        other = kappaPositive ? SignPair{-1, 1} : SignPair{1, 1};
    }
    return at == other ? (kappaPositive ? 2 : 0) : 1;
}

bool reachable(int signCase, double e1)
{
    return signCase != (e1 < 0 ? 2 : 4);
}

std::string impossible(int signCase, double e1)
{
    if (reachable(signCase, e1))
        return {};
    if (signCase == 4)
        return fmt::format(
            "κ < 0 < τ needs e₁ < 0, but e₁ = {:.6g}: give e₁ a negative value first. It is the same "
            "body as with κ, τ < 0, its frame turned by π.",
            e1);
    return fmt::format(
        "κ, τ < 0 needs e₁ > 0, but e₁ = {:.6g}: give e₁ a positive value first. It is the same "
        "body as with κ < 0 < τ, its frame turned by π.",
        e1);
}

bool setKappaTau(ThreeBodyParameters& p, const KappaTau& wanted)
{
    const int wantedCase = signCase(wanted);
    const auto fits = [&](const Arms& arms) {
        // d1 = B1^/(m3 tau) and c1 = kappa B2^/(m1 tau) must be positive.
        return arms.first * wanted.tau > 0 && arms.second * wanted.kappa * wanted.tau > 0;
    };
    if (wantedCase == 0 || !reachable(wantedCase, p.e1))
        return false;
    if (!fits(armsOf(p))) {
        // For e1 > 0; the other sign of e1 is the same with body 2's frame turned, which changes the sign of
        // tau.
        const int side = p.e1 < 0 ? -1 : 1;
        const int turnedCase = side > 0 ? wantedCase : signCase({wanted.kappa, -wanted.tau});
        const double size = p.b1 != 0 ? std::abs(p.b1) : 1;
        const double low = p.m1 / (p.m1 + p.m2), high = 1 + p.m2 / p.m3;
        const double ratio = turnedCase == 1 ? 1.25 : turnedCase == 2 ? (low + high) / 2 : low / 2;
        p.b1 = side * (turnedCase == 1 ? size : -size);
        p.e1 = side * size * ratio;
    }
    const Arms arms = armsOf(p);
    p.d1 = arms.first / (p.m3 * wanted.tau);
    p.c1 = wanted.kappa * arms.second / (p.m1 * wanted.tau);
    return fits(arms);
}

Outcome<ThreeBodyParameters> withKappaTau(const ThreeBodyParameters& p, const KappaTau& wanted,
                                          double longest)
{
    using Result = Outcome<ThreeBodyParameters>;
    if (signCase(wanted) == 0 || !std::isfinite(wanted.kappa) || !std::isfinite(wanted.tau))
        return Result::refused(fmt::format(
            "κ = {:.6g} and τ = {:.6g}: both must be finite and different from 0, since c₁ and d₁ are "
            "positive lengths.",
            wanted.kappa, wanted.tau));
    if (std::string reason = impossible(signCase(wanted), p.e1); !reason.empty())
        return Result::refused(std::move(reason));
    ThreeBodyParameters changed = p;
    const bool fits = setKappaTau(changed, wanted);
    if (!fits || !(changed.c1 > 0 && changed.c1 <= longest && changed.d1 > 0 && changed.d1 <= longest))
        return Result::refused(
            fmt::format("κ = {:.6g} and τ = {:.6g} would need c₁ = {:.6g} and d₁ = {:.6g}, which "
                        "are no lengths between 0 and {:.6g}.",
                        wanted.kappa, wanted.tau, changed.c1, changed.d1, longest));
    return Result::of(changed);
}

} // namespace casimir::planar
