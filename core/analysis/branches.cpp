#include "core/analysis/branches.h"

#include "core/analysis/consistency.h"
#include "core/analysis/number_path.h"
#include "core/base/error.h"
#include "core/model/kind.h"
#include "core/model/quick_analysis.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

namespace casimir {

namespace {

using Special = SpecialPoint::Kind;

// Widths are parts of the axis, distances parts of what a coordinate ranges over along the whole diagram.
constexpr int coarse = 64;
constexpr double locatedWithin = 1e-9; // width to which a change is pinned down
constexpr double oneEvent = 1e-6;      // changes nearer than this are one point
constexpr double undecidedZone = 1e-3; // of verdicts 'degenerate' around one point
constexpr double jump = 0.05;  // a larger step within oneEvent is not a motion of the same equilibrium
constexpr double bend = 0.004; // a larger deviation from the straight continuation asks for more points
constexpr double finestBend = 1.0 / 4096;
constexpr double meeting = 0.02; // states that meet are nearer than this when located
constexpr std::size_t mostSamples = 4000;
constexpr int mostRounds = 48;
constexpr int mostSmoothings = 12;
constexpr std::size_t mostQuantities = 40;
constexpr auto publishEvery = std::chrono::milliseconds(150);

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

class Follower {
public:
    Follower(const System& system, const ParameterAxis& axis, const StateInputs& start)
        : system_(system),
          axis_(axis),
          start_(startThatCounts(system, start)),
          quantities_(branchQuantities(system))
    {
        for (const Quantity& q : system.coordinates()) {
            used_.push_back(!q.reconstructed);
            if (!q.reconstructed)
                period_.push_back(q.period);
        }
    }

    void sampleCoarsely(const std::function<bool()>& cancelled)
    {
        std::set<double> parts;
        for (int i = 0; i <= coarse; ++i)
            parts.insert(static_cast<double>(i) / coarse);
        if (axis_.from < 0 && axis_.to > 0)
            parts.insert(axis_.partOf(0)); // where systems often degenerate
        for (const double part : parts) {
            if (cancelled && cancelled())
                return;
            samples_.push_back(sampleAt(part));
        }
    }

    // Halves every interval where something changes or bends; false when nothing is left to do.
    bool refine(const std::function<bool()>& cancelled)
    {
        measure();
        link();
        std::vector<double> middles;
        for (std::size_t i = 0; i + 1 < samples_.size(); ++i) {
            const double width = samples_[i + 1].part - samples_[i].part;
            const double least = changes(i)             ? locatedWithin
                                 : deviation_[i] > jump ? 0.1 * oneEvent
                                 : deviation_[i] > bend ? finestBend
                                                        : 2;
            if (width > least)
                middles.push_back(samples_[i].part + width / 2);
        }
        return add(middles, cancelled);
    }

    // False where there is nothing to add, or no more is made.
    bool add(const std::vector<double>& parts, const std::function<bool()>& cancelled)
    {
        if (parts.empty() || samples_.size() + parts.size() > mostSamples)
            return false;
        for (const double part : parts) {
            if (cancelled && cancelled())
                return false;
            samples_.push_back(sampleAt(part));
        }
        std::sort(samples_.begin(), samples_.end(),
                  [](const BranchSample& a, const BranchSample& b) { return a.part < b.part; });
        return true;
    }

    void goOnFrom(const std::vector<BranchSample>& made) { samples_ = made; }

    // As fine as the drawing wants it.
    BranchDiagram smooth(const Wanted& wanted, const std::function<bool()>& cancelled)
    {
        BranchDiagram now = diagram();
        for (int round = 0; wanted && round < mostSmoothings && add(wanted(now), cancelled); ++round)
            now = diagram();
        return now;
    }

    BranchDiagram diagram() const
    {
        Follower whole = *this;
        BranchDiagram result = whole.finished();
        result.made = std::make_shared<const std::vector<BranchSample>>(samples_);
        return result;
    }

private:
    struct Event {
        double part;
        bool enclosesSamples; // left out since
    };

