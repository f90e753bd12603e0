// The sweep that computes what a picture over parameters shows: a map cell by cell, a diagram of branches
// point by point. So that a picture found in the window can be made again, finer or elsewhere, by `casimir
// sweep`.
#pragma once

#include "core/analysis/sweep.h"
#include "core/model/plot.h"
#include "core/model/system.h"

#include <optional>

namespace casimir {

// The points are the centres of the map's cells, row by row from the lower left as HeatMap has them, or, of a
// diagram over one parameter, spread evenly between its ends. Nothing for a picture that no sweep makes.
std::optional<Sweep> sweepBehind(const System& system, const Plot& plot);

} // namespace casimir
