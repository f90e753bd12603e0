// Three coupled planar rigid bodies as the rest of the program sees them: parameters, states, quantities,
// pictures, analysis. The mechanics is in three_body.h and its neighbours.
#pragma once

#include "core/model/keeps_invariants.h"
#include "core/model/kind.h"
#include "core/systems/planar/three_body/three_body.h"
#include "core/systems/planar/three_body/three_body_cases.h"
#include "core/systems/planar/three_body/three_body_equilibria.h"

#include <mutex>

namespace casimir::planar {

const Kind& threeBodyKind();

// Moves in (theta21, theta32, mu1, mu2, mu3, theta1); starts from (theta21, theta32, mu2, mu3, theta1), mu
// being a parameter.
class ThreeBodySystem final : public System, public KeepsInvariants {
public:
    ThreeBodySystem(const Kind& kind, const Values& values);

    const ThreeBody& bodies() const { return bodies_; }

    StateInputs inputsOf(const State& x) const override;
    void evaluate(double t, const State& x, std::span<double> out) const override;
    void field(double t, const State& x, State& dxdt) const override;

    Scene scene() const override;
    std::vector<PlotInfo> plots() const override;
    using System::plot;
    Plot plot(const PlotRequest& request) const override;
    void track(std::string_view plotId, double t, const State& x, PlotTrack& out) const override;
    StateInputs pick(std::string_view plotId, double x, double y, const StateInputs& present) const override;
    StateInputs pickFrom(const PlotRequest& request, double x, double y) const override;

    Analysis analyze(const Answers& answers) const override;

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    void measure(); // sizes that pictures need at every frame
    Plot potentialPlot() const;
    Plot mapPlot(const PlotRequest& request) const;
    Plot casesPlot() const;
    std::vector<Polyline> rimAt(double energy) const;

    ThreeBody bodies_;
    ThreeBodyEquilibria equilibria_;
    double sceneRadius_ = 1; // m
    double rateScale_ = 1;   // rad/s
    // The rim V = H of the last energy asked for. A motion keeps its energy, and its trace asks hundreds of
    // times a frame.
    struct Rim {
        std::mutex mutex;
        double energy = 0;
        std::vector<Polyline> lines;
    };
    mutable Rim rim_;
};

namespace three_body {
// Quantities that several files name, so that each is worded once.
extern const Quantity theta21, theta32;

// Bounds within which every product of the mechanics stays far from overflow and underflow.
inline constexpr double largest = 1e12, smallest = 1e-12;

ThreeBodyParameters parametersFrom(const Values& values);
// A stick figure of the configuration, solid if `solid`.
Sketch sketchOf(const ThreeBody& bodies, double x, double y, bool solid);
} // namespace three_body

} // namespace casimir::planar
