// Quantity: a number of a system that can be shown: what it is called, its symbol and unit, and the law it
// obeys along a motion. Tables, axes and CSV heads take these words from here and invent none.
#pragma once

#include <string>

namespace casimir {

// What a monitored quantity does along a motion.
struct Law {
    enum class Kind { None, Constant, Balance };
    Kind kind = Kind::None;
    std::string rate; // Balance: the id of the quantity that is its time derivative (the power of a servo)

    static Law constant() { return {Kind::Constant, {}}; }
    static Law balance(std::string rateId) { return {Kind::Balance, std::move(rateId)}; }
    bool operator==(const Law&) const = default;
};

// `symbol` is UTF-8 with `_` and `^` before a sub- or superscript, braces around more than one character:
// "θ", "μ_1", "I_{axis}". `unit` is UTF-8 in SI ("kg m²"), empty for a pure number.
struct Quantity {
    std::string id;
    std::string symbol;
    std::string name;
    std::string unit;
    double period = 0; // an angle repeats after this; 0: not periodic
    Law law = {};
    bool reconstructed = false; // a coordinate along the symmetry: it may turn at a relative equilibrium
};

} // namespace casimir
