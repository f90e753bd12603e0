// The rod's charts: what happens along the branch, its vibrations, and the blocks of the second variation.
#include "core/base/recent_answers.h"
#include "core/model/corners.h"
#include "core/systems/rod/rod/rod_analysis.h"
#include "core/systems/rod/rod/rod_limits.h"
#include "core/systems/rod/rod/rod_system.h"
#include "core/systems/rod/rod/rod_tracking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace casimir::rod {

namespace {

constexpr int branchFrequencies = 6;
constexpr int followedFrequencies = 10; // some come down among the drawn ones as the spin rate grows
// Neighbouring points whose modes are less alike are looked at in between, so many times over.
constexpr double alike = 0.75;
constexpr int mostHalvings = 7;
constexpr int mostSmoothings = 8;
constexpr double finestPart = 1e-4; // of the chart's width, between points beside a corner
constexpr double usualKick = 0.05;
constexpr int blockModes = 4;

// The units of a chart: SI, or the rod's own, length L and rate √(EI/ρ_A L⁴).
struct ChartUnits {
    bool natural;
    double rate, length;

    std::string rateUnit() const { return natural ? "ω_0" : "rad/s"; }
    std::string growthUnit() const { return natural ? "ω_0" : "/s"; }
    std::string squareUnit() const { return natural ? "ω_0²" : "1/s²"; }
    std::string lengthUnit() const { return natural ? "L" : "m"; }
};

ChartUnits chartUnits(const PlotRequest& request, const RodUnits& u)
{
    if (request.options.choice("units") == "natural")
        return {true, 1, 1};
    return {false, u.rate(), u.length};
}

Parameter unitsOption()
{
    return choiceParameter({"units", "units", "units", "",
                            "SI, or the rod's own: length L and rate ω_0 = √(EI/ρ_A L⁴).", "chart"},
                           {{"si", "SI"}, {"natural", "natural"}}, "si");
}

enum class Shown { Tip, Blocks, Frequencies };

struct BranchPoint {
    double omega = 0; // natural
    std::vector<double> values;
    bool stable = false; // nothing grows
    bool beyond = false; // the linear law
    // Of a chart of frequencies.
    std::shared_ptr<const Rod> rod;
    std::shared_ptr<const RodLinearisation> at;
    std::vector<RodMode> modes;
};

// Where two modes come close: they cross, each going its way, or veer and exchange their shapes.
struct Meeting {
    double omega = 0, frequency = 0; // in the chart's units
    bool crossing = false;
};

// The whole chart, and all it depends on: along the branch from rest not the present spin rate, which is only
// where its handle stands.
struct BranchChart {
    std::vector<BranchPoint> points;
    double limit = 0;
    std::string ended;
    std::vector<Meeting> meetings;
};
struct ChartAsked {
    RodParameters parameters;
    SpinAxis axis;
    double limit, omega; // ω of a bent branch only
    bool bent, natural;
    Shown shown;
    long points;
    bool operator==(const ChartAsked&) const = default;
};

RecentAnswers<BranchChart, ChartAsked>& recentCharts()
{
    static RecentAnswers<BranchChart, ChartAsked> recent(6);
    return recent;
}

constexpr const char* whatBends = "auto"; // the tip where it moves, else the blocks
constexpr const char* criticalLabel = "critical spin rates";
constexpr double moves = 1e-6; // of the rod's length: a straight rod has rounding only

Shown shownOf(const std::string& id)
{
    return id == "blocks" ? Shown::Blocks : id == "frequencies" ? Shown::Frequencies : Shown::Tip;
}

std::vector<std::string> curveNames(Shown shown)
{
    switch (shown) {
    case Shown::Blocks:
        return {"rigid block, lowest (per unit η and λ)", "internal, fixed momentum",
                "internal, fixed spin rate", "the paper's bound λ_0 − κ|ξ|²"};
    case Shown::Frequencies: {
        std::vector<std::string> names;
        for (int k = 0; k < followedFrequencies; ++k)
            names.push_back(fmt::format("mode {}", k + 1));
        return names;
    }
    case Shown::Tip:
        break;
    }
    return {"tip displacement"};
}

PlotRequest showing(PlotRequest request, const char* what)
{
    request.options.set("show", std::string(what));
    return request;
}

// A chart of tip displacements that has none.
bool isStraight(const Plot& plot, double length)
{
    return std::none_of(plot.lines.begin(), plot.lines.end(), [&](const Polyline& line) {
        return line.label != criticalLabel && std::any_of(line.y.begin(), line.y.end(), [&](double y) {
                   return std::abs(y) > moves * length;
               });
    });
}

// One point of the chart. Values in its units; NaN where there is none.
BranchPoint pointAt(const Rod& rod, const ChartUnits& u, const RodEquilibrium& e, Shown shown)
{
    BranchPoint point;
    point.omega = e.omega;
    point.rod = std::make_shared<const Rod>(shown == Shown::Frequencies ? withVibrationMass(rod.parameters())
                                                                        : rod.parameters());
    RodEquilibrium near = shown == Shown::Frequencies ? solveAtSpin(*point.rod, e.at, e.omega) : e;
    if (!near.status.ok()) {
        near = e;
        point.rod = std::make_shared<const Rod>(rod.parameters());
    }
    point.at = std::make_shared<const RodLinearisation>(*point.rod, near);
    const RodLinearisation& at = *point.at;
    const int negative = negativeDirections(at);
    const bool asks = shown == Shown::Frequencies || (negative > 0 && negative % 2 == 0);
    RodSpectrum spectrum =
        asks ? spectrumOf(at, shown == Shown::Frequencies ? followedFrequencies : branchFrequencies + 2, 0,
                          true)
             : RodSpectrum{};
    point.stable = negative % 2 == 0 && !(spectrum.growth > 0);
    point.beyond = !beyondTheLaw(strainsOf(rod, e.at)).empty();
    if (shown == Shown::Tip) {
        const Vec3 tip = e.at.q[0].conjugate() * (e.at.x.back() - e.at.x[0]);
        point.values = {u.length * (tip - rod.parameters().r0 - rod.law().D.col(2)).norm()};
    } else if (shown == Shown::Blocks) {
        const RodBlocks b = blocksOf(at);
        const double square = u.rate * u.rate;
        point.values = {b.rigid[0] / b.lambda * square, b.internalFixedMomentum * square,
                        b.internalFixedSpin * square, b.bound() * square};
    } else {
        // What is not proven complete and clean is not drawn.
        if (spectrum.status.ok())
            point.modes = std::move(spectrum.modes);
        std::sort(point.modes.begin(), point.modes.end(),
                  [](const RodMode& a, const RodMode& b) { return a.value.imag() < b.value.imag(); });
    }
    if (shown != Shown::Frequencies) {
        point.at.reset();
        point.rod.reset();
    }
    return point;
}

// Which of the next point's modes each of this point's continues in; where they are not alike enough, through
// points in between.
std::vector<int> continued(const Rod& rod, const ChartUnits& u, const BranchPoint& from,
                           const BranchPoint& to, int halvings = 0)
{
    const ModePairs pairs = pairModes(*from.at, from.modes, *to.at, to.modes);
    if (pairs.least > alike || halvings == mostHalvings)
        return pairs.partner;
    const RodEquilibrium e = follow(rod, from.at->e, (from.omega + to.omega) / 2);
    if (!e.status.ok())
        return pairs.partner;
    const BranchPoint middle = pointAt(rod, u, e, Shown::Frequencies);
    const std::vector<int> first = continued(rod, u, from, middle, halvings + 1),
                           second = continued(rod, u, middle, to, halvings + 1);
    std::vector<int> partner(first.size(), -1);
    for (std::size_t k = 0; k < first.size(); ++k)
        if (first[k] >= 0)
            partner[k] = second[static_cast<std::size_t>(first[k])];
    return partner;
}

// Gives every mode one curve along the whole branch.
void joinModes(const Rod& rod, const ChartUnits& u, std::vector<BranchPoint>& points,
               std::vector<std::vector<int>>& curves)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    curves.assign(points.size(), std::vector<int>(followedFrequencies, -1));
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<bool> taken(points[i].modes.size(), false);
        if (i > 0) {
            const std::vector<int> partner = continued(rod, u, points[i - 1], points[i]);
            for (std::size_t k = 0; k < followedFrequencies; ++k) {
                const int before = curves[i - 1][k];
                const int now = before < 0 ? -1 : partner[static_cast<std::size_t>(before)];
                curves[i][k] = now;
                if (now >= 0)
                    taken[static_cast<std::size_t>(now)] = true;
            }
        }
        // What comes from outside the list takes a curve that is free.
        for (std::size_t m = 0; m < taken.size(); ++m)
            if (!taken[m])
                for (std::size_t k = 0; k < followedFrequencies; ++k)
                    if (curves[i][k] < 0 && (i == 0 || curves[i - 1][k] < 0)) {
                        curves[i][k] = static_cast<int>(m);
                        break;
                    }
        points[i].values.assign(followedFrequencies, none);
        for (std::size_t k = 0; k < followedFrequencies; ++k)
            if (curves[i][k] >= 0)
                points[i].values[k] =
                    points[i].modes[static_cast<std::size_t>(curves[i][k])].value.imag() * u.rate;
    }
}

