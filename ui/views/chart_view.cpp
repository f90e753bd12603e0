#include "ui/views/chart_view.h"

#include "core/base/number_text.h"
#include "ui/render/symbol_text.h"
#include "ui/render/ticks.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QGraphicsLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

namespace {

Qt::PenStyle penStyle(LineStyle style)
{
    return style == LineStyle::Dashed   ? Qt::DashLine
           : style == LineStyle::Dotted ? Qt::DotLine
                                        : Qt::SolidLine;
}

constexpr double keyPan = 0.1; // of the range, for one key press

} // namespace

DataTable tableOf(const std::vector<ChartLine>& lines)
{
    std::size_t rows = 0;
    for (const ChartLine& line : lines)
        rows = std::max(rows, line.x.size());
    const auto padded = [rows](std::vector<double> column) {
        column.resize(rows, std::numeric_limits<double>::quiet_NaN());
        return column;
    };
    DataTable table;
    const std::vector<double>* times = nullptr;
    for (const ChartLine& line : lines) {
        if (!times || *times != line.x)
            table.add({"t", "t", "time", "s"}, padded(line.x));
        times = &line.x;
        table.add({line.id, line.symbol, line.id, line.unit}, padded(line.y));
    }
    return table;
}

// One axis: ours decides the ticks, Qt Charts draws them. A logarithmic axis carries exponents.
struct ChartView::Axis {
    QCategoryAxis* axis = nullptr;
    PlotAxis shape;
    Ticks ticks;

    bool logarithmic() const { return shape.scale == Scale::Logarithmic; }
    double place(double value) const { return logarithmic() ? std::log10(value) : value; }
};

ChartView::ChartView(QWidget* parent)
    : QChartView(parent),
      chart_(new QChart),
      x_(std::make_unique<Axis>()),
      left_(std::make_unique<Axis>()),
      right_(std::make_unique<Axis>())
{
    setChart(chart_);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(120, 90);
    setViewportUpdateMode(NoViewportUpdate); // repaintSoon() asks
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    chart_->legend()->hide();
    chart_->setAnimationOptions(QChart::NoAnimation);
    chart_->setBackgroundVisible(false);
    chart_->setMargins({0, 0, 0, 0});
    chart_->layout()->setContentsMargins(0, 0, 0, 0);
    for (Axis* a : {x_.get(), left_.get(), right_.get()}) {
        a->axis = new QCategoryAxis(this);
        a->axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        a->axis->setTruncateLabels(false);
        chart_->addAxis(a->axis, a == x_.get()      ? Qt::AlignBottom
                                 : a == left_.get() ? Qt::AlignLeft
                                                    : Qt::AlignRight);
    }
    right_->axis->setVisible(false);
    restyle();
}

ChartView::~ChartView() = default;

// A graphics scene with changed items makes the whole window paint at once, 3D frames included, and again for
// the next chart. Told that everything changed it keeps still, and the window paints in its own time.
void ChartView::repaintSoon()
{
    chart_->layout()->activate();
    scene()->update();
    viewport()->update();
}

void ChartView::setTheme(const Theme& theme)
{
    if (theme == theme_)
        return;
    theme_ = theme;
    restyle();
    layOut();
    repaintSoon();
}

void ChartView::restyle()
{
    for (Axis* a : {x_.get(), left_.get(), right_.get()}) {
        QPen line(theme_.axis(), theme_.hairline());
        a->axis->setLinePen(line);
        a->axis->setGridLinePen(QPen(theme_.grid(), theme_.hairline()));
        a->axis->setGridLineVisible(a != right_.get());
        a->axis->setLabelsFont(theme_.font(Theme::Text::Small));
        a->axis->setLabelsBrush(theme_.mutedText());
    }
    for (std::size_t i = 0; i < series_.size(); ++i)
        series_[i]->setPen(penOf(lines_[i]));
}

QPen ChartView::penOf(const ChartLine& line) const
{
    const QColor colour = theme_.colour(line.colour);
    return {line.past ? fainter(colour, theme_) : colour, theme_.line(), penStyle(line.style), Qt::FlatCap,
            Qt::RoundJoin};
}

