// Capabilities: what some systems can do and others cannot. A system has one by deriving from it;
// `capability<C>(system)` asks. A view appears when the system has its capability.
#pragma once

#include "core/model/analysis.h"
#include "core/model/plot.h"
#include "core/model/system.h"

namespace casimir {

template <class C>
const C* capability(const System& system)
{
    return dynamic_cast<const C*>(&system);
}

// The complete orbit through a state, known without running it: two bodies' level curve with its period and
// phase.
struct Orbit {
    std::string kind;            // "libration", "rotation", "homoclinic", "equilibrium"
    std::vector<Polyline> lines; // in the coordinates of the plot that was asked
    std::vector<Fact> facts;     // period, turning angle, rotation per period
};

class HasOrbits {
public:
    virtual ~HasOrbits() = default;
    virtual std::string orbitPlot() const = 0; // the id of the plot whose coordinates Orbit::lines are in
    virtual Orbit orbitThrough(const State& x) const = 0;
};

// A reduced form (the method "reduced") in which a quantity of the system, not time, is the independent
// variable.
class HasReducedForm {
public:
    virtual ~HasReducedForm() = default;
    virtual std::string independentQuantity() const = 0;
    virtual double independentRate(const State& x) const = 0; // its time derivative
    // A run from x0 whose "time" is that quantity, beginning at its value in x0, and whose state is the
    // system's followed by the time, counted from 0. Throws Error where the form does not apply at x0.
    virtual std::unique_ptr<Integration> integrateBy(const State& x0,
                                                     const IntegrationOptions& options) const = 0;
};

// A motion held on a constraint set by forces of given directions: X_H = X_D + X_W at one state, in the
// phase space where the constraint is imposed. That may be larger than the state space of the system, which
// can have the constraint built in.
struct ConstraintReport {
    std::vector<Quantity> coordinates; // of the phase space
    Eigen::VectorXd free;              // X_H
    Eigen::VectorXd constrained;       // X_D, the motion
    Eigen::VectorXd force;             // -X_W
    double smallestSingularValue = 0;  // 0: a force that may act points along the constraint set
    double residual = 0;               // how far off the constraint set the state is
    Status status;                     // not ok where the constraint is irregular, with the reason
    double power = 0;                  // dH/dt, all of it due to the constraint force
    struct Balance {
        Quantity momentum; // of a symmetry of H
        double value = 0;
        double rate = 0; // due to the constraint force
    };
    std::vector<Balance> momenta = {};
};

class HasConstraintSplit {
public:
    virtual ~HasConstraintSplit() = default;
    virtual ConstraintReport constraintSplit(double t, const State& x) const = 0;
};

// A quantity that a person can lead while the motion runs (IntegrationOptions::input), and how: where it is
// taken hold of on the stage, by which values it is led and by which it is left to itself again.
struct LiveChannel {
    std::string quantity;       // its id; the input is its value
    bool listening = false;     // at these values a Motion follows its input
    Eigen::Vector3d origin;     // on the stage: where its handle is at the value 0,
    Eigen::Vector3d along;      // and how far a unit moves it
    double pace = 1;            // of a held key, units a second
    std::string instruction;    // what to do, a sentence
    std::string take, handOver; // what the two changes are called: "Lead the finger by hand"
    std::vector<Assignment> taken = {}, handedOver = {};
};

class HasLiveInput {
public:
    virtual ~HasLiveInput() = default;
    virtual LiveChannel liveChannel() const = 0;
};

} // namespace casimir
