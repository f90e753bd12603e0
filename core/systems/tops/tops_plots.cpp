// The plots of a chain of tops: the cubic and what follows from it, the curves on the sphere. The map of the
// paper's constants and the growth of a disturbance are in tops_maps.cpp.
#include "core/base/error.h"
#include "core/numerics/pi.h"
#include "core/systems/tops/stability.h"
#include "core/systems/tops/tops_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::tops {

namespace {

constexpr int curvePoints = 400;

Polyline vertical(double x, double low, double high, std::string label)
{
    Polyline line;
    line.x = {x, x};
    line.y = {low, high};
    line.colour = {Role::Guide};
    line.style = LineStyle::Dashed;
    line.label = std::move(label);
    return line;
}

const Quantity thetaOne{"theta_1", "θ_1", "inclination of top 1", "rad"};

// theta'^2 of a nutation at constants (p, k, h): the height of the portrait and of the potential come from
// it.
struct Reduced {
    double A, R, p, k;
    double potential(double theta) const
    {
        const double s = std::sin(theta), x = std::cos(theta);
        return A * x + (p - k * x) * (p - k * x) / (2 * s * s);
    }
    double rateSquared(double theta, double h) const
    {
        const double s = std::sin(theta);
        return (h - 2 * potential(theta)) / (1 + R * s * s);
    }
};

Reduced reducedOf(const ExactMotion& motion)
{
    const PlaneGroup& g = motion.groups()[0];
    return {g.A, g.R, g.p, g.k};
}

// The window of theta in which portrait and potential are drawn: the allowed interval with room on both
// sides.
std::pair<double, double> thetaWindow(const Cubic& f)
{
    const double low = std::acos(std::clamp(f.x2, -1.0, 1.0)), high = std::acos(std::clamp(f.x1, -1.0, 1.0));
    const double room = std::max(0.6 * (high - low), 0.15);
    return {std::max(low - room, 0.02), std::min(high + room, pi - 0.02)};
}

} // namespace

std::vector<PlotInfo> TopsSystem::plots() const
{
    std::vector<PlotInfo> all;
    const auto periods = [](long standard, long most) {
        return integerParameter({"periods", "N", "periods", "", "How many periods are drawn.", ""}, standard,
                                1, most);
    };
    if (setup_.motion && !setup_.motion->steady()) {
        all.push_back({.id = "cubic", .title = "Cubic", .followsState = true});
        all.push_back({.id = "nutation", .title = "Nutation", .followsState = true});
        all.push_back({.id = "potential", .title = "Effective potential", .followsState = true});
        all.push_back({.id = "precession", .title = "Precession", .options = {periods(3, 50)}});
    }
    all.push_back(
        {.id = "axes",
         .title = "Axes",
         .embeddedView = "sphere",
         .followsState = true,
         .options = setup_.motion ? std::vector<Parameter>{periods(6, 50)} : std::vector<Parameter>{}});
    if (setup_.family == "chebanov" && size() == 4)
        all.push_back(
            {.id = "map",
             .title = "Map of the constants",
             .options = {choiceParameter(
                 {"pair", "pair", "axes", "", "Which two of p_1, p_4, q_4 vary.", ""},
                 {{"p1-p4", "p_1 and p_4"}, {"p1-q4", "p_1 and q_4"}, {"p4-q4", "p_4 and q_4"}}, "p1-p4")}});
    if (setup_.motion) {
        all.push_back({.id = "bodies", .title = "Bodies"});
        all.push_back(
            {.id = "growth", .title = "Growth", .longRunning = true, .options = {periods(24, 400)}});
    }
    return all;
}

Plot TopsSystem::plot(const PlotRequest& request) const
{
    const auto offered = plots();
    if (std::none_of(offered.begin(), offered.end(),
                     [&](const PlotInfo& info) { return info.id == request.id; }))
        return System::plot(request);
    const auto periods = [&](long otherwise) {
        const Value* value = request.options.find("periods");
        return static_cast<int>(value ? std::get<long>(*value) : otherwise);
    };
    if (request.id == "cubic")
        return cubicPlot();
    if (request.id == "nutation")
        return nutationPlot();
    if (request.id == "potential")
        return potentialPlot();
    if (request.id == "precession")
        return precessionPlot(periods(3));
    if (request.id == "axes")
        return axesPlot(periods(6));
    if (request.id == "bodies")
        return bodiesPlot();
    if (request.id == "map") {
        const Value* pair = request.options.find("pair");
        return constantsPlot(pair ? std::get<std::string>(*pair) : "p1-p4");
    }
    return growthPlot(request);
}