// Leaves out the curves that are never among the lowest.
void keepLowest(std::vector<BranchPoint>& points)
{
    std::vector<bool> kept(followedFrequencies, false);
    for (const BranchPoint& p : points)
        for (std::size_t k = 0; k < kept.size(); ++k) {
            const auto lower =
                std::count_if(p.values.begin(), p.values.end(), [&](double y) { return y < p.values[k]; });
            if (std::isfinite(p.values[k]) && lower < branchFrequencies)
                kept[k] = true;
        }
    for (BranchPoint& p : points)
        for (std::size_t k = 0; k < kept.size(); ++k)
            if (!kept[k])
                p.values[k] = std::numeric_limits<double>::quiet_NaN();
}

// Curves that change their order cross; curves that come close, keep it and exchange their shapes veer.
std::vector<Meeting> meetingsOf(const std::vector<BranchPoint>& points,
                                const std::vector<std::vector<int>>& curves, double rate)
{
    std::vector<Meeting> meetings;
    const auto mode = [&](std::size_t i, std::size_t k) -> const RodMode& {
        return points[i].modes[static_cast<std::size_t>(curves[i][k])];
    };
    constexpr std::size_t window = 4;
    for (std::size_t a = 0; a < followedFrequencies; ++a)
        for (std::size_t b = a + 1; b < followedFrequencies; ++b)
            for (std::size_t i = 1; i < points.size(); ++i) {
                const double before = points[i - 1].values[a] - points[i - 1].values[b],
                             here = points[i].values[a] - points[i].values[b];
                if (!std::isfinite(before) || !std::isfinite(here))
                    continue;
                if (before * here < 0) {
                    const double part = before / (before - here);
                    meetings.push_back({std::lerp(points[i - 1].omega, points[i].omega, part) * rate,
                                        std::lerp(points[i - 1].values[a], points[i].values[a], part), true});
                    continue;
                }
                if (i < window || i + window >= points.size())
                    continue;
                const double after = points[i + 1].values[a] - points[i + 1].values[b];
                const std::size_t left = i - window, right = i + window;
                if (!(std::abs(here) <= std::abs(before)) || !(std::abs(here) < std::abs(after)) ||
                    curves[left][a] < 0 || curves[right][b] < 0)
                    continue;
                if (overlap(*points[left].at, mode(left, a), *points[right].at, mode(right, b)) > alike)
                    meetings.push_back(
                        {points[i].omega * rate, (points[i].values[a] + points[i].values[b]) / 2, false});
            }
    return meetings;
}

