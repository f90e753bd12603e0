// What is drawn of the rod on its finger: the stage, the map of the gains, the phase plane and its basin.
#include "core/model/analysis.h"
#include "core/numerics/pi.h"
#include "core/systems/constrained/servo_rod/servo_rod_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir::constrained {

namespace {

constexpr double planeHalfWidth = 1.2 * halfPi; // a little past the horizontal
constexpr int trackHalfLength = 100;            // of the line, in l
constexpr double planeHalfHeight = 3;           // momentum scales

// A cell of the basin's map need not be as sharp as the largest tilt.
constexpr FateOptions cellOptions{.tolerance = 1e-5, .steps = 400};

enum Placed { Finger, Rod };

std::vector<Eigen::Vector2d> rectangle(double x0, double x1, double y0, double y1)
{
    return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

// A mark below the line for every l, so that a finger kept in sight is seen to travel.
Mesh trackMarks(double l, double z)
{
    Mesh mesh;
    for (int k = -trackHalfLength; k <= trackHalfLength; ++k) {
        const double x = k * l, bottom = (k % 5 == 0 ? -0.47 : -0.42) * l;
        const int first = static_cast<int>(mesh.vertices.size());
        for (const Eigen::Vector2d& corner : rectangle(x - 0.01 * l, x + 0.01 * l, bottom, -0.36 * l))
            mesh.vertices.emplace_back(corner.x(), corner.y(), z);
        mesh.triangles.push_back({first, first + 1, first + 2});
        mesh.triangles.push_back({first, first + 2, first + 3});
    }
    return mesh;
}

double wrapped(double angle)
{
    return std::remainder(angle, 2 * pi);
}

// At least `usual`, doubled until the value lies well inside.
double reach(double usual, double value)
{
    double r = usual;
    while (std::abs(value) > 0.95 * r && r < 1e7)
        r *= 2;
    return r;
}

// What the servo supplied up to each time of the motion from `start`, and what it will have supplied when the
// rod rests upright: m g l - H(0).
Plot energyPlot(const ServoRodSystem& system, const PlotRequest& request)
{
    const double T = request.options.real("duration");
    const State x0 = system.start(request.start);
    const auto& p = system.rod().parameters();
    const double total = p.m * p.g * p.l - system.rod().hamiltonian(x0.head<4>());
    Plot plot;
    plot.id = "energy";
    plot.title = "Energy supplied by the servo";
    // Points apart by no more than this part of the time, and in each step, which is short where much
    // happens.
    constexpr int n = 400, inEachStep = 6, mostSteps = 3000;
    const bool byHand = p.force == ServoForce::Hand; // what the hand will do nobody knows
    Polyline supplied;
    supplied.x = {0};
    supplied.y = {system.quantity("supplied", 0, x0)};
    IntegrationOptions options;
    options.rtol = 1e-7;
    const auto run = system.integrate(kDefaultMethod, 0, x0, options);
    State x = x0;
    for (int step = 0; !byHand && step < mostSteps && run->time() < T; ++step) {
        const double before = run->time();
        const Status status = run->advance(T);
        if (run->time() == before)
            break;
        const double length = run->time() - before;
        const int pieces = std::max(inEachStep, static_cast<int>(std::ceil(length * n / T)));
        for (int k = 1; k <= pieces; ++k) {
            const double t = before + length * k / pieces;
            run->interpolant()->at(t, x);
            supplied.x.push_back(t);
            supplied.y.push_back(system.quantity("supplied", t, x));
        }
        if (!status.ok())
            break;
    }
    const ServoRod& rod = system.rod();
    const auto settles = rod.verdict();
    const bool rests =
        p.force == ServoForce::Finger &&
        (settles == ServoVerdict::StableNode || settles == ServoVerdict::StableFocus) &&
        (rod.knowsPosition() || fateOf(rod, x0[1] - halfPi, x0[3], cellOptions) == RodFate::Settles);
    double low = std::min(0.0, total), high = std::max(0.0, total);
    for (const double E : supplied.y) {
        low = std::min(low, E);
        high = std::max(high, E);
    }
    if (byHand) {
        low = std::min(low, -p.m * p.g * p.l);
        high = std::max(high, p.m * p.g * p.l);
    }
    // A rod that falls for ever takes ever more; the meter stays readable.
    const double most = 20 * (p.m * p.g * p.l + std::abs(total) + rod.J());
    low = std::max(low, -most);
    high = std::min(high, most);
    const double margin = 0.08 * std::max(high - low, 1e-12 * most);
    plot.x = {{"t", "t", "time", "s"}, 0, T};
    plot.y = {{"supplied", "E_s", "energy supplied by the servo", "J"}, low - margin, high + margin};
    supplied.colour = {Role::Force};
    supplied.label = "supplied so far";
    supplied.emphasised = true;
    plot.lines.push_back(std::move(supplied));
    plot.lines.push_back({.x = {0, T},
                          .y = {total, total},
                          .colour = {Role::Stable},
                          .style = LineStyle::Dashed,
                          .label = "m g l − H(0), in all when it rests upright"});
    if (byHand)
        plot.note = "Led by hand: the mark shows what the hand has supplied.";
    else if (!rests)
        plot.note = "This motion does not come to rest upright.";
    return plot;
}

const Quantity psiAxis{"psi", "ψ", "tilt", "rad", 2 * pi};
const Quantity momentumAxis{"p_theta", "p_θ", "momentum conjugate to θ", "N m s"};

} // namespace

Scene ServoRodSystem::scene() const
{
    const double l = rod_.parameters().l;
    Scene scene;
    scene.planar = true;
    scene.radius = 2.6 * l;
    scene.follow = 0;
    const double thick = 0.05 * l;
    scene.frames = {{"inertial", "inertial frame", -1}, {"finger", "frame of the finger", Finger}};
    scene.layers = {{"arrows", "Force and torque", true}};
    scene.points = {{"contact", "contact", {Role::Force}, true},
                    {"centre", "mass centre", Colour::body(0), true},
                    {"tip", "upper end", Colour::body(0), false}};
    scene.headsUp = {"psi", "F", "supplied", "H"};
    std::vector<Eigen::Vector2d> finger{
        {-0.09 * l, -0.35 * l}, {0.09 * l, -0.35 * l}, {0.09 * l, -0.07 * l}, {0, 0}, {-0.09 * l, -0.07 * l}};
    scene.parts = {
        {"line",
         Plate{rectangle(-trackHalfLength * l, trackHalfLength * l, -0.37 * l, -0.35 * l), -thick, thick},
         {Role::Guide},
         1,
         -1,
         {},
         true},
        {"marks along the line", trackMarks(l, thick), {Role::Guide}, 1, -1, {}, true},
        {"finger", Plate{finger, -thick, thick}, {Role::Neutral}, 1, Finger},
        {"rod", Plate{rectangle(0, 2 * l, -thick, thick), -thick, thick}, Colour::body(0), 0.8, Rod},
        {"mass centre", Pin{Pin::Kind::Dot, {l, 0, 2 * thick}}, {Role::Neutral}, 1, Rod},
        {"contact", Pin{Pin::Kind::Ring, {0, 0, 2 * thick}}, {Role::Neutral}, 1, Finger},
        {"force on the finger", ArrowShape{0, false, 0.03 * l}, {Role::Force}, 1, -1, "arrows"},
        {"torque on the rod", ArrowShape{1, true, 0.03 * l}, {Role::Momentum}, 1, -1, "arrows"},
    };
    return scene;
}

void ServoRodSystem::poseAt(double, const State& x, Pose& out) const
{
    const auto& p = rod_.parameters();
    const auto motion = motionAt(x);
    const Eigen::Vector3d contact(x[0], 0, 0);
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(x[1], Eigen::Vector3d::UnitZ()));
    out.placements = {{Eigen::Quaterniond::Identity(), contact}, {turn, contact}};
    // One length l for a force that is the weight, at most three.
    const double weight = std::max(p.m * p.g, 1e-9);
    const auto shown = [&](double ratio) { return p.l * std::clamp(ratio, -3.0, 3.0); };
    out.arrows = {
        {contact, {shown(motion.force[0] / weight), 0, 0}},
        {contact + turn * Eigen::Vector3d(p.l, 0, 0), {0, 0, shown(motion.force[1] / (weight * p.l))}}};
    out.curves.clear();
    out.points = {contact, contact + turn * Eigen::Vector3d(p.l, 0, 0),
                  contact + turn * Eigen::Vector3d(2 * p.l, 0, 0)};
}

