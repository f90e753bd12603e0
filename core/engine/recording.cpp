#include "core/engine/recording.h"

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/numerics/side_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>

namespace casimir {

namespace detail {

// A run of steps that follow each other, away from the origin.
struct StepChunk {
    static constexpr std::size_t kSize = 256;

    double begin = 0;
    std::vector<double> ends;
    std::vector<std::shared_ptr<const Interpolant>> steps;
    std::size_t bytes = 0;

    double end() const { return ends.back(); }
};

namespace {

// Six vectors, as Dormand-Prince keeps them, and the objects around them.
std::size_t estimatedBytes(const Interpolant& step)
{
    return 6 * sizeof(double) * static_cast<std::size_t>(step.size()) + 192;
}

const Interpolant& stepAt(const StepChunks& chunks, double t, int direction)
{
    const auto before = [direction](double end, double x) { return direction * end < direction * x; };
    const auto chunk = std::lower_bound(chunks.begin(), chunks.end(), t,
                                        [&](const auto& c, double x) { return before(c->end(), x); });
    const auto& ends = (*chunk)->ends;
    const auto end = std::lower_bound(ends.begin(), ends.end(), t, before);
    return *(*chunk)->steps[static_cast<std::size_t>(end - ends.begin())];
}

} // namespace

} // namespace detail

using detail::StepChunk;
using detail::StepChunks;

const Interpolant& Recording::stepAt(double t) const
{
    return detail::stepAt(t > origin_ ? forward_ : backward_, t, t > origin_ ? 1 : -1);
}

void Recording::state(double t, State& x) const
{
    t = std::clamp(t, begin_, end_);
    if (t == origin_) {
        x = x0_;
        return;
    }
    x.resize(x0_.size());
    stepAt(t).at(t, x);
}

void Recording::glimpse(double t, State& x) const
{
    t = std::clamp(t, begin_, end_);
    if (t == origin_) {
        x = x0_;
        return;
    }
    x.resize(x0_.size());
    casimir::glimpse(stepAt(t), t, x);
}

double Recording::readable(double t) const
{
    t = std::clamp(t, begin_, end_);
    if (t == origin_)
        return t;
    const Interpolant& step = stepAt(t);
    if (glimpseIsReadable(step))
        return t;
    return std::abs(t - step.begin()) < std::abs(step.end() - t) ? step.begin() : step.end();
}

State Recording::state(double t) const
{
    State x;
    state(t, x);
    return x;
}

Status Recording::statusAt(double t) const
{
    if (t >= end_ && !forwardStatus_.ok())
        return forwardStatus_;
    if (t <= begin_ && !backwardStatus_.ok())
        return backwardStatus_;
    return {};
}

double Recording::firstStep() const
{
    double length = std::numeric_limits<double>::quiet_NaN();
    for (const int direction : {1, -1})
        if (std::isnan(length))
            eachStep(direction, origin_, [&length](const std::shared_ptr<const Interpolant>& step) {
                length = std::abs(step->end() - step->begin());
                return false;
            });
    return length;
}

void Recording::eachStep(int direction, double t,
                         const std::function<bool(const std::shared_ptr<const Interpolant>& step)>& see) const
{
    const StepChunks& chunks = direction > 0 ? forward_ : backward_;
    const auto before = [direction](double end, double x) { return direction * end < direction * x; };
    auto chunk = std::lower_bound(chunks.begin(), chunks.end(), t,
                                  [&](const auto& c, double x) { return before(c->end(), x); });
    for (; chunk != chunks.end(); ++chunk) {
        const auto& ends = (*chunk)->ends;
        const auto first = std::lower_bound(ends.begin(), ends.end(), t, before) - ends.begin();
        for (auto i = static_cast<std::size_t>(first); i < ends.size(); ++i)
            if (!see((*chunk)->steps[i]))
                return;
    }
}

Samples Recording::sample(double tBegin, double tEnd, int n, const std::vector<std::string>& ids,
                          Between between) const
{
    if (n < 2)
        throw Error(fmt::format("{} samples were asked for; there must be at least 2", n));
    const auto& quantities = system_->quantities();
    std::vector<std::size_t> columns;
    for (const std::string& id : ids) {
        const auto it =
            std::find_if(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.id == id; });
        if (it == quantities.end()) {
            std::vector<std::string> known;
            for (const Quantity& q : quantities)
                known.push_back(q.id);
            throw Error(fmt::format("unknown quantity '{}'; {}", id, didYouMean(id, known)));
        }
        columns.push_back(static_cast<std::size_t>(it - quantities.begin()));
    }

