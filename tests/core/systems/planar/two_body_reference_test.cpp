// Two bodies against values computed independently with 34 digits (tests/reference/README.md).
#include "core/systems/planar/two_body/two_body_equilibria.h"
#include "core/systems/planar/two_body/two_body_orbits.h"
#include "tests/core/support/files.h"
#include "tests/core/systems/planar/two_body_cases.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numbers>

namespace casimir::planar {
namespace {

using nlohmann::json;

const json& cases()
{
    static const json all = test::referenceFile("planar_two_body.json").at("cases");
    return all;
}

TwoBody bodiesOf(const json& input)
{
    const auto d12 = input.at("d12").get<std::array<double, 2>>(),
               d21 = input.at("d21").get<std::array<double, 2>>();
    const std::complex<double> a(d12[0], d12[1]), b(d21[0], d21[1]);
    TwoBodyParameters p;
    p.m1 = input.at("m1");
    p.m2 = input.at("m2");
    p.I1 = input.at("I1");
    p.I2 = input.at("I2");
    p.d1 = std::abs(a);
    p.d2 = std::abs(b);
    p.theta0 = principalAngle(std::arg(-a * std::conj(b)));
    p.mu = input.at("mu");
    return TwoBody(p);
}

// Relative to the reference; where that is zero, to a scale of the same unit.
void expectClose(double value, const json& reference, const std::string& what, double scale = 0,
                 double tolerance = 1e-10)
{
    const double wanted = reference.get<double>();
    EXPECT_NEAR(value, wanted, tolerance * std::max(std::abs(wanted), scale)) << what;
}

class TwoBodyReference : public testing::TestWithParam<int> {
protected:
    const json& ref() const { return cases().at(GetParam()); }
    TwoBody bodies() const { return bodiesOf(ref().at("input")); }
};

void expectOrbit(const TwoBodyOrbit& orbit, const json& ref)
{
    ASSERT_EQ(name(orbit.kind), ref.at("kind").get<std::string>());
    ASSERT_TRUE(orbit.phase && orbit.period);
    expectClose(*orbit.period, ref.at("period"), "period");
    expectClose(orbit.phase->dynamicLocked, ref.at("dynamic_phase_locked"), "dynamic phase, locked");
    if (orbit.kind == OrbitKind::Libration) {
        expectClose(*orbit.turningAngle, ref.at("psi_max"), "turning angle");
        expectClose(*orbit.area, ref.at("loop_integral_nu_dtheta"), "area");
        expectClose(orbit.phase->geometricLocked, ref.at("geometric_phase_locked"), "geometric phase, locked",
                    1);
        expectClose(*orbit.phase->dynamicMontgomery, ref.at("dynamic_phase_2ET_over_mu"), "2ET/mu");
        expectClose(*orbit.phase->geometricMontgomery, ref.at("geometric_phase_loop"), "loop/mu");
        expectClose(orbit.phase->rotationBody1, ref.at("rotation_body1"), "rotation of body 1");
    } else {
        expectClose(orbit.phase->geometricLocked, ref.at("geometric_phase_locked_positive"),
                    "geometric, growing");
        expectClose(orbit.phaseFalling->geometricLocked, ref.at("geometric_phase_locked_negative"),
                    "falling");
        expectClose(orbit.phase->rotationBody1, ref.at("rotation_body1_positive"),
                    "rotation of body 1, growing");
        expectClose(orbit.phaseFalling->rotationBody1, ref.at("rotation_body1_negative"),
                    "rotation of body 1, falling");
        expectClose(orbit.phase->loopMu2, ref.at("loop_integral_mu2_dtheta_positive"), "loop of mu2");
    }
}

TEST_P(TwoBodyReference, DerivedConstantsAgree)
{
    const TwoBody b = bodies();
    const json& derived = ref().at("derived");
    expectClose(b.epsilon(), derived.at("eps"), "epsilon", 0, 1e-14);
    expectClose(b.I1Tilde(), derived.at("I1_tilde"), "I1~", 0, 1e-14);
    expectClose(b.I2Tilde(), derived.at("I2_tilde"), "I2~", 0, 1e-14);
    expectClose(b.coupling(), derived.at("eps_d1_d2"), "D", 0, 1e-14);
    expectClose(b.theta0(), derived.at("theta0"), "theta0", 1, 1e-14);
}

TEST_P(TwoBodyReference, EquilibriaAgree)
{
    const TwoBodyEquilibria found = equilibria(bodies());
    ASSERT_TRUE(found.status.ok());
    ASSERT_EQ(found.equilibria.size(), ref().at("equilibria").size());
    for (std::size_t i = 0; i < found.equilibria.size(); ++i) {
        const TwoBodyEquilibrium& e = found.equilibria[i];
        const json& r = ref().at("equilibria").at(i);
        EXPECT_EQ(e.name, r.at("name").get<std::string>());
        expectClose(e.theta, r.at("theta"), "theta", 1);
        expectClose(e.omega, r.at("omega"), "omega");
        expectClose(e.nu, r.at("nu"), "nu", bodies().mu());
        expectClose(e.mu1, r.at("mu1"), "mu1");
        expectClose(e.mu2, r.at("mu2"), "mu2");
        expectClose(e.energy, r.at("energy"), "energy");
        expectClose(e.d2Hdtheta2, r.at("d2H_dtheta2"), "d2H/dtheta2");
        expectClose(e.d2Hdtheta2, r.at("d2V"), "V''");
        expectClose(e.d2Hdnu2, r.at("d2H_dnu2"), "d2H/dnu2");
        expectClose((e.eigenvalues[1] * e.eigenvalues[1]).real(), r.at("eigenvalue_squared"),
                    "eigenvalue squared");
        expectClose(e.eigenvalues[1].real(), r.at("eigenvalue").at(0), "real part");
        expectClose(e.eigenvalues[1].imag(), r.at("eigenvalue").at(1), "imaginary part");
    }
}

TEST_P(TwoBodyReference, HomoclinicPairAgrees)
{
    const TwoBody b = bodies();
    const HomoclinicPair pair(b);
    const json& r = ref().at("homoclinic");
    expectClose(pair.energy(), r.at("energy"), "energy");
    expectClose(pair.nuMax(), r.at("max_nu"), "max nu");
    expectClose(pair.nuMin(), r.at("min_nu"), "min nu");
    // The reference found these angles by minimising, the two_5 maximum sits at 0.
    expectClose(pair.psiAtMax(), std::abs(r.at("psi_at_max").get<double>()), "psi at max", 1);
    expectClose(pair.psiAtMin(), std::abs(r.at("psi_at_min").get<double>()), "psi at min", 1);
    expectClose(pair.saddleNu(), r.at("saddle_nu"), "saddle", b.mu());
    expectClose(pair.nu(0, 1), r.at("nu_upper_at_theta0"), "upper at theta0");
    expectClose(pair.nu(0, -1), r.at("nu_lower_at_theta0"), "lower at theta0");
    expectClose(pair.nu(1, 1), r.at("nu_upper_at_psi_1"), "upper at psi = 1");
    expectClose(pair.time(1, 1), r.at("time_from_theta0_to_psi_1"), "time to psi = 1");
    expectClose(pair.growthRate(), ref().at("equilibria").at(1).at("eigenvalue").at(0), "growth rate");
}

TEST_P(TwoBodyReference, PeriodsAndPhasesAgree)
{
    for (const json& r : ref().at("orbits")) {
        SCOPED_TRACE(r.at("energy"));
        expectOrbit(orbitOfEnergy(bodies(), r.at("energy")), r);
    }
}

TEST_P(TwoBodyReference, OrbitOfTheInitialStateAgrees)
{
    const json& x = ref().at("initial_state");
    const json& r = ref().at("orbit_of_initial_state");
    const TwoBodyOrbit orbit = orbitThrough(bodies(), x.at("theta"), x.at("nu"));
    expectClose(orbit.energy, r.at("energy"), "energy");
    expectOrbit(orbit, r);
}

TEST_P(TwoBodyReference, FieldAtTheInitialStateAgrees)
{
    const TwoBody b = bodies();
    const json& x = ref().at("initial_state");
    const json& r = ref().at("at_initial_state");
    const double theta = x.at("theta"), nu = x.at("nu");
    const Eigen::Vector3d state(theta, x.at("mu1").get<double>(), x.at("mu2").get<double>());
    const Eigen::Vector3d rate = b.reducedField(state);
    const Eigen::Vector2d leafRate = b.leafField(theta, nu),
                          omega = b.velocities<double>(theta, {state[1], state[2]});
    expectClose(b.hamiltonian(state), r.at("H"), "H");
    expectClose(b.leafHamiltonian(theta, nu), r.at("H"), "H on the leaf");
    expectClose(b.amendedPotential(theta), r.at("V"), "V");
    expectClose(b.lambda(theta), r.at("lam"), "lambda");
    expectClose(b.lambdaPrime(theta), r.at("lam_prime"), "lambda'");
    expectClose(omega[0], r.at("omega1"), "omega1");
    expectClose(omega[1], r.at("omega2"), "omega2");
    expectClose(rate[0], r.at("theta_dot"), "theta'");
    expectClose(rate[1], r.at("mu1_dot"), "mu1'");
    expectClose(rate[2], r.at("mu2_dot"), "mu2'");
    expectClose(leafRate[0], r.at("theta_dot"), "theta' on the leaf");
    expectClose(leafRate[1], r.at("nu_dot"), "nu'");
}

TEST_P(TwoBodyReference, StateReachedAgreesAtTime10And100)
{
    const TwoBody b = bodies();
    const json& x = ref().at("initial_state");
    for (const auto& [time, r] : ref().at("state_at").items()) {
        SCOPED_TRACE(time);
        const Eigen::Vector3d start(x.at("theta").get<double>(), x.at("nu").get<double>(),
                                    x.at("theta1").get<double>());
        const Eigen::Vector3d end = flow(b, start, std::stod(time));
        expectClose(end[0], r.at("theta"), "theta", 1, 1e-8);
        expectClose(end[1], r.at("nu"), "nu", b.mu(), 1e-8);
        expectClose(end[2], r.at("theta1"), "theta1", 1, 1e-8);
        expectClose(b.onLeaf(end[0], end[1])[1], r.at("mu1"), "mu1", 0, 1e-8);
        expectClose(b.onLeaf(end[0], end[1])[2], r.at("mu2"), "mu2", 0, 1e-8);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, TwoBodyReference, testing::Range(0, static_cast<int>(cases().size())),
                         [](const auto& c) {
                             return cases().at(c.param).at("name").template get<std::string>();
                         });

} // namespace
} // namespace casimir::planar