std::vector<PlotInfo> ServoRodSystem::plots() const
{
    std::vector<PlotInfo> list{
        {.id = "portrait", .title = "Phase plane", .followsState = true, .picksState = true}};
    if (!servo().knowsPosition())
        list.push_back(
            {.id = "basin",
             .title = "Basin of the upright position",
             .followsState = true,
             .picksState = true,
             .longRunning = true,
             .options = {integerParameter(
                 {"cells", "n", "cells each way", "", "How fine the basin is drawn.", ""}, 48, 12, 400)}});
    list.push_back({.id = "map", .title = "Stability over the gains"});
    list.push_back(
        {.id = "energy",
         .title = "Energy meter",
         .followsState = true,
         .followsStart = true,
         .options = {realParameter({"duration", "T", "duration", "s", "How long a motion is drawn.", ""}, 5,
                                   {.min = 0.1, .max = 200}, 1, 20)}});
    return list;
}

Plot ServoRodSystem::plot(const PlotRequest& request) const
{
    if (request.id == "map")
        return mapPlot();
    if (request.id == "portrait")
        return portraitPlot();
    if (request.id == "energy")
        return energyPlot(*this, request);
    if (request.id == "basin" && !servo().knowsPosition())
        return basinPlot(request);
    return System::plot(request);
}

