#include "core/analysis/number_path.h"

#include "core/analysis/analysis_json.h"
#include "core/base/error.h"
#include "core/model/kind.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace casimir {

namespace {

using Json = nlohmann::ordered_json;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Takes the word before the next dot off the front.
std::string_view take(std::string_view& path)
{
    const std::size_t dot = path.find('.');
    const std::string_view first = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    return first;
}

std::optional<std::size_t> indexIn(std::string_view word, std::size_t count)
{
    std::size_t i = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), i);
    if (error != std::errc() || end != word.data() + word.size() || i >= count)
        return std::nullopt;
    return i;
}

[[noreturn]] void refuseWord(std::string_view whole, std::string_view word)
{
    throw Error(fmt::format("{} is a word here ('{}'), not a number", whole, word));
}

std::optional<PathNumber> factAt(const std::vector<Fact>& facts, std::string_view id, std::string_view whole)
{
    for (const Fact& fact : facts) {
        if (fact.quantity.id != id)
            continue;
        if (const auto* word = std::get_if<std::string>(&fact.value))
            refuseWord(whole, *word);
        return PathNumber{std::get<double>(fact.value), fact.quantity.unit};
    }
    return std::nullopt;
}

std::optional<PathNumber> entryAt(const Entry* entry, std::string_view path, std::string_view whole)
{
    while (!path.empty()) {
        if (entry->isList()) {
            const auto i = indexIn(take(path), entry->size());
            entry = i ? &entry->at(*i) : nullptr;
        } else {
            entry = entry->find(take(path));
        }
        if (!entry)
            return std::nullopt;
    }
    if (const auto* word = std::get_if<std::string>(&entry->content()))
        refuseWord(whole, *word);
    if (entry->isList() || entry->isObject())
        return std::nullopt;
    return PathNumber{entry->number(), ""};
}

std::optional<PathNumber> variationAt(const SecondVariation& variation, std::string_view rest)
{
    const std::string_view key = take(rest);
    if (key == "eigenvalues") {
        const auto i = indexIn(rest, variation.eigenvalues.size());
        return i ? std::optional(PathNumber{variation.eigenvalues[*i], ""}) : std::nullopt;
    }
    if (!rest.empty())
        return std::nullopt;
    if (key == "positive")
        return PathNumber{static_cast<double>(variation.positive), ""};
    if (key == "negative")
        return PathNumber{static_cast<double>(variation.negative), ""};
    if (key == "zero")
        return PathNumber{static_cast<double>(variation.zero), ""};
    return std::nullopt;
}

std::optional<PathNumber> equilibriumAt(const System& system, const Equilibrium& e, std::string_view rest,
                                        std::string_view whole)
{
    const std::string_view key = take(rest);
    if (key == "state") {
        const auto fact = factAt(e.state, rest, whole);
        return fact ? fact : stateNumber(system, e, rest);
    }
    if (key == "eigenvalues") {
        const auto i = indexIn(take(rest), e.eigenvalues.size());
        if (!i || (rest != "re" && rest != "im"))
            return std::nullopt;
        return PathNumber{rest == "re" ? e.eigenvalues[*i].real() : e.eigenvalues[*i].imag(), "rad/s"};
    }
    if (key == "second_variation")
        return e.secondVariation ? variationAt(*e.secondVariation, rest) : std::nullopt;
    if (!rest.empty())
        return std::nullopt;
    if (key == "energy")
        return PathNumber{e.energy, "J"};
    if (key == "spin_rate")
        return PathNumber{e.spinRate.value_or(missing), "rad/s"};
    if (key == "growth_rate")
        return PathNumber{growthRate(e), "rad/s"};
    if (key == "frequency")
        return PathNumber{largestFrequency(e), "rad/s"};
    if (key == "stable")
        return PathNumber{
            e.stability == verdict::stable || e.stability == verdict::asymptoticallyStable ? 1.0 : 0.0, ""};
    for (const auto& [word, text] : {std::pair{"name", &e.name},
                                     {"stability", &e.stability},
                                     {"basis", &e.basis},
                                     {"detail", &e.detail}})
        if (key == word)
            refuseWord(whole, *text);
    return factAt(e.more, key, whole);
}

std::optional<PathNumber> countAt(const Analysis& analysis, std::string_view which)
{
    const auto& all = analysis.equilibria;
    if (which.empty())
        return PathNumber{static_cast<double>(all.size()), ""};
    for (const char* word : verdict::all)
        if (verdict::key(word) == which)
            return PathNumber{
                static_cast<double>(std::count_if(
                    all.begin(), all.end(), [word](const Equilibrium& e) { return e.stability == word; })),
                ""};
    return std::nullopt;
}

