// The stage of three bodies.
#include "core/systems/planar/body_pictures.h"
#include "core/systems/planar/three_body/three_body_system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace casimir::planar {

namespace {

std::array<PlanarBody, 3> drawnBodies(const ThreeBody& bodies)
{
    const ThreeBodyParameters& p = bodies.parameters();
    return {{{p.m1, p.I1, {bodies.d12()}},
             {p.m2, p.I2, {bodies.d21(), bodies.d23()}},
             {p.m3, p.I3, {bodies.d32()}}}};
}

} // namespace

void ThreeBodySystem::measure()
{
    const ThreeBodyParameters& p = bodies_.parameters();
    const double M = bodies_.mass();
    // The farthest that the mass centres can be from each other, and from the common one.
    const double s12 = p.c1 + std::abs(p.b1), s23 = std::hypot(p.e1, p.e2) + p.d1;
    const double s13 = p.c1 + std::hypot(p.b1 + p.e1, p.e2) + p.d1;
    const std::array<double, 3> away{(p.m2 * s12 + p.m3 * s13) / M, (p.m1 * s12 + p.m3 * s23) / M,
                                     (p.m1 * s13 + p.m2 * s23) / M};
    const auto drawn = drawnBodies(bodies_);
    sceneRadius_ = 0;
    for (std::size_t k = 0; k < 3; ++k)
        sceneRadius_ = std::max(sceneRadius_, away[k] + reachOf(outlineOf(drawn[k])));
    // The fastest of the straight shapes turning as one; without momentum, any rate will do.
    rateScale_ = 1e-300;
    for (const double x : {0.0, std::numbers::pi})
        for (const double y : {0.0, std::numbers::pi})
            rateScale_ = std::max(rateScale_, std::abs(p.mu) / bodies_.lockedInertia(x, y));
    if (p.mu == 0)
        rateScale_ = 1;
}

Scene ThreeBodySystem::scene() const
{
    const std::array<PlanarHinge, 2> hinges{
        {{"hinge12", "hinge between 1 and 2"}, {"hinge23", "hinge between 2 and 3"}}};
    return planarScene(drawnBodies(bodies_), hinges, sceneRadius_, {"theta21", "theta32", "H", "mu"});
}

void ThreeBodySystem::poseAt(double, const State& x, Pose& out) const
{
    const double theta1 = x[5], theta2 = theta1 + x[0], theta3 = theta2 + x[1];
    const ThreeBodyPlacement at = bodies_.placement(theta1, x[0], x[1]);
    const std::array<PlanarPlace, 3> placed{{{theta1, at.r1}, {theta2, at.r2}, {theta3, at.r3}}};
    const std::array<PlanarPlace, 2> hinges{{{theta1, at.hinge12}, {theta3, at.hinge23}}};
    const Eigen::Vector3d omega = bodies_.velocities(x[0], x[1], Eigen::Vector3d(x.segment<3>(2)));
    planarPose(placed, hinges, {omega.data(), 3}, 0.5 * sceneRadius_ / rateScale_, out);
}

} // namespace casimir::planar