// Spin rates between the points beside every corner of a curve as it is drawn.
std::set<double> besideCorners(const std::vector<BranchPoint>& points, const Plot& drawn, double rate)
{
    std::set<double> wanted;
    if (points.empty())
        return wanted;
    std::vector<double> x, y(points.size());
    for (const BranchPoint& p : points)
        x.push_back(p.omega * rate);
    for (std::size_t k = 0; k < points.front().values.size(); ++k) {
        std::transform(points.begin(), points.end(), y.begin(),
                       [k](const BranchPoint& p) { return p.values[k]; });
        for (const std::size_t i : corners(x, y, drawn.x, drawn.y))
            for (const std::size_t before : {i - 1, i})
                if (x[before + 1] - x[before] > finestPart * (drawn.x.max - drawn.x.min))
                    wanted.insert((points[before].omega + points[before + 1].omega) / 2);
    }
    return wanted;
}

// The curve cut where the verdict changes: solid where nothing grows, dashed where something does.
void addCurve(Plot& plot, const std::vector<BranchPoint>& points, std::size_t which, int index,
              const std::string& label, double rate)
{
    Polyline line;
    bool labelled = false;
    const auto finish = [&] {
        if (line.x.size() > 1) {
            line.label = labelled ? "" : label;
            labelled = true;
            plot.lines.push_back(line);
        }
        line.x.clear();
        line.y.clear();
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double y = points[i].values[which];
        if (!std::isfinite(y)) {
            finish();
            continue;
        }
        line.x.push_back(points[i].omega * rate);
        line.y.push_back(y);
        line.colour = points[i].beyond ? Colour{Role::Neutral} : Colour::body(index);
        line.style = points[i].stable ? LineStyle::Solid : LineStyle::Dashed;
        if (i + 1 < points.size() &&
            (points[i + 1].stable != points[i].stable || points[i + 1].beyond != points[i].beyond)) {
            finish();
            line.x.push_back(points[i].omega * rate);
            line.y.push_back(y);
        }
    }
    finish();
}

