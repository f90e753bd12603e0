#include "ui/panels/equilibria_view.h"

#include "core/analysis/equilibria_table.h"
#include "core/base/number_text.h"
#include "ui/panels/panel_parts.h"
#include "ui/render/plot_painter.h"

#include <QKeyEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace casimir {

namespace {

constexpr int tableDigits = 4, tipDigits = 12;
constexpr double figureSide = 50;   // pixels of a row with a figure
constexpr double turningRate = 1.5; // rad/s on screen, whatever the true rate

// Text in the upper half of the cell; the lower one belongs to the verdict.
class UpperLine : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QRect upper = option.rect;
        upper.setHeight(option.rect.height() / 2);
        upper.adjust(3, 3, -3, 1);
        painter->setFont(option.font);
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(
            upper, index.column() == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter,
            index.data().toString());
    }
};

struct Cell {
    QString text;
    QVariant sort;
    QString tip;
};

Cell numberCell(double x, const std::string& unit)
{
    if (!std::isfinite(x))
        return {QStringLiteral("–"), -HUGE_VAL, {}};
    return {QString::fromStdString(factText({{}, x}, tableDigits)), x,
            QString::fromStdString(roundedText(x, tipDigits) + (unit.empty() ? "" : " " + unit))};
}

} // namespace

SymbolHeader::SymbolHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setMinimumSectionSize(10);
    setStretchLastSection(false);
}

void SymbolHeader::setHeads(std::vector<SymbolText> heads)
{
    heads_ = std::move(heads);
    viewport()->update();
}

void SymbolHeader::setTheme(const Theme& theme)
{
    theme_ = theme;
    viewport()->update();
}

QSize SymbolHeader::sizeHint() const
{
    return {100, static_cast<int>(theme_.px(22))};
}

double SymbolHeader::headWidth(int column) const
{
    return heads_[static_cast<std::size_t>(column)].boundingRect(theme_.font(Theme::Text::Small)).width();
}

void SymbolHeader::paintSection(QPainter* painter, const QRect& rect, int column) const
{
    painter->fillRect(rect, theme_.panel());
    if (column < 0 || column >= static_cast<int>(heads_.size()))
        return;
    const SymbolText& head = heads_[static_cast<std::size_t>(column)];
    const double y = rect.center().y() + 0.5;
    const bool left = column == 0;
    head.draw(*painter, QPointF(left ? rect.left() + 3 : rect.right() - 2, y),
              (left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, theme_.font(Theme::Text::Small),
              theme_.mutedText());
    if (sortIndicatorSection() == column && isSortIndicatorShown()) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme_.mutedText());
        const double s = theme_.px(2.5), up = sortIndicatorOrder() == Qt::AscendingOrder ? -1 : 1;
        const double bottom = rect.bottom() - s - 1, x = left ? rect.left() + 3 + s : rect.right() - 3 - s;
        painter->drawPolygon(QPolygonF(
            {{x - s, bottom - up * s / 2}, {x + s, bottom - up * s / 2}, {x, bottom + up * s / 2}}));
        painter->restore();
    }
}

EquilibriaView::EquilibriaView(QWidget* parent) : QTreeView(parent)
{
    setObjectName(QStringLiteral("equilibria-table"));
    header_ = new SymbolHeader(this);
    setHeader(header_);
    model_.setSortRole(SortRole);
    setModel(&model_);
    setItemDelegate(new UpperLine(this));
    setRootIsDecorated(false);
    setIndentation(0);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setAllColumnsShowFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setSortingEnabled(true);
    header_->setSortIndicator(-1, Qt::AscendingOrder);
    setMouseTracking(true);
    turning_.setInterval(33);
    connect(&turning_, &QTimer::timeout, viewport(), qOverload<>(&QWidget::update));
}

void EquilibriaView::setTheme(const Theme& theme)
{
    theme_ = theme;
    header_->setTheme(theme);
    setFont(theme.font());
    fit();
    updateGeometry();
}

int EquilibriaView::rowHeight() const
{
    const double twoLines = 2 * std::ceil(QFontMetricsF(theme_.font()).height()) + theme_.px(8);
    return static_cast<int>(figures_.empty() ? twoLines : std::max(twoLines, theme_.px(figureSide)));
}

