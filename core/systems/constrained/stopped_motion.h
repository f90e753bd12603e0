// A motion that cannot begin: its start is where a run would have ended (an irregular constraint, a body that
// lifts off). It stands still and says why.
#pragma once

#include "core/numerics/integration.h"

#include <string>

namespace casimir::constrained {

class StoppedMotion final : public Integration {
public:
    StoppedMotion(double t0, State x0, std::string sentence)
        : t_(t0), x_(std::move(x0)), status_(Status::failed("event", std::move(sentence)))
    {
    }
    double time() const override { return t_; }
    const State& state() const override { return x_; }
    Status advance(double tLimit) override { return tLimit == t_ ? Status{} : status_; }
    std::shared_ptr<const Interpolant> interpolant() const override { return constantInterpolant(t_, x_); }
    long evaluations() const override { return 0; }

private:
    double t_;
    State x_;
    Status status_;
};

} // namespace casimir::constrained