std::string described(const RodMode& mode, std::complex<double> error, const ChartUnits& u)
{
    const std::string f = knownText(mode.value.imag() * u.rate, error.imag() * u.rate),
                      g = knownText(mode.value.real() * u.rate, error.real() * u.rate);
    if (mode.value.imag() == 0)
        return fmt::format("grows at {} {}", g, u.growthUnit());
    return mode.value.real() == 0 ? f : fmt::format("{}, {} {}", f, g, u.growthUnit());
}

// The mode that a motion starts with, counted from 1; 0 where it starts without one.
int chosenMode(const StateInputs& start)
{
    double kick = 0, mode = 1;
    for (const auto& [id, value] : start) {
        if (id == "kick")
            kick = value;
        if (id == "kick_mode")
            mode = value;
    }
    return kick != 0 ? static_cast<int>(std::lround(mode)) : 0;
}

} // namespace

std::vector<PlotInfo> RodSystem::plots() const
{
    return {{.id = "branch",
             .title = "Spin-rate chart",
             .longRunning = true,
             .options = {choiceParameter(
                             {"show", "show", "shown", "", "What is drawn against the spin rate.", "chart"},
                             {{whatBends, "what changes"},
                              {"tip", "tip displacement"},
                              {"blocks", "lowest eigenvalues of the blocks"},
                              {"frequencies", "frequencies"}},
                             whatBends),
                         integerParameter({"points", "n", "points", "", "Points along the branch.", "chart"},
                                          48, 8, 400),
                         unitsOption()}},
            {.id = "modes",
             .title = "Vibration modes",
             .picksState = true,
             .followsStart = true,
             .options = {unitsOption()}},
            {.id = "blocks", .title = "Second variation"}};
}