Plot ServoRodSystem::mapPlot() const
{
    const ServoRodParameters p = servo().parameters();
    const bool marle = p.law == ServoLaw::Marle;
    const double rate = rod_.momentumScale() / rod_.J();
    Plot plot;
    plot.id = "map";
    plot.title = "Which gains balance the rod";
    if (marle) {
        const double a = reach(6 * rate * p.I / p.l, p.a), beta = reach(3 * p.I / (rod_.J() * p.l), p.beta);
        plot.x = {{"a", "a", "gain on the tilt", "kg m/s"}, -a, a};
        plot.y = {{"beta", "β", "gain on the momentum", "1/m"}, -beta, beta};
        plot.handles = {{"gains", p.a, p.beta, "a", "beta"}};
    } else {
        const double least = rod_.J() / (p.m * p.l);
        const double kt = reach(4 * rate * least, p.kt), ko = reach(4 * least, p.ko);
        plot.x = {{"kt", "k_t", "gain on the tilt", "m/s"}, -kt, kt};
        plot.y = {{"ko", "k_o", "gain on the rate of tilt", "m"}, -ko, ko};
        plot.handles = {{"gains", p.kt, p.ko, "kt", "ko"}};
    }
    plot.swept = countPaths();
    HeatMap map;
    map.columns = map.rows = 120; // even: the axes themselves fall between cells
    map.quantity = {"verdict", "", "what the upright position does", ""};
    for (int v = 0; v <= static_cast<int>(ServoVerdict::Irregular); ++v)
        map.labels.emplace_back(name(static_cast<ServoVerdict>(v)));
    map.max = static_cast<double>(map.labels.size() - 1);
    map.values.reserve(static_cast<std::size_t>(map.columns * map.rows));
    ServoRodParameters there = p;
    for (int j = 0; j < map.rows; ++j) {
        const double y = plot.y.min + (plot.y.max - plot.y.min) * (j + 0.5) / map.rows;
        for (int i = 0; i < map.columns; ++i) {
            const double x = plot.x.min + (plot.x.max - plot.x.min) * (i + 0.5) / map.columns;
            (marle ? there.a : there.kt) = x;
            (marle ? there.beta : there.ko) = y;
            map.values.push_back(static_cast<float>(ServoRod(there).verdict()));
        }
    }
    plot.maps = {std::move(map)};
    if (marle && p.force == ServoForce::Finger && p.g > 0) {
        Polyline parabola;
        constexpr int n = 160;
        for (int i = 0; i <= n; ++i) {
            const double a = plot.x.min + (plot.x.max - plot.x.min) * i / n,
                         beta = a * a / (4 * p.m * p.g * p.I);
            if (beta <= plot.y.max) {
                parabola.x.push_back(a);
                parabola.y.push_back(beta);
            }
        }
        parabola.colour = {Role::Separatrix};
        parabola.label = "a² = 4 β m g I: above it the rod oscillates";
        plot.lines.push_back(std::move(parabola));
        plot.note = byHand() ? "Of the servo that takes over: stable where a < 0 and β > 0."
                             : "Stable where a < 0 and β > 0, as the paper says.";
    } else if (p.force == ServoForce::Chetaev) {
        plot.note = "Chetaev's force balances the rod with no gains at all.";
    } else if (p.force == ServoForce::Angle) {
        plot.note = "The tilt may settle, but nothing removes p_x.";
    }
    return plot;
}

