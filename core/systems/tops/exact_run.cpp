// How a chain of tops is run: the methods offered, and the closed form as one of them.
#include "core/numerics/closed_form_motion.h"
#include "core/systems/tops/tops_system.h"

#include <fmt/format.h>

#include <cmath>

namespace casimir::tops {

namespace {

// A state counts as on the exact motion within this, in radians and in the motion's own unit of time.
constexpr double onMotion = 1e-8;

// Runs along the exact motion through the start; each step is a part of a period.
class ExactRun final : public Integration, public KnownAtAnyTime {
public:
    struct Path {
        std::shared_ptr<const System> keepAlive;
        const TopsSystem* system;
        double t0;
        TopsSystem::Decomposition start;
        MotionFrame startFrame;
        std::vector<double> chi;
        State first;

        State at(double t) const
        {
            if (t == t0)
                return first;
            const ExactMotion& motion = *system->setup().motion;
            MotionFrame now;
            motion.at(start.time + (t - t0), start.planes, now);
            std::vector<double> twist = start.twist, spin = chi;
            for (std::size_t i = 0; i < twist.size(); ++i) {
                twist[i] += now.beta[i] - startFrame.beta[i];
                spin[i] += motion.chain().tops()[i].q * (t - t0);
            }
            State x = system->exactState(start.time + (t - t0), start.planes, twist, spin);
            // The motion that the start was measured against stays the same.
            const auto reference = x.size() - 12 * system->size();
            x.tail(reference) = first.tail(reference);
            x[12 * system->size()] += t - t0;
            return x;
        }
    };

    ExactRun(std::shared_ptr<const Path> path, State x0, double step)
        : path_(std::move(path)),
          t_(path_->t0),
          step_(step),
          x_(std::move(x0)),
          interpolant_(constantInterpolant(t_, x_))
    {
    }
    double time() const override { return t_; }
    const State& state() const override { return x_; }
    long evaluations() const override { return evaluations_; }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }

    void stateAt(double t, State& x) const override { x = path_->at(t); }

    Status advance(double tLimit) override
    {
        const double rest = tLimit - t_;
        if (rest == 0)
            return {};
        const double before = t_;
        t_ = std::abs(rest) <= step_ ? tLimit : t_ + std::copysign(step_, rest);
        x_ = path_->at(t_);
        ++evaluations_;
        interpolant_ = std::make_shared<Piece>(path_, before, t_, x_.size());
        return {};
    }

private:
    class Piece final : public Interpolant {
    public:
        Piece(std::shared_ptr<const Path> path, double begin, double end, Eigen::Index size)
            : Interpolant(begin, end, size), path_(std::move(path))
        {
        }
        void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override { x = path_->at(t); }

    private:
        std::shared_ptr<const Path> path_;
    };

    std::shared_ptr<const Path> path_;
    double t_, step_;
    State x_;
    std::shared_ptr<const Interpolant> interpolant_;
    long evaluations_ = 0;
};

// A start off the exact motion has no closed form; the run says so and stays.
class NoRun final : public Integration {
public:
    NoRun(double t, State x, std::string sentence)
        : t_(t), x_(std::move(x)), sentence_(std::move(sentence)), interpolant_(constantInterpolant(t_, x_))
    {
    }
    double time() const override { return t_; }
    const State& state() const override { return x_; }
    long evaluations() const override { return 0; }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }
    Status advance(double tLimit) override
    {
        return tLimit == t_ ? Status{} : Status::failed("off-motion", sentence_);
    }

private:
    double t_;
    State x_;
    std::string sentence_;
    std::shared_ptr<const Interpolant> interpolant_;
};

} // namespace

std::vector<MethodInfo> TopsSystem::methods() const
{
    std::vector<MethodInfo> all;
    // A step fixed at the start does not fit a motion that speeds up near the vertical or leaves an unstable
    // one.
    for (const MethodInfo& method : genericMethods())
        if (!method.fixedStep)
            all.push_back(method);
    if (setup_.motion)
        all.push_back(
            {"exact", "Closed form", 0, false,
             "The exact motion itself, by elliptic functions or quadratures; starts on the motion only."});
    return all;
}

std::unique_ptr<Integration> TopsSystem::integrate(std::string_view method, double t0, const State& x0,
                                                   const IntegrationOptions& options) const
{
    if (method != "exact" || !setup_.motion)
        return System::integrate(method, t0, x0, options);
    Decomposition parts = decompose(x0);
    if (!(parts.off <= onMotion))
        return std::make_unique<NoRun>(
            t0, x0,
            fmt::format("The start lies {:.3g} off the exact motion; the closed form runs on it only.",
                        parts.off));
    auto path = std::make_shared<ExactRun::Path>();
    path->keepAlive = weak_from_this().lock();
    path->system = this;
    path->t0 = t0;
    setup_.motion->at(parts.time, parts.planes, path->startFrame);
    path->start = std::move(parts);
    path->chi.resize(static_cast<std::size_t>(size()));
    for (int i = 0; i < size(); ++i)
        path->chi[static_cast<std::size_t>(i)] = x0[9 * size() + i];
    path->first = x0;
    constexpr double stepsPerPeriod = 16;
    return std::make_unique<ExactRun>(std::move(path), x0, setup_.motion->period() / stepsPerPeriod);
}

} // namespace casimir::tops
