// Scene: what the stage shows of a system, as plain geometry that any renderer can draw without knowing the
// system. A Scene is built once for given parameter values; a Pose says where everything is at one state.
#pragma once

#include "core/model/colour.h"

#include <Eigen/Geometry>

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace casimir {

// A closed surface in the frame that carries it.
struct Mesh {
    std::vector<Eigen::Vector3d> vertices;
    std::vector<std::array<int, 3>> triangles;
};

// A flat outline with thickness, for planar bodies; counter-clockwise in the xy-plane of its frame.
struct Plate {
    std::vector<Eigen::Vector2d> outline;
    double zMin = -0.05, zMax = 0.05;
};

struct Ball {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    double radius = 0.05;
};

// A tube along curve number `curve` of the Pose; `value` of the curve, if present, colours it along its
// length.
struct Tube {
    std::size_t curve = 0;
    double radius = 0.02;
};

// A translucent surface spanned by curve number `curve` and its successor, point by point.
struct Sheet {
    std::size_t curve = 0;
};

// Arrow number `arrow` of the Pose. `curved`: drawn as an arc about its origin in the plane normal to the
// vector (a rate of turn).
struct ArrowShape {
    std::size_t arrow = 0;
    bool curved = false;
    double width = 0.02;
};

// Text that faces the viewer at a point of its frame; `text` in the markup of Quantity.
struct Label {
    std::string text;
    Eigen::Vector3d at = Eigen::Vector3d::Zero();
};

// A mark of fixed size on screen: a mass centre, a hinge.
struct Pin {
    enum class Kind { Dot, Ring, Cross };
    Kind kind = Kind::Dot;
    Eigen::Vector3d at = Eigen::Vector3d::Zero();
};

using Shape = std::variant<Mesh, Plate, Ball, Tube, Sheet, ArrowShape, Label, Pin>;

struct Part {
    std::string name;
    Shape shape;
    Colour colour = {};
    double opacity = 1;
    int placement = -1; // which placement of the Pose moves it; -1: fixed in space
    std::string layer =
        {}; // parts of one layer are shown and hidden together ("arrows", "axes"); empty: always shown
    bool ground = false; // what all Motions share: drawn once, not again for each of them
};

// A point whose path can be traced.
struct TracePoint {
    std::string id;
    std::string name;
    Colour colour = {};
    bool shown = false; // traced from the start
};

struct ReferenceFrame {
    std::string id;
    std::string name;
    int placement = -1; // the placement held still; -1: inertial
};

struct Layer {
    std::string id;
    std::string name;
    bool shown = true;
};

struct Scene {
    std::vector<Part> parts;
    std::vector<TracePoint> points;
    std::vector<ReferenceFrame> frames; // the first is the default
    std::vector<Layer> layers;
    std::vector<std::string> headsUp; // ids of the quantities written over the stage
    double radius = 1;                // of a ball about the origin that holds every pose,
    // or, where bodies travel, of what should be seen about this one of `points`
    std::optional<std::size_t> follow = {};
    bool planar = false;                           // seen from above, without perspective,
    Eigen::Vector3d up = Eigen::Vector3d::UnitY(); // this direction pointing up in the picture
    bool empty() const { return parts.empty(); }
};

struct Placement {
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();
    Eigen::Vector3d apply(const Eigen::Vector3d& p) const { return rotation * p + translation; }
};

struct Arrow {
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    Eigen::Vector3d vector = Eigen::Vector3d::Zero();
};

struct Curve {
    std::vector<Eigen::Vector3d> points;
    std::vector<double> values = {}; // one a point, in [0, 1], or none
};

struct Pose {
    std::vector<Placement> placements;
    std::vector<Arrow> arrows;
    std::vector<Curve> curves;
    std::vector<Eigen::Vector3d> points; // one for each TracePoint
};

// The same pose seen from the frame that rides on a placement.
void changeFrame(Pose& pose, const Placement& frame);

} // namespace casimir
