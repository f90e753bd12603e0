// What the stage shows of the sleigh and the knife edge: the board with its blade, wheels and mass centre,
// the arrows, and the small figures of the straight runs.
#include "core/systems/sleigh/sleigh_system.h"

#include "core/numerics/pi.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir::sleigh {

namespace {

enum Placed { Runner, Follower };

double cross(const Eigen::Vector2d& o, const Eigen::Vector2d& p, const Eigen::Vector2d& q)
{
    return (p.x() - o.x()) * (q.y() - o.y()) - (p.y() - o.y()) * (q.x() - o.x());
}

// The convex hull, counter-clockwise, by monotone chains.
std::vector<Eigen::Vector2d> hull(std::vector<Eigen::Vector2d> points)
{
    std::sort(points.begin(), points.end(), [](const auto& p, const auto& q) {
        return p.x() < q.x() || (p.x() == q.x() && p.y() < q.y());
    });
    std::vector<Eigen::Vector2d> result;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t base = result.size();
        for (const auto& p : points) {
            while (result.size() >= base + 2 && cross(result[result.size() - 2], result.back(), p) <= 0)
                result.pop_back();
            result.push_back(p);
        }
        result.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return result;
}

// The points on which the sleigh rests besides its blade: beyond the mass centre, left and right of it.
std::array<Eigen::Vector2d, 2> wheels(const SleighParameters& p, double size)
{
    const double along = std::copysign(std::max(1.4 * std::abs(p.a), 0.6 * size), p.a);
    return {Eigen::Vector2d(along, p.b + 0.45 * size), Eigen::Vector2d(along, p.b - 0.45 * size)};
}

// A board that holds blade, wheels and mass centre.
std::vector<Eigen::Vector2d> board(const SleighParameters& p, double size)
{
    std::vector<Eigen::Vector2d> points;
    const auto add = [&points](const Eigen::Vector2d& centre, double radius) {
        constexpr int n = 24;
        for (int i = 0; i < n; ++i)
            points.emplace_back(centre +
                                radius * Eigen::Vector2d(std::cos(2 * pi * i / n), std::sin(2 * pi * i / n)));
    };
    add({0, 0}, 0.22 * size);
    add({p.a, p.b}, 0.15 * size);
    for (const auto& wheel : wheels(p, size))
        add(wheel, 0.16 * size);
    return hull(std::move(points));
}

} // namespace

double SleighSystem::size() const
{
    return std::max(sleigh_.kappa(), 0.5 * std::abs(sleigh_.parameters().b));
}

Sketch SleighSystem::sketch(double phi, double v) const
{
    const double length = size();
    const Eigen::Rotation2Dd turned(onSlope() ? phi - pi / 2 : phi); // downhill is down, as on the stage
    Sketch sketch;
    Polyline outline;
    outline.colour = Colour::body(0);
    auto points = board(sleigh_.parameters(), length);
    points.push_back(points.front());
    for (const auto& p : points) {
        const Eigen::Vector2d at = turned * p;
        outline.x.push_back(at.x());
        outline.y.push_back(at.y());
    }
    const Eigen::Vector2d blade = turned * Eigen::Vector2d(0.3 * length, 0);
    Polyline edge{.x = {-blade.x(), blade.x()},
                  .y = {-blade.y(), blade.y()},
                  .colour = {Role::Neutral},
                  .emphasised = true};
    sketch.lines = {std::move(outline), std::move(edge)};
    if (v != 0) {
        const Eigen::Vector2d tip = turned * Eigen::Vector2d(std::copysign(length, v), 0);
        sketch.lines.push_back({.x = {0, tip.x()}, .y = {0, tip.y()}, .colour = {Role::Momentum}});
        sketch.marks.push_back(
            {.x = tip.x(), .y = tip.y(), .shape = MarkShape::Diamond, .colour = {Role::Momentum}});
    }
    const Eigen::Vector2d centre = turned * Eigen::Vector2d(sleigh_.parameters().a, sleigh_.parameters().b);
    sketch.marks.push_back({.x = centre.x(), .y = centre.y(), .colour = Colour::body(0)});
    return sketch;
}

