// A file of resources/ compiled into the library: its path below resources/ and its text.
#pragma once

#include <span>
#include <string_view>

namespace casimir {

struct EmbeddedText {
    std::string_view path;
    std::string_view text;
};

} // namespace casimir
