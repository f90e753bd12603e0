#include "core/analysis/parameter_axis.h"

#include "core/base/error.h"
#include "core/files/value_json.h"
#include "core/model/kind.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

// How far inside an end that is itself not allowed an axis begins, as a part of its length.
constexpr double inset = 1e-4;

void collect(const std::vector<Parameter>& parameters, const Record& record, const std::string& prefix,
             const std::string& namePrefix, const Values& all, std::vector<Choice>& choices)
{
    for (const Parameter& p : parameters) {
        const Value* value = record.find(p.id);
        if (!value || !p.isShown(all))
            continue;
        const std::string address = prefix + p.id;
        if (p.type == ParameterType::Real)
            choices.push_back({address, namePrefix + p.name});
        else if (p.type == ParameterType::Vector)
            for (std::size_t i = 0; i < p.components.size(); ++i)
                choices.push_back(
                    {fmt::format("{}.{}", address, i), fmt::format("{}{} {}", namePrefix, p.name, i + 1)});
        else if (const auto* list = std::get_if<RecordList>(value))
            for (std::size_t i = 0; i < list->size(); ++i)
                collect(p.fields, (*list)[i], fmt::format("{}.{}.", address, i),
                        fmt::format("{}{} {}: ", namePrefix, p.name, i + 1), all, choices);
    }
}

double real(const Value& value)
{
    const auto* x = std::get_if<double>(&value);
    return x ? *x : std::nan("");
}

// The symbol of an element says which: m_3, not m; a_{2,x}, not x.
Quantity quantityOf(const Parameter& p, const std::string& address)
{
    Quantity q{address, p.symbol, p.name, p.unit};
    const auto parts = splitAddress(address);
    if (p.type == ParameterType::Vector && parts.size() > 1) {
        const auto i = static_cast<std::size_t>(std::stoul(std::string(parts.back())));
        if (i < p.components.size() && parts.size() > 2) {
            const long number = std::stol(std::string(parts[parts.size() - 3])) + 1;
            q.symbol = fmt::format("{}_{{{},{}}}", p.symbol, number, p.components[i]);
            q.name += fmt::format(" {}, {}", number, p.components[i]);
        } else if (i < p.components.size()) {
            q.symbol = p.components[i];
        }
    } else if (parts.size() > 2) {
        const long number = std::stol(std::string(parts[parts.size() - 2])) + 1;
        q.symbol = q.symbol.find('_') == std::string::npos ? fmt::format("{}_{{{}}}", q.symbol, number)
                                                           : fmt::format("{} [{}]", q.symbol, number);
        q.name += fmt::format(" {}", number);
    }
    return q;
}

} // namespace

double ParameterAxis::at(double part) const
{
    if (part <= 0)
        return from;
    if (part >= 1)
        return to;
    return scale == Scale::Logarithmic ? from * std::pow(to / from, part) : from + part * (to - from);
}

double ParameterAxis::partOf(double x) const
{
    return scale == Scale::Logarithmic ? std::log(x / from) / std::log(to / from) : (x - from) / (to - from);
}

std::vector<Choice> axisChoices(const System& system)
{
    const Schema& schema = system.kind().schema;
    std::vector<Choice> choices;
    collect(schema.parameters(), system.values(), "", "", system.values(), choices);
    for (const Alias& alias : schema.aliases())
        if (alias.description.isShown(system.values()))
            choices.push_back({alias.description.id, alias.description.name});
    return choices;
}

