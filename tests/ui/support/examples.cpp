#include "tests/ui/support/examples.h"

#include <algorithm>
#include <numbers>

namespace casimir::examples {

namespace {

constexpr double pi = std::numbers::pi;

// p(θ) = ±sqrt(2 (H + cos θ)) from one end of its interval to the other; closed below the separatrix.
void addLevel(Plot& plot, double energy, Colour colour, bool emphasised, int points)
{
    const double end = energy < 1 ? std::acos(std::clamp(-energy, -1.0, 1.0)) : pi;
    for (const double sign : {1.0, -1.0}) {
        Polyline line;
        for (int i = 0; i < points; ++i) {
            // Points crowd at the turning points, where the curve is vertical.
            const double theta = -end * std::cos(pi * i / (points - 1));
            line.x.push_back(theta);
            line.y.push_back(sign * std::sqrt(std::max(0.0, 2 * (energy + std::cos(theta)))));
        }
        line.colour = colour;
        line.emphasised = emphasised;
        line.level = energy;
        if (emphasised)
            line.label = "homoclinic orbits";
        plot.lines.push_back(std::move(line));
    }
}

} // namespace

Plot pendulumPortrait(int levels, int points)
{
    Plot plot;
    plot.id = "portrait";
    plot.title = "Portrait of a pendulum";
    plot.x = {{"theta", "θ", "angle", "rad", 2 * pi, {}}, -pi, pi, Scale::Linear};
    plot.y = {{"p", "p_θ", "momentum", "N m s", 0, {}}, -3, 3, Scale::Linear};
    plot.level = {"energy", "H", "energy", "J", 0, {}};
    plot.levelMin = -1;
    plot.levelMax = 4;
    for (int i = 0; i < levels; ++i) {
        const double share = (i + 0.6) / levels;
        addLevel(plot, plot.levelMin + share * (plot.levelMax - plot.levelMin), Colour::level(share), false,
                 points);
    }
    addLevel(plot, 1, {Role::Separatrix}, true, points);
    plot.marks.push_back({0, 0, MarkShape::Disc, {Role::Stable}, "down", "down"});
    plot.marks.push_back({pi, 0, MarkShape::Cross, {Role::Unstable}, "up", "up"});
    plot.surface = {Surface::Shape::Cylinder, 1, 0.4, 0.6, 0};
    return plot;
}

Scene twoPlates()
{
    const auto ellipse = [](double a, double b) {
        Plate plate;
        for (int i = 0; i < 72; ++i)
            plate.outline.emplace_back(a * std::cos(2 * pi * i / 72), b * std::sin(2 * pi * i / 72));
        return plate;
    };
    Scene scene;
    scene.planar = true;
    scene.radius = 2;
    Plate first = ellipse(1, 0.36), second = ellipse(0.8, 0.28);
    second.zMin = 0.05;
    second.zMax = 0.15;
    scene.parts = {
        {"body 1", first, Colour::body(0), 0.6, 0, {}},
        {"body 2", second, Colour::body(1), 0.6, 1, {}},
        {"centre 1", Pin{Pin::Kind::Dot, {0, 0, 0}}, Colour::body(0), 1, 0, {}},
        {"centre 2", Pin{Pin::Kind::Dot, {0, 0, 0}}, Colour::body(1), 1, 1, {}},
        {"hinge", Pin{Pin::Kind::Ring, {0.85, 0, 0}}, {Role::Neutral}, 1, 0, {}},
        {"centre of mass", Pin{Pin::Kind::Cross, {0, 0, 0}}, {Role::Neutral}, 1, -1, {}},
        {"rate of body 1", ArrowShape{0, true, 0.025}, Colour::body(0), 1, -1, "arrows"},
        {"velocity", ArrowShape{1, false, 0.025}, {Role::Momentum}, 1, -1, "arrows"},
        {"name", Label{"ω_1", {-0.5, 0.55, 0}}, Colour::body(0), 1, 0, "arrows"},
    };
    scene.points = {{"c1", "centre of body 1", Colour::body(0), true},
                    {"c2", "centre of body 2", Colour::body(1), true}};
    scene.frames = {{"inertial", "inertial", -1}, {"body1", "body 1", 0}};
    scene.layers = {{"arrows", "Arrows", true}};
    return scene;
}

Pose twoPlatesAt(double angle1, double angle2)
{
    const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
    const Eigen::Quaterniond q1(Eigen::AngleAxisd(angle1, z)), q2(Eigen::AngleAxisd(angle2, z));
    const Eigen::Vector3d arm1 = q1 * Eigen::Vector3d(0.85, 0, 0), arm2 = q2 * Eigen::Vector3d(0.65, 0, 0);
    const Eigen::Vector3d c1 = -(arm1 + arm2) / 2, c2 = (arm1 + arm2) / 2;
    Pose pose;
    pose.placements = {{q1, c1}, {q2, c2}};
    pose.arrows = {{c1, 0.6 * z}, {c2, q2 * Eigen::Vector3d(0, 0.7, 0)}};
    pose.points = {c1, c2};
    return pose;
}

Scene bentRod()
{
    Scene scene;
    scene.radius = 1.6;
    scene.parts = {
        {"rod", Tube{0, 0.05}, Colour::body(0), 1, -1, {}},
        {"sheet", Sheet{0}, {Role::Momentum}, 0.35, -1, {}},
        {"tip", Ball{{0, 0, 0}, 0.14}, Colour::body(1), 1, 0, {}},
        {"force", ArrowShape{0, false, 0.03}, {Role::Force}, 1, -1, {}},
        {"name", Label{"m_{tip}", {0.2, 0, 0.1}}, {Role::Neutral}, 1, 0, {}},
    };
    scene.points = {{"tip", "tip", Colour::body(1), true}};
    return scene;
}

Pose bentRodAt(double bend)
{
    Pose pose;
    pose.curves.resize(2);
    for (int i = 0; i <= 40; ++i) {
        const double s = i / 40.0;
        const Eigen::Vector3d p(2 * s - 1, bend * s * s, 0.3 * std::sin(pi * s));
        pose.curves[0].points.push_back(p);
        pose.curves[0].values.push_back(s);
        pose.curves[1].points.emplace_back(p.x(), p.y(), -0.4);
    }
    const Eigen::Vector3d tip = pose.curves[0].points.back();
    pose.placements = {{Eigen::Quaterniond::Identity(), tip}};
    pose.arrows = {{tip, {0, 0.2, 0.8}}};
    pose.points = {tip};
    return pose;
}

} // namespace casimir::examples
