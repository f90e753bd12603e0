// The largest Lyapunov exponent of an orbit, from the variational equations carried along with it.
#pragma once

#include "core/numerics/integration.h"

#include <functional>

namespace casimir {

// x' = f(x) and the derivative of f at x along v.
struct VariationalFlow {
    Field field;
    std::function<void(double t, const State& x, const State& v, State& dvdt)> variation;
};

struct LyapunovOptions {
    double tEnd = 500;
    double interval = 1; // between renormalisations, of which each is one sample
    double rtol = 1e-9;
    // The share of the time in which the perturbation turns into the growing direction, left out of the mean.
    double settling = 0.1;
};

// `sample` sees the running mean (1/t) ln |v(t)|/|v(0)| after each interval and may end the run by answering
// false. Returns the last mean; NaN where the integration failed.
double largestLyapunov(const VariationalFlow& flow, const State& x0, const LyapunovOptions& options,
                       const std::function<bool(double t, double mean)>& sample = {});

} // namespace casimir
