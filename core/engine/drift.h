// How well a recorded motion keeps what it must keep, by the run's own steps: for a constant, how far it is
// from its first value; for a balance, what the integral of its rate leaves of its change, the integral taken
// within every step by Gauss's rule, so that it is known better than the motion itself.
#pragma once

#include "core/engine/recording.h"

#include <memory>
#include <vector>

namespace casimir {

// |q - q(t0)| of a constant and |q - q(t0) - integral of the rate| of a balance, relative: to |q(t0)|, or to
// the largest |q| or |integral| met since then where that is more. What is zero at t0 but for cancelled terms
// is relative to the largest quantity of its unit there. Nothing is below `floor`, where rounding hides the
// rest.
struct Drift {
    static constexpr double floor = 1e-17;
    std::vector<double> t, change;
};

// The drifts of all balances of one motion at the ends of its steps. A longer recording of the same motion
// costs its new steps only.
class BalanceDrifts {
public:
    BalanceDrifts();
    ~BalanceDrifts();
    BalanceDrifts(BalanceDrifts&&) noexcept;
    BalanceDrifts& operator=(BalanceDrifts&&) noexcept;

    static constexpr std::size_t all = static_cast<std::size_t>(-1);
    // Takes up at most `most` steps that were not counted yet, forwards and backwards each, and says whether
    // all are. Of another motion it begins anew.
    bool count(const std::shared_ptr<const Recording>& recording, std::size_t most = all);

    // The time t0 that the drifts refer to: where the motion began, or, of a recording whose beginning was
    // given up before it was counted, the earliest step held.
    double since() const;
    bool sinceTheOrigin() const;

    // Of the balance `quantity` (an index of System::quantities()) at the counted ends of steps from `begin`
    // to `end` and the nearest one beyond either. Where there are more than `points`, of each of as many
    // equal spans the largest, so that no peak is lost.
    Drift drift(std::size_t quantity, double begin, double end, int points) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Of several quantities from `begin` to `end`, each a constant or a balance of the recording's system: of
// constants at `points` equally spaced times, of balances at the steps counted in `balances`.
std::vector<Drift> driftsOf(const Recording& recording, const BalanceDrifts& balances,
                            const std::vector<const Quantity*>& quantities, double begin, double end,
                            int points);

// Of one, counted on the spot.
Drift driftOf(const std::shared_ptr<const Recording>& recording, const Quantity& quantity, double begin,
              double end, int points);

} // namespace casimir
