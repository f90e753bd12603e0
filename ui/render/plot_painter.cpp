#include "ui/render/plot_painter.h"

#include "core/base/number_text.h"
#include "ui/render/plot_lines.h"
#include "ui/render/symbol_text.h"
#include "ui/render/ticks.h"

#include <QFontMetricsF>
#include <QImage>
#include <QLinearGradient>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

constexpr double mostLegend = 0.3; // of the height of a picture

struct LegendEntry {
    std::string label;
    QColor colour;
    LineStyle style;
    double width;
    bool patch; // a filled square: a region or a kind of a map
};

Qt::PenStyle penStyle(LineStyle style)
{
    switch (style) {
    case LineStyle::Solid:
        return Qt::SolidLine;
    case LineStyle::Dashed:
        return Qt::DashLine;
    case LineStyle::Dotted:
        return Qt::DotLine;
    }
    return Qt::SolidLine;
}

// Level colours of a whole family say nothing one by one, so they go to the colour bar and not to the legend.
std::vector<LegendEntry> legendEntries(const Plot& plot, const Theme& theme,
                                       const std::set<std::string>& hidden)
{
    std::vector<LegendEntry> entries;
    const auto add = [&](const LegendEntry& e) {
        if (!e.label.empty() &&
            std::none_of(entries.begin(), entries.end(), [&](auto& x) { return x.label == e.label; }))
            entries.push_back(e);
    };
    for (const Polyline& line : plot.lines)
        if (line.colour.role != Role::Level && !hidden.contains(line.layer))
            add({line.label, theme.colour(line.colour), line.style,
                 line.emphasised ? theme.emphasis() : theme.line(), false});
    for (const PointCloud& cloud : plot.clouds)
        if (cloud.colour.role != Role::Level && !hidden.contains(cloud.layer))
            add({cloud.label, theme.colour(cloud.colour), LineStyle::Dotted, theme.emphasis(), false});
    for (const Region& region : plot.regions)
        add({region.label, theme.colour(region.colour), LineStyle::Solid, 0, true});
    for (const HeatMap& map : plot.maps)
        for (std::size_t i = 0; i < map.labels.size(); ++i)
            add({map.labels[i], theme.colour(Colour::region(static_cast<int>(i))), LineStyle::Solid, 0,
                 true});
    return entries;
}

// What the colour bar stands for: the plot's levels or a continuous map.
struct LevelScale {
    Quantity quantity;
    double min, max;
};
std::optional<LevelScale> levelScale(const Plot& plot)
{
    for (const HeatMap& map : plot.maps)
        if (map.labels.empty() && map.max > map.min)
            return LevelScale{map.quantity, map.min, map.max};
    const bool levels = std::any_of(plot.lines.begin(), plot.lines.end(),
                                    [](const Polyline& l) { return l.colour.role == Role::Level; });
    if (levels && !plot.level.symbol.empty() && plot.levelMax > plot.levelMin)
        return LevelScale{plot.level, plot.levelMin, plot.levelMax};
    return std::nullopt;
}

double widest(const std::vector<Tick>& ticks, const QFont& font)
{
    double width = 0;
    for (const Tick& tick : ticks)
        width = std::max(width, SymbolText::upright(tick.label).boundingRect(font).width());
    return width;
}

constexpr double barWidth = 10;      // pixels at scale 1, of the colour bar and of its legend squares
constexpr double discDiameter = 2.2; // of a cloud's usual disc
constexpr double reach = 10;         // how far from a mark a click still means it

} // namespace

bool isVector(const QPainter& painter)
{
    const QPaintEngine* engine = painter.paintEngine();
    return engine && engine->type() != QPaintEngine::Raster;
}

struct PlotPainter::Layout {
    QRectF rect;
    PlotTransform transform;
    Ticks xTicks, yTicks, barTicks;
    std::optional<LevelScale> bar;
    QRectF barRect;
    struct Placed {
        LegendEntry entry;
        QPointF at; // left end, middle height
    };
    std::vector<Placed> legend;
    double titleY = 0, noteY = 0;
    QFont small, normal, symbol;
};

PlotPainter::PlotPainter(Theme theme) : theme_(theme) {}

void PlotPainter::setPlot(std::shared_ptr<const Plot> plot)
{
    if (plot == plot_)
        return;
    plot_ = std::move(plot);
    cacheValid_ = false;
}

