#include "ui/render/surface_renderer.h"

#include "core/numerics/pi.h"

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkSphereSource.h>
#include <vtkUnsignedCharArray.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

namespace {

constexpr double lift = 0.008;   // of the unit; more than the sagitta of the surface's facets
constexpr double longest = 0.09; // radians an edge may span before it is seen to cut through the surface
constexpr double tubeRadius = 0.013;
constexpr double markRadius = 0.05;
constexpr double unreached = 0.45; // of the background over what the motion cannot reach
constexpr double veilSlope = 0.02; // of the range of the field

bool sameFrame(const Plot& a, const Plot& b)
{
    return a.surface == b.surface && a.x.min == b.x.min && a.x.max == b.x.max && a.y.min == b.y.min &&
           a.y.max == b.y.max && a.x.quantity.symbol == b.x.quantity.symbol &&
           a.y.quantity.symbol == b.y.quantity.symbol && a.y.quantity.unit == b.y.quantity.unit &&
           a.maps.empty() == b.maps.empty();
}

// Every vertex of a line is paid for in each frame on a software rasteriser. One is left out where the curve
// runs on within a few degrees and the next is near.
std::vector<Eigen::Vector3d> thinned(const std::vector<Eigen::Vector3d>& path, double spacing)
{
    constexpr double straight = 0.996; // cosine of 5 degrees
    std::vector<Eigen::Vector3d> out{path.front()};
    for (std::size_t i = 1; i + 1 < path.size(); ++i) {
        const Eigen::Vector3d in = path[i] - out.back(), on = path[i + 1] - path[i];
        const double a = in.norm(), b = on.norm();
        if (a + b > spacing || in.dot(on) < straight * a * b)
            out.push_back(path[i]);
    }
    out.push_back(path.back());
    return out;
}

} // namespace

SurfaceRenderer::SurfaceRenderer()
    : surfaceData_(vtkSmartPointer<vtkPolyData>::New()),
      surfaceActor_(vtkSmartPointer<vtkActor>::New()),
      ellipsoidActor_(vtkSmartPointer<vtkActor>::New())
{
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(surfaceData_);
    surfaceActor_->SetMapper(mapper);
    surfaceActor_->SetPickable(false);
    seaActor_ = vtkSmartPointer<vtkActor>::New();
    seaActor_->SetMapper(vtkNew<vtkPolyDataMapper>());
    seaActor_->SetPickable(false);
    vtkNew<vtkSphereSource> ball;
    ball->SetRadius(1);
    ball->SetThetaResolution(72);
    ball->SetPhiResolution(48);
    ball->Update();
    vtkNew<vtkPolyDataMapper> ballMapper;
    ballMapper->SetInputData(ball->GetOutput());
    ellipsoidActor_->SetMapper(ballMapper);
    ellipsoidActor_->SetPickable(false);
    ellipsoidActor_->SetVisibility(false);
    for (vtkActor* actor :
         {family_.actor(), overlayLines_.actor(), axes_.actor(), frame_.actor(), emphasis_.actor(),
          overlaySolids_.actor(), ellipsoidActor_.Get(), surfaceActor_.Get(), seaActor_.Get()})
        renderer()->AddActor(actor);
    refresh();
}

SurfaceRenderer::~SurfaceRenderer() = default;

ViewFrom SurfaceRenderer::home() const
{
    if (!plot_)
        return ViewFrom::Oblique;
    // One looks down into valleys.
    return plot_->surface.shape == Surface::Shape::Plane    ? ViewFrom::Top
           : plot_->surface.shape == Surface::Shape::Relief ? ViewFrom::High
                                                            : ViewFrom::Oblique;
}

double SurfaceRenderer::halfLength() const
{
    const Surface& s = plot_->surface;
    return std::max(std::abs(plot_->y.min - s.offset), std::abs(plot_->y.max - s.offset)) *
           std::abs(s.stretch);
}

double SurfaceRenderer::unit() const
{
    const Surface& s = plot_->surface;
    if (s.shape == Surface::Shape::Plane)
        return std::max({std::abs(plot_->x.min), std::abs(plot_->x.max), halfLength()}) / 2;
    const bool broad = s.shape == Surface::Shape::Torus || s.shape == Surface::Shape::Relief;
    return broad ? s.radius * 0.8 : s.radius;
}

