// The short names of numbers that every file of mechanics writes.
#pragma once

#include <numbers>

namespace casimir {

inline constexpr double pi = std::numbers::pi;
inline constexpr double halfPi = pi / 2;

} // namespace casimir
