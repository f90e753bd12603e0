// One real parameter, element or alias of a system as the axis of a diagram: which there are, from where to
// where, and the system at another of its values.
#pragma once

#include "core/model/plot.h"
#include "core/model/system.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace casimir {

struct ParameterAxis {
    std::string address;
    Quantity quantity;
    double from = 0, to = 1;
    Scale scale = Scale::Linear;
    double present = 0; // NaN: an alias without a value here

    double at(double part) const; // part 0: from, 1: to
    double partOf(double x) const;
    PlotAxis plotAxis() const { return {quantity, from, to, scale}; }
};

// What may stand along an axis: shown real parameters, their elements in lists and vectors, aliases.
std::vector<Choice> axisChoices(const System& system);

// From where to where: `from` to `to`; an end left automatic is that of the slider, or the present value
// where that lies beyond, and so are both where they are equal. Throws Error for an unknown address.
ParameterAxis parameterAxis(const System& system, const std::string& address, double from, double to);

// The values with each of these addresses as given, in whichever order they can be. Throws Error, also where
// a later one moves an earlier one: an alias and the parameter it is linked with cannot both be axes.
Values valuesWith(const Schema& schema, const Values& values, const std::vector<Assignment>& assignments);

// The system with some addresses at other values; null where it refuses.
std::shared_ptr<const System> systemWith(const System& system, const std::vector<Assignment>& assignments);

// What the system is apart from the axes: equal for two systems that differ only in where on them they stand.
std::string placeApart(const System& system, const std::vector<ParameterAxis>& axes);
// The start where the analysis depends on it, nothing elsewhere; and what it adds to that place.
StateInputs startThatCounts(const System& system, const StateInputs& start);
std::string startKey(const System& system, const StateInputs& start);

// Whether one of the two moves when the other is set: an alias, the parameter it is linked with, and other
// aliases of that parameter. Two such are no axes of one map.
bool areLinked(const Schema& schema, const std::string& one, const std::string& other);

// Options of a plot that choose an axis: `id` (the address), and `id_from`, `id_to` (or `from`, `to`).
Parameter axisOption(const System& system, std::string id, std::string name, const std::string& standard);
Parameter limitOption(std::string id, std::string name);

} // namespace casimir
