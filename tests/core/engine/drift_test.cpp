// The drifts of balances are the run's own error, over every system that has one: against a finer sum of
// another rule.
#include "core/engine/drift.h"

#include "core/numerics/quadrature.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/core/support/stand_ins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace casimir {
namespace {

std::vector<double> numbersAt(const System& system, double t, const State& x)
{
    std::vector<double> all(system.quantities().size());
    system.evaluate(t, x, all);
    return all;
}

std::size_t indexOf(const System& system, const std::string& id)
{
    for (std::size_t i = 0; i < system.quantities().size(); ++i)
        if (system.quantities()[i].id == id)
            return i;
    throw std::runtime_error("no quantity " + id);
}

double greatest(const Drift& drift)
{
    return *std::max_element(drift.change.begin(), drift.change.end());
}

// The largest |q − q(0) − w|, relative to the largest |q| or |w| until then, at the steps of a run; w by
// quadrature with another rule, of 31 points in each.
double byQuadrature(const System& system, const Quantity& quantity, const State& start, double duration)
{
    const std::size_t q = indexOf(system, quantity.id), rate = indexOf(system, quantity.law.rate);
    const double first = numbersAt(system, 0, start)[q];
    double most = 0, size = std::abs(first), work = 0;
    const auto run = system.integrate("dopri5", 0, start, {});
    for (bool goesOn = true; goesOn && run->time() < duration;) {
        goesOn = run->advance(naturalLimit(run->time(), 1, {})).ok();
        const auto step = run->interpolant();
        const auto power = [&](double t) { return numbersAt(system, t, step->sample(t))[rate]; };
        work += adaptiveIntegral(power, step->begin(), step->end(), 1e-12, 0).value;
        const double now = numbersAt(system, run->time(), run->state())[q];
        size = std::max({size, std::abs(now), std::abs(work)});
        most = std::max(most, std::abs(now - first - work) / size);
    }
    return most;
}

TEST(Drift, OfEveryBalanceIsTheErrorOfTheRun)
{
    constexpr double duration = 2;
    int balances = 0;
    for (const Kind* kind : catalogue())
        for (const Preset& preset : presetsOf(kind->id)) {
            const Session session = readSession(preset.text);
            const auto system = kind->make(session.values);
            const auto& all = system->quantities();
            if (!system->hasField() || std::none_of(all.begin(), all.end(), [](const Quantity& q) {
                    return q.law.kind == Law::Kind::Balance;
                }))
                continue;
            const State start = system->start(session.motions.front().state);
            Recorder recorder(system, start, "dopri5", {});
            recorder.extendTo(duration);
            for (const Quantity& quantity : all) {
                if (quantity.law.kind != Law::Kind::Balance)
                    continue;
                const double own = byQuadrature(*system, quantity, start, duration);
                const Drift drift = driftOf(recorder.recording(), quantity, 0, recorder.end(), 400);
                ASSERT_FALSE(drift.t.empty());
                EXPECT_LE(drift.t.size(), 402u);
                EXPECT_NEAR(greatest(drift), own, 0.01 * own + 1e-14)
                    << kind->id << " " << preset.id << ", " << quantity.id;
                EXPECT_LT(greatest(drift), 1e-8) << kind->id << " " << preset.id << ", " << quantity.id;
                ++balances;
            }
        }
    EXPECT_GE(balances, 5);
}

std::shared_ptr<const System> driven(double force)
{
    const Kind& kind = test::drivenKind();
    return kind.make(kind.schema.with(kind.schema.defaults(), {{"force", force}}));
}

const Quantity& energyOf(const System& system)
{
    return system.quantities()[indexOf(system, "H")];
}

// x″ = −x + F cos 2t moves by x = F (cos t − cos 2t)/3 from rest, and the midpoint rule of step h turns by
// 2 atan(h/2) where the motion turns by h: what its energy is off by is of order h², at every step.
TEST(Drift, OfACoarseMethodIsOfItsOrder)
{
    const auto drift = [](double h) {
        const auto system = driven(1);
        IntegrationOptions options;
        options.step = h;
        Recorder recorder(system, State{{0.0, 0.0}}, "midpoint", options);
        recorder.extendTo(20);
        return greatest(driftOf(recorder.recording(), energyOf(*system), 0, 20, 1000));
    };
    const double coarse = drift(0.1), fine = drift(0.05);
    EXPECT_GT(coarse, 1e-5);
    EXPECT_NEAR(coarse / fine, 4, 0.4);
}

TEST(Drift, CountedInPiecesIsTheSame)
{
    const auto system = driven(2);
    Recorder recorder(system, State{{1.0, 0.5}}, "dopri5", {});
    BalanceDrifts pieces;
    for (const double t : {3.0, -2.0, 7.0, 12.0, -5.0}) {
        recorder.extendTo(t);
        while (!pieces.count(recorder.recording(), 7)) {
        }
    }
    BalanceDrifts whole;
    EXPECT_TRUE(whole.count(recorder.recording()));
    EXPECT_TRUE(whole.sinceTheOrigin());
    EXPECT_EQ(whole.since(), 0);
    const std::size_t H = indexOf(*system, "H");
    const Drift a = pieces.drift(H, -5, 12, 100000), b = whole.drift(H, -5, 12, 100000);
    EXPECT_EQ(a.t, b.t);
    EXPECT_EQ(a.change, b.change);
    EXPECT_EQ(b.t.size(), recorder.recording()->steps() + 1);
    EXPECT_TRUE(std::is_sorted(b.t.begin(), b.t.end()));
    // Fewer points keep the largest of each span.
    const Drift thin = whole.drift(H, -5, 12, 20);
    EXPECT_LE(thin.t.size(), 22u);
    EXPECT_EQ(greatest(thin), greatest(b));
}

TEST(Drift, OfAnotherMotionBeginsAnew)
{
    BalanceDrifts drifts;
    for (const double force : {1.0, 2.0}) {
        const auto system = driven(force);
        Recorder recorder(system, State{{1.0, 0.5}}, "dopri5", {});
        recorder.extendTo(5);
        drifts.count(recorder.recording());
        const Drift drift = drifts.drift(indexOf(*system, "H"), 0, 5, 100000);
        EXPECT_EQ(drift.t.size(), recorder.recording()->steps() + 1);
        EXPECT_LT(greatest(drift), 1e-8);
    }
}

TEST(Drift, KeepsItsOriginWhereTheHistoryGaveItUp)
{
    const auto system = driven(1);
    Recorder recorder(system, State{{1.0, 0.5}}, "dopri5", {}, 400'000);
    BalanceDrifts along;
    for (double t = 1; t <= 100; ++t) {
        recorder.extendTo(t);
        along.count(recorder.recording());
    }
    const auto recording = recorder.recording();
    ASSERT_GT(recording->begin(), 0);
    EXPECT_TRUE(along.sinceTheOrigin());
    const std::size_t H = indexOf(*system, "H");
    EXPECT_LT(greatest(along.drift(H, recording->begin(), 100, 1000)), 1e-8);
    BalanceDrifts late;
    late.count(recording);
    EXPECT_FALSE(late.sinceTheOrigin());
    EXPECT_EQ(late.since(), recording->begin());
    EXPECT_LT(greatest(late.drift(H, recording->begin(), 100, 1000)), 1e-8);
}

// A coordinate, pretended to be constant: it is 0 at the start, where the largest angle is 2.
TEST(Drift, OfWhatBeginsAtZeroIsRelativeToTheLargestOfItsUnit)
{
    const auto system = kindNamed("two-body").make();
    const State start = system->start({{"theta", 2.0}, {"nu", 5.0}, {"theta1", 0.0}});
    Recorder recorder(system, start, "dopri5", {});
    recorder.extendTo(5);
    Quantity angle = system->quantities()[indexOf(*system, "theta1")];
    angle.law = Law::constant();
    const Drift drift = driftOf(recorder.recording(), angle, 0, 5, 11);
    const double turned = system->quantity("theta1", 5, recorder.recording()->state(5));
    EXPECT_GT(std::abs(turned), 0.1);
    EXPECT_NEAR(drift.change.back(), std::abs(turned) / 2, 1e-12);
}

} // namespace
} // namespace casimir
