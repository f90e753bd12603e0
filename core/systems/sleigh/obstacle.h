// Obstacle: a condition of Whittaker's reduction that does not hold at a point, with a short name and a
// sentence.
#pragma once

#include <string>

namespace casimir::sleigh {

struct Obstacle {
    std::string name;
    std::string sentence;
};

} // namespace casimir::sleigh
