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

// An unknown id throws an Error that names the nearest and the known ones; so does startIntegration.
const MethodInfo& genericMethod(std::string_view id);

std::unique_ptr<Integration> startIntegration(std::string_view methodId, Field field, double t0,
                                              const State& x0, const IntegrationOptions& options);

} // namespace casimir
