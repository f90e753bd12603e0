#include "core/model/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace casimir {

namespace {

// Costs in quarters, so that a wrong case weighs less than any wrong letter.
constexpr int kEdit = 4;
constexpr int kCase = 1;

int replacement(char a, char b)
{
    if (a == b)
        return 0;
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return lower(a) == lower(b) ? kCase : kEdit;
}

int distance(std::string_view a, std::string_view b)
{
    std::vector<int> twoAbove(b.size() + 1);
    std::vector<int> above(b.size() + 1);
    std::vector<int> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = kEdit * static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(twoAbove, above);
        std::swap(above, row);
        row[0] = kEdit * static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {above[j] + kEdit, row[j - 1] + kEdit, above[j - 1] + replacement(a[i - 1], b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], twoAbove[j - 2] + kEdit);
        }
    }
    return row[b.size()];
}

} // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates)
{
    int best = std::numeric_limits<int>::max();
    const std::string* found = nullptr;
    for (const std::string& candidate : candidates) {
        const int d = distance(name, candidate);
        if (d < best) {
            best = d;
            found = &candidate;
        }
    }
    return found != nullptr ? *found : std::string();
}

std::string unknownName(std::string_view what, std::string_view name,
                        const std::vector<std::string>& candidates)
{
    if (candidates.empty())
        return fmt::format("There is no {} '{}'; there is none at all.", what, name);
    return fmt::format("There is no {} '{}'. Did you mean '{}'? Known: '{}'.", what, name,
                       nearest(name, candidates), fmt::join(candidates, "', '"));
}

} // namespace casimir
