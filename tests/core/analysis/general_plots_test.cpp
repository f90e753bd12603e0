// The pictures that every system with equilibria has.
#include "core/analysis/general_plots.h"
#include "core/analysis/parameter_axis.h"
#include "core/analysis/parameter_map.h"
#include "core/base/error.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/core/support/stand_ins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace casimir {

namespace {

std::shared_ptr<const System> normalForm(const char* form, double r = 0.6)
{
    const auto& kind = test::normalFormKind();
    return kind.make(kind.schema.with(kind.schema.defaults(), {{"form", std::string(form)}, {"r", r}}));
}

PlotRequest requestFor(const System& system, const char* id,
                       const std::map<std::string, std::string>& options)
{
    return {id, plotOptions(*plotInfoOf(system, id), options)};
}

std::vector<std::string> idsOf(const System& system)
{
    std::vector<std::string> ids;
    for (const PlotInfo& info : plotsOf(system))
        ids.push_back(info.id);
    return ids;
}

} // namespace

TEST(GeneralPlots, aSystemHasThemWhereItHasEquilibriaAndEachNameOnce)
{
    EXPECT_THAT(idsOf(*test::normalFormKind().make()), testing::ElementsAre("spectrum", "branch", "map"));
    EXPECT_TRUE(idsOf(*test::drivenKind().make()).empty());
    EXPECT_THAT(idsOf(*test::exactKind().make()), testing::ElementsAre("spectrum")); // nothing to vary
    for (const Kind* kind : catalogue()) {
        const auto ids = idsOf(*kind->make());
        EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size()) << kind->id;
    }
}

// In a picture of 700 x 450 no chord of a curve leaves the curve by half a pixel. A chord of the length c
// that meets the next at the angle a leaves it by c a / 8; sharper angles than these are corners that are
// meant, of arrowheads, and so are those at an equilibrium, where lines cross.
TEST(GeneralPlots, theCurvesOfEveryPresetShowNoCorner)
{
    constexpr double width = 700, height = 450, seen = 0.5, meant = 1;
    for (const Kind* kind : catalogue())
        for (const Preset& preset : presetsOf(kind->id)) {
            const Session session = readSession(preset.text);
            const auto system = kind->make(session.values);
            for (const PlotInfo& info : plotsOf(*system)) {
                if (info.longRunning)
                    continue;
                const Plot plot =
                    plotOf(*system, {info.id, plotOptions(info, {}), session.motions.front().state});
                const auto place = [](const PlotAxis& axis, double v) {
                    return axis.scale == Scale::Logarithmic
                               ? std::log(v / axis.min) / std::log(axis.max / axis.min)
                               : (v - axis.min) / (axis.max - axis.min);
                };
                double worst = 0;
                for (const Polyline& line : plot.lines) {
                    std::vector<Eigen::Vector2d> p;
                    for (std::size_t k = 0; k < line.x.size(); ++k)
                        p.emplace_back(width * place(plot.x, line.x[k]), height * place(plot.y, line.y[k]));
                    for (std::size_t k = 1; k + 1 < p.size(); ++k) {
                        const Eigen::Vector2d a = p[k] - p[k - 1], b = p[k + 1] - p[k];
                        const double turn = std::abs(std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b)));
                        const bool across =
                            a.norm() > height / 2 || b.norm() > height / 2; // a seam of the cylinder
                        const bool inside =
                            p[k].x() >= 0 && p[k].x() <= width && p[k].y() >= 0 && p[k].y() <= height;
                        const bool crossing =
                            std::any_of(plot.marks.begin(), plot.marks.end(), [&](const Mark& mark) {
                                return std::hypot(width * place(plot.x, mark.x) - p[k].x(),
                                                  height * place(plot.y, mark.y) - p[k].y()) < 12;
                            });
                        if (inside && !across && !crossing && turn < meant)
                            worst = std::max(worst, std::min(a.norm(), b.norm()) * turn / 8);
                    }
                }
                EXPECT_LT(worst, seen) << kind->id << " " << preset.id << " " << info.id;
            }
        }
}

