#include "ui/render/camera.h"

#include <vtkCamera.h>
#include <vtkRenderer.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir {

namespace {

constexpr double steepest = std::numbers::pi / 2 - 0.01;

struct Basis {
    Eigen::Vector3d right, up, forward;
};

Basis basisOf(const Camera& camera)
{
    Basis b;
    b.forward = (camera.focus - camera.position).normalized();
    b.right = b.forward.cross(camera.up).normalized();
    b.up = b.right.cross(b.forward);
    return b;
}

// Half of what is seen at the focus, vertically.
double halfHeight(const Camera& camera)
{
    return camera.parallel
               ? camera.parallelScale
               : (camera.focus - camera.position).norm() * std::tan(camera.angle * std::numbers::pi / 360);
}

} // namespace

Camera cameraFor(ViewFrom from, const Eigen::Vector3d& centre, double radius, bool parallel, double aspect,
                 const Eigen::Vector3d& up)
{
    Camera c;
    c.parallel = parallel;
    c.focus = centre;
    Eigen::Vector3d away;
    switch (from) {
    case ViewFrom::Oblique:
        away = {0.72, -0.8, 0.4};
        break;
    case ViewFrom::High:
        away = {0.5, -0.75, 0.8};
        break;
    case ViewFrom::Front:
        away = {0, -1, 0};
        break;
    case ViewFrom::Back:
        away = {0, 1, 0};
        break;
    case ViewFrom::Left:
        away = {-1, 0, 0};
        break;
    case ViewFrom::Right:
        away = {1, 0, 0};
        break;
    case ViewFrom::Top:
        away = {0, 0, 1};
        break;
    }
    c.up = from == ViewFrom::Top ? up : Eigen::Vector3d::UnitZ();
    const double narrow = std::min(1.0, aspect);
    c.parallelScale = radius / narrow;
    const double half = std::atan(std::tan(c.angle * std::numbers::pi / 360) * narrow);
    c.position = centre + away.normalized() * radius / std::sin(half);
    return c;
}

Camera turned(const Camera& camera, double azimuth, double elevation)
{
    Camera c = camera;
    const Eigen::Vector3d away = camera.position - camera.focus;
    const double r = away.norm();
    double tilt = std::asin(std::clamp(away.z() / r, -1.0, 1.0));
    // Looking straight down, the direction that is up in the picture tells the azimuth.
    double around = std::abs(tilt) > steepest
                        ? std::atan2(-camera.up.y(), -camera.up.x()) * (tilt > 0 ? 1 : -1)
                        : std::atan2(away.y(), away.x());
    around += azimuth;
    tilt = std::clamp(tilt + elevation, -steepest, steepest);
    c.position = c.focus + r * Eigen::Vector3d(std::cos(tilt) * std::cos(around),
                                               std::cos(tilt) * std::sin(around), std::sin(tilt));
    c.up = Eigen::Vector3d::UnitZ();
    return c;
}

Camera zoomed(const Camera& camera, double factor)
{
    Camera c = camera;
    c.parallelScale /= factor;
    c.position = c.focus + (c.position - c.focus) / factor;
    return c;
}

Camera panned(const Camera& camera, double right, double up)
{
    Camera c = camera;
    const Basis b = basisOf(camera);
    const Eigen::Vector3d by = 2 * halfHeight(camera) * (right * b.right + up * b.up);
    c.position -= by;
    c.focus -= by;
    return c;
}

void applyCamera(const Camera& camera, vtkRenderer* renderer)
{
    vtkCamera* c = renderer->GetActiveCamera();
    c->SetPosition(camera.position.x(), camera.position.y(), camera.position.z());
    c->SetFocalPoint(camera.focus.x(), camera.focus.y(), camera.focus.z());
    c->SetViewUp(camera.up.x(), camera.up.y(), camera.up.z());
    c->SetViewAngle(camera.angle);
    c->SetParallelScale(camera.parallelScale);
    c->SetParallelProjection(camera.parallel);
}

Ray rayThrough(const Camera& camera, double x, double y, double aspect)
{
    const Basis b = basisOf(camera);
    const double h = halfHeight(camera);
    const Eigen::Vector3d at = camera.focus + h * (x * aspect * b.right + y * b.up);
    if (camera.parallel)
        return {at + (camera.position - camera.focus), b.forward};
    return {camera.position, (at - camera.position).normalized()};
}

Eigen::Vector3d imageOf(const Camera& camera, const Eigen::Vector3d& point, double aspect)
{
    const Basis b = basisOf(camera);
    const Eigen::Vector3d d = point - camera.position;
    const double depth = d.dot(b.forward);
    const double h =
        camera.parallel ? camera.parallelScale : depth * std::tan(camera.angle * std::numbers::pi / 360);
    return {d.dot(b.right) / (h * aspect), d.dot(b.up) / h, depth};
}

} // namespace casimir