std::optional<PathNumber> equilibriaAt(const System& system, const Analysis& analysis, std::string_view rest,
                                       std::string_view whole)
{
    // A name may hold dots of its own, so names are tried before the path is cut.
    for (const Equilibrium& e : analysis.equilibria)
        if (rest.size() > e.name.size() && rest.starts_with(e.name) && rest[e.name.size()] == '.')
            return equilibriumAt(system, e, rest.substr(e.name.size() + 1), whole);
    const std::string_view key = take(rest);
    if (key == "count")
        return countAt(analysis, rest);
    const auto i = indexIn(key, analysis.equilibria.size());
    return i ? equilibriumAt(system, analysis.equilibria[*i], rest, whole) : std::nullopt;
}

std::optional<PathNumber> parameterAt(const System& system, std::string_view address, std::string_view whole)
{
    const Schema& schema = system.kind().schema;
    try {
        const Value value = schema.read(system.values(), address);
        if (const auto* word = std::get_if<std::string>(&value))
            refuseWord(whole, *word);
        const std::string unit = schema.resolve(address).unit;
        if (const auto* x = std::get_if<double>(&value))
            return PathNumber{*x, unit};
        if (const auto* n = std::get_if<long>(&value))
            return PathNumber{static_cast<double>(*n), unit};
    } catch (const Error&) {
        return std::nullopt;
    }
    return std::nullopt;
}

void collect(const Json& json, const std::string& prefix, std::vector<std::string>& paths)
{
    const std::string before = prefix.empty() ? "" : prefix + ".";
    if (json.is_object())
        for (const auto& [key, value] : json.items())
            collect(value, before + key, paths);
    else if (json.is_array())
        for (std::size_t i = 0; i < json.size(); ++i)
            collect(json[i], before + std::to_string(i), paths);
    else if (!json.is_string())
        paths.push_back(prefix);
}

} // namespace

std::optional<PathNumber> stateNumber(const System& system, const Equilibrium& e, std::string_view id)
{
    for (std::size_t i = 0; i < system.coordinates().size(); ++i)
        if (system.coordinates()[i].id == id)
            return PathNumber{e.point[static_cast<Eigen::Index>(i)], system.coordinates()[i].unit};
    for (const StateInput& input : system.inputs())
        if (input.quantity.id == id)
            for (const auto& [given, x] : system.inputsOf(e.point))
                if (given == id)
                    return PathNumber{x, input.quantity.unit};
    for (const Quantity& quantity : system.quantities())
        if (quantity.id == id)
            return PathNumber{system.quantity(id, 0, e.point), quantity.unit};
    return std::nullopt;
}

double growthRate(const Equilibrium& equilibrium)
{
    double largest = missing;
    for (const auto& s : equilibrium.eigenvalues)
        largest = std::fmax(largest, s.real());
    return largest;
}

double largestFrequency(const Equilibrium& equilibrium)
{
    double largest = missing;
    for (const auto& s : equilibrium.eigenvalues)
        largest = std::fmax(largest, std::abs(s.imag()));
    return largest;
}

std::optional<PathNumber> numberAt(const System& system, const Analysis& analysis, std::string_view path)
{
    std::string_view rest = path;
    const std::string_view key = take(rest);
    if (key == "parameters")
        return parameterAt(system, rest, path);
    if (key == "derived")
        return factAt(analysis.derived, rest, path);
    if (key == "equilibria")
        return equilibriaAt(system, analysis, rest, path);
    if (path == "system")
        refuseWord(path, system.kind().id);
    if (path == "status")
        refuseWord(path, analysis.status.code);
    return entryAt(&analysis.more, path, path);
}

std::vector<std::string> numberPaths(const System& system, const Analysis& analysis)
{
    std::vector<std::string> paths = countPaths();
    for (const Equilibrium& e : analysis.equilibria) {
        Json json = toJson(e);
        json.erase("eigenvalues");
        if (json["second_variation"].is_null())
            json.erase("second_variation");
        json["growth_rate"] = json["frequency"] = json["stable"] = 0;
        for (std::size_t i = 0; i < e.eigenvalues.size(); ++i)
            json["eigenvalues"][std::to_string(i)] = {{"re", 0}, {"im", 0}};
        collect(json, "equilibria." + e.name, paths);
    }
    for (const Fact& fact : analysis.derived)
        if (std::holds_alternative<double>(fact.value))
            paths.push_back("derived." + fact.quantity.id);
    collect(toJson(analysis.more), "", paths);
    collect(toJson(system, Analysis{})["parameters"], "parameters", paths);
    return paths;
}

} // namespace casimir
