// W3 by AUTO-07p: the equilibria of aligned bodies along one row of the map, continued in kappa.
#pragma once

#include "core/systems/planar/three_body/three_body_map.h"
#include "tests/bench/peer_process.h"

namespace casimir::bench {

class AutoRow {
public:
    static bool installed();
    // Compiles the equations: none of the time measured.
    AutoRow(const planar::MapAxis& kappa, double tau);

    void run() const; // eight processes: four straight states, both signs of kappa
    struct Cell {
        int equilibria = 0, stable = 0;
        bool operator==(const Cell&) const = default;
    };
    std::vector<Cell> cells() const; // what the branches of the last run say

private:
    planar::MapAxis kappa_;
    ScratchFolder folder_;
    std::vector<std::filesystem::path> runs_;
};

} // namespace casimir::bench
