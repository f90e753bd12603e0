#include "core/files/csv.h"

#include "core/base/number_text.h"

#include <cassert>
#include <cmath>

namespace casimir {

namespace {
constexpr std::size_t flushAt = 1 << 16;
}

CsvWriter::CsvWriter(Sink sink, std::string_view made, const std::vector<Quantity>& columns)
    : sink_(std::move(sink)), columns_(columns.size())
{
    for (std::size_t begin = 0; begin < made.size();) {
        const std::size_t end = std::min(made.find('\n', begin), made.size());
        buffer_.append("# ").append(made.substr(begin, end - begin)).append("\n");
        begin = end + 1;
    }
    buffer_ += "# units:";
    for (std::size_t i = 0; i < columns.size(); ++i)
        buffer_ += (i ? ", " : " ") + columns[i].id + " " + (columns[i].unit.empty() ? "1" : columns[i].unit);
    buffer_ += "\n";
    for (std::size_t i = 0; i < columns.size(); ++i)
        buffer_ += (i ? "," : "") + columns[i].id;
    buffer_ += "\n";
}

void CsvWriter::row(std::span<const double> numbers)
{
    assert(numbers.size() == columns_);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i)
            buffer_ += ',';
        if (std::isfinite(numbers[i]))
            appendNumber(buffer_, numbers[i]);
        else
            buffer_ += "null";
    }
    buffer_ += '\n';
    if (buffer_.size() >= flushAt)
        flush();
}

void CsvWriter::flush()
{
    sink_(buffer_);
    buffer_.clear();
}

} // namespace casimir
