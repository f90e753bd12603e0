// Three bodies against values computed independently with 34 digits (tests/reference/README.md).
#include "core/systems/planar/three_body/three_body_cases.h"
#include "core/systems/planar/three_body/three_body_system.h"
#include "tests/core/support/files.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace casimir::planar {
namespace {

using nlohmann::json;

const json& cases()
{
    static const json all = test::referenceFile("planar_three_body.json").at("cases");
    return all;
}

ThreeBodyParameters parametersOf(const json& input)
{
    const auto m = input.at("m").get<std::array<double, 3>>(), I = input.at("I").get<std::array<double, 3>>();
    return {.m1 = m[0],
            .m2 = m[1],
            .m3 = m[2],
            .I1 = I[0],
            .I2 = I[1],
            .I3 = I[2],
            .c1 = input.at("c1"),
            .b1 = input.at("b1"),
            .e1 = input.at("e1"),
            .e2 = input.at("e2"),
            .d1 = input.at("d1"),
            .mu = input.at("mu")};
}

Values valuesOf(const json& input)
{
    const ThreeBodyParameters p = parametersOf(input);
    Values values = threeBodyKind().schema.defaults();
    const std::pair<const char*, double> all[] = {{"m1", p.m1}, {"m2", p.m2}, {"m3", p.m3}, {"I1", p.I1},
                                                  {"I2", p.I2}, {"I3", p.I3}, {"c1", p.c1}, {"b1", p.b1},
                                                  {"e1", p.e1}, {"e2", p.e2}, {"d1", p.d1}, {"mu", p.mu}};
    for (const auto& [id, x] : all)
        values.set(id, x);
    return values;
}

double away(double angle, double wanted)
{
    return std::abs(principalAngle(angle - wanted));
}

class ThreeBodyReference : public testing::TestWithParam<int> {
protected:
    const json& ref() const { return cases().at(static_cast<std::size_t>(GetParam())); }
    std::string caseName() const { return ref().at("name"); }
    bool onBifurcation() const { return caseName().ends_with("_degenerate"); }
    ThreeBody bodies() const { return ThreeBody(parametersOf(ref().at("input"))); }
};

void expectEquilibrium(const ThreeBodyEquilibrium& e, const json& wanted, bool multiple)
{
    const double angles = multiple ? 1e-7 : 1e-10, rates = multiple ? 1e-4 : 1e-10,
                 tight = multiple ? 1e-7 : 1e-10;
    EXPECT_LE(away(e.x, wanted.at("theta21")), angles);
    EXPECT_LE(away(e.y, wanted.at("theta32")), angles);
    EXPECT_NEAR(e.omega, wanted.at("omega0"), tight * std::abs(e.omega));
    EXPECT_NEAR(e.energy, wanted.at("energy"), tight * e.energy);
    EXPECT_NEAR(e.lockedInertia, wanted.at("I_locked"), tight * e.lockedInertia);
    const auto mu = wanted.at("mu").get<std::array<double, 3>>();
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(e.momenta[k], mu[static_cast<std::size_t>(k)], tight * e.momenta.norm());
    const auto& s = wanted.at("eigenvalues");
    double size = 0;
    for (const auto& z : e.eigenvalues)
        size = std::max(size, std::abs(z));
    if (multiple) {
        // A pair of zeros may come out real or imaginary: as a set.
        for (const auto& z : e.eigenvalues) {
            double nearest = 1e300;
            for (const json& w : s)
                nearest = std::min(nearest, std::abs(z - std::complex<double>(w.at(0), w.at(1))));
            EXPECT_LE(nearest, rates * size);
        }
        EXPECT_EQ(e.stability, "degenerate");
        return;
    }
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_LE(std::abs(e.eigenvalues[k] - std::complex<double>(s.at(k).at(0), s.at(k).at(1))),
                  rates * size)
            << k;
    EXPECT_EQ(e.index, wanted.at("index_V").get<int>());
    const auto signature = wanted.at("signature_H_plus_C_Phi2_zero").get<std::array<int, 2>>();
    EXPECT_EQ(e.signature.positive, signature[0]);
    EXPECT_EQ(e.signature.negative, signature[1]);
    // The signature of the whole form must be that of the potential's.
    EXPECT_EQ((e.secondVariationEigenvalues.array() > 0).count(), signature[0]);
    EXPECT_NEAR(e.polynomial.p, wanted.at("char_poly_p"),
                1e-10 * std::max(std::abs(e.polynomial.p), size * size));
    EXPECT_NEAR(e.polynomial.q, wanted.at("char_poly_q"),
                1e-10 * std::max(std::abs(e.polynomial.q), std::pow(size, 4)));
    const std::string type = wanted.at("type");
    EXPECT_EQ(e.stability, type.starts_with("stable")       ? "stable"
                           : type.starts_with("gyroscopic") ? "spectrally stable"
                           : type.starts_with("unstable")   ? "unstable"
                                                            : "degenerate");
    const auto& h = wanted.at("hessian_V");
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            EXPECT_NEAR(e.potentialHessian(i, j),
                        h.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)).get<double>(),
                        1e-10 * e.potentialHessian.norm());
}

TEST_P(ThreeBodyReference, EquilibriaHaveTheReferencesAnglesEnergiesEigenvaluesAndVerdicts)
{
    const ThreeBodyEquilibria found = equilibria(bodies());
    const json& wanted = ref().at("equilibria");
    SCOPED_TRACE(caseName());
    ASSERT_EQ(found.equilibria.size(), ref().at("number_of_equilibria").get<std::size_t>());
    for (const json& w : wanted) {
        const ThreeBodyEquilibrium* nearest = nullptr;
        double least = 1e300;
        for (const ThreeBodyEquilibrium& e : found.equilibria) {
            const double d = std::hypot(away(e.x, w.at("theta21")), away(e.y, w.at("theta32")));
            if (d < least) {
                least = d;
                nearest = &e;
            }
        }
        SCOPED_TRACE(nearest->name);
        expectEquilibrium(*nearest, w, w.at("type") == "degenerate");
    }
}

