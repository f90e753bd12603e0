// What must be true of every system, registered or stand-in. Each check is a function that reports through
// GoogleTest.
#pragma once

#include "core/model/kind.h"

#include <string>

namespace casimir::test {

struct ContractOptions {
    double duration = 5;     // s of motion
    double tolerance = 1e-7; // relative, of laws along a motion at rtol 1e-10
    bool extremes = true;    // drive every parameter to the ends of its range
};

// Runs all checks on the kind at the values and start of `label`.
void checkContract(const Kind& kind, const Values& values, const StateInputs& start, const std::string& label,
                   const ContractOptions& options = {});

} // namespace casimir::test
