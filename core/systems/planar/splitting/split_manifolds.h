// How far the stable and the unstable manifold of a saddle part under a periodic disturbance, measured on the
// manifolds themselves: for a flow in the plane of an angle and a momentum whose saddle has a homoclinic
// orbit around the angle's circle as long as nothing disturbs it. What is predicted of them is said by those
// who use this: driven_joint.h and attached_body.h.
#pragma once

#include "core/base/status.h"

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace casimir::planar {

struct DisturbedFlow {
    // z = (angle, momentum), of period 2 pi in the angle and 2 pi/Omega in the time.
    std::function<Eigen::Vector2d(double t, const Eigen::Vector2d& z)> rate;
    std::function<Eigen::Matrix2d(double t, const Eigen::Vector2d& z)> jacobian;
    // What is compared: constant along the undisturbed motion.
    std::function<double(double t, const Eigen::Vector2d& z)> value;
    double Omega = 1;
    Eigen::Vector2d saddle;               // undisturbed
    double growthRate = 1;                // there
    double momentumSwing = 1;             // of the homoclinic orbit
    double section = 0;                   // the angle at which the manifolds are compared
    int branch = 1;                       // +1: the angle grows along the homoclinic orbit
    std::function<bool()> cancelled = {}; // asked at every step; empty: never
};

// Throws casimir::Error where a disturbance of the frequency Omega is so fast beside an orbit that is
// analytic in a strip of this half width that no double could show what it does.
void requireVisible(double Omega, double stripWidth);

struct SplittingSample {
    double t0 = 0;       // time of passing the section
    double measured = 0; // the value on the unstable minus that on the stable manifold there
    double predicted = 0;
};

struct Splitting {
    Status status;
    std::vector<SplittingSample> samples; // over one period of the disturbance
    // Of the predicted wave in the measured values, to least squares: tends to 1 as the disturbance does to
    // 0.
    double ratio() const;
};

Splitting measureSplitting(const DisturbedFlow& flow, int samples,
                           const std::function<double(double t0)>& predicted,
                           const std::function<bool(const Splitting&)>& goOn = {});

// The derivative of a plane field by complex steps, exact to rounding: `field` takes a complex vector.
template <class F>
Eigen::Matrix2d complexStepJacobian(const Eigen::Vector2d& z, const F& field)
{
    constexpr double h = 1e-30;
    Eigen::Matrix2d j;
    for (Eigen::Index k = 0; k < 2; ++k) {
        Eigen::Vector2cd moved = z.cast<std::complex<double>>();
        moved[k] += std::complex<double>(0, h);
        j.col(k) = Eigen::Vector2cd(field(moved)).imag() / h;
    }
    return j;
}

} // namespace casimir::planar
