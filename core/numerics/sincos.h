// Sines and cosines of many angles at once, in loops that the compiler turns into vector code; wider vectors
// are chosen at run time. The results do not depend on the width.
#pragma once

#include <cstddef>

namespace casimir {

// Both to about one unit in the last place. Angles beyond kLargestReduced in magnitude take the standard
// library's way. None of the arrays may overlap another.
inline constexpr double kLargestReduced = 8e5;
void sinesAndCosines(const double* angle, double* sine, double* cosine, std::size_t n);

} // namespace casimir
