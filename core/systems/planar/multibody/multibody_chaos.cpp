#include "core/systems/planar/multibody/multibody_chaos.h"

#include "core/base/recent_answers.h"
#include "core/numerics/lyapunov.h"
#include "core/numerics/parallel.h"
#include "core/numerics/pi.h"
#include "core/systems/planar/chaos_plots.h"
#include "core/systems/planar/multibody/multibody_ensemble.h"
#include "core/systems/planar/multibody/multibody_flow.h"
#include "core/systems/planar/multibody/multibody_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

namespace casimir::planar {

namespace {

constexpr int mostExponents = 8, usualExponents = 4; // one sweep of wide lanes
constexpr double mapAccuracy = 1e-7;                 // relative, of a step: colours are right to a shade
constexpr double mostSteps = 20'000;                 // a turn: stiffer motions are given up
constexpr double fastest = 4;                        // of an axis of rates, in typical rates

bool turnsFreely(const Tree& tree, int body)
{
    if (tree.bodies()[static_cast<std::size_t>(body)].parent < 0)
        return false;
    return std::none_of(tree.joints().begin(), tree.joints().end(),
                        [body](const TreeJoint& j) { return j.body == body && j.prescribed(); });
}

int parentOf(const Tree& tree, int body)
{
    return tree.bodies()[static_cast<std::size_t>(body)].parent;
}

std::string wordsFor(const StartAxis& axis)
{
    return fmt::format("{}β{}", axis.rate ? "rate of " : "", axis.body + 1);
}

std::vector<Parameter> mapOptions(const std::vector<StartAxis>& axes)
{
    std::vector<Choice> choices;
    for (const StartAxis& axis : axes)
        choices.push_back({axis.id(), wordsFor(axis)});
    return {
        choiceParameter({"show", "", "show", "",
                         "Of the motion from each start: by how much a small disturbance grows, or when a "
                         "joint first makes a full turn.",
                         ""},
                        {{"growth", "growth"}, {"turn", "first turn"}}, "growth"),
        choiceParameter({"x", "", "across", "", "What of the start changes from left to right.", ""}, choices,
                        axes[0].id()),
        choiceParameter({"y", "", "upwards", "", "What of the start changes upwards.", ""}, choices,
                        axes[1].id()),
        turnsOption(4, 0.1),
        integerParameter({"cells", "", "cells", "", "Of a side, in the finest picture.", ""}, 96, 12, 600)};
}

std::array<StartAxis, 2> axesOf(const Tree& tree, const Values& options)
{
    std::array<StartAxis, 2> chosen;
    for (const StartAxis& axis : startAxes(tree)) {
        if (axis.id() == options.choice("x"))
            chosen[0] = axis;
        if (axis.id() == options.choice("y"))
            chosen[1] = axis;
    }
    return chosen;
}

PlotAxis plotAxis(const Tree& tree, const StartAxis& axis, double rate)
{
    if (!axis.rate) {
        Quantity angle = jointQuantity(tree, axis.body);
        if (!tree.hasTorques())
            angle.period = 2 * pi;
        return {angle, -pi, pi};
    }
    return {{axis.id(), fmt::format("β_{{{}}}'", axis.body + 1),
             fmt::format("rate of the joint of body {}", axis.body + 1), "rad/s"},
            -fastest * rate,
            fastest * rate};
}

} // namespace

std::string StartAxis::id() const
{
    return fmt::format("{}_{}", rate ? "rate" : "beta", body + 1);
}

std::vector<StartAxis> startAxes(const Tree& tree)
{
    std::vector<StartAxis> axes;
    for (const bool rate : {false, true})
        for (const int k : tree.order())
            if (turnsFreely(tree, k))
                axes.push_back({k, rate});
    return axes;
}

std::array<double, 2> valuesOn(const Tree& tree, const State& x, const std::array<StartAxis, 2>& axes)
{
    const int n = tree.size();
    Tree::Workspace w;
    State theta(n);
    tree.angles(0, x.data(), theta.data());
    tree.velocities(0, x.data(), x.data() + n, w);
    std::array<double, 2> values{};
    for (std::size_t i = 0; i < 2; ++i) {
        const int k = axes[i].body, p = parentOf(tree, k);
        values[i] = axes[i].rate
                        ? w.omega()[static_cast<std::size_t>(k)] - w.omega()[static_cast<std::size_t>(p)]
                        : theta[k] - theta[p];
    }
    return values;
}

State startOn(const Tree& tree, double mu, const State& x, const std::array<StartAxis, 2>& axes,
              const std::array<double, 2>& values)
{
    const int n = tree.size();
    Tree::Workspace w;
    State theta(n);
    tree.angles(0, x.data(), theta.data());
    tree.velocities(0, x.data(), x.data() + n, w);
    State omega = Eigen::Map<const State>(w.omega().data(), n);
    std::vector<char> carried(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < 2; ++i) {
        const int k = axes[i].body, p = parentOf(tree, k);
        State& changed = axes[i].rate ? omega : theta;
        const double by = values[i] - (changed[k] - changed[p]);
        std::fill(carried.begin(), carried.end(), 0);
        for (const int body : tree.order()) {
            const int on = parentOf(tree, body);
            if (body == k || (on >= 0 && carried[static_cast<std::size_t>(on)])) {
                carried[static_cast<std::size_t>(body)] = 1;
                changed[body] += by;
            }
        }
    }
    State result(2 * n), unit(n);
    result.head(n) = theta;
    tree.momentaOf(theta.data(), omega.data(), result.data() + n);
    const double inertia = tree.lockedInertia(theta.data(), unit.data());
    result.tail(n) += ((mu - result.tail(n).sum()) / inertia) * unit;
    return result;
}

double typicalRate(const Tree& tree, const State& x)
{
    const int n = tree.size();
    Tree::Workspace w;
    State theta(n);
    tree.angles(0, x.data(), theta.data());
    double energy = 2 * tree.energy(0, x.data(), x.data() + n, w), square = 0;
    for (const TreeJoint& j : tree.joints())
        if (j.prescribed())
            square += std::pow(j.amplitude * j.frequency, 2);
        else
            energy += j.stiffness + std::abs(j.amplitude);
    // The inertias of the bodies, each with what it swings: the whole turns more slowly than its joints, the
    // more so the more bodies there are.
    double inertia = 0;
    State unit = State::Zero(n), momenta(n);
    for (int k = 0; k < n; ++k) {
        unit[k] = 1;
        tree.momentaOf(theta.data(), unit.data(), momenta.data());
        inertia += momenta[k];
        unit[k] = 0;
    }
    return std::sqrt(std::max(energy, 0.0) / inertia + square);
}

std::vector<double> treeLyapunov(const Tree& tree, const State& start, int count, double tEnd,
                                 double interval,
                                 const std::function<bool(double, const std::vector<double>&)>& sample,
                                 const std::function<bool()>& goOn)
{
    const Eigen::Index n = tree.size(), size = 2 * n;
    Tree::Workspace w;
    TreeEnsemble ensemble(tree);
    const Eigen::Index lanes = ensemble.lanes();
    // Disturbances of momenta are measured in the momentum that the whole has at the usual rate, so that the
    // choice of units does not matter.
    const double momentum = typicalRate(tree, start) * tree.lockedInertia(start.data());
    Eigen::MatrixXd v(lanes, size), changes(lanes, size); // numbers of one kind together
    State rate(size);
    const VariationalFlow flow{[&](double t, const State& x, State& dxdt) {
                                   tree.field(t, x.data(), x.data() + n, dxdt.data(), dxdt.data() + n, w);
                               },
                               [&](double t, const State& x, const State& directions, State& out) {
                                   for (Eigen::Index from = 0; from < count; from += lanes) {
                                       const Eigen::Index many = std::min<Eigen::Index>(lanes, count - from);
                                       v.setZero();
                                       for (Eigen::Index lane = 0; lane < many; ++lane) {
                                           v.row(lane) = directions.segment((from + lane) * size, size);
                                           v.row(lane).tail(n) *= momentum;
                                       }
                                       ensemble.derivatives(t, x.data(), v.data(), rate.data(),
                                                            changes.data());
                                       for (Eigen::Index lane = 0; lane < many; ++lane) {
                                           out.segment((from + lane) * size, size) = changes.row(lane);
                                           out.segment((from + lane) * size + n, n) /= momentum;
                                       }
                                   }
                               }};
    State scale(size);
    scale.head(n).setOnes();
    scale.tail(n).setConstant(momentum);
    return lyapunovExponents(
        flow, start, count,
        {.tEnd = tEnd, .interval = interval, .settling = 0, .scale = std::move(scale), .goOn = goOn}, sample);
}

std::vector<PlotInfo> treeChaosPlots(const Tree& tree)
{
    std::vector<StartAxis> axes = startAxes(tree);
    if (axes.empty())
        return {};
    const long most = std::min(mostExponents, 2 * tree.size());
    return {{.id = "lyapunov",
             .title = "Lyapunov exponents",
             .longRunning = true,
             .followsStart = true,
             .options = {turnsOption(200), integerParameter({"exponents", "", "exponents", "",
                                                             "How many, the largest first.", ""},
                                                            std::min<long>(usualExponents, most), 1, most)}},
            {.id = startMapId,
             .title = "Map of starts",
             .picksState = true,
             .longRunning = true,
             .followsStart = true,
             .options = mapOptions(axes)}};
}

namespace {

// What decides a map: a start that differs only on its axes, such as one chosen on it, has the same.
struct MapAsked {
    std::vector<double> tree;
    double mu;
    Values options;
    State base;

