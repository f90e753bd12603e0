// Numbers and names as views write them: in the markup of Quantity, with a true minus and powers of ten.
#pragma once

#include "core/model/system.h"

#include <QString>

#include <string>

namespace casimir {

// "−3.67", "1.2×10^{−7}"
std::string shownNumber(double x, int digits = 4);
// Always as wide in tabular digits, for numbers that change many times a second.
std::string steadyNumber(double x);
// "ν = −3.67 N m s"; an angle is brought within half a period of 0.
std::string shownValue(const Quantity& quantity, double x, int digits = 4);
// An angle within half a period of 0; other numbers as they are.
double wrappedValue(const Quantity& quantity, double x);

// "Energy" of "energy", as titles and menus begin.
QString capitalised(const std::string& text);

const Quantity* findQuantity(const System& system, const std::string& id);
QString methodName(const System& system, const std::string& methodId);

} // namespace casimir
