// Drawing3d: what the two hosts of 3D pictures need to know of one: its renderer, its camera, its theme.
// SceneRenderer and SurfaceRenderer draw; VtkWidget and OffscreenGl only give them a context. A drawing
// belongs to one host at a time.
#pragma once

#include "ui/render/camera.h"
#include "ui/render/theme.h"

#include <QPointF>
#include <QSizeF>
#include <vtkSmartPointer.h>

#include <optional>
#include <vector>

class vtkRenderer;

namespace casimir {

class Sprite;

class Drawing3d {
public:
    Drawing3d();
    virtual ~Drawing3d();
    Drawing3d(const Drawing3d&) = delete;
    Drawing3d& operator=(const Drawing3d&) = delete;

    vtkRenderer* renderer() const;

    const Camera& camera() const { return camera_; }
    void setCamera(const Camera& camera);
    // Carries the camera along with what it should keep in sight; camera() stays as it was set.
    void setOffset(const Eigen::Vector3d& offset);
    Camera shownCamera() const;
    void lookFrom(ViewFrom from);
    void resetCamera() { lookFrom(home()); }
    // A turntable: the camera of `start` carried around the vertical.
    void turnFrom(const Camera& start, double angle) { setCamera(turned(start, angle, 0)); }
    // Planar pictures are panned, not turned.
    virtual bool turnable() const { return true; }
    // What is drawn at a fixed size over the rest: labels and pins.
    virtual std::vector<const Sprite*> sprites() const { return {}; }

    const Theme& theme() const { return theme_; }
    void setTheme(const Theme& theme);
    // Device pixels for one pixel of the theme; the hosts set it.
    double pixelRatio() const { return pixelRatio_; }
    void setPixelRatio(double ratio);
    // What lies behind instead of the theme's background.
    void setBackdrop(std::optional<QColor> colour);
    // The hosts tell the shape of the picture, so that a reset fits it. A camera that was never moved is
    // fitted again.
    void setAspect(double aspect);
    double aspect() const { return aspect_; }
    // Where a point of space appears in a picture of this size, from its upper left corner.
    QPointF pixelOf(const Eigen::Vector3d& point, const QSizeF& size) const;

protected:
    virtual ViewFrom home() const { return ViewFrom::Oblique; }
    virtual bool parallel() const { return false; }
    virtual Eigen::Vector3d upFromTheTop() const { return Eigen::Vector3d::UnitY(); }
    virtual double boundingRadius() const = 0;
    virtual void restyle() = 0;   // theme or pixel ratio changed
    virtual void cameraMoved() {} // for what must face the viewer
    // Calls restyle() and fits the camera if it was never moved; for the ends of constructors and changes of
    // size.
    void refresh();
    void redraw(); // the same with the camera where it is
    double px(double pixels) const { return theme_.px(pixels) * pixelRatio_; } // device pixels

private:
    vtkSmartPointer<vtkRenderer> renderer_;
    Camera camera_;
    Eigen::Vector3d offset_ = Eigen::Vector3d::Zero();
    ViewFrom lookedFrom_ = ViewFrom::Oblique;
    bool untouched_ = true; // the camera is where a reset put it
    Theme theme_;
    double pixelRatio_ = 1;
    double aspect_ = 1;
    std::optional<QColor> backdrop_;
};

// Colours as VTK takes them.
struct Rgb {
    double c[3];
};
Rgb toRgb(const QColor& colour);

} // namespace casimir
