#include "core/engine/step_choice.h"

#include "core/engine/recording.h"
#include "core/numerics/error_norm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace casimir {

namespace {

// Of all trials together, in components of the state times steps: some seconds of computing.
constexpr double kMostWork = 4e6;
constexpr int kMostTrials = 8;
constexpr double kSafety = 0.8;
// The errors of two steps tell which order they are of only if they differ well.
constexpr double kLeastRatio = 1.5;

struct Trial {
    double step;
    ErrorNorm norm; // of the states it came through
    State end = {};
    Status status = {};
};

class Search {
public:
    Search(const System& system, const std::string& method, IntegrationOptions options, double t0,
           const State& x0, double tEnd, const std::function<bool()>& cancelled)
        : system_(system),
          method_(method),
          options_(std::move(options)),
          t0_(t0),
          x0_(x0),
          tEnd_(tEnd),
          cancelled_(cancelled)
    {
        for (const MethodInfo& info : system.methods())
            if (info.id == method)
                order_ = std::max(info.order, 1);
        if (options_.scale.size() == 0) {
            // An angle is known to the same absolute precision however often it has wound.
            options_.scale = State::Zero(x0.size());
            for (std::size_t i = 0; i < system.coordinates().size(); ++i)
                if (system.coordinates()[i].period > 0)
                    options_.scale[static_cast<Eigen::Index>(i)] = 1;
        }
    }

    // The step that the method takes by itself.
    double ownStep()
    {
        const auto run = system_.integrate(method_, t0_, x0_, options_);
        const Status status = run->advance(naturalLimit(t0_, tEnd_ < t0_ ? -1 : 1, options_));
        const auto first = run->interpolant();
        return status.ok() ? std::min(std::abs(first->end() - first->begin()), std::abs(tEnd_ - t0_) / 2) : 0;
    }

    Trial run(double step)
    {
        IntegrationOptions options = options_;
        options.step = step;
        const auto run = system_.integrate(method_, t0_, x0_, options);
        Trial trial{step, ErrorNorm(options_, x0_.size())};
        trial.norm.widen(x0_);
        while (run->time() != tEnd_ && trial.status.ok()) {
            const double before = run->time();
            trial.status = run->advance(tEnd_);
            trial.norm.widen(run->state());
            work_ += static_cast<double>(x0_.size());
            if (cancelled_ && cancelled_())
                trial.status = Status::failed("cancelled", "Nobody waits for this any more.");
            if (run->time() == before)
                break;
        }
        trial.end = run->state();
        return trial;
    }

    // Of `fine`, as a part of the state's size: the error is of the order of the method.
    double error(const Trial& fine, const Trial& coarse) const
    {
        return options_.rtol * fine.norm(fine.end - coarse.end, fine.end) /
               (1 / ratioOfErrors(fine.step, coarse.step) - 1);
    }

    double ratioOfErrors(double fine, double coarse) const { return std::pow(fine / coarse, order_); }

    double shorter(double step, double error) const
    {
        return step *
               std::clamp(kSafety * std::pow(options_.rtol / error, 1.0 / order_), 1e-3, 1 / kLeastRatio);
    }
    // The longest start: with it, half of it and two thirds of that the trials end.
    double firstStep() const
    {
        return std::abs(tEnd_ - t0_) * static_cast<double>(x0_.size()) * 6 / kMostWork;
    }
    // What is left to be spent allows one more run of this step.
    bool affords(double step) const
    {
        return work_ + std::abs(tEnd_ - t0_) / step * static_cast<double>(x0_.size()) <= kMostWork;
    }
    double shortestAfforded() const
    {
        return std::abs(tEnd_ - t0_) * static_cast<double>(x0_.size()) /
               std::max(kMostWork - work_, std::numeric_limits<double>::min());
    }

private:
    const System& system_;
    const std::string& method_;
    IntegrationOptions options_;
    double t0_;
    const State& x0_;
    double tEnd_;
    const std::function<bool()>& cancelled_;
    int order_ = 1;
    double work_ = 0;
};

StepChoice notCompared(double step, const Status& status)
{
    return {step, std::numeric_limits<double>::quiet_NaN(), false, status};
}

} // namespace

StepChoice stepForRun(const System& system, const std::string& method, const IntegrationOptions& options,
                      double t0, const State& x0, double tEnd, const std::function<bool()>& cancelled)
{
    Search search(system, method, options, t0, x0, tEnd, cancelled);
    const double own = search.ownStep();
    if (!(own > 0))
        return notCompared(0, Status::failed("no-step", "The method found no step."));
    double step = std::max(own, search.firstStep());
    std::optional<Trial> before;
    StepChoice best = notCompared(step, Status::failed("no-step", "No two steps could be compared."));
    for (int i = 0; i < kMostTrials; ++i) {
        if (!search.affords(step)) {
            const double least = search.shortestAfforded();
            if (!(before && least * kLeastRatio <= before->step))
                break;
            step = least * (1 + 1e-9);
        }
        Trial trial = search.run(step);
        if (trial.status.code == "cancelled")
            return notCompared(step, trial.status);
        if (!trial.status.ok() && trial.status.code != "event") {
            // Too long a step may be what failed.
            if (!before)
                best = notCompared(std::min(step, own), trial.status);
            step /= 4;
            continue;
        }
        if (!before) {
            before = std::move(trial);
            step /= 2;
            continue;
        }
        const double error = search.error(trial, *before);
        // Where a shorter step brings no more, rounding is all that is left.
        if (std::isfinite(best.reached) && !(error < best.reached))
            break;
        best = {step, error, error <= options.rtol, trial.status};
        if (best.met || !std::isfinite(error))
            break;
        before = std::move(trial);
        step = search.shorter(step, error);
    }
    if (!best.met && std::isfinite(best.reached) && own < best.step) {
        // The run itself may take more than the trials may.
        best.reached *= search.ratioOfErrors(own, best.step);
        best.step = own;
        best.met = best.reached <= options.rtol;
    }
    return best;
}

} // namespace casimir
