// What is drawn of a tree of bodies: the stage, a stick figure of an equilibrium, and the plane of two joint
// angles.
#include "core/numerics/pi.h"
#include "core/systems/planar/body_pictures.h"
#include "core/systems/planar/multibody/multibody_chaos.h"
#include "core/systems/planar/multibody/multibody_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::planar {

namespace {

// Above these numbers of bodies a picture would be covered by what explains it.
constexpr int arrowsUpTo = 12, labelsUpTo = 24, pinsUpTo = 40;
constexpr int mapCells = 72;
constexpr int loopPoints = 361;
constexpr int measuredUpTo = 60; // bodies whose turn is measured each time the picture is made

// By its place among the joints in the order of the tree.
Quantity jointAt(const Tree& tree, Eigen::Index at)
{
    return jointQuantity(tree, tree.order()[static_cast<std::size_t>(at) + 1]);
}

// The two joints that move most; the picture shows their angles.
std::pair<Eigen::Index, Eigen::Index> shownJoints(const Tree& tree)
{
    std::vector<double> size(tree.order().size(), 0.0);
    for (std::size_t i = 1; i < size.size(); ++i)
        for (const TreeJoint& j : tree.joints())
            if (j.body == tree.order()[i])
                size[i] = std::abs(j.amplitude);
    const auto most = std::max_element(size.begin() + 1, size.end());
    *most = -1;
    const auto next = std::max_element(size.begin() + 1, size.end());
    return std::minmax<Eigen::Index>({most - size.begin() - 1, next - size.begin() - 1});
}

} // namespace

std::string MultibodySystem::label(std::size_t body) const
{
    return names_[body].empty() ? fmt::format("{}", body + 1) : names_[body];
}

std::vector<PlanarBody> MultibodySystem::drawnBodies() const
{
    std::vector<PlanarBody> drawn(static_cast<std::size_t>(tree_.size()));
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        const TreeBody& b = tree_.bodies()[k];
        drawn[k].mass = b.mass;
        drawn[k].inertia = b.inertia;
        drawn[k].name = names_[k];
        if (b.parent < 0)
            continue;
        drawn[k].hinges.push_back(b.hingeOnBody);
        drawn[static_cast<std::size_t>(b.parent)].hinges.push_back(b.hingeOnParent);
    }
    return drawn;
}

// A bound on how far any body gets from the common centre: the mean, by mass, of its distances to the others
// along the stretched tree.
void MultibodySystem::measure()
{
    const auto n = static_cast<std::size_t>(tree_.size());
    const auto& order = tree_.order();
    std::vector<double> carried(n), mean(n, 0.0), edge(n, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
        const TreeBody& b = tree_.bodies()[k];
        carried[k] = b.mass / tree_.mass();
        edge[k] = b.parent < 0 ? 0 : b.hingeOnParent.norm() + b.hingeOnBody.norm();
    }
    for (std::size_t i = n; i-- > 1;) {
        const auto k = static_cast<std::size_t>(order[i]),
                   p = static_cast<std::size_t>(tree_.bodies()[k].parent);
        carried[p] += carried[k];
        mean[p] += mean[k] + carried[k] * edge[k];
    }
    for (std::size_t i = 1; i < n; ++i) {
        const auto k = static_cast<std::size_t>(order[i]),
                   p = static_cast<std::size_t>(tree_.bodies()[k].parent);
        mean[k] = mean[p] + (1 - 2 * carried[k]) * edge[k];
    }
    const auto drawn = drawnBodies();
    sceneRadius_ = 1e-9;
    double inertia = 0;
    for (std::size_t k = 0; k < n; ++k) {
        sceneRadius_ = std::max(sceneRadius_, mean[k] + reachOf(outlineOf(drawn[k])));
        inertia += tree_.bodies()[k].inertia;
    }
    const Eigen::VectorXd bent =
        Eigen::VectorXd::NullaryExpr(tree_.size(), [](Eigen::Index k) { return k % 2 ? 1.2 : 0.0; });
    rateScale_ = std::max(std::abs(mu_) / std::max(tree_.lockedInertia(bent.data()), inertia), 1e-300);
    for (const TreeJoint& j : tree_.joints())
        if (j.prescribed())
            rateScale_ = std::max(rateScale_, std::abs(j.amplitude * j.frequency));
}

Scene MultibodySystem::scene() const
{
    const int n = tree_.size();
    std::vector<PlanarHinge> hinges;
    for (int k = 0; k < n; ++k)
        if (const int p = tree_.bodies()[static_cast<std::size_t>(k)].parent; p >= 0)
            hinges.push_back({fmt::format("hinge{}", k + 1),
                              fmt::format("hinge of {} and {}", label(static_cast<std::size_t>(p)),
                                          label(static_cast<std::size_t>(k)))});
    Scene scene = planarScene(drawnBodies(), hinges, sceneRadius_, {"H", "mu"});
    const auto leaveOut = [&scene](const std::string& layer) {
        std::erase_if(scene.parts, [&](const Part& part) { return part.layer == layer; });
        std::erase_if(scene.layers, [&](const Layer& entry) { return entry.id == layer; });
    };
    if (n > arrowsUpTo)
        leaveOut("arrows");
    if (n > labelsUpTo)
        leaveOut("labels");
    // As large on the screen whatever the body: of many small ones nothing else would be seen.
    for (Layer& layer : scene.layers)
        layer.shown = layer.shown && (layer.id != "pins" || n <= pinsUpTo);
    if (n > 3)
        for (std::size_t k = 0; k < scene.points.size(); ++k)
            scene.points[k].shown = static_cast<int>(k) == tree_.order().back();
    return scene;
}

