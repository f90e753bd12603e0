#include "ui/render/scene_renderer.h"

#include "ui/render/plot_painter.h"
#include "ui/render/solid_batch.h"

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkPolyDataNormals.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkSphereSource.h>
#include <vtkTriangleFilter.h>

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir {

namespace {

constexpr double ghostOpacity = 0.22;

vtkSmartPointer<vtkPolyData> meshData(const Mesh& mesh)
{
    vtkNew<vtkPoints> points;
    for (const Eigen::Vector3d& v : mesh.vertices)
        points->InsertNextPoint(v.data());
    vtkNew<vtkCellArray> faces;
    for (const auto& t : mesh.triangles) {
        const vtkIdType ids[3] = {t[0], t[1], t[2]};
        faces->InsertNextCell(3, ids);
    }
    vtkNew<vtkPolyData> data;
    data->SetPoints(points);
    data->SetPolys(faces);
    vtkNew<vtkPolyDataNormals> normals;
    normals->SetInputData(data);
    normals->SetFeatureAngle(40);
    normals->Update();
    return normals->GetOutput();
}

struct PlateData {
    vtkSmartPointer<vtkPolyData> solid, outline;
};

PlateData plateData(const Plate& plate)
{
    const vtkIdType n = static_cast<vtkIdType>(plate.outline.size());
    PlateData result{vtkSmartPointer<vtkPolyData>::New(), vtkSmartPointer<vtkPolyData>::New()};
    if (n < 3)
        return result;
    // Caps and wall have their own vertices, so that the edge between them stays sharp.
    vtkNew<vtkPoints> points;
    vtkNew<vtkCellArray> faces;
    for (const double z : {plate.zMax, plate.zMin, plate.zMax, plate.zMin})
        for (const Eigen::Vector2d& p : plate.outline)
            points->InsertNextPoint(p.x(), p.y(), z);
    faces->InsertNextCell(static_cast<int>(n));
    for (vtkIdType i = 0; i < n; ++i)
        faces->InsertCellPoint(i);
    faces->InsertNextCell(static_cast<int>(n));
    for (vtkIdType i = 0; i < n; ++i)
        faces->InsertCellPoint(2 * n - 1 - i);
    for (vtkIdType i = 0; i < n; ++i) {
        const vtkIdType next = (i + 1) % n;
        const vtkIdType quad[4] = {2 * n + i, 3 * n + i, 3 * n + next, 2 * n + next};
        faces->InsertNextCell(4, quad);
    }
    vtkNew<vtkPolyData> data;
    data->SetPoints(points);
    data->SetPolys(faces);
    vtkNew<vtkTriangleFilter> triangles; // outlines need not be convex
    triangles->SetInputData(data);
    vtkNew<vtkPolyDataNormals> normals;
    normals->SetInputConnection(triangles->GetOutputPort());
    normals->SetFeatureAngle(50);
    normals->Update();
    result.solid = normals->GetOutput();

    vtkNew<vtkCellArray> loop;
    loop->InsertNextCell(static_cast<int>(n) + 1);
    for (vtkIdType i = 0; i <= n; ++i)
        loop->InsertCellPoint(i % n);
    result.outline->SetPoints(points);
    result.outline->SetLines(loop);
    return result;
}

vtkSmartPointer<vtkPolyData> ballData(const Ball& ball)
{
    vtkNew<vtkSphereSource> sphere;
    sphere->SetCenter(ball.centre.x(), ball.centre.y(), ball.centre.z());
    sphere->SetRadius(ball.radius);
    sphere->SetThetaResolution(36);
    sphere->SetPhiResolution(24);
    sphere->Update();
    return sphere->GetOutput();
}

void setColour(vtkActor* actor, const QColor& colour)
{
    const Rgb rgb = toRgb(colour);
    actor->GetProperty()->SetColor(rgb.c[0], rgb.c[1], rgb.c[2]);
}

QImage highlightImage(double radius, double width, const QColor& colour)
{
    const int side = 2 * static_cast<int>(std::ceil(radius + width)) + 1;
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, width));
    painter.drawEllipse(QPointF(side / 2.0, side / 2.0), radius, radius);
    return image;
}

