// PlotTransform: from the values of a plot to pixels and back, for one window of values and one rectangle of
// pixels.
#pragma once

#include "core/model/system.h"

#include <QPointF>
#include <QRectF>

namespace casimir {

// The limits a plot asks for, made usable: never empty, finite, positive on logarithmic axes.
PlotWindow fullWindow(const Plot& plot);

class PlotTransform {
public:
    PlotTransform() = default;
    PlotTransform(const Plot& plot, const PlotWindow& window, const QRectF& area);

    // NaN where a value has no place (zero on a logarithmic axis).
    QPointF toPixel(double x, double y) const { return {xPixel(x), yPixel(y)}; }
    double xPixel(double x) const;
    double yPixel(double y) const;
    QPointF toPlot(const QPointF& pixel) const;

    const QRectF& area() const { return area_; } // inside the axes
    const PlotWindow& window() const { return window_; }

    // The window after zooming by `factor` (> 1: closer) with the value under `pixel` kept in place.
    PlotWindow zoomed(const QPointF& pixel, double factor) const;
    // The window after dragging the picture by `pixels`.
    PlotWindow panned(const QPointF& pixels) const;
    // The window that shows what the rectangle holds now.
    PlotWindow within(const QRectF& pixels) const;

private:
    QRectF area_{0, 0, 1, 1};
    PlotWindow window_;
    bool xLog_ = false, yLog_ = false;
};

} // namespace casimir
