// The chain of tops as a system: states, methods, input, presets, stability; what the free motion keeps.
#include "core/analysis/analysis_json.h"
#include "core/base/error.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "core/systems/tops/stability.h"
#include "core/systems/tops/tops_system.h"
#include "tests/core/systems/tops/tops_cases.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace casimir::tops {
namespace {

using test::Json;
using test::number;
using test::reference;
using OrderedJson = nlohmann::ordered_json;

struct Opened {
    std::shared_ptr<const TopsSystem> system;
    State start;
};

Opened open(const OrderedJson& json)
{
    const Kind& kind = topsKind();
    const Input input = readInput(kind, json.dump());
    auto system = std::dynamic_pointer_cast<const TopsSystem>(
        kind.make(kind.schema.with(kind.schema.defaults(), input.assignments)));
    State start = system->start(input.state);
    return {system, std::move(start)};
}

Opened openPreset(const char* name)
{
    const Session session = readSession(presetNamed("tops", name).text);
    auto system = std::dynamic_pointer_cast<const TopsSystem>(
        topsKind().make(valuesOf(topsKind(), session, session.motions.front())));
    State start = system->start(session.motions.front().state);
    return {system, std::move(start)};
}

State runTo(const System& system, const State& start, const char* method, double t, double rtol,
            double step = 0)
{
    IntegrationOptions options;
    options.rtol = rtol;
    options.step = step;
    const auto run = system.integrate(method, 0, start, options);
    const Status status = advanceTo(*run, t);
    EXPECT_TRUE(status.ok()) << status.sentence;
    return run->state();
}

// A free chain as `--input` takes it.
OrderedJson freeInput(const Json& c)
{
    OrderedJson input;
    for (const char* key : {"g", "m", "c", "s", "J0", "Js", "q"})
        input[key] = OrderedJson::parse(c[key].dump());
    for (const auto& [from, to] : {std::pair("e0", "e"), {"v0", "v"}}) {
        input[to] = OrderedJson::array();
        for (std::size_t i = 0; i < c[from].size(); i += 3)
            input[to].push_back({number(c[from][i]), number(c[from][i + 1]), number(c[from][i + 2])});
    }
    return input;
}

TEST(TopsSystem, freeChainsFromInputReachTheReferenceStates)
{
    for (const Json& c : reference()["generic"]) {
        SCOPED_TRACE(c["name"].get<std::string>());
        const Opened opened = open(freeInput(c));
        const int n = opened.system->size();
        for (const char* when : {"t1", "t2"}) {
            const State x = runTo(*opened.system, opened.start, "rkf78", number(c[when]["t"]), 1e-13);
            EXPECT_LE((opened.system->axes(x) - test::rowsOf(c[when]["e"])).norm(), 1e-9);
            EXPECT_LE((opened.system->rates(x) - test::rowsOf(c[when]["v"])).norm(), 1e-9);
            Pose pose;
            opened.system->pose(0, x, pose);
            for (int i = 0; i < n; ++i) {
                const Json& q = c[when]["quat_wxyz"];
                const auto k = static_cast<std::size_t>(4 * i);
                const Eigen::Quaterniond expected(number(q[k]), number(q[k + 1]), number(q[k + 2]),
                                                  number(q[k + 3]));
                EXPECT_LE(expected.angularDistance(pose.placements[static_cast<std::size_t>(i)].rotation),
                          1e-7)
                    << i;
            }
        }
    }
}

OrderedJson exactInput(const Json& c)
{
    OrderedJson input;
    input["family"] = "chebanov";
    for (const char* key : {"g", "m", "c", "s", "J0", "Js", "mu"})
        input[key] = OrderedJson::parse(c[key].dump());
    input["roots"] = {number(c["x_turning"][0]), number(c["x_turning"][1]), number(c["x3"])};
    input["signs"] = test::signsOf(c["name"].get<std::string>());
    input["phase"] = number(c["phase_t0"]);
    input["psi1"] = number(c["psi1_0"]);
    input["psi4"] = number(c["psi4_0"]);
    return input;
}

TEST(TopsSystem, exactInputGivesTheReferenceAnglesByTheClosedForm)
{
    for (const Json& c : reference()["chebanov4"]) {
        SCOPED_TRACE(c["name"].get<std::string>());
        const Opened opened = open(exactInput(c));
        const auto run = opened.system->integrate("exact", 0, opened.start, {});
        for (const Json& sample : c["samples"]) {
            const double t = number(sample["t"]);
            ASSERT_TRUE(advanceTo(*run, t).ok());
            for (const char* id : {"theta1", "psi1", "theta4", "psi4"}) {
                const std::string quantity =
                    std::string(id, std::strlen(id) - 1) + "_" + id[std::strlen(id) - 1];
                EXPECT_NEAR(opened.system->quantity(quantity, t, run->state()), number(sample[id]), 1e-10)
                    << id << " at " << t;
            }
            EXPECT_NEAR(opened.system->quantity("phi_3", t, run->state()),
                        number(sample["phi_minus_phi0"][2]), 1e-8);
        }
    }
}

TEST(TopsSystem, thePapersConstantsAreReadToo)
{
    const Json& c = reference()["chebanov4"][0];
    OrderedJson input = exactInput(c);
    input.erase("roots");
    input.erase("signs");
    input["p1"] = number(c["p"][0]);
    input["p4"] = number(c["p"][3]);
    input["q4"] = number(c["q"][3]);
    const Opened opened = open(input);
    EXPECT_NEAR(opened.system->setup().motion->period(), number(c["period"]), 1e-12);
    // Constants whose cubic has a negative discriminant.
    input["p1"] = 36.84208394024623;
    input["p4"] = 3.7685585826194044;
    input["q4"] = 4.311827580987025;
    EXPECT_THROW(open(input), Error);
}

TEST(TopsSystem, inputThatFitsNoFamilyIsRefusedByName)
{
    OrderedJson input = exactInput(reference()["chebanov4"][0]);
    const auto refusal = [](const OrderedJson& json) {
        try {
            open(json);
            return std::string("accepted");
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    OrderedJson wrong = input;
    wrong["s"][1] = 0.59;
    EXPECT_NE(refusal(wrong).find("residual"), std::string::npos) << refusal(wrong);
    wrong = input;
    wrong["colour"] = 1;
    EXPECT_NE(refusal(wrong).find("colour"), std::string::npos);
    wrong = input;
    wrong["family"] = "chebanow";
    EXPECT_NE(refusal(wrong).find("chebanov"), std::string::npos);
    wrong = input;
    wrong["roots"] = {-0.2, 0.4, -1.5};
    EXPECT_NE(refusal(wrong).find("cos"), std::string::npos) << refusal(wrong);
    wrong = input;
    wrong["roots"][2] = 1.5;
    EXPECT_NE(refusal(wrong).find("side"), std::string::npos) << refusal(wrong);
}

TEST(TopsSystem, theFreeTwinFollowsTheExactMotionOverOnePeriod)
{
    for (const char* preset :
         {"spin-stabilised", "canonical", "loops", "positive-mu", "kharlamov-pair", "zigzag", "lifted"}) {
        SCOPED_TRACE(preset);
        const Opened opened = openPreset(preset);
        const double T = opened.system->setup().motion->period();
        const State exact = runTo(*opened.system, opened.start, "exact", T, 1e-10);
        const State free = runTo(*opened.system, opened.start, "rkf78", T, 1e-13);
        const int n = opened.system->size();
        EXPECT_LE((exact - free).head(3 * n).cwiseAbs().maxCoeff(), 1e-9);
        EXPECT_LE(opened.system->quantity("distance", T, free), 1e-9);
        if (std::string(preset) == "spin-stabilised")
            EXPECT_LE((exact - free).segment(3 * n, 3 * n).cwiseAbs().maxCoeff(), 1e-9);
    }
}

TEST(TopsSystem, energyAndMomentumStayForAThousandPeriods)
{
    for (const char* preset : {"single-top", "spin-stabilised"}) {
        SCOPED_TRACE(preset);
        const Opened opened = openPreset(preset);
        const TopsSystem& system = *opened.system;
        const double T = system.setup().motion->period();
        const double H = system.quantity("H", 0, opened.start), Lz = system.quantity("Lz", 0, opened.start);
        const State x = runTo(system, opened.start, "rkf78", 1000 * T, 1e-13);
        EXPECT_NEAR(system.quantity("H", 0, x), H, 1e-10 * std::abs(H));
        EXPECT_NEAR(system.quantity("Lz", 0, x), Lz, 1e-10 * std::abs(Lz));
    }
}

TEST(TopsSystem, theDistanceIsThatOfTwoRunsFromTheSameStart)
{
    const Opened opened = openPreset("canonical");
    const TopsSystem& system = *opened.system;
    const double T = system.setup().motion->period();
    const State start = system.start({{"phase", 0.3}, {"psi_1", 0.4}, {"psi_4", 2}}),
                kicked = system.start({{"phase", 0.3}, {"psi_1", 0.4}, {"psi_4", 2}, {"kick_theta_2", 1e-3}});
    EXPECT_EQ(system.quantity("distance", 0, start), 0);
    EXPECT_NEAR(system.quantity("distance", 0, kicked), 1e-3, 1e-9); // the chord of a small angle
    for (const double part : {0.4, 3.3}) {
        const State exact = runTo(system, start, "exact", part * T, 1e-10),
                    free = runTo(system, kicked, "dopri5", part * T, 1e-10);
        EXPECT_LE(system.quantity("distance", part * T, exact), 1e-13);
        EXPECT_LE(system.quantity("residual", part * T, exact), 1e-13);
        double apart = 0;
        for (int i = 0; i < 4; ++i)
            apart = std::max(apart, (system.axes(exact).col(i) - system.axes(free).col(i)).norm());
        EXPECT_GT(apart, 1e-3);
        EXPECT_NEAR(system.quantity("distance", part * T, free), apart, 1e-12);
    }
    // Carried to another root in the midst of a run, the nearest exact motion is the one measured against.
    Values values = system.values();
    values.set("x3_size", 2.5);
    const auto other = std::dynamic_pointer_cast<const TopsSystem>(topsKind().make(values));
    const State carried = other->carriedFrom(system, 0.7, runTo(system, start, "exact", 0.7, 1e-10));
    EXPECT_LE(other->quantity("distance", 0, carried), 1e-11);
}

// What a slider at one of its ends leaves: a motion that solves the equations, or a refusal that says what
// fails.
TEST(TopsSystem, bothEndsOfEverySliderGiveAMotionOrNameWhatFails)
{
    const Schema& schema = topsKind().schema;
    int moved = 0, refused = 0;
    for (const Preset& preset : presetsOf("tops")) {
        const Session session = readSession(preset.text);
        const Values values = valuesOf(topsKind(), session, session.motions.front());
        std::vector<std::pair<std::string, Parameter>> sliders;
        for (const Parameter& parameter : schema.parameters()) {
            if (!parameter.isShown(values))
                continue;
            if (parameter.type == ParameterType::List)
                for (const Parameter& field : parameter.fields)
                    sliders.emplace_back(parameter.id + ".0." + field.id, field);
            else
                sliders.emplace_back(parameter.id, parameter);
        }
        for (const Alias& alias : schema.aliases())
            if (alias.description.isShown(values))
                sliders.emplace_back(alias.description.id, alias.description);
        for (const auto& [address, slider] : sliders) {
            std::vector<Value> ends;
            if (slider.type == ParameterType::Real)
                ends = {slider.sliderMin, slider.sliderMax, (slider.sliderMin + slider.sliderMax) / 2};
            else if (slider.type == ParameterType::Integer)
                ends = {static_cast<long>(slider.range.min), static_cast<long>(slider.range.max)};
            else
                for (const Choice& choice : slider.choices)
                    ends.emplace_back(choice.id);
            for (const Value& end : ends) {
                const auto* number = std::get_if<double>(&end);
                SCOPED_TRACE(preset.id + ": " + address + (number ? " = " + std::to_string(*number) : ""));
                const Outcome<Values> outcome = schema.tryWith(values, {address, end});
                if (!outcome) {
                    ++refused;
                    EXPECT_TRUE(outcome.refusal.find("must") != std::string::npos ||
                                outcome.refusal.find("fails") != std::string::npos ||
                                outcome.refusal.find("no real motion") != std::string::npos ||
                                outcome.refusal.find("not real") != std::string::npos ||
                                outcome.refusal.find("exceeds") != std::string::npos ||
                                outcome.refusal.find("residual") != std::string::npos)
                        << outcome.refusal;
                    continue;
                }
                ++moved;
                const auto system =
                    std::dynamic_pointer_cast<const TopsSystem>(topsKind().make(*outcome.value));
                const State x = system->start({});
                State rate(x.size());
                system->field(0, x, rate);
                EXPECT_TRUE(rate.allFinite());
                if (const auto& motion = system->setup().motion) {
                    EXPECT_LE(motion->residual(6), 1e-11);
                    EXPECT_GT(motion->period(), 0);
                    // The pictures whose limits follow the roots.
                    for (const PlotInfo& info : system->plots())
                        if (info.id == "cubic" || info.id == "nutation" || info.id == "potential") {
                            const Plot plot = system->plot(info.id);
                            EXPECT_LT(plot.x.min, plot.x.max) << info.id;
                            EXPECT_LT(plot.y.min, plot.y.max) << info.id;
                        }
                }
            }
        }
    }
    EXPECT_GT(moved, 300);
    EXPECT_GT(refused, 20);
}

TEST(TopsSystem, theRidersStayOnTheLine)
{
    const Opened opened = openPreset("canonical");
    const double T = opened.system->setup().motion->period();
    for (const double part : {0.0, 0.37, 12.8}) {
        const State x =
            part == 0 ? opened.start : runTo(*opened.system, opened.start, "exact", part * T, 1e-10);
        EXPECT_LE(opened.system->quantity("rho_O", 0, x), 1e-14);
        EXPECT_LE(opened.system->quantity("rho_C", 0, x), 1e-14);
    }
}

TEST(TopsSystem, aKickedStartHasNoClosedFormAndSaysSo)
{
    const Opened opened = openPreset("canonical");
    const auto run = opened.system->integrate("exact", 0, opened.system->start({{"kick_theta_1", 1e-3}}), {});
    const Status status = run->advance(1);
    EXPECT_FALSE(status.ok());
    EXPECT_FALSE(status.sentence.empty());
}

TEST(TopsSystem, anExactMotionIsCarriedToOtherValuesAndStaysExact)
{
    const Opened opened = openPreset("canonical");
    const State x = runTo(*opened.system, opened.start, "exact", 0.7, 1e-10);
    Values values = opened.system->values();
    values.set("x3_size", 2.5);
    values.set("mu", -3.4);
    const auto other = std::dynamic_pointer_cast<const TopsSystem>(topsKind().make(values));
    const State carried = other->carriedFrom(*opened.system, 0, x);
    EXPECT_LE(other->decompose(carried).off, 1e-11);
}

TEST(TopsSystem, statesOffTheMotionAndInputsInvertEachOther)
{
    const Opened opened = openPreset("canonical");
    const State x = runTo(*opened.system, opened.system->start({{"kick_psi_3", 0.3}, {"kick_dtheta_2", 2}}),
                          "dopri5", 1.3, 1e-9);
    const State again = opened.system->start(opened.system->inputsOf(x));
    const int n = opened.system->size();
    EXPECT_LE((again - x).head(6 * n).norm(), 1e-12 * x.head(6 * n).norm());
    Pose a, b;
    opened.system->pose(0, x, a);
    opened.system->pose(0, again, b);
    for (int i = 0; i < n; ++i)
        EXPECT_LE(a.placements[static_cast<std::size_t>(i)].rotation.angularDistance(
                      b.placements[static_cast<std::size_t>(i)].rotation),
                  1e-7);
}

TEST(TopsSystem, theAnglesOfAFreeRunAreThoseOfItsAxesAndFrames)
{
    const Opened opened = openPreset("chaotic-double-top");
    const State x = runTo(*opened.system, opened.start, "dopri5", 3, 1e-9);
    Pose pose;
    opened.system->pose(0, x, pose);
    for (int i = 0; i < 2; ++i) {
        const auto id = [i](const char* name) { return std::string(name) + "_" + std::to_string(i + 1); };
        const double theta = opened.system->quantity(id("theta"), 0, x),
                     psi = opened.system->quantity(id("psi"), 0, x),
                     phi = opened.system->quantity(id("phi"), 0, x);
        using Eigen::AngleAxisd;
        using Eigen::Vector3d;
        const Eigen::Quaterniond turned(AngleAxisd(psi, Vector3d::UnitZ()) *
                                        AngleAxisd(theta, Vector3d::UnitY()) *
                                        AngleAxisd(phi, Vector3d::UnitZ()));
        EXPECT_LE(turned.angularDistance(pose.placements[static_cast<std::size_t>(i)].rotation), 1e-7);
    }
}

TEST(TopsSystem, theSleepingTopLosesItsStabilityAtTheTextbookSpin)
{
    const double J = 0.03 + 0.09, critical = std::sqrt(4 * J * 0.3 * 9.81) / 0.02;
    for (const double part : {0.999, 1.001}) {
        const auto rests = verticalRests(Chain({{1, 0.3, 0, 0.03, 0.02, part * critical}}, 9.81));
        ASSERT_EQ(rests.size(), 2u);
        EXPECT_EQ(rests[0].stability, part < 1 ? verdict::unstable : verdict::stable);
        EXPECT_EQ(rests[1].stability, verdict::stable); // hanging
        // J' omega^2 - k omega + a g = 0.
        const std::complex<double> root =
            std::sqrt(std::complex<double>(std::pow(0.02 * part * critical, 2) - 4 * J * 0.3 * 9.81));
        for (const double sign : {-1.0, 1.0}) {
            const std::complex<double> s =
                std::complex<double>(0, 1) * (0.02 * part * critical + sign * root) / (2 * J);
            double nearest = 1e9;
            for (const auto& value : rests[0].eigenvalues)
                nearest = std::min(nearest, std::abs(value - s));
            EXPECT_LE(nearest, 1e-9 * std::abs(s));
        }
    }
}

TEST(TopsSystem, eigenvaluesOfAVerticalChainAreThoseOfItsField)
{
    test::Draw draw(8);
    for (const VerticalRest& rest : verticalRests(Chain(draw.tops(3), 9.81))) {
        test::Draw again(8);
        const Chain chain(again.tops(3), 9.81);
        // Along the reported departure the linearised field gives s^2: checked by differences of the full
        // one.
        const auto acceleration = [&](double h, bool imaginary) {
            Eigen::Matrix3Xd place = Eigen::Matrix3Xd::Zero(3, 3), rate = place, out = place;
            for (int i = 0; i < 3; ++i) {
                const auto k = static_cast<std::size_t>(i);
                const std::complex<double> turn = imaginary ? std::complex<double>(0, 1) : 1;
                const auto z = h * turn * rest.departure[k], w = h * turn * rest.departureRate[k];
                place.col(i) = Eigen::Vector3d(z.real(), z.imag(), rest.sigma[k]).normalized();
                rate.col(i) << w.real(), w.imag(), 0;
                rate.col(i) -= rate.col(i).dot(place.col(i)) * place.col(i);
            }
            chain.accelerations(place, rate, out);
            return out;
        };
        std::size_t strongest = 0;
        for (std::size_t k = 1; k < 3; ++k)
            if (std::abs(rest.departure[k]) > std::abs(rest.departure[strongest]))
                strongest = k;
        const std::complex<double> s = rest.departureRate[strongest] / rest.departure[strongest];
        EXPECT_TRUE(std::any_of(rest.eigenvalues.begin(), rest.eigenvalues.end(), [&](const auto& value) {
            return std::abs(value - s) < 1e-6 * (1 + std::abs(s));
        }));
        constexpr double h = 1e-5;
        const Eigen::Matrix3Xd slope = (acceleration(h, false) - acceleration(-h, false)) / (2 * h);
        for (int i = 0; i < 3; ++i) {
            const auto expected = s * rest.departureRate[static_cast<std::size_t>(i)];
            EXPECT_NEAR(slope(0, i), expected.real(), 1e-5 * (1 + std::abs(s * s)));
            EXPECT_NEAR(slope(1, i), expected.imag(), 1e-5 * (1 + std::abs(s * s)));
        }
    }
}

TEST(TopsSystem, growthSeparatesTheUnstableMotionsFromTheSpinStabilisedOne)
{
    // Growth of the reference motions in powers of e in a period, by differences of the dense equations of
    // motion along the quadrature: A 4.05 over 40 periods and 4.16 over the last 80 of 160, B 1.1, H 0.0.
    const auto growth = [](std::size_t i) {
        return growthAlong(test::fourTopMotion(reference()["chebanov4"][i]), 40, 96).size.back() / 40;
    };
    EXPECT_NEAR(growth(0), 4.1, 0.15);
    EXPECT_NEAR(growth(1), 1.1, 0.15);
    EXPECT_NEAR(growth(3), 0.0, 0.08);
}

TEST(TopsSystem, aDisturbanceOfTheExactMotionGrowsAsTwoFreeRunsPart)
{
    const Opened opened = openPreset("canonical");
    const ExactMotion& motion = *opened.system->setup().motion;
    const double T = motion.period();
    const Growth growth = growthAlong(motion, 40, 96);
    // A kick, followed by the full equations until it is no longer small: its logarithm has the same slope.
    const auto distance = [&](double t) {
        const State kicked = opened.system->start({{"kick_theta_1", 1e-9}});
        return (runTo(*opened.system, kicked, "rkf78", t, 1e-13) -
                runTo(*opened.system, opened.start, "exact", t, 1e-13))
            .head(12)
            .norm();
    };
    EXPECT_NEAR(std::log(distance(4 * T) / distance(T)) / 3, growth.size.back() / 40, 1.2);
}

TEST(TopsSystem, oneTopInSteadyPrecessionKeepsItsDisturbancesSmall)
{
    const ExactMotion motion = steadyPrecession({{1, 0.3, 0, 0.03, 0.02, 0}}, {0.9}, 2.5, 9.81);
    EXPECT_NEAR(growthAlong(motion, 40, 200).perPeriod, 0, 0.05);
}

TEST(TopsSystem, theRootsAndConstantsAreAliases)
{
    const Kind& kind = topsKind();
    Values values = kind.schema.defaults();
    values = kind.schema.with(values, {{"x1", -0.1}, {"x2", 0.3}, {"x3", -2.0}, {"m1", 300.0}});
    EXPECT_NEAR(std::get<double>(kind.schema.read(values, "x2")), 0.3, 1e-15);
    EXPECT_NEAR(std::get<double>(kind.schema.read(values, "m1")), 300, 1e-10);
    EXPECT_FALSE(kind.schema.tryWith(values, {"x2", 0.34}));
    EXPECT_FALSE(kind.schema.tryWith(values, {"x3", 2.0}));
    EXPECT_FALSE(kind.schema.tryWith(values, {"m1", 1.0}));
    EXPECT_FALSE(kind.schema.tryWith(values, {"mu", -1.2}));
    const double p4 = std::get<double>(kind.schema.read(values, "p4"));
    const Outcome<Values> moved = kind.schema.tryWith(values, {"p4", 1.02 * p4});
    ASSERT_TRUE(moved) << moved.refusal;
    EXPECT_NEAR(std::get<double>(kind.schema.read(*moved.value, "p4")), 1.02 * p4, 1e-10);
}

TEST(TopsSystem, analyzeHasTheKeysOfTheMotion)
{
    const auto json = toJson(*topsKind().make(), topsKind().make()->analyze({}));
    for (const char* key :
         {"s", "c", "a", "P", "J0", "Js", "q", "p", "h", "mu", "turning_points", "period", "advance_psi1",
          "advance_psi4", "energy", "Lz", "residual", "inequalities", "growth"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_LE(json["residual"].get<double>(), 1e-12);
    // A run of the reference from rounding alone is off by 0.1 after 7.5 periods.
    EXPECT_NEAR(json["followed_periods"].get<double>(), 7.5, 1.5);
    const auto held = openPreset("spin-stabilised").system;
    EXPECT_TRUE(toJson(*held, held->analyze({}))["followed_periods"].is_null());
    for (const auto& inequality : json["inequalities"])
        EXPECT_TRUE(inequality["holds"].get<bool>()) << inequality["name"];
}

TEST(TopsSystem, theMapKnowsThePresentMotionAsReal)
{
    const auto system = topsKind().make();
    for (const char* pair : {"p1-p4", "p1-q4", "p4-q4"}) {
        PlotRequest request{"map"};
        request.options.set("pair", std::string(pair));
        const Plot plot = system->plot(request);
        const HeatMap& map = plot.maps.front();
        const Handle& handle = plot.handles.front();
        const int column =
            static_cast<int>((handle.x - plot.x.min) / (plot.x.max - plot.x.min) * map.columns);
        const int row = static_cast<int>((handle.y - plot.y.min) / (plot.y.max - plot.y.min) * map.rows);
        EXPECT_EQ(map.values[static_cast<std::size_t>(row * map.columns + column)], 0.0f) << pair;
        EXPECT_GT(std::count(map.values.begin(), map.values.end(), 1.0f), 0) << pair;
    }
}

TEST(TopsSystem, curvesOnTheSphereAreNamedByTheTurningOfTheAzimuth)
{
    EXPECT_EQ(openPreset("canonical").system->setup().motion->curveName(0), "waves");
    EXPECT_EQ(openPreset("loops").system->setup().motion->curveName(0), "loops");
    EXPECT_EQ(openPreset("cusps").system->setup().motion->curveName(0), "cusps");
}

TEST(TopsSystem, thirtyTwoTopsMove)
{
    Values values = topsKind().schema.defaults();
    values.set("family", std::string("free"));
    RecordList bodies;
    for (int i = 0; i < 32; ++i) {
        Record body = values.list("bodies").front();
        body.set("theta", 2.6 + 0.01 * i);
        body.set("q", 20.0);
        bodies.push_back(body);
    }
    values.set("bodies", bodies);
    const auto system = topsKind().make(values);
    const State start = system->start({});
    const double H = system->quantity("H", 0, start);
    const State x = runTo(*system, start, "dopri5", 0.2, 1e-8);
    EXPECT_NEAR(system->quantity("H", 0, x), H, 1e-6 * std::abs(H));
}

} // namespace
} // namespace casimir::tops
