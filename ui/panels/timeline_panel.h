// TimelinePanel: the one clock of all Motions: play it either way, step it, set its pace, and go anywhere in what was recorded.
#pragma once

#include "ui/document/document.h"
#include "ui/panels/number_field.h"
#include "ui/panels/panel_parts.h"
#include "ui/panels/value_slider.h"
#include "ui/render/theme.h"

#include <QWidget>

namespace casimir {

// The stretch of time there is, the part that is recorded, and the cursor.
class ScrubBar : public QWidget {
    Q_OBJECT

public:
    explicit ScrubBar(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setTimes(double first, double last, double recordedFrom, double recordedTo, double now);
    void setMessage(const QString& message, bool warning);
    const QString& message() const { return message_; }
    double timeAt(double x) const;
    double placeOf(double t) const;
    bool isDragging() const { return dragging_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void grabbed();
    void scrubbed(double t);
    void released();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    double grooveY() const;

    Theme theme_;
    double first_ = 0, last_ = 1, from_ = 0, to_ = 0, now_ = 0;
    bool dragging_ = false, warning_ = false;
    QString message_;
};

class TimelinePanel : public QWidget {
    Q_OBJECT

public:
    explicit TimelinePanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

private:
    void refresh();
    void refreshRun();
    void play(bool reverse);
    void setSpeed(double speed);

    Document& document_;
    Theme theme_;
    GlyphButton *toStart_, *back_, *reverse_, *play_, *forward_, *loop_;
    ValueSlider* speedSlider_;
    NumberField* speed_;
    ScrubBar* scrub_;
    QLabel* time_;
    NumberField* end_;
    bool resume_ = false;
};

} // namespace casimir
