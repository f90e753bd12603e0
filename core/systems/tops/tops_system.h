// A chain of heavy Lagrange tops as the rest of the program sees it: states, quantities, methods, pictures,
// analysis. The mechanics is in chain.h and exact_motion.h, the parameters in tops_setup.h.
#pragma once

#include "core/model/kind.h"
#include "core/systems/tops/tops_setup.h"

#include <memory>

namespace casimir::tops {

const Kind& topsKind();

// The state holds for every top the axis e, its rate v, a tangent vector d carried along without spin, the
// angle chi of the body against d, and the windings of psi and beta (the angle of d against e_theta), which
// only remember how often an angle went round: state = (e, v, d, chi, psi, beta), each for all tops in order.
// Where there is an exact motion, the state ends with the one that it started on or beside: the time on its
// nutation, which runs, and the angles of its planes, which do not.
// A free chain starts from angles and rates; an exact motion from its phase, the angles of its planes, and
// how far each top is kicked off it.
class TopsSystem final : public System {
public:
    TopsSystem(const Kind& kind, const Values& values);

    const Chain& chain() const { return setup_.chain; }
    const Setup& setup() const { return setup_; }

    StateInputs inputsOf(const State& x) const override;
    void evaluate(double t, const State& x, std::span<double> out) const override;
    void field(double t, const State& x, State& dxdt) const override;
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

    std::vector<Question> questions() const override;
    Analysis analyze(const Answers& answers) const override;
    // The vertical rests matter to a free chain and to the sleeping top; exact motions of chains have none
    // near.
    bool hasEquilibria() const override;
    // Spin against weight: what makes a top sleep.
    UsualAxes usualAxes() const override;

    // The exact motion through a state: its time on the nutation, the angles of its planes, and for each top
    // the tangent kick (along e_theta, e_psi) of place and rate and the angle of d. `off` is the largest
    // kick.
    struct Decomposition {
        double time = 0;
        std::vector<double> planes;
        std::vector<std::array<double, 4>> kick;
        std::vector<double> twist;
        double off = 0;
    };
    Decomposition decompose(const State& x) const;
    // The state at a time on the nutation, with d turned by `twist` and the spins advanced by `chi`.
    State exactState(double time, const std::vector<double>& planes, const std::vector<double>& twist,
                     const std::vector<double>& chi) const;

    int size() const { return setup_.chain.size(); }
    int stateSize() const { return static_cast<int>(coordinates_.size()); }
    Eigen::Map<const Eigen::Matrix3Xd> axes(const State& x) const { return {x.data(), 3, size()}; }
    Eigen::Map<const Eigen::Matrix3Xd> rates(const State& x) const
    {
        return {x.data() + 3 * size(), 3, size()};
    }

protected:
    void poseAt(double t, const State& x, Pose& out) const override;
    State startAt(const std::vector<double>& inputs) const override;

private:
    struct BodyAngles {
        AxisAngles at;
        double phi = 0;
    };
    BodyAngles anglesAt(const State& x, int i) const;
    void refer(State& x, double time, const std::vector<double>& planes) const;
    void remember(State& x, int i, double psiNear, double betaNear) const;
    // The tops whose azimuth gives the angle of each plane: the first and, with two planes, the last.
    int leaderOf(int plane) const { return plane == 0 ? 0 : size() - 1; }
    Eigen::Vector2d ridersOffLine(const State& x) const;
    void measure();

    Plot cubicPlot() const;
    Plot nutationPlot() const;
    Plot potentialPlot() const;
    Plot precessionPlot(int periods) const;
    Plot axesPlot(int periods) const;
    Plot bodiesPlot() const;
    Plot constantsPlot(const std::string& pair) const;
    Plot growthPlot(const PlotRequest& request) const;

    Setup setup_;
    double reach_ = 1;                // m, of the chain stretched out
    double radius_ = 1;               // m, of the picture
    std::vector<double> radii_;       // m, of the discs drawn
    std::vector<double> thicknesses_; // m
};

} // namespace casimir::tops
