// The rod's motion and its presentation: what is kept, what grows, what a person asks for.
#include "core/base/error.h"
#include "core/systems/rod/rigid_body/rigid_body_system.h"
#include "core/systems/rod/rod/rod_claims.h"
#include "core/systems/rod/rod/rod_system.h"
#include "tests/core/systems/rod/rod_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace casimir::rod {
namespace {

std::vector<Assignment> inwardRod(double spin)
{
    return {{"M_B", 20.0}, {"JB1", 10.0}, {"JB2", 10.0},      {"JB3", 20.0},
            {"r0x", 1.0},  {"d3x", -1.0}, {"spin_rate", spin}};
}

TEST(RodMotion, TenThousandStepsKeepEnergyAndMomenta)
{
    const auto system = made(tilted(3, 8));
    const State x = system->start({{"kick", 0.1}, {"kick_mode", 2}});
    const RodDynamics& dynamics = system->dynamics();
    RodState s = system->unpacked(x);
    const double energy = dynamics.energy(s);
    const Vec3 J = dynamics.angularMomentum(s);
    double worstEnergy = 0, worstJ = 0, worstP = 0, scale = 0;
    for (const Vec3& p : s.p)
        scale += p.norm();
    for (int k = 0; k < 10000; ++k) {
        ASSERT_TRUE(dynamics.step(s, 1.0 / 60).converged) << k;
        worstEnergy = std::max(worstEnergy, std::abs(dynamics.energy(s) / energy - 1));
        worstJ = std::max(worstJ, (dynamics.angularMomentum(s) - J).norm() / J.norm());
        worstP = std::max(worstP, dynamics.linearMomentum(s).norm() / scale);
    }
    EXPECT_LE(worstEnergy, 1e-9);
    EXPECT_LE(worstJ, 1e-9);
    EXPECT_LE(worstP, 1e-9);
}

TEST(RodMotion, ARelativeEquilibriumTurnsAsOneBody)
{
    const auto system = made(tilted(3, 8));
    const RodDynamics& dynamics = system->dynamics();
    RodState s = system->unpacked(system->start({}));
    const double moment = dynamics.rod().lockedInertia(dynamics.configurationOf(s))(2, 2);
    const double strain = dynamics.strainEnergy(s);
    for (int k = 0; k < 600; ++k)
        ASSERT_TRUE(dynamics.step(s, 1.0 / 60).converged);
    EXPECT_NEAR(dynamics.rod().lockedInertia(dynamics.configurationOf(s))(2, 2), moment, 1e-9);
    EXPECT_NEAR(dynamics.strainEnergy(s), strain, 1e-9);
}

TEST(RodMotion, TheStepIsOfSecondOrder)
{
    const auto system = made(tilted(2, 6));
    const State x = system->start({{"kick", 0.1}, {"kick_mode", 2}});
    const auto after = [&](int steps) {
        RodState s = system->unpacked(x);
        for (int k = 0; k < steps; ++k)
            EXPECT_TRUE(system->dynamics().step(s, 0.05 / steps).converged);
        return s;
    };
    // Short enough for the fastest shear waves of the elements.
    const RodState a = after(100), b = after(200), c = after(400);
    EXPECT_NEAR((a.x.back() - b.x.back()).norm() / (b.x.back() - c.x.back()).norm(), 4, 0.5);
}

TEST(RodMotion, ABuckledRodLeavesAtTheGrowthRateOfTheSpectrum)
{
    auto assignments = inwardRod(4);
    assignments.push_back({"N", 20L});
    const auto system = made(assignments);
    const auto& modes = system->movingModes().modes;
    double rate = 0;
    int growing = 1;
    for (std::size_t k = 0; k < modes.size(); ++k)
        if (modes[k].value.real() > rate) {
            rate = modes[k].value.real();
            growing = static_cast<int>(k) + 1;
        }
    EXPECT_NEAR(rate, 2.957, 0.03); // other elements than the value
    RodState s =
        system->unpacked(system->start({{"kick", 1e-6}, {"kick_mode", static_cast<double>(growing)}}));
    const RodDynamics& dynamics = system->dynamics();
    const auto sideways = [&] {
        const RodConfiguration at = dynamics.configurationOf(s);
        const Vec3 tip = at.q[0].conjugate() * (at.x.back() - at.x[0]);
        return std::hypot(tip.y(), tip.z());
    };
    const double first = sideways();
    for (int k = 0; k < 120; ++k)
        ASSERT_TRUE(dynamics.step(s, 1.0 / 120).converged);
    EXPECT_NEAR(std::log(sideways() / first), rate, 0.02);
}

TEST(RodMotion, DampingTakesEnergyAndNoMomentum)
{
    auto assignments = tilted(3, 8);
    assignments.push_back({"damping", 0.02});
    const auto system = made(assignments);
    RodState s = system->unpacked(system->start({{"kick", 0.1}, {"kick_mode", 3}}));
    const RodDynamics& dynamics = system->dynamics();
    const Vec3 J = dynamics.angularMomentum(s);
    double before = dynamics.energy(s);
    const double first = before;
    for (int k = 0; k < 300; ++k) {
        ASSERT_TRUE(dynamics.step(s, 1.0 / 60).converged);
        const double now = dynamics.energy(s);
        EXPECT_LE(now, before + 1e-12);
        before = now;
    }
    EXPECT_LT(before, first - 1e-4);
    EXPECT_LE((dynamics.angularMomentum(s) - J).norm(), 1e-11);
}

TEST(RodMotion, AStepThatDoesNotConvergeIsHalvedAndCounted)
{
    const auto system = made(tilted(3, 16));
    const State x = system->start({{"impulse_x", 2}, {"impulse_y", 1.5}, {"impulse_z", -1.5}});
    IntegrationOptions options;
    options.step = 0.1;
    const auto run = system->integrate("conserving", 0, x, options);
    const double before = system->quantity("H", 0, x);
    ASSERT_TRUE(advanceTo(*run, 1).ok());
    EXPECT_GT(system->quantity("halved", 1, run->state()), 0);
    EXPECT_NEAR(system->quantity("H", 1, run->state()) / before, 1, 1e-9);
}

TEST(RodMotion, OneModeIsWhatTheFullMotionDoesForSmallAmplitudes)
{
    const auto system = made(tilted(2, 8));
    const StateInputs start{{"kick", 1e-4}, {"kick_mode", 2}};
    const State x = system->start(start);
    IntegrationOptions options;
    options.step = 1e-3;
    const auto full = system->integrate("conserving", 0, x, options);
    const auto mode = system->integrate("mode", 0, x, options);
    ASSERT_TRUE(advanceTo(*full, 0.5).ok());
    ASSERT_TRUE(advanceTo(*mode, 0.5).ok());

    const Eigen::Index tip = 13 * static_cast<Eigen::Index>(system->rod().nodes() - 1);
    const Vec3 a = full->state().segment<3>(tip), b = mode->state().segment<3>(tip);
    EXPECT_LE((a - b).norm(), 2e-6); // the step's phase error and the square of the amplitude
}

TEST(RodSystem, AnswersWhatTheCommandLineAsks)
{
    const auto system = made({{"spin_rate", 3.0}, {"N", 20L}, {"spin_search_max", 18.0}});
    const Analysis analysis = system->analyze({});
    ASSERT_TRUE(analysis.status.ok());
    const auto& more = analysis.more;
    for (const char* key :
         {"relative_equilibrium", "rigid_block", "internal_min_fixed_momentum", "internal_min_fixed_spin",
          "lambda0", "off_diagonal", "frequencies", "growth_rate", "negative_directions",
          "critical_spin_rate", "stability", "elements", "error_estimate"})
        EXPECT_TRUE(more.contains(key)) << key;
    const auto& wanted =
        reference().at("d_free_assembly").at("cases").at("D1_radial_disc").at("rows").at(1).at("values");
    EXPECT_NEAR(more.at("relative_equilibrium").at("tip_body").at(0).number(), wanted.at("tip_body_x"), 1e-4);
    EXPECT_NEAR(more.at("frequencies").at(0).number() / wanted.at("freq1").get<double>(), 1, 1e-3);
    EXPECT_NEAR(more.at("critical_spin_rate").number() / 16.526492156707242, 1, 1e-3);
    EXPECT_EQ(more.at("stability"), "stable");
    EXPECT_LE(more.at("off_diagonal").number(), 1e-12);
    EXPECT_LT(more.at("error_estimate").number(), 2e-3);
}

TEST(RodSystem, ExtrapolatedNumbersAreMuchCloserThanTheirElements)
{
    const auto system = made({{"spin_rate", 3.0}, {"N", 32L}, {"accuracy", std::string("extrapolated")}});
    const Analysis analysis = system->analyze({});
    const auto& wanted =
        reference().at("d_free_assembly").at("cases").at("D1_radial_disc").at("rows").at(1).at("values");
    EXPECT_NEAR(analysis.more.at("internal_min_fixed_momentum").number() /
                    wanted.at("min_Vmu_on_VINT").get<double>(),
                1, 1e-5);
    EXPECT_TRUE(analysis.more.at("extrapolated").truth());
    EXPECT_LT(analysis.more.at("error_estimate").number(), 1e-4);
}

TEST(RodSystem, UnitsOfLengthMassAndTimeDoNotMatter)
{
    // Twice as long, three times as heavy per length, EI 5: all frequencies scale by √(EI/ρ_A L⁴).
    const double L = 2, rho = 3, EI = 5, rate = std::sqrt(EI / (rho * std::pow(L, 4)));
    const double J = rho * L * L * L, force = EI / (L * L);
    const auto scaled = made({{"L", L},
                              {"rho_A", rho},
                              {"M_B", 5 * rho * L},
                              {"JB1", 0.4 * J},
                              {"JB2", 0.4 * J},
                              {"JB3", 0.7 * J},
                              {"r0x", 0.3 * L},
                              {"GA1", 128.205128205128205 * force},
                              {"GA2", 128.205128205128205 * force},
                              {"EA", 400 * force},
                              {"EI1", EI},
                              {"EI2", EI},
                              {"GJ", EI * 0.76923076923076923},
                              {"j1", 0.0025 * rho * L * L},
                              {"j2", 0.0025 * rho * L * L},
                              {"j3", 0.005 * rho * L * L},
                              {"spin_rate", 3 * rate}});
    const auto natural = made({{"spin_rate", 3.0}});
    const Analysis a = scaled->analyze({}), b = natural->analyze({});
    EXPECT_NEAR(a.more.at("frequencies").at(1).number() / rate, b.more.at("frequencies").at(1).number(),
                1e-9);
    EXPECT_NEAR(a.more.at("relative_equilibrium").at("tip_body").at(0).number() / L,
                b.more.at("relative_equilibrium").at("tip_body").at(0).number(), 1e-10);
}

TEST(RodSystem, WithoutARodItIsTheRigidBody)
{
    // A rod of no mass to speak of: the rigid block is Euler's, the precession that of the free body.
    const auto system = made({{"rho_A", 1e-9},
                              {"JB1", 0.4},
                              {"JB2", 0.5},
                              {"JB3", 0.9},
                              {"j1", 1e-9},
                              {"j2", 1e-9},
                              {"j3", 1e-9},
                              {"spin_rate", 2.0},
                              {"spin_search_max", 2.0}});
    const Analysis analysis = system->analyze({});
    ASSERT_TRUE(analysis.status.ok()) << analysis.status.sentence;
    const double I1 = 0.4, I2 = 0.5, I3 = 0.9, omega = 2, mu = I3 * omega;
    EXPECT_NEAR(analysis.more.at("rigid_block").at(0).number(), mu * mu * (1 / I2 - 1 / I3), 1e-6);
    EXPECT_NEAR(analysis.more.at("rigid_block").at(1).number(), mu * mu * (1 / I1 - 1 / I3), 1e-6);
    EXPECT_NEAR(analysis.more.at("frequencies").at(0).number(),
                omega * std::sqrt((I3 - I1) * (I3 - I2) / (I1 * I2)), 1e-6);
    // The system of the body alone says the same.
    const Kind& kind = rigidBodyKind();
    const Analysis alone =
        kind.make(kind.schema.with(kind.schema.defaults(), {{"I1", I1}, {"I2", I2}, {"I3", I3}, {"mu", mu}}))
            ->analyze({});
    const auto axis3 = std::find_if(alone.equilibria.begin(), alone.equilibria.end(),
                                    [](const Equilibrium& e) { return e.name == "axis-3"; });
    ASSERT_NE(axis3, alone.equilibria.end());
    EXPECT_EQ(analysis.equilibria[0].stability, axis3->stability);
    EXPECT_NEAR(analysis.equilibria[0].energy, axis3->energy, 1e-6);
    EXPECT_NEAR(*analysis.equilibria[0].spinRate, *axis3->spinRate, 1e-9);
    for (int k = 0; k < 2; ++k)
        EXPECT_NEAR(analysis.more.at("rigid_block").at(k).number(),
                    mu * mu * axis3->secondVariation->eigenvalues[static_cast<std::size_t>(k)], 1e-6);
}

TEST(RodMotion, WithoutARodTheBodyWobblesAsTheClosedFormSays)
{
    const Vec3 I(0.4, 0.5, 0.9);
    const auto system = made({{"rho_A", 1e-6},
                              {"JB1", I[0]},
                              {"JB2", I[1]},
                              {"JB3", I[2]},
                              {"GA1", 0.128},
                              {"GA2", 0.128},
                              {"EA", 0.4},
                              {"EI1", 1e-3},
                              {"EI2", 1e-3},
                              {"GJ", 1e-3},
                              {"j1", 1e-9},
                              {"j2", 1e-9},
                              {"j3", 1e-9},
                              {"N", 4L},
                              {"spin_rate", 2.0},
                              {"spin_search_max", 2.0}});
    const auto velocity = [&](const State& x) {
        return Vec3(system->quantity("omega_x", 0, x), system->quantity("omega_y", 0, x),
                    system->quantity("omega_z", 0, x));
    };
    // Among the vibrations of the rod the one that is the body's own precession.
    State x0;
    Vec3 start = Vec3::Zero();
    for (int mode = 1; mode <= modesOffered; ++mode) {
        const State x = system->start({{"kick", 0.2}, {"kick_mode", mode}});
        if (const Vec3 w = velocity(x); w.head<2>().norm() > start.head<2>().norm()) {
            x0 = x;
            start = w;
        }
    }
    ASSERT_GT(start.head<2>().norm(), 0.3); // a wobble worth the name
    const RigidBodyMotion alone(RigidBody({I, I.cwiseProduct(start).norm()}), I.cwiseProduct(start));
    IntegrationOptions options;
    options.step = 2e-3;
    const auto run = system->integrate("conserving", 0, x0, options);
    for (const double t : {0.5, 1.0, 2.0}) {
        ASSERT_TRUE(advanceTo(*run, t).ok());
        EXPECT_NEAR((velocity(run->state()) - alone.momentum(t).cwiseQuotient(I)).norm(), 0, 2e-5) << t;
    }
}

TEST(RodSystem, BeyondItsBranchItSaysTheLastGoodSpinRate)
{
    const auto system = made({{"spin_rate", 60.0}, {"spin_search_max", 5.0}});
    const Analysis analysis = system->analyze({});
    EXPECT_FALSE(analysis.status.ok());
    EXPECT_GT(analysis.more.at("last_good_spin_rate").number(), 10);
    EXPECT_TRUE(system->start({}).allFinite());
}

TEST(RodClaims, AllComeOutAsStated)
{
    const std::vector<Claim> claims = rodClaims(1);
    EXPECT_GE(claims.size(), 15u);
    for (const Claim& claim : claims) {
        EXPECT_TRUE(claim.expected) << claim.id << ", digits " << claim.digits << ": " << claim.computed;
        EXPECT_EQ(claim.verdict, claim.erratum.empty() ? "holds" : "holds as corrected") << claim.id;
    }
}

const Claim& find(const std::vector<Claim>& claims, const std::string& id)
{
    for (const Claim& claim : claims)
        if (claim.id == id)
            return claim;
    throw std::runtime_error("no claim " + id);
}

TEST(RodClaims, AnAlteredCoefficientIsNoticed)
{
    static constexpr double slightly = 1 + 1e-4;
    RodFormulas f = rodFormulas();
    f.rigidBlock = [g = f.rigidBlock](const Mat3& II, double mu) {
        return Eigen::Matrix2d(slightly * g(II, mu));
    };
    f.parallelAxes = [g = f.parallelAxes](const Mat3& o, double m, const Vec3& c) {
        return g(o, slightly * m, c);
    };
    f.inertiaVariation = [](const Rod& rod, const RodConfiguration& at, const Vec3& xi) {
        return Eigen::MatrixXd(slightly * rod.inertiaVariation(at, xi));
    };
    f.kineticEnergy = [g = f.kineticEnergy](double m, const Vec3& v) { return slightly * g(m, v); };
    const std::vector<Claim> claims = rodClaims(1, f);
    for (const char* id : {"(5.34)", "abstract, (ii)", "(5.26)", "(5.35)-(5.37)", "(4.11), (4.12), (5.9)"})
        EXPECT_EQ(find(claims, id).verdict, "fails as printed") << id;
}

} // namespace
} // namespace casimir::rod
