// Limits of axes in round steps, so that a picture does not tremble while a parameter is dragged.
#pragma once

#include <cmath>
#include <initializer_list>
#include <utility>

namespace casimir {

// The smallest of these steps times a power of ten that is not below x > 0.
inline double roundedUp(double x, std::initializer_list<double> steps = {1.0, 1.5, 2.0, 3.0, 5.0, 7.0})
{
    const double power = std::pow(10, std::floor(std::log10(x)));
    for (const double step : steps)
        if (step * power >= x * (1 - 1e-12))
            return step * power;
    return 10 * power;
}

// Round limits around [low, high] with a little air; around a single value, an interval about it.
inline std::pair<double, double> roundLimits(double low, double high)
{
    const double size = std::fmax(std::abs(low), std::abs(high));
    double span = high - low;
    if (!(span > 1e-9 * size)) // an axis has about nine digits to give
        span = size > 0 ? 0.2 * size : 2;
    const double step = roundedUp(span / 8, {1.0, 2.0, 5.0});
    return {step * std::floor((low - 0.05 * span) / step), step * std::ceil((high + 0.05 * span) / step)};
}

} // namespace casimir
