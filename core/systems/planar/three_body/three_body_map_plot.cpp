// The plot "map" of three bodies: Figure 10 of the paper, signed, and the same over any two parameters.
#include "core/model/analysis.h"
#include "core/systems/planar/three_body/three_body_map.h"
#include "core/systems/planar/three_body/three_body_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace casimir::planar {

namespace {

// An axis over the slider's range, doubled until it holds the present value; so a drag does not move it
// continually.
MapAxis axisFor(const Schema& schema, const std::string& id, double present)
{
    const Parameter& parameter = schema.resolve(id);
    MapAxis axis{id, parameter.sliderMin, parameter.sliderMax, parameter.scale};
    if (!std::isfinite(present))
        return axis;
    if (axis.scale == Scale::Logarithmic) {
        while (present < axis.min)
            axis.min /= 10;
        while (present > axis.max)
            axis.max *= 10;
        return axis;
    }
    while (present < axis.min || present > axis.max) {
        axis.max *= 2;
        axis.min = axis.min < 0 ? 2 * axis.min : present < axis.min ? -axis.max : axis.min;
    }
    return axis;
}

PlotAxis plotAxis(const Schema& schema, const MapAxis& axis)
{
    const Parameter& parameter = schema.resolve(axis.id);
    return {{parameter.id, parameter.symbol, parameter.name, parameter.unit}, axis.min, axis.max, axis.scale};
}

// The part of the line p + s d within the axes; empty if none.
std::optional<Polyline> clipped(const MapAxis& x, const MapAxis& y, double px, double py, double dx,
                                double dy)
{
    double low = -1e300, high = 1e300;
    for (const auto& [p, d, axis] : {std::tuple(px, dx, &x), std::tuple(py, dy, &y)}) {
        const double a = (axis->min - p) / d, b = (axis->max - p) / d;
        low = std::max(low, std::min(a, b));
        high = std::min(high, std::max(a, b));
    }
    if (!(low < high))
        return std::nullopt;
    Polyline line;
    line.x = {px + low * dx, px + high * dx};
    line.y = {py + low * dy, py + high * dy};
    return line;
}

// kappa + tau = +-1 and kappa - tau = +-1; their form does not change when the axes are exchanged.
void addBifurcationLines(Plot& plot, const MapAxis& x, const MapAxis& y, bool aligned)
{
    for (const double offset : {1.0, -1.0})
        for (const double slope : {1.0, -1.0})
            if (auto line = clipped(x, y, offset, 0, 1, slope)) {
                line->colour = {aligned ? Role::Separatrix : Role::Guide};
                line->emphasised = aligned;
                line->style = aligned ? LineStyle::Solid : LineStyle::Dotted;
                line->label = aligned ? "pitchforks" : "pitchforks at e_2 = 0";
                plot.lines.push_back(std::move(*line));
            }
}

// Where cos theta21 or cos theta32 of the bent pair changes its sign: kappa^2 + tau^2 = 1, kappa^2 = 1 +
// tau^2.
void addRightAngles(Plot& plot, const MapAxis& x, const MapAxis& y, bool exchanged)
{
    const auto add = [&](const auto& curve, double from, double to) {
        constexpr int n = 60;
        Polyline line;
        const auto flush = [&] {
            if (line.x.size() > 1) {
                line.colour = {Role::Neutral};
                line.style = LineStyle::Dotted;
                line.label = "a right angle of the bent pair";
                plot.lines.push_back(line);
            }
            line.x.clear();
            line.y.clear();
        };
        for (int i = 0; i <= n; ++i) {
            auto [kappa, tau] = curve(from + (to - from) * i / n);
            if (exchanged)
                std::swap(kappa, tau);
            if (kappa < x.min || kappa > x.max || tau < y.min || tau > y.max) {
                flush();
                continue;
            }
            line.x.push_back(kappa);
            line.y.push_back(tau);
        }
        flush();
    };
    add([](double t) { return std::pair(std::cos(t), std::sin(t)); }, 0, 6.283185307179586);
    const double far = std::asinh(std::max(std::abs(x.max), std::abs(y.max)));
    for (const double side : {1.0, -1.0})
        add([side](double t) { return std::pair(side * std::cosh(t), std::sinh(t)); }, -far, far);
}

void addRegionNames(Plot& plot, const MapAxis& x, const MapAxis& y, double e1, bool exchanged)
{
    struct Place {
        const char* name;
        double kappa, tau;
    };
    constexpr std::array<Place, 6> places{{{"1", 2.0, 1.35},
                                           {"2", 1.2, 1.6},
                                           {"3", 0.62, 0.62},
                                           {"O_{sum}", 0.3, 0.3},
                                           {"O_τ", 0.7, 2.5},
                                           {"O_κ", 2.5, 0.7}}};
    const auto text = [&](const char* words, double kappa, double tau) {
        if (exchanged)
            std::swap(kappa, tau);
        if (kappa > x.min && kappa < x.max && tau > y.min && tau < y.max)
            plot.marks.push_back(
                {.x = kappa, .y = tau, .shape = MarkShape::Text, .colour = {Role::Neutral}, .label = words});
    };
    for (const double k : {1.0, -1.0})
        for (const double t : {1.0, -1.0}) {
            if (!reachable(signCase({k, t}), e1)) {
                text(e1 < 0 ? "needs e_1 > 0" : "needs e_1 < 0", 1.5 * k, 1.5 * t);
                continue;
            }
            for (const Place& place : places)
                text(place.name, k * place.kappa, t * place.tau);
        }
}

} // namespace

