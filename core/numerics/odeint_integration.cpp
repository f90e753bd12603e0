#include "core/numerics/odeint_integration.h"

#include "core/base/error.h"
#include "core/numerics/error_norm.h"
#include "core/numerics/side_step.h"

// g++ 12 sees uninitialised members in the constructors of Odeint's steppers, even in a system header; they
// are set by the first step.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
// Specialises templates that the headers above declare.
#include <boost/numeric/odeint/external/eigen/eigen.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

namespace {

// rtol is what a person expects of a motion of some hundred steps, so a step may err by a part of it only;
// near rounding there is nothing left to divide.
constexpr double kShareOfAStep = 0.05;
constexpr double kLeastUseful = 1e-14;

IntegrationOptions perStep(IntegrationOptions options)
{
    options.rtol = std::max(kShareOfAStep * options.rtol, std::min(options.rtol, kLeastUseful));
    options.atol *= kShareOfAStep;
    return options;
}

namespace odeint = boost::numeric::odeint;

constexpr double kSafety = 0.9;
constexpr double kLargestGrowth = 5.0;
constexpr double kLargestShrink = 0.2;
// A step this much longer than planned is taken rather than leaving a sliver before the limit.
constexpr double kStretch = 1.000001;
// An error this far below the tolerance is unlikely from a step that grew to fit it.
constexpr double kDoubtful = 1e-3;
// Where the field vanishes the steps would grow without bound.
constexpr double kLongestStep = 1e100;

// What the time still resolves; the second term is for t = 0.
double shortestStep(double t)
{
    return std::max(8 * std::numeric_limits<double>::epsilon() * std::abs(t), 1e-290);
}

// Tells a motion that runs away from one that is followed: where everything turns faster and faster, the
// steps shrink without end, each of them good, and time hardly passes. The mean over many steps is compared,
// so that a close passage, which is over after some, does not count.
class Pace {
public:
    static constexpr double kLeast = 1e-3; // of the longest mean

    // A step of the length that the tolerance allows; one cut short at a limit says nothing.
    void count(double length)
    {
        sum_ += length;
        if (++steps_ < kWindow)
            return;
        longest_ = std::max(longest_, sum_);
        behind_ = sum_ < kLeast * longest_ ? behind_ + 1 : 0;
        sum_ = 0;
        steps_ = 0;
    }
    bool lost() const { return behind_ >= kWindows; }

private:
    static constexpr long kWindow = 1000, kWindows = 3;
    double sum_ = 0, longest_ = 0;
    long steps_ = 0, behind_ = 0;
};

class ControlledIntegration : public Integration {
public:
    // errorPower: the local error estimate is O(h^errorPower).
    ControlledIntegration(Field field, double t0, const State& x0, const IntegrationOptions& options,
                          int errorPower)
        : field_(std::make_shared<const Field>(std::move(field))),
          x_(x0),
          f_(x0.size()),
          xNew_(x0.size()),
          error_(x0.size()),
          start_(x0),
          fStart_(x0.size()),
          norm_(perStep(options), x0.size()),
          time_(t0),
          startTime_(t0),
          maxSteps_(options.maxSteps),
          errorPower_(errorPower),
          interpolant_(constantInterpolant(t0, x0))
    {
        if (!std::isfinite(t0))
            throw Error(fmt::format("A run cannot start at the time {}.", t0));
        if (!x0.allFinite())
            throw Error("A run cannot start at a state that is not finite.");
        norm_.widen(x0);
    }

    double time() const override { return time_; }
    const State& state() const override { return x_; }
    long evaluations() const override { return evaluations_; }

    std::shared_ptr<const Interpolant> interpolant() const override
    {
        if (!interpolant_)
            interpolant_ = makeInterpolant();
        return interpolant_;
    }

    void replaceState(const State& x) override
    {
        interpolant();
        x_ = x;
        norm_.widen(x);
        fKnown_ = false;
    }

    Status advance(double tLimit) override;

protected:
    void evaluate(double t, const State& x, State& dxdt) const
    {
        ++evaluations_;
        (*field_)(t, x, dxdt);
    }

    // From (time_, x_, f_) to xNew_ and error_.
    virtual void attempt(double h) = 0;
    // The error of that attempt by other means; asked where error_ is too small to be believed.
    virtual bool secondOpinion(double /*h*/, State& /*error*/) { return false; }
    // The attempt was accepted: makes f_ the derivative at its end if the method knows it.
    virtual bool takeEndDerivative() { return false; }
    // Of the accepted step from (startTime_, start_, fStart_) to (time_, x_), asked at any time before the
    // next one is accepted.
    virtual std::shared_ptr<const Interpolant> makeInterpolant() const = 0;

    std::shared_ptr<const Field> field_;
    State x_;
    State f_;
    State xNew_;
    State error_;
    State start_;
    State fStart_;

    double startTime() const { return startTime_; }

private:
    double firstStep(double direction);
    void accept(double tNew);

