// The simulation thread: a realised Session goes in, immutable snapshots of its Motions at the time of one
// common clock come out. What is asked of a system besides its motion is computed elsewhere (analyses.h); a
// run without a clock is in batch.h.
#pragma once

#include "core/base/status.h"
#include "core/engine/clock.h"
#include "core/engine/realised.h"
#include "core/engine/recording.h"
#include "core/session/session.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

// What a Motion did before its parameters were changed on the way.
struct EarlierTrack {
    std::shared_ptr<const Recording> recording;
    double until = 0;
};

// One Motion of the Session at the time of the snapshot.
struct MotionTrack {
    std::shared_ptr<const System> system;
    std::shared_ptr<const Recording> recording;
    std::vector<EarlierTrack> earlier; // in the order of time; as much as the history may hold
    State state;
    std::vector<double> values; // of all quantities there, in the order of System::quantities()
    std::string label;
    std::string method; // the id in use, also where the Session leaves it to the system
    bool visible = true;
    int colour = 0;
    Status
        status; // not ok where the motion ended before the time of the clock; `state` is then that of its end
};

struct Snapshot {
    std::uint64_t number = 0;
    // The newest setSession() that was answered. If it was refused, `status` says why, and `session` and
    // `motions` are those of the last one that was not.
    std::uint64_t sessionNumber = 0;
    std::shared_ptr<const Realised> session;
    double t = 0;
    bool playing = false;
    bool reverse = false;
    bool loop = false;
    double loopEnd = 0;
    double speed = 1;
    // Seconds of motion that the clock is behind what was asked for: more than 0 while a distant time is
    // computed or the motion cannot be computed as fast as it should play.
    double lag = 0;
    Status status; // why the Session was refused; else that of the leading Motion
    std::vector<MotionTrack> motions;
};

// The times before which something of a visible Motion is no longer kept; none where all is.
std::optional<double> forgottenBefore(const Snapshot& snapshot);

// Of the motion at the time of the snapshot; NaN for a quantity it does not have.
double valueOf(const MotionTrack& motion, std::string_view quantity);

// The Motions as the snapshot has them.
Present presentOf(const Snapshot& snapshot);

struct SimulationOptions {
    std::size_t historyBytes = kDefaultHistoryBytes; // for each Motion
    std::shared_ptr<Clock> clock = {};               // none: the steady clock
};

// Every call returns at once; the thread answers in the order of the calls.
class Simulation {
public:
    static constexpr double kFrame = 1.0 / 60; // s between publications while playing
    static constexpr double kSlowest = 0.01;
    static constexpr double kFastest = 100;

    // `published` is called from the simulation's thread after each publication; it must not call back into
    // the Simulation except snapshot().
    explicit Simulation(std::function<void()> published, SimulationOptions options = {});
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    // What the clock does when the leading Motion is another: it goes to where that one begins, or it goes
    // on, as after a change of values while running.
    enum class Time { Begins, GoesOn };
    // The newest wins: one that was not begun when a newer one comes is never looked at. A Motion whose
    // values, origin, method, accuracy and input did not change keeps its recording; if that is so of the
    // leading one the clock goes on. Playback is not taken from Session::run. Returns the number that
    // snapshots will carry.
    std::uint64_t setSession(std::shared_ptr<const Realised> session, Time time = Time::Begins);

    void play();
    void pause();
    void togglePlay();
    void step(int n); // pauses; n frames at the present speed, forward in time for n > 0 whether or not time
                      // is reversed
    void seek(double t);
    void setSpeed(double speed); // kSlowest to kFastest; throws Error
    void setReverse(bool reverse);
    // With a loop it plays from where the leading Motion begins, or from 0 if that is later, to tEnd > 0,
    // again and again. Without one the clock stops at tEnd; played on from there it goes on.
    void setLoop(bool loop, double tEnd);
    void reset(); // pauses where the leading Motion begins

    // Where the hand is now. Motions with a live input (Motion::input) take it as the value at every further
    // time the clock comes to; what they took is in the input of their recording, and a replay of it is the
    // same motion.
    void setInput(double value);

    // The newest; never null.
    std::shared_ptr<const Snapshot> snapshot() const;

    // Returns when everything asked before is answered and published, and the times gone to are reached.
    void waitUntilIdle();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace casimir
