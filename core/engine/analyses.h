// The analysis workers: a pool of threads and channels that ask it questions. A channel has at most one
// running and one waiting request, so that a person who drags is always shown an answer that is nearly new.
// What is computed is the channel's business.
#pragma once

#include "core/base/error.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace casimir {

enum class Policy {
    Interactive, // what runs is finished and published, so that a drag is followed; goes before long work
    Long         // what runs is cancelled by a newer request; publishes coarse to fine
};

namespace detail {
class PoolState;
} // namespace detail

class AnalysisPool {
public:
    // `published` is called after each publication by the thread that published: a worker, or the one that
    // made a request whose answer was known already. Of two or more threads one is always kept for
    // interactive work.
    AnalysisPool(int threads, std::function<void()> published);
    // Cancels what runs, forgets what waits, and joins. Channels may outlive the pool; they are not answered
    // any more.
    ~AnalysisPool();
    AnalysisPool(const AnalysisPool&) = delete;
    AnalysisPool& operator=(const AnalysisPool&) = delete;

    // Returns when nothing runs or waits.
    void waitUntilIdle();
    // Processor time of the workers in all tasks that ended.
    double processorSeconds() const;

private:
    template <class T>
    friend class AnalysisChannel;
    std::shared_ptr<detail::PoolState> state_;
};

namespace detail {

// What channels need of the pool, alive as long as any of them.
class PoolState {
public:
    PoolState(int threads, std::function<void()> published);
    ~PoolState();
    void submit(Policy policy, std::function<void()> task);
    void announce() const;
    bool stopping() const { return stopping_.load(std::memory_order_relaxed); }
    void stop();
    void waitUntilIdle();
    double processorSeconds() const;

private:
    struct Workers;
    std::atomic<bool> stopping_ = false;
    std::function<void()> published_;
    std::unique_ptr<Workers> workers_;
};

} // namespace detail

// An answer, or the latest stage of one.
template <class T>
struct Finding {
    std::uint64_t number = 0; // of the newest request that this answers
    std::string inputKey;
    std::shared_ptr<const T> value; // null where `error` says why there is none
    double progress = 0;            // 0 to 1
    bool final = false;
    std::string error;
};

// What a running job may ask and say.
template <class T>
class JobContext {
public:
    // True when nobody wants the answer any more: return anything, soon.
    bool cancelled() const { return cancelled_(); }
    // An answer complete in itself that a finer one will replace.
    void publish(T value, double progress) { publish_(std::move(value), progress); }

private:
    template <class U>
    friend class AnalysisChannel;
    std::function<bool()> cancelled_;
    std::function<void(T, double)> publish_;
};

template <class T>
class AnalysisChannel {
public:
    using Job = std::function<T(JobContext<T>&)>;

    AnalysisChannel(AnalysisPool& pool, Policy policy);
    ~AnalysisChannel() { cancel(); }
    AnalysisChannel(const AnalysisChannel&) = delete;
    AnalysisChannel& operator=(const AnalysisChannel&) = delete;

    // `number` (of the Session) must not go backwards. `inputKey` says all that the answer depends on: where
    // it equals that of the newest complete answer, or of what runs or waits, nothing is computed twice. An
    // Error thrown by the job becomes the Finding's sentence.
    void request(std::uint64_t number, std::string inputKey, Job job);

    // The newest; null before the first. Numbers never go backwards.
    std::shared_ptr<const Finding<T>> newest() const;

    // Forgets what waits and cancels what runs, of either policy; what was published remains.
    void cancel();

    bool busy() const; // something runs or waits
    long jobsRun() const;

private:
    struct Request {
        std::uint64_t number;
        std::uint64_t order; // of the requests of this channel, as several may have one number
        std::string inputKey;
        Job job;
        std::shared_ptr<std::atomic<bool>> abandoned;
    };

    struct Shared {
        Shared(std::shared_ptr<detail::PoolState> p, Policy how) : pool(std::move(p)), policy(how) {}
        const std::shared_ptr<detail::PoolState> pool;
        const Policy policy;
        mutable std::mutex mutex;
        std::optional<Request> running;
        std::optional<Request> waiting;
        bool submitted = false; // a task of ours is queued or runs
        std::uint64_t requests = 0;
        std::uint64_t newestNumber = 0;
        std::uint64_t newestOrder = 0;
        std::shared_ptr<const Finding<T>> newest;
        long jobsRun = 0;
    };

    static void runOne(const std::shared_ptr<Shared>& shared);
    static void publish(Shared& shared, const std::atomic<bool>& abandoned, std::shared_ptr<const T> value,
                        double progress, bool final, std::string error);

