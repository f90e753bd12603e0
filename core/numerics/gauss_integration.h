// Runs of the Gauss-Legendre methods with a fixed step.
#pragma once

#include "core/numerics/integration.h"

namespace casimir {

// Stages 1 to 4: implicit midpoint and Gauss-Legendre 4, 6, 8. With options.step == 0 the first advance
// chooses the step: one step is compared with two half steps at the start and where a trial run is fastest,
// and the largest step is kept whose error meets the tolerance at both places.
//
// The interpolant is the method itself with a shorter step from the start of the step, so it has the order of
// the steps and keeps the invariants they keep; the collocation polynomial, of much lower order inside the
// step, starts its iteration.
std::unique_ptr<Integration> startGauss(int stages, Field field, double t0, const State& x0,
                                        const IntegrationOptions& options);

} // namespace casimir
