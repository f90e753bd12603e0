#include "core/numerics/level_lines.h"

#include <gtest/gtest.h>

#include <cmath>

namespace casimir {
namespace {

template <class F>
std::vector<double> sampled(const NodeGrid& grid, F&& f)
{
    std::vector<double> values;
    for (int j = 0; j < grid.rows; ++j)
        for (int i = 0; i < grid.columns; ++i)
            values.push_back(f(grid.xMin + i * (grid.xMax - grid.xMin) / (grid.columns - 1),
                               grid.yMin + j * (grid.yMax - grid.yMin) / (grid.rows - 1)));
    return values;
}

bool closed(const LevelLine& line)
{
    return line.x.front() == line.x.back() && line.y.front() == line.y.back();
}

TEST(LevelLines, OfAConeIsOneClosedCircleOfTheRightLength)
{
    const NodeGrid grid{81, 61, -2, 2, -1.5, 1.5};
    const auto lines =
        levelLines(grid, sampled(grid, [](double x, double y) { return std::hypot(x, y); }), 1);
    ASSERT_EQ(lines.size(), 1u);
    ASSERT_TRUE(closed(lines[0]));
    double length = 0;
    for (std::size_t k = 0; k < lines[0].x.size(); ++k) {
        EXPECT_NEAR(std::hypot(lines[0].x[k], lines[0].y[k]), 1, 1e-3);
        if (k > 0)
            length += std::hypot(lines[0].x[k] - lines[0].x[k - 1], lines[0].y[k] - lines[0].y[k - 1]);
    }
    EXPECT_NEAR(length, 2 * std::acos(-1.0), 5e-3);
}

TEST(LevelLines, OfAPlaneAreStraightAndEndAtTheEdges)
{
    const NodeGrid grid{5, 4, 0, 4, 0, 3};
    const auto lines = levelLines(grid, sampled(grid, [](double x, double y) { return x + 0.5 * y; }), 2.25);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_FALSE(closed(lines[0]));
    for (std::size_t k = 0; k < lines[0].x.size(); ++k)
        EXPECT_NEAR(lines[0].x[k] + 0.5 * lines[0].y[k], 2.25, 1e-14);
    EXPECT_NEAR(std::abs(lines[0].y.front() - lines[0].y.back()), 3, 1e-14);
}

TEST(LevelLines, OfASaddleAreTwoThatDoNotCross)
{
    // x y = 0.1: one branch in each of two opposite quadrants.
    const NodeGrid grid{40, 40, -1, 1, -1, 1};
    const auto lines = levelLines(grid, sampled(grid, [](double x, double y) { return x * y; }), 0.1);
    ASSERT_EQ(lines.size(), 2u);
    for (const LevelLine& line : lines)
        for (std::size_t k = 0; k < line.x.size(); ++k) {
            EXPECT_GT(line.x[k] * line.x.front(), 0);
            EXPECT_NEAR(line.x[k] * line.y[k], 0.1, 1e-3);
        }
}

TEST(LevelLines, AreNoneBeyondTheValues)
{
    const NodeGrid grid{3, 3};
    EXPECT_TRUE(levelLines(grid, sampled(grid, [](double x, double y) { return x - y; }), 5).empty());
}

} // namespace
} // namespace casimir
