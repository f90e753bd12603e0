#include "core/numerics/lyapunov.h"

#include "core/numerics/methods.h"

#include <cmath>
#include <limits>

namespace casimir {

double largestLyapunov(const VariationalFlow& flow, const State& x0, const LyapunovOptions& options,
                       const std::function<bool(double, double)>& sample)
{
    const Eigen::Index n = x0.size();
    const Field both = [&flow, n](double t, const State& z, State& rate) {
        State x = z.head(n), v = z.tail(n), dx(n), dv(n);
        flow.field(t, x, dx);
        flow.variation(t, x, v, dv);
        rate.head(n) = dx;
        rate.tail(n) = dv;
    };
    State z(2 * n);
    z.head(n) = x0;
    // No coordinate is favoured, and the choice is the same every time.
    for (Eigen::Index k = 0; k < n; ++k)
        z[n + k] = 1 + 0.1 * static_cast<double>(k);
    z.tail(n).normalize();
    IntegrationOptions integration;
    integration.rtol = options.rtol;
    integration.scale = State::Zero(2 * n);
    integration.scale.tail(n).setOnes();
    const auto run = startIntegration("dopri5", both, 0, z, integration);
    const double settled = options.tEnd * options.settling;
    double sum = 0, from = 0, mean = 0;
    while (run->time() < options.tEnd) {
        const double target = std::min(run->time() + options.interval, options.tEnd);
        if (!advanceTo(*run, target).ok())
            return std::numeric_limits<double>::quiet_NaN();
        State now = run->state();
        const double growth = now.tail(n).norm();
        now.tail(n) /= growth;
        run->replaceState(now);
        if (target <= settled) {
            from = target;
        } else {
            sum += std::log(growth);
            mean = sum / (target - from);
            if (sample && !sample(target, mean))
                return mean;
        }
    }
    return mean;
}

} // namespace casimir
