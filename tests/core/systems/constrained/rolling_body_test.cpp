// Rolling bodies against values computed elsewhere, against Newton's and Euler's laws and the constraint
// split as other formulations, and against what the contract asks of every system.
#include "core/base/error.h"
#include "core/systems/constrained/rolling_body/rolling_body_system.h"
#include "core/systems/constrained/rolling_body/rolling_claims.h"
#include "tests/core/support/contract.h"
#include "tests/core/support/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace casimir::constrained {
namespace {

using nlohmann::json;
using Vec3 = Eigen::Vector3d;

const json& reference()
{
    static const json all = test::referenceFile("constrained_rolling.json");
    return all;
}

struct Case {
    std::shared_ptr<const System> system;
    State start;
};

// Through the format of --input.
Case caseOf(const nlohmann::ordered_json& input)
{
    const Kind& kind = rollingBodyKind();
    const Input read = kind.readInput(kind, input);
    const auto system = kind.make(kind.schema.with(kind.schema.defaults(), read.assignments));
    return {system, system->start(read.state)};
}

nlohmann::ordered_json inputOf(const json& ref)
{
    const json &p = ref.at("params"), &initial = ref.at("initial");
    nlohmann::ordered_json input;
    input["m"] = p.at("m");
    input["g"] = p.at("g");
    input["omega"] = p.value("om", 0.0);
    input["semi_axes"] = p.at("ax");
    input["centre"] = p.at("d");
    input["inertia"] = p.at("In");
    input["X"] = {initial.at("X").at(0), initial.at("X").at(1)};
    input["q"] = initial.at("q_wxyz");
    input["Omega"] = initial.at("Omega_body");
    return input;
}

Vec3 vec(const json& j)
{
    const auto v = j.get<std::array<double, 3>>();
    return {v[0], v[1], v[2]};
}

void expectState(const System& system, const State& x, const json& ref, double tolerance)
{
    const auto& body = dynamic_cast<const RollingBodySystem&>(system).body();
    const auto report = body.report(RollingBody::State10(x));
    EXPECT_LE((x.head<3>() - vec(ref.at("X"))).norm(), tolerance);
    const auto wxyz = ref.at("q_wxyz").get<std::array<double, 4>>();
    const Eigen::Vector4d q(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
    EXPECT_LE(std::min((x.segment<4>(3) - q).norm(), (x.segment<4>(3) + q).norm()), tolerance);
    EXPECT_LE((x.tail<3>() - vec(ref.at("Omega_body"))).norm(), tolerance);
    EXPECT_LE((report.velocity - vec(ref.at("V"))).norm(), tolerance);
    EXPECT_LE((report.contactPoint - vec(ref.at("contact"))).norm(), tolerance);
    if (ref.contains("contact_force")) {
        EXPECT_LE((report.force - vec(ref.at("contact_force"))).norm(), tolerance);
        EXPECT_NEAR(report.energy, ref.at("energy").get<double>(), tolerance);
        EXPECT_NEAR(report.angularMomentum, ref.at("Jz").get<double>(), tolerance);
    }
}

class RollingReference : public testing::TestWithParam<std::pair<const char*, int>> {
protected:
    const json& ref() const
    {
        return reference().at(GetParam().first).at(static_cast<std::size_t>(GetParam().second));
    }
};

TEST_P(RollingReference, TheBodyRollsAsComputedElsewhere)
{
    const Case at = caseOf(inputOf(ref()));
    expectState(*at.system, at.start, ref().at("initial"), 1e-12);
    EXPECT_NEAR(at.system->quantity("E", 0, at.start), ref().at("energy0").get<double>(), 1e-10);
    EXPECT_NEAR(at.system->quantity("Jz", 0, at.start), ref().at("Jz0").get<double>(), 1e-10);
    EXPECT_NEAR(at.system->quantity("E_moving", 0, at.start), ref().at("moving_energy0").get<double>(),
                1e-10);
    // As asked of the usual tolerance, and what the sharpest reaches.
    for (const auto& [rtol, tolerance] : {std::pair(1e-10, 1e-8), std::pair(1e-13, 1e-11)}) {
        IntegrationOptions options;
        options.rtol = rtol;
        const auto run = at.system->integrate("dopri5", 0, at.start, options);
        for (std::size_t k = 0; k < ref().at("times").size(); ++k) {
            ASSERT_TRUE(advanceTo(*run, ref().at("times").at(k).get<double>()).ok());
            expectState(*at.system, run->state(), ref().at("states").at(k), tolerance);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, RollingReference,
                         testing::Values(std::pair("fixed", 0), std::pair("fixed", 1),
                                         std::pair("turntable", 0)));

Case sphereCase(const json& ref)
{
    const json& p = ref.at("params");
    const double r = p.at("r"), I = p.at("I");
    nlohmann::ordered_json input;
    input["m"] = p.at("m");
    input["g"] = p.at("g");
    input["omega"] = p.at("omega");
    input["semi_axes"] = {r, r, r};
    input["inertia"] = {{I, 0, 0}, {0, I, 0}, {0, 0, I}};
    input["X"] = {ref.at("initial").at("X").at(0), ref.at("initial").at("X").at(1)};
    input["q"] = {1, 0, 0, 0};
    input["Omega"] = ref.at("initial").at("spin_space");
    return caseOf(input);
}

TEST(RollingSphere, RunsOnTheCircleOfTheClosedForm)
{
    for (const json& ref : reference().at("sphere")) {
        SCOPED_TRACE(ref.at("name").get<std::string>());
        const Case at = sphereCase(ref);
        const auto& body = dynamic_cast<const RollingBodySystem&>(*at.system).body();
        const auto circle = body.circle(RollingBody::State10(at.start));
        ASSERT_TRUE(circle);
        EXPECT_NEAR(circle->nu, ref.at("angular_frequency").get<double>(), 1e-10);
        EXPECT_NEAR(circle->nu / body.parameters().omega, ref.at("frequency_over_omega").get<double>(),
                    1e-12);
        EXPECT_NEAR(circle->radius, ref.at("circle_radius").get<double>(), 1e-10);
        EXPECT_NEAR(circle->centre[0], ref.at("circle_centre").at(0).get<double>(), 1e-10);
        EXPECT_NEAR(circle->centre[1], ref.at("circle_centre").at(1).get<double>(), 1e-10);
        for (const char* method : {"exact", "dopri5"}) {
            IntegrationOptions options;
            options.rtol = 1e-13;
            // The reference itself was integrated: path and spin are said to be good to 4e-11 and 5e-10.
            constexpr double tolerance = 1e-10, spinTolerance = 1e-9;
            const auto run = at.system->integrate(method, 0, at.start, options);
            for (std::size_t k = 0; k < ref.at("times").size(); ++k) {
                ASSERT_TRUE(advanceTo(*run, ref.at("times").at(k).get<double>()).ok());
                const State& x = run->state();
                EXPECT_LE((x.head<3>() - vec(ref.at("X").at(k))).norm(), tolerance) << method;
                const Vec3 spin = RollingBody::rotation(RollingBody::State10(x)) * x.tail<3>();
                EXPECT_LE((spin - vec(ref.at("spin_space").at(k))).norm(), spinTolerance) << method;
            }
        }
    }
}

TEST(RollingSphere, TheClosedFormTurnsTheBallAsIntegrationDoes)
{
    const Case at = sphereCase(reference().at("sphere").at(0));
    IntegrationOptions options;
    options.rtol = 1e-12;
    const auto a = at.system->integrate("exact", 0, at.start, options),
               b = at.system->integrate("dopri5", 0, at.start, options);
    ASSERT_TRUE(advanceTo(*a, 5).ok() && advanceTo(*b, 5).ok());
    EXPECT_LE((a->state() - b->state()).norm(), 1e-10);
}

TEST(RollingSphere, GoesStraightOnAPlaneAtRest)
{
    const Case at = caseOf({{"semi_axes", {0.2, 0.2, 0.2}},
                            {"inertia", {{0.016, 0, 0}, {0, 0.016, 0}, {0, 0, 0.016}}},
                            {"Omega", {1, 2, 3}}});
    const auto run = at.system->integrate("exact", 0, at.start, {});
    ASSERT_TRUE(advanceTo(*run, 2).ok());
    const Vec3 V = dynamic_cast<const RollingBodySystem&>(*at.system)
                       .body()
                       .report(RollingBody::State10(at.start))
                       .velocity;
    EXPECT_LE((run->state().head<3>() - at.start.head<3>() - 2 * V).norm(), 1e-14);
}

TEST(RollingBody, NewtonsAndEulersLawsHoldInSpace)
{
    // m V' = F - m g e3 and (R I Omega)' = (R s) x F, the rates by differences along the motion.
    for (const char* group : {"fixed", "turntable"}) {
        const Case at = caseOf(inputOf(reference().at(group).at(0)));
        const auto& body = dynamic_cast<const RollingBodySystem&>(*at.system).body();
        const auto& p = body.parameters();
        IntegrationOptions options;
        options.rtol = 1e-13;
        const auto momenta = [&](double t) {
            const auto run = at.system->integrate("dopri5", 0, at.start, options);
            (void)advanceTo(*run, t);
            const RollingBody::State10 x = run->state();
            Eigen::Matrix<double, 6, 1> result;
            result << p.m * body.report(x).velocity, RollingBody::rotation(x) * (p.inertia * x.tail<3>());
            return result;
        };
        constexpr double t = 0.7, h = 2e-3;
        const Eigen::Matrix<double, 6, 1> rate =
            (8 * (momenta(t + h) - momenta(t - h)) - (momenta(t + 2 * h) - momenta(t - 2 * h))) / (12 * h);
        const auto run = at.system->integrate("dopri5", 0, at.start, options);
        (void)advanceTo(*run, t);
        const auto report = body.report(RollingBody::State10(run->state()));
        const Vec3 arm = RollingBody::rotation(RollingBody::State10(run->state())) * report.onBody;
        EXPECT_LE((rate.head<3>() - report.force + p.m * p.g * Vec3::UnitZ()).norm(), 1e-7) << group;
        EXPECT_LE((rate.tail<3>() - arm.cross(report.force)).norm(), 1e-7) << group;
    }
}

TEST(RollingBody, TheSplitInThirteenDimensionsGivesTheSameMotionAndForce)
{
    const json disk = {{"disk_radius", 0.3},
                       {"rounding", 0.05},
                       {"inertia", {{0.02, 0, 0}, {0, 0.02, 0}, {0, 0, 0.04}}},
                       {"q", {0.8, 0.6, 0, 0}},
                       {"Omega", {0.3, 0.5, 4}},
                       {"omega", 0.5}};
    for (const auto& input : {inputOf(reference().at("fixed").at(1)),
                              inputOf(reference().at("turntable").at(0)), nlohmann::ordered_json(disk)}) {
        const Case at = caseOf(input);
        const ConstraintReport report =
            capability<HasConstraintSplit>(*at.system)->constraintSplit(0, at.start);
        ASSERT_TRUE(report.status.ok()) << report.status.sentence;
        State rate(10);
        at.system->field(0, at.start, rate);
        EXPECT_LE((report.constrained.head<7>() - rate.head<7>()).norm(), 1e-12);
        EXPECT_LE((report.constrained.tail<3>() - rate.tail<3>()).norm(), 1e-11);
        EXPECT_NEAR(report.power, at.system->quantity("power", 0, at.start), 1e-11);
        EXPECT_NEAR(report.momenta.at(0).rate, at.system->quantity("torque", 0, at.start), 1e-11);
        const double m = at.system->values().real("m");
        EXPECT_NEAR(m * report.force[9], at.system->quantity("F3", 0, at.start), 1e-10);
        EXPECT_LT(report.residual, 1e-14);
    }
}

TEST(RollingBody, StaysOnThePlaneToTenDigitsOverAHundredSeconds)
{
    const Case at = caseOf(inputOf(reference().at("fixed").at(0)));
    const auto run = at.system->integrate("dopri5", 0, at.start, {});
    const double E = at.system->quantity("E", 0, at.start);
    double gap = 0, drift = 0;
    ASSERT_TRUE(advanceTo(*run, 100, [&](const Integration& now) {
                    gap = std::max(gap, std::abs(at.system->quantity("gap", 0, now.state())));
                    drift = std::max(drift, std::abs(at.system->quantity("E", 0, now.state()) - E));
                }).ok());
    EXPECT_LT(gap, 1e-10);
    EXPECT_LT(drift, 1e-7 * E);
}

TEST(RollingBody, OnlyWhatHoldsForTheBodyIsDeclaredConstant)
{
    const auto constants = [](const System& system) {
        std::vector<std::string> ids;
        for (const Quantity& quantity : system.quantities())
            if (quantity.law.kind == Law::Kind::Constant)
                ids.push_back(quantity.id);
        return ids;
    };
    const Kind& kind = rollingBodyKind();
    const auto with = [&](std::vector<Assignment> set) {
        return kind.make(kind.schema.with(kind.schema.defaults(), set));
    };
    using testing::UnorderedElementsAre;
    EXPECT_THAT(constants(*with({})), UnorderedElementsAre("E", "E_moving"));
    EXPECT_THAT(constants(*with({{"omega", 1.0}})), UnorderedElementsAre("E_moving"));
    const Assignment sphere{"shape", std::string("sphere")}, given{"inertia", std::string("given")};
    EXPECT_THAT(constants(*with({sphere, given})), UnorderedElementsAre("E", "E_moving", "Kx", "Ky", "Kz"));
    EXPECT_THAT(constants(*with({sphere, {"d3", 0.1}})),
                UnorderedElementsAre("E", "E_moving", "jellett", "routh"));
    EXPECT_THAT(constants(*with({sphere, {"omega", 1.0}})), UnorderedElementsAre("E_moving", "spin"));
}

TEST(RollingBody, AnInvariantThatIsNotDeclaredReallyChanges)
{
    const Case at = caseOf(inputOf(reference().at("fixed").at(0)));
    const auto run = at.system->integrate("dopri5", 0, at.start, {});
    ASSERT_TRUE(advanceTo(*run, 2).ok());
    for (const char* id : {"Jz", "Kx", "jellett", "routh", "spin"})
        EXPECT_GT(std::abs(at.system->quantity(id, 0, run->state()) - at.system->quantity(id, 0, at.start)),
                  1e-4)
            << id;
}

TEST(RollingBody, ABodyThrownOverLiftsOffAndSaysSo)
{
    const Case at = caseOf({{"semi_axes", {0.5, 0.4, 0.3}},
                            {"inertia", {{0.05, 0, 0}, {0, 0.068, 0}, {0, 0, 0.082}}},
                            {"Omega", {0, 10, 0}}});
    const auto run = at.system->integrate("dopri5", 0, at.start, {});
    const Status status = advanceTo(*run, 10);
    ASSERT_EQ(status.code, "event");
    EXPECT_THAT(status.sentence, testing::HasSubstr("lifts off"));
    EXPECT_NEAR(at.system->quantity("F3", 0, run->state()), 0, 1e-8);
}

TEST(RollingBody, RocksAtTheRatesOfItsLinearisation)
{
    const auto system = rollingBodyKind().make();
    const Analysis analysis = system->analyze({});
    ASSERT_EQ(analysis.equilibria.size(), 6u);
    // On its flattest side, tilting about axis 2: J w^2 = m g (a1^2/a3 - a3), J = I22 + m a3^2.
    const auto& flattest = analysis.equilibria.at(4);
    EXPECT_EQ(flattest.stability, verdict::stable);
    const double about2 = std::sqrt(9.81 * (0.25 / 0.3 - 0.3) / (0.068 + 0.09));
    const double about1 = std::sqrt(9.81 * (0.16 / 0.3 - 0.3) / (0.05 + 0.09));
    std::vector<double> found;
    for (const auto& s : flattest.eigenvalues) {
        EXPECT_EQ(s.real(), 0);
        if (s.imag() > 0)
            found.push_back(s.imag());
    }
    EXPECT_THAT(found, testing::UnorderedElementsAre(testing::DoubleNear(about1, 1e-10),
                                                     testing::DoubleNear(about2, 1e-10)));
    EXPECT_EQ(analysis.equilibria.at(0).stability, verdict::unstable);
}

TEST(RollingBody, InputThatMakesNoSenseIsRefusedByName)
{
    const Kind& kind = rollingBodyKind();
    const auto read = [&](const nlohmann::ordered_json& j) { return kind.readInput(kind, j); };
    EXPECT_THROW((void)read({{"semi_axis", {1, 1, 1}}}), Error);
    EXPECT_THROW((void)read({{"semi_axes", {1, 1}}}), Error);
    EXPECT_THROW((void)read({{"inertia", {{1, 2, 0}, {0, 1, 0}, {0, 0, 1}}}}), Error);
    EXPECT_THROW((void)read({{"semi_axes", {1, 1, 1}}, {"disk_radius", 1}}), Error);
    EXPECT_THROW((void)caseOf({{"inertia", {{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}}}), Error);
    EXPECT_THROW((void)caseOf({{"centre", {0, 0, 2}}}), Error);
}

// A solid ball on a turning plane runs on a circle however long it is drawn, and so do the middles of the
// chords it is drawn by, to less than a pixel of four thousand.
TEST(RollingBody, TheDrawnPathOfALongRunHasNoCorners)
{
    const Kind& kind = rollingBodyKind();
    const auto system = kind.make(kind.schema.with(
        kind.schema.defaults(), {{"shape", std::string("sphere")}, {"radius", 0.1}, {"omega", 1.5}}));
    const auto plots = system->plots();
    for (const PlotInfo& info : plots) {
        if (info.id != "plan")
            continue;
        const Plot plot =
            system->plot({info.id, plotOptions(info, {{"duration", "200"}}), {{"X", 0.6}, {"Y", -0.1}}});
        EXPECT_TRUE(plot.equalScales);
        const auto path = std::find_if(plot.lines.begin(), plot.lines.end(),
                                       [](const Polyline& line) { return line.label == "mass centre"; });
        ASSERT_NE(path, plot.lines.end());
        // The circle nearest to its points.
        const auto at = [&](std::size_t i) { return Eigen::Vector2d(path->x[i], path->y[i]); };
        ASSERT_GT(path->x.size(), 1000u);
        Eigen::MatrixX3d rows(path->x.size(), 3);
        Eigen::VectorXd squares(path->x.size());
        for (std::size_t i = 0; i < path->x.size(); ++i) {
            rows.row(static_cast<Eigen::Index>(i)) << 2 * path->x[i], 2 * path->y[i], 1;
            squares[static_cast<Eigen::Index>(i)] = at(i).squaredNorm();
        }
        const Eigen::Vector3d fit = (rows.transpose() * rows).ldlt().solve(rows.transpose() * squares);
        const double radius = std::sqrt(fit[2] + fit.head<2>().squaredNorm());
        double worst = 0;
        for (std::size_t i = 1; i < path->x.size(); ++i)
            worst = std::max(worst, std::abs((0.5 * (at(i) + at(i - 1)) - fit.head<2>()).norm() - radius));
        EXPECT_LT(worst, 2 * radius / 4000);
    }
}

TEST(RollingBody, KeepsTheContract)
{
    const Kind& kind = rollingBodyKind();
    test::ContractOptions quick;
    quick.extremes = false;
    const auto with = [&](std::vector<Assignment> set) {
        return kind.schema.with(kind.schema.defaults(), set);
    };
    test::checkContract(kind, with({{"shape", std::string("sphere")}, {"omega", 0.7}}), {},
                        "sphere on a turntable", quick);
    test::checkContract(kind, with({{"shape", std::string("sphere")}, {"d3", 0.1}}), {}, "loaded ball",
                        quick);
}

TEST(RollingClaims, AllHoldAndThoseWithAnErratumHoldAsCorrected)
{
    for (const unsigned seed : {1u, 2u, 20u})
        for (const Claim& claim : judge(rollingClaims(seed)))
            EXPECT_EQ(claim.verdict, claim.erratum.empty() ? "holds" : "holds as corrected")
                << claim.id << ", digits " << claim.digits << ", seed " << seed;
}

TEST(RollingClaims, AnAlteredFormulaIsNoticed)
{
    const auto failing = [](const RollingFormulas& altered) {
        std::vector<std::string> ids;
        for (const Claim& claim : judge(rollingClaims(1, altered)))
            if (!claim.expected)
                ids.push_back(claim.id);
        return ids;
    };
    static constexpr double slightly = 1 + 1e-6;
    RollingFormulas altered;
    altered.field = [](const RollingBody& b, const RollingBody::State10& x) {
        RollingBody::State10 rate = b.field(x);
        rate[8] *= slightly;
        return rate;
    };
    EXPECT_THAT(failing(altered), testing::IsSupersetOf({"section 3, rolling body", "turning plane"}));
    altered = {};
    altered.gamma = [](const RollingBody& b, const Vec3& n) -> Vec3 { return slightly * b.gamma(n); };
    EXPECT_THAT(failing(altered), testing::IsSupersetOf({"(7), height", "(8), rolling"}));
    altered = {};
    altered.report = [](const RollingBody& b, const RollingBody::State10& x) {
        auto report = b.report(x);
        report.force *= slightly;
        report.routh *= 1 + 1e-6 * x[7];
        return report;
    };
    EXPECT_THAT(failing(altered), testing::IsSupersetOf({"contact force", "Jellett and Routh"}));
}

// The height of the mass centre over the plane is the support function d·n + √(Σ a²n²) of the surface.
TEST(RollingBody, RestsWhereTheHeightIsStationaryAndSaysWhetherThatIsAll)
{
    std::mt19937_64 engine(31);
    const auto between = [&](double a, double b) {
        return std::uniform_real_distribution<double>(a, b)(engine);
    };
    for (int trial = 0; trial < 400; ++trial) {
        const Vec3 a(between(0.2, 2), between(0.2, 2), between(0.2, 2));
        // Inside of the body, or next to its surface.
        const Vec3 d = between(0.1, 0.95) *
                       Vec3(between(-1, 1), between(-1, 1), between(-1, 1)).normalized() * a.minCoeff();
        const auto height = [&](const Vec3& n) { return d.dot(n) + a.cwiseProduct(n).norm(); };
        const nlohmann::ordered_json input{{"m", 1},
                                           {"g", 9.81},
                                           {"omega", 0},
                                           {"semi_axes", {a[0], a[1], a[2]}},
                                           {"centre", {d[0], d[1], d[2]}},
                                           {"inertia", {{0.6, 0, 0}, {0, 0.7, 0}, {0, 0, 0.8}}},
                                           {"X", {0, 0}},
                                           {"q", {1, 0, 0, 0}},
                                           {"Omega", {0, 0, 0}}};
        const Analysis analysis = caseOf(input).system->analyze({});
        SCOPED_TRACE(trial);
        EXPECT_EQ(analysis.more.at("counts").at("check").word(), "fit");
        EXPECT_EQ(analysis.more.at("counts").at("index_sum").number(), 2);
        double lowest = 1e9, highest = 0;
        for (const Equilibrium& e : analysis.equilibria) {
            Vec3 n;
            for (int k = 0; k < 3; ++k)
                n[k] = std::get<double>(e.state[static_cast<std::size_t>(k + 1)].value);
            const double Z = std::get<double>(e.state[0].value);
            EXPECT_NEAR(Z, height(n), 1e-12);
            const Vec3 slope = d + a.cwiseProduct(a).cwiseProduct(n) / a.cwiseProduct(n).norm();
            EXPECT_LE((slope - n * n.dot(slope)).norm(), 1e-11);
            lowest = std::min(lowest, Z);
            highest = std::max(highest, Z);
            EXPECT_EQ(e.stability == verdict::stable, e.secondVariation->negative == 0);
        }
        for (int i = 0; i < 2000; ++i) {
            const double h = height(Vec3(between(-1, 1), between(-1, 1), between(-1, 1)).normalized());
            EXPECT_GE(h, lowest * (1 - 1e-12));
            EXPECT_LE(h, highest * (1 + 1e-12));
        }
    }
}

} // namespace
} // namespace casimir::constrained
