#include "ui/views/motion_legend.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace casimir {

std::vector<NamedMotion> namedMotions(const Snapshot& snapshot)
{
    std::vector<NamedMotion> named;
    if (snapshot.motions.size() < 2)
        return named;
    for (const MotionTrack& motion : snapshot.motions)
        if (motion.visible)
            named.push_back({QString::fromStdString(motion.label), Colour::motion(motion.colour)});
    return named;
}

MotionLegend::MotionLegend(QWidget* parent) : QWidget(parent)
{
    setObjectName("motion-legend");
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAttribute(Qt::WA_OpaquePaintEvent);
    hide();
}

void MotionLegend::setTheme(const Theme& theme)
{
    theme_ = theme;
    updateGeometry();
    update();
}

void MotionLegend::setMotions(std::vector<NamedMotion> motions)
{
    if (motions == motions_)
        return;
    motions_ = std::move(motions);
    setVisible(!motions_.empty());
    updateGeometry();
    update();
}

template <class Place>
double MotionLegend::layOut(double width, const Place& place) const
{
    const QFontMetricsF metrics(theme_.font(Theme::Text::Small));
    const double left = theme_.px(14), swatch = theme_.px(20), row = metrics.height() + theme_.px(4);
    const double most = std::max(theme_.px(40), width - left - swatch - theme_.px(6));
    double x = left, y = 0;
    for (const NamedMotion& motion : motions_) {
        const QString text = metrics.elidedText(motion.name, Qt::ElideRight, most);
        const double wanted = swatch + metrics.horizontalAdvance(text);
        if (x > left && x + wanted > width) {
            x = left;
            y += row;
        }
        place(motion, QRectF(x, y, wanted, row), text);
        x += wanted + theme_.px(14);
    }
    return motions_.empty() ? 0 : y + row;
}

int MotionLegend::heightForWidth(int width) const
{
    return static_cast<int>(layOut(width, [](const auto&...) {}));
}

QRectF MotionLegend::paintAbove(QPainter& painter, const QRectF& rect) const
{
    painter.save();
    painter.setFont(theme_.font(Theme::Text::Small));
    painter.setRenderHint(QPainter::Antialiasing);
    const double height =
        layOut(rect.width(), [&](const NamedMotion& motion, const QRectF& at, const QString& text) {
            const QRectF here = at.translated(rect.topLeft());
            painter.setPen(QPen(theme_.colour(motion.colour), theme_.px(3), Qt::SolidLine, Qt::RoundCap));
            painter.drawLine(QPointF(here.left(), here.center().y()),
                             QPointF(here.left() + theme_.px(12), here.center().y()));
            painter.setPen(theme_.text());
            painter.drawText(here.adjusted(theme_.px(18), 0, theme_.px(4), 0),
                             Qt::AlignLeft | Qt::AlignVCenter, text);
        });
    painter.restore();
    return rect.adjusted(0, height, 0, 0);
}

void MotionLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme_.background());
    paintAbove(painter, rect());
}

} // namespace casimir
