// PlotPainter: draws a Plot with a QPainter: axes, grid, maps, regions, lines, marks, legend, colour bar and
// note, and over them what moves. The same code paints a widget, a PNG, an SVG and a PDF. It holds no state
// of the mechanics and handles no events.
#pragma once

#include "core/model/companion.h"
#include "core/model/plot.h"
#include "ui/render/plot_transform.h"
#include "ui/render/theme.h"

#include <QColor>
#include <QImage>
#include <QPixmap>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QPainter;

namespace casimir {

struct PlotOptions {
    bool title = false;
    bool legend = true;
    bool colourBar = true;
    bool note = true;
    bool grid = true;
    bool background = true; // false: transparent
    bool draft = false;     // while a slider is dragged: the family in hairlines of one device pixel, cheaper
                            // where the pixel ratio or the scale makes them wider (no gain at 1x)
    std::set<std::string> hiddenLayers = {};
    bool operator==(const PlotOptions&) const = default;
};

// What is drawn over the plot and may change with every frame.
struct PlotOverlay {
    std::vector<PlotTrack> tracks; // one a Motion
    std::vector<Polyline> lines;   // tails, ghosts, orbits through a clicked point
    std::vector<Mark> marks;
    std::optional<Ellipsoid> ellipsoid; // on a surface in space only
    std::string selectedMark;           // id of a mark of the plot to set apart
    std::optional<QPointF> hover;       // in plot values: a cross hair
    std::string hoverText;              // beside it, in upright markup
    std::optional<QRectF> rubberBand;   // in pixels: the rectangle being dragged
};

class PlotPainter {
public:
    explicit PlotPainter(Theme theme = Theme());

    void setPlot(std::shared_ptr<const Plot> plot);
    void setTheme(const Theme& theme);
    void setOptions(const PlotOptions& options);
    void setWindow(std::optional<PlotWindow> window); // none: the plot's own limits

    const Plot* plot() const { return plot_.get(); }
    const Theme& theme() const { return theme_; }
    const PlotOptions& options() const { return options_; }
    PlotWindow window() const;

    // Where values lie when the plot is painted into `rect`.
    PlotTransform transform(const QRectF& rect) const;

    // All of it, as vectors where the device has them.
    void paint(QPainter& painter, const QRectF& rect, const PlotOverlay& overlay = {}) const;
    // For a widget: the plot itself comes from a pixmap made when plot, theme, options, window or size
    // changed; only the overlay is painted each time. `pixelRatio` is that of the widget.
    void paintCached(QPainter& painter, const QRectF& rect, double pixelRatio,
                     const PlotOverlay& overlay = {});
    int cacheMisses() const { return cacheMisses_; } // how often the pixmap was made
    int layouts() const { return layouts_; }         // how often axes, legend and scale were laid out

    // The mark of the plot or its handle under a pixel, nearest first; empty if none is within reach.
    std::string markAt(const QRectF& rect, const QPointF& pixel) const;
    std::string handleAt(const QRectF& rect, const QPointF& pixel) const;

private:
    struct Layout;
    Layout layOut(const QRectF& rect) const;
    PlotWindow equalised(const PlotWindow& window, double aspect) const;
    void paintStatic(QPainter& painter, const Layout& layout) const;
    void paintOverlay(QPainter& painter, const Layout& layout, const PlotOverlay& overlay) const;
    void paintMaps(QPainter& painter, const PlotTransform& transform) const;
    // An image of all that lies within the plot's limits, where it is seen; returns that part.
    QRectF drawOverLimits(QPainter& painter, const PlotTransform& transform, const QImage& image,
                          bool smooth) const;
    void paintVeil(QPainter& painter, const PlotTransform& transform, double reach) const;
    void paintAxes(QPainter& painter, const Layout& layout) const;
    void paintLegend(QPainter& painter, const Layout& layout) const;
    void paintColourBar(QPainter& painter, const Layout& layout) const;
    void strokeLine(QPainter& painter, const PlotTransform& transform, const Polyline& line,
                    bool family) const;
    void paintCloud(QPainter& painter, const PlotTransform& transform, const PointCloud& cloud) const;
    // `labels`: where words stand already; a word that would cover one is left out.
    void paintMark(QPainter& painter, const PlotTransform& transform, const Mark& mark, bool selected,
                   std::vector<QRectF>& labels) const;
    // A state outside the window: an arrow at the edge that points to it, with the values that lie outside.
    void paintBeyond(QPainter& painter, const PlotTransform& transform, const Mark& mark,
                     std::vector<QRectF>& labels) const;

    std::shared_ptr<const Plot> plot_;
    Theme theme_;
    PlotOptions options_;
    std::optional<PlotWindow> window_;
    QPixmap cache_;
    QRectF cacheRect_;
    std::shared_ptr<const Layout> cacheLayout_; // with the pixmap
    bool cacheValid_ = false;
    int cacheMisses_ = 0;
    mutable int layouts_ = 0;
    // Over the part of a field that a motion cannot reach; kept, since a motion's energy does not change.
    struct Veil {
        std::shared_ptr<const Plot> plot = {};
        double reach = 0;
        QColor colour = {};
        QImage image = {};
    };
    mutable Veil veil_;
};

// True where the device keeps what is painted as vectors: an SVG, a PDF.
bool isVector(const QPainter& painter);

// A mark's shape about a centre; `radius` in pixels. Discs and diamonds are filled, crosses and rings
// stroked, each with a rim in the background's colour so that it stands out on any curve.
void drawMark(QPainter& painter, const QPointF& centre, MarkShape shape, double radius, const QColor& colour,
              const QColor& rim);

} // namespace casimir