TEST_P(ThreeBodyReference, AMultipleEquilibriumSaysHowManyCoincide)
{
    SCOPED_TRACE(caseName());
    for (const ThreeBodyEquilibrium& e : equilibria(bodies()).equilibria) {
        if (e.stability != "degenerate") {
            EXPECT_EQ(e.merged, 1);
            continue;
        }
        EXPECT_TRUE(onBifurcation());
        EXPECT_EQ(e.merged, caseName() == "three_fold_degenerate" ? 2 : 4);
        EXPECT_NE(e.detail.find(e.merged == 2 ? "pair" : "monkey saddle"), std::string::npos) << e.detail;
    }
}

TEST_P(ThreeBodyReference, DerivedCoefficientsAndRegionAreTheReferences)
{
    SCOPED_TRACE(caseName());
    const ThreeBodyCoefficients f = bodies().coefficients();
    const json& derived = ref().at("derived");
    const double size = 1e-13 * f.size();
    EXPECT_NEAR(f.A1, derived.at("A1"), size);
    EXPECT_NEAR(f.B1, derived.at("B1"), size);
    EXPECT_NEAR(f.B2, derived.at("B2"), size);
    EXPECT_NEAR(f.C1, derived.at("C1"), size);
    EXPECT_NEAR(f.C2, derived.at("C2"), size);
    if (derived.contains("region")) {
        const KappaTau at{*kappaOf(f), *tauOf(f)};
        EXPECT_NEAR(at.kappa, derived.at("kappa"), 1e-13 * std::abs(at.kappa));
        EXPECT_NEAR(at.tau, derived.at("tau"), 1e-13 * std::abs(at.tau));
        const std::string words = derived.at("region");
        EXPECT_EQ(std::string(name(regionOf(at))), words == "outside: kappa+tau<1"   ? "O_sum"
                                                   : words == "outside: tau>1+kappa" ? "O_tau"
                                                   : words == "outside: kappa>1+tau" ? "O_kappa"
                                                                                     : words);
    }
    if (derived.contains("sextic_highest_first")) {
        const auto c = sextic(f);
        double scale = 0;
        for (const auto& z : c)
            scale = std::max(scale, std::abs(z));
        for (std::size_t k = 0; k < 7; ++k) {
            const json& z = derived.at("sextic_highest_first").at(k);
            EXPECT_LE(std::abs(c[k] - std::complex<double>(z.at(0), z.at(1))), 1e-13 * scale) << k;
        }
    }
}

TEST_P(ThreeBodyReference, TheFieldAtTheInitialStateIsTheReferences)
{
    SCOPED_TRACE(caseName());
    const auto theta = ref().at("initial_state").at("theta").get<std::array<double, 3>>(),
               mu = ref().at("initial_state").at("mu").get<std::array<double, 3>>();
    const json& at = ref().at("at_initial_state");
    const ThreeBody b = bodies();
    const Vector5d z{theta[1] - theta[0], theta[2] - theta[1], mu[0], mu[1], mu[2]};
    Eigen::Vector3d omega;
    const Vector5d rate = b.reducedField(z, omega);
    EXPECT_NEAR(b.hamiltonian(z), at.at("H"), 1e-12 * b.hamiltonian(z));
    const Vector5d gradient = b.hamiltonianGradient(z);
    EXPECT_NEAR(gradient[0], at.at("dH_dtheta21"), 1e-11 * gradient.norm());
    EXPECT_NEAR(gradient[1], at.at("dH_dtheta32"), 1e-11 * gradient.norm());
    for (std::size_t k = 0; k < 3; ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        EXPECT_NEAR(omega[i], at.at("omega").at(k), 1e-11 * omega.norm());
        EXPECT_NEAR(rate[2 + i], at.at("mu_dot").at(k), 1e-11 * rate.norm());
    }
}

TEST_P(ThreeBodyReference, TheMotionReachesTheReferencesStates)
{
    SCOPED_TRACE(caseName());
    const auto theta = ref().at("initial_state").at("theta").get<std::array<double, 3>>(),
               mu = ref().at("initial_state").at("mu").get<std::array<double, 3>>();
    const auto system = threeBodyKind().make(valuesOf(ref().at("input")));
    const State start = system->start({{"theta21", theta[1] - theta[0]},
                                       {"theta32", theta[2] - theta[1]},
                                       {"mu2", mu[1]},
                                       {"mu3", mu[2]},
                                       {"theta1", theta[0]}});
    for (const auto& [time, wanted] : ref().at("state_at").items()) {
        IntegrationOptions options;
        options.rtol = 1e-12;
        const auto run = system->integrate(system->methods().front().id, 0, start, options);
        const double t = std::stod(time);
        ASSERT_TRUE(advanceTo(*run, t).ok());
        // A chaotic motion multiplies the error of each step; the reference says how much of its own.
        const double tolerance = 1e-7;
        for (std::size_t k = 0; k < 3; ++k) {
            const char* id[] = {"theta1", "theta2", "theta3"};
            const char* momentum[] = {"mu1", "mu2", "mu3"};
            EXPECT_NEAR(system->quantity(id[k], t, run->state()), wanted.at("theta").at(k),
                        tolerance * (1 + t));
            EXPECT_NEAR(system->quantity(momentum[k], t, run->state()), wanted.at("mu").at(k),
                        tolerance * (1 + t));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, ThreeBodyReference, testing::Range(0, static_cast<int>(cases().size())));

} // namespace
} // namespace casimir::planar
