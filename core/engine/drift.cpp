#include "core/engine/drift.h"

#include "core/numerics/doubled.h"

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

namespace {

// What is this much less than others of its unit is a sum that cancelled.
constexpr double kCancelled = 1e-12;

std::size_t indexOf(const System& system, const std::string& id)
{
    const auto& all = system.quantities();
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const Quantity& q) { return q.id == id; }) - all.begin());
}

// What the first value of a quantity is measured by.
double firstSize(const System& system, const std::vector<double>& first, std::size_t k)
{
    const auto& all = system.quantities();
    double largest = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].unit == all[k].unit && std::isfinite(first[i]))
            largest = std::max(largest, std::abs(first[i]));
    const double own = std::abs(first[k]);
    return own > kCancelled * largest ? own : largest;
}

double shown(double change)
{
    return std::isfinite(change) ? std::max(std::abs(change), Drift::floor) : change;
}

// Gauss's rule in scaled time: its error is of the order h^(2n + 1), beyond that of the step.
struct Rule {
    std::vector<double> s, weight;

    template <unsigned Points>
    static Rule make()
    {
        using Gauss = boost::math::quadrature::gauss<double, Points>;
        Rule rule;
        for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i)
            for (const double side : {-1.0, 1.0}) {
                const double x = Gauss::abscissa()[i];
                if (x == 0 && side > 0)
                    continue; // the one in the middle
                rule.s.push_back((1 + side * x) / 2);
                rule.weight.push_back(Gauss::weights()[i] / 2);
            }
        return rule;
    }
};

const Rule& ruleFor(const System& system, const std::string& method)
{
    static const Rule low = Rule::make<5>(), high = Rule::make<8>();
    constexpr int kLowOrder = 5;
    for (const MethodInfo& info : system.methods())
        if (info.id == method)
            return info.order > 0 && info.order <= kLowOrder ? low : high;
    return high;
}

struct Balance {
    std::size_t quantity, rate;
    double first = 0, size = 0; // at the origin
};

} // namespace

struct BalanceDrifts::Impl {
    // One direction of time, away from the origin.
    struct Side {
        int direction;
        std::shared_ptr<const Interpolant> last;
        std::vector<double> ends;
        std::vector<std::vector<double>> change; // a row for each balance
        std::vector<DoubledNumber> work;
        std::vector<double> largest;
    };

    std::shared_ptr<const System> system;
    std::string method;
    std::vector<Balance> balances;
    Side forward{1, {}, {}, {}, {}, {}}, backward{-1, {}, {}, {}, {}, {}};
    double since = 0;
    bool fromOrigin = true;
    bool begun = false;
    State x;
    std::vector<double> now;

    // Whether the steps counted are steps of this recording too.
    bool continues(const Recording& recording) const
    {
        if (!begun || recording.system() != system || recording.method() != method)
            return false;
        bool same = true, any = false;
        for (const Side* side : {&forward, &backward})
            if (side->last)
                recording.eachStep(side->direction, side->ends.back(), [&](const auto& step) {
                    same = same && step == side->last;
                    any = true;
                    return false;
                });
        return same && any;
    }

    void begin(const Recording& recording)
    {
        *this = Impl();
        system = recording.system();
        method = recording.method();
        const auto& quantities = system->quantities();
        for (std::size_t i = 0; i < quantities.size(); ++i)
            if (quantities[i].law.kind == Law::Kind::Balance)
                balances.push_back({i, indexOf(*system, quantities[i].law.rate)});
        fromOrigin = !recording.droppedBefore() && !recording.droppedAfter();
        since = recording.begin();
        x = recording.state(since);
        for (const int direction : {-1, 1})
            recording.eachStep(direction, -direction * std::numeric_limits<double>::infinity(),
                               [&](const auto& step) {
                                   since = step->begin();
                                   x = step->sample(since);
                                   return false;
                               });
        now.resize(quantities.size());
        system->evaluate(since, x, now);
        for (Balance& b : balances) {
            b.first = now[b.quantity];
            b.size = firstSize(*system, now, b.quantity);
        }
        for (Side* side : {&forward, &backward}) {
            side->change.resize(balances.size());
            side->work.resize(balances.size());
            for (const Balance& b : balances)
                side->largest.push_back(b.size);
        }
        begun = true;
    }

    void take(Side& side, const std::shared_ptr<const Interpolant>& step, const Rule& rule)
    {
        const double h = step->end() - step->begin();
        for (std::size_t i = 0; i < rule.s.size(); ++i) {
            const double t = step->begin() + rule.s[i] * h;
            step->at(t, x);
            system->evaluate(t, x, now);
            for (std::size_t k = 0; k < balances.size(); ++k)
                side.work[k] = side.work[k] + exactSum(rule.weight[i] * h * now[balances[k].rate], 0);
        }
        step->at(step->end(), x);
        system->evaluate(step->end(), x, now);
        side.ends.push_back(step->end());
        for (std::size_t k = 0; k < balances.size(); ++k) {
            const Balance& b = balances[k];
            const double q = now[b.quantity], work = side.work[k].high;
            side.largest[k] = std::max({side.largest[k], std::abs(q), std::abs(work)});
            const double left = (q - b.first - work) - side.work[k].low;
            side.change[k].push_back(shown(side.largest[k] > 0 ? left / side.largest[k] : left));
        }
        side.last = step;
    }

