// Two pictures of an exact motion among others: which of the paper's constants leave one, and how fast a
// disturbance of it grows.
#include "core/systems/tops/stability.h"
#include "core/systems/tops/tops_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::tops {

Plot TopsSystem::constantsPlot(const std::string& pair) const
{
    const ExactMotion& motion = *setup_.motion;
    const FourTopNumbers numbers = fourTopNumbers(motion);
    const std::array<double, 3> present{motion.p()[0], motion.p()[3], chain().tops()[3].q};
    const std::array<const char*, 3> ids{"p1", "p4", "q4"};
    const std::array<Quantity, 3> words{Quantity{"p1", "p_1", "momentum constant of top 1", "N m s"},
                                        Quantity{"p4", "p_4", "momentum constant of top 4", "N m s"},
                                        Quantity{"q4", "q_4", "spin of top 4", "rad/s"}};
    const std::size_t i = pair == "p4-q4" ? 1 : 0, j = pair == "p1-p4" ? 1 : 2;
    // As wide as the constants of motions with this third root.
    const Cubic& f = motion.nutation().cubic();
    const double rate1 = std::sqrt(-f(1)) + std::sqrt(-f(-1));
    const double rate4 =
        std::abs(numbers.mu) * std::sqrt(numbers.lambda) *
        (std::sqrt(std::max(-f(1 / numbers.mu), 0.0)) + std::sqrt(std::max(-f(-1 / numbers.mu), 0.0)));
    const std::array<double, 3> natural{numbers.P1 * rate1, numbers.P4 * rate4,
                                        numbers.P4 * rate4 / numbers.Js4};
    const auto spanOf = [&](std::size_t k) { return std::max(1.5 * natural[k], 1.3 * std::abs(present[k])); };
    Plot plot;
    plot.id = "map";
    plot.title = "Which constants leave a real motion";
    plot.x = {words[i], -spanOf(i), spanOf(i)};
    plot.y = {words[j], -spanOf(j), spanOf(j)};
    HeatMap map;
    map.columns = 120;
    map.rows = 90;
    map.labels = {"real motion", "complex pair of roots", "|μ cos θ_1| > 1", "third root within [−1, 1]",
                  "undefined"};
    map.quantity = {"kind", "", "what the constants leave", ""};
    map.max = static_cast<double>(map.labels.size() - 1);
    map.values.reserve(static_cast<std::size_t>(map.columns * map.rows));
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column) {
            std::array<double, 3> at = present;
            at[i] = plot.x.min + (plot.x.max - plot.x.min) * (column + 0.5) / map.columns;
            at[j] = plot.y.min + (plot.y.max - plot.y.min) * (row + 0.5) / map.rows;
            map.values.push_back(static_cast<float>(fromConstants(numbers, at[0], at[1], at[2]).kind));
        }
    plot.maps.push_back(std::move(map));
    plot.handles = {{"present", present[i], present[j], ids[i], ids[j]}};
    const std::size_t k = 3 - i - j;
    plot.note = fmt::format("{} = {:.6g}.", words[k].symbol, present[k]);
    return plot;
}

Plot TopsSystem::growthPlot(const PlotRequest& request) const
{
    const Value* value = request.options.find("periods");
    const int periods = static_cast<int>(value ? std::get<long>(*value) : 24);
    const auto drawn = [&](const Growth& growth) {
        Plot plot;
        plot.id = "growth";
        plot.title = "Growth of a disturbance of the exact motion";
        double low = 0, high = 1;
        for (const double y : growth.size) {
            low = std::min(low, y);
            high = std::max(high, y);
        }
        const double room = 0.05 * (high - low);
        plot.x = {{"periods", "t/T", "periods", ""}, 0, std::max(growth.time.back(), 1.0)};
        plot.y = {{"ln", "ln |ξ|", "natural logarithm of the disturbance", ""}, low - room, high + room};
        Polyline line;
        line.x = growth.time;
        line.y = growth.size;
        line.emphasised = true;
        line.colour = {growth.perPeriod > 0.1 ? Role::Unstable : Role::Stable};
        line.label = "disturbance";
        plot.lines.push_back(std::move(line));
        plot.note = fmt::format("{:.3g} powers of e in a period over the second half.", growth.perPeriod);
        return plot;
    };
    if (request.publish && periods > 8) {
        const Growth coarse = growthAlong(*setup_.motion, 8, 64, request.cancelled);
        request.publish(drawn(coarse), 8.0 / periods);
    }
    return drawn(growthAlong(*setup_.motion, periods, 96, request.cancelled));
}

} // namespace casimir::tops
