#include "core/engine/simulation.h"

#include "core/base/error.h"
#include "core/model/live_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

namespace casimir {

namespace {

constexpr double kBudget = 0.012; // s of computing before the newest is published
constexpr double kLongestPause =
    0.25;                           // s asleep that count as played; a suspended machine does not jump ahead
constexpr double kBrief = 0.1;      // s of the clock
constexpr double kCatchingUp = 0.5; // how much faster than asked the clock may go to work off its lag

bool sameState(const State& a, const State& b)
{
    return a.size() == b.size() && a == b;
}

// One Motion as the thread holds it.
struct Track {
    std::shared_ptr<Recorder> recorder;
    Accuracy accuracy;
    std::optional<HandInput> asked;         // the input as the Session has it
    std::shared_ptr<LiveInput> input;       // and where it is led or replayed from
    std::shared_ptr<const Recording> shown; // the newest that holds the time of the clock, where there is one
    StateInputs start;                      // as a person gave it
    std::vector<EarlierTrack> earlier;
    std::string label;
    bool visible = true;
    int colour = 0;
};

} // namespace

class Simulation::Impl {
public:
    Impl(std::function<void()> published, SimulationOptions options)
        : published_(std::move(published)),
          historyBytes_(options.historyBytes),
          clock_(options.clock ? std::move(options.clock) : std::make_shared<SteadyClock>()),
          newest_(std::make_shared<const Snapshot>()),
          thread_([this](const std::stop_token& stop) { run(stop); })
    {
    }

    ~Impl()
    {
        {
            const std::lock_guard lock(mutex_);
            thread_.request_stop();
            interrupted_.store(true, std::memory_order_relaxed);
        }
        wake_.notify_all();
    }

    // Called from any thread.

    void post(std::function<void(Impl&)> command)
    {
        {
            const std::lock_guard lock(mutex_);
            queue_.push_back({0, std::move(command)});
            interrupted_.store(true, std::memory_order_relaxed);
        }
        wake_.notify_all();
    }

    std::uint64_t postSession(std::shared_ptr<const Realised> session, Time time)
    {
        std::uint64_t number = 0;
        {
            const std::lock_guard lock(mutex_);
            number = ++sessions_;
            std::erase_if(queue_, [](const Command& command) { return command.session != 0; });
            queue_.push_back({number, [number, s = std::move(session), time](Impl& impl) {
                                  impl.apply(number, s, time);
                              }});
            interrupted_.store(true, std::memory_order_relaxed);
        }
        wake_.notify_all();
        return number;
    }

    std::shared_ptr<const Snapshot> newest() const
    {
        const std::lock_guard lock(newestMutex_);
        return newest_;
    }

    void waitUntilIdle()
    {
        std::unique_lock lock(mutex_);
        const std::uint64_t mine = ++asked_;
        wake_.notify_all();
        idle_.wait(lock, [&] { return answered_ >= mine; });
    }

    // Called by commands, on the thread.

    void setPlaying(bool playing)
    {
        if (playing == playing_)
            return;
        playing_ = playing;
        lag_ = 0;
        startTicking();
    }

    void step(int n)
    {
        setPlaying(false);
        seek(goal_.value_or(t_) + n * kFrame * speed_);
    }

    void seek(double t)
    {
        goal_ = t;
        lag_ = 0;
    }

    void setSpeed(double speed)
    {
        speed_ = speed;
        lag_ = 0;
    }

    void setReverse(bool reverse)
    {
        reverse_ = reverse;
        lag_ = 0;
    }

    void setLoop(bool loop, double tEnd)
    {
        loop_ = loop;
        loopEnd_ = tEnd;
    }

    void reset()
    {
        setPlaying(false);
        seek(beginning());
    }

    void setInput(double value) { hand_ = value; }

    bool playing() const { return playing_; }

private:
    struct Command {
        std::uint64_t session; // 0: not a session
        std::function<void(Impl&)> apply;
    };

    void run(const std::stop_token& stop);
    void work(const std::vector<Command>& commands);
    void apply(std::uint64_t number, const std::shared_ptr<const Realised>& session, Time time);
    std::vector<Track> tracksOf(const Realised& session) const;
    std::vector<EarlierTrack> before(const Track& old, const Motion& motion,
                                     const RealisedMotion& realised) const;
    double beginning() const { return tracks_.empty() ? 0 : tracks_.front().recorder->origin(); }
    // A motion taken up in the midst of the loop has no part of it before.
    double loopBegin() const { return beginning() < loopEnd_ ? std::max(0.0, beginning()) : 0; }
    void leadTo(double goal);
    bool compute(double goal, double deadline);
    double reached(double goal) const;
    void approach(double goal);
    void seekOn(double deadline);
    void playOn(double elapsed, double deadline);
    void jump(double t, double deadline);
    void startTicking();
    double behind() const;
    void publish();

