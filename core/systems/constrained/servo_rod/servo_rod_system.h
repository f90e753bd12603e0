// The rod on a finger as the rest of the program sees it: parameters, states, quantities, pictures, analysis.
// The mechanics is in servo_rod.h, the finger led by hand in servo_hand.h.
#pragma once

#include "core/model/capabilities.h"
#include "core/model/kind.h"
#include "core/systems/constrained/servo_rod/servo_rod.h"

namespace casimir::constrained {

const Kind& servoRodKind();
ServoRodParameters servoRodParameters(const Values& values);

// Moves in (x, theta, p_x, p_theta, supplied), led by hand also in the finger's acceleration; starts from
// (x, theta, p_theta), p_x being what the law asks.
class ServoRodSystem final : public System, public HasConstraintSplit, public HasLiveInput {
public:
    ServoRodSystem(const Kind& kind, const Values& values);

    const ServoRod& rod() const { return rod_; }

    StateInputs inputsOf(const State& x) const override;
    // The energy supplied so far is counted on.
    State carriedFrom(const System& other, double t, const State& x) const override;
    void evaluate(double t, const State& x, std::span<double> out) const override;
    void field(double t, const State& x, State& dxdt) const override;
    std::vector<TerminalEvent> events() const override;
    bool projects() const override { return true; }
    void project(State& x) const override;
    std::vector<MethodInfo> methods() const override;
    std::unique_ptr<Integration> integrate(std::string_view method, double t0, const State& x0,
                                           const IntegrationOptions& options) const override;

    Scene scene() const override;
    std::vector<PlotInfo> plots() const override;
    using System::plot;
    Plot plot(const PlotRequest& request) const override;
    void track(std::string_view plotId, double t, const State& x, PlotTrack& out) const override;
    StateInputs pick(std::string_view plotId, double x, double y, const StateInputs& present) const override;

    UsualAxes usualAxes() const override;
    Analysis analyze(const Answers& answers) const override { return analyzeFrom({}, answers); }
    bool analysisFollowsStart() const override { return true; }
    Analysis analyzeFrom(const StateInputs& start, const Answers& answers) const override;
    ConstraintReport constraintSplit(double t, const State& x) const override;
    LiveChannel liveChannel() const override;

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    bool byHand() const { return rod_.parameters().force == ServoForce::Hand; }
    ServoRod::Motion motionAt(const State& x) const;
    // The servo of the pictures of gains and basin: the one that the hand hands over to.
    ServoRod servo() const;
    Plot mapPlot() const;
    static Plot phasePlane(const ServoRod& rod, std::string id, std::string title);
    Plot portraitPlot() const;
    Plot basinPlot(const PlotRequest& request) const;
    Equilibrium upright() const;
    Entry closedForms(const StateInputs& given) const;
    std::optional<State> startOrNone(const StateInputs& given) const;

    ServoRod rod_;
};

} // namespace casimir::constrained