    Samples samples;
    samples.columns.resize(ids.size());
    tBegin = std::max(tBegin, begin_);
    tEnd = std::min(tEnd, end_);
    if (!(tBegin <= tEnd))
        return samples;
    samples.t.reserve(static_cast<std::size_t>(n));
    for (auto& column : samples.columns)
        column.reserve(static_cast<std::size_t>(n));
    State x;
    std::vector<double> all(quantities.size());
    for (int i = 0; i < n; ++i) {
        const double t = readable(i == n - 1 ? tEnd : tBegin + (tEnd - tBegin) * i / (n - 1));
        if (!samples.t.empty() && t == samples.t.back())
            continue;
        if (between == Between::Exactly)
            state(t, x);
        else
            glimpse(t, x);
        system_->evaluate(t, x, all);
        samples.t.push_back(t);
        for (std::size_t c = 0; c < columns.size(); ++c)
            samples.columns[c].push_back(all[columns[c]]);
    }
    return samples;
}

double naturalLimit(double time, int direction, const IntegrationOptions& options)
{
    constexpr double kLongestStep = 10; // s
    return time + direction * std::max(kLongestStep, 4 * options.step);
}

namespace {

std::uint64_t newMotion()
{
    static std::atomic<std::uint64_t> motions = 0;
    return ++motions;
}

} // namespace

struct Recorder::Impl {
    // One direction of time from the origin.
    struct Side {
        int direction;
        std::unique_ptr<Integration> integration;
        StepChunks full;
        StepChunk open;
        Status status;

        bool empty() const { return full.empty() && open.steps.empty(); }
        std::size_t chunks() const { return full.size() + (open.steps.empty() ? 0 : 1); }
    };

    const std::uint64_t motion = newMotion();
    std::shared_ptr<const System> system;
    Origin origin;
    std::string method;
    IntegrationOptions options;
    std::size_t historyBytes;
    Side forward{.direction = 1, .integration = {}, .full = {}, .open = {}, .status = {}};
    Side backward{.direction = -1, .integration = {}, .full = {}, .open = {}, .status = {}};
    double begin = 0;
    double end = 0;
    bool droppedBefore = false;
    bool droppedAfter = false;
    std::size_t bytes = 0;
    std::size_t steps = 0;
    std::shared_ptr<const Recording> newest;

    void restart()
    {
        forward = {.direction = 1, .integration = {}, .full = {}, .open = {}, .status = {}};
        backward = {.direction = -1, .integration = {}, .full = {}, .open = {}, .status = {}};
        begin = end = origin.t0;
        droppedBefore = droppedAfter = false;
        bytes = steps = 0;
        newest.reset();
    }

    void append(Side& side, std::shared_ptr<const Interpolant> step)
    {
        StepChunk& open = side.open;
        if (open.steps.empty()) {
            open.begin = step->begin();
            open.ends.reserve(StepChunk::kSize);
            open.steps.reserve(StepChunk::kSize);
        }
        const std::size_t size = detail::estimatedBytes(*step);
        open.ends.push_back(step->end());
        (side.direction > 0 ? end : begin) = step->end();
        open.bytes += size;
        bytes += size;
        ++steps;
        open.steps.push_back(std::move(step));
        if (open.steps.size() == StepChunk::kSize) {
            side.full.push_back(std::make_shared<const StepChunk>(std::move(open)));
            open = {};
        }
    }

    // Gives up what lies farthest behind the side that grows.
    void trim(Side& growing)
    {
        Side& other = growing.direction > 0 ? backward : forward;
        double& edge = growing.direction > 0 ? begin : end;
        bool& dropped = growing.direction > 0 ? droppedBefore : droppedAfter;
        while (bytes > historyBytes) {
            if (!other.open.steps.empty()) {
                forget(other.open);
                edge = other.open.begin;
                other.open = {};
            } else if (!other.full.empty()) {
                forget(*other.full.back());
                edge = other.full.back()->begin;
                other.full.pop_back();
            } else if (growing.chunks() > 1) {
                forget(*growing.full.front());
                edge = growing.full.front()->end();
                growing.full.erase(growing.full.begin());
            } else {
                return;
            }
            dropped = true;
            other.status = {};
        }
    }

