// What is drawn of a tree of bodies: the stage, a stick figure of an equilibrium, and the plane of two joint
// angles.
#include "core/model/error.h"
#include "core/systems/planar/multibody_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir::planar {

namespace {

constexpr double pi = std::numbers::pi;
// Above these numbers of bodies a picture would be covered by what explains it.
constexpr int arrowsUpTo = 12, labelsUpTo = 24, tracesUpTo = 24, dotsUpTo = 60, finelyDrawnUpTo = 30;
constexpr int mapCells = 72;
constexpr int loopPoints = 361;

std::vector<std::vector<Eigen::Vector2d>> hingesOf(const Tree& tree)
{
    std::vector<std::vector<Eigen::Vector2d>> hinges(static_cast<std::size_t>(tree.size()));
    for (std::size_t k = 0; k < hinges.size(); ++k) {
        const TreeBody& b = tree.bodies()[k];
        if (b.parent < 0)
            continue;
        hinges[k].push_back(b.hingeOnBody);
        hinges[static_cast<std::size_t>(b.parent)].push_back(b.hingeOnParent);
    }
    return hinges;
}

double reachOf(const std::vector<Eigen::Vector2d>& hinges)
{
    double reach = 0;
    for (const auto& h : hinges)
        reach = std::max(reach, h.norm());
    return reach;
}

// How far the outline goes beyond its hinges: half the radius of gyration, but neither a thread nor a blot.
double rimOf(const TreeBody& body, double reach)
{
    const double gyration = std::sqrt(body.inertia / body.mass);
    return reach > 0 ? std::clamp(0.5 * gyration, 0.1 * reach, 0.45 * reach) : gyration * std::numbers::sqrt2;
}

// The hull of the mass centre and the hinges, grown by the rim.
std::vector<Eigen::Vector2d> outline(const TreeBody& body, const std::vector<Eigen::Vector2d>& hinges,
                                     int points)
{
    const double rim = rimOf(body, reachOf(hinges));
    std::vector<Eigen::Vector2d> result;
    for (int i = 0; i < points; ++i) {
        const Eigen::Vector2d u(std::cos(2 * pi * i / points), std::sin(2 * pi * i / points));
        Eigen::Vector2d far = Eigen::Vector2d::Zero();
        for (const auto& h : hinges)
            if (h.dot(u) > far.dot(u))
                far = h;
        result.push_back(far + rim * u);
    }
    return result;
}

Quantity jointQuantity(const Tree& tree, Eigen::Index at)
{
    const int k = tree.order()[static_cast<std::size_t>(at) + 1];
    const int p = tree.bodies()[static_cast<std::size_t>(k)].parent;
    return {fmt::format("beta_{}", k + 1), fmt::format("β_{{{}}}", k + 1),
            fmt::format("joint angle, body {} against body {}", k + 1, p + 1), "rad"};
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
    const auto hinges = hingesOf(tree_);
    sceneRadius_ = 1e-9;
    double inertia = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const double reach = reachOf(hinges[k]);
        sceneRadius_ = std::max(sceneRadius_, mean[k] + reach + rimOf(tree_.bodies()[k], reach));
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
    const auto hinges = hingesOf(tree_);
    Scene scene;
    scene.planar = true;
    scene.radius = sceneRadius_;
    scene.frames = {{"inertial", "inertial frame", -1},
                    {"root", fmt::format("frame of body {}", tree_.root() + 1), tree_.root()}};
    if (n <= arrowsUpTo)
        scene.layers.push_back({"arrows", "Angular velocities", n <= 4});
    if (n <= labelsUpTo)
        scene.layers.push_back({"labels", "Labels", true});
    scene.headsUp = {"H", "mu"};
    std::vector<int> depth(static_cast<std::size_t>(n), 0);
    for (const int k : tree_.order())
        if (const int p = tree_.bodies()[static_cast<std::size_t>(k)].parent; p >= 0)
            depth[static_cast<std::size_t>(k)] = depth[static_cast<std::size_t>(p)] + 1;
    double largest = 0;
    for (std::size_t k = 0; k < hinges.size(); ++k)
        largest = std::max(largest, reachOf(hinges[k]) + rimOf(tree_.bodies()[k], reachOf(hinges[k])));
    const double thickness = 0.08 * largest;
    for (int k = 0; k < n; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const TreeBody& b = tree_.bodies()[i];
        const double low = depth[i] % 2 ? 0 : -thickness;
        scene.parts.push_back(
            {fmt::format("body {}", k + 1),
             Plate{outline(b, hinges[i], n <= finelyDrawnUpTo ? 64 : 24), low, low + thickness},
             Colour::body(k), 0.6, k});
        if (n <= dotsUpTo)
            scene.parts.push_back({fmt::format("mass centre {}", k + 1),
                                   Pin{Pin::Kind::Dot, {0, 0, 2 * thickness}}, Colour::body(k), 1, k});
        if (b.parent >= 0)
            scene.parts.push_back(
                {fmt::format("hinge {}", k + 1),
                 Pin{Pin::Kind::Ring, {b.hingeOnBody.x(), b.hingeOnBody.y(), 2 * thickness}},
                 {Role::Neutral},
                 1,
                 k});
        if (n <= arrowsUpTo)
            scene.parts.push_back({fmt::format("angular velocity {}", k + 1),
                                   ArrowShape{i, true, 0.1 * thickness + 0.01 * scene.radius},
                                   Colour::body(k), 1, -1, "arrows"});
        if (n <= labelsUpTo)
            scene.parts.push_back(
                {fmt::format("label {}", k + 1),
                 Label{fmt::format("{}", k + 1), {0, 0.5 * rimOf(b, reachOf(hinges[i])), 3 * thickness}},
                 Colour::body(k), 1, k, "labels"});
        if (n <= tracesUpTo || k == tree_.root() || k == tree_.order().back())
            scene.points.push_back({fmt::format("c{}", k + 1), fmt::format("mass centre {}", k + 1),
                                    Colour::body(k), k == tree_.order().back()});
    }
    scene.parts.push_back(
        {"centre of mass", Pin{Pin::Kind::Cross, {0, 0, 2 * thickness}}, {Role::Neutral}, 1, -1});
    return scene;
}

void MultibodySystem::pose(double t, const State& x, Pose& out) const
{
    const int n = tree_.size();
    thread_local std::vector<Eigen::Vector2d> r;
    thread_local Tree::Workspace w;
    tree_.centres(t, x.data(), r);
    State theta(n);
    tree_.angles(t, x.data(), theta.data());
    out.placements.resize(static_cast<std::size_t>(n));
    out.arrows.clear();
    out.curves.clear();
    out.points.clear();
    if (n <= arrowsUpTo)
        tree_.velocities(t, x.data(), x.data() + n, w);
    // As long as the scene is wide at twice the typical rate, and never much longer.
    const double scale = 0.4 * sceneRadius_ / rateScale_;
    for (int k = 0; k < n; ++k) {
        const auto i = static_cast<std::size_t>(k);
        out.placements[i].rotation = Eigen::Quaterniond(std::cos(theta[k] / 2), 0, 0, std::sin(theta[k] / 2));
        out.placements[i].translation = {r[i].x(), r[i].y(), 0};
        if (n <= arrowsUpTo)
            out.arrows.push_back(
                {out.placements[i].translation,
                 {0, 0, std::clamp(scale * w.omega()[i], -2 * sceneRadius_, 2 * sceneRadius_)}});
        if (n <= tracesUpTo || k == tree_.root() || k == tree_.order().back())
            out.points.push_back(out.placements[i].translation);
    }
}

Sketch MultibodySystem::sketch(const Eigen::VectorXd& theta) const
{
    Sketch figure;
    std::vector<Eigen::Vector2d> r;
    tree_.centres(0, theta.data(), r);
    for (int k = 0; k < tree_.size(); ++k) {
        const auto i = static_cast<std::size_t>(k);
        const TreeBody& b = tree_.bodies()[i];
        figure.marks.push_back({.x = r[i].x(), .y = r[i].y(), .colour = Colour::body(k)});
        if (b.parent < 0)
            continue;
        const auto p = static_cast<std::size_t>(b.parent);
        const Eigen::Vector2d hinge = r[i] + Eigen::Rotation2Dd(theta[k]) * b.hingeOnBody;
        for (const auto& [from, body] : {std::pair(r[p], b.parent), std::pair(r[i], k)}) {
            Polyline line;
            line.x = {from.x(), hinge.x()};
            line.y = {from.y(), hinge.y()};
            line.colour = Colour::body(body);
            line.emphasised = true;
            figure.lines.push_back(std::move(line));
        }
    }
    return figure;
}

std::vector<PlotInfo> MultibodySystem::plots() const
{
    const bool landscape = tree_.size() == 3 && !tree_.driven();
    if (tree_.size() < 3 || !(tree_.allPrescribed() || landscape))
        return {};
    return {{.id = "shape", .title = "Shapes", .followsState = true}};
};
}

