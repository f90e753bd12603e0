#include "ui/render/vector_drawing.h"

#include "core/model/error.h"
#include "ui/render/drawing3d.h"
#include "ui/render/sprite.h"

#include <gl2ps.h>

#include <vtkActor.h>
#include <vtkActorCollection.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkDataArray.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

#include <Eigen/Geometry>
#include <QCoreApplication>
#include <QPainter>
#include <QXmlStreamReader>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace casimir {

namespace {

constexpr vtkIdType mostFaces = 60'000; // more would make a file that nobody can edit
constexpr double seam = 0.3; // pixels of its own colour around a face, or the page shines between two

template <class Visit>
void eachActor(vtkRenderer* renderer, const Visit& visit)
{
    vtkActorCollection* actors = renderer->GetActors();
    actors->InitTraversal();
    while (vtkActor* actor = actors->GetNextActor())
        if (auto* mapper = vtkPolyDataMapper::SafeDownCast(actor->GetMapper());
            mapper && actor->GetVisibility() && mapper->GetInput() &&
            mapper->GetInput()->GetNumberOfPoints() > 0)
            visit(*actor, *mapper, *mapper->GetInput());
}

Eigen::Matrix4d eigen(vtkMatrix4x4* matrix)
{
    Eigen::Matrix4d m;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            m(i, j) = matrix->GetElement(i, j);
    return m;
}

// What one actor shows, corner by corner, in the pixels of the picture.
class Projected {
public:
    Projected(vtkActor& actor, vtkPolyDataMapper& mapper, vtkPolyData& data,
              const Eigen::Matrix4d& projection, QSizeF size)
        : actor_(actor), data_(data), property_(*actor.GetProperty()), placement_(eigen(actor.GetMatrix()))
    {
        if (mapper.GetScalarVisibility())
            colours_ = data.GetPointData()->GetScalars();
        const Eigen::Matrix4d whole = projection * placement_;
        for (vtkIdType i = 0; i < data.GetNumberOfPoints(); ++i) {
            Eigen::Vector4d p(0, 0, 0, 1);
            data.GetPoint(i, p.data());
            const Eigen::Vector4d q = whole * p;
            corners_.push_back({{static_cast<float>((q.x() / q.w() + 1) / 2 * size.width()),
                                 static_cast<float>((q.y() / q.w() + 1) / 2 * size.height()),
                                 static_cast<float>((q.z() / q.w() + 1) / 2)},
                                {0, 0, 0, 1}});
        }
    }

    void addFaces(const Eigen::Vector3d& towardsViewer)
    {
        eachCell(data_.GetPolys(), [&](vtkIdType count, const vtkIdType* ids) {
            for (vtkIdType k = 2; k < count; ++k) {
                const std::array<vtkIdType, 3> face{ids[0], ids[k - 1], ids[k]};
                std::array<GL2PSvertex, 3> corners;
                Eigen::Vector3d colour = Eigen::Vector3d::Zero();
                for (std::size_t i = 0; i < 3; ++i) {
                    corners[i] = corners_[static_cast<std::size_t>(face[i])];
                    colour += colourAt(face[i]) / 3;
                }
                paint(corners, shaded(colour, face, towardsViewer));
                gl2psAddPolyPrimitive(GL2PS_TRIANGLE, 3, corners.data(), 0, 0, 0, 0, 0, 1, 0, 0, 0);
            }
        });
    }

    void addLines()
    {
        eachCell(data_.GetLines(), [&](vtkIdType count, const vtkIdType* ids) {
            for (vtkIdType k = 1; k < count; ++k) {
                std::array<GL2PSvertex, 2> ends{corners_[static_cast<std::size_t>(ids[k - 1])],
                                                corners_[static_cast<std::size_t>(ids[k])]};
                paint(ends, (colourAt(ids[k - 1]) + colourAt(ids[k])) / 2);
                gl2psAddPolyPrimitive(GL2PS_LINE, 2, ends.data(), 0, 0, 0, 0, 0, property_.GetLineWidth(),
                                      GL2PS_LINE_CAP_ROUND, GL2PS_LINE_JOIN_ROUND, 0);
            }
        });
    }

private:
    template <class Visit>
    static void eachCell(vtkCellArray* cells, const Visit& visit)
    {
        const auto it = vtk::TakeSmartPointer(cells->NewIterator());
        for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
            vtkIdType count = 0;
            const vtkIdType* ids = nullptr;
            it->GetCurrentCell(count, ids);
            visit(count, ids);
        }
    }

    template <std::size_t N>
    static void paint(std::array<GL2PSvertex, N>& corners, const Eigen::Vector3d& colour)
    {
        for (GL2PSvertex& corner : corners)
            for (int c = 0; c < 3; ++c)
                corner.rgba[c] = static_cast<float>(std::clamp(colour[c], 0.0, 1.0));
    }

    Eigen::Vector3d colourAt(vtkIdType point) const
    {
        if (colours_ && colours_->GetNumberOfComponents() >= 3)
            return Eigen::Vector3d(colours_->GetComponent(point, 0), colours_->GetComponent(point, 1),
                                   colours_->GetComponent(point, 2)) /
                   255;
        return Eigen::Vector3d(property_.GetColor());
    }

