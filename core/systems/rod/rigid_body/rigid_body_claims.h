// What section 3 of Posbergh, Simo and Marsden and (1.1)-(1.4) of Sreenath, Oh, Krishnaprasad and Marsden say
// of the rigid body, each computed when asked by a route of its own: sums over mass points, commutators of
// matrices, differences, quadrature on the sphere. The formulas under test are handed in, so that an altered
// one can be seen to fail.
#pragma once

#include "core/model/analysis.h"
#include "core/systems/rod/rigid_body/rigid_body_motion.h"

#include <functional>
#include <vector>

namespace casimir::rod {

struct MassPoint {
    double mass = 1;
    Vec3 X = Vec3::Zero();
};

struct RigidBodyFormulas {
    std::function<Mat3(const Vec3&)> hat;                                                     // (3.1)
    std::function<double(const Mat3&, const Mat3&)> pairing;                                  // (3.3)
    std::function<Mat3(const std::vector<MassPoint>&)> inertia;                               // (3.11)
    std::function<double(const Mat3& IB, double mass, const Vec3& pi, const Vec3& p)> energy; // (3.10)
    std::function<double(const Vec3& l, const Vec3& dF, const Vec3& dG)> bracket;             // (1.2)
    std::function<Vec3(const Vec3& l, const Vec3& omega)> field;                              // (1.3)
    std::function<double(double Ia, double lambda, double mu)> rigidBlock; // (5.34), the body alone
    std::function<double(const RigidBodyMotion&)> geometricPhase;
};

RigidBodyFormulas rigidBodyFormulas();

std::vector<Claim> rigidBodyClaims(unsigned seed, const RigidBodyFormulas& formulas = rigidBodyFormulas());

} // namespace casimir::rod
