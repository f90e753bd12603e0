// The nearest known name to one that was mistyped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace casimir {

// The candidate with the smallest edit distance; empty when none is near enough to be meant.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// "did you mean 'x'? known are a, b, c"; a long list is cut.
std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates);

} // namespace casimir
