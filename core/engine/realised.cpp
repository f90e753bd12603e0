#include "core/engine/realised.h"

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/model/capabilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace casimir {

namespace {

bool knows(const System& system, const std::string& input)
{
    return std::any_of(system.inputs().begin(), system.inputs().end(),
                       [&input](const StateInput& known) { return known.quantity.id == input; });
}

std::string methodOf(const System& system, const std::string& wanted)
{
    const auto methods = system.methods();
    if (methods.empty())
        throw Error("the system offers no method to compute its motion with");
    if (wanted.empty())
        return std::string(methods.front().id);
    if (std::any_of(methods.begin(), methods.end(),
                    [&wanted](const MethodInfo& method) { return method.id == wanted; }))
        return wanted;
    std::vector<std::string> known;
    for (const MethodInfo& method : methods)
        known.emplace_back(method.id);
    throw Error(fmt::format("unknown method '{}'; {}", wanted, didYouMean(wanted, known)));
}

class Maker {
public:
    Maker(const Kind& kind, const Realised* before)
        : kind_(kind), before_(before && before->session->kind == kind.id ? before : nullptr)
    {
    }

    std::shared_ptr<const System> systemAt(const Values& values,
                                           const std::vector<RealisedMotion>& made) const
    {
        for (const auto* motions : {&made, before_ ? &before_->motions : nullptr})
            if (motions)
                for (const RealisedMotion& motion : *motions)
                    if (motion.system->values() == values)
                        return motion.system;
        return kind_.make(values);
    }

    // Whether the Motion runs as it did, so that it need not be taken up anew.
    bool goesOn(std::size_t i, const RealisedMotion& now, const Motion& motion) const
    {
        if (!before_ || i >= before_->motions.size())
            return false;
        const RealisedMotion& then = before_->motions[i];
        const Motion& was = before_->session->motions[i];
        return then.system == now.system && then.method == now.method && was.options == motion.options &&
               was.input == motion.input && was.from == motion.from;
    }

    void forgetLostStarts(std::size_t motion, const System& system, StateInputs& state) const
    {
        if (!before_ || motion >= before_->motions.size())
            return;
        const System& old = *before_->motions[motion].system;
        std::erase_if(
            state, [&](const auto& given) { return knows(old, given.first) && !knows(system, given.first); });
    }

private:
    const Kind& kind_;
    const Realised* before_;
};

} // namespace

std::shared_ptr<const Realised> realise(const Kind& kind, Session session, const Realised* before,
                                        const Present* present)
{
    if (session.motions.empty())
        throw Error("the session has no motion");
    const Maker maker(kind, before);
    auto made = std::make_shared<Realised>();
    for (std::size_t i = 0; i < session.motions.size(); ++i) {
        Motion& motion = session.motions[i];
        RealisedMotion realised;
        realised.system = maker.systemAt(valuesOf(kind, session, motion), made->motions);
        const System& system = *realised.system;
        realised.method = methodOf(system, motion.method);
        maker.forgetLostStarts(i, system, motion.state);
        realised.start = system.start(motion.state);
        if (present && i < present->motions.size() && !maker.goesOn(i, realised, motion)) {
            const auto& [old, x] = present->motions[i];
            motion.from.reset();
            if (present->t != 0)
                motion.from = segmentAt(system, present->t, system.carriedFrom(*old, present->t, x));
        }
        realised.origin = motion.from ? Recorder::Origin{motion.from->t, stateOf(system, *motion.from)}
                                      : Recorder::Origin{0, realised.start};
        // An input that nobody listens to any more is not kept.
        if (const auto* led = capability<HasLiveInput>(system); !led || !led->liveChannel().listening)
            motion.input.reset();
        made->motions.push_back(std::move(realised));
    }
    for (const Alias& alias : kind.schema.aliases())
        made->aliases[alias.description.id] =
            alias.read(session.values).value_or(std::numeric_limits<double>::quiet_NaN());
    for (const StateInputs& ghost : session.ghosts) {
        made->ghosts.emplace_back();
        try {
            made->ghosts.back() = made->leading().system->start(ghost);
        } catch (const Error&) {
            // The present values do not allow it.
        }
    }
    made->session = std::make_shared<const Session>(std::move(session));
    return made;
}

std::shared_ptr<const Realised> withSession(const Realised& realised, Session session)
{
    auto made = std::make_shared<Realised>(realised);
    made->session = std::make_shared<const Session>(std::move(session));
    return made;
}

} // namespace casimir
