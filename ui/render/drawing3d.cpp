#include "ui/render/drawing3d.h"

#include <vtkCameraPass.h>
#include <vtkLightsPass.h>
#include <vtkNew.h>
#include <vtkOpaquePass.h>
#include <vtkOpenGLFXAAPass.h>
#include <vtkOverlayPass.h>
#include <vtkRenderPassCollection.h>
#include <vtkRenderer.h>
#include <vtkSequencePass.h>
#include <vtkTranslucentPass.h>

namespace casimir {

namespace {

vtkSmartPointer<vtkSequencePass> sequence(std::initializer_list<vtkRenderPass*> passes)
{
    vtkNew<vtkRenderPassCollection> list;
    for (vtkRenderPass* pass : passes)
        list->AddItem(pass);
    auto result = vtkSmartPointer<vtkSequencePass>::New();
    result->SetPasses(list);
    return result;
}

// With VTK's default passes translucent surfaces came out far too bright in our contexts, so the passes are
// listed here and translucent actors are blended in the order they were added. Labels are painted after the
// smoothing, which would blur them.
vtkSmartPointer<vtkRenderPass> makePasses()
{
    vtkNew<vtkLightsPass> lights;
    vtkNew<vtkOpaquePass> opaque;
    vtkNew<vtkTranslucentPass> translucent;
    vtkNew<vtkOverlayPass> overlay;
    vtkNew<vtkCameraPass> camera;
    camera->SetDelegatePass(sequence({lights, opaque, translucent}));
    vtkNew<vtkOpenGLFXAAPass> smoothing;
    smoothing->SetDelegatePass(camera);
    return sequence({smoothing, overlay});
}

} // namespace

Drawing3d::Drawing3d() : renderer_(vtkSmartPointer<vtkRenderer>::New())
{
    renderer_->SetPass(makePasses());
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
    applyCamera(shownCamera(), renderer_);
    renderer_->ResetCameraClippingRange();
    cameraMoved();
}

void Drawing3d::setOffset(const Eigen::Vector3d& offset)
{
    if (offset == offset_)
        return;
    offset_ = offset;
    applyCamera(shownCamera(), renderer_);
    renderer_->ResetCameraClippingRange();
    cameraMoved();
}

Camera Drawing3d::shownCamera() const
{
    Camera shown = camera_;
    shown.position += offset_;
    shown.focus += offset_;
    return shown;
}

void Drawing3d::lookFrom(ViewFrom from)
{
    setCamera(
        cameraFor(from, Eigen::Vector3d::Zero(), boundingRadius(), parallel(), aspect_, upFromTheTop()));
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

void Drawing3d::setBackdrop(std::optional<QColor> colour)
{
    backdrop_ = colour;
    const Rgb background = toRgb(backdrop_.value_or(theme_.background()));
    renderer_->SetBackground(background.c[0], background.c[1], background.c[2]);
}

void Drawing3d::setAspect(double aspect)
{
    if (aspect == aspect_ || !(aspect > 0))
        return;
    aspect_ = aspect;
    if (untouched_)
        lookFrom(lookedFrom_);
}

QPointF Drawing3d::pixelOf(const Eigen::Vector3d& point, const QSizeF& size) const
{
    const Eigen::Vector3d at = imageOf(camera_, point, size.width() / size.height());
    return {(at.x() + 1) / 2 * size.width(), (1 - at.y()) / 2 * size.height()};
}

void Drawing3d::redraw()
{
    setBackdrop(backdrop_);
    renderer_->SetBackgroundAlpha(1);
    restyle();
}

void Drawing3d::refresh()
{
    redraw();
    if (untouched_)
        lookFrom(lookedFrom_);
}

Rgb toRgb(const QColor& colour)
{
    return {{colour.redF(), colour.greenF(), colour.blueF()}};
}

} // namespace casimir
