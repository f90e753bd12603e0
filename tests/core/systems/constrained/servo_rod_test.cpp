// The rod on a finger against values computed elsewhere, against other formulations of the same motion, and
// against what the contract asks of every system.
#include "core/systems/constrained/servo_rod/servo_rod_claims.h"
#include "core/systems/constrained/servo_rod/servo_rod_system.h"
#include "tests/core/support/contract.h"
#include "tests/core/support/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numbers>

namespace casimir::constrained {
namespace {

using nlohmann::json;
constexpr double halfPi = std::numbers::pi / 2;

const json& reference()
{
    static const json all = test::referenceFile("constrained_servo_rod.json");
    return all;
}

std::shared_ptr<const System> systemOf(const json& ref, const std::string& force)
{
    const Kind& kind = servoRodKind();
    std::vector<Assignment> set{{"force", force}};
    for (const auto& [id, value] : ref.at("params").items())
        set.push_back({id, value.get<double>()});
    if (ref.contains("gains")) {
        set.push_back({"law", std::string("linear")});
        for (const auto& [id, value] : ref.at("gains").items())
            set.push_back({id, value.get<double>()});
    }
    return kind.make(kind.schema.with(kind.schema.defaults(), set));
}

void expectEigenvalues(std::vector<std::complex<double>> found, const json& wanted)
{
    ASSERT_EQ(found.size(), wanted.size());
    double scale = 0;
    for (const auto& s : found)
        scale = std::max(scale, std::abs(s));
    for (const json& w : wanted) {
        const std::complex<double> value(w.at(0), w.at(1));
        const auto nearest = std::min_element(found.begin(), found.end(), [&](auto a, auto b) {
            return std::abs(a - value) < std::abs(b - value);
        });
        EXPECT_LE(std::abs(*nearest - value), 1e-10 * scale);
        found.erase(nearest);
    }
}

void expectTrajectory(const System& system, const State& start, const json& times, const json& states,
                      const json& supplied, double tolerance = 1e-10)
{
    IntegrationOptions options;
    options.rtol = 1e-12;
    const auto run = system.integrate(kDefaultMethod, 0, start, options);
    for (std::size_t k = 0; k < times.size(); ++k) {
        ASSERT_TRUE(advanceTo(*run, times.at(k).get<double>()).ok());
        const auto wanted = states.at(k).get<std::vector<double>>();
        const double scale = 1 + Eigen::Map<const Eigen::Vector4d>(wanted.data()).norm();
        for (int i = 0; i < 4; ++i)
            EXPECT_NEAR(run->state()[i], wanted[static_cast<std::size_t>(i)], tolerance * scale)
                << "component " << i << " at t = " << times.at(k);
        EXPECT_NEAR(system.quantity("supplied", run->time(), run->state()), supplied.at(k).get<double>(),
                    tolerance * scale);
    }
}

class ServoRodReference : public testing::TestWithParam<int> {
protected:
    const json& ref() const { return reference().at("servo_rod").at(static_cast<std::size_t>(GetParam())); }
    StateInputs start() const
    {
        const json& z0 = ref().at("z0");
        return {{"x", z0.at("x")}, {"theta", z0.at("theta")}, {"p_theta", z0.at("p_theta")}};
    }
};

TEST_P(ServoRodReference, TheThreeForcesMoveTheRodAsComputedElsewhere)
{
    for (const auto& [force, key] : {std::pair("finger", "example3_finger"),
                                     std::pair("angle", "example5_angle"), std::pair("chetaev", "chetaev")}) {
        SCOPED_TRACE(key);
        const auto system = systemOf(ref(), force);
        const State x = system->start(start());
        EXPECT_NEAR(x[2], ref().at("z0").at("p_x").get<double>(), 1e-13);
        EXPECT_NEAR(system->quantity("xdot", 0, x), ref().at("xdot0_thetadot0").at(0).get<double>(), 1e-12);
        EXPECT_NEAR(system->quantity("H", 0, x), ref().at(key).at("energy0").get<double>(), 1e-12);
        expectTrajectory(*system, x, ref().at("times"), ref().at(key).at("states"),
                         ref().at(key).at("energy_supplied"));
    }
}

TEST_P(ServoRodReference, EigenvaluesOfTheThreeForcesAgree)
{
    const auto eigenvalues = [this](const char* force) {
        return systemOf(ref(), force)->analyze({}).equilibria.at(0).eigenvalues;
    };
    expectEigenvalues(eigenvalues("finger"), ref().at("eigenvalues"));
    expectEigenvalues(eigenvalues("angle"), json{{ref().at("example5_eigenvalue"), 0}, {0, 0}});
    const json& chetaev = ref().at("chetaev_eigenvalues");
    expectEigenvalues(eigenvalues("chetaev"), json{{chetaev.at(0), 0}, {chetaev.at(1), 0}});
}

TEST_P(ServoRodReference, StripTravelAndEndStatesAgree)
{
    const auto system = systemOf(ref(), "finger");
    const ServoRod& rod = dynamic_cast<const ServoRodSystem&>(*system).rod();
    EXPECT_NEAR(*rod.stripHalfWidth(), ref().at("law_solvable_for_xdot_while_abs_psi_below").get<double>(),
                1e-10);
    const json& z0 = ref().at("z0");
    if (ref().contains("linear_total_finger_travel"))
        EXPECT_NEAR(rod.fingerTravel(z0.at("theta").get<double>() - halfPi, z0.at("p_theta")),
                    ref().at("linear_total_finger_travel").get<double>(), 1e-10);
    if (ref().contains("example5_final")) {
        const auto tilt = rod.slidingTilt(z0.at("p_x"));
        ASSERT_TRUE(tilt);
        EXPECT_NEAR(*tilt + halfPi, ref().at("example5_final").at("theta").get<double>(), 1e-10);
    }
    if (ref().contains("example3_energy_supplied_in_total"))
        EXPECT_NEAR(system->quantity("owed", 0, system->start(start())),
                    ref().at("example3_energy_supplied_in_total").get<double>(), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Cases, ServoRodReference, testing::Range(0, 4));

TEST(ServoRod, TheTiltThatAnalyzeForetellsIsWhereTheSlidingRodEnds)
{
    const auto system = systemOf(reference().at("servo_rod").at(0), "angle");
    for (const double theta : {1.7207963267948965, 1.7207963267948967, 1.8, 1.6, 1.4}) {
        const StateInputs start{{"theta", theta}};
        const auto closed = system->analyzeFrom(start, {}).more.at("closed_form");
        ASSERT_FALSE(closed.at("final_theta").isNull()) << theta;
        const auto run = system->integrate(kDefaultMethod, 0, system->start(start), {});
        ASSERT_TRUE(advanceTo(*run, 8).ok()); // it decays at 4.6/s
        EXPECT_NEAR(run->state()[1], closed.at("final_theta").number(), 1e-10) << theta;
        EXPECT_NEAR(system->quantity("xdot", 8, run->state()), closed.at("sliding_speed").number(), 1e-10);
    }
}

TEST(ServoRod, TheEnergyMeterEndsAtItsTotalWhenTheRodRests)
{
    const json& ref = reference().at("servo_rod").at(0);
    const auto system = systemOf(ref, "finger");
    const json& z0 = ref.at("z0");
    PlotRequest request{"energy"};
    for (const PlotInfo& info : system->plots())
        if (info.id == "energy")
            request.options = plotOptions(info, {{"duration", "8"}});
    request.start = {{"x", z0.at("x")}, {"theta", z0.at("theta")}, {"p_theta", z0.at("p_theta")}};
    const Plot plot = system->plot(request);
    const double total = ref.at("example3_energy_supplied_in_total");
    EXPECT_NEAR(plot.lines.at(1).y.front(), total, 1e-12);
    EXPECT_EQ(plot.lines.at(0).x.back(), 8);
    EXPECT_NEAR(plot.lines.at(0).y.back(), total, 1e-6);
    EXPECT_TRUE(plot.note.empty());
}

TEST(ServoRod, TheBasinReachesTheTiltsFoundByBisectionElsewhere)
{
    const double tilts[] = {1.104242, 1.276194, 1.129298};
    for (std::size_t k = 0; k < 3; ++k) {
        const json& ref = reference().at("servo_rod").at(k);
        const auto system = systemOf(ref, "finger");
        const ServoRod& rod = dynamic_cast<const ServoRodSystem&>(*system).rod();
        EXPECT_NEAR(largestTilt(rod), tilts[k], 1e-6);
        const json& basin = ref.at("basin");
        EXPECT_NEAR(rod.momentumScale(), basin.at("p_theta_scale").get<double>(), 1e-10);
        // All of the strip that was sampled settles.
        const double psi = *rod.stripHalfWidth();
        for (int i = -4; i <= 4; ++i)
            for (int j = -5; j <= 5; ++j)
                EXPECT_EQ(fateOf(rod, 0.98 * psi * i / 4, 2 * rod.momentumScale() * j), RodFate::Settles);
    }
}

TEST(ServoRod, TheLinearLawMovesTheRodAsComputedElsewhere)
{
    for (const json& ref : reference().at("linear_law")) {
        SCOPED_TRACE(ref.at("name").get<std::string>());
        const auto system = systemOf(ref, "finger");
        const json& z0 = ref.at("z0");
        const State x = system->start({{"x", z0.at(0)}, {"theta", z0.at(1)}, {"p_theta", z0.at(3)}});
        EXPECT_NEAR(x[2], z0.at(2).get<double>(), 1e-13);
        expectTrajectory(*system, x, ref.at("times"), ref.at("states"), ref.at("energy_supplied"));
        expectEigenvalues(system->analyze({}).equilibria.at(0).eigenvalues, ref.at("eigenvalues"));
    }
}

TEST(ServoRod, TheLinearLawAgreesWithItsOwnEquationOfMotion)
{
    // (J - m l ko sin) theta'' = m l sin (kx xdot + kt thetadot) - m g l cos, xdot = kx x + kt psi + ko
    // thetadot.
    const json& ref = reference().at("linear_law").at(0);
    const auto system = systemOf(ref, "finger");
    const ServoRod& rod = dynamic_cast<const ServoRodSystem&>(*system).rod();
    const auto& p = rod.parameters();
    const State x0 = system->start({{"x", 0.2}, {"theta", 1.8}, {"p_theta", 0.05}});
    const Field second = [&](double, const State& y, State& dydt) {
        const double s = std::sin(y[1]), ml = p.m * p.l;
        const double xDot = p.kx * y[0] + p.kt * (y[1] - halfPi) + p.ko * y[2];
        dydt << xDot, y[2],
            (ml * s * (p.kx * xDot + p.kt * y[2]) - ml * p.g * std::cos(y[1])) / (rod.J() - ml * p.ko * s);
    };
    IntegrationOptions options;
    options.rtol = 1e-12;
    const auto a = system->integrate("dopri5", 0, x0, options);
    const auto b =
        startIntegration("rkf78", second, 0, State{{x0[0], x0[1], rod.velocities(x0.head<4>())[1]}}, options);
    for (const double t : {0.5, 2.0, 6.0}) {
        ASSERT_TRUE(advanceTo(*a, t).ok() && advanceTo(*b, t).ok());
        EXPECT_NEAR(a->state()[0], b->state()[0], 1e-9);
        EXPECT_NEAR(a->state()[1], b->state()[1], 1e-9);
    }
}

TEST(ServoRod, TheTorqueLeavesOneScalarEquationForTheAngle)
{
    const json& ref = reference().at("servo_rod").at(0);
    const auto system = systemOf(ref, "angle");
    const ServoRod& rod = dynamic_cast<const ServoRodSystem&>(*system).rod();
    const auto& p = rod.parameters();
    const State x0 = system->start({{"theta", 1.9}, {"p_theta", 0.1}});
    const double c = x0[2];
    const Field scalar = [&](double, const State& y, State& dydt) {
        const double s = std::sin(y[0]), co = std::cos(y[0]), J = rod.J(),
                     inner = p.I + p.m * p.l * p.l * co * co;
        const double pTheta = (p.a * (y[0] - halfPi) - c) / (inner / (p.l * J) + p.beta + p.m * p.l * s / J);
        dydt << (p.l * s * c + pTheta) / inner;
    };
    IntegrationOptions options;
    options.rtol = 1e-12;
    const auto a = system->integrate("dopri5", 0, x0, options);
    const auto b = startIntegration("dopri5", scalar, 0, State{{1.9}}, options);
    ASSERT_TRUE(advanceTo(*a, 4).ok() && advanceTo(*b, 4).ok());
    EXPECT_NEAR(a->state()[1], b->state()[0], 1e-9);
    EXPECT_NEAR(a->state()[2], c, 1e-14);
}

TEST(ServoRod, TheSplitInTheLargeAgreesWithTheFieldAndItsBalances)
{
    for (const char* force : {"finger", "angle", "chetaev", "direction"}) {
        auto values = servoRodKind().schema.with(servoRodKind().schema.defaults(),
                                                 {{"force", std::string(force)}, {"wx", 0.3}, {"wt", 0.8}});
        const auto system = servoRodKind().make(values);
        const auto* splitter = capability<HasConstraintSplit>(*system);
        ASSERT_NE(splitter, nullptr);
        const State x = system->start({{"theta", 1.4}, {"p_theta", 0.2}});
        const ConstraintReport report = splitter->constraintSplit(0, x);
        State rate(5);
        system->field(0, x, rate);
        EXPECT_LE((report.constrained - rate.head<4>()).norm(), 1e-13 * rate.norm()) << force;
        EXPECT_NEAR(report.power, system->quantity("power", 0, x), 1e-13) << force;
        EXPECT_NEAR(report.momenta.at(0).rate, rate[2], 1e-13) << force;
        EXPECT_NEAR(report.smallestSingularValue, system->quantity("sigma", 0, x), 1e-13) << force;
        EXPECT_NEAR(report.residual, 0, 1e-14);
    }
}

TEST(ServoRod, TheLawIsKeptToTenDigitsOverAHundredSeconds)
{
    for (const char* force : {"finger", "angle"}) {
        for (const char* law : {"marle", "linear"}) {
            const auto system = servoRodKind().make(
                servoRodKind().schema.with(servoRodKind().schema.defaults(),
                                           {{"force", std::string(force)}, {"law", std::string(law)}}));
            const auto run = system->integrate("dopri5", 0, system->start({{"theta", 1.6}}), {});
            double worst = 0;
            (void)advanceTo(*run, 100, [&](const Integration& at) {
                worst = std::max(worst, std::abs(system->quantity("residual", at.time(), at.state())));
            });
            EXPECT_LT(worst, 1e-10) << force << ' ' << law;
        }
    }
}

TEST(ServoRod, ARunThatComesToAnIrregularPointEndsThereAndSaysWhy)
{
    const auto system = servoRodKind().make(
        servoRodKind().schema.with(servoRodKind().schema.defaults(),
                                   {{"law", std::string("linear")}, {"kx", 0.0}, {"kt", 3.0}, {"ko", 1.5}}));
    const ServoRod& rod = dynamic_cast<const ServoRodSystem&>(*system).rod();
    const State x0 = system->start({{"theta", 2.6}, {"p_theta", 1.5}});
    const auto run = system->integrate("dopri5", 0, x0, {});
    const Status status = advanceTo(*run, 100);
    ASSERT_EQ(status.code, "event");
    EXPECT_THAT(status.sentence, testing::HasSubstr("irregular"));
    // J = m l ko cos(psi), to the hold at which the run is ended.
    EXPECT_NEAR(std::abs(run->state()[1] - halfPi), *rod.regularHalfWidth(), 1e-4);
    EXPECT_NEAR(*rod.regularHalfWidth(), reference().at("linear_law").at(1).at("regular_while_abs_psi_below"),
                1e-12);
    // A start at such a point does not move.
    const auto stuck = system->integrate("dopri5", 0, run->state(), {});
    EXPECT_EQ(stuck->advance(1).code, "event");
}

TEST(ServoRod, OneSliderLeadsFromThePushToTheTorque)
{
    const Kind& kind = servoRodKind();
    Values values =
        kind.schema.with(kind.schema.defaults(), {{"force", std::string("direction")}, {"delta", 0.0}});
    const auto rates = [&](const Values& v) {
        const auto system = kind.make(v);
        State rate(5);
        system->field(0, system->start({{"theta", 1.8}}), rate);
        return rate;
    };
    const auto of = [&](const char* force) {
        return rates(kind.schema.with(values, {{"force", std::string(force)}}));
    };
    EXPECT_LE((rates(values) - of("finger")).norm(), 1e-14);
    values = kind.schema.with(values, {{"delta", halfPi}});
    EXPECT_LE((rates(values) - of("angle")).norm(), 1e-13);
    // At the upright position Chetaev's direction is one of them.
    const auto analysis = kind.make(values)->analyze({});
    double delta = 0;
    for (const Fact& fact : analysis.derived)
        if (fact.quantity.id == "chetaev_delta")
            delta = std::get<double>(fact.value);
    const auto between = kind.make(kind.schema.with(values, {{"delta", delta}}))->analyze({});
    const auto chetaev =
        kind.make(kind.schema.with(values, {{"force", std::string("chetaev")}}))->analyze({});
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_LE(std::abs(between.equilibria[0].eigenvalues[i] - chetaev.equilibria[0].eigenvalues[i]),
                  1e-11);
}

TEST(ServoRod, TheMapOfTheGainsIsStableInOneQuadrant)
{
    const auto system = servoRodKind().make();
    const Plot map = system->plot("map");
    ASSERT_EQ(map.maps.size(), 1u);
    const HeatMap& cells = map.maps[0];
    for (int j = 0; j < cells.rows; ++j)
        for (int i = 0; i < cells.columns; ++i) {
            const auto label = cells.labels[static_cast<std::size_t>(
                cells.values[static_cast<std::size_t>(j * cells.columns + i)])];
            const bool quadrant = i < cells.columns / 2 && j >= cells.rows / 2;
            ASSERT_EQ(label.starts_with("settles"), quadrant) << i << ' ' << j << ' ' << label;
        }
    ASSERT_EQ(map.handles.size(), 1u);
    EXPECT_EQ(map.handles[0].xTarget, "a");
    EXPECT_EQ(map.handles[0].yTarget, "beta");
}

TEST(ServoRod, KeepsTheContract)
{
    const Kind& kind = servoRodKind();
    const auto with = [&](std::vector<Assignment> set) {
        return kind.schema.with(kind.schema.defaults(), set);
    };
    test::ContractOptions quick;
    quick.extremes = false;
    test::checkContract(kind, with({{"force", std::string("angle")}}), {{"theta", 1.7}}, "torque", quick);
    test::checkContract(kind, with({{"force", std::string("chetaev")}}), {{"theta", 1.6}}, "Chetaev", quick);
    test::checkContract(kind, with({{"law", std::string("linear")}}), {{"x", 0.3}, {"theta", 1.62}},
                        "linear law", quick);
    test::checkContract(kind, with({{"force", std::string("hand")}}), {{"theta", 1.7}}, "by hand", quick);
}

const Claim& find(const std::vector<Claim>& claims, const std::string& id)
{
    for (const Claim& claim : claims)
        if (claim.id == id)
            return claim;
    throw std::runtime_error("no claim " + id);
}

TEST(ServoRodClaims, AllHoldAndThoseWithAnErratumHoldAsCorrected)
{
    for (const unsigned seed : {1u, 2u, 20u})
        for (const Claim& claim : judge(servoRodClaims(seed))) {
            SCOPED_TRACE(claim.id + ", digits " + std::to_string(claim.digits));
            EXPECT_EQ(claim.verdict, claim.erratum.empty() ? "holds" : "holds as corrected");
            EXPECT_TRUE(claim.expected);
        }
}

TEST(ServoRodClaims, AnAlteredFormulaIsNoticed)
{
    constexpr double slightly = 1 + 1e-6;
    ServoRodFormulas altered;
    altered.hamiltonian = [](const ServoRod& rod, const ServoRod::Phase& z) {
        return slightly * rod.hamiltonian(z);
    };
    EXPECT_FALSE(find(judge(servoRodClaims(1, altered)), "section 2.2, Hamiltonian").expected);
    altered = {};
    altered.motion = [](const ServoRod& rod, const ServoRod::Phase& z) {
        auto motion = rod.motion(z);
        motion.rate[1] *= slightly;
        return motion;
    };
    const auto moved = judge(servoRodClaims(1, altered));
    EXPECT_FALSE(find(moved, "Example 3").expected);
    EXPECT_FALSE(find(moved, "section 3.4, (12)").expected);
    altered = {};
    altered.eigenvalues = [](const ServoRod& rod) {
        auto values = rod.spectrum().eigenvalues;
        values[0] *= slightly;
        return values;
    };
    EXPECT_FALSE(find(judge(servoRodClaims(1, altered)), "section 5, stability").expected);
    altered = {};
    altered.strip = [](const ServoRod& rod) { return slightly * *rod.stripHalfWidth(); };
    EXPECT_FALSE(find(judge(servoRodClaims(1, altered)), "section 5, solving for x'").expected);
}

} // namespace
} // namespace casimir::constrained
