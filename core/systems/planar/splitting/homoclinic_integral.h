// Integrals of Melnikov's kind along the homoclinic orbit of two bodies, Int f e^{i phi} dx, by the variable
// x of HomoclinicPair in which the orbit is a closed form. What is integrated is said by those who use this:
// driven_joint.h and attached_body.h.
#pragma once

#include "core/systems/planar/two_body/two_body_orbits.h"

#include <complex>
#include <functional>

namespace casimir::planar {

struct HomoclinicTerm {
    double phaseRate = 0;        // dphi/dx
    std::complex<double> factor; // f, falling as e^-|x|
};

// From x = 0, where phi = 0, out to the saddle, forwards (direction +1) or backwards in time. The steps
// follow phase and orbit, so the time taken grows with the number of turns of the phase. Throws
// casimir::Error when `cancelled` says so.
std::complex<double> homoclinicIntegral(const HomoclinicPair& pair, int direction,
                                        const std::function<HomoclinicTerm(double x)>& term,
                                        const std::function<bool()>& cancelled = {});

} // namespace casimir::planar
