// What every motion of the catalogue keeps between its steps, and where it starts: over every system, preset
// and method.
#include "core/base/error.h"
#include "core/model/quick_analysis.h"
#include "core/numerics/side_step.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {
namespace {

struct Case {
    const Kind* kind;
    std::string name;
    Values values;
    StateInputs start;
};

std::vector<Case> casesOf(const Kind& kind)
{
    std::vector<Case> all{{&kind, kind.id + ", defaults", kind.schema.defaults(), {}}};
    for (const Preset& preset : presetsOf(kind.id)) {
        const Session session = readSession(preset.text);
        all.push_back({&kind, kind.id + ", " + preset.id, session.values, session.motions.front().state});
    }
    return all;
}

std::vector<double> numbersAt(const System& system, double t, const State& x)
{
    std::vector<double> all(system.quantities().size());
    system.evaluate(t, x, all);
    return all;
}

// How far the quantities declared constant have come from their first values, each against the largest number
// of its unit met so far: a sum that cancels is known as well as its terms.
class Drift {
public:
    Drift(const System& system, const State& start)
        : system_(&system), first_(numbersAt(system, 0, start)), size_(first_.size())
    {
        look(0, start);
    }

    std::vector<double> look(double t, const State& x)
    {
        const auto& quantities = system_->quantities();
        const std::vector<double> now = numbersAt(*system_, t, x);
        std::vector<double> off(now.size(), 0.0);
        for (std::size_t i = 0; i < now.size(); ++i)
            for (std::size_t k = 0; k < now.size(); ++k)
                if (quantities[k].unit == quantities[i].unit && std::isfinite(now[k]))
                    size_[i] = std::max(size_[i], std::abs(now[k]));
        for (std::size_t i = 0; i < now.size(); ++i)
            if (quantities[i].law == Law::constant() && size_[i] > 0)
                off[i] = std::abs(now[i] - first_[i]) / size_[i];
        return off;
    }

private:
    const System* system_;
    std::vector<double> first_, size_;
};

void keepMost(std::vector<double>& most, const std::vector<double>& now)
{
    most.resize(now.size(), 0.0);
    for (std::size_t i = 0; i < now.size(); ++i)
        most[i] = std::max(most[i], std::isnan(now[i]) ? std::numeric_limits<double>::infinity() : now[i]);
}

bool whole(double x)
{
    return x == std::round(x);
}

void checkBetweenSteps(const Case& c, const System& system, const MethodInfo& method)
{
    constexpr int mostSteps = 60;
    constexpr double golden = 0.6180339887498949, longest = 20;
    // Of a number of its own size: a few roundings more or fewer are no loss.
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
    const State start = system.start(c.start);
    const auto run = system.integrate(method.id, 0, start, {});
    Drift drift(system, start);
    std::vector<double> atSteps, between;
    double part = 0;
    for (int k = 0; k < mostSteps && run->time() < longest; ++k) {
        const Status status = run->advance(longest);
        const auto step = run->interpolant();
        if (step->begin() == step->end())
            break;
        keepMost(atSteps, drift.look(run->time(), run->state()));
        for (int piece = 0; piece < 2; ++piece) {
            part = std::fmod(part + golden, 1.0);
            const double t = step->begin() + part * (step->end() - step->begin());
            const State x = step->sample(t);
            keepMost(between, drift.look(t, x));
            for (std::size_t i = 0; i < system.quantities().size(); ++i)
                if (system.quantities()[i].id == "halved")
                    EXPECT_TRUE(whole(numbersAt(system, t, x)[i])) << c.name;
        }
        if (!status.ok())
            break;
    }
    for (std::size_t i = 0; i < between.size(); ++i)
        EXPECT_LE(between[i], 10 * std::max(atSteps[i], rounding))
            << c.name << " by " << method.id << ": " << system.quantities()[i].id << " is off by "
            << between[i] << " between steps and by " << atSteps[i] << " at steps";
}

TEST(Motions, keepTheirInvariantsBetweenStepsAsWellAsAtSteps)
{
    for (const Kind* kind : catalogue())
        for (const Case& c : casesOf(*kind)) {
            const auto system = kind->make(c.values);
            for (const MethodInfo& method : system->methods())
                if (!method.illustration)
                    checkBetweenSteps(c, *system, method);
        }
}

TEST(Motions, makeTheSameStepsWhoeverLooksBetweenThem)
{
    for (const Kind* kind : catalogue()) {
        const auto system = kind->make(kind->schema.defaults());
        const State start = system->start({});
        for (const MethodInfo& method : system->methods()) {
            const auto one = system->integrate(method.id, 0, start, {});
            const auto two = system->integrate(method.id, 0, start, {});
            for (int k = 0; k < 5; ++k) {
                (void)one->advance(100);
                (void)two->advance(100);
                const auto step = two->interpolant();
                State x = step->sample(0.3 * step->begin() + 0.7 * step->end());
                glimpse(*step, 0.6 * step->begin() + 0.4 * step->end(), x);
                EXPECT_EQ(one->time(), two->time()) << kind->id << " by " << method.id;
                EXPECT_EQ(one->state(), two->state()) << kind->id << " by " << method.id;
            }
        }
    }
}

// The numbers that an equilibrium of the analysis has in common with a row of a motion: facts and quantities
// of the same name, its energy and its angular momentum.
int checkDescribed(const System& system, const Equilibrium& equilibrium, const State& x,
                   const std::string& name)
{
    const auto& quantities = system.quantities();
    const std::vector<double> row = numbersAt(system, 0, x);
    int compared = 0;
    const auto compare = [&](const std::string& id, double described) {
        for (std::size_t i = 0; i < quantities.size(); ++i) {
            if (quantities[i].id != id || !std::isfinite(described))
                continue;
            double scale = 0;
            for (std::size_t k = 0; k < quantities.size(); ++k)
                if (quantities[k].unit == quantities[i].unit)
                    scale = std::max(scale, std::abs(row[k]));
            double off = row[i] - described;
            if (quantities[i].period > 0)
                off = std::remainder(off, quantities[i].period);
            EXPECT_LE(std::abs(off), 1e-12 * std::max(scale, 1.0))
                << name << ", " << equilibrium.name << ": " << id << " is " << row[i]
                << " in the first row and " << described << " in the analysis";
            ++compared;
        }
    };
    for (const Fact& fact : equilibrium.state)
        if (const auto* value = std::get_if<double>(&fact.value))
            compare(fact.quantity.id, *value);
    for (const Fact& fact : equilibrium.more)
        if (const auto* value = std::get_if<double>(&fact.value))
            compare(fact.quantity.id == "angular_momentum" ? "mu" : fact.quantity.id, *value);
    compare("H", equilibrium.energy);
    return compared;
}

// Comparable are every equilibrium with the state vector that the analysis gives it, and the first row of the
// Case's own start where that start is one of them. Numbers extrapolated beyond the elements are said to be
// and are not those of any state.
void checkStart(const Case& c, int& equilibria, int& starts)
{
    const auto system = c.kind->make(c.values);
    const Analysis analysis = quickAnalysisFrom(*system, c.start);
    if (!analysis.status.ok())
        return;
    const State start = system->start(c.start);
    for (const Equilibrium& e : analysis.equilibria) {
        if (e.point.size() != start.size())
            continue;
        equilibria += checkDescribed(*system, e, e.point, c.name) > 0;
        if ((start - e.point).norm() <= 1e-9 * (1 + start.norm()))
            starts += checkDescribed(*system, e, start, c.name) > 0;
    }
}

TEST(Motions, startWhereTheAnalysisSaysForEveryPresetAndBranch)
{
    for (const Kind* kind : catalogue()) {
        int equilibria = 0, starts = 0;
        for (const Case& c : casesOf(*kind)) {
            checkStart(c, equilibria, starts);
            for (const Parameter& parameter : kind->schema.parameters())
                if (parameter.id == "branch")
                    for (const auto& choice : parameter.choices) {
                        Case other = c;
                        other.values.set(parameter.id, choice.id);
                        other.name += ", branch " + choice.id;
                        checkStart(other, equilibria, starts);
                    }
        }
        RecordProperty(kind->id + "_equilibria", equilibria);
        RecordProperty(kind->id + "_starts", starts);
        const bool has = kind->make(kind->schema.defaults())->hasEquilibria();
        EXPECT_TRUE(!has || equilibria > 0) << kind->id << " has nothing to compare";
    }
}

// At a value that is a millionth away the motion goes on from the present state, in every system: all
// coordinates but those that only count (windings, halved steps) move by no more than that order.
TEST(Motions, goOnFromThePresentStateWhereAParameterMovesByAMillionth)
{
    for (const Kind* kind : catalogue()) {
        int carried = 0;
        for (const Case& c : casesOf(*kind)) {
            const auto before = kind->make(c.values);
            const auto run = before->integrate(before->methods().front().id, 0, before->start(c.start), {});
            (void)advanceTo(*run, 0.7);
            const State& x = run->state();
            for (const Parameter& parameter : kind->schema.parameters()) {
                if (parameter.type != ParameterType::Real)
                    continue;
                Values changed = c.values;
                const double value = changed.real(parameter.id);
                changed.set(parameter.id, value == 0 ? 1e-6 : value * (1 + 1e-6));
                std::shared_ptr<const System> after;
                State there;
                try {
                    after = kind->make(changed);
                    there = after->carriedFrom(*before, run->time(), x);
                } catch (const Error& error) {
                    continue; // a value that is refused continues nothing
                }
                if (there.size() != x.size())
                    continue;
                ++carried;
                for (Eigen::Index i = 0; i < x.size(); ++i) {
                    const Quantity& q = before->coordinates()[static_cast<std::size_t>(i)];
                    if (!q.reconstructed)
                        EXPECT_LE(std::abs(there[i] - x[i]), 1e-4 * (1 + x.cwiseAbs().maxCoeff()))
                            << c.name << ": " << q.id << " after " << parameter.id;
                }
            }
        }
        EXPECT_GT(carried, 0) << kind->id;
    }
}

} // namespace
} // namespace casimir
