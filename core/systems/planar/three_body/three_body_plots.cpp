// The plots of three bodies: which there are, what moves in them, and the amended potential on the torus. The
// map and the table of cases have files of their own.
#include "core/numerics/level_lines.h"
#include "core/systems/planar/three_body/three_body_chaos.h"
#include "core/systems/planar/three_body/three_body_map.h"
#include "core/systems/planar/three_body/three_body_system.h"
#include "core/systems/planar/two_body/two_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir::planar {

namespace {

using std::numbers::pi;

constexpr int mapCells = 180;  // of the potential, a side: four pixels in a large view
constexpr int nodes = 121;     // a side, of the grid that level lines are drawn from
constexpr int levelCount = 14; // level lines between the least and the largest potential

// The shape function where the terms of x and y are tabulated, at nodes from -pi to pi.
std::vector<double> shapeAt(const ThreeBodyCoefficients& f, const std::vector<double>& angles)
{
    const std::size_t n = angles.size();
    std::vector<double> c(n), s(n), values(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        c[i] = std::cos(angles[i]);
        s[i] = std::sin(angles[i]);
    }
    for (std::size_t j = 0; j < n; ++j) {
        // f = u cos x + v sin x + w at this y
        const double u = f.A1 * c[j] + f.B1, v = -f.A1 * s[j] - f.C1, w = f.B2 * c[j] + f.C2 * s[j];
        for (std::size_t i = 0; i < n; ++i)
            values[j * n + i] = u * c[i] + v * s[i] + w;
    }
    return values;
}

std::vector<double> evenly(int n, bool cells)
{
    std::vector<double> angles(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
        angles[static_cast<std::size_t>(i)] =
            cells ? -pi + 2 * pi * (i + 0.5) / n : -pi + 2 * pi * i / (n - 1);
    return angles;
}

Polyline lineOf(LevelLine line, Colour colour)
{
    Polyline out;
    out.x = std::move(line.x);
    out.y = std::move(line.y);
    out.colour = colour;
    return out;
}

// Where V = energy: a level line of f, since V = mu^2/(2 I_L) and I_L = sum of I~ + 2 f/M.
std::vector<LevelLine> potentialLines(const ThreeBody& bodies, const std::vector<double>& shape,
                                      double energy)
{
    const double inertia = bodies.mu() / energy * bodies.mu() / 2;
    const double level = 0.5 * bodies.mass() * (inertia - bodies.augmentedInertias().sum());
    if (!std::isfinite(level))
        return {};
    return levelLines({nodes, nodes, -pi, pi, -pi, pi}, shape, level);
}

std::vector<Mark> equilibriumMarks(const ThreeBodyEquilibria& all)
{
    std::vector<Mark> marks;
    for (const ThreeBodyEquilibrium& e : all.equilibria) {
        const bool stable = e.stability == verdict::stable, unstable = e.stability == verdict::unstable;
        Mark mark{.shape = stable     ? MarkShape::Disc
                           : unstable ? MarkShape::Cross
                                      : MarkShape::Diamond,
                  .colour = {stable     ? Role::Stable
                             : unstable ? Role::Unstable
                                        : Role::Undecided},
                  .id = e.name};
        // A state on the seam is shown at both ends.
        for (const double x : {e.x, e.x == pi ? -pi : e.x})
            for (const double y : {e.y, e.y == pi ? -pi : e.y}) {
                mark.x = x;
                mark.y = y;
                if (std::none_of(marks.begin(), marks.end(),
                                 [&](const Mark& m) { return m.x == x && m.y == y; }))
                    marks.push_back(mark);
            }
    }
    return marks;
}

} // namespace

std::vector<PlotInfo> ThreeBodySystem::plots() const
{
    std::vector<PlotInfo> all{{.id = "potential",
                               .title = "Potential",
                               .embeddedView = "torus",
                               .reliefView = "landscape",
                               .followsState = true,
                               .picksState = true},
                              {.id = "map",
                               .title = "Map of κ and τ",
                               .options = mapOptions(kind().schema, bodies_.coefficients().aligned())},
                              {.id = "cases", .title = "Cases"}};
    for (PlotInfo& info : chaosPlots())
        all.push_back(std::move(info));
    return all;
}

Plot ThreeBodySystem::plot(const PlotRequest& request) const
{
    if (request.id == "potential")
        return potentialPlot();
    if (request.id == "map")
        return mapPlot(request);
    if (request.id == "cases")
        return casesPlot();
    if (auto chaos = chaosPlot(bodies_, start(request.start).head<5>(), request))
        return std::move(*chaos);
    return System::plot(request);
}

Plot ThreeBodySystem::potentialPlot() const
{
    Plot plot;
    plot.id = "potential";
    plot.title = "Amended potential";
    plot.x = {three_body::theta21, -pi, pi};
    plot.y = {three_body::theta32, -pi, pi};
    plot.surface.shape = Surface::Shape::Torus;

    const ThreeBodyCoefficients& f = bodies_.coefficients();
    const double base = bodies_.augmentedInertias().sum(), half = 0.5 * bodies_.mu() * bodies_.mu();
    // The sum of terms that are not negative bounds the inertia where its other form would cancel.
    const double own = bodies_.parameters().I1 + bodies_.parameters().I2 + bodies_.parameters().I3;
    const auto potential = [&](double shape) {
        return half / std::max(own, base + 2 * shape / bodies_.mass());
    };
    HeatMap map;
    map.columns = map.rows = mapCells;
    map.smooth = true;
    map.quantity = {"V", "V", "amended potential", "J"};
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const double shape : shapeAt(f, evenly(mapCells, true))) {
        const double v = potential(shape);
        low = std::min(low, v);
        high = std::max(high, v);
        map.values.push_back(static_cast<float>(v));
    }
    for (const ThreeBodyEquilibrium& e : equilibria_.equilibria) {
        low = std::min(low, e.energy);
        high = std::max(high, e.energy);
    }
    map.min = low;
    map.max = std::max(high, low + std::max(1e-9 * low, 1e-30)); // a flat potential still has a scale
    plot.level = map.quantity;
    plot.levelMin = map.min;
    plot.levelMax = map.max;
    plot.maps.push_back(std::move(map));

