// What a motion was: the steps of one (system, initial state, method, options) with their interpolants,
// readable at any time within them from any thread. A Recording is immutable; the Recorder, which belongs to
// one thread, makes the steps and gives out Recordings that share what they have in common. Clocks and
// playback are not here (simulation.h).
#pragma once

#include "core/model/system.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace casimir {

namespace detail {
struct StepChunk;
using StepChunks = std::vector<std::shared_ptr<const StepChunk>>;
} // namespace detail

// Quantities of a recording at some times, one column for each id asked.
struct Samples {
    std::vector<double> t;
    std::vector<std::vector<double>> columns;
};

class Recording {
public:
    const std::shared_ptr<const System>& system() const { return system_; }
    double origin() const { return origin_; }
    const State& initialState() const { return x0_; } // at the origin
    const std::string& method() const { return method_; }
    const IntegrationOptions& options() const { return options_; }
    // The same number for all recordings that one Recorder gave out.
    std::uint64_t motion() const { return motion_; }

    // The times it holds. It starts as the single time of its origin and may grow at both ends.
    double begin() const { return begin_; }
    double end() const { return end_; }
    bool contains(double t) const { return t >= begin_ && t <= end_; }

    // Outside [begin(), end()] the state at the nearer end. Between steps it is as good as at steps, and may
    // cost one.
    void state(double t, State& x) const;
    State state(double t) const;
    // For traces, of which hundreds of points are drawn: cheap, and near the state between steps. No quantity
    // is read from it.
    void glimpse(double t, State& x) const;
    // The nearest time from whose glimpse a quantity may be read for a chart: t, or the end of a step.
    double readable(double t) const;

    // An event or a failure ended the motion at end() (or, backwards in time, at begin()); ok where it may go
    // on.
    const Status& status() const { return forwardStatus_; }
    // Why the motion has no state at t, or why it goes no further from there; ok elsewhere.
    Status statusAt(double t) const;

    // Shows the steps held on one side of where the motion began, forwards (direction 1) or backwards (-1),
    // in the order they were made, from the first that reaches t or passes it; until `see` answers false.
    void eachStep(int direction, double t,
                  const std::function<bool(const std::shared_ptr<const Interpolant>& step)>& see) const;

    // The bounded history gave up what lay before (after) this time.
    std::optional<double> droppedBefore() const { return droppedBefore_; }
    std::optional<double> droppedAfter() const { return droppedAfter_; }

    std::size_t steps() const { return steps_; }
    // The length of the first step: of a fixed-step method that of all. NaN before there is one.
    double firstStep() const;
    std::size_t bytes() const { return bytes_; } // an estimate

    // n >= 2 times from tBegin to tEnd, both clipped to what is held; throws Error for an id the system does
    // not have. The times are equally spaced, but where the states between steps cost a step each and nothing
    // cheaper is near them: there they are those of the nearest steps, each once. Exactly: by state() alone,
    // as invariants want it; else from what is near enough to be drawn.
    enum class Between { Drawn, Exactly };
    Samples sample(double tBegin, double tEnd, int n, const std::vector<std::string>& ids,
                   Between between = Between::Drawn) const;

private:
    friend class Recorder;
    Recording() = default;
    const Interpolant& stepAt(double t) const; // not at the origin

    std::shared_ptr<const System> system_;
    std::uint64_t motion_ = 0;
    double origin_ = 0;
    State x0_;
    std::string method_;
    IntegrationOptions options_;
    double begin_ = 0;
    double end_ = 0;
    Status forwardStatus_;
    Status backwardStatus_;
    std::optional<double> droppedBefore_;
    std::optional<double> droppedAfter_;
    std::size_t steps_ = 0;
    std::size_t bytes_ = 0;
    detail::StepChunks forward_;  // from the origin on
    detail::StepChunks backward_; // from the origin down
};

inline constexpr std::size_t kDefaultHistoryBytes = 64u << 20;

class Recorder {
public:
    // Where a motion begins: the state x0 at the time t0.
    struct Origin {
        double t0 = 0;
        State x0;
    };
    // An empty method is the system's default. Throws Error where the system refuses.
    Recorder(std::shared_ptr<const System> system, Origin origin, std::string method,
             const IntegrationOptions& options, std::size_t historyBytes = kDefaultHistoryBytes);
    Recorder(std::shared_ptr<const System> system, State x0, std::string method,
             const IntegrationOptions& options, std::size_t historyBytes = kDefaultHistoryBytes)
        : Recorder(std::move(system), Origin{0, std::move(x0)}, std::move(method), options, historyBytes)
    {
    }
    ~Recorder();
    Recorder(Recorder&&) noexcept;
    Recorder& operator=(Recorder&&) noexcept;

    const std::shared_ptr<const System>& system() const;
    double origin() const;
    const State& initialState() const;
    const std::string& method() const;
    const IntegrationOptions& options() const;

    double begin() const;
    double end() const;
    bool contains(double t) const { return t >= begin() && t <= end(); }
    // Whether no step towards t is left to make: t is held, or the motion ended before it.
    bool settled(double t) const;
    // One step towards t, of the length the method finds natural: what is recorded does not depend on the
    // times asked for. Where t lies in what the history gave up, the motion is computed anew from its origin.
    void stepTowards(double t);
    void extendTo(double t);

    std::shared_ptr<const Recording> recording();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// How far an integration standing at `time` may look ahead (direction +1) or back (-1): far enough to leave
// every method its natural step, near enough that a motion at rest is not recorded as one step of
// astronomical length.
double naturalLimit(double time, int direction, const IntegrationOptions& options);

} // namespace casimir
