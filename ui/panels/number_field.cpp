#include "ui/panels/number_field.h"

#include "core/base/number_text.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {
const QChar minus(0x2212);
} // namespace

QString plainNumber(const QString& typed)
{
    return typed.trimmed().replace(QLatin1Char(','), QLatin1Char('.'));
}

QString fieldText(double x, int digits)
{
    if (!std::isfinite(x))
        return QStringLiteral("–");
    QString text = QString::fromStdString(roundedText(x + 0.0, digits));
    return text.replace(QLatin1Char('-'), minus);
}

NumberField::NumberField(QWidget* parent) : QLineEdit(parent)
{
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setFrame(false);
    setTextMargins(1, 0, 1, 0);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(this, &QLineEdit::textEdited, this, &NumberField::edited);
    showValue();
}

void NumberField::setUnit(const QString& unit)
{
    unit_ = unit;
    showValue();
    updateGeometry();
}

void NumberField::setDigits(int digits)
{
    digits_ = digits;
    showValue();
}

void NumberField::setValue(double value)
{
    setPlaceholderText({});
    take(value, false);
}

void NumberField::setAutomatic(double used)
{
    setPlaceholderText(tr("automatic"));
    take(used, true);
}

void NumberField::take(double value, bool automatic)
{
    const bool same = value == value_ && automatic == automatic_;
    value_ = value;
    automatic_ = automatic;
    if (hasFocus() && (isModified() || same))
        return;
    showValue();
}

void NumberField::restore()
{
    restored_ = true;
    setModified(false);
    showValue();
}

int NumberField::wantedWidth() const
{
    const auto width = [this](const QString& text) { return fontMetrics().horizontalAdvance(text); };
    // Steps of two digits, so that a drag does not move the layout with every digit that comes and goes.
    const int step = 2 * width(QStringLiteral("0"));
    const int least = width(hasFocus() ? QStringLiteral("−0.00000000") : QStringLiteral("00000"));
    return (std::max(least, width(text())) + step - 1) / step * step + 10;
}

QSize NumberField::sizeHint() const
{
    return {wantedWidth(), fontMetrics().height() + 5};
}

QSize NumberField::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("0000")) + 10, fontMetrics().height() + 5};
}

void NumberField::showValue()
{
    if (hasFocus()) {
        setText(std::isfinite(value_) && !automatic_ ? QString::fromStdString(numberText(value_ + 0.0))
                                                     : QString());
    } else {
        QString number = fieldText(value_, digits_);
        if (!unit_.isEmpty() && std::isfinite(value_))
            number += QLatin1Char(' ') + unit_;
        if (automatic_)
            number = std::isfinite(value_) ? tr("automatic (%1)").arg(number) : tr("automatic");
        setText(number);
    }
    setModified(false);
    setCursorPosition(0);
    if (const int wanted = wantedWidth(); wanted != hinted_) {
        hinted_ = wanted;
        updateGeometry();
    }
}

bool NumberField::commit()
{
    const QString number = plainNumber(text());
    // Cleared first: a refused text is not asked again when the field is left.
    setModified(false);
    restored_ = false;
    Q_EMIT committed(number);
    return restored_;
}

bool NumberField::event(QEvent* event)
{
    // A number's own keys must not be taken by the window's shortcuts.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && isModified()) {
            event->accept();
            return true;
        }
    }
    return QLineEdit::event(event);
}

void NumberField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (isModified() && !commit())
            selectAll();
        else
            clearFocus();
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        restore();
        Q_EMIT edited();
        clearFocus();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void NumberField::focusInEvent(QFocusEvent* event)
{
    QLineEdit::focusInEvent(event);
    if (event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason)
        return;
    showValue();
    // After the press that gave the focus has placed its cursor.
    QTimer::singleShot(0, this, [this] {
        if (hasFocus() && !isModified())
            selectAll();
    });
}

void NumberField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    if (!isEnabled() || (!hasFocus() && !underMouse()))
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

void NumberField::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason)
        return;
    if (isModified())
        commit();
    restore();
}

} // namespace casimir
