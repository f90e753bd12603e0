#include "ui/views/chart_view.h"

#include "core/session/number_text.h"
#include "ui/render/plot_lines.h"
#include "ui/render/plot_painter.h"
#include "ui/render/symbol_text.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QPainter>

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
constexpr double keyZoom = 1.25;

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

ChartView::ChartView(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(120, 90);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ChartView::setTheme(const Theme& theme)
{
    if (theme == theme_)
        return;
    theme_ = theme;
    update();
}

SymbolText ChartView::legendText(const ChartLine& line) const
{
    return SymbolText::symbol(line.symbol) + SymbolText::upright(line.label);
}

double ChartView::legendHeight(const QRectF& rect) const
{
    if (lines_.empty())
        return 0;
    const QFont small = theme_.font(Theme::Text::Small);
    double x = 0, rows = 1;
    for (const ChartLine& line : lines_) {
        const double w = theme_.px(42) + legendText(line).boundingRect(small).width();
        if (x > 0 && x + w > rect.width() - theme_.px(20)) {
            ++rows;
            x = 0;
        }
        x += w;
    }
    // In a small chart the curves matter more than their names.
    const double wanted = theme_.px(8) + rows * theme_.px(17);
    return wanted <= 0.25 * rect.height() ? wanted : 0;
}

ChartView::Layout ChartView::layOut(const QRectF& rect) const
{
    const QFontMetricsF small(theme_.font(Theme::Text::Small)), title(theme_.font());
    // Wide enough for any label, so that nothing moves when the numbers change.
    const double labels = small.horizontalAdvance(QStringLiteral("−0000.0")) + theme_.px(8);
    const double titleHeight = title.height() + theme_.px(4);
    const double left = labels + titleHeight + theme_.px(4);
    const double right = right_ ? left : theme_.px(16);
    const double legend = legendHeight(rect);
    const double top = (legend > 0 ? legend : theme_.px(10)) + theme_.px(4);
    const double bottom = small.height() + titleHeight + theme_.px(14);
    Layout l;
    l.rect = rect;
    l.legend = legend > 0;
    l.area = QRectF(rect.left() + left, rect.top() + top, std::max(20.0, rect.width() - left - right),
                    std::max(20.0, rect.height() - top - bottom));
    const auto target = [](double length, double each) {
        return std::max(2, static_cast<int>(length / each));
    };
    l.x = makeTicks(x_, x_.min, x_.max, target(l.area.width(), theme_.px(64)));
    l.left = makeTicks(left_, left_.min, left_.max, target(l.area.height(), theme_.px(40)));
    if (right_)
        l.right = makeTicks(*right_, right_->min, right_->max, target(l.area.height(), theme_.px(40)));
    return l;
}

void ChartView::setAxes(const PlotAxis& x, const PlotAxis& left, const std::optional<PlotAxis>& right)
{
    x_ = x;
    left_ = left;
    right_ = right;
    update();
}

void ChartView::setLines(const std::vector<ChartLine>& lines)
{
    const bool same =
        lines.size() == lines_.size() &&
        std::equal(lines.begin(), lines.end(), lines_.begin(), [](const ChartLine& a, const ChartLine& b) {
            return a.symbol == b.symbol && a.label == b.label && a.colour == b.colour && a.style == b.style &&
                   a.right == b.right;
        });
    if (!same)
        ++rebuilds_;
    lines_ = lines;
    update();
}

void ChartView::setCursor(std::optional<double> x)
{
    if (x == cursor_)
        return;
    cursor_ = x;
    update();
}

void ChartView::setForgotten(std::optional<double> before)
{
    if (before == forgotten_)
        return;
    forgotten_ = before;
    update();
}

void ChartView::setMessage(const QString& text)
{
    if (text == message_)
        return;
    message_ = text;
    update();
}

int ChartView::pointCount(int line) const
{
    const ChartLine& l = lines_.at(static_cast<std::size_t>(line));
    const bool logarithmic = (l.right && right_ ? *right_ : left_).scale == Scale::Logarithmic;
    return static_cast<int>(std::count_if(
        l.y.begin(), l.y.end(), [&](double y) { return std::isfinite(logarithmic ? std::log10(y) : y); }));
}

QRectF ChartView::area() const
{
    return layOut(rect()).area;
}

double ChartView::xAt(double pixel) const
{
    const QRectF a = area();
    return x_.min + (pixel - a.left()) / a.width() * (x_.max - x_.min);
}

double ChartView::pixelOf(double x) const
{
    const QRectF a = area();
    return a.left() + (x - x_.min) / (x_.max - x_.min) * a.width();
}

QString ChartView::forgottenText() const
{
    if (!forgotten_ || *forgotten_ <= x_.min)
        return {};
    return tr("before %1 s no longer kept").arg(QString::fromStdString(roundedText(*forgotten_, 4)));
}

void ChartView::paintTo(QPainter& painter, const QRectF& rect)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paint(painter, layOut(rect));
    painter.restore();
}