    const std::function<void()> published_;
    const std::size_t historyBytes_;
    const std::shared_ptr<Clock> clock_;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable idle_;
    std::vector<Command> queue_;
    std::uint64_t sessions_ = 0;
    std::uint64_t asked_ = 0;
    std::uint64_t answered_ = 0;
    std::atomic<bool> interrupted_ = false;

    mutable std::mutex newestMutex_;
    std::shared_ptr<const Snapshot> newest_;

    // From here on only the thread's own.
    std::uint64_t snapshots_ = 0;
    std::uint64_t sessionNumber_ = 0;
    std::shared_ptr<const Realised> session_;
    Status refusal_;
    std::vector<Track> tracks_;
    double t_ = 0;
    std::optional<double> goal_; // a time to go to before playing on
    bool playing_ = false;
    bool reverse_ = false;
    bool loop_ = false;
    double loopEnd_ = 0;
    double speed_ = 1;
    double lag_ = 0;
    double lastTick_ = 0;
    double workEnd_ = 0;
    double nextTick_ = 0;
    std::optional<double> hand_; // where it was last said to be

    std::jthread thread_; // last: it starts when all else is there and is joined before anything goes
};

void Simulation::Impl::run(const std::stop_token& stop)
{
    for (;;) {
        std::vector<Command> commands;
        std::uint64_t asked = 0;
        {
            std::unique_lock lock(mutex_);
            while (!stop.stop_requested() && queue_.empty() && !goal_) {
                if (playing_ && clock_->now() >= nextTick_)
                    break;
                answered_ = asked_;
                idle_.notify_all();
                if (playing_)
                    clock_->wait(lock, wake_, nextTick_);
                else
                    wake_.wait(lock);
            }
            if (stop.stop_requested()) {
                answered_ = std::numeric_limits<std::uint64_t>::max();
                idle_.notify_all();
                return;
            }
            asked = asked_;
            commands.swap(queue_);
            interrupted_.store(false, std::memory_order_relaxed);
        }
        try {
            work(commands);
        } catch (const std::exception& e) {
            // Whatever went wrong is said in the snapshot; the window goes on.
            refusal_ = Status::failed("internal", e.what());
            playing_ = false;
            goal_.reset();
        }
        publish();
        // A clock that fell behind never sleeps, but it has answered.
        if (!goal_) {
            const std::lock_guard lock(mutex_);
            answered_ = asked;
            idle_.notify_all();
        }
    }
}

// What was asked, and then what the clock asks for.
void Simulation::Impl::work(const std::vector<Command>& commands)
{
    for (const Command& command : commands)
        command.apply(*this);

    const double now = clock_->now();
    if (goal_) {
        // Only a way to another time stops the clock; a Motion that is new catches up beside it.
        const bool elsewhere = *goal_ != t_;
        seekOn(now + kBudget);
        if (elsewhere)
            startTicking();
    }
    if (!goal_ && playing_ && now >= nextTick_) {
        const double elapsed = workEnd_ - lastTick_ + std::min(now - workEnd_, kLongestPause);
        lastTick_ = now;
        playOn(elapsed, now + kBudget);
        workEnd_ = clock_->now();
        nextTick_ = std::max(nextTick_ + kFrame, now);
    }
}

void Simulation::Impl::startTicking()
{
    lastTick_ = workEnd_ = clock_->now();
    nextTick_ = lastTick_ + kFrame;
}

void Simulation::Impl::apply(std::uint64_t number, const std::shared_ptr<const Realised>& session, Time time)
{
    sessionNumber_ = number;
    std::vector<Track> tracks;
    try {
        tracks = tracksOf(*session);
        refusal_ = {};
    } catch (const std::exception& e) {
        refusal_ = Status::failed("refused", e.what());
        return;
    }
    const bool goesOn =
        !tracks_.empty() && (time == Time::GoesOn || tracks.front().recorder == tracks_.front().recorder);
    // Where the hand was says nothing about an input that is new.
    for (const Track& track : tracks)
        if (track.input && std::none_of(tracks_.begin(), tracks_.end(),
                                        [&](const Track& old) { return old.input == track.input; }))
            hand_.reset();
    tracks_ = std::move(tracks);
    session_ = session;
    if (goesOn) {
        // Motions that are new have to come to the time of the clock.
        if (!goal_)
            goal_ = t_;
    } else {
        t_ = beginning();
        lag_ = 0;
        goal_.reset();
    }
}

// Throws Error where a method refuses what it is to start from.
std::vector<Track> Simulation::Impl::tracksOf(const Realised& session) const
{
    std::vector<Track> tracks;
    const auto among = [&](const auto& wanted) -> const Track* {
        for (const auto* list : {&tracks_, &std::as_const(tracks)})
            for (const Track& track : *list)
                if (wanted(track))
                    return &track;
        return nullptr;
    };
    for (std::size_t i = 0; i < session.motions.size(); ++i) {
        const Motion& motion = session.session->motions[i];
        const RealisedMotion& realised = session.motions[i];
        const Track* same = among([&](const Track& track) {
            const Recorder& recorder = *track.recorder;
            return (recorder.system() == realised.system ||
                    (&recorder.system()->kind() == &realised.system->kind() &&
                     recorder.system()->values() == realised.system->values())) &&
                   recorder.method() == realised.method && recorder.origin() == realised.origin.t0 &&
                   sameState(recorder.initialState(), realised.origin.x0) &&
                   track.accuracy == motion.options && track.asked == motion.input;
        });
        Track track;
        if (same) {
            track = *same;
        } else {
            IntegrationOptions options = integrationOptions(motion);
            if (motion.input) {
                // One hand leads all Motions that were asked to follow it, and goes on where values change.
                const Track* led =
                    among([&](const Track& old) { return old.input && old.asked == motion.input; });
                track.input =
                    led ? led->input : std::make_shared<LiveInput>(motion.input->samples, motion.input->live);
                options.input = track.input;
            }
            track.recorder = std::make_shared<Recorder>(realised.system, realised.origin, realised.method,
                                                        options, historyBytes_);
            track.shown = track.recorder->recording();
            if (motion.from && i < tracks_.size())
                track.earlier = before(tracks_[i], motion, realised);
            track.accuracy = motion.options;
            track.asked = motion.input;
        }
        track.start = motion.state;
        track.label = motion.label;
        track.visible = motion.visible;
        track.colour = motion.colour;
        tracks.push_back(std::move(track));
    }
    return tracks;
}

// What remains seen of a motion that goes on with other parameters from where it was.
std::vector<EarlierTrack> Simulation::Impl::before(const Track& old, const Motion& motion,
                                                   const RealisedMotion& realised) const
{
    const double until = realised.origin.t0;
    if (old.start != motion.state || &old.recorder->system()->kind() != &realised.system->kind())
        return {};
    std::vector<EarlierTrack> earlier = old.earlier;
    earlier.push_back({old.recorder->recording(), std::min(until, old.recorder->end())});
    // An undone change begins before what it had led to.
    for (EarlierTrack& piece : earlier)
        piece.until = std::min(piece.until, until);
    // What ran for a moment, under values that a drag passed through, is not kept.
    std::erase_if(earlier, [brief = kBrief * speed_](const EarlierTrack& piece) {
        return !(piece.until > piece.recording->origin() + brief);
    });
    std::size_t bytes = 0, kept = earlier.size();
    while (kept > 0 && bytes + earlier[kept - 1].recording->bytes() <= historyBytes_)
        bytes += earlier[--kept].recording->bytes();
    earlier.erase(earlier.begin(), earlier.begin() + static_cast<std::ptrdiff_t>(kept));
    return earlier;
}

// Live inputs are known up to the goal before a step is made towards it: steps never look beyond what was
// led.
void Simulation::Impl::leadTo(double goal)
{
    for (const Track& track : tracks_)
        if (track.input)
            track.input->leadTo(goal, hand_);
}

// Makes steps, of the Motion farthest behind first, until all hold the goal or ended before it; false if the
// time is up or something new was asked.
bool Simulation::Impl::compute(double goal, double deadline)
{
    leadTo(goal);
    for (;;) {
        Recorder* farthest = nullptr;
        double distance = 0;
        for (const Track& track : tracks_) {
            Recorder& recorder = *track.recorder;
            if (recorder.settled(goal))
                continue;
            const double d = goal > recorder.end() ? goal - recorder.end() : recorder.begin() - goal;
            if (farthest == nullptr || d > distance) {
                farthest = &recorder;
                distance = d;
            }
        }
        if (farthest == nullptr)
            return true;
        farthest->stepTowards(goal);
        if (interrupted_.load(std::memory_order_relaxed) || clock_->now() >= deadline)
            return std::all_of(tracks_.begin(), tracks_.end(),
                               [goal](const Track& track) { return track.recorder->settled(goal); });
    }
}

// The goal, or where the last of the Motions ended before it; all are settled.
double Simulation::Impl::reached(double goal) const
{
    std::optional<double> nearest;
    for (const Track& track : tracks_) {
        const double t = std::clamp(goal, track.recorder->begin(), track.recorder->end());
        if (!nearest || std::abs(goal - t) < std::abs(goal - *nearest))
            nearest = t;
    }
    return nearest.value_or(0);
}

// As near to the goal as all Motions are computed.
void Simulation::Impl::approach(double goal)
{
    double t = goal;
    for (const Track& track : tracks_) {
        const Recorder& recorder = *track.recorder;
        if (recorder.settled(goal))
            continue;
        const bool outwards = goal > t_ ? goal > recorder.end() : goal < recorder.begin();
        if (!outwards)
            return; // it is computed anew from its origin
        t = goal > t_ ? std::min(t, recorder.end()) : std::max(t, recorder.begin());
    }
    if (goal > t_ ? t > t_ : t < t_)
        t_ = t;
}

void Simulation::Impl::seekOn(double deadline)
{
    const double goal = *goal_;
    if (compute(goal, deadline)) {
        t_ = reached(goal);
        goal_.reset();
    } else {
        approach(goal);
    }
}

void Simulation::Impl::jump(double t, double deadline)
{
    goal_ = t;
    seekOn(deadline);
}

void Simulation::Impl::playOn(double elapsed, double deadline)
{
    if (tracks_.empty())
        return;
    const double begin = loopBegin(), length = loopEnd_ - begin;
    if (loop_ && (reverse_ ? t_ < begin || t_ > loopEnd_ : t_ < begin || t_ >= loopEnd_)) {
        jump(reverse_ ? loopEnd_ : begin, deadline);
        return;
    }
    const double advance = elapsed * speed_;
    const double catchUp = std::min(lag_, kCatchingUp * advance);
    const double wish = t_ + (reverse_ ? -1 : 1) * (advance + catchUp);
    const bool ends = !loop_ && !reverse_ && t_ < loopEnd_;
    const double goal = loop_ ? std::clamp(wish, begin, loopEnd_) : ends ? std::min(wish, loopEnd_) : wish;
    const double from = t_;
    if (!compute(goal, deadline)) {
        approach(goal);
        lag_ = std::max(0.0, lag_ + advance - std::abs(t_ - from));
        return;
    }
    lag_ -= catchUp;
    t_ = reached(goal);
    const bool ended = t_ != goal;
    if (loop_ && (ended || wish <= begin || wish >= loopEnd_)) {
        const double over = ended ? 0 : std::fmod(std::abs(wish - goal), length);
        if (!reverse_)
            jump(begin + over, deadline);
        else if (wish < begin)
            jump(loopEnd_ - over, deadline);
    } else if (ended || (ends && t_ >= loopEnd_)) {
        setPlaying(false);
    }
}

double Simulation::Impl::behind() const
{
    if (!goal_)
        return lag_;
    double most = std::abs(*goal_ - t_);
    for (const Track& track : tracks_)
        if (!track.recorder->settled(*goal_))
            most = std::max(most, std::max(*goal_ - track.recorder->end(), track.recorder->begin() - *goal_));
    return most;
}

void Simulation::Impl::publish()
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->number = ++snapshots_;
    snapshot->sessionNumber = sessionNumber_;
    snapshot->session = session_;
    snapshot->t = t_;
    snapshot->playing = playing_;
    snapshot->reverse = reverse_;
    snapshot->loop = loop_;
    snapshot->loopEnd = loopEnd_;
    snapshot->speed = speed_;
    snapshot->lag = behind();
    for (Track& track : tracks_) {
        // While a motion is computed anew, what was seen of it remains.
        if (track.recorder->settled(t_) || !track.shown->contains(t_))
            track.shown = track.recorder->recording();
        MotionTrack& out = snapshot->motions.emplace_back();
        out.system = track.recorder->system();
        out.recording = track.shown;
        out.earlier = track.earlier;
        track.shown->state(t_, out.state);
        out.values.assign(out.system->quantities().size(), std::numeric_limits<double>::quiet_NaN());
        try {
            out.system->evaluate(std::clamp(t_, track.shown->begin(), track.shown->end()), out.state,
                                 out.values);
        } catch (const std::exception& e) {
            refusal_ = Status::failed("internal", e.what());
        }
        out.label = track.label;
        out.method = track.recorder->method();
        out.visible = track.visible;
        out.colour = track.colour;
        out.status = track.shown->statusAt(t_);
        if (out.status.ok() && !track.shown->contains(t_))
            out.status =
                Status::failed("computing", "This motion is still being computed up to the present time.");
    }
    if (!refusal_.ok())
        snapshot->status = refusal_;
    else if (!snapshot->motions.empty())
        snapshot->status = snapshot->motions.front().status;
    {
        const std::lock_guard lock(newestMutex_);
        newest_ = std::move(snapshot);
    }
    if (published_)
        published_();
}

