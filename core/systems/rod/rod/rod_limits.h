// Where an equilibrium of the elements stops being one of the continuum, and where the linear law of the
// continuum stops being believable.
#pragma once

#include "core/systems/rod/rod/rod_equilibrium.h"

#include <functional>

namespace casimir::rod {

struct RodStrains {
    double longest = 1, shortest = 1; // 1 + Γ_3, the stretch along the section's normal
    double shear = 0;                 // the largest |(Γ_1, Γ_2)|
};
RodStrains strainsOf(const Rod& rod, const RodConfiguration& at);

// Beyond these the stretch is more than double or less than half, or the shear more than a half: an elastic
// rod of a linear law in name only. A sentence, empty within.
std::string beyondTheLaw(const RodStrains& strains);

// Fails ("no-continuum") where an element is turned inside out, or where twice as many elements have no such
// state or one of quite another stretch: then it is no state of the continuum. Only large strains are
// compared with the finer rod.
Status continuumStatus(const Rod& rod, const RodEquilibrium& e);

// `e` where the continuum has it; else the last one below it that it has, with a status that says so. `at`
// gives the branch's equilibrium at a spin rate.
RodEquilibrium heldToTheContinuum(const Rod& rod, const RodEquilibrium& e,
                                  const std::function<RodEquilibrium(double)>& at);

} // namespace casimir::rod
