#include "core/base/number_text.h"

#include <array>
#include <charconv>

namespace casimir {

void appendNumber(std::string& text, double x)
{
    std::array<char, 32> buffer;
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x);
    text.append(buffer.data(), result.ptr);
}

std::string numberText(double x)
{
    std::string text;
    appendNumber(text, x);
    return text;
}

std::string roundedText(double x, int digits)
{
    std::array<char, 64> buffer;
    const auto result =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, std::chars_format::general, digits);
    return std::string(buffer.data(), result.ptr);
}

} // namespace casimir