void PlotPainter::setTheme(const Theme& theme)
{
    if (theme == theme_)
        return;
    theme_ = theme;
    cacheValid_ = false;
}

void PlotPainter::setOptions(const PlotOptions& options)
{
    if (options == options_)
        return;
    options_ = options;
    cacheValid_ = false;
}

void PlotPainter::setWindow(std::optional<PlotWindow> window)
{
    if (window == window_)
        return;
    window_ = window;
    cacheValid_ = false;
}

PlotWindow PlotPainter::window() const
{
    return window_ ? *window_ : plot_ ? fullWindow(*plot_) : PlotWindow{};
}

PlotPainter::Layout PlotPainter::layOut(const QRectF& rect) const
{
    ++layouts_;
    Layout l;
    l.rect = rect;
    l.small = theme_.font(Theme::Text::Small);
    l.normal = theme_.font(Theme::Text::Normal);
    l.symbol = theme_.font(Theme::Text::Symbol);
    const QFontMetricsF small(l.small), normal(l.normal), title(theme_.font(Theme::Text::Title));
    const double gap = theme_.px(6), tick = theme_.px(4);
    const PlotWindow w = window();

    double top = rect.top() + theme_.px(8), right = rect.right() - theme_.px(14);
    if (options_.title && !plot_->title.empty()) {
        l.titleY = top;
        top += title.height() + gap;
    }
    // The legend flows in rows above the area, where it never covers a curve.
    if (options_.legend) {
        const std::vector<LegendEntry> entries = legendEntries(*plot_, theme_, options_.hiddenLayers);
        const double above = top;
        double x = rect.left() + theme_.px(12);
        if (!entries.empty())
            top += normal.height();
        for (const LegendEntry& entry : entries) {
            const double width =
                theme_.px(28) + SymbolText::upright(entry.label).boundingRect(l.small).width();
            if (x + width > right && x > rect.left() + theme_.px(12)) {
                x = rect.left() + theme_.px(12);
                top += normal.height();
            }
            l.legend.push_back({entry, {x, top - normal.height() / 2}});
            x += width + theme_.px(14);
        }
        if (!entries.empty())
            top += gap;
        // In a small picture the plot comes first; what a colour means is told under the pointer.
        if (top - above > mostLegend * rect.height()) {
            l.legend.clear();
            top = above;
        }
    }
    double bottom = rect.bottom() - theme_.px(6);
    if (options_.note && !plot_->note.empty()) {
        l.noteY = bottom;
        bottom -= small.height() + gap;
    }
    if (plot_->axes)
        bottom -= normal.height() + gap / 2 + small.height() + gap / 2 + tick;
    const double height = std::max(10.0, bottom - top);

    l.yTicks = makeTicks(plot_->y, w.yMin, w.yMax, std::max(2, static_cast<int>(height / theme_.px(42))));
    if (!l.yTicks.factor.empty())
        top += small.height() * 0.7;
    const double left =
        rect.left() + theme_.px(10) +
        (plot_->axes ? normal.height() + gap + widest(l.yTicks.major, l.small) + gap + tick : 0);

    if (options_.colourBar && (l.bar = levelScale(*plot_))) {
        PlotAxis axis;
        axis.quantity.period = 0;
        l.barTicks =
            makeTicks(axis, l.bar->min, l.bar->max, std::max(2, static_cast<int>(height / theme_.px(48))));
        const double symbolWidth = SymbolText::quantity(l.bar->quantity).boundingRect(l.small).width();
        right -= std::max(theme_.px(barWidth) + gap + widest(l.barTicks.major, l.small),
                          symbolWidth - theme_.px(4)) +
                 gap;
    }
    const double width = std::max(10.0, right - left);
    const double xLabelWidth = theme_.px(plot_->x.scale == Scale::Logarithmic ? 48 : 64);
    l.xTicks = makeTicks(plot_->x, w.xMin, w.xMax, std::max(2, static_cast<int>(width / xLabelWidth)));
    QRectF area(left, top, width, std::max(10.0, bottom - top));
    PlotWindow seen = w;
    if (plot_->equalScales) {
        seen = equalised(w, area.width() / area.height());
        // More is seen than was asked for, so that labels may be wider.
        const double before = widest(l.yTicks.major, l.small);
        l.yTicks =
            makeTicks(plot_->y, seen.yMin, seen.yMax, std::max(2, static_cast<int>(height / theme_.px(42))));
        area.setLeft(
            std::min(area.right() - 10, left + std::max(0.0, widest(l.yTicks.major, l.small) - before)));
        seen = equalised(w, area.width() / area.height());
        l.xTicks = makeTicks(plot_->x, seen.xMin, seen.xMax,
                             std::max(2, static_cast<int>(area.width() / xLabelWidth)));
        l.yTicks =
            makeTicks(plot_->y, seen.yMin, seen.yMax, std::max(2, static_cast<int>(height / theme_.px(42))));
    }
    l.transform = PlotTransform(*plot_, seen, area);
    if (l.bar) {
        const double symbolHeight = small.height() + gap * 1.5;
        l.barRect = QRectF(area.right() + gap + theme_.px(8), area.top() + symbolHeight, theme_.px(barWidth),
                           std::max(1.0, area.height() - symbolHeight));
    }
    return l;
}

