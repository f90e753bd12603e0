// What Marle's paper says of rolling bodies, and what else is shown of them, each statement computed when
// asked from random bodies by a route of its own. The formulas under test are handed in, so that an altered
// one can be seen to fail.
#pragma once

#include "core/model/claims.h"
#include "core/systems/constrained/rolling_body/rolling_body.h"

namespace casimir::constrained {

struct RollingFormulas {
    using State10 = RollingBody::State10;
    std::function<State10(const RollingBody&, const State10&)> field =
        [](const RollingBody& b, const State10& x) { return b.field(x); };
    std::function<RollingBody::Report(const RollingBody&, const State10&)> report =
        [](const RollingBody& b, const State10& x) { return b.report(x); };
    std::function<Eigen::Vector3d(const RollingBody&, const Eigen::Vector3d&)> gamma =
        [](const RollingBody& b, const Eigen::Vector3d& n) { return b.gamma(n); };
    std::function<RollingBody::SphereMotion(const RollingBody&, const State10&, double)> sphereAt =
        [](const RollingBody& b, const State10& x, double t) { return b.sphereAt(x, t); };
};

std::vector<ClaimCheck> rollingClaims(unsigned seed, const RollingFormulas& formulas = {});

} // namespace casimir::constrained
