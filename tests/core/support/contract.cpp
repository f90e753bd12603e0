#include "tests/core/support/contract.h"

#include "core/analysis/analysis_json.h"
#include "core/analysis/consistency.h"
#include "core/base/error.h"
#include "core/files/value_json.h"
#include "core/model/capabilities.h"
#include "core/model/editing.h"
#include "core/session/session.h"

#include <boost/math/quadrature/gauss.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>

namespace casimir::test {

namespace {

bool finite(const State& x)
{
    return x.allFinite();
}

void checkWords(const System& system)
{
    std::set<std::string> ids;
    for (const Quantity& quantity : system.quantities()) {
        EXPECT_FALSE(quantity.symbol.empty()) << quantity.id;
        EXPECT_FALSE(quantity.name.empty()) << quantity.id;
        EXPECT_TRUE(ids.insert(quantity.id).second) << "two quantities are called " << quantity.id;
    }
    for (const Parameter& parameter : system.kind().schema.parameters())
        EXPECT_FALSE(parameter.symbol.empty() || parameter.name.empty()) << parameter.id;
    for (const Quantity& quantity : system.quantities())
        if (quantity.law.kind == Law::Kind::Balance)
            EXPECT_TRUE(ids.contains(quantity.law.rate))
                << quantity.id << " changes by an unknown " << quantity.law.rate;
}

void checkStart(const System& system, const StateInputs& given)
{
    const State x = system.start(given);
    ASSERT_TRUE(finite(x));
    ASSERT_EQ(static_cast<std::size_t>(x.size()), system.coordinates().size());
    const StateInputs back = system.inputsOf(x);
    ASSERT_EQ(back.size(), system.inputs().size());
    const State again = system.start(back);
    EXPECT_LE((again - x).norm(), 1e-13 * (1 + x.norm())) << "start and inputsOf do not invert each other";
    EXPECT_THROW((void)system.start({{"no such input", 1.0}}), Error);
    for (const StateInput& input : system.inputs())
        EXPECT_THROW((void)system.start({{input.quantity.id, std::numeric_limits<double>::quiet_NaN()}}),
                     Error);
}

std::vector<double> numbersAt(const System& system, double t, const State& x)
{
    std::vector<double> all(system.quantities().size());
    system.evaluate(t, x, all);
    return all;
}

// Nodes in (-1, 1) with their weights.
template <unsigned Points>
std::vector<std::pair<double, double>> gaussRule()
{
    using Rule = boost::math::quadrature::gauss<double, Points>;
    std::vector<std::pair<double, double>> rule;
    for (std::size_t k = 0; k < Rule::abscissa().size(); ++k)
        for (const double side : {-1.0, 1.0})
            if (Rule::abscissa()[k] != 0 || side < 0)
                rule.emplace_back(side * Rule::abscissa()[k], Rule::weights()[k]);
    return rule;
}

// Constant quantities stay; balanced ones change by the integral of their rate (Gauss's rule on the
// interpolants: a closed form has long steps).
void checkLaws(const System& system, const State& start, const MethodInfo& method,
               const ContractOptions& options)
{
    IntegrationOptions how;
    const auto run = system.integrate(method.id, 0, start, how);
    const auto& quantities = system.quantities();
    const auto indexOf = [&](const std::string& id) {
        for (std::size_t i = 0; i < quantities.size(); ++i)
            if (quantities[i].id == id)
                return i;
        return quantities.size();
    };
    const std::vector<double> first = numbersAt(system, 0, start);
    std::vector<double> largest(quantities.size()), supplied(quantities.size());
    for (std::size_t i = 0; i < quantities.size(); ++i)
        largest[i] = std::abs(first[i]);
    // States between steps may cost a step each: many only where something is to be integrated.
    const bool balances = std::any_of(quantities.begin(), quantities.end(),
                                      [](const Quantity& q) { return q.law.kind == Law::Kind::Balance; });
    const auto rule = balances ? gaussRule<15>() : gaussRule<5>();
    State x(start.size());
    while (run->time() < options.duration) {
        const Status status = run->advance(options.duration);
        if (!status.ok() && status.code != "event") {
            ADD_FAILURE() << method.id << ": " << status.sentence;
            return;
        }
        const auto step = run->interpolant();
        const double middle = (step->begin() + step->end()) / 2, half = (step->end() - step->begin()) / 2;
        for (const auto& [s, weight] : rule) {
            const double t = middle + s * half;
            step->at(t, x);
            ASSERT_TRUE(finite(x));
            const auto now = numbersAt(system, t, x);
            for (std::size_t i = 0; i < quantities.size(); ++i) {
                largest[i] = std::max(largest[i], std::abs(now[i]));
                if (quantities[i].law.kind == Law::Kind::Balance)
                    supplied[i] += weight * half * now[indexOf(quantities[i].law.rate)];
            }
        }
        if (!status.ok())
            break;
    }
    const auto last = numbersAt(system, run->time(), run->state());
    for (std::size_t i = 0; i < quantities.size(); ++i) {
        if (quantities[i].law.kind == Law::Kind::None)
            continue;
        // A sum that cancels is known as well as its terms are.
        double scale = largest[i];
        for (std::size_t k = 0; k < quantities.size(); ++k)
            if (quantities[k].unit == quantities[i].unit)
                scale = std::max(scale, largest[k]);
        EXPECT_NEAR(last[i] - supplied[i], first[i], options.tolerance * (scale + 1e-9))
            << quantities[i].id << " by " << method.id;
    }
}

void checkMethodsAgree(const System& system, const State& start)
{
    const auto methods = system.methods();
    ASSERT_FALSE(methods.empty());
    State reference;
    for (const MethodInfo& method : methods) {
        if (method.illustration)
            continue;
        const auto run = system.integrate(method.id, 0, start, {});
        constexpr double t = 0.5;
        ASSERT_TRUE(advanceTo(*run, t).ok()) << method.id;
        EXPECT_EQ(run->time(), t) << method.id;
        if (reference.size() == 0)
            reference = run->state();
        else
            EXPECT_LE((run->state() - reference).norm(), 1e-6 * (1 + reference.norm()))
                << method.id << " and " << methods.front().id << " disagree";
    }
}

// A list that says how it stands to what must be there says so truly.
void checkCounts(const Analysis& analysis)
{
    const Entry* given = analysis.more.find("counts");
    if (!given)
        return;
    const Entry& counts = *given;
    int sum = 0;
    bool degenerate = false;
    for (const Equilibrium& e : analysis.equilibria) {
        ASSERT_TRUE(e.secondVariation);
        sum += e.secondVariation->negative % 2 ? -1 : 1;
        degenerate = degenerate || e.secondVariation->zero > 0;
    }
    const auto listed = static_cast<int>(analysis.equilibria.size());
    EXPECT_EQ(counts.at("listed").number(), listed);
    EXPECT_EQ(counts.at("index_sum").number(), sum);
    EXPECT_FALSE(counts.at("sentence").word().empty());
    const std::string check = counts.at("check").word();
    const bool fits = sum == counts.at("index_sum_due").number() && listed >= counts.at("least").number();
    if (check == "fit" || check == "complete") {
        EXPECT_TRUE(fits && !degenerate);
    } else if (check == "incomplete") {
        EXPECT_FALSE(fits || degenerate);
    } else {
        EXPECT_TRUE(check == "degenerate" || check == "choice" || check == "range") << check;
    }
}

void checkEquilibria(const System& system)
{
    const Analysis analysis = system.analyze({});
    const auto json = toJson(system, analysis);
    EXPECT_EQ(json["system"], system.kind().id);
    EXPECT_EQ(nlohmann::ordered_json::parse(json.dump()).dump(), json.dump());
    checkCounts(analysis);
    for (const Equilibrium& equilibrium : analysis.equilibria) {
        SCOPED_TRACE(equilibrium.name);
        // At the ends of its ranges the rod's spectrum has values that no rod has.
        if (system.kind().id != "rod")
            for (const std::string& contradiction : contradictions(equilibrium))
                ADD_FAILURE() << contradiction;
        ASSERT_TRUE(finite(equilibrium.point));
        EXPECT_FALSE(equilibrium.stability.empty() || equilibrium.detail.empty());
        if (!system.hasField())
            continue;
        // The scale of the field is its size at states a little away in every coordinate, by the same amount
        // and by different ones: a common turn may leave the shape as it is.
        State rate(equilibrium.point.size()), beside(rate.size());
        system.field(0, equilibrium.point, rate);
        double scale = 1e-300;
        for (const double spread : {0.0, 0.3}) {
            const State away = equilibrium.point + 0.1 * (1 + equilibrium.point.norm()) *
                                                       State::LinSpaced(rate.size(), 1 - spread, 1 + spread);
            system.field(0, away, beside);
            scale = std::max(scale, beside.norm());
        }
        for (std::size_t i = 0; i < system.coordinates().size(); ++i)
            if (!system.coordinates()[i].reconstructed)
                EXPECT_LE(std::abs(rate[static_cast<Eigen::Index>(i)]), 1e-13 * scale)
                    << system.coordinates()[i].id;
    }
}

// A picture that nobody waits for any more gives its worker free, whatever the parameters are: else a drag of
// a slider could block the window for good.
void checkCancelling(const System& system, const State& x)
{
    // Each worker may ask once more before it has heard; who goes on computing asks again and again.
    constexpr int mostQuestions = 64;
    for (const PlotInfo& info : system.plots()) {
        if (!info.longRunning)
            continue;
        SCOPED_TRACE(info.id);
        PlotRequest request{info.id, plotOptions(info, {}), system.inputsOf(x)};
        std::atomic<int> questions = 0;
        request.cancelled = [&questions] {
            ++questions;
            return true;
        };
        (void)system.plot(request);
        EXPECT_LE(questions, mostQuestions);
    }
}

// Long ones take seconds each, so they are asked for once a system and not at every end of a slider.
void checkPictures(const System& system, const State& x, bool longOnes)
{
    if (const Scene scene = system.scene(); !scene.empty()) {
        Pose pose;
        system.pose(0, x, pose);
        EXPECT_EQ(pose.points.size(), scene.points.size());
        EXPECT_FALSE(scene.frames.empty());
        EXPECT_TRUE(std::isfinite(scene.radius) && scene.radius > 0);
        for (const Part& part : scene.parts) {
            EXPECT_LT(part.placement, static_cast<int>(pose.placements.size())) << part.name;
            if (const auto* arrow = std::get_if<ArrowShape>(&part.shape))
                EXPECT_LT(arrow->arrow, pose.arrows.size()) << part.name;
            if (const auto* tube = std::get_if<Tube>(&part.shape))
                EXPECT_LT(tube->curve, pose.curves.size()) << part.name;
        }
        for (const Placement& placement : pose.placements) {
            EXPECT_TRUE(placement.translation.allFinite());
            EXPECT_NEAR(placement.rotation.norm(), 1, 1e-12);
        }
        for (const std::string& id : scene.headsUp)
            EXPECT_NO_THROW((void)system.quantity(id, 0, x)) << id;
    }
    for (const PlotInfo& info : system.plots()) {
        SCOPED_TRACE(info.id);
        if (info.longRunning && !longOnes)
            continue;
        PlotRequest request{info.id, plotOptions(info, {}), system.inputsOf(x)};
        bool published = false;
        if (info.longRunning) { // its first answer stands for the finer ones
            request.publish = [&published](const Plot&, double progress) {
                published = true;
                EXPECT_GE(progress, 0);
                EXPECT_LE(progress, 1);
            };
            request.cancelled = [&published] { return published; };
        }
        const Plot plot = system.plot(request);
        EXPECT_LT(plot.x.min, plot.x.max);
        EXPECT_LT(plot.y.min, plot.y.max);
        // What lies in space keeps its shape; two lengths that are parameters span no space.
        EXPECT_TRUE(plot.equalScales || !plot.swept.empty() || plot.x.quantity.unit != "m" ||
                    plot.y.quantity.unit != "m" || plot.x.scale != Scale::Linear ||
                    plot.y.scale != Scale::Linear);
        for (const Polyline& line : plot.lines) {
            ASSERT_EQ(line.x.size(), line.y.size());
            for (std::size_t i = 0; i < line.x.size(); ++i)
                ASSERT_TRUE(std::isfinite(line.x[i]) && std::isfinite(line.y[i]));
        }
        for (const PointCloud& cloud : plot.clouds)
            EXPECT_EQ(cloud.x.size(), cloud.y.size());
        for (const Mark& mark : plot.marks)
            EXPECT_TRUE(std::isfinite(mark.x) && std::isfinite(mark.y));
        PlotTrack track;
        system.track(info.id, 0, x, track);
        if (info.followsState)
            EXPECT_FALSE(track.marks.empty());
        if (info.picksState && info.followsState) {
            ASSERT_FALSE(track.marks.empty());
            const Mark& mark = track.marks.front();
            const StateInputs picked = system.pick(info.id, mark.x, mark.y, system.inputsOf(x));
            PlotTrack again;
            system.track(info.id, 0, system.start(picked), again);
            EXPECT_NEAR(again.marks.front().x, mark.x, 1e-9 * (1 + std::abs(mark.x)));
            EXPECT_NEAR(again.marks.front().y, mark.y, 1e-9 * (1 + std::abs(mark.y)));
        }
    }
}

void checkAliases(const Kind& kind, const Values& values)
{
    for (const Alias& alias : kind.schema.aliases()) {
        const auto present = alias.read(values);
        if (!present)
            continue;
        for (const double target : {*present, *present * 1.5 + 0.01, -*present}) {
            const auto outcome = alias.write(values, target);
            if (!outcome) {
                EXPECT_FALSE(outcome.refusal.empty()) << alias.description.id;
                continue;
            }
            const auto read = alias.read(*outcome.value);
            ASSERT_TRUE(read) << alias.description.id;
            EXPECT_NEAR(*read, target, 1e-12 * (1 + std::abs(target))) << alias.description.id;
        }
    }
}

void checkRefusals(const Kind& kind, const Values& values)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const Parameter& parameter : kind.schema.parameters()) {
        if (parameter.type != ParameterType::Real)
            continue;
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
            Values changed = values;
            changed.set(parameter.id, bad);
            EXPECT_THROW((void)kind.make(changed), Error) << parameter.id << " = " << bad;
        }
        Values changed = values;
        changed.set(parameter.id, std::string("nonsense"));
        EXPECT_THROW((void)kind.make(changed), Error) << parameter.id;
    }
    Values unknown = values;
    unknown.set("no such parameter", 1.0);
    EXPECT_THROW((void)kind.make(unknown), Error);
}

