// Appell's point and machine against values computed elsewhere, against the constraint split as a second
// formulation, and against what the contract asks of every system.
#include "core/numerics/events.h"
#include "core/systems/constrained/appell/appell_claims.h"
#include "core/systems/constrained/appell/appell_system.h"
#include "tests/core/support/contract.h"
#include "tests/core/support/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>

namespace casimir::constrained {
namespace {

using nlohmann::json;

const json& cases()
{
    static const json all = test::referenceFile("constrained_appell.json").at("cases");
    return all;
}

struct Accessories {
    double M = 0, Jz = 0, C = 0;
};

std::shared_ptr<const System> systemOf(const json& ref, const std::string& motion,
                                       const Accessories& with = {})
{
    const Kind& kind = appellKind();
    std::vector<Assignment> set{{"motion", motion}, {"M", with.M}, {"Jz", with.Jz}, {"C", with.C}};
    for (const auto& [id, value] : ref.at("params").items())
        set.push_back({id, value.get<double>()});
    return kind.make(kind.schema.with(kind.schema.defaults(), set));
}

State startOf(const System& system, const json& ref)
{
    return system.start({{"x", ref.at("X0").at(0)},
                         {"y", ref.at("X0").at(1)},
                         {"z", ref.at("X0").at(2)},
                         {"theta", ref.at("theta0")},
                         {"phidot", ref.at("phidot0")},
                         {"thetadot", ref.at("thetadot0")}});
}

class AppellReference : public testing::TestWithParam<int> {
protected:
    const json& ref() const { return cases().at(static_cast<std::size_t>(GetParam())); }