Plot ServoRodSystem::phasePlane(const ServoRod& rod, std::string id, std::string title)
{
    const double scale = rod.momentumScale();
    Plot plot;
    plot.id = std::move(id);
    plot.title = std::move(title);
    plot.x = {psiAxis, -planeHalfWidth, planeHalfWidth};
    plot.y = {momentumAxis, -planeHalfHeight * scale, planeHalfHeight * scale};
    const auto vertical = [&](double psi, const char* label, LineStyle style, Role role) {
        plot.lines.push_back({.x = {psi, psi},
                              .y = {plot.y.min, plot.y.max},
                              .colour = {role},
                              .style = style,
                              .label = label});
    };
    vertical(-halfPi, "", LineStyle::Dotted, Role::Neutral);
    vertical(halfPi, "the rod lies flat", LineStyle::Dotted, Role::Neutral);
    if (const auto strip = rod.stripHalfWidth(); strip && rod.parameters().force == ServoForce::Finger) {
        const bool invariant = rod.parameters().a < 0;
        vertical(-*strip, "", LineStyle::Dashed, Role::Separatrix);
        vertical(*strip, invariant ? "|ψ| = ψ*: no motion leaves the strip" : "|ψ| = ψ*", LineStyle::Dashed,
                 Role::Separatrix);
    }
    if (const auto regular = rod.regularHalfWidth();
        regular && rod.parameters().force == ServoForce::Finger) {
        vertical(-*regular, "", LineStyle::Dashed, Role::Unstable);
        vertical(*regular, "J = m l k_o cos ψ: the law is irregular", LineStyle::Dashed, Role::Unstable);
    }
    const auto verdictNow = rod.verdict();
    const bool stable = verdictNow == ServoVerdict::StableNode || verdictNow == ServoVerdict::StableFocus;
    const bool neutral = verdictNow == ServoVerdict::Neutral;
    plot.marks.push_back({.x = 0,
                          .y = 0,
                          .shape = stable ? MarkShape::Disc : MarkShape::Cross,
                          .colour = {stable    ? Role::Stable
                                     : neutral ? Role::Undecided
                                               : Role::Unstable},
                          .label = {},
                          .id = "upright"});
    return plot;
}

