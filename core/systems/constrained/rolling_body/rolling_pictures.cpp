// What is drawn of a rolling body: the stage, its path on the plane, and the contact's path on the body.
#include "core/model/circle_points.h"
#include "core/numerics/pi.h"
#include "core/systems/constrained/rolling_body/rolling_body_system.h"
#include "core/systems/constrained/shapes.h"

#include <algorithm>
#include <cmath>

namespace casimir::constrained {

namespace {

using Vec3 = Eigen::Vector3d;
using State10 = RollingBody::State10;

enum Placed { Body, Plane };

Parameter durationOption()
{
    return realParameter({"duration", "T", "duration", "s", "How long a motion is drawn.", ""}, 10,
                         {.min = 1e-2, .max = 200}, 1, 60);
}

} // namespace

double RollingBodySystem::size() const
{
    const auto& p = body_.parameters();
    const double figure = p.shape == RollingShape::Ellipsoid ? p.axes.maxCoeff() + p.rounding
                          : p.shape == RollingShape::Sphere  ? p.radius
                                                             : p.radius + p.rounding;
    return figure + p.centre.norm();
}

Scene RollingBodySystem::scene() const
{
    const auto& p = body_.parameters();
    const double r = size();
    Scene scene;
    scene.radius = 4 * r;
    scene.follow = 1;
    scene.frames = {{"inertial", "inertial frame", -1}, {"body", "frame of the body", Body}};
    if (p.omega != 0)
        scene.frames.push_back({"plane", "frame of the plane", Plane});
    scene.layers = {{"arrows", "Contact force", true}, {"plane", "Plane", true}};
    scene.points = {{"contact", "contact", {Role::Force}, true},
                    {"centre", "mass centre", Colour::body(0), false}};
    scene.headsUp = {"E", "Jz", "F3", "friction"};
    // In two tones, so that its turning is seen.
    for (const bool odd : {false, true})
        scene.parts.push_back({"plane",
                               floorTiles(3 * r, 12, 24, odd),
                               {odd ? Role::Guide : Role::Neutral},
                               odd ? 0.14 : 0.2,
                               Plane,
                               "plane",
                               true});
    scene.parts.push_back(
        {"body", convexMesh([this](const Vec3& n) { return body_.gamma(n); }), Colour::body(0), 0.6, Body});
    // The ends of the body axes, so that its turning is seen.
    for (int k = 0; k < 6; ++k) {
        const Vec3 n = Vec3::Unit(k / 2) * (k % 2 == 0 ? 1 : -1);
        scene.parts.push_back(
            {"end of an axis", Ball{body_.gamma(n), 0.03 * r}, Colour::body(1 + k / 2), 1, Body});
    }
    scene.parts.push_back({"mass centre", Pin{Pin::Kind::Dot, {0, 0, 0}}, {Role::Neutral}, 1, Body});
    scene.parts.push_back({"contact force", ArrowShape{0, false, 0.03 * r}, {Role::Force}, 1, -1, "arrows"});
    return scene;
}

void RollingBodySystem::poseAt(double t, const State& x, Pose& out) const
{
    const State10 s = x;
    const auto report = body_.report(s);
    const Eigen::Quaterniond q = Eigen::Quaterniond(s[3], s[4], s[5], s[6]).normalized();
    const double turned = std::remainder(body_.parameters().omega * t, 2 * pi);
    out.placements = {{q, s.head<3>()},
                      {Eigen::Quaterniond(Eigen::AngleAxisd(turned, Vec3::UnitZ())), Vec3::Zero()}};
    const double weight = std::max(body_.parameters().m * body_.parameters().g, 1e-9), r = size();
    const double unit = std::min(1.5 * r / weight, 6 * r / std::max(report.force.norm(), 1e-300));
    out.arrows = {{report.contactPoint, report.force * unit}};
    out.curves.clear();
    out.points = {report.contactPoint, s.head<3>()};
}

std::vector<PlotInfo> RollingBodySystem::plots() const
{
    return {{.id = "plan",
             .title = "Path on the plane",
             .followsState = true,
             .followsStart = true,
             .options = {durationOption()}},
            {.id = "contact",
             .title = "Contact on the body",
             .embeddedView = "sphere",
             .followsState = true,
             .followsStart = true,
             .options = {durationOption()}}};
}

std::vector<State> RollingBodySystem::pathFrom(const StateInputs& start, double duration) const
{
    std::vector<State> path{System::start(start)};
    IntegrationOptions options;
    options.rtol = 1e-6;
    options.maxSteps =
        3000; // a picture drawn while something is dragged; what is left out is seen to be left out
    constexpr std::size_t most = 40000; // states, so that a long quick spin ends
    constexpr int deepest = 10;         // halvings of a step
    // What is drawn of a state, in units of the body: contact and mass centre from above, and the downward
    // normal in the body. None of it may leave its chord by more than a pixel could tell.
    constexpr double tolerance = 2e-4;
    using Drawn = Eigen::Matrix<double, 7, 1>;
    const auto drawn = [&](const State& x) {
        const State10 s(x);
        Drawn d;
        d << body_.contact(s).P.head<2>() / size(), s.head<2>() / size(),
            -RollingBody::rotation(s).row(2).transpose();
        return d;
    };
    const auto run = integrate(kDefaultMethod, 0, path.front(), options);
    for (int step = 0; step < 3000 && path.size() < most; ++step) {
        const double before = run->time();
        const Status status = run->advance(duration);
        const double after = std::min(run->time(), duration);
        if (!(after > before))
            break;
        const auto piece = run->interpolant();
        const auto refine = [&](auto& self, double t0, const Drawn& from, double t1, const Drawn& to,
                                int depth) -> void {
            if (depth >= deepest || path.size() >= most)
                return;
            const double t = 0.5 * (t0 + t1);
            State x(10);
            piece->at(t, x);
            if (!x.allFinite())
                return;
            const Drawn middle = drawn(x);
            // A step is looked into twice: the middle of an arc and back may lie on its chord.
            const bool curved = (middle - 0.5 * (from + to)).cwiseAbs().maxCoeff() > tolerance;
            if (!curved && depth >= 2)
                return;
            self(self, t0, from, t, middle, depth + 1);
            path.push_back(x);
            self(self, t, middle, t1, to, depth + 1);
        };
        State x(10);
        piece->at(after, x);
        if (!x.allFinite())
            break;
        refine(refine, before, drawn(path.back()), after, drawn(x), 0);
        path.push_back(x);
        if (!status.ok() || run->time() >= duration)
            break;
    }
    return path;
}

Plot RollingBodySystem::plot(const PlotRequest& request) const
{
    if (request.id != "plan" && request.id != "contact")
        return System::plot(request);
    const double T = request.options.real("duration");
    const auto path = pathFrom(request.start, T);
    Plot plot;
    plot.id = request.id;
    if (request.id == "contact") {
        plot.title = "Where the body is touched, by its downward normal";
        plot.x = {{"longitude", "λ", "longitude on the body", "rad", 2 * pi}, -pi, pi};
        plot.y = {{"n3", "n_3", "normal along body axis 3", ""}, -1, 1};
        plot.surface.shape = Surface::Shape::Sphere;
        Polyline line;
        for (const State& x : path) {
            const Vec3 n = -RollingBody::rotation(State10(x)).row(2).transpose();
            line.x.push_back(std::atan2(n[1], n[0]));
            line.y.push_back(std::clamp(n[2], -1.0, 1.0));
        }
        line.colour = {Role::Force};
        line.label = "contact on the body";
        plot.lines.push_back(std::move(line));
        return plot;
    }
    plot.title = "Contact and mass centre from above";
    Polyline contact, centre;
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    const auto add = [&](Polyline& line, double x, double y) {
        line.x.push_back(x);
        line.y.push_back(y);
        const double p[2] = {x, y};
        for (int i = 0; i < 2; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    };
    for (const State& x : path) {
        const Vec3 P = body_.contact(State10(x)).P;
        add(contact, P[0], P[1]);
        add(centre, x[0], x[1]);
    }
    contact.colour = {Role::Force};
    contact.label = "contact";
    centre.colour = Colour::body(0);
    centre.label = "mass centre";
    if (body_.isHomogeneousSphere() && body_.parameters().omega != 0) {
        const auto circle = body_.circle(State10(path.front()));
        if (circle && circle->radius < 1e4) {
            Polyline ring;
            for (int i = 0; i <= circlePoints; ++i)
                add(ring, circle->centre[0] + circle->radius * std::cos(2 * pi * i / circlePoints),
                    circle->centre[1] + circle->radius * std::sin(2 * pi * i / circlePoints));
            ring.colour = {Role::Guide};
            ring.style = LineStyle::Dashed;
            ring.label = "the circle of the closed form";
            plot.lines.push_back(std::move(ring));
        }
    }
    plot.lines.push_back(std::move(centre));
    plot.lines.push_back(std::move(contact));
    const double span = std::max({high[0] - low[0], high[1] - low[1], 0.5 * size()});
    const double half = 0.56 * span, x = (low[0] + high[0]) / 2, y = (low[1] + high[1]) / 2;
    plot.x = {{"Px", "x", "first coordinate on the plane", "m"}, x - half, x + half};
    plot.y = {{"Py", "y", "second coordinate on the plane", "m"}, y - half, y + half};
    plot.equalScales = true;
    if (body_.parameters().omega != 0)
        plot.marks.push_back({.x = 0, .y = 0, .shape = MarkShape::Cross, .label = "axis of the plane"});
    return plot;
}

void RollingBodySystem::track(std::string_view plotId, double, const State& x, PlotTrack& out) const
{
    const auto at = body_.contact(State10(x));
    if (plotId == "plan")
        out.marks.push_back({.x = at.P[0], .y = at.P[1], .colour = Colour::motion(0)});
    if (plotId == "contact")
        out.marks.push_back({.x = std::atan2(-at.up[1], -at.up[0]),
                             .y = std::clamp(-at.up[2], -1.0, 1.0),
                             .colour = Colour::motion(0)});
}

} // namespace casimir::constrained
