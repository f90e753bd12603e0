#include "core/numerics/gauss_integration.h"

#include "core/base/error.h"
#include "core/numerics/error_norm.h"
#include "core/numerics/gauss.h"
#include "core/numerics/odeint_integration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

namespace {

// How far the trial run looks for the fastest part of the motion.
constexpr int kTrialSteps = 300;
constexpr double kTrialRtol = 1e-6; // coarse: long steps see far
constexpr int kFirstGuesses = 4;
// Where to begin looking for a step if the trial run does not tell, and where to stop if nothing moves.
constexpr double kUnknownStep = 1e-3;
constexpr double kLongestStep = 1e6;

std::string methodName(int stages)
{
    return stages == 1 ? "the implicit midpoint rule" : fmt::format("Gauss-Legendre {}", 2 * stages);
}

template <int Stages>
class GaussInterpolant : public Interpolant {
public:
    // Z: the stages minus x0.
    GaussInterpolant(double begin, double end, std::shared_ptr<const Field> field, const State& x0,
                     const Eigen::MatrixXd& Z, const State& x1)
        : Interpolant(begin, end, x0.size()),
          field_(std::move(field)),
          collocation_(begin, end, nodes(), values(x0, Z, x1))
    {
    }

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        const double s = scaled(t);
        collocation_.at(t, x);
        if (s <= 0 || s >= 1)
            return;
        const State x0 = collocation_.values().col(0);
        Eigen::Matrix<double, Eigen::Dynamic, Stages> Z(size(), Stages);
        State stage(size());
        for (int i = 0; i < Stages; ++i) {
            collocation_.at(begin() + gaussTableau(Stages).c[i] * (t - begin()), stage);
            Z.col(i) = stage - x0;
        }
        GaussStepper<Stages> stepper;
        stepper.guess(Z);
        const auto system = [this](const State& y, State& dydt, double time) { (*field_)(time, y, dydt); };
        State inside = x0;
        if (stepper.step(system, inside, begin(), t - begin()) == GaussOutcome::converged)
            x = inside;
    }

private:
    static std::shared_ptr<const InterpolationNodes> nodes()
    {
        static const auto shared = [] {
            Eigen::VectorXd s(Stages + 2);
            s << 0, gaussTableau(Stages).c, 1;
            return std::make_shared<const InterpolationNodes>(s);
        }();
        return shared;
    }

    static Eigen::MatrixXd values(const State& x0, const Eigen::MatrixXd& Z, const State& x1)
    {
        Eigen::MatrixXd v(x0.size(), Stages + 2);
        v << x0, Z.colwise() + x0, x1;
        return v;
    }

    std::shared_ptr<const Field> field_;
    PolynomialInterpolant collocation_;
};

template <int Stages>
class GaussIntegration : public Integration {
public:
    GaussIntegration(Field field, double t0, const State& x0, const IntegrationOptions& options)
        : field_(std::make_shared<const Field>(std::move(field))),
          options_(options),
          x_(x0),
          start_(x0),
          time_(t0),
          gridStart_(t0),
          h_(options.step),
          interpolant_(constantInterpolant(t0, x0))
    {
        if (!(h_ >= 0 && std::isfinite(h_)))
            throw Error(fmt::format("The step is {}; it must be positive, or 0 to be chosen.", h_));
        if (!std::isfinite(t0))
            throw Error(fmt::format("A run cannot start at the time {}.", t0));
        if (!x0.allFinite())
            throw Error("A run cannot start at a state that is not finite.");
    }

    double time() const override { return time_; }
    const State& state() const override { return x_; }
    long evaluations() const override { return evaluations_; }

    std::shared_ptr<const Interpolant> interpolant() const override
    {
        if (!interpolant_)
            interpolant_ =
                std::make_shared<GaussInterpolant<Stages>>(startTime_, time_, field_, start_, accepted_, x_);
        return interpolant_;
    }

    void replaceState(const State& x) override
    {
        interpolant();
        x_ = x;
    }

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
        if (h_ == 0) {
            if (Status status = chooseStep(direction); !status.ok())
                return status;
        }
        if (direction != direction_) {
            direction_ = direction;
            gridStart_ = time_;
            gridIndex_ = 0;
        }
        // The grid is multiplied, not summed, so that its times do not collect rounding.
        double tNew = gridStart_ + direction * h_ * static_cast<double>(gridIndex_ + 1);
        double h = direction * h_;
        const double resolved =
            4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(tLimit), std::abs(tNew));
        const bool lands = std::abs(tNew - tLimit) <= std::min(resolved, 0.5 * h_);
        const bool cut = !lands && direction * (tNew - tLimit) > 0;
        if (lands || cut)
            tNew = tLimit;
        if (cut)
            h = tLimit - time_;
        if (tNew == time_)
            return Status::failed("step-underflow",
                                  fmt::format("The step {:.3g} is below what the time resolves at "
                                              "t = {:.10g}.",
                                              h_, time_));

        next_ = x_;
        const GaussOutcome outcome = stepper_.step(countedField(), next_, time_, h);
        if (outcome != GaussOutcome::converged || !next_.allFinite())
            return failure(outcome, h);
        start_.swap(x_);
        x_.swap(next_);
        accepted_ = stepper_.stageIncrements();
        startTime_ = time_;
        time_ = tNew;
        ++steps_;
        ++gridIndex_;
        if (cut) {
            gridStart_ = tLimit;
            gridIndex_ = 0;
        }
        interpolant_.reset();
        return {};
    }

