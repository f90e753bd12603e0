// A run that is put back onto the level of its invariants whenever it has left it by more than rounding asks
// for: any Integration, and any quantities that its motion keeps.
#pragma once

#include "core/numerics/methods.h"

#include <functional>
#include <memory>

namespace casimir {

// The numbers that the motion keeps, at x; `out` arrives with their number.
using Invariants = std::function<void(double t, const State& x, Eigen::VectorXd& out)>;

// Their gradients, one a row; false: take difference quotients.
using InvariantGradients = std::function<bool(double t, const State& x, Eigen::MatrixXd& out)>;

// After a step that leaves an invariant off its first value by more than `tolerance` (relative to its size),
// the state is moved by the shortest way back, lengths being measured in units of the components' sizes
// (`scale`, as in IntegrationOptions). In between nothing is done: without known gradients the correction
// costs two evaluations of the invariants for each component, and steps of a method of high order rarely need
// it.
//
// The error of the invariants then stays below the tolerance however long the run, which no explicit method
// reaches by itself. Near a separatrix it is what decides: the period depends on the energy there so strongly
// that a drift of the energy makes the phase err quadratically in time.
std::unique_ptr<Integration> withInvariants(std::unique_ptr<Integration> integration, Invariants invariants,
                                            Eigen::Index count, double tolerance, const State& scale = {},
                                            InvariantGradients gradients = {});

// For systems that declare what their motion keeps (core/model/keeps_invariants.h): Fehlberg's pair, put back
// onto the level of the invariants as above. Measured near the separatrix of two bodies, beside
// Dormand-Prince 5 at 1e-10: the Gauss methods of order 8 to 12 need 0.7 of its evaluations for an energy
// error of 1e-8, because a fixed step must be short enough for the quick part of the orbit and their
// iteration costs seven to ten evaluations a stage; this one needs 0.45, and the error is 1e-11.
const MethodInfo& conservingMethod();

} // namespace casimir
