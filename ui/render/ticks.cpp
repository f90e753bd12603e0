#include "ui/render/ticks.h"

#include "core/numerics/pi.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace casimir {

namespace {

// The smallest of 1, 2, 5 times a power of ten that is not below `x`.
double niceStep(double x)
{
    const double power = std::pow(10.0, std::floor(std::log10(x)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= x * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

Ticks linearTicks(double lo, double hi, int target)
{
    Ticks ticks;
    const double step = niceStep((hi - lo) / std::max(1, target));
    const double first = std::ceil(lo / step - 1e-9), last = std::floor(hi / step + 1e-9);
    // A window narrower than the spacing of doubles at its place has no ticks to tell apart.
    if (!(last - first < 1000) || lo + step == lo)
        return ticks;
    const double largest = std::max(std::abs(first), std::abs(last)) * step;
    const int magnitude = largest > 0 ? static_cast<int>(std::floor(std::log10(largest * (1 + 1e-12)))) : 0;
    const int shift = magnitude >= 5 || magnitude <= -4 ? magnitude : 0;
    if (shift != 0)
        ticks.factor = fmt::format("×10^{{{}}}", tickNumber(shift, 0));
    const double unit = std::pow(10.0, shift);
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step / unit) + 1e-9)), 0, 12);
    for (double i = first; i <= last; i += 1)
        ticks.major.push_back({i * step, tickNumber(i * step / unit, decimals)});
    return ticks;
}

Ticks angleTicks(double lo, double hi, int target)
{
    // Step π a / b.
    constexpr std::array<std::pair<long, long>, 10> steps{
        {{1, 8}, {1, 4}, {1, 2}, {1, 1}, {2, 1}, {4, 1}, {10, 1}, {20, 1}, {50, 1}, {100, 1}}};
    const double wanted = (hi - lo) / std::max(1, target);
    if (wanted < pi / 16)
        return linearTicks(lo, hi, target);
    for (const auto& [a, b] : steps) {
        const double step = pi * static_cast<double>(a) / static_cast<double>(b);
        if (step < wanted * (1 - 1e-9))
            continue;
        Ticks ticks;
        const long first = std::lround(std::ceil(lo / step - 1e-9)),
                   last = std::lround(std::floor(hi / step + 1e-9));
        for (long i = first; i <= last; ++i)
            ticks.major.push_back({static_cast<double>(i) * step, piFraction(i * a, b)});
        return ticks;
    }
    return linearTicks(lo, hi, target);
}

Ticks logarithmicTicks(double lo, double hi, int target)
{
    if (!(lo > 0) || !(hi > lo))
        return {};
    const double decades = std::log10(hi / lo);
    if (decades < 1)
        return linearTicks(lo, hi, target);
    Ticks ticks;
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, target) - 1e-9)));
    const int first = static_cast<int>(std::ceil(std::log10(lo) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(hi) + 1e-9));
    for (int e = first - 1; e <= last; ++e) {
        const double decade = std::pow(10.0, e);
        // Labelled decades are multiples of the stride, so that they stay where they are while the window
        // pans.
        if (e >= first && e % stride == 0)
            ticks.major.push_back({decade, fmt::format("10^{{{}}}", tickNumber(e, 0))});
        else if (e >= first)
            ticks.minor.push_back(decade);
        for (int k = 2; stride == 1 && decades <= 6 && k <= 9; ++k)
            if (k * decade >= lo && k * decade <= hi)
                ticks.minor.push_back(k * decade);
    }
    return ticks;
}

} // namespace

std::string tickNumber(double value, int decimals)
{
    const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    return fmt::format("{}{}", value < 0 && !zero ? "−" : "", digits);
}

std::string piFraction(long k, long n)
{
    if (k == 0)
        return "0";
    const long common = std::gcd(std::abs(k), n);
    const long multiple = std::abs(k) / common, divisor = n / common;
    return fmt::format("{}{}π{}", k < 0 ? "−" : "", multiple == 1 ? "" : fmt::format("{}", multiple),
                       divisor == 1 ? "" : fmt::format("/{}", divisor));
}

Ticks makeTicks(const PlotAxis& axis, double lo, double hi, int target)
{
    if (!std::isfinite(lo) || !std::isfinite(hi) || !(hi > lo))
        return {};
    if (axis.scale == Scale::Logarithmic)
        return logarithmicTicks(lo, hi, target);
    if (std::abs(axis.quantity.period - 2 * pi) < 1e-9)
        return angleTicks(lo, hi, target);
    return linearTicks(lo, hi, target);
}

} // namespace casimir
