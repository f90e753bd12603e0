// ValueSlider: a slider over real numbers, linear or logarithmic, that tells gestures apart: a drag from press to release,
// single steps by wheel and keys, and the wish for the default. It moves only when its owner sets the number.
#pragma once

#include "core/model/parameter.h"
#include "ui/render/theme.h"

#include <QSlider>

namespace casimir {

class ValueSlider : public QSlider {
    Q_OBJECT

public:
    static constexpr int kSteps = 10000;

    explicit ValueSlider(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setLimits(double min, double max, Scale scale);
    double lowest() const { return min_; }
    double highest() const { return max_; }
    void setNumber(double number); // NaN: none
    double number() const { return number_; }
    bool isDragging() const { return dragging_; }

    QPoint handle() const; // its centre, in the widget's coordinates
    int placeOf(double number) const; // the x at which it would stand

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void dragBegan();
    void dragged(double number);
    void dragEnded();
    void dragCancelled();
    void stepped(double number);
    void defaultAsked();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    double radius() const;
    double fractionOf(double number) const;
    double numberAt(double fraction) const;
    double tidy(double number) const; // as few digits as the slider can tell apart
    double quantum() const;
    void dragTo(double x);
    void step(double fine, double coarse);
    void endDrag(bool keep);

    Theme theme_;
    double min_ = 0, max_ = 1, number_ = 0;
    Scale scale_ = Scale::Linear;
    bool dragging_ = false;
    double grab_ = 0; // from the handle's centre to where it was seized
    int wheel_ = 0;   // what is left of a finer wheel's turns
};

} // namespace casimir