    std::shared_ptr<Shared> shared_;
};

template <class T>
AnalysisChannel<T>::AnalysisChannel(AnalysisPool& pool, Policy policy)
    : shared_(std::make_shared<Shared>(pool.state_, policy))
{
}

template <class T>
void AnalysisChannel<T>::request(std::uint64_t number, std::string inputKey, Job job)
{
    Shared& shared = *shared_;
    bool submit = false;
    {
        const std::lock_guard lock(shared.mutex);
        if (number < shared.newestNumber)
            throw Error("the request " + std::to_string(number) + " comes after " +
                        std::to_string(shared.newestNumber));
        shared.newestNumber = number;
        const std::uint64_t order = ++shared.requests;
        std::optional<Request>& running = shared.running;
        const bool runs = running && !*running->abandoned;
        const bool known = shared.newest && shared.newest->final && shared.newest->inputKey == inputKey;
        shared.waiting.reset();
        if (known) {
            auto again = std::make_shared<Finding<T>>(*shared.newest);
            again->number = number;
            shared.newest = std::move(again);
            shared.newestOrder = order;
            if (runs && shared.policy == Policy::Long)
                *running->abandoned = true;
        } else if (runs && running->inputKey == inputKey) {
            running->number = number;
            running->order = order;
            return;
        } else {
            if (runs && shared.policy == Policy::Long)
                *running->abandoned = true;
            shared.waiting = Request{number, order, std::move(inputKey), std::move(job),
                                     std::make_shared<std::atomic<bool>>(false)};
            submit = !std::exchange(shared.submitted, true);
        }
        if (!known && !submit)
            return;
    }
    if (submit)
        shared.pool->submit(shared.policy, [s = shared_] { runOne(s); });
    else
        shared.pool->announce();
}

template <class T>
void AnalysisChannel<T>::runOne(const std::shared_ptr<Shared>& shared)
{
    Job job;
    std::shared_ptr<std::atomic<bool>> abandoned;
    {
        const std::lock_guard lock(shared->mutex);
        if (!shared->waiting) {
            shared->submitted = false;
            return;
        }
        shared->running = std::exchange(shared->waiting, std::nullopt);
        ++shared->jobsRun;
        job = std::move(shared->running->job);
        abandoned = shared->running->abandoned;
    }

    JobContext<T> context;
    context.cancelled_ = [&] { return *abandoned || shared->pool->stopping(); };
    context.publish_ = [&](T value, double progress) {
        publish(*shared, *abandoned, std::make_shared<const T>(std::move(value)), progress, false, {});
    };
    std::shared_ptr<const T> value;
    std::string error;
    try {
        value = std::make_shared<const T>(job(context));
    } catch (const std::exception& e) {
        error = e.what();
    }
    publish(*shared, *abandoned, std::move(value), 1, true, std::move(error));

    bool more = false;
    {
        const std::lock_guard lock(shared->mutex);
        shared->running.reset();
        more = shared->waiting.has_value();
        shared->submitted = more;
    }
    if (more)
        shared->pool->submit(shared->policy, [shared] { runOne(shared); });
}

template <class T>
void AnalysisChannel<T>::publish(Shared& shared, const std::atomic<bool>& abandoned,
                                 std::shared_ptr<const T> value, double progress, bool final,
                                 std::string error)
{
    {
        const std::lock_guard lock(shared.mutex);
        const Request& running = *shared.running;
        if (abandoned || shared.pool->stopping() || running.order < shared.newestOrder)
            return;
        shared.newestOrder = running.order;
        shared.newest = std::make_shared<const Finding<T>>(Finding<T>{
            running.number, running.inputKey, std::move(value), progress, final, std::move(error)});
    }
    shared.pool->announce();
}

template <class T>
std::shared_ptr<const Finding<T>> AnalysisChannel<T>::newest() const
{
    const std::lock_guard lock(shared_->mutex);
    return shared_->newest;
}

template <class T>
void AnalysisChannel<T>::cancel()
{
    const std::lock_guard lock(shared_->mutex);
    shared_->waiting.reset();
    if (shared_->running)
        *shared_->running->abandoned = true;
}

template <class T>
bool AnalysisChannel<T>::busy() const
{
    const std::lock_guard lock(shared_->mutex);
    return shared_->waiting || (shared_->running && !*shared_->running->abandoned);
}

template <class T>
long AnalysisChannel<T>::jobsRun() const
{
    const std::lock_guard lock(shared_->mutex);
    return shared_->jobsRun;
}

} // namespace casimir