    BranchSample sampleAt(double part) const
    {
        BranchSample sample;
        sample.part = part;
        sample.parameter = axis_.at(part);
        const auto system = systemWith(system_, {{axis_.address, sample.parameter}});
        if (!system || system->coordinates().size() != used_.size())
            return sample;
        Analysis analysis;
        try {
            analysis = consistent(quickAnalysisFrom(*system, start_));
        } catch (const Error& error) { // the start is not allowed with this value
            sample.status = Status::failed("refused", error.what());
            return sample;
        }
        sample.status = analysis.status;
        sample.answered = analysis.status.ok() || !analysis.equilibria.empty();
        for (const Equilibrium& e : analysis.equilibria) {
            BranchState state{
                e.name, e.stability, Eigen::VectorXd(static_cast<Eigen::Index>(period_.size())), {}};
            Eigen::Index to = 0;
            for (std::size_t i = 0; i < used_.size(); ++i)
                if (used_[i])
                    state.point[to++] = e.point[static_cast<Eigen::Index>(i)];
            state.values = branchValues(*system, quantities_, e);
            sample.states.push_back(std::move(state));
        }
        return sample;
    }

    double difference(Eigen::Index i, double a, double b) const
    {
        const double period = period_[static_cast<std::size_t>(i)];
        return period > 0 ? std::remainder(b - a, period) : b - a;
    }

    // What each coordinate ranges over.
    void measure()
    {
        const auto n = static_cast<Eigen::Index>(period_.size());
        const double infinity = std::numeric_limits<double>::infinity();
        Eigen::VectorXd low = Eigen::VectorXd::Constant(n, infinity), high = -low;
        for (const BranchSample& sample : samples_)
            for (const BranchState& state : sample.states) {
                low = low.cwiseMin(state.point);
                high = high.cwiseMax(state.point);
            }
        scale_ = Eigen::VectorXd::Ones(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            if (period_[static_cast<std::size_t>(i)] > 0)
                scale_[i] = period_[static_cast<std::size_t>(i)] / 2;
            else if (high[i] > low[i])
                scale_[i] = high[i] - low[i];
        }
    }