SymbolText ChartView::legendText(const ChartLine& line) const
{
    return SymbolText::symbol(line.symbol) + SymbolText::upright(line.label);
}

double ChartView::legendHeight() const
{
    const double none = theme_.px(10);
    if (lines_.empty())
        return none;
    const QFont small = theme_.font(Theme::Text::Small);
    double x = 0, rows = 1;
    for (const ChartLine& line : lines_) {
        if (line.past)
            continue;
        const double w = theme_.px(42) + legendText(line).boundingRect(small).width();
        if (x > 0 && x + w > width() - theme_.px(20)) {
            ++rows;
            x = 0;
        }
        x += w;
    }
    // In a small chart the curves matter more than their names.
    const double wanted = theme_.px(8) + rows * theme_.px(17);
    return wanted <= 0.25 * height() ? wanted : none;
}

bool ChartView::showsLegend() const
{
    return legendHeight() > theme_.px(10);
}

void ChartView::layOut()
{
    const QFont small = theme_.font(Theme::Text::Small), normal = theme_.font();
    const QFontMetricsF metrics(small), title(normal);
    // Wide enough for any label, so that nothing moves when the numbers change.
    const double labels = metrics.horizontalAdvance(QStringLiteral("−0000.0")) + theme_.px(8);
    const double titleHeight = title.height() + theme_.px(4);
    const double left = labels + titleHeight + theme_.px(4);
    const double right = hasRight_ ? left : theme_.px(16);
    const double top = legendHeight() + theme_.px(4);
    const double bottom = metrics.height() + titleHeight + theme_.px(14);
    chart_->resize(size());
    scene()->setSceneRect(QRectF(QPointF(), QSizeF(size())));
    const QRectF area(left, top, std::max(20.0, width() - left - right),
                      std::max(20.0, height() - top - bottom));
    if (area != area_) {
        area_ = area;
        chart_->setPlotArea(area);
    }
    fill(*x_, std::max(2, static_cast<int>(area.width() / theme_.px(64))));
    fill(*left_, std::max(2, static_cast<int>(area.height() / theme_.px(40))));
    if (hasRight_)
        fill(*right_, std::max(2, static_cast<int>(area.height() / theme_.px(40))));
}

void ChartView::fill(Axis& a, int target)
{
    const Ticks ticks = makeTicks(a.shape, a.shape.min, a.shape.max, target);
    const double lo = a.place(a.shape.min), hi = a.place(a.shape.max);
    const bool same =
        ticks.major.size() == a.ticks.major.size() &&
        std::equal(ticks.major.begin(), ticks.major.end(), a.ticks.major.begin(),
                   [](const Tick& p, const Tick& q) { return p.value == q.value && p.label == q.label; });
    if (!same || a.axis->count() == 0) {
        for (const QString& label : a.axis->categoriesLabels())
            a.axis->remove(label);
        a.axis->setStartValue(lo - 10 * (hi - lo));
        for (const Tick& tick : ticks.major)
            a.axis->append(SymbolText::upright(tick.label).html(), a.place(tick.value));
        a.ticks = ticks;
    }
    if (a.axis->min() != lo || a.axis->max() != hi)
        a.axis->setRange(lo, hi);
}

void ChartView::setAxes(const PlotAxis& x, const PlotAxis& left, const std::optional<PlotAxis>& right)
{
    x_->shape = x;
    left_->shape = left;
    hasRight_ = right.has_value();
    if (right)
        right_->shape = *right;
    right_->axis->setVisible(hasRight_);
    layOut();
    repaintSoon();
}

