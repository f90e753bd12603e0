#include "ui/panels/number_field.h"

#include "core/session/number_text.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QTimer>

#include <cmath>

namespace casimir {

namespace {
const QChar minus(0x2212);
} // namespace

QString plainNumber(const QString& typed, const QString& unit)
{
    QString text = typed.trimmed();
    if (!unit.isEmpty() && text.endsWith(unit))
        text.chop(unit.size());
    text = text.trimmed();
    text.replace(minus, QLatin1Char('-'));
    text.replace(QLatin1Char(','), QLatin1Char('.'));
    text.replace(QStringLiteral("π"), QStringLiteral("pi"));
    return text;
}

QString shownNumber(double x, int digits)
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
    const bool same = value == value_;
    value_ = value;
    if (hasFocus() && (isModified() || same))
        return;
    showValue();
}

void NumberField::restore()
{
    setModified(false);
    showValue();
}

int NumberField::roomyWidth() const
{
    const QString widest = QStringLiteral("−0.000000") + (unit_.isEmpty() ? QString() : QLatin1Char(' ') + unit_);
    return fontMetrics().horizontalAdvance(widest) + 10;
}

QSize NumberField::sizeHint() const
{
    return {roomyWidth(), fontMetrics().height() + 6};
}

QSize NumberField::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("0000")) + 10, fontMetrics().height() + 6};
}

void NumberField::showValue()
{
    if (hasFocus()) {
        setText(std::isfinite(value_) ? QString::fromStdString(numberText(value_ + 0.0)) : QString());
    } else {
        const QString number = shownNumber(value_, digits_);
        setText(unit_.isEmpty() || !std::isfinite(value_) ? number : number + QLatin1Char(' ') + unit_);
    }
    setModified(false);
    setCursorPosition(0);
}

void NumberField::commit()
{
    const QString number = plainNumber(text(), unit_);
    // Cleared first: a refused text is not asked again when the field is left.
    setModified(false);
    Q_EMIT committed(number);
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
        if (isModified())
            commit();
        selectAll();
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        restore();
        selectAll();
        Q_EMIT edited();
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
