// The whole engine at work from three sides; meant above all for ThreadSanitizer.
#include "core/engine/analyses.h"
#include "core/engine/simulation.h"
#include "core/model/capabilities.h"
#include "core/model/live_input.h"
#include "tests/core/support/pendulum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace casimir {
namespace {

constexpr int kChanges = 10'000;

TEST(Engine, KeepsOrderWhileParametersChangeTenThousandTimes)
{
    std::atomic<long> snapshotsAnnounced = 0;
    std::atomic<long> findingsAnnounced = 0;
    Simulation simulation([&] { ++snapshotsAnnounced; });
    AnalysisPool pool(2, [&] { ++findingsAnnounced; });
    AnalysisChannel<double> energy(pool, Policy::Interactive);
    AnalysisChannel<double> map(pool, Policy::Long);

    std::atomic<bool> done = false;
    std::uint64_t snapshotsRead = 0;
    // GoogleTest's expectations are kept out of the loop: they lock, and a lock would hide a race.
    long wrong = 0;
    std::thread reader([&] {
        Snapshot last;
        std::uint64_t lastEnergy = 0;
        std::uint64_t lastMap = 0;
        while (!done) {
            const auto snapshot = simulation.snapshot();
            wrong += snapshot->number < last.number || snapshot->sessionNumber < last.sessionNumber;
            snapshotsRead += snapshot->number != last.number;
            last.number = snapshot->number;
            last.sessionNumber = snapshot->sessionNumber;
            for (const MotionTrack& track : snapshot->motions) {
                const Recording& recording = *track.recording;
                wrong += track.system->values().real("g") != snapshot->session->session->values.real("g");
                const Samples samples = recording.sample(recording.begin(), recording.end(), 5, {"E"});
                // Energy is conserved along each recording, so states of different values never mix.
                for (const double e : samples.columns[0])
                    wrong += std::abs(e - samples.columns[0][0]) > 1e-7 * (1 + samples.columns[0][0]);
            }
            if (const auto finding = energy.newest()) {
                wrong += finding->number < lastEnergy || std::to_string(*finding->value) != finding->inputKey;
                lastEnergy = finding->number;
            }
            if (const auto finding = map.newest()) {
                wrong += finding->number < lastMap;
                lastMap = finding->number;
            }
        }
    });

    simulation.play();
    simulation.setSpeed(10);
    std::uint64_t number = 0;
    for (int i = 1; i <= kChanges; ++i) {
        const double g = 1 + 0.001 * i;
        number = simulation.setSession(test::realised(test::pendulumSession(g)));
        energy.request(number, std::to_string(g), [g](JobContext<double>&) { return g; });
        map.request(number, std::to_string(g), [g](JobContext<double>& context) {
            for (int k = 0; k < 10 && !context.cancelled(); ++k)
                context.publish(g * k, k / 10.0);
            return g;
        });
        if (i % 500 == 0)
            simulation.seek(0.01 * i);
        if (i % 700 == 0)
            simulation.setReverse(i % 1400 == 0);
        if (i % 100 == 0)
            std::this_thread::yield();
    }
    simulation.pause();
    simulation.waitUntilIdle();
    pool.waitUntilIdle();
    done = true;
    reader.join();

    EXPECT_EQ(wrong, 0);
    EXPECT_GT(snapshotsRead, 0u);
    EXPECT_EQ(number, static_cast<std::uint64_t>(kChanges));
    EXPECT_EQ(simulation.snapshot()->sessionNumber, number);
    EXPECT_EQ(simulation.snapshot()->motions.at(0).system->values().real("g"), 1 + 0.001 * kChanges);
    EXPECT_EQ(energy.newest()->number, number);
    EXPECT_EQ(map.newest()->number, number);
    EXPECT_TRUE(map.newest()->final);
    EXPECT_GT(snapshotsAnnounced, 0);
    EXPECT_GT(findingsAnnounced, 0);
}

// A pendulum that a hand may lead: it listens and takes no notice.
class Led : public test::Pendulum, public HasLiveInput {
public:
    using Pendulum::Pendulum;
    LiveChannel liveChannel() const override
    {
        LiveChannel channel;
        channel.quantity = "q";
        channel.listening = values().real("wall") == 0;
        return channel;
    }
};

TEST(Engine, AnInputIsHandedOverTenThousandTimesWhileTheHandMoves)
{
    Kind kind = test::pendulumKind();
    kind.factory = [](const Kind& k, const Values& values) { return std::make_shared<const Led>(k, values); };
    Session free = test::pendulumSession(), led = free;
    free.values.set("wall", 100.0);
    led.motions.front().input = HandInput{{{0, 0}}, true};
    Simulation simulation([] {});
    std::atomic<bool> done = false;
    std::thread hand([&] {
        for (double x = 0; !done; x += 1e-3) {
            simulation.setInput(x);
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
    });
    simulation.play();
    simulation.setSpeed(Simulation::kFastest);
    std::uint64_t number = 0;
    std::size_t taken = 0;
    std::shared_ptr<const Realised> before;
    for (int i = 0; i < kChanges; ++i) {
        const Present present = presentOf(*simulation.snapshot());
        const bool leads = i % 2 == 0;
        before =
            realise(kind, leads ? led : free, before.get(), present.motions.empty() ? nullptr : &present);
        number = simulation.setSession(before, Simulation::Time::GoesOn);
        if (i % 100 == 0)
            simulation.waitUntilIdle();
        // What the hand did so far is read while it moves on.
        if (const auto snapshot = simulation.snapshot(); !snapshot->motions.empty())
            if (const auto& input = snapshot->motions.front().recording->options().input)
                taken = std::max(taken, input->samples().size());
    }
    simulation.waitUntilIdle();
    done = true;
    hand.join();
    EXPECT_EQ(simulation.snapshot()->sessionNumber, number);
    EXPECT_TRUE(simulation.snapshot()->status.ok()) << simulation.snapshot()->status.sentence;
    EXPECT_TRUE(simulation.snapshot()->playing);
    EXPECT_GT(taken, 1u);
}

} // namespace
} // namespace casimir
