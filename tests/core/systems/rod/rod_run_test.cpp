// Runs of the rod: what rows between steps keep, where a run starts, what the linear mode says and where it
// ends, and how a state goes on at other values.
#include "core/engine/batch.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "core/systems/rod/rod/rod_system.h"
#include "tests/core/systems/rod/rod_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace casimir::rod {
namespace {

std::shared_ptr<const RodSystem> preset(const std::string& id, const std::vector<Assignment>& changes = {})
{
    for (const Preset& preset : presetsOf("rod"))
        if (preset.id == id)
            return std::static_pointer_cast<const RodSystem>(
                rodKind().make(rodKind().schema.with(readSession(preset.text).values, changes)));
    throw std::runtime_error("no preset " + id);
}

StateInputs presetStart(const std::string& id)
{
    for (const Preset& preset : presetsOf("rod"))
        if (preset.id == id)
            return readSession(preset.text).motions.front().state;
    throw std::runtime_error("no preset " + id);
}

TEST(RodMotion, RowsBetweenStiffStepsKeepTheEnergyAndCountWholeHalvings)
{
    const auto system = preset("long-boom", {{"damping", 0.0}});
    const State x = system->start(presetStart("long-boom"));
    const double before = system->quantity("H", 0, x);
    const Status status = runBatch(*system, "conserving", {}, x, 2, 0.13, [&](double t, const State& row) {
        EXPECT_NEAR(system->quantity("H", t, row) / before, 1, 1e-10) << t;
        const double halved = system->quantity("halved", t, row);
        EXPECT_EQ(halved, std::round(halved)) << t;
    });
    EXPECT_TRUE(status.ok());
}

TEST(RodMotion, TheRowsAskedForDoNotChangeTheSteps)
{
    const auto system = preset("flung-out");
    const State x = system->start(presetStart("flung-out"));
    const auto last = [&](double dt) {
        State row;
        (void)runBatch(*system, "conserving", {}, x, 1, dt, [&](double, const State& y) { row = y; });
        return row;
    };
    EXPECT_EQ(last(0.1), last(0.0073));
}

// The mass matrix is the other formulation: the motion never builds it.
TEST(RodMotion, HasTheMassThatTheAnalysisHas)
{
    const auto system = made(tilted(3, 8));
    const RodDynamics& dynamics = system->dynamics();
    const Rod& rod = system->rod();
    const RodConfiguration at =
        dynamics.configurationOf(system->unpacked(system->start({{"kick", 0.2}, {"kick_mode", 3}})));
    const Eigen::VectorXd rate = Eigen::VectorXd::LinSpaced(rod.size(), -1, 2).array().sin();
    std::vector<Vec3> v, w;
    for (Eigen::Index k = 0; k < rod.size(); k += 6) {
        v.push_back(rate.segment<3>(k));
        w.push_back(rate.segment<3>(k + 3));
    }
    const RodState s = dynamics.stateOf(at, v, w);
    const Eigen::VectorXd momentum = rod.massMatrix(at) * rate;
    EXPECT_NEAR(dynamics.kineticEnergy(s), rate.dot(momentum) / 2, 1e-13 * rate.dot(momentum));
    EXPECT_LE((dynamics.linearMomentum(s) - rod.translations().transpose() * momentum).norm(), 1e-13);
    EXPECT_LE((dynamics.angularMomentum(s) - rod.rotations(at).transpose() * momentum).norm(), 1e-12);
}

TEST(RodMotion, ABlowAtTheTipGivesItsMomentumAndItsMoment)
{
    const auto system = made(tilted(3, 8));
    const RodDynamics& dynamics = system->dynamics();
    const RodState calm = system->unpacked(system->start({}));
    RodState struck = calm;
    const Vec3 blow(0.3, -0.2, 0.5);
    dynamics.strike(struck, blow);
    EXPECT_LE((dynamics.linearMomentum(struck) - dynamics.linearMomentum(calm) - blow).norm(), 1e-13);
    EXPECT_LE((dynamics.angularMomentum(struck) - dynamics.angularMomentum(calm) - calm.x.back().cross(blow))
                  .norm(),
              1e-13);
}

TEST(RodMotion, AGrowingModeGrowsByItsExponentUntilItLeavesTheRodsRangeAndSaysSo)
{
    const auto system = preset("middle-axis");
    double growth = 0;
    int growing = 1;
    const auto& modes = system->movingModes().modes;
    for (std::size_t k = 0; k < modes.size(); ++k)
        if (modes[k].value.real() > growth) {
            growth = modes[k].value.real() / system->setup().units.time;
            growing = static_cast<int>(k) + 1;
        }
    EXPECT_NEAR(growth, 3.0153, 0.01); // of the continuum
    const double kick = 0.01;
    const State x = system->start({{"kick", kick}, {"kick_mode", static_cast<double>(growing)}});
    const auto shape = [&](const State& y) {
        return system->linearMotion().deviationOf(system->unpacked(y)).shape.norm();
    };
    const double size = shape(x), energy = system->quantity("H_lin", 0, x);
    const double calm = system->quantity("H", 0, system->start({}));
    int rows = 0;
    double last = 0;
    const Status status = runBatch(*system, "mode", {}, x, 10, 0.11, [&](double t, const State& row) {
        EXPECT_NEAR(std::log(shape(row) / size), growth * t, 1e-8) << t;
        EXPECT_NEAR(system->quantity("H_lin", t, row), energy, 1e-8) << t;
        last = t;
        ++rows;
    });
    EXPECT_EQ(status.code, "event");
    EXPECT_NE(status.sentence.find("linear mode"), std::string::npos);
    EXPECT_NEAR(last, std::log(0.6 / kick) / growth, 1e-9);
    EXPECT_GT(rows, 10);
    // Of a mode that only grows the second variation vanishes: its energy is the equilibrium's.
    EXPECT_NEAR(energy, calm, 1e-7);
}

TEST(RodMotion, ARunInOneModeThatHasEndedStaysThere)
{
    const auto system = preset("middle-axis");
    const State x = system->start({{"kick", 0.4}, {"kick_mode", 1}});
    const auto run = system->integrate("mode", 0, x, {});
    ASSERT_EQ(advanceTo(*run, 20).code, "event");
    const double end = run->time();
    EXPECT_EQ(run->advance(20).code, "event");
    EXPECT_EQ(run->time(), end);
    EXPECT_TRUE(run->advance(0).ok()); // backwards it fades
}

TEST(RodSystem, TheBentBranchStartsWhereItIsAnalysed)
{
    for (const auto& [spin, momentum] : {std::pair{3.2, 4.095}, std::pair{4.0, 5.333}}) {
        const auto system = preset("axial-rod", {{"branch", std::string("bent")}, {"spin_rate", spin}});
        const Analysis analysis = system->analyzeQuickly();
        ASSERT_TRUE(analysis.status.ok()) << analysis.status.sentence;
        const State x = system->start({});
        const double mu = system->quantity("mu", 0, x);
        EXPECT_NEAR(mu, momentum, 1e-3);
        EXPECT_NEAR(mu, std::get<double>(analysis.equilibria[0].more.at(0).value), 1e-12);
        EXPECT_NEAR(system->quantity("H", 0, x), analysis.equilibria[0].energy, 1e-12);
        EXPECT_NEAR(system->quantity("J_z", 0, x), mu, 1e-12);
    }
}

TEST(RodSystem, InputsAreThoseOfThePresentStateNotOfTheStart)
{
    const auto system = made(tilted(2, 8));
    const StateInputs start{{"kick", 1e-3}, {"kick_mode", 3}};
    const State x = system->start(start);
    EXPECT_NEAR(system->inputsOf(x)[0].second, 1e-3, 1e-13);
    EXPECT_EQ(system->inputsOf(x)[1].second, 3);
    // After half a period of the mode the shape is the opposite one.
    const double period = 2 * std::numbers::pi / system->movingModes().modes[2].value.imag();
    IntegrationOptions options;
    options.step = 1e-3;
    const auto run = system->integrate("conserving", 0, x, options);
    ASSERT_TRUE(advanceTo(*run, period / 2 * system->setup().units.time).ok());
    const StateInputs there = system->inputsOf(run->state());
    EXPECT_NEAR(there[0].second, -1e-3, 5e-5);
    EXPECT_EQ(there[1].second, 3);
}

TEST(RodSystem, AChangeByAMillionthGoesOnFromThePresentState)
{
    const auto before = made(tilted(3, 8));
    const auto run = before->integrate("conserving", 0, before->start({{"kick", 0.1}, {"kick_mode", 2}}), {});
    ASSERT_TRUE(advanceTo(*run, 0.7).ok());
    const State& x = run->state();
    for (const Parameter& parameter : rodKind().schema.parameters()) {
        if (parameter.type != ParameterType::Real)
            continue;
        Values changed = before->values();
        const double value = changed.real(parameter.id);
        changed.set(parameter.id, value == 0 ? 1e-6 : value * (1 + 1e-6));
        const auto after = std::static_pointer_cast<const RodSystem>(rodKind().make(changed));
        const State there = after->carriedFrom(*before, 0, x);
        EXPECT_LE((there - x).cwiseAbs().maxCoeff(), 1e-5) << parameter.id;
        EXPECT_NEAR(after->quantity("deflection", 0, there), before->quantity("deflection", 0, x), 1e-5)
            << parameter.id;
    }
    // With other elements the shape stays.
    Values finer = before->values();
    finer.set("N", 16L);
    const auto after = std::static_pointer_cast<const RodSystem>(rodKind().make(finer));
    const State there = after->carriedFrom(*before, 0, x);
    for (const char* id : {"tip_x", "tip_y", "tip_z", "omega_x", "omega_y", "omega_z"})
        EXPECT_NEAR(after->quantity(id, 0, there), before->quantity(id, 0, x), 1e-2) << id;
}

} // namespace
} // namespace casimir::rod
