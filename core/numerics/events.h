// What may happen to a run between its steps: it ends where an event function changes its sign, and it is
// projected back onto a manifold. Both are decorators, so any Integration can have them:
// withEvents(withProjection(...)).
#pragma once

#include "core/numerics/integration.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace casimir {

using EventFunction = std::function<double(double t, const State& x)>;

// g changes its sign where the motion must end: the constraint becomes irregular, a body lifts off.
struct TerminalEvent {
    std::string id;
    std::string sentence;
    EventFunction g;
};

// The first time on the step at which g changes its sign, to `tolerance` or as far as the time resolves. The
// step is looked at in kEventSamples equal pieces, so a pair of changes within one piece is missed. If g is
// zero at the very beginning the event is one that just happened; it is not found again.
inline constexpr int kEventSamples = 4;
std::optional<double> locateEvent(const Interpolant& interpolant, const EventFunction& g,
                                  double tolerance = 1e-12);

// Ends the run exactly at the first event: that advance() returns the code "event" with the event's sentence,
// time() and state() are those of the event, and every later advance() away from it returns the same without
// moving.
std::unique_ptr<Integration> withEvents(std::unique_ptr<Integration> integration,
                                        std::vector<TerminalEvent> events);

// Applies `project` to the state after every accepted step and to every value of the interpolant, so that
// what is seen between the steps lies on the manifold as well. Like the field it must be safe to call
// concurrently.
using Projection = std::function<void(State& x)>;
std::unique_ptr<Integration> withProjection(std::unique_ptr<Integration> integration, Projection project);

} // namespace casimir