ParameterAxis parameterAxis(const System& system, const std::string& address, double from, double to)
{
    const Schema& schema = system.kind().schema;
    const Parameter& p = schema.resolve(address);
    ParameterAxis axis;
    axis.address = address;
    axis.quantity = quantityOf(p, address);
    axis.present = real(schema.read(system.values(), address));
    const bool equal = from == to;
    if (equal || from == automaticValue)
        from = std::isfinite(axis.present) ? std::min(p.sliderMin, axis.present) : p.sliderMin;
    if (equal || to == automaticValue)
        to = std::isfinite(axis.present) ? std::max(p.sliderMax, axis.present) : p.sliderMax;
    if (from > to)
        std::swap(from, to);
    const double length = to - from;
    const double low = p.range.openMin ? p.range.min + inset * length : p.range.min;
    const double high = p.range.openMax ? p.range.max - inset * length : p.range.max;
    from = std::clamp(from, low, std::max(low, high));
    to = std::clamp(to, low, std::max(low, high));
    if (!(from < to))
        throw Error(fmt::format("there is no room for {} between {} and {}; it must be {}", address, from, to,
                                p.range.describe()));
    axis.from = from;
    axis.to = to;
    if (p.scale == Scale::Logarithmic && from > 0)
        axis.scale = Scale::Logarithmic;
    return axis;
}

namespace {

Values valuesInTurn(const Schema& schema, const Values& values, const std::vector<Assignment>& assignments)
{
    Values changed = schema.with(values, assignments);
    for (const Assignment& assignment : assignments)
        if (!schema.alias(assignment.address))
            if (const double asked = real(assignment.value), is = real(changed.at(assignment.address));
                is != asked && std::isfinite(is))
                throw Error(
                    fmt::format("the settings contradict each other: {} was set to {}, but the others "
                                "make it {}",
                                assignment.address, asked, is));
    return changed;
}

} // namespace

Values valuesWith(const Schema& schema, const Values& values, const std::vector<Assignment>& assignments)
{
    try {
        return valuesInTurn(schema, values, assignments);
    } catch (const Error&) {
        // On the way to values that are allowed, the first alone may not be: two aliases of opposite sign.
        if (assignments.size() > 1)
            try {
                return valuesInTurn(schema, values, {assignments.rbegin(), assignments.rend()});
            } catch (const Error&) {
                // What is wrong with the order asked for is what a person should hear.
            }
        throw;
    }
}

std::shared_ptr<const System> systemWith(const System& system, const std::vector<Assignment>& assignments)
{
    try {
        return system.kind().make(valuesWith(system.kind().schema, system.values(), assignments));
    } catch (const Error&) {
        return nullptr;
    }
}

std::string placeApart(const System& system, const std::vector<ParameterAxis>& axes)
{
    std::vector<Assignment> middle;
    std::string key = system.kind().id;
    for (const ParameterAxis& axis : axes) {
        middle.push_back({axis.address, axis.at(0.5)});
        key += fmt::format(" {} {} {}", axis.address, axis.from, axis.to);
    }
    const auto apart = systemWith(system, middle);
    return key + " " + toJson(apart ? apart->values() : system.values()).dump();
}

StateInputs startThatCounts(const System& system, const StateInputs& start)
{
    return system.analysisFollowsStart() ? start : StateInputs{};
}

std::string startKey(const System& system, const StateInputs& start)
{
    std::string key;
    for (const auto& [id, x] : startThatCounts(system, start))
        key += fmt::format(" {} {}", id, x);
    return key;
}

bool areLinked(const Schema& schema, const std::string& one, const std::string& other)
{
    const auto base = [&schema](const std::string& address) {
        const Alias* alias = schema.alias(address);
        return alias && !alias->linked.empty() ? alias->linked : address;
    };
    const std::string a = base(one), b = base(other);
    return a == b || a.starts_with(b + ".") || b.starts_with(a + ".");
}

Parameter axisOption(const System& system, std::string id, std::string name, const std::string& standard)
{
    return choiceParameter({std::move(id), "", std::move(name), "",
                            "A parameter of the system, or a number computed from them.", ""},
                           axisChoices(system), standard);
}

Parameter limitOption(std::string id, std::string name)
{
    Parameter limit =
        realParameter({std::move(id), "", std::move(name), "", "Left automatic: the end of the slider.", ""},
                      automaticValue, {}, -10, 10);
    limit.automatic = true;
    return limit;
}

} // namespace casimir
