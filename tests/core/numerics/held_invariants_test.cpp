#include "core/model/keeps_invariants.h"
#include "core/numerics/held_invariants.h"
#include "core/numerics/methods.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "core/systems/planar/two_body/two_body_orbits.h"
#include "tests/core/numerics/problems.h"

#include <gtest/gtest.h>

#include <cmath>

namespace casimir {
namespace {

using testing::FreeRigidBody;

IntegrationOptions tolerance(double rtol)
{
    IntegrationOptions options;
    options.rtol = rtol;
    return options;
}

void rigidBodyInvariants(double, const State& M, Eigen::VectorXd& out)
{
    const FreeRigidBody body;
    out << 0.5 * M.cwiseAbs2().cwiseQuotient(body.I).sum(), M.norm();
}

TEST(HeldInvariants, AFreeRigidBodyKeepsEnergyAndMomentumAndStaysNearItsMotion)
{
    const FreeRigidBody body;
    const auto run = [&](bool held, double t) {
        auto integration =
            startIntegration("dopri5", FreeRigidBody::field(), 0, body.exact(0), tolerance(1e-6));
        if (held)
            integration = withInvariants(std::move(integration), rigidBodyInvariants, 2, 1e-10);
        EXPECT_TRUE(advanceTo(*integration, t).ok());
        return State(integration->state());
    };
    const double t = 300;
    const State held = run(true, t), free = run(false, t);
    Eigen::VectorXd kept(2), lost(2);
    rigidBodyInvariants(0, held, kept);
    rigidBodyInvariants(0, free, lost);
    // The size of a quadratic form is that of its gradient, about twice its value.
    EXPECT_NEAR(kept[0] / body.energy, 1, 3e-10);
    EXPECT_NEAR(kept[1] / body.momentum, 1, 3e-10);
    EXPECT_GT(std::abs(lost[0] / body.energy - 1), 1e-8); // so the test can fail
    EXPECT_LT((held - body.exact(t)).norm(), (free - body.exact(t)).norm());
}

TEST(HeldInvariants, TheInterpolantEndsWhereTheNextStepBegins)
{
    const FreeRigidBody body;
    const auto run =
        withInvariants(startIntegration("rkf78", FreeRigidBody::field(), 0, body.exact(0), tolerance(1e-5)),
                       rigidBodyInvariants, 2, 1e-12);
    State end = run->state();
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(run->advance(1000).ok());
        const auto step = run->interpolant();
        EXPECT_EQ(step->sample(step->begin()), end);
        EXPECT_EQ(step->sample(step->end()), run->state());
        end = run->state();
        const double middle = 0.5 * (step->begin() + step->end());
        EXPECT_LT((step->sample(middle) - body.exact(middle)).norm(), 1e-3);
    }
}

TEST(HeldInvariants, AnInvariantThatNothingChangesAndOneThatIsThereTwiceDoNoHarm)
{
    const FreeRigidBody body;
    const auto invariants = [](double t, const State& M, Eigen::VectorXd& out) {
        Eigen::VectorXd two(2);
        rigidBodyInvariants(t, M, two);
        out << two[0], two[1], 7, two[1] * two[1];
    };
    const auto run =
        withInvariants(startIntegration("dopri5", FreeRigidBody::field(), 0, body.exact(0), tolerance(1e-6)),
                       invariants, 4, 1e-10);
    ASSERT_TRUE(advanceTo(*run, 100).ok());
    Eigen::VectorXd kept(2);
    rigidBodyInvariants(0, run->state(), kept);
    EXPECT_NEAR(kept[0] / body.energy, 1, 1e-9);
    EXPECT_NEAR(kept[1] / body.momentum, 1, 1e-9);
}

// Near the separatrix, where an energy that drifts loses the phase.
TEST(Conserving, TwoBodiesKeepTheirEnergyForThousandsOfPeriodsAtHalfTheCostOfDormandPrince)
{
    const Kind& kind = kindNamed("two-body");
    const auto system = kind.factory(kind, kind.schema.defaults());
    const planar::TwoBody b(
        {.m1 = 100, .m2 = 125, .I1 = 50, .I2 = 50, .d1 = 1, .d2 = 0.6, .theta0 = 0, .mu = 50});
    const double energy = planar::HomoclinicPair(b).energy() * (1 - 1e-3);
    const double period = *planar::orbitOfEnergy(b, energy).period;
    const double nu =
        b.nu0(0.0) + std::sqrt(2 * b.delta(0.0) * (energy - b.amendedPotential(0.0)) / b.lockedInertia(0.0));
    const State start = system->start({{"theta", 0}, {"nu", nu}});
    double worst[2] = {0, 0};
    const auto cost = [&](const char* method, double rtol, int periods, double& error) {
        const auto run = system->integrate(method, 0, start, tolerance(rtol));
        EXPECT_TRUE(advanceTo(*run, periods * period, [&](const Integration& at) {
                        error = std::max(error, std::abs(system->quantity("H", 0, at.state()) / energy - 1));
                    }).ok());
        return static_cast<double>(run->evaluations()) / periods;
    };
    const double conserving = cost("conserving", 2e-9, 2000, worst[0]),
                 dopri5 = cost("dopri5", 2e-9, 50, worst[1]);
    EXPECT_LT(worst[0], 1e-9);
    EXPECT_LT(conserving, 0.5 * dopri5);
}

TEST(Conserving, GradientsThatASystemKnowsAreTheDifferenceQuotients)
{
    const Kind& kind = kindNamed("multibody");
    const auto system = kind.factory(kind, kind.schema.defaults());
    const auto* keeps = dynamic_cast<const KeepsInvariants*>(system.get());
    State x = system->start({});
    x += 0.3 * State::LinSpaced(x.size(), -1, 1);
    std::vector<std::size_t> constant;
    for (std::size_t i = 0; i < system->quantities().size(); ++i)
        if (system->quantities()[i].law == Law::constant())
            constant.push_back(i);
    Eigen::MatrixXd known(constant.size(), x.size());
    ASSERT_TRUE(keeps && keeps->invariantGradients(0, x, known));
    const auto at = [&](const State& y) {
        std::vector<double> all(system->quantities().size());
        system->evaluate(0, y, all);
        return all;
    };
    for (Eigen::Index j = 0; j < x.size(); ++j) {
        State ahead = x, behind = x;
        ahead[j] += 1e-5;
        behind[j] -= 1e-5;
        const auto a = at(ahead), b = at(behind);
        for (std::size_t k = 0; k < constant.size(); ++k)
            EXPECT_NEAR(known(static_cast<Eigen::Index>(k), j), (a[constant[k]] - b[constant[k]]) / 2e-5,
                        1e-8 * (1 + known.row(static_cast<Eigen::Index>(k)).norm()));
    }
}

TEST(Conserving, AChainOfTwentyKeepsItsEnergyAndMomentum)
{
    const Kind& kind = kindNamed("multibody");
    const Session session = readSession(presetNamed("multibody", "chain-20").text);
    const auto system = kind.factory(kind, session.values);
    const State start = system->start(session.motions.front().state);
    const auto run = system->integrate("conserving", 0, start, tolerance(1e-6));
    const double energy = system->quantity("H", 0, start), mu = system->quantity("mu", 0, start);
    ASSERT_TRUE(advanceTo(*run, 50, [&](const Integration& at) {
                    ASSERT_NEAR(system->quantity("H", 0, at.state()) / energy, 1, 1e-6);
                    ASSERT_NEAR(system->quantity("mu", 0, at.state()) / mu, 1, 1e-7);
                }).ok());
}

TEST(Conserving, IsOfferedOnlyWhereInvariantsAreDeclared)
{
    const auto offers = [](const char* id) {
        const Kind& kind = kindNamed(id);
        const auto all = kind.factory(kind, kind.schema.defaults())->methods();
        return std::any_of(all.begin(), all.end(), [](const MethodInfo& m) { return m.id == "conserving"; });
    };
    EXPECT_TRUE(offers("two-body"));
    EXPECT_TRUE(offers("three-body"));
    EXPECT_TRUE(offers("multibody"));
    EXPECT_FALSE(offers("servo-rod"));
}

} // namespace
} // namespace casimir
