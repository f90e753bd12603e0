// How a planar body hinged to others is drawn, whatever the number of bodies: its outline from its mass,
// inertia and hinges, its parts of the stage, its pose, and the stick figure of a configuration.
#pragma once

#include "core/model/analysis.h"
#include "core/model/scene.h"

#include <span>
#include <string>
#include <vector>

namespace casimir::planar {

struct PlanarBody {
    double mass = 1, inertia = 1;
    std::vector<Eigen::Vector2d> hinges; // in the body's frame, from its centre of mass
    std::string name = {};               // written on it; empty: its number, counted from 1
};

// The ellipse with the body's mass and inertia, I = m (a^2 + b^2)/4, along its hinges, made longer where it
// would not reach them and never thinner than a quarter of its length. It begins at the side of the farthest
// hinge and runs counter-clockwise.
std::vector<Eigen::Vector2d> outlineOf(const PlanarBody& body);

// The farthest that a point of the outline lies from the centre of mass.
double reachOf(const std::vector<Eigen::Vector2d>& outline);

struct PlanarHinge {
    std::string id, name; // of its trace: "hinge12", "hinge between 1 and 2"
};

// The stage of hinged bodies. Placements of the pose: the bodies, then the hinges; arrows and labels as many
// as bodies; traced points: the centres of mass c1, c2, ..., then the hinges. The frames are the inertial one
// and that of body 1.
Scene planarScene(std::span<const PlanarBody> bodies, std::span<const PlanarHinge> hinges, double radius,
                  std::vector<std::string> headsUp);

// Where body or hinge is, for planarPose: its angle and its centre.
struct PlanarPlace {
    double angle = 0;
    Eigen::Vector2d at = Eigen::Vector2d::Zero();
};
// `rates` of the bodies become curved arrows, `arrowLength` metres for one rad/s.
void planarPose(std::span<const PlanarPlace> bodies, std::span<const PlanarPlace> hinges,
                std::span<const double> rates, double arrowLength, Pose& out);

// One body of a stick figure: its centre of mass and the hinges it holds, in space.
struct PlanarStick {
    Eigen::Vector2d centre = Eigen::Vector2d::Zero();
    std::vector<Eigen::Vector2d> hinges;
};
// Lines from each centre of mass to its hinges (a body with a single hinge is drawn on beyond its centre),
// discs at the centres, rings at the hinges; dashed unless `solid`.
Sketch stickFigure(std::span<const PlanarStick> sticks, bool solid);

} // namespace casimir::planar
