// View3d: what the 3D views share: the canvas with the row of numbers above it, the camera's moves by keys
// and menu, the turntable, the camera kept in the Session. What is drawn belongs to StageView and
// SurfaceView.
#pragma once

#include "ui/render/gl_host.h"
#include "ui/views/heads_up.h"
#include "ui/views/motion_legend.h"
#include "ui/views/view.h"

#include <functional>
#include <optional>

namespace casimir {

// A VtkWidget whose presses its owner may claim, and whose right click asks for a menu.
class Canvas3d : public VtkWidget {
    Q_OBJECT
public:
    using VtkWidget::VtkWidget;
    std::function<bool(QPointF, Qt::MouseButton, Qt::KeyboardModifiers)> onPress;
    std::function<void(QPointF)> onDrag, onRelease;

Q_SIGNALS:
    void menuAsked(QPoint global);
    void left();

protected:
    bool pressed(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) override;
    void dragged(QPointF at) override;
    void released(QPointF at) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QPointF rightPress_;
};

class View3d : public View {
    Q_OBJECT
public:
    View3d(Document& document, ViewInfo info, QWidget* parent = nullptr);
    ~View3d() override;

    void setTheme(const Theme& theme) override;
    void paintTo(QPainter& painter, const QRectF& rect) override;
    QSize sizeHint() const override { return {480, 420}; }

    // The picture without a display: drawn by `gl` at `pixelRatio` device pixels for one of the painter's,
    // with the camera turned about the vertical from where it stands. The canvas draws nothing afterwards.
    void paintOffscreen(OffscreenGl& gl, QPainter& painter, const QRectF& rect, double pixelRatio,
                        double turn = 0);
    // The same as vectors, where pixelsBecause() gives no reason against it.
    void paintAsVectors(QPainter& painter, const QRectF& rect);
    QString pixelsBecause() override;
    // The camera of the last picture as the Session keeps it.
    std::string cameraOption();
    void keepNow() override;
    void restoreKept() override;

    Canvas3d& canvas() { return *canvas_; }
    const Canvas3d& canvas() const { return *canvas_; }
    virtual Drawing3d& drawing() = 0;

    void zoomBy(double factor) override;
    void moveBy(int right, int up) override;
    void showAll() override { resetCamera(); }
    bool showsAll() const override;
    void resetCamera();
    void lookFrom(ViewFrom from);
    bool turning() const { return turntable_.isActive(); }
    void setTurning(bool on);

protected:
    // To be called at the end of the derived constructor, and before the drawing ends in its destructor.
    void attachDrawing();
    void detachDrawing();
    // Another kind: the camera that its Session keeps, or the usual one.
    void restoreCamera();
    HeadsUp& headsUp() { return *headsUp_; }
    MotionLegend& legend() { return *legend_; }
    // Where the context menu was asked for, in pixels of the canvas, while it is made; else none.
    const std::optional<QPointF>& menuPoint() const { return menuPoint_; }
    // Not empty: shown in place of the canvas.
    void setEmptyText(const QString& text);
    QList<QAction*> cameraActions(QObject* owner);

    bool menuOnRelease() const override { return true; }
    QString spoken() override;
    void ageChanged() override;
    void paintEvent(QPaintEvent* event) override;
    QRect pictureRect() const override { return canvas_->geometry(); }
    void hideEvent(QHideEvent* event) override;

private:
    // All but the drawing itself; returns where that belongs, nothing where there is none.
    std::optional<QRectF> paintAround(QPainter& painter, const QRectF& rect);
    void turn();
    void moveCamera(const Camera& camera);
    void keepCamera();

    HeadsUp* headsUp_;
    MotionLegend* legend_;
    Canvas3d* canvas_;
    QString emptyText_;
    std::optional<QPointF> menuPoint_;
    QTimer turntable_, keep_;
    std::optional<Camera> turnedFrom_; // by paintOffscreen()
};

} // namespace casimir
