#include "core/systems/sleigh/sleigh_runs.h"

#include "core/base/error.h"
#include "core/numerics/methods.h"
#include "core/numerics/roots.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace casimir::sleigh {

namespace {

constexpr Eigen::Index kTime = 5;     // after the system's own five
constexpr double kLongestTurn = 0.25; // rad of one reduced step

class ClosedInterpolant final : public Interpolant {
public:
    ClosedInterpolant(std::shared_ptr<const SleighMotion> motion, double t0, double begin, const Vector5& x0,
                      double end, const Vector5& x1)
        : Interpolant(begin, end, x0.size()), motion_(std::move(motion)), t0_(t0), x0_(x0), x1_(x1)
    {
    }
    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        if (t == begin())
            x = x0_;
        else if (t == end())
            x = x1_;
        else
            x = motion_->from(begin() - t0_, x0_, t - t0_);
    }

private:
    std::shared_ptr<const SleighMotion> motion_;
    double t0_;
    Vector5 x0_, x1_;
};

class ClosedFormRun final : public Integration {
public:
    ClosedFormRun(const Sleigh& sleigh, double t0, const State& x0)
        : motion_(std::make_shared<const SleighMotion>(sleigh, x0)),
          t0_(t0),
          time_(t0),
          state_(x0),
          interpolant_(constantInterpolant(t0, x0))
    {
    }
    double time() const override { return time_; }
    const State& state() const override { return state_; }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }
    long evaluations() const override { return steps_; }

    Status advance(double tLimit) override
    {
        if (!std::isfinite(tLimit))
            throw Error(fmt::format("A run cannot be advanced to the time {}.", tLimit));
        if (tLimit == time_)
            return {};
        const double length = motion_->panel(time_ - t0_, tLimit > time_);
        const double next =
            std::abs(tLimit - time_) <= length ? tLimit : time_ + std::copysign(length, tLimit - time_);
        if (next == time_)
            return Status::failed(
                "step-underflow",
                fmt::format("The sleigh turns faster than the time t = {:.10g} resolves.", time_));
        const Vector5 x = motion_->from(time_ - t0_, state_, next - t0_);
        interpolant_ = std::make_shared<ClosedInterpolant>(motion_, t0_, time_, state_, next, x);
        time_ = next;
        state_ = x;
        ++steps_;
        return {};
    }

private:
    std::shared_ptr<const SleighMotion> motion_;
    double t0_, time_;
    State state_;
    std::shared_ptr<const Interpolant> interpolant_;
    long steps_ = 0;
};

using Reduced = SleighEquations::Reduced;

State fullState(const Reduced& reduced, double phi, const State& y)
{
    State x(kTime + 1);
    x.head<5>() = reduced.state(phi, y);
    x[kTime] = y[3];
    return x;
}

class AngleInterpolant final : public Interpolant {
public:
    AngleInterpolant(std::shared_ptr<const Reduced> reduced, std::shared_ptr<const Interpolant> step,
                     double end)
        : Interpolant(step->begin(), end, kTime + 1), reduced_(std::move(reduced)), step_(std::move(step))
    {
    }
    void at(double phi, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        x = fullState(*reduced_, phi, step_->sample(phi));
    }

private:
    std::shared_ptr<const Reduced> reduced_;
    std::shared_ptr<const Interpolant> step_;
};

class AngleRun final : public Integration {
public:
    AngleRun(const std::shared_ptr<const SleighEquations>& equations, const State& x0,
             IntegrationOptions options)
        : reduced_(std::make_shared<const Reduced>(*equations, x0)),
          phi_(x0[Phi]),
          state_(fullState(*reduced_, x0[Phi], reduced_->begin())),
          largest_(std::abs(x0[PhiDot])),
          interpolant_(constantInterpolant(phi_, state_))
    {
        options.scale = {};
        // Interpolants may outlive the run: the field keeps what it needs.
        inner_ = startIntegration(
            kDefaultMethod,
            [equations, reduced = reduced_](double phi, const State& y, State& dy) {
                reduced->rates(phi, y, dy);
            },
            phi_, reduced_->begin(), options);
    }
    double time() const override { return phi_; }
    const State& state() const override { return state_; }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }
    long evaluations() const override { return inner_->evaluations(); }

    Status advance(double limit) override
    {
        if (limit == phi_)
            return {};
        if (!ended_.ok())
            return ended_;
        const Status status = inner_->advance(limit);
        if (inner_->time() == phi_) {
            ended_ = status.ok() ? status : ending(status.code == "too-many-steps" ? status.sentence : "");
            return ended_;
        }
        double end = inner_->time();
        const auto step = inner_->interpolant();
        State x = fullState(*reduced_, end, inner_->state());
        const double least = kLeastRate * largest_;
        if (!(std::abs(x[PhiDot]) >= least)) {
            const auto above = [&](double phi) {
                const double rate = std::abs(fullState(*reduced_, phi, step->sample(phi))[PhiDot]);
                return std::isfinite(rate) ? rate - least : -least;
            };
            end = bracketedRoot(above, phi_, end).x;
            x = fullState(*reduced_, end, step->sample(end));
        }
        const bool ends = end != inner_->time();
        interpolant_ = std::make_shared<AngleInterpolant>(reduced_, step, end);
        phi_ = end;
        state_ = x;
        largest_ = std::max(largest_, std::abs(x[PhiDot]));
        if (ends)
            ended_ = ending("");
        return ended_;
    }