void ChartView::setLines(const std::vector<ChartLine>& lines)
{
    const bool same =
        lines.size() == lines_.size() &&
        std::equal(lines.begin(), lines.end(), lines_.begin(), [](const ChartLine& a, const ChartLine& b) {
            return a.symbol == b.symbol && a.label == b.label && a.colour == b.colour && a.style == b.style &&
                   a.right == b.right && a.past == b.past;
        });
    if (!same) {
        ++rebuilds_;
        for (QLineSeries* old : series_) {
            chart_->removeSeries(old);
            delete old;
        }
        series_.clear();
        lines_.clear();
        for (const ChartLine& line : lines) {
            auto* series = new QLineSeries;
            chart_->addSeries(series);
            series->attachAxis(x_->axis);
            series->attachAxis((line.right ? *right_ : *left_).axis);
            series_.push_back(series);
            ChartLine& kept = lines_.emplace_back(line);
            kept.x.clear();
            kept.y.clear();
        }
        restyle();
        layOut();
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Axis& vertical = lines[i].right ? *right_ : *left_;
        QList<QPointF> points;
        points.reserve(static_cast<qsizetype>(lines[i].x.size()));
        for (std::size_t k = 0; k < lines[i].x.size(); ++k)
            if (const double y = vertical.place(lines[i].y[k]); std::isfinite(y))
                points.emplace_back(lines[i].x[k], y);
        series_[i]->replace(points);
    }
    repaintSoon();
}

void ChartView::setCursor(std::optional<double> x)
{
    if (x == cursor_)
        return;
    cursor_ = x;
    repaintSoon();
}

void ChartView::setForgotten(std::optional<double> before)
{
    if (before == forgotten_)
        return;
    forgotten_ = before;
    repaintSoon();
}

QString ChartView::forgottenText() const
{
    if (!forgotten_ || *forgotten_ <= x_->shape.min)
        return {};
    return tr("before %1 s no longer kept").arg(QString::fromStdString(roundedText(*forgotten_, 4)));
}

void ChartView::setMessage(const QString& text)
{
    if (text == message_)
        return;
    message_ = text;
    repaintSoon();
}

int ChartView::pointCount(int line) const
{
    return static_cast<int>(series_.at(static_cast<std::size_t>(line))->count());
}

QRectF ChartView::area() const
{
    return area_; // the chart's own follows when it is laid out
}

double ChartView::xAt(double pixel) const
{
    return x_->shape.min + (pixel - area().left()) / area().width() * (x_->shape.max - x_->shape.min);
}

double ChartView::pixelOf(double x) const
{
    return area().left() + (x - x_->shape.min) / (x_->shape.max - x_->shape.min) * area().width();
}

void ChartView::paintTo(QPainter& painter, const QRectF& rect)
{
    layOut();
    chart_->layout()->activate();
    render(&painter, rect, viewport()->rect());
}

void ChartView::drawBackground(QPainter* painter, const QRectF& rect)
{
    if (!transparent_)
        painter->fillRect(rect, theme_.background());
}

