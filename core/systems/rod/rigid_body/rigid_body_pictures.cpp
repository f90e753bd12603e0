// What is drawn of the rigid body: Poinsot's ellipsoid rolling on the invariable plane, the portrait on the
// momentum sphere, the herpolhode.
#include "core/model/circle_points.h"
#include "core/numerics/pi.h"
#include "core/numerics/rotations.h"
#include "core/systems/rod/rigid_body/box_shape.h"
#include "core/systems/rod/rigid_body/rigid_body_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

constexpr int polhodesAside = 6; // about each end of an axis
constexpr int curvePoints = 240;
constexpr int stagePoints = 72;
constexpr double bodyPart = 0.62; // of the ellipsoid's half axes, at most
constexpr double planeRadius = 1.15;
constexpr const char* energyLayer = "energy ellipsoid";

enum Placed { Body, Plane };
enum Arrows { Velocity, Momentum, FirstAxis };

Mesh ellipsoid(const Vec3& half)
{
    constexpr int around = 36, along = 18;
    Mesh mesh;
    for (int j = 0; j <= along; ++j)
        for (int i = 0; i < around; ++i) {
            const double latitude = pi * j / along, longitude = 2 * pi * i / around;
            mesh.vertices.push_back(
                half.cwiseProduct(Vec3(std::sin(latitude) * std::cos(longitude),
                                       std::sin(latitude) * std::sin(longitude), std::cos(latitude))));
            if (j == along)
                continue;
            const int a = j * around + i, b = j * around + (i + 1) % around;
            if (j > 0)
                mesh.triangles.push_back({a, a + around, b});
            if (j + 1 < along)
                mesh.triangles.push_back({b, a + around, b + around});
        }
    return mesh;
}

Plate disc(double radius)
{
    Plate plate;
    for (int i = 0; i < 64; ++i)
        plate.outline.emplace_back(radius * std::cos(pi * i / 32), radius * std::sin(pi * i / 32));
    plate.zMin = 0;
    plate.zMax = 0.004;
    return plate;
}

// Two directions across L, the same for every state of a motion.
std::pair<Vec3, Vec3> across(const Vec3& L)
{
    const Vec3 reference = std::abs(L.x()) > 0.9 ? Vec3::UnitY() : Vec3::UnitX();
    const Vec3 u = (reference - reference.dot(L) * L).normalized();
    return {u, L.cross(u)};
}

Vec3 unit(const Vec3& M)
{
    const double r = M.norm();
    return r > 0 ? Vec3(M / r) : Vec3::UnitZ();
}

Quat attitudeOf(const State& x)
{
    return Quat(x[3], x[4], x[5], x[6]).normalized();
}

// On the map of the sphere. Where a pole has no longitude of its own, `beside` has it.
void add(Polyline& line, const Vec3& m, double beside)
{
    line.x.push_back(std::hypot(m.x(), m.y()) > 1e-12 ? std::atan2(m.y(), m.x()) : beside);
    line.y.push_back(std::clamp(m.z(), -1.0, 1.0));
}

Polyline lineOf(const std::vector<Vec3>& points)
{
    Polyline line;
    const Vec3 middle = unit(points[points.size() / 2]);
    for (const Vec3& M : points)
        add(line, unit(M), line.x.empty() ? std::atan2(middle.y(), middle.x()) : line.x.back());
    return line;
}

} // namespace

Vec3 RigidBodySystem::halfAxes() const
{
    return (body_.I()[body_.minimum()] * body_.I().cwiseInverse()).cwiseSqrt();
}

