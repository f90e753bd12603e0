#include "core/analysis/branch_plot.h"

#include "core/analysis/branches.h"
#include "core/analysis/consistency.h"
#include "core/analysis/nice_limits.h"
#include "core/analysis/spectrum.h"
#include "core/base/error.h"
#include "core/base/recent_answers.h"
#include "core/model/corners.h"
#include "core/model/kind.h"
#include "core/model/quick_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace casimir {

namespace {

constexpr const char* firstThatChanges = "auto";
constexpr double varies = 1e-7; // less of its own size is rounding of a constant
constexpr double periodShown =
    1.1; // an angle is seen a little beyond its turn, so that no branch lies on the rim
constexpr double mostOfTheRange =
    25; // a branch that runs off farther than this times the rest is cut by the frame
constexpr std::size_t mostNamed = 8; // more names would cover the picture

RecentAnswers<BranchDiagram>& recentDiagrams()
{
    static RecentAnswers<BranchDiagram> recent(6);
    return recent;
}

// The last alias is the paper's own combination; without one, what was listed last, as momenta and rates are.
std::string usualAxis(const System& system, const std::vector<Choice>& choices)
{
    const std::string own = system.usualAxes().along;
    return own.empty() ? choices.back().id : own;
}

double valueOf(const BranchDiagram& diagram, std::size_t sample, std::size_t state, std::size_t quantity)
{
    return diagram.samples[sample].states[state].values[quantity];
}

struct Spread {
    std::vector<double> sorted;

    explicit Spread(const BranchDiagram& diagram, std::size_t quantity)
    {
        for (const BranchSample& sample : diagram.samples)
            for (const BranchState& state : sample.states)
                if (std::isfinite(state.values[quantity]))
                    sorted.push_back(state.values[quantity]);
        std::sort(sorted.begin(), sorted.end());
    }
    double at(double part) const
    {
        return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
    }
};

// What differs by less is rounding: of numbers measured in the same unit, or of none that are known.
double noiseOf(const BranchDiagram& diagram, std::size_t quantity)
{
    constexpr double ofTheSameUnit = 1e-9, ofNone = 1e-12;
    double largest = 0;
    for (std::size_t i = 0; i < diagram.quantities.size(); ++i)
        if (diagram.quantities[i].unit == diagram.quantities[quantity].unit)
            for (const BranchSample& sample : diagram.samples)
                for (const BranchState& state : sample.states)
                    if (std::isfinite(state.values[i]))
                        largest = std::max(largest, std::abs(state.values[i]));
    return std::max(ofTheSameUnit * largest, ofNone);
}

bool changesAlong(const BranchDiagram& diagram, const Branch& branch, std::size_t quantity, double noise)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t k = 0; k < branch.states.size(); ++k) {
        const double y = valueOf(diagram, branch.first + k, branch.states[k], quantity);
        if (std::isfinite(y)) {
            low = std::min(low, y);
            high = std::max(high, y);
        }
    }
    return high - low > std::max(noise, varies * std::max(std::abs(high), std::abs(low)));
}

std::size_t chosenQuantity(const BranchDiagram& diagram, const std::string& id)
{
    for (std::size_t i = 0; i < diagram.quantities.size(); ++i) {
        if (diagram.quantities[i].id == id)
            return i;
        if (id != firstThatChanges)
            continue;
        const double noise = noiseOf(diagram, i);
        if (std::any_of(diagram.branches.begin(), diagram.branches.end(),
                        [&](const Branch& branch) { return changesAlong(diagram, branch, i, noise); }))
            return i;
    }
    return 0;
}

PlotAxis upwards(const BranchDiagram& diagram, std::size_t quantity)
{
    const Quantity& q = diagram.quantities[quantity];
    if (q.period > 0)
        return {q, -periodShown * q.period / 2, periodShown * q.period / 2};
    const Spread spread(diagram, quantity);
    if (spread.sorted.empty())
        return {q, 0, 1};
    double low = spread.at(0), high = spread.at(1);
    if (const double noise = noiseOf(diagram, quantity); high - low <= noise)
        low = high = std::abs(low + high) / 2 <= noise ? 0 : (low + high) / 2;
    const double tenth = spread.at(0.1), most = spread.at(0.9);
    if (high - low > mostOfTheRange * (most - tenth) && most > tenth) {
        low = std::max(low, tenth - (most - tenth));
        high = std::min(high, most + (most - tenth));
    }
    const auto [from, to] = roundLimits(low, high);
    return {q, from, to};
}

LineStyle styleOf(const std::string& stability)
{
    if (stability == verdict::stable || stability == verdict::asymptoticallyStable)
        return LineStyle::Solid;
    return stability == verdict::unstable ? LineStyle::Dotted : LineStyle::Dashed;
}

