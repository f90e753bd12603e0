// What to tell a person who typed a name that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace casimir {

// The candidate with the smallest edit distance (insertions, deletions, replacements, swaps of neighbours;
// case counts for little), the first of equals; empty without candidates.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// "There is no integrator 'dopri'. Did you mean 'dopri5'? Known: 'dopri5', 'rkf78'."
std::string unknownName(std::string_view what, std::string_view name,
                        const std::vector<std::string>& candidates);

} // namespace casimir
