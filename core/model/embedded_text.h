// The files of resources/ compiled into the library, each with its path below resources/ and its text.
#pragma once

#include <span>
#include <string_view>

namespace casimir {

struct EmbeddedText {
    std::string_view path;
    std::string_view text;
};

// Generated at build time from the list in core/CMakeLists.txt.
std::span<const EmbeddedText> embeddedResources();

} // namespace casimir