    void forget(const StepChunk& chunk)
    {
        bytes -= chunk.bytes;
        steps -= chunk.steps.size();
    }

    void advance(Side& side)
    {
        if (!side.status.ok())
            return;
        newest.reset();
        try {
            if (!side.integration)
                side.integration = system->integrate(method, origin.t0, origin.x0, options);
            const double before = side.integration->time();
            side.status = side.integration->advance(naturalLimit(before, side.direction, options));
            if (side.integration->time() != before)
                append(side, side.integration->interpolant());
            else if (side.status.ok())
                side.status =
                    Status::failed("stalled", fmt::format("The motion stands still at t = {}.", before));
        } catch (const std::exception& e) {
            side.status = Status::failed("failed", e.what());
        }
        trim(side);
    }

    StepChunks chunksOf(const Side& side) const
    {
        StepChunks chunks = side.full;
        if (!side.open.steps.empty())
            chunks.push_back(std::make_shared<const StepChunk>(side.open));
        return chunks;
    }
};

Recorder::Recorder(std::shared_ptr<const System> system, Origin origin, std::string method,
                   const IntegrationOptions& options, std::size_t historyBytes)
    : impl_(std::make_unique<Impl>())
{
    if (method.empty()) {
        const auto methods = system->methods();
        if (methods.empty())
            throw Error("the system offers no method to compute its motion with");
        method = methods.front().id;
    }
    impl_->forward.integration = system->integrate(method, origin.t0, origin.x0, options);
    impl_->system = std::move(system);
    impl_->begin = impl_->end = origin.t0;
    impl_->origin = std::move(origin);
    impl_->method = std::move(method);
    impl_->options = options;
    impl_->historyBytes = historyBytes;
}

Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

const std::shared_ptr<const System>& Recorder::system() const
{
    return impl_->system;
}

double Recorder::origin() const
{
    return impl_->origin.t0;
}

const State& Recorder::initialState() const
{
    return impl_->origin.x0;
}

const std::string& Recorder::method() const
{
    return impl_->method;
}

const IntegrationOptions& Recorder::options() const
{
    return impl_->options;
}

double Recorder::begin() const
{
    return impl_->begin;
}

double Recorder::end() const
{
    return impl_->end;
}

bool Recorder::settled(double t) const
{
    if (t > end())
        return !impl_->droppedAfter && !impl_->forward.status.ok();
    if (t < begin())
        return !impl_->droppedBefore && !impl_->backward.status.ok();
    return true;
}

void Recorder::stepTowards(double t)
{
    if (contains(t))
        return;
    if (t > end() ? impl_->droppedAfter : impl_->droppedBefore)
        impl_->restart();
    if (t > end())
        impl_->advance(impl_->forward);
    else if (t < begin())
        impl_->advance(impl_->backward);
}

void Recorder::extendTo(double t)
{
    while (!settled(t))
        stepTowards(t);
}

std::shared_ptr<const Recording> Recorder::recording()
{
    Impl& r = *impl_;
    if (!r.newest) {
        std::shared_ptr<Recording> made(new Recording);
        made->system_ = r.system;
        made->motion_ = r.motion;
        made->origin_ = r.origin.t0;
        made->x0_ = r.origin.x0;
        made->method_ = r.method;
        made->options_ = r.options;
        made->begin_ = r.begin;
        made->end_ = r.end;
        made->forwardStatus_ = r.forward.status;
        made->backwardStatus_ = r.backward.status;
        if (r.droppedBefore)
            made->droppedBefore_ = r.begin;
        if (r.droppedAfter)
            made->droppedAfter_ = r.end;
        made->steps_ = r.steps;
        made->bytes_ = r.bytes;
        made->forward_ = r.chunksOf(r.forward);
        made->backward_ = r.chunksOf(r.backward);
        r.newest = std::move(made);
    }
    return r.newest;
}

} // namespace casimir