Scene SleighSystem::scene() const
{
    const SleighParameters& p = sleigh_.parameters();
    const double length = size();
    Scene scene;
    scene.planar = true;
    // Room for some lengths of the track; what glides farther is followed.
    scene.radius = 3.5 * length;
    scene.follow = 0;
    const double thickness = 0.06 * length, width = 0.06 * length;
    scene.frames = {{"inertial", "ground", -1},
                    {"following", "moving along, not turning", Follower},
                    {"sleigh", "on the sleigh", Runner}};
    scene.layers = {{"arrows", "Velocity and constraint force", true}, {"labels", "Labels", true}};
    scene.points = {{"runner", "track of the blade", {Role::Neutral}, true},
                    {"centre", "mass centre", Colour::body(0), false}};
    scene.headsUp = {"phi", "phidot", "v", "N", "H"};
    const Plate blade{{{-0.32 * length, -0.03 * length},
                       {0.32 * length, -0.03 * length},
                       {0.32 * length, 0.03 * length},
                       {-0.32 * length, 0.03 * length}},
                      -2 * thickness,
                      0};
    scene.parts = {
        {"body", Plate{board(p, length), 0, thickness}, Colour::body(0), 0.5, Runner},
        {"blade", blade, {Role::Neutral}, 1, Runner},
        {"point of contact", Pin{Pin::Kind::Ring, {0, 0, 2 * thickness}}, {Role::Neutral}, 1, Runner},
        {"mass centre", Pin{Pin::Kind::Dot, {p.a, p.b, 2 * thickness}}, Colour::body(0), 1, Runner},
        {"mass centre label", Label{"C", {p.a, p.b + 0.12 * length, 3 * thickness}}, Colour::body(0), 1,
         Runner, "labels"},
        {"velocity", ArrowShape{0, false, width}, {Role::Momentum}, 1, -1, "arrows"},
        {"constraint force", ArrowShape{1, false, width}, {Role::Force}, 1, -1, "arrows"},
    };
    for (const auto& wheel : wheels(p, length))
        scene.parts.push_back(
            {"wheel", Ball{{wheel.x(), wheel.y(), -thickness}, 0.09 * length}, {Role::Neutral}, 0.8, Runner});
    if (onSlope()) {
        scene.up = -Eigen::Vector3d::UnitX(); // x points downhill
        scene.layers.push_back({"gravity", "Gravity along the slope", true});
        scene.parts.push_back({"gravity", ArrowShape{2, false, width}, {Role::Guide}, 1, -1, "gravity"});
    }
    return scene;
}

void SleighSystem::poseAt(double, const State& state, Pose& out) const
{
    const Vector5 x = state;
    const double length = size(), G = std::abs(sleigh_.parameters().G), kappa = sleigh_.kappa();
    const Eigen::Vector3d at(x[X], x[Y], 0);
    const Eigen::Vector3d along(std::cos(x[Phi]), std::sin(x[Phi]), 0), left(-along.y(), along.x(), 0);
    const Eigen::Vector2d centre = sleigh_.massCentre(x);
    const Eigen::Vector3d c(centre.x(), centre.y(), 0);
    out.placements = {{Eigen::Quaterniond(Eigen::AngleAxisd(x[Phi], Eigen::Vector3d::UnitZ())), at},
                      {Eigen::Quaterniond::Identity(), at}};
    // As long as the sleigh at a metre per second, or at the speed that gravity gives it along its own
    // length.
    const double speed = std::max(1.0, std::sqrt(G * kappa)),
                 force = std::max(0.5 * speed * speed / kappa, G);
    out.arrows = {{at, (length * x[V] / speed) * along}, {at, (length * sleigh_.force(x) / force) * left}};
    if (onSlope())
        out.arrows.push_back({c, {length * sleigh_.parameters().G / force, 0, 0}});
    out.curves.clear();
    out.points = {at, c};
}

} // namespace casimir::sleigh