    void expectStates(const System& system, const json& states, const std::vector<int>& components)
    {
        for (const char* method : {"exact", "dopri5"}) {
            IntegrationOptions options;
            options.rtol = 1e-12;
            const auto run = system.integrate(method, 0, startOf(system, ref()), options);
            constexpr double tolerance = 1e-10;
            for (std::size_t k = 0; k < states.size(); ++k) {
                ASSERT_TRUE(advanceTo(*run, ref().at("times").at(k).get<double>()).ok());
                for (std::size_t i = 0; i < components.size(); ++i) {
                    const double wanted = states.at(k).at(i);
                    EXPECT_NEAR(run->state()[components[i]], wanted, tolerance * (1 + std::abs(wanted)))
                        << method << ", component " << i << " at t = " << ref().at("times").at(k);
                }
            }
        }
    }
};

TEST_P(AppellReference, ChetaevsForceDrawsTheLine)
{
    const auto system = systemOf(ref(), "chetaev");
    const State x = startOf(*system, ref());
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(system->quantity(std::array{"vx", "vy", "vz"}[static_cast<std::size_t>(i)], 0, x),
                    ref().at("v0").at(static_cast<std::size_t>(i)).get<double>(), 1e-12);
    const json& chetaev = ref().at("chetaev");
    const Appell& appell = dynamic_cast<const AppellSystem&>(*system).appell();
    EXPECT_NEAR(appell.heightAcceleration(), chetaev.at("vertical_acceleration").get<double>(), 1e-12);
    EXPECT_NEAR(appell.apexTime(Appell::State6(x)).value(), chetaev.at("apex_time").get<double>(), 1e-12);
    expectStates(*system, chetaev.at("position"), {0, 1, 2});
}

TEST_P(AppellReference, TheMasslessMachineDrawsTheSpiral)
{
    const auto system = systemOf(ref(), "machine");
    const Appell& appell = dynamic_cast<const AppellSystem&>(*system).appell();
    EXPECT_NEAR(appell.involuteRadius(ref().at("thetadot0")),
                ref().at("machine").at("involute_circle_radius").get<double>(), 1e-10);
    expectStates(*system, ref().at("machine").at("states"), {0, 1, 2, 3, 4});
}

TEST_P(AppellReference, AccessoriesSlowTheClimb)
{
    const json& loaded = ref().at("machine_with_accessories");
    expectStates(*systemOf(ref(), "machine", {loaded.at("M"), loaded.at("J"), loaded.at("C")}),
                 loaded.at("states"), {0, 1, 2, 3, 4});
}

TEST_P(AppellReference, TheSpiralIsTheLimitAndTheLineIsNot)
{
    const auto bare = systemOf(ref(), "machine"), point = systemOf(ref(), "chetaev");
    const auto placeAtOne = [&](const System& system) -> Eigen::Vector3d {
        const auto run = system.integrate("exact", 0, startOf(system, ref()), {});
        (void)advanceTo(*run, 1);
        return run->state().head<3>();
    };
    for (const json& row : ref().at("machine").at("small_mass_limit_at_t_1")) {
        const double fraction = row.at("accessory_mass_fraction"), m = ref().at("params").at("m"),
                     R = ref().at("params").at("R");
        const auto loaded = systemOf(ref(), "machine", {fraction * m, 0.02, fraction * m * R * R});
        EXPECT_NEAR((placeAtOne(*loaded) - placeAtOne(*bare)).norm(),
                    row.at("to_massless_spiral").get<double>(), 1e-10);
        EXPECT_NEAR((placeAtOne(*loaded) - placeAtOne(*point)).norm(),
                    row.at("to_chetaev_line").get<double>(), 1e-10);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, AppellReference, testing::Range(0, 3));

TEST(Appell, MultipliersInTheFullPhaseSpaceGiveTheSameMotion)
{
    const Kind& kind = appellKind();
    for (const double rho : {0.0, 0.3, -0.2}) {
        for (const char* motion : {"machine", "chetaev"}) {
            const auto system = kind.make(
                kind.schema.with(kind.schema.defaults(), {{"rho", rho}, {"motion", std::string(motion)}}));
            const State x = system->start({{"theta", 0.8}, {"phidot", -3.0}, {"thetadot", 2.1}});
            const ConstraintReport report = capability<HasConstraintSplit>(*system)->constraintSplit(0, x);
            ASSERT_TRUE(report.status.ok()) << report.status.sentence;
            State rate(6);
            system->field(0, x, rate);
            const auto& X = report.constrained;
            EXPECT_LE((X.head<3>() - rate.head<3>()).norm(), 1e-13);
            const bool machine = X.size() == 10;
            EXPECT_NEAR(machine ? X[9] : X[5] / 0.2, rate[4], 1e-11);
            if (machine)
                EXPECT_NEAR(X[8], rate[5], 1e-12);
            EXPECT_NEAR(report.power, 0, 1e-11);
            EXPECT_NEAR(report.residual, 0, 1e-13);
            EXPECT_GT(report.smallestSingularValue, 0.01);
        }
    }
}

TEST(Appell, TheVertexOfTheConeIsIrregularAndTheMotionGoesThrough)
{
    const Kind& kind = appellKind();
    const auto system =
        kind.make(kind.schema.with(kind.schema.defaults(), {{"motion", std::string("chetaev")}}));
    const State top = system->start({{"phidot", 0.0}});
    EXPECT_EQ(capability<HasConstraintSplit>(*system)->constraintSplit(0, top).status.code, "irregular");
    const auto run = system->integrate("dopri5", 0, system->start({}), {});
    ASSERT_TRUE(advanceTo(*run, 3).ok());
    EXPECT_LT(run->state()[4], 0);
}

TEST(Appell, APartWithoutInertiaIsSaidNotToHaveAFreeMotion)
{
    const Kind& kind = appellKind();
    const auto system = kind.make(kind.schema.with(kind.schema.defaults(), {{"Jz", 0.0}}));
    EXPECT_EQ(capability<HasConstraintSplit>(*system)->constraintSplit(0, system->start({})).status.code,
              "degenerate");
}

TEST(Appell, TheConstraintIsKeptToTenDigitsOverAHundredSeconds)
{
    // The cone, relative to its terms: position and height are integrated, the constraint is built in.
    const auto system = appellKind().make();
    const auto run = system->integrate("dopri5", 0, system->start({}), {});
    double worst = 0;
    ASSERT_TRUE(advanceTo(*run, 100, [&](const Integration& at) {
                    const double vz = system->quantity("vz", 0, at.state());
                    worst = std::max(worst,
                                     std::abs(system->quantity("cone", 0, at.state())) / (1 + 4 * vz * vz));
                }).ok());
    EXPECT_LT(worst, 1e-10);
}

// Between cusps no two chords of a path make an angle that is seen.
TEST(Appell, TheDrawnPathOfALongRunHasNoCorners)
{
    const Kind& kind = appellKind();
    const auto system = kind.make(kind.schema.defaults());
    const auto plots = system->plots();
    const auto plan =
        std::find_if(plots.begin(), plots.end(), [](const PlotInfo& info) { return info.id == "plan"; });
    ASSERT_NE(plan, plots.end());
    const Plot plot = system->plot({plan->id, plotOptions(*plan, {{"duration", "60"}}), {}});
    EXPECT_TRUE(plot.equalScales);
    for (const Polyline& line : plot.lines) {
        SCOPED_TRACE(line.label);
        int corners = 0;
        for (std::size_t i = 2; i < line.x.size(); ++i) {
            const Eigen::Vector2d a(line.x[i - 1] - line.x[i - 2], line.y[i - 1] - line.y[i - 2]),
                b(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]);
            const double angle = std::abs(std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b)));
            corners += angle > 0.15;
        }
        EXPECT_LE(corners, 3); // at a cusp the path turns back
    }
}

