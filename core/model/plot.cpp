#include "core/model/plot.h"

#include <algorithm>
#include <cmath>

namespace casimir {

double valueAt(const PlotAxis& xAxis, const PlotAxis& yAxis, const HeatMap& map, double x, double y)
{
    const auto wrap = [](const PlotAxis& axis, double v) {
        const double period = axis.quantity.period;
        return period > 0 ? v - period * std::floor((v - axis.min) / period) : v;
    };
    const double u = (wrap(xAxis, x) - xAxis.min) / (xAxis.max - xAxis.min) * map.columns;
    const double v = (wrap(yAxis, y) - yAxis.min) / (yAxis.max - yAxis.min) * map.rows;
    const auto cell = [&](int i, int j) {
        const auto fold = [](int k, int n, double period) {
            return period > 0 ? ((k % n) + n) % n : std::clamp(k, 0, n - 1);
        };
        i = fold(i, map.columns, xAxis.quantity.period);
        j = fold(j, map.rows, yAxis.quantity.period);
        return static_cast<double>(map.values[static_cast<std::size_t>(j) * map.columns + i]);
    };
    if (!map.smooth)
        return cell(static_cast<int>(std::floor(u)), static_cast<int>(std::floor(v)));
    const double a = u - 0.5, b = v - 0.5;
    const int i = static_cast<int>(std::floor(a)), j = static_cast<int>(std::floor(b));
    const double p = a - i, q = b - j;
    return (1 - q) * ((1 - p) * cell(i, j) + p * cell(i + 1, j)) +
           q * ((1 - p) * cell(i, j + 1) + p * cell(i + 1, j + 1));
}

std::optional<Surface> reliefOf(const Plot& plot)
{
    for (const HeatMap& map : plot.maps)
        if (map.smooth && map.columns > 0 && map.rows > 0 &&
            map.values.size() >= static_cast<std::size_t>(map.columns) * map.rows &&
            plot.x.scale == Scale::Linear && plot.y.scale == Scale::Linear) {
            Surface surface;
            surface.shape = Surface::Shape::Relief;
            surface.relief = std::make_shared<const Relief>(Relief{plot.x, plot.y, map});
            return surface;
        }
    return std::nullopt;
}

} // namespace casimir
