// The rod on a finger that is led by hand: x(t) is prescribed, and (theta, p_theta) follow. The finger moves
// as the recorded input changes, from the place where the motion starts.
#pragma once

#include "core/numerics/integration.h"
#include "core/systems/constrained/servo_rod/servo_rod.h"

#include <string_view>

namespace casimir::constrained {

// States (x, theta, p_x, p_theta, supplied, xddot). Steps end at the knots of the input, so that a motion
// that runs while it is led and its replay make the same steps.
std::unique_ptr<Integration> startHandMotion(const ServoRod& rod, std::string_view method, double t0,
                                             const State& x0, const IntegrationOptions& options);

} // namespace casimir::constrained
