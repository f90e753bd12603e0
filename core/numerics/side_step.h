// A step whose inside is known as well as its ends: there a state is a side step of the method from where the
// step began, with the method's own accuracy and invariants. It costs what a step costs, so there is a
// glimpse beside it for those who look at hundreds of points a frame. Which steps are made never depends on
// either.
#pragma once

#include "core/numerics/interpolant.h"

namespace casimir {

class SideStep : public Interpolant {
public:
    // A cheap curve near at(), exact at both ends: for traces and for bracketing what at() then finds.
    virtual void glimpse(double t, Eigen::Ref<Eigen::VectorXd> x) const = 0;
    // Whether the glimpse is close enough to at() to draw quantities from. Invariants are never judged by it.
    virtual bool glimpseIsReadable() const { return true; }

protected:
    using Interpolant::Interpolant;
};

// The glimpse of a step that has one, and at() of any other.
void glimpse(const Interpolant& step, double t, Eigen::Ref<Eigen::VectorXd> x);
bool glimpseIsReadable(const Interpolant& step);

} // namespace casimir
