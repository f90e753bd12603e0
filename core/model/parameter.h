// Parameters: what of a system may be chosen, with its words, default and range; aliases, which are computed
// from the others and can be set as if they were parameters; and the Schema that holds both and checks Values
// against them.
#pragma once

#include "core/model/typed_number.h"
#include "core/model/value.h"

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace casimir {

enum class ParameterType { Real, Integer, Choice, Text, Vector, Matrix, List };
enum class Scale { Linear, Logarithmic };

// What a number that may be left to the system is then; equal to itself, as NaN is not. Written "automatic".
inline constexpr double automaticValue = -std::numeric_limits<double>::infinity();

// The values a number may take. An open end is not itself allowed (a mass is positive, not zero).
struct Range {
    double min = -std::numeric_limits<double>::max();
    double max = std::numeric_limits<double>::max();
    bool openMin = false;
    bool openMax = false;

    bool contains(double x) const
    {
        return std::isfinite(x) && (openMin ? x > min : x >= min) && (openMax ? x < max : x <= max);
    }
    std::string describe() const; // "greater than 0", "between 0 and 1"
    static Range positive() { return {.min = 0, .openMin = true}; }
    static Range nonNegative() { return {.min = 0}; }
};

struct Choice {
    std::string id;
    std::string name;
};

struct Parameter {
    std::string id;
    std::string symbol; // in the markup of Quantity
    std::string name;
    std::string unit;
    std::string meaning; // a sentence for the tooltip
    std::string group;
    ParameterType type = ParameterType::Real;
    Value defaultValue = 0.0;
    Range range = {};                    // hard limits; for vectors and matrices, of each element
    double sliderMin = 0, sliderMax = 1; // where a slider starts out; a person may widen it up to `range`
    Scale scale = Scale::Linear;         // of the slider
    bool automatic = false;              // Real: may be automaticValue
    bool namesEntry = false;             // Integer: an entry of a list, counted from 0 here and in
                                         // files, read and typed by people from 1; −1: none
    std::vector<Choice> choices = {};    // Choice
    std::vector<std::string> components = {};      // Vector: the names of its elements, in order
    std::vector<Parameter> fields = {};            // List: the parameters of one record
    std::size_t minCount = 0;                      // List
    std::size_t maxCount = 1000;                   // List
    std::function<bool(const Values&)> shown = {}; // empty: always

    bool isShown(const Values& values) const { return !shown || shown(values); }
};

// Parameters in one expression, as the schemas of the systems are written.
struct ParameterWords {
    std::string id, symbol, name, unit, meaning, group;
};
Parameter realParameter(ParameterWords words, double standard, Range range, double sliderMin,
                        double sliderMax, Scale scale = Scale::Linear);
Parameter integerParameter(ParameterWords words, long standard, long min, long max);
Parameter entryParameter(ParameterWords words, long standard, long min, long max);
Parameter choiceParameter(ParameterWords words, std::vector<Choice> choices, std::string standard);
// A short text of a person's own, such as a name; empty at first.
Parameter textParameter(ParameterWords words);

// A new set of values, or the reason why there is none.
template <class T>
struct Outcome {
    std::optional<T> value;
    std::string refusal;

    static Outcome refused(std::string reason) { return {std::nullopt, std::move(reason)}; }
    static Outcome of(T x) { return {std::move(x), {}}; }
    explicit operator bool() const { return value.has_value(); }
};

// A parameter computed from the others: kappa, the spin rate of the stretched state. Only base values are
// stored.
struct Alias {
    Parameter description; // type Real
    std::function<std::optional<double>(const Values&)> read;
    std::function<Outcome<Values>(const Values&, double)> write;
    std::string linked; // the base parameter that moves when the alias is dragged; the window shows the pair
                        // with a lock
};

// One assignment of a command line or a control: an address or an alias, and what it is to become.
struct Assignment {
    std::string address;
    Value value;
};

class Schema {
public:
    Schema() = default;
    Schema(std::vector<Parameter> parameters, std::vector<Alias> aliases = {},
           std::function<std::string(const Values&)> consistency = {});

    const std::vector<Parameter>& parameters() const { return parameters_; }
    const std::vector<Alias>& aliases() const { return aliases_; }

    Values defaults() const;
    Record defaultRecord(const Parameter& list) const;

    // The parameter or alias that an address leads to; throws Error with the nearest known name.
    const Parameter& resolve(std::string_view address) const;
    const Alias* alias(std::string_view id) const;

    // Base value, element or alias; an alias that has no value at these parameters reads as NaN.
    Value read(const Values& values, std::string_view address) const;

    // Left to right, aliases through their write(); then every number is checked, and every alias given must
    // still read as it was given, so that an overdetermined set is refused. Throws Error.
    Values with(Values values, const std::vector<Assignment>& assignments) const;

    // One change as a control makes it; a refusal is an answer, not an exception.
    Outcome<Values> tryWith(const Values& values, const Assignment& assignment) const;

    // Throws Error with a sentence naming the parameter: missing, unknown, of another type, NaN, infinite,
    // out of range, or refused by the system as a whole.
    void check(const Values& values) const;

    // A typed value from a person's text ("0.5", "circular", "1,2,3"); throws Error.
    Value parse(std::string_view address, std::string_view text) const;

private:
    std::vector<Parameter> parameters_;
    std::vector<Alias> aliases_;
    std::function<std::string(const Values&)> consistency_; // empty string: consistent
};

} // namespace casimir
