// MotionLegend: a quiet strip above a picture that tells the Motions apart by colour and name, wherever the
// Session has two or more.
#pragma once

#include "core/engine/simulation.h"
#include "ui/render/theme.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace casimir {

struct NamedMotion {
    QString name;
    Colour colour;
    bool operator==(const NamedMotion& other) const { return name == other.name && colour == other.colour; }
};

// The visible ones, in order; none where the Session has one Motion only.
std::vector<NamedMotion> namedMotions(const Snapshot& snapshot);

class MotionLegend : public QWidget {
    Q_OBJECT
public:
    explicit MotionLegend(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setMotions(std::vector<NamedMotion> motions); // none: hidden
    const std::vector<NamedMotion>& motions() const { return motions_; }
    int heightForWidth(int width) const override;
    bool hasHeightForWidth() const override { return true; }
    QSize sizeHint() const override { return {200, heightForWidth(200)}; }
    QSize minimumSizeHint() const override { return {0, heightForWidth(width())}; }

    // At the top of `rect`; returns what is left below. Nothing where there are no Motions to tell apart.
    QRectF paintAbove(QPainter& painter, const QRectF& rect) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    // Calls place(motion, where, text) for each, in rows; returns the height.
    template <class Place>
    double layOut(double width, const Place& place) const;

    Theme theme_;
    std::vector<NamedMotion> motions_;
};

} // namespace casimir