void paintPin(QPainter& painter, QPointF centre, Pin::Kind kind, double radius, const QColor& colour,
              const QColor& rim)
{
    painter.setBrush(Qt::NoBrush);
    switch (kind) {
    case Pin::Kind::Dot:
        drawMark(painter, centre, MarkShape::Disc, radius * 0.8, colour, rim);
        break;
    case Pin::Kind::Ring:
        painter.setBrush(rim);
        painter.setPen(QPen(colour, radius * 0.42));
        painter.drawEllipse(centre, radius, radius);
        break;
    case Pin::Kind::Cross:
        painter.setPen(QPen(colour, radius * 0.28));
        painter.drawLine(centre - QPointF(1.5 * radius, 0), centre + QPointF(1.5 * radius, 0));
        painter.drawLine(centre - QPointF(0, 1.5 * radius), centre + QPointF(0, 1.5 * radius));
        break;
    }
}

QImage pinImage(Pin::Kind kind, double radius, const QColor& colour, const QColor& rim)
{
    const int side = 2 * static_cast<int>(std::ceil(radius * 1.8)) + 1;
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPin(painter, {side / 2.0, side / 2.0}, kind, radius, colour, rim);
    return image;
}

// A grip with an arrow to either side, turned by `turn` (radians, counter-clockwise).
QImage handleImage(double radius, double turn, bool held, const Theme& theme)
{
    const int side = 2 * static_cast<int>(std::ceil(radius * 2.9)) + 1;
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(side / 2.0, side / 2.0);
    painter.rotate(-turn * 180 / std::numbers::pi);
    const QColor colour = held ? mix(theme.accent(), theme.text(), 0.25) : theme.accent();
    painter.setPen(QPen(theme.background(), radius * 0.16));
    painter.setBrush(colour);
    for (const double s : {1.0, -1.0})
        painter.drawPolygon(QPolygonF{QPointF(s * 2.6 * radius, 0), QPointF(s * 1.35 * radius, radius * 0.95),
                                      QPointF(s * 1.35 * radius, -radius * 0.95)});
    painter.drawEllipse(QPointF(0, 0), radius, radius);
    painter.setBrush(theme.background());
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(QPointF(0, 0), radius * (held ? 0.55 : 0.3), radius * (held ? 0.55 : 0.3));
    return image;
}

// A rate of turn as an arc as long as the vector, right-handed about it.
std::vector<Eigen::Vector3d> arcOf(const Arrow& arrow, double radius)
{
    const double rate = arrow.vector.norm();
    std::vector<Eigen::Vector3d> path;
    if (!(rate > 1e-9))
        return path;
    const Eigen::Vector3d axis = arrow.vector / rate;
    Eigen::Vector3d u = Eigen::Vector3d::UnitX() - axis.x() * axis;
    u = u.norm() > 1e-3 ? Eigen::Vector3d(u.normalized()) : axis.unitOrthogonal();
    const Eigen::Vector3d v = axis.cross(u);
    const double sweep = std::min(rate / radius, 1.7 * std::numbers::pi);
    const int steps = 2 + static_cast<int>(sweep * 12);
    for (int i = 0; i <= steps; ++i) {
        const double a = std::numbers::pi / 4 + sweep * i / steps;
        path.push_back(arrow.origin + radius * (std::cos(a) * u + std::sin(a) * v));
    }
    return path;
}

} // namespace

// What all figures of a scene share; index as in scene.parts.
struct SceneRenderer::Geometry {
    std::vector<vtkSmartPointer<vtkPolyData>> solids, outlines;
};