private:
    auto countedField()
    {
        return [this](const State& x, State& dxdt, double t) {
            ++evaluations_;
            (*field_)(t, x, dxdt);
        };
    }

    Status failure(GaussOutcome outcome, double h) const
    {
        if (outcome == GaussOutcome::notConverged)
            return Status::failed(
                "not-converged",
                fmt::format("The stage equations of {} did not converge at t = {:.10g} with the step "
                            "{:.3g}; a smaller step may help.",
                            methodName(Stages), time_, h));
        return Status::failed(
            "not-finite",
            fmt::format("The equations of motion have no finite value on the step of {:.3g} from "
                        "t = {:.10g}.",
                        h, time_));
    }

    // One step of h against two of h/2 from (t, x), in units of the tolerance; infinite if one of them fails.
    double doublingError(const ErrorNorm& norm, double t, const State& x, double h)
    {
        GaussStepper<Stages> stepper;
        const auto system = countedField();
        State one = x;
        State two = x;
        const bool made = stepper.step(system, one, t, h) == GaussOutcome::converged &&
                          stepper.step(system, two, t, h / 2) == GaussOutcome::converged &&
                          stepper.step(system, two, t + h / 2, h / 2) == GaussOutcome::converged;
        // Two half steps leave 2^-order of the error of the whole one.
        const double visible = 1 - std::pow(0.5, 2 * Stages);
        return made ? norm(one - two, two) / visible : std::numeric_limits<double>::infinity();
    }

    Status chooseStep(double direction)
    {
        struct Place {
            double t;
            State x;
        };
        ErrorNorm norm(options_, x_.size());
        norm.widen(x_);
        Place fastest{time_, x_};
        double shortest = std::numeric_limits<double>::infinity();
        IntegrationOptions coarse = options_;
        coarse.rtol = std::max(coarse.rtol, kTrialRtol);
        const auto trial = startDormandPrince5(
            [this](double t, const State& x, State& dxdt) {
                ++evaluations_;
                (*field_)(t, x, dxdt);
            },
            time_, x_, coarse);
        const double farAway = time_ + direction * kLongestStep;
        for (int i = 0; i < kTrialSteps && trial->time() != farAway; ++i) {
            const Place before{trial->time(), trial->state()};
            if (!trial->advance(farAway).ok()) {
                // Steps shrink towards a singularity; what matters is the motion before it.
                fastest = {time_, x_};
                break;
            }
            norm.widen(trial->state());
            const double length = std::abs(trial->time() - before.t);
            // The first steps are a guess that the controller is still correcting.
            if (i >= kFirstGuesses && length < shortest) {
                shortest = length;
                fastest = before;
            }
        }
        double h = std::isfinite(shortest) ? shortest : kUnknownStep;
        double good = 0;
        const double power = 1.0 / (2 * Stages + 1);
        for (int i = 0; i < 60; ++i) {
            const double e = std::max(doublingError(norm, time_, x_, direction * h),
                                      doublingError(norm, fastest.t, fastest.x, direction * h));
            const double factor = std::clamp(0.95 * std::pow(e, -power), 0.1, 4.0);
            if (e <= 1) {
                const bool close = factor < 1.1 || h <= good || h >= kLongestStep;
                good = std::max(good, h);
                if (close)
                    break;
            } else if (good > 0)
                break;
            h *= factor;
        }
        if (good == 0)
            return Status::failed(
                "not-converged",
                fmt::format("No step of {} meets the relative tolerance {:.3g} at t = {:.10g}.",
                            methodName(Stages), options_.rtol, time_));
        // Few digits, so that the grid times t0 + n h are exact.
        int exponent = 0;
        const double mantissa = std::frexp(good, &exponent);
        h_ = std::ldexp(std::floor(mantissa * 256) / 256, exponent);
        return {};
    }

    std::shared_ptr<const Field> field_;
    IntegrationOptions options_;
    GaussStepper<Stages> stepper_;
    State x_;
    State start_;
    State next_;
    Eigen::Matrix<double, Eigen::Dynamic, Stages> accepted_;
    double time_;
    double startTime_ = 0;
    double gridStart_;
    long gridIndex_ = 0;
    double direction_ = 0;
    double h_;
    long steps_ = 0;
    long evaluations_ = 0;
    mutable std::shared_ptr<const Interpolant> interpolant_;
};

} // namespace

std::unique_ptr<Integration> startGauss(int stages, Field field, double t0, const State& x0,
                                        const IntegrationOptions& options)
{
    switch (stages) {
    case 1:
        return std::make_unique<GaussIntegration<1>>(std::move(field), t0, x0, options);
    case 2:
        return std::make_unique<GaussIntegration<2>>(std::move(field), t0, x0, options);
    case 3:
        return std::make_unique<GaussIntegration<3>>(std::move(field), t0, x0, options);
    case 4:
        return std::make_unique<GaussIntegration<4>>(std::move(field), t0, x0, options);
    default:
        throw Error(fmt::format("A Gauss method of {} stages was asked for; there are 1 to 4.", stages));
    }
}

} // namespace casimir