QSize EquilibriaView::sizeHint() const
{
    const int rows = std::clamp(model_.rowCount(), 1, 8);
    return {static_cast<int>(theme_.px(280)), header_->sizeHint().height() + rows * rowHeight() + 2};
}

QSize EquilibriaView::minimumSizeHint() const
{
    const int rows = std::clamp(model_.rowCount(), 1, 3);
    return {static_cast<int>(theme_.px(180)), header_->sizeHint().height() + rows * rowHeight() + 2};
}

void EquilibriaView::show(const Analysis& analysis)
{
    updating_ = true;
    std::vector<SymbolText> heads{SymbolText::upright("state")};
    importance_ = {100};
    std::vector<Quantity> quantities;
    bool spin = false, variation = false;
    for (const Equilibrium& e : analysis.equilibria) {
        spin = spin || e.spinRate;
        variation = variation || e.secondVariation;
        for (const Fact& fact : e.state)
            if (std::none_of(quantities.begin(), quantities.end(),
                             [&fact](const Quantity& q) { return q.id == fact.quantity.id; }))
                quantities.push_back(fact.quantity);
    }
    for (std::size_t i = 0; i < quantities.size(); ++i) {
        heads.push_back(SymbolText::symbol(quantities[i].symbol));
        importance_.push_back((i < 2 ? 50 : 10) - static_cast<int>(i));
    }
    const auto column = [&](const SymbolText& head, int importance) {
        heads.push_back(head);
        importance_.push_back(importance);
    };
    if (spin)
        column(SymbolText::symbol("ω"), 30);
    column(SymbolText::symbol("H"), 60);
    column(SymbolText::symbol("s"), 80);
    if (variation)
        column(SymbolText::symbol("δ^2H"), 40);

    figures_.clear();
    figureSize_ = 0;
    for (const Equilibrium& e : analysis.equilibria) {
        if (e.sketch.empty())
            continue;
        const double rate = e.spinRate.value_or(0);
        figures_[QString::fromStdString(e.name)] = {e.sketch, (rate > 0) - (rate < 0)};
        for (const Polyline& line : e.sketch.lines)
            for (std::size_t k = 0; k < line.x.size(); ++k)
                figureSize_ = std::max(figureSize_, std::hypot(line.x[k], line.y[k]));
    }

    const int rows = static_cast<int>(analysis.equilibria.size()), columns = static_cast<int>(heads.size());
    const bool resized = rows != model_.rowCount();
    const std::string chosenBefore =
        selectionModel()->hasSelection()
            ? selectionModel()->selectedRows().front().data(NameRole).toString().toStdString()
            : std::string();
    if (resized || columns != model_.columnCount()) {
        model_.clear();
        model_.setRowCount(rows);
        model_.setColumnCount(columns);
    }
    // A row keeps its place as long as its name stays, whatever order a person chose.
    header_->setHeads(std::move(heads));
    for (int i = 0; i < rows; ++i) {
        const Equilibrium& e = analysis.equilibria[static_cast<std::size_t>(i)];
        std::vector<Cell> cells{{QString::fromStdString(e.title), QString::fromStdString(e.title), {}}};
        for (const Quantity& q : quantities) {
            const auto it = std::find_if(e.state.begin(), e.state.end(),
                                         [&q](const Fact& fact) { return fact.quantity.id == q.id; });
            if (it == e.state.end()) {
                cells.push_back({});
            } else if (const auto* x = std::get_if<double>(&it->value)) {
                cells.push_back(numberCell(*x, q.unit));
                cells.back().text = QString::fromStdString(factText(*it, tableDigits));
            } else {
                const QString word = QString::fromStdString(factText(*it, tableDigits));
                cells.push_back({word, word, {}});
            }
        }
        if (spin)
            cells.push_back(numberCell(e.spinRate.value_or(std::nan("")), "rad/s"));
        cells.push_back(numberCell(e.energy, "J"));
        double growth = -HUGE_VAL;
        for (const auto& s : e.eigenvalues)
            growth = std::max(growth, s.real() != 0 ? s.real() : -std::abs(s.imag()));
        cells.push_back({QString::fromStdString(eigenvalueText(e.eigenvalues, 3)), growth,
                         QString::fromStdString(eigenvalueText(e.eigenvalues, tipDigits))});
        if (variation) {
            Cell cell;
            if (e.secondVariation) {
                cell.text = QString::fromStdString(signatureText(*e.secondVariation));
                cell.sort = e.secondVariation->negative;
                QStringList values;
                for (const double x : e.secondVariation->eigenvalues)
                    values += QString::fromStdString(roundedText(x, tipDigits));
                cell.tip = values.join(QLatin1Char('\n'));
            }
            cells.push_back(cell);
        }
        for (int j = 0; j < columns; ++j) {
            QStandardItem* item = model_.item(i, j);
            if (!item) {
                item = new QStandardItem;
                model_.setItem(i, j, item);
            }
            const Cell& cell = cells[static_cast<std::size_t>(j)];
            item->setData(cell.text, Qt::DisplayRole);
            item->setData(cell.sort, SortRole);
            item->setToolTip(cell.tip);
            item->setData(QString::fromStdString(e.name), NameRole);
            item->setData(QString::fromStdString(e.stability), StabilityRole);
            item->setSizeHint({10, rowHeight()});
        }
    }
    if (header_->sortIndicatorSection() >= 0)
        model_.sort(header_->sortIndicatorSection(), header_->sortIndicatorOrder());
    fit();
    updating_ = false;
    choose(chosenBefore);
    if (resized)
        updateGeometry();
    viewport()->update();
}

