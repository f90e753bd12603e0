#include "ui/render/sprite.h"

#include <vtkCellArray.h>
#include <vtkCoordinate.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty2D.h>
#include <vtkTexture.h>
#include <vtkTexturedActor2D.h>

#include <QPainter>

#include <cmath>
#include <cstring>

namespace casimir {

Sprite::Sprite()
    : pixels_(vtkSmartPointer<vtkImageData>::New()),
      corners_(vtkSmartPointer<vtkPoints>::New()),
      quad_(vtkSmartPointer<vtkPolyData>::New()),
      actor_(vtkSmartPointer<vtkTexturedActor2D>::New())
{
    corners_->SetNumberOfPoints(4);
    vtkNew<vtkCellArray> face;
    const vtkIdType ids[4] = {0, 1, 2, 3};
    face->InsertNextCell(4, ids);
    vtkNew<vtkFloatArray> texture;
    texture->SetNumberOfComponents(2);
    for (const auto& [u, v] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
        texture->InsertNextTuple2(u, v);
    quad_->SetPoints(corners_);
    quad_->SetPolys(face);
    quad_->GetPointData()->SetTCoords(texture);
    vtkNew<vtkPolyDataMapper2D> mapper;
    mapper->SetInputData(quad_);
    actor_->SetMapper(mapper);
    vtkNew<vtkTexture> image;
    image->SetInputData(pixels_);
    image->InterpolateOn();
    image->RepeatOff();
    actor_->SetTexture(image);
    actor_->GetPositionCoordinate()->SetCoordinateSystemToWorld();
    actor_->SetVisibility(false);
}

vtkActor2D* Sprite::actor() const
{
    return actor_;
}

void Sprite::setImage(const QImage& image, QPointF anchor)
{
    const QImage rgba = image.convertToFormat(QImage::Format_RGBA8888).mirrored();
    pixels_->SetDimensions(rgba.width(), rgba.height(), 1);
    pixels_->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    for (int row = 0; row < rgba.height(); ++row)
        std::memcpy(pixels_->GetScalarPointer(0, row, 0), rgba.constScanLine(row),
                    static_cast<std::size_t>(rgba.width()) * 4);
    pixels_->Modified();
    const double left = -std::round(anchor.x()), bottom = -std::round(rgba.height() - anchor.y());
    corners_->SetPoint(0, left, bottom, 0);
    corners_->SetPoint(1, left + rgba.width(), bottom, 0);
    corners_->SetPoint(2, left + rgba.width(), bottom + rgba.height(), 0);
    corners_->SetPoint(3, left, bottom + rgba.height(), 0);
    corners_->Modified();
    quad_->Modified();
    actor_->SetVisibility(true);
}

void Sprite::setText(const SymbolText& text, Qt::Alignment alignment, const QFont& font, const QColor& colour,
                     double scale)
{
    const QRectF box = text.boundingRect(font).adjusted(-2, -2, 4, 4);
    const QSize size(static_cast<int>(std::ceil(box.width() * scale)),
                     static_cast<int>(std::ceil(box.height() * scale)));
    QImage image(size.expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    // Transparent pixels carry the text's colour, or the edges of letters would darken when the texture is
    // interpolated.
    QColor clear = colour;
    clear.setAlpha(0);
    image.fill(clear);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    text.draw(painter, {2, -box.top()}, Qt::AlignLeft | Qt::AlignBaseline, font, colour);
    painter.end();
    image.setDevicePixelRatio(1);
    double x = 0, y = size.height() / 2.0;
    if (alignment & Qt::AlignHCenter)
        x = size.width() / 2.0;
    else if (alignment & Qt::AlignRight)
        x = size.width();
    if (alignment & Qt::AlignTop)
        y = 0;
    else if (alignment & Qt::AlignBottom)
        y = size.height();
    setImage(image, {x, y});
    setPainter([=](QPainter& painter_, QPointF at) {
        const Qt::Alignment across = alignment & (Qt::AlignHCenter | Qt::AlignRight | Qt::AlignLeft);
        const Qt::Alignment up = alignment & (Qt::AlignTop | Qt::AlignBottom);
        text.draw(painter_, at, (across ? across : Qt::AlignLeft) | (up ? up : Qt::AlignVCenter), font,
                  colour);
    });
}

bool Sprite::visible() const
{
    return actor_->GetVisibility() != 0;
}

Eigen::Vector3d Sprite::position() const
{
    return Eigen::Vector3d(actor_->GetPositionCoordinate()->GetValue());
}

void Sprite::setPosition(const Eigen::Vector3d& position)
{
    actor_->GetPositionCoordinate()->SetValue(position.x(), position.y(), position.z());
}

void Sprite::setVisible(bool visible)
{
    actor_->SetVisibility(visible);
}

} // namespace casimir