// The smallest window of this aspect, in units, that holds the one given.
PlotWindow PlotPainter::equalised(const PlotWindow& window, double aspect) const
{
    PlotWindow w = window;
    const double width = w.xMax - w.xMin, height = w.yMax - w.yMin;
    if (const double missing = height * aspect - width; missing > 0) {
        w.xMin -= missing / 2;
        w.xMax += missing / 2;
    } else {
        w.yMin += missing / aspect / 2;
        w.yMax -= missing / aspect / 2;
    }
    return w;
}

PlotTransform PlotPainter::transform(const QRectF& rect) const
{
    return plot_ ? layOut(rect).transform : PlotTransform();
}

void PlotPainter::paint(QPainter& painter, const QRectF& rect, const PlotOverlay& overlay) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (options_.background)
        painter.fillRect(rect, theme_.background());
    if (plot_) {
        const Layout layout = layOut(rect);
        paintStatic(painter, layout);
        paintOverlay(painter, layout, overlay);
    }
    painter.restore();
}

void PlotPainter::paintCached(QPainter& painter, const QRectF& rect, double pixelRatio,
                              const PlotOverlay& overlay)
{
    if (!cacheValid_ || cacheRect_ != rect || cache_.devicePixelRatio() != pixelRatio) {
        cache_ = QPixmap((rect.size() * pixelRatio).toSize());
        cache_.setDevicePixelRatio(pixelRatio);
        cache_.fill(options_.background ? theme_.background() : QColor(Qt::transparent));
        if (plot_ && !cache_.isNull()) {
            QPainter p(&cache_);
            p.setRenderHint(QPainter::Antialiasing);
            p.translate(-rect.topLeft());
            cacheLayout_ = std::make_shared<Layout>(layOut(rect));
            paintStatic(p, *cacheLayout_);
        } else {
            cacheLayout_.reset();
        }
        cacheRect_ = rect;
        cacheValid_ = true;
        ++cacheMisses_;
    }
    painter.drawPixmap(rect.topLeft(), cache_);
    if (!cacheLayout_)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintOverlay(painter, *cacheLayout_, overlay);
    painter.restore();
}