double SurfaceRenderer::boundingRadius() const
{
    if (!plot_)
        return 1;
    const Surface& s = plot_->surface;
    switch (s.shape) {
    case Surface::Shape::Plane:
        return 1.15 * std::hypot(std::max(std::abs(plot_->x.min), std::abs(plot_->x.max)), halfLength());
    case Surface::Shape::Cylinder:
        return 1.06 * std::hypot(axisDistance * s.radius, halfLength());
    case Surface::Shape::Sphere:
        // An ellipsoid through the sphere is shown whole unless it is a needle.
        return s.radius *
               std::max(1.38, overlay_.ellipsoid
                                  ? std::min(1.9, 1.02 * overlay_.ellipsoid->halfAxes.maxCoeff() / s.radius)
                                  : 0);
    case Surface::Shape::Torus:
        return 1.15 * (s.radius + s.tube);
    case Surface::Shape::Relief:
        return 1.6 * s.radius;
    }
    return 1;
}

void SurfaceRenderer::setPlot(std::shared_ptr<const Plot> plot)
{
    const bool keep = plot && plot_ && sameFrame(*plot, *plot_);
    const bool sameSurface = plot && plot_ && plot->surface.shape == plot_->surface.shape;
    plot_ = std::move(plot);
    if (!plot_)
        return;
    if (!keep) {
        buildSurface();
        buildAxes();
    }
    paintSurface();
    fillPlot();
    fillOverlay();
    // A drag that changes the limits must not throw away the view a person chose.
    if (!sameSurface)
        resetCamera();
}

void SurfaceRenderer::setOverlay(const PlotOverlay& overlay)
{
    const double before = boundingRadius();
    overlay_ = overlay;
    // The leading Motion's track is the last. Along a motion its energy moves by rounding only.
    const double reach =
        overlay.tracks.empty() ? std::numeric_limits<double>::infinity() : overlay.tracks.back().reach;
    if (const HeatMap* map = shownMap();
        map && !(std::abs(reach - reach_) <= 1e-6 * (map->max - map->min)) && reach != reach_) {
        reach_ = reach;
        paintSurface();
    }
    if (std::abs(boundingRadius() / before - 1) > 0.02)
        refresh(); // with what is drawn over it, it needs another distance
    else
        fillOverlay();
}

void SurfaceRenderer::setHiddenLayers(const std::set<std::string>& layers)
{
    hidden_ = layers;
    fillPlot();
    fillOverlay();
}

void SurfaceRenderer::restyle()
{
    const Rgb colour = toRgb(theme().surface());
    vtkProperty* p = surfaceActor_->GetProperty();
    p->SetColor(colour.c[0], colour.c[1], colour.c[2]);
    p->SetAmbient(0.55);
    p->SetDiffuse(0.5);
    family_.setWidth(px(1.4));
    overlayLines_.setWidth(px(2));
    axes_.setWidth(px(1));
    frame_.setWidth(px(1));
    if (!plot_)
        return;
    buildAxes();
    paintSurface();
    fillPlot();
    fillOverlay();
}

Eigen::Vector3d SurfaceRenderer::lifted(double x, double y) const
{
    return plot_->surface.embed(x, y) + lift * unit() * plot_->surface.normal(x, y);
}