std::optional<double> forgottenBefore(const Snapshot& snapshot)
{
    std::optional<double> latest;
    for (const MotionTrack& motion : snapshot.motions)
        if (const auto before = motion.recording->droppedBefore(); motion.visible && before)
            latest = std::max(*before, latest.value_or(*before));
    return latest;
}

double valueOf(const MotionTrack& motion, std::string_view quantity)
{
    const auto& all = motion.system->quantities();
    for (std::size_t i = 0; i < std::min(all.size(), motion.values.size()); ++i)
        if (all[i].id == quantity)
            return motion.values[i];
    return std::numeric_limits<double>::quiet_NaN();
}

Present presentOf(const Snapshot& snapshot)
{
    Present present{snapshot.t, {}};
    for (const MotionTrack& track : snapshot.motions)
        present.motions.push_back({track.system, track.state});
    return present;
}

Simulation::Simulation(std::function<void()> published, SimulationOptions options)
    : impl_(std::make_unique<Impl>(std::move(published), std::move(options)))
{
}

Simulation::~Simulation() = default;

std::uint64_t Simulation::setSession(std::shared_ptr<const Realised> session, Time time)
{
    if (!session)
        throw Error("there is no session to simulate");
    return impl_->postSession(std::move(session), time);
}

void Simulation::play()
{
    impl_->post([](Impl& impl) { impl.setPlaying(true); });
}

