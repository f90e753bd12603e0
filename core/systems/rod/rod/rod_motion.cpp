// The rod's own methods as runs: the conserving steps, and one mode of the linearised motion in closed form.
#include "core/base/error.h"
#include "core/numerics/side_step.h"
#include "core/systems/rod/rod/rod_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace casimir::rod {

namespace {

constexpr int perNode = 13;
constexpr int mostHalvings = 14;
// In lengths of the rod, or radians: a linear mode that has grown beyond it describes no rod.
constexpr double largestAmplitude = 0.6;
constexpr double smallestDeviation = 1e-12; // below it there is no mode to tell

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
          gridStart_(t0),
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
        const double direction = tLimit > time_ ? 1 : -1;
        if (direction != direction_) {
            direction_ = direction;
            gridStart_ = time_;
            gridIndex_ = 0;
        }
        // The grid is multiplied, not summed, so that its times do not collect rounding.
        double end = gridStart_ + direction * step_ * static_cast<double>(gridIndex_ + 1);
        const double beyond = direction * (end - tLimit);
        if (beyond > -1e-9 * step_)
            end = tLimit;
        const Status status = make(end - time_, end);
        if (status.ok())
            ++steps_;
        ++gridIndex_;
        if (beyond > 1e-9 * step_ || time_ != end) {
            gridStart_ = time_;
            gridIndex_ = 0;
        }
        return status;
    }

protected:
    // One step to `end`; sets time_, x_ and what the interpolant needs.
    virtual Status make(double dt, double end) = 0;

    std::shared_ptr<const RodSystem> system_;
    IntegrationOptions options_;
    double time_, gridStart_;
    long gridIndex_ = 0;
    double direction_ = 0;
    State x_;
    double step_;
    long evaluations_ = 0, steps_ = 0;
    mutable std::shared_ptr<const Interpolant> interpolant_;
};

// One step of the conserving method, made in halves where it does not converge, and those in halves again.
struct Stepped {
    bool converged = false;
    RodState state;
    int halvings = 0;
    long corrections = 0;
};

Stepped stepped(const RodDynamics& dynamics, const RodState& from, double dt)
{
    Stepped made{false, from};
    int depth = 0;
    double left = dt, part = dt;
    while (left != 0) {
        const RodStep trial = dynamics.step(made.state, part);
        made.corrections += trial.corrections;
        if (trial.converged) {
            left = std::abs(left - part) < 1e-9 * std::abs(part) ? 0 : left - part;
            part = std::abs(part) > std::abs(left) ? left : part;
            continue;
        }
        ++made.halvings;
        if (++depth > mostHalvings)
            return made;
        part /= 2;
    }
    made.converged = true;
    return made;
}

// Between the ends a side step of the method from the beginning. The glimpse is a cubic for the eye: the
// rod's quick vibrations make it no place to read a quantity from.
class ConservingStep final : public SideStep {
public:
    ConservingStep(std::shared_ptr<const RodSystem> system, double begin, State x0, double end, State x1)
        : SideStep(begin, end, x0.size()),
          system_(std::move(system)),
          curve_(begin, end, x0, slopes(*system_, x0, (x1 - x0) / (end - begin)), x1,
                 slopes(*system_, x1, (x1 - x0) / (end - begin)), quaternions()),
          x0_(std::move(x0)),
          x1_(std::move(x1))
    {
    }

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        x = t == end() ? x1_ : x0_;
        if (t == begin() || t == end())
            return;
        const Stepped made =
            stepped(system_->dynamics(), system_->unpacked(x0_), (t - begin()) / system_->setup().units.time);
        if (!made.converged) { // as the step itself would have told
            x.setConstant(std::numeric_limits<double>::quiet_NaN());
            return;
        }
        State now = x0_;
        system_->pack(made.state, now);
        now[now.size() - 1] += made.halvings;
        x = now;
    }

    void glimpse(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        curve_.at(t, x);
        x[x.size() - 1] = t == end() ? x1_[x.size() - 1] : x0_[x.size() - 1];
    }
    bool glimpseIsReadable() const override { return false; }

