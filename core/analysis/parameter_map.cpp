#include "core/analysis/parameter_map.h"

#include "core/analysis/consistency.h"
#include "core/analysis/number_path.h"
#include "core/analysis/parameter_axis.h"
#include "core/analysis/recent_answers.h"
#include "core/model/error.h"
#include "core/model/kind.h"
#include "core/model/quick_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace casimir {

namespace {

// Cells a side; each centre of a stage is one of the next, so that nothing is computed twice.
constexpr int stages[] = {9, 27, 81};
constexpr int finest = stages[std::size(stages) - 1];
constexpr double patience = 40; // s: a stage that would take longer is not begun

// Of the cells, more than this without an answer: the two are bound to each other, and answers lie along a
// curve.
constexpr double onlyByChance = 0.95;

constexpr const char* noAnswer = "";

struct MapAnswer {
    HeatMap map;
    std::string note;
};

RecentAnswers<MapAnswer>& recentMaps()
{
    static RecentAnswers<MapAnswer> recent(4);
    return recent;
}

std::string kindAt(const System& system, const StateInputs& start, const ParameterAxis& x,
                   const ParameterAxis& y, double partX, double partY)
{
    const auto there = systemWith(system, {{x.address, x.at(partX)}, {y.address, y.at(partY)}});
    if (!there)
        return noAnswer;
    try {
        return countText(consistent(quickAnalysisFrom(*there, start)));
    } catch (const Error&) { // the start is not allowed with these values
        return noAnswer;
    }
}

HeatMap mapOf(const std::vector<std::string>& kinds, int side, std::vector<std::string>& labels)
{
    // In the order in which they were met, so that a finer stage keeps the colours of a coarser one.
    std::vector<std::string> met;
    for (const std::string& kind : kinds)
        if (kind != noAnswer && std::find(met.begin(), met.end(), kind) == met.end() &&
            std::find(labels.begin(), labels.end(), kind) == labels.end())
            met.push_back(kind);
    std::sort(met.begin(), met.end());
    labels.insert(labels.end(), met.begin(), met.end());
    HeatMap map;
    map.columns = map.rows = side;
    map.labels = labels;
    map.quantity = {"equilibria", "", "equilibria", ""};
    map.max = static_cast<double>(std::max<std::size_t>(labels.size(), 2) - 1);
    map.blank = "not allowed with the other values";
    for (const std::string& kind : kinds)
        map.values.push_back(
            kind == noAnswer
                ? std::numeric_limits<float>::quiet_NaN()
                : static_cast<float>(std::find(labels.begin(), labels.end(), kind) - labels.begin()));
    return map;
}

// The two that say most: aliases are the paper's own combinations and stand last; without two that can be
// chosen independently of each other, the last and the first parameter that does not move with it.
std::pair<std::string, std::string> usualAxes(const System& system)
{
    const std::vector<Choice> choices = axisChoices(system);
    const Schema& schema = system.kind().schema;
    const std::string& last = choices.back().id;
    if (schema.alias(last))
        for (auto it = std::next(choices.rbegin()); it != choices.rend() && schema.alias(it->id); ++it)
            if (!areLinked(schema, it->id, last))
                return {it->id, last};
    for (const Choice& choice : choices)
        if (!areLinked(schema, choice.id, last))
            return {choice.id, last};
    return {last, last};
}

} // namespace

std::string countText(const Analysis& analysis)
{
    if (!analysis.status.ok() && analysis.equilibria.empty())
        return analysis.status.code;
    std::string text = std::to_string(analysis.equilibria.size());
    std::string separator = ": ";
    for (const char* word : {verdict::stable, verdict::asymptoticallyStable, verdict::spectrallyStable,
                             verdict::unstable, verdict::degenerate}) {
        const auto n = std::count_if(analysis.equilibria.begin(), analysis.equilibria.end(),
                                     [word](const Equilibrium& e) { return e.stability == word; });
        if (n > 0)
            text += std::exchange(separator, ", ") + std::to_string(n) + " " + word;
    }
    return text;
}

PlotInfo parameterMapInfo(const System& system)
{
    PlotInfo info{
        .id = "map", .title = "Map", .longRunning = true, .followsStart = system.analysisFollowsStart()};
    if (axisChoices(system).size() < 2)
        return info;
    const auto [x, y] = usualAxes(system);
    if (x == y)
        return info;
    info.options = {axisOption(system, "x", "along", x),   axisOption(system, "y", "upwards", y),
                    limitOption("x_from", "from"),         limitOption("x_to", "to"),
                    limitOption("y_from", "upwards from"), limitOption("y_to", "upwards to")};
    return info;
}

Plot parameterMap(const System& system, const PlotRequest& request)
{
    const Values& chosen = request.options;
    const std::string xAddress = chosen.choice("x"), yAddress = chosen.choice("y");
    if (xAddress == yAddress)
        throw Error(fmt::format("a map needs two different parameters, not {} twice", xAddress));
    const ParameterAxis x = parameterAxis(system, xAddress, chosen.real("x_from"), chosen.real("x_to"));
    const ParameterAxis y = parameterAxis(system, yAddress, chosen.real("y_from"), chosen.real("y_to"));

    Plot plot;
    plot.id = "map";
    plot.title = "Equilibria and their stability";
    plot.x = x.plotAxis();
    plot.y = y.plotAxis();
    plot.swept = countPaths();
    if (std::isfinite(x.present) && std::isfinite(y.present))
        plot.handles.push_back({"present", x.present, y.present, x.address, y.address});

    const StateInputs start = startThatCounts(system, request.start);
    const std::string key = placeApart(system, {x, y}) + startKey(system, start);
    if (const auto known = recentMaps().find(key)) {
        plot.maps = {known->map};
        plot.note = known->note;
        return plot;
    }
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::string> kinds, labels;
    int before = 0;
    for (const int side : stages) {
        const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (before > 0 && spent * side * side / (before * before) > patience)
            break;
        std::vector<std::string> finer(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
        for (int row = 0; row < side; ++row) {
            if (request.cancelled && request.cancelled())
                return plot;
            for (int column = 0; column < side; ++column) {
                std::string& kind = finer[static_cast<std::size_t>(row * side + column)];
                if (before > 0 && row % 3 == 1 && column % 3 == 1)
                    kind = kinds[static_cast<std::size_t>(row / 3 * before + column / 3)];
                else
                    kind = kindAt(system, start, x, y, (column + 0.5) / side, (row + 0.5) / side);
            }
        }
        kinds = std::move(finer);
        before = side;
        plot.maps = {mapOf(kinds, side, labels)};
        if (request.publish && side != finest)
            request.publish(plot, static_cast<double>(side * side) / (finest * finest));
    }
    const auto unanswered = std::count(kinds.begin(), kinds.end(), noAnswer);
    if (static_cast<double>(unanswered) > onlyByChance * static_cast<double>(kinds.size()))
        plot.note = fmt::format("{} and {} cannot be chosen independently of each other here.",
                                x.quantity.symbol, y.quantity.symbol);
    recentMaps().add(key, std::make_shared<MapAnswer>(MapAnswer{plot.maps.front(), plot.note}));
    return plot;
}

} // namespace casimir