    ErrorNorm norm_;
    double time_;
    double startTime_;
    double h_ = 0;
    bool fKnown_ = false;
    Pace pace_;
    long steps_ = 0;
    long maxSteps_;
    int errorPower_;
    mutable long evaluations_ = 0;
    mutable std::shared_ptr<const Interpolant> interpolant_;
};

// Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4: from the sizes of x, x' and a
// difference quotient of x'.
double ControlledIntegration::firstStep(double direction)
{
    const double d0 = norm_(x_, x_);
    const double d1 = norm_(f_, x_);
    double h0 = 0.01 * d0 / d1;
    if (!(d0 > 1e-5 && d1 > 1e-5 && std::isfinite(h0) && h0 > 0))
        h0 = 1e-6;
    xNew_ = x_ + direction * h0 * f_;
    evaluate(time_ + direction * h0, xNew_, error_);
    const double d2 = norm_(error_ - f_, x_) / h0;
    const double h1 = std::pow(0.01 / std::max(d1, d2), 1.0 / errorPower_);
    const double h = std::min(100 * h0, h1);
    return std::max(std::isfinite(h) && h > 0 ? h : h0, 2 * shortestStep(time_));
}

void ControlledIntegration::accept(double tNew)
{
    start_.swap(x_);
    x_.swap(xNew_);
    fStart_.swap(f_);
    startTime_ = time_;
    time_ = tNew;
    fKnown_ = takeEndDerivative();
    norm_.widen(x_);
    interpolant_.reset();
    ++steps_;
}

Status ControlledIntegration::advance(double tLimit)
{
    if (!std::isfinite(tLimit))
        throw Error(fmt::format("A run cannot be advanced to the time {}.", tLimit));
    if (tLimit == time_)
        return {};
    if (steps_ >= maxSteps_)
        return Status::failed(
            "too-many-steps",
            fmt::format("The run reached its limit of {} steps at t = {:.10g}.", maxSteps_, time_));
    if (pace_.lost())
        return Status::failed(
            "runs-away",
            fmt::format("The motion runs away: at t = {:.10g} it has become so fast that the steps are not "
                        "a thousandth of what they were, and time hardly passes.",
                        time_));
    const double direction = tLimit > time_ ? 1 : -1;
    if (!fKnown_) {
        evaluate(time_, x_, f_);
        fKnown_ = true;
    }
    if (!f_.allFinite())
        return Status::failed(
            "not-finite", fmt::format("The equations of motion have no finite value at t = {:.10g}.", time_));
    if (h_ == 0)
        h_ = firstStep(direction);

    bool rejected = false;
    for (;;) {
        const double remaining = std::abs(tLimit - time_);
        double length = h_;
        if (remaining <= kStretch * h_)
            length = remaining;
        else if (remaining < 2 * h_)
            length = remaining / 2;
        const double tNew = length == remaining ? tLimit : time_ + direction * length;
        const double h = tNew - time_;
        if (h == 0 || (rejected && std::abs(h) <= shortestStep(time_)))
            break;

        attempt(h);
        double e = xNew_.allFinite() ? norm_(error_, xNew_) : std::numeric_limits<double>::infinity();
        if (e < kDoubtful && secondOpinion(h, error_))
            e = norm_(error_, xNew_);
        const double factor = kSafety * std::pow(e, -1.0 / errorPower_);
        if (e <= 1) {
            const double growth = rejected ? std::min(factor, 1.0) : std::min(factor, kLargestGrowth);
            const double proposed = std::min(std::abs(h) * growth, kLongestStep);
            if (length == h_)
                pace_.count(length);
            // A step cut short at the limit says nothing against the step planned before.
            h_ = std::abs(h) < h_ ? std::max(h_, proposed) : proposed;
            accept(tNew);
            return {};
        }
        rejected = true;
        h_ = std::abs(h) * std::max(factor, kLargestShrink);
    }
    return Status::failed(
        "step-underflow",
        fmt::format("The step size fell to {:.3g} at t = {:.10g}: the motion becomes singular there, "
                    "or is rougher than the tolerance allows.",
                    h_, time_));
}

using DormandPrince5Stepper = odeint::runge_kutta_dopri5<State>;

// Odeint's dense extension errs by h^5 where a step errs by h^6: it is the glimpse, and a state is a step.
class DormandPrince5Interpolant : public SideStep {
public:
    DormandPrince5Interpolant(double begin, double end, std::shared_ptr<const Field> field, State f0,
                              std::shared_ptr<const InterpolationNodes> nodes, Eigen::MatrixXd values)
        : SideStep(begin, end, values.rows()),
          field_(std::move(field)),
          f0_(std::move(f0)),
          dense_(begin, end, std::move(nodes), std::move(values))
    {
    }

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        if (t == begin() || t == end()) {
            dense_.at(t, x);
            return;
        }
        const auto system = [this](const State& y, State& dydt, double s) { (*field_)(s, y, dydt); };
        DormandPrince5Stepper stepper;
        State out(size()), rate(size());
        stepper.do_step(system, State(dense_.values().col(0)), f0_, begin(), out, rate, t - begin());
        x = out;
    }

