#include "core/systems/planar/body_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir::planar {

namespace {

constexpr double margin = 1.18; // of the outline beyond a hinge

// The direction in which the hinges lie farthest out, towards the farthest of them.
Eigen::Vector2d longAxis(const std::vector<Eigen::Vector2d>& hinges)
{
    double xx = 0, xy = 0, yy = 0, farthest = 0;
    Eigen::Vector2d end = Eigen::Vector2d::UnitX();
    for (const Eigen::Vector2d& h : hinges) {
        xx += h.x() * h.x();
        xy += h.x() * h.y();
        yy += h.y() * h.y();
        if (h.norm() > farthest) {
            farthest = h.norm();
            end = h / farthest;
        }
    }
    if (hinges.size() < 2 || farthest == 0)
        return end;
    const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
    const Eigen::Vector2d axis(std::cos(angle), std::sin(angle));
    return axis.dot(end) < 0 ? Eigen::Vector2d(-axis) : axis;
}

// Towards the end of the body that has no hinge; between two hinges, beside the centre.
Eigen::Vector3d labelPlace(const PlanarBody& body, const std::vector<Eigen::Vector2d>& outline,
                           double thickness)
{
    const std::size_t n = outline.size();
    Eigen::Vector2d best = outline[n / 2];
    double room = -1;
    for (const std::size_t k : {n / 2, 3 * n / 4, n / 4}) {
        double nearest = 1e300;
        for (const Eigen::Vector2d& h : body.hinges)
            nearest = std::min(nearest, (h - 0.7 * outline[k]).norm());
        if (nearest > 1.5 * room) {
            room = nearest;
            best = outline[k];
        }
    }
    return {0.7 * best.x(), 0.7 * best.y(), 3 * thickness};
}

Polyline segment(const Eigen::Vector2d& a, const Eigen::Vector2d& b, Colour colour, LineStyle style)
{
    Polyline line;
    line.x = {a.x(), b.x()};
    line.y = {a.y(), b.y()};
    line.colour = colour;
    line.style = style;
    line.emphasised = true;
    return line;
}

} // namespace

std::vector<Eigen::Vector2d> outlineOf(const PlanarBody& body)
{
    const Eigen::Vector2d along = longAxis(body.hinges), across(-along.y(), along.x());
    const double squares = 4 * body.inertia / body.mass;
    double farthest = 0;
    for (const Eigen::Vector2d& h : body.hinges)
        farthest = std::max(farthest, std::abs(h.dot(along)));
    double a = std::max(margin * farthest, std::sqrt(squares / 1.25));
    double b = std::sqrt(std::clamp(squares - a * a, a * a / 16, a * a));
    double grow = 1;
    for (const Eigen::Vector2d& h : body.hinges)
        grow = std::max(grow, margin * std::hypot(h.dot(along) / a, h.dot(across) / b));
    a *= grow;
    b *= grow;
    constexpr int n = 72;
    std::vector<Eigen::Vector2d> points;
    points.reserve(n);
    for (int i = 0; i < n; ++i) {
        const double t = 2 * std::numbers::pi * i / n;
        points.emplace_back(a * std::cos(t) * along + b * std::sin(t) * across);
    }
    return points;
}

double reachOf(const std::vector<Eigen::Vector2d>& outline)
{
    double r = 0;
    for (const auto& p : outline)
        r = std::max(r, p.norm());
    return r;
}

