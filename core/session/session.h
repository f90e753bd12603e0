// Session: everything a user chose, as one plain value: the kind, its values, the Motions, how to run, what
// to see. The window's document is a Session with an undo stack; the command line builds the same Session
// from its arguments.
#pragma once

#include "core/model/kind.h"
#include "core/model/value.h"
#include "core/numerics/integration.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace casimir {

// One run of the system. All Motions of a Session share one clock; the first leads.
struct Motion {
    std::string label;
    std::string method;                // empty: the system's default
    StateInputs state;                 // inputs not named keep their defaults
    std::vector<Assignment> overrides; // parameter values that differ from the Session's
    IntegrationOptions options = {};
    bool visible = true;
    int colour = 0; // index into the palette of Motions
};

struct RunOptions {
    double tEnd = 100; // s, where loop playback ends and a batch run stops
    double speed = 1;  // seconds of motion per second of clock
    bool loop = false;
};

// Limits of a slider that a person changed.
struct SliderLimits {
    double min = 0, max = 1;
    bool operator==(const SliderLimits&) const = default;
};

// A visible view and where it stands in the window: "centre", "left", "right", "top", "bottom", "floating",
// "with V" for one that shares its place with the view V listed before it, or empty for the usual place. How
// wide and how high is no part of a Session.
struct ShownView {
    std::string id;
    std::string place = {};
    bool operator==(const ShownView&) const = default;
};

struct Session {
    // An older one is migrated when it is read (session_migration.h).
    static constexpr int formatVersion = 2;

    std::string kind;
    std::string title;
    std::string about; // what is worth seeing here, a sentence or two
    Values values;
    std::vector<Motion> motions;
    RunOptions run;
    std::vector<ShownView> views;               // in order
    std::map<std::string, std::string> options; // of views, by "view.option": "stage.frame" -> "body-1"
    std::map<std::string, SliderLimits> limits; // by parameter address
    std::vector<StateInputs> ghosts;            // orbits kept for comparison
    std::string notes;
};

bool operator==(const Motion& a, const Motion& b);
bool operator==(const Session& a, const Session& b);

// A session of the kind at its defaults, with one Motion.
Session defaultSession(const Kind& kind);

// The values of a Motion: the Session's with the Motion's overrides. Throws Error.
Values valuesOf(const Kind& kind, const Session& session, const Motion& motion);

// After a change of values: forgets starts given for what is no longer there, such as the angle of a body
// that was removed. Nothing is looked at where only numbers differ from the values `before`.
void forgetLostStarts(const Kind& kind, Session& session, const Values& before);

} // namespace casimir
