// Any number that `analyze` gives, by its path in the answer: `derived.epsilon`, `equilibria.count`,
// `equilibria.stretched.energy`, `equilibria.0.eigenvalues.1.im`, `homoclinic.energy`. Read from the Analysis
// itself, since a sweep asks for it at every point.
#pragma once

#include "core/model/analysis.h"
#include "core/model/system.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

struct PathNumber {
    double value; // NaN: the answer has the place, but no number exists there
    std::string unit;
};

// The number at a path; nothing where this answer has no such place (another has: an equilibrium may be born
// on the way). Throws Error where a word stands.
//
// Equilibria are named or counted from 0. Beside what the JSON of `analyze` has, each has `growth_rate` (the
// largest real part), `frequency` (the largest imaginary part), `stable` (1 where the verdict is stable or
// asymptotically stable, else 0), and under `state` every quantity of the system; `equilibria.count` and
// `equilibria.count.unstable` tell how many there are. The parts of an eigenvalue are `re` and `im`.
std::optional<PathNumber> numberAt(const System& system, const Analysis& analysis, std::string_view path);

// Every path of an answer that leads to a number.
std::vector<std::string> numberPaths(const System& system, const Analysis& analysis);

// A coordinate, input or quantity of the system at an equilibrium; nothing where it has no such id.
std::optional<PathNumber> stateNumber(const System& system, const Equilibrium& equilibrium,
                                      std::string_view id);

// The largest real and the largest imaginary part of the eigenvalues; NaN without eigenvalues.
double growthRate(const Equilibrium& equilibrium);
double largestFrequency(const Equilibrium& equilibrium);

} // namespace casimir
