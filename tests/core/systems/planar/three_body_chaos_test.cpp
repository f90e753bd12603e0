// The plots of three bodies that show chaos, and what is said of the splitting that makes it.
#include "core/numerics/parallel.h"
#include "core/systems/planar/splitting/splitting_claims.h"
#include "core/systems/planar/three_body/three_body_chaos.h"
#include "core/systems/planar/three_body/three_body_equilibria.h"
#include "core/systems/planar/three_body/three_body_section.h"
#include "core/systems/planar/three_body/three_body_system.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace casimir::planar {
namespace {

PlotRequest asked(const std::string& id, const std::map<std::string, std::string>& options)
{
    for (const PlotInfo& info : chaosPlots())
        if (info.id == id)
            return {id, plotOptions(info, options), {}};
    throw std::logic_error(id);
}

Vector5d startOf(const ThreeBody& bodies)
{
    Vector5d z;
    z << 0.9, -0.7, bodies.lockedMomenta(0.9, -0.7);
    return z;
}

TEST(ThreeBodyChaos, EveryCrossingLiesWhereTheEnergyAllowsIt)
{
    const ThreeBody bodies{ThreeBodyParameters{}};
    const double energy = 1.5 * bodies.amendedPotential(0.0, 0.0);
    const auto plot = chaosPlot(
        bodies, startOf(bodies),
        asked("section", {{"orbits", "3"}, {"crossings", "20"}, {"energy", std::to_string(energy)}}));
    ASSERT_TRUE(plot);
    ASSERT_EQ(plot->clouds.size(), 3u);
    const ThreeBodySection section(bodies, ThreeBodySection::Angle::Theta21, 0,
                                   std::stod(std::to_string(energy)));
    for (const PointCloud& cloud : plot->clouds) {
        EXPECT_EQ(cloud.x.size(), 20u);
        for (std::size_t k = 0; k < cloud.x.size(); ++k) {
            const auto range = section.momenta(cloud.x[k]);
            ASSERT_TRUE(range);
            const double slack = 1e-7 * (range->second - range->first);
            EXPECT_GE(cloud.y[k], range->first - slack);
            EXPECT_LE(cloud.y[k], range->second + slack);
        }
    }
}

TEST(ThreeBodyChaos, APartThatIsSeenCloselyHasOrbitsOfItsOwn)
{
    const ThreeBody bodies{ThreeBodyParameters{}};
    PlotRequest request = asked("section", {{"orbits", "6"}, {"crossings", "30"}});
    const auto whole = chaosPlot(bodies, startOf(bodies), request);
    ASSERT_TRUE(whole);
    // A hundredth of the picture, about a point of it.
    const PointCloud& orbit = whole->clouds.front();
    const double w = 0.05 * (whole->x.max - whole->x.min), h = 0.05 * (whole->y.max - whole->y.min);
    request.window = PlotWindow{orbit.x[0] - w, orbit.x[0] + w, orbit.y[0] - h, orbit.y[0] + h};
    const auto part = chaosPlot(bodies, startOf(bodies), request);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->x.min, whole->x.min); // the axes stay: all can be shown again
    EXPECT_EQ(part->y.max, whole->y.max);
    const auto seen = [&](const Plot& plot) {
        std::size_t count = 0;
        for (const PointCloud& cloud : plot.clouds)
            for (std::size_t k = 0; k < cloud.x.size(); ++k)
                count += cloud.x[k] >= request.window->xMin && cloud.x[k] <= request.window->xMax &&
                         cloud.y[k] >= request.window->yMin && cloud.y[k] <= request.window->yMax;
        return count;
    };
    std::size_t kept = 0;
    for (const PointCloud& cloud : part->clouds)
        kept += cloud.x.size();
    EXPECT_EQ(kept, seen(*part));
    EXPECT_GT(seen(*part), 3 * seen(*whole));
}

