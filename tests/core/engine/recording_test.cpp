#include "core/engine/recording.h"

#include "core/base/error.h"
#include "tests/core/support/pendulum.h"

#include <gtest/gtest.h>

namespace casimir {
namespace {

using test::pendulum;

std::shared_ptr<const System> pendulumWith(double g, double wall = 0)
{
    Values values = pendulum().schema.defaults();
    values.set("g", g);
    values.set("wall", wall);
    return pendulum().make(values);
}

// Without gravity q = q0 + v0 t exactly, so what the bookkeeping does wrong shows in full.
Recorder freeRecorder(double v, std::size_t historyBytes = kDefaultHistoryBytes, double step = 0.01)
{
    return Recorder(pendulumWith(0), State{{0.0, v}}, "gauss6", test::fixedStep(step), historyBytes);
}

TEST(Recording, BeginsAsTheInitialState)
{
    Recorder recorder(pendulumWith(9.81), State{{0.5, 0.0}}, "", {});
    const auto recording = recorder.recording();
    EXPECT_EQ(recording->begin(), 0);
    EXPECT_EQ(recording->end(), 0);
    EXPECT_EQ(recording->state(3), (State{{0.5, 0.0}}));
    EXPECT_EQ(recording->method(), "dopri5");
}

TEST(Recording, GrowsInBothDirectionsOfTime)
{
    Recorder recorder = freeRecorder(2);
    recorder.extendTo(7);
    recorder.extendTo(-11);
    const auto recording = recorder.recording();
    EXPECT_LE(recording->begin(), -11);
    EXPECT_GE(recording->end(), 7);
    for (double t = -11; t <= 7; t += 0.37)
        EXPECT_NEAR(recording->state(t)[0], 2 * t, 1e-12) << t;
}

TEST(Recording, ShowsTheSmallOscillationsOfThePendulum)
{
    const double q0 = 1e-6;
    const double omega = std::sqrt(9.81);
    Recorder recorder(pendulumWith(9.81), State{{q0, 0.0}}, "dopri5", test::tolerance(1e-12));
    recorder.extendTo(10);
    recorder.extendTo(-10);
    const auto recording = recorder.recording();
    // The frequency changes by q0^2/16 of itself.
    for (double t = -10; t <= 10; t += 0.1)
        EXPECT_NEAR(recording->state(t)[0], q0 * std::cos(omega * t), 1e-9 * q0) << t;
}

TEST(Recording, DoesNotDependOnTheTimesThatWereAskedFor)
{
    const auto system = pendulumWith(9.81);
    Recorder whole(system, State{{2.0, 0.0}}, "dopri5", {});
    Recorder pieces(system, State{{2.0, 0.0}}, "dopri5", {});
    whole.extendTo(20);
    for (double t = 0; t <= 20; t += 1.0 / 64)
        pieces.extendTo(t);
    ASSERT_EQ(whole.end(), pieces.end());
    for (double t = 0; t < 20; t += 0.11)
        EXPECT_EQ(whole.recording()->state(t), pieces.recording()->state(t)) << t;
}

TEST(Recording, KeepsWhatASnapshotSawWhileItGrowsOn)
{
    Recorder recorder = freeRecorder(1);
    recorder.extendTo(3);
    const auto early = recorder.recording();
    const double end = early->end();
    recorder.extendTo(100);
    EXPECT_EQ(early->end(), end);
    EXPECT_NEAR(early->state(2.5)[0], 2.5, 1e-12);
    EXPECT_NEAR(early->state(50)[0], end, 1e-12);
}

TEST(Recording, DropsTheOldestWhenItsHistoryIsFull)
{
    constexpr std::size_t limit = 400'000;
    Recorder recorder = freeRecorder(1, limit);
    recorder.extendTo(100);
    const auto recording = recorder.recording();
    EXPECT_LE(recording->bytes(), limit);
    ASSERT_TRUE(recording->droppedBefore());
    EXPECT_EQ(*recording->droppedBefore(), recording->begin());
    EXPECT_GT(recording->begin(), 50);
    EXPECT_FALSE(recording->contains(0));
    for (double t = recording->begin(); t < 100; t += 0.5)
        EXPECT_NEAR(recording->state(t)[0], t, 1e-11) << t;
}

TEST(Recording, DropsTheLatestWhenTimeRunsBackwards)
{
    constexpr std::size_t limit = 400'000;
    Recorder recorder = freeRecorder(1, limit);
    recorder.extendTo(4);
    recorder.extendTo(-100);
    const auto recording = recorder.recording();
    EXPECT_LE(recording->bytes(), limit);
    ASSERT_TRUE(recording->droppedAfter());
    EXPECT_LT(recording->end(), -50);
    for (double t = -100; t < recording->end(); t += 0.5)
        EXPECT_NEAR(recording->state(t)[0], t, 1e-11) << t;
}

TEST(Recording, ComputesAnewWhatItsHistoryGaveUp)
{
    Recorder recorder = freeRecorder(1, 400'000);
    recorder.extendTo(100);
    recorder.extendTo(20);
    EXPECT_TRUE(recorder.contains(20));
    EXPECT_NEAR(recorder.recording()->state(20)[0], 20, 1e-11);
}

TEST(Recording, EndsAtAnEventAndSaysWhy)
{
    Recorder recorder(pendulumWith(0, 5), State{{0.0, 2.0}}, "dopri5", {});
    recorder.extendTo(100);
    const auto recording = recorder.recording();
    EXPECT_NEAR(recording->end(), 2.5, 1e-11);
    EXPECT_EQ(recording->status().code, "event");
    EXPECT_EQ(recording->status().sentence, "The pendulum hits the wall at 5.");
    EXPECT_TRUE(recording->statusAt(2).ok());
    EXPECT_EQ(recording->statusAt(3).code, "event");
    EXPECT_NEAR(recording->state(80)[0], 5, 1e-11);
}

TEST(Recording, DoesNotTakeOneEndlessStepAtRest)
{
    Recorder recorder(pendulumWith(9.81), State{{0.0, 0.0}}, "dopri5", {});
    recorder.extendTo(1000);
    EXPECT_LT(recorder.end(), 1100);
}

TEST(Recording, SamplesQuantitiesAtEqualSpacing)
{
    Recorder recorder = freeRecorder(3);
    recorder.extendTo(10);
    const Samples samples = recorder.recording()->sample(2, 6, 5, {"E", "q"});
    ASSERT_EQ(samples.t, (std::vector<double>{2, 3, 4, 5, 6}));
    ASSERT_EQ(samples.columns.size(), 2u);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(samples.columns[0][i], 4.5, 1e-12);
        EXPECT_NEAR(samples.columns[1][i], 3 * samples.t[i], 1e-12);
    }
    EXPECT_EQ(recorder.recording()->sample(9, 1000, 2, {}).t.back(), recorder.end());
    EXPECT_TRUE(recorder.recording()->sample(-5, -4, 2, {"q"}).t.empty());
    EXPECT_THROW(recorder.recording()->sample(0, 1, 2, {"H"}), Error);
}

} // namespace
} // namespace casimir
