// Two bodies whose joint is driven by the torque eps cos(Omega t): how far the stable and the unstable
// manifold of the folded state part, predicted by Melnikov's integral along the homoclinic orbit and measured
// on the manifolds themselves. On the leaf the drive adds eps cos(Omega t) to nu', so dH/dt = theta' eps
// cos(Omega t) and
//     H_u - H_s = eps M(t0) + O(eps^2),   M(t0) = Int theta'(t) cos(Omega (t + t0)) dt = A(Omega) cos(Omega
//     t0),
// where t0 is the time at which an orbit passes the stretched angle; theta' is even in time.
#pragma once

#include "core/systems/planar/splitting/split_manifolds.h"
#include "core/systems/planar/two_body/two_body_orbits.h"

#include <vector>

namespace casimir::planar {

class DrivenJoint {
public:
    // Needs mu != 0 and d1 d2 != 0 (throws casimir::Error) and Omega > 0. `branch` as in HomoclinicPair.
    // Throws where Omega is too high for doubles to show what it does, and when `cancelled` says so.
    DrivenJoint(const TwoBody& bodies, double Omega, int branch, std::function<bool()> cancelled = {});

    double amplitude() const { return amplitude_; } // A(Omega)
    double melnikov(double t0) const;
    // Simple zeros of M in one period of the drive: there the manifolds cross transversally.
    std::vector<double> zeros() const;

    // `goOn` sees what is measured so far and may end it by answering false.
    Splitting splitting(double eps, int samples = 16,
                        const std::function<bool(const Splitting&)>& goOn = {}) const;

private:
    TwoBody bodies_;
    HomoclinicPair pair_;
    double Omega_;
    int branch_;
    std::function<bool()> cancelled_;
    double amplitude_ = 0;
};

} // namespace casimir::planar
