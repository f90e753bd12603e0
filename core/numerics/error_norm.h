// The one norm in which the generic methods measure an error: the largest component in units of its own
// tolerance,
//
//     |e| = max_i |e_i| / (atol + rtol S_i),    S_i = max(max over the run of |x_i|, 1e-6 max_j S_j).
//
// The running maximum keeps a component that passes through zero from stopping the run; the floor keeps one
// that is zero but for rounding from doing so, and still resolves a momentum of 1e-6 beside an angle of 1 to
// full rtol. A scale given in the options replaces S_i, the floor included.
#pragma once

#include "core/numerics/integration.h"

namespace casimir {

class ErrorNorm {
public:
    static constexpr double kSmallestScale = 1e-6;

    // Refuses tolerances that cannot be met in double precision.
    ErrorNorm(const IntegrationOptions& options, Eigen::Index n);

    // Lets the scales grow to that of x.
    void widen(const State& x);

    // The norm of the vector e when the run comes to x; infinite if any component is not finite.
    double operator()(const State& e, const State& x) const;

private:
    double rtol_;
    double atol_;
    State given_;
    State seen_;
};

} // namespace casimir
