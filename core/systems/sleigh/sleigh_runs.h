// The sleigh's own ways to obtain a motion: the closed form, and Whittaker's reduced form run over phi or,
// its t(phi) inverted, over time.
#pragma once

#include "core/systems/sleigh/sleigh_equations.h"

#include <memory>

namespace casimir::sleigh {

std::unique_ptr<Integration> startClosedForm(const Sleigh& sleigh, double t0, const State& x0);

// Over phi: time() is phi, the state is the system's with t, counted from 0, at its end. Ends with the code
// "event" where |phidot| has fallen to `kLeastRate` of the largest value it had: what the start left
// uncertain has grown by the inverse of that. Throws Error where the reduction does not apply at the start.
inline constexpr double kLeastRate = 1e-4;
std::unique_ptr<Integration> startReducedByAngle(std::shared_ptr<const SleighEquations> equations,
                                                 const State& x0, const IntegrationOptions& options);

// The same over time.
std::unique_ptr<Integration> startReduced(std::shared_ptr<const SleighEquations> equations, double t0,
                                          const State& x0, const IntegrationOptions& options);

} // namespace casimir::sleigh
