// Two coupled planar rigid bodies as the rest of the program sees them: parameters, states, quantities,
// pictures, analysis. The mechanics is in two_body.h and its neighbours.
#pragma once

#include "core/model/capabilities.h"
#include "core/model/keeps_invariants.h"
#include "core/model/kind.h"
#include "core/systems/planar/two_body/two_body.h"
#include "core/systems/planar/two_body/two_body_equilibria.h"

namespace casimir::planar {

const Kind& twoBodyKind();

// Moves in (theta, mu1, mu2, theta1); starts from (theta, nu, theta1), mu being a parameter.
class TwoBodySystem final : public System, public KeepsInvariants, public HasOrbits {
public:
    TwoBodySystem(const Kind& kind, const Values& values);

    const TwoBody& bodies() const { return bodies_; }

    StateInputs inputsOf(const State& x) const override;
    void evaluate(double t, const State& x, std::span<double> out) const override;
    void field(double t, const State& x, State& dxdt) const override;
    std::vector<MethodInfo> methods() const override;
    std::unique_ptr<Integration> integrate(std::string_view method, double t0, const State& x0,
                                           const IntegrationOptions& options) const override;

    Scene scene() const override;
    std::vector<PlotInfo> plots() const override;
    using System::plot;
    Plot plot(const PlotRequest& request) const override;
    void track(std::string_view plotId, double t, const State& x, PlotTrack& out) const override;
    StateInputs pick(std::string_view plotId, double x, double y, const StateInputs& present) const override;

    std::vector<Question> questions() const override;
    Analysis analyze(const Answers& answers) const override;
    UsualAxes usualAxes() const override { return {"", "", "mu", "d2"}; }

    std::string orbitPlot() const override { return "portrait"; }
    Orbit orbitThrough(const State& x) const override;

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    void measure(); // sizes that pictures need at every frame
    Plot portraitPlot() const;
    Plot potentialPlot() const;
    Plot drivenPlot(const PlotRequest& request) const;
    std::vector<Mark> equilibriumMarks() const;

    TwoBody bodies_;
    TwoBodyEquilibria equilibria_;
    double sceneRadius_ = 1; // m
    double rateScale_ = 1;   // rad/s
};

namespace two_body {
// Quantities that several files name, so that each is worded once.
extern const Quantity theta, nu, mu1, mu2, theta1, energy, mu;
} // namespace two_body

} // namespace casimir::planar