Plot MultibodySystem::plot(const PlotRequest& request) const
{
    if (request.id == "shape" && !plots().empty())
        return shapePlot();
    return System::plot(request);
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
    plot.x = {jointQuantity(tree_, x), low[0] - margin, high[0] + margin};
    plot.y = {jointQuantity(tree_, y), low[1] - margin, high[1] + margin};
    plot.lines.push_back(std::move(line));

    const Eigen::VectorXd start = prescribedShape(tree_, 0);
    const int cells = tree_.size() <= 12 ? mapCells : 24;
    if (tree_.size() <= 60) {
        const TreeMatrices matrices(tree_);
        HeatMap map{.columns = cells, .rows = cells};
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
    if (loop.status.ok())
        plot.note =
            fmt::format("one loop takes {:.4g} s and turns body {} by {:.6f} rad{}", loop.period,
                        tree_.root() + 1, loop.geometric,
                        mu_ == 0 ? std::string() : fmt::format("; the spin adds {:.6f} rad", loop.dynamic));
    else
        plot.note = loop.status.sentence;
}

// The amended potential of three bodies over their two joint angles, with its equilibria.
void MultibodySystem::addPotential(Plot& plot) const
{
    plot.x = {jointQuantity(tree_, 0), -pi, pi};
    plot.y = {jointQuantity(tree_, 1), -pi, pi};
    const TreeEquilibria& found = equilibria();
    const bool springs = tree_.hasTorques();
    if (!springs)
        plot.x.quantity.period = plot.y.quantity.period = 2 * pi;
    HeatMap map{.columns = mapCells, .rows = mapCells};
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
