// Appell's point and machine as the rest of the program sees them: parameters, states, quantities, pictures,
// analysis. The mechanics is in appell.h.
#pragma once

#include "core/model/capabilities.h"
#include "core/model/kind.h"
#include "core/systems/constrained/appell/appell.h"

namespace casimir::constrained {

const Kind& appellKind();

class AppellSystem final : public System, public HasConstraintSplit {
public:
    AppellSystem(const Kind& kind, const Values& values);

    const Appell& appell() const { return appell_; }

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

    Analysis analyze(const Answers& answers) const override { return analyzeFrom({}, answers); }
    bool analysisFollowsStart() const override { return true; }
    Analysis analyzeFrom(const StateInputs& start, const Answers& answers) const override;
    bool hasEquilibria() const override { return false; }
    ConstraintReport constraintSplit(double t, const State& x) const override;

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    Plot planPlot(const PlotRequest& request) const;
    Plot limitPlot(const PlotRequest& request) const;

    Appell appell_;
};

} // namespace casimir::constrained
