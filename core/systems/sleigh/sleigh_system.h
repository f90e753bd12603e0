// Chaplygin's sleigh and the knife edge on a slope as the rest of the program sees them: parameters, states,
// quantities, methods, pictures, analysis. The mechanics is in sleigh.h and its neighbours.
#pragma once

#include "core/model/capabilities.h"
#include "core/model/kind.h"
#include "core/systems/sleigh/sleigh_equations.h"

namespace casimir::sleigh {

const Kind& sleighKind();
const Kind& knifeEdgeKind(); // on a slope, of which the sleigh on a slope is the general case

class SleighSystem final : public System, public HasReducedForm {
public:
    SleighSystem(const Kind& kind, const Values& values);

    const Sleigh& mechanics() const { return sleigh_; }

    StateInputs inputsOf(const State& x) const override;
    void evaluate(double t, const State& x, std::span<double> out) const override;
    void field(double t, const State& x, State& dxdt) const override;
    std::vector<MethodInfo> methods() const override;
    std::unique_ptr<Integration> integrate(std::string_view method, double t0, const State& x0,
                                           const IntegrationOptions& options) const override;

    std::string independentQuantity() const override { return "phi"; }
    double independentRate(const State& x) const override { return x[PhiDot]; }
    std::unique_ptr<Integration> integrateBy(const State& x0,
                                             const IntegrationOptions& options) const override;

    Scene scene() const override;
    std::vector<PlotInfo> plots() const override;
    using System::plot;
    Plot plot(const PlotRequest& request) const override;
    void track(std::string_view plotId, double t, const State& x, PlotTrack& out) const override;
    StateInputs pick(std::string_view plotId, double x, double y, const StateInputs& present) const override;

    Analysis analyze(const Answers& answers) const override { return analyzeFrom({}, answers); }
    bool analysisFollowsStart() const override { return true; }
    Analysis analyzeFrom(const StateInputs& start, const Answers& answers) const override;

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    bool onSlope() const { return onSlope_; } // of the kind, not of the angle, which may be 0
    Equilibrium straightRun(const std::string& name, double phi, double v) const;
    Sketch sketch(double phi, double v) const;
    void analyzeFlat(const Vector5& start, Analysis& analysis) const;
    void analyzeSlope(const Vector5& start, Analysis& analysis) const;
    Plot speedsPlot(const Vector5& start) const;
    Plot headingPlot(const Vector5& start) const;
    Plot turningPlot(const Vector5& start) const;
    Plot timePlot(const Vector5& start) const;
    double size() const; // of the drawn sleigh, m
    double largestRatio() const;

    bool onSlope_;
    Sleigh sleigh_;
    std::shared_ptr<const SleighEquations> equations_;
};

namespace quantities {
// Named in several files, worded once.
extern const Quantity x, y, phi, v, phidot, s, force, energy;
} // namespace quantities

} // namespace casimir::sleigh
