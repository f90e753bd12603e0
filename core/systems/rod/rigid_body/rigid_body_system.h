// The free rigid body as the rest of the program sees it: parameters, states, quantities, pictures, analysis.
// The mechanics is in rigid_body.h and rigid_body_motion.h.
#pragma once

#include "core/model/capabilities.h"
#include "core/model/companion.h"
#include "core/model/kind.h"
#include "core/systems/rod/rigid_body/rigid_body_motion.h"

namespace casimir::rod {

const Kind& rigidBodyKind();

// Moves in (M, q), the momentum in body axes and the quaternion that takes body axes to space. μ is a
// parameter: of a start's M the direction counts, and its length becomes μ.
class RigidBodySystem final : public System, public HasOrbits, public HasCompanion {
public:
    RigidBodySystem(const Kind& kind, const Values& values);

    const RigidBody& body() const { return body_; }
    RigidBodyMotion motionFrom(const State& x) const;

    StateInputs inputsOf(const State& x) const override;
    void evaluate(double t, const State& x, std::span<double> out) const override;
    void field(double t, const State& x, State& dxdt) const override;
    bool projects() const override { return true; } // unit quaternions; M is left as it comes
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

    std::vector<Question> questions() const override;
    Analysis analyze(const Answers& answers) const override;
    UsualAxes usualAxes() const override { return {"", "", "I1", "I2"}; }

    std::string orbitPlot() const override { return "portrait"; }
    Orbit orbitThrough(const State& x) const override;
    std::optional<Ellipsoid> companion(std::string_view plotId, const State& x) const override;

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    Plot portraitPlot() const;
    Plot herpolhodePlot(const PlotRequest& request, const State& start) const;
    Vec3 halfAxes() const; // of the inertia ellipsoid on the stage, the longest 1

    RigidBody body_;
    RigidBodyEquilibria equilibria_;
};

} // namespace casimir::rod