void PlotPainter::paintStatic(QPainter& painter, const Layout& layout) const
{
    const PlotTransform& t = layout.transform;
    paintMaps(painter, t);
    for (const Region& region : plot_->regions) {
        QPolygonF polygon;
        for (std::size_t i = 0; i < std::min(region.x.size(), region.y.size()); ++i)
            if (const QPointF p = t.toPixel(region.x[i], region.y[i]);
                std::isfinite(p.x()) && std::isfinite(p.y()))
                polygon.push_back(p);
        QPainterPath shape, area;
        shape.addPolygon(polygon);
        shape.closeSubpath();
        area.addRect(t.area());
        painter.fillPath(shape.intersected(area), theme_.colour(region.colour));
    }
    if (plot_->axes)
        paintAxes(painter, layout);
    for (const bool emphasised : {false, true})
        for (const Polyline& line : plot_->lines)
            if (line.emphasised == emphasised && !options_.hiddenLayers.contains(line.layer))
                strokeLine(painter, t, line, true);
    for (const PointCloud& cloud : plot_->clouds)
        if (!options_.hiddenLayers.contains(cloud.layer))
            paintCloud(painter, t, cloud);
    std::vector<QRectF> labels;
    for (const Mark& mark : plot_->marks)
        paintMark(painter, t, mark, false, labels);
    for (const Handle& handle : plot_->handles)
        for (const QPointF& p : visiblePlaces(*plot_, t, handle.x, handle.y)) {
            painter.setPen(QPen(theme_.accent(), theme_.px(1.5)));
            painter.setBrush(theme_.background());
            painter.drawEllipse(p, theme_.px(5), theme_.px(5));
        }
    if (options_.title && !plot_->title.empty())
        SymbolText::upright(plot_->title)
            .draw(painter, {layout.rect.left() + theme_.px(12), layout.titleY}, Qt::AlignLeft | Qt::AlignTop,
                  theme_.font(Theme::Text::Title), theme_.text());
    paintLegend(painter, layout);
    if (layout.bar)
        paintColourBar(painter, layout);
    if (options_.note && !plot_->note.empty()) {
        // A sentence too long for the picture is set smaller rather than cut, down to three fifths.
        QFont font = layout.small;
        const SymbolText note = SymbolText::upright(plot_->note);
        const double width = note.boundingRect(font).width(), room = layout.rect.width() - theme_.px(16);
        if (width > room && font.pixelSize() > 0)
            font.setPixelSize(std::max(static_cast<int>(0.6 * font.pixelSize()),
                                       static_cast<int>(font.pixelSize() * room / width)));
        note.draw(painter, {layout.rect.left() + theme_.px(8), layout.noteY}, Qt::AlignLeft | Qt::AlignBottom,
                  font, theme_.mutedText());
    }
}

void PlotPainter::paintAxes(QPainter& painter, const Layout& layout) const
{
    const PlotTransform& t = layout.transform;
    const QRectF& a = t.area();
    const double tick = theme_.px(4), gap = theme_.px(6);
    const QPen gridPen(theme_.grid(), theme_.hairline()),
        axisPen(theme_.axis(), theme_.hairline(), Qt::SolidLine, Qt::FlatCap);
    // A line of one pixel is sharp when its middle lies between pixels.
    const auto sharp = [&](double v) { return isVector(painter) ? v : std::floor(v) + 0.5; };
    const double left = sharp(a.left()), bottom = sharp(a.bottom());

    if (options_.grid && plot_->maps.empty()) {
        painter.setPen(gridPen);
        for (const Tick& k : layout.xTicks.major)
            painter.drawLine(QPointF(sharp(t.xPixel(k.value)), a.top()),
                             QPointF(sharp(t.xPixel(k.value)), a.bottom()));
        for (const Tick& k : layout.yTicks.major)
            painter.drawLine(QPointF(a.left(), sharp(t.yPixel(k.value))),
                             QPointF(a.right(), sharp(t.yPixel(k.value))));
    }
    painter.setPen(axisPen);
    painter.drawLine(QPointF(left, a.top()), QPointF(left, bottom));
    painter.drawLine(QPointF(left, bottom), QPointF(a.right(), bottom));
    for (const double v : layout.xTicks.minor)
        painter.drawLine(QPointF(sharp(t.xPixel(v)), bottom), QPointF(sharp(t.xPixel(v)), bottom + tick / 2));
    for (const double v : layout.yTicks.minor)
        painter.drawLine(QPointF(left - tick / 2, sharp(t.yPixel(v))), QPointF(left, sharp(t.yPixel(v))));
    for (const Tick& k : layout.xTicks.major) {
        const double x = t.xPixel(k.value);
        painter.setPen(axisPen);
        painter.drawLine(QPointF(sharp(x), bottom), QPointF(sharp(x), bottom + tick));
        SymbolText::upright(k.label).draw(painter, {x, bottom + tick + gap / 2},
                                          Qt::AlignHCenter | Qt::AlignTop, layout.small, theme_.mutedText());
    }
    for (const Tick& k : layout.yTicks.major) {
        const double y = t.yPixel(k.value);
        painter.setPen(axisPen);
        painter.drawLine(QPointF(left - tick, sharp(y)), QPointF(left, sharp(y)));
        SymbolText::upright(k.label).draw(painter, {left - tick - gap, y}, Qt::AlignRight | Qt::AlignVCenter,
                                          layout.small, theme_.mutedText());
    }
    const QFontMetricsF small(layout.small);
    const double labelY = bottom + tick + gap / 2 + small.height() + gap / 2;
    SymbolText::quantity(plot_->x.quantity)
        .draw(painter, {a.center().x(), labelY}, Qt::AlignHCenter | Qt::AlignTop, layout.normal,
              theme_.text());
    if (!layout.xTicks.factor.empty())
        SymbolText::upright(layout.xTicks.factor)
            .draw(painter, {a.right(), labelY}, Qt::AlignRight | Qt::AlignTop, layout.small,
                  theme_.mutedText());
    if (!layout.yTicks.factor.empty())
        SymbolText::upright(layout.yTicks.factor)
            .draw(painter, {left, a.top() - gap}, Qt::AlignLeft | Qt::AlignBaseline, layout.small,
                  theme_.mutedText());
    painter.save();
    painter.translate(layout.rect.left() + theme_.px(10), a.center().y());
    painter.rotate(-90);
    SymbolText::quantity(plot_->y.quantity)
        .draw(painter, {0, 0}, Qt::AlignHCenter | Qt::AlignTop, layout.normal, theme_.text());
    painter.restore();
}

