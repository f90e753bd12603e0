#include "core/analysis/parameter_map.h"

#include "core/analysis/consistency.h"
#include "core/analysis/number_path.h"
#include "core/analysis/parameter_axis.h"
#include "core/base/error.h"
#include "core/base/recent_answers.h"
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

// One kind in more of the answers than this is no map; then a number says more.
constexpr double oneBlock = 0.97;

constexpr const char* noAnswer = "";
constexpr const char* whatDiffers = "auto";
constexpr const char* theKinds = "kinds";

struct Cell {
    std::string kind = noAnswer;
    double growth = std::numeric_limits<double>::quiet_NaN(); // the fastest of all equilibria
    double frequency = growth;
};

struct MapAnswer {
    std::vector<Cell> cells; // as HeatMap::values
    int side = 0;
    std::vector<std::string> kinds, names; // of all cells; the kinds in the order of their colours
    std::string note;
};

RecentAnswers<MapAnswer>& recentMaps()
{
    static RecentAnswers<MapAnswer> recent(4);
    return recent;
}

Cell cellAt(const System& system, const StateInputs& start, const ParameterAxis& x, const ParameterAxis& y,
            double partX, double partY, std::vector<std::string>& names)
{
    Cell cell;
    const auto there = systemWith(system, {{x.address, x.at(partX)}, {y.address, y.at(partY)}});
    if (!there)
        return cell;
    try {
        const Analysis analysis = consistent(quickAnalysisFrom(*there, start));
        cell.kind = countText(analysis);
        for (const Equilibrium& e : analysis.equilibria) {
            cell.growth = std::fmax(cell.growth, std::fmax(growthRate(e), 0));
            cell.frequency = std::fmax(cell.frequency, largestFrequency(e));
            if (std::find(names.begin(), names.end(), e.name) == names.end())
                names.push_back(e.name);
        }
    } catch (const Error&) {
        // The start is not allowed with these values.
    }
    return cell;
}

// In the order in which they were met, so that a finer stage keeps the colours of a coarser one.
void addKinds(MapAnswer& answer)
{
    std::vector<std::string> met;
    for (const Cell& cell : answer.cells)
        if (cell.kind != noAnswer && std::find(met.begin(), met.end(), cell.kind) == met.end() &&
            std::find(answer.kinds.begin(), answer.kinds.end(), cell.kind) == answer.kinds.end())
            met.push_back(cell.kind);
    std::sort(met.begin(), met.end());
    answer.kinds.insert(answer.kinds.end(), met.begin(), met.end());
}

HeatMap framed(const MapAnswer& answer)
{
    HeatMap map;
    map.columns = map.rows = answer.side;
    map.blank = "not allowed with the other values";
    return map;
}

HeatMap mapOfKinds(const MapAnswer& answer)
{
    HeatMap map = framed(answer);
    map.labels = answer.kinds;
    map.quantity = {"equilibria", "", "equilibria", ""};
    map.max = static_cast<double>(std::max<std::size_t>(answer.kinds.size(), 2) - 1);
    for (const Cell& cell : answer.cells)
        map.values.push_back(
            cell.kind == noAnswer
                ? std::numeric_limits<float>::quiet_NaN()
                : static_cast<float>(std::find(answer.kinds.begin(), answer.kinds.end(), cell.kind) -
                                     answer.kinds.begin()));
    return map;
}

struct Number {
    Quantity quantity; // by its id in a path of number_path.h
    double Cell::*value;
};
const Number growth{{"growth_rate", "max Re s", "fastest growth", "rad/s"}, &Cell::growth},
    frequency{{"frequency", "max Im s", "fastest vibration", "rad/s"}, &Cell::frequency};

HeatMap mapOfNumbers(const MapAnswer& answer, const Number& shown)
{
    HeatMap map = framed(answer);
    map.quantity = shown.quantity;
    map.smooth = true;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Cell& cell : answer.cells) {
        const double x = cell.*shown.value;
        map.values.push_back(static_cast<float>(x));
        if (std::isfinite(x)) {
            low = std::min(low, x);
            high = std::max(high, x);
        }
    }
    if (low < high) {
        map.min = low;
        map.max = high;
    }
    return map;
}

bool isOneBlock(const MapAnswer& answer)
{
    const auto answered = std::count_if(answer.cells.begin(), answer.cells.end(),
                                        [](const Cell& c) { return c.kind != noAnswer; });
    return std::any_of(answer.kinds.begin(), answer.kinds.end(), [&](const std::string& kind) {
        return static_cast<double>(std::count_if(answer.cells.begin(), answer.cells.end(),
                                                 [&](const Cell& c) { return c.kind == kind; })) >
               oneBlock * static_cast<double>(answered);
    });
}

