// The explicit methods with step size control: Boost.Odeint's tableaux under one controller. Both know their
// error only through the norm of error_norm.h.
#pragma once

#include "core/numerics/integration.h"

namespace casimir {

// Dormand-Prince 5(4), continued by the fifth order result, with its own continuous extension.
std::unique_ptr<Integration> startDormandPrince5(Field field, double t0, const State& x0,
                                                 const IntegrationOptions& options);

// Runge-Kutta-Fehlberg 7(8). Its interpolant is the method itself, run with a shorter step from the start of
// the step: thirteen evaluations of the field for each value asked, and the order of the step everywhere
// inside it.
std::unique_ptr<Integration> startFehlberg78(Field field, double t0, const State& x0,
                                             const IntegrationOptions& options);

} // namespace casimir