    bool operator==(const MapAsked& other) const
    {
        return tree == other.tree && mu == other.mu && options == other.options &&
               (base - other.base).norm() <= 1e-12 * (1 + base.norm());
    }
};

std::vector<double> numbersOf(const Tree& tree)
{
    std::vector<double> all;
    for (const TreeBody& b : tree.bodies())
        all.insert(all.end(), {b.mass, b.inertia, static_cast<double>(b.parent), b.hingeOnParent.x(),
                               b.hingeOnParent.y(), b.hingeOnBody.x(), b.hingeOnBody.y()});
    for (const TreeJoint& j : tree.joints())
        all.insert(all.end(), {static_cast<double>(j.body), j.stiffness, j.restAngle, j.damping,
                               j.prescribed() ? 1.0 : 0.0, j.amplitude, j.frequency, j.phase});
    return all;
}

RecentAnswers<Plot, MapAsked>& recentMaps()
{
    static RecentAnswers<Plot, MapAsked> recent(4);
    return recent;
}

Plot mapPlot(const Tree& tree, double mu, const State& start, const PlotRequest& request)
{
    const std::array<StartAxis, 2> axes = axesOf(tree, request.options);
    const bool growth = request.options.choice("show") == "growth";
    // Everything is measured by the start that is 0 on both axes, so that a start chosen on the map has the
    // same one.
    const State base = startOn(tree, mu, start, axes, {0, 0});
    const double rate = typicalRate(tree, base);
    Plot plot;
    plot.id = startMapId;
    plot.title = growth ? "Growth of a disturbance, over starts" : "First full turn of a joint, over starts";
    plot.x = plotAxis(tree, axes[0], rate > 0 ? rate : 1);
    plot.y = plotAxis(tree, axes[1], rate > 0 ? rate : 1);
    if (axes[0].id() == axes[1].id()) {
        plot.note = "Choose two different axes.";
        return plot;
    }
    if (!(rate > 0)) {
        plot.note = "Bodies at rest: give them a momentum μ, or the start a rate.";
        return plot;
    }
    const auto marked = [&](Plot now) {
        std::array<double, 2> here = valuesOn(tree, start, axes);
        for (std::size_t i = 0; i < 2; ++i)
            if (const PlotAxis& axis = i ? now.y : now.x; axis.quantity.period > 0)
                here[i] = std::remainder(here[i], axis.quantity.period);
        now.marks = {{.x = here[0], .y = here[1], .shape = MarkShape::Ring, .colour = Colour::motion(0)}};
        return now;
    };
    const MapAsked asked{numbersOf(tree), mu, request.options, base};
    if (const auto known = recentMaps().find(asked))
        return marked(*known);
    TreeFlow flow;
    flow.question = growth ? TreeFlow::Question::Growth : TreeFlow::Question::Turn;
    const double turns = request.options.real("turns");
    flow.tEnd = turns * 2 * pi / rate;
    flow.maxSteps = static_cast<long>(mostSteps * (1 + turns));
    flow.rtol = mapAccuracy;
    flow.time = 1 / rate;
    flow.momentum = rate * tree.lockedInertia(base.data());
    // Of the shape alone: every joint, no common turn.
    flow.disturbance = State::Zero(2 * tree.size());
    for (int k = 0; k < tree.size(); ++k)
        flow.disturbance[k] = k % 2 ? -1 - 0.1 * k : 1 + 0.1 * k;
    flow.disturbance.head(tree.size()).array() -= flow.disturbance.head(tree.size()).mean();
    HeatMap map;
    map.quantity = growth ? Quantity{"growth", "ln |δ|",
                                     fmt::format("growth of a disturbance until t = {:.3g} s", flow.tEnd), ""}
                          : Quantity{"turn", "t_1", "time of the first full turn of a joint", "s"};
    map.blank =
        growth ? "could not be followed" : fmt::format("no joint turns over until {:.3g} s", flow.tEnd);

    PlotRequest shown = request;
    if (request.publish)
        shown.publish = [&](Plot now, double progress) { request.publish(marked(std::move(now)), progress); };
    const bool whole = refineMap(
        plot, shown, map, static_cast<int>(request.options.integer("cells")),
        [&](int side, std::vector<float>& values, const auto& report) {
            std::atomic<int> next = 0, done = 0;
            const int cells = side * side,
                      tasks = std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
            const auto at = [&](int cell, const PlotAxis& axis) {
                return axis.min + (cell + 0.5) / side * (axis.max - axis.min);
            };
            // Each takes the next start whenever one of its lanes is free.
            return runOnAllCores(
                       tasks,
                       [&](int, const std::atomic<bool>& stop) {
                           followTrees(
                               tree, flow,
                               [&]() -> std::optional<TreeStart> {
                                   const int i = next++;
                                   if (i >= cells)
                                       return std::nullopt;
                                   return TreeStart{i, startOn(tree, mu, base, axes,
                                                               {at(i % side, plot.x), at(i / side, plot.y)})};
                               },
                               [&](int i, const TreeEnd& end) {
                                   values[static_cast<std::size_t>(i)] =
                                       std::isfinite(end.answer) ? static_cast<float>(end.answer)
                                                                 : std::numeric_limits<float>::quiet_NaN();
                                   ++done;
                               },
                               stop);
                       },
                       [&](double) { return report(static_cast<double>(done) / cells); }) &&
                   done == cells;
        });
    if (whole)
        recentMaps().add(asked, std::make_shared<const Plot>(plot));
    return marked(plot);
}

} // namespace

std::optional<Plot> treeChaosPlot(const Tree& tree, double mu, const State& start, const PlotRequest& request)
{
    if (startAxes(tree).empty())
        return std::nullopt;
    if (request.id == startMapId)
        return mapPlot(tree, mu, start, request);
    if (request.id != "lyapunov")
        return std::nullopt;
    const double rate = typicalRate(tree, start), turns = request.options.real("turns");
    const int count = static_cast<int>(request.options.integer("exponents"));
    const double turn = rate > 0 ? 2 * pi / rate : 0;
    return lyapunovPlot(request, turn, turns, count, [&](const LyapunovSample& sample) {
        return !std::isnan(treeLyapunov(tree, start, count, turns * turn, turn / 4, sample, [&] {
                               return !(request.cancelled && request.cancelled());
                           }).front());
    });
}

std::optional<State> treeChaosPick(const Tree& tree, double mu, const State& start,
                                   const PlotRequest& request, double x, double y)
{
    if (request.id != startMapId || startAxes(tree).empty() || !std::isfinite(x) || !std::isfinite(y))
        return std::nullopt;
    const std::array<StartAxis, 2> axes = axesOf(tree, request.options);
    if (axes[0].id() == axes[1].id())
        return std::nullopt;
    return startOn(tree, mu, start, axes, {x, y});
}

} // namespace casimir::planar
