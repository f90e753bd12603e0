// SolidBatch: tubes, arrows, balls and crosses in one actor with a colour at each vertex, filled again in
// place.
#pragma once

#include <Eigen/Core>
#include <QColor>
#include <vtkSmartPointer.h>

#include <functional>
#include <vector>

class vtkActor;
class vtkCellArray;
class vtkFloatArray;
class vtkPoints;
class vtkPolyData;
class vtkUnsignedCharArray;

namespace casimir {

class SolidBatch {
public:
    SolidBatch();
    void clear();
    // A tube about a path, closed at its ends. Repeated points are harmless.
    void addTube(const std::vector<Eigen::Vector3d>& path, double radius, const QColor& colour);
    // The radius and the colour of each point of the path.
    void addTube(const std::vector<Eigen::Vector3d>& path, const std::function<double(std::size_t)>& radius,
                 const std::function<QColor(std::size_t)>& colour);
    // A tube that ends in a tip: along a straight or bent path.
    void addArrow(std::vector<Eigen::Vector3d> path, double radius, const QColor& colour);
    void addBall(const Eigen::Vector3d& centre, double radius, const QColor& colour, bool faceted = false);
    void finish();
    vtkActor* actor() const;

private:
    vtkIdType vertex(const Eigen::Vector3d& p, const Eigen::Vector3d& normal, const QColor& colour);
    void ringFaces(vtkIdType first, int sides);

    vtkSmartPointer<vtkPoints> points_;
    vtkSmartPointer<vtkFloatArray> normals_;
    vtkSmartPointer<vtkUnsignedCharArray> colours_;
    vtkSmartPointer<vtkCellArray> faces_;
    vtkSmartPointer<vtkPolyData> data_;
    vtkSmartPointer<vtkActor> actor_;
};

} // namespace casimir
