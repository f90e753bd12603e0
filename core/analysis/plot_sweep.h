// The sweep that computes what a picture over parameters shows: a map cell by cell, a diagram of branches
// point by point. So that a picture found in the window can be made again, finer or elsewhere, by `casimir
// sweep`.
#pragma once

#include "core/analysis/sweep.h"
#include "core/model/plot.h"
#include "core/model/system.h"

#include <optional>

namespace casimir {

// The points are the centres of the map's cells, column by column from the lower left, or, of a diagram over
// one parameter, spread evenly between its ends. As in the map, the parameter along x is set before the one
// along y, which may be an alias. The start counts where the analysis depends on it. Nothing for a picture
// that no sweep makes.
std::optional<Sweep> sweepBehind(const System& system, const StateInputs& start, const Plot& plot);

} // namespace casimir