Scene RigidBodySystem::scene() const
{
    Scene scene;
    scene.radius = 1.3;
    scene.frames = {{"inertial", "inertial frame", -1}, {"body", "frame of the body", Body}};
    scene.layers = {{"body", "Body", true},
                    {"ellipsoid", "Inertia ellipsoid", true},
                    {"plane", "Invariable plane", true},
                    {"polhode", "Polhode", true},
                    {"velocity", "Angular velocity", true},
                    {"momentum", "Angular momentum", true},
                    {"axes", "Principal axes", true}};
    scene.points = {{"contact", "contact: herpolhode", Colour::motion(0), true},
                    {"axis1", "end of axis 1", Colour::body(0), false},
                    {"axis2", "end of axis 2", Colour::body(1), false},
                    {"axis3", "end of axis 3", Colour::body(2), false}};
    scene.headsUp = {"H", "C"};
    const Vec3 half = halfAxes();
    const Vec3 edges = halfEdges(body_.I() / body_.I()[body_.maximum()], 1);
    const double fit = bodyPart / edges.cwiseQuotient(half).maxCoeff();
    scene.parts = {
        {"body", box(fit * edges), Colour::body(0), 1, Body, "body"},
        {"inertia ellipsoid", ellipsoid(half), Colour::body(1), 0.22, Body, "ellipsoid"},
        {"invariable plane", disc(planeRadius), {Role::Neutral}, 0.22, Plane, "plane"},
        {"polhode", Tube{0, 0.009}, {Role::Separatrix}, 1, -1, "polhode"},
        {"angular velocity", ArrowShape{Velocity, false, 0.018}, Colour::motion(0), 1, -1, "velocity"},
        {"angular momentum", ArrowShape{Momentum, false, 0.018}, {Role::Momentum}, 1, -1, "momentum"}};
    for (int k = 0; k < 3; ++k) {
        scene.parts.push_back({fmt::format("axis {}", k + 1),
                               ArrowShape{static_cast<std::size_t>(FirstAxis + k), false, 0.009},
                               {Role::Neutral},
                               0.8,
                               -1,
                               "axes"});
        scene.parts.push_back({fmt::format("name of axis {}", k + 1),
                               Label{fmt::format("{}", k + 1), (half[k] + 0.14) * Vec3::Unit(k)},
                               {Role::Neutral},
                               1,
                               Body,
                               "axes"});
    }
    return scene;
}

// Poinsot's figure in units of √(2H): ω/√(2H) lies on the inertia ellipsoid x·I x = 1, whose tangent plane
// there stands at √(2H)/|M| across the angular momentum and does not move.
void RigidBodySystem::poseAt(double, const State& x, Pose& out) const
{
    const Quat q = attitudeOf(x);
    const Vec3 M = x.head<3>(), L = q * unit(M);
    const double scale = std::sqrt(body_.I()[body_.minimum()]);
    const double root = std::sqrt(2 * body_.hamiltonian(M));
    const auto onEllipsoid = [&](const Vec3& momentum) -> Vec3 {
        return root > 0 ? Vec3(scale / root * body_.velocity(momentum)) : Vec3::Zero();
    };
    const double height = root > 0 ? scale * root / M.norm() : 1;
    const Vec3 contact = q * onEllipsoid(M), half = halfAxes();
    out.placements = {{q, Vec3::Zero()}, {turnBetween(Vec3::UnitZ(), L), height * L}};
    out.arrows = {{Vec3::Zero(), contact}, {Vec3::Zero(), 1.22 * L}};
    for (int k = 0; k < 3; ++k)
        out.arrows.push_back({Vec3::Zero(), q * Vec3((half[k] + 0.08) * Vec3::Unit(k))});
    out.curves.assign(1, {});
    for (const Vec3& p : motionFrom(x).polhode(stagePoints))
        out.curves[0].points.push_back(q * onEllipsoid(p));
    out.points = {contact};
    for (int k = 0; k < 3; ++k)
        out.points.push_back(q * Vec3(half[k] * Vec3::Unit(k)));
}

std::vector<PlotInfo> RigidBodySystem::plots() const
{
    return {{.id = "portrait",
             .title = "Portrait",
             .embeddedView = "sphere",
             .followsState = true,
             .picksState = true},
            {.id = "herpolhode",
             .title = "Herpolhode",
             .followsState = true,
             .followsStart = true,
             .options = {integerParameter({"periods", "n", "periods", "",
                                           "How many periods of the momentum in the body are drawn.", ""},
                                          8, 1, 60)}}};
}

Plot RigidBodySystem::plot(const PlotRequest& request) const
{
    if (request.id == "portrait")
        return portraitPlot();
    if (request.id == "herpolhode")
        return herpolhodePlot(request, start(request.start));
    return System::plot(request);
}