Plot RodSystem::plot(const PlotRequest& request) const
{
    if (request.id == "branch") {
        if (request.options.choice("show") != whatBends)
            return branchPlot(request);
        const double length = chartUnits(request, setup_.units).length;
        PlotRequest tips = showing(request, "tip");
        if (request.publish)
            tips.publish = [&](Plot plot, double progress) {
                if (!isStraight(plot, length))
                    request.publish(std::move(plot), progress);
            };
        Plot plot = branchPlot(tips);
        return isStraight(plot, length) ? branchPlot(showing(request, "blocks")) : plot;
    }
    if (request.id == "modes")
        return modesPlot(request);
    if (request.id == "blocks")
        return blocksPlot();
    return System::plot(request);
}

Plot RodSystem::branchPlot(const PlotRequest& request) const
{
    const Shown shown = shownOf(request.options.choice("show"));
    const long finest = request.options.integer("points");
    const ChartUnits units = chartUnits(request, setup_.units);
    const double rate = units.rate;
    double limit = std::max({setup_.searchLimit, 1.05 * setup_.omega, 0.5});
    const auto cancelled = [&] { return request.cancelled && request.cancelled(); };

    // Halves of halves: every stage keeps the points of the one before.
    const RodEquilibrium present = equilibrium();
    const ChartAsked asked{rod_.parameters(), setup_.axis,   limit, setup_.bent ? setup_.omega : 0,
                           setup_.bent,       units.natural, shown, finest};
    std::vector<std::pair<BranchPoint, RodEquilibrium>> known;
    std::vector<BranchPoint> points;
    std::vector<Meeting> meetings;
    std::string ended;
    const auto drawn = [&](bool last) {
        Plot plot;
        plot.id = "branch";
        plot.title = "Along the branch";
        plot.x = {{"spin_rate", "ω", "spin rate", units.rateUnit()}, 0, limit * rate};
        plot.y.quantity = shown == Shown::Tip ? Quantity{"tip", "u", "tip displacement", units.lengthUnit()}
                          : shown == Shown::Blocks
                              ? Quantity{"eigenvalue", "λ", "lowest eigenvalue", units.squareUnit()}
                              : Quantity{"frequency", "ν", "frequency", units.rateUnit()};
        const std::vector<std::string> names = curveNames(shown);
        double low = 0, high = 0;
        for (std::size_t k = 0; k < names.size(); ++k) {
            addCurve(plot, points, k, static_cast<int>(k), names[k], rate);
            for (const BranchPoint& p : points)
                if (std::isfinite(p.values[k])) {
                    low = std::min(low, p.values[k]);
                    high = std::max(high, p.values[k]);
                }
        }
        // A straight rod has no displacement but rounding, which is not to fill the chart.
        const double span = std::max({high - low, 1e-9 * std::abs(high), 1e-4 * units.length});
        plot.y.min = low < 0 ? low - 0.06 * span : low;
        plot.y.max = high + 0.08 * span;
        if (last && !setup_.bent)
            for (int k = 0; const CriticalSpin& c : *criticalSpinsOf(setup_)) {
                Polyline mark;
                mark.x = {c.omega * rate, c.omega * rate};
                mark.y = {plot.y.min, plot.y.max};
                mark.colour = {Role::Separatrix};
                mark.style = LineStyle::Dotted;
                mark.label = criticalLabel;
                plot.lines.push_back(std::move(mark));
                plot.marks.push_back({.x = c.omega * rate,
                                      // One below the other: neighbours may stand close.
                                      .y = plot.y.min + (0.96 - 0.07 * (k++ % 6)) * (plot.y.max - plot.y.min),
                                      .shape = MarkShape::Diamond,
                                      .colour = {Role::Separatrix},
                                      .label = knownText(c.omega * rate, criticalError(setup_, c) * rate)});
            }
        // On the first curve, between the points beside it.
        double y = plot.y.min;
        const BranchPoint* before = nullptr;
        for (const BranchPoint& p : points) {
            if (!std::isfinite(p.values[0]))
                continue;
            if (p.omega <= present.omega || !before) {
                y = p.values[0];
                before = &p;
                continue;
            }
            const double part = (present.omega - before->omega) / (p.omega - before->omega);
            y = std::lerp(before->values[0], p.values[0], std::clamp(part, 0.0, 1.0));
            break;
        }
        plot.handles.push_back({"spin", std::min(setup_.omega, limit) * rate, y,
                                units.natural ? "spin_natural" : "spin_rate", ""});
        for (const Meeting& m : meetings)
            if (!m.crossing)
                plot.marks.push_back({.x = m.omega,
                                      .y = m.frequency,
                                      .shape = MarkShape::Ring,
                                      .colour = {Role::Neutral},
                                      .label = "veering"});
        plot.note = ended;
        if (shown == Shown::Frequencies && last) {
            const auto crossings =
                std::count_if(meetings.begin(), meetings.end(), [](const Meeting& m) { return m.crossing; });
            plot.note += fmt::format(
                "{}Modes are joined by their shapes; crossings: {}, veerings (ringed): {}.",
                ended.empty() ? "" : " ", crossings, static_cast<long>(meetings.size()) - crossings);
        }
        if (std::any_of(points.begin(), points.end(), [](const BranchPoint& p) { return p.beyond; }))
            plot.note += std::string(plot.note.empty() ? "" : " ") +
                         "Grey: strains beyond the range of the linear law.";
        return plot;
    };

    if (const auto chart = recentCharts().find(asked)) {
        points = chart->points;
        meetings = chart->meetings;
        limit = chart->limit;
        ended = chart->ended;
        return drawn(true);
    }
    const auto takePoints = [&] {
        points.clear();
        for (const auto& [point, at] : known)
            points.push_back(point);
        if (shown != Shown::Frequencies)
            return;
        std::vector<std::vector<int>> curves;
        joinModes(rod_, units, points, curves);
        keepLowest(points);
        meetings = meetingsOf(points, curves, rate);
    };

    const auto from = [&](double omega) {
        // From the nearest point known below, else from rest or along the bent branch.
        const RodEquilibrium* nearest = nullptr;
        for (const auto& [point, at] : known)
            if (!nearest || std::abs(at.omega - omega) < std::abs(nearest->omega - omega))
                nearest = &at;
        if (nearest)
            return follow(rod_, *nearest, omega);
        return setup_.bent ? follow(rod_, present, omega) : followFromRest(rod_, setup_.axis, omega);
    };
    if (setup_.bent && !present.status.ok()) {
        ended = present.status.sentence;
        return drawn(true);
    }
    const auto keep = [&](const RodEquilibrium& e) {
        known.emplace_back(pointAt(rod_, units, e, shown), e);
        std::sort(known.begin(), known.end(),
                  [](const auto& x, const auto& y) { return x.first.omega < y.first.omega; });
    };
    long count = std::min(12L, finest);
    double low = setup_.bent ? 0.3 * limit : limit / static_cast<double>(4 * finest);
    for (bool cut = false;;) {
        bool again = false;
        for (long k = 0; k <= count && !cancelled() && !again; ++k) {
            const double omega = low + (limit - low) * static_cast<double>(k) / static_cast<double>(count);
            if (std::any_of(known.begin(), known.end(),
                            [&](const auto& p) { return std::abs(p.first.omega - omega) < 1e-9 * limit; }))
                continue;
            RodEquilibrium e = from(omega);
            if (e.status.ok())
                e = heldToTheContinuum(rod_, e, from);
            if (e.status.ok()) {
                keep(e);
            } else if (!cut && e.omega > 0) {
                // The branch ends: the chart does too, at the last equilibrium found.
                ended =
                    fmt::format("The branch was followed to {:.4g} {}.", e.omega * rate, units.rateUnit());
                if (e.status.code == "no-continuum")
                    ended += " Beyond, the elements have states that the rod has not: " + e.status.sentence;
                limit = e.omega;
                low = std::min(low, limit / static_cast<double>(4 * finest));
                cut = again = true;
            }
        }
        if (again)
            continue;
        if (count >= finest || cancelled() || known.empty())
            break;
        takePoints();
        if (request.publish)
            request.publish(drawn(false), static_cast<double>(count) / static_cast<double>(finest + 1));
        count = std::min(2 * count, finest);
    }
    if (limit * rate <= 0)
        limit = 1;
    takePoints();
    for (int round = 0; round < mostSmoothings && !cancelled(); ++round) {
        const std::set<double> wanted = besideCorners(points, drawn(false), rate);
        if (wanted.empty())
            break;
        for (const double omega : wanted)
            if (const RodEquilibrium e = cancelled() ? present : from(omega); e.status.ok() && !cancelled())
                keep(e);
        takePoints();
    }
    if (!cancelled())
        recentCharts().add(asked, std::make_shared<BranchChart>(BranchChart{points, limit, ended, meetings}));
    return drawn(!cancelled());
}