std::vector<SurfaceRenderer::Path> SurfaceRenderer::paths(const Polyline& line) const
{
    const Surface& s = plot_->surface;
    const bool relief = s.shape == Surface::Shape::Relief, tube = s.shape == Surface::Shape::Torus;
    const bool round = s.shape != Surface::Shape::Plane && !relief;
    const double xPeriod = round ? 2 * pi : plot_->x.quantity.period;
    const double yPeriod = tube ? 2 * pi : round ? 0 : plot_->y.quantity.period;
    const double slack = 1e-9 * (plot_->y.max - plot_->y.min);
    const double yMin = plot_->y.min - slack, yMax = plot_->y.max + slack;
    const auto nearest = [](double d, double period) {
        return period > 0 && std::abs(d) > period / 2 ? d - period * std::round(d / period) : d;
    };
    std::vector<Path> out;
    bool open = false;
    for (std::size_t i = 1; i < std::min(line.x.size(), line.y.size()); ++i) {
        const double x0 = line.x[i - 1], y0 = line.y[i - 1];
        double dx = line.x[i] - x0, dy = line.y[i] - y0;
        if (!std::isfinite(x0 + dx) || !std::isfinite(y0 + dy)) {
            open = false;
            continue;
        }
        const double jumpX = dx, jumpY = dy;
        dx = nearest(dx, xPeriod);
        dy = nearest(dy, yPeriod);
        // On a sheet an angle that was wrapped is a break; on a round surface it is the way across the seam.
        if (!round && (dx != jumpX || dy != jumpY)) {
            open = false;
            continue;
        }
        double from = 0, to = 1;
        if (!tube && dy != 0) {
            const double a = (yMin - y0) / dy, b = (yMax - y0) / dy;
            from = std::max(from, std::min(a, b));
            to = std::min(to, std::max(a, b));
        }
        if (from >= to || (!tube && dy == 0 && (y0 < yMin || y0 > yMax))) {
            open = false;
            continue;
        }
        if (!open || from > 0)
            out.push_back({lifted(x0 + from * dx, y0 + from * dy)});
        const double bend =
            (relief
                 ? 2 * pi * std::hypot(dx / (plot_->x.max - plot_->x.min), dy / (plot_->y.max - plot_->y.min))
             : round ? std::max(std::abs(dx), tube ? std::abs(dy) : 0.0)
                     : 0) *
            (to - from);
        const int steps = 1 + static_cast<int>(bend / longest);
        for (int k = 1; k <= steps; ++k) {
            const double t = from + (to - from) * k / steps;
            out.back().push_back(lifted(x0 + t * dx, y0 + t * dy));
        }
        open = to == 1;
    }
    return out;
}

void SurfaceRenderer::buildSurface()
{
    const Surface& s = plot_->surface;
    const bool tube = s.shape == Surface::Shape::Torus, ball = s.shape == Surface::Shape::Sphere;
    const bool relief = s.shape == Surface::Shape::Relief;
    const bool flat = s.shape == Surface::Shape::Plane || relief;
    const bool mapped = !plot_->maps.empty();
    const int nx = !flat || mapped ? 144 : 1, ny = relief ? 144 : tube || mapped ? 72 : ball ? 64 : 1;
    surfaceCoordinates_.clear();
    const double xMin = flat ? plot_->x.min : -pi, xMax = flat ? plot_->x.max : pi;
    vtkNew<vtkPoints> points;
    vtkNew<vtkFloatArray> normals;
    normals->SetNumberOfComponents(3);
    vtkNew<vtkCellArray> faces;
    for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i) {
            const double x = xMin + (xMax - xMin) * i / nx;
            double y = plot_->y.min + (plot_->y.max - plot_->y.min) * j / ny;
            // Parallels of a sphere at equal latitudes, not heights, or its poles would be flat.
            if (ball)
                y = -s.radius * std::cos(pi * j / ny);
            if (tube)
                y = -pi + 2 * pi * j / ny;
            surfaceCoordinates_.emplace_back(x, y);
            points->InsertNextPoint(s.embed(x, y).data());
            normals->InsertNextTuple(s.normal(x, y).data());
            if (i < nx && j < ny) {
                const vtkIdType a = static_cast<vtkIdType>(j) * (nx + 1) + i, up = a + nx + 1;
                const vtkIdType quad[4] = {a, a + 1, up + 1, up};
                faces->InsertNextCell(4, quad);
            }
        }
    surfaceData_->SetPoints(points);
    surfaceData_->SetPolys(faces);
    surfaceData_->GetPointData()->SetNormals(normals);
    surfaceData_->Modified();
}

const HeatMap* SurfaceRenderer::shownMap() const
{
    const HeatMap* shown = nullptr;
    if (plot_)
        for (const HeatMap& map : plot_->maps)
            if (map.columns > 0 && map.rows > 0 &&
                map.values.size() >= static_cast<std::size_t>(map.columns) * map.rows)
                shown = &map;
    return shown;
}