void ChartView::drawForeground(QPainter* painter, const QRectF&)
{
    const QRectF a = area();
    const QFont small = theme_.font(Theme::Text::Small), normal = theme_.font(Theme::Text::Symbol);
    if (!message_.isEmpty()) {
        painter->setFont(theme_.font());
        painter->setPen(theme_.mutedText());
        painter->drawText(a, Qt::AlignCenter | Qt::TextWordWrap, message_);
    }
    // Where a curve is missing because its recording was shortened, not because nothing moved.
    if (const QString text = forgottenText(); !text.isEmpty()) {
        const double end = std::min(pixelOf(*forgotten_), a.right());
        painter->fillRect(QRectF(a.left(), a.top(), end - a.left(), a.height()),
                          QBrush(theme_.grid(), Qt::BDiagPattern));
        painter->setFont(small);
        const QRectF words(a.left() + theme_.px(6), a.bottom() - theme_.px(22), a.width() - theme_.px(12),
                           theme_.px(18));
        const QRectF used = painter->boundingRect(words, Qt::AlignLeft | Qt::AlignVCenter, text);
        painter->fillRect(used.adjusted(-theme_.px(3), 0, theme_.px(3), 0), theme_.background());
        painter->setPen(theme_.mutedText());
        painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    const double edge = theme_.px(6);
    SymbolText::quantity(x_->shape.quantity)
        .draw(*painter, {a.center().x(), height() - edge}, Qt::AlignHCenter | Qt::AlignBottom, normal,
              theme_.text());
    const auto vertical = [&](const Axis& axis, double x, double turn, Qt::Alignment side) {
        const SymbolText title = SymbolText::quantity(axis.shape.quantity);
        const auto fits = [&](const QFont& font) { return title.boundingRect(font).width() <= a.height(); };
        if (fits(normal) || fits(small)) {
            painter->save();
            painter->translate(x, a.center().y());
            painter->rotate(turn);
            title.draw(*painter, {0, 0}, Qt::AlignHCenter | side, fits(normal) ? normal : small,
                       theme_.text());
            painter->restore();
        }
        if (!axis.ticks.factor.empty())
            SymbolText::upright(axis.ticks.factor)
                .draw(*painter, {turn < 0 ? a.left() : a.right(), a.top() - theme_.px(2)},
                      (turn < 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom, small,
                      theme_.mutedText());
    };
    vertical(*left_, edge, -90, Qt::AlignTop);
    if (hasRight_)
        vertical(*right_, width() - edge, 90, Qt::AlignTop);

    if (showsLegend())
        drawLegend(*painter);
    if (cursor_ && *cursor_ >= x_->shape.min && *cursor_ <= x_->shape.max) {
        const double at = std::floor(pixelOf(*cursor_)) + 0.5;
        painter->setPen(QPen(theme_.text(), theme_.hairline()));
        painter->drawLine(QPointF(at, a.top()), QPointF(at, a.bottom()));
    }
}

void ChartView::drawLegend(QPainter& painter) const
{
    const QFont small = theme_.font(Theme::Text::Small);
    double x = theme_.px(12), y = theme_.px(8) + theme_.px(8);
    for (const ChartLine& line : lines_) {
        if (line.past)
            continue;
        const SymbolText text = legendText(line);
        const double w = theme_.px(42) + text.boundingRect(small).width();
        if (x > theme_.px(12) && x + w > width() - theme_.px(8)) {
            x = theme_.px(12);
            y += theme_.px(17);
        }
        painter.setPen(penOf(line));
        painter.drawLine(QPointF(x, y), QPointF(x + theme_.px(20), y));
        text.draw(painter, {x + theme_.px(26), y}, Qt::AlignLeft | Qt::AlignVCenter, small, theme_.text());
        x += w;
    }
}

void ChartView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event); // not QChartView's, which would lay out the chart by itself
    layOut();
    repaintSoon();
}

void ChartView::mousePressEvent(QMouseEvent* event)
{
    pressedAt_ = lastAt_ = event->position();
    moved_ = second_ = false;
    event->accept();
}

void ChartView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if ((at - pressedAt_).manhattanLength() >= QApplication::startDragDistance())
        moved_ = true;
    if (event->buttons() != Qt::NoButton && moved_) {
        if ((event->buttons() & Qt::LeftButton) && (event->modifiers() & Qt::ShiftModifier))
            Q_EMIT pointed(xAt(at.x()));
        else
            Q_EMIT panned(xAt(lastAt_.x()) - xAt(at.x()));
        lastAt_ = at;
    }
    event->accept();
}

void ChartView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!moved_ && !second_ && event->button() == Qt::LeftButton && area().contains(event->position()))
        Q_EMIT pointed(xAt(event->position().x()));
    if (!moved_ && event->button() == Qt::RightButton)
        Q_EMIT menuAsked(event->globalPosition().toPoint());
    event->accept();
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event)
{
    mousePressEvent(event);
    second_ = event->button() == Qt::LeftButton;
}

void ChartView::wheelEvent(QWheelEvent* event)
{
    if (event->angleDelta().y() != 0)
        Q_EMIT zoomed(xAt(event->position().x()), std::pow(1.0015, event->angleDelta().y()));
    event->accept();
}

// Not QGraphicsView's, which would scroll.
void ChartView::keyPressEvent(QKeyEvent* event)
{
    event->ignore();
}

void ChartView::zoomBy(double factor)
{
    Q_EMIT zoomed((x_->shape.max + x_->shape.min) / 2, factor);
}

void ChartView::moveBy(int right)
{
    Q_EMIT panned(right * keyPan * (x_->shape.max - x_->shape.min));
}

void ChartView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() != QContextMenuEvent::Mouse)
        Q_EMIT menuAsked(event->globalPos());
    event->accept();
}

} // namespace casimir
