// The table of the bodies of an exact motion: what the construction made of the chosen numbers.
#include "core/systems/tops/tops_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::tops {

namespace {

// Five digits; what the construction leaves of a zero is a zero.
std::string cell(double value, double largest)
{
    if (std::abs(value) <= 1e-14 * largest)
        return "0";
    return (value < 0 ? "−" : "") + fmt::format("{:.5g}", std::abs(value));
}

void addText(Plot& plot, double x, double y, std::string words, Colour colour = {Role::Neutral})
{
    plot.marks.push_back(
        {.x = x, .y = y, .shape = MarkShape::Text, .colour = colour, .label = std::move(words)});
}

} // namespace

Plot TopsSystem::bodiesPlot() const
{
    const int n = size();
    struct Column {
        const char* symbol;
        const char* unit;
        std::vector<double> values;
    };
    std::vector<Column> columns{{"m", "kg", {}},      {"c", "m", {}},       {"s", "m", {}},
                                {"J^0", "kg m²", {}}, {"J^s", "kg m²", {}}, {"q", "rad/s", {}},
                                {"a", "kg m", {}}};
    for (int i = 0; i < n; ++i) {
        const Top& top = chain().tops()[static_cast<std::size_t>(i)];
        const std::array row{top.m, top.c, i + 1 < n ? top.s : 0, top.J0, top.Js, top.q, chain().a(i)};
        for (std::size_t k = 0; k < row.size(); ++k)
            columns[k].values.push_back(row[k]);
    }
    if (!setup_.motion->steady()) {
        columns.push_back({"P", "kg m²", setup_.motion->P()});
        columns.push_back({"p", "N m s", setup_.motion->p()});
        columns.push_back({"h", "J", setup_.motion->h()});
    }
    constexpr int mostRows = 16;
    const int rows = std::min(n, mostRows);
    constexpr double headWidth = 0.6;
    Plot plot;
    plot.id = "bodies";
    plot.title = "The tops of this motion";
    plot.axes = false;
    plot.x = {{"column", "", "column", ""}, 0, headWidth + static_cast<double>(columns.size())};
    plot.y = {{"row", "", "row", ""}, 0, rows + 1.2};
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const double x = headWidth + static_cast<double>(k) + 0.5;
        double largest = 0;
        for (const double value : columns[k].values)
            largest = std::max(largest, std::abs(value));
        addText(plot, x, rows + 0.8, columns[k].symbol);
        addText(plot, x, rows + 0.3, columns[k].unit, {Role::Guide});
        for (int i = 0; i < rows; ++i)
            addText(plot, x, rows - 0.5 - i,
                    i + 1 == n && k == 2 ? "–"
                                         : cell(columns[k].values[static_cast<std::size_t>(i)], largest));
    }
    for (int i = 0; i < rows; ++i)
        addText(plot, 0.5 * headWidth, rows - 0.5 - i, fmt::format("{}", i + 1), Colour::body(i));
    Polyline line;
    line.x = {0, plot.x.max};
    line.y = {static_cast<double>(rows), static_cast<double>(rows)};
    line.colour = {Role::Guide};
    plot.lines.push_back(std::move(line));
    if (n > rows)
        plot.note = fmt::format("The first {} of {} tops.", rows, n);
    return plot;
}

} // namespace casimir::tops
