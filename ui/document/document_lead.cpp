// What a person leads while the motion runs: taking it, leading it, handing it over.
#include "ui/document/document.h"

#include "core/base/error.h"
#include "core/model/live_input.h"

#include <algorithm>

namespace casimir {

namespace {

// The window hears of the clock a moment after the engine: an input that ends this much later, in seconds at
// the natural pace, is still being led.
constexpr double hearingDelay = 0.25;

} // namespace

std::optional<LiveChannel> Document::liveChannel() const
{
    const auto* led = capability<HasLiveInput>(*system());
    return led ? std::optional(led->liveChannel()) : std::nullopt;
}

Document::Lead Document::lead() const
{
    const auto channel = liveChannel();
    if (!channel || !channel->listening)
        return Lead::None;
    const auto& input = session().motions.front().input;
    if (!input)
        return Lead::Ready;
    if (!input->live)
        return Lead::Replayed;
    const auto led =
        snapshot_->motions.empty() ? nullptr : snapshot_->motions.front().recording->options().input;
    const double heard = snapshot_->t + hearingDelay * std::max(1.0, session().run.speed);
    return !led || led->end() <= heard ? Lead::Live : Lead::Replayed;
}

void Document::leadTo(double value)
{
    simulation_->setInput(value);
}

} // namespace casimir
