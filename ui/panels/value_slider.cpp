#include "ui/panels/value_slider.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace casimir {

ValueSlider::ValueSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent)
{
    setRange(0, kSteps);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ValueSlider::setTheme(const Theme& theme)
{
    theme_ = theme;
    updateGeometry();
    update();
}

void ValueSlider::setLimits(double min, double max, Scale scale)
{
    min_ = min;
    max_ = max > min ? max : min + 1;
    scale_ = min > 0 ? scale : Scale::Linear;
    setNumber(number_);
}

void ValueSlider::setNumber(double number)
{
    number_ = number;
    setValue(static_cast<int>(std::lround(fractionOf(number) * kSteps)));
    update();
}

double ValueSlider::radius() const
{
    return theme_.px(6);
}

double ValueSlider::fractionOf(double number) const
{
    if (!std::isfinite(number))
        return 0;
    if (scale_ == Scale::Logarithmic)
        return number > 0 ? std::clamp(std::log(number / min_) / std::log(max_ / min_), 0.0, 1.0) : 0;
    return std::clamp((number - min_) / (max_ - min_), 0.0, 1.0);
}

double ValueSlider::numberAt(double fraction) const
{
    if (fraction <= 0)
        return min_;
    if (fraction >= 1)
        return max_;
    const double x =
        scale_ == Scale::Logarithmic ? min_ * std::pow(max_ / min_, fraction) : min_ + fraction * (max_ - min_);
    return std::clamp(tidy(x), min_, max_);
}

double ValueSlider::quantum() const
{
    return std::pow(10.0, std::floor(std::log10((max_ - min_) / 400)));
}

double ValueSlider::tidy(double number) const
{
    if (number == 0)
        return 0;
    const double q =
        scale_ == Scale::Logarithmic ? std::pow(10.0, std::floor(std::log10(std::abs(number))) - 2) : quantum();
    // Dividing by a whole power of ten gives the double nearest to the decimal number; multiplying by 0.1 does not.
    return (q < 1 ? std::round(number / q) / std::round(1 / q) : std::round(number / q) * q) + 0.0;
}

QPoint ValueSlider::handle() const
{
    return {placeOf(number_), height() / 2};
}

int ValueSlider::placeOf(double number) const
{
    const double r = radius() + 1;
    return static_cast<int>(std::lround(r + fractionOf(number) * (width() - 2 * r)));
}

QSize ValueSlider::sizeHint() const
{
    return {static_cast<int>(theme_.px(160)), static_cast<int>(std::ceil(2 * radius() + 4))};
}

QSize ValueSlider::minimumSizeHint() const
{
    return {static_cast<int>(theme_.px(60)), sizeHint().height()};
}

bool ValueSlider::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
        case Qt::Key_Home:
        case Qt::Key_End:
            if (static_cast<QKeyEvent*>(event)->modifiers() != Qt::NoModifier)
                break;
            event->accept();
            return true;
        case Qt::Key_Escape:
            if (!dragging_)
                break;
            event->accept();
            return true;
        default:
            break;
        }
    }
    return QSlider::event(event);
}

void ValueSlider::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool on = isEnabled() && std::isfinite(number_);
    const double r = radius(), y = height() / 2.0, x = r + 1 + fractionOf(number_) * (width() - 2 * (r + 1));
    const double thickness = theme_.px(3);
    const QColor accent = on ? theme_.accent() : theme_.axis();
    const auto bar = [&](double from, double to, const QColor& colour) {
        painter.setPen(QPen(colour, thickness, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(from, y), QPointF(to, y));
    };
    const QColor groove = mix(theme_.panel(), theme_.text(), theme_.isDark() ? 0.22 : 0.16);
    bar(r + 1, width() - r - 1, groove);
    if (!on)
        return;
    bar(r + 1, x, accent);
    painter.setPen(Qt::NoPen);
    if (hasFocus()) {
        QColor halo = accent;
        halo.setAlphaF(0.28f);
        painter.setBrush(halo);
        painter.drawEllipse(QPointF(x, y), r + theme_.px(2), r + theme_.px(2));
    }
    painter.setBrush(dragging_ || underMouse() ? mix(accent, theme_.text(), 0.18) : accent);
    painter.drawEllipse(QPointF(x, y), r - theme_.px(0.5), r - theme_.px(0.5));
}

void ValueSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !std::isfinite(number_)) {
        event->ignore();
        return;
    }
    setFocus(Qt::MouseFocusReason);
    const double offset = event->position().x() - handle().x();
    const bool onHandle = std::abs(offset) <= radius() + theme_.px(2);
    dragging_ = true;
    grab_ = onHandle ? offset : 0;
    Q_EMIT dragBegan();
    if (!onHandle)
        dragTo(event->position().x());
    update();
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (dragging_)
        dragTo(event->position().x() - grab_);
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        endDrag(true);
}

void ValueSlider::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        Q_EMIT defaultAsked();
}

void ValueSlider::dragTo(double x)
{
    const double r = radius() + 1;
    const double number = numberAt((x - r) / std::max(1.0, width() - 2 * r));
    if (number != number_)
        Q_EMIT dragged(number);
}

void ValueSlider::endDrag(bool keep)
{
    if (!dragging_)
        return;
    dragging_ = false;
    update();
    if (keep)
        Q_EMIT dragEnded();
    else
        Q_EMIT dragCancelled();
}

void ValueSlider::wheelEvent(QWheelEvent* event)
{
    // Without the focus the wheel scrolls the panel.
    if (!hasFocus() || dragging_) {
        event->ignore();
        return;
    }
    wheel_ += event->angleDelta().y();
    const int notches = wheel_ / 120;
    wheel_ -= notches * 120;
    if (notches != 0)
        step(notches, 0);
    event->accept();
}

void ValueSlider::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        return step(-1, 0);
    case Qt::Key_Right:
    case Qt::Key_Up:
        return step(1, 0);
    case Qt::Key_PageDown:
        return step(0, -1);
    case Qt::Key_PageUp:
        return step(0, 1);
    case Qt::Key_Home:
        Q_EMIT stepped(min_);
        return;
    case Qt::Key_End:
        Q_EMIT stepped(max_);
        return;
    case Qt::Key_Escape:
        if (dragging_)
            return endDrag(false);
        break;
    default:
        break;
    }
    // Not the base class: it would move an integer that is not ours.
    QWidget::keyPressEvent(event);
}

void ValueSlider::step(double fine, double coarse)
{
    if (!std::isfinite(number_) || dragging_)
        return;
    const double to = scale_ == Scale::Logarithmic
                          ? number_ * std::pow(1.01, fine) * std::pow(1.2, coarse)
                          : number_ + fine * quantum() + coarse * std::max(quantum(), (max_ - min_) / 20);
    const double number = std::clamp(tidy(to), min_, max_);
    if (number != number_)
        Q_EMIT stepped(number);
}

void ValueSlider::hideEvent(QHideEvent* event)
{
    endDrag(true);
    QSlider::hideEvent(event);
}

} // namespace casimir
