#include "core/engine/simulation.h"

#include "core/base/error.h"
#include "tests/core/support/hand_clock.h"
#include "tests/core/support/pendulum.h"

#include <gtest/gtest.h>

#include <atomic>

namespace casimir {
namespace {

using test::pendulumSession;

constexpr double kFrame = Simulation::kFrame;

class SimulationTest : public ::testing::Test {
protected:
    std::shared_ptr<const Snapshot> show(const Session& session) { return show(test::realised(session)); }

    std::shared_ptr<const Snapshot> show(std::shared_ptr<const Realised> session,
                                         Simulation::Time time = Simulation::Time::Begins)
    {
        simulation().setSession(std::move(session), time);
        return now();
    }

    std::shared_ptr<const Snapshot> now()
    {
        simulation().waitUntilIdle();
        return simulation().snapshot();
    }

    void play(int frames) { test::play(simulation(), *clock, frames); }

    Simulation& simulation()
    {
        if (!simulation_)
            simulation_ = std::make_unique<Simulation>([this] { ++publications; }, options);
        return *simulation_;
    }

    std::shared_ptr<test::HandClock> clock = std::make_shared<test::HandClock>();
    SimulationOptions options{.historyBytes = kDefaultHistoryBytes, .clock = clock};
    std::atomic<long> publications = 0;

private:
    std::unique_ptr<Simulation> simulation_;
};

// Without gravity q = 2 t.
Session freeSession()
{
    return pendulumSession(0, {{"q", 0}, {"v", 2}});
}

Session walledSession(double wall)
{
    Session session = freeSession();
    session.values.set("wall", wall);
    return session;
}

TEST_F(SimulationTest, ShowsTheInitialStateAtOnce)
{
    const auto snapshot = show(pendulumSession(9.81, {{"q", 0.25}}));
    ASSERT_EQ(snapshot->motions.size(), 1u);
    EXPECT_EQ(snapshot->sessionNumber, 1u);
    EXPECT_EQ(snapshot->t, 0);
    EXPECT_FALSE(snapshot->playing);
    EXPECT_EQ(snapshot->motions[0].state, (State{{0.25, 0.0}}));
    EXPECT_EQ(snapshot->motions[0].method, "dopri5");
    EXPECT_EQ(snapshot->motions[0].label, "Motion 1");
}

TEST_F(SimulationTest, PlaysAtTheWallClockTimesTheSpeed)
{
    show(freeSession());
    simulation().play();
    now();
    play(60);
    EXPECT_NEAR(now()->t, 1, 1e-6);
    EXPECT_NEAR(now()->motions[0].state[0], 2, 1e-5);
    simulation().setSpeed(0.5);
    play(60);
    EXPECT_NEAR(now()->t, 1.5, 1e-6);
    simulation().setSpeed(100);
    play(60);
    EXPECT_NEAR(now()->t, 101.5, 1e-5);
    EXPECT_EQ(now()->lag, 0);
}

TEST_F(SimulationTest, PublishesOnceAFrameWhilePlayingAndNothingWhilePaused)
{
    show(freeSession());
    simulation().play();
    now();
    const long before = publications;
    play(30);
    EXPECT_EQ(publications, before + 30);
    simulation().pause();
    now();
    const long paused = publications;
    play(30);
    EXPECT_EQ(publications, paused);
}

TEST_F(SimulationTest, PausesAndStepsFrameByFrameInBothDirections)
{
    show(freeSession());
    simulation().step(3);
    EXPECT_NEAR(now()->t, 3 * kFrame, 1e-14);
    simulation().setSpeed(10);
    simulation().step(1);
    EXPECT_NEAR(now()->t, 13 * kFrame, 1e-14);
    simulation().step(-2);
    EXPECT_NEAR(now()->t, -7 * kFrame, 1e-14);
    EXPECT_NEAR(now()->motions[0].state[0], -14 * kFrame, 1e-12);
    EXPECT_FALSE(now()->playing);
}

TEST_F(SimulationTest, ReversesTimeThroughTheBeginning)
{
    show(pendulumSession(9.81, {{"q", 1e-6}}));
    simulation().seek(0.5);
    simulation().setReverse(true);
    simulation().togglePlay();
    now();
    play(90);
    const auto snapshot = now();
    EXPECT_NEAR(snapshot->t, -1, 1e-6);
    EXPECT_NEAR(snapshot->motions[0].state[0], 1e-6 * std::cos(std::sqrt(9.81) * snapshot->t), 1e-15);
    EXPECT_TRUE(snapshot->reverse);
    EXPECT_TRUE(snapshot->playing);
}

TEST_F(SimulationTest, ScrubbingGivesTheStatesOfADirectIntegration)
{
    Session session = pendulumSession(9.81, {{"q", 2.5}});
    session.motions[0].options.rtol = 1e-13;
    show(session);
    const auto system = test::pendulum().make();
    for (const double t : {30.0, 3.0, 17.5, -4.0, 29.9, 0.0}) {
        simulation().seek(t);
        const auto snapshot = now();
        EXPECT_EQ(snapshot->t, t);
        const auto direct = startIntegration(
            "rkf78", [&](double s, const State& x, State& f) { system->field(s, x, f); }, 0,
            State{{2.5, 0.0}}, test::tolerance(1e-13));
        advanceTo(*direct, t);
        EXPECT_NEAR((snapshot->motions[0].state - direct->state()).norm(), 0, 2e-9) << t;
    }
}

TEST_F(SimulationTest, LoopsBetweenTheBeginningAndTheEnd)
{
    show(freeSession());
    simulation().setLoop(true, 1);
    simulation().play();
    now();
    play(90);
    EXPECT_NEAR(now()->t, 0.5, 1e-6);
    simulation().setReverse(true);
    play(60);
    EXPECT_NEAR(now()->t, 0.5, 1e-6);
    EXPECT_NEAR(now()->motions[0].state[0], 1, 1e-5);
}

TEST_F(SimulationTest, WithoutALoopTheClockStopsAtTheEndAndGoesOnWhenAskedAgain)
{
    show(freeSession());
    simulation().setLoop(false, 1);
    simulation().play();
    now();
    play(90);
    EXPECT_EQ(now()->t, 1);
    EXPECT_FALSE(now()->playing);
    simulation().play();
    now();
    play(30);
    EXPECT_NEAR(now()->t, 1.5, 1e-6);
    EXPECT_TRUE(now()->playing);
}

TEST_F(SimulationTest, ResetReturnsToTheInitialState)
{
    show(freeSession());
    simulation().play();
    now();
    play(10);
    simulation().reset();
    EXPECT_EQ(now()->t, 0);
    EXPECT_FALSE(now()->playing);
    EXPECT_EQ(now()->motions[0].state[0], 0);
}

TEST_F(SimulationTest, FallsBehindAndSaysSoWhenTheMotionCannotBeComputedInTime)
{
    Session session = freeSession();
    session.motions[0].method = "midpoint";
    session.motions[0].options.step = 1e-4;
    show(session);
    simulation().play();
    now();
    // Half a millisecond for each step of a tenth of one.
    const double start = clock->now();
    clock->setCostOfReading(0.0005);
    play(20);
    const auto slow = now();
    clock->setCostOfReading(0);
    const double elapsed = clock->now() - start;
    EXPECT_GT(slow->lag, elapsed / 2);
    EXPECT_NEAR(slow->t + slow->lag, elapsed, 3 * kFrame);
    EXPECT_NEAR(slow->motions[0].state[0], 2 * slow->t, 1e-9);
    play(200);
    EXPECT_EQ(now()->lag, 0);
    EXPECT_NEAR(now()->t, clock->now() - start, 2 * kFrame);
}

TEST_F(SimulationTest, DoesNotJumpAheadAfterTheMachineSlept)
{
    show(freeSession());
    simulation().play();
    now();
    clock->advance(3600);
    EXPECT_LT(now()->t, 1);
}

TEST_F(SimulationTest, AMotionThatIsUnchangedKeepsItsRecordingAndTheClockGoesOn)
{
    Session session = freeSession();
    show(session);
    simulation().seek(5);
    const auto before = now();
    session.title = "another title";
    session.motions[0].label = "renamed";
    session.motions[0].colour = 3;
    session.motions.push_back(session.motions[0]);
    session.motions[1].overrides = {{"g", 9.81}};
    const auto after = show(session);
    EXPECT_EQ(after->t, 5);
    EXPECT_EQ(after->motions[0].recording, before->motions[0].recording);
    EXPECT_EQ(after->motions[0].label, "renamed");
    EXPECT_EQ(after->motions[0].colour, 3);
    EXPECT_EQ(after->motions[1].system->values().real("g"), 9.81);
    EXPECT_TRUE(after->motions[1].recording->contains(5));
    EXPECT_TRUE(after->motions[1].status.ok());
}

TEST_F(SimulationTest, AChangedLeadingMotionReturnsTheClockToTheBeginning)
{
    show(freeSession());
    simulation().seek(5);
    EXPECT_EQ(show(pendulumSession(1))->t, 0);
    simulation().seek(5);
    EXPECT_EQ(show(pendulumSession(1, {{"q", 0.1}}))->t, 0);
    simulation().seek(5);
    Session session = pendulumSession(1, {{"q", 0.1}});
    session.motions[0].method = "rkf78";
    EXPECT_EQ(show(session)->t, 0);
    simulation().seek(5);
    session.motions[0].options.rtol = 1e-6;
    EXPECT_EQ(show(session)->t, 0);
}

TEST_F(SimulationTest, ClockStopsWhereTheMotionEndsAndSaysWhy)
{
    show(walledSession(1));
    simulation().play();
    now();
    play(60);
    const auto snapshot = now();
    EXPECT_NEAR(snapshot->t, 0.5, 1e-11);
    EXPECT_FALSE(snapshot->playing);
    EXPECT_EQ(snapshot->status.code, "event");
    EXPECT_EQ(snapshot->status.sentence, "The pendulum hits the wall at 1.");
    simulation().seek(0.25);
    EXPECT_TRUE(now()->status.ok());
}

TEST_F(SimulationTest, AMotionThatEndedWaitsForTheOthers)
{
    Session session = walledSession(1);
    session.motions.push_back(session.motions[0]);
    session.motions[1].overrides = {{"wall", 4.0}};
    show(session);
    simulation().seek(1.5);
    const auto snapshot = now();
    EXPECT_EQ(snapshot->t, 1.5);
    EXPECT_EQ(snapshot->motions[0].status.code, "event");
    EXPECT_NEAR(snapshot->motions[0].state[0], 1, 1e-11);
    EXPECT_TRUE(snapshot->motions[1].status.ok());
    EXPECT_NEAR(snapshot->motions[1].state[0], 3, 1e-11);
}

// A pendulum whose methods refuse to start beyond the horizontal.
class Timid : public test::Pendulum {
public:
    using Pendulum::Pendulum;
    std::unique_ptr<Integration> integrate(std::string_view method, double t0, const State& x0,
                                           const IntegrationOptions& options) const override
    {
        if (x0[0] > 1.6)
            throw Error("it does not dare");
        return Pendulum::integrate(method, t0, x0, options);
    }
};

TEST_F(SimulationTest, ARefusedSessionKeepsThePictureAndSaysWhy)
{
    Kind kind = test::pendulumKind();
    kind.factory = [](const Kind& k, const Values& values) {
        return std::make_shared<const Timid>(k, values);
    };
    show(realise(kind, freeSession()));
    simulation().seek(2);
    const auto good = now();
    const auto refused = show(realise(kind, pendulumSession(1, {{"q", 2}})));
    EXPECT_EQ(refused->sessionNumber, 2u);
    EXPECT_EQ(refused->status.code, "refused");
    EXPECT_EQ(refused->status.sentence, "it does not dare");
    EXPECT_EQ(refused->session, good->session);
    EXPECT_EQ(refused->t, 2);
    EXPECT_EQ(refused->motions[0].recording, good->motions[0].recording);
    EXPECT_TRUE(show(realise(kind, freeSession()))->status.ok());
    EXPECT_EQ(now()->t, 2);
}

TEST(Realise, RefusesWhatTheKindRefuses)
{
    EXPECT_THROW((void)test::realised(pendulumSession(-1)), Error);
    Session unknown = freeSession();
    unknown.motions[0].method = "no-such-method";
    EXPECT_THROW((void)test::realised(unknown), Error);
    unknown = freeSession();
    unknown.motions[0].from = Segment{1, {{"q", 0}}};
    EXPECT_THROW((void)test::realised(unknown), Error);
    unknown.motions[0].from = Segment{1, {{"q", 0}, {"w", 1}}};
    EXPECT_THROW((void)test::realised(unknown), Error);
    unknown.motions.clear();
    EXPECT_THROW((void)test::realised(unknown), Error);
}

TEST(Realise, MakesOneSystemForEqualValues)
{
    Session session = pendulumSession();
    session.motions.push_back(session.motions[0]);
    const long before = workOfThisThread().systems;
    const auto first = test::realised(session);
    EXPECT_EQ(workOfThisThread().systems, before + 1);
    EXPECT_EQ(first->motions[0].system, first->motions[1].system);
    session.motions[0].state = {{"q", 1}};
    const auto second = realise(test::pendulum(), session, first.get());
    EXPECT_EQ(workOfThisThread().systems, before + 1);
    EXPECT_EQ(second->motions[0].system, first->motions[0].system);
    EXPECT_EQ(second->motions[0].start[0], 1);
}

TEST_F(SimulationTest, ValuesThatChangeWhileRunningGoOnFromThePresentStateAndTime)
{
    // Under g = 0 q = 2 t; from t = 3 on the pendulum swings about q = 6.
    const auto before = test::realised(freeSession());
    show(before);
    simulation().seek(3);
    const Present present = presentOf(*now());
    Session heavier = freeSession();
    heavier.values.set("g", 9.81);
    const auto after = realise(test::pendulum(), heavier, before.get(), &present);
    const auto changed = show(after, Simulation::Time::GoesOn);
    EXPECT_EQ(changed->t, 3);
    EXPECT_NEAR(changed->motions[0].state[0], 6, 1e-9);
    EXPECT_NEAR(changed->motions[0].state[1], 2, 1e-9);
    EXPECT_EQ(changed->motions[0].recording->origin(), 3);
    EXPECT_EQ(after->session->motions[0].state, freeSession().motions[0].state);

    // The segment since then is the motion of the new values with the clock of the old.
    simulation().seek(4);
    const auto direct = startIntegration(
        "rkf78",
        [&](double, const State& x, State& f) {
            f = State{{x[1], -9.81 * std::sin(x[0])}};
        },
        3, present.motions[0].state, test::tolerance(1e-12));
    advanceTo(*direct, 4);
    EXPECT_NEAR((now()->motions[0].state - direct->state()).norm(), 0, 1e-8);

    // The change undone is the motion before, at the same time.
    const auto undone = show(before, Simulation::Time::GoesOn);
    EXPECT_EQ(undone->t, 4);
    EXPECT_NEAR(undone->motions[0].state[0], 8, 1e-9);
    // And what begins later is reset to where it begins.
    show(after, Simulation::Time::GoesOn);
    simulation().reset();
    EXPECT_EQ(now()->t, 3);
}

TEST_F(SimulationTest, WhatRanBeforeAChangeIsKeptUntilItsTimeAndNoLonger)
{
    // q = 2 t until 3, then under the weight until 4, then free again.
    const auto at = [&](double g, const std::shared_ptr<const Realised>& before) {
        const Present present = presentOf(*now());
        Session session = freeSession();
        session.values.set("g", g);
        return realise(test::pendulum(), session, before.get(), &present);
    };
    const auto first = test::realised(freeSession());
    EXPECT_TRUE(show(first)->motions[0].earlier.empty());
    simulation().seek(3);
    const auto second = at(9.81, first);
    const auto heavy = show(second, Simulation::Time::GoesOn);
    ASSERT_EQ(heavy->motions[0].earlier.size(), 1u);
    const EarlierTrack was = heavy->motions[0].earlier[0];
    EXPECT_EQ(was.until, 3);
    EXPECT_NEAR(was.recording->state(1.25)[0], 2.5, 1e-9);
    // Changed again at the same time nothing ran in between.
    EXPECT_EQ(show(at(9.8, second), Simulation::Time::GoesOn)->motions[0].earlier.size(), 1u);
    show(second, Simulation::Time::GoesOn);
    simulation().seek(4);
    const auto third = at(0, second);
    const auto& both = show(third, Simulation::Time::GoesOn)->motions[0].earlier;
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[0].recording, was.recording);
    EXPECT_EQ(both[1].until, 4);
    EXPECT_EQ(both[1].recording->origin(), 3);
    // Undone, what it had led to is gone; from another start nothing ran before.
    EXPECT_EQ(show(second, Simulation::Time::GoesOn)->motions[0].earlier.size(), 1u);
    EXPECT_TRUE(show(first, Simulation::Time::GoesOn)->motions[0].earlier.empty());
    show(second, Simulation::Time::GoesOn);
    Session other = freeSession();
    other.motions[0].state = {{"q", 1}, {"v", 2}};
    other.motions[0].from = Segment{3.5, {{"q", 7}, {"v", 2}}};
    EXPECT_TRUE(show(test::realised(other), Simulation::Time::GoesOn)->motions[0].earlier.empty());
}

TEST_F(SimulationTest, WhatRanBeforeTakesNoMoreThanTheHistoryMay)
{
    options.historyBytes = 300000;
    auto last = test::realised(pendulumSession(9.81, {{"q", 1}}));
    show(last);
    std::size_t bytes = 0, most = 0;
    for (int k = 1; k <= 40; ++k) {
        simulation().seek(k);
        const Present present = presentOf(*now());
        Session session = pendulumSession(9.81 + 0.1 * k, {{"q", 1}});
        last = realise(test::pendulum(), session, last.get(), &present);
        const auto& earlier = show(last, Simulation::Time::GoesOn)->motions[0].earlier;
        bytes = 0;
        for (const EarlierTrack& piece : earlier)
            bytes += piece.recording->bytes();
        EXPECT_LE(bytes, options.historyBytes);
        most = std::max(most, earlier.size());
    }
    EXPECT_GT(most, 1u);
    EXPECT_LT(most, 40u);
}

TEST_F(SimulationTest, ALoopBeginsWhereTheMotionIsTakenUp)
{
    Session session = freeSession();
    session.motions[0].from = Segment{0.5, {{"q", 7}, {"v", 2}}};
    EXPECT_EQ(show(session)->t, 0.5);
    simulation().setLoop(true, 1);
    simulation().play();
    now();
    play(45); // 0.75 s: to the end, and half of the half second again
    EXPECT_NEAR(now()->t, 0.75, 1e-6);
    EXPECT_NEAR(now()->motions[0].state[0], 7.5, 1e-5);
}

TEST_F(SimulationTest, ABoundedHistoryDropsTheOldestAndResetComputesItAnew)
{
    options.historyBytes = 400'000;
    Session session = freeSession();
    session.motions[0].method = "gauss6";
    session.motions[0].options.step = 0.01;
    show(session);
    simulation().seek(100);
    auto snapshot = now();
    ASSERT_TRUE(snapshot->motions[0].recording->droppedBefore());
    EXPECT_NEAR(snapshot->motions[0].state[0], 200, 1e-9);
    simulation().seek(30);
    snapshot = now();
    EXPECT_EQ(snapshot->t, 30);
    EXPECT_NEAR(snapshot->motions[0].state[0], 60, 1e-9);
    simulation().reset();
    EXPECT_EQ(now()->motions[0].state[0], 0);
}

TEST_F(SimulationTest, OfSessionsThatWaitOnlyTheNewestIsLookedAt)
{
    std::atomic<int> begun = 0;
    std::atomic<bool> go = false;
    class Slow : public test::Pendulum {
    public:
        Slow(const Kind& k, const Values& values, std::atomic<int>& begun, std::atomic<bool>& go)
            : Pendulum(k, values), begun_(begun), go_(go)
        {
        }
        std::unique_ptr<Integration> integrate(std::string_view method, double t0, const State& x0,
                                               const IntegrationOptions& options) const override
        {
            ++begun_;
            go_.wait(false);
            return Pendulum::integrate(method, t0, x0, options);
        }

    private:
        std::atomic<int>& begun_;
        std::atomic<bool>& go_;
    };
    Kind kind = test::pendulumKind();
    kind.factory = [&](const Kind& k, const Values& values) {
        return std::make_shared<const Slow>(k, values, begun, go);
    };
    Simulation simulation({});
    std::uint64_t number = 0;
    // The first may be under way; of the others all but the last are passed over.
    for (int i = 1; i <= 100; ++i)
        number = simulation.setSession(realise(kind, pendulumSession(i)));
    go = true;
    go.notify_all();
    simulation.waitUntilIdle();
    EXPECT_EQ(number, 100u);
    EXPECT_EQ(simulation.snapshot()->sessionNumber, 100u);
    EXPECT_EQ(simulation.snapshot()->motions[0].system->values().real("g"), 100);
    EXPECT_LE(begun, 2);
}

TEST_F(SimulationTest, RefusesWhatCannotBeAsked)
{
    EXPECT_THROW(simulation().setSpeed(0), Error);
    EXPECT_THROW(simulation().setSpeed(101), Error);
    EXPECT_THROW(simulation().seek(std::nan("")), Error);
    EXPECT_THROW(simulation().setLoop(true, 0), Error);
    EXPECT_THROW(simulation().setSession(nullptr), Error);
}

TEST(Simulation, StopsWhilePlayingAndWhileComputing)
{
    for (int i = 0; i < 20; ++i) {
        Simulation simulation({});
        simulation.setSession(test::realised(pendulumSession()));
        simulation.play();
        if (i % 2 == 0)
            simulation.seek(1e9);
    }
    SUCCEED();
}

TEST(Simulation, AnswersWhileADistantTimeIsComputed)
{
    Simulation simulation({});
    simulation.setSession(test::realised(pendulumSession()));
    simulation.seek(1e9);
    simulation.seek(1);
    simulation.waitUntilIdle();
    EXPECT_EQ(simulation.snapshot()->t, 1);
}

} // namespace
} // namespace casimir
