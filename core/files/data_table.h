// DataTable: numbers in columns with their quantities, as they leave the program: CSV, NumPy's .npz, or text
// for the clipboard. The curves of a Plot are such a table too.
#pragma once

#include "core/model/plot.h"
#include "core/model/quantity.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

struct DataTable {
    std::string made;   // how, a line each
    std::string recipe; // of one line, where the file is to carry it (file_recipe.h)
    std::vector<Quantity> columns;
    std::vector<std::vector<double>> values; // column by column, all of one length
    std::size_t rows() const { return values.empty() ? 0 : values.front().size(); }
    // Ids are made unique by a number.
    void add(Quantity quantity, std::vector<double> numbers);
};

std::string csvText(const DataTable& table);
// One array for each column under its id, "made", and the recipe.
void writeNpz(const DataTable& table, const std::function<void(std::string_view)>& sink);
// By the format, "csv" or "npz".
void writeData(const DataTable& table, const std::string& format,
               const std::function<void(std::string_view)>& sink);

// The lines of a plot point by point (number of the curve, its level, x, y); of a map its cells (x, y,
// value); of a plot that has neither, its marks. Lines of hidden layers are left out.
DataTable tableOf(const Plot& plot, const std::vector<std::string>& hiddenLayers = {});

} // namespace casimir
