#include "core/numerics/held_invariants.h"

#include "core/numerics/error_norm.h"
#include "core/numerics/side_step.h"

#include <Eigen/QR>

#include <cmath>

namespace casimir {

namespace {

// Of the components' sizes: the error of a central difference is least at the cube root of rounding.
constexpr double kDifference = 6e-6;
// Gradients of invariants that differ by less than this are one.
constexpr double kDependent = 1e-7;
constexpr int kMostCorrections = 4;

// The level that a run is held on. Safe to share: interpolants return to it from any thread.
struct Level {
    Invariants invariants;
    InvariantGradients gradients;
    double tolerance;
    Eigen::VectorXd first, size; // the values kept, and what their errors are measured by

    // Leaves the invariants at x in `now`.
    double deviation(double t, const State& x, Eigen::VectorXd& now) const
    {
        now.resize(first.size());
        invariants(t, x, now);
        double worst = 0;
        for (Eigen::Index i = 0; i < now.size(); ++i)
            if (size[i] > 0)
                worst = std::max(worst, std::abs(now[i] - first[i]) / size[i]);
        return worst;
    }

    // In units of the components' sizes; rows of invariants that nothing changes are zero.
    Eigen::MatrixXd gradient(double t, const State& x, const State& unit) const
    {
        Eigen::MatrixXd all(first.size(), x.size());
        if (gradients && gradients(t, x, all))
            return all * unit.asDiagonal();
        State moved = x;
        Eigen::VectorXd ahead(first.size()), behind(first.size());
        for (Eigen::Index j = 0; j < x.size(); ++j) {
            const double h = kDifference * (unit[j] > 0 ? unit[j] : 1);
            moved[j] = x[j] + h;
            const double above = moved[j];
            invariants(t, moved, ahead);
            moved[j] = x[j] - h;
            const double length = above - moved[j];
            invariants(t, moved, behind);
            moved[j] = x[j];
            all.col(j) = (ahead - behind) * (unit[j] / length);
        }
        for (Eigen::Index i = 0; i < all.rows(); ++i)
            if (!all.row(i).allFinite() || all.row(i).norm() < kDependent * std::abs(first[i]))
                all.row(i).setZero();
        return all;
    }

    // The shortest way back, in units of the components' sizes; as far as rounding lets it.
    State putBack(double t, State x, const State& unit) const
    {
        const Eigen::VectorXd units = size.unaryExpr([](double s) { return s > 0 ? 1 / s : 0; });
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
        solver.setThreshold(kDependent);
        solver.compute(units.asDiagonal() * gradient(t, x, unit));
        Eigen::VectorXd now;
        double left = deviation(t, x, now);
        for (int i = 0; i < kMostCorrections && left > 1e-3 * tolerance; ++i) {
            const Eigen::VectorXd missing = units.cwiseProduct(first - now);
            const Eigen::VectorXd step = solver.solve(missing);
            const State next = x + unit.cwiseProduct(step);
            const double then = deviation(t, next, now);
            if (!(then < 0.5 * left))
                break; // no further by rounding
            x = next;
            left = then;
        }
        return x;
    }
};

// A step whose end was put back: so is every state inside it. Its glimpse moves along, more and more.
class HeldInterpolant : public SideStep {
public:
    HeldInterpolant(std::shared_ptr<const Interpolant> free, std::shared_ptr<const Level> level, State unit,
                    State shift, State end)
        : SideStep(free->begin(), free->end(), free->size()),
          free_(std::move(free)),
          level_(std::move(level)),
          unit_(std::move(unit)),
          shift_(std::move(shift)),
          end_(std::move(end))
    {
    }

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        if (t == end())
            x = end_;
        else if (t == begin())
            free_->at(t, x);
        else
            x = level_->putBack(t, free_->sample(t), unit_);
    }

    void glimpse(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        casimir::glimpse(*free_, t, x);
        x += scaled(t) * shift_;
    }
    bool glimpseIsReadable() const override { return casimir::glimpseIsReadable(*free_); }

private:
    std::shared_ptr<const Interpolant> free_;
    std::shared_ptr<const Level> level_;
    State unit_, shift_, end_;
};

class HeldIntegration : public Integration {
public:
    HeldIntegration(std::unique_ptr<Integration> inner, Invariants invariants, Eigen::Index count,
                    double tolerance, const State& scale, InvariantGradients gradients)
        : inner_(std::move(inner)),
          given_(scale.size() > 0 ? scale : State::Zero(inner_->state().size())),
          seen_(inner_->state().cwiseAbs())
    {
        Level level{std::move(invariants), std::move(gradients), tolerance, Eigen::VectorXd(count), {}};
        level.invariants(inner_->time(), inner_->state(), level.first);
        // An invariant that happens to be zero has the size of the terms that cancel in it.
        level.size = level.first.cwiseAbs().cwiseMax(
            level.gradient(inner_->time(), inner_->state(), sizes()).rowwise().norm());
        level_ = std::make_shared<const Level>(std::move(level));
    }

    double time() const override { return inner_->time(); }
    const State& state() const override { return inner_->state(); }
    long evaluations() const override { return inner_->evaluations(); }
    std::shared_ptr<const Interpolant> interpolant() const override
    {
        return held_ ? held_ : inner_->interpolant();
    }
    void replaceState(const State& x) override { inner_->replaceState(x); }

    Status advance(double tLimit) override
    {
        const double before = inner_->time();
        Status status = inner_->advance(tLimit);
        if (inner_->time() == before)
            return status;
        held_.reset();
        seen_ = seen_.cwiseMax(inner_->state().cwiseAbs());
        Eigen::VectorXd now;
        if (!(level_->deviation(inner_->time(), inner_->state(), now) > level_->tolerance))
            return status;
        const State unit = sizes();
        const State x = level_->putBack(inner_->time(), inner_->state(), unit);
        held_ =
            std::make_shared<HeldInterpolant>(inner_->interpolant(), level_, unit, x - inner_->state(), x);
        inner_->replaceState(x);
        return status;
    }

private:
    State sizes() const
    {
        const double least = ErrorNorm::kSmallestScale * seen_.maxCoeff();
        return (given_.array() > 0).select(given_, seen_.cwiseMax(least));
    }

    std::unique_ptr<Integration> inner_;
    State given_, seen_;
    std::shared_ptr<const Level> level_;
    std::shared_ptr<const Interpolant> held_;
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