    void glimpse(double t, Eigen::Ref<Eigen::VectorXd> x) const override { dense_.at(t, x); }

private:
    std::shared_ptr<const Field> field_;
    State f0_;
    PolynomialInterpolant dense_;
};

class DormandPrince5 : public ControlledIntegration {
public:
    DormandPrince5(Field field, double t0, const State& x0, const IntegrationOptions& options)
        : ControlledIntegration(std::move(field), t0, x0, options, 5), fNew_(x0.size())
    {
    }

protected:
    void attempt(double h) override
    {
        const auto system = [this](const State& x, State& dxdt, double t) { evaluate(t, x, dxdt); };
        trial_.do_step(system, x_, f_, time(), xNew_, fNew_, h, error_);
    }

    bool takeEndDerivative() override
    {
        f_.swap(fNew_);
        std::swap(trial_, accepted_);
        return true;
    }

    // Odeint's extension is a polynomial of degree 5 in the scaled time, so six samples hold all of it.
    std::shared_ptr<const Interpolant> makeInterpolant() const override
    {
        static const auto nodes =
            std::make_shared<const InterpolationNodes>(Eigen::VectorXd::LinSpaced(6, 0, 1));
        Eigen::MatrixXd values(x_.size(), 6);
        values.col(0) = start_;
        values.col(5) = x_;
        const double h = time() - startTime();
        State x(x_.size());
        for (int i = 1; i < 5; ++i) {
            accepted_.calc_state(nodes->s()[i] * h, x, start_, fStart_, 0.0, x_, f_, h);
            values.col(i) = x;
        }
        return std::make_shared<DormandPrince5Interpolant>(startTime(), time(), field_, fStart_, nodes,
                                                           std::move(values));
    }

private:
    // Two, because the extension needs the stages of the accepted step while the next one is tried.
    DormandPrince5Stepper trial_;
    DormandPrince5Stepper accepted_;
    State fNew_;
};

using Fehlberg78Stepper = odeint::runge_kutta_fehlberg78<State>;

class Fehlberg78Interpolant : public Interpolant {
public:
    Fehlberg78Interpolant(double begin, double end, std::shared_ptr<const Field> field, State x0, State f0,
                          State x1)
        : Interpolant(begin, end, x0.size()),
          field_(std::move(field)),
          x0_(std::move(x0)),
          f0_(std::move(f0)),
          x1_(std::move(x1))
    {
    }

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        if (t == begin() || t == end()) {
            x = t == begin() ? x0_ : x1_;
            return;
        }
        const auto system = [this](const State& y, State& dydt, double s) { (*field_)(s, y, dydt); };
        Fehlberg78Stepper stepper;
        State out(size());
        State error(size());
        stepper.do_step(system, x0_, f0_, begin(), out, t - begin(), error);
        x = out;
    }

private:
    std::shared_ptr<const Field> field_;
    State x0_;
    State f0_;
    State x1_;
};

class Fehlberg78 : public ControlledIntegration {
public:
    Fehlberg78(Field field, double t0, const State& x0, const IntegrationOptions& options)
        : ControlledIntegration(std::move(field), t0, x0, options, 8)
    {
    }

protected:
    void attempt(double h) override
    {
        const auto system = [this](const State& x, State& dxdt, double t) { evaluate(t, x, dxdt); };
        stepper_.do_step(system, x_, f_, time(), xNew_, h, error_);
    }

    // The embedded estimate compares stages at the same two times only, so it vanishes for components whose
    // rate depends on time alone: a mere quadrature. Two half steps do not.
    bool secondOpinion(double h, State& error) override
    {
        const auto system = [this](const State& x, State& dxdt, double t) { evaluate(t, x, dxdt); };
        State half(x_.size()), rate(x_.size()), whole(x_.size());
        stepper_.do_step(system, x_, f_, time(), half, h / 2, error);
        evaluate(time() + h / 2, half, rate);
        stepper_.do_step(system, half, rate, time() + h / 2, whole, h / 2, error);
        // Less the rounding of the sums, which is no reason for a shorter step.
        constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
        error =
            ((xNew_ - whole).cwiseAbs() - rounding * xNew_.cwiseAbs().cwiseMax(x_.cwiseAbs())).cwiseMax(0);
        return true;
    }

    std::shared_ptr<const Interpolant> makeInterpolant() const override
    {
        return std::make_shared<Fehlberg78Interpolant>(startTime(), time(), field_, start_, fStart_, x_);
    }

private:
    Fehlberg78Stepper stepper_;
};

} // namespace

std::unique_ptr<Integration> startDormandPrince5(Field field, double t0, const State& x0,
                                                 const IntegrationOptions& options)
{
    return std::make_unique<DormandPrince5>(std::move(field), t0, x0, options);
}

std::unique_ptr<Integration> startFehlberg78(Field field, double t0, const State& x0,
                                             const IntegrationOptions& options)
{
    return std::make_unique<Fehlberg78>(std::move(field), t0, x0, options);
}

} // namespace casimir

#pragma GCC diagnostic pop
