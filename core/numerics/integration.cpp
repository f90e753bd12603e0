#include "core/numerics/integration.h"

#include "core/base/error.h"

namespace casimir {

Integration::~Integration() = default;

void Integration::replaceState(const State&)
{
    throw Error("This method does not take a projection: its state cannot be replaced during a run.");
}

Status advanceTo(Integration& integration, double t, const std::function<void(const Integration&)>& onStep)
{
    while (integration.time() != t) {
        const double before = integration.time();
        Status status = integration.advance(t);
        if (onStep && integration.time() != before)
            onStep(integration);
        if (!status.ok())
            return status;
    }
    return {};
}

Status advanceUnless(const std::function<bool()>& cancelled, Integration& integration, double t)
{
    while (integration.time() != t) {
        if (Status status = integration.advance(t); !status.ok())
            return status;
        if (cancelled && cancelled())
            return Status::failed("cancelled", "Nobody waits for this any more.");
    }
    return {};
}

} // namespace casimir
