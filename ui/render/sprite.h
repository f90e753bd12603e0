// Sprite: a small picture of fixed size on screen at a point of space: a label, the mark of a mass centre.
// Text in 3D pictures is painted by SymbolText, so that it has the subscripts and the fonts of the rest of
// the window.
#pragma once

#include "ui/render/symbol_text.h"

#include <Eigen/Core>
#include <QImage>
#include <vtkSmartPointer.h>

#include <functional>

class vtkActor2D;
class vtkImageData;
class vtkPoints;
class vtkPolyData;
class vtkTexturedActor2D;

namespace casimir {

class Sprite {
public:
    Sprite();
    // `anchor`: the pixel of the image, from its upper left corner, that lies on the point of space.
    void setImage(const QImage& image, QPointF anchor);
    // The same as vectors, about the point where it stands.
    void setPainter(std::function<void(QPainter&, QPointF)> paint) { paint_ = std::move(paint); }
    // `scale`: device pixels for one of the font's.
    void setText(const SymbolText& text, Qt::Alignment alignment, const QFont& font, const QColor& colour,
                 double scale);
    void setPosition(const Eigen::Vector3d& position);
    void setVisible(bool visible);
    bool visible() const;
    Eigen::Vector3d position() const;
    void paint(QPainter& painter, QPointF at) const
    {
        if (paint_)
            paint_(painter, at);
    }
    vtkActor2D* actor() const;

private:
    vtkSmartPointer<vtkImageData> pixels_;
    vtkSmartPointer<vtkPoints> corners_;
    vtkSmartPointer<vtkPolyData> quad_;
    vtkSmartPointer<vtkTexturedActor2D> actor_;
    std::function<void(QPainter&, QPointF)> paint_;
};

} // namespace casimir