TEST(GeneralPlots, everySystemDrawsThemAtItsDefaults)
{
    for (const Kind* kind : catalogue()) {
        const auto system = kind->make();
        for (const PlotInfo& info : plotsOf(*system)) {
            if (info.id != "spectrum" && info.id != "branch" && info.id != "map")
                continue;
            SCOPED_TRACE(kind->id + " " + info.id);
            PlotRequest request{info.id, plotOptions(info, {})};
            bool enough = false; // the first stage says whether it works
            request.publish = [&](const Plot& plot, double) {
                enough = true;
                EXPECT_LT(plot.x.min, plot.x.max);
                EXPECT_LT(plot.y.min, plot.y.max);
            };
            request.cancelled = [&] { return enough; };
            const Plot plot = plotOf(*system, request);
            EXPECT_LT(plot.x.min, plot.x.max);
            EXPECT_LT(plot.y.min, plot.y.max);
            for (const Mark& mark : plot.marks)
                EXPECT_TRUE(std::isfinite(mark.x) && std::isfinite(mark.y));
        }
    }
}

TEST(Spectrum, ofTwoBodiesIsAnImaginaryAndARealPair)
{
    // The leaf's linearisation at either state: s^2 = -+D S/Delta omega^2, from the closed form of the paper.
    const auto system = kindNamed("two-body").make();
    const double eps = 100.0 * 125 / 225, d1 = 1, d2 = 0.6, mu = 50;
    const double I1 = 50 + eps * d1 * d1, I2 = 50 + eps * d2 * d2, D = eps * d1 * d2, delta = I1 * I2 - D * D;
    const Plot plot = plotOf(*system, "spectrum");
    ASSERT_EQ(plot.marks.size(), 4u);
    for (const Mark& mark : plot.marks) {
        const bool stretched = mark.id == "stretched";
        const double S = I1 + I2 + (stretched ? 2 : -2) * D, rate = std::sqrt(D * S / delta) * mu / S;
        EXPECT_NEAR(std::abs(stretched ? mark.y : mark.x), rate, 1e-14);
        EXPECT_EQ(stretched ? mark.x : mark.y, 0);
        EXPECT_EQ(mark.colour.role, stretched ? Role::Stable : Role::Unstable);
        EXPECT_EQ(mark.shape, stretched ? MarkShape::Disc : MarkShape::Cross);
    }
    EXPECT_EQ(plot.x.quantity.unit, "rad/s");
    EXPECT_EQ(
        std::count_if(plot.marks.begin(), plot.marks.end(), [](const Mark& m) { return !m.label.empty(); }),
        2);
}

TEST(Spectrum, limitsAreSymmetricAndRestWhileAParameterIsDragged)
{
    const Kind& kind = kindNamed("two-body");
    std::set<double> limits;
    for (int i = 0; i <= 200; ++i) {
        const auto system = kind.make(kind.schema.with(kind.schema.defaults(), {{"mu", 20 + 0.3 * i}}));
        const Plot plot = plotOf(*system, "spectrum");
        EXPECT_EQ(plot.x.min, -plot.x.max);
        EXPECT_EQ(plot.y.min, -plot.y.max);
        for (const Mark& mark : plot.marks)
            EXPECT_TRUE(std::abs(mark.x) < plot.x.max && std::abs(mark.y) < plot.y.max);
        limits.insert(plot.x.max);
    }
    EXPECT_LE(limits.size(), 5u);
    EXPECT_FALSE(
        plotOf(*kind.make(kind.schema.with(kind.schema.defaults(), {{"mu", 0.0}})), "spectrum").note.empty());
}

TEST(BranchPlot, tellsStabilityByLineStyleAndBindsItsHandle)
{
    const auto system = normalForm("pitchfork");
    const Plot plot = plotOf(*system, requestFor(*system, "branch", {{"x", "r"}, {"y", "q"}}));
    bool solidRest = false, dottedRest = false, arms = false;
    for (const Polyline& line : plot.lines) {
        if (line.label.empty())
            continue;
        EXPECT_EQ(line.style, line.label == "stable" ? LineStyle::Solid : LineStyle::Dotted);
        const bool rest = *std::max_element(line.y.begin(), line.y.end()) == 0 && line.y.front() == 0;
        solidRest = solidRest || (rest && line.label == "stable" && std::abs(line.x.back() - 0.3) < 1e-6);
        dottedRest =
            dottedRest || (rest && line.label == "unstable" && std::abs(line.x.front() - 0.3) < 1e-6);
        arms = arms || (!rest && line.label == "stable");
    }
    EXPECT_TRUE(solidRest && dottedRest && arms);
    ASSERT_EQ(plot.handles.size(), 1u);
    EXPECT_EQ(plot.handles[0].xTarget, "r");
    EXPECT_EQ(plot.handles[0].x, 0.6);
    std::set<std::string> named;
    for (const Mark& mark : plot.marks)
        if (!mark.id.empty()) {
            named.insert(mark.id);
            EXPECT_EQ(mark.x, 0.6);
        }
    EXPECT_EQ(named, (std::set<std::string>{"middle", "upper", "lower"}));
    EXPECT_TRUE(std::any_of(plot.marks.begin(), plot.marks.end(),
                            [](const Mark& m) { return m.label == "pitchfork"; }));
}