    double distance(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const
    {
        double sum = 0;
        for (Eigen::Index i = 0; i < a.size(); ++i) {
            const double d = difference(i, a[i], b[i]) / scale_[i];
            sum += d * d;
        }
        return std::sqrt(sum);
    }
    double apart(std::size_t sample, std::size_t a, std::size_t b) const
    {
        return distance(samples_[sample].states[a].point, samples_[sample].states[b].point);
    }

    // Where a state would be at the next sample if it went straight on, judged over a stretch as long as the
    // step.
    Eigen::VectorXd predicted(std::size_t sample, std::size_t state) const
    {
        const Eigen::VectorXd& here = samples_[sample].states[state].point;
        const double step = samples_[sample + 1].part - samples_[sample].part;
        std::size_t at = sample, past = state;
        while (at > 0 && previous_[at][past] != none && samples_[sample].part - samples_[at].part < step)
            past = previous_[at--][past];
        if (at == sample)
            return here;
        const double ratio = std::min(step / (samples_[sample].part - samples_[at].part), 2.0);
        const Eigen::VectorXd& there = samples_[at].states[past].point;
        Eigen::VectorXd ahead = here;
        for (Eigen::Index i = 0; i < here.size(); ++i)
            ahead[i] += ratio * difference(i, there[i], here[i]);
        return ahead;
    }

    // Pairs the states of neighbouring samples, nearest to the straight continuation first; crossing branches
    // cross.
    void link()
    {
        const std::size_t n = samples_.size();
        next_.assign(n, {});
        previous_.assign(n, {});
        deviation_.assign(n, 0);
        for (std::size_t i = 0; i < n; ++i) {
            next_[i].assign(samples_[i].states.size(), none);
            previous_[i].assign(samples_[i].states.size(), none);
        }
        std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
        for (std::size_t i = 0; i + 1 < n; ++i) {
            const auto& here = samples_[i].states;
            const auto& there = samples_[i + 1].states;
            const double width = samples_[i + 1].part - samples_[i].part;
            pairs.clear();
            for (std::size_t a = 0; a < here.size(); ++a) {
                const Eigen::VectorXd ahead = predicted(i, a);
                for (std::size_t b = 0; b < there.size(); ++b)
                    pairs.emplace_back(distance(ahead, there[b].point), a, b);
            }
            std::sort(pairs.begin(), pairs.end());
            for (const auto& [d, a, b] : pairs) {
                if (next_[i][a] != none || previous_[i + 1][b] != none)
                    continue;
                const double moved = distance(here[a].point, there[b].point);
                if (width <= oneEvent && moved > jump)
                    continue;
                next_[i][a] = b;
                previous_[i + 1][b] = a;
                if (i > 0 && previous_[i][a] != none)
                    deviation_[i] = std::max(deviation_[i], d);
                else if (moved > jump)
                    deviation_[i] = std::max(deviation_[i], moved);
            }
        }
    }

    bool changes(std::size_t i) const
    {
        const BranchSample &a = samples_[i], &b = samples_[i + 1];
        if (a.answered != b.answered || a.states.size() != b.states.size())
            return true;
        for (std::size_t k = 0; k < a.states.size(); ++k)
            if (next_[i][k] == none || b.states[next_[i][k]].stability != a.states[k].stability)
                return true;
        return false;
    }

    BranchDiagram finished()
    {
        measure();
        link();
        joinEvents();
        link();
        BranchDiagram result;
        result.axis = axis_;
        result.quantities = quantities_;
        for (std::size_t i = 0; i + 1 < samples_.size(); ++i)
            if (events_[i])
                classify(i, result.specials);
        for (std::size_t i = 0; i < samples_.size(); ++i)
            for (std::size_t k = 0; k < samples_[i].states.size(); ++k) {
                if (previous_[i][k] != none)
                    continue;
                Branch branch{i};
                for (std::size_t at = i, state = k;; ++at) {
                    branch.states.push_back(state);
                    if (next_[at][state] == none)
                        break;
                    state = next_[at][state];
                }
                result.branches.push_back(std::move(branch));
            }
        result.samples = std::move(samples_);
        return result;
    }

    static bool undecided(const BranchSample& sample)
    {
        return !sample.answered ||
               std::any_of(sample.states.begin(), sample.states.end(),
                           [](const BranchState& state) { return state.stability == verdict::degenerate; });
    }

    // The last sample of the changes that begin after sample i and belong to one point: they follow each
    // other at once, or enclose a stretch where the test does not decide.
    std::size_t endOfEvent(std::size_t i) const
    {
        const auto located = [this](std::size_t k) {
            return k + 1 < samples_.size() && changes(k) &&
                   samples_[k + 1].part - samples_[k].part <= oneEvent;
        };
        if (!located(i))
            return i;
        std::size_t end = i + 1;
        bool open = undecided(samples_[end]);
        for (std::size_t k = end; k + 1 < samples_.size(); ++k) {
            const double width = samples_[k + 1].part - samples_[i].part;
            if (width > (open ? undecidedZone : oneEvent) || !(located(k) || open))
                break;
            open = undecided(samples_[k + 1]) && (open || located(k));
            if (located(k))
                end = k + 1;
        }
        return end;
    }

    // Samples between changes that belong to one point are left out: what counts is before and after it.
    void joinEvents()
    {
        std::vector<BranchSample> kept;
        events_.clear();
        for (std::size_t i = 0; i < samples_.size();) {
            const std::size_t end = endOfEvent(i);
            std::optional<Event> event;
            if (end > i) {
                // Where the number of equilibria changes is known better than where the test gives up.
                double low = samples_[i].part, high = samples_[end].part;
                for (std::size_t k = i; k < end; ++k)
                    if (samples_[k].answered && samples_[k + 1].answered &&
                        samples_[k].states.size() != samples_[k + 1].states.size()) {
                        low = low == samples_[i].part ? samples_[k].part : low;
                        high = samples_[k + 1].part;
                    }
                event = Event{(low + high) / 2, end > i + 1};
            }
            kept.push_back(std::move(samples_[i]));
            events_.push_back(event);
            i = std::max(end, i + 1);
        }
        samples_ = std::move(kept);
    }

    void classify(std::size_t i, std::vector<SpecialPoint>& specials) const
    {
        const BranchSample &a = samples_[i], &b = samples_[i + 1];
        if (!a.answered || !b.answered)
            return;
        const double parameter = axis_.at(events_[i]->part);
        const double near = std::max(meeting, 3 * std::sqrt(b.part - a.part)); // arms open as the square root
        const std::size_t before = specials.size();
        const auto add = [&](Special kind, std::size_t sample, std::size_t state, const char* label) {
            for (std::size_t k = before; k < specials.size(); ++k)
                if (specials[k].kind == kind && specials[k].sample == sample &&
                    apart(sample, specials[k].state, state) < near)
                    return;
            specials.push_back({kind, parameter, sample, state, label});
        };
        std::set<std::size_t> carriers; // states of `a` on which a pitchfork stands
        for (const bool later : {false, true})
            classifyEnds(i, later, near, carriers, add);

        std::vector<std::size_t> changed;
        for (std::size_t k = 0; k < a.states.size(); ++k)
            if (next_[i][k] != none && !carriers.contains(k) &&
                b.states[next_[i][k]].stability != a.states[k].stability)
                changed.push_back(k);
        std::set<std::size_t> done;
        for (const std::size_t k : changed) {
            if (done.contains(k))
                continue;
            const auto partner = std::find_if(changed.begin(), changed.end(), [&](std::size_t other) {
                return other != k && !done.contains(other) && apart(i, k, other) < near;
            });
            done.insert(k);
            if (partner != changed.end()) {
                done.insert(*partner);
                add(Special::Exchange, i, k, "exchange of stability");
            } else {
                add(Special::StabilityChange, i, k,
                    verdictChange(a.states[k].stability, b.states[next_[i][k]].stability));
            }
        }
        if (specials.size() == before && events_[i]->enclosesSamples && !a.states.empty())
            add(Special::Degenerate, i, 0, "degenerate");
    }

    static const char* verdictChange(const std::string& from, const std::string& to)
    {
        if (from == verdict::degenerate || to == verdict::degenerate)
            return "degenerate";
        return from == verdict::unstable || to == verdict::unstable ? "loss of stability"
                                                                    : "change of stability";
    }

    // Branches that end between samples i and i + 1 (or, `later`, that begin there).
    template <class Add>
    void classifyEnds(std::size_t i, bool later, double near, std::set<std::size_t>& carriers,
                      const Add& add) const
    {
        const std::size_t side = later ? i + 1 : i;
        const auto& links = later ? previous_[side] : next_[side];
        std::vector<std::size_t> loose, kept;
        for (std::size_t k = 0; k < links.size(); ++k)
            (links[k] == none ? loose : kept).push_back(k);
        std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
        for (const std::size_t u : loose)
            for (const std::size_t v : loose)
                if (u < v)
                    pairs.emplace_back(apart(side, u, v), u, v);
        std::sort(pairs.begin(), pairs.end());
        std::set<std::size_t> done;
        for (const auto& [d, u, v] : pairs) {
            if (d > near || done.contains(u) || done.contains(v))
                continue;
            done.insert({u, v});
            const auto carrier =
                std::find_if(kept.begin(), kept.end(), [&, d = d, u = u, v = v](std::size_t s) {
                    return apart(side, u, s) < 0.8 * d && apart(side, v, s) < 0.8 * d;
                });
            if (carrier == kept.end()) {
                add(Special::Fold, side, u, "fold");
                continue;
            }
            carriers.insert(later ? links[*carrier] : *carrier);
            add(Special::Pitchfork, side, *carrier, "pitchfork");
        }
        for (const std::size_t u : loose)
            if (!done.contains(u))
                add(Special::End, side, u, "end");
    }

    const System& system_;
    ParameterAxis axis_;
    StateInputs start_;
    std::vector<Quantity> quantities_;
    std::vector<bool> used_;     // by coordinate
    std::vector<double> period_; // of those used
    std::vector<BranchSample> samples_;
    Eigen::VectorXd scale_;
    std::vector<std::vector<std::size_t>> next_, previous_; // by sample and state
    std::vector<double> deviation_;                         // by interval
    std::vector<std::optional<Event>> events_;              // by interval
};

} // namespace

std::vector<Quantity> branchQuantities(const System& system)
{
    std::vector<Quantity> all;
    const auto add = [&all](const Quantity& q) {
        if (!q.reconstructed && q.law.kind == Law::Kind::None && all.size() < mostQuantities &&
            std::none_of(all.begin(), all.end(), [&q](const Quantity& x) { return x.id == q.id; }))
            all.push_back(q);
    };
    for (const Quantity& q : system.coordinates())
        add(q);
    for (const StateInput& input : system.inputs())
        add(input.quantity);
    for (const Quantity& q : system.quantities())
        add(q);
    const Quantity last[] = {{"energy", "H", "energy", "J"},
                             {"spin_rate", "ω", "spin rate", "rad/s"},
                             {"growth_rate", "max Re s", "growth rate", "rad/s"},
                             {"frequency", "max Im s", "frequency", "rad/s"}};
    for (const Quantity& q : last) {
        std::erase_if(all, [&q](const Quantity& x) { return x.id == q.id; });
        all.push_back(q);
    }
    return all;
}

std::vector<double> branchValues(const System& system, const std::vector<Quantity>& quantities,
                                 const Equilibrium& e)
{
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    const StateInputs inputs = system.inputsOf(e.point);
    std::vector<double> numbers(system.quantities().size());
    system.evaluate(0, e.point, numbers);
    const auto valueOf = [&](const std::string& id) {
        for (const Fact& fact : e.state)
            if (fact.quantity.id == id)
                if (const auto* x = std::get_if<double>(&fact.value))
                    return *x;
        for (std::size_t i = 0; i < system.coordinates().size(); ++i)
            if (system.coordinates()[i].id == id)
                return e.point[static_cast<Eigen::Index>(i)];
        for (const auto& [input, x] : inputs)
            if (input == id)
                return x;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (system.quantities()[i].id == id)
                return numbers[i];
        return missing;
    };
    std::vector<double> values;
    for (const Quantity& q : quantities) {
        if (q.id == "energy")
            values.push_back(e.energy);
        else if (q.id == "spin_rate")
            values.push_back(e.spinRate.value_or(missing));
        else if (q.id == "growth_rate")
            values.push_back(growthRate(e));
        else if (q.id == "frequency")
            values.push_back(largestFrequency(e));
        else
            values.push_back(valueOf(q.id));
    }
    return values;
}

BranchDiagram followBranches(const System& system, const ParameterAxis& axis, const StateInputs& start,
                             const std::function<bool()>& cancelled,
                             const std::function<void(const BranchDiagram&, double progress)>& publish,
                             const Wanted& wanted)
{
    Follower follower(system, axis, start);
    follower.sampleCoarsely(cancelled);
    auto published = std::chrono::steady_clock::now() - publishEvery;
    for (int round = 0; round < mostRounds; ++round) {
        if (const auto now = std::chrono::steady_clock::now(); publish && now - published >= publishEvery) {
            publish(follower.diagram(), static_cast<double>(round + 1) / (mostRounds + 1));
            published = now;
        }
        if (!follower.refine(cancelled))
            break;
    }
    return follower.smooth(wanted, cancelled);
}

BranchDiagram refined(const System& system, const BranchDiagram& diagram, const StateInputs& start,
                      const std::function<bool()>& cancelled, const Wanted& wanted)
{
    if (wanted(diagram).empty())
        return diagram;
    Follower follower(system, diagram.axis, start);
    follower.goOnFrom(*diagram.made);
    return follower.smooth(wanted, cancelled);
}

} // namespace casimir
