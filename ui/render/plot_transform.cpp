#include "ui/render/plot_transform.h"

#include <cmath>
#include <limits>

namespace casimir {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double forward(double v, bool logarithmic)
{
    if (!logarithmic)
        return v;
    return v > 0 ? std::log10(v) : nan;
}

double back(double v, bool logarithmic)
{
    return logarithmic ? std::pow(10.0, v) : v;
}

void makeUsable(double& lo, double& hi, Scale scale)
{
    if (!std::isfinite(lo) || !std::isfinite(hi))
        lo = 0, hi = 1;
    if (lo > hi)
        std::swap(lo, hi);
    if (scale == Scale::Logarithmic) {
        if (!(hi > 0))
            hi = 1;
        if (!(lo > 0))
            lo = hi * 1e-6;
        if (!(hi / lo > 1 + 1e-12))
            lo /= 10, hi *= 10;
        return;
    }
    const double least = 1e-12 * std::max(std::abs(lo), std::abs(hi));
    if (!(hi - lo > least)) {
        const double pad = lo == 0 ? 1 : 0.5 * std::abs(lo);
        lo -= pad;
        hi += pad;
    }
}

} // namespace

PlotWindow fullWindow(const Plot& plot)
{
    PlotWindow w{plot.x.min, plot.x.max, plot.y.min, plot.y.max};
    makeUsable(w.xMin, w.xMax, plot.x.scale);
    makeUsable(w.yMin, w.yMax, plot.y.scale);
    return w;
}

PlotTransform::PlotTransform(const Plot& plot, const PlotWindow& window, const QRectF& area)
    : area_(area),
      window_(window),
      xLog_(plot.x.scale == Scale::Logarithmic),
      yLog_(plot.y.scale == Scale::Logarithmic)
{
    makeUsable(window_.xMin, window_.xMax, plot.x.scale);
    makeUsable(window_.yMin, window_.yMax, plot.y.scale);
}

double PlotTransform::xPixel(double x) const
{
    const double lo = forward(window_.xMin, xLog_), hi = forward(window_.xMax, xLog_);
    return area_.left() + (forward(x, xLog_) - lo) / (hi - lo) * area_.width();
}

double PlotTransform::yPixel(double y) const
{
    const double lo = forward(window_.yMin, yLog_), hi = forward(window_.yMax, yLog_);
    return area_.bottom() - (forward(y, yLog_) - lo) / (hi - lo) * area_.height();
}

QPointF PlotTransform::toPlot(const QPointF& pixel) const
{
    const double xLo = forward(window_.xMin, xLog_), xHi = forward(window_.xMax, xLog_);
    const double yLo = forward(window_.yMin, yLog_), yHi = forward(window_.yMax, yLog_);
    return {back(xLo + (pixel.x() - area_.left()) / area_.width() * (xHi - xLo), xLog_),
            back(yLo + (area_.bottom() - pixel.y()) / area_.height() * (yHi - yLo), yLog_)};
}

PlotWindow PlotTransform::within(const QRectF& pixels) const
{
    const QPointF lower = toPlot(pixels.bottomLeft()), upper = toPlot(pixels.topRight());
    return {lower.x(), upper.x(), lower.y(), upper.y()};
}

PlotWindow PlotTransform::zoomed(const QPointF& pixel, double factor) const
{
    const QPointF corner = pixel + (area_.topLeft() - pixel) / factor;
    return within(QRectF(corner, area_.size() / factor));
}

PlotWindow PlotTransform::panned(const QPointF& pixels) const
{
    return within(area_.translated(-pixels));
}

} // namespace casimir