void PlotPainter::paintLegend(QPainter& painter, const Layout& layout) const
{
    for (const Layout::Placed& placed : layout.legend) {
        const double size = theme_.px(barWidth), lineLength = theme_.px(20);
        if (placed.entry.patch) {
            painter.fillRect(
                QRectF(placed.at.x() + (lineLength - size) / 2, placed.at.y() - size / 2, size, size),
                placed.entry.colour);
        } else {
            painter.setPen(
                QPen(placed.entry.colour, placed.entry.width, penStyle(placed.entry.style), Qt::FlatCap));
            painter.drawLine(placed.at, placed.at + QPointF(lineLength, 0));
        }
        SymbolText::upright(placed.entry.label)
            .draw(painter, placed.at + QPointF(theme_.px(26), 0), Qt::AlignLeft | Qt::AlignVCenter,
                  layout.small, theme_.text());
    }
}

void PlotPainter::paintColourBar(QPainter& painter, const Layout& layout) const
{
    const QRectF& r = layout.barRect;
    QLinearGradient gradient(r.bottomLeft(), r.topLeft());
    for (int i = 0; i <= 16; ++i)
        gradient.setColorAt(i / 16.0, theme_.level(i / 16.0));
    painter.fillRect(r, gradient);
    SymbolText::quantity(layout.bar->quantity)
        .draw(painter, {r.left(), layout.transform.area().top()}, Qt::AlignLeft | Qt::AlignTop, layout.small,
              theme_.text());
    for (const Tick& k : layout.barTicks.major) {
        const double y =
            r.bottom() - (k.value - layout.bar->min) / (layout.bar->max - layout.bar->min) * r.height();
        painter.setPen(QPen(theme_.background(), theme_.hairline()));
        painter.drawLine(QPointF(r.left(), y), QPointF(r.right(), y));
        SymbolText::upright(k.label).draw(painter, {r.right() + theme_.px(5), y},
                                          Qt::AlignLeft | Qt::AlignVCenter, layout.small, theme_.mutedText());
    }
    if (!layout.barTicks.factor.empty())
        SymbolText::upright(layout.barTicks.factor)
            .draw(painter, {r.left(), r.bottom() + theme_.px(4)}, Qt::AlignLeft | Qt::AlignTop, layout.small,
                  theme_.mutedText());
}

void PlotPainter::strokeLine(QPainter& painter, const PlotTransform& transform, const Polyline& line,
                             bool family) const
{
    const QColor colour = theme_.colour(line.colour);
    QPen pen(line.past ? fainter(colour, theme_) : colour,
             line.emphasised ? theme_.emphasis()
             : family        ? theme_.hairline()
                             : theme_.line(),
             penStyle(line.style), Qt::FlatCap, Qt::RoundJoin);
    if (family && !line.emphasised && options_.draft && !isVector(painter)) {
        pen.setWidthF(1);
        pen.setCosmetic(true);
    }
    const std::vector<QPolygonF> pieces = visiblePieces(*plot_, transform, line.x, line.y);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (!isVector(painter)) {
        for (const QPolygonF& piece : pieces)
            painter.drawPolyline(piece);
        return;
    }
    QPainterPath path;
    for (const QPolygonF& piece : pieces)
        path.addPolygon(piece);
    if (!path.isEmpty())
        painter.drawPath(path);
}