void ChartView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintTo(painter, rect());
}

Plot ChartView::frame(bool right) const
{
    Plot plot;
    plot.x = x_;
    plot.y = right && right_ ? *right_ : left_;
    plot.x.quantity.period = plot.y.quantity.period = 0; // an angle over time goes on
    return plot;
}

void ChartView::paint(QPainter& painter, const Layout& layout) const
{
    const QRectF& a = layout.area;
    if (!transparent_)
        painter.fillRect(layout.rect, theme_.background());
    paintAxes(painter, layout);
    paintForgotten(painter, layout);
    for (const bool right : {false, true}) {
        const Plot plot = frame(right);
        const PlotTransform transform(plot, {x_.min, x_.max, plot.y.min, plot.y.max}, a);
        for (const ChartLine& line : lines_)
            if (line.right == right)
                strokePieces(painter, visiblePieces(plot, transform, line.x, line.y),
                             QPen(theme_.colour(line.colour), theme_.line(), penStyle(line.style),
                                  Qt::FlatCap, Qt::RoundJoin));
    }
    if (!message_.isEmpty()) {
        painter.setFont(theme_.font());
        painter.setPen(theme_.mutedText());
        painter.drawText(a, Qt::AlignCenter | Qt::TextWordWrap, message_);
    }
    if (layout.legend)
        paintLegend(painter, layout.rect);
    if (cursor_ && *cursor_ >= x_.min && *cursor_ <= x_.max) {
        const double at = std::floor(a.left() + (*cursor_ - x_.min) / (x_.max - x_.min) * a.width()) + 0.5;
        painter.setPen(QPen(theme_.text(), theme_.hairline()));
        painter.drawLine(QPointF(at, a.top()), QPointF(at, a.bottom()));
    }
}