TEST(ThreeBodyChaos, AClickOnASectionStartsThereWithItsEnergy)
{
    const auto& kind = threeBodyKind();
    const ThreeBodySystem system(kind, kind.schema.defaults());
    PlotRequest request = asked("section", {{"angle", "theta32"}, {"at", "pi"}});
    request.start = system.inputsOf(system.start({{"theta1", 0.4}, {"mu2", 2.5}}));
    const double energy = system.quantity("H", 0, system.start(request.start));
    const ThreeBodySection section(system.bodies(), ThreeBodySection::Angle::Theta32, 3.14159265358979323846,
                                   energy);
    const auto seeds = section.seeds(2);
    ASSERT_EQ(seeds.size(), 2u);
    const Eigen::Vector2d c = section.coordinates(seeds.back());
    const State picked = system.start(system.pickFrom(request, c.x(), c.y()));
    EXPECT_NEAR(picked[0], c.x(), 1e-12);
    EXPECT_NEAR(picked[2], -c.y(), 1e-12);
    EXPECT_NEAR(std::cos(picked[1]), -1, 1e-12);
    EXPECT_NEAR(system.quantity("H", 0, picked), energy, 1e-12 * energy);
    EXPECT_EQ(picked[5], 0.4);
    EXPECT_TRUE(system.pickFrom(request, c.x(), 1e3).empty());
}

TEST(ThreeBodyChaos, AtAnUnstableEquilibriumTheExponentIsItsGrowthRate)
{
    const ThreeBody bodies{ThreeBodyParameters{}};
    int tried = 0;
    for (const ThreeBodyEquilibrium& e : equilibria(bodies).equilibria) {
        double growth = 0;
        bool turning = false; // a spiral's growth is seen only over many turns, and rounding ends it before
        for (const auto& s : e.eigenvalues)
            if (s.real() > growth) {
                growth = s.real();
                turning = s.imag() != 0;
            }
        if (growth < 0.05 || turning)
            continue;
        ++tried;
        // Rounding takes e^(growth t) to leave the equilibrium.
        const double turns = 20 / growth / typicalTurn(bodies, e.energy);
        EXPECT_NEAR(lyapunovExponent(bodies, e.state(), turns, 0.5), growth, 1e-3 * growth);
    }
    EXPECT_GT(tried, 0);
}

TEST(ThreeBodyChaos, AMapCalledOffEndsAfterItsFirstAnswer)
{
    const ThreeBody bodies{ThreeBodyParameters{}};
    PlotRequest request = asked("lyapunov-map", {{"turns", "10"}});
    int answers = 0;
    request.publish = [&](const Plot& plot, double progress) {
        ++answers;
        EXPECT_EQ(plot.maps.size(), 1u);
        EXPECT_LT(progress, 1);
    };
    request.cancelled = [&] { return answers > 0; };
    const auto plot = chaosPlot(bodies, startOf(bodies), request);
    ASSERT_EQ(plot->maps.size(), 1u);
    EXPECT_LT(plot->maps.front().columns, 96);
}

TEST(OnAllCores, EveryTaskRunsOnceAndWhatItThrowsIsThrown)
{
    std::vector<int> runs(1000);
    EXPECT_TRUE(runOnAllCores(1000, [&](int i, const auto&) { ++runs[static_cast<std::size_t>(i)]; }));
    EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), 1000);
    EXPECT_THROW(runOnAllCores(10,
                               [](int i, const auto&) {
                                   if (i == 3)
                                       throw std::runtime_error("three");
                               }),
                 std::runtime_error);
    EXPECT_FALSE(runOnAllCores(
        4,
        [](int, const std::atomic<bool>& stop) {
            while (!stop) {
            }
        },
        [](double) { return false; }));
}

TEST(SplittingClaims, HoldAndFailWhereAnIntegralIsAltered)
{
    for (const Claim& claim : splittingClaims())
        EXPECT_EQ(claim.verdict, "holds") << claim.id << claim.computed;
    const MelnikovFormulas right = melnikovFormulas();
    MelnikovFormulas altered = right;
    altered.driven = [&](const TwoBody& b, double Omega, double t0) {
        return 1.01 * right.driven(b, Omega, t0);
    };
    altered.attached = [&](const ThreeBodyParameters& p, double mu3, double y0) {
        return right.attached(p, mu3, y0 + 0.1);
    };
    for (const Claim& claim : splittingClaims(altered))
        EXPECT_FALSE(claim.expected) << claim.id;
}

} // namespace
} // namespace casimir::planar