Plot ThreeBodySystem::mapPlot(const PlotRequest& request) const
{
    const Schema& schema = kind().schema;
    const std::string &xId = request.options.choice("x"), &yId = request.options.choice("y");
    const auto present = [&](const std::string& id) { return std::get<double>(schema.read(values(), id)); };
    const double px = present(xId), py = present(yId);
    const MapAxis x = axisFor(schema, xId, px), y = axisFor(schema, yId, py);
    const ThreeBodyParameters& p = bodies_.parameters();

    Plot plot;
    plot.id = "map";
    plot.title =
        fmt::format("Equilibria over {} and {}", schema.resolve(xId).symbol, schema.resolve(yId).symbol);
    plot.x = plotAxis(schema, x);
    plot.y = plotAxis(schema, y);
    plot.swept = countPaths();

    // Only the kinds that occur are listed, in their order.
    const std::vector<MapKind> kinds = equilibriumMap(p, x, y);
    constexpr int kindCount = static_cast<int>(MapKind::Impossible) + 1;
    std::array<int, kindCount> place{};
    place.fill(-1);
    for (const MapKind kind : kinds)
        place[static_cast<std::size_t>(kind)] = 0;
    HeatMap map;
    map.columns = x.cells;
    map.rows = y.cells;
    map.quantity = {"equilibria", "", "equilibria", ""};
    for (int k = 0; k < static_cast<int>(MapKind::Impossible); ++k)
        if (place[static_cast<std::size_t>(k)] == 0) {
            place[static_cast<std::size_t>(k)] = static_cast<int>(map.labels.size());
            map.labels.emplace_back(words(static_cast<MapKind>(k)));
        }
    map.max = std::max<double>(1, static_cast<double>(map.labels.size()) - 1);
    map.values.reserve(kinds.size());
    for (const MapKind kind : kinds)
        map.values.push_back(kind == MapKind::Impossible
                                 ? std::numeric_limits<float>::quiet_NaN()
                                 : static_cast<float>(place[static_cast<std::size_t>(kind)]));
    const bool plane = (xId == "kappa" && yId == "tau") || (xId == "tau" && yId == "kappa");
    map.blank = !plane     ? "no such bodies"
                : p.e1 < 0 ? "no such bodies: these signs of κ and τ need e_1 > 0"
                           : "no such bodies: these signs of κ and τ need e_1 < 0";
    plot.maps.push_back(std::move(map));

    const bool aligned = bodies_.coefficients().aligned();
    if (plane) {
        const bool exchanged = xId == "tau";
        plot.equalScales = x.min == y.min && x.max == y.max;
        addBifurcationLines(plot, x, y, aligned);
        if (aligned)
            addRightAngles(plot, x, y, exchanged);
        addRegionNames(plot, x, y, p.e1, exchanged);
    }
    if (xId == yId)
        plot.note = "Choose two different parameters.";
    else if (!std::isfinite(px) || !std::isfinite(py))
        plot.note = "κ or τ has no value at these lengths: A_1 or B_2 vanishes.";
    else
        plot.handles.push_back({"present", px, py, xId, yId});
    return plot;
}

} // namespace casimir::planar
