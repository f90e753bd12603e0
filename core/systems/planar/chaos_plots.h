// What the plots of chaos of different systems share: Lyapunov exponents as they converge, and maps computed
// coarse to fine.
#pragma once

#include "core/model/system.h"

#include <functional>
#include <vector>

namespace casimir::planar {

// How long orbits are followed, in turns of the bodies.
Parameter turnsOption(double standard, double least = 10);

// The plot "lyapunov". `turn` is how long the bodies take for one, roughly (0: they rest), `turns` how many
// are followed. `run` follows them and shows every sample of `count` means, the largest first, until it
// answers false; it returns whether the motion could be followed.
using LyapunovSample = std::function<bool(double t, const std::vector<double>& means)>;
Plot lyapunovPlot(const PlotRequest& request, double turn, double turns, int count,
                  const std::function<bool(const LyapunovSample&)>& run);

// Maps of `side` x `side` cells, coarse to `finest`; each is published when it is complete. `fill` writes the
// values of all cells, row by row from the lower left, calls `report` with the share done from time to time
// and stops when it answers false; it returns whether all was done. False where the finest was not reached.
bool refineMap(Plot& plot, const PlotRequest& request, const HeatMap& like, int finest,
               const std::function<bool(int side, std::vector<float>& values,
                                        const std::function<bool(double)>& report)>& fill);

} // namespace casimir::planar
