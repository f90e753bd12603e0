// A tree of hinged planar bodies as the rest of the program sees it: parameters, states, quantities,
// pictures, analysis. The mechanics is in multibody.h and its neighbours.
#pragma once

#include "core/model/editing.h"
#include "core/model/keeps_invariants.h"
#include "core/model/kind.h"
#include "core/model/quick_analysis.h"
#include "core/systems/planar/body_pictures.h"
#include "core/systems/planar/multibody/multibody_equilibria.h"
#include "core/systems/planar/multibody/multibody_shape.h"

#include <mutex>

namespace casimir::planar {

const Kind& multibodyKind();

// Reads {"bodies": [...], "joints": [...], "theta": [...], "mu": [...]}.
Input readMultibodyInput(const Kind& kind, const nlohmann::ordered_json& json);

// The most bodies that a tree may have.
inline constexpr long mostBodies = 512;
// The angle at which every second body starts where nothing else is said, rad.
inline constexpr double startingBend = 0.6;

// The tree that a set of values describes; throws casimir::Error.
Tree treeFrom(const Values& values);

// Moves in (theta_1 .. theta_N, mu_1 .. mu_N) and starts from the same numbers; the whole is then given the
// spin that makes the total momentum the parameter mu, and prescribed joints the angle and rate they have at
// the start.
class MultibodySystem final : public System,
                              public KeepsInvariants,
                              public HasQuickAnalysis,
                              public HasStageEditing,
                              public HasListEditing {
public:
    MultibodySystem(const Kind& kind, const Values& values);

    const Tree& tree() const { return tree_; }
    double mu() const { return mu_; }

    StateInputs inputsOf(const State& x) const override;
    // Joints that the clock drives stand where it has them at t.
    State carriedFrom(const System& other, double t, const State& x) const override;
    void evaluate(double t, const State& x, std::span<double> out) const override;
    void field(double t, const State& x, State& dxdt) const override;
    bool keepsInvariants() const override { return !tree_.driven() && !tree_.hasTorques(); }
    bool invariantGradients(double t, const Eigen::VectorXd& x, Eigen::MatrixXd& out) const override;
    std::vector<MethodInfo> methods() const override;

    Scene scene() const override;
    std::vector<PlotInfo> plots() const override;
    using System::plot;
    Plot plot(const PlotRequest& request) const override;
    void track(std::string_view plotId, double t, const State& x, PlotTrack& out) const override;
    StateInputs pickFrom(const PlotRequest& request, double x, double y) const override;

    // Hinges can be dragged, the bodies staying where they are, and mass centres, the hinges staying; a body
    // can be hung on or taken away, and all be replaced by a chain of equal ones.
    std::vector<StageHandle> stageHandles(double t, const State& x) const override;
    Outcome<Change> dragHandle(std::string_view id, double t, const State& x,
                               const Eigen::Vector3d& to) const override;
    std::vector<StageAction> stageActions(double t, const State& x, const Eigen::Vector3d& at) const override;
    Outcome<Change> stageAct(std::string_view id, double t, const State& x, const Eigen::Vector3d& at,
                             long number) const override;
    Outcome<Change> withEntry(std::string_view list, double t, const State& x) const override;
    Outcome<Change> withoutEntry(std::string_view list, std::size_t index, double t,
                                 const State& x) const override;

    Analysis analyze(const Answers& answers) const override;
    Analysis analyzeQuickly() const override { return analyze({}); }
    Analysis analyzeUnless(const std::function<bool()>& cancelled) const override;
    UsualAxes usualAxes() const override;
    bool hasEquilibria() const override { return !tree_.driven(); }
    // Adds the energy and the field at the start.
    Analysis analyzeFrom(const StateInputs& start, const Answers& answers) const override;
    Entry analyzeState(const State& x) const;

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    State admitted(double t, const std::vector<double>& inputs) const;
    // Found when first asked for; where the search is cancelled, when asked again.
    const TreeEquilibria& equilibria(const std::function<bool()>& cancelled = {}) const;
    void measure(); // sizes that pictures need at every frame
    bool hasShapes() const;
    Plot shapePlot() const;
    void addLoop(Plot& plot) const;
    void addPotential(Plot& plot) const;
    std::vector<PlanarBody> drawnBodies() const;
    // Its name, or its number counted from 1.
    std::string label(std::size_t body) const;
    Outcome<Change> hung(std::size_t parent, const Eigen::Vector2d& hinge, double t, const State& x) const;
    Outcome<Change> without(std::size_t body, double t, const State& x) const;
    Outcome<Change> symmetricChain(std::size_t like, long number) const;
    Outcome<Change> withJoint() const;
    struct Places; // where the bodies are at one state
    Places places(double t, const State& x) const;
    std::size_t bodyNear(const Places& places, const Eigen::Vector2d& point) const;
    Sketch sketch(const Eigen::VectorXd& theta, bool solid) const;

    Tree tree_;
    std::vector<std::string> names_; // of the bodies; empty: none given
    double mu_;
    double sceneRadius_ = 1, rateScale_ = 1;
    mutable std::once_flag equilibriaOnce_;
    mutable TreeEquilibria equilibria_;
};

} // namespace casimir::planar
