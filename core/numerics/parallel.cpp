#include "core/numerics/parallel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace casimir {

bool runOnAllCores(int count, const std::function<void(int, const std::atomic<bool>&)>& task,
                   const std::function<bool(double)>& report)
{
    std::atomic<bool> stop = false;
    std::atomic<int> next = 0, done = 0;
    std::mutex mutex;
    std::condition_variable ended;
    std::exception_ptr thrown;
    int working = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, std::max(count, 1));
    const auto work = [&] {
        try {
            for (int i = next++; i < count && !stop; i = next++) {
                task(i, stop);
                ++done;
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            thrown = std::current_exception();
            stop = true;
        }
        const std::lock_guard lock(mutex);
        --working;
        ended.notify_one();
    };
    std::vector<std::jthread> threads; // joined however this ends
    for (int k = working; k > 0; --k)
        threads.emplace_back(work);
    try {
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, std::chrono::milliseconds(80), [&] { return working == 0; })) {
            lock.unlock();
            if (report && !report(static_cast<double>(done) / count))
                stop = true;
            lock.lock();
        }
    } catch (...) {
        stop = true;
        throw;
    }
    if (thrown)
        std::rethrow_exception(thrown);
    return done == count;
}

} // namespace casimir
