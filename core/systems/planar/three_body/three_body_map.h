// Maps of three bodies over two parameters: how many equilibria there are and which are stable, cell by cell,
// fast enough to follow a drag. Aligned bodies are decided by kappa and tau alone; in general the equilibria
// are counted (three_body_roots.h) and those of index 2 followed from cell to cell to see whether gyroscopic
// terms hold them.
#pragma once

#include "core/model/plot.h"
#include "core/systems/planar/three_body/three_body.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace casimir::planar {

enum class MapKind : std::uint8_t {
    FourWith00, // aligned: four equilibria, the straight state named is the stable one
    FourWith0Pi,
    FourWithPi0,
    FourWithPiPi,
    SixWith00, // aligned: six, the bent pair of index 2
    SixWithPiPi,
    SixWithPair, // aligned: six, the bent pair stable
    Four,        // general: one stable
    FourHeld,    // one stable and one held by gyroscopic terms
    SixOne,      // six, one stable
    SixOneHeld,  // six, one stable and one or two held by gyroscopic terms
    SixTwo,      // six, two stable
    SixTwoHeld,
    Circles,   // no isolated equilibria
    Impossible // no such bodies
};
const char* words(MapKind kind);

// One axis of a map: which number varies, and where its cells lie.
struct MapAxis {
    std::string id; // a parameter's, or "kappa" or "tau"
    double min = 0, max = 1;
    Scale scale = Scale::Linear;
    int cells = 200;

    double at(int cell) const;
};

// Row by row from the lower left.
std::vector<MapKind> equilibriumMap(const ThreeBodyParameters& base, const MapAxis& x, const MapAxis& y);

// One cell, aligned: from kappa and tau alone, neither of them 0.
MapKind alignedKind(double kappa, double tau);

// The options `x` and `y` of the plot "map": every parameter and alias.
// It opens on κ and τ, which decide for bodies in line, and on two lengths for others.
std::vector<Parameter> mapOptions(const Schema& schema, bool aligned);

} // namespace casimir::planar
