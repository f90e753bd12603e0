#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/general_plots.h"
#include "core/analysis/number_path.h"
#include "core/base/error.h"
#include "core/systems/catalogue.h"

#include <fmt/format.h>

#include <algorithm>

namespace casimir::cli {

namespace {

// Candidates for what follows an option; a `name=` has no space behind it.
std::vector<std::string> namesFor(const std::string& option, const Kind& kind)
{
    std::vector<std::string> names;
    if (option == "--set" || option == "--vary") {
        for (const Parameter& parameter : kind.schema.parameters())
            names.push_back(parameter.id + "=");
        for (const Alias& alias : kind.schema.aliases())
            names.push_back(alias.description.id + "=");
    } else if (option == "--state") {
        for (const StateInput& input : kind.make()->inputs())
            names.push_back(input.quantity.id + "=");
    } else if (option == "--preset") {
        for (const Preset& preset : presetsOf(kind.id))
            names.push_back(preset.id);
    } else if (option == "--quantity") {
        const auto system = kind.make();
        names = numberPaths(*system, system->analyze({}));
    } else if (option == "--view") {
        for (const ViewInfo& view : viewsOf(*kind.make()))
            names.push_back(view.id);
    } else if (option == "--option") {
        for (const PlotInfo& plot : plotsOf(*kind.make()))
            for (const Parameter& parameter : plot.options)
                names.push_back(plot.id + "." + parameter.id + "=");
    } else if (option == "--integrator") {
        for (const MethodInfo& method : kind.make()->methods())
            names.emplace_back(method.id);
    }
    return names;
}

} // namespace

std::vector<std::string> complete(const std::vector<std::string>& words)
{
    const std::string typed = words.empty() ? "" : words.back();
    std::vector<std::string> candidates;
    if (words.size() <= 1) {
        for (const Command& command : commands())
            candidates.push_back(command.name);
        candidates.insert(candidates.end(), {"--help", "--version"});
    } else {
        const auto table = commands();
        const auto command =
            std::find_if(table.begin(), table.end(), [&](const Command& c) { return c.name == words[0]; });
        if (command == table.end())
            return {};
        const Kind* kind = nullptr;
        for (const Kind* candidate : catalogue())
            if (std::find(words.begin() + 1, words.end() - 1, candidate->id) != words.end() - 1)
                kind = candidate;
        const std::string& before = words[words.size() - 2];
        if (kind)
            candidates = namesFor(before, *kind);
        if (candidates.empty() && typed.starts_with("-")) {
            for (const Option& option : command->options)
                candidates.push_back(option.name);
            if (kind && command->openOptions)
                for (const Question& question : kind->make()->questions())
                    candidates.push_back("--" + question.quantity.id);
        } else if (candidates.empty() && command->positional == "[SHELL]") {
            candidates = {"bash"};
        } else if (candidates.empty() && !kind) {
            for (const Kind* candidate : catalogue())
                candidates.push_back(candidate->id);
        }
    }
    std::erase_if(candidates,
                  [&typed](const std::string& candidate) { return !candidate.starts_with(typed); });
    return candidates;
}

int completion(const Arguments& arguments)
{
    const std::string shell = arguments.system().empty() ? "bash" : arguments.system();
    if (shell != "bash")
        throw Error(fmt::format("there is no completion for '{}'; known are bash", shell));
    print(R"~(# bash completion for casimir; use it with: source <(casimir completion bash)
_casimir() {
    local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    mapfile -t COMPREPLY < <(casimir complete "${words[@]}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    elif [[ ${#COMPREPLY[@]} -eq 0 ]]; then
        compopt -o default
    fi
}
complete -F _casimir casimir
)~");
    return 0;
}

} // namespace casimir::cli
