// Growth of disturbances and exponents of trees: against integrable motions, linearised equilibria, the
// reduced flow of three bodies, plain integration; and the map of starts.
#include "core/systems/planar/multibody/multibody_chaos.h"

#include "core/model/kind.h"
#include "core/numerics/methods.h"
#include "core/systems/planar/multibody/multibody_ensemble.h"
#include "core/systems/planar/multibody/multibody_equilibria.h"
#include "core/systems/planar/multibody/multibody_flow.h"
#include "core/systems/planar/multibody/multibody_system.h"
#include "core/systems/planar/three_body/three_body.h"
#include "core/systems/planar/three_body/three_body_chaos.h"
#include "tests/core/systems/planar/multibody_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>
#include <numbers>

namespace casimir::planar {

namespace {

constexpr double pi = std::numbers::pi;
using Question = TreeFlow::Question;

std::vector<TreeBody> chain(int n)
{
    std::vector<TreeBody> bodies;
    for (int k = 0; k < n; ++k)
        bodies.push_back({1, 0.1, k - 1, {0.5, 0}, {-0.5, 0}});
    return bodies;
}

// Turning as one with total momentum mu.
State letGo(const Tree& tree, const Eigen::VectorXd& theta, double mu)
{
    const int n = tree.size();
    State x(2 * n), unit(n);
    const double inertia = tree.lockedInertia(theta.data(), unit.data());
    x << theta, mu / inertia * unit;
    return x;
}

TreeFlow flowFor(const Tree& tree, const State& x, Question question, double turns, double rtol = 1e-10)
{
    const double rate = typicalRate(tree, x);
    TreeFlow flow;
    flow.question = question;
    flow.tEnd = turns * 2 * pi / rate;
    flow.time = 1 / rate;
    flow.rtol = rtol;
    flow.momentum = rate * tree.lockedInertia(x.data());
    flow.disturbance = State::LinSpaced(x.size(), 1, -0.5);
    flow.disturbance.tail(tree.size()) *= flow.momentum;
    return flow;
}

using Follow = decltype(followTrees);
std::vector<double> answers(Follow& follow, const Tree& tree, const TreeFlow& flow,
                            const std::vector<State>& starts)
{
    std::vector<double> all(starts.size(), -1);
    const std::atomic<bool> stop = false;
    std::size_t next = 0;
    follow(
        tree, flow,
        [&]() -> std::optional<TreeStart> {
            if (next == starts.size())
                return std::nullopt;
            const auto i = next++;
            return TreeStart{static_cast<int>(i), starts[i]};
        },
        [&](int i, const TreeEnd& end) { all[static_cast<std::size_t>(i)] = end.answer; }, stop);
    return all;
}

// The plain way: the motion with two neighbours, by the integrator of everyday use.
State plainMotion(const Tree& tree, const State& x, double t)
{
    const int n = tree.size();
    Tree::Workspace w;
    const auto run =
        startIntegration("dopri5",
                         [&](double at, const State& z, State& dzdt) {
                             tree.field(at, z.data(), z.data() + n, dzdt.data(), dzdt.data() + n, w);
                         },
                         0, x, {.rtol = 1e-13, .scale = State::Ones(2 * n)});
    EXPECT_TRUE(advanceTo(*run, t).ok());
    return run->state();
}

PlotRequest asked(const System& system, const std::string& id,
                  const std::map<std::string, std::string>& options, const StateInputs& start = {})
{
    for (const PlotInfo& info : system.plots())
        if (info.id == id)
            return {id, plotOptions(info, options), start};
    ADD_FAILURE() << "no plot " << id;
    return {};
}

} // namespace

TEST(TreeFlow, GrowsADisturbanceAsNeighbouringMotionsPart)
{
    std::mt19937_64 engine(21);
    for (const bool joints : {false, true}) {
        std::vector<TreeJoint> given;
        if (joints)
            given = {{.body = 1, .stiffness = 0.8, .damping = 0.1},
                     {.body = 3, .amplitude = 0.7, .frequency = 1.3, .phase = 0.4}};
        const Tree tree(chain(4), given);
        const int n = tree.size();
        const State x = letGo(tree, randomVector(n, 1.5, engine), 3);
        const TreeFlow flow = flowFor(tree, x, Question::Growth, 0.5);
        const auto norm = [&](const State& d) {
            return std::hypot(d.head(n).norm(), d.tail(n).norm() / flow.momentum);
        };
        // Central differences of two steps, extrapolated.
        const auto parted = [&](double h) -> State {
            return (plainMotion(tree, x + h * flow.disturbance, flow.tEnd) -
                    plainMotion(tree, x - h * flow.disturbance, flow.tEnd)) /
                   (2 * h);
        };
        const State end = (4 * parted(1e-4) - parted(2e-4)) / 3;
        const double expected = std::log(norm(end) / norm(flow.disturbance));
        EXPECT_NEAR(answers(followTrees, tree, flow, {x}).front(), expected, 1e-6) << joints;
    }
}

TEST(TreeFlow, GivesTheSameDigitsOneAfterTheOther)
{
    std::mt19937_64 engine(22);
    const Tree tree(randomBodies(5, engine, true),
                    {{.body = 2, .stiffness = 0.3, .amplitude = 0.2, .frequency = 2}});
    std::vector<State> starts;
    for (int i = 0; i < 11; ++i)
        starts.push_back(letGo(tree, randomVector(5, 2, engine), 2));
    starts[4][3] = std::numeric_limits<double>::quiet_NaN();
    for (const Question question : {Question::Growth, Question::Turn}) {
        const TreeFlow flow = flowFor(tree, starts[0], question, 1, 1e-8);
        const auto many = answers(followTrees, tree, flow, starts),
                   single = answers(followTreesSingly, tree, flow, starts);
        for (std::size_t i = 0; i < starts.size(); ++i) {
            EXPECT_EQ(std::isnan(many[i]), i == 4);
            if (i != 4)
                EXPECT_EQ(many[i], single[i]);
        }
    }
}

// Two bodies are integrable: what is disturbed grows in proportion to time, and no faster.
TEST(TreeFlow, GrowsInProportionToTimeForTwoBodies)
{
    const Tree tree(chain(2));
    const State x = letGo(tree, Eigen::Vector2d(0, 1.1), 1);
    const double early = std::exp(answers(followTrees, tree, flowFor(tree, x, Question::Growth, 40), {x})[0]),
                 late = std::exp(answers(followTrees, tree, flowFor(tree, x, Question::Growth, 160), {x})[0]);
    EXPECT_NEAR(late / early, 4, 0.3);
}

// A joint that turns over: the time at which it is once round, from the plain motion.
TEST(TreeFlow, FindsTheFirstFullTurn)
{
    const Tree tree(chain(3));
    const int n = 3;
    Eigen::VectorXd omega(n), theta(n);
    theta << 0.2, -0.4, 0.9;
    omega << -0.5, 0.4, 3.2;
    State x(2 * n);
    x.head(n) = theta;
    tree.momentaOf(theta.data(), omega.data(), x.data() + n);
    const TreeFlow flow = flowFor(tree, x, Question::Turn, 10, 1e-11);
    const double t = answers(followTrees, tree, flow, {x}).front();
    ASSERT_TRUE(std::isfinite(t));
    const State then = plainMotion(tree, x, t), before = plainMotion(tree, x, 0.98 * t);
    const auto turned = [&](const State& z) {
        return std::max(std::abs(z[1] - z[0] - (x[1] - x[0])), std::abs(z[2] - z[1] - (x[2] - x[1])));
    };
    EXPECT_NEAR(turned(then), 2 * pi, 1e-7);
    EXPECT_LT(turned(before), 2 * pi);
    // The stretched chain turning as one keeps its shape.
    const State stretched = letGo(tree, Eigen::VectorXd::Zero(n), 1);
    const TreeFlow still = flowFor(tree, stretched, Question::Turn, 3);
    EXPECT_EQ(answers(followTrees, tree, still, {stretched}).front(),
              std::numeric_limits<double>::infinity());
}

// At a shape that turns as one the disturbance grows by the largest real part of the spectrum.
TEST(TreeLyapunov, IsTheLargestRealPartAtEquilibria)
{
    const Tree tree(chain(4));
    int compared = 0;
    for (const TreeEquilibrium& e : treeEquilibria(tree, 2).list) {
        std::vector<double> real;
        for (const auto& value : e.eigenvalues)
            real.push_back(value.real());
        std::sort(real.rbegin(), real.rend());
        if (real[0] < 0.05 || compared == 3)
            continue;
        ++compared;
        State x(8);
        x << e.theta, e.mu;
        // Few e-foldings: rounding grows too, and would leave the equilibrium.
        const double tEnd = 14 / real[0];
        std::vector<double> first;
        double at = 0;
        const auto last = treeLyapunov(tree, x, 1, tEnd, tEnd / 14, [&](double t, const auto& means) {
            if (first.empty() && t > tEnd / 2) {
                first = means;
                at = t;
            }
            return true;
        });
        EXPECT_NEAR((last[0] * tEnd - first[0] * at) / (tEnd - at), real[0], 0.02 * real[0]) << e.name;
    }
    EXPECT_EQ(compared, 3);
}

// Three bodies in their own reduced coordinates: the same disturbance grows to the same.
TEST(TreeLyapunov, AgreesWithTheReducedFlowOfThreeBodies)
{
    ThreeBodyParameters p;
    p.e2 = 0.1;
    const ThreeBody three(p);
    std::vector<TreeBody> bodies(3);
    bodies[0] = {p.m1, p.I1, -1, {0, 0}, {0, 0}};
    bodies[1] = {p.m2, p.I2, 0, {p.c1, 0}, {-p.b1, 0}};
    bodies[2] = {p.m3, p.I3, 1, {p.e1, p.e2}, {-p.d1, 0}};
    const Tree tree(bodies);
    Vector5d z;
    z << 0.7, -1.9, 0.3, three.mu() - 0.5, 0.2;
    State x(6);
    x << 0, z[0], z[0] + z[1], z[2], z[3], z[4];

    // The reduced flow with a complex step along the disturbance, by a plain fourth-order method.
    constexpr double h = 1e-30, tEnd = 6;
    using Complex = std::complex<double>;
    Vec5<Complex> c;
    Vector5d d;
    d << 0.6, -0.3, 0.2, -0.5, 0.3;
    for (int i = 0; i < 5; ++i)
        c[i] = {z[i], h * d[i]};
    constexpr int steps = 6000;
    const double dt = tEnd / steps;
    for (int i = 0; i < steps; ++i) {
        const Vec5<Complex> k1 = three.reducedField<Complex>(c),
                            k2 = three.reducedField<Complex>(Vec5<Complex>(c + dt / 2 * k1)),
                            k3 = three.reducedField<Complex>(Vec5<Complex>(c + dt / 2 * k2)),
                            k4 = three.reducedField<Complex>(Vec5<Complex>(c + dt * k3));
        c += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    const Vector5d expected = c.imag() / h;

    // The tree's, one direction in the lanes, by the integrator of everyday use.
    TreeEnsemble ensemble(tree, TreeEnsemble::Width::One);
    State both(12);
    both << x, 0, d[0], d[0] + d[1], d[2], d[3], d[4];
    const auto run =
        startIntegration("dopri5",
                         [&](double t, const State& s, State& rate) {
                             ensemble.variation(&t, s.data(), s.data() + 6, rate.data(), rate.data() + 6);
                         },
                         0, both, {.rtol = 1e-12, .scale = State::Ones(12)});
    ASSERT_TRUE(advanceTo(*run, tEnd).ok());
    const State v = run->state().tail(6);
    Vector5d reduced;
    reduced << v[1] - v[0], v[2] - v[1], v[3], v[4], v[5];
    EXPECT_LE((reduced - expected).norm(), 1e-8 * expected.norm());

    // And over a long time the exponents of the two are the same, as far as chaos lets them.
    const double energy = three.hamiltonian<double>(z), turn = typicalTurn(three, energy);
    const double byThree = lyapunovExponent(three, z, 400, 0),
                 byTree = treeLyapunov(tree, x, 1, 400 * turn, turn / 4).front();
    EXPECT_GT(byThree * turn, 0.3);
    EXPECT_NEAR(byTree, byThree, 0.15 * byThree);
}

// Hamilton's equations: exponents come in pairs, and their sum over all directions is 0; with dampers it is
// the trace of the Jacobian, which says how volumes shrink.
TEST(TreeLyapunov, SumsToTheDivergenceOfTheField)
{
    for (const double damping : {0.0, 0.3}) {
        const Tree tree(chain(3), {{.body = 2, .damping = damping}});
        const State x = letGo(tree, Eigen::Vector3d(0, 0.9, -0.7), 2);
        TreeEnsemble ensemble(tree);
        double trace = 0, before = 0, from = 0;
        const auto all = treeLyapunov(tree, x, 6, 12, 0.5);
        // The trace along the motion, by the trapezoidal rule.
        constexpr int pieces = 400;
        Tree::Workspace w;
        const auto run =
            startIntegration("dopri5",
                             [&](double t, const State& s, State& rate) {
                                 tree.field(t, s.data(), s.data() + 3, rate.data(), rate.data() + 3, w);
                             },
                             0, x, {.rtol = 1e-10, .scale = State::Ones(6)});
        Eigen::MatrixXd jacobian;
        for (int i = 0; i <= pieces; ++i) {
            const double t = 12.0 * i / pieces;
            ASSERT_TRUE(advanceTo(*run, t).ok());
            ensemble.jacobian(t, run->state().data(), jacobian);
            if (i > 0)
                trace += 0.5 * (jacobian.trace() + before) * (t - from);
            before = jacobian.trace();
            from = t;
        }
        double sum = 0;
        for (const double lambda : all)
            sum += lambda;
        EXPECT_NEAR(sum * 12, trace, 1e-3 * (1 + std::abs(trace))) << damping;
        if (damping > 0)
            EXPECT_LT(trace, -0.5);
    }
}

TEST(StartMap, ChangesTheTwoJointsAndNothingElse)
{
    std::mt19937_64 engine(23);
    const Tree tree(randomBodies(6, engine));
    const int n = 6;
    State x(2 * n);
    x << randomVector(n, 2, engine), randomVector(n, 1, engine);
    const std::vector<StartAxis> axes = startAxes(tree);
    ASSERT_EQ(axes.size(), 10u);
    const std::array<StartAxis, 2> two{axes[1], axes[8]}; // an angle and a rate
    ASSERT_FALSE(two[0].rate);
    ASSERT_TRUE(two[1].rate);
    const State y = startOn(tree, 1.5, x, two, {0.3, -0.8});
    EXPECT_NEAR(y.tail(n).sum(), 1.5, 1e-13);
    for (const StartAxis& axis : axes) {
        const double wanted = axis.id() == two[0].id()   ? 0.3
                              : axis.id() == two[1].id() ? -0.8
                                                         : valuesOn(tree, x, {axis, axis})[0];
        EXPECT_NEAR(valuesOn(tree, y, {axis, axis})[0], wanted, 1e-12) << axis.id();
    }
}

TEST(StartMap, HasInEachCellTheGrowthFromThere)
{
    const auto system = multibodyKind().factory(multibodyKind(), multibodyKind().schema.defaults());
    const auto& bodies = dynamic_cast<const MultibodySystem&>(*system);
    PlotRequest request = asked(*system, "start-map", {{"turns", "0.5"}});
    std::vector<int> sides;
    request.publish = [&](const Plot& plot, double) {
        ASSERT_EQ(plot.maps.size(), 1u);
        if (sides.empty() || sides.back() != plot.maps[0].columns)
            sides.push_back(plot.maps[0].columns);
    };
    const Plot plot = system->plot(request);
    ASSERT_EQ(plot.maps.size(), 1u);
    EXPECT_GE(sides.size(), 3u);
    EXPECT_TRUE(std::is_sorted(sides.begin(), sides.end()));
    const HeatMap& map = plot.maps[0];
    // What a click starts has, followed alone and more closely, the growth that the cell shows.
    const auto axes = startAxes(bodies.tree());
    for (const auto& [column, row] : {std::pair(3, 90), std::pair(50, 41), std::pair(95, 0)}) {
        const double x = -pi + 2 * pi * (column + 0.5) / map.columns,
                     y = -pi + 2 * pi * (row + 0.5) / map.rows;
        const StateInputs picked = system->pickFrom(request, x, y);
        ASSERT_FALSE(picked.empty());
        const State start = system->start(picked),
                    base = startOn(bodies.tree(), bodies.mu(), start, {axes[0], axes[1]}, {0, 0});
        EXPECT_NEAR(start[1] - start[0], x, 1e-9);
        EXPECT_NEAR(start[2] - start[1], y, 1e-9);
        TreeFlow flow = flowFor(bodies.tree(), base, Question::Growth, 0.5, 1e-12);
        flow.disturbance = State::Zero(6);
        flow.disturbance.head(3) << 1, -1.1, 1.2;
        flow.disturbance.head(3).array() -= 1.1 / 3;
        EXPECT_NEAR(map.values[static_cast<std::size_t>(row * map.columns + column)],
                    answers(followTreesSingly, bodies.tree(), flow, {start}).front(), 1e-3);
    }
    // A start chosen on the map has the same map, and is not waited for; a session makes its system anew.
    const auto later = multibodyKind().factory(multibodyKind(), multibodyKind().schema.defaults());
    request.start = system->pickFrom(request, 0.4, -0.6);
    request.publish = [](const Plot&, double) { FAIL() << "computed anew"; };
    const Plot again = later->plot(request);
    EXPECT_EQ(again.maps[0].values.size(), map.values.size());
    ASSERT_EQ(again.marks.size(), 1u);
    EXPECT_NEAR(again.marks[0].x, 0.4, 1e-9);
    EXPECT_NEAR(again.marks[0].y, -0.6, 1e-9);
}

TEST(StartMap, IsThereForTwoBodiesAndNotForOne)
{
    const Schema& schema = multibodyKind().schema;
    const auto with = [&](double n) {
        return multibodyKind().factory(multibodyKind(), schema.with(schema.defaults(), {{"chain", n}}));
    };
    EXPECT_TRUE(with(1)->plots().empty());
    const auto two = with(2);
    PlotRequest request = asked(*two, "start-map", {});
    EXPECT_EQ(request.options.choice("y"), "rate_2");
    bool published = false;
    request.publish = [&](const Plot&, double) { published = true; };
    request.cancelled = [&] { return published; };
    EXPECT_EQ(two->plot(request).maps.size(), 1u);
    request = asked(*two, "start-map", {{"x", "rate_2"}});
    EXPECT_FALSE(two->plot(request).note.empty()); // twice the same axis
    // At rest there is nothing to follow.
    const auto resting =
        multibodyKind().factory(multibodyKind(), schema.with(schema.defaults(), {{"mu", 0.0}}));
    EXPECT_FALSE(resting->plot(asked(*resting, "start-map", {})).note.empty());
    EXPECT_FALSE(resting->plot(asked(*resting, "lyapunov", {})).note.empty());
}

} // namespace casimir::planar