Plot RigidBodySystem::portraitPlot() const
{
    Plot plot;
    plot.id = "portrait";
    plot.title = "Momentum sphere";
    plot.x = {{"longitude", "φ", "longitude of M, from axis 1 to axis 2", "rad", 2 * pi}, -pi, pi};
    plot.y = {{"height", "M_3/μ", "height of M along axis 3", ""}, -1, 1};
    plot.level = {"H", "H", "energy", "J"};
    plot.surface.shape = Surface::Shape::Sphere;
    const Vec3& I = body_.I();
    const double mu = body_.mu(), A = I[body_.minimum()], B = I[body_.middle()], C = I[body_.maximum()];
    const double lowest = mu * mu / (2 * C), highest = mu * mu / (2 * A);
    if (mu == 0) {
        plot.note = equilibria_.status.sentence;
        return plot;
    }
    const auto levelOf = [&](double h) {
        return Colour::level(highest > lowest ? (h - lowest) / (highest - lowest) : 0.5);
    };
    plot.layers = {energyLayer};
    if (highest > lowest) {
        plot.levelMin = lowest;
        plot.levelMax = highest;
    } else
        plot.note = "All inertias are equal: every M is an equilibrium.";

    // About each end of the outer axes, evenly spaced in the angle at which they cross the arc to the middle
    // one.
    for (const int e : {body_.minimum(), body_.maximum()}) {
        if (I[e] == B)
            continue;
        for (const double end : {1.0, -1.0})
            for (int k = 1; k <= polhodesAside; ++k) {
                const double angle = pi / 2 * k / (polhodesAside + 1);
                Vec3 through = Vec3::Zero();
                through[e] = end * mu * std::cos(angle);
                through[body_.middle()] = mu * std::sin(angle);
                const RigidBodyMotion motion(body_, through);
                Polyline line = lineOf(motion.polhode(curvePoints));
                line.level = motion.energy();
                line.colour = levelOf(line.level);
                plot.lines.push_back(std::move(line));
            }
    }
    if (body_.hasMiddleAxis()) {
        plot.layers.push_back("separatrix");
        const Vec3 b = Vec3::Unit(body_.middle());
        for (const Vec3& d : body_.heteroclinicDirections()) {
            std::vector<Vec3> arc;
            for (int i = 0; i <= curvePoints / 2; ++i) {
                const double angle = pi * (static_cast<double>(i) / (curvePoints / 2) - 0.5);
                arc.push_back(std::cos(angle) * d + std::sin(angle) * b);
            }
            Polyline line = lineOf(arc);
            line.level = mu * mu / (2 * B);
            line.colour = {Role::Separatrix};
            line.emphasised = true;
            line.label = "heteroclinic orbits";
            line.layer = "separatrix";
            plot.lines.push_back(std::move(line));
        }
    } else if (A < C) {
        // The circle across the axis of symmetry.
        const int axis = A == B ? body_.maximum() : body_.minimum();
        std::vector<Vec3> circle;
        for (int i = 0; i <= curvePoints; ++i) {
            const double angle = 2 * pi * i / curvePoints;
            circle.push_back(std::cos(angle) * Vec3::Unit((axis + 1) % 3) +
                             std::sin(angle) * Vec3::Unit((axis + 2) % 3));
        }
        Polyline line = lineOf(circle);
        line.level = mu * mu / (2 * B);
        line.colour = {Role::Undecided};
        line.emphasised = true;
        line.label = "equilibria";
        plot.lines.push_back(std::move(line));
        plot.note = "Two inertias are equal: every M across the axis of symmetry is an equilibrium.";
    }
    for (const RigidBodyEquilibrium& e : equilibria_.equilibria) {
        const bool stable = e.stability == verdict::stable, decided = e.stability != verdict::degenerate;
        Mark mark{.x = 0,
                  .y = e.M[2] / mu,
                  .shape = stable    ? MarkShape::Disc
                           : decided ? MarkShape::Cross
                                     : MarkShape::Square,
                  .colour = {stable    ? Role::Stable
                             : decided ? Role::Unstable
                                       : Role::Undecided},
                  .label = fmt::format("{}{}", e.sign < 0 ? "−" : "+", e.axis + 1),
                  .id = e.name};
        if (e.axis != 2)
            mark.x = std::atan2(e.M[1], e.M[0]);
        plot.marks.push_back(mark);
        if (e.axis == 0 && e.sign < 0) { // on the seam of the map: at both ends
            mark.x = -mark.x;
            mark.label.clear();
            plot.marks.push_back(mark);
        }
    }
    return plot;
}

std::optional<Ellipsoid> RigidBodySystem::companion(std::string_view plotId, const State& x) const
{
    const Vec3 M = x.head<3>();
    if (plotId != "portrait" || !(M.norm() > 0))
        return std::nullopt;
    // M·I⁻¹M = 2H in units of μ, coloured as the polhodes are.
    const Vec3 half = (2 * body_.hamiltonian(M) * body_.I()).cwiseSqrt() / M.norm();
    const double lowest = 1 / body_.I()[body_.maximum()], highest = 1 / body_.I()[body_.minimum()];
    const double level = 2 * body_.hamiltonian(M) / M.squaredNorm();
    return Ellipsoid{half, Colour::level(highest > lowest ? (level - lowest) / (highest - lowest) : 0.5),
                     energyLayer};
}

