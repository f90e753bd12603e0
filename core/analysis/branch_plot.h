// The bifurcation diagram: the branches of equilibria over one parameter, as a Plot of any system that has
// equilibria.
#pragma once

#include "core/model/system.h"

#include <optional>
#include <string>

namespace casimir {

// No options where no parameter can vary: then there is no such plot.
PlotInfo branchInfo(const System& system);
Plot branchPlot(const System& system, const PlotRequest& request);

// A point of a branch: the value along the axis, and the equilibrium there as a start.
struct BranchPoint {
    Assignment parameter;
    StateInputs state;
    std::string name;
    double y = 0; // where the diagram has it
};

// Of the equilibria at the value x along the axis, the one drawn nearest to y; nothing where there is none,
// or where the plot is no such diagram. Analyzes the system once, from `start`.
std::optional<BranchPoint> branchPointAt(const System& system, const StateInputs& start, const Plot& plot,
                                         double x, double y);

} // namespace casimir