    if (high > low * (1 + 1e-9)) {
        const std::vector<double> shape = shapeAt(f, evenly(nodes, false));
        for (int k = 1; k < levelCount; ++k) {
            // Evenly in V; a potential with a sharp peak keeps some lines low.
            const double part = static_cast<double>(k) / levelCount,
                         energy = low + (high - low) * part * part;
            for (LevelLine& line : potentialLines(bodies_, shape, energy)) {
                plot.lines.push_back(lineOf(std::move(line), {Role::Guide}));
                plot.lines.back().level = energy;
                plot.lines.back().layer = "levels";
            }
        }
        for (const ThreeBodyEquilibrium& e : equilibria_.equilibria) {
            if (e.index != 1)
                continue;
            for (LevelLine& line : potentialLines(bodies_, shape, e.energy)) {
                plot.lines.push_back(lineOf(std::move(line), {Role::Separatrix}));
                plot.lines.back().level = e.energy;
                plot.lines.back().label = "energy of a saddle";
                plot.lines.back().layer = "saddles";
            }
        }
    }
    plot.layers = {"levels", "saddles"};
    plot.marks = equilibriumMarks(equilibria_);
    if (!equilibria_.status.ok())
        plot.note = equilibria_.status.sentence;
    return plot;
}

void ThreeBodySystem::track(std::string_view plotId, double, const State& x, PlotTrack& out) const
{
    if (plotId != "potential")
        return;
    out.marks.push_back({.x = principalAngle(x[0]), .y = principalAngle(x[1]), .colour = Colour::motion(0)});
    const Vector5d z = x.head<5>();
    const double energy = bodies_.hamiltonian(z);
    if (!(energy > 0) || bodies_.mu() == 0)
        return;
    out.reach = energy;
    for (Polyline& line : rimAt(energy))
        out.lines.push_back(std::move(line));
}

// The rim of what a state of this energy can reach.
std::vector<Polyline> ThreeBodySystem::rimAt(double energy) const
{
    constexpr double sameToTheEye = 1e-7;
    const std::lock_guard lock(rim_.mutex);
    if (!(std::abs(rim_.energy - energy) <= sameToTheEye * energy)) {
        rim_.energy = energy;
        rim_.lines.clear();
        for (LevelLine& line :
             potentialLines(bodies_, shapeAt(bodies_.coefficients(), evenly(nodes, false)), energy)) {
            rim_.lines.push_back(lineOf(std::move(line), Colour::motion(0)));
            rim_.lines.back().level = energy;
            rim_.lines.back().label = "V = H";
        }
    }
    return rim_.lines;
}

StateInputs ThreeBodySystem::pick(std::string_view plotId, double x, double y,
                                  const StateInputs& present) const
{
    if (plotId != "potential" || !std::isfinite(x) || !std::isfinite(y))
        return {};
    // The bodies turn as one in this shape and are let go.
    const Eigen::Vector3d momenta = bodies_.lockedMomenta(x, y);
    StateInputs picked{{"theta21", principalAngle(x)},
                       {"theta32", principalAngle(y)},
                       {"mu2", momenta[1]},
                       {"mu3", momenta[2]}};
    for (const auto& input : present)
        if (input.first == "theta1")
            picked.push_back(input);
    return picked;
}

StateInputs ThreeBodySystem::pickFrom(const PlotRequest& request, double x, double y) const
{
    const State present = start(request.start);
    const auto z = chaosPick(bodies_, present.head<5>(), request, x, y);
    if (!z)
        return pick(request.id, x, y, request.start);
    State picked = present;
    picked.head<5>() = *z;
    return inputsOf(picked);
}

} // namespace casimir::planar
