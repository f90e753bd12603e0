// The plots of trees that show chaos: Lyapunov exponents of the present motion, and a map over two of the
// start's joint angles or rates of what becomes of it. The motions are those of multibody_flow.h.
#pragma once

#include "core/model/system.h"
#include "core/systems/planar/multibody/multibody.h"

#include <array>
#include <optional>

namespace casimir::planar {

// The angle or the rate of one joint of the start.
struct StartAxis {
    int body = 1;
    bool rate = false;
    std::string id() const; // "beta_2", "rate_2": bodies counted from 1
};
// Those of all joints that are not prescribed, the angles first.
std::vector<StartAxis> startAxes(const Tree& tree);

// `x` with these values on two axes: what the hinges carry is turned or spun, joint angles and rates
// otherwise stay, and the whole is given the common spin that makes the total momentum mu.
State startOn(const Tree& tree, double mu, const State& x, const std::array<StartAxis, 2>& axes,
              const std::array<double, 2>& values);
std::array<double, 2> valuesOn(const Tree& tree, const State& x, const std::array<StartAxis, 2>& axes);

// How fast things go from this start, rad/s: from its energy, springs and drives. 0: nothing moves.
double typicalRate(const Tree& tree, const State& x);

// The `count` leading Lyapunov exponents over this many turns; arguments as in lyapunovExponents.
std::vector<double>
treeLyapunov(const Tree& tree, const State& start, int count, double tEnd, double interval,
             const std::function<bool(double t, const std::vector<double>& means)>& sample = {},
             const std::function<bool()>& goOn = {});

inline constexpr const char* startMapId = "start-map";
std::vector<PlotInfo> treeChaosPlots(const Tree& tree);
// The plot asked for from this start; none if it is not one of treeChaosPlots().
std::optional<Plot> treeChaosPlot(const Tree& tree, double mu, const State& start,
                                  const PlotRequest& request);
// The start under a point of the map.
std::optional<State> treeChaosPick(const Tree& tree, double mu, const State& start,
                                   const PlotRequest& request, double x, double y);

} // namespace casimir::planar
