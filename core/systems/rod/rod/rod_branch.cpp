#include "core/systems/rod/rod/rod_branch.h"

#include "core/numerics/roots.h"

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

// In natural units: how far apart the branch is looked at, and how sharply a limit is found.
constexpr double scanStep = 0.5, smallestSpin = 0.05;
constexpr double sharpness = 1e-11, growthSharpness = 1e-7;
constexpr int scannedExponents = 12;
constexpr double mostScans = 100;

double stepOf(double from, double limit)
{
    return std::max(scanStep, (limit - from) / mostScans);
}

struct Character {
    int negative = 0;
    bool grows = false;
    bool operator==(const Character&) const = default;
};

Character characterOf(const Rod& rod, const RodEquilibrium& e)
{
    const RodLinearisation at(rod, e);
    Character c{negativeDirections(at)};
    // An odd count grows, none does not; only between is the spectrum needed.
    if (c.negative % 2 == 1)
        c.grows = true;
    else if (c.negative > 0)
        c.grows = spectrumOf(at, scannedExponents).growth > 0;
    return c;
}

bool sameVerdict(const Character& a, const Character& b)
{
    return (a.negative == 0) == (b.negative == 0) && a.grows == b.grows;
}

// Between two equilibria of different character.
std::optional<double> located(const Rod& rod, const RodEquilibrium& now, const RodEquilibrium& next,
                              const Character& here, const Character& there)
{
    if (here.negative != there.negative) {
        const int crossing = std::min(here.negative, there.negative);
        const Root root = bracketedRoot(
            [&](double omega) {
                const RodEquilibrium e = follow(rod, now, omega);
                return energyModes(RodLinearisation(rod, e), crossing + 1).values[crossing];
            },
            now.omega, next.omega, sharpness * next.omega);
        return root.status.ok() ? std::optional(root.x) : std::nullopt;
    }
    double low = now.omega, high = next.omega;
    while (high - low > growthSharpness * high) {
        const double middle = (low + high) / 2;
        (characterOf(rod, follow(rod, now, middle)).grows == here.grows ? low : high) = middle;
    }
    return high;
}

} // namespace

std::optional<CriticalSpin> nextCritical(const Rod& rod, const RodEquilibrium& from, double limit,
                                         const std::function<bool()>& cancelled)
{
    if (!(from.omega < limit) || !from.status.ok())
        return std::nullopt;
    RodEquilibrium now = from;
    if (now.omega < smallestSpin) {
        now = solveAtSpin(rod, now.at, smallestSpin);
        if (!now.status.ok() || smallestSpin >= limit)
            return std::nullopt;
    }
    Character here = characterOf(rod, now);
    const double step = stepOf(now.omega, limit);
    while (now.omega < limit && !(cancelled && cancelled())) {
        const RodEquilibrium next = follow(rod, now, std::min(limit, now.omega + step));
        if (next.omega <= now.omega)
            return std::nullopt;
        const Character there = characterOf(rod, next);
        if (!sameVerdict(here, there)) {
            const std::optional<double> omega = located(rod, now, next, here, there);
            if (!omega)
                return std::nullopt;
            return CriticalSpin{*omega, here.negative, there.negative, here.negative == there.negative, now};
        }
        now = next;
        here = there;
        if (!now.status.ok())
            return std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> sameCritical(const Rod& other, const CriticalSpin& critical,
                                   const std::function<RodEquilibrium(double)>& at)
{
    for (const double wide : {0.003, 0.01, 0.03, 0.1, 0.3}) {
        const RodEquilibrium low = at(critical.omega * (1 - wide));
        if (!low.status.ok())
            continue;
        const RodEquilibrium high = follow(other, low, critical.omega * (1 + wide));
        if (high.omega <= low.omega)
            continue;
        const Character here = characterOf(other, low), there = characterOf(other, high);
        // Beyond it, as far as it was looked at first, further directions may have changed their sign.
        const bool loses = critical.negativeAbove > critical.negativeBelow;
        const bool same = critical.growth ? here.negative == there.negative && here.grows != there.grows
                          : loses
                              ? here.negative == critical.negativeBelow && there.negative > here.negative
                              : there.negative == critical.negativeAbove && there.negative < here.negative;
        if (same)
            return located(other, low, high, here, there);
    }
    return std::nullopt;
}

std::optional<Fork> nextFork(const Rod& rod, const RodEquilibrium& from, double limit)
{
    const auto lowest = [&rod](const RodEquilibrium& e) {
        // The rigid directions are part of the form; what turns with the axis is told by its count.
        return spinModes(RodLinearisation(rod, e), 4);
    };
    const auto below = [](const LowestModes& modes) {
        return static_cast<int>((modes.values.array() < 0).count());
    };
    RodEquilibrium now = from;
    if (now.omega < smallestSpin)
        now = solveAtSpin(rod, now.at, smallestSpin);
    if (!now.status.ok())
        return std::nullopt;
    int count = below(lowest(now));
    const double step = stepOf(now.omega, limit);
    while (now.omega < limit) {
        const RodEquilibrium next = follow(rod, now, std::min(limit, now.omega + step));
        if (next.omega <= now.omega || !next.status.ok())
            return std::nullopt;
        const int after = below(lowest(next));
        if (after != count) {
            const int crossing = std::min(count, after);
            const Root root =
                bracketedRoot([&](double omega) { return lowest(follow(rod, now, omega)).values[crossing]; },
                              now.omega, next.omega, 1e-9 * next.omega);
            if (!root.status.ok())
                return std::nullopt;
            const RodEquilibrium at = follow(rod, now, root.x);
            return Fork{at, lowest(at).vectors.col(crossing)};
        }
        now = next;
    }
    return std::nullopt;
}

std::optional<RodEquilibrium> bentBranch(const Rod& rod, SpinAxis axis, double omega, double limit)
{
    const RodEquilibrium start = followFromRest(rod, axis, smallestSpin);
    const std::optional<Fork> fork = nextFork(rod, start, limit);
    if (!fork)
        return std::nullopt;
    const std::optional<RodEquilibrium> bent = switchBranch(rod, fork->at, fork->mode);
    if (!bent)
        return std::nullopt;
    return follow(rod, *bent, omega);
}

Extrapolated extrapolate(double coarse, double middle, double fine)
{
    const double first = (4 * middle - coarse) / 3, second = (4 * fine - middle) / 3;
    return {(16 * second - first) / 15, std::abs(second - first) / 15};
}

} // namespace casimir::rod