Scene planarScene(std::span<const PlanarBody> bodies, std::span<const PlanarHinge> hinges, double radius,
                  std::vector<std::string> headsUp)
{
    Scene scene;
    scene.planar = true;
    scene.radius = radius;
    scene.headsUp = std::move(headsUp);
    scene.frames = {{"inertial", "inertial frame", -1}, {"body-1", "frame of body 1", 0}};
    scene.layers = {{"arrows", "Angular velocities", true},
                    {"labels", "Labels", true},
                    {"pins", "Hinges and mass centres", true}};
    const double thickness = 0.04 * radius;
    const int count = static_cast<int>(bodies.size());
    std::vector<Part> pins, arrows, labels;
    for (int k = 0; k < count; ++k) {
        const PlanarBody& body = bodies[static_cast<std::size_t>(k)];
        const auto outline = outlineOf(body);
        // Neighbours lie on different levels, so that they pass each other.
        const double low = k % 2 == 0 ? -thickness : 0;
        const Colour colour = Colour::body(k);
        const std::string name = body.name.empty() ? fmt::format("{}", k + 1) : body.name;
        scene.points.push_back(
            {fmt::format("c{}", k + 1), fmt::format("mass centre {}", name), colour, true});
        scene.parts.push_back(
            {fmt::format("body {}", name), Plate{outline, low, low + thickness}, colour, 0.55, k});
        pins.push_back({fmt::format("mass centre {}", name), Pin{Pin::Kind::Dot, {0, 0, 2 * thickness}},
                        colour, 1, k, "pins"});
        arrows.push_back({fmt::format("angular velocity {}", name),
                          ArrowShape{static_cast<std::size_t>(k), true, 0.02 * radius}, colour, 1, -1,
                          "arrows"});
        labels.push_back({fmt::format("label {}", name), Label{name, labelPlace(body, outline, thickness)},
                          colour, 1, k, "labels"});
    }
    for (std::size_t j = 0; j < hinges.size(); ++j) {
        scene.points.push_back({hinges[j].id, hinges[j].name, {Role::Neutral}, false});
        pins.push_back({hinges[j].name,
                        Pin{Pin::Kind::Ring, {0, 0, 2 * thickness}},
                        {Role::Neutral},
                        1,
                        count + static_cast<int>(j),
                        "pins"});
    }
    pins.push_back({"centre of mass", Pin{Pin::Kind::Cross, {0, 0, 2 * thickness}}, {Role::Neutral}, 1, -1});
    for (auto* more : {&pins, &arrows, &labels})
        scene.parts.insert(scene.parts.end(), more->begin(), more->end());
    return scene;
}

void planarPose(std::span<const PlanarPlace> bodies, std::span<const PlanarPlace> hinges,
                std::span<const double> rates, double arrowLength, Pose& out)
{
    out.placements.clear();
    out.arrows.clear();
    out.curves.clear();
    out.points.clear();
    for (const auto group : {bodies, hinges})
        for (const PlanarPlace& place : group) {
            out.placements.push_back(
                {Eigen::Quaterniond(Eigen::AngleAxisd(place.angle, Eigen::Vector3d::UnitZ())),
                 {place.at.x(), place.at.y(), 0}});
            out.points.push_back(out.placements.back().translation);
        }
    for (std::size_t k = 0; k < rates.size(); ++k)
        out.arrows.push_back({out.placements[k].translation, {0, 0, rates[k] * arrowLength}});
}

Sketch stickFigure(std::span<const PlanarStick> sticks, bool solid)
{
    Sketch sketch;
    const LineStyle style = solid ? LineStyle::Solid : LineStyle::Dashed;
    std::vector<Mark> rings;
    for (std::size_t k = 0; k < sticks.size(); ++k) {
        const PlanarStick& stick = sticks[k];
        const Colour colour = Colour::body(static_cast<int>(k));
        for (const Eigen::Vector2d& hinge : stick.hinges) {
            const bool single = stick.hinges.size() == 1;
            const Eigen::Vector2d from =
                single ? Eigen::Vector2d(stick.centre + 0.5 * (stick.centre - hinge)) : stick.centre;
            sketch.lines.push_back(segment(from, hinge, colour, style));
            rings.push_back(
                {.x = hinge.x(), .y = hinge.y(), .shape = MarkShape::Ring, .colour = {Role::Neutral}});
        }
        sketch.marks.push_back(
            {.x = stick.centre.x(), .y = stick.centre.y(), .shape = MarkShape::Disc, .colour = colour});
    }
    sketch.marks.insert(sketch.marks.end(), rings.begin(), rings.end());
    return sketch;
}

} // namespace casimir::planar