class SceneRenderer::Figure {
public:
    Figure(const Scene& scene, const Geometry& geometry, vtkRenderer* renderer, bool ghost)
        : scene_(scene), renderer_(renderer), ghost_(ghost), items_(scene.parts.size())
    {
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const Part& part = scene.parts[i];
            Item& item = items_[i];
            if (ghost && part.ground)
                continue;
            if (geometry.solids[i])
                item.solid = addActor(geometry.solids[i]);
            if (geometry.outlines[i])
                item.outline = addActor(geometry.outlines[i]);
            if (std::holds_alternative<Sheet>(part.shape)) {
                item.sheet = vtkSmartPointer<vtkPolyData>::New();
                const vtkNew<vtkPoints> points;
                const vtkNew<vtkCellArray> faces;
                item.sheet->SetPoints(points);
                item.sheet->SetPolys(faces);
                item.solid = addActor(item.sheet);
            }
            if (std::holds_alternative<Tube>(part.shape) || std::holds_alternative<ArrowShape>(part.shape)) {
                item.batch = std::make_unique<SolidBatch>();
                renderer_->AddActor(item.batch->actor());
            }
            const bool flat =
                std::holds_alternative<Label>(part.shape) || std::holds_alternative<Pin>(part.shape);
            if (flat && !ghost) {
                item.sprite = std::make_unique<Sprite>();
                renderer_->AddActor2D(item.sprite->actor());
            }
        }
    }

    ~Figure()
    {
        for (Item& item : items_) {
            for (vtkActor* actor :
                 {item.solid.Get(), item.outline.Get(), item.batch ? item.batch->actor() : nullptr})
                if (actor)
                    renderer_->RemoveActor(actor);
            if (item.sprite)
                renderer_->RemoveActor2D(item.sprite->actor());
        }
    }
    Figure(const Figure&) = delete;
    Figure& operator=(const Figure&) = delete;

    void restyle(const Theme& theme, double pixelRatio, const QColor& ghostColour)
    {
        theme_ = theme;
        const double px = theme.scale() * pixelRatio;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const Part& part = scene_.parts[i];
            Item& item = items_[i];
            const QColor colour = theme.colour(part.colour);
            const double opacity = ghost_ ? ghostOpacity * part.opacity : part.opacity;
            if (item.solid) {
                vtkProperty* p = item.solid->GetProperty();
                setColour(item.solid, colour);
                p->SetOpacity(opacity);
                // A plate seen from above is a flat tint; bodies in space need light to have a shape.
                p->SetAmbient(scene_.planar ? 0.8 : 0.35);
                p->SetDiffuse(scene_.planar ? 0.25 : 0.7);
                p->SetSpecular(scene_.planar ? 0 : 0.12);
                p->SetSpecularPower(25);
                // Of a translucent body one sheet is seen, or its tint would be laid on twice.
                p->SetBackfaceCulling(opacity < 1 && !item.sheet);
            }
            if (item.outline) {
                setColour(item.outline,
                          ghost_ ? ghostColour : mix(colour, theme.text(), theme.isDark() ? 0.1 : 0.12));
                item.outline->GetProperty()->LightingOff();
                item.outline->GetProperty()->SetLineWidth(static_cast<float>(1.5 * px));
                item.outline->GetProperty()->SetOpacity(ghost_ ? 0.8 : 1);
            }
            if (item.batch)
                item.batch->actor()->GetProperty()->SetOpacity(opacity);
            if (item.sprite) {
                if (const Pin* pin = std::get_if<Pin>(&part.shape)) {
                    const QImage image = pinImage(pin->kind, 5.5 * px, colour, theme.background());
                    item.sprite->setImage(image, {image.width() / 2.0, image.height() / 2.0});
                    item.sprite->setPainter([kind = pin->kind, radius = 5.5 * px, colour,
                                             rim = theme.background()](QPainter& painter, QPointF at) {
                        paintPin(painter, at, kind, radius, colour, rim);
                    });
                } else if (const Label* label = std::get_if<Label>(&part.shape)) {
                    item.sprite->setText(SymbolText::symbol(label->text), Qt::AlignHCenter | Qt::AlignVCenter,
                                         theme.font(Theme::Text::Symbol), colour, pixelRatio);
                }
            }
        }
    }

    void setPose(const Pose& pose)
    {
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const Part& part = scene_.parts[i];
            Item& item = items_[i];
            const bool moves =
                part.placement >= 0 && static_cast<std::size_t>(part.placement) < pose.placements.size();
            const Placement placement =
                moves ? pose.placements[static_cast<std::size_t>(part.placement)] : Placement();
            if (item.matrix && moves) {
                const Eigen::Matrix3d r = placement.rotation.toRotationMatrix();
                for (int row = 0; row < 3; ++row) {
                    for (int column = 0; column < 3; ++column)
                        item.matrix->SetElement(row, column, r(row, column));
                    item.matrix->SetElement(row, 3, placement.translation[row]);
                }
                item.matrix->Modified();
            }
            if (ghost_ && part.ground)
                continue;
            if (const Tube* tube = std::get_if<Tube>(&part.shape))
                fillTube(item, part, *tube, pose);
            else if (const Sheet* sheet = std::get_if<Sheet>(&part.shape))
                fillSheet(item, *sheet, pose);
            else if (const ArrowShape* arrow = std::get_if<ArrowShape>(&part.shape))
                fillArrow(item, part, *arrow, pose);
            else if (const Label* label = std::get_if<Label>(&part.shape); label && item.sprite)
                item.sprite->setPosition(placement.apply(label->at));
            else if (const Pin* pin = std::get_if<Pin>(&part.shape); pin && item.sprite)
                item.sprite->setPosition(placement.apply(pin->at));
        }
    }

    void setLayers(const std::map<std::string, bool>& shown)
    {
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const auto found = shown.find(scene_.parts[i].layer);
            const bool visible = found == shown.end() || found->second;
            Item& item = items_[i];
            if (item.solid)
                item.solid->SetVisibility(visible);
            if (item.outline)
                item.outline->SetVisibility(visible);
            if (item.batch)
                item.batch->actor()->SetVisibility(visible);
            if (item.sprite)
                item.sprite->setVisible(visible);
        }
    }

    void collectSprites(std::vector<const Sprite*>& all) const
    {
        for (const Item& item : items_)
            if (item.sprite)
                all.push_back(item.sprite.get());
    }

