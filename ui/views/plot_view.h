// PlotView: a Plot of the system in its own plane: zoomed and panned, read off under the pointer, clicked to
// choose a state, with the states of all visible Motions moving in it. Drawing is PlotPainter's.
#pragma once

#include "ui/render/plot_painter.h"
#include "ui/views/motion_pictures.h"
#include "ui/views/view.h"

#include <QElapsedTimer>

namespace casimir {

class MotionLegend;
class OptionBar;

class PlotView : public View {
    Q_OBJECT
public:
    PlotView(Document& document, ViewInfo info, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void paintTo(QPainter& painter, const QRectF& rect) override;
    void paintFrame(QPainter& painter, const QRectF& rect, double pixelRatio) override;
    std::optional<DataTable> data() override;
    bool settled() const override { return !ghosts_.busy(); }
    void keepNow() override;
    void restoreKept() override;
    int rebuilds() const override { return painter_.cacheMisses(); }
    QSize sizeHint() const override { return {420, 300}; }

    const PlotPainter& painter() const { return painter_; }
    const PlotOverlay& overlay() const { return overlay_; }
    // From values to the widget's pixels, as painted now.
    PlotTransform transform() const { return painter_.transform(plotRect()); }
    void resetWindow();
    QRect plotRect() const; // what the options above leave for the plot
    void zoomBy(double factor) override;
    void moveBy(int right, int up) override;
    void showAll() override { resetWindow(); }
    bool showsAll() const override;

protected:
    void refresh() override;
    void becameVisible() override;
    void becameHidden() override { wantPlot({}); }
    QList<QAction*> makeActions(QObject* owner) override;
    bool menuOnRelease() const override { return true; }
    QString spoken() override;
    QRect pictureRect() const override { return plotRect(); }

    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { None, Click, MoveHandle, Pan, Rectangle };

    bool picks() const { return plotInfo_ && plotInfo_->picksState; }
    QRectF belowLegend(QPainter& painter, const QRectF& rect) const;
    void lookUp();
    void placeOptions();
    void updatePlot();
    void updateOverlay();
    void updateHover(const QPointF& pixel);
    void setWindow(const PlotWindow& window);
    void restoreWindow();
    void zoom(const QPointF& pixel, double factor);
    void pan(const QPointF& pixels);
    void click(const QPointF& pixel);
    void holdWindow();
    void releaseWindow();
    void moveHandle(const QPointF& pixel);
    void goToBranch(const QPointF& pixel);
    StateInputs pickedAt(const QPointF& pixel) const;
    void endDrag();

    PlotPainter painter_;
    PlotOverlay overlay_;
    std::optional<PlotInfo> plotInfo_; // none: the system has no such plot
    const Kind* kind_ = nullptr;
    GhostOrbits ghosts_;
    Tails tails_;
    OptionBar* options_;
    MotionLegend* legend_;
    QString error_;

    Drag drag_ = Drag::None;
    QPointF pressedAt_, lastAt_;
    Qt::KeyboardModifiers pressedWith_;
    std::string handle_;
    bool moved_ = false;
    bool second_ = false; // the press is the second one of a double click
    bool held_ = false;   // the whole plot was seen when a handle was seized

    // Plots that follow each other quickly are drawn as drafts; the last one is drawn again in full.
    QElapsedTimer sincePlot_;
    QTimer finish_;
    QTimer keep_; // the part of the plot that is seen goes into the Session when it rests
};

} // namespace casimir