TEST(BranchPlot, drawsEnergyAndGrowthRateAgainstTheRangeAskedFor)
{
    const auto system = normalForm("transcritical");
    const Plot plot =
        plotOf(*system, requestFor(*system, "branch",
                                   {{"x", "r"}, {"y", "growth_rate"}, {"from", "0.5"}, {"to", "0.9"}}));
    EXPECT_EQ(plot.x.min, 0.5);
    EXPECT_EQ(plot.x.max, 0.9);
    for (const Polyline& line : plot.lines)
        for (std::size_t i = 0; i < line.x.size() && !line.label.empty(); ++i)
            EXPECT_NEAR(line.y[i], line.label == "unstable" ? std::sqrt(line.x[i] - 0.3) : 0, 1e-12);
    EXPECT_THROW((void)requestFor(*system, "branch", {{"x", "nothing"}}), Error);
}

TEST(BranchPlot, draggingAlongItsOwnParameterComputesNothingAnew)
{
    int published = 0;
    for (const double r : {0.5, 0.55, 0.7}) {
        const auto system = normalForm("hopf", r);
        PlotRequest request = requestFor(*system, "branch", {{"x", "r"}, {"from", "-0.9"}, {"to", "0.95"}});
        request.publish = [&published](const Plot&, double) { ++published; };
        EXPECT_EQ(plotOf(*system, request).handles.at(0).x, r);
        if (r == 0.5)
            EXPECT_GT(std::exchange(published, 0), 0);
    }
    EXPECT_EQ(published, 0);
}

TEST(ParameterMap, countsTheEquilibriaOfAPitchforkInEveryCell)
{
    const auto system = normalForm("pitchfork");
    PlotRequest request =
        requestFor(*system, "map", {{"x", "r"}, {"y", "shift"}, {"x_from", "-1"}, {"x_to", "1.1"}});
    std::vector<int> sides;
    double before = 0;
    request.publish = [&](const Plot& plot, double progress) {
        sides.push_back(plot.maps.at(0).columns);
        EXPECT_GT(progress, before);
        before = progress;
    };
    const Plot plot = plotOf(*system, request);
    const HeatMap& map = plot.maps.at(0);
    EXPECT_EQ(sides, (std::vector<int>{9, 27}));
    ASSERT_EQ(map.columns, 81);
    ASSERT_EQ(map.labels.size(), 2u);
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column) {
            const double r = -1 + 2.1 * (column + 0.5) / map.columns;
            const double shift = plot.y.min + (plot.y.max - plot.y.min) * (row + 0.5) / map.rows;
            const std::string& label = map.labels[static_cast<std::size_t>(
                map.values[static_cast<std::size_t>(row * map.columns + column)])];
            ASSERT_EQ(label, r > shift ? "3: 2 stable, 1 unstable" : "1: 1 stable") << r << " " << shift;
        }
    ASSERT_EQ(plot.handles.size(), 1u);
    EXPECT_EQ(plot.handles[0].xTarget, "r");
    EXPECT_EQ(plot.handles[0].yTarget, "shift");
}

TEST(ParameterMap, saysWhereTwoAxesCannotBeChosen)
{
    const auto system = normalForm("fold");
    EXPECT_THROW((void)plotOf(*system, requestFor(*system, "map", {{"x", "r"}, {"y", "r"}})), Error);
    // The alias moves r itself, so the pair contradicts itself almost everywhere.
    const Plot plot = plotOf(*system, requestFor(*system, "map", {{"x", "r"}, {"y", "beyond"}}));
    EXPECT_THAT(plot.note, testing::HasSubstr("independently"));
}

