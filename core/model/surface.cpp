#include "core/model/surface.h"

#include <algorithm>
#include <cmath>

namespace casimir {

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
    }
    return std::nullopt;
}

} // namespace casimir
