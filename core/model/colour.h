// What a colour means. Which colour that is, in light or dark, on screen or in print, is decided where things
// are drawn.
#pragma once

namespace casimir {

enum class Role {
    Neutral,    // axes, outlines, guides
    Guide,      // fainter than neutral
    Body,       // index: which body
    Motion,     // index: which Motion of the session; the state and what belongs to it
    Level,      // value in [0, 1]: a magnitude on the continuous scale
    Separatrix, // homoclinic and heteroclinic orbits, bifurcation lines
    Stable,
    Unstable,
    Undecided, // spectrally stable or degenerate
    Force,
    Momentum,
    Region // index: which kind of region of a map
};

struct Colour {
    Role role = Role::Neutral;
    int index = 0;
    double value = 0;
    bool operator==(const Colour&) const = default;

    static Colour body(int i) { return {Role::Body, i, 0}; }
    static Colour motion(int i) { return {Role::Motion, i, 0}; }
    static Colour level(double x) { return {Role::Level, 0, x}; }
    static Colour region(int i) { return {Role::Region, i, 0}; }
};

} // namespace casimir