TEST(Appell, KeepsTheContract)
{
    const Kind& kind = appellKind();
    test::ContractOptions quick;
    quick.extremes = false;
    test::checkContract(kind, kind.schema.with(kind.schema.defaults(), {{"motion", std::string("chetaev")}}),
                        {}, "Chetaev", quick);
    test::checkContract(kind, kind.schema.with(kind.schema.defaults(), {{"rho", 0.3}, {"fraction", 0.0}}), {},
                        "point ahead, no mass", quick);
}

TEST(AppellClaims, AllHold)
{
    for (const unsigned seed : {1u, 2u, 20u})
        for (const Claim& claim : judge(appellClaims(seed)))
            EXPECT_EQ(claim.verdict, "holds") << claim.id << ", digits " << claim.digits;
}

TEST(AppellClaims, AnAlteredFormulaIsNoticed)
{
    const auto failing = [](const AppellFormulas& altered) {
        std::vector<std::string> ids;
        for (const Claim& claim : judge(appellClaims(1, altered)))
            if (!claim.expected)
                ids.push_back(claim.id);
        return ids;
    };
    constexpr double slightly = 1 + 1e-6;
    AppellFormulas altered;
    altered.field = [](const Appell& a, const Appell::State6& s) {
        Appell::State6 rate = a.field(s);
        rate[4] *= slightly;
        return rate;
    };
    EXPECT_THAT(failing(altered), testing::IsSupersetOf({"Chetaev, equations", "machine, equations"}));
    altered = {};
    altered.energy = [](const Appell& a, const Appell::State6& s) {
        return a.energy(s) + 1e-6 * s[4] * s[4];
    };
    EXPECT_THAT(failing(altered), testing::IsSupersetOf({"Chetaev, energy", "machine, energy"}));
    altered = {};
    altered.closedForm = [](const Appell& a, const Appell::State6& s, double t) {
        return a.closedForm(s, slightly * t);
    };
    EXPECT_THAT(failing(altered), testing::IsSupersetOf({"Chetaev, line", "machine, involute"}));
}

// Where v_z = b u changes its sign along the integrated motion.
TEST(Appell, theClimbEndsWhenItIsSaidToWhereverThePointHangs)
{
    const auto climbed = [](const AppellParameters& p, const Appell::State6& start) {
        const Appell appell(p);
        const Field field = [&](double, const State& x, State& dxdt) {
            dxdt = appell.field(Appell::State6(x));
        };
        const TerminalEvent top{"top", "", [](double, const State& x) { return x[4]; }};
        IntegrationOptions options;
        options.rtol = 1e-13;
        auto run = withEvents(startIntegration("dopri5", field, 0, State(start), options), {top});
        (void)advanceTo(*run, 1e3);
        return run->time();
    };
    AppellParameters p; // of the presets point-ahead and order-of-limits
    Appell::State6 start;
    start << 0, 0, 0, 0.3, 12, 1.7;
    p.rho = 0.3;
    EXPECT_NEAR(Appell(p).apexTime(start).value(), 1.45525, 5e-6);
    EXPECT_NEAR(Appell(p).apexTime(start).value(), climbed(p, start), 1e-9);
    p.rho = -0.05;
    p.Jz = 1e-4;
    EXPECT_NEAR(Appell(p).apexTime(start).value(), 0.05366, 5e-6);
    std::mt19937_64 engine(5);
    std::uniform_real_distribution<double> any(-1, 1), positive(0.2, 1.5);
    for (int i = 0; i < 60; ++i) {
        p.rho = 0.5 * any(engine);
        p.Jz = 0.1 * positive(engine);
        p.R = positive(engine);
        p.g = i % 5 == 0 ? 0.3 : 9.81;
        start[4] = 8 * positive(engine);
        start[5] = 6 * any(engine);
        const double time = Appell(p).apexTime(start).value();
        EXPECT_NEAR(time, climbed(p, start), 1e-8 * (1 + time)) << "rho = " << p.rho;
        Appell::State6 back = start; // the motion runs the same way back
        back[4] = -start[4];
        EXPECT_DOUBLE_EQ(Appell(p).apexTime(back).value(), -time);
    }
    p.g = 0;
    p.rho = 0.2;
    start[5] = 2;
    EXPECT_FALSE(Appell(p).apexTime(start)) << "thrown outwards for ever";
    p.rho = -0.2;
    EXPECT_NEAR(Appell(p).apexTime(start).value(), climbed(p, start), 1e-8);
}

} // namespace
} // namespace casimir::constrained
