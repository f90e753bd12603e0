// The finger led by hand: the recorded input, and the motion that follows it.
#include "core/base/error.h"
#include "core/engine/simulation.h"
#include "core/model/live_input.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "core/systems/constrained/servo_rod/servo_rod_system.h"
#include "tests/core/support/hand_clock.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace casimir::constrained {
namespace {

std::shared_ptr<const System> byHand()
{
    const Kind& kind = servoRodKind();
    return kind.make(kind.schema.with(kind.schema.defaults(), {{"force", std::string("hand")}}));
}

double wave(double t)
{
    return 0.2 * std::sin(3 * t);
}

TEST(LiveInput, PassesThroughItsSamplesWithAContinuousRate)
{
    const LiveInput input({{0, 1}, {0.5, 2}, {0.7, 1.5}, {1.5, 1.5}});
    for (const InputSample& sample : input.samples()) {
        const InputPiece before = input.piece(sample.t, -1), after = input.piece(sample.t, 1);
        EXPECT_NEAR(before.value(sample.t), sample.value, 1e-15);
        EXPECT_NEAR(after.value(sample.t), sample.value, 1e-15);
        EXPECT_NEAR(before.rate(sample.t), after.rate(sample.t), 1e-14);
    }
    const InputPiece piece = input.piece(0.6, 1);
    constexpr double h = 1e-6;
    EXPECT_NEAR(piece.rate(0.6), (piece.value(0.6 + h) - piece.value(0.6 - h)) / (2 * h), 1e-8);
    EXPECT_NEAR(piece.acceleration(0.6), (piece.rate(0.6 + h) - piece.rate(0.6 - h)) / (2 * h), 1e-7);
}

TEST(LiveInput, ComesToRestAfterItsLastSample)
{
    const LiveInput input({{0, 0}, {1, 2}});
    const InputPiece stop = input.piece(1, 1);
    EXPECT_EQ(stop.rate(stop.end), 0);
    const InputPiece rest = input.piece(stop.end, 1);
    EXPECT_EQ(rest.value(stop.end), stop.value(stop.end));
    EXPECT_EQ(rest.rate(50), 0);
}

TEST(LiveInput, RefusesWhatCannotBe)
{
    EXPECT_THROW(LiveInput({}), Error);
    EXPECT_THROW(LiveInput({{0, 0}, {0, 1}}), Error);
    LiveInput live({{0, 0}}, true);
    live.append(0.1, 1);
    EXPECT_THROW(live.append(0.1, 1), Error);
    EXPECT_THROW(live.append(0.2, std::nan("")), Error);
    LiveInput recorded({{0, 0}, {0.1, 1}});
    EXPECT_THROW(recorded.append(0.2, 1), Error);
}

TEST(ServoHand, AHandRunReplaysIdentically)
{
    const auto system = byHand();
    const State x0 = system->start({{"theta", 1.62}});
    IntegrationOptions options;
    const auto input = std::make_shared<LiveInput>(std::vector<InputSample>{{0, 0}}, true);
    options.input = input;
    const auto live = system->integrate("dopri5", 0, x0, options);
    EXPECT_EQ(live->advance(1).code, "waiting");
    std::vector<State> seen;
    for (int k = 1; k <= 90; ++k) {
        const double t = k / 60.0;
        input->append(t, wave(t));
        ASSERT_TRUE(advanceTo(*live, t).ok());
        seen.push_back(live->state());
    }
    IntegrationOptions replayed;
    replayed.input = std::make_shared<LiveInput>(options.input->samples());
    const auto replay = system->integrate("dopri5", 0, x0, replayed);
    // Asked for far ahead, it still makes the same steps.
    std::size_t k = 0;
    while (k < seen.size()) {
        ASSERT_TRUE(replay->advance(10).ok());
        if (replay->time() == static_cast<double>(k + 1) / 60) {
            EXPECT_EQ(replay->state(), seen[k]);
            ++k;
        }
        ASSERT_LE(replay->time(), 1.5);
    }
}

TEST(ServoHand, TheRodObeysItsEquationOnAFingerThatIsLed)
{
    // J theta'' = m l sin(theta) x'' - m g l cos(theta), x'' by the input's own pieces.
    const auto system = byHand();
    const ServoRod& rod = dynamic_cast<const ServoRodSystem&>(*system).rod();
    const auto& p = rod.parameters();
    std::vector<InputSample> samples;
    for (int k = 0; k <= 40; ++k)
        samples.push_back({k / 20.0, wave(k / 20.0)});
    IntegrationOptions options;
    options.rtol = 1e-12;
    options.input = std::make_shared<LiveInput>(samples);
    const auto run = system->integrate("dopri5", 0, system->start({{"theta", 1.6}}), options);
    State y{{1.6, 0.0}};
    for (int k = 0; k < 40; ++k) {
        const InputPiece piece = options.input->piece(samples[static_cast<std::size_t>(k)].t, 1);
        const Field second = [&](double t, const State& s, State& dsdt) {
            dsdt << s[1],
                (p.m * p.l * std::sin(s[0]) * piece.acceleration(t) - p.m * p.g * p.l * std::cos(s[0])) /
                    rod.J();
        };
        IntegrationOptions plain;
        plain.rtol = 1e-12;
        const auto other = startIntegration("rkf78", second, piece.begin, y, plain);
        ASSERT_TRUE(advanceTo(*other, piece.end).ok());
        y = other->state();
    }
    ASSERT_TRUE(advanceTo(*run, 2).ok());
    EXPECT_NEAR(run->state()[0], wave(2), 1e-12);
    EXPECT_NEAR(run->state()[1], y[0], 1e-9);
    EXPECT_NEAR(system->quantity("thetadot", 2, run->state()), y[1], 1e-9);
    EXPECT_NEAR(system->quantity("xdot", 2, run->state()), options.input->piece(2, -1).rate(2), 1e-10);
}

TEST(ServoHand, TheHandsWorkIsTheEnergyGained)
{
    const auto system = byHand();
    std::vector<InputSample> samples;
    for (int k = 0; k <= 40; ++k)
        samples.push_back({k / 20.0, wave(k / 20.0)});
    IntegrationOptions options;
    options.input = std::make_shared<LiveInput>(samples);
    const auto run = system->integrate("dopri5", 0, system->start({{"theta", 1.6}}), options);
    double work = 0;
    State x(6);
    ASSERT_TRUE(advanceTo(*run, 1.95, [&](const Integration& at) {
                    const auto step = at.interpolant();
                    constexpr int n = 16;
                    // Midpoints of many pieces: the force jumps at the knots, which no point of the rule
                    // touches.
                    const double h = (step->end() - step->begin()) / n;
                    for (int k = 0; k < n; ++k) {
                        step->at(step->begin() + (k + 0.5) * h, x);
                        work += h * system->quantity("power", 0, x);
                    }
                }).ok());
    EXPECT_NEAR(work, system->quantity("supplied", 0, run->state()), 1e-4 * (1 + std::abs(work)));
    EXPECT_GT(std::abs(work), 0.01);
}

TEST(ServoHand, HandingOverKeepsPositionTiltAndMomentum)
{
    const auto system = byHand();
    IntegrationOptions options;
    options.input = std::make_shared<LiveInput>(std::vector<InputSample>{{0, 0}, {0.2, 0.1}});
    const auto run = system->integrate("dopri5", 0, system->start({{"theta", 1.6}}), options);
    ASSERT_TRUE(advanceTo(*run, 0.2).ok());
    const auto servo = servoRodKind().make();
    const State x = servo->carriedFrom(*system, run->time(), run->state());
    EXPECT_EQ(x[0], run->state()[0]);
    EXPECT_EQ(x[1], run->state()[1]);
    EXPECT_EQ(x[3], run->state()[3]);
    EXPECT_NEAR(servo->quantity("residual", 0, x), 0, 1e-14);
}

TEST(ServoHand, TheChannelSaysWhereTheFingerIsAndWhoTakesOver)
{
    const auto system = byHand();
    const LiveChannel channel = capability<HasLiveInput>(*system)->liveChannel();
    EXPECT_TRUE(channel.listening);
    // The handle stands under the contact wherever the finger is.
    const State x = system->start({{"x", 0.7}});
    Pose pose;
    system->pose(0, x, pose);
    const Eigen::Vector3d handle = channel.origin + system->quantity(channel.quantity, 0, x) * channel.along;
    EXPECT_EQ(handle[0], pose.placements.front().translation[0]);
    EXPECT_LT(handle[1], pose.placements.front().translation[1]);
    const Kind& kind = servoRodKind();
    const auto servo = kind.make(kind.schema.with(system->values(), channel.handedOver));
    EXPECT_FALSE(capability<HasLiveInput>(*servo)->liveChannel().listening);
    EXPECT_EQ(kind.schema.with(servo->values(), channel.taken), system->values());
    // Both have the same views, so that handing over leaves the window as it is.
    ASSERT_EQ(system->plots().size(), servo->plots().size());
    EXPECT_EQ(system->plot("map").maps.front().values, servo->plot("map").maps.front().values);
}

TEST(ServoHand, WithoutAnInputTheRodFallsFromAFingerAtRest)
{
    // J psi'' = m g l psi near the upright position.
    const auto system = byHand();
    const ServoRod& rod = dynamic_cast<const ServoRodSystem&>(*system).rod();
    const auto& p = rod.parameters();
    const double rate = std::sqrt(p.m * p.g * p.l / rod.J()), psi0 = 1e-6, halfPi = std::acos(0.0);
    const auto run = system->integrate("dopri5", 0, system->start({{"theta", halfPi + psi0}}), {});
    ASSERT_TRUE(advanceTo(*run, 1).ok());
    EXPECT_EQ(run->state()[0], 0);
    EXPECT_NEAR(run->state()[1] - halfPi, psi0 * std::cosh(rate), 1e-8 * psi0 * std::cosh(rate) + 1e-13);
}

Session handSession(HandInput input)
{
    Session session = defaultSession(servoRodKind());
    session.values.set("force", std::string("hand"));
    session.motions.front().state = {{"theta", 1.62}};
    session.motions.front().input = std::move(input);
    return session;
}

TEST(ServoHand, TheEngineTakesTheHandFrameByFrameAndReplaysIt)
{
    const auto clock = std::make_shared<test::HandClock>();
    SimulationOptions options;
    options.clock = clock;
    Simulation simulation({}, options);
    simulation.setSession(realise(servoRodKind(), handSession({{{0, 0}}, true})));
    simulation.play();
    simulation.waitUntilIdle();
    std::vector<std::pair<double, State>> seen;
    for (int k = 1; k <= 60; ++k) {
        simulation.setInput(wave(k / 60.0));
        simulation.waitUntilIdle();
        test::play(simulation, *clock, 1);
        const auto snapshot = simulation.snapshot();
        ASSERT_TRUE(snapshot->status.ok()) << snapshot->status.sentence;
        seen.emplace_back(snapshot->t, snapshot->motions.front().state);
    }
    EXPECT_NEAR(seen.back().first, 1, 0.05);
    EXPECT_NEAR(seen.back().second[0], wave(1), 1e-9);
    simulation.pause();
    simulation.waitUntilIdle();
    // Saved and read again, as a session file does it.
    const auto led = simulation.snapshot()->motions.front().recording->options().input->samples();
    EXPECT_GT(led.size(), 30u);
    const Session saved = readSession(writeSession(handSession({led, false})));
    EXPECT_EQ(saved.motions.front().input, (HandInput{led, false}));
    simulation.setSession(realise(servoRodKind(), saved));
    simulation.seek(seen.back().first);
    simulation.waitUntilIdle();
    const auto replay = simulation.snapshot()->motions.front().recording;
    State x;
    for (const auto& [t, state] : seen) {
        replay->state(t, x);
        EXPECT_EQ(x, state) << "at t = " << t;
    }
}

TEST(ServoHand, ASessionWithABrokenInputIsRefused)
{
    auto session = nlohmann::ordered_json::parse(writeSession(handSession({{{0, 0}, {1, 1}}, false})));
    session["motions"][0]["input"] = {{0, 0}, {0, 1}};
    EXPECT_THROW((void)readSession(session.dump()), Error);
    session["motions"][0]["input"] = {{0, 0, 3}};
    EXPECT_THROW((void)readSession(session.dump()), Error);
}

} // namespace
} // namespace casimir::constrained