TEST(PlotOptions, anUnknownOneIsRefusedWithTheNearest)
{
    const auto system = kindNamed("two-body").make();
    const auto complaint = [&](const char* key, const char* text) {
        try {
            checkPlotOptions(*system, {{key, text}});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(complaint("branch.x", "mu"), "");
    EXPECT_EQ(complaint("portrait.legend", "off"), "");
    EXPECT_THAT(complaint("branch.z", "mu"), testing::HasSubstr("did you mean 'branch.x'"));
    EXPECT_THAT(complaint("branches.x", "mu"), testing::HasSubstr("did you mean 'branch.x'"));
    EXPECT_THAT(complaint("branch.x", "nu"), testing::HasSubstr("one of"));
    EXPECT_THAT(complaint("branch.from", "far"), testing::HasSubstr("not a number"));
    EXPECT_THAT(complaint("portrait.legend", "perhaps"), testing::HasSubstr("on or off"));
    EXPECT_EQ(complaint("stage.frame", "body-1"), "");
    EXPECT_EQ(complaint("stage.hidden", "arrows,labels"), "");
    EXPECT_EQ(complaint("stage.traced", "none"), "");
    EXPECT_THAT(complaint("stage.frame", "body-7"), testing::HasSubstr("did you mean 'body-1'"));
    EXPECT_THAT(complaint("stage.hidden", "arrows,lables"), testing::HasSubstr("did you mean 'labels'"));
}

TEST(GeneralPlots, theMapOpensOnTwoParametersThatCanBeChosenApart)
{
    const auto check = [](const System& system, const std::string& where) {
        const auto info = plotInfoOf(system, "map");
        if (!info || info->options.size() < 2 || info->options[0].id != "x" || info->options[1].id != "y")
            return;
        const Values chosen = plotOptions(*info, {});
        const std::string x = chosen.choice("x"), y = chosen.choice("y");
        const Schema& schema = system.kind().schema;
        EXPECT_NE(x, y) << where;
        const auto base = [&schema](const std::string& id) {
            const Alias* alias = schema.alias(id);
            return alias && !alias->linked.empty() ? alias->linked : id;
        };
        EXPECT_NE(base(x), base(y)) << where << ": " << x << " and " << y;
    };
    for (const Kind* kind : catalogue()) {
        check(*kind->make(), kind->id);
        for (const Preset& preset : presetsOf(kind->id))
            check(*kind->make(readSession(preset.text).values), kind->id + " " + preset.id);
    }
    // The rod has two numbers that both are its spin rate, the only ones computed from others.
    const auto rod = kindNamed("rod").make();
    EXPECT_TRUE(areLinked(rod->kind().schema, "angular_momentum", "spin_natural"));
    EXPECT_FALSE(areLinked(rod->kind().schema, "angular_momentum", "L"));
}

// The straight runs of a sleigh have the energy of its start, so their speed is that of its mass centre.
TEST(GeneralPlots, theyAreDrawnForTheStartOfTheMotion)
{
    const auto sleigh = kindNamed("sleigh").make();
    const StateInputs slow{{"v", 1.0}, {"phidot", 0.5}}, fast{{"v", 2.0}, {"phidot", 1.0}};
    for (const char* id : {"spectrum", "branch", "map"}) {
        const auto info = plotInfoOf(*sleigh, id);
        ASSERT_TRUE(info) << id;
        EXPECT_TRUE(info->followsStart) << id;
    }
    const auto widest = [&](const StateInputs& start) {
        PlotRequest request = requestFor(*sleigh, "spectrum", {});
        request.start = start;
        double most = 0;
        for (const Mark& mark : plotOf(*sleigh, request).marks)
            most = std::max(most, std::abs(mark.x));
        return most;
    };
    // Twice as fast in every way, twice the rates.
    EXPECT_NEAR(widest(fast), 2 * widest(slow), 1e-12);
    const auto speedAtPresent = [&](const StateInputs& start) {
        PlotRequest request = requestFor(*sleigh, "branch", {{"x", "a"}, {"y", "v"}});
        request.start = start;
        double most = 0;
        for (const Mark& mark : plotOf(*sleigh, request).marks)
            if (!mark.id.empty())
                most = std::max(most, std::abs(mark.y));
        return most;
    };
    EXPECT_NEAR(speedAtPresent(fast), 2 * speedAtPresent(slow), 1e-9);
    EXPECT_NEAR(speedAtPresent(fast), 2 * speedAtPresent(slow), 1e-9) << "from the memory of answers";
    const auto analysis = sleigh->analyzeFrom(fast, {});
    double table = 0;
    for (const Equilibrium& e : analysis.equilibria)
        table = std::max(table, std::abs(sleigh->quantity("v", 0, e.point)));
    EXPECT_NEAR(speedAtPresent(fast), table, 1e-12);
}

} // namespace casimir
