// The sleigh and the knife edge against reference values, closed forms and each other: direct, derived,
// reduced, exact.
#include "core/systems/sleigh/sleigh_system.h"

#include "core/analysis/analysis_json.h"
#include "core/base/error.h"
#include "core/engine/batch.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "core/systems/sleigh/sleigh_runs.h"
#include "tests/core/support/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numbers>

namespace casimir::sleigh {
namespace {

using json = nlohmann::ordered_json;
constexpr double pi = std::numbers::pi;

const json& reference()
{
    static const json data = test::referenceFile("sleigh_motions.json");
    return data;
}

struct Case {
    std::string name;
    std::shared_ptr<const SleighSystem> system;
    Vector5 start;
    std::vector<double> times;
    std::vector<Vector5> states;
};

std::shared_ptr<const SleighSystem> make(const SleighParameters& p, bool slope, const char* frame = "space")
{
    const Kind& kind = slope ? knifeEdgeKind() : sleighKind();
    Values values = kind.schema.defaults();
    values.set("a", p.a);
    values.set("b", p.b);
    values.set("k", p.k);
    if (slope) { // a wall of the gravity wanted
        values.set("slope", pi / 2);
        values.set("g", p.G);
    }
    values.set("frame", std::string(frame));
    return std::dynamic_pointer_cast<const SleighSystem>(kind.make(values));
}

std::vector<Case> cases(const char* frame = "space")
{
    std::vector<Case> result;
    for (const char* part : {"sleigh", "slope"})
        for (const json& r : reference().at(part)) {
            const json &p = r.at("params"), &i = r.at("initial");
            Case c;
            c.name = r.at("name");
            const bool slope = p.contains("G");
            c.system = make({p.at("a"), p.at("b"), p.at("k"), p.value("G", 0.0)}, slope, frame);
            c.start << i.value("x", 0.0), i.value("y", 0.0), i.at("phi"), i.at("v"), i.at("phidot");
            for (const json& t : r.at("times"))
                c.times.push_back(t);
            for (const json& s : r.at("states")) // phi x y phidot v
                c.states.push_back(Vector5(s[1], s[2], s[0], s[4], s[3]));
            result.push_back(std::move(c));
        }
    return result;
}

std::vector<Vector5> run(const SleighSystem& system, const char* method, const Vector5& start,
                         const std::vector<double>& times, double rtol)
{
    IntegrationOptions options;
    options.rtol = rtol;
    const auto integration = system.integrate(method, 0, start, options);
    std::vector<Vector5> states;
    for (const double t : times) {
        const Status status = advanceTo(*integration, t);
        EXPECT_TRUE(status.ok()) << method << ": " << status.sentence;
        states.push_back(integration->state());
    }
    return states;
}

double worst(const std::vector<Vector5>& a, const std::vector<Vector5>& b)
{
    double result = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        result = std::max(result, (a[i] - b[i]).lpNorm<Eigen::Infinity>());
    return result;
}

TEST(SleighReference, everyMethodReachesTheReferenceStates)
{
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        EXPECT_LE(worst(run(*c.system, "rkf78", c.start, c.times, 1e-14), c.states), 1e-11);
        EXPECT_LE(worst(run(*c.system, "poincare", c.start, c.times, 1e-14), c.states), 1e-11);
        if (c.system->mechanics().hasClosedForm())
            EXPECT_LE(worst(run(*c.system, "exact", c.start, c.times, 1e-10), c.states), 1e-12);
    }
}

TEST(SleighReference, theReducedFormReachesThemWhileTheSleighTurns)
{
    for (const char* frame : {"space", "body", "centre"})
        for (const Case& c : cases(frame)) {
            SCOPED_TRACE(c.name + ", " + frame);
            std::vector<double> times = c.times;
            if (!c.system->mechanics().parameters().G)
                times.pop_back(); // by t = 10 the turn is over
            const auto states = run(*c.system, "reduced", c.start, times, 1e-14);
            EXPECT_LE(worst(states, {c.states.begin(), c.states.begin() + static_cast<long>(states.size())}),
                      1e-10);
        }
}

TEST(SleighReference, timeAndPlaceByAngleAgree)
{
    for (const json& r : reference().at("sleigh")) {
        const json &p = r.at("params"), &i = r.at("initial");
        const auto system = make({p.at("a"), p.at("b"), p.at("k"), 0}, false);
        const Vector5 start(i.at("x"), i.at("y"), i.at("phi"), i.at("v"), i.at("phidot"));
        const SleighByAngle by(system->mechanics(), start);
        IntegrationOptions options;
        options.rtol = 1e-14;
        const auto run = system->integrateBy(start, options);
        for (std::size_t k = 0; k < r.at("by_phi").at("phi").size(); ++k) {
            const double phi = r.at("by_phi").at("phi")[k];
            const json& expected = r.at("by_phi").at("t_x_y")[k];
            ASSERT_TRUE(advanceTo(*run, phi).ok());
            EXPECT_NEAR(run->state()[5], expected[0], 1e-10);
            EXPECT_NEAR(run->state()[X], expected[1], 1e-10);
            EXPECT_NEAR(run->state()[Y], expected[2], 1e-10);
            EXPECT_NEAR(by.time(phi), expected[0], 1e-12);
            EXPECT_NEAR(by.thetaPrime(phi), run->state()[V] / run->state()[PhiDot],
                        1e-10 * std::abs(by.thetaPrime(phi)));
        }
    }
}

TEST(SleighReference, forecastsAgree)
{
    for (const json& r : reference().at("sleigh")) {
        const json &p = r.at("params"), &i = r.at("initial");
        const Sleigh sleigh({p.at("a"), p.at("b"), p.at("k"), 0});
        const SleighForecast f =
            forecast(sleigh, Vector5(i.at("x"), i.at("y"), i.at("phi"), i.at("v"), i.at("phidot")));
        EXPECT_NEAR(f.energy, r.at("energy_h"), 1e-14);
        EXPECT_NEAR(f.rate, r.at("decay_rate"), 1e-14);
        EXPECT_NEAR(*f.turnTotal, r.at("turn_total_over_all_time"), 1e-14);
        EXPECT_NEAR(*f.phiFinal, r.at("phi_final"), 1e-13);
        EXPECT_NEAR(f.asymptoticSpeed, r.at("speed_final"), 1e-14);
    }
    const json& edge = reference().at("slope")[0];
    const auto system = make({0, 0, edge.at("params").at("k"), edge.at("params").at("G")}, true);
    const auto answer = system->analyzeFrom({{"phi", 0.3}, {"v", 0.4}, {"phidot", 1.3}}, {});
    EXPECT_NEAR(answer.more.at("drift").number(), edge.at("mean_sideways_drift"), 1e-14);
}

TEST(SleighMotion, directIntegrationKeepsToTheClosedFormOverTenSeconds)
{
    for (const Case& c : cases()) {
        if (!c.system->mechanics().hasClosedForm())
            continue;
        SCOPED_TRACE(c.name);
        const std::vector<double> times{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        EXPECT_LE(worst(run(*c.system, "rkf78", c.start, times, 1e-15),
                        run(*c.system, "exact", c.start, times, 1e-10)),
                  1e-12);
    }
}

TEST(SleighMotion, theClosedFormHoldsWhereItsFormulasWouldDivideByZero)
{
    const Vector5 start(0.2, -0.1, 0.4, 0.9, 0.8);
    // a through 0: almost none, none
    for (const double a : {1e-3, -1e-6, 1e-12, 1e-200, 0.0}) {
        const Sleigh sleigh({a, 0.3, 0.6, 0});
        const auto system = make(sleigh.parameters(), false);
        EXPECT_LE(
            worst(run(*system, "dopri5", start, {2, 7}, 1e-15), run(*system, "exact", start, {2, 7}, 1e-10)),
            1e-12)
            << "a = " << a;
    }
    // w through 0
    for (const double w : {1e-3, -1e-6, 1e-12, 1e-300, 0.0}) {
        const Vector5 straight(0, 0, 0.4, -0.9, w);
        const auto system = make({0.5, 0.3, 0.6, 0}, false);
        EXPECT_LE(worst(run(*system, "dopri5", straight, {2, 5}, 1e-15),
                        run(*system, "exact", straight, {2, 5}, 1e-10)),
                  1e-11)
            << "w = " << w;
    }
    // the knife edge with hardly any turn
    for (const double w : {0.5, 1e-3, 1e-9, 0.0}) {
        const Vector5 slow(0, 0, 0.4, 0.3, w);
        const auto system = make({0, 0.2, 0.6, 1.5}, true);
        EXPECT_LE(
            worst(run(*system, "dopri5", slow, {1, 3}, 1e-15), run(*system, "exact", slow, {1, 3}, 1e-10)),
            1e-12)
            << "w = " << w;
    }
}

TEST(SleighMotion, withoutLeverTheBladeDrawsACircle)
{
    const auto system = make({0, 0.3, 0.6, 0}, false);
    const Vector5 start(1, 2, 0.5, -1.2, 0.7);
    const Eigen::Vector2d centre(1 + 1.2 / 0.7 * std::sin(0.5), 2 - 1.2 / 0.7 * std::cos(0.5));
    for (const Vector5& x : run(*system, "exact", start, {1, 5, 20}, 1e-10))
        EXPECT_NEAR((x.head<2>() - centre).norm(), 1.2 / 0.7, 1e-13);
}

TEST(SleighMotion, farFromTheTurnTheClosedFormIsQuickAndStraight)
{
    const auto system = make({0.001, 0, 0.001, 0}, false);
    const auto integration = system->integrate("exact", 0, Vector5(0, 0, 0, 0.1, 100), {});
    ASSERT_TRUE(advanceTo(*integration, 1e4).ok());
    EXPECT_LT(integration->evaluations(), 10000);
    const Vector5 x = integration->state();
    EXPECT_NEAR(x.head<2>().norm(), 1e4 * x[V], 1);
    EXPECT_EQ(x[PhiDot], 0);
}

TEST(ReducedForm, endsWithASentenceWhereTheTurnDiesOut)
{
    const auto system = make({1, 0, 0.7, 0}, false);
    const Vector5 start(0, 0, 0, 0.5, 1);
    const auto integration = system->integrate("reduced", 0, start, {});
    Status status;
    while (status.ok() && integration->time() < 100)
        status = integration->advance(100);
    EXPECT_EQ(status.code, "event");
    EXPECT_THAT(status.sentence, testing::HasSubstr("divides by"));
    EXPECT_NEAR(std::abs(integration->state()[PhiDot]), kLeastRate, 1e-3 * kLeastRate);
    EXPECT_EQ(integration->advance(200).code, "event");
    const Vector5 exact = SleighMotion(system->mechanics(), start).at(integration->time());
    EXPECT_LE((integration->state() - exact).norm(), 1e-4);
    EXPECT_NEAR(system->mechanics().energy(integration->state()), 0.87, 1e-14);
}

TEST(ReducedForm, isRefusedWithoutATurn)
{
    const auto system = make({1, 0, 0.7, 0}, false);
    EXPECT_THROW((void)system->integrate("reduced", 0, Vector5(0, 0, 0, 1, 0), {}), Error);
}

TEST(ReducedForm, runsBackwardsAndInBetweenItsSteps)
{
    const auto system = make({-0.6, 0.4, 0.5, 0}, false);
    const Vector5 start(0, 0, 0.2, 0.8, -1);
    const SleighMotion exact(system->mechanics(), start);
    IntegrationOptions options;
    options.rtol = 1e-12;
    const auto integration = system->integrate("reduced", 3, start, options); // at t = 3
    for (const double limit : {1.5, 3.7, 2.2}) {
        while (integration->time() != limit) {
            ASSERT_TRUE(integration->advance(limit).ok());
            const auto step = integration->interpolant();
            for (const double part : {0.0, 0.3, 0.8, 1.0}) {
                const double t = step->begin() + part * (step->end() - step->begin());
                EXPECT_LE((step->sample(t) - exact.at(t - 3)).norm(), 1e-8) << t;
            }
        }
        EXPECT_LE((integration->state() - exact.at(limit - 3)).norm(), 1e-9);
    }
}

TEST(ReducedForm, givesRowsEquallySpacedInAngleAndTheLastAtTheEnd)
{
    const auto system = make({1, 0, 0.7, 0}, false);
    for (const double end : {4.0, -2.0}) {
        const Vector5 start(0, 0, 0.1, 0.5, 1);
        const SleighMotion exact(system->mechanics(), start);
        std::vector<double> angles, times;
        const Status status = runBatchBy(*system, {}, start, end, 0.25, [&](double t, const State& x) {
            angles.push_back(x[Phi]);
            times.push_back(t);
            EXPECT_LE((x - exact.at(t)).norm(), 1e-7);
        });
        EXPECT_TRUE(status.ok());
        ASSERT_GT(angles.size(), 3u);
        EXPECT_EQ(times.back(), end);
        for (std::size_t i = 1; i + 1 < angles.size(); ++i)
            EXPECT_NEAR(angles[i], 0.1 + std::copysign(0.25, end) * static_cast<double>(i), 1e-14);
    }
}

TEST(Sleigh, turnsByThePredictedAngleOverAllTime)
{
    const auto system = make({0.5, 0.2, 0.8, 0}, false);
    const Vector5 start(0, 0, 0, -0.3, 1.4);
    const double after = run(*system, "rkf78", start, {60}, 1e-13)[0][Phi];
    const double before = run(*system, "rkf78", start, {-60}, 1e-13)[0][Phi];
    const double predicted = *forecast(system->mechanics(), start).turnTotal;
    EXPECT_NEAR(predicted, pi * std::hypot(0.5, 0.8) / 0.5, 1e-14);
    EXPECT_NEAR(after - before, predicted, 1e-9);
}

TEST(Sleigh, hasTheEigenvaluesOfItsLinearisedEquations)
{
    for (const double a : {0.7, -0.4}) {
        const auto system = make({a, 0.3, 0.6, 0}, false);
        const Analysis analysis = system->analyzeFrom({{"v", 0.4}, {"phidot", 1.1}}, {});
        ASSERT_EQ(analysis.equilibria.size(), 2u);
        for (const Equilibrium& e : analysis.equilibria) {
            // dw'/dw beside the straight run, s kept, by a central difference exact for the quadratic field.
            Vector5 up = e.point, down = e.point;
            up[PhiDot] += 0.5;
            up[V] += 0.15;
            down[PhiDot] -= 0.5;
            down[V] -= 0.15;
            const double growth =
                system->mechanics().field(up)[PhiDot] - system->mechanics().field(down)[PhiDot];
            EXPECT_NEAR(e.eigenvalues[0].real(), growth, 1e-13) << e.name;
            EXPECT_EQ(e.stability, growth < 0 ? verdict::asymptoticallyStable : verdict::unstable);
            EXPECT_EQ(e.point[V] * a > 0, e.name == "mass-ahead");
        }
    }
}

TEST(Sleigh, analysisNamesWhatTheIssueOfTheMotionIs)
{
    const auto system = make({0.6, 0.4, 0.5, 0}, false);
    const StateInputs start{{"x", 1}, {"y", -0.5}, {"phi", 0.7}, {"v", -1}, {"phidot", 0.8}};
    const auto answer = toJson(*system, system->analyzeFrom(start, {}));
    for (const char* key : {"energy", "rate", "turn_total", "equilibria", "asymptotic_speed", "cusp_phi"})
        EXPECT_TRUE(answer.contains(key)) << key;
    // At the cusp the blade stands still.
    const Vector5 at =
        SleighMotion(system->mechanics(), Vector5(1, -0.5, 0.7, -1, 0.8)).at(answer.at("cusp_time"));
    EXPECT_NEAR(at[V], 0, 1e-14);
    EXPECT_NEAR(at[Phi], answer.at("cusp_phi"), 1e-13);
    const auto straight = toJson(*system, system->analyzeFrom({{"v", 1}, {"phidot", 0}}, {}));
    EXPECT_TRUE(straight.at("cusp_phi").is_null());
    EXPECT_EQ(straight.at("asymptotic_speed"), 1);
    const auto circle = make({0, 0.4, 0.5, 0}, false);
    EXPECT_TRUE(toJson(*circle, circle->analyze({})).at("turn_total").is_null());
}

TEST(Sleigh, hasExactlyTheColumnsPromised)
{
    for (const Kind* kind : {&sleighKind(), &knifeEdgeKind()}) {
        std::vector<std::string> ids;
        const auto system = kind->make();
        for (const Quantity& quantity : system->quantities())
            ids.push_back(quantity.id);
        EXPECT_EQ(ids, (std::vector<std::string>{"x", "y", "phi", "v", "phidot", "s", "N", "H"}));
    }
}

// N = s φ' k²/κ² with s = c tanh τ, φ' ~ sech τ and the turn gd τ: greatest at |tanh τ| = sech τ, gd τ =
// ±π/4.
TEST(Sleigh, theBladeIsHeldMostAfterAQuarterOfTheTurnAndNotInItsMiddle)
{
    const Session session = readSession(presetNamed("sleigh", "reversal").text);
    const auto system = std::dynamic_pointer_cast<const SleighSystem>(sleighKind().make(session.values));
    const Vector5 start = system->start(session.motions.front().state);
    const SleighMotion motion(system->mechanics(), start);
    const SleighForecast will = forecast(system->mechanics(), start);
    double most = 0, phiAtMost = 0, fastest = 0, forceAtFastest = 0;
    for (int i = 0; i <= 120000; ++i) {
        const State x = motion.at(1e-4 * i);
        const double force = std::abs(system->quantity("N", 0, x));
        if (force > most) {
            most = force;
            phiAtMost = x[Phi];
        }
        if (x[PhiDot] > fastest) {
            fastest = x[PhiDot];
            forceAtFastest = force;
        }
    }
    EXPECT_LT(forceAtFastest, 1e-3 * most);
    const double part = (phiAtMost - *will.phiInitial) / *will.turnTotal;
    EXPECT_NEAR(std::min(part, 1 - part), 0.25, 1e-3);
}

TEST(Sleigh, changesPhaseVolumeByItsForwardSpeedAndKeepsItWithoutLever)
{
    const auto divergence = [](const SleighParameters& p, const Vector5& x) {
        const Sleigh sleigh(p);
        double sum = 0;
        for (int i = 0; i < 5; ++i) {
            Vector5 up = x, down = x; // exact for the quadratic field; x and y do not enter it
            up[i] += 0.5;
            down[i] -= 0.5;
            if (i != Phi)
                sum += sleigh.field(up)[i] - sleigh.field(down)[i];
        }
        return sum;
    };
    const Vector5 x(0.3, -0.2, 0.9, 1.1, 0.7);
    const double s = 1.1 - 0.2 * 0.7;
    EXPECT_NEAR(divergence({0.5, 0.2, 0.8, 0}, x), -0.5 * s / (0.25 + 0.64), 1e-14);
    EXPECT_NEAR(divergence({0, 0.2, 0.8, 0}, x), 0, 1e-14);
}

TEST(ReducedForm, staysAtTheToleranceWhileTheTurnDiesOut)
{
    const Session session = readSession(presetNamed("sleigh", "three-ways").text);
    const auto system = sleighKind().make(session.values);
    const State x0 = system->start(session.motions[1].state);
    const auto reduced = system->integrate("reduced", 0, x0, {}),
               exact = system->integrate("exact", 0, x0, {});
    double atFirst = 0, atLast = 0, fastest = 0, relative = 0;
    for (int i = 1; i <= 100; ++i) {
        if (!advanceTo(*reduced, 0.1 * i).ok())
            break;
        ASSERT_TRUE(advanceTo(*exact, 0.1 * i).ok());
        const State off = (reduced->state() - exact->state()).cwiseAbs();
        fastest = std::max(fastest, std::abs(exact->state()[PhiDot]));
        (i <= 20 ? atFirst : atLast) = std::max(i <= 20 ? atFirst : atLast, off.maxCoeff());
        relative = std::abs(exact->state()[PhiDot]) / fastest;
    }
    EXPECT_LT(relative, 1e-3) << "the turn has died out";
    EXPECT_LT(atLast, 1e-10);
    EXPECT_LT(atFirst, 1e-10);
}

// The preset's three speeds: v vanishes twice a turn at equal distances (a cycloid), twice at unequal ones,
// never.
TEST(KnifeEdge, drawsACycloidUnequalArchesAndLoops)
{
    const Kind& kind = knifeEdgeKind();
    const Session session = readSession(presetNamed("knife-edge", "drift").text);
    const double G = 9.81 * std::sin(20 * pi / 180), w = 2.7;
    std::vector<double> drifts;
    std::vector<std::vector<double>> cusps;
    for (const Motion& motion : session.motions) {
        const auto system = kind.make(valuesOf(kind, session, motion));
        const State x0 = system->start(motion.state);
        const auto exact = system->integrate("exact", 0, x0, {});
        std::vector<double> zeros;
        double before = 1e-300; // at rest it begins downhill
        const int n = 4000;
        for (int i = 1; i <= n; ++i) {
            ASSERT_TRUE(advanceTo(*exact, 2 * pi / w * i / n).ok());
            const double now = exact->state()[V];
            if ((now > 0) != (before > 0))
                zeros.push_back(static_cast<double>(i) / n);
            before = now;
        }
        cusps.push_back(zeros);
        EXPECT_NEAR(exact->state()[X], x0[X], 1e-9) << "it does not descend";
        EXPECT_NEAR(exact->state()[Y] - x0[Y], G / (2 * w) * 2 * pi / w, 1e-9);
    }
    ASSERT_EQ(cusps.size(), 3u);
    ASSERT_GE(cusps[0].size(), 1u);
    EXPECT_NEAR(cusps[0][0], 0.5, 1e-3);
    ASSERT_EQ(cusps[1].size(), 2u);
    EXPECT_GT(std::abs(cusps[1][1] - cusps[1][0] - 0.5), 0.05);
    EXPECT_TRUE(cusps[2].empty());
}

// A slope is drawn as people draw it: what gravity pulls down goes down.
TEST(KnifeEdge, isDrawnWithDownhillDown)
{
    const auto system = knifeEdgeKind().make();
    const Scene scene = system->scene();
    const auto gravity = std::find_if(scene.parts.begin(), scene.parts.end(),
                                      [](const Part& part) { return part.name == "gravity"; });
    ASSERT_NE(gravity, scene.parts.end());
    Pose pose;
    system->pose(0, system->start({}), pose);
    const Eigen::Vector3d pull = pose.arrows[std::get<ArrowShape>(gravity->shape).arrow].vector;
    EXPECT_NEAR(pull.normalized().dot(scene.up), -1, 1e-15);
    EXPECT_EQ(sleighKind().make()->scene().up, Eigen::Vector3d::UnitY().eval());
}

TEST(KnifeEdge, onASlopeWithLeverThereIsNoClosedForm)
{
    const auto has = [](const SleighParameters& p) {
        const auto methods = make(p, true)->methods();
        return std::any_of(methods.begin(), methods.end(),
                           [](const MethodInfo& m) { return m.id == "exact"; });
    };
    EXPECT_TRUE(has({0, 0.3, 0.5, 2}));
    EXPECT_TRUE(has({0.4, 0.3, 0.5, 0}));
    EXPECT_FALSE(has({0.4, 0.3, 0.5, 2}));
    EXPECT_THROW(SleighMotion(Sleigh({0.4, 0, 0.5, 1}), Vector5::Zero()), Error);
}

TEST(Presets, comparingMotionsDifferByLessThanTheEyeSees)
{
    for (const auto& [kindId, presetId] :
         {std::pair{"sleigh", "three-ways"}, std::pair{"sleigh", "two-frames"},
          std::pair{"knife-edge", "three-ways"}, std::pair{"knife-edge", "two-frames"}}) {
        const Kind& kind = kindNamed(kindId);
        const Session session = readSession(presetNamed(kindId, presetId).text);
        ASSERT_GE(session.motions.size(), 2u);
        std::vector<State> ends;
        for (const Motion& motion : session.motions) {
            const auto system = kind.make(valuesOf(kind, session, motion));
            const auto integration =
                system->integrate(motion.method, 0, system->start(motion.state), integrationOptions(motion));
            ASSERT_TRUE(advanceTo(*integration, 2).ok()) << presetId << " " << motion.label;
            ends.push_back(integration->state());
        }
        for (const State& end : ends)
            EXPECT_LE((end - ends.front()).norm(), 1e-7) << presetId;
    }
}

} // namespace
} // namespace casimir::sleigh
