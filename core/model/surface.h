// The surfaces a phase portrait may live on, each with its embedding in space and the inverse for picking.
#pragma once

#include <Eigen/Core>

#include <memory>
#include <optional>

namespace casimir {

struct Relief;

// Coordinates (x, y) of a plot on the surface:
//   Plane     (x, y, 0)
//   Cylinder  x the angle around the axis, y along it
//   Sphere    x the longitude, y the height, as on a map that keeps areas (Archimedes): y in [-1, 1] times
//             the radius
//   Torus     x the angle around the axis, y the angle around the tube
//   Relief    a square over which a field of the plot is the height
struct Surface {
    enum class Shape { Plane, Cylinder, Sphere, Torus, Relief };
    Shape shape = Shape::Plane;
    double radius = 1;  // of the cylinder, sphere, or the torus' middle circle; half a side of the relief
    double tube = 0.4;  // torus only
    double stretch = 1; // cylinder and plane: length drawn for one unit of y
    double offset = 0;  // cylinder and plane: the y drawn at the middle
    std::shared_ptr<const Relief> relief = {}; // relief only

    Eigen::Vector3d embed(double x, double y) const;
    Eigen::Vector3d normal(double x, double y) const;
    // The coordinates of the point of the surface nearest to p; none where that is not defined (on an axis).
    std::optional<Eigen::Vector2d> project(const Eigen::Vector3d& p) const;
    // Where the ray from `origin` along `direction` first meets the surface within |y - offset| * stretch <=
    // halfLength (cylinder and plane).
    std::optional<Eigen::Vector2d> pick(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                                        double halfLength) const;
    // Relief: how high a value of the field is drawn.
    double height(double value) const;
    bool operator==(const Surface&) const = default;

private:
    std::optional<Eigen::Vector2d> pickRelief(const Eigen::Vector3d& origin, const Eigen::Vector3d& d) const;
};

} // namespace casimir
