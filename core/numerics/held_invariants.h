// A run that is put back onto the level of its invariants whenever it has left it by more than rounding asks
// for: any Integration, and any quantities that its motion keeps.
#pragma once

#include "core/numerics/integration.h"

#include <functional>
#include <memory>

namespace casimir {

// The numbers that the motion keeps, at x; `out` arrives with their number.
using Invariants = std::function<void(double t, const State& x, Eigen::VectorXd& out)>;

// After a step that leaves an invariant off its first value by more than `tolerance` (relative to its size),
// the state is moved by the shortest way back, lengths being measured in units of the components' sizes
// (`scale`, as in IntegrationOptions). In between nothing is done: the correction costs two evaluations of
// the invariants for each component, and steps of a method of high order rarely need it.
//
// The error of the invariants then stays below the tolerance however long the run, which no explicit method
// reaches by itself. Near a separatrix it is what decides: the period depends on the energy there so strongly
// that a drift of the energy makes the phase err quadratically in time.
std::unique_ptr<Integration> withInvariants(std::unique_ptr<Integration> integration, Invariants invariants,
                                            Eigen::Index count, double tolerance, const State& scale = {});

} // namespace casimir