bool differsOver(const MapAnswer& answer, const Number& number)
{
    const HeatMap map = mapOfNumbers(answer, number);
    constexpr double leastPart = 1e-3; // of the largest: less is one shade
    return map.max - map.min > leastPart * std::abs(map.max) && map.max > 0 &&
           std::any_of(map.values.begin(), map.values.end(), [&map](float v) { return v > map.min; });
}

const Number* numberShown(const MapAnswer& answer, const std::string& show)
{
    for (const Number* number : {&growth, &frequency})
        if (number->quantity.id == show ||
            (show == whatDiffers && isOneBlock(answer) && differsOver(answer, *number)))
            return number;
    return nullptr;
}

void draw(const MapAnswer& answer, const std::string& show, Plot& plot)
{
    plot.note = answer.note;
    plot.swept.clear();
    if (const Number* number = numberShown(answer, show)) {
        plot.title =
            number == &growth ? "Fastest growth of the equilibria" : "Fastest vibration of the equilibria";
        plot.maps = {mapOfNumbers(answer, *number)};
        for (const std::string& name : answer.names)
            plot.swept.push_back("equilibria." + name + "." + number->quantity.id);
        return;
    }
    plot.title = "Equilibria and their stability";
    plot.maps = {mapOfKinds(answer)};
    plot.swept = countPaths();
}

// The two that say most: aliases are the paper's own combinations and stand last; without two that can be
// chosen independently of each other, the last and the first parameter that does not move with it.
std::pair<std::string, std::string> usualAxes(const System& system)
{
    if (const System::UsualAxes own = system.usualAxes(); !own.x.empty())
        return {own.x, own.y};
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
    if (!analysis.status.ok() && analysis.equilibria.empty()) {
        std::string words = analysis.status.code;
        std::replace(words.begin(), words.end(), '-', ' ');
        return words;
    }
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
    info.options = {axisOption(system, "x", "along", x),
                    axisOption(system, "y", "upwards", y),
                    choiceParameter({"show", "", "shown", "", "What of the equilibria is drawn.", ""},
                                    {{whatDiffers, "what differs"},
                                     {theKinds, "how many, and their stability"},
                                     {growth.quantity.id, growth.quantity.name},
                                     {frequency.quantity.id, frequency.quantity.name}},
                                    whatDiffers),
                    limitOption("x_from", "from"),
                    limitOption("x_to", "to"),
                    limitOption("y_from", "upwards from"),
                    limitOption("y_to", "upwards to")};
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
    plot.x = x.plotAxis();
    plot.y = y.plotAxis();
    plot.automatic = {{"x_from", x.from}, {"x_to", x.to}, {"y_from", y.from}, {"y_to", y.to}};
    if (std::isfinite(x.present) && std::isfinite(y.present))
        plot.handles.push_back({"present", x.present, y.present, x.address, y.address});

    const std::string& show = chosen.choice("show");
    const StateInputs start = startThatCounts(system, request.start);
    const std::string key = placeApart(system, {x, y}) + startKey(system, start);
    if (const auto known = recentMaps().find(key)) {
        draw(*known, show, plot);
        return plot;
    }
    const auto begin = std::chrono::steady_clock::now();
    auto answer = std::make_shared<MapAnswer>();
    for (const int side : stages) {
        const int before = answer->side;
        const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (before > 0 && spent * side * side / (before * before) > patience)
            break;
        std::vector<Cell> finer(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
        for (int row = 0; row < side; ++row) {
            if (request.cancelled && request.cancelled())
                return plot;
            for (int column = 0; column < side; ++column) {
                Cell& cell = finer[static_cast<std::size_t>(row * side + column)];
                if (before > 0 && row % 3 == 1 && column % 3 == 1)
                    cell = answer->cells[static_cast<std::size_t>(row / 3 * before + column / 3)];
                else
                    cell =
                        cellAt(system, start, x, y, (column + 0.5) / side, (row + 0.5) / side, answer->names);
            }
        }
        answer->cells = std::move(finer);
        answer->side = side;
        addKinds(*answer);
        draw(*answer, show, plot);
        if (request.publish && side != finest)
            request.publish(plot, static_cast<double>(side * side) / (finest * finest));
    }
    const auto unanswered = std::count_if(answer->cells.begin(), answer->cells.end(),
                                          [](const Cell& cell) { return cell.kind == noAnswer; });
    if (static_cast<double>(unanswered) > onlyByChance * static_cast<double>(answer->cells.size()))
        answer->note = fmt::format("{} and {} cannot be chosen independently of each other here.",
                                   x.quantity.symbol, y.quantity.symbol);
    plot.note = answer->note;
    recentMaps().add(key, answer);
    return plot;
}

} // namespace casimir