// Either a system that is finite in all it says, or a refusal with a sentence.
void checkExtremes(const Kind& kind, const Values& values)
{
    for (const Parameter& parameter : kind.schema.parameters()) {
        if (parameter.type != ParameterType::Real)
            continue;
        for (const double x :
             {parameter.range.min, parameter.range.max, parameter.sliderMin, parameter.sliderMax, 0.0}) {
            Values changed = values;
            changed.set(parameter.id, x);
            std::shared_ptr<const System> system;
            try {
                system = kind.make(changed);
            } catch (const Error& error) {
                EXPECT_FALSE(std::string(error.what()).empty());
                continue;
            }
            SCOPED_TRACE(parameter.id + " = " + std::to_string(x));
            const State start = system->start({});
            for (const double number : numbersAt(*system, 0, start))
                EXPECT_TRUE(std::isfinite(number));
            if (system->hasField()) {
                State rate(start.size());
                system->field(0, start, rate);
                EXPECT_TRUE(finite(rate));
            }
            checkEquilibria(*system);
            checkPictures(*system, start, false);
            checkCancelling(*system, start);
        }
    }
}

// Every edit by hand is a set of values that makes a system again, or is refused with a sentence; a handle
// put where it is leaves the stage as it was.
void checkEditing(const System& system, const State& x)
{
    const auto* editing = capability<HasStageEditing>(system);
    if (!editing)
        return;
    const Kind& kind = system.kind();
    const auto changed = [&](const Outcome<Change>& edit) -> std::shared_ptr<const System> {
        if (!edit) {
            EXPECT_FALSE(edit.refusal.empty());
            return nullptr;
        }
        EXPECT_FALSE(edit.value->text.empty());
        const auto made = kind.make(kind.schema.with(system.values(), edit.value->assignments));
        (void)made->start(edit.value->state);
        return made;
    };
    Pose before, after;
    system.pose(0, x, before);
    const std::vector<StageHandle> handles = editing->stageHandles(0, x);
    const double radius = system.scene().radius;
    for (std::size_t i = 0; i < std::min<std::size_t>(handles.size(), 6); ++i) {
        const StageHandle& handle = handles[i];
        EXPECT_TRUE(handle.at.allFinite());
        const auto same = changed(editing->dragHandle(handle.id, 0, x, handle.at));
        if (!same)
            continue;
        same->pose(0, same->start(system.inputsOf(x)), after);
        ASSERT_EQ(after.placements.size(), before.placements.size());
        for (std::size_t k = 0; k < after.placements.size(); ++k)
            EXPECT_LT((after.placements[k].translation - before.placements[k].translation).norm(),
                      0.02 * radius);
        (void)changed(
            editing->dragHandle(handle.id, 0, x, handle.at + Eigen::Vector3d(0.3, -0.2, 0) * radius));
    }
    for (const StageAction& action : editing->stageActions(0, x, Eigen::Vector3d::Zero())) {
        const long number = action.number ? std::get<long>(action.number->defaultValue) : 0;
        (void)changed(editing->stageAct(action.id, 0, x, Eigen::Vector3d::Zero(), number));
    }
}

void checkSmallAngles(const System& system)
{
    for (const double small : {0.0, 1e-300, 1e-8}) {
        StateInputs inputs;
        for (const StateInput& input : system.inputs())
            if (input.range.contains(small))
                inputs.emplace_back(input.quantity.id, small);
        const State x = system.start(inputs);
        for (const double number : numbersAt(system, 0, x))
            EXPECT_TRUE(std::isfinite(number));
        checkPictures(system, x, false);
    }
}

} // namespace

void checkContract(const Kind& kind, const Values& values, const StateInputs& start, const std::string& label,
                   const ContractOptions& options)
{
    SCOPED_TRACE(kind.id + ", " + label);
    const auto system = kind.make(values);
    checkWords(*system);
    checkStart(*system, start);
    const State x = system->start(start);
    checkEditing(*system, x);
    for (const MethodInfo& method : system->methods())
        if (!method.illustration)
            checkLaws(*system, x, method, options);
    checkMethodsAgree(*system, x);
    checkEquilibria(*system);
    checkPictures(*system, x, true);
    checkSmallAngles(*system);
    checkAliases(kind, values);
    checkRefusals(kind, values);
    if (options.extremes)
        checkExtremes(kind, values);
}

} // namespace casimir::test
