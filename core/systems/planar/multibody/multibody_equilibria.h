// Relative equilibria of a tree of planar bodies: shapes that turn as one body. On the leaf of total momentum
// mu they are the critical points of V = mu^2/(2 I_L), I_L = 1^T J 1 the locked inertia, plus the energy of
// springs where joints have them. Aligned trees (all hinges of a body in line with its centre of mass) have
// the 2^(N-1) straight states; others are searched, and what was found is held against the numbers that Morse
// theory asks for.
#pragma once

#include "core/base/status.h"
#include "core/model/morse_count.h"
#include "core/systems/planar/multibody/multibody_matrices.h"

#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace casimir::planar {

struct TreeEquilibrium {
    std::string
        name; // "straight-0-pi": the joints in the order of the bodies; "bent-1"; "shape-1" with springs
    std::string title; // for people; empty where a state has no word of its own
    bool straight = false;
    Eigen::VectorXd theta, mu; // the root at angle 0
    double lockedInertia = 0, omega = 0;
    double energy = 0; // mu^2/(2 I_L), and that of the springs
    int index = 0;     // negative squares of V: of H on the leaf
    int nullity = 0;
    Eigen::VectorXd potentialEigenvalues;          // of D^2 V in the joint angles, ascending
    Eigen::VectorXd kineticEigenvalues;            // of H in the conjugate momenta, ascending
    std::vector<std::complex<double>> eigenvalues; // 2(N-1) on the leaf, by real then imaginary part
    Eigen::VectorXd direction; // of departure in (theta, mu): the fastest growing, or slowest
    std::string stability, basis, detail;
};

struct TreeEquilibria {
    Status status; // "ok"; "degenerate": mu = 0, or a continuum; "driven": joints that move by themselves
    std::vector<TreeEquilibrium> list; // by energy, the least first
    double straightCount = 0;          // 2^(N-1) for an aligned tree without springs, else 0
    int straightListed = 0;
    int starts = 0; // of the search for others
    int found = 0;  // in all; of large trees not all of them are listed
    // Of the list. "complete": all in closed form; "fit", "incomplete", "degenerate": as MorseCount says;
    // "choice": of a large tree some are listed; "range": springs may be wound farther than was searched.
    MorseCount count = MorseCount(0);
    std::string check;
    double springRange = 0; // rad to either side of rest, of the joints with springs; 0 without
    std::string note;       // the search and its check in words
};

// Where `cancelled` says so the search ends with a casimir::Error.
TreeEquilibria treeEquilibria(const Tree& tree, double mu, const std::function<bool()>& cancelled = {});

// One configuration judged: theta must be critical.
TreeEquilibrium treeEquilibriumAt(const Tree& tree, const TreeMatrices& matrices,
                                  const Eigen::VectorXd& theta, double mu);

// Angles at which every hinge lies on one line; empty where there are none. Adding pi to any of them gives
// another.
Eigen::VectorXd alignedAngles(const Tree& tree);

} // namespace casimir::planar
