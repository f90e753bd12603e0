#include "core/files/data_table.h"

#include "core/base/error.h"
#include "core/files/csv.h"
#include "core/files/file_recipe.h"
#include "core/files/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace casimir {

namespace {

// The middle of a map's cell along an axis.
double cell(const PlotAxis& axis, int i, int n)
{
    const double part = (i + 0.5) / n;
    return axis.scale == Scale::Logarithmic ? axis.min * std::pow(axis.max / axis.min, part)
                                            : axis.min + (axis.max - axis.min) * part;
}

} // namespace

void DataTable::add(Quantity quantity, std::vector<double> numbers)
{
    assert(values.empty() || numbers.size() == rows());
    const std::string id = quantity.id;
    for (int n = 2;
         std::any_of(columns.begin(), columns.end(), [&](const Quantity& q) { return q.id == quantity.id; });
         ++n)
        quantity.id = fmt::format("{}_{}", id, n);
    columns.push_back(std::move(quantity));
    values.push_back(std::move(numbers));
}

std::string csvText(const DataTable& table)
{
    std::string text;
    writeData(table, "csv", [&text](std::string_view piece) { text += piece; });
    return text;
}

void writeNpz(const DataTable& table, const std::function<void(std::string_view)>& sink)
{
    NpzWriter writer(sink);
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        writer.array(table.columns[i].id, table.values[i]);
    std::string made = table.made;
    if (!made.empty() && made.back() != '\n')
        made += '\n';
    made += "units:";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        made += fmt::format("{} {} {}", i ? "," : "", table.columns[i].id,
                            table.columns[i].unit.empty() ? "1" : table.columns[i].unit);
    writer.text("made", made);
    if (!table.recipe.empty())
        writer.text(recipeMember, table.recipe);
    writer.finish();
}

void writeData(const DataTable& table, const std::string& format,
               const std::function<void(std::string_view)>& sink)
{
    if (format == "npz")
        return writeNpz(table, sink);
    const std::string recipe = table.recipe.empty() ? "" : std::string(recipeLine) + table.recipe;
    CsvWriter csv(sink, table.made + (table.made.empty() || recipe.empty() ? "" : "\n") + recipe,
                  table.columns);
    std::vector<double> row(table.columns.size());
    for (std::size_t i = 0; i < table.rows(); ++i) {
        for (std::size_t k = 0; k < row.size(); ++k)
            row[k] = table.values[k][i];
        csv.row(row);
    }
    csv.flush();
}

DataTable tableOf(const Plot& plot, const std::vector<std::string>& hiddenLayers)
{
    DataTable table;
    std::vector<double> x, y, number, level;
    const auto addAxes = [&] {
        table.add(plot.x.quantity, std::move(x));
        table.add(plot.y.quantity, std::move(y));
    };
    // Where each cell of a map is an answer, the lines over it only mark its borders.
    const bool answers = !plot.maps.empty() && !plot.maps.front().labels.empty();
    // Guides alone are no data: of axes through a spectrum its marks are what was computed.
    const bool curves = std::any_of(plot.lines.begin(), plot.lines.end(),
                                    [](const Polyline& line) { return line.colour.role != Role::Guide; });
    if (!plot.clouds.empty()) {
        double cloudNumber = 0;
        for (const PointCloud& cloud : plot.clouds) {
            if (std::find(hiddenLayers.begin(), hiddenLayers.end(), cloud.layer) != hiddenLayers.end())
                continue;
            x.insert(x.end(), cloud.x.begin(), cloud.x.end());
            y.insert(y.end(), cloud.y.begin(), cloud.y.end());
            number.insert(number.end(), cloud.x.size(), cloudNumber++);
        }
        table.add({"orbit", "", "number of the orbit", ""}, std::move(number));
        addAxes();
    } else if (curves && !answers) {
        double curve = 0;
        for (const Polyline& line : plot.lines) {
            if (std::find(hiddenLayers.begin(), hiddenLayers.end(), line.layer) != hiddenLayers.end())
                continue;
            x.insert(x.end(), line.x.begin(), line.x.end());
            y.insert(y.end(), line.y.begin(), line.y.end());
            number.insert(number.end(), line.x.size(), curve++);
            level.insert(level.end(), line.x.size(), line.level);
        }
        table.add({"curve", "", "number of the curve", ""}, std::move(number));
        if (!plot.level.id.empty())
            table.add(plot.level, std::move(level));
        addAxes();
    } else if (!plot.maps.empty()) {
        const HeatMap& map = plot.maps.front();
        for (int row = 0; row < map.rows; ++row)
            for (int column = 0; column < map.columns; ++column) {
                x.push_back(cell(plot.x, column, map.columns));
                y.push_back(cell(plot.y, row, map.rows));
                level.push_back(
                    map.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) +
                               static_cast<std::size_t>(column)]);
            }
        addAxes();
        Quantity quantity = map.quantity;
        if (quantity.id.empty())
            quantity.id = "value";
        std::string kinds;
        for (std::size_t i = 0; i < map.labels.size(); ++i)
            kinds += fmt::format("{}{} = {}", i ? ", " : "", i, map.labels[i]);
        if (!kinds.empty())
            table.made = quantity.id + ": " + kinds;
        table.add(quantity, std::move(level));
    } else {
        std::vector<std::string> names;
        for (const Mark& mark : plot.marks) {
            x.push_back(mark.x);
            y.push_back(mark.y);
            const auto known = std::find(names.begin(), names.end(), mark.id);
            number.push_back(static_cast<double>(known - names.begin()));
            if (known == names.end())
                names.push_back(mark.id);
        }
        if (names.size() > 1 || (names.size() == 1 && !names.front().empty())) {
            table.made = "point:";
            for (std::size_t i = 0; i < names.size(); ++i)
                table.made += fmt::format("{} {} = {}", i ? "," : "", i, names[i].empty() ? "-" : names[i]);
            table.add({"point", "", "what the point belongs to", ""}, std::move(number));
        }
        addAxes();
    }
    return table;
}

} // namespace casimir
