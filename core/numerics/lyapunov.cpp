#include "core/numerics/lyapunov.h"

#include "core/numerics/methods.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace casimir {

std::vector<double> lyapunovExponents(const VariationalFlow& flow, const State& x0, int count,
                                      const LyapunovOptions& options,
                                      const std::function<bool(double, const std::vector<double>&)>& sample)
{
    const Eigen::Index n = x0.size(), all = count * n;
    const Field both = [&flow, n, all](double t, const State& z, State& rate) {
        State x = z.head(n), v = z.tail(all), dx(n), dv(all);
        flow.field(t, x, dx);
        flow.variation(t, x, v, dv);
        rate.head(n) = dx;
        rate.tail(all) = dv;
    };
    // Gram and Schmidt, each direction twice so that many of them stay orthogonal to rounding; what remains
    // of each length.
    std::vector<double> length(static_cast<std::size_t>(count));
    const auto orthonormalise = [&](State& z) {
        for (int j = 0; j < count; ++j) {
            auto v = z.segment(n + j * n, n);
            for (int pass = 0; pass < 2 && j > 0; ++pass)
                for (int i = 0; i < j; ++i)
                    v -= v.dot(z.segment(n + i * n, n)) * z.segment(n + i * n, n);
            length[static_cast<std::size_t>(j)] = v.norm();
            v /= length[static_cast<std::size_t>(j)];
        }
    };
    State z(n + all);
    z.head(n) = x0;
    // No coordinate is favoured, and the choice is the same every time.
    for (Eigen::Index k = 0; k < n; ++k) {
        z[n + k] = 1 + 0.1 * static_cast<double>(k);
        for (Eigen::Index j = 1; j < count; ++j)
            z[n + j * n + k] = std::cos(std::numbers::pi * static_cast<double>(j) *
                                        (static_cast<double>(k) + 0.5) / static_cast<double>(n));
    }
    orthonormalise(z);
    IntegrationOptions integration;
    integration.rtol = options.rtol;
    integration.scale = State::Zero(n + all);
    if (options.scale.size() == n)
        integration.scale.head(n) = options.scale;
    integration.scale.tail(all).setOnes();
    const auto run = startIntegration("dopri5", both, 0, z, integration);
    const double settled = options.tEnd * options.settling;
    std::vector<double> sum(length.size()), mean(length.size());
    double from = 0;
    while (run->time() < options.tEnd) {
        const double target = std::min(run->time() + options.interval, options.tEnd);
        while (run->time() < target) {
            if (options.goOn && !options.goOn())
                return mean;
            if (!run->advance(target).ok())
                return std::vector<double>(length.size(), std::numeric_limits<double>::quiet_NaN());
        }
        State now = run->state();
        orthonormalise(now);
        run->replaceState(now);
        if (target <= settled) {
            from = target;
            continue;
        }
        for (std::size_t j = 0; j < sum.size(); ++j) {
            sum[j] += std::log(length[j]);
            mean[j] = sum[j] / (target - from);
        }
        if (sample && !sample(target, mean))
            return mean;
    }
    return mean;
}

double largestLyapunov(const VariationalFlow& flow, const State& x0, const LyapunovOptions& options,
                       const std::function<bool(double, double)>& sample)
{
    const auto first = [&sample](double t, const std::vector<double>& means) {
        return !sample || sample(t, means.front());
    };
    return lyapunovExponents(flow, x0, 1, options, first).front();
}

} // namespace casimir
