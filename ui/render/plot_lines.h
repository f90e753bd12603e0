// From the points of a Polyline to what a painter strokes: cut where an angle jumps and where a value is
// missing, repeated over the periods seen, clipped to the plot's area (SVG has no clip in Qt 6.4) and thinned
// to what pixels can show.
#pragma once

#include "ui/render/plot_transform.h"

#include <QPolygonF>

#include <vector>

namespace casimir {

// The visible pieces in pixels. `tolerance`: points closer than this (in pixels) to the last one kept are
// left out.
std::vector<QPolygonF> visiblePieces(const Plot& plot, const PlotTransform& transform,
                                     const std::vector<double>& x, const std::vector<double>& y,
                                     double tolerance = 0.3);

// Every place of the window where a point of a periodic plot appears (one without periods).
std::vector<QPointF> visiblePlaces(const Plot& plot, const PlotTransform& transform, double x, double y);

} // namespace casimir