Plot TopsSystem::cubicPlot() const
{
    const Cubic& f = setup_.motion->nutation().cubic();
    Plot plot;
    plot.id = "cubic";
    plot.title = "Cubic of the nutation";
    // The third root is in the picture while it is near; otherwise the two that bound the motion fill it.
    constexpr double farRoot = 4;
    const bool near = std::abs(f.x3) <= farRoot;
    const double bound = setup_.mu ? std::min(1.0, 1 / std::abs(*setup_.mu)) : 1;
    double high = near ? 1.15 : 1.25 * bound, low = -high;
    if (near) {
        low = std::min(low, f.x3 - 0.15);
        high = std::max(high, f.x3 + 0.15);
    } else {
        plot.note = fmt::format("The third root lies at x_3 = {:.6g}.", f.x3);
    }
    plot.x = {{"x", "cos θ_1", "cosine of the inclination of top 1", ""}, low, high};
    Polyline curve;
    curve.emphasised = true;
    curve.label = "f(cos θ_1)";
    double hump = 0;
    for (int i = 0; i <= curvePoints; ++i) {
        const double x = low + (high - low) * i / curvePoints;
        curve.x.push_back(x);
        curve.y.push_back(f(x));
        if (x >= f.x1 && x <= f.x2)
            hump = std::max(hump, f(x));
    }
    hump =
        std::max({hump, f((f.x1 + f.x2) / 2), 0.02 * std::abs(f(-bound)), 0.02 * std::abs(f(bound)), 1e-12});
    plot.y = {{"f", "f", "square of the rate of cos θ_1, times 1 + R sin² θ_1", "1/s²"}, -3 * hump, 2 * hump};
    for (double& y : curve.y)
        y = std::clamp(y, -40 * hump, 40 * hump);
    Region allowed;
    allowed.colour = Colour::region(0);
    allowed.label = "allowed";
    allowed.x = {f.x1};
    allowed.y = {0};
    for (int i = 0; i <= 60; ++i) {
        const double x = f.x1 + (f.x2 - f.x1) * i / 60;
        allowed.x.push_back(x);
        allowed.y.push_back(std::max(f(x), 0.0));
    }
    allowed.x.push_back(f.x2);
    allowed.y.push_back(0);
    plot.regions.push_back(std::move(allowed));
    Polyline zero;
    zero.x = {low, high};
    zero.y = {0, 0};
    zero.colour = {Role::Neutral};
    plot.lines.push_back(std::move(zero));
    for (const double x : {-1.0, 1.0})
        if (x > low && x < high)
            plot.lines.push_back(vertical(x, plot.y.min, plot.y.max, "vertical"));
    if (setup_.mu && bound < 1)
        for (const double x : {-1 / *setup_.mu, 1 / *setup_.mu})
            plot.lines.push_back(vertical(x, plot.y.min, plot.y.max, "top 4 vertical"));
    plot.lines.push_back(std::move(curve));
    plot.handles = {{"x1", f.x1, 0, "x1", ""}, {"x2", f.x2, 0, "x2", ""}, {"x3", f.x3, 0, "x3", ""}};
    return plot;
}

