// Session: everything a user chose, as one plain value: the kind, its values, the Motions, how to run, what
// to see. The window's document is a Session with an undo stack; the command line builds the same Session
// from its arguments.
#pragma once

#include "core/model/kind.h"
#include "core/model/live_input.h"
#include "core/model/value.h"
#include "core/numerics/integration.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace casimir {

// How exactly a Motion is computed: what a person chooses of IntegrationOptions.
struct Accuracy {
    double rtol = IntegrationOptions{}.rtol;
    double step = IntegrationOptions{}.step;
    bool operator==(const Accuracy&) const = default;
};

// What a hand led, as samples over the time of the Motion. While `live` the engine takes more of them, from
// the last one on; a recording is replayed.
struct HandInput {
    std::vector<InputSample> samples;
    bool live = false;
    bool operator==(const HandInput&) const = default;
};

// Where a Motion was taken up after its values changed while it ran: its time, and its state by coordinate.
struct Segment {
    double t = 0;
    std::vector<std::pair<std::string, double>> state;
    bool operator==(const Segment&) const = default;
};

// One run of the system. All Motions of a Session share one clock; the first leads.
struct Motion {
    std::string label;
    std::string method;                // empty: the system's default
    StateInputs state;                 // the start a person gave; inputs not named keep their defaults
    std::optional<Segment> from = {};  // none: the motion runs from its start
    std::vector<Assignment> overrides; // parameter values that differ from the Session's
    Accuracy options = {};
    std::optional<HandInput> input = {};
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

// What the Motion's methods are called with; a live input is the engine's to make.
IntegrationOptions integrationOptions(const Motion& motion);

// A state by coordinate, and back; stateOf throws Error where it is not one of the system's.
Segment segmentAt(const System& system, double t, const State& x);
State stateOf(const System& system, const Segment& segment);
// As inputs, where the motion runs from: the start a person gave, or where parameters were changed on the
// way. What is said beside a motion, its orbit for instance, is said of the motion from there.
StateInputs runsFrom(const System& system, const Motion& motion);

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