Plot RodSystem::modesPlot(const PlotRequest& request) const
{
    const ChartUnits units = chartUnits(request, setup_.units);
    const double rate = units.rate;
    Plot plot;
    plot.id = "modes";
    plot.title = "Vibrations about the turning equilibrium";
    plot.x.quantity = {"mode", "k", "mode", ""};
    plot.y.quantity = {"frequency", "ν", "frequency in the turning frame", units.rateUnit()};
    const RodEquilibrium& e = equilibrium();
    plot.x.min = 0;
    plot.x.max = 9;
    plot.y.min = 0;
    plot.y.max = 1;
    if (!e.status.ok()) {
        plot.note = e.status.sentence;
        return plot;
    }
    const KnownVibrations known = knownVibrations(setup_);
    const RodSpectrum& found = known.spectrum;
    if (!found.status.ok()) {
        plot.note = found.status.sentence;
        return plot;
    }
    const int chosen = chosenMode(request.start);
    double high = 0;
    for (std::size_t k = 0; k < found.modes.size(); ++k) {
        const RodMode& mode = found.modes[k];
        const double x = static_cast<double>(k + 1), y = mode.value.imag() * rate;
        if (!std::isfinite(y))
            continue;
        high = std::max(high, y);
        const bool grows = mode.value.real() > 0;
        Polyline stem;
        stem.x = {x, x};
        stem.y = {0, y};
        stem.colour = {grows ? Role::Unstable : Role::Neutral};
        plot.lines.push_back(std::move(stem));
        plot.marks.push_back({.x = x,
                              .y = y,
                              .shape = grows ? MarkShape::Cross : MarkShape::Disc,
                              .colour = {grows ? Role::Unstable : Role::Stable},
                              .label = described(mode, known.errors[k], units)});
        if (static_cast<int>(k) + 1 == chosen)
            plot.marks.push_back({.x = x, .y = y, .shape = MarkShape::Ring, .colour = Colour::motion(0)});
    }
    plot.x.max = static_cast<double>(found.modes.size()) + 1;
    plot.y.max = high > 0 ? 1.12 * high : 1;
    plot.note =
        chosen > 0 ? "Ringed: the mode at the start. Click another." : "Click a mode to start with it.";
    if (found.growth > 0)
        plot.note = fmt::format("A disturbance grows at the rate {:.4g} {}.", found.growth * rate,
                                units.growthUnit());
    return plot;
}

