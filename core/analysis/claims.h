// How `verify` judges one statement of a paper: a deviation computed by a route of its own, and, where the
// paper misprints, how far off the printed form is. The statements themselves stand beside each system.
#pragma once

#include "core/model/analysis.h"

#include <functional>
#include <string>
#include <vector>

namespace casimir {

// A misprint that moves numbers by less than this would not be told from rounding.
inline constexpr double visibleDeviation = 1e-6;

struct ClaimCheck {
    std::string id;        // equation, theorem or place in the paper
    std::string statement; // as corrected where there is an erratum
    std::string computed;  // by what it was checked
    std::function<double()> deviation;
    std::function<double()> printed = {}; // of the form with the misprint; empty without an erratum
    std::string erratum = {};
    double digitsNeeded = 11;
};

// Decimal digits of a relative deviation, at most 16; NaN has none.
double digitsOf(double deviation);

Claim judge(const ClaimCheck& check);
std::vector<Claim> judge(const std::vector<ClaimCheck>& checks);

} // namespace casimir
