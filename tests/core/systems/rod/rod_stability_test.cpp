// The energy-momentum test against independent values: blocks, bound, spectrum, limits of stability.
#include "core/model/analysis.h"
#include "core/systems/rod/rod/rod_branch.h"
#include "tests/core/systems/rod/rod_cases.h"

#include <gtest/gtest.h>

#include <cmath>

namespace casimir::rod {
namespace {

std::vector<double> frequencies(const RodSpectrum& spectrum)
{
    std::vector<double> all;
    for (const RodMode& mode : spectrum.modes)
        all.push_back(mode.value.imag());
    std::sort(all.begin(), all.end());
    return all;
}

class FreeAssembly : public testing::TestWithParam<int> {};

TEST_P(FreeAssembly, BlocksAndSpectrumAgreeWithTheReferenceAtEqualElements)
{
    const RodCase c = freeAssembly(GetParam(), 20);
    const Rod rod(c.parameters);
    for (const auto& row : reference().at("d_free_assembly").at("cases").at(c.name).at("rows")) {
        const auto& wanted = row.at("N20");
        const RodEquilibrium e = followFromRest(rod, c.axis, row.at("om"));
        const RodLinearisation at(rod, e);
        const RodBlocks b = blocksOf(at);
        SCOPED_TRACE(c.name + std::string(" at ") + std::to_string(e.omega));
        const auto near = [&](double x, const char* field) {
            const double y = wanted.at(field);
            EXPECT_NEAR(x, y, 3e-9 * (1 + std::abs(y))) << field;
        };
        near(b.moments[0], "I1");
        near(b.moments[1], "I2");
        near(b.moments[2], "I3");
        near(b.lambda0, "lambda0");
        near(b.internalFixedSpin, "min_Vxi_on_VINT");
        near(b.internalFixedMomentum, "min_Vmu_on_VINT");
        near(b.rigid[0], "SRIG_1");
        near(b.rigid[1], "SRIG_2");
        EXPECT_LE(b.offDiagonal, 1e-12);
        EXPECT_EQ(b.negative, b.negativeRigid + b.negativeInternal);
        EXPECT_EQ(b.negativeInternal == 0, row.at("V_INT") == "positive");
        EXPECT_GE(b.internalFixedSpin, b.bound() * (1 - 1e-12) - 1e-12);
        const RodSpectrum spectrum = spectrumOf(at, 8);
        const std::vector<double> f = frequencies(spectrum);
        near(f[0], "freq1");
        near(f[1], "freq2");
        near(f[2], "freq3");
        near(f[3], "freq4");
        // The definite form gives the same exponents by another route.
        if (b.negative == 0) {
            const std::vector<double> g = frequencies(spectrumOf(at, 8));
            for (int k = 0; k < 6; ++k)
                EXPECT_NEAR(g[k], f[k], 1e-8 * (1 + f[k]));
        }
        const std::string verdict = verdictOf(b, spectrum, 0).stability;
        EXPECT_EQ(verdict == verdict::stable, row.at("energy_momentum") == "formally stable");
        EXPECT_EQ(verdict == verdict::unstable,
                  row.at("spectral").get<std::string>().find("unstable") != std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, FreeAssembly, testing::Values(1, 2, 4, 7));

// The blend of consistent and lumped mass that the system uses for frequencies.
RodParameters vibrating(RodParameters p)
{
    p.consistency = vibrationConsistency;
    return p;
}

// And the one it uses for everything else.
RodParameters standard(RodParameters p)
{
    p.consistency = RodParameters{}.consistency;
    return p;
}

double relative(double x, double wanted)
{
    return std::abs(x - wanted) / std::max(1.0, std::abs(wanted));
}

TEST_P(FreeAssembly, ThirtyTwoElementsAreWithinThreeInTenThousandAndExtrapolationWithinOneInAMillion)
{
    const auto numbers = [&](int elements, double omega) {
        const RodCase c = freeAssembly(GetParam(), elements);
        const Rod rod(standard(c.parameters)), shaken(vibrating(c.parameters));
        const RodEquilibrium e = followFromRest(rod, c.axis, omega);
        const RodLinearisation other(shaken, followFromRest(shaken, c.axis, omega));
        const RodLinearisation at(rod, e);
        const RodBlocks b = blocksOf(at);
        const Vec3 tip = e.at.q[0].conjugate() * (e.at.x.back() - e.at.x[0]);
        const std::vector<double> f = frequencies(spectrumOf(other, 8));
        return std::vector<double>{tip.x(),
                                   tip.y(),
                                   tip.z(),
                                   b.lambda,
                                   b.mu,
                                   b.lambda0,
                                   b.internalFixedSpin,
                                   b.internalFixedMomentum,
                                   b.rigid[0],
                                   b.rigid[1],
                                   f[0],
                                   f[1],
                                   f[2]};
    };
    const char* fields[] = {
        "tip_body_x",      "tip_body_y", "tip_body_z", "Izz",   "mu",    "lambda0", "min_Vxi_on_VINT",
        "min_Vmu_on_VINT", "SRIG_1",     "SRIG_2",     "freq1", "freq2", "freq3"};
    for (const auto& row :
         reference().at("d_free_assembly").at("cases").at(freeAssembly(GetParam(), 4).name).at("rows")) {
        const double omega = row.at("om");
        const auto n10 = numbers(10, omega), n20 = numbers(20, omega), n40 = numbers(40, omega),
                   n32 = numbers(32, omega);
        for (std::size_t k = 0; k < n32.size(); ++k) {
            const double wanted = row.at("values").at(fields[k]), known = row.at("err").at(fields[k]);
            EXPECT_LE(relative(n32[k], wanted), 3e-4) << fields[k] << " at " << omega;
            EXPECT_LE(relative(extrapolate(n10[k], n20[k], n40[k]).value, wanted),
                      1e-6 + known / std::max(1.0, std::abs(wanted)))
                << fields[k] << " at " << omega;
        }
    }
}

struct Limit {
    int assembly;
    double from, to;
    const char* quantity;
    double wanted;
};

class CriticalSpinRate : public testing::TestWithParam<Limit> {};

TEST_P(CriticalSpinRate, AgreesWithTheReference)
{
    const Limit& limit = GetParam();
    const auto found = [&](int elements) {
        const RodCase c = freeAssembly(limit.assembly, elements);
        const Rod rod(standard(c.parameters));
        const auto critical = nextCritical(rod, followFromRest(rod, c.axis, limit.from), limit.to);
        return critical ? critical->omega : 0;
    };
    const double n16 = found(16), n32 = found(32), n64 = found(64);
    EXPECT_LE(std::abs(n32 / limit.wanted - 1), 3e-4);
    EXPECT_LE(std::abs(extrapolate(n16, n32, n64).value / limit.wanted - 1), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Cases, CriticalSpinRate,
                         testing::Values(Limit{1, 16, 17, "V_mu", 16.526492156707242},
                                         Limit{2, 2.2, 2.6, "exact transfer matrix", 2.346972489691247},
                                         Limit{7, 5.2, 5.8, "V_mu", 5.51429874409733}));

TEST(CriticalSpinRate, OfTheInwardRodLiesAboveTheBoundByTheLowestEigenvalue)
{
    // Independent values: positivity is lost at 3.0153, where √λ_0 is 2.9984.
    const auto found = [](int elements) {
        const RodCase c = freeAssembly(5, elements);
        const Rod rod(standard(c.parameters));
        const auto fork = nextFork(rod, followFromRest(rod, c.axis, 2.8), 3.2);
        return fork ? fork->at.omega : 0;
    };
    EXPECT_NEAR(extrapolate(found(8), found(16), found(32)).value, 3.0153, 6e-5);
}

TEST(Verdict, OfTheAssembliesIsThatOfTheTheory)
{
    const auto verdict = [](int assembly, double omega, double damping) {
        const RodCase c = freeAssembly(assembly, 12);
        const Rod rod(standard(c.parameters));
        const RodLinearisation at(rod, followFromRest(rod, c.axis, omega));
        return verdictOf(blocksOf(at), spectrumOf(at, 8, damping), damping).stability;
    };
    EXPECT_EQ(verdict(1, 6, 0), verdict::stable);
    EXPECT_EQ(verdict(2, 2.3, 0), verdict::stable);
    EXPECT_EQ(verdict(2, 2.5, 0), verdict::spectrallyStable);
    EXPECT_EQ(verdict(2, 2.5, 1e-3), verdict::unstable);
    EXPECT_EQ(verdict(3, 1, 0), verdict::spectrallyStable);
    EXPECT_EQ(verdict(3, 1, 1e-3), verdict::unstable);
    EXPECT_EQ(verdict(5, 4, 0), verdict::unstable);
    EXPECT_EQ(verdict(6, 3, 0), verdict::unstable);
    EXPECT_EQ(verdict(7, 4.5, 0), verdict::unstable);
    EXPECT_EQ(verdict(7, 5.8, 0), verdict::stable);
}

TEST(Pitchfork, OfTheAxialRodLeadsToABentBranchWithMoreInertia)
{
    const RodCase c = freeAssembly(2, 12);
    const Rod rod(c.parameters);
    const auto bent = bentBranch(rod, c.axis, 3, 4);
    ASSERT_TRUE(bent);
    ASSERT_TRUE(bent->status.ok()) << bent->status.sentence;
    const RodEquilibrium straight = followFromRest(rod, c.axis, 3);
    EXPECT_LE(bent->residual, 1e-9);
    EXPECT_GT(rod.strainEnergy(bent->at), 1e-3);
    // Supercritical: at the same spin rate the bent shape has the lower V - ½ ξ·II ξ.
    const auto amended = [&](const RodEquilibrium& e) {
        return rod.strainEnergy(e.at) - 0.5 * e.omega * e.omega * rod.lockedInertia(e.at)(2, 2);
    };
    EXPECT_LT(amended(*bent), amended(straight));
}

std::vector<double> restFrequencies(double r, int elements, double mass)
{
    RodParameters p = vibrating(slender(r, elements));
    p.bodyMass = mass;
    p.bodyInertia = 1e-3 * mass * Vec3::Ones();
    p.r0.setZero();
    p.CM[1] = 1e3; // bending in one plane only
    const Rod rod(p);
    return frequencies(spectrumOf(RodLinearisation(rod, {.at = atRest(rod, SpinAxis::Z)}), 30));
}

// The bending frequencies among torsion and stretch: those nearest to the wanted.
double nearestTo(const std::vector<double>& all, double wanted)
{
    return *std::min_element(all.begin(), all.end(),
                             [&](double a, double b) { return std::abs(a - wanted) < std::abs(b - wanted); });
}

TEST(Timoshenko, FreeAndClampedFrequenciesAreLimitsOfALightAndAHeavyBody)
{
    for (const auto& set : reference().at("a_timoshenko").at("sets"))
        for (const auto& [mass, field] : {std::pair{1e-9, "free_free"}, std::pair{1e10, "clamped_free"}}) {
            const double r = set.at("r");
            const auto n32 = restFrequencies(r, 32, mass);
            const auto& wanted = set.at(field);
            for (std::size_t k = 0; k < 2; ++k) {
                const double w = wanted.at(k);
                EXPECT_LE(std::abs(nearestTo(n32, w) / w - 1), 1e-3) << field << " " << k << ", r " << r;
            }
            const auto n64 = restFrequencies(r, 64, mass), n128 = restFrequencies(r, 128, mass),
                       n256 = restFrequencies(r, 256, mass);
            for (std::size_t k = 0; k < 6; ++k) {
                const double w = wanted.at(k);
                const double limit =
                    extrapolate(nearestTo(n64, w), nearestTo(n128, w), nearestTo(n256, w)).value;
                EXPECT_LE(std::abs(limit / w - 1), 1e-5) << field << " " << k << ", r " << r;
            }
        }
}

TEST(RotatingCantilever, FrequenciesAgreeWithTheTables)
{
    const auto& tables = reference().at("b_rotating_cantilever");
    for (const auto& row : tables.at("rows")) {
        const double r = row.at("r");
        for (std::size_t i = 0; i < tables.at("Om").size(); ++i) {
            const double omega = tables.at("Om").at(i);
            const auto found = [&](int elements) {
                RodParameters p = slender(r, elements);
                p.bodyMass = 1e9;
                p.bodyInertia = {1e9, 1e9, 1.7e9};
                p.r0 = {row.at("delta"), 0, 0};
                const Rod rod(p);
                return frequencies(
                    spectrumOf(RodLinearisation(rod, followFromRest(rod, SpinAxis::Z, omega)), 14));
            };
            const auto a = found(32), b = found(64), c = found(128);
            for (std::size_t k = 0; k < 4; ++k) {
                const double w = row.at("freqs").at(i).at(k), own = row.at("err_est_per_column").at(k);
                // Flapping and lagging are close: the same place in the order, whatever the elements.
                const auto at =
                    static_cast<std::size_t>(std::find(c.begin(), c.end(), nearestTo(c, w)) - c.begin());
                const double limit = extrapolate(a[at], b[at], c[at]).value;
                EXPECT_LE(std::abs(limit / w - 1), own + 2e-6)
                    << "column " << k << " at " << omega << ", r " << r;
            }
        }
    }
}

} // namespace
} // namespace casimir::rod
