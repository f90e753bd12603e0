// The plots of the sleigh and the knife edge: the phase portraits, theta'(phi) and t(phi).
#include "core/systems/sleigh/sleigh_system.h"

#include "core/numerics/methods.h"
#include "core/numerics/pi.h"

#include <algorithm>
#include <cmath>

namespace casimir::sleigh {

namespace {

constexpr int curvePoints = 181;
constexpr double cylinderHeight = 2.6; // of a cylinder of radius 1

Quantity unrolled(Quantity heading)
{
    heading.period = 0;
    return heading;
}

Polyline lineBetween(double x0, double y0, double x1, double y1, Colour colour)
{
    Polyline line;
    line.x = {x0, x1};
    line.y = {y0, y1};
    line.colour = colour;
    return line;
}

// Room about the values of a curve; never of no width.
PlotAxis axisFor(const Quantity& quantity, double low, double high)
{
    const double centre = 0.5 * (low + high);
    const double half = std::max(0.55 * (high - low), 1e-9 * (1 + std::abs(centre)));
    return {quantity, centre - half, centre + half};
}

struct Path {
    std::vector<double> t;
    std::vector<Vector5> x;
};

// The motion from a start for some time, at many points of each step; `oneWay`: until the heading turns back.
Path pathFrom(const Sleigh& sleigh, const Vector5& start, double duration, bool oneWay = true)
{
    constexpr int pieces = 6, mostSteps = 1500;
    IntegrationOptions options;
    options.rtol = 1e-8;
    const auto run = startIntegration(
        kDefaultMethod, [&sleigh](double, const State& x, State& rate) { rate = sleigh.field(x); }, 0, start,
        options);
    Path path{{0}, {start}};
    State x(5);
    for (int step = 0; step < mostSteps && run->time() < duration; ++step) {
        if (!run->advance(std::min(duration, run->time() + duration / 60)).ok())
            break;
        const auto part = run->interpolant();
        for (int i = 1; i <= pieces; ++i) {
            const double t = part->begin() + (part->end() - part->begin()) * i / pieces;
            part->at(t, x);
            if (!x.allFinite() || (oneWay && x[PhiDot] * start[PhiDot] <= 0))
                return path;
            path.t.push_back(t);
            path.x.emplace_back(x);
        }
    }
    return path;
}

// How long a path on the slope is drawn: two turns, or twenty seconds.
double pathDuration(const Vector5& start)
{
    const double turns = start[PhiDot] != 0 ? 4 * pi / std::abs(start[PhiDot]) : 20;
    return std::clamp(turns, 1e-3, 20.0);
}

// v over phi as curves on the unrolled cylinder, cut where the heading passes the seam.
std::vector<Polyline> wrappedLines(const std::vector<double>& phi, const std::vector<double>& v,
                                   Colour colour)
{
    std::vector<Polyline> lines;
    for (std::size_t i = 0; i < phi.size(); ++i) {
        const double wrapped = std::remainder(phi[i], 2 * pi);
        if (lines.empty() || std::abs(wrapped - lines.back().x.back()) > pi) {
            lines.emplace_back();
            lines.back().colour = colour;
        }
        lines.back().x.push_back(wrapped);
        lines.back().y.push_back(v[i]);
    }
    return lines;
}

const char* const straightNote = "A straight run has no φ to go by: the reduced form does not exist there.";

} // namespace

double SleighSystem::largestRatio() const
{
    return std::abs(sleigh_.parameters().b) + 8 * sleigh_.kappa();
}

std::vector<PlotInfo> SleighSystem::plots() const
{
    return {{.id = "portrait",
             .title = "Portrait",
             .embeddedView = onSlope() ? "cylinder" : "",
             .followsState = true,
             .picksState = true,
             .followsStart = true},
            {.id = "turning", .title = "Path per turn", .followsState = true, .followsStart = true},
            {.id = "time", .title = "Time by heading", .followsState = true, .followsStart = true}};
}

Plot SleighSystem::plot(const PlotRequest& request) const
{
    const Vector5 start = System::start(request.start);
    if (request.id == "portrait")
        return onSlope() ? headingPlot(start) : speedsPlot(start);
    if (request.id == "turning")
        return turningPlot(start);
    if (request.id == "time")
        return timePlot(start);
    return System::plot(request);
}

// The plane (s, w): half ellipses of equal energy, each run through from the unstable to the stable straight
// run.
Plot SleighSystem::speedsPlot(const Vector5& start) const
{
    const double kappa = sleigh_.kappa();
    const int ahead = sleigh_.straightens();
    const double own = sleigh_.speed(start), c = own > 0 ? own : 1, reach = 1.6 * c;
    Plot plot;
    plot.id = "portrait";
    plot.title = "Reduced phase plane";
    plot.x = {quantities::s, -reach, reach};
    plot.y = {quantities::phidot, -reach / kappa, reach / kappa};
    plot.level = {"H", "H", "energy", "J"};
    plot.levelMax = 0.5 * reach * reach;
    const auto ellipse = [&](double speed, Colour colour) {
        Polyline line;
        for (int i = 0; i < curvePoints; ++i) {
            const double angle = 2 * pi * i / (curvePoints - 1);
            line.x.push_back(speed * std::cos(angle));
            line.y.push_back(speed * std::sin(angle) / kappa);
        }
        line.colour = colour;
        line.level = 0.5 * speed * speed;
        return line;
    };
    for (const double part : {0.25, 0.5, 0.75, 1.25, 1.5})
        plot.lines.push_back(ellipse(part * c, Colour::level(part * part * c * c / (reach * reach))));
    if (own > 0) {
        Polyline line = ellipse(own, Colour::motion(0));
        line.emphasised = true;
        line.label = "energy of the start";
        plot.lines.push_back(std::move(line));
    }
    // s' = a w^2: on both halves towards the side of a.
    if (ahead != 0)
        for (const double part : {0.5, 1.0, 1.5})
            for (const double half : {1.0, -1.0})
                for (const double angle : {pi / 3, pi / 2, 2 * pi / 3}) {
                    const double x = part * c * std::cos(angle), y = half * part * c * std::sin(angle);
                    const Eigen::Vector2d d =
                        ahead * Eigen::Vector2d(std::sin(angle), -half * std::cos(angle));
                    const Eigen::Vector2d n(-d.y(), d.x());
                    const double barb = 0.03 * reach;
                    Polyline head;
                    head.layer = "flow";
                    head.colour = {Role::Neutral};
                    for (const double side : {1.0, 0.0, -1.0}) {
                        head.x.push_back(x - (side != 0) * 2 * barb * d.x() + side * barb * n.x());
                        head.y.push_back((y - (side != 0) * 2 * barb * d.y() + side * barb * n.y()) / kappa);
                    }
                    plot.lines.push_back(std::move(head));
                }
    plot.layers = {"flow"};
    for (const double side : {1.0, -1.0}) {
        const bool stable = side * ahead >= 0;
        Polyline line = lineBetween(0, 0, side * reach, 0,
                                    {ahead == 0 ? Role::Undecided
                                     : stable   ? Role::Stable
                                                : Role::Unstable});
        line.emphasised = true;
        line.style = stable ? LineStyle::Solid : LineStyle::Dashed;
        line.label = ahead == 0 ? "straight runs"
                     : stable   ? "straight runs, mass centre ahead: stable"
                                : "straight runs, mass centre behind: unstable";
        plot.lines.push_back(std::move(line));
        if (own > 0)
            plot.marks.push_back({.x = side * own,
                                  .y = 0,
                                  .shape = stable ? MarkShape::Disc : MarkShape::Cross,
                                  .colour = {ahead == 0 ? Role::Undecided
                                             : stable   ? Role::Stable
                                                        : Role::Unstable},
                                  .label = {},
                                  .id = ahead == 0 ? (side > 0 ? "forward" : "backward")
                                        : stable   ? "mass-ahead"
                                                   : "mass-behind"});
    }
    if (own == 0)
        plot.marks.push_back({.x = 0, .y = 0, .colour = {Role::Stable}, .label = {}, .id = "rest"});
    if (ahead == 0)
        plot.note = "With a = 0 nothing moves here: s and φ' are constant, and the blade draws a circle.";
    return plot;
}

// The cylinder (phi, v) at the start's rate of turn.
Plot SleighSystem::headingPlot(const Vector5& start) const
{
    const SleighParameters& p = sleigh_.parameters();
    const double w = start[PhiDot];
    const bool steady = sleigh_.straightens() == 0;
    // Slower than this the swing of v would be of no use as a scale.
    const bool turns = std::abs(w) > 1e-3 * std::sqrt(std::abs(p.G) / sleigh_.kappa()) && w != 0;
    double reach = std::max({2 * std::abs(start[V]), 0.5 * std::sqrt(std::abs(p.G) * sleigh_.kappa()), 1e-3});
    Plot plot;
    plot.id = "portrait";
    plot.title = "Heading and speed";
    plot.layers = {"own"};
    std::vector<Polyline> own;
    if (steady && turns) {
        const double swing = p.G / w, v1 = start[V] - swing * std::sin(start[Phi]);
        reach = std::max(reach, 1.1 * (std::abs(v1) + std::abs(swing)));
        const auto curve = [&](double mean, Colour colour) {
            Polyline line;
            for (int i = 0; i < curvePoints; ++i) {
                line.x.push_back(-pi + 2 * pi * i / (curvePoints - 1));
                line.y.push_back(mean + swing * std::sin(line.x.back()));
            }
            line.colour = colour;
            line.level = mean;
            return line;
        };
        plot.level = {"v1", "v_1", "mean speed", "m/s"};
        plot.levelMin = -reach;
        plot.levelMax = reach;
        for (int i = -4; i <= 4; ++i)
            plot.lines.push_back(curve(i * reach / 4, Colour::level(0.5 + 0.125 * i)));
        own.push_back(curve(v1, Colour::motion(0)));
        plot.note = "φ' is constant; v = v_1 + (G/φ') sin φ, and v_1 = 0 is the cycloid.";
    } else if (steady) {
        for (int i = -8; i <= 8; ++i)
            plot.lines.push_back(lineBetween(i * pi / 8, -reach, i * pi / 8, reach, {Role::Guide}));
        plot.note = "The heading (nearly) stands: the blade slides up and down its own line.";
    } else {
        const Path path = pathFrom(sleigh_, start, 10, false);
        std::vector<double> phi, v;
        for (const Vector5& x : path.x) {
            phi.push_back(x[Phi]);
            v.push_back(x[V]);
            reach = std::max(reach, 1.1 * std::abs(x[V]));
        }
        own = wrappedLines(phi, v, Colour::motion(0));
        plot.note =
            "With a ≠ 0 the rate of turn changes too; the curve is the motion from the start over 10 s.";
    }
    for (Polyline& line : own) {
        line.emphasised = true;
        line.label = "motion from the start";
        line.layer = "own";
        plot.lines.push_back(std::move(line));
    }
    if (steady && p.G != 0)
        for (const double side : {1.0, -1.0})
            plot.marks.push_back({.x = side * pi / 2,
                                  .y = start[V],
                                  .shape = MarkShape::Cross,
                                  .colour = {Role::Unstable},
                                  .label = {},
                                  .id = side > 0 ? "across-left" : "across-right"});
    plot.x = {quantities::phi, -pi, pi};
    plot.y = {quantities::v, -reach, reach};
    plot.surface.shape = Surface::Shape::Cylinder;
    plot.surface.stretch = cylinderHeight / (2 * reach);
    return plot;
}

Plot SleighSystem::turningPlot(const Vector5& start) const
{
    Plot plot;
    plot.id = "turning";
    plot.title = "Path per turn";
    const Quantity ratio{"theta_prime", "θ'", "path of the blade per radian of turn, v/φ'", "m/rad"};
    const double w = start[PhiDot];
    const double most = largestRatio();
    if (w == 0 || !std::isfinite(start[V] / w)) {
        plot.note = straightNote;
        plot.x = axisFor(unrolled(quantities::phi), start[Phi] - pi, start[Phi] + pi);
        plot.y = {ratio, -most, most};
        return plot;
    }
    Polyline line;
    line.colour = Colour::motion(0);
    line.emphasised = true;
    line.label = "θ'(φ)";
    double low = start[Phi] - 2 * pi, high = start[Phi] + 2 * pi, reach = most;
    if (sleigh_.parameters().G != 0) {
        const Path path = pathFrom(sleigh_, start, pathDuration(start));
        for (const Vector5& x : path.x)
            if (const double y = x[V] / x[PhiDot]; std::abs(y) < 1e3 * most) {
                line.x.push_back(x[Phi]);
                line.y.push_back(y);
                if (sleigh_.straightens() == 0)
                    reach = std::max(reach, 1.1 * std::abs(y));
            }
        low = std::min(start[Phi], path.x.back()[Phi]);
        high = std::max(start[Phi], path.x.back()[Phi]);
    } else if (sleigh_.straightens() == 0) {
        reach = std::max(reach, 1.5 * std::abs(start[V] / w));
        line = lineBetween(low, start[V] / w, high, start[V] / w, Colour::motion(0));
        line.emphasised = true;
        line.label = "θ'(φ): the radius of the circle";
    } else {
        const SleighByAngle by(sleigh_, start); // (5.7)
        const double edge = std::atan(most / sleigh_.kappa());
        for (int i = 0; i < curvePoints; ++i) {
            const double u = -edge + 2 * edge * i / (curvePoints - 1);
            line.x.push_back(by.phiAt(u));
            line.y.push_back(by.b + by.kappa * std::tan(u));
        }
        for (const double end : {-pi / 2, pi / 2}) {
            Polyline asymptote = lineBetween(by.phiAt(end), -most, by.phiAt(end), most, {Role::Separatrix});
            asymptote.style = LineStyle::Dashed;
            asymptote.label = "straight runs, never reached";
            plot.lines.push_back(std::move(asymptote));
        }
        low = std::min(by.phiAt(-pi / 2), by.phiAt(pi / 2));
        high = std::max(by.phiAt(-pi / 2), by.phiAt(pi / 2));
        plot.marks.push_back({.x = by.phiAt(std::atan(-by.b / by.kappa)),
                              .y = 0,
                              .shape = MarkShape::Diamond,
                              .colour = {Role::Neutral},
                              .label = "cusp"});
    }
    plot.lines.push_back(std::move(line));
    plot.x = axisFor(unrolled(quantities::phi), low, high);
    plot.y = {ratio, -reach, reach};
    return plot;
}

Plot SleighSystem::timePlot(const Vector5& start) const
{
    Plot plot;
    plot.id = "time";
    plot.title = "Time by heading";
    const Quantity time{"t", "t", "time", "s"};
    const double w = start[PhiDot];
    if (w == 0 || !std::isfinite(start[V] / w)) {
        plot.note = straightNote;
        plot.x = axisFor(unrolled(quantities::phi), start[Phi] - pi, start[Phi] + pi);
        plot.y = {time, 0, 10};
        return plot;
    }
    Polyline line;
    line.colour = Colour::motion(0);
    line.emphasised = true;
    line.label = "t(φ)";
    double low = start[Phi], high = start[Phi];
    if (sleigh_.parameters().G != 0) {
        const Path path = pathFrom(sleigh_, start, pathDuration(start));
        line.y = path.t;
        for (const Vector5& x : path.x)
            line.x.push_back(x[Phi]);
    } else if (sleigh_.straightens() == 0) {
        const double turns = std::min(4 * pi / std::abs(w), 1e6);
        line.x = {start[Phi], start[Phi] + w * turns};
        line.y = {0, turns};
    } else {
        const SleighByAngle by(sleigh_, start);
        constexpr double lastTau = 6; // where e^-tau is a quarter of a per cent
        for (int i = 0; i < curvePoints; ++i) {
            const double tau = -lastTau + 2 * lastTau * i / (curvePoints - 1);
            const double phi = by.phiAt(2 * std::atan(std::tanh(tau / 2)));
            line.x.push_back(phi);
            line.y.push_back(by.time(phi));
        }
        const auto [least, most] = std::minmax_element(line.y.begin(), line.y.end());
        for (const double end : {-pi / 2, pi / 2}) {
            Polyline asymptote = lineBetween(by.phiAt(end), *least, by.phiAt(end), *most, {Role::Separatrix});
            asymptote.style = LineStyle::Dashed;
            asymptote.label = "straight runs, never reached";
            plot.lines.push_back(std::move(asymptote));
            low = std::min(low, by.phiAt(end));
            high = std::max(high, by.phiAt(end));
        }
    }
    low = std::min(low, *std::min_element(line.x.begin(), line.x.end()));
    high = std::max(high, *std::max_element(line.x.begin(), line.x.end()));
    plot.x = axisFor(unrolled(quantities::phi), low, high);
    const auto [least, most] = std::minmax_element(line.y.begin(), line.y.end());
    plot.y = axisFor(time, *least, *most);
    plot.lines.push_back(std::move(line));
    return plot;
}

void SleighSystem::track(std::string_view plotId, double t, const State& state, PlotTrack& out) const
{
    const Vector5 x = state;
    Mark mark{.colour = Colour::motion(0)};
    if (plotId == "portrait" && onSlope()) {
        mark.x = std::remainder(x[Phi], 2 * pi);
        mark.y = x[V];
    } else if (plotId == "portrait") {
        mark.x = sleigh_.s(x);
        mark.y = x[PhiDot];
    } else if (plotId == "turning") {
        // As phidot goes to 0 the mark leaves the picture along the asymptote.
        const double far = 1e3 * largestRatio(), ratio = x[V] / x[PhiDot];
        mark.x = x[Phi];
        mark.y = std::isnan(ratio) ? far : std::clamp(ratio, -far, far);
    } else if (plotId == "time") {
        mark.x = x[Phi];
        mark.y = t;
    } else {
        return;
    }
    out.marks.push_back(mark);
}

StateInputs SleighSystem::pick(std::string_view plotId, double x, double y, const StateInputs& present) const
{
    if (plotId != "portrait" || !std::isfinite(x) || !std::isfinite(y))
        return {};
    const double b = sleigh_.parameters().b;
    StateInputs picked = present;
    for (auto& [id, value] : picked) {
        if (onSlope() && id == "phi")
            value = x;
        else if (id == "v")
            value = onSlope() ? y : x + b * y;
        else if (!onSlope() && id == "phidot")
            value = y;
    }
    return picked;
}

} // namespace casimir::sleigh