    // What the recording's history gave up is not drawn again.
    static void forget(Side& side, double from)
    {
        constexpr std::size_t kMany = 4096;
        const auto kept =
            std::lower_bound(side.ends.begin(), side.ends.end(), from,
                             [&](double end, double t) { return side.direction * end < side.direction * t; });
        const auto old = kept - side.ends.begin();
        if (static_cast<std::size_t>(old) < std::max(kMany, side.ends.size() / 2) || kept == side.ends.end())
            return;
        side.ends.erase(side.ends.begin(), kept);
        for (auto& row : side.change)
            row.erase(row.begin(), row.begin() + old);
    }
};

BalanceDrifts::BalanceDrifts() : impl_(std::make_unique<Impl>()) {}
BalanceDrifts::~BalanceDrifts() = default;
BalanceDrifts::BalanceDrifts(BalanceDrifts&&) noexcept = default;
BalanceDrifts& BalanceDrifts::operator=(BalanceDrifts&&) noexcept = default;

double BalanceDrifts::since() const
{
    return impl_->since;
}

bool BalanceDrifts::sinceTheOrigin() const
{
    return impl_->fromOrigin;
}

bool BalanceDrifts::count(const std::shared_ptr<const Recording>& recording, std::size_t most)
{
    Impl& d = *impl_;
    if (!d.continues(*recording))
        d.begin(*recording);
    if (d.balances.empty())
        return true;
    const Rule& rule = ruleFor(*d.system, d.method);
    bool done = true;
    for (Impl::Side* side : {&d.forward, &d.backward}) {
        std::size_t taken = 0;
        const double from =
            side->last ? side->ends.back() : -side->direction * std::numeric_limits<double>::infinity();
        recording->eachStep(side->direction, from, [&](const std::shared_ptr<const Interpolant>& step) {
            if (step == side->last)
                return true;
            if (taken == most) {
                done = false;
                return false;
            }
            d.take(*side, step, rule);
            ++taken;
            return true;
        });
        Impl::forget(*side, side->direction > 0 ? recording->begin() : recording->end());
    }
    return done;
}

Drift BalanceDrifts::drift(std::size_t quantity, double begin, double end, int points) const
{
    const Impl& d = *impl_;
    Drift drift;
    const auto at = std::find_if(d.balances.begin(), d.balances.end(),
                                 [&](const Balance& b) { return b.quantity == quantity; });
    if (!d.begun || at == d.balances.end() || !(end > begin) || points < 2)
        return drift;
    const auto k = static_cast<std::size_t>(at - d.balances.begin());
    Drift whole;
    for (std::size_t i = d.backward.ends.size(); i-- > 0;) {
        whole.t.push_back(d.backward.ends[i]);
        whole.change.push_back(d.backward.change[k][i]);
    }
    whole.t.push_back(d.since);
    whole.change.push_back(Drift::floor);
    whole.t.insert(whole.t.end(), d.forward.ends.begin(), d.forward.ends.end());
    whole.change.insert(whole.change.end(), d.forward.change[k].begin(), d.forward.change[k].end());

    auto first = std::lower_bound(whole.t.begin(), whole.t.end(), begin) - whole.t.begin();
    auto last = std::upper_bound(whole.t.begin(), whole.t.end(), end) - whole.t.begin();
    first = std::max<std::ptrdiff_t>(first - 1, 0);
    last = std::min<std::ptrdiff_t>(last + 1, static_cast<std::ptrdiff_t>(whole.t.size()));
    int span = -1;
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
        const double part = std::clamp((whole.t[i] - begin) / (end - begin), 0.0, 1.0);
        const int here = last - first > points ? static_cast<int>(part * points) : static_cast<int>(i);
        if (here != span || drift.t.empty()) {
            drift.t.push_back(whole.t[i]);
            drift.change.push_back(whole.change[i]);
        } else if (!(whole.change[i] <= drift.change.back())) {
            drift.t.back() = whole.t[i];
            drift.change.back() = whole.change[i];
        }
        span = here;
    }
    return drift;
}

std::vector<Drift> driftsOf(const Recording& recording, const BalanceDrifts& balances,
                            const std::vector<const Quantity*>& quantities, double begin, double end,
                            int points)
{
    std::vector<Drift> drifts(quantities.size());
    const System& system = *recording.system();
    const double from = std::max(begin, recording.begin()), to = std::min(end, recording.end());
    if (!(to > from) || points < 2)
        return drifts;
    // All constants are read from the same samples: a state is evaluated as a whole.
    std::vector<std::string> constants;
    for (const Quantity* quantity : quantities)
        if (quantity->law.kind != Law::Kind::Balance)
            constants.push_back(quantity->id);
    Samples kept;
    std::vector<double> first(system.quantities().size());
    if (!constants.empty()) {
        kept = recording.sample(from, to, points, constants, Recording::Between::Exactly);
        system.evaluate(recording.origin(), recording.initialState(), first);
    }
    std::size_t column = 0;
    for (std::size_t k = 0; k < quantities.size(); ++k) {
        const std::size_t index = indexOf(system, quantities[k]->id);
        if (quantities[k]->law.kind == Law::Kind::Balance) {
            drifts[k] = balances.drift(index, from, to, points);
            continue;
        }
        const double size = firstSize(system, first, index);
        for (const double q : kept.columns[column++])
            drifts[k].change.push_back(shown((q - first[index]) / (size > 0 ? size : 1)));
        drifts[k].t = kept.t;
    }
    return drifts;
}

Drift driftOf(const std::shared_ptr<const Recording>& recording, const Quantity& quantity, double begin,
              double end, int points)
{
    BalanceDrifts balances;
    if (quantity.law.kind == Law::Kind::Balance)
        balances.count(recording);
    return driftsOf(*recording, balances, {&quantity}, begin, end, points).front();
}

} // namespace casimir
