// The maps of a plot as a painter draws them, and the veil over what a motion cannot reach.
#include "ui/render/plot_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

constexpr float unreached = 0.5f; // of the background over what the motion cannot reach
constexpr int veilFineness = 2;   // pixels of the veil for a cell of the field

} // namespace

QRectF PlotPainter::drawOverLimits(QPainter& painter, const PlotTransform& transform, const QImage& image,
                                   bool smooth) const
{
    const PlotWindow full = fullWindow(*plot_);
    const QRectF target(transform.toPixel(full.xMin, full.yMax), transform.toPixel(full.xMax, full.yMin));
    const QRectF seen = target.intersected(transform.area());
    if (seen.isEmpty())
        return seen;
    const double across = image.width() / target.width(), down = image.height() / target.height();
    const QRectF source((seen.left() - target.left()) * across, (seen.top() - target.top()) * down,
                        seen.width() * across, seen.height() * down);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, smooth);
    painter.drawImage(seen, image, source);
    return seen;
}

void PlotPainter::paintVeil(QPainter& painter, const PlotTransform& transform, double reach) const
{
    const auto field = std::find_if(plot_->maps.begin(), plot_->maps.end(), [](const HeatMap& map) {
        return map.smooth && map.labels.empty() && map.columns > 0 && map.rows > 0;
    });
    if (field == plot_->maps.end() || !(reach < field->max))
        return;
    if (veil_.plot != plot_ || !(std::abs(veil_.reach - reach) <= 1e-6 * (field->max - field->min)) ||
        veil_.colour != theme_.background()) {
        veil_ = {plot_, reach, theme_.background(), {}};
        const int columns = veilFineness * field->columns, rows = veilFineness * field->rows;
        QColor clear = veil_.colour, faint = veil_.colour;
        clear.setAlpha(0);
        faint.setAlphaF(unreached);
        QImage image(columns, rows, QImage::Format_ARGB32);
        for (int row = 0; row < rows; ++row) {
            auto* out = reinterpret_cast<QRgb*>(image.scanLine(rows - 1 - row));
            const double y = plot_->y.min + (plot_->y.max - plot_->y.min) * (row + 0.5) / rows;
            for (int column = 0; column < columns; ++column) {
                const double x = plot_->x.min + (plot_->x.max - plot_->x.min) * (column + 0.5) / columns;
                out[column] = (valueAt(plot_->x, plot_->y, *field, x, y) > reach ? faint : clear).rgba();
            }
        }
        veil_.image = image.convertToFormat(QImage::Format_ARGB32_Premultiplied);
    }
    if (drawOverLimits(painter, transform, veil_.image, true).isEmpty())
        return;
    std::vector<QRectF> labels;
    for (const Mark& mark : plot_->marks)
        paintMark(painter, transform, mark, false, labels);
}

void PlotPainter::paintMaps(QPainter& painter, const PlotTransform& transform) const
{
    for (const HeatMap& map : plot_->maps) {
        if (map.columns <= 0 || map.rows <= 0 ||
            map.values.size() < static_cast<std::size_t>(map.columns) * map.rows)
            continue;
        QImage image(map.columns, map.rows, QImage::Format_ARGB32_Premultiplied);
        for (int row = 0; row < map.rows; ++row)
            for (int column = 0; column < map.columns; ++column) {
                const float v = map.values[static_cast<std::size_t>(row) * map.columns + column];
                QColor c = Qt::transparent;
                if (std::isfinite(v))
                    c = map.labels.empty() ? theme_.level((v - map.min) / (map.max - map.min))
                                           : theme_.colour(Colour::region(static_cast<int>(std::lround(v))));
                image.setPixelColor(column, map.rows - 1 - row, c);
            }
        // A map covers the plot's own limits, whatever window is seen; cells stay sharp, since each is one
        // answer.
        drawOverLimits(painter, transform, image, map.smooth);
    }
}

} // namespace casimir