void EquilibriaView::fit()
{
    const QFontMetrics metrics(theme_.font(Theme::Text::Small));
    const int columns = model_.columnCount();
    if (columns != static_cast<int>(importance_.size()))
        return;
    std::vector<int> widths(static_cast<std::size_t>(columns));
    for (int j = 0; j < columns; ++j) {
        double widest = header_->headWidth(j);
        for (int i = 0; i < model_.rowCount(); ++i)
            if (const QStandardItem* item = model_.item(i, j)) // none while the rows are being filled
                widest = std::max(widest, static_cast<double>(metrics.horizontalAdvance(item->text())));
        widths[static_cast<std::size_t>(j)] = static_cast<int>(std::ceil(widest)) + 7;
    }
    std::vector<bool> shown(widths.size(), true);
    int total = std::accumulate(widths.begin(), widths.end(), 0);
    const int room = viewport()->width() - figureWidth();
    while (total > room) {
        int least = -1;
        for (int j = 1; j < columns; ++j)
            if (const auto k = static_cast<std::size_t>(j);
                shown[k] && (least < 0 || importance_[k] < importance_[static_cast<std::size_t>(least)]))
                least = j;
        if (least < 0)
            break;
        shown[static_cast<std::size_t>(least)] = false;
        total -= widths[static_cast<std::size_t>(least)];
    }
    const auto count = static_cast<int>(std::count(shown.begin(), shown.end(), true));
    const int spare =
        std::min(std::max(0, room - total) / std::max(1, count), static_cast<int>(theme_.px(16)));
    for (int j = 0; j < columns; ++j) {
        const auto k = static_cast<std::size_t>(j);
        setColumnHidden(j, !shown[k]);
        if (shown[k])
            header_->resizeSection(j, widths[k] + spare);
    }
}

void EquilibriaView::setDimmed(bool dimmed)
{
    if (dimmed_ == dimmed)
        return;
    dimmed_ = dimmed;
    viewport()->update();
}

void EquilibriaView::choose(const std::string& name)
{
    updating_ = true;
    if (name.empty()) {
        clearSelection();
        setCurrentIndex({});
    }
    for (int i = 0; i < model_.rowCount() && !name.empty(); ++i)
        if (model_.item(i, 0)->data(NameRole).toString().toStdString() == name)
            selectionModel()->setCurrentIndex(model_.index(i, 0), QItemSelectionModel::ClearAndSelect |
                                                                      QItemSelectionModel::Rows);
    updating_ = false;
}

