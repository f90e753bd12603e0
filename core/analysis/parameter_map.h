// How many equilibria there are, and of which stability, over two parameters: a Plot of any system that has
// equilibria and no map of its own.
#pragma once

#include "core/model/system.h"

#include <string>

namespace casimir {

// No options where fewer than two parameters can vary: then there is no such plot.
PlotInfo parameterMapInfo(const System& system);
Plot parameterMap(const System& system, const PlotRequest& request);

// "4: 2 stable, 2 unstable", or the status where there is no such answer.
std::string countText(const Analysis& analysis);

} // namespace casimir
