// Sweep: numbers of `analyze` over a grid of one or two parameters or aliases, on several threads, delivered
// in the order of the grid. Where the rows go, and what happens when a person interrupts, is the caller's.
#pragma once

#include "core/model/kind.h"
#include "core/model/quantity.h"
#include "core/model/system.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

struct SweepAxis {
    std::string address; // parameter, element or alias
    double from = 0, to = 1;
    long count = 2;
    Scale scale = Scale::Linear;

    double at(long i) const;  // the ends exactly
    std::string text() const; // as `--vary` takes it
};

// "mu=0:10:11", or "mu=log:0.1:10:11" for equal ratios. Throws Error: what is malformed, unknown, out of
// range or cannot be varied.
SweepAxis parseSweepAxis(const Kind& kind, std::string_view text);

struct Sweep {
    const Kind* kind = nullptr;
    Values values;
    std::vector<SweepAxis> axes;         // the last one runs fastest
    std::vector<std::string> quantities; // paths of number_path.h
    StateInputs start = {};              // of the motion that is analysed, where the system asks for one

    long points() const;
    Values valuesAt(long point) const; // throws Error where the grid leaves what the system allows
};

// Columns of the table: the axes, then the quantities. Throws Error: no or too many axes, one address twice,
// a path that leads to a number neither at the values given nor at any of a few points spread over the grid.
std::vector<Quantity> sweepColumns(const Sweep& sweep);

struct SweepOutcome {
    bool finished = true;
    long unanswered = 0; // points refused by the system as a whole
    std::string refusal; // of the first of them
};

// Computes the points from `first` on. `row` gets each, in order, in the calling thread; NaN: no such number
// there. `waiting` is asked now and then, in the calling thread too; true: stop.
SweepOutcome runSweep(const Sweep& sweep, long first, int threads,
                      const std::function<void(long point, std::span<const double>)>& row,
                      const std::function<bool()>& waiting);

} // namespace casimir
