#include "core/engine/task_line.h"

#include <utility>

namespace casimir {

TaskLine::TaskLine() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

TaskLine::~TaskLine()
{
    forgetWaiting();
}

std::uint64_t TaskLine::post(std::string name, std::function<void()> task)
{
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!name.empty() && !waiting_.empty() && waiting_.back().name == name)
            waiting_.pop_back();
        number = ++numbers_;
        waiting_.push_back({number, std::move(name), std::move(task)});
    }
    wake_.notify_one();
    return number;
}

void TaskLine::forgetWaiting()
{
    {
        const std::lock_guard lock(mutex_);
        waiting_.clear();
    }
    done_.notify_all();
}

bool TaskLine::waitFor(std::uint64_t number, std::chrono::milliseconds patience)
{
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, patience, [&] { return settled(number); });
}

void TaskLine::waitUntilIdle()
{
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return settled(numbers_); });
}

bool TaskLine::settled(std::uint64_t number) const
{
    return (running_ == 0 || running_ > number) && (waiting_.empty() || waiting_.front().number > number);
}

void TaskLine::run(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
        Task task = std::move(waiting_.front());
        waiting_.pop_front();
        running_ = task.number;
        lock.unlock();
        task.run();
        task.run = nullptr; // what it holds goes before it counts as done
        lock.lock();
        running_ = 0;
        done_.notify_all();
    }
}

} // namespace casimir