void Simulation::pause()
{
    impl_->post([](Impl& impl) { impl.setPlaying(false); });
}

void Simulation::togglePlay()
{
    impl_->post([](Impl& impl) { impl.setPlaying(!impl.playing()); });
}

void Simulation::step(int n)
{
    impl_->post([n](Impl& impl) { impl.step(n); });
}

void Simulation::seek(double t)
{
    if (!std::isfinite(t))
        throw Error(fmt::format("the time {} cannot be gone to", t));
    impl_->post([t](Impl& impl) { impl.seek(t); });
}

void Simulation::setSpeed(double speed)
{
    if (!(speed >= kSlowest && speed <= kFastest))
        throw Error(fmt::format("the speed {} is out of range; it must be between {} and {}", speed, kSlowest,
                                kFastest));
    impl_->post([speed](Impl& impl) { impl.setSpeed(speed); });
}

void Simulation::setReverse(bool reverse)
{
    impl_->post([reverse](Impl& impl) { impl.setReverse(reverse); });
}

void Simulation::setLoop(bool loop, double tEnd)
{
    if (!(std::isfinite(tEnd) && tEnd > 0))
        throw Error(fmt::format("the end of the loop {} must be greater than 0", tEnd));
    impl_->post([loop, tEnd](Impl& impl) { impl.setLoop(loop, tEnd); });
}

void Simulation::reset()
{
    impl_->post([](Impl& impl) { impl.reset(); });
}

void Simulation::setInput(double value)
{
    if (!std::isfinite(value))
        throw Error(fmt::format("the input {} is not a number", value));
    impl_->post([value](Impl& impl) { impl.setInput(value); });
}

std::shared_ptr<const Snapshot> Simulation::snapshot() const
{
    return impl_->newest();
}

void Simulation::waitUntilIdle()
{
    impl_->waitUntilIdle();
}

} // namespace casimir
