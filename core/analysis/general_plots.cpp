#include "core/analysis/general_plots.h"

#include "core/analysis/branch_plot.h"
#include "core/analysis/parameter_map.h"
#include "core/analysis/spectrum.h"
#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/model/kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

namespace casimir {

namespace {

// What views of plots let a person switch, whatever the plot.
constexpr const char* switches[] = {"legend", "grid", "scale", "orbit"};

// What the stage lets a person choose, and from which names: "stage.shown" -> the layers.
std::map<std::string, std::vector<std::string>> stageChoices(const System& system)
{
    const Scene scene = system.scene();
    if (scene.empty())
        return {};
    std::map<std::string, std::vector<std::string>> choices;
    for (const ReferenceFrame& frame : scene.frames)
        choices["stage.frame"].push_back(frame.id);
    for (const Layer& layer : scene.layers)
        choices[layer.shown ? "stage.hidden" : "stage.shown"].push_back(layer.id);
    for (const TracePoint& point : scene.points)
        choices["stage.traced"].push_back(point.id);
    if (!scene.points.empty())
        choices["stage.traced"].push_back("none");
    return choices;
}

// One name, or several with commas where more than one may be chosen.
void checkChoice(const std::string& key, const std::string& text, const std::vector<std::string>& names)
{
    std::istringstream words(text);
    for (std::string word; key == "stage.frame" ? std::getline(words, word) : std::getline(words, word, ',');)
        if (std::find(names.begin(), names.end(), word) == names.end())
            throw Error(fmt::format("unknown name '{}' in {}; {}", word, key, didYouMean(word, names)));
}

bool offers(const System& system, std::string_view id)
{
    const auto own = system.plots();
    return std::any_of(own.begin(), own.end(), [id](const PlotInfo& info) { return info.id == id; });
}

} // namespace

std::vector<PlotInfo> plotsOf(const System& system)
{
    std::vector<PlotInfo> all = system.plots();
    if (!system.hasEquilibria())
        return all;
    const std::size_t own = all.size();
    const auto add = [&](PlotInfo info, bool possible) {
        const bool offered = std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(own),
                                         [&info](const PlotInfo& x) { return x.id == info.id; });
        if (possible && !offered)
            all.push_back(std::move(info));
    };
    add(spectrumInfo(system), true);
    PlotInfo branch = branchInfo(system), map = parameterMapInfo(system);
    const bool one = !branch.options.empty(), two = !map.options.empty();
    add(std::move(branch), one);
    add(std::move(map), two);
    return all;
}

std::optional<PlotInfo> plotInfoOf(const System& system, std::string_view id)
{
    for (PlotInfo& info : plotsOf(system))
        if (info.id == id)
            return std::move(info);
    return std::nullopt;
}

Plot plotOf(const System& system, const PlotRequest& request)
{
    if (system.hasEquilibria() && !offers(system, request.id)) {
        if (request.id == "spectrum")
            return spectrumPlot(system, request.start);
        if (request.id == "branch")
            return branchPlot(system, request);
        if (request.id == "map")
            return parameterMap(system, request);
    }
    return system.plot(request);
}

Plot plotOf(const System& system, std::string_view id)
{
    PlotRequest request{std::string(id)};
    if (const auto info = plotInfoOf(system, id))
        request.options = plotOptions(*info, {});
    return plotOf(system, request);
}

std::vector<ViewInfo> viewsOf(const System& system)
{
    std::vector<ViewInfo> views;
    if (!system.scene().empty())
        views.push_back({"stage", "Stage"});
    for (const PlotInfo& plot : plotsOf(system)) {
        const auto inSpace = [&](const std::string& id) {
            if (id.empty())
                return;
            std::string title = id;
            title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
            views.push_back({id, title, plot.id});
        };
        inSpace(plot.embeddedView);
        views.push_back({plot.id, plot.title, plot.id});
        inSpace(plot.reliefView);
    }
    views.push_back({"series", "Time series"});
    views.push_back({"invariants", "Invariants"});
    return views;
}

void checkPlotOptions(const System& system, const std::map<std::string, std::string>& options)
{
    std::vector<std::string> known;
    std::map<std::string, std::string> switched; // "portrait.legend" -> the view
    const std::vector<PlotInfo> plots = plotsOf(system);
    for (const PlotInfo& info : plots)
        for (const Parameter& option : info.options)
            known.push_back(info.id + "." + option.id);
    std::set<std::string> windows; // "section.window" -> the part that is seen
    for (const ViewInfo& view : viewsOf(system))
        if (!view.plot.empty()) {
            for (const char* name : switches) {
                switched[view.id + "." + name] = view.id;
                known.push_back(view.id + "." + name);
            }
            known.push_back(*windows.insert(view.id + ".window").first);
        }
    const auto choices = stageChoices(system);
    for (const auto& [key, names] : choices)
        known.push_back(key);
    for (const auto& [key, text] : options) {
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw Error(
                fmt::format("unknown option '{}' of {}; {}", key, system.kind().id, didYouMean(key, known)));
        if (const auto choice = choices.find(key); choice != choices.end()) {
            checkChoice(key, text, choice->second);
            continue;
        }
        if (switched.contains(key)) {
            if (text != "on" && text != "off")
                throw Error(fmt::format("{} is on or off, not '{}'", key, text));
            continue;
        }
        if (windows.contains(key)) {
            if (!text.empty() && !plotWindow(text))
                throw Error(fmt::format("{} is four numbers, \"xmin xmax ymin ymax\", not '{}'", key, text));
            continue;
        }
        const std::size_t dot = key.find('.');
        const std::string id = key.substr(0, dot);
        const auto info =
            std::find_if(plots.begin(), plots.end(), [&id](const PlotInfo& x) { return x.id == id; });
        try {
            (void)plotOptions(*info, {{key.substr(dot + 1), text}});
        } catch (const Error& error) {
            throw Error(fmt::format("--option {}={}: {}", key, text, error.what()));
        }
    }
}

} // namespace casimir
