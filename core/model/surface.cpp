#include "core/model/surface.h"

#include "core/model/plot.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

constexpr double reliefHeight = 1.1; // from the least to the largest value, in half sides

// A coordinate as a part of its axis, -1 to 1, and back.
double partOf(const PlotAxis& axis, double v)
{
    return 2 * (v - axis.min) / (axis.max - axis.min) - 1;
}

double fromPart(const PlotAxis& axis, double part)
{
    return axis.min + (axis.max - axis.min) * (part + 1) / 2;
}

} // namespace

double Surface::height(double value) const
{
    const HeatMap& map = relief->map;
    const double part = map.max > map.min ? (value - map.min) / (map.max - map.min) : 0.5;
    // A cell without an answer lies on the ground.
    return radius * reliefHeight * ((std::isfinite(part) ? std::clamp(part, 0.0, 1.0) : 0) - 0.5);
}

Eigen::Vector3d Surface::embed(double x, double y) const
{
    switch (shape) {
    case Shape::Plane:
        return {x, (y - offset) * stretch, 0};
    case Shape::Cylinder:
        return {radius * std::cos(x), radius * std::sin(x), (y - offset) * stretch};
    case Shape::Sphere: {
        const double z = std::clamp(y, -radius, radius);
        const double rho = std::sqrt((radius - z) * (radius + z));
        return {rho * std::cos(x), rho * std::sin(x), z};
    }
    case Shape::Torus: {
        const double rho = radius + tube * std::cos(y);
        return {rho * std::cos(x), rho * std::sin(x), tube * std::sin(y)};
    }
    case Shape::Relief:
        return {radius * partOf(relief->x, x), radius * partOf(relief->y, y),
                height(valueAt(relief->x, relief->y, relief->map, x, y))};
    }
    return Eigen::Vector3d::Zero();
}

Eigen::Vector3d Surface::normal(double x, double y) const
{
    switch (shape) {
    case Shape::Plane:
        return Eigen::Vector3d::UnitZ();
    case Shape::Cylinder:
        return {std::cos(x), std::sin(x), 0};
    case Shape::Sphere:
        return embed(x, y) / radius;
    case Shape::Torus:
        return {std::cos(y) * std::cos(x), std::cos(y) * std::sin(x), std::sin(y)};
    case Shape::Relief: {
        // Over a cell to either side, so that the light does not show the cells.
        const double hx = (relief->x.max - relief->x.min) / relief->map.columns,
                     hy = (relief->y.max - relief->y.min) / relief->map.rows;
        const auto z = [&](double dx, double dy) { return embed(x + dx, y + dy).z(); };
        const Eigen::Vector3d along(4 * radius / relief->map.columns, 0, z(hx, 0) - z(-hx, 0));
        const Eigen::Vector3d up(0, 4 * radius / relief->map.rows, z(0, hy) - z(0, -hy));
        return along.cross(up).normalized();
    }
    }
    return Eigen::Vector3d::UnitZ();
}

std::optional<Eigen::Vector2d> Surface::project(const Eigen::Vector3d& p) const
{
    const double rho = std::hypot(p.x(), p.y());
    switch (shape) {
    case Shape::Plane:
        return Eigen::Vector2d(p.x(), p.y() / stretch + offset);
    case Shape::Cylinder:
        if (rho == 0)
            return std::nullopt;
        return Eigen::Vector2d(std::atan2(p.y(), p.x()), p.z() / stretch + offset);
    case Shape::Sphere: {
        const double r = p.norm();
        if (r == 0)
            return std::nullopt;
        return Eigen::Vector2d(rho == 0 ? 0 : std::atan2(p.y(), p.x()), radius * p.z() / r);
    }
    case Shape::Torus:
        if (rho == 0)
            return std::nullopt;
        return Eigen::Vector2d(std::atan2(p.y(), p.x()), std::atan2(p.z(), rho - radius));
    case Shape::Relief: // below or above it
        return Eigen::Vector2d(fromPart(relief->x, p.x() / radius), fromPart(relief->y, p.y() / radius));
    }
    return std::nullopt;
}

