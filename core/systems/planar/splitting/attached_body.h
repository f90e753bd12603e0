// A third body hinged near its own centre of mass, d1 = eps: how it splits the homoclinic orbit of the other
// two. At d1 = 0 it is a free rotor carried at its hinge: mu3 is conserved, y = theta32 turns by y' = mu3/I3
// - omega2, and bodies 1 and 2, with m3 a point mass at the hinge, are a two-body problem on the leaf mu -
// mu3. To first order in d1
//     mu3' = -dH/dy = eps Re(f e^{iy}),   f = i omega3 (Gamma13 e^{i theta21} omega1 + Gamma23 omega2)/eps,
// which at the saddle does not vanish but turns with y: there mu3 swings by Re(g e^{iy}), g = f_s/(i y_s').
// Along the homoclinic orbit y = y0 + eta(t); what passes from the saddle's periodic orbit to itself at equal
// energy is the integral of mu3' less the change of that swing,
//     mu3_u - mu3_s = eps M(y0) + O(eps^2),   M(y0) = Re(A e^{i y0}),   A = Int (f - f_s eta'/y_s') e^{i eta}
//     dt,
// whose integrand falls exponentially on both sides. y0 is the rotor's phase at the stretched angle.
#pragma once

#include "core/systems/planar/splitting/split_manifolds.h"
#include "core/systems/planar/three_body/three_body.h"
#include "core/systems/planar/two_body/two_body_orbits.h"

#include <complex>

namespace casimir::planar {

// Bodies 1 and 2 of the three with body 3 as a point mass at its hinge, at the momentum mu - mu3.
TwoBody carriedPair(const ThreeBodyParameters& bodies, double mu3);

class AttachedBody {
public:
    // d1 of `bodies` plays no part. Needs a homoclinic orbit of the pair and a rotor that turns against body
    // 2 at the saddle, not too fast for doubles; throws casimir::Error otherwise, and when `cancelled` says
    // so. `branch` as in HomoclinicPair.
    AttachedBody(const ThreeBodyParameters& bodies, double mu3, int branch,
                 std::function<bool()> cancelled = {});

    std::complex<double> amplitude() const { return amplitude_; } // A
    double melnikov(double y0) const { return (amplitude_ * std::polar(1.0, y0)).real(); }
    double saddleRate() const { return saddleRate_; } // y' there

    // At d1 = eps and the energy of the undisturbed orbit; t0 of the samples is the phase y0 (its negative
    // where the rotor turns backwards against body 2). The rotor must turn one way along the whole orbit,
    // since its phase is the time here; the status says where it does not.
    Splitting splitting(double eps, int samples = 16,
                        const std::function<bool(const Splitting&)>& goOn = {}) const;

private:
    ThreeBodyParameters p_;
    TwoBody pair_;
    HomoclinicPair orbit_;
    double mu3_;
    int branch_;
    std::function<bool()> cancelled_;
    double saddleRate_ = 0;
    bool oneWay_ = true;
    std::complex<double> amplitude_;
};

} // namespace casimir::planar
