// Where the ticks of an axis stand and what they say: steps of 1, 2, 5; multiples of π for angles; decades
// for logarithms.
#pragma once

#include "core/model/plot.h"

#include <string>
#include <vector>

namespace casimir {

struct Tick {
    double value = 0;
    std::string label; // in the markup of Quantity; empty for a minor tick
};

struct Ticks {
    std::vector<Tick> major;
    std::vector<double> minor;
    std::string factor; // "×10^{-7}" when the labels leave out a power of ten, else empty
};

// Ticks within [lo, hi], about `target` of them and never many more.
Ticks makeTicks(const PlotAxis& axis, double lo, double hi, int target);

// A number as it stands beside an axis: a true minus sign, `decimals` places.
std::string tickNumber(double value, int decimals);

// "−π/2", "0", "3π/4": k π / n in lowest terms.
std::string piFraction(long k, long n);

} // namespace casimir
