#include "core/numerics/error_norm.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

namespace {

constexpr double kSmallestRtol = 1e-15;

} // namespace

ErrorNorm::ErrorNorm(const IntegrationOptions& options, Eigen::Index n)
    : rtol_(options.rtol), atol_(options.atol), given_(options.scale), seen_(State::Zero(n))
{
    if (!(rtol_ >= kSmallestRtol && rtol_ < 1))
        throw Error(
            fmt::format("The relative tolerance is {}; it must lie between {} and 1.", rtol_, kSmallestRtol));
    if (!(atol_ >= 0 && std::isfinite(atol_)))
        throw Error(fmt::format("The absolute tolerance is {}; it must be finite and not negative.", atol_));
    if (given_.size() == 0)
        given_ = State::Zero(n);
    if (given_.size() != n)
        throw Error(fmt::format("{} scales were given for {} components.", given_.size(), n));
    if (!(given_.allFinite() && (given_.array() >= 0).all()))
        throw Error("The scales of the components must be finite and not negative.");
}

void ErrorNorm::widen(const State& x)
{
    seen_ = seen_.cwiseMax(x.cwiseAbs());
}

double ErrorNorm::operator()(const State& e, const State& x) const
{
    double largest = 0;
    for (Eigen::Index i = 0; i < e.size(); ++i)
        largest = std::max({largest, seen_[i], std::abs(x[i])});
    double norm = 0;
    for (Eigen::Index i = 0; i < e.size(); ++i) {
        const double scale =
            given_[i] > 0 ? given_[i] : std::max({seen_[i], std::abs(x[i]), kSmallestScale * largest});
        // The smallest number is for a state that is zero altogether.
        const double tolerance = std::max(atol_ + rtol_ * scale, std::numeric_limits<double>::min());
        const double ratio = std::abs(e[i]) / tolerance;
        if (!std::isfinite(ratio))
            return std::numeric_limits<double>::infinity();
        norm = std::max(norm, ratio);
    }
    return norm;
}

} // namespace casimir
