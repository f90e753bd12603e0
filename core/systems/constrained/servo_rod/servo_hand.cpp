#include "core/systems/constrained/servo_rod/servo_hand.h"

#include "core/model/live_input.h"
#include "core/numerics/methods.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace casimir::constrained {

namespace {

// What the finger does on one piece, and the state that belongs to (theta, p_theta) on it.
struct Led {
    ServoRod rod;
    InputPiece piece;
    double offset = 0; // of the finger against the input
    double level = 0;  // the energy at which nothing was supplied

    void stateAt(double t, double theta, double pTheta, Eigen::Ref<Eigen::VectorXd> x) const
    {
        const double xDot = piece.rate(t);
        const double thetaDot = rod.led(theta, pTheta, xDot, 0).rate[1];
        const ServoRod::Phase z(piece.value(t) + offset, theta, rod.momenta(theta, {xDot, thetaDot})[0],
                                pTheta);
        x << z, rod.hamiltonian(z) - level, piece.acceleration(t);
    }
};

class HandInterpolant final : public Interpolant {
public:
    HandInterpolant(std::shared_ptr<const Interpolant> inner, const Led& led, State begin, State end)
        : Interpolant(inner->begin(), inner->end(), 6),
          inner_(std::move(inner)),
          led_(led),
          first_(std::move(begin)),
          last_(std::move(end))
    {
    }

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        if (t == begin()) {
            x = first_;
        } else if (t == end()) {
            x = last_;
        } else {
            const Eigen::VectorXd y = inner_->sample(t);
            led_.stateAt(t, y[0], y[1], x);
        }
    }

private:
    std::shared_ptr<const Interpolant> inner_;
    Led led_;
    State first_, last_;
};

class HandIntegration final : public Integration {
public:
    HandIntegration(const ServoRod& rod, std::string_view method, double t0, const State& x0,
                    const IntegrationOptions& options)
        : input_(options.input), method_(method), options_(options), led_{rod, {}}, t_(t0), x_(x0)
    {
        options_.scale.resize(0);
        led_.piece = input_->piece(t0, 1);
        led_.offset = x0[0] - led_.piece.value(t0);
        State here(6);
        led_.stateAt(t0, x0[1], x0[3], here);
        led_.level = here[4] - x0[4];
        led_.stateAt(t0, x0[1], x0[3], x_);
        interpolant_ = constantInterpolant(t0, x_);
    }

    double time() const override { return t_; }
    const State& state() const override { return x_; }
    long evaluations() const override { return evaluations_ + (inner_ ? inner_->evaluations() : 0); }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }

    Status advance(double tLimit) override
    {
        if (tLimit == t_)
            return {};
        const int direction = tLimit > t_ ? 1 : -1;
        if (!inner_ || direction != direction_ || t_ == (direction > 0 ? led_.piece.end : led_.piece.begin))
            enter(direction);
        const double far = direction > 0 ? led_.piece.end : led_.piece.begin;
        if (far == t_)
            return Status::failed("waiting", "The hand has not moved further yet.");
        const State before = x_;
        Status status = inner_->advance(direction > 0 ? std::min(tLimit, far) : std::max(tLimit, far));
        if (inner_->time() == t_)
            return status;
        t_ = inner_->time();
        led_.stateAt(t_, inner_->state()[0], inner_->state()[1], x_);
        interpolant_ = std::make_shared<HandInterpolant>(inner_->interpolant(), led_, before, x_);
        return status;
    }

private:
    void enter(int direction)
    {
        if (inner_)
            evaluations_ += inner_->evaluations();
        direction_ = direction;
        led_.piece = input_->piece(t_, direction);
        const Field field = [led = led_](double t, const State& y, State& dydt) {
            const auto motion = led.rod.led(y[0], y[1], led.piece.rate(t), 0);
            dydt << motion.rate[1], motion.rate[3];
        };
        inner_ = startIntegration(method_, field, t_, State{{x_[1], x_[3]}}, options_);
    }

    std::shared_ptr<const LiveInput> input_;
    std::string method_;
    IntegrationOptions options_;
    Led led_;
    double t_;
    State x_;
    int direction_ = 0;
    std::unique_ptr<Integration> inner_;
    std::shared_ptr<const Interpolant> interpolant_;
    long evaluations_ = 0;
};

} // namespace

std::unique_ptr<Integration> startHandMotion(const ServoRod& rod, std::string_view method, double t0,
                                             const State& x0, const IntegrationOptions& options)
{
    return std::make_unique<HandIntegration>(rod, method, t0, x0, options);
}

} // namespace casimir::constrained
