// A motion known as a function of time: who wants one state asks for it at once, and who follows the motion
// gets steps up to a fixed length whose interpolant is the formula itself.
#pragma once

#include "core/numerics/integration.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace casimir {

// The state at time t0 + t, given the one at t0; must be safe to call concurrently.
using Formula = std::function<State(double t)>;

// Of an Integration (dynamic_cast): any time costs the same, however far, and no step has to be made on the
// way.
class KnownAtAnyTime {
public:
    virtual ~KnownAtAnyTime() = default;
    virtual void stateAt(double t, State& x) const = 0;
};

class ClosedFormMotion final : public Integration, public KnownAtAnyTime {
public:
    ClosedFormMotion(double t0, State x0, Formula formula, double longestStep = 0.25)
        : formula_(std::make_shared<const Formula>(std::move(formula))),
          longest_(longestStep),
          t0_(t0),
          t_(t0),
          x0_(std::move(x0)),
          x_(x0_),
          interpolant_(constantInterpolant(t0, x_))
    {
    }
    double time() const override { return t_; }
    const State& state() const override { return x_; }
    long evaluations() const override { return 0; }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }

    void stateAt(double t, State& x) const override { x = t == t0_ ? x0_ : (*formula_)(t - t0_); }

    Status advance(double tLimit) override
    {
        const double begin = t_;
        t_ = std::abs(tLimit - t_) <= longest_ ? tLimit : t_ + std::copysign(longest_, tLimit - t_);
        x_ = (*formula_)(t_ - t0_);
        interpolant_ = std::make_shared<Curve>(begin, t_, x_.size(), t0_, formula_);
        return {};
    }

private:
    class Curve final : public Interpolant {
    public:
        Curve(double begin, double end, Eigen::Index size, double t0, std::shared_ptr<const Formula> formula)
            : Interpolant(begin, end, size), t0_(t0), formula_(std::move(formula))
        {
        }
        void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override { x = (*formula_)(t - t0_); }

    private:
        double t0_;
        std::shared_ptr<const Formula> formula_;
    };

    std::shared_ptr<const Formula> formula_;
    double longest_, t0_, t_;
    State x0_, x_;
    std::shared_ptr<const Interpolant> interpolant_;
};

} // namespace casimir