std::optional<Eigen::Vector2d> Surface::pick(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                                             double halfLength) const
{
    const Eigen::Vector3d d = direction.normalized();
    switch (shape) {
    case Shape::Plane: {
        if (d.z() == 0)
            return std::nullopt;
        const double s = -origin.z() / d.z();
        const Eigen::Vector3d p = origin + s * d;
        return s >= 0 && std::abs(p.y()) <= halfLength ? project(p) : std::nullopt;
    }
    case Shape::Cylinder: {
        const double a = d.head<2>().squaredNorm();
        const double b = origin.head<2>().dot(d.head<2>());
        const double c = origin.head<2>().squaredNorm() - radius * radius;
        const double discriminant = b * b - a * c;
        if (a == 0 || discriminant < 0)
            return std::nullopt;
        const double root = std::sqrt(discriminant);
        for (const double s : {(-b - root) / a, (-b + root) / a}) {
            const Eigen::Vector3d p = origin + s * d;
            if (s >= 0 && std::abs(p.z()) <= halfLength)
                return project(p);
        }
        return std::nullopt;
    }
    case Shape::Sphere: {
        const double b = origin.dot(d);
        const double discriminant = b * b - origin.squaredNorm() + radius * radius;
        if (discriminant < 0)
            return std::nullopt;
        const double s = -b - std::sqrt(discriminant);
        return s >= 0 ? project(origin + s * d) : std::nullopt;
    }
    case Shape::Torus: {
        // The distance to the torus is known in closed form, so the ray is marched by it; a torus has no
        // cheaper robust intersection.
        const double reach = origin.norm() + radius + tube;
        double s = 0;
        for (int i = 0; i < 256 && s < 2 * reach; ++i) {
            const Eigen::Vector3d p = origin + s * d;
            const double distance = std::hypot(std::hypot(p.x(), p.y()) - radius, p.z()) - tube;
            if (distance < 1e-9 * reach)
                return project(p);
            s += distance;
        }
        return std::nullopt;
    }
    case Shape::Relief:
        return pickRelief(origin, d);
    }
    return std::nullopt;
}

std::optional<Eigen::Vector2d> Surface::pickRelief(const Eigen::Vector3d& origin,
                                                   const Eigen::Vector3d& d) const
{
    // The part of the ray within the box of the relief.
    const Eigen::Vector3d half(radius, radius, radius * reliefHeight / 2 * (1 + 1e-9));
    double from = 0, to = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        if (d[k] == 0) {
            if (std::abs(origin[k]) > half[k])
                return std::nullopt;
            continue;
        }
        const double a = (-half[k] - origin[k]) / d[k], b = (half[k] - origin[k]) / d[k];
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    }
    if (!(from <= to))
        return std::nullopt;
    const auto above = [&](double s) {
        const Eigen::Vector3d p = origin + s * d;
        const Eigen::Vector2d at = *project(p);
        return p.z() - embed(at.x(), at.y()).z();
    };
    // In steps shorter than a cell the first change of side is found; bisection then places it.
    const int steps =
        1 + static_cast<int>(2 * (to - from) / radius * std::max(relief->map.columns, relief->map.rows));
    const double start = above(from);
    for (int i = 1; i <= steps; ++i) {
        double low = from + (to - from) * (i - 1) / steps, high = from + (to - from) * i / steps;
        if ((above(high) > 0) == (start > 0))
            continue;
        for (int k = 0; k < 50; ++k) {
            const double middle = 0.5 * (low + high);
            ((above(middle) > 0) == (start > 0) ? low : high) = middle;
        }
        return project(origin + 0.5 * (low + high) * d);
    }
    return std::nullopt;
}

} // namespace casimir
