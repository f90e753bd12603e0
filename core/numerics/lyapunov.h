// Lyapunov exponents of an orbit, from the variational equations carried along with it.
#pragma once

#include "core/numerics/integration.h"

#include <functional>
#include <vector>

namespace casimir {

// x' = f(x) and the derivative of f at x along v; where several exponents are asked for, v holds as many
// directions, one after the other.
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
    State scale = {};                // of x, as in IntegrationOptions
    std::function<bool()> goOn = {}; // asked at every step; false ends the run
};

// The `count` leading exponents, the largest first, by Benettin's way: the directions are made orthonormal
// after each interval. `sample` sees the running means (1/t) ln |growth| after each interval and may end the
// run by answering false. Returns the last means; NaN where the integration failed.
std::vector<double>
lyapunovExponents(const VariationalFlow& flow, const State& x0, int count, const LyapunovOptions& options,
                  const std::function<bool(double t, const std::vector<double>& means)>& sample = {});

// The largest one alone.
double largestLyapunov(const VariationalFlow& flow, const State& x0, const LyapunovOptions& options,
                       const std::function<bool(double t, double mean)>& sample = {});

} // namespace casimir
