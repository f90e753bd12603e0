// The step of a fixed-step method for a whole run, and what the run is then known to. A method left to itself
// chooses a step of which no single one errs by more than the tolerance; over a long run such errors add up,
// or grow with the motion. Here the solutions with two steps are compared at the end of the run.
#pragma once

#include "core/model/system.h"

#include <functional>
#include <string>

namespace casimir {

struct StepChoice {
    double step = 0;
    // An estimate of the relative error of the state where the run ends, by the solutions with this step and
    // with a longer one; NaN where no two could be compared, and then `status` says why.
    double reached = 0;
    bool met = false; // reached <= rtol
    Status status;
};

// The longest step found of which the run from x0 at t0 to tEnd is off by options.rtol or less at its end, in
// the norm of error_norm.h; where some seconds of computing or rounding do not allow it, the best that they
// do. `cancelled` is asked after every step and ends the search as soon as it says so; empty: never.
StepChoice stepForRun(const System& system, const std::string& method, const IntegrationOptions& options,
                      double t0, const State& x0, double tEnd, const std::function<bool()>& cancelled = {});

} // namespace casimir
