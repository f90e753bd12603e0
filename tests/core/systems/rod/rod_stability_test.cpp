// The energy-momentum test against independent values: blocks, bound, spectrum, limits of stability.
#include "core/model/analysis.h"
#include "core/systems/rod/rod_stability.h"
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
            const std::vector<double> g = frequencies(spectrumOf(at, 8, 0, false, true));
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

} // namespace
} // namespace casimir::rod