void SurfaceRenderer::paintSurface()
{
    vtkProperty* property = surfaceActor_->GetProperty();
    const HeatMap* map = shownMap();
    placeSea();
    if (!map) {
        property->SetOpacity(theme().isDark() ? 0.50 : 0.42);
        surfaceData_->GetPointData()->SetScalars(nullptr);
        return;
    }
    property->SetOpacity(1);
    vtkNew<vtkUnsignedCharArray> colours;
    colours->SetNumberOfComponents(3);
    colours->SetNumberOfTuples(static_cast<vtkIdType>(surfaceCoordinates_.size()));
    for (std::size_t k = 0; k < surfaceCoordinates_.size(); ++k) {
        const double value =
            valueAt(plot_->x, plot_->y, *map, surfaceCoordinates_[k].x(), surfaceCoordinates_[k].y());
        QColor colour = theme().surface();
        if (std::isfinite(value))
            colour = map->labels.empty()
                         ? theme().level((value - map->min) / (map->max - map->min))
                         : theme().colour(Colour::region(static_cast<int>(std::lround(value))));
        // Over a narrow slope, or the rim would show the teeth of the facets.
        if (map->labels.empty() && value > reach_)
            colour = mix(colour, theme().background(),
                         unreached * std::min(1.0, (value - reach_) / (veilSlope * (map->max - map->min))));
        const auto at = static_cast<vtkIdType>(3 * k);
        colours->SetValue(at, static_cast<unsigned char>(colour.red()));
        colours->SetValue(at + 1, static_cast<unsigned char>(colour.green()));
        colours->SetValue(at + 2, static_cast<unsigned char>(colour.blue()));
    }
    surfaceData_->GetPointData()->SetScalars(colours);
    surfaceData_->Modified();
}

// Over a relief the present energy is a level, like that of water: the motion stays under it.
void SurfaceRenderer::placeSea()
{
    const Surface& s = plot_->surface;
    const HeatMap* map = shownMap();
    const bool seen = s.shape == Surface::Shape::Relief && map && reach_ > map->min && reach_ < map->max;
    seaActor_->SetVisibility(seen);
    if (!seen)
        return;
    const double r = s.radius, z = s.height(reach_);
    vtkNew<vtkPoints> corners;
    for (const auto& [x, y] : {std::pair{-r, -r}, {r, -r}, {r, r}, {-r, r}})
        corners->InsertNextPoint(x, y, z);
    vtkNew<vtkCellArray> face;
    const vtkIdType ids[4] = {0, 1, 2, 3};
    face->InsertNextCell(4, ids);
    vtkNew<vtkPolyData> sheet;
    sheet->SetPoints(corners);
    sheet->SetPolys(face);
    static_cast<vtkPolyDataMapper*>(seaActor_->GetMapper())->SetInputData(sheet);
    const Rgb colour = toRgb(theme().accent());
    seaActor_->GetProperty()->SetColor(colour.c[0], colour.c[1], colour.c[2]);
    seaActor_->GetProperty()->SetLighting(false);
    seaActor_->GetProperty()->SetOpacity(0.2);
}

void SurfaceRenderer::cameraMoved()
{
    placeAxes();
}

void SurfaceRenderer::addMark(SolidBatch& batch, const Mark& mark, double scale) const
{
    if (!std::isfinite(mark.x) || !std::isfinite(mark.y))
        return;
    const Surface& s = plot_->surface;
    if (s.shape != Surface::Shape::Torus && (mark.y < plot_->y.min || mark.y > plot_->y.max))
        return;
    const Eigen::Vector3d n = s.normal(mark.x, mark.y), at = lifted(mark.x, mark.y);
    const double r = scale * markRadius * unit();
    const QColor colour = theme().colour(mark.colour);
    const bool lying = s.shape == Surface::Shape::Plane || s.shape == Surface::Shape::Relief;
    const Eigen::Vector3d upwards = lying ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
    Eigen::Vector3d u = upwards - upwards.dot(n) * n;
    u = u.norm() > 1e-6 ? Eigen::Vector3d(u.normalized()) : Eigen::Vector3d::UnitX();
    const Eigen::Vector3d v = n.cross(u);
    switch (mark.shape) {
    case MarkShape::Disc:
    case MarkShape::Square:
        batch.addBall(at, r, colour);
        break;
    case MarkShape::Diamond:
        batch.addBall(at, 1.25 * r, colour, true);
        break;
    case MarkShape::Cross:
        for (const double sign : {1.0, -1.0}) {
            const Eigen::Vector3d arm = 1.2 * r * (u + sign * v).normalized(), out = 0.3 * r * n;
            batch.addTube({at + out - arm, at + out + arm}, 0.36 * r, colour);
        }
        break;
    case MarkShape::Ring: {
        Path path;
        for (int i = 0; i <= 24; ++i)
            path.push_back(at + 1.1 * r * (std::cos(pi * i / 12) * u + std::sin(pi * i / 12) * v));
        batch.addTube(path, 0.25 * r, colour);
        break;
    }
    case MarkShape::Text:
        break;
    }
}

