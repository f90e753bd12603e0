// A run without a clock or a thread, for the command line: rows at exact times, streamed, nothing kept.
#pragma once

#include "core/engine/recording.h"
#include "core/model/capabilities.h"
#include "core/model/system.h"

#include <functional>
#include <string>

namespace casimir {

using RowCallback = std::function<void(double t, const State& x)>;

// Rows at t0, t0 + dt, t0 + 2 dt, ... and exactly tEnd, which may be less (time runs backwards; dt is a
// length, positive). A motion that ends before has its last row at the time it ended, and its status is
// returned. An empty method is the system's default. Throws Error for a dt or tEnd that makes no rows.
Status runBatch(const System& system, const std::string& method, const IntegrationOptions& options,
                const Recorder::Origin& from, double tEnd, double dt, const RowCallback& row);
inline Status runBatch(const System& system, const std::string& method, const IntegrationOptions& options,
                       const State& x0, double tEnd, double dt, const RowCallback& row)
{
    return runBatch(system, method, options, Recorder::Origin{0, x0}, tEnd, dt, row);
}

// The same by a system's reduced form: rows at x0 and then every `spacing` of the independent quantity (a
// length, positive) until the time is tEnd, which the last row has exactly.
Status runBatchBy(const HasReducedForm& form, const IntegrationOptions& options, const State& x0, double tEnd,
                  double spacing, const RowCallback& row);

} // namespace casimir
