#include "core/systems/planar/chaos_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

namespace casimir::planar {

namespace {

constexpr int coarsest = 12; // cells a side of the first picture of a map; each next one has twice as many

std::string ordinal(int k)
{
    constexpr std::array words{"second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"};
    return k - 2 < static_cast<int>(words.size()) ? words[static_cast<std::size_t>(k - 2)]
                                                  : fmt::format("{}th", k);
}

} // namespace

Parameter turnsOption(double standard, double least)
{
    return realParameter(
        {"turns", "", "turns", "", "How long each orbit is followed, in turns of the bodies.", ""}, standard,
        {.min = least, .max = 1e5}, least, 1000, Scale::Logarithmic);
}

Plot lyapunovPlot(const PlotRequest& request, double turn, double turns, int count,
                  const std::function<bool(const LyapunovSample&)>& run)
{
    Plot plot;
    plot.id = "lyapunov";
    plot.title = count > 1 ? "Lyapunov exponents" : "Largest Lyapunov exponent";
    plot.x = {{"t", "t", "time", "s"}, turn, turns * turn, Scale::Logarithmic};
    plot.y = {{"lambda", "λ",
               count > 1 ? "Lyapunov exponents, means until t" : "largest Lyapunov exponent, mean until t",
               "1/s"},
              0,
              1};
    if (!(turn > 0)) {
        plot.x.min = 1;
        plot.x.max = 10;
        plot.note = "Bodies at rest: nothing grows.";
        return plot;
    }
    std::vector<Polyline> mean(static_cast<std::size_t>(count));
    for (int j = 0; j < count; ++j) {
        Polyline& line = mean[static_cast<std::size_t>(j)];
        line.colour = Colour::motion(j);
        line.emphasised = j == 0;
        line.label = count == 1 ? "mean of the growth"
                     : j == 0   ? "largest exponent"
                                : ordinal(j + 1) + " exponent";
    }
    const auto drawn = [&] {
        Plot now = plot;
        // What remains of a perturbation that grows in proportion to time, as it does on a torus.
        Polyline regular;
        regular.label = "a regular orbit: ln(t)/t";
        regular.colour = {Role::Neutral};
        regular.style = LineStyle::Dashed;
        double low = 0, high = 0;
        for (int k = 0; k <= 100; ++k) {
            const double t = std::pow(turns, k / 100.0);
            regular.x.push_back(t * turn);
            regular.y.push_back(std::log1p(t) / (t * turn));
        }
        for (const Polyline& line : mean)
            for (std::size_t k = 0; k < line.x.size(); ++k)
                if (line.x[k] > 3 * turn) { // the first turns say little and would set the scale
                    low = std::min(low, line.y[k]);
                    high = std::max(high, line.y[k]);
                }
        high = std::max(high, std::log1p(turns / 10) / (turns / 10 * turn));
        now.y.min = 1.1 * low;
        now.y.max = 1.1 * high;
        if (!mean.front().x.empty())
            now.note =
                fmt::format("λ = {:.4g} 1/s after {:.4g} s", mean.front().y.back(), mean.front().x.back());
        now.lines = {regular};
        now.lines.insert(now.lines.end(), mean.begin(), mean.end());
        return now;
    };
    auto shown = std::chrono::steady_clock::now();
    const bool followed = run([&](double t, const std::vector<double>& values) {
        for (std::size_t j = 0; j < mean.size(); ++j) {
            mean[j].x.push_back(t);
            mean[j].y.push_back(values[j]);
        }
        if (request.cancelled && request.cancelled())
            return false;
        if (const auto now = std::chrono::steady_clock::now();
            request.publish && now - shown > std::chrono::milliseconds(100)) {
            shown = now;
            request.publish(drawn(), std::min(t / (turns * turn), 1.0));
        }
        return true;
    });
    Plot done = drawn();
    if (!followed)
        done.note = "The motion could not be followed to the end.";
    return done;
}

bool refineMap(Plot& plot, const PlotRequest& request, const HeatMap& like, int finest,
               const std::function<bool(int, std::vector<float>&, const std::function<bool(double)>&)>& fill)
{
    std::vector<int> stages;
    for (int side = coarsest; side < finest; side *= 2)
        stages.push_back(side);
    stages.push_back(finest);
    double total = 0, before = 0;
    for (const int side : stages)
        total += side * side;
    for (const int side : stages) {
        HeatMap map = like;
        map.columns = map.rows = side;
        map.values.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side),
                          std::numeric_limits<float>::quiet_NaN());
        const bool whole = fill(side, map.values, [&](double done) {
            if (request.cancelled && request.cancelled())
                return false;
            if (request.publish && !plot.maps.empty())
                request.publish(plot, (before + done * side * side) / total);
            return true;
        });
        if (!whole)
            return false;
        double least = 0, most = 0;
        for (const float value : map.values)
            if (std::isfinite(value)) {
                least = std::min(least, static_cast<double>(value));
                most = std::max(most, static_cast<double>(value));
            }
        map.min = least;
        map.max = most > least ? most : least + 1;
        plot.maps = {std::move(map)};
        before += side * side;
        if (request.publish && side != stages.back())
            request.publish(plot, before / total);
    }
    return true;
}

} // namespace casimir::planar