Plot TopsSystem::nutationPlot() const
{
    const Cubic& f = setup_.motion->nutation().cubic();
    const Reduced reduced = reducedOf(*setup_.motion);
    const double h = setup_.motion->groups()[0].h;
    const auto [low, high] = thetaWindow(f);
    Plot plot;
    plot.id = "nutation";
    plot.title = "Nutation at the present constants p and k";
    const double a = std::acos(std::clamp(f.x2, -1.0, 1.0)), b = std::acos(std::clamp(f.x1, -1.0, 1.0));
    double floor = std::numeric_limits<double>::infinity(), peak = 0;
    for (int i = 0; i <= curvePoints; ++i) {
        const double theta = low + (high - low) * i / curvePoints;
        floor = std::min(floor, 2 * reduced.potential(theta));
        if (theta > a && theta < b)
            peak = std::max(peak, reduced.rateSquared(theta, h));
    }
    floor = std::min(floor, h);
    const double depth = std::max(h - floor, 1e-9 * (1 + std::abs(h)));
    const double top = 1.7 * std::sqrt(std::max(peak, depth));
    plot.x = {thetaOne, low, high};
    plot.y = {{"dtheta_1", "θ_1'", "rate of the inclination", "rad/s"}, -top, top};
    plot.level = {"h", "h_1/P_1", "energy of the nutation", "1/s²"};
    const std::vector<double> parts{0.1, 0.3, 0.6, 1, 1.5, 2.2};
    plot.levelMin = floor;
    plot.levelMax = floor + parts.back() * depth;
    for (const double part : parts) {
        const double level = floor + part * depth;
        const bool present = part == 1;
        Polyline upper, lower;
        const auto flush = [&] {
            if (upper.x.size() > 1) {
                std::reverse(lower.x.begin(), lower.x.end());
                std::reverse(lower.y.begin(), lower.y.end());
                // Closed where the level turns; cut off at the edge of the picture it has two ends.
                const bool cut = upper.y.back() > 0;
                if (!cut) {
                    upper.x.insert(upper.x.end(), lower.x.begin(), lower.x.end());
                    upper.y.insert(upper.y.end(), lower.y.begin(), lower.y.end());
                }
                for (Polyline* line : {&upper, &lower}) {
                    line->colour = present ? Colour{Role::Separatrix} : Colour::level(part / parts.back());
                    line->emphasised = present;
                    line->level = level;
                    line->label = present ? "this motion" : "";
                }
                plot.lines.push_back(upper);
                if (cut)
                    plot.lines.push_back(lower);
            }
            upper = lower = {};
        };
        const auto add = [&](double theta, double square) {
            const double rate = std::sqrt(std::max(square, 0.0));
            upper.x.push_back(theta);
            upper.y.push_back(rate);
            lower.x.push_back(theta);
            lower.y.push_back(-rate);
        };
        // Between one point inside and one outside: where the level turns.
        const auto turning = [&](double inside, double outside) {
            for (int k = 0; k < 50; ++k) {
                const double middle = 0.5 * (inside + outside);
                (reduced.rateSquared(middle, level) >= 0 ? inside : outside) = middle;
            }
            return inside;
        };
        if (present) {
            // Points crowd towards the ends, where the curve is steep.
            for (int i = 0; i <= curvePoints; ++i) {
                const double theta = 0.5 * (a + b) - 0.5 * (b - a) * std::cos(pi * i / curvePoints);
                add(theta, i == 0 || i == curvePoints ? 0 : reduced.rateSquared(theta, level));
            }
        } else {
            for (int i = 0; i <= curvePoints; ++i) {
                const double step = (high - low) / curvePoints, theta = low + step * i;
                const double square = reduced.rateSquared(theta, level);
                if (square < 0) {
                    if (!upper.x.empty())
                        add(turning(upper.x.back(), theta), 0);
                    flush();
                    continue;
                }
                if (upper.x.empty() && i > 0)
                    add(turning(theta, theta - step), 0);
                add(theta, square);
            }
        }
        flush();
    }
    return plot;
}

Plot TopsSystem::potentialPlot() const
{
    const Cubic& f = setup_.motion->nutation().cubic();
    const Reduced reduced = reducedOf(*setup_.motion);
    const double level = setup_.motion->groups()[0].h / 2;
    const auto [low, high] = thetaWindow(f);
    Plot plot;
    plot.id = "potential";
    plot.title = "Effective potential of the nutation";
    Polyline curve;
    curve.emphasised = true;
    curve.label = "V";
    double floor = level;
    for (int i = 0; i <= curvePoints; ++i) {
        const double theta = low + (high - low) * i / curvePoints;
        curve.x.push_back(theta);
        curve.y.push_back(reduced.potential(theta));
        floor = std::min(floor, curve.y.back());
    }
    const double depth = std::max(level - floor, 1e-9 * (1 + std::abs(level)));
    plot.x = {thetaOne, low, high};
    plot.y = {{"V", "V", "effective potential over P_1", "1/s²"}, floor - 0.2 * depth, level + 1.5 * depth};
    for (double& y : curve.y)
        y = std::min(y, level + 50 * depth);
    Polyline line;
    line.x = {low, high};
    line.y = {level, level};
    line.colour = {Role::Separatrix};
    line.style = LineStyle::Dashed;
    line.label = "h_1/2P_1";
    plot.lines = {std::move(curve), std::move(line)};
    for (const double x : {f.x1, f.x2})
        plot.marks.push_back({.x = std::acos(std::clamp(x, -1.0, 1.0)),
                              .y = level,
                              .shape = MarkShape::Ring,
                              .colour = {Role::Separatrix},
                              .label = "turning point"});
    return plot;
}

Plot TopsSystem::precessionPlot(int periods) const
{
    const ExactMotion& motion = *setup_.motion;
    Plot plot;
    plot.id = "precession";
    plot.title = "Azimuths of the planes";
    const double end = periods * motion.period();
    plot.x = {{"t", "t", "time", "s"}, 0, end};
    MotionFrame frame;
    const std::vector<double> angles(static_cast<std::size_t>(motion.planes()), 0.0);
    double low = 0, high = 0;
    const int count = std::min(100 * periods, 1500);
    for (int g = 0; g < motion.planes(); ++g) {
        Polyline line;
        line.colour = Colour::body(leaderOf(g));
        line.emphasised = true;
        line.label = fmt::format("ψ_{}", leaderOf(g) + 1);
        plot.lines.push_back(std::move(line));
    }
    for (int i = 0; i <= count; ++i) {
        const double t = end * i / count;
        motion.at(t, angles, frame);
        for (int g = 0; g < motion.planes(); ++g) {
            Polyline& line = plot.lines[static_cast<std::size_t>(g)];
            const double psi = frame.psi[static_cast<std::size_t>(leaderOf(g))];
            line.x.push_back(t);
            line.y.push_back(psi);
            low = std::min(low, psi);
            high = std::max(high, psi);
        }
    }
    const double room = 0.05 * std::max(high - low, 1e-3);
    plot.y = {{"psi", "ψ", "azimuth", "rad"}, low - room, high + room};
    for (int k = 1; k < periods; ++k)
        plot.lines.push_back(vertical(k * motion.period(), plot.y.min, plot.y.max, "period"));
    return plot;
}

