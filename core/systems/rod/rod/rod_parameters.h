// The parameters of the rod as a person gives them: schema, aliases, sections, and the natural units in which
// the mechanics works (length L, mass ρ_A L, time √(ρ_A L⁴/EI) with the softer EI).
#pragma once

#include "core/model/parameter.h"
#include "core/systems/rod/rod/rod_branch.h"

#include <memory>
#include <vector>

namespace casimir::rod {

struct RodUnits {
    double length = 1, mass = 1, time = 1;

    double rate() const { return 1 / time; }
    double inertia() const { return mass * length * length; }
    double momentum() const { return inertia() / time; }
    double energy() const { return momentum() / time; }
};

struct RodSetup {
    RodParameters natural; // in natural units
    RodUnits units;
    SpinAxis axis = SpinAxis::Z;
    double omega = 0;       // natural
    double searchLimit = 0; // natural
    double damping = 0;     // natural
    bool bent = false;
    bool extrapolated = false;
    double sectionRadius = 0.05; // m, for the picture
};

Schema rodSchema();
// Throws Error where the values make no rod.
RodSetup setupOf(const Values& values);

// The equilibrium that the values ask for; asked again with the same values it is not computed again.
RodEquilibrium equilibriumOf(const RodSetup& setup, const RodParameters& parameters);

// Every spin rate up to the limit of the search where the verdict changes, natural units; of a bent branch
// those above the present one. On the branch from rest they do not depend on the present spin rate, and
// dragging it does not seek them again.
std::shared_ptr<const std::vector<CriticalSpin>> criticalSpinsOf(const RodSetup& setup);

} // namespace casimir::rod