private:
    struct Item {
        vtkSmartPointer<vtkActor> solid, outline;
        vtkSmartPointer<vtkMatrix4x4> matrix;
        vtkSmartPointer<vtkPolyData> sheet;
        std::unique_ptr<SolidBatch> batch;
        std::unique_ptr<Sprite> sprite;
    };

    vtkSmartPointer<vtkActor> addActor(vtkPolyData* data)
    {
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->SetInputData(data);
        mapper->ScalarVisibilityOff();
        auto actor = vtkSmartPointer<vtkActor>::New();
        actor->SetMapper(mapper);
        renderer_->AddActor(actor);
        return actor;
    }

    void fillTube(Item& item, const Part& part, const Tube& tube, const Pose& pose)
    {
        item.batch->clear();
        if (tube.curve < pose.curves.size()) {
            const Curve& curve = pose.curves[tube.curve];
            const QColor plain = theme_.colour(part.colour);
            const bool valued = curve.values.size() == curve.points.size();
            item.batch->addTube(
                curve.points, [&](std::size_t) { return tube.radius; },
                [&](std::size_t k) { return valued ? theme_.level(curve.values[k]) : plain; });
        }
        item.batch->finish();
    }

    void fillSheet(Item& item, const Sheet& sheet, const Pose& pose)
    {
        // The points are moved where they are; faces change only with their number.
        const bool there = sheet.curve + 1 < pose.curves.size();
        static const std::vector<Eigen::Vector3d> none;
        const auto &a = there ? pose.curves[sheet.curve].points : none,
                   &b = there ? pose.curves[sheet.curve + 1].points : none;
        const auto n = static_cast<vtkIdType>(std::min(a.size(), b.size()));
        vtkPoints* const points = item.sheet->GetPoints();
        if (points->GetNumberOfPoints() != 2 * n) {
            points->SetNumberOfPoints(2 * n);
            item.sheet->GetPolys()->Reset();
            for (vtkIdType at = 2; at < 2 * n; at += 2) {
                const vtkIdType quad[4] = {at - 2, at - 1, at + 1, at};
                item.sheet->GetPolys()->InsertNextCell(4, quad);
            }
            item.sheet->GetPolys()->Modified();
        }
        for (vtkIdType k = 0; k < n; ++k) {
            points->SetPoint(2 * k, a[static_cast<std::size_t>(k)].data());
            points->SetPoint(2 * k + 1, b[static_cast<std::size_t>(k)].data());
        }
        points->Modified();
        item.sheet->Modified();
    }

    void fillArrow(Item& item, const Part& part, const ArrowShape& shape, const Pose& pose)
    {
        item.batch->clear();
        if (shape.arrow < pose.arrows.size()) {
            Arrow arrow = pose.arrows[shape.arrow];
            // Seen from above without perspective, height only decides what covers what: arrows lie on top.
            if (scene_.planar)
                arrow.origin.z() += 0.5 * scene_.radius;
            item.batch->addArrow(
                shape.curved ? arcOf(arrow, 0.24 * scene_.radius)
                             : std::vector<Eigen::Vector3d>{arrow.origin, arrow.origin + arrow.vector},
                shape.width, theme_.colour(part.colour));
        }
        item.batch->finish();
    }

    const Scene& scene_;
    vtkSmartPointer<vtkRenderer> renderer_;
    bool ghost_;
    Theme theme_;
    std::vector<Item> items_;

