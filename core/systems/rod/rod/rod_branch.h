// What happens along a branch of relative equilibria as the spin rate grows: where the verdict changes, where
// other branches fork off, and quantities extrapolated to infinitely many elements.
#pragma once

#include "core/systems/rod/rod/rod_stability.h"

#include <functional>
#include <optional>

namespace casimir::rod {

struct CriticalSpin {
    double omega = 0;
    int negativeBelow = 0, negativeAbove = 0; // directions of d²V_μ
    bool growth = false;  // the count stays: two vibrations of opposite energy meet (or part) here
    RodEquilibrium below; // the last equilibrium known before it
};

// The next spin rate above `from`, at most `limit`, where the verdict changes; nothing where there is none or
// the branch ends.
std::optional<CriticalSpin> nextCritical(const Rod& rod, const RodEquilibrium& from, double limit,
                                         const std::function<bool()>& cancelled = {});

// The same critical spin rate with another number of elements, sought nearby; `at` gives that rod's
// equilibrium at a spin rate.
std::optional<double> sameCritical(const Rod& other, const CriticalSpin& critical,
                                   const std::function<RodEquilibrium(double)>& at);

// The first spin rate above `from` where d²V_ξ becomes singular: another branch crosses at equal spin rate.
// With it the critical mode.
struct Fork {
    RodEquilibrium at;
    Eigen::VectorXd mode;
};
std::optional<Fork> nextFork(const Rod& rod, const RodEquilibrium& from, double limit);

// The branch that forks from the one that starts at rest, followed to ω (or as far as it goes, with a status
// that says so); nothing where no fork is found up to `limit`.
std::optional<RodEquilibrium> bentBranch(const Rod& rod, SpinAxis axis, double omega, double limit);

// A number for N, N/2 and N/4 elements extrapolated to h = 0, errors being even in h; with the difference of
// the last two extrapolations.
struct Extrapolated {
    double value = 0, error = 0;
};
Extrapolated extrapolate(double coarse, double middle, double fine);

} // namespace casimir::rod
