// The rod's own methods as runs: the conserving steps, and one mode of the linearised motion in closed form.
#include "core/model/error.h"
#include "core/systems/rod/rod_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

constexpr int perNode = 13;
constexpr int mostHalvings = 14;

// In natural units: fine enough for the first vibrations and for the turn.
double standardStep(double omega)
{
    return std::min(1.0 / 60, 0.05 / std::max(omega, 1e-9));
}

class Run : public Integration {
public:
    Run(std::shared_ptr<const RodSystem> system, double t0, const State& x0,
        const IntegrationOptions& options)
        : system_(std::move(system)),
          options_(options),
          time_(t0),
          x_(x0),
          step_(options.step > 0 ? options.step
                                 : standardStep(system_->setup().omega) * system_->setup().units.time)
    {
        if (!(options.step >= 0 && std::isfinite(options.step)))
            throw Error(fmt::format("The step is {}; it must be positive, or 0 to be chosen.", options.step));
        if (!std::isfinite(t0) || !x0.allFinite())
            throw Error("A run cannot start at a time or state that is not finite.");
        interpolant_ = constantInterpolant(t0, x0);
    }

    double time() const override { return time_; }
    const State& state() const override { return x_; }
    long evaluations() const override { return evaluations_; }

    Status advance(double tLimit) override
    {
        if (!std::isfinite(tLimit))
            throw Error(fmt::format("A run cannot be advanced to the time {}.", tLimit));
        if (tLimit == time_)
            return {};
        if (steps_ >= options_.maxSteps)
            return Status::failed("too-many-steps",
                                  fmt::format("The run reached its limit of {} steps at t = {:.10g}.",
                                              options_.maxSteps, time_));
        const double left = tLimit - time_;
        const bool last = std::abs(left) <= step_ * (1 + 1e-9);
        const double dt = last ? left : std::copysign(step_, left);
        const Status status = make(dt, last ? tLimit : time_ + dt);
        if (status.ok())
            ++steps_;
        return status;
    }

protected:
    // One step to `end`; sets time_, x_ and what the interpolant needs.
    virtual Status make(double dt, double end) = 0;

    std::shared_ptr<const RodSystem> system_;
    IntegrationOptions options_;
    double time_;
    State x_;
    double step_;
    long evaluations_ = 0, steps_ = 0;
    mutable std::shared_ptr<const Interpolant> interpolant_;
};

class ConservingRun final : public Run {
public:
    ConservingRun(std::shared_ptr<const RodSystem> system, double t0, const State& x0,
                  const IntegrationOptions& options)
        : Run(std::move(system), t0, x0, options), s_(system_->unpacked(x0))
    {
    }

    std::shared_ptr<const Interpolant> interpolant() const override
    {
        if (!interpolant_) {
            std::vector<Eigen::Index> quaternions;
            for (std::size_t i = 0; i < s_.x.size(); ++i)
                quaternions.push_back(perNode * static_cast<Eigen::Index>(i) + 3);
            interpolant_ = std::make_shared<HermiteInterpolant>(
                startTime_, time_, start_, rates(start_, startS_), x_, rates(x_, s_), std::move(quaternions));
        }
        return interpolant_;
    }

    void replaceState(const State& x) override
    {
        interpolant();
        x_ = x;
        s_ = system_->unpacked(x);
    }

protected:
    Status make(double dt, double end) override
    {
        const double unit = system_->setup().units.time;
        const RodDynamics& dynamics = system_->dynamics();
        RodState now = s_;
        // A step that does not converge is made in halves, and those in halves again.
        int depth = 0, halvings = 0;
        double left = dt / unit;
        double part = left;
        while (left != 0) {
            const RodStep made = dynamics.step(now, part);
            evaluations_ += made.corrections;
            if (made.converged) {
                left = std::abs(left - part) < 1e-9 * std::abs(part) ? 0 : left - part;
                part = std::abs(part) > std::abs(left) ? left : part;
                continue;
            }
            ++halvings;
            if (++depth > mostHalvings)
                return Status::failed(
                    "not-converged",
                    fmt::format("The step at t = {:.10g} s did not converge, not even {} times halved.",
                                time_, mostHalvings));
            part /= 2;
        }
        startTime_ = time_;
        start_ = x_;
        startS_ = s_;
        s_ = std::move(now);
        system_->pack(s_, x_);
        x_[x_.size() - 1] += halvings;
        time_ = end;
        interpolant_.reset();
        return {};
    }

private:
    // Slopes for the interpolant: velocities from momenta; of the momenta, the mean over the step.
    State rates(const State& x, const RodState& s) const
    {
        const RodDynamics& dynamics = system_->dynamics();
        const double unit = system_->setup().units.time;
        State rate = (x_ - start_) / (time_ - startTime_);
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            const auto k = perNode * static_cast<Eigen::Index>(i);
            rate.segment<3>(k) = s.p[i] / (dynamics.mass(i) * unit);
            const Vec3 w = dynamics.angularVelocity(s, i);
            const Quat spin = Quat(0, w.x(), w.y(), w.z()) * s.q[i];
            rate.segment<4>(k + 3) = Eigen::Vector4d(spin.w(), spin.x(), spin.y(), spin.z()) / (2 * unit);
        }
        rate[x.size() - 1] = 0;
        return rate;
    }

    RodState s_, startS_;
    State start_;
    double startTime_ = 0;
};

class ModeInterpolant final : public Interpolant {
public:
    ModeInterpolant(std::shared_ptr<const RodSystem> system, RodStart start, const State& x, double begin,
                    double end)
        : Interpolant(begin, end, x.size()), system_(std::move(system)), start_(start), rest_(x)
    {
    }
    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        State state = rest_;
        system_->pack(system_->linearMotion(start_, t / system_->setup().units.time), state);
        x = state;
    }

private:
    std::shared_ptr<const RodSystem> system_;
    RodStart start_;
    State rest_;
};

class ModeRun final : public Run {
public:
    ModeRun(std::shared_ptr<const RodSystem> system, double t0, const State& x0,
            const IntegrationOptions& options)
        : Run(std::move(system), t0, x0, options), start_(system_->startOf(x0))
    {
    }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }

protected:
    Status make(double, double end) override
    {
        interpolant_ = std::make_shared<ModeInterpolant>(system_, start_, x_, time_, end);
        interpolant_->at(end, x_);
        time_ = end;
        ++evaluations_;
        return {};
    }

private:
    RodStart start_;
};

} // namespace

std::unique_ptr<Integration> startRodMotion(std::shared_ptr<const RodSystem> system, std::string_view method,
                                            double t0, const State& x0, const IntegrationOptions& options)
{
    if (method == "conserving")
        return std::make_unique<ConservingRun>(std::move(system), t0, x0, options);
    if (method == "mode")
        return std::make_unique<ModeRun>(std::move(system), t0, x0, options);
    throw Error(fmt::format("unknown method '{}' of rod; known are conserving and mode", method));
}

} // namespace casimir::rod
