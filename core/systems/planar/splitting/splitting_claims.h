// What the abstract of the paper promises of its second part, computed: a periodic disturbance splits the
// homoclinic orbit of two bodies, by Melnikov's integral to first order. The integrals are handed in, so that
// an altered one can be seen to fail.
#pragma once

#include "core/model/analysis.h"
#include "core/systems/planar/three_body/three_body.h"
#include "core/systems/planar/two_body/two_body.h"

#include <functional>
#include <vector>

namespace casimir::planar {

struct MelnikovFormulas {
    // M at the time or the phase of passing the stretched state, with growing joint angle.
    std::function<double(const TwoBody&, double Omega, double t0)> driven;
    std::function<double(const ThreeBodyParameters&, double mu3, double y0)> attached;
};

MelnikovFormulas melnikovFormulas();

std::vector<Claim> splittingClaims(const MelnikovFormulas& formulas = melnikovFormulas());

} // namespace casimir::planar