StateInputs RodSystem::pick(std::string_view plotId, double x, double, const StateInputs& present) const
{
    const double mode = std::round(x);
    if (plotId != "modes" || !(mode >= 1 && mode <= modesOffered))
        return {};
    StateInputs picked = inputsOf(start(present));
    for (auto& [id, value] : picked) {
        if (id == "kick_mode")
            value = mode;
        else if (id == "kick" && value == 0)
            value = usualKick;
    }
    return picked;
}

Plot RodSystem::blocksPlot() const
{
    Plot plot;
    plot.id = "blocks";
    plot.title = "Blocks of the second variation at fixed momentum";
    plot.axes = false;
    plot.x.quantity = {"column", "j", "column: rigid η_1, η_2, then internal modes", ""};
    plot.y.quantity = {"row", "i", "row: rigid η_1, η_2, then internal modes", ""};
    const RodEquilibrium& e = equilibrium();
    if (!e.status.ok() || e.omega == 0) {
        plot.note = e.status.ok() ? "At rest the rigid block is zero." : e.status.sentence;
        return plot;
    }
    const RodLinearisation at(rod_, e);
    const LowestModes modes = internalModes(at, blockModes);
    const int size = 2 + static_cast<int>(modes.values.size());
    Eigen::MatrixXd basis(rod_.size(), size);
    basis << at.rotations.leftCols<2>(), modes.vectors;
    // Unit vectors of the mass, so that rigid and internal entries compare.
    const Eigen::MatrixXd weighted = at.M * basis;
    for (Eigen::Index k = 0; k < basis.cols(); ++k)
        basis.col(k) /= std::sqrt(basis.col(k).dot(weighted.col(k)));
    const Eigen::MatrixXd c = at.omega() * at.unitVariation * basis;
    const Eigen::MatrixXd block = basis.transpose() * (at.K * basis) + c.transpose() * at.II.inverse() * c;
    const double largest = std::max(block.cwiseAbs().maxCoeff(), 1e-300);
    const double square = setup_.units.rate() * setup_.units.rate();

    // A column on the left and a row on top name the variations; the first row of the matrix lies below that
    // one.
    constexpr double floor = -18, nothing = 1e-12;
    HeatMap map;
    map.quantity = {"entry", "log_{10}|d²V_μ|", "entry relative to the largest, decimal logarithm", ""};
    map.columns = map.rows = size + 1;
    map.min = floor;
    map.max = 0;
    const auto text = [&plot](double x, double y, std::string words, Colour colour = {}) {
        plot.marks.push_back(
            {.x = x, .y = y, .shape = MarkShape::Text, .colour = colour, .label = std::move(words)});
    };
    const auto nameOf = [](int k) { return k < 2 ? fmt::format("η_{}", k + 1) : fmt::format("q_{}", k - 1); };
    for (int r = 0; r <= size; ++r)
        for (int k = 0; k <= size; ++k) {
            const int row = size - 1 - r, column = k - 1;
            const bool head = row < 0 || column < 0;
            const double entry = head ? 0 : block(row, column), part = std::abs(entry) / largest;
            map.values.push_back(
                head ? std::numeric_limits<float>::quiet_NaN()
                     : static_cast<float>(part > 0 ? std::max(std::log10(part), floor) : floor));
            if (head && (row >= 0 || column >= 0))
                text(k + 0.5, r + 0.5, nameOf(std::max(row, column)));
            else if (!head)
                text(k + 0.5, r + 0.5, part < nothing ? "0" : fmt::format("{:.3g}", entry * square),
                     Colour::level(part < 1e-6 ? 1 : 0)); // of the other end of the scale, to be read
        }
    plot.maps.push_back(std::move(map));
    plot.x.min = plot.y.min = 0;
    plot.x.max = plot.y.max = size + 1;
    Polyline across, down;
    across.x = {1, size + 1.0};
    across.y = {size - 2.0, size - 2.0};
    down.x = {3, 3};
    down.y = {0, static_cast<double>(size)};
    across.emphasised = down.emphasised = true;
    plot.lines = {std::move(across), std::move(down)};
    const RodBlocks b = blocksOf(at);
    plot.note =
        fmt::format("1/s², mass-normalised. Rigid block {:.3g}, {:.3g} J; coupling {:.1g} of the whole.",
                    b.rigid[0] * setup_.units.energy(), b.rigid[1] * setup_.units.energy(), b.offDiagonal);
    return plot;
}

} // namespace casimir::rod
