// What the mechanics of planar bodies asks of its numbers; each refusal is a sentence with the offending
// value.
#pragma once

#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace casimir::planar {

inline void requireFinite(const char* name, double value)
{
    if (!std::isfinite(value))
        throw Error(fmt::format("{} must be a finite number, but is {}.", name, value));
}

inline void requirePositive(const char* name, double value)
{
    requireFinite(name, value);
    if (!(value > 0))
        throw Error(fmt::format("{} must be greater than 0, but is {}.", name, value));
}

inline void requireNonNegative(const char* name, double value)
{
    requireFinite(name, value);
    if (!(value >= 0))
        throw Error(fmt::format("{} must not be negative, but is {}.", name, value));
}

} // namespace casimir::planar
