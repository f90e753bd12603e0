// Private to the equilibria of trees: the search for critical points of the amended potential. The state of
// least energy comes first; then every state found is left along each of its directions, down towards states
// of the next lower index and up towards those of the next higher, and more starts are spread evenly. What is
// made of the answers is in multibody_list.cpp.
#pragma once

#include "core/model/morse_count.h"
#include "core/systems/planar/multibody/multibody_landscape.h"
#include "core/systems/planar/multibody/multibody_leaf.h"
#include "core/systems/planar/multibody/multibody_straight.h"

#include <functional>
#include <limits>
#include <vector>

namespace casimir::planar {

class TreeSearch {
public:
    // Up to this many bodies everything is searched; of larger trees states of index 0 and 1.
    static constexpr int searchedWhole = 7;

    // `cancelled` is asked at every start; where it says so, casimir::Error is thrown.
    TreeSearch(const Tree& tree, const TreeMatrices& matrices, double mu, const StraightStates& straight,
               std::function<bool()> cancelled);

    struct Found {
        Eigen::VectorXd beta; // free joints within a turn, sprung ones as they are wound
        int index = 0, nullity = 0;
        double energy = 0;
    };

    // What is known beforehand: not searched for, but left in every direction.
    void know(const Eigen::VectorXd& beta);
    // A critical point, nearly: made exact and kept with its mirror image, unless it is known or out of
    // range.
    bool keep(Eigen::VectorXd theta);
    void run();

    const std::vector<Found>& found() const { return found_; } // with what was known
    int starts() const { return starts_; }
    bool curves() const { return flat_ >= continuum; } // of equilibria
    const MorseCount& count() const { return count_; }

    // How many half turns from rest sprung joints are searched, to either side; 0 without springs.
    int springHalfTurns() const { return springHalfTurns_; }
    // No equilibrium is wound farther than that.
    bool springsExhausted() const { return springsExhausted_; }

private:
    static constexpr int continuum = 12; // so many degenerate answers are points of a curve of equilibria

    bool whole() const { return tree_.size() <= searchedWhole; }
    Eigen::VectorXd spreadStart(int i) const;
    bool from(const Eigen::VectorXd& theta, int index);
    bool known(const Eigen::VectorXd& beta) const;
    void add(const Eigen::VectorXd& beta);
    bool within(const Eigen::VectorXd& beta) const;
    Eigen::VectorXd canonical(Eigen::VectorXd beta) const;
    void findLeast();
    bool ascended(Eigen::VectorXd& theta) const;
    void leaveAll();
    void leave(const Found& state);
    void searchWhole();
    void searchLow();
    void ask() const;

    const Tree& tree_;
    const StraightStates& straight_;
    TreeLeaf leaf_;
    TreeLandscape landscape_;
    std::function<bool()> cancelled_;
    double mu_;

    Eigen::VectorXd rest_, range_; // by joint: the rest angle of its spring, how far from it; without: 0
    int springHalfTurns_ = 0;
    bool springsExhausted_ = true;

    std::vector<Found> found_;
    std::size_t left_ = 0; // so many of them were left in all directions
    int starts_ = 0, flat_ = 0;
    int mostStarts_ = std::numeric_limits<int>::max();
    MorseCount count_;
};

} // namespace casimir::planar
