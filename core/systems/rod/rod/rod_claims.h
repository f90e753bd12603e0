// The claims of the paper about the body with its rod, each computed when asked by a route of its own: brute
// force on the second variation, differences, an exact transfer matrix, sums over points. The formulas under
// test are handed in, so that an altered one can be seen to fail.
#pragma once

#include "core/model/analysis.h"
#include "core/systems/rod/rod/rod_stability.h"

#include <functional>
#include <vector>

namespace casimir::rod {

struct RodFormulas {
    // (5.34): the rigid block for η along x and y, from the locked inertia and μ along z.
    std::function<Eigen::Matrix2d(const Mat3& II, double mu)> rigidBlock;
    // The weight of (ξ·c)² in d²V_μ on the internal variations, from λ and |ξ|.
    std::function<double(double lambda, double omega)> internalWeight;
    // (5.35), (5.36): c(δq) = (DII·δq) ξ.
    std::function<Eigen::MatrixXd(const Rod&, const RodConfiguration&, const Vec3&)> inertiaVariation;
    // (5.26): the locked inertia about the mass centre, given the one about the origin and M, c.
    std::function<Mat3(const Mat3& origin, double mass, const Vec3& c)> parallelAxes;
    // (4.11): kinetic energy of the rod's points.
    std::function<double(double mass, const Vec3& velocity)> kineticEnergy;
};

RodFormulas rodFormulas();

std::vector<Claim> rodClaims(unsigned seed, const RodFormulas& formulas = rodFormulas());

} // namespace casimir::rod
