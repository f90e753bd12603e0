// What the table says of a constraint at the start of a motion: how regular it is, and what its force does.
#pragma once

#include "core/model/analysis.h"
#include "core/model/capabilities.h"

namespace casimir::constrained {

// Adds the smallest singular value, the power and the rates of momenta due to the constraint force; NaN where
// the state cannot be split.
void addSplit(Analysis& analysis, const ConstraintReport& report);

} // namespace casimir::constrained
