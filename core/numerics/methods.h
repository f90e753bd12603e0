// The generic methods by name: what `--integrator` takes and what the method chooser lists. A system's own
// steppers and closed forms are not here.
#pragma once

#include "core/numerics/integration.h"

#include <span>
#include <string_view>

namespace casimir {

struct MethodInfo {
    std::string_view id;
    std::string_view name;
    int order;
    bool fixedStep;
    std::string_view summary; // what it keeps and what it costs, one sentence
    // Shows something other than the motion itself (one mode of its linearisation): the system's laws need
    // not hold along it.
    bool illustration = false;
};

inline constexpr std::string_view kDefaultMethod = "dopri5";

std::span<const MethodInfo> genericMethods();

// For systems that declare what their motion keeps (System::holdsInvariants): Fehlberg's pair, put back onto
// the level of the invariants (held_invariants.h). Measured near the separatrix of two bodies, beside
// Dormand-Prince 5 at 1e-10: the Gauss methods of order 8 to 12 need 0.7 of its evaluations for an energy
// error of 1e-8, because a fixed step must be short enough for the quick part of the orbit and their
// iteration costs seven to ten evaluations a stage; this one needs 0.45, and the error is 1e-11.
const MethodInfo& conservingMethod();

// An unknown id throws an Error that names the nearest and the known ones; so does startIntegration.
const MethodInfo& genericMethod(std::string_view id);

std::unique_ptr<Integration> startIntegration(std::string_view methodId, Field field, double t0,
                                              const State& x0, const IntegrationOptions& options);

} // namespace casimir
