#include "ui/views/row_layout.h"

#include <QWidget>

#include <algorithm>

namespace casimir {

RowLayout::RowLayout(QWidget* parent) : QLayout(parent) {}
RowLayout::~RowLayout() = default;

void RowLayout::addItem(QLayoutItem* item)
{
    items_.emplace_back(item);
}

int RowLayout::count() const
{
    return static_cast<int>(items_.size());
}

QLayoutItem* RowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* RowLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    return item;
}

int RowLayout::heightForWidth(int width) const
{
    return placed(QRect(0, 0, width, 0), false);
}

void RowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    placed(rect, true);
}

QSize RowLayout::sizeHint() const
{
    const QMargins margins = contentsMargins();
    int width = 0, height = 0;
    for (const auto& item : items_)
        if (!item->isEmpty()) {
            width += item->sizeHint().width() + (width > 0 ? spacing() : 0);
            height = std::max(height, item->sizeHint().height());
        }
    return QSize(width, height).grownBy(margins);
}

QSize RowLayout::minimumSize() const
{
    QSize size;
    for (const auto& item : items_)
        size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

int RowLayout::placed(const QRect& rect, bool move) const
{
    const QRect room = rect.marginsRemoved(contentsMargins());
    int x = room.x(), y = room.y(), rowHeight = 0;
    std::size_t first = 0; // of the row
    const auto finishRow = [&](std::size_t end) {
        for (; move && first < end; ++first) { // in the middle of their row
            QRect place = items_[first]->geometry();
            place.moveTop(y + (rowHeight - place.height()) / 2);
            items_[first]->setGeometry(place);
        }
        first = end;
    };
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (items_[i]->isEmpty())
            continue;
        QSize size = items_[i]->sizeHint();
        size.setWidth(std::min(size.width(), std::max(room.width(), items_[i]->minimumSize().width())));
        if (x > room.x() && x + size.width() > room.x() + room.width()) {
            finishRow(i);
            x = room.x();
            y += rowHeight + spacing();
            rowHeight = 0;
        }
        if (move)
            items_[i]->setGeometry(QRect(QPoint(x, y), size));
        x += size.width() + spacing();
        rowHeight = std::max(rowHeight, size.height());
    }
    finishRow(items_.size());
    return y + rowHeight - rect.y() + contentsMargins().bottom();
}

} // namespace casimir
