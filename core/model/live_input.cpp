#include "core/model/live_input.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

double InputPiece::value(double t) const
{
    if (!(std::isfinite(begin) && std::isfinite(end) && end > begin))
        return x0;
    const double h = end - begin, s = (t - begin) / h, r = 1 - s;
    return x0 * r * r * (1 + 2 * s) + x1 * s * s * (3 - 2 * s) + h * s * r * (v0 * r - v1 * s);
}

double InputPiece::rate(double t) const
{
    if (!(std::isfinite(begin) && std::isfinite(end) && end > begin))
        return 0;
    const double h = end - begin, s = (t - begin) / h;
    return 6 * s * (1 - s) * (x1 - x0) / h + v0 * (1 - s) * (1 - 3 * s) + v1 * s * (3 * s - 2);
}

double InputPiece::acceleration(double t) const
{
    if (!(std::isfinite(begin) && std::isfinite(end) && end > begin))
        return 0;
    const double h = end - begin, s = (t - begin) / h;
    return (6 * (1 - 2 * s) * (x1 - x0) / h + v0 * (6 * s - 4) + v1 * (6 * s - 2)) / h;
}

LiveInput::LiveInput(const std::vector<InputSample>& samples, bool live) : live_(live)
{
    if (samples.empty())
        throw Error("a recorded input needs at least one sample");
    for (const InputSample& sample : samples) {
        check(sample);
        samples_.push_back(sample);
    }
}

void LiveInput::check(const InputSample& sample) const
{
    if (!std::isfinite(sample.t) || !std::isfinite(sample.value))
        throw Error(fmt::format("the input {} at the time {} is not a number", sample.value, sample.t));
    if (!samples_.empty() && !(sample.t > samples_.back().t))
        throw Error(
            fmt::format("the input at the time {} comes after one at {}", sample.t, samples_.back().t));
}

void LiveInput::append(double t, double value)
{
    const std::lock_guard lock(mutex_);
    if (!live_)
        throw Error(fmt::format("the input at the time {} comes when its recording is finished", t));
    check({t, value});
    samples_.push_back({t, value});
}

void LiveInput::leadTo(double t, std::optional<double> value)
{
    const std::lock_guard lock(mutex_);
    if (!live_ || !(t > samples_.back().t))
        return;
    const InputSample sample{t, value.value_or(samples_.back().value)};
    check(sample);
    samples_.push_back(sample);
}

bool LiveInput::live() const
{
    const std::lock_guard lock(mutex_);
    return live_;
}

double LiveInput::end() const
{
    const std::lock_guard lock(mutex_);
    return samples_.back().t;
}

double LiveInput::last() const
{
    const std::lock_guard lock(mutex_);
    return samples_.back().value;
}

std::vector<InputSample> LiveInput::samples() const
{
    const std::lock_guard lock(mutex_);
    return samples_;
}

double LiveInput::rateAt(std::size_t i) const
{
    return i == 0 ? 0 : (samples_[i].value - samples_[i - 1].value) / (samples_[i].t - samples_[i - 1].t);
}

InputPiece LiveInput::piece(double t, int direction) const
{
    const std::lock_guard lock(mutex_);
    const InputSample& first = samples_.front();
    const InputSample& last = samples_.back();
    if (direction > 0 ? t < first.t : t <= first.t)
        return {-infinity, first.t, first.value, 0, first.value, 0};
    if (direction > 0 ? t >= last.t : t > last.t) {
        if (live_)
            return {last.t, last.t, last.value, 0, last.value, 0};
        const double v = rateAt(samples_.size() - 1);
        const double rest = last.value + v * kStop / 2, stop = last.t + kStop;
        if (v != 0 && (direction > 0 ? t < stop : t <= stop))
            return {last.t, stop, last.value, v, rest, 0};
        return {v != 0 ? stop : last.t, infinity, rest, 0, rest, 0};
    }
    const auto after =
        direction > 0
            ? std::upper_bound(samples_.begin(), samples_.end(), t,
                               [](double time, const InputSample& sample) { return time < sample.t; })
            : std::lower_bound(samples_.begin(), samples_.end(), t,
                               [](const InputSample& sample, double time) { return sample.t < time; });
    const auto i = static_cast<std::size_t>(after - samples_.begin());
    const InputSample &a = samples_[i - 1], &b = samples_[i];
    return {a.t, b.t, a.value, rateAt(i - 1), b.value, rateAt(i)};
}

} // namespace casimir