void addLines(const BranchDiagram& diagram, std::size_t quantity, Plot& plot)
{
    Polyline line;
    const auto finish = [&] {
        if (line.x.size() > 1)
            plot.lines.push_back(line);
        line.x.clear();
        line.y.clear();
    };
    for (const Branch& branch : diagram.branches) {
        for (std::size_t k = 0; k < branch.states.size(); ++k) {
            const BranchSample& sample = diagram.samples[branch.first + k];
            const BranchState& state = sample.states[branch.states[k]];
            const double y = state.values[quantity];
            if (!std::isfinite(y)) {
                finish();
                continue;
            }
            if (line.label != state.stability) {
                // The two styles meet between the samples.
                const bool joins = !line.x.empty();
                const double x0 = joins ? line.x.back() : 0, y0 = joins ? line.y.back() : 0;
                finish();
                line.label = state.stability;
                line.colour = verdictColour(state.stability);
                line.style = styleOf(state.stability);
                line.emphasised = true;
                if (joins) {
                    line.x.push_back(x0);
                    line.y.push_back(y0);
                }
            }
            line.x.push_back(sample.parameter);
            line.y.push_back(y);
        }
        finish();
        line.label.clear();
    }
}

// The middles of the pieces beside every corner of a curve as it is drawn.
std::vector<double> besideCorners(const BranchDiagram& diagram, const std::string& y)
{
    const std::size_t quantity = chosenQuantity(diagram, y);
    const PlotAxis across = diagram.axis.plotAxis(), up = upwards(diagram, quantity);
    constexpr double leastPart = 1e-5; // of the axis: nothing is seen to turn within it
    std::set<double> parts;
    std::vector<double> xs, ys;
    for (const Branch& branch : diagram.branches) {
        xs.clear();
        ys.clear();
        for (std::size_t k = 0; k < branch.states.size(); ++k) {
            xs.push_back(diagram.samples[branch.first + k].parameter);
            ys.push_back(valueOf(diagram, branch.first + k, branch.states[k], quantity));
        }
        for (const std::size_t i : corners(xs, ys, across, up))
            for (const std::size_t before : {i - 1, i}) {
                const double from = diagram.samples[branch.first + before].part,
                             to = diagram.samples[branch.first + before + 1].part;
                if (to - from > leastPart)
                    parts.insert(from + (to - from) / 2);
            }
    }
    return {parts.begin(), parts.end()};
}

std::string gapNote(const BranchDiagram& diagram)
{
    const auto gap = std::find_if(diagram.samples.begin(), diagram.samples.end(),
                                  [](const BranchSample& sample) { return !sample.answered; });
    if (gap == diagram.samples.end())
        return {};
    if (std::none_of(diagram.samples.begin(), diagram.samples.end(),
                     [](const BranchSample& sample) { return sample.answered; }))
        return gap->status.sentence.empty()
                   ? fmt::format("No value of {} shown here is allowed with the others.",
                                 diagram.axis.quantity.symbol)
                   : gap->status.sentence;
    return gap->status.sentence.empty()
               ? fmt::format("Where no branch is drawn, the value of {} is not allowed with the others.",
                             diagram.axis.quantity.symbol)
               : gap->status.sentence;
}

// What is drawn of every equilibrium met along the axis, and whether it is stable.
std::vector<std::string> sweptPaths(const BranchDiagram& diagram, std::size_t quantity)
{
    const std::string& id = diagram.quantities[quantity].id;
    const bool ofEquilibrium =
        id == "energy" || id == "spin_rate" || id == "growth_rate" || id == "frequency";
    std::vector<std::string> names;
    for (const BranchSample& sample : diagram.samples)
        for (const BranchState& state : sample.states)
            if (std::find(names.begin(), names.end(), state.name) == names.end())
                names.push_back(state.name);
    std::vector<std::string> paths;
    for (const std::string& name : names)
        for (const std::string& what : {ofEquilibrium ? id : "state." + id, std::string("stable")})
            paths.push_back(fmt::format("equilibria.{}.{}", name, what));
    return paths;
}

