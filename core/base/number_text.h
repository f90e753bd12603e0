// Numbers as text: the shortest form that reads back as the same double, in the C locale.
#pragma once

#include <string>

namespace casimir {

// "0.1", "1e-300", "nan", "inf".
std::string numberText(double x);
void appendNumber(std::string& text, double x);

// Rounded to `digits` significant digits, for people ("0.2064", "1.2e-07").
std::string roundedText(double x, int digits);

} // namespace casimir