void EquilibriaView::drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    painter->save();
    if (dimmed_)
        painter->setOpacity(0.45);
    const bool picked = selectionModel()->isRowSelected(index.row(), index.parent());
    const QRect row = option.rect;
    if (picked) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(theme_.accent(), theme_.px(1)));
        painter->setBrush(mix(theme_.panel(), theme_.accent(), 0.14));
        painter->drawRoundedRect(QRectF(row).adjusted(0.5, 0.5, -0.5, -1.5), theme_.px(3), theme_.px(3));
    }
    QStyleOptionViewItem plain = option;
    plain.state &= ~(QStyle::State_Selected | QStyle::State_HasFocus);
    for (int j = 0; j < model_.columnCount(); ++j) {
        if (isColumnHidden(j))
            continue;
        plain.rect = QRect(columnViewportPosition(j), row.top(), columnWidth(j), row.height());
        plain.font = theme_.font(Theme::Text::Small);
        itemDelegate()->paint(painter, plain, index.siblingAtColumn(j));
    }
    const QString word = index.siblingAtColumn(0).data(StabilityRole).toString();
    const Role role = verdictRole(word.toStdString());
    const QColor colour = theme_.colour({role});
    const double y = row.top() + row.height() * 0.72, r = theme_.px(4);
    drawVerdict(*painter, role, QPointF(row.left() + 3 + r, y), r, colour);
    QFont bold = theme_.font(Theme::Text::Small);
    bold.setBold(true);
    painter->setFont(bold);
    painter->setPen(colour);
    const double x = row.left() + 3 + 2 * r + theme_.px(5);
    painter->drawText(QRectF(x, y - row.height() / 4.0, row.right() - x, row.height() / 2.0),
                      Qt::AlignLeft | Qt::AlignVCenter, word);
    const QString name = index.siblingAtColumn(0).data(NameRole).toString();
    if (const auto figure = figures_.find(name); figure != figures_.end()) {
        const double side = row.height() - theme_.px(4);
        const double angle =
            name == hovered_ ? figure->second.sense * turningRate * hoverClock_.elapsed() / 1000.0 : 0;
        paintFigure(*painter, QRectF(row.right() - side - theme_.px(2), row.top() + theme_.px(2), side, side),
                    figure->second, angle);
    }
    painter->restore();
}

void EquilibriaView::paintFigure(QPainter& painter, const QRectF& box, const Figure& figure,
                                 double angle) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double scale = figureSize_ > 0 ? 0.47 * box.width() / figureSize_ : 1;
    const auto place = [&](double x, double y) {
        return box.center() + scale * QPointF(std::cos(angle) * x - std::sin(angle) * y,
                                              -std::sin(angle) * x - std::cos(angle) * y);
    };
    for (const Polyline& line : figure.sketch.lines) {
        QPolygonF points;
        for (std::size_t k = 0; k < std::min(line.x.size(), line.y.size()); ++k)
            points << place(line.x[k], line.y[k]);
        QPen pen(theme_.colour(line.colour), theme_.px(line.emphasised ? 2.5 : 1.6), Qt::SolidLine,
                 Qt::RoundCap, Qt::RoundJoin);
        if (line.style != LineStyle::Solid)
            pen.setDashPattern({1.5, 2});
        painter.setPen(pen);
        painter.drawPolyline(points);
    }
    for (const Mark& mark : figure.sketch.marks)
        drawMark(painter, place(mark.x, mark.y), mark.shape, theme_.px(1.3), theme_.colour(mark.colour),
                 theme_.panel());
    painter.restore();
}

void EquilibriaView::hover(const QString& name)
{
    if (name == hovered_)
        return;
    hovered_ = name;
    const auto figure = figures_.find(name);
    if (figure != figures_.end() && figure->second.sense != 0) {
        hoverClock_.start();
        turning_.start();
    } else {
        turning_.stop();
    }
    viewport()->update();
}

void EquilibriaView::mouseMoveEvent(QMouseEvent* event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    hover(index.isValid() ? index.siblingAtColumn(0).data(NameRole).toString() : QString());
    QTreeView::mouseMoveEvent(event);
}

void EquilibriaView::leaveEvent(QEvent* event)
{
    hover({});
    QTreeView::leaveEvent(event);
}

void EquilibriaView::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    // Columns that come or go while the table is filled resize it before its cells are there; it is fitted
    // when it is full.
    if (!updating_)
        fit();
}

void EquilibriaView::selectionChanged(const QItemSelection& now, const QItemSelection& before)
{
    QTreeView::selectionChanged(now, before);
    viewport()->update();
    if (updating_)
        return;
    const QModelIndexList rows = selectionModel()->selectedRows();
    Q_EMIT chosen(rows.isEmpty() ? QString() : rows.front().data(NameRole).toString());
}

void EquilibriaView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && selectionModel()->hasSelection()) {
        clearSelection();
        return;
    }
    QTreeView::keyPressEvent(event);
}

} // namespace casimir
