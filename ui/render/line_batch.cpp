#include "ui/render/line_batch.h"

#include "ui/render/theme.h"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkUnsignedCharArray.h>

namespace casimir {

LineBatch::LineBatch()
    : points_(vtkSmartPointer<vtkPoints>::New()),
      colours_(vtkSmartPointer<vtkUnsignedCharArray>::New()),
      lines_(vtkSmartPointer<vtkCellArray>::New()),
      data_(vtkSmartPointer<vtkPolyData>::New()),
      actor_(vtkSmartPointer<vtkActor>::New())
{
    colours_->SetNumberOfComponents(3);
    data_->SetPoints(points_);
    data_->SetLines(lines_);
    data_->GetPointData()->SetScalars(colours_);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(data_);
    actor_->SetMapper(mapper);
    actor_->GetProperty()->LightingOff();
    actor_->SetVisibility(false);
}

vtkActor* LineBatch::actor() const
{
    return actor_;
}

void LineBatch::clear()
{
    points_->Reset();
    colours_->Reset();
    lines_->Reset();
}

void LineBatch::add(const std::vector<Eigen::Vector3d>& points, const QColor& colour)
{
    add(points, colour, colour);
}

void LineBatch::add(const std::vector<Eigen::Vector3d>& points, const QColor& first, const QColor& last)
{
    if (points.size() < 2)
        return;
    const bool plain = first == last;
    lines_->InsertNextCell(static_cast<vtkIdType>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
        lines_->InsertCellPoint(points_->InsertNextPoint(points[i].data()));
        const QColor c =
            plain ? first : mix(first, last, static_cast<double>(i) / static_cast<double>(points.size() - 1));
        const unsigned char rgb[3] = {static_cast<unsigned char>(c.red()),
                                      static_cast<unsigned char>(c.green()),
                                      static_cast<unsigned char>(c.blue())};
        colours_->InsertNextTypedTuple(rgb);
    }
}

void LineBatch::finish()
{
    points_->Modified();
    colours_->Modified();
    lines_->Modified();
    data_->Modified();
    actor_->SetVisibility(lines_->GetNumberOfCells() > 0);
}

void LineBatch::setWidth(double devicePixels)
{
    actor_->GetProperty()->SetLineWidth(static_cast<float>(devicePixels));
}

} // namespace casimir
