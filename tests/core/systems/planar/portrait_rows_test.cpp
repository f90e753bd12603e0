// The portrait's vector loops against their plain twins: the level curves written down point by point.
#include "core/systems/planar/two_body/portrait_rows.h"
#include "core/systems/planar/two_body/two_body_portrait.h"
#include "tests/core/systems/planar/two_body_cases.h"

#include <gtest/gtest.h>

namespace casimir::planar {
namespace {

using std::numbers::pi;

constexpr double ulps = 8 * 2.220446049250313e-16;

TEST(PortraitRows, LibrationsAreThoseOfThePlainFormulasToRounding)
{
    for (const TwoBodyParameters& p : allParameters(61)) {
        const TwoBody b(p);
        const double saddle = b.mu() * b.mu() / (2 * b.foldedInertia()),
                     least = b.mu() * b.mu() / (2 * b.stretchedInertia());
        for (const double part : {1e-6, 0.3, 0.9, 1 - 1e-7}) {
            const EnergyLevel level = levelOfEnergy(b, least + part * (saddle - least));
            if (classify(b, level) != OrbitKind::Libration)
                continue; // the coupling is so small that rounding decides
            const double reach = level.aboveStretched - level.aboveFolded;
            const LibrationRow row{b.foldedInertia(),
                                   b.coupling(),
                                   b.straightDeterminant(),
                                   -0.5 * b.inertiaDifference() * b.mu(),
                                   std::sqrt(level.aboveStretched / reach),
                                   std::sqrt(-level.aboveFolded / reach),
                                   std::sqrt(level.aboveStretched)};
            constexpr std::size_t n = 67; // no whole number of vectors
            std::vector<double> sine(n), cosine(n), psi(n), upper(n), lower(n);
            for (std::size_t j = 0; j < n; ++j) {
                const double u = 0.5 * pi * static_cast<double>(j) / (n - 1);
                sine[j] = std::sin(u);
                cosine[j] = std::cos(u);
            }
            librationRow(row, sine.data(), cosine.data(), n, psi.data(), upper.data(), lower.data());
            for (std::size_t j = 0; j < n; ++j) {
                const double s = row.k * sine[j];
                const double c2 = cosine[j] * cosine[j] + row.kPrime * row.kPrime * sine[j] * sine[j];
                const double angle = 2 * std::atan2(s, std::sqrt(c2));
                const double S = b.foldedInertia() + 4 * b.coupling() * c2;
                const double det = b.straightDeterminant() + 4 * b.coupling() * b.coupling() * s * s * c2;
                const double centre = row.halfMomentum / S,
                             rise = row.amplitude * std::sqrt(det) * cosine[j] / S;
                const double size = std::abs(centre) + rise;
                ASSERT_NEAR(psi[j], angle, ulps * angle);
                ASSERT_NEAR(upper[j], centre + rise, ulps * size);
                ASSERT_NEAR(lower[j], centre - rise, ulps * size);
            }
        }
    }
}

// HomoclinicPair writes the same curve by another formula.
TEST(PortraitRows, ThePairOfThePortraitIsTheHomoclinicPair)
{
    for (const TwoBodyParameters& p : allParameters(62)) {
        const TwoBody b(p);
        const HomoclinicPair pair(b);
        for (const int points : {8, 9, 101, 512}) {
            const TwoBodyPortrait picture = portrait(b, 12, points, usualWindow(b));
            ASSERT_EQ(picture.homoclinicUpper->points.size(), static_cast<std::size_t>(points));
            for (const auto* curve : {&*picture.homoclinicUpper, &*picture.homoclinicLower})
                for (const Eigen::Vector2d& at : curve->points) {
                    const double psi = at[0] - b.theta0();
                    // The ends are the saddle; the rounded angle of the folded state is not quite.
                    const bool end = pi - std::abs(psi) < 1e-6;
                    const auto nu = [&](double where) { return pair.nu(where, curve->branch); };
                    // psi is known to the rounding of theta, which a steep curve magnifies.
                    const double slope = end ? 0 : std::abs(nu(psi + 1e-7) - nu(psi - 1e-7)) / 2e-7;
                    ASSERT_NEAR(at[1], end ? pair.saddleNu() : nu(psi),
                                2e-14 * (std::abs(b.mu()) + std::abs(at[1])) +
                                    1e-15 * slope * (pi + std::abs(at[0])));
                }
        }
    }
}

TEST(PortraitRows, BothHalvesOfEveryCurveMirrorEachOther)
{
    const TwoBody b(figure1());
    const TwoBodyPortrait picture = portrait(b, 30, 64, usualWindow(b));
    for (const PhaseCurve& curve : picture.curves) {
        const auto& points = curve.points;
        const std::size_t n = points.size();
        for (std::size_t i = 0; i < n; ++i) {
            // Librations: u -> -u; rotations: psi -> -psi.
            const Eigen::Vector2d& twin = points[curve.branch == 0 ? (n - i) % n : n - 1 - i];
            ASSERT_EQ(points[i][0] - b.theta0(), -(twin[0] - b.theta0()));
            ASSERT_EQ(points[i][1], twin[1]);
        }
        for (std::size_t i = 1; i < n; ++i)
            ASSERT_NE(points[i], points[i - 1]);
    }
}

} // namespace
} // namespace casimir::planar
