#include "ui/views/heads_up.h"

#include "ui/render/symbol_text.h"
#include "ui/views/view_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace casimir {

HeadsUp::HeadsUp(QWidget* parent) : QWidget(parent), action_(new QToolButton(this))
{
    action_->setObjectName("heads-up-action");
    action_->setFocusPolicy(Qt::TabFocus); // a click leaves the keys to the picture
    action_->hide();
    connect(action_, &QToolButton::clicked, this, &HeadsUp::actionAsked);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void HeadsUp::setTheme(const Theme& theme)
{
    theme_ = theme;
    action_->setFont(theme.font(Theme::Text::Small));
    placeAction();
    updateGeometry();
    update();
}

void HeadsUp::setValues(std::vector<std::pair<Quantity, double>> values)
{
    values_ = std::move(values);
    update();
}

void HeadsUp::setText(const std::string& markup)
{
    if (markup == text_)
        return;
    text_ = markup;
    update();
}

QString HeadsUp::spoken() const
{
    QStringList words;
    for (const auto& [quantity, x] : values_)
        words << SymbolText::upright(shownValue(quantity, x)).plain();
    return words.join(QStringLiteral(", "));
}

void HeadsUp::setNote(const QString& note)
{
    if (note == note_)
        return;
    note_ = note;
    update();
}

void HeadsUp::setAction(const QString& text)
{
    if (text == action_->text())
        return;
    action_->setText(text);
    action_->setVisible(!text.isEmpty());
    placeAction();
    update();
}

void HeadsUp::placeAction()
{
    const QSize size = action_->sizeHint().boundedTo({width(), height() - 4});
    action_->setGeometry(
        QRect(QPoint(width() - size.width() - static_cast<int>(theme_.px(6)), (height() - size.height()) / 2),
              size));
}

void HeadsUp::resizeEvent(QResizeEvent*)
{
    placeAction();
}

QSize HeadsUp::sizeHint() const
{
    return {200, static_cast<int>(QFontMetricsF(theme_.font(Theme::Text::Symbol)).height() + theme_.px(12))};
}

void HeadsUp::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme_.background());
    painter.setFont(theme_.font(Theme::Text::Small));
    painter.setPen(theme_.mutedText());
    QRectF free(rect());
    if (!action_->text().isEmpty())
        free.setRight(action_->x());
    const QRectF note = free.adjusted(0, 0, -theme_.px(8), 0);
    painter.drawText(note, Qt::AlignRight | Qt::AlignVCenter, note_);
    if (!note_.isEmpty())
        free.setRight(note.right() - QFontMetricsF(painter.font()).horizontalAdvance(note_));
    paint(painter, free);
}

void HeadsUp::paint(QPainter& painter, const QRectF& rect) const
{
    const QFont symbol = theme_.font(), small = theme_.font(Theme::Text::Small);
    const QFontMetricsF digits(symbol);
    const double y = rect.center().y(), left = rect.left() + theme_.px(14);
    if (!text_.empty()) {
        SymbolText::upright(text_).draw(painter, {left, y}, Qt::AlignLeft | Qt::AlignVCenter, small,
                                        theme_.text());
        return;
    }
    const double field = digits.horizontalAdvance(QStringLiteral("−00.000"));
    // A very small or large number needs more than its field; then what follows moves.
    const auto fieldOf = [&](const Quantity& q, double x) {
        return std::max(field,
                        SymbolText::upright(steadyNumber(wrappedValue(q, x))).boundingRect(symbol).width());
    };
    const auto widthOf = [&](const Quantity& q, double x, bool unit) {
        return SymbolText::symbol(q.symbol).boundingRect(symbol).width() +
               digits.horizontalAdvance(QStringLiteral(" = ")) + fieldOf(q, x) +
               (unit && !q.unit.empty() ? SymbolText::upright(" " + q.unit).boundingRect(small).width()
                                        : 0.0);
    };
    // Units give way first in a narrow view, then the last numbers.
    double all = 0;
    for (const auto& [quantity, x] : values_)
        all += widthOf(quantity, x, true) + theme_.px(14);
    const bool units = all <= rect.width() - theme_.px(20);
    double at = left;
    for (const auto& [quantity, x] : values_) {
        const double width = widthOf(quantity, x, units);
        if (at + width > rect.right() && at > left)
            break;
        const QRectF name =
            SymbolText::symbol(quantity.symbol)
                .draw(painter, {at, y}, Qt::AlignLeft | Qt::AlignVCenter, symbol, theme_.text());
        SymbolText::upright(" =").draw(painter, {name.right(), y}, Qt::AlignLeft | Qt::AlignVCenter, symbol,
                                       theme_.mutedText());
        const double end =
            name.right() + digits.horizontalAdvance(QStringLiteral(" = ")) + fieldOf(quantity, x);
        SymbolText::upright(steadyNumber(wrappedValue(quantity, x)))
            .draw(painter, {end, y}, Qt::AlignRight | Qt::AlignVCenter, symbol, theme_.text());
        if (units && !quantity.unit.empty())
            SymbolText::upright(" " + quantity.unit)
                .draw(painter, {end, y}, Qt::AlignLeft | Qt::AlignVCenter, small, theme_.mutedText());
        at += width + theme_.px(14);
    }
}

} // namespace casimir
