// The number a person typed: an expression of numbers, π and units ("2*50", "pi/3", "50 cm", "(1+2)/3 m/s"),
// converted into the unit that is wanted. Angles count as a dimension of their own only where nothing else is
// measured: "90 deg" is no mass ratio, but N m/rad is N m.
#pragma once

#include <string_view>

namespace casimir {

// All of the text: decimal point and exponent, + - * / ^ and brackets, pi, units of the SI with their
// prefixes beside min, h, deg, turn and rpm. A number without a unit is in `unit` already; with one it must
// be of the same dimension. Throws Error with a sentence that says what is wrong.
double parseNumber(std::string_view text, std::string_view unit = {});

} // namespace casimir