    // The light comes from the viewer.
    Eigen::Vector3d shaded(const Eigen::Vector3d& colour, const std::array<vtkIdType, 3>& face,
                           const Eigen::Vector3d& towardsViewer) const
    {
        if (!property_.GetLighting())
            return colour;
        std::array<Eigen::Vector3d, 3> p;
        for (std::size_t i = 0; i < 3; ++i)
            data_.GetPoint(face[i], p[i].data());
        const Eigen::Vector3d normal = placement_.topLeftCorner<3, 3>() * (p[1] - p[0]).cross(p[2] - p[0]);
        const double facing = normal.norm() > 0 ? std::abs(normal.normalized().dot(towardsViewer)) : 1;
        return colour * (property_.GetAmbient() + property_.GetDiffuse() * facing);
    }

    vtkActor& actor_;
    vtkPolyData& data_;
    vtkProperty& property_;
    Eigen::Matrix4d placement_;
    vtkDataArray* colours_ = nullptr;
    std::vector<GL2PSvertex> corners_;
};

// The faces and lines as GL2PS orders them, back to front, in its SVG.
QByteArray ordered(Drawing3d& drawing, QSizeF size)
{
    vtkRenderer* renderer = drawing.renderer();
    renderer->ResetCameraClippingRange();
    const Eigen::Matrix4d projection =
        eigen(renderer->GetActiveCamera()->GetCompositeProjectionTransformMatrix(size.width() / size.height(),
                                                                                 -1, 1));
    const Eigen::Vector3d towardsViewer = (drawing.camera().position - drawing.camera().focus).normalized();
    char* text = nullptr;
    std::size_t length = 0;
    const auto close = [](FILE* file) { std::fclose(file); };
    std::unique_ptr<FILE, decltype(close)> file(open_memstream(&text, &length), close);
    const GLint viewport[4] = {0, 0, static_cast<GLint>(std::lround(size.width())),
                               static_cast<GLint>(std::lround(size.height()))};
    gl2psBeginPage("", "", const_cast<GLint*>(viewport), GL2PS_SVG, GL2PS_BSP_SORT,
                   GL2PS_NO_OPENGL_CONTEXT | GL2PS_NO_BLENDING | GL2PS_SILENT | GL2PS_SIMPLE_LINE_OFFSET |
                       GL2PS_BEST_ROOT | GL2PS_OCCLUSION_CULL,
                   GL_RGBA, 0, nullptr, 0, 0, 0, 0, file.get(), "");
    eachActor(renderer, [&](vtkActor& actor, vtkPolyDataMapper& mapper, vtkPolyData& data) {
        Projected projected(actor, mapper, data, projection, size);
        projected.addFaces(towardsViewer);
        projected.addLines();
    });
    const GLint outcome = gl2psEndPage();
    file.reset();
    const QByteArray svg(text, static_cast<qsizetype>(length));
    std::free(text);
    if (outcome != GL2PS_SUCCESS && outcome != GL2PS_NO_FEEDBACK)
        throw Error("the faces of the picture could not be put in order");
    return svg;
}

QPolygonF pointsOf(const QXmlStreamAttributes& attributes)
{
    QPolygonF points;
    for (const QString& pair : attributes.value("points").toString().split(' ', Qt::SkipEmptyParts))
        points << QPointF(pair.section(',', 0, 0).toDouble(), pair.section(',', 1, 1).toDouble());
    return points;
}

} // namespace

QString whyNoVectors(const Drawing3d& drawing)
{
    if (drawing.turnable())
        return QCoreApplication::translate("VectorDrawing", "light and depth make its shapes");
    bool translucent = false;
    vtkIdType faces = 0;
    eachActor(drawing.renderer(), [&](vtkActor& actor, vtkPolyDataMapper&, vtkPolyData& data) {
        translucent = translucent || actor.GetProperty()->GetOpacity() < 1;
        faces += data.GetNumberOfPolys();
    });
    if (translucent)
        return QCoreApplication::translate("VectorDrawing", "some of it is translucent");
    if (faces > mostFaces)
        return QCoreApplication::translate("VectorDrawing", "it has too many faces");
    return {};
}

void paintVectors(Drawing3d& drawing, QPainter& painter, const QRectF& rect)
{
    drawing.setPixelRatio(1);
    drawing.setAspect(rect.width() / rect.height());
    painter.save();
    painter.setClipRect(rect);
    painter.translate(rect.topLeft());
    const QByteArray svg = ordered(drawing, rect.size());
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QXmlStreamAttributes attributes = reader.attributes();
        if (reader.name() == u"polygon") {
            const QColor colour(attributes.value("fill").toString());
            painter.setPen(QPen(colour, seam, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.setBrush(colour);
            painter.drawPolygon(pointsOf(attributes));
        } else if (reader.name() == u"polyline") {
            painter.setPen(QPen(QColor(attributes.value("stroke").toString()),
                                attributes.value("stroke-width").toDouble(), Qt::SolidLine, Qt::RoundCap,
                                Qt::RoundJoin));
            painter.setBrush(Qt::NoBrush);
            painter.drawPolyline(pointsOf(attributes));
        }
    }
    for (const Sprite* sprite : drawing.sprites())
        if (sprite->visible()) {
            const Eigen::Vector3d at =
                imageOf(drawing.camera(), sprite->position(), rect.width() / rect.height());
            sprite->paint(painter, {(at.x() + 1) / 2 * rect.width(), (1 - at.y()) / 2 * rect.height()});
        }
    painter.restore();
}

} // namespace casimir