void MultibodySystem::poseAt(double t, const State& x, Pose& out) const
{
    const int n = tree_.size();
    thread_local std::vector<Eigen::Vector2d> r;
    thread_local std::vector<PlanarPlace> bodies, hinges;
    thread_local std::vector<double> theta, rates;
    thread_local Tree::Workspace w;
    theta.resize(static_cast<std::size_t>(n));
    tree_.centres(t, x.data(), r);
    tree_.angles(t, x.data(), theta.data());
    bodies.clear();
    hinges.clear();
    rates.clear();
    for (std::size_t k = 0; k < theta.size(); ++k) {
        bodies.push_back({theta[k], r[k]});
        if (const TreeBody& b = tree_.bodies()[k]; b.parent >= 0)
            hinges.push_back({theta[k], r[k] + Eigen::Rotation2Dd(theta[k]) * b.hingeOnBody});
    }
    if (n <= arrowsUpTo) {
        tree_.velocities(t, x.data(), x.data() + n, w);
        const double most = 4 * rateScale_; // a faster body's arrow stays on the stage
        for (const double omega : w.omega())
            rates.push_back(std::clamp(omega, -most, most));
    }
    planarPose(bodies, hinges, rates, 0.4 * sceneRadius_ / rateScale_, out);
}

Sketch MultibodySystem::sketch(const Eigen::VectorXd& theta, bool solid) const
{
    std::vector<Eigen::Vector2d> r;
    tree_.centres(0, theta.data(), r);
    std::vector<PlanarStick> sticks(r.size());
    for (std::size_t k = 0; k < r.size(); ++k) {
        sticks[k].centre = r[k];
        const TreeBody& b = tree_.bodies()[k];
        if (b.parent < 0)
            continue;
        const Eigen::Vector2d hinge =
            r[k] + Eigen::Rotation2Dd(theta[static_cast<Eigen::Index>(k)]) * b.hingeOnBody;
        sticks[k].hinges.push_back(hinge);
        sticks[static_cast<std::size_t>(b.parent)].hinges.push_back(hinge);
    }
    return stickFigure(sticks, solid);
}

std::vector<PlotInfo> MultibodySystem::plots() const
{
    std::vector<PlotInfo> all;
    if (hasShapes())
        all.push_back({.id = "shape", .title = "Shapes", .reliefView = "landscape", .followsState = true});
    for (PlotInfo& info : treeChaosPlots(tree_))
        all.push_back(std::move(info));
    return all;
}

bool MultibodySystem::hasShapes() const
{
    const bool landscape = tree_.size() == 3 && !tree_.driven();
    return tree_.size() >= 3 && (tree_.allPrescribed() || landscape);
}

Plot MultibodySystem::plot(const PlotRequest& request) const
{
    if (request.id == "shape" && hasShapes())
        return shapePlot();
    if (auto plot = treeChaosPlot(tree_, mu_, start(request.start), request))
        return std::move(*plot);
    return System::plot(request);
}

StateInputs MultibodySystem::pickFrom(const PlotRequest& request, double x, double y) const
{
    const auto picked = treeChaosPick(tree_, mu_, start(request.start), request, x, y);
    return picked ? inputsOf(*picked) : System::pickFrom(request, x, y);
}