private:
    Status ending(const std::string& why) const
    {
        return Status::failed(
            "event",
            why.empty()
                ? fmt::format("Whittaker's reduction ends at t = {:.6g}: it divides by φ', which has fallen "
                              "to {:.3g} rad/s. The direct equations go on.",
                              state_[kTime], state_[PhiDot])
                : why);
    }

    std::shared_ptr<const Reduced> reduced_;
    double phi_;
    State state_;
    double largest_;
    std::unique_ptr<Integration> inner_;
    std::shared_ptr<const Interpolant> interpolant_;
    Status ended_;
};

// The motion of a reduced step at a time: t(phi) is monotone, so phi is found by Newton's method within a
// bracket.
class TimedInterpolant final : public Interpolant {
public:
    TimedInterpolant(double begin, double end, double offset, std::shared_ptr<const Interpolant> byAngle)
        : Interpolant(begin, end, kTime), offset_(offset), byAngle_(std::move(byAngle))
    {
    }
    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        double low = byAngle_->begin(), high = byAngle_->end();
        const double wanted = t - offset_;
        State now = byAngle_->sample(low);
        double phi = low;
        const double first = now[kTime];
        if (wanted != first) {
            now = byAngle_->sample(high);
            phi = high;
            if (wanted != now[kTime])
                phi = low + (high - low) * (wanted - first) / (now[kTime] - first);
            const bool rising = now[kTime] > first;
            for (int i = 0; i < 60; ++i) {
                now = byAngle_->sample(phi);
                const double missing = wanted - now[kTime];
                if (missing == 0)
                    break;
                ((missing > 0) == rising ? low : high) = phi;
                double next = phi + missing * now[PhiDot];
                if (!(next > std::min(low, high) && next < std::max(low, high)))
                    next = 0.5 * (low + high);
                if (next == phi || std::abs(next - phi) <= 1e-16 * std::abs(phi))
                    break;
                phi = next;
            }
        }
        x = now.head<kTime>();
    }

private:
    double offset_;
    std::shared_ptr<const Interpolant> byAngle_;
};

class TimedRun final : public Integration {
public:
    using Start = std::function<std::unique_ptr<Integration>(const State&)>;

    TimedRun(Start start, double t0, const State& x0)
        : start_(std::move(start)),
          run_(start_(x0)),
          time_(t0),
          offset_(t0),
          stepEnd_(t0),
          state_(x0),
          interpolant_(constantInterpolant(t0, x0))
    {
    }
    double time() const override { return time_; }
    const State& state() const override { return state_; }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }
    long evaluations() const override { return before_ + run_->evaluations(); }

    Status advance(double tLimit) override
    {
        if (!std::isfinite(tLimit))
            throw Error(fmt::format("A run cannot be advanced to the time {}.", tLimit));
        if (tLimit == time_)
            return {};
        const int direction = tLimit > time_ ? 1 : -1;
        if (direction != direction_) {
            before_ += direction_ == 0 ? 0 : run_->evaluations();
            run_ = start_(state_);
            offset_ = stepEnd_ = time_;
            ended_ = {};
            direction_ = direction;
        }
        while (time_ == stepEnd_) {
            if (!ended_.ok())
                return ended_;
            const double turn = direction * (run_->state()[PhiDot] < 0 ? -1 : 1);
            const double phi = run_->time();
            ended_ = run_->advance(phi + turn * kLongestTurn);
            if (run_->time() == phi)
                return ended_;
            step_ = run_->interpolant();
            stepEnd_ = offset_ + run_->state()[kTime];
        }
        const double begin = time_;
        const bool within = direction * tLimit < direction * stepEnd_;
        time_ = within ? tLimit : stepEnd_;
        interpolant_ = std::make_shared<TimedInterpolant>(begin, time_, offset_, step_);
        state_ = within ? interpolant_->sample(time_) : State(run_->state().head<kTime>());
        return within ? Status{} : ended_;
    }

private:
    Start start_;
    std::unique_ptr<Integration> run_;
    double time_, offset_, stepEnd_;
    int direction_ = 0;
    State state_;
    std::shared_ptr<const Interpolant> step_, interpolant_;
    Status ended_;
    long before_ = 0;
};

} // namespace

std::unique_ptr<Integration> startClosedForm(const Sleigh& sleigh, double t0, const State& x0)
{
    return std::make_unique<ClosedFormRun>(sleigh, t0, x0);
}

std::unique_ptr<Integration> startReducedByAngle(std::shared_ptr<const SleighEquations> equations,
                                                 const State& x0, const IntegrationOptions& options)
{
    return std::make_unique<AngleRun>(equations, x0, options);
}

std::unique_ptr<Integration> startReduced(std::shared_ptr<const SleighEquations> equations, double t0,
                                          const State& x0, const IntegrationOptions& options)
{
    return std::make_unique<TimedRun>(
        [equations = std::move(equations), options](const State& x) {
            return startReducedByAngle(equations, x, options);
        },
        t0, x0);
}

} // namespace casimir::sleigh
