#include "ui/render/solid_batch.h"

#include "core/numerics/pi.h"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkUnsignedCharArray.h>

#include <Eigen/Geometry>

#include <cmath>

namespace casimir {

namespace {
constexpr int tubeSides = 10;
} // namespace

SolidBatch::SolidBatch()
    : points_(vtkSmartPointer<vtkPoints>::New()),
      normals_(vtkSmartPointer<vtkFloatArray>::New()),
      colours_(vtkSmartPointer<vtkUnsignedCharArray>::New()),
      faces_(vtkSmartPointer<vtkCellArray>::New()),
      data_(vtkSmartPointer<vtkPolyData>::New()),
      actor_(vtkSmartPointer<vtkActor>::New())
{
    normals_->SetNumberOfComponents(3);
    colours_->SetNumberOfComponents(3);
    data_->SetPoints(points_);
    data_->SetPolys(faces_);
    data_->GetPointData()->SetNormals(normals_);
    data_->GetPointData()->SetScalars(colours_);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(data_);
    actor_->SetMapper(mapper);
    actor_->GetProperty()->SetAmbient(0.72);
    actor_->GetProperty()->SetDiffuse(0.38);
    actor_->SetVisibility(false);
}

vtkActor* SolidBatch::actor() const
{
    return actor_;
}

void SolidBatch::clear()
{
    points_->Reset();
    normals_->Reset();
    colours_->Reset();
    faces_->Reset();
}

vtkIdType SolidBatch::vertex(const Eigen::Vector3d& p, const Eigen::Vector3d& normal, const QColor& colour)
{
    normals_->InsertNextTuple(normal.data());
    const unsigned char rgb[3] = {static_cast<unsigned char>(colour.red()),
                                  static_cast<unsigned char>(colour.green()),
                                  static_cast<unsigned char>(colour.blue())};
    colours_->InsertNextTypedTuple(rgb);
    return points_->InsertNextPoint(p.data());
}

void SolidBatch::ringFaces(vtkIdType first, int sides)
{
    for (int k = 0; k < sides; ++k) {
        const vtkIdType next = (k + 1) % sides;
        const vtkIdType quad[4] = {first + k, first + next, first + sides + next, first + sides + k};
        faces_->InsertNextCell(4, quad);
    }
}

void SolidBatch::addTube(const std::vector<Eigen::Vector3d>& path, double radius, const QColor& colour)
{
    addTube(
        path, [radius](std::size_t) { return radius; }, [&colour](std::size_t) { return colour; });
}

void SolidBatch::addTube(const std::vector<Eigen::Vector3d>& path,
                         const std::function<double(std::size_t)>& radius,
                         const std::function<QColor(std::size_t)>& colour)
{
    const std::size_t n = path.size();
    if (n < 2)
        return;
    // The direction at a point is that of the chord to its distinct neighbours; the normal is carried along
    // without twist.
    const auto tangentAt = [&](std::size_t i) -> Eigen::Vector3d {
        const Eigen::Vector3d d = path[std::min(i + 1, n - 1)] - path[i > 0 ? i - 1 : 0];
        return d.norm() > 1e-12 ? Eigen::Vector3d(d.normalized()) : Eigen::Vector3d::Zero();
    };
    Eigen::Vector3d tangent = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < n && tangent.isZero(); ++i)
        tangent = tangentAt(i);
    if (tangent.isZero())
        return;
    Eigen::Vector3d u = tangent.unitOrthogonal();
    const auto ring = [&](const Eigen::Vector3d& at, double r, const QColor& c) {
        const Eigen::Vector3d v = tangent.cross(u);
        vtkIdType first = -1;
        for (int k = 0; k < tubeSides; ++k) {
            const double a = 2 * pi * k / tubeSides;
            const Eigen::Vector3d out = std::cos(a) * u + std::sin(a) * v;
            const vtkIdType id = vertex(at + r * out, out, c);
            first = k == 0 ? id : first;
        }
        return first;
    };
    vtkIdType last = ring(path[0], 0, colour(0));
    for (std::size_t i = 0; i < n; ++i) {
        const Eigen::Vector3d t = tangentAt(i);
        if (!t.isZero()) {
            u = Eigen::Quaterniond::FromTwoVectors(tangent, t) * u;
            tangent = t;
        }
        const vtkIdType now = ring(path[i], radius(i), colour(i));
        ringFaces(last, tubeSides);
        last = now;
    }
    ring(path[n - 1], 0, colour(n - 1));
    ringFaces(last, tubeSides);
}

void SolidBatch::addArrow(std::vector<Eigen::Vector3d> path, double radius, const QColor& colour)
{
    double length = 0;
    for (std::size_t i = 1; i < path.size(); ++i)
        length += (path[i] - path[i - 1]).norm();
    if (path.size() < 2 || !(length > 1e-9))
        return;
    // The tip takes its share from the end; a short arrow keeps its shape and becomes small.
    const double tip = std::min(6 * radius, 0.6 * length);
    const double thick = std::min(radius, tip / 4);
    const Eigen::Vector3d end = path.back();
    double left = tip;
    while (path.size() > 2 && (path.back() - path[path.size() - 2]).norm() < left) {
        left -= (path.back() - path[path.size() - 2]).norm();
        path.pop_back();
    }
    const Eigen::Vector3d before = path[path.size() - 2];
    path.back() += (before - path.back()).normalized() * std::min(left, (before - path.back()).norm());
    const std::size_t neck = path.size() - 1;
    path.push_back(path.back());
    path.push_back(end);
    addTube(
        path, [=](std::size_t i) { return i <= neck       ? thick
                                          : i == neck + 1 ? 2.6 * thick
                                                          : 0.0; },
        [&colour](std::size_t) { return colour; });
}

void SolidBatch::addBall(const Eigen::Vector3d& centre, double radius, const QColor& colour, bool faceted)
{
    const int sides = faceted ? 4 : 16, rings = faceted ? 2 : 10;
    vtkIdType last = -1;
    for (int i = 0; i <= rings; ++i) {
        const double polar = pi * (rings - i) / rings; // from below, so that faces look outwards
        vtkIdType first = -1;
        for (int k = 0; k < sides; ++k) {
            const double a = 2 * pi * k / sides;
            const Eigen::Vector3d out(std::sin(polar) * std::cos(a), std::sin(polar) * std::sin(a),
                                      std::cos(polar));
            const vtkIdType id = vertex(centre + radius * out, out, colour);
            first = k == 0 ? id : first;
        }
        if (i > 0)
            ringFaces(last, sides);
        last = first;
    }
}

void SolidBatch::finish()
{
    points_->Modified();
    normals_->Modified();
    colours_->Modified();
    faces_->Modified();
    data_->Modified();
    actor_->SetVisibility(faces_->GetNumberOfCells() > 0);
}

} // namespace casimir
