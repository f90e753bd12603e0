// A clock that stands still until a test moves it. Reading it may cost time, as if the machine were slow.
#pragma once

#include "core/engine/simulation.h"

#include <mutex>

namespace casimir::test {

class HandClock : public Clock {
public:
    double now() override
    {
        const std::lock_guard lock(mutex_);
        return now_ += costOfReading_;
    }

    void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& condition, double) override
    {
        condition.wait(lock);
    }

    void advance(double dt)
    {
        const std::lock_guard lock(mutex_);
        now_ += dt;
    }

    void setCostOfReading(double cost)
    {
        const std::lock_guard lock(mutex_);
        costOfReading_ = cost;
    }

private:
    std::mutex mutex_;
    double now_ = 0;
    double costOfReading_ = 0;
};

// Lets `frames` frames pass, each answered before the next. A hair more than a frame, so that rounding skips
// none.
inline void play(Simulation& simulation, HandClock& clock, int frames)
{
    for (int i = 0; i < frames; ++i) {
        clock.advance(Simulation::kFrame * (1 + 1e-9));
        simulation.waitUntilIdle();
    }
}

} // namespace casimir::test
