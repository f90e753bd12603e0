// The two hosts of 3D pictures: VtkWidget shows a Drawing3d in a window, OffscreenGl makes an image of one
// with no display. Both give the same vtkGenericOpenGLRenderWindow a context that they own; the drawing
// cannot tell them apart.
#pragma once

#include "ui/render/drawing3d.h"

#include <QImage>
#include <QOpenGLWidget>

#include <memory>

class QOpenGLContext;
class vtkGenericOpenGLRenderWindow;
class vtkObject;

namespace casimir {

// Call before the QApplication is made: the surface format VTK needs, and contexts that survive the floating
// of a dock.
void prepareOpenGl();

// Mouse: left drag turns (pans a planar picture), middle or right drag or Shift + left pans, wheel zooms. A
// subclass or a slot claims a press (picking on the surface, dragging a body) by overriding pressed().
class VtkWidget : public QOpenGLWidget {
    Q_OBJECT
public:
    explicit VtkWidget(QWidget* parent = nullptr);
    ~VtkWidget() override;

    // Not owned; must outlive the widget or be taken away with nullptr. Call update() after changing a
    // drawing.
    void setDrawing(Drawing3d* drawing);
    Drawing3d* drawing() const { return drawing_; }
    int frames() const { return frames_; } // how many were drawn

    // What the widget shows, at device pixels.
    QImage grab3d();

Q_SIGNALS:
    void cameraChanged();
    void clicked(QPointF position,
                 Qt::KeyboardModifiers modifiers); // pressed and released in place, left button
    void hovered(QPointF position);

protected:
    // Positions in the widget's (logical) pixels. True from pressed() claims the gesture: the camera stays
    // and dragged(), released() follow.
    virtual bool pressed(QPointF, Qt::MouseButton, Qt::KeyboardModifiers) { return false; }
    virtual void dragged(QPointF) {}
    virtual void released(QPointF) {}

    void initializeGL() override;
    void paintGL() override;
    void resizeGL(int width, int height) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void fitSize();
    void releaseContext();
    void makeContextCurrent(vtkObject*, unsigned long, void*);
    void isContextCurrent(vtkObject*, unsigned long, void* answer);
    void supportsOpenGl(vtkObject*, unsigned long, void* answer);
    void moveCamera(const Camera& camera);

    vtkSmartPointer<vtkGenericOpenGLRenderWindow> window_;
    QMetaObject::Connection contextLoss_;
    Drawing3d* drawing_ = nullptr;
    QPointF pressedAt_, lastAt_;
    bool claimed_ = false, moved_ = false;
    bool second_ = false; // the press is the second one of a double click
    int frames_ = 0;
};

// An OpenGL context without window or display (EGL, surfaceless). Not thread-safe; one drawing after the
// other, or one host a drawing, which spares the uploads when several alternate. Throws Error where EGL gives
// no context.
class OffscreenGl {
public:
    OffscreenGl();
    ~OffscreenGl();
    OffscreenGl(const OffscreenGl&) = delete;
    OffscreenGl& operator=(const OffscreenGl&) = delete;

    // A picture of `size` device pixels; `pixelRatio` of them make one pixel of the theme. `oversampling` n
    // draws n x n times as many and averages, for print.
    QImage render(Drawing3d& drawing, QSize size, double pixelRatio = 1, bool transparent = false,
                  int oversampling = 1);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace casimir