Plot RigidBodySystem::herpolhodePlot(const PlotRequest& request, const State& start) const
{
    const RigidBodyMotion motion = motionFrom(start);
    const auto [least, greatest] = motion.herpolhodeRadii();
    Plot plot;
    plot.id = "herpolhode";
    plot.title = "Angular velocity across the angular momentum, in space";
    const double room = greatest > 0 ? 1.12 * greatest : 1;
    plot.x = {{"wx", "ω_x", "angular velocity across the momentum, first", "rad/s"}, -room, room};
    plot.y = {{"wy", "ω_y", "angular velocity across the momentum, second", "rad/s"}, -room, room};
    plot.equalScales = true;
    const auto circle = [&](double radius, const char* label) {
        Polyline line;
        for (int i = 0; i <= circlePoints; ++i) {
            line.x.push_back(radius * std::cos(2 * pi * i / circlePoints));
            line.y.push_back(radius * std::sin(2 * pi * i / circlePoints));
        }
        line.colour = {Role::Guide};
        line.style = LineStyle::Dashed;
        line.label = label;
        plot.lines.push_back(std::move(line));
    };
    if (greatest > 0) {
        circle(greatest, "outer circle");
        if (least > 0)
            circle(least, "inner circle");
    } else
        plot.note = "The body turns steadily: the herpolhode is a point.";
    const auto [u, v] = across(attitudeOf(start) * unit(start.head<3>()));
    double from = 0, to = 0;
    int n = 0;
    if (const auto T = motion.period()) {
        // Enough points for every turn about the centre, of which a period near the separatrix has many.
        const auto periods = static_cast<double>(request.options.integer("periods"));
        to = periods * *T;
        n = static_cast<int>(
            std::min(periods * std::max(160.0, 36 * std::abs(motion.phase()->turn)), 12000.0));
    } else if (motion.kind() == PolhodeKind::Heteroclinic) {
        to = 14 / body_.heteroclinicRate();
        from = -to;
        n = 1600;
        plot.note =
            "A heteroclinic orbit: it winds out of the middle axis and back into it, for ever slower.";
    }
    Polyline line;
    for (int i = 0; i <= n; ++i) {
        const double t = n > 0 ? from + (to - from) * i / n : 0;
        const Vec3 omega = motion.attitude(t) * body_.velocity(motion.momentum(t));
        line.x.push_back(omega.dot(u));
        line.y.push_back(omega.dot(v));
    }
    line.colour = Colour::motion(0);
    line.label = "herpolhode";
    plot.lines.push_back(std::move(line));
    plot.marks.push_back({.x = 0, .y = 0, .shape = MarkShape::Cross, .label = "L"});
    return plot;
}

void RigidBodySystem::track(std::string_view plotId, double, const State& x, PlotTrack& out) const
{
    const Vec3 M = x.head<3>();
    if (plotId == "portrait") {
        const Vec3 m = M.norm() > 0 ? unit(M) : Vec3::UnitX();
        out.marks.push_back(
            {.x = std::atan2(m.y(), m.x()), .y = std::clamp(m.z(), -1.0, 1.0), .colour = Colour::motion(0)});
    } else if (plotId == "herpolhode") {
        const Quat q = attitudeOf(x);
        const auto [u, v] = across(q * unit(M));
        const Vec3 omega = q * body_.velocity(M);
        out.marks.push_back({.x = omega.dot(u), .y = omega.dot(v), .colour = Colour::motion(0)});
    }
}

StateInputs RigidBodySystem::pick(std::string_view plotId, double x, double y,
                                  const StateInputs& present) const
{
    if (plotId != "portrait" || !std::isfinite(x) || !std::isfinite(y))
        return {};
    Surface sphere;
    sphere.shape = Surface::Shape::Sphere;
    const Vec3 m = sphere.embed(x, y);
    // The body is turned so that the angular momentum stays where it is in space.
    const State before = start(present);
    const Vec3 was = unit(before.head<3>());
    const Quat q = (attitudeOf(before) * turnBetween(m, was)).normalized();
    const Vec3 M = std::max(body_.mu(), 1e-12) * m;
    State picked(7);
    picked << M, q.w(), q.x(), q.y(), q.z();
    return inputsOf(picked);
}

} // namespace casimir::rod
