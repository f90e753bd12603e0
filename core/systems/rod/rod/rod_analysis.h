// Numbers of the rod with what its elements leave wrong of them, for tables and charts. What is said of an
// equilibrium as a whole is RodSystem::analyze, beside them in rod_analysis.cpp.
#pragma once

#include "core/systems/rod/rod/rod_parameters.h"

#include <string>

namespace casimir::rod {

// The vibrations by ascending frequency, and the error of each exponent's real and imaginary part by
// comparison with another number of elements, modes paired by their shapes; NaN where it is not known.
struct KnownVibrations {
    RodSpectrum spectrum;
    std::vector<std::complex<double>> errors;
};
KnownVibrations knownVibrations(const RodSetup& setup);

// Of a critical spin rate, by the same comparison; natural units, NaN where it is not known.
double criticalError(const RodSetup& setup, const CriticalSpin& critical);

// The digits before the error, six at most; three where it is not known.
std::string knownText(double value, double error);

} // namespace casimir::rod