// The curvature of the connection behind the prescribed loop: what the loop encloses is what the whole turns.
void MultibodySystem::addLoop(Plot& plot) const
{
    const auto [x, y] = shownJoints(tree_);
    const ShapeLoop loop = shapeLoop(tree_, mu_);
    const double span = loop.period > 0 ? loop.period : 20;
    Polyline line;
    line.emphasised = true;
    line.colour = {Role::Separatrix};
    line.label = "prescribed shapes";
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (int i = 0; i < loopPoints; ++i) {
        const Eigen::VectorXd beta = prescribedShape(tree_, span * i / (loopPoints - 1));
        line.x.push_back(beta[x]);
        line.y.push_back(beta[y]);
        for (const auto& [axis, at] : {std::pair(0, Eigen::Index(x)), std::pair(1, Eigen::Index(y))}) {
            low[axis] = std::min(low[axis], beta[at]);
            high[axis] = std::max(high[axis], beta[at]);
        }
    }
    const double margin = std::max({0.25 * (high[0] - low[0]), 0.25 * (high[1] - low[1]), 0.3});
    plot.x = {jointAt(tree_, x), low[0] - margin, high[0] + margin};
    plot.y = {jointAt(tree_, y), low[1] - margin, high[1] + margin};
    plot.lines.push_back(std::move(line));

    const Eigen::VectorXd start = prescribedShape(tree_, 0);
    const int cells = tree_.size() <= 12 ? mapCells : 24;
    if (tree_.size() <= 60) {
        const TreeMatrices matrices(tree_);
        HeatMap map;
        map.columns = map.rows = cells;
        map.quantity = {"curvature", "F", "curvature of the connection: turn for a unit of area", ""};
        map.smooth = true;
        double most = 1e-12;
        Eigen::VectorXd beta = start;
        const Eigen::VectorXd u = Eigen::VectorXd::Unit(beta.size(), x),
                              v = Eigen::VectorXd::Unit(beta.size(), y);
        for (int row = 0; row < cells; ++row)
            for (int column = 0; column < cells; ++column) {
                beta[x] = plot.x.min + (plot.x.max - plot.x.min) * (column + 0.5) / cells;
                beta[y] = plot.y.min + (plot.y.max - plot.y.min) * (row + 0.5) / cells;
                const double F = -connectionCurvature(tree_, matrices, beta, u, v);
                most = std::max(most, std::abs(F));
                map.values.push_back(static_cast<float>(F));
            }
        map.min = -most;
        map.max = most;
        plot.maps.push_back(std::move(map));
    }
    if (loop.status.ok()) {
        plot.note =
            fmt::format("a loop of {:.4g} s encloses the holonomy {:.6f} rad{}", loop.period, loop.geometric,
                        mu_ == 0 ? std::string() : fmt::format(", the spin adds {:.6f} rad", loop.dynamic));
        if (tree_.size() <= measuredUpTo)
            plot.note += fmt::format(": body {} turns by {:.6f} rad, measured {:.6f}",
                                     label(static_cast<std::size_t>(tree_.root())), loop.predicted(),
                                     measuredRotation(tree_, mu_, loop.period));
    } else {
        plot.note = loop.status.sentence;
    }
}

// The amended potential of three bodies over their two joint angles, with its equilibria.
void MultibodySystem::addPotential(Plot& plot) const
{
    plot.x = {jointAt(tree_, 0), -pi, pi};
    plot.y = {jointAt(tree_, 1), -pi, pi};
    const TreeEquilibria& found = equilibria();
    const bool springs = tree_.hasTorques();
    if (!springs)
        plot.x.quantity.period = plot.y.quantity.period = 2 * pi;
    HeatMap map;
    map.columns = map.rows = mapCells;
    map.quantity = {"V", "V", springs ? "amended potential, without the springs" : "amended potential", "J"};
    map.smooth = true;
    double low = 1e300, high = -1e300;
    for (int row = 0; row < mapCells; ++row)
        for (int column = 0; column < mapCells; ++column) {
            const Eigen::Vector2d beta(-pi + 2 * pi * (column + 0.5) / mapCells,
                                       -pi + 2 * pi * (row + 0.5) / mapCells);
            const double V = mu_ * mu_ / (2 * tree_.lockedInertia(anglesOf(tree_, beta).data()));
            low = std::min(low, V);
            high = std::max(high, V);
            map.values.push_back(static_cast<float>(V));
        }
    map.min = low;
    map.max = high > low ? high : low + 1;
    plot.maps.push_back(std::move(map));
    for (const TreeEquilibrium& e : found.list) {
        const Eigen::VectorXd beta = jointAngles(tree_, e.theta);
        const bool stable = e.stability == verdict::stable || e.stability == verdict::asymptoticallyStable;
        const bool decided = stable || e.stability == verdict::unstable;
        plot.marks.push_back({.x = springs ? beta[0] : std::remainder(beta[0], 2 * pi),
                              .y = springs ? beta[1] : std::remainder(beta[1], 2 * pi),
                              .shape = stable ? MarkShape::Disc : MarkShape::Cross,
                              .colour = {!decided ? Role::Undecided
                                         : stable ? Role::Stable
                                                  : Role::Unstable},
                              .label = {},
                              .id = e.name});
    }
    plot.note = found.status.ok() ? std::string() : found.status.sentence;
}

Plot MultibodySystem::shapePlot() const
{
    Plot plot;
    plot.id = "shape";
    plot.title = tree_.allPrescribed() ? "Loop of shapes" : "Amended potential";
    if (tree_.allPrescribed())
        addLoop(plot);
    else
        addPotential(plot);
    return plot;
}

void MultibodySystem::track(std::string_view plotId, double t, const State& x, PlotTrack& out) const
{
    if (plotId != "shape" || tree_.size() < 3)
        return;
    State theta(tree_.size());
    tree_.angles(t, x.data(), theta.data());
    const Eigen::VectorXd beta = jointAngles(tree_, theta);
    const bool wraps = !tree_.hasTorques();
    const auto [i, j] = shownJoints(tree_);
    out.marks.push_back({.x = wraps ? std::remainder(beta[i], 2 * pi) : beta[i],
                         .y = wraps ? std::remainder(beta[j], 2 * pi) : beta[j],
                         .colour = Colour::motion(0)});
}

} // namespace casimir::planar
