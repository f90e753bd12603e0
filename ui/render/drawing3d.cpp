#include "ui/render/drawing3d.h"

#include <vtkRenderer.h>

namespace casimir {

Drawing3d::Drawing3d() : renderer_(vtkSmartPointer<vtkRenderer>::New())
{
    renderer_->UseFXAAOn();
    renderer_->SetTwoSidedLighting(true);
    applyCamera(camera_, renderer_);
}

Drawing3d::~Drawing3d() = default;

vtkRenderer* Drawing3d::renderer() const
{
    return renderer_;
}

void Drawing3d::setCamera(const Camera& camera)
{
    untouched_ = false;
    camera_ = camera;
    applyCamera(camera_, renderer_);
    renderer_->ResetCameraClippingRange();
    cameraMoved();
}

void Drawing3d::lookFrom(ViewFrom from)
{
    setCamera(cameraFor(from, Eigen::Vector3d::Zero(), boundingRadius(), parallel(), aspect_));
    lookedFrom_ = from;
    untouched_ = true;
}

void Drawing3d::setTheme(const Theme& theme)
{
    theme_ = theme;
    refresh();
}

void Drawing3d::setPixelRatio(double ratio)
{
    if (ratio == pixelRatio_)
        return;
    pixelRatio_ = ratio;
    refresh();
}

void Drawing3d::setTransparent(bool transparent)
{
    if (transparent == transparent_)
        return;
    transparent_ = transparent;
    refresh();
}

void Drawing3d::setAspect(double aspect)
{
    if (aspect == aspect_ || !(aspect > 0))
        return;
    aspect_ = aspect;
    if (untouched_)
        lookFrom(lookedFrom_);
}

void Drawing3d::refresh()
{
    const Rgb background = toRgb(theme_.background());
    renderer_->SetBackground(background.c[0], background.c[1], background.c[2]);
    renderer_->SetBackgroundAlpha(transparent_ ? 0 : 1);
    restyle();
}

Rgb toRgb(const QColor& colour)
{
    return {{colour.redF(), colour.greenF(), colour.blueF()}};
}

} // namespace casimir
