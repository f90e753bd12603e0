#include "ui/render/vector_drawing.h"

#include "core/base/error.h"
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
#include <QPainterPath>
#include <QXmlStreamReader>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace casimir {

namespace {

constexpr vtkIdType mostFaces = 60'000; // more would make a file that nobody can edit
constexpr double edgeOn = 1e-4;         // square pixels below which a face is not seen
constexpr double samePoint = 1e-3;      // pixels

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

// GL2PS carries a colour with every face and line. It is given a number in place of it, by which what it
// returns is known again: neighbours of one number are drawn as one shape, so that a translucent body shows
// no seams.
class Numbers {
public:
    void give(std::span<GL2PSvertex> corners, const void* body, const QColor& colour)
    {
        const auto key = std::pair(body, colour.rgba());
        const auto [it, fresh] = numbers_.try_emplace(key, colours_.size());
        if (fresh)
            colours_.push_back(colour);
        for (GL2PSvertex& corner : corners)
            for (int c = 0; c < 3; ++c)
                corner.rgba[c] =
                    (static_cast<float>(it->second >> (16 - 8 * c) & 0xFF) + 0.5f) / 255; // it truncates
    }
    const QColor& colour(std::size_t number) const { return colours_.at(number); }

private:
    std::map<std::pair<const void*, QRgb>, std::size_t> numbers_;
    std::vector<QColor> colours_;
};

// What one actor shows, corner by corner, in the pixels of the picture.
class Projected {
public:
    Projected(vtkActor& actor, vtkPolyDataMapper& mapper, vtkPolyData& data,
              const Eigen::Matrix4d& projection, QSizeF size, Numbers& numbers)
        : data_(data),
          property_(*actor.GetProperty()),
          placement_(eigen(actor.GetMatrix())),
          numbers_(numbers)
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
                const double area = signedArea(corners);
                if (std::abs(area) < edgeOn || (area < 0 && property_.GetBackfaceCulling()))
                    continue;
                if (area < 0)
                    std::swap(corners[1], corners[2]);
                numbers_.give(corners, this, painted(shaded(colour, face, towardsViewer)));
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
                numbers_.give(ends, this, painted((colourAt(ids[k - 1]) + colourAt(ids[k])) / 2));
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

    static double signedArea(const std::array<GL2PSvertex, 3>& c)
    {
        return 0.5 * (static_cast<double>(c[1].xyz[0] - c[0].xyz[0]) * (c[2].xyz[1] - c[0].xyz[1]) -
                      static_cast<double>(c[2].xyz[0] - c[0].xyz[0]) * (c[1].xyz[1] - c[0].xyz[1]));
    }

    QColor painted(const Eigen::Vector3d& colour) const
    {
        const auto part = [&](int c) { return static_cast<float>(std::clamp(colour[c], 0.0, 1.0)); };
        return QColor::fromRgbF(part(0), part(1), part(2), static_cast<float>(property_.GetOpacity()));
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

    vtkPolyData& data_;
    vtkProperty& property_;
    Eigen::Matrix4d placement_;
    Numbers& numbers_;
    vtkDataArray* colours_ = nullptr;
    std::vector<GL2PSvertex> corners_;
};

// Triangles that lie edge to edge, as the outline of them all.
class Outline {
public:
    void add(const QPolygonF& triangle)
    {
        for (qsizetype i = 0; i < triangle.size(); ++i) {
            const Point a = key(triangle[i]), b = key(triangle[(i + 1) % triangle.size()]);
            if (a == b)
                continue;
            // An edge that the neighbour runs through the other way is inside.
            if (const auto back = edges_.find({b, a}); back != edges_.end())
                edges_.erase(back);
            else
                edges_.insert({a, b});
        }
    }
    bool empty() const { return edges_.empty(); }
    QPainterPath take()
    {
        QPainterPath path;
        path.setFillRule(Qt::WindingFill);
        while (!edges_.empty()) {
            const Point first = edges_.begin()->first;
            path.moveTo(point(first));
            for (auto edge = edges_.begin(); edge != edges_.end();) {
                const Point to = edge->second;
                edges_.erase(edge);
                if (to == first)
                    break;
                path.lineTo(point(to));
                edge = edges_.lower_bound({to, {LLONG_MIN, LLONG_MIN}});
                if (edge == edges_.end() || edge->first != to)
                    break;
            }
            path.closeSubpath();
        }
        return path;
    }

private:
    using Point = std::pair<long long, long long>;
    static Point key(QPointF p) { return {std::llround(p.x() / samePoint), std::llround(p.y() / samePoint)}; }
    static QPointF point(const Point& p)
    {
        return {static_cast<double>(p.first) * samePoint, static_cast<double>(p.second) * samePoint};
    }
    std::set<std::pair<Point, Point>> edges_;
};

// The faces and lines as GL2PS orders them, back to front, in its SVG.
QByteArray ordered(Drawing3d& drawing, QSizeF size, Numbers& numbers)
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
                       GL2PS_BEST_ROOT,
                   GL_RGBA, 0, nullptr, 0, 0, 0, 0, file.get(), "");
    std::vector<std::unique_ptr<Projected>> bodies; // each its own, for as long as they are told apart
    eachActor(renderer, [&](vtkActor& actor, vtkPolyDataMapper& mapper, vtkPolyData& data) {
        bodies.push_back(std::make_unique<Projected>(actor, mapper, data, projection, size, numbers));
        bodies.back()->addFaces(towardsViewer);
        bodies.back()->addLines();
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
    vtkIdType faces = 0;
    eachActor(drawing.renderer(),
              [&](vtkActor&, vtkPolyDataMapper&, vtkPolyData& data) { faces += data.GetNumberOfPolys(); });
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
    Numbers numbers;
    const QByteArray svg = ordered(drawing, rect.size(), numbers);
    const auto colourOf = [&](QStringView text) {
        return numbers.colour(QColor(text.toString()).rgb() & 0xFFFFFF);
    };
    Outline shape;
    QColor of;
    QString last; // number of the faces that wait in `shape`
    const auto finish = [&] {
        if (!shape.empty())
            painter.fillPath(shape.take(), of);
    };
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QXmlStreamAttributes attributes = reader.attributes();
        const bool face = reader.name() == u"polygon";
        if (!face && reader.name() != u"polyline")
            continue;
        const auto word = attributes.value(face ? "fill" : "stroke");
        if (!face || word != last) {
            finish();
            of = colourOf(word);
            last = face ? word.toString() : QString();
        }
        if (face) {
            shape.add(pointsOf(attributes));
        } else {
            painter.setPen(QPen(of, attributes.value("stroke-width").toDouble(), Qt::SolidLine, Qt::RoundCap,
                                Qt::RoundJoin));
            painter.setBrush(Qt::NoBrush);
            painter.drawPolyline(pointsOf(attributes));
        }
    }
    finish();
    for (const Sprite* sprite : drawing.sprites())
        if (sprite->visible()) {
            const Eigen::Vector3d at =
                imageOf(drawing.camera(), sprite->position(), rect.width() / rect.height());
            sprite->paint(painter, {(at.x() + 1) / 2 * rect.width(), (1 - at.y()) / 2 * rect.height()});
        }
    painter.restore();
}

} // namespace casimir
