// Where the simulation takes its time from: the machine's steady clock, or a clock that a test moves by hand.
#pragma once

#include <condition_variable>
#include <mutex>

namespace casimir {

class Clock {
public:
    virtual ~Clock() = default;
    virtual double now() = 0; // s, never going back
    // Waits until the time `until`, or until `condition` is notified, or for no reason.
    virtual void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& condition,
                      double until) = 0;
};

class SteadyClock : public Clock {
public:
    double now() override;
    void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& condition, double until) override;
};

} // namespace casimir
