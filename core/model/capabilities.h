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

} // namespace casimir