private:
    std::vector<Eigen::Index> quaternions() const
    {
        std::vector<Eigen::Index> all;
        for (std::size_t i = 0; i < system_->rod().nodes(); ++i)
            all.push_back(static_cast<Eigen::Index>(perNode * i) + 3);
        return all;
    }

    // Slopes at x: velocities from momenta; of the momenta, their mean over the step.
    static State slopes(const RodSystem& system, const State& x, State mean)
    {
        const RodDynamics& dynamics = system.dynamics();
        const double unit = system.setup().units.time;
        const RodState s = system.unpacked(x);
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            const auto k = static_cast<Eigen::Index>(perNode * i);
            mean.segment<3>(k) = s.p[i] / (dynamics.mass(i) * unit);
            const Vec3 w = dynamics.angularVelocity(s, i);
            const Quat spin = Quat(0, w.x(), w.y(), w.z()) * s.q[i];
            mean.segment<4>(k + 3) = Eigen::Vector4d(spin.w(), spin.x(), spin.y(), spin.z()) / (2 * unit);
        }
        return mean;
    }

    std::shared_ptr<const RodSystem> system_;
    HermiteInterpolant curve_;
    State x0_, x1_;
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
        if (!interpolant_)
            interpolant_ = std::make_shared<ConservingStep>(system_, startTime_, start_, time_, x_);
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
        Stepped made = stepped(system_->dynamics(), s_, dt / system_->setup().units.time);
        evaluations_ += made.corrections;
        if (!made.converged)
            return Status::failed(
                "not-converged",
                fmt::format("The step at t = {:.10g} s did not converge, not even {} times halved.", time_,
                            mostHalvings));
        startTime_ = time_;
        start_ = x_;
        s_ = std::move(made.state);
        system_->pack(s_, x_);
        x_[x_.size() - 1] += made.halvings;
        time_ = end;
        interpolant_.reset();
        return {};
    }

private:
    RodState s_;
    State start_;
    double startTime_ = 0;
};

// The linear motion in one mode, as a function of time.
struct ModeMotion {
    std::shared_ptr<const RodSystem> system;
    const LinearMode* mode = nullptr; // none: the equilibrium itself
    std::complex<double> amplitude = 0;
    double t0 = 0, angle = 0; // of the turning frame at t0
    State first;

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const
    {
        const RodLinearMotion& motion = system->linearMotion();
        const double passed = (t - t0) / system->setup().units.time;
        RodDeviation now =
            mode ? motion.inMode(*mode, amplitude * std::exp(mode->value * passed)) : motion.none();
        now.angle += angle + system->equilibrium().omega * passed;
        State state = first;
        system->pack(motion.stateAt(now), state);
        x = state;
    }

    // When the amplitude reaches the largest; infinite where it does not, on that side of t0.
    double leaves() const
    {
        const double growth = mode ? mode->value.real() : 0;
        if (!(std::abs(amplitude) > 0) || growth == 0)
            return std::numeric_limits<double>::infinity();
        return t0 + std::log(largestAmplitude / std::abs(amplitude)) / growth * system->setup().units.time;
    }
};

class ModeStep final : public Interpolant {
public:
    ModeStep(std::shared_ptr<const ModeMotion> motion, double begin, double end)
        : Interpolant(begin, end, motion->first.size()), motion_(std::move(motion))
    {
    }
    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override { motion_->at(t, x); }

private:
    std::shared_ptr<const ModeMotion> motion_;
};

class ModeRun final : public Run {
public:
    ModeRun(std::shared_ptr<const RodSystem> system, double t0, const State& x0,
            const IntegrationOptions& options)
        : Run(std::move(system), t0, x0, options)
    {
        const RodLinearMotion& linear = system_->linearMotion();
        const RodDeviation deviation = linear.deviationOf(system_->unpacked(x0));
        ModeMotion motion{system_, nullptr, 0, t0, deviation.angle, x0};
        double least = std::hypot(deviation.shape.norm(), deviation.rate.norm());
        if (least > smallestDeviation)
            for (const LinearMode& mode : system_->startingModes())
                if (const auto fit = RodLinearMotion::fit(mode, deviation); fit.left < least) {
                    least = fit.left;
                    motion.mode = &mode;
                    motion.amplitude = fit.amplitude;
                }
        if (motion.mode)
            motion.angle -= (motion.amplitude * motion.mode->swing).real();
        motion_ = std::make_shared<const ModeMotion>(std::move(motion));
        leaves_ = motion_->leaves();
    }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }

protected:
    Status make(double dt, double end) override
    {
        // Growing modes leave forwards in time, fading ones backwards.
        const bool growing = motion_->mode && motion_->mode->value.real() > 0;
        const bool ends =
            std::isfinite(leaves_) && growing == (dt > 0) && (dt > 0 ? leaves_ <= end : leaves_ >= end);
        const double next = !ends ? end : dt > 0 ? std::max(leaves_, time_) : std::min(leaves_, time_);
        if (next != time_) {
            interpolant_ = std::make_shared<ModeStep>(motion_, time_, next);
            interpolant_->at(next, x_);
            time_ = next;
            ++evaluations_;
        }
        if (!ends)
            return {};
        return Status::failed(
            "event", fmt::format("The linear mode has reached {} of the rod's length, or of a radian, at t = "
                                 "{:.6g} s: what it says beyond is no motion of a rod. The conserving steps "
                                 "go on.",
                                 largestAmplitude, time_));
    }

private:
    std::shared_ptr<const ModeMotion> motion_;
    double leaves_ = 0;
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
