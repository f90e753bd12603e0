// What Marle's paper says of servomechanisms and of the rod on a finger, each statement computed when asked
// from random rods by a route of its own: the kinetic energy of the embedded rod, complex-step derivatives,
// the split by bases. The formulas under test are handed in, so that an altered one can be seen to fail.
#pragma once

#include "core/model/claims.h"
#include "core/systems/constrained/servo_rod/servo_rod.h"

namespace casimir::constrained {

struct ServoRodFormulas {
    using Phase = ServoRod::Phase;
    std::function<double(const ServoRod&, const Phase&)> hamiltonian =
        [](const ServoRod& rod, const Phase& z) { return rod.hamiltonian(z); };
    std::function<Phase(const ServoRod&, const Phase&)> XH = [](const ServoRod& rod, const Phase& z) {
        return rod.XH(z);
    };
    std::function<ServoRod::Motion(const ServoRod&, const Phase&)> motion =
        [](const ServoRod& rod, const Phase& z) { return rod.motion(z); };
    std::function<std::vector<std::complex<double>>(const ServoRod&)> eigenvalues = [](const ServoRod& rod) {
        return rod.spectrum().eigenvalues;
    };
    std::function<double(const ServoRod&)> strip = [](const ServoRod& rod) {
        return rod.stripHalfWidth().value_or(0);
    };
};

std::vector<ClaimCheck> servoRodClaims(unsigned seed, const ServoRodFormulas& formulas = {});

} // namespace casimir::constrained
