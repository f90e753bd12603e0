// CSV as the program writes it: lines beginning with '#' (how it was made, units), one row of bare ids, then
// numbers in the shortest form that reads back the same.
#pragma once

#include "core/model/quantity.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

class CsvWriter {
public:
    using Sink = std::function<void(std::string_view)>;

    // `made` becomes comment lines, one for each line of text.
    CsvWriter(Sink sink, std::string_view made, const std::vector<Quantity>& columns);

    void row(std::span<const double> numbers);
    void flush();

private:
    Sink sink_;
    std::string buffer_;
    std::size_t columns_;
};

} // namespace casimir
