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

} // namespace casimir
