// For systems whose full analysis has parts that take long: the part that a window asks for at every change,
// its equilibria with their verdicts.
#pragma once

#include "core/model/capabilities.h"

#include <functional>

namespace casimir {

class HasQuickAnalysis {
public:
    virtual ~HasQuickAnalysis() = default;
    // As analyze({}), but `more` may lack what takes long.
    virtual Analysis analyzeQuickly() const = 0;
    // Whether it lacks something, such as errors that take a second computation: then the whole is asked for
    // once nothing moves.
    virtual bool leavesOut() const { return false; }
    // The same, ended by a casimir::Error soon after `cancelled` says so, where that takes long; the answer
    // is then asked for anew. Empty: never.
    virtual Analysis analyzeUnless(const std::function<bool()>& cancelled) const
    {
        (void)cancelled;
        return analyzeQuickly();
    }
};

inline Analysis quickAnalysis(const System& system)
{
    const auto* quick = capability<HasQuickAnalysis>(system);
    return quick ? quick->analyzeQuickly() : system.analyze({});
}
inline Analysis quickAnalysisFrom(const System& system, const StateInputs& start,
                                  const std::function<bool()>& cancelled = {})
{
    const auto* quick = capability<HasQuickAnalysis>(system);
    return quick ? quick->analyzeUnless(cancelled) : system.analyzeFrom(start, {});
}

} // namespace casimir
