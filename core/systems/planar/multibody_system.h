// A tree of hinged planar bodies as the rest of the program sees it: parameters, states, quantities,
// pictures, analysis. The mechanics is in multibody.h and its neighbours.
#pragma once

#include "core/model/keeps_invariants.h"
#include "core/model/kind.h"
#include "core/systems/planar/multibody_equilibria.h"
#include "core/systems/planar/multibody_shape.h"

#include <mutex>

namespace casimir::planar {

const Kind& multibodyKind();

// Reads {"bodies": [...], "joints": [...], "theta": [...], "mu": [...]}.
Input readMultibodyInput(const Kind& kind, const nlohmann::ordered_json& json);

// The tree that a set of values describes; throws casimir::Error.
Tree treeFrom(const Values& values);

// Moves in (theta_1 .. theta_N, mu_1 .. mu_N) and starts from the same numbers; the whole is then given the
// spin that makes the total momentum the parameter mu, and prescribed joints the angle and rate they have at
// the start.
class MultibodySystem final : public System, public KeepsInvariants {
public:
    MultibodySystem(const Kind& kind, const Values& values);

    const Tree& tree() const { return tree_; }
    double mu() const { return mu_; }

    StateInputs inputsOf(const State& x) const override;
    void evaluate(double t, const State& x, std::span<double> out) const override;
    void field(double t, const State& x, State& dxdt) const override;
    bool keepsInvariants() const override { return !tree_.driven() && !tree_.hasTorques(); }
    bool invariantGradients(double t, const Eigen::VectorXd& x, Eigen::MatrixXd& out) const override;
    std::vector<MethodInfo> methods() const override;

    Scene scene() const override;
    void pose(double t, const State& x, Pose& out) const override;
    std::vector<PlotInfo> plots() const override;
    using System::plot;
    Plot plot(const PlotRequest& request) const override;
    void track(std::string_view plotId, double t, const State& x, PlotTrack& out) const override;

    Analysis analyze(const Answers& answers) const override;
    bool hasEquilibria() const override { return !tree_.driven(); }
    // Adds the energy and the field at the start.
    Analysis analyzeFrom(const StateInputs& start, const Answers& answers) const override;
    nlohmann::ordered_json analyzeState(const State& x) const;

protected:
    State startAt(const std::vector<double>& inputs) const override;

private:
    const TreeEquilibria& equilibria() const; // found when first asked for
    void measure();                           // sizes that pictures need at every frame
    Plot shapePlot() const;
    void addLoop(Plot& plot) const;
    void addPotential(Plot& plot) const;
    Sketch sketch(const Eigen::VectorXd& theta, bool solid) const;

    Tree tree_;
    double mu_;
    double sceneRadius_ = 1, rateScale_ = 1;
    mutable std::once_flag equilibriaOnce_;
    mutable TreeEquilibria equilibria_;
};

} // namespace casimir::planar
