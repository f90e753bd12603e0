#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/general_plots.h"
#include "core/base/number_text.h"
#include "core/files/value_json.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace casimir::cli {

namespace {

using Json = nlohmann::ordered_json;

const char* typeWord(ParameterType type)
{
    switch (type) {
    case ParameterType::Real:
        return "real";
    case ParameterType::Integer:
        return "integer";
    case ParameterType::Choice:
        return "choice";
    case ParameterType::Text:
        return "text";
    case ParameterType::Vector:
        return "vector";
    case ParameterType::Matrix:
        return "matrix";
    case ParameterType::List:
        return "list";
    }
    return "";
}

Json describe(const Quantity& quantity)
{
    return {
        {"id", quantity.id}, {"symbol", quantity.symbol}, {"name", quantity.name}, {"unit", quantity.unit}};
}

Json describe(const Parameter& parameter)
{
    Json json{{"id", parameter.id},          {"symbol", parameter.symbol},       {"name", parameter.name},
              {"unit", parameter.unit},      {"type", typeWord(parameter.type)}, {"group", parameter.group},
              {"meaning", parameter.meaning}};
    if (parameter.type != ParameterType::List)
        json["default"] = toJson(parameter.defaultValue);
    if (parameter.type == ParameterType::Choice)
        for (const Choice& choice : parameter.choices)
            json["choices"].push_back(choice.id);
    else if (parameter.type != ParameterType::List && parameter.type != ParameterType::Text)
        json["allowed"] = parameter.range.describe();
    for (const Parameter& field : parameter.fields)
        json["fields"].push_back(describe(field));
    return json;
}

Json describe(const Kind& kind)
{
    const auto system = kind.make();
    Json json{{"id", kind.id}, {"title", kind.title}, {"paper", kind.paper}, {"summary", kind.summary}};
    for (const char* key : {"parameters", "aliases", "state", "presets", "views", "quantities", "methods"})
        json[key] = Json::array();
    for (const Parameter& parameter : kind.schema.parameters())
        json["parameters"].push_back(describe(parameter));
    for (const Alias& alias : kind.schema.aliases())
        json["aliases"].push_back(describe(alias.description));
    for (const StateInput& input : system->inputs()) {
        Json entry = describe(input.quantity);
        entry["default"] = input.defaultValue;
        json["state"].push_back(entry);
    }
    for (const Preset& preset : presetsOf(kind.id))
        json["presets"].push_back({{"id", preset.id}, {"title", preset.title}, {"about", preset.about}});
    const std::vector<PlotInfo> plots = plotsOf(*system);
    for (const ViewInfo& view : viewsOf(*system)) {
        Json entry{{"id", view.id}, {"title", view.title}};
        for (const PlotInfo& plot : plots)
            if (plot.id == view.plot && !plot.options.empty()) {
                entry["plot"] = plot.id;
                for (const Parameter& option : plot.options)
                    entry["options"].push_back(describe(option));
            }
        json["views"].push_back(entry);
    }
    for (const Quantity& quantity : system->quantities())
        json["quantities"].push_back(describe(quantity));
    for (const MethodInfo& method : system->methods())
        json["methods"].push_back({{"id", method.id}, {"name", method.name}});
    return json;
}

std::string text(const Json& kind)
{
    const auto word = [](const Json& json, const char* key) { return json[key].get<std::string>(); };
    std::string result = fmt::format("{}: {}\n{}\n{}\n\nparameters (--set):\n", word(kind, "id"),
                                     word(kind, "title"), word(kind, "summary"), word(kind, "paper"));
    const auto line = [&](const Json& entry) {
        const std::string standard = !entry.contains("default") ? ""
                                     : entry["default"].is_number()
                                         ? numberText(entry["default"].get<double>())
                                     : entry["default"].is_string() ? entry["default"].get<std::string>()
                                                                    : entry["default"].dump();
        result += fmt::format("  {:<12} {:<10} {:<10} {}\n", word(entry, "id"), standard, word(entry, "unit"),
                              word(entry, "name"));
    };
    for (const Json& entry : kind["parameters"])
        line(entry);
    if (!kind["aliases"].empty())
        result += "computed from these, and can be set instead:\n";
    for (const Json& entry : kind["aliases"])
        result += fmt::format("  {:<12} {:<10} {:<10} {}\n", word(entry, "id"), "", word(entry, "unit"),
                              word(entry, "name"));
    result += "\nstate (--state):\n";
    for (const Json& entry : kind["state"])
        line(entry);
    result += "\npresets (--preset):\n";
    for (const Json& entry : kind["presets"])
        result += fmt::format("  {:<18} {}\n", word(entry, "id"), word(entry, "title"));
    const auto named = [&](const char* key, const char* option, const char* words) {
        result += fmt::format("\n{} ({}):\n", key, option);
        for (const Json& entry : kind[key])
            result += fmt::format("  {:<18} {}\n", word(entry, "id"), word(entry, words));
    };
    named("views", "--view", "title");
    named("methods", "--integrator", "name");
    named("quantities", "columns of simulate", "name");
    return result;
}

} // namespace

int list(const Arguments& arguments)
{
    std::vector<const Kind*> kinds(catalogue().begin(), catalogue().end());
    if (!arguments.system().empty())
        kinds = {&kindNamed(arguments.system())};
    if (arguments.has("--names")) {
        // A portrait on its surface says most, then any plot, then the stage.
        for (const Kind* kind : kinds) {
            const auto plots = kind->make()->plots();
            const std::string view = plots.empty()                        ? "stage"
                                     : plots.front().embeddedView.empty() ? plots.front().id
                                                                          : plots.front().embeddedView;
            print(fmt::format("{} {}\n", kind->id, view));
        }
    } else if (arguments.has("--json")) {
        Json json = Json::array();
        for (const Kind* kind : kinds)
            json.push_back(describe(*kind));
        print(Json{{"systems", json}}.dump(2) + "\n");
    } else if (!arguments.system().empty()) {
        print(text(describe(*kinds.front())));
    } else {
        for (const Kind* kind : kinds)
            print(fmt::format("{:<14} {}\n", kind->id, kind->summary));
        print("\n'casimir list SYSTEM' tells its parameters, presets, views and quantities.\n");
    }
    return 0;
}

} // namespace casimir::cli
