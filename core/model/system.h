// System: one mechanical system at fixed parameter values, as the rest of the program sees it. Immutable and
// safe to share between threads. What only some systems can do is a capability (capabilities.h).
#pragma once

#include "core/model/analysis.h"
#include "core/model/parameter.h"
#include "core/model/plot.h"
#include "core/model/scene.h"
#include "core/model/value.h"
#include "core/numerics/events.h"
#include "core/numerics/integration.h"
#include "core/numerics/methods.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

struct Kind;

// One number by which a person gives a starting state. The coordinates of the state vector may be others: two
// bodies start from (θ, ν, θ1) and move in (θ, μ1, μ2, θ1).
struct StateInput {
    Quantity quantity;
    double defaultValue = 0;
    Range range = {};
};

// id -> number, in the order of System::inputs().
using StateInputs = std::vector<std::pair<std::string, double>>;

// A Plot the system offers, under the name of its view.
struct PlotInfo {
    std::string id;
    std::string title;
    std::string embeddedView =
        {};                      // the 3D view that shows the same plot on its surface: "cylinder", "sphere"
    std::string reliefView = {}; // the 3D view in which the plot's field is a height: "landscape"
    bool followsState = false;   // track() moves something in it
    bool picksState = false;     // a click can set the state
    bool longRunning = false;    // computed coarse to fine, cancellable
    bool followsStart = false;   // depends on the start of the leading Motion: computed anew when it moves
    bool followsWindow = false;  // computed anew for the part that is seen, finer there
    // What may be chosen about the picture without touching the system: the parameter along an axis, the
    // number of orbits. Real, Integer or Choice; kept with the Session under "plot.option".
    std::vector<Parameter> options = {};
};

// A part of a plot, in the values of its axes.
struct PlotWindow {
    double xMin = 0, xMax = 1, yMin = 0, yMax = 1;
    bool operator==(const PlotWindow&) const = default;
};
// As the Session keeps it: "xMin xMax yMin yMax"; none where the text is something else.
std::optional<PlotWindow> plotWindow(std::string_view text);

// One picture asked for.
struct PlotRequest {
    std::string id;
    Values options = {};                   // one value for each of PlotInfo::options
    StateInputs start = {};                // of the leading Motion
    std::optional<PlotWindow> window = {}; // the part that is seen; none: all of it
    // Of a long computation: true when nobody wants the answer any more, and where a coarser answer, complete
    // in itself, is shown meanwhile. Either may be empty.
    std::function<bool()> cancelled = {};
    std::function<void(Plot, double progress)> publish = {};
};

// What the present thread asked of systems so far: how tests see that the thread of the widgets asks nothing.
struct Work {
    long systems = 0; // made
    long starts = 0;  // solved for
    long poses = 0;
};
Work& workOfThisThread();

class System : public std::enable_shared_from_this<System> {
public:
    System(const Kind& kind, Values values);
    virtual ~System();
    System(const System&) = delete;
    System& operator=(const System&) = delete;

    const Kind& kind() const { return *kind_; }
    const Values& values() const { return values_; }

    // The components of the state vector, and the numbers that give a start.
    const std::vector<Quantity>& coordinates() const { return coordinates_; }
    const std::vector<StateInput>& inputs() const { return inputs_; }

    // The state given by these inputs, defaults for the rest. Throws Error: unknown id, out of range,
    // inconsistent.
    State start(const StateInputs& given) const;
    virtual StateInputs inputsOf(const State& x) const = 0;
    // The state that continues one of the same kind at other values: positions and rates go on, to the order
    // of the change. Here the inputs that both know are kept; a system whose inputs do not tell its whole
    // state has a way of its own.
    virtual State carriedFrom(const System& other, double t, const State& x) const;

    // What can be shown along a motion, in the order of the CSV columns after t.
    const std::vector<Quantity>& quantities() const { return quantities_; }
    virtual void evaluate(double t, const State& x, std::span<double> out) const = 0;
    double quantity(std::string_view id, double t, const State& x) const;

    // The motion. A system without a vector field of its own overrides methods() and integrate().
    virtual bool hasField() const { return true; }
    virtual void field(double t, const State& x, State& dxdt) const;
    virtual std::vector<TerminalEvent> events() const { return {}; }
    // Brings a state back to where it must lie (unit quaternions, a constraint); called after every accepted
    // step.
    virtual bool projects() const { return false; }
    virtual void project(State& x) const;
    // The methods offered, the default first.
    virtual std::vector<MethodInfo> methods() const;
    virtual std::unique_ptr<Integration> integrate(std::string_view method, double t0, const State& x0,
                                                   const IntegrationOptions& options) const;

    virtual Scene scene() const { return {}; }
    void pose(double t, const State& x, Pose& out) const;

    virtual std::vector<PlotInfo> plots() const { return {}; }
    virtual Plot plot(const PlotRequest& request) const;
    Plot plot(std::string_view id) const; // with its default options, from the default start
    virtual void track(std::string_view plotId, double t, const State& x, PlotTrack& out) const;
    // The inputs that a click at (x, y) of a plot asks for, the rest as `present` has them; empty where it
    // asks for nothing.
    virtual StateInputs pick(std::string_view plotId, double x, double y, const StateInputs& present) const;

    // The same with the choices made about the picture in mind, where they decide; `request.start` is the
    // present state.
    virtual StateInputs pickFrom(const PlotRequest& request, double x, double y) const;

    virtual std::vector<Question> questions() const { return {}; }
    virtual Analysis analyze(const Answers& answers) const = 0;
    // The same with a start in mind: where analysisFollowsStart(), the answers speak of the motion from there
    // (its energy, where it ends), and analyze() of the motion from the default start.
    virtual bool analysisFollowsStart() const { return false; }
    virtual Analysis analyzeFrom(const StateInputs& start, const Answers& answers) const;
    // The addresses of the parameters whose branches and map say most at these values, and what of the
    // equilibria is drawn upwards; empty: what serves most systems.
    struct UsualAxes {
        std::string along, upwards; // of the branches
        std::string x, y;           // of the map
    };
    virtual UsualAxes usualAxes() const { return {}; }
    // False where analyze() never lists equilibria: then the views of their spectrum and branches are absent.
    virtual bool hasEquilibria() const { return true; }

protected:
    // The state at a full set of inputs, each within its range.
    virtual State startAt(const std::vector<double>& inputs) const = 0;
    // All inputs: those that the other system knows too as its state has them, defaults for the rest.
    std::vector<double> inputsFrom(const System& other, const State& x) const;

    virtual void poseAt(double t, const State& x, Pose& out) const;

    // Filled by the constructor of the derived class.
    std::vector<Quantity> coordinates_;
    std::vector<StateInput> inputs_;
    std::vector<Quantity> quantities_;

private:
    const Kind* kind_;
    Values values_;
};

// The options of a plot as a person gave them ("x" -> "kappa"), defaults for the rest; throws Error.
Values plotOptions(const PlotInfo& info, const std::map<std::string, std::string>& given);

} // namespace casimir
