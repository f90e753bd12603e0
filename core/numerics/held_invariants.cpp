#include "core/numerics/held_invariants.h"

#include "core/numerics/error_norm.h"

#include <Eigen/QR>

#include <cmath>

namespace casimir {

namespace {

// Of the components' sizes: the error of a central difference is least at the cube root of rounding.
constexpr double kDifference = 6e-6;
// Gradients of invariants that differ by less than this are one.
constexpr double kDependent = 1e-7;
constexpr int kMostCorrections = 4;

// A step whose end was moved by `shift`: the motion inside it moves along, more and more.
class ShiftedInterpolant : public Interpolant {
public:
    ShiftedInterpolant(std::shared_ptr<const Interpolant> free, State shift, State end)
        : Interpolant(free->begin(), free->end(), free->size()),
          free_(std::move(free)),
          shift_(std::move(shift)),
          end_(std::move(end))
    {
    }

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        if (t == end()) {
            x = end_;
            return;
        }
        free_->at(t, x);
        x += scaled(t) * shift_;
    }

private:
    std::shared_ptr<const Interpolant> free_;
    State shift_, end_;
};

class HeldIntegration : public Integration {
public:
    HeldIntegration(std::unique_ptr<Integration> inner, Invariants invariants, Eigen::Index count,
                    double tolerance, const State& scale, InvariantGradients gradients)
        : inner_(std::move(inner)),
          invariants_(std::move(invariants)),
          gradients_(std::move(gradients)),
          tolerance_(tolerance),
          given_(scale.size() > 0 ? scale : State::Zero(inner_->state().size())),
          seen_(inner_->state().cwiseAbs()),
          first_(count),
          now_(count),
          gradient_(count, inner_->state().size())
    {
        invariants_(inner_->time(), inner_->state(), first_);
        computeGradient(inner_->state());
        // An invariant that happens to be zero has the size of the terms that cancel in it.
        size_ = first_.cwiseAbs().cwiseMax(gradient_.rowwise().norm());
    }

    double time() const override { return inner_->time(); }
    const State& state() const override { return inner_->state(); }
    long evaluations() const override { return inner_->evaluations(); }
    std::shared_ptr<const Interpolant> interpolant() const override
    {
        return shifted_ ? shifted_ : inner_->interpolant();
    }
    void replaceState(const State& x) override { inner_->replaceState(x); }

    Status advance(double tLimit) override
    {
        const double before = inner_->time();
        Status status = inner_->advance(tLimit);
        if (inner_->time() == before)
            return status;
        shifted_.reset();
        seen_ = seen_.cwiseMax(inner_->state().cwiseAbs());
        if (!(deviation(inner_->state()) > tolerance_))
            return status;
        State x = inner_->state();
        computeGradient(x);
        const Eigen::VectorXd units = size_.unaryExpr([](double size) { return size > 0 ? 1 / size : 0; });
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
        solver.setThreshold(kDependent);
        solver.compute(units.asDiagonal() * gradient_);
        double left = deviation(x);
        for (int i = 0; i < kMostCorrections && left > 1e-3 * tolerance_; ++i) {
            const State next = x + sizes().cwiseProduct(solver.solve(units.cwiseProduct(first_ - now_)));
            const double then = deviation(next);
            if (!(then < 0.5 * left))
                break; // no further by rounding
            x = next;
            left = then;
        }
        deviation(x);
        const auto free = inner_->interpolant();
        shifted_ = std::make_shared<ShiftedInterpolant>(free, x - inner_->state(), x);
        inner_->replaceState(x);
        return status;
    }

private:
    // Leaves the invariants at x in now_.
    double deviation(const State& x)
    {
        invariants_(inner_->time(), x, now_);
        double worst = 0;
        for (Eigen::Index i = 0; i < now_.size(); ++i)
            if (size_[i] > 0)
                worst = std::max(worst, std::abs(now_[i] - first_[i]) / size_[i]);
        return worst;
    }

    State sizes() const
    {
        const double least = ErrorNorm::kSmallestScale * seen_.maxCoeff();
        return (given_.array() > 0).select(given_, seen_.cwiseMax(least));
    }

    // In units of the components' sizes; rows of invariants that nothing changes are zero.
    void computeGradient(const State& x)
    {
        const State unit = sizes();
        if (gradients_ && gradients_(inner_->time(), x, gradient_)) {
            gradient_ = gradient_ * unit.asDiagonal();
            return;
        }
        State moved = x;
        Eigen::VectorXd ahead(first_.size()), behind(first_.size());
        for (Eigen::Index j = 0; j < x.size(); ++j) {
            const double h = kDifference * (unit[j] > 0 ? unit[j] : 1);
            moved[j] = x[j] + h;
            const double above = moved[j];
            invariants_(inner_->time(), moved, ahead);
            moved[j] = x[j] - h;
            const double length = above - moved[j];
            invariants_(inner_->time(), moved, behind);
            moved[j] = x[j];
            gradient_.col(j) = (ahead - behind) * (unit[j] / length);
        }
        for (Eigen::Index i = 0; i < gradient_.rows(); ++i)
            if (!gradient_.row(i).allFinite() || gradient_.row(i).norm() < kDependent * std::abs(first_[i]))
                gradient_.row(i).setZero();
    }

    std::unique_ptr<Integration> inner_;
    Invariants invariants_;
    InvariantGradients gradients_;
    double tolerance_;
    State given_, seen_;
    Eigen::VectorXd first_, now_, size_;
    Eigen::MatrixXd gradient_;
    std::shared_ptr<const Interpolant> shifted_;
};

} // namespace

std::unique_ptr<Integration> withInvariants(std::unique_ptr<Integration> integration, Invariants invariants,
                                            Eigen::Index count, double tolerance, const State& scale,
                                            InvariantGradients gradients)
{
    if (count == 0)
        return integration;
    return std::make_unique<HeldIntegration>(std::move(integration), std::move(invariants), count, tolerance,
                                             scale, std::move(gradients));
}

const MethodInfo& conservingMethod()
{
    static constexpr MethodInfo method{
        "conserving", "Fehlberg 7(8), invariants held", 8, false,
        "Adapts long steps at thirteen evaluations each and puts energy and Casimirs back whenever they are "
        "off by a tenth of the tolerance: no drift, and the cheapest for long runs near a separatrix."};
    return method;
}

} // namespace casimir
