// The bifurcation diagram: the branches of equilibria over one parameter, as a Plot of any system that has
// equilibria.
#pragma once

#include "core/model/system.h"

namespace casimir {

// No options where no parameter can vary: then there is no such plot.
PlotInfo branchInfo(const System& system);
Plot branchPlot(const System& system, const PlotRequest& request);

} // namespace casimir
