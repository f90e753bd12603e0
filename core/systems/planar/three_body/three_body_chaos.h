// The plots of three bodies that show chaos: Poincare sections, the Lyapunov exponent of the present orbit,
// and a map of it over a section. The section itself is three_body_section.h.
#pragma once

#include "core/model/system.h"
#include "core/systems/planar/three_body/three_body.h"

#include <optional>

namespace casimir::planar {

std::vector<PlotInfo> chaosPlots();

// The plot asked for, with `start` the reduced state that request.start gives; none if it is not one of
// chaosPlots().
std::optional<Plot> chaosPlot(const ThreeBody& bodies, const Vector5d& start, const PlotRequest& request);

// The state of a section under a point of the plots "section" and "lyapunov-map".
std::optional<Vector5d> chaosPick(const ThreeBody& bodies, const Vector5d& start, const PlotRequest& request,
                                  double x, double y);

// How long one turn of the bodies takes at this energy, roughly.
double typicalTurn(const ThreeBody& bodies, double energy);

// The largest Lyapunov exponent of the reduced motion, over this many turns; `sample` and `goOn` as in
// largestLyapunov.
double lyapunovExponent(const ThreeBody& bodies, const Vector5d& start, double turns, double settling,
                        const std::function<bool(double t, double mean)>& sample = {},
                        const std::function<bool()>& goOn = {});

} // namespace casimir::planar
