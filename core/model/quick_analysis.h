// For systems whose full analysis has parts that take long: the part that a window asks for at every change,
// its equilibria with their verdicts.
#pragma once

#include "core/model/capabilities.h"

namespace casimir {

class HasQuickAnalysis {
public:
    virtual ~HasQuickAnalysis() = default;
    // As analyze({}), but `more` may lack what takes long.
    virtual Analysis analyzeQuickly() const = 0;
};

inline Analysis quickAnalysis(const System& system)
{
    const auto* quick = capability<HasQuickAnalysis>(system);
    return quick ? quick->analyzeQuickly() : system.analyze({});
}
inline Analysis quickAnalysisFrom(const System& system, const StateInputs& start)
{
    const auto* quick = capability<HasQuickAnalysis>(system);
    return quick ? quick->analyzeQuickly() : system.analyzeFrom(start, {});
}

} // namespace casimir