void ChartView::paintAxes(QPainter& painter, const Layout& layout) const
{
    const QRectF& a = layout.area;
    const QFont small = theme_.font(Theme::Text::Small), normal = theme_.font(Theme::Text::Symbol);
    const double gap = theme_.px(5), edge = theme_.px(6);
    // A line of one pixel is sharp when its middle lies between pixels.
    const auto sharp = [&](double v) { return isVector(painter) ? v : std::floor(v) + 0.5; };
    const QPen grid(theme_.grid(), theme_.hairline()), line(theme_.axis(), theme_.hairline());
    const double left = sharp(a.left()), bottom = sharp(a.bottom());

    const Plot plot = frame(false);
    const PlotTransform t(plot, {x_.min, x_.max, left_.min, left_.max}, a);
    painter.setPen(grid);
    for (const Tick& k : layout.x.major)
        painter.drawLine(QPointF(sharp(t.xPixel(k.value)), a.top()),
                         QPointF(sharp(t.xPixel(k.value)), bottom));
    for (const Tick& k : layout.left.major)
        painter.drawLine(QPointF(left, sharp(t.yPixel(k.value))),
                         QPointF(a.right(), sharp(t.yPixel(k.value))));
    painter.setPen(line);
    painter.drawLine(QPointF(left, a.top()), QPointF(left, bottom));
    painter.drawLine(QPointF(left, bottom), QPointF(a.right(), bottom));

    for (const Tick& k : layout.x.major)
        SymbolText::upright(k.label).draw(painter, {t.xPixel(k.value), bottom + gap},
                                          Qt::AlignHCenter | Qt::AlignTop, small, theme_.mutedText());
    for (const Tick& k : layout.left.major)
        SymbolText::upright(k.label).draw(painter, {left - gap, t.yPixel(k.value)},
                                          Qt::AlignRight | Qt::AlignVCenter, small, theme_.mutedText());
    SymbolText::quantity(x_.quantity)
        .draw(painter, {a.center().x(), layout.rect.bottom() - edge}, Qt::AlignHCenter | Qt::AlignBottom,
              normal, theme_.text());

    const auto vertical = [&](const PlotAxis& axis, const Ticks& ticks, double x, double turn) {
        const SymbolText title = SymbolText::quantity(axis.quantity);
        const auto fits = [&](const QFont& font) { return title.boundingRect(font).width() <= a.height(); };
        if (fits(normal) || fits(small)) {
            painter.save();
            painter.translate(x, a.center().y());
            painter.rotate(turn);
            title.draw(painter, {0, 0}, Qt::AlignHCenter | Qt::AlignTop, fits(normal) ? normal : small,
                       theme_.text());
            painter.restore();
        }
        if (!ticks.factor.empty())
            SymbolText::upright(ticks.factor)
                .draw(painter, {turn < 0 ? a.left() : a.right(), a.top() - theme_.px(2)},
                      (turn < 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom, small,
                      theme_.mutedText());
    };
    vertical(left_, layout.left, layout.rect.left() + edge, -90);
    if (!right_)
        return;
    const Plot other = frame(true);
    const PlotTransform r(other, {x_.min, x_.max, right_->min, right_->max}, a);
    const double right = sharp(a.right());
    painter.setPen(line);
    painter.drawLine(QPointF(right, a.top()), QPointF(right, bottom));
    for (const Tick& k : layout.right.major)
        SymbolText::upright(k.label).draw(painter, {right + gap, r.yPixel(k.value)},
                                          Qt::AlignLeft | Qt::AlignVCenter, small, theme_.mutedText());
    vertical(*right_, layout.right, layout.rect.right() - edge, 90);
}

// The part of the axis where a curve is missing because its recording was shortened, not because nothing
// moved.
void ChartView::paintForgotten(QPainter& painter, const Layout& layout) const
{
    const QString text = forgottenText();
    if (text.isEmpty())
        return;
    const QRectF& a = layout.area;
    const double share = std::min(1.0, (*forgotten_ - x_.min) / (x_.max - x_.min));
    const QRectF part(a.topLeft(), QSizeF(share * a.width(), a.height()));
    painter.fillRect(part, QBrush(theme_.grid(), Qt::BDiagPattern));
    painter.setPen(QPen(theme_.axis(), theme_.hairline(), Qt::DashLine));
    if (share < 1)
        painter.drawLine(part.topRight(), part.bottomRight());
    painter.setFont(theme_.font(Theme::Text::Small));
    const QRectF words(a.left() + theme_.px(6), a.bottom() - theme_.px(22), a.width() - theme_.px(12),
                       theme_.px(18));
    QRectF used = painter.boundingRect(words, Qt::AlignLeft | Qt::AlignVCenter, text);
    painter.fillRect(used.adjusted(-theme_.px(3), 0, theme_.px(3), 0), theme_.background());
    painter.setPen(theme_.mutedText());
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void ChartView::paintLegend(QPainter& painter, const QRectF& rect) const
{
    const QFont small = theme_.font(Theme::Text::Small);
    const double first = rect.left() + theme_.px(12);
    double x = first, y = rect.top() + theme_.px(16);
    for (const ChartLine& line : lines_) {
        const SymbolText text = legendText(line);
        const double w = theme_.px(42) + text.boundingRect(small).width();
        if (x > first && x + w > rect.right() - theme_.px(8)) {
            x = first;
            y += theme_.px(17);
        }
        painter.setPen(QPen(theme_.colour(line.colour), theme_.line(), penStyle(line.style), Qt::FlatCap));
        painter.drawLine(QPointF(x, y), QPointF(x + theme_.px(20), y));
        text.draw(painter, {x + theme_.px(26), y}, Qt::AlignLeft | Qt::AlignVCenter, small, theme_.text());
        x += w;
    }
}

void ChartView::mousePressEvent(QMouseEvent* event)
{
    pressedAt_ = lastAt_ = event->position();
    moved_ = false;
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
    if (!moved_ && event->button() == Qt::LeftButton && area().contains(event->position()))
        Q_EMIT pointed(xAt(event->position().x()));
    if (!moved_ && event->button() == Qt::RightButton)
        Q_EMIT menuAsked(event->globalPosition().toPoint());
    event->accept();
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event)
{
    Q_EMIT reset();
    event->accept();
}

void ChartView::wheelEvent(QWheelEvent* event)
{
    if (event->angleDelta().y() != 0)
        Q_EMIT zoomed(xAt(event->position().x()), std::pow(1.0015, event->angleDelta().y()));
    event->accept();
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    const double range = x_.max - x_.min, middle = (x_.max + x_.min) / 2;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        Q_EMIT zoomed(middle, keyZoom);
        break;
    case Qt::Key_Minus:
        Q_EMIT zoomed(middle, 1 / keyZoom);
        break;
    case Qt::Key_Left:
        Q_EMIT panned(-keyPan * range);
        break;
    case Qt::Key_Right:
        Q_EMIT panned(keyPan * range);
        break;
    case Qt::Key_0:
    case Qt::Key_Home:
        Q_EMIT reset();
        break;
    default:
        event->ignore();
    }
}

void ChartView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() != QContextMenuEvent::Mouse)
        Q_EMIT menuAsked(event->globalPos());
    event->accept();
}

} // namespace casimir
