#include "app/cli/arguments.h"

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/model/parameter.h"

#include <fmt/format.h>

#include <algorithm>

namespace casimir::cli {

std::string Command::help() const
{
    std::string text = fmt::format("usage: casimir {}{}{}{}\n\n{}\n", name, positional.empty() ? "" : " ",
                                   positional, options.empty() ? "" : " [options]", summary);
    if (!options.empty()) {
        text += "\noptions:\n";
        for (const Option& option : options) {
            std::string left = option.name;
            if (!option.shortName.empty())
                left = option.shortName + ", " + left;
            if (!option.value.empty())
                left += " " + option.value;
            text +=
                fmt::format("  {:<24} {}{}\n", left, option.help, option.repeatable ? " (repeatable)" : "");
        }
    }
    text += fmt::format("\nexample:\n  casimir {}\n", example);
    return text;
}

Arguments::Arguments(const Command& command, const std::vector<std::string>& words) : command_(&command)
{
    std::vector<std::string> known;
    for (const Option& option : command.options)
        known.push_back(option.name);
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string word = words[i];
        if (word.size() < 2 || word[0] != '-') {
            if (command.positional.empty() || !system_.empty())
                throw Error(fmt::format("'{}' is one argument too many for casimir {}", word, command.name));
            system_ = word;
            continue;
        }
        std::optional<std::string> attached;
        if (const auto equals = word.find('='); word.starts_with("--") && equals != std::string::npos) {
            attached = word.substr(equals + 1);
            word.resize(equals);
        }
        const auto it =
            std::find_if(command.options.begin(), command.options.end(), [&](const Option& option) {
                return option.name == word || (!option.shortName.empty() && option.shortName == word);
            });
        const bool isOpen = it == command.options.end();
        if (isOpen && !(command.openOptions && word.starts_with("--")))
            throw Error(fmt::format("unknown option '{}' of casimir {}; {}", word, command.name,
                                    didYouMean(word, known)));
        if (!isOpen && it->value.empty()) {
            if (attached)
                throw Error(fmt::format("{} takes no value", it->name));
            given_.emplace_back(it->name, "");
            continue;
        }
        if (!attached) {
            if (i + 1 >= words.size())
                throw Error(fmt::format("{} needs a value{}", word, isOpen ? "" : " (" + it->value + ")"));
            attached = words[++i];
        }
        if (isOpen) {
            open_.emplace_back(word.substr(2), *attached);
            continue;
        }
        if (!it->repeatable && has(it->name))
            throw Error(fmt::format("{} was given twice", it->name));
        given_.emplace_back(it->name, *attached);
    }
    if (command.positional == "SYSTEM" && system_.empty() && !has("--help") && !has("--session") &&
        !has("--from"))
        throw Error(fmt::format("casimir {} needs a system; 'casimir list' names them", command.name));
}

bool Arguments::has(const std::string& option) const
{
    return std::any_of(given_.begin(), given_.end(), [&](const auto& pair) { return pair.first == option; });
}

std::optional<std::string> Arguments::one(const std::string& option) const
{
    const auto it =
        std::find_if(given_.begin(), given_.end(), [&](const auto& pair) { return pair.first == option; });
    return it == given_.end() ? std::nullopt : std::optional(it->second);
}

std::vector<std::string> Arguments::all(const std::string& option) const
{
    std::vector<std::string> values;
    for (const auto& [name, value] : given_)
        if (name == option)
            values.push_back(value);
    return values;
}

std::optional<double> Arguments::number(const std::string& option, std::string_view unit) const
{
    const auto text = one(option);
    if (!text)
        return std::nullopt;
    double x = 0;
    try {
        x = parseNumber(*text, unit);
    } catch (const Error& error) {
        throw Error(fmt::format("{}: {}", option, error.what()));
    }
    if (!std::isfinite(x))
        throw Error(fmt::format("{} = {} is not a finite number", option, *text));
    return x;
}

std::vector<Option> sessionOptions()
{
    return {
        {"--set", "k=v", "a parameter, element or alias; also a=1,b=2", true},
        {"--state", "k=v", "where the motion starts; also a=1,b=2", true},
        {"--resume", "t=T,k=v", "take a motion up at a time T, all its coordinates given"},
        {"--preset", "P", "start from a preset of the system"},
        {"--input", "FILE", "parameters and state from a JSON file"},
        {"--session", "FILE", "start from a saved session"},
        {"--help", "", "this text"},
    };
}

std::vector<Option> outputOptions()
{
    return {
        {"--output", "FILE", "where to write; standard output without it", false, "-o"},
        {"--force", "", "replace an existing file"},
    };
}

std::vector<Option> pictureOptions()
{
    return {
        {"--option", "plot.option=v", "what a plot shows: branch.x=mu, portrait.legend=off", true},
        {"--view", "V", "which view ('casimir list SYSTEM' names them), or all; also a,b,c", true},
        {"--layout", "L", "several views: page (a grid), composed (the first large), each (a file each)"},
        {"--size", "WxH",
         "pixels; millimetres as 90x60mm; a journal's column: single (90 mm), double (180 mm)"},
        {"--scale", "S", "device pixels for one of --size, 1 with it"},
        {"--dpi", "D", "dots per inch of a size in millimetres, 300 without it"},
        {"--theme", "N", "print, light or dark"},
        {"--transparent", "", "without a background"},
        {"--from", "FILE", "everything as an exported figure carries it; other options change it"},
    };
}

std::vector<Option> joined(std::vector<Option> a, const std::vector<Option>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace casimir::cli
