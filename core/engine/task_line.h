// One thread that does one thing after the other, in the order in which they were asked for.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace casimir {

class TaskLine {
public:
    TaskLine();
    // What was not begun is forgotten; what runs is finished.
    ~TaskLine();
    TaskLine(const TaskLine&) = delete;
    TaskLine& operator=(const TaskLine&) = delete;

    // A task that waits at the end of the line under the same name, if that is not empty, is replaced: of a
    // slider that moves faster than it can be followed the newest place counts. Tasks must not throw. Returns
    // the number of the task.
    std::uint64_t post(std::string name, std::function<void()> task);
    void forgetWaiting();
    // Whether the task and all before it were done, or forgotten, within this time.
    bool waitFor(std::uint64_t number, std::chrono::milliseconds patience);
    void waitUntilIdle();

private:
    struct Task {
        std::uint64_t number;
        std::string name;
        std::function<void()> run;
    };

    void run(const std::stop_token& stop);
    bool settled(std::uint64_t number) const;

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable done_;
    std::deque<Task> waiting_;
    std::uint64_t numbers_ = 0;
    std::uint64_t running_ = 0; // 0: none
    std::jthread thread_;       // last: it starts when all else is there
};

} // namespace casimir
