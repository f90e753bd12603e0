// The rigid body with a rod as the rest of the program sees it: parameters, start, motion, pictures,
// analysis. The mechanics is in rod.h and its neighbours and works in natural units; what leaves this class
// is in SI.
//
// The state vector has thirteen numbers a node, in natural units (place, turn, momentum, spin), then the rate
// of the first element's chord. Beside the state, in the last place, stands how often a step was halved.
#pragma once

#include "core/model/kind.h"
#include "core/model/quick_analysis.h"
#include "core/model/system.h"
#include "core/systems/rod/rod/rod_branch.h"
#include "core/systems/rod/rod/rod_linear.h"
#include "core/systems/rod/rod/rod_parameters.h"

#include <memory>
#include <mutex>

namespace casimir::rod {

const Kind& rodKind();

// How a motion departs from the relative equilibrium.
struct RodStart {
    double kick = 0;             // amplitude of the mode, in lengths of the rod
    int mode = 1;                // which vibration, the slowest first
    Vec3 impulse = Vec3::Zero(); // at the tip, in the turning frame, natural units
};

// Vibrations listed and offered for a start.
inline constexpr int modesOffered = 8;
inline constexpr double largestKick = 0.5, largestImpulse = 1e6;

class RodSystem final : public System, public HasQuickAnalysis {
public:
    RodSystem(const Kind& kind, const Values& values);

    const RodSetup& setup() const { return setup_; }
    const Rod& rod() const { return rod_; }
    const RodDynamics& dynamics() const { return dynamics_; }

    // What the analysis describes and the motion starts from; found when first asked for.
    const RodEquilibrium& equilibrium() const;
    const RodLinearMotion& linearMotion() const;
    // The vibrations that the motion's own mass gives, by ascending frequency.
    const RodSpectrum& movingModes() const;
    const std::vector<LinearMode>& startingModes() const; // the same, as a start has them

    // Of the start that is nearest to x: a rod has more ways to move than the inputs tell.
    StateInputs inputsOf(const State& x) const override;
    // The same shape, in lengths of the rod, and the same rates; the rod stays where it is clamped.
    State carriedFrom(const System& other, double t, const State& x) const override;
    void evaluate(double t, const State& x, std::span<double> out) const override;
    bool hasField() const override { return false; }
    std::vector<MethodInfo> methods() const override;
    std::unique_ptr<Integration> integrate(std::string_view method, double t0, const State& x0,
                                           const IntegrationOptions& options) const override;

    Scene scene() const override;
    std::vector<PlotInfo> plots() const override;
    UsualAxes usualAxes() const override { return {"", "", "L", "spin_rate"}; }
    using System::plot;
    Plot plot(const PlotRequest& request) const override;
    StateInputs pick(std::string_view plotId, double x, double y, const StateInputs& present) const override;

    Analysis analyze(const Answers& answers) const override;
    // Without the critical spin rate and the error estimate.
    Analysis analyzeQuickly() const override;
    bool leavesOut() const override { return true; }

    RodState unpacked(const State& x) const;
    void pack(const RodState& s, State& x) const;

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    Plot branchPlot(const PlotRequest& request) const;
    Plot modesPlot(const PlotRequest& request) const;
    Plot blocksPlot() const;
    Analysis analysis(bool complete) const;

    RodSetup setup_;
    Rod rod_;
    RodDynamics dynamics_;
    RodState started(const RodStart& start) const;
    void strike(RodState& s, const Vec3& impulse) const;
    RodStart nearestKick(const RodDeviation& deviation) const;
    Vec3 nearestImpulse(const RodState& calm, const RodState& s, double angle) const;

    mutable std::once_flag solved_, linearised_, modesSolved_, splitted_;
    mutable RodEquilibrium equilibrium_;
    mutable std::unique_ptr<const RodLinearMotion> linear_;
    mutable RodSpectrum modes_;
    mutable std::vector<LinearMode> split_;
};

// The system's own methods, in rod_motion.cpp.
std::unique_ptr<Integration> startRodMotion(std::shared_ptr<const RodSystem> system, std::string_view method,
                                            double t0, const State& x0, const IntegrationOptions& options);

} // namespace casimir::rod
