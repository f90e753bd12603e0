#include "core/analysis/plot_sweep.h"

#include "core/analysis/parameter_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace casimir {

namespace {

constexpr int pointsAlong = 201; // of a diagram

bool isParameter(const System& system, const std::string& address)
{
    const auto choices = axisChoices(system);
    return std::any_of(choices.begin(), choices.end(), [&](const Choice& c) { return c.id == address; });
}

SweepAxis throughCentres(const PlotAxis& shown, int cells)
{
    const ParameterAxis axis{shown.quantity.id, shown.quantity, shown.min, shown.max, shown.scale, 0};
    const double half = 0.5 / cells;
    // In few enough digits that the ends of an axis about 0 stay opposite, and its middle cell at 0.
    const auto rounded = [](double x) { return std::stod(fmt::format("{:.12g}", x)); };
    return {axis.address, rounded(axis.at(half)), rounded(axis.at(1 - half)), cells, axis.scale};
}

// A diagram may begin at a value that is itself not allowed, as a spin rate of 0.
SweepAxis fromEndToEnd(const System& system, const PlotAxis& shown)
{
    const ParameterAxis axis = parameterAxis(system, shown.quantity.id, shown.min, shown.max);
    return {axis.address, axis.from, axis.to, pointsAlong, axis.scale};
}

} // namespace

std::optional<Sweep> sweepBehind(const System& system, const StateInputs& start, const Plot& plot)
{
    if (plot.swept.empty() || !isParameter(system, plot.x.quantity.id))
        return std::nullopt;
    Sweep sweep{&system.kind(), system.values(), {}, plot.swept, startThatCounts(system, start)};
    if (plot.maps.empty()) {
        sweep.axes = {fromEndToEnd(system, plot.x)};
        return sweep;
    }
    const HeatMap& map = plot.maps.front();
    if (map.columns < 1 || map.rows < 1 || !isParameter(system, plot.y.quantity.id))
        return std::nullopt;
    sweep.axes = {throughCentres(plot.x, map.columns), throughCentres(plot.y, map.rows)};
    return sweep;
}

} // namespace casimir
