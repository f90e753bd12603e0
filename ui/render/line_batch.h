// LineBatch: any number of thin polylines in one actor with a colour at each vertex, filled again in place.
#pragma once

#include <Eigen/Core>
#include <QColor>
#include <vtkSmartPointer.h>

#include <vector>

class vtkActor;
class vtkCellArray;
class vtkPoints;
class vtkPolyData;
class vtkUnsignedCharArray;

namespace casimir {

class LineBatch {
public:
    LineBatch();
    void clear();
    void add(const std::vector<Eigen::Vector3d>& points, const QColor& colour);
    // From `first` at the first point to `last` at the last one.
    void add(const std::vector<Eigen::Vector3d>& points, const QColor& first, const QColor& last);
    void finish(); // shows what was added since clear()
    void setWidth(double devicePixels);
    vtkActor* actor() const;

private:
    vtkSmartPointer<vtkPoints> points_;
    vtkSmartPointer<vtkUnsignedCharArray> colours_;
    vtkSmartPointer<vtkCellArray> lines_;
    vtkSmartPointer<vtkPolyData> data_;
    vtkSmartPointer<vtkActor> actor_;
};

} // namespace casimir