Plot ServoRodSystem::portraitPlot() const
{
    Plot plot = phasePlane(rod_, "portrait", "Tilt and its momentum");
    plot.layers = {"orbits"};
    const double scale = rod_.momentumScale(), rate = scale / rod_.J();
    constexpr int across = 9, along = 9, stepsEach = 120;
    const double h = 0.025 / rate;
    const auto f = [this](const ServoRod::Phase& z) { return rod_.motion(z).rate; };
    for (int i = 0; i < across; ++i)
        for (int j = 0; j < along; ++j) {
            const double psi = planeHalfWidth * (2.0 * i / (across - 1) - 1) * 0.97;
            const double p = planeHalfHeight * scale * (2.0 * j / (along - 1) - 1) * 0.97;
            const auto px = rod_.lawMomentum(0, psi + halfPi, p);
            if (!px)
                continue;
            ServoRod::Phase z(0, psi + halfPi, *px, p);
            Polyline line;
            line.colour = {Role::Guide};
            line.layer = "orbits";
            for (int k = 0; k <= stepsEach; ++k) {
                const double x = z[1] - halfPi;
                if (!(z.allFinite() && std::abs(x) <= planeHalfWidth &&
                      std::abs(z[3]) <= planeHalfHeight * scale) ||
                    rod_.hold(z) < 1e-4)
                    break;
                line.x.push_back(x);
                line.y.push_back(z[3]);
                // A fast orbit takes shorter steps, of about the same length in the picture.
                const ServoRod::Phase k1 = f(z);
                const double speed = std::max(std::abs(k1[1]) / rate, std::abs(k1[3]) / (scale * rate));
                const double step = h / std::max(1.0, speed);
                const ServoRod::Phase k2 = f(z + step / 2 * k1), k3 = f(z + step / 2 * k2),
                                      k4 = f(z + step * k3);
                z += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
                rod_.project(z);
            }
            if (line.x.size() > 1)
                plot.lines.push_back(std::move(line));
        }
    if (rod_.knowsPosition())
        plot.note = "The law knows x: motions that start at x = 0, seen along x; they may cross.";
    else if (byHand())
        plot.note = "With the finger at rest.";
    return plot;
}

Plot ServoRodSystem::basinPlot(const PlotRequest& request) const
{
    const ServoRod rod = servo();
    Plot plot = phasePlane(rod, "basin",
                           byHand() ? "From where the servo brings the rod upright"
                                    : "From where the rod comes upright");
    const double scale = rod.momentumScale();
    const auto made = [&](int n) -> std::optional<HeatMap> {
        HeatMap map;
        map.columns = map.rows = n;
        map.labels = {"settles", "falls", "undecided"};
        map.max = 2;
        map.quantity = {"fate", "", "what becomes of the rod", ""};
        for (int j = 0; j < n; ++j) {
            if (request.cancelled && request.cancelled())
                return std::nullopt;
            for (int i = 0; i < n; ++i) {
                const double psi = planeHalfWidth * (2 * (i + 0.5) / n - 1);
                const double p = planeHalfHeight * scale * (2 * (j + 0.5) / n - 1);
                map.values.push_back(static_cast<float>(fateOf(rod, psi, p, cellOptions)));
            }
        }
        return map;
    };
    const auto verdictNow = rod.verdict();
    if (verdictNow != ServoVerdict::StableNode && verdictNow != ServoVerdict::StableFocus) {
        plot.note = "The upright position attracts nothing at these gains.";
        return plot;
    }
    plot.note = fmt::format("From p_θ = 0 the rod comes upright up to ψ = {:.6f}.", largestTilt(rod));
    const int finest = static_cast<int>(request.options.integer("cells"));
    for (int n = request.publish ? std::min(finest, 12) : finest;; n = std::min(2 * n, finest)) {
        auto map = made(n);
        if (!map)
            break;
        plot.maps = {std::move(*map)};
        if (n == finest)
            break;
        request.publish(plot, static_cast<double>(n * n) / (finest * finest));
    }
    return plot;
}

void ServoRodSystem::track(std::string_view plotId, double t, const State& x, PlotTrack& out) const
{
    if (plotId == "energy")
        out.marks.push_back({.x = t, .y = x[4], .colour = Colour::motion(0)});
    if (plotId == "portrait" || plotId == "basin")
        out.marks.push_back({.x = wrapped(x[1] - halfPi), .y = x[3], .colour = Colour::motion(0)});
}

StateInputs ServoRodSystem::pick(std::string_view plotId, double x, double y,
                                 const StateInputs& present) const
{
    if (plotId != "portrait" && plotId != "basin")
        return {};
    StateInputs inputs = present;
    for (auto& [id, value] : inputs) {
        if (id == "theta")
            value = x + halfPi;
        if (id == "p_theta")
            value = y;
    }
    return inputs;
}

} // namespace casimir::constrained
