#include "core/engine/analyses.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <thread>
#include <vector>

namespace casimir {

namespace {

double threadSeconds()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace

namespace detail {

struct PoolState::Workers {
    std::mutex mutex;
    std::condition_variable wake;
    std::condition_variable idle;
    std::deque<std::function<void()>> interactive;
    std::deque<std::function<void()>> longOnes;
    int running = 0;
    int longRunning = 0;
    int longAtOnce = 1;
    bool stopping = false;
    double seconds = 0;
    std::vector<std::jthread> threads;

    bool mayStartLong() const { return !longOnes.empty() && longRunning < longAtOnce; }

    void work()
    {
        std::unique_lock lock(mutex);
        for (;;) {
            wake.wait(lock, [this] { return stopping || !interactive.empty() || mayStartLong(); });
            if (stopping)
                return;
            const bool isLong = interactive.empty();
            auto& queue = isLong ? longOnes : interactive;
            std::function<void()> task = std::move(queue.front());
            queue.pop_front();
            ++running;
            longRunning += isLong ? 1 : 0;
            lock.unlock();
            const double begin = threadSeconds();
            task();
            task = nullptr;
            const double end = threadSeconds();
            lock.lock();
            seconds += end - begin;
            --running;
            longRunning -= isLong ? 1 : 0;
            if (isLong)
                wake.notify_all();
            if (running == 0 && interactive.empty() && longOnes.empty())
                idle.notify_all();
        }
    }
};

PoolState::PoolState(int threads, std::function<void()> published)
    : published_(std::move(published)), workers_(std::make_unique<Workers>())
{
    if (threads < 1)
        throw Error(fmt::format("{} threads were asked for; there must be at least 1", threads));
    workers_->longAtOnce = std::max(1, threads - 1);
    for (int i = 0; i < threads; ++i)
        workers_->threads.emplace_back([w = workers_.get()] { w->work(); });
}

PoolState::~PoolState() = default;

void PoolState::submit(Policy policy, std::function<void()> task)
{
    {
        const std::lock_guard lock(workers_->mutex);
        if (workers_->stopping)
            return;
        (policy == Policy::Long ? workers_->longOnes : workers_->interactive).push_back(std::move(task));
    }
    workers_->wake.notify_one();
}

void PoolState::announce() const
{
    if (published_ && !stopping())
        published_();
}

void PoolState::stop()
{
    std::deque<std::function<void()>> forgotten[2];
    {
        const std::lock_guard lock(workers_->mutex);
        // Before what runs is told, so that it is followed by nothing.
        workers_->stopping = true;
        stopping_.store(true, std::memory_order_relaxed);
        forgotten[0].swap(workers_->interactive);
        forgotten[1].swap(workers_->longOnes);
    }
    workers_->wake.notify_all();
    workers_->threads.clear();
}

void PoolState::waitUntilIdle()
{
    std::unique_lock lock(workers_->mutex);
    workers_->idle.wait(lock, [this] {
        return workers_->running == 0 && workers_->interactive.empty() && workers_->longOnes.empty();
    });
}

double PoolState::processorSeconds() const
{
    const std::lock_guard lock(workers_->mutex);
    return workers_->seconds;
}

} // namespace detail

AnalysisPool::AnalysisPool(int threads, std::function<void()> published)
    : state_(std::make_shared<detail::PoolState>(threads, std::move(published)))
{
}

AnalysisPool::~AnalysisPool()
{
    state_->stop();
}

void AnalysisPool::waitUntilIdle()
{
    state_->waitUntilIdle();
}

double AnalysisPool::processorSeconds() const
{
    return state_->processorSeconds();
}

} // namespace casimir