public:
    // Parts that ride on a placement get their matrix once; setPose() writes into it.
    void giveMatrices()
    {
        for (std::size_t i = 0; i < items_.size(); ++i) {
            Item& item = items_[i];
            if (scene_.parts[i].placement < 0 || item.sheet || !item.solid)
                continue;
            item.matrix = vtkSmartPointer<vtkMatrix4x4>::New();
            item.solid->SetUserMatrix(item.matrix);
            if (item.outline)
                item.outline->SetUserMatrix(item.matrix);
        }
    }
};

SceneRenderer::SceneRenderer()
{
    renderer()->AddActor(traceLines_.actor());
    renderer()->AddActor2D(handleSprite_.actor());
    handleSprite_.setVisible(false);
    renderer()->AddActor2D(highlight_.actor());
    highlight_.setVisible(false);
    setScene({});
}

SceneRenderer::~SceneRenderer() = default;

std::unique_ptr<SceneRenderer::Figure> SceneRenderer::makeFigure(bool ghost)
{
    auto figure = std::make_unique<Figure>(scene_, *geometry_, renderer(), ghost);
    figure->giveMatrices();
    ++built_;
    return figure;
}

void SceneRenderer::setScene(const Scene& scene, bool keepCamera)
{
    const bool sameSize =
        figure_ && scene.radius == scene_.radius && scene.planar == scene_.planar && scene.up == scene_.up;
    figure_.reset();
    ghostFigures_.clear();
    ghosts_.clear();
    traces_.clear();
    scene_ = scene;
    pose_ = {};
    geometry_ = std::make_unique<Geometry>();
    for (const Part& part : scene_.parts) {
        PlateData data;
        if (const Mesh* mesh = std::get_if<Mesh>(&part.shape))
            data.solid = meshData(*mesh);
        else if (const Plate* plate = std::get_if<Plate>(&part.shape))
            data = plateData(*plate);
        else if (const Ball* ball = std::get_if<Ball>(&part.shape))
            data.solid = ballData(*ball);
        geometry_->solids.push_back(data.solid);
        geometry_->outlines.push_back(data.outline);
    }
    for (const Layer& layer : scene_.layers)
        shown_.try_emplace(layer.id, layer.shown);
    figure_ = makeFigure(false);
    redraw();
    if (!sameSize && !keepCamera)
        resetCamera();
}

std::vector<const Sprite*> SceneRenderer::sprites() const
{
    std::vector<const Sprite*> all;
    figure_->collectSprites(all);
    return all;
}

void SceneRenderer::setPose(const Pose& pose)
{
    pose_ = pose;
    figure_->setPose(pose_);
    figure_->setLayers(shown_);
}

