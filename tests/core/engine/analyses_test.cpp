#include "core/engine/analyses.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

namespace casimir {
namespace {

using Channel = AnalysisChannel<int>;
using Context = JobContext<int>;

auto answer(int value)
{
    return [value](Context&) { return value; };
}

// A job that says when it runs and returns when told to.
struct Gate {
    std::latch started{1};
    std::latch open{1};

    auto job(int value)
    {
        return [this, value](Context&) {
            started.count_down();
            open.wait();
            return value;
        };
    }
};

auto untilCancelled(std::latch& started)
{
    return [&started](Context& context) {
        started.count_down();
        while (!context.cancelled())
            std::this_thread::yield();
        return -1;
    };
}

TEST(Analyses, AnswerWhatWasAsked)
{
    std::atomic<int> published = 0;
    AnalysisPool pool(2, [&] { ++published; });
    Channel channel(pool, Policy::Interactive);
    EXPECT_EQ(channel.newest(), nullptr);
    channel.request(7, "a", answer(42));
    pool.waitUntilIdle();
    const auto finding = channel.newest();
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->number, 7u);
    EXPECT_EQ(finding->inputKey, "a");
    EXPECT_EQ(*finding->value, 42);
    EXPECT_EQ(finding->progress, 1);
    EXPECT_TRUE(finding->final);
    EXPECT_EQ(published, 1);
    EXPECT_FALSE(channel.busy());
}

TEST(Analyses, FollowADrag)
{
    std::vector<std::uint64_t> seen;
    Channel* watched = nullptr;
    AnalysisPool pool(1, [&] { seen.push_back(watched->newest()->number); });
    Channel channel(pool, Policy::Interactive);
    watched = &channel;
    Gate gate;
    channel.request(1, "1", gate.job(1));
    gate.started.wait();
    for (int i = 2; i <= 100; ++i)
        channel.request(static_cast<std::uint64_t>(i), std::to_string(i), answer(i));
    gate.open.count_down();
    pool.waitUntilIdle();
    // The one that ran is shown although it is old, then the newest; the ones between were never computed.
    EXPECT_EQ(seen, (std::vector<std::uint64_t>{1, 100}));
    EXPECT_EQ(channel.jobsRun(), 2);
    EXPECT_EQ(*channel.newest()->value, 100);
}

TEST(Analyses, EqualInputsGiveTheKnownAnswerWithoutComputing)
{
    AnalysisPool pool(1, {});
    Channel channel(pool, Policy::Long);
    channel.request(1, "a", answer(5));
    pool.waitUntilIdle();
    const auto first = channel.newest();
    channel.request(2, "a", answer(6));
    EXPECT_EQ(channel.newest()->number, 2u);
    EXPECT_EQ(channel.newest()->value, first->value);
    EXPECT_EQ(channel.jobsRun(), 1);
    channel.request(3, "b", answer(7));
    pool.waitUntilIdle();
    EXPECT_EQ(*channel.newest()->value, 7);
    EXPECT_EQ(channel.jobsRun(), 2);
}

TEST(Analyses, ARequestForWhatRunsIsAnsweredByIt)
{
    AnalysisPool pool(1, {});
    Channel channel(pool, Policy::Long);
    Gate gate;
    channel.request(1, "a", gate.job(5));
    gate.started.wait();
    channel.request(2, "a", answer(6));
    gate.open.count_down();
    pool.waitUntilIdle();
    EXPECT_EQ(channel.jobsRun(), 1);
    EXPECT_EQ(channel.newest()->number, 2u);
    EXPECT_EQ(*channel.newest()->value, 5);
}

TEST(Analyses, AnAnswerOvertakenByAKnownOneIsNotPublished)
{
    AnalysisPool pool(1, {});
    Channel channel(pool, Policy::Interactive);
    channel.request(1, "a", answer(1));
    pool.waitUntilIdle();
    Gate gate;
    channel.request(2, "b", gate.job(2));
    gate.started.wait();
    channel.request(2, "a", answer(3));
    EXPECT_EQ(*channel.newest()->value, 1);
    gate.open.count_down();
    pool.waitUntilIdle();
    EXPECT_EQ(channel.newest()->number, 2u);
    EXPECT_EQ(channel.newest()->inputKey, "a");
}

TEST(Analyses, LongOnesAreCancelledByNewerOnes)
{
    AnalysisPool pool(1, {});
    Channel channel(pool, Policy::Long);
    std::latch started(1);
    channel.request(1, "a", untilCancelled(started));
    started.wait();
    channel.request(2, "b", answer(2));
    pool.waitUntilIdle();
    EXPECT_EQ(channel.newest()->number, 2u);
    EXPECT_EQ(*channel.newest()->value, 2);
}

TEST(Analyses, ACancelledOnePublishesNothingMore)
{
    AnalysisPool pool(1, {});
    Channel channel(pool, Policy::Long);
    std::latch started(1);
    channel.request(1, "a", [&](Context& context) {
        context.publish(10, 0.25);
        started.count_down();
        while (!context.cancelled())
            std::this_thread::yield();
        context.publish(11, 0.5);
        return 12;
    });
    started.wait();
    EXPECT_EQ(*channel.newest()->value, 10);
    EXPECT_EQ(channel.newest()->progress, 0.25);
    EXPECT_FALSE(channel.newest()->final);
    channel.cancel();
    pool.waitUntilIdle();
    EXPECT_EQ(*channel.newest()->value, 10);
}

TEST(Analyses, AStageIsNotTakenForTheAnswer)
{
    AnalysisPool pool(1, {});
    Channel channel(pool, Policy::Long);
    std::latch started(1);
    channel.request(1, "a", [&](Context& context) {
        context.publish(10, 0.25);
        started.count_down();
        while (!context.cancelled())
            std::this_thread::yield();
        return 11;
    });
    started.wait();
    channel.cancel();
    channel.request(2, "a", answer(12));
    pool.waitUntilIdle();
    EXPECT_EQ(*channel.newest()->value, 12);
    EXPECT_EQ(channel.jobsRun(), 2);
}

TEST(Analyses, InteractiveWorkGoesBeforeLongWork)
{
    AnalysisPool pool(1, {});
    Channel first(pool, Policy::Interactive);
    Channel map(pool, Policy::Long);
    Channel portrait(pool, Policy::Interactive);
    Gate gate;
    std::vector<std::string> order;
    first.request(1, "", gate.job(0));
    gate.started.wait();
    map.request(1, "", [&](Context&) { return order.push_back("map"), 0; });
    portrait.request(1, "", [&](Context&) { return order.push_back("portrait"), 0; });
    gate.open.count_down();
    pool.waitUntilIdle();
    EXPECT_EQ(order, (std::vector<std::string>{"portrait", "map"}));
}

TEST(Analyses, LongWorkLeavesAThreadForInteractiveWork)
{
    std::atomic<int> answered = 0;
    AnalysisPool pool(2, [&] {
        ++answered;
        answered.notify_all();
    });
    Channel map(pool, Policy::Long);
    Channel section(pool, Policy::Long);
    Channel portrait(pool, Policy::Interactive);
    std::latch started(1);
    std::latch never(1);
    map.request(1, "", untilCancelled(started));
    section.request(1, "", untilCancelled(never));
    started.wait();
    portrait.request(1, "", answer(3));
    answered.wait(0);
    EXPECT_EQ(*portrait.newest()->value, 3);
    EXPECT_FALSE(never.try_wait());
}

TEST(Analyses, AnErrorOfTheJobIsASentence)
{
    AnalysisPool pool(1, {});
    Channel channel(pool, Policy::Interactive);
    channel.request(1, "a", [](Context&) -> int { throw Error("mu = 0 has no portrait"); });
    pool.waitUntilIdle();
    EXPECT_EQ(channel.newest()->error, "mu = 0 has no portrait");
    EXPECT_EQ(channel.newest()->value, nullptr);
    EXPECT_TRUE(channel.newest()->final);
}

TEST(Analyses, NumbersMustNotGoBackwards)
{
    AnalysisPool pool(1, {});
    Channel channel(pool, Policy::Interactive);
    channel.request(5, "a", answer(1));
    EXPECT_THROW(channel.request(4, "b", answer(2)), Error);
}

TEST(Analyses, StopWithWorkUnderWayAndWaiting)
{
    std::latch started(1);
    std::latch never(1);
    auto pool = std::make_unique<AnalysisPool>(2, [] {});
    Channel running(*pool, Policy::Long);
    Channel waiting(*pool, Policy::Long);
    running.request(1, "a", untilCancelled(started));
    started.wait();
    waiting.request(1, "a", untilCancelled(never));
    pool.reset();
    EXPECT_EQ(running.newest(), nullptr);
    EXPECT_EQ(waiting.jobsRun(), 0);
    waiting.request(2, "b", answer(1));
    EXPECT_EQ(waiting.newest(), nullptr);
}

} // namespace
} // namespace casimir
