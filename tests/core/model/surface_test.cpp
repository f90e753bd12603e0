// The relief of a plot's field: heights, normals and picking against the closed form of the field.
#include "core/model/plot.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace casimir {
namespace {

using std::numbers::pi;

double field(double x, double y)
{
    return 2 + std::cos(x) * std::sin(y);
}

Plot landscape()
{
    Plot plot;
    plot.x = {{.id = "x", .symbol = "x", .name = "x", .unit = "rad", .period = 2 * pi}, -pi, pi};
    plot.y = {{.id = "y", .symbol = "y", .name = "y", .unit = "rad", .period = 2 * pi}, -pi, pi};
    HeatMap map;
    map.columns = 240;
    map.rows = 180;
    map.smooth = true;
    map.min = 1;
    map.max = 3;
    for (int j = 0; j < map.rows; ++j)
        for (int i = 0; i < map.columns; ++i)
            map.values.push_back(static_cast<float>(
                field(-pi + 2 * pi * (i + 0.5) / map.columns, -pi + 2 * pi * (j + 0.5) / map.rows)));
    plot.maps = {std::move(map)};
    return plot;
}

TEST(Relief, isAsHighAsTheFieldAndGoesRoundItsPeriods)
{
    const Surface surface = *reliefOf(landscape());
    const double unit = surface.height(3) - surface.height(1);
    EXPECT_GT(unit, 0.5 * surface.radius);
    for (double x = -3.1; x < 3.14; x += 0.37)
        for (double y = -3.1; y < 3.14; y += 0.41) {
            const Eigen::Vector3d p = surface.embed(x, y);
            EXPECT_NEAR(p.x(), surface.radius * x / pi, 1e-12);
            EXPECT_NEAR(p.y(), surface.radius * y / pi, 1e-12);
            // Between cells of 1/40 rad the field bends by less than 1/40² / 8 in each direction.
            EXPECT_NEAR((p.z() - surface.height(1)) / unit, (field(x, y) - 1) / 2, 2e-4);
        }
    EXPECT_NEAR(surface.embed(pi, 1).z(), surface.embed(-pi, 1).z(), 1e-9);
    EXPECT_NEAR(surface.embed(1, pi).z(), surface.embed(1, -pi).z(), 1e-9);
}

TEST(Relief, itsNormalIsAcrossTheSlopesOfTheField)
{
    const Surface surface = *reliefOf(landscape());
    const double perUnit = (surface.height(3) - surface.height(1)) / 2;
    for (double x = -3; x < 3; x += 0.53)
        for (double y = -3; y < 3; y += 0.47) {
            const Eigen::Vector3d along(surface.radius / pi, 0, -perUnit * std::sin(x) * std::sin(y));
            const Eigen::Vector3d up(0, surface.radius / pi, perUnit * std::cos(x) * std::cos(y));
            EXPECT_NEAR((surface.normal(x, y) - along.cross(up).normalized()).norm(), 0, 2e-3);
        }
}

TEST(Relief, aRayMeetsItWhereItIsFirstSeen)
{
    const Surface surface = *reliefOf(landscape());
    const Eigen::Vector3d eye(3.1, -4, 2.2);
    int seen = 0;
    for (double x = -3; x < 3; x += 0.3)
        for (double y = -3; y < 3; y += 0.3) {
            const Eigen::Vector3d p = surface.embed(x, y);
            const auto hit = surface.pick(eye, p - eye, 0);
            ASSERT_TRUE(hit);
            const Eigen::Vector3d met = surface.embed(hit->x(), hit->y());
            // On the ray, and nothing nearer than what was aimed at is passed by.
            EXPECT_LT((met - eye).cross((p - eye).normalized()).norm(), 1e-6);
            EXPECT_LT((met - eye).norm(), (p - eye).norm() + 1e-4);
            seen += (met - p).norm() < 1e-4;
        }
    EXPECT_GT(seen, 200); // the rest lies behind a hill
    EXPECT_FALSE(surface.pick(eye, eye, 0));
    EXPECT_FALSE(surface.pick({0, 0, 5}, {1, 0, 0}, 0));
}

TEST(Relief, aPlotWithoutAFieldHasNone)
{
    Plot plot = landscape();
    plot.maps.front().smooth = false; // each cell an answer of its own
    EXPECT_FALSE(reliefOf(plot));
    plot = landscape();
    plot.maps.front().values.pop_back();
    EXPECT_FALSE(reliefOf(plot));
    plot.maps.clear();
    EXPECT_FALSE(reliefOf(plot));
    plot = landscape();
    plot.maps.front().values.assign(plot.maps.front().values.size(), 2.5f); // flat
    plot.maps.front().min = plot.maps.front().max = 2.5;
    const Surface surface = *reliefOf(plot);
    EXPECT_EQ(surface.embed(1, 1).z(), surface.embed(-2, 3).z());
    EXPECT_TRUE(surface.embed(1, 1).allFinite());
}

} // namespace
} // namespace casimir
