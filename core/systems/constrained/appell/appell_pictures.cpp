// What is drawn of Appell's point and machine: the stage, the path in plan, and what becomes of it as the
// accessories lose their mass.
#include "core/model/circle_points.h"
#include "core/numerics/pi.h"
#include "core/systems/constrained/appell/appell_system.h"
#include "core/systems/constrained/shapes.h"

#include <algorithm>
#include <cmath>

namespace casimir::constrained {

namespace {

enum Placed { Point, Wheel, Frame };

Parameter duration(double standard)
{
    return realParameter({"duration", "T", "duration", "s", "How long a motion is drawn.", ""}, standard,
                         {.min = 1e-3, .max = 100}, 0.1, 10);
}

Appell::State6 startFrom(const System& system, const StateInputs& given)
{
    return Appell::State6(system.start(given));
}

// The path of any of them in n pieces, by its closed form or by steps short against its rates.
std::vector<Appell::State6> pathIn(const Appell& appell, const Appell::State6& start, double duration, int n)
{
    std::vector<Appell::State6> path{start};
    Appell::State6 s = start;
    for (int i = 1; i <= n; ++i) {
        if (appell.hasClosedForm()) {
            s = appell.closedForm(start, duration * i / n);
        } else {
            const auto& p = appell.parameters();
            const double rates =
                std::abs(s[5]) + std::abs(p.m * p.R * p.rho * s[4]) / appell.headingInertia();
            const double whole = duration / n;
            const int pieces = std::clamp(static_cast<int>(20 * rates * whole), 1, 200);
            const double h = whole / pieces;
            for (int k = 0; k < pieces; ++k) {
                const Appell::State6 k1 = appell.field(s), k2 = appell.field(s + h / 2 * k1),
                                     k3 = appell.field(s + h / 2 * k2), k4 = appell.field(s + h * k3);
                s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
            }
        }
        if (!s.allFinite())
            break;
        path.push_back(s);
    }
    return path;
}

// The same in as many pieces as its turns ask for: the path is tangent to the heading (or turned from it by
// what changes as slowly), and an arc that turns by 0.05 is a chord to 1/160 of its length.
std::vector<Appell::State6> pathOf(const Appell& appell, const Appell::State6& start, double duration)
{
    constexpr double mostTurn = 0.05;
    constexpr int fewest = 400, most = 20000;
    const auto turnOf = [](const std::vector<Appell::State6>& path) {
        double turn = 0;
        for (std::size_t i = 1; i < path.size(); ++i)
            turn = std::max(turn, std::abs(path[i][3] - path[i - 1][3]));
        return turn;
    };
    std::vector<Appell::State6> path = pathIn(appell, start, duration, fewest);
    if (const double turn = turnOf(path); turn > mostTurn)
        path = pathIn(appell, start, duration,
                      static_cast<int>(std::min<double>(most, std::ceil(1.1 * fewest * turn / mostTurn))));
    return path;
}

} // namespace

Scene AppellSystem::scene() const
{
    const auto& p = appell_.parameters();
    const double size = p.R + p.b + std::abs(p.rho);
    Scene scene;
    scene.radius = 5 * size;
    scene.follow = 0;
    scene.frames = {{"inertial", "inertial frame", -1}, {"point", "moving with the point", Point}};
    scene.layers = {
        {"machine", "Machine", true}, {"arrows", "Force on the point", true}, {"ground", "Ground", true}};
    scene.points = {{"point", "point", Colour::body(0), true},
                    {"contact", "contact of the wheel", {Role::Neutral}, true}};
    scene.headsUp = {"z", "H", "F_across"};
    scene.parts = {
        {"point", Ball{{0, 0, 0}, 0.12 * size}, Colour::body(0), 1, Point},
        {"force on the point", ArrowShape{0, false, 0.03 * size}, {Role::Force}, 1, -1, "arrows"},
    };
    for (const bool odd : {false, true})
        scene.parts.push_back({"ground",
                               floorTiles(2 * size, 12, 24, odd),
                               {odd ? Role::Guide : Role::Neutral},
                               odd ? 0.14 : 0.2,
                               -1,
                               "ground",
                               true});
    if (!p.machine)
        return scene;
    scene.frames.push_back({"frame", "riding on the machine", Frame});
    scene.parts.push_back(
        {"wheel", wheelMesh(p.R, 0.12 * p.R, 256, 0.05), Colour::body(1), 0.9, Wheel, "machine"});
    scene.parts.push_back(
        {"drum", wheelMesh(p.b, 0.5 * p.R, 256, 0.06), Colour::body(2), 0.9, Wheel, "machine"});
    scene.parts.push_back({"thread", Tube{0, 0.012 * size}, {Role::Neutral}, 1, -1, "machine"});
    scene.parts.push_back({"mast", Tube{1, 0.025 * size}, {Role::Guide}, 1, -1, "machine"});
    return scene;
}

void AppellSystem::poseAt(double, const State& x, Pose& out) const
{
    const auto& p = appell_.parameters();
    const Appell::State6 s = x;
    const double size = p.R + p.b + std::abs(p.rho), lead = p.machine ? p.rho : 0;
    const Eigen::Vector3d point = s.head<3>(), ahead(std::cos(s[3]), std::sin(s[3]), 0),
                          across(-ahead[1], ahead[0], 0);
    const Eigen::Vector3d contact(point[0] - lead * ahead[0], point[1] - lead * ahead[1], 0);
    const Eigen::Quaterniond heading(Eigen::AngleAxisd(s[3], Eigen::Vector3d::UnitZ()));
    const Eigen::Quaterniond rolled(
        Eigen::AngleAxisd(std::remainder(s[2] / p.b, 2 * pi), Eigen::Vector3d::UnitY()));
    const Eigen::Vector3d hub = contact + Eigen::Vector3d(0, 0, p.R);
    out.placements = {{Eigen::Quaterniond::Identity(), point}, {heading * rolled, hub}, {heading, contact}};
    const Eigen::Vector3d f = appell_.forceOnPoint(s);
    const Eigen::Vector3d force = f[0] * ahead + f[1] * across + f[2] * Eigen::Vector3d::UnitZ();
    const double unit = 2 * size / std::max(p.m * p.g, 1e-9);
    out.arrows = {{point, force * std::min(unit, 6 * size / std::max(force.norm(), 1e-300))}};
    // The thread leaves the drum, runs over the head of the mast and hangs down to the point.
    const double head = std::max(3 * size, point[2] + 0.5 * size);
    const Eigen::Vector3d top(point[0], point[1], head);
    out.curves = {{{hub - p.b * ahead, top, point}}, {{hub, top}}};
    out.points = {point, contact};
}

std::vector<PlotInfo> AppellSystem::plots() const
{
    return {
        {.id = "plan",
         .title = "Path in plan",
         .followsState = true,
         .followsStart = true,
         .options = {duration(3)}},
        {.id = "limit", .title = "Accessories without mass", .followsStart = true, .options = {duration(1)}}};
}

Plot AppellSystem::plot(const PlotRequest& request) const
{
    if (request.id == "plan")
        return planPlot(request);
    if (request.id == "limit")
        return limitPlot(request);
    return System::plot(request);
}

Plot AppellSystem::planPlot(const PlotRequest& request) const
{
    const double T = request.options.real("duration");
    const Appell::State6 start = startFrom(*this, request.start);
    Plot plot;
    plot.id = "plan";
    plot.title = "The path from above";
    double lowX = start[0], highX = start[0], lowY = start[1], highY = start[1];
    const auto add = [&](AppellParameters p, const char* label, Colour colour, LineStyle style, bool wide) {
        Polyline line;
        for (const Appell::State6& s : pathOf(Appell(p), start, T)) {
            line.x.push_back(s[0]);
            line.y.push_back(s[1]);
            lowX = std::min(lowX, s[0]);
            highX = std::max(highX, s[0]);
            lowY = std::min(lowY, s[1]);
            highY = std::max(highY, s[1]);
        }
        line.colour = colour;
        line.style = style;
        line.emphasised = wide;
        line.label = label;
        plot.lines.push_back(std::move(line));
    };
    AppellParameters machine = appell_.parameters(), bare = machine, point = machine;
    machine.machine = bare.machine = true;
    bare.M = bare.C = bare.Jz = bare.rho = 0;
    point.machine = false;
    add(point, "Chetaev's line", Colour::body(1), LineStyle::Solid, !appell_.parameters().machine);
    add(bare, "the machine without mass: a spiral", Colour::body(2), LineStyle::Dashed, false);
    add(machine, "the machine", Colour::body(0), LineStyle::Solid, appell_.parameters().machine);
    if (machine.rho == 0 && start[5] != 0 && machine.g > 0) {
        const Appell wheel(machine);
        const double radius = wheel.involuteRadius(start[5]), v = machine.R * start[4] / start[5];
        const Eigen::Vector2d e(std::cos(start[3]), std::sin(start[3]));
        const Eigen::Vector2d centre(start[0] - e[1] * v + e[0] * radius,
                                     start[1] + e[0] * v + e[1] * radius);
        if (radius < 4 * (highX - lowX + highY - lowY)) {
            Polyline circle;
            for (int i = 0; i <= circlePoints; ++i) {
                circle.x.push_back(centre[0] + radius * std::cos(2 * pi * i / circlePoints));
                circle.y.push_back(centre[1] + radius * std::sin(2 * pi * i / circlePoints));
            }
            circle.colour = {Role::Guide};
            circle.style = LineStyle::Dotted;
            circle.label = "the circle whose involute the path is";
            plot.lines.push_back(std::move(circle));
            lowX = std::min(lowX, centre[0] - radius);
            highX = std::max(highX, centre[0] + radius);
            lowY = std::min(lowY, centre[1] - radius);
            highY = std::max(highY, centre[1] + radius);
        }
    }
    const double margin = 0.06 * std::max({highX - lowX, highY - lowY, 1e-6});
    plot.x = {{"x", "x", "position, first coordinate", "m"}, lowX - margin, highX + margin};
    plot.y = {{"y", "y", "position, second coordinate", "m"}, lowY - margin, highY + margin};
    plot.equalScales = true;
    plot.marks.push_back({.x = start[0], .y = start[1], .shape = MarkShape::Ring, .label = "start"});
    return plot;
}

Plot AppellSystem::limitPlot(const PlotRequest& request) const
{
    const double T = request.options.real("duration");
    const Appell::State6 start = startFrom(*this, request.start);
    AppellParameters p = appell_.parameters();
    p.machine = true;
    p.rho = 0;
    AppellParameters alone = p;
    alone.machine = false;
    const auto endOf = [&](double fraction) {
        AppellParameters loaded = p;
        loaded.M = fraction * p.m;
        loaded.C = fraction * p.m * p.R * p.R;
        return Eigen::Vector3d(Appell(loaded).closedForm(start, T).head<3>());
    };
    const Eigen::Vector3d spiral = endOf(0), line = Appell(alone).closedForm(start, T).head<3>();
    Plot plot;
    plot.id = "limit";
    plot.title = "As the accessories lose their mass";
    Polyline toSpiral, toLine;
    double low = 1e300, high = 1e-300;
    for (int i = 0; i <= 60; ++i) {
        const double fraction = std::pow(10.0, -4 + 5.0 * i / 60);
        const Eigen::Vector3d end = endOf(fraction);
        for (auto [polyline, target] : {std::pair(&toSpiral, &spiral), std::pair(&toLine, &line)}) {
            const double distance = std::max((end - *target).norm(), 1e-12);
            polyline->x.push_back(fraction);
            polyline->y.push_back(distance);
            low = std::min(low, distance);
            high = std::max(high, distance);
        }
    }
    toSpiral.colour = Colour::body(2);
    toSpiral.label = "distance to the spiral of the machine without mass";
    toLine.colour = Colour::body(1);
    toLine.label = "distance to Chetaev's line";
    plot.lines = {toSpiral, toLine};
    plot.x = {{"fraction", "M/m", "mass of the accessories", ""}, 1e-4, 10, Scale::Logarithmic};
    plot.y = {{"distance", "d", "distance of the point after T", "m"}, low / 2, 2 * high, Scale::Logarithmic};
    const double now = std::clamp(appell_.parameters().M / p.m, 1e-4, 10.0);
    plot.handles = {{"fraction", now, std::max((endOf(now) - spiral).norm(), 1e-12), "fraction", ""}};
    plot.note = "With ρ = 0. The distance to the spiral goes to 0 with the mass; that to the line does not.";
    return plot;
}

void AppellSystem::track(std::string_view plotId, double, const State& x, PlotTrack& out) const
{
    if (plotId == "plan")
        out.marks.push_back({.x = x[0], .y = x[1], .colour = Colour::motion(0)});
}

} // namespace casimir::constrained
