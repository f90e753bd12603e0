#include "core/engine/clock.h"

#include <chrono>

namespace casimir {

namespace {

using Steady = std::chrono::steady_clock;

} // namespace

double SteadyClock::now()
{
    return std::chrono::duration<double>(Steady::now().time_since_epoch()).count();
}

void SteadyClock::wait(std::unique_lock<std::mutex>& lock, std::condition_variable& condition, double until)
{
    condition.wait_for(lock, std::chrono::duration<double>(until - now()));
}

} // namespace casimir
