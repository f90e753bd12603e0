// A Session with what its values make: systems, the states its Motions begin with, what its aliases read.
// Made once for each change, by whoever has the time for it, and shared by the undo stack, the simulation and
// the analyses: none of them makes a System of its own.
#pragma once

#include "core/engine/recording.h"
#include "core/session/session.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace casimir {

using KindLookup = std::function<const Kind&(const std::string& id)>;

struct RealisedMotion {
    std::shared_ptr<const System> system;
    std::string method;      // the id in use, also where the Session leaves it to the system
    State start;             // what the person gave, at t = 0
    Recorder::Origin origin; // where the motion is taken up: at its start, or after a change while it ran
};

struct Realised {
    std::shared_ptr<const Session> session;
    std::vector<RealisedMotion> motions;
    std::map<std::string, double> aliases;    // NaN where one has no value
    std::vector<std::optional<State>> ghosts; // the Session's, where the leading system allows them

    const RealisedMotion& leading() const { return motions.front(); }
};

// Where the Motions of a Session are at one time.
struct Present {
    struct At {
        std::shared_ptr<const System> system;
        State state;
    };
    double t = 0;
    std::vector<At> motions;
};

// Throws Error where the kind refuses values, a start, a method or a segment.
// `before` is what stood there before the change: systems whose values are the same are kept, and starts
// given for what is no longer there (the angle of a body that was removed) are forgotten. With `present`
// every Motion that is computed otherwise than before goes on from where it is, as its new system carries it
// over; at t = 0 it starts anew.
std::shared_ptr<const Realised> realise(const Kind& kind, Session session, const Realised* before = nullptr,
                                        const Present* present = nullptr);

// The same systems and states for a Session that differs in nothing they depend on.
std::shared_ptr<const Realised> withSession(const Realised& realised, Session session);

} // namespace casimir