Plot TopsSystem::axesPlot(int periods) const
{
    Plot plot;
    plot.id = "axes";
    plot.title = "Where the axes point";
    plot.x = {{"psi", "ψ", "azimuth", "rad", 2 * pi}, -pi, pi};
    plot.y = {{"ez", "cos θ", "height of the axis", ""}, -1, 1};
    plot.surface.shape = Surface::Shape::Sphere;
    if (!setup_.motion)
        return plot;
    const ExactMotion& motion = *setup_.motion;
    const std::vector<double> angles(static_cast<std::size_t>(motion.planes()), 0.0);
    MotionFrame frame;
    std::vector<Polyline> open(static_cast<std::size_t>(motion.planes()));
    std::vector<double> before(open.size(), 0.0);
    const auto flush = [&](std::size_t g) {
        Polyline& line = open[g];
        if (line.x.size() > 1) {
            line.colour = Colour::body(leaderOf(static_cast<int>(g)));
            line.emphasised = true;
            line.label = fmt::format("axis {}: {}", leaderOf(static_cast<int>(g)) + 1,
                                     motion.curveName(static_cast<int>(g)));
            plot.lines.push_back(line);
        }
        line = {};
    };
    const int count = std::min(160 * periods, 2400);
    for (int i = 0; i <= count; ++i) {
        motion.at(periods * motion.period() * i / count, angles, frame);
        for (std::size_t g = 0; g < open.size(); ++g) {
            const int leader = leaderOf(static_cast<int>(g));
            const double psi = std::atan2(frame.e(1, leader), frame.e(0, leader));
            // The unrolled sphere is cut where the azimuth jumps.
            if (!open[g].x.empty() && std::abs(psi - before[g]) > 2)
                flush(g);
            open[g].x.push_back(psi);
            open[g].y.push_back(std::clamp(frame.e(2, leader), -1.0, 1.0));
            before[g] = psi;
        }
    }
    for (std::size_t g = 0; g < open.size(); ++g)
        flush(g);
    std::string note;
    for (int g = 0; g < motion.planes(); ++g)
        note += fmt::format("{}axis {} draws {}", g ? ", " : "", leaderOf(g) + 1,
                            motion.curveName(g) == "circle" ? std::string("a circle") : motion.curveName(g));
    plot.note = note + ".";
    plot.note.front() = 'A';
    return plot;
}

void TopsSystem::track(std::string_view plotId, double, const State& x, PlotTrack& out) const
{
    const int n = size();
    const auto e = axes(x), v = rates(x);
    const auto offered = plots();
    if (std::none_of(offered.begin(), offered.end(), [&](const PlotInfo& info) { return info.id == plotId; }))
        return;
    const double theta = std::atan2(std::hypot(e(0, 0), e(1, 0)), e(2, 0));
    if (plotId == "cubic") {
        const double R = setup_.motion->nutation().R();
        out.marks.push_back({.x = e(2, 0),
                             .y = v(2, 0) * v(2, 0) * (1 + R * (1 - e(2, 0) * e(2, 0))),
                             .colour = Colour::motion(0)});
    } else if (plotId == "nutation") {
        const AxisAngles at = anglesOf(e.col(0), v.col(0), 0);
        out.marks.push_back({.x = theta, .y = at.dtheta, .colour = Colour::motion(0)});
    } else if (plotId == "potential") {
        const Reduced reduced = reducedOf(*setup_.motion);
        const double s = std::max(std::sin(theta), 1e-6);
        const AxisAngles at = anglesOf(e.col(0), v.col(0), 0);
        const double level = reduced.potential(std::clamp(theta, 1e-6, pi - 1e-6)) +
                             0.5 * at.dtheta * at.dtheta * (1 + reduced.R * s * s);
        out.marks.push_back({.x = theta, .y = level, .colour = Colour::motion(0)});
    } else if (plotId == "axes") {
        for (int i = 0; i < n; ++i)
            out.marks.push_back({.x = std::atan2(e(1, i), e(0, i)),
                                 .y = std::clamp(e(2, i), -1.0, 1.0),
                                 .colour = Colour::body(i),
                                 .label = n <= 8 ? fmt::format("{}", i + 1) : std::string()});
    }
}

} // namespace casimir::tops
