// Lines of equal value of a function given on a grid, for contours in plots.
#pragma once

#include <span>
#include <vector>

namespace casimir {

// Nodes in rows from the lower left: node (i, j) lies at (xMin + i (xMax - xMin)/(columns - 1), ...).
struct NodeGrid {
    int columns = 0, rows = 0;
    double xMin = 0, xMax = 1, yMin = 0, yMax = 1;
};

struct LevelLine {
    std::vector<double> x, y; // the first point again at the end where it is closed
};

// Marching squares, linear between nodes; a cell with two opposite high corners is joined as its middle says.
std::vector<LevelLine> levelLines(const NodeGrid& grid, std::span<const double> values, double level);

} // namespace casimir
