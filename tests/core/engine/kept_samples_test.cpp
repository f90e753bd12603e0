#include "core/engine/kept_samples.h"
#include "core/engine/task_line.h"
#include "tests/core/support/pendulum.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace casimir {
namespace {

struct Looks : ::testing::Test {
    std::shared_ptr<const System> system = test::pendulum().make();
    Recorder recorder{system, system->start({}), "dopri5", {}};
    KeptSamples<double> kept;
    int made = 0;

    void look(double begin, double end, double spacing = 0.1, const std::string& what = "q")
    {
        recorder.extendTo(end);
        kept.look(*recorder.recording(), spacing, what, begin, end, [&](std::int64_t k) {
            ++made;
            return recorder.recording()->state(static_cast<double>(k) * spacing)[0];
        });
        for (std::size_t i = 0; i < kept.samples().size(); ++i) {
            const double t = static_cast<double>(kept.first() + static_cast<std::int64_t>(i)) * spacing;
            EXPECT_EQ(kept.samples()[i], recorder.recording()->state(t)[0]);
        }
    }
};

TEST_F(Looks, AWindowThatMovesOnMakesOnlyWhatIsNew)
{
    look(0, 2.05);
    EXPECT_EQ(kept.first(), 0);
    EXPECT_EQ(kept.samples().size(), 21u);
    EXPECT_EQ(made, 21);
    look(0.31, 2.35);
    EXPECT_EQ(made, 24);
    EXPECT_EQ(kept.first(), 4);
    look(0.15, 2.35); // back a little
    EXPECT_EQ(made, 26);
    look(0.15, 1.0); // and shorter
    EXPECT_EQ(made, 26);
    EXPECT_EQ(kept.samples().size(), 9u);
}

TEST_F(Looks, AJumpAnotherMotionOrAnotherQuestionBeginAnew)
{
    look(0, 1);
    const int first = made;
    look(5, 6);
    EXPECT_EQ(made, first + 11);
    look(5, 6, 0.1, "v");
    EXPECT_EQ(made, first + 22);
    recorder = Recorder(system, system->start({{"q", 1}}), "dopri5", {});
    look(5, 6, 0.1, "v");
    EXPECT_EQ(made, first + 33);
    look(6.02, 6.04); // between two multiples there is nothing
    EXPECT_TRUE(kept.samples().empty());
}

TEST(TaskLine, DoesOneThingAfterTheOtherAndOfThoseThatWaitUnderOneNameTheNewest)
{
    std::vector<int> done;
    std::atomic<bool> go = false;
    TaskLine line;
    line.post("", [&] { go.wait(false); });
    for (int i = 1; i <= 100; ++i)
        line.post("slider", [&done, i] { done.push_back(i); });
    line.post("", [&done] { done.push_back(1000); });
    const auto last = line.post("slider", [&done] { done.push_back(101); });
    EXPECT_FALSE(line.waitFor(last, std::chrono::milliseconds(1)));
    go = true;
    go.notify_all();
    EXPECT_TRUE(line.waitFor(last, std::chrono::seconds(20)));
    EXPECT_EQ(done, (std::vector<int>{100, 1000, 101}));
}

TEST(TaskLine, ForgetsWhatWaitsWhenItEnds)
{
    std::atomic<int> done = 0;
    std::atomic<bool> go = false, begun = false;
    {
        TaskLine line;
        line.post("", [&] {
            begun = true;
            begun.notify_all();
            go.wait(false);
            ++done;
        });
        begun.wait(false);
        line.post("", [&] { ++done; });
        line.forgetWaiting();
        go = true;
        go.notify_all();
        line.waitUntilIdle();
    }
    EXPECT_EQ(done, 1);
}

} // namespace
} // namespace casimir
