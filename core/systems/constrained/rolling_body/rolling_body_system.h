// A rolling body as the rest of the program sees it: parameters, states, quantities, pictures, analysis. The
// mechanics is in rolling_body.h.
#pragma once

#include "core/model/capabilities.h"
#include "core/model/kind.h"
#include "core/systems/constrained/rolling_body/rolling_body.h"

namespace casimir::constrained {

const Kind& rollingBodyKind();
RollingParameters rollingParameters(const Values& values);

class RollingBodySystem final : public System, public HasConstraintSplit {
public:
    RollingBodySystem(const Kind& kind, const Values& values);

    const RollingBody& body() const { return body_; }

    StateInputs inputsOf(const State& x) const override;
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

    Analysis analyze(const Answers& answers) const override { return analyzeFrom({}, answers); }
    bool analysisFollowsStart() const override { return true; }
    Analysis analyzeFrom(const StateInputs& start, const Answers& answers) const override;
    UsualAxes usualAxes() const override;
    bool hasEquilibria() const override { return body_.parameters().omega == 0; }
    ConstraintReport constraintSplit(double t, const State& x) const override;

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    double size() const;
    Equilibrium restOn(const Eigen::Vector3d& n, const std::string& name, const Eigen::Quaterniond& q) const;
    void addRestingStates(Analysis& analysis) const;
    std::vector<State> pathFrom(const StateInputs& start, double duration) const;

    RollingBody body_;
};

// A homogeneous sphere: X and the spin in closed form, the attitude turned by that spin.
std::unique_ptr<Integration> startExactSphere(const RollingBody& body, double t0, const State& x0,
                                              const IntegrationOptions& options);

} // namespace casimir::constrained
