// Which vibration is which: modes of two spin rates, or of two numbers of elements, are paired by the overlap
// of their shapes, not by their place in the order of frequencies.
#pragma once

#include "core/systems/rod/rod/rod_stability.h"

namespace casimir::rod {

// |φ_a* M φ_b| of unit shapes, M that of the rod with fewer elements; 0 where the nodes of one are not among
// those of the other.
double overlap(const RodLinearisation& atA, const RodMode& a, const RodLinearisation& atB, const RodMode& b);

// For each of a's modes the place among b's of the one that it continues in, -1 where there is none. Each of
// b's is taken once, the clearest pairs first. `least` is the smallest overlap among those paired.
struct ModePairs {
    std::vector<int> partner;
    double least = 1;
};
ModePairs pairModes(const RodLinearisation& atA, const std::vector<RodMode>& a, const RodLinearisation& atB,
                    const std::vector<RodMode>& b);

} // namespace casimir::rod
