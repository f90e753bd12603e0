#include "core/base/suggest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace casimir {

namespace {

// Case costs nothing: who types "ROD" means "rod".
bool alike(char a, char b)
{
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (alike(a[i], b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates)
{
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(2, name.size() / 2) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = candidate.starts_with(name) ? 1 : editDistance(name, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates)
{
    constexpr std::size_t most = 24;
    std::string sentence;
    if (const std::string near = nearest(name, candidates); !near.empty())
        sentence = "did you mean '" + near + "'? ";
    sentence += "known are ";
    for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i)
        sentence += (i ? ", " : "") + candidates[i];
    if (candidates.size() > most)
        sentence += ", ...";
    return sentence;
}

} // namespace casimir
