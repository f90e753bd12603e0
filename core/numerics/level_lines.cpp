#include "core/numerics/level_lines.h"

#include <array>
#include <cstddef>

namespace casimir {

namespace {

// Every edge of the grid that the line crosses is joined to at most two others, one in each cell beside it.
class Tracer {
public:
    Tracer(const NodeGrid& grid, std::span<const double> values, double level)
        : grid_(grid),
          values_(values),
          level_(level),
          horizontal_((grid.columns - 1) * grid.rows),
          joined_(static_cast<std::size_t>(horizontal_ + grid.columns * (grid.rows - 1)), {-1, -1})
    {
    }

    std::vector<LevelLine> trace()
    {
        for (int j = 0; j + 1 < grid_.rows; ++j)
            for (int i = 0; i + 1 < grid_.columns; ++i)
                cell(i, j);
        std::vector<LevelLine> lines;
        const int count = static_cast<int>(joined_.size());
        for (const bool closed : {false, true})
            for (int e = 0; e < count; ++e) {
                const auto& ends = joined_[static_cast<std::size_t>(e)];
                if (ends[0] >= 0 && (closed || ends[1] < 0))
                    lines.push_back(follow(e, closed));
            }
        return lines;
    }

private:
    double at(int i, int j) const
    {
        return values_[static_cast<std::size_t>(j) * grid_.columns + i] - level_;
    }
    bool high(int i, int j) const { return at(i, j) > 0; }
    int along(int i, int j) const { return j * (grid_.columns - 1) + i; } // from (i, j) to (i + 1, j)
    int across(int i, int j) const
    {
        return horizontal_ + j * grid_.columns + i;
    } // from (i, j) to (i, j + 1)

    void join(int a, int b)
    {
        for (const auto& [from, to] : {std::array{a, b}, std::array{b, a}}) {
            auto& ends = joined_[static_cast<std::size_t>(from)];
            ends[ends[0] < 0 ? 0 : 1] = to;
        }
    }

    void cell(int i, int j)
    {
        const bool a = high(i, j), b = high(i + 1, j), c = high(i + 1, j + 1), d = high(i, j + 1);
        std::array<int, 4> crossed{};
        int n = 0;
        if (a != b)
            crossed[n++] = along(i, j);
        if (b != c)
            crossed[n++] = across(i + 1, j);
        if (c != d)
            crossed[n++] = along(i, j + 1);
        if (d != a)
            crossed[n++] = across(i, j);
        if (n == 2) {
            join(crossed[0], crossed[1]);
        } else if (n == 4) {
            const bool middle = at(i, j) + at(i + 1, j) + at(i + 1, j + 1) + at(i, j + 1) > 0;
            if (middle == a) { // corners b and d are cut off
                join(crossed[0], crossed[1]);
                join(crossed[2], crossed[3]);
            } else {
                join(crossed[3], crossed[0]);
                join(crossed[1], crossed[2]);
            }
        }
    }

    void addPoint(int edge, LevelLine& line) const
    {
        const bool isAlong = edge < horizontal_;
        const int width = isAlong ? grid_.columns - 1 : grid_.columns,
                  k = isAlong ? edge : edge - horizontal_;
        const int i = k % width, j = k / width;
        const double first = at(i, j), second = isAlong ? at(i + 1, j) : at(i, j + 1),
                     part = first / (first - second);
        line.x.push_back(grid_.xMin +
                         (i + (isAlong ? part : 0)) * (grid_.xMax - grid_.xMin) / (grid_.columns - 1));
        line.y.push_back(grid_.yMin +
                         (j + (isAlong ? 0 : part)) * (grid_.yMax - grid_.yMin) / (grid_.rows - 1));
    }

    LevelLine follow(int edge, bool closed)
    {
        LevelLine line;
        for (int next = edge; next >= 0;) {
            addPoint(next, line);
            auto& ends = joined_[static_cast<std::size_t>(next)];
            const int here = next;
            next = ends[0] >= 0 ? ends[0] : ends[1];
            ends = {-1, -1};
            if (next >= 0) {
                auto& back = joined_[static_cast<std::size_t>(next)];
                back[back[0] == here ? 0 : 1] = -1;
            }
        }
        if (closed) {
            line.x.push_back(line.x.front());
            line.y.push_back(line.y.front());
        }
        return line;
    }

    const NodeGrid& grid_;
    std::span<const double> values_;
    double level_;
    int horizontal_;
    std::vector<std::array<int, 2>> joined_;
};

} // namespace

std::vector<LevelLine> levelLines(const NodeGrid& grid, std::span<const double> values, double level)
{
    if (grid.columns < 2 || grid.rows < 2)
        return {};
    return Tracer(grid, values, level).trace();
}

} // namespace casimir
