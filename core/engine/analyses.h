// The analysis workers: a pool of threads and channels that ask it questions. A channel has at most one
// running and one waiting request, so that a person who drags is always shown an answer that is nearly new.
// What is computed is the channel's business.
#pragma once

#include "core/model/error.h"

#include <atomic>
#include <cstdint>
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
        std::uint64_t newestRequest = 0;
        std::shared_ptr<const Finding<T>> newest;
        long jobsRun = 0;
    };

    static void runOne(const std::shared_ptr<Shared>& shared);
    static bool publish(Shared& shared, const std::atomic<bool>& abandoned, std::shared_ptr<const T> value,
                        double progress, bool final, std::string error);

    std::shared_ptr<Shared> shared_;
};

} // namespace casimir

#include "core/engine/analysis_channel.inl"