void PlotPainter::paintCloud(QPainter& painter, const PlotTransform& transform, const PointCloud& cloud) const
{
    const double diameter = theme_.px(discDiameter) * cloud.size;
    QPolygonF points;
    for (std::size_t i = 0; i < std::min(cloud.x.size(), cloud.y.size()); ++i)
        for (const QPointF& p : visiblePlaces(*plot_, transform, cloud.x[i], cloud.y[i]))
            points.push_back(p);
    if (!isVector(painter)) {
        painter.setPen(QPen(theme_.colour(cloud.colour), diameter, Qt::SolidLine, Qt::RoundCap));
        painter.drawPoints(points);
        return;
    }
    QPainterPath discs;
    discs.setFillRule(Qt::WindingFill);
    for (const QPointF& p : points)
        discs.addEllipse(p, diameter / 2, diameter / 2);
    painter.fillPath(discs, theme_.colour(cloud.colour));
}

void PlotPainter::paintMark(QPainter& painter, const PlotTransform& transform, const Mark& mark,
                            bool selected, std::vector<QRectF>& labels) const
{
    for (const QPointF& p : visiblePlaces(*plot_, transform, mark.x, mark.y)) {
        if (mark.shape == MarkShape::Text) {
            SymbolText::upright(mark.label)
                .draw(painter, p, Qt::AlignCenter, theme_.font(Theme::Text::Small),
                      mark.colour.role == Role::Neutral ? theme_.text() : theme_.colour(mark.colour));
            continue;
        }
        if (selected) {
            painter.setPen(QPen(theme_.accent(), theme_.px(2)));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(p, theme_.markRadius() + theme_.px(4), theme_.markRadius() + theme_.px(4));
        }
        drawMark(painter, p, mark.shape, theme_.markRadius(), theme_.colour(mark.colour),
                 theme_.background());
        if (mark.label.empty() || selected)
            continue;
        const SymbolText text = SymbolText::upright(mark.label);
        const QSizeF size = text.boundingRect(theme_.font(Theme::Text::Small)).size();
        const double away = theme_.markRadius() + theme_.px(4);
        const bool leftward = p.x() + away + size.width() > transform.area().right();
        const bool below = p.y() - away - size.height() < transform.area().top();
        const QPointF at = p + QPointF(leftward ? -away : away, below ? away + size.height() / 2 : -away);
        // Words one over the other say nothing, and what a mark stands for is told under the pointer.
        const QRectF box({at.x() - (leftward ? size.width() : 0), at.y() - size.height()}, size);
        if (box.left() < transform.area().left() ||
            std::any_of(labels.begin(), labels.end(), [&](const QRectF& r) { return r.intersects(box); }))
            continue;
        labels.push_back(box);
        const Qt::Alignment side = (leftward ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBaseline;
        // A rim keeps the word legible on the curves it crosses; in vectors it would be the same word five
        // times.
        if (!isVector(painter))
            for (const QPointF& by : {QPointF(-1, 0), QPointF(1, 0), QPointF(0, -1), QPointF(0, 1)})
                text.draw(painter, at + by * theme_.px(1.2), side, theme_.font(Theme::Text::Small),
                          theme_.background());
        text.draw(painter, at, side, theme_.font(Theme::Text::Small), theme_.text());
    }
}

void PlotPainter::paintBeyond(QPainter& painter, const PlotTransform& transform, const Mark& mark,
                              std::vector<QRectF>& labels) const
{
    if (!plot_->axes || !std::isfinite(mark.x) || !std::isfinite(mark.y) ||
        !visiblePlaces(*plot_, transform, mark.x, mark.y).empty())
        return;
    // Of a value that comes again, the copy nearest to what is seen.
    const PlotWindow& w = transform.window();
    const auto nearest = [](const PlotAxis& axis, double value, double lo, double hi) {
        const double period = axis.scale == Scale::Linear ? axis.quantity.period : 0;
        return period > 0 ? value - period * std::round((value - (lo + hi) / 2) / period) : value;
    };
    const QPointF there = transform.toPixel(nearest(plot_->x, mark.x, w.xMin, w.xMax),
                                            nearest(plot_->y, mark.y, w.yMin, w.yMax));
    if (!std::isfinite(there.x()) || !std::isfinite(there.y()))
        return;
    const QRectF& area = transform.area();
    const double size = theme_.px(9);
    const auto side = [](double v, double lo, double hi) { return v < lo ? -1 : v > hi ? 1 : 0; };
    const int across = side(there.x(), area.left(), area.right()),
              along = side(there.y(), area.top(), area.bottom());
    if ((across == 0 && along == 0) || std::min(area.width(), area.height()) < 4 * size)
        return;
    const QPointF tip(
        std::clamp(there.x(), area.left() + (across ? 1 : size), area.right() - (across ? 1 : size)),
        std::clamp(there.y(), area.top() + (along ? 1 : size), area.bottom() - (along ? 1 : size)));
    QPointF way(across, along);
    way /= std::hypot(way.x(), way.y());
    const QPointF normal(-way.y(), way.x());
    painter.setPen(QPen(theme_.background(), theme_.hairline()));
    painter.setBrush(theme_.colour(mark.colour));
    painter.drawPolygon(
        QPolygonF({tip, tip - size * way + 0.6 * size * normal, tip - size * way - 0.6 * size * normal}));

    std::string values;
    const auto say = [&](const PlotAxis& axis, double value) {
        std::string number = roundedText(value, 4);
        for (std::size_t at = 0; (at = number.find('-', at)) != std::string::npos; at += 3)
            number.replace(at, 1, "−");
        values += (values.empty() ? "" : ", ") + number +
                  (axis.quantity.unit.empty() ? "" : " " + axis.quantity.unit);
    };
    if (across != 0)
        say(plot_->x, mark.x);
    if (along != 0)
        say(plot_->y, mark.y);
    const SymbolText text = SymbolText::upright(values);
    const QFont font = theme_.font(Theme::Text::Small);
    QRectF box = text.boundingRect(font);
    const double pad = theme_.px(3);
    box.moveCenter(tip - (size + pad) * way);
    if (across != 0)
        box.moveLeft(across < 0 ? tip.x() + size + pad : tip.x() - size - pad - box.width());
    if (along != 0)
        box.moveTop(along < 0 ? tip.y() + size + pad : tip.y() - size - pad - box.height());
    box.moveLeft(std::clamp(box.left(), area.left() + pad,
                            std::max(area.left() + pad, area.right() - pad - box.width())));
    box.moveTop(std::clamp(box.top(), area.top() + pad,
                           std::max(area.top() + pad, area.bottom() - pad - box.height())));
    if (std::any_of(labels.begin(), labels.end(), [&](const QRectF& other) { return other.intersects(box); }))
        return;
    labels.push_back(box);
    painter.fillRect(box, theme_.background());
    text.draw(painter, {box.left(), box.center().y()}, Qt::AlignLeft | Qt::AlignVCenter, font, theme_.text());
}

void PlotPainter::paintOverlay(QPainter& painter, const Layout& layout, const PlotOverlay& overlay) const
{
    const PlotTransform& t = layout.transform;
    std::vector<QRectF> labels;
    // What the leading Motion, whose track is the last, cannot reach.
    if (!overlay.tracks.empty())
        paintVeil(painter, t, overlay.tracks.back().reach);
    for (const Polyline& line : overlay.lines)
        strokeLine(painter, t, line, false);
    for (const PlotTrack& track : overlay.tracks)
        for (const Polyline& line : track.lines)
            strokeLine(painter, t, line, false);
    if (!overlay.selectedMark.empty())
        for (const Mark& mark : plot_->marks)
            if (mark.id == overlay.selectedMark)
                paintMark(painter, t, mark, true, labels);
    for (const Mark& mark : overlay.marks)
        paintMark(painter, t, mark, false, labels);
    for (const PlotTrack& track : overlay.tracks)
        for (const Mark& mark : track.marks) {
            paintMark(painter, t, mark, false, labels);
            if (mark.shape == MarkShape::Disc)
                paintBeyond(painter, t, mark, labels);
        }
    if (overlay.hover) {
        const QPointF p = t.toPixel(overlay.hover->x(), overlay.hover->y());
        if (t.area().contains(p)) {
            painter.setPen(QPen(theme_.axis(), theme_.hairline(), Qt::DotLine));
            painter.drawLine(QPointF(t.area().left(), p.y()), QPointF(t.area().right(), p.y()));
            painter.drawLine(QPointF(p.x(), t.area().top()), QPointF(p.x(), t.area().bottom()));
            if (!overlay.hoverText.empty()) {
                const SymbolText text = SymbolText::upright(overlay.hoverText);
                QRectF box = text.boundingRect(layout.small);
                const double pad = theme_.px(5), away = theme_.px(10);
                box.adjust(-pad, -pad / 2, pad, pad / 2);
                box.moveTopLeft(p + QPointF(away, -away - box.height()));
                if (box.right() > t.area().right())
                    box.moveRight(p.x() - away);
                if (box.top() < t.area().top())
                    box.moveTop(p.y() + away);
                QColor fill = theme_.panel();
                fill.setAlphaF(0.92f);
                painter.setPen(QPen(theme_.grid(), theme_.hairline()));
                painter.setBrush(fill);
                painter.drawRoundedRect(box, theme_.px(3), theme_.px(3));
                text.draw(painter, {box.left() + pad, box.center().y()}, Qt::AlignLeft | Qt::AlignVCenter,
                          layout.small, theme_.text());
            }
        }
    }
    if (overlay.rubberBand) {
        QColor fill = theme_.accent();
        fill.setAlphaF(0.15f);
        painter.setPen(QPen(theme_.accent(), theme_.hairline()));
        painter.setBrush(fill);
        painter.drawRect(overlay.rubberBand->normalized().intersected(t.area()));
    }
}

std::string PlotPainter::markAt(const QRectF& rect, const QPointF& pixel) const
{
    std::string nearest;
    double least = theme_.px(reach);
    if (!plot_)
        return nearest;
    const PlotTransform t = transform(rect);
    for (const Mark& mark : plot_->marks)
        for (const QPointF& p : visiblePlaces(*plot_, t, mark.x, mark.y))
            if (const double d = std::hypot(p.x() - pixel.x(), p.y() - pixel.y());
                !mark.id.empty() && d < least) {
                least = d;
                nearest = mark.id;
            }
    return nearest;
}

std::string PlotPainter::handleAt(const QRectF& rect, const QPointF& pixel) const
{
    std::string nearest;
    double least = theme_.px(reach);
    if (!plot_)
        return nearest;
    const PlotTransform t = transform(rect);
    for (const Handle& handle : plot_->handles)
        for (const QPointF& p : visiblePlaces(*plot_, t, handle.x, handle.y))
            if (const double d = std::hypot(p.x() - pixel.x(), p.y() - pixel.y()); d < least) {
                least = d;
                nearest = handle.id;
            }
    return nearest;
}

void drawMark(QPainter& painter, const QPointF& centre, MarkShape shape, double radius, const QColor& colour,
              const QColor& rim)
{
    painter.save();
    const double r = radius;
    const double stroke = 0.46 * r, halo = 0.36 * r;
    const auto fill = [&](const QPainterPath& path) {
        painter.setPen(QPen(rim, halo));
        painter.setBrush(colour);
        painter.drawPath(path);
    };
    const auto outline = [&](const QPainterPath& path) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(rim, stroke + halo, Qt::SolidLine, Qt::FlatCap));
        painter.drawPath(path);
        painter.setPen(QPen(colour, stroke, Qt::SolidLine, Qt::FlatCap));
        painter.drawPath(path);
    };
    QPainterPath path;
    switch (shape) {
    case MarkShape::Disc:
        path.addEllipse(centre, r, r);
        fill(path);
        break;
    case MarkShape::Diamond:
        path.addPolygon(QPolygonF({centre + QPointF(0, -1.3 * r), centre + QPointF(1.3 * r, 0),
                                   centre + QPointF(0, 1.3 * r), centre + QPointF(-1.3 * r, 0)}));
        path.closeSubpath();
        fill(path);
        break;
    case MarkShape::Square:
        path.addRect(QRectF(centre - QPointF(0.9 * r, 0.9 * r), QSizeF(1.8 * r, 1.8 * r)));
        fill(path);
        break;
    case MarkShape::Cross:
        path.moveTo(centre + QPointF(-0.9 * r, -0.9 * r));
        path.lineTo(centre + QPointF(0.9 * r, 0.9 * r));
        path.moveTo(centre + QPointF(-0.9 * r, 0.9 * r));
        path.lineTo(centre + QPointF(0.9 * r, -0.9 * r));
        outline(path);
        break;
    case MarkShape::Ring:
        path.addEllipse(centre, 0.85 * r, 0.85 * r);
        outline(path);
        break;
    case MarkShape::Text:
        break;
    }
    painter.restore();
}

} // namespace casimir
