// The axes of a surface in space: rims and angles that stand still, and the axis of y that follows the
// viewer.
#include "core/numerics/pi.h"
#include "ui/render/surface_renderer.h"
#include "ui/render/ticks.h"

#include <vtkActor2D.h>
#include <vtkRenderer.h>

#include <Eigen/Geometry>

#include <cmath>

namespace casimir {

namespace {

constexpr double ringDistance = 1.09;
// Beyond the edge of a relief, in half sides.
constexpr double tickEnd = 1.03, labelsAt = 1.1, symbolAt = 1.27;

// A power of ten that the labels leave out is said beside the symbol.
SymbolText axisTitle(const Quantity& quantity, const Ticks& ticks)
{
    SymbolText title = SymbolText::quantity(quantity);
    return ticks.factor.empty() ? title : title + SymbolText::upright("  " + ticks.factor);
}

} // namespace

std::unique_ptr<Sprite> SurfaceRenderer::newLabel(const SymbolText& text, Qt::Alignment alignment,
                                                  const QColor& colour, Theme::Text size)
{
    auto sprite = std::make_unique<Sprite>();
    sprite->setText(text, alignment, theme().font(size), colour, pixelRatio());
    renderer()->AddActor2D(sprite->actor());
    return sprite;
}

void SurfaceRenderer::removeLabels()
{
    for (const AngleLabel& label : angleLabels_)
        renderer()->RemoveActor2D(label.sprite->actor());
    for (AxisLabels* axis : {&xAxis_, &yAxis_, &zAxis_}) {
        for (const AxisLabel& label : axis->labels)
            renderer()->RemoveActor2D(label.sprite->actor());
        if (axis->symbol)
            renderer()->RemoveActor2D(axis->symbol->actor());
        *axis = {};
    }
    angleLabels_.clear();
}

void SurfaceRenderer::fillAxis(AxisLabels& axis, const PlotAxis& shown, int count, Qt::Alignment labels,
                               Qt::Alignment symbol)
{
    const Ticks ticks = makeTicks(shown, shown.min, shown.max, count);
    for (const Tick& tick : ticks.major)
        axis.labels.push_back(
            {newLabel(SymbolText::upright(tick.label), labels, theme().mutedText(), Theme::Text::Small),
             tick.value});
    axis.symbol = newLabel(axisTitle(shown.quantity, ticks), symbol, theme().text(), Theme::Text::Normal);
}

void SurfaceRenderer::buildAxes()
{
    const Surface& s = plot_->surface;
    removeLabels();
    frame_.clear();
    if (s.shape == Surface::Shape::Relief) {
        constexpr auto centre = Qt::AlignHCenter | Qt::AlignVCenter;
        fillAxis(xAxis_, plot_->x, 5, centre, centre);
        fillAxis(yAxis_, plot_->y, 5, centre, centre);
        const HeatMap& map = s.relief->map;
        fillAxis(zAxis_, {map.quantity, map.min, map.max}, 4, Qt::AlignRight | Qt::AlignVCenter,
                 Qt::AlignHCenter | Qt::AlignBottom);
        frame_.finish();
        return placeAxes();
    }

    // Rims and the ring of angles stand still; the y-axis follows the viewer and is placed by placeAxes().
    const auto circle = [&](double radius, double z) {
        Path path;
        for (int i = 0; i <= 144; ++i)
            path.emplace_back(radius * std::cos(2 * pi * i / 144), radius * std::sin(2 * pi * i / 144), z);
        return path;
    };
    const QColor rim = mix(theme().axis(), theme().background(), 0.35);
    const bool flat = s.shape == Surface::Shape::Plane;
    const double outer = s.shape == Surface::Shape::Torus ? s.radius + s.tube : s.radius;
    const double bottom = s.shape == Surface::Shape::Cylinder ? (plot_->y.min - s.offset) * s.stretch : 0;
    if (s.shape == Surface::Shape::Cylinder) {
        frame_.add(circle(s.radius, bottom), rim);
        frame_.add(circle(s.radius, (plot_->y.max - s.offset) * s.stretch), rim);
    }
    if (!flat)
        for (const int k : {0, 1, 2, -1}) {
            const Eigen::Vector3d out(std::cos(k * pi / 2), std::sin(k * pi / 2), 0), up(0, 0, bottom);
            frame_.add({outer * out + up, 1.05 * outer * out + up}, theme().axis());
            const std::string angle = piFraction(k, 2);
            const SymbolText text =
                k == 0 ? SymbolText::symbol(plot_->x.quantity.symbol) + SymbolText::upright(" = 0")
                       : SymbolText::upright(angle);
            const Eigen::Vector3d below(0, 0, s.shape == Surface::Shape::Cylinder ? -0.1 * s.radius : 0);
            const Eigen::Vector3d at = (k == 0 ? 1.07 : 1.04) * ringDistance * outer * out + up + below;
            angleLabels_.push_back(
                {newLabel(text, Qt::AlignHCenter | Qt::AlignVCenter, theme().mutedText(), Theme::Text::Small),
                 at});
            angleLabels_.back().sprite->setPosition(at);
        }
    if (s.shape == Surface::Shape::Torus)
        for (const auto& [y, angle] : {std::pair{0.5 * pi, " = π/2"}, std::pair{pi, " = π"}}) {
            const Eigen::Vector3d at = s.embed(0, y) + 0.12 * s.tube * s.normal(0, y);
            angleLabels_.push_back(
                {newLabel(SymbolText::symbol(plot_->y.quantity.symbol) + SymbolText::upright(angle),
                          Qt::AlignHCenter | Qt::AlignBottom, theme().text(), Theme::Text::Small),
                 at});
            angleLabels_.back().sprite->setPosition(at);
        }
    if (flat) {
        const Ticks xTicks = makeTicks(plot_->x, plot_->x.min, plot_->x.max, 5);
        const double edge = (plot_->y.min - s.offset) * s.stretch;
        for (const Tick& tick : xTicks.major) {
            frame_.add({{tick.value, edge, 0}, {tick.value, edge - 0.04 * unit(), 0}}, theme().axis());
            const Eigen::Vector3d at(tick.value, edge - 0.07 * unit(), 0);
            angleLabels_.push_back({newLabel(SymbolText::upright(tick.label), Qt::AlignHCenter | Qt::AlignTop,
                                             theme().mutedText(), Theme::Text::Small),
                                    at});
            angleLabels_.back().sprite->setPosition(at);
        }
        frame_.add({{plot_->x.min, edge, 0}, {plot_->x.max, edge, 0}}, theme().axis());
    }
    frame_.finish();
    if (s.shape != Surface::Shape::Torus)
        fillAxis(yAxis_, plot_->y, 5, Qt::AlignRight | Qt::AlignVCenter, Qt::AlignHCenter | Qt::AlignBottom);
    placeAxes();
}

bool SurfaceRenderer::isHidden(const Eigen::Vector3d& point) const
{
    const Eigen::Vector3d d = point - camera().position;
    const auto hit = plot_->surface.pick(camera().position, d, halfLength());
    return hit && (plot_->surface.embed(hit->x(), hit->y()) - camera().position).norm() < 0.999 * d.norm();
}

void SurfaceRenderer::placeAxes()
{
    // Labels are painted over everything, so one that belongs behind the surface would seem to lie on it.
    for (const AngleLabel& label : angleLabels_)
        label.sprite->setVisible(!isHidden(label.at));
    axes_.clear();
    if (plot_ && plot_->surface.shape == Surface::Shape::Relief)
        placeReliefAxes();
    else if (plot_ && plot_->surface.shape != Surface::Shape::Torus) {
        const Surface& s = plot_->surface;
        const bool flat = s.shape == Surface::Shape::Plane;
        // Left of the silhouette, wherever the viewer stands.
        Eigen::Vector3d forward = camera().focus - camera().position;
        Eigen::Vector3d left = -forward.cross(camera().up);
        left.z() = 0;
        left = left.norm() > 1e-9 ? Eigen::Vector3d(left.normalized()) : -Eigen::Vector3d::UnitX();
        if (flat)
            left = -Eigen::Vector3d::UnitX();
        const auto at = [&](double y, double distance) -> Eigen::Vector3d {
            if (flat)
                return {plot_->x.min - (distance - axisDistance) * unit(), (y - s.offset) * s.stretch, 0};
            const double z = s.shape == Surface::Shape::Sphere ? y : (y - s.offset) * s.stretch;
            return distance * s.radius * left + Eigen::Vector3d(0, 0, z);
        };
        axes_.add({at(plot_->y.min, axisDistance), at(plot_->y.max, axisDistance)}, theme().axis());
        for (const AxisLabel& label : yAxis_.labels) {
            axes_.add({at(label.value, axisDistance), at(label.value, axisDistance + 0.03)}, theme().axis());
            label.sprite->setPosition(at(label.value, axisDistance + 0.05));
        }
        if (yAxis_.symbol)
            yAxis_.symbol->setPosition(at(plot_->y.max + 0.03 * (plot_->y.max - plot_->y.min), axisDistance));
    }
    axes_.finish();
}

// Along the edges of the ground that face the viewer, and upwards at the corner that is seen on the left.
void SurfaceRenderer::placeReliefAxes()
{
    const Surface& s = plot_->surface;
    const double r = s.radius, ground = s.height(s.relief->map.min);
    const Eigen::Vector3d eye = camera().position - camera().focus;
    const double sx = eye.x() < 0 ? -1 : 1, sy = eye.y() < 0 ? -1 : 1;
    const auto part = [](const PlotAxis& axis, double v) {
        return 2 * (v - axis.min) / (axis.max - axis.min) - 1;
    };
    const QColor line = theme().axis(), faint = mix(theme().axis(), theme().background(), 0.5);
    const auto along = [&](AxisLabels& axis, const PlotAxis& shown, const auto& at) {
        axes_.add({at(-1, 1), at(1, 1)}, line);
        for (const AxisLabel& label : axis.labels) {
            const double p = part(shown, label.value);
            axes_.add({at(p, 1), at(p, tickEnd)}, line);
            label.sprite->setPosition(at(p, labelsAt));
        }
        axis.symbol->setPosition(at(0, symbolAt));
    };
    along(xAxis_, plot_->x,
          [&](double p, double out) { return Eigen::Vector3d(r * p, sy * r * out, ground); });
    along(yAxis_, plot_->y,
          [&](double p, double out) { return Eigen::Vector3d(sx * r * out, r * p, ground); });
    axes_.add({{-sx * r, -r, ground}, {-sx * r, r, ground}}, faint);
    axes_.add({{-r, -sy * r, ground}, {r, -sy * r, ground}}, faint);

    const Eigen::Vector3d right = camera().up.cross(eye);
    const Eigen::Vector3d one(sx, -sy, 0), other(-sx, sy, 0);
    const Eigen::Vector3d corner = right.dot(one) < right.dot(other) ? one : other;
    const auto up = [&](double value, double out) {
        Eigen::Vector3d p = r * out * corner;
        p.z() = s.height(value);
        return p;
    };
    const HeatMap& map = s.relief->map;
    axes_.add({up(map.min, 1), up(map.max, 1)}, line);
    for (const AxisLabel& label : zAxis_.labels) {
        axes_.add({up(label.value, 1), up(label.value, tickEnd)}, line);
        label.sprite->setPosition(up(label.value, tickEnd + 0.02));
    }
    Eigen::Vector3d top = up(map.max, 1);
    top.z() += 0.06 * r;
    zAxis_.symbol->setPosition(top);
}

} // namespace casimir