void SceneRenderer::setGhosts(const std::vector<Ghost>& ghosts)
{
    const bool sameColours = ghosts.size() == ghosts_.size() &&
                             std::equal(ghosts.begin(), ghosts.end(), ghosts_.begin(),
                                        [](const Ghost& a, const Ghost& b) { return a.colour == b.colour; });
    ghosts_ = ghosts;
    while (ghostFigures_.size() > ghosts.size())
        ghostFigures_.pop_back();
    while (ghostFigures_.size() < ghosts.size())
        ghostFigures_.push_back(makeFigure(true));
    for (std::size_t i = 0; i < ghosts.size(); ++i) {
        if (!sameColours)
            ghostFigures_[i]->restyle(theme(), pixelRatio(), theme().colour(ghosts[i].colour));
        ghostFigures_[i]->setPose(ghosts[i].pose);
        ghostFigures_[i]->setLayers(shown_);
    }
}

void SceneRenderer::setTraces(const std::vector<Trace>& traces)
{
    traces_ = traces;
    traceLines_.clear();
    for (const Trace& trace : traces_) {
        const QColor present = theme().colour(trace.colour);
        const QColor colour = trace.past ? fainter(present, theme()) : present;
        std::vector<Eigen::Vector3d> points = trace.points;
        // As with arrows: in a planar scene traces lie below the bodies.
        if (scene_.planar)
            for (Eigen::Vector3d& p : points)
                p.z() -= 0.5 * scene_.radius;
        traceLines_.add(points, trace.fading ? mix(colour, theme().background(), 0.85) : colour, colour);
    }
    traceLines_.finish();
}

void SceneRenderer::setHandle(const std::optional<GripMark>& handle)
{
    if (handle_.has_value() != handle.has_value() || (handle && handle_->held != handle->held))
        handleTurn_.reset();
    handle_ = handle;
    handleSprite_.setVisible(handle_.has_value());
    drawHandle();
}

void SceneRenderer::drawHandle()
{
    if (!handle_)
        return;
    const Eigen::Vector3d from = imageOf(shownCamera(), handle_->at, aspect());
    const Eigen::Vector3d to =
        imageOf(shownCamera(), handle_->at + 1e-3 * scene_.radius * handle_->along, aspect());
    constexpr double grain = std::numbers::pi / 90;
    const double turn =
        grain * std::round(std::atan2(to.y() - from.y(), (to.x() - from.x()) * aspect()) / grain);
    if (handleTurn_ != turn) {
        handleTurn_ = turn;
        const QImage image = handleImage(px(9), turn, handle_->held, theme());
        handleSprite_.setImage(image, {image.width() / 2.0, image.height() / 2.0});
    }
    handleSprite_.setPosition(handle_->at);
}

void SceneRenderer::setHighlight(std::optional<Eigen::Vector3d> at)
{
    highlight_.setVisible(at.has_value());
    if (at)
        highlight_.setPosition(*at);
}

void SceneRenderer::setLayerShown(const std::string& layer, bool shown)
{
    shown_[layer] = shown;
    figure_->setLayers(shown_);
    for (const auto& ghost : ghostFigures_)
        ghost->setLayers(shown_);
}

void SceneRenderer::restyle()
{
    traceLines_.setWidth(px(1.6));
    const QImage ring = highlightImage(px(9), px(2), theme().accent());
    const bool lit = highlight_.actor()->GetVisibility() != 0; // a new picture shows itself
    highlight_.setImage(ring, QPointF(ring.width() / 2.0, ring.height() / 2.0));
    highlight_.setVisible(lit);
    figure_->restyle(theme(), pixelRatio(), {});
    figure_->setPose(pose_);
    figure_->setLayers(shown_);
    for (std::size_t i = 0; i < ghostFigures_.size(); ++i) {
        ghostFigures_[i]->restyle(theme(), pixelRatio(), theme().colour(ghosts_[i].colour));
        ghostFigures_[i]->setPose(ghosts_[i].pose);
        ghostFigures_[i]->setLayers(shown_);
    }
    setTraces(std::vector<Trace>(traces_));
    handleTurn_.reset();
    drawHandle();
}

} // namespace casimir