Plot drawn(const System& system, const BranchDiagram& diagram, const StateInputs& start, const std::string& y)
{
    const std::size_t quantity = chosenQuantity(diagram, y);
    Plot plot;
    plot.id = "branch";
    plot.title = "Branches of equilibria";
    plot.x = diagram.axis.plotAxis();
    plot.y = upwards(diagram, quantity);
    addLines(diagram, quantity, plot);
    plot.automatic = {{"from", plot.x.min}, {"to", plot.x.max}};
    plot.swept = sweptPaths(diagram, quantity);
    plot.note = gapNote(diagram);
    if (plot.lines.empty() && plot.note.empty())
        plot.note = fmt::format("There are no equilibria along the values of {} shown here.",
                                diagram.axis.quantity.symbol);
    for (const SpecialPoint& special : diagram.specials) {
        const double at = valueOf(diagram, special.sample, special.state, quantity);
        if (std::isfinite(at))
            plot.marks.push_back({.x = special.parameter,
                                  .y = at,
                                  .shape = MarkShape::Ring,
                                  .colour = {Role::Separatrix},
                                  .label = special.label});
    }

    if (!std::isfinite(diagram.axis.present))
        return plot;
    Polyline present;
    // In steps short of half a turn, which would be read as a jump across the seam.
    for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        present.x.push_back(diagram.axis.present);
        present.y.push_back(plot.y.min + part * (plot.y.max - plot.y.min));
    }
    present.colour = {Role::Guide};
    plot.lines.push_back(std::move(present));
    // On the axis; of an angle, where it is seen once.
    const double period = plot.y.quantity.period;
    const double foot = period > 0 ? plot.y.max - period + 1e-3 * period : plot.y.min;
    plot.handles.push_back({"present", diagram.axis.present, foot, diagram.axis.address, ""});
    const Analysis analysis = consistent(quickAnalysisFrom(system, start));
    for (const Equilibrium& e : analysis.equilibria) {
        const double at = branchValues(system, diagram.quantities, e)[quantity];
        if (std::isfinite(at))
            plot.marks.push_back({.x = diagram.axis.present,
                                  .y = at,
                                  .shape = verdictShape(e.stability),
                                  .colour = verdictColour(e.stability),
                                  .label = analysis.equilibria.size() <= mostNamed ? e.title : "",
                                  .id = e.name});
    }
    shareLabels(plot);
    return plot;
}

} // namespace

PlotInfo branchInfo(const System& system)
{
    PlotInfo info{.id = "branch",
                  .title = "Branches",
                  .longRunning = true,
                  .followsStart = system.analysisFollowsStart()};
    const std::vector<Choice> choices = axisChoices(system);
    if (choices.empty())
        return info;
    std::vector<Choice> upwards{{firstThatChanges, "the first that changes"}};
    for (const Quantity& q : branchQuantities(system))
        upwards.push_back({q.id, q.name});
    const std::string own = system.usualAxes().upwards;
    info.options = {axisOption(system, "x", "along", usualAxis(system, choices)),
                    choiceParameter({"y", "", "upwards", "", "What of the equilibria is drawn.", ""}, upwards,
                                    own.empty() ? firstThatChanges : own),
                    limitOption("from", "from"), limitOption("to", "to")};
    return info;
}

Plot branchPlot(const System& system, const PlotRequest& request)
{
    const std::string y = request.options.choice("y");
    const ParameterAxis axis = parameterAxis(system, request.options.choice("x"),
                                             request.options.real("from"), request.options.real("to"));
    const StateInputs& start = request.start;
    const std::string key = placeApart(system, {axis}) + startKey(system, start);
    const auto wanted = [&y](const BranchDiagram& diagram) { return besideCorners(diagram, y); };
    BranchDiagram diagram;
    if (const auto known = recentDiagrams().find(key)) {
        diagram = refined(system, *known, start, request.cancelled, wanted);
        diagram.axis.present = axis.present;
    } else {
        diagram = followBranches(
            system, axis, start, request.cancelled,
            [&](const BranchDiagram& coarser, double progress) {
                if (request.publish)
                    request.publish(drawn(system, coarser, start, y), progress);
            },
            wanted);
    }
    if (!(request.cancelled && request.cancelled()))
        recentDiagrams().add(key, std::make_shared<const BranchDiagram>(diagram));
    return drawn(system, diagram, start, y);
}

std::optional<BranchPoint> branchPointAt(const System& system, const StateInputs& start, const Plot& plot,
                                         double x, double y)
{
    const std::vector<Choice> axes = axisChoices(system);
    const std::string& address = plot.x.quantity.id;
    if (plot.id != "branch" || plot.swept.empty() ||
        std::none_of(axes.begin(), axes.end(), [&](const Choice& c) { return c.id == address; }))
        return std::nullopt;
    const Assignment parameter{address, x};
    const auto there = systemWith(system, {parameter});
    if (!there)
        return std::nullopt;
    std::optional<BranchPoint> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (const Equilibrium& e : consistent(there->analyzeFrom(start, {})).equilibria) {
        const double at = branchValues(*there, {plot.y.quantity}, e).front();
        const double period = plot.y.quantity.period;
        const double off = std::abs(period > 0 ? std::remainder(at - y, period) : at - y);
        if (off < least) {
            least = off;
            nearest = BranchPoint{parameter, there->inputsOf(e.point), e.name,
                                  period > 0 ? y + std::remainder(at - y, period) : at};
        }
    }
    return nearest;
}

} // namespace casimir
