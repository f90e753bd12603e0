#include "core/model/parameter.h"

#include "core/base/error.h"
#include "core/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>

namespace casimir {

namespace {

// How far an alias may read from what was asked before the set counts as overdetermined: a few hundred
// roundings of the write and read formulas.
constexpr double aliasTolerance = 1e-9;
constexpr std::size_t longestText = 60; // bytes of a Text: it stands in a column and on the stage

const char* typeName(ParameterType type)
{
    switch (type) {
    case ParameterType::Real:
        return "a number";
    case ParameterType::Integer:
        return "a whole number";
    case ParameterType::Choice:
        return "one of its choices";
    case ParameterType::Text:
        return "a text";
    case ParameterType::Vector:
        return "a vector";
    case ParameterType::Matrix:
        return "a matrix";
    case ParameterType::List:
        return "a list";
    }
    return "";
}

std::string choiceIds(const Parameter& parameter)
{
    std::string ids;
    for (const Choice& choice : parameter.choices)
        ids += (ids.empty() ? "" : ", ") + choice.id;
    return ids;
}

void checkNumber(const Parameter& parameter, const std::string& address, double x)
{
    if (parameter.automatic && x == automaticValue)
        return;
    if (std::isnan(x))
        throw Error(
            fmt::format("{} is not a number (NaN); it must be {}", address, parameter.range.describe()));
    if (!parameter.range.contains(x))
        throw Error(
            fmt::format("{} = {} is out of range; it must be {}", address, x, parameter.range.describe()));
}

void checkRecord(const std::vector<Parameter>& parameters, const Record& record, const std::string& prefix);

void checkValue(const Parameter& parameter, const std::string& address, const Value& value)
{
    const auto mismatch = [&] {
        return Error(fmt::format("{} must be {}", address, typeName(parameter.type)));
    };
    switch (parameter.type) {
    case ParameterType::Real:
        if (!std::holds_alternative<double>(value))
            throw mismatch();
        return checkNumber(parameter, address, std::get<double>(value));
    case ParameterType::Integer:
        if (!std::holds_alternative<long>(value))
            throw mismatch();
        return checkNumber(parameter, address, static_cast<double>(std::get<long>(value)));
    case ParameterType::Choice: {
        const auto* id = std::get_if<std::string>(&value);
        if (!id)
            throw mismatch();
        if (std::none_of(parameter.choices.begin(), parameter.choices.end(),
                         [id](const Choice& choice) { return choice.id == *id; }))
            throw Error(
                fmt::format("{} = {} is unknown; it is one of {}", address, *id, choiceIds(parameter)));
        return;
    }
    case ParameterType::Text: {
        const auto* text = std::get_if<std::string>(&value);
        if (!text)
            throw mismatch();
        if (text->size() > longestText)
            throw Error(
                fmt::format("{} has {} bytes; it takes {} at most", address, text->size(), longestText));
        if (std::any_of(text->begin(), text->end(),
                        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
            throw Error(fmt::format("{} must be one line without control characters", address));
        return;
    }
    case ParameterType::Vector: {
        const auto* vector = std::get_if<Eigen::VectorXd>(&value);
        if (!vector)
            throw mismatch();
        if (vector->size() != static_cast<Eigen::Index>(parameter.components.size()))
            throw Error(fmt::format("{} has {} elements; it needs {}", address, vector->size(),
                                    parameter.components.size()));
        for (Eigen::Index i = 0; i < vector->size(); ++i)
            checkNumber(parameter, fmt::format("{}.{}", address, i), (*vector)(i));
        return;
    }
    case ParameterType::Matrix: {
        const auto* matrix = std::get_if<Eigen::MatrixXd>(&value);
        const auto& standard = std::get<Eigen::MatrixXd>(parameter.defaultValue);
        if (!matrix)
            throw mismatch();
        if (matrix->rows() != standard.rows() || matrix->cols() != standard.cols())
            throw Error(fmt::format("{} is {} x {}; it must be {} x {}", address, matrix->rows(),
                                    matrix->cols(), standard.rows(), standard.cols()));
        for (Eigen::Index i = 0; i < matrix->rows(); ++i)
            for (Eigen::Index j = 0; j < matrix->cols(); ++j)
                checkNumber(parameter, fmt::format("{}.{}.{}", address, i, j), (*matrix)(i, j));
        return;
    }
    case ParameterType::List: {
        const auto* list = std::get_if<RecordList>(&value);
        if (!list)
            throw mismatch();
        if (list->size() < parameter.minCount || list->size() > parameter.maxCount)
            throw Error(fmt::format("{} has {} entries; it takes {} to {}", address, list->size(),
                                    parameter.minCount, parameter.maxCount));
        for (std::size_t i = 0; i < list->size(); ++i)
            checkRecord(parameter.fields, (*list)[i], fmt::format("{}.{}.", address, i));
        return;
    }
    }
}

void checkRecord(const std::vector<Parameter>& parameters, const Record& record, const std::string& prefix)
{
    for (const Parameter& parameter : parameters) {
        const Value* value = record.find(parameter.id);
        if (!value)
            throw Error(fmt::format("{}{} is missing", prefix, parameter.id));
        checkValue(parameter, prefix + parameter.id, *value);
    }
    for (const auto& [id, value] : record.fields)
        if (std::none_of(parameters.begin(), parameters.end(),
                         [&name = id](const Parameter& p) { return p.id == name; }))
            throw Error(fmt::format("{}{} is not a parameter", prefix, id));
}

double asNumber(const Value& value, std::string_view address)
{
    if (const auto* x = std::get_if<double>(&value))
        return *x;
    if (const auto* n = std::get_if<long>(&value))
        return static_cast<double>(*n);
    throw Error(fmt::format("{} takes a number", address));
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

} // namespace

std::string Range::describe() const
{
    constexpr double unbounded = std::numeric_limits<double>::max();
    const bool below = min > -unbounded;
    const bool above = max < unbounded;
    if (below && above)
        return fmt::format("{} {} and {} {}", openMin ? "greater than" : "at least", min,
                           openMax ? "less than" : "at most", max);
    if (below)
        return fmt::format("{} {}", openMin ? "greater than" : "at least", min);
    if (above)
        return fmt::format("{} {}", openMax ? "less than" : "at most", max);
    return "a finite number";
}

Schema::Schema(std::vector<Parameter> parameters, std::vector<Alias> aliases,
               std::function<std::string(const Values&)> consistency)
    : parameters_(std::move(parameters)), aliases_(std::move(aliases)), consistency_(std::move(consistency))
{
}

Values Schema::defaults() const
{
    Values values;
    for (const Parameter& parameter : parameters_)
        values.set(parameter.id, parameter.defaultValue);
    return values;
}

Record Schema::defaultRecord(const Parameter& list) const
{
    Record record;
    for (const Parameter& field : list.fields)
        record.set(field.id, field.defaultValue);
    return record;
}

const Alias* Schema::alias(std::string_view id) const
{
    const auto it = std::find_if(aliases_.begin(), aliases_.end(),
                                 [id](const Alias& a) { return a.description.id == id; });
    return it == aliases_.end() ? nullptr : &*it;
}

const Parameter& Schema::resolve(std::string_view address) const
{
    if (const Alias* found = alias(address))
        return found->description;
    const auto parts = splitAddress(address);
    const std::vector<Parameter>* level = &parameters_;
    for (std::size_t at = 0; at < parts.size();) {
        const auto it =
            std::find_if(level->begin(), level->end(), [&](const Parameter& p) { return p.id == parts[at]; });
        if (it == level->end()) {
            std::vector<std::string> known;
            for (const Parameter& p : *level)
                known.push_back(p.id);
            if (level == &parameters_)
                for (const Alias& a : aliases_)
                    known.push_back(a.description.id);
            throw Error(fmt::format("unknown parameter '{}'; {}", address, didYouMean(parts[at], known)));
        }
        const bool element = it->type == ParameterType::Vector || it->type == ParameterType::Matrix;
        if (at + 1 >= parts.size() || element)
            return *it;
        if (it->type != ParameterType::List || at + 2 >= parts.size())
            throw Error(
                fmt::format("'{}' does not name a parameter; {} is {}", address, it->id, typeName(it->type)));
        level = &it->fields;
        at += 2;
    }
    throw Error(fmt::format("'{}' does not name a parameter", address));
}

Value Schema::read(const Values& values, std::string_view address) const
{
    if (const Alias* found = alias(address))
        return found->read(values).value_or(std::numeric_limits<double>::quiet_NaN());
    return values.at(address);
}

Values Schema::with(Values values, const std::vector<Assignment>& assignments) const
{
    for (const Assignment& assignment : assignments) {
        const Parameter& parameter = resolve(assignment.address);
        if (const Alias* found = alias(assignment.address)) {
            const double x = asNumber(assignment.value, assignment.address);
            checkNumber(parameter, assignment.address, x);
            Outcome<Values> outcome = found->write(values, x);
            if (!outcome)
                throw Error(fmt::format("{} = {} is refused: {}", assignment.address, x, outcome.refusal));
            values = std::move(*outcome.value);
        } else if (parameter.type == ParameterType::Integer &&
                   std::holds_alternative<double>(assignment.value)) {
            const double x = std::get<double>(assignment.value);
            if (x != std::floor(x) || std::abs(x) > 1e15)
                throw Error(fmt::format("{} = {} must be a whole number", assignment.address, x));
            values.setAt(assignment.address, static_cast<long>(x));
        } else if (parameter.type == ParameterType::Real && std::holds_alternative<long>(assignment.value)) {
            values.setAt(assignment.address, static_cast<double>(std::get<long>(assignment.value)));
        } else {
            values.setAt(assignment.address, assignment.value);
        }
    }
    check(values);
    for (const Assignment& assignment : assignments) {
        const Alias* found = alias(assignment.address);
        if (!found)
            continue;
        const double asked = asNumber(assignment.value, assignment.address);
        const std::optional<double> present = found->read(values);
        if (!present || std::abs(*present - asked) > aliasTolerance * (1 + std::abs(asked)))
            throw Error(
                fmt::format("the settings contradict each other: {} was set to {}, but the others make it {}",
                            assignment.address, asked, present ? fmt::format("{}", *present) : "undefined"));
    }
    return values;
}

Outcome<Values> Schema::tryWith(const Values& values, const Assignment& assignment) const
{
    try {
        return Outcome<Values>::of(with(values, {assignment}));
    } catch (const Error& error) {
        return Outcome<Values>::refused(error.what());
    }
}

void Schema::check(const Values& values) const
{
    checkRecord(parameters_, values, "");
    if (consistency_)
        if (const std::string complaint = consistency_(values); !complaint.empty())
            throw Error(complaint);
}

Value Schema::parse(std::string_view address, std::string_view text) const
{
    const Parameter& parameter = resolve(address);
    const auto number = [&](std::string_view part) {
        try {
            return parseNumber(part, parameter.unit);
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", address, error.what()));
        }
    };
    const bool element = splitAddress(address).back() != parameter.id &&
                         (parameter.type == ParameterType::Vector || parameter.type == ParameterType::Matrix);
    if (element)
        return number(text);
    switch (parameter.type) {
    case ParameterType::Real:
        if (parameter.automatic && (trimmed(text).empty() || trimmed(text) == "automatic"))
            return automaticValue;
        return number(text);
    case ParameterType::Integer: {
        const double x = number(text);
        if (x != std::floor(x) || std::abs(x) > 1e15)
            throw Error(fmt::format("{} = {} must be a whole number", address, text));
        return static_cast<long>(x);
    }
    case ParameterType::Choice:
    case ParameterType::Text:
        return std::string(trimmed(text));
    case ParameterType::Vector: {
        std::vector<double> elements;
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t comma = std::min(text.find(',', begin), text.size());
            elements.push_back(number(text.substr(begin, comma - begin)));
            begin = comma + 1;
        }
        return Eigen::VectorXd(
            Eigen::Map<Eigen::VectorXd>(elements.data(), static_cast<Eigen::Index>(elements.size())));
    }
    case ParameterType::Matrix:
    case ParameterType::List:
        throw Error(fmt::format("{} is {}; give its elements one by one ({}.0...) or use --input", address,
                                typeName(parameter.type), address));
    }
    return {};
}

namespace {

Parameter worded(ParameterWords&& words, ParameterType type, Value standard)
{
    Parameter parameter;
    parameter.id = std::move(words.id);
    parameter.symbol = std::move(words.symbol);
    parameter.name = std::move(words.name);
    parameter.unit = std::move(words.unit);
    parameter.meaning = std::move(words.meaning);
    parameter.group = std::move(words.group);
    parameter.type = type;
    parameter.defaultValue = std::move(standard);
    return parameter;
}

} // namespace

Parameter realParameter(ParameterWords words, double standard, Range range, double sliderMin,
                        double sliderMax, Scale scale)
{
    Parameter parameter = worded(std::move(words), ParameterType::Real, standard);
    parameter.range = range;
    parameter.sliderMin = sliderMin;
    parameter.sliderMax = sliderMax;
    parameter.scale = scale;
    return parameter;
}

Parameter integerParameter(ParameterWords words, long standard, long min, long max)
{
    Parameter parameter = worded(std::move(words), ParameterType::Integer, standard);
    parameter.range = {.min = static_cast<double>(min), .max = static_cast<double>(max)};
    parameter.sliderMin = parameter.range.min;
    parameter.sliderMax = parameter.range.max;
    return parameter;
}

Parameter entryParameter(ParameterWords words, long standard, long min, long max)
{
    Parameter parameter = integerParameter(std::move(words), standard, min, max);
    parameter.namesEntry = true;
    return parameter;
}

Parameter choiceParameter(ParameterWords words, std::vector<Choice> choices, std::string standard)
{
    Parameter parameter = worded(std::move(words), ParameterType::Choice, std::move(standard));
    parameter.choices = std::move(choices);
    return parameter;
}

Parameter textParameter(ParameterWords words)
{
    return worded(std::move(words), ParameterType::Text, std::string());
}

} // namespace casimir