void SurfaceRenderer::fillPlot()
{
    if (!plot_)
        return;
    family_.clear();
    emphasis_.clear();
    for (const Polyline& line : plot_->lines) {
        if (hidden_.contains(line.layer))
            continue;
        const QColor colour = theme().colour(line.colour);
        for (const Path& path : paths(line))
            if (line.emphasised)
                emphasis_.addTube(thinned(path, 0.03 * unit()), tubeRadius * unit(), colour);
            else
                family_.add(thinned(path, 0.03 * unit()), colour);
    }
    for (const Mark& mark : plot_->marks)
        addMark(emphasis_, mark, 1);
    family_.finish();
    emphasis_.finish();
}

void SurfaceRenderer::fillOverlay()
{
    if (!plot_)
        return;
    overlayLines_.clear();
    overlaySolids_.clear();
    const auto addLine = [&](const Polyline& line) {
        const QColor present = theme().colour(line.colour);
        const QColor colour = line.past ? fainter(present, theme()) : present;
        for (const Path& path : paths(line))
            if (line.emphasised)
                overlaySolids_.addTube(path, tubeRadius * unit(), colour);
            else
                overlayLines_.add(path, colour);
    };
    for (const Polyline& line : overlay_.lines)
        addLine(line);
    for (const Mark& mark : overlay_.marks)
        addMark(overlaySolids_, mark, 1);
    for (const PlotTrack& track : overlay_.tracks) {
        for (const Polyline& line : track.lines)
            addLine(line);
        for (const Mark& mark : track.marks)
            addMark(overlaySolids_, mark, 1);
    }
    for (const Mark& mark : plot_->marks)
        if (!overlay_.selectedMark.empty() && mark.id == overlay_.selectedMark)
            addMark(overlaySolids_, {mark.x, mark.y, MarkShape::Ring, {Role::Momentum}, {}, {}}, 1.7);
    const auto& ellipsoid = overlay_.ellipsoid;
    ellipsoidActor_->SetVisibility(ellipsoid && !hidden_.contains(ellipsoid->layer));
    if (ellipsoid) {
        const Rgb colour = toRgb(theme().colour(ellipsoid->colour));
        ellipsoidActor_->SetScale(ellipsoid->halfAxes.x(), ellipsoid->halfAxes.y(), ellipsoid->halfAxes.z());
        ellipsoidActor_->GetProperty()->SetColor(colour.c[0], colour.c[1], colour.c[2]);
        ellipsoidActor_->GetProperty()->SetOpacity(0.3);
    }
    overlayLines_.finish();
    overlaySolids_.finish();
}

std::optional<Eigen::Vector2d> SurfaceRenderer::pick(const QPointF& pixel, const QSizeF& size) const
{
    if (!plot_ || size.isEmpty())
        return std::nullopt;
    const Ray ray = rayThrough(camera(), 2 * pixel.x() / size.width() - 1, 1 - 2 * pixel.y() / size.height(),
                               size.width() / size.height());
    const std::optional<Eigen::Vector2d> hit = plot_->surface.pick(ray.origin, ray.direction, halfLength());
    const bool bounded = plot_->surface.shape != Surface::Shape::Torus;
    if (!hit || (bounded && (hit->y() < plot_->y.min || hit->y() > plot_->y.max)))
        return std::nullopt;
    return hit;
}

QPointF SurfaceRenderer::pixelOf(double x, double y, const QSizeF& size) const
{
    return Drawing3d::pixelOf(plot_->surface.embed(x, y), size);
}

} // namespace casimir
