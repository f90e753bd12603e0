#include "core/numerics/events.h"

#include "core/numerics/roots.h"
#include "core/numerics/side_step.h"

#include <cmath>

namespace casimir {

namespace {

// The beginning of a step that an event cut short.
class CutInterpolant : public SideStep {
public:
    CutInterpolant(std::shared_ptr<const Interpolant> whole, double end)
        : SideStep(whole->begin(), end, whole->size()), whole_(std::move(whole))
    {
    }

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override { whole_->at(t, x); }
    void glimpse(double t, Eigen::Ref<Eigen::VectorXd> x) const override { casimir::glimpse(*whole_, t, x); }
    bool glimpseIsReadable() const override { return casimir::glimpseIsReadable(*whole_); }

private:
    std::shared_ptr<const Interpolant> whole_;
};

class EventIntegration : public Integration {
public:
    EventIntegration(std::unique_ptr<Integration> inner, std::vector<TerminalEvent> events)
        : inner_(std::move(inner)), events_(std::move(events))
    {
    }

    double time() const override { return cut_ ? cut_->end() : inner_->time(); }
    const State& state() const override { return cut_ ? cutState_ : inner_->state(); }
    long evaluations() const override { return inner_->evaluations(); }

    std::shared_ptr<const Interpolant> interpolant() const override
    {
        return cut_ ? cut_ : inner_->interpolant();
    }

    void replaceState(const State& x) override { inner_->replaceState(x); }

    Status advance(double tLimit) override
    {
        if (tLimit == time())
            return {};
        if (cut_)
            return ended_;
        const double before = inner_->time();
        Status status = inner_->advance(tLimit);
        if (inner_->time() == before || events_.empty())
            return status;
        const auto step = inner_->interpolant();
        const TerminalEvent* first = nullptr;
        double firstTime = 0;
        for (const TerminalEvent& event : events_) {
            const auto t = locateEvent(*step, event.g);
            if (t && (first == nullptr || std::abs(*t - before) < std::abs(firstTime - before))) {
                first = &event;
                firstTime = *t;
            }
        }
        if (first == nullptr)
            return status;
        cut_ = std::make_shared<CutInterpolant>(step, firstTime);
        cutState_ = step->sample(firstTime);
        ended_ = Status::failed("event", first->sentence);
        return ended_;
    }

private:
    std::unique_ptr<Integration> inner_;
    std::vector<TerminalEvent> events_;
    std::shared_ptr<const Interpolant> cut_;
    State cutState_;
    Status ended_;
};

class ProjectedInterpolant : public SideStep {
public:
    ProjectedInterpolant(std::shared_ptr<const Interpolant> free, std::shared_ptr<const Projection> project,
                         State x1)
        : SideStep(free->begin(), free->end(), free->size()),
          free_(std::move(free)),
          project_(std::move(project)),
          x1_(std::move(x1))
    {
    }

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        if (t == end()) {
            x = x1_;
            return;
        }
        State free = free_->sample(t);
        // The step began on the manifold already.
        if (t != begin())
            (*project_)(free);
        x = free;
    }
    void glimpse(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        if (t == begin() || t == end()) {
            at(t, x);
            return;
        }
        State free(size());
        casimir::glimpse(*free_, t, free);
        (*project_)(free);
        x = free;
    }
    bool glimpseIsReadable() const override { return casimir::glimpseIsReadable(*free_); }

private:
    std::shared_ptr<const Interpolant> free_;
    std::shared_ptr<const Projection> project_;
    State x1_;
};

class ProjectedIntegration : public Integration {
public:
    ProjectedIntegration(std::unique_ptr<Integration> inner, Projection project)
        : inner_(std::move(inner)),
          project_(std::make_shared<const Projection>(std::move(project))),
          interpolant_(inner_->interpolant())
    {
    }

    double time() const override { return inner_->time(); }
    const State& state() const override { return inner_->state(); }
    long evaluations() const override { return inner_->evaluations(); }
    std::shared_ptr<const Interpolant> interpolant() const override { return interpolant_; }
    void replaceState(const State& x) override { inner_->replaceState(x); }

    Status advance(double tLimit) override
    {
        const double before = inner_->time();
        Status status = inner_->advance(tLimit);
        if (inner_->time() != before) {
            State x = inner_->state();
            (*project_)(x);
            interpolant_ = std::make_shared<ProjectedInterpolant>(inner_->interpolant(), project_, x);
            inner_->replaceState(x);
        }
        return status;
    }

private:
    std::unique_ptr<Integration> inner_;
    std::shared_ptr<const Projection> project_;
    std::shared_ptr<const Interpolant> interpolant_;
};

} // namespace

std::optional<double> locateEvent(const Interpolant& interpolant, const EventFunction& g, double tolerance)
{
    State x(interpolant.size());
    const auto value = [&](double t) {
        interpolant.at(t, x);
        return g(t, x);
    };
    const auto glimpsed = [&](double t) {
        glimpse(interpolant, t, x);
        return g(t, x);
    };
    const auto changes = [](double a, double b) { return (a < 0 && b > 0) || (a > 0 && b < 0); };
    const double begin = interpolant.begin();
    const double length = interpolant.end() - begin;
    double left = begin;
    double gLeft = glimpsed(left);
    for (int i = 1; i <= kEventSamples; ++i) {
        const double right = i == kEventSamples ? interpolant.end() : begin + length * i / kEventSamples;
        const double gRight = glimpsed(right);
        if (gLeft != 0 && gRight == 0)
            return right;
        if (changes(gLeft, gRight)) {
            // Where the sign changes so close to a piece's end that the glimpse and the motion disagree
            // there, the motion's own change lies just beyond: the glimpse is then as good as its place is
            // known.
            const Root root = changes(value(left), value(right))
                                  ? bracketedRoot(value, left, right, tolerance)
                                  : bracketedRoot(glimpsed, left, right, tolerance);
            if (root.status.ok())
                return root.x;
        }
        left = right;
        gLeft = gRight;
    }
    return std::nullopt;
}

std::unique_ptr<Integration> withEvents(std::unique_ptr<Integration> integration,
                                        std::vector<TerminalEvent> events)
{
    return std::make_unique<EventIntegration>(std::move(integration), std::move(events));
}

std::unique_ptr<Integration> withProjection(std::unique_ptr<Integration> integration, Projection project)
{
    return std::make_unique<ProjectedIntegration>(std::move(integration), std::move(project));
}

} // namespace casimir
