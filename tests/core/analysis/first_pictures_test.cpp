// What a person sees who opens a branch or a map for the first time: something, in every system and preset.
#include "core/analysis/general_plots.h"
#include "core/model/kind.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <memory>
#include <string>

namespace casimir {
namespace {

struct Opened {
    std::string name;
    std::shared_ptr<const System> system;
    StateInputs start;
};

std::vector<Opened> everySystem()
{
    std::vector<Opened> all;
    for (const Kind* kind : catalogue()) {
        all.push_back({kind->id, kind->make(), {}});
        for (const Preset& preset : presetsOf(kind->id)) {
            const Session session = readSession(preset.text);
            all.push_back(
                {kind->id + "/" + preset.id, kind->make(session.values), session.motions.front().state});
        }
    }
    return all;
}

// The first picture that `enough` accepts, else the last and finest.
template <class Enough>
Plot opened(const Opened& one, const PlotInfo& info, const Enough& enough)
{
    Plot seen;
    bool stop = false;
    PlotRequest request{.id = info.id, .options = plotOptions(info, {}), .start = one.start};
    request.cancelled = [&] { return stop; };
    request.publish = [&](Plot coarse, double) {
        stop = enough(coarse);
        seen = std::move(coarse);
    };
    Plot last = plotOf(*one.system, request);
    return stop ? seen : last;
}

double shareOfBlankCells(const HeatMap& map)
{
    const auto blank =
        std::count_if(map.values.begin(), map.values.end(), [](float v) { return std::isnan(v); });
    return static_cast<double>(blank) / static_cast<double>(map.values.size());
}

// Of the cells with an answer, the share of the commonest.
double shareOfTheCommonest(const HeatMap& map)
{
    std::map<float, int> counts;
    int answered = 0, most = 0;
    for (const float v : map.values)
        if (!std::isnan(v)) {
            ++answered;
            most = std::max(most, ++counts[v]);
        }
    return answered ? static_cast<double>(most) / answered : 1;
}

bool hasRegions(const Plot& plot)
{
    if (!plot.regions.empty())
        return plot.regions.size() > 1;
    return !plot.maps.empty() && shareOfBlankCells(plot.maps.front()) < 0.85 &&
           shareOfTheCommonest(plot.maps.front()) < 0.98;
}

// How much of the picture's width the curves cover, and how much of its height they use.
struct Extent {
    double across = 0, up = 0, relative = 0; // the axis against the numbers along it
};

Extent extentOf(const Plot& plot)
{
    double left = HUGE_VAL, right = -HUGE_VAL, low = HUGE_VAL, high = -HUGE_VAL;
    for (const Polyline& line : plot.lines) {
        if (line.colour == Colour{Role::Guide} || line.x.size() < 2 || line.x.front() == line.x.back())
            continue;
        for (std::size_t i = 0; i < line.x.size(); ++i)
            if (line.y[i] >= plot.y.min && line.y[i] <= plot.y.max) {
                left = std::min(left, line.x[i]);
                right = std::max(right, line.x[i]);
                low = std::min(low, line.y[i]);
                high = std::max(high, line.y[i]);
            }
    }
    Extent extent;
    if (right > left) {
        const bool log = plot.x.scale == Scale::Logarithmic;
        extent.across = log ? std::log(right / left) / std::log(plot.x.max / plot.x.min)
                            : (right - left) / (plot.x.max - plot.x.min);
        extent.up = (high - low) / (plot.y.max - plot.y.min);
        extent.relative = (plot.y.max - plot.y.min) / std::max(std::abs(plot.y.max), std::abs(plot.y.min));
    }
    return extent;
}

bool isSeen(const Plot& plot)
{
    const Extent e = extentOf(plot);
    return e.across > 0.25 && e.up > 0.1 && e.relative > 1e-5;
}

// A system without an equilibrium at its values (no momentum, a drive) may have none along the axis.
bool saysWhy(const Plot& plot)
{
    return !plot.note.empty();
}

TEST(FirstPictures, aBranchShowsCurvesThatMove)
{
    for (const Opened& one : everySystem())
        for (const PlotInfo& info : plotsOf(*one.system))
            if (info.id == "branch") {
                const Plot plot = opened(one, info, isSeen);
                const Extent e = extentOf(plot);
                EXPECT_TRUE(isSeen(plot) || (e.across == 0 && saysWhy(plot)))
                    << one.name << ": " << plot.y.quantity.id << " over " << plot.x.quantity.id << " covers "
                    << e.across << " of the width, " << e.up << " of the height, " << plot.y.min << " to "
                    << plot.y.max << "; " << plot.note;
            }
}

// The largest turn between neighbouring pieces of a curve, in the pixels of a picture of the size that
// exports have by default; what is shorter than a line is wide has no direction to be seen.
struct Turn {
    double angle = 0, x = 0, y = 0;
};

Turn sharpestTurn(const Plot& plot)
{
    constexpr double width = 900, height = 675, lineWidth = 2.5;
    Turn sharpest;
    for (const Polyline& line : plot.lines) {
        std::vector<std::complex<double>> z;
        for (std::size_t i = 0; i < line.x.size(); ++i) {
            const bool log = plot.x.scale == Scale::Logarithmic;
            const double part = log ? std::log(line.x[i] / plot.x.min) / std::log(plot.x.max / plot.x.min)
                                    : (line.x[i] - plot.x.min) / (plot.x.max - plot.x.min);
            z.emplace_back(width * part, height * (line.y[i] - plot.y.min) / (plot.y.max - plot.y.min));
        }
        for (std::size_t i = 1; i + 1 < z.size(); ++i) {
            const std::complex<double> a = z[i] - z[i - 1], b = z[i + 1] - z[i];
            const bool round = plot.y.quantity.period > 0 && std::max(std::abs(a), std::abs(b)) > height / 2;
            // At a fold a rate may fall and rise again within a millionth of the width: one upright line.
            const bool upright = std::max(std::abs(a.real()), std::abs(b.real())) < 0.01;
            const bool outside = z[i].imag() < 0 || z[i].imag() > height;
            if (round || outside || upright || std::min(std::abs(a), std::abs(b)) < lineWidth)
                continue;
            if (const double angle = std::abs(std::arg(b / a)); angle > sharpest.angle)
                sharpest = {angle, line.x[i], line.y[i]};
        }
    }
    return sharpest;
}

void expectSmooth(const System& system, const std::map<std::string, std::string>& options,
                  const std::string& where)
{
    const auto info = plotInfoOf(system, "branch");
    ASSERT_TRUE(info);
    const Plot plot = plotOf(system, PlotRequest{.id = "branch", .options = plotOptions(*info, options)});
    const Turn turn = sharpestTurn(plot);
    EXPECT_LT(turn.angle, 0.1) << where << " at " << turn.x << ", " << turn.y << " of " << plot.y.quantity.id
                               << " over " << plot.x.quantity.id;
}

TEST(FirstPictures, aBranchHasNoCorner)
{
    for (const char* id :
         {"two-body", "three-body", "rigid-body", "tops", "servo-rod", "rolling-body", "sleigh"}) {
        const auto system = kindNamed(id).make();
        const auto info = plotInfoOf(*system, "branch");
        if (!info)
            continue;
        for (const Choice& along : info->options[0].choices)
            for (const char* up : {"auto", "energy", "spin_rate", "growth_rate", "frequency"})
                expectSmooth(*system, {{"x", along.id}, {"y", up}}, id);
    }
    for (const char* preset : {"six", "bent", "gyroscopic", "off-line"}) {
        const auto system =
            kindNamed("three-body").make(readSession(presetNamed("three-body", preset).text).values);
        for (const char* along : {"kappa", "tau", "e1", "e2"})
            for (const char* up : {"theta21", "energy", "growth_rate"})
                expectSmooth(*system, {{"x", along}, {"y", up}}, preset);
    }
}

TEST(FirstPictures, theChartsOfTheRodHaveNoCorner)
{
    for (const char* preset : {"heavy-hub", "long-boom", "radial-disc", "flung-out", "tilted-offset"}) {
        const auto system = kindNamed("rod").make(readSession(presetNamed("rod", preset).text).values);
        for (const char* show : {"tip", "blocks", "frequencies"})
            expectSmooth(*system, {{"show", show}}, std::string(preset) + " " + show);
    }
}

TEST(FirstPictures, theAxesOfAMapAreToldApart)
{
    for (const Opened& one : everySystem())
        for (const PlotInfo& info : plotsOf(*one.system))
            if (info.id == "map") {
                const Plot plot = opened(one, info, [](const Plot&) { return true; });
                EXPECT_NE(plot.x.quantity.symbol, plot.y.quantity.symbol) << one.name;
                for (const HeatMap& map : plot.maps)
                    for (const std::string& kind : map.labels)
                        EXPECT_TRUE(kind.find(' ') != std::string::npos ||
                                    kind.find_first_of("-_") == std::string::npos)
                            << one.name << " speaks in codes: " << kind;
            }
}

TEST(FirstPictures, aMapShowsMoreThanOneRegion)
{
    for (const Opened& one : everySystem())
        for (const PlotInfo& info : plotsOf(*one.system))
            if (info.id == "map") {
                const Plot plot = opened(one, info, hasRegions);
                EXPECT_TRUE(hasRegions(plot))
                    << one.name << ": " << plot.y.quantity.id << " over " << plot.x.quantity.id << ", "
                    << (plot.maps.empty() ? 0 : plot.maps.front().labels.size()) << " kinds, blank "
                    << (plot.maps.empty() ? 1 : shareOfBlankCells(plot.maps.front())) << ", commonest "
                    << (plot.maps.empty() ? 1 : shareOfTheCommonest(plot.maps.front())) << "; " << plot.note;
            }
}

} // namespace
} // namespace casimir
