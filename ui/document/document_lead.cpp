// What a person leads while the motion runs: taking it, leading it, handing it over.
#include "ui/document/document.h"

#include "core/model/error.h"
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
    const auto& input = session_->motions.front().options.input;
    if (!input)
        return Lead::Ready;
    const bool here = input->end() - snapshot_->t <= hearingDelay * std::max(1.0, session_->run.speed);
    return input->live() && here ? Lead::Live : Lead::Replayed;
}

bool Document::takeLead()
{
    const auto channel = liveChannel();
    if (!channel)
        return false;
    Session session = *session_;
    try {
        if (!channel->listening)
            session.values = kind().schema.with(session.values, channel->taken);
        carryPresentState(session);
        for (Motion& motion : session.motions) {
            const auto its = kind().make(valuesOf(kind(), session, motion));
            const auto* led = capability<HasLiveInput>(*its);
            motion.options.input.reset();
            if (led && led->liveChannel().listening)
                motion.options.input = std::make_shared<LiveInput>(LiveInput::startingAt(
                    its->quantity(led->liveChannel().quantity, 0, its->start(motion.state))));
        }
    } catch (const Error& error) {
        Q_EMIT refused({}, QString::fromUtf8(error.what()));
        return false;
    }
    if (!commit(std::move(session), QString::fromStdString(channel->take), {}))
        return false;
    simulation_->setReverse(false);
    simulation_->play();
    return true;
}

void Document::leadTo(double value)
{
    simulation_->setInput(value);
}

bool Document::handOver()
{
    const auto channel = liveChannel();
    if (!channel || !channel->listening)
        return false;
    Session session = *session_;
    try {
        session.values = kind().schema.with(session.values, channel->handedOver);
    } catch (const Error& error) {
        Q_EMIT refused({}, QString::fromUtf8(error.what()));
        return false;
    }
    carryPresentState(session);
    // What was led so far is a recording from now on, also when this is undone.
    for (const Motion& motion : session_->motions)
        if (motion.options.input)
            motion.options.input->finish();
    return commit(std::move(session), QString::fromStdString(channel->handOver), {});
}

} // namespace casimir
