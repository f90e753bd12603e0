// What is drawn of two bodies: the stage, the portrait on the leaf and the amended potential.
#include "core/base/error.h"
#include "core/numerics/pi.h"
#include "core/systems/planar/body_pictures.h"
#include "core/systems/planar/splitting/driven_joint.h"
#include "core/systems/planar/splitting/splitting_plot.h"
#include "core/systems/planar/two_body/two_body_orbits.h"
#include "core/systems/planar/two_body/two_body_portrait.h"
#include "core/systems/planar/two_body/two_body_system.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir::planar {

namespace {

constexpr int levelCurves = 34;
constexpr int curvePoints = 176; // of a curve: segments of three or four pixels in a large view
constexpr double cylinderHeight =
    2.6; // of a cylinder of radius 1: close to the golden proportion of its outline

// A rate at which the bodies of this leaf typically turn: that of the folded state, or of the joint at the
// rim of the portrait.
double typicalRate(const TwoBody& bodies, const NuWindow& window)
{
    const double spin = std::abs(bodies.mu()) / bodies.foldedInertia();
    const double joint = std::abs(bodies.thetaDot(bodies.theta0(), window.high)) / 2;
    return std::max({spin, joint, 1e-300});
}

std::array<PlanarBody, 2> drawnBodies(const TwoBody& bodies)
{
    const TwoBodyParameters& p = bodies.parameters();
    return {{{p.m1, p.I1, {bodies.d12()}}, {p.m2, p.I2, {bodies.d21()}}}};
}

Polyline lineOf(const PhaseCurve& curve, Colour colour)
{
    Polyline line;
    line.x.reserve(curve.points.size() + 1);
    line.y.reserve(curve.points.size() + 1);
    for (const auto& p : curve.points) {
        line.x.push_back(p.x());
        line.y.push_back(p.y());
    }
    if (curve.closed && !curve.points.empty()) {
        line.x.push_back(line.x.front());
        line.y.push_back(line.y.front());
    }
    line.colour = colour;
    line.level = curve.energy;
    return line;
}

// A level line over the whole turn, in steps short of half a period, which would be read as a jump across the
// seam.
Polyline acrossAt(const TwoBody& bodies, double y)
{
    Polyline line;
    for (const double part : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        line.x.push_back(bodies.theta0() + part * pi);
        line.y.push_back(y);
    }
    return line;
}

// The angle within half a turn of the stretched one, where the portrait is drawn.
double wrapped(const TwoBody& bodies, double theta)
{
    return bodies.theta0() + principalAngle(theta - bodies.theta0());
}

Quantity energyOf(const char* symbol, const char* name)
{
    return {"H", symbol, name, "J"};
}

} // namespace

void TwoBodySystem::measure()
{
    const TwoBodyPlacement stretched = bodies_.placement(0, bodies_.theta0());
    const auto drawn = drawnBodies(bodies_);
    sceneRadius_ = std::max(stretched.r1.norm() + reachOf(outlineOf(drawn[0])),
                            stretched.r2.norm() + reachOf(outlineOf(drawn[1])));
    rateScale_ = typicalRate(bodies_, usualWindow(bodies_));
}

Scene TwoBodySystem::scene() const
{
    const PlanarHinge hinge{"hinge", "hinge"};
    return planarScene(drawnBodies(bodies_), {&hinge, 1}, sceneRadius_, {"theta", "H", "mu"});
}

void TwoBodySystem::poseAt(double, const State& x, Pose& out) const
{
    const TwoBodyPlacement at = bodies_.placement(x[3], x[0]);
    const std::array<PlanarPlace, 2> placed{{{x[3], at.r1}, {x[3] + x[0], at.r2}}};
    const PlanarPlace hinge{x[3], at.hinge};
    const Eigen::Vector2d omega = bodies_.velocities<double>(x[0], {x[1], x[2]});
    // As long as the scene is wide at twice the typical rate.
    planarPose(placed, {&hinge, 1}, {omega.data(), 2}, 0.5 * sceneRadius_ / rateScale_, out);
}

std::vector<PlotInfo> TwoBodySystem::plots() const
{
    std::vector<Parameter> drive = splittingOptions();
    drive.push_back(realParameter({"drive", "ε", "drive", "",
                                   "Amplitude of the torque ε cos(Ωt) in the joint, as a share of "
                                   "the homoclinic energy above that of the stretched state.",
                                   ""},
                                  0.01, {.min = 1e-6, .max = 1}, 1e-4, 0.1, Scale::Logarithmic));
    drive.push_back(realParameter({"frequency", "Ω", "frequency", "",
                                   "Of the drive, in units of the growth rate of the folded "
                                   "state.",
                                   ""},
                                  1, {.min = 1e-2, .max = 20}, 0.1, 5, Scale::Logarithmic));
    return {{.id = "portrait",
             .title = "Portrait",
             .embeddedView = "cylinder",
             .followsState = true,
             .picksState = true},
            {.id = "potential", .title = "Potential", .followsState = true},
            {.id = "splitting", .title = "Driven joint", .longRunning = true, .options = std::move(drive)}};
}

Plot TwoBodySystem::plot(const PlotRequest& request) const
{
    if (request.id == "portrait")
        return portraitPlot();
    if (request.id == "potential")
        return potentialPlot();
    if (request.id == "splitting")
        return drivenPlot(request);
    return System::plot(request);
}

std::vector<Mark> TwoBodySystem::equilibriumMarks() const
{
    std::vector<Mark> marks;
    for (const TwoBodyEquilibrium& e : equilibria_.equilibria) {
        const bool stable = e.stability == verdict::stable;
        Mark mark{.x = wrapped(bodies_, e.theta),
                  .y = e.nu,
                  .shape = stable ? MarkShape::Disc : MarkShape::Cross,
                  .colour = {stable ? Role::Stable : Role::Unstable},
                  .label = {},
                  .id = e.name};
        if (e.sigma < 0) {
            // The folded state lies on the seam: shown at both ends of the unrolled cylinder.
            for (const double end : {bodies_.theta0() - pi, bodies_.theta0() + pi}) {
                mark.x = end;
                marks.push_back(mark);
            }
        } else {
            marks.push_back(mark);
        }
    }
    return marks;
}

Plot TwoBodySystem::portraitPlot() const
{
    const NuWindow window = usualWindow(bodies_);
    const TwoBodyPortrait family = portrait(bodies_, levelCurves, curvePoints, window);
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (const PhaseCurve& curve : family.curves) {
        lowest = std::min(lowest, curve.energy);
        highest = std::max(highest, curve.energy);
    }

    Plot plot;
    plot.id = "portrait";
    plot.title = "Reduced phase space";
    plot.x = {two_body::theta, bodies_.theta0() - pi, bodies_.theta0() + pi};
    plot.y = {two_body::nu, window.low, window.high};
    plot.level = energyOf("H", "energy");
    if (highest >= lowest) {
        plot.levelMin = lowest;
        plot.levelMax = highest;
    }
    plot.lines.reserve(family.curves.size() + 2);
    for (const PhaseCurve& curve : family.curves) {
        const double span = highest - lowest;
        plot.lines.push_back(lineOf(curve, Colour::level(span > 0 ? (curve.energy - lowest) / span : 0)));
    }
    for (const auto& branch : {family.homoclinicUpper, family.homoclinicLower})
        if (branch) {
            Polyline line = lineOf(*branch, {Role::Separatrix});
            line.emphasised = true;
            line.label = "homoclinic orbits";
            line.layer = "separatrix";
            plot.lines.push_back(std::move(line));
        }
    if (family.circle) {
        Polyline line = lineOf(*family.circle, {Role::Undecided});
        line.emphasised = true;
        line.label = "equilibria";
        plot.lines.push_back(std::move(line));
        plot.note = equilibria_.status.sentence;
    }
    plot.layers = {"separatrix"};
    plot.marks = equilibriumMarks();
    plot.surface.shape = Surface::Shape::Cylinder;
    const double height = window.high - window.low;
    plot.surface.stretch = height > 0 ? cylinderHeight / height : 1;
    plot.surface.offset = 0.5 * (window.low + window.high);
    return plot;
}

Plot TwoBodySystem::potentialPlot() const
{
    Plot plot;
    plot.id = "potential";
    plot.title = "Amended potential";
    plot.x = {two_body::theta, bodies_.theta0() - pi, bodies_.theta0() + pi};
    const double low = bodies_.amendedPotential(bodies_.theta0());
    const double high = bodies_.amendedPotential(bodies_.theta0() + pi);
    // A flat potential (mu = 0 or D = 0) leaves room for the motions of the portrait above its line.
    const double rim = bodies_.leafHamiltonian(bodies_.theta0(), usualWindow(bodies_).high);
    const double room = equilibria_.status.ok() ? high - low : std::max(rim - low, 0.5 * high);
    const double span = std::max({room, 1e-9 * high, 1e-300}); // an axis has about nine digits to give
    plot.y = {energyOf("V", "amended potential"), low - 0.08 * span, high + 0.3 * span};

    Polyline curve;
    curve.emphasised = true;
    curve.label = "V(θ)";
    for (int i = 0; i <= curvePoints; ++i) {
        const double theta = bodies_.theta0() - pi + 2 * pi * i / curvePoints;
        curve.x.push_back(theta);
        curve.y.push_back(bodies_.amendedPotential(theta));
    }
    plot.lines.push_back(std::move(curve));
    if (equilibria_.status.ok()) {
        Polyline level = acrossAt(bodies_, high);
        level.colour = {Role::Separatrix};
        level.style = LineStyle::Dashed;
        level.label = "homoclinic energy";
        plot.lines.push_back(std::move(level));
    } else {
        plot.note = equilibria_.status.sentence;
    }
    plot.marks = equilibriumMarks();
    for (Mark& mark : plot.marks)
        mark.y = bodies_.amendedPotential(mark.x);
    return plot;
}

Plot TwoBodySystem::drivenPlot(const PlotRequest& request) const
{
    SplittingPicture picture;
    picture.phase = {"t0", "t_0", "time of passing the stretched state", "s"};
    picture.distance = {"dH", "H_u − H_s", "distance of the manifolds, as an energy", "J"};
    if (!equilibria_.status.ok())
        return noSplitting(picture, equilibria_.status.sentence);
    const HomoclinicPair pair(bodies_);
    const double Omega = request.options.real("frequency") * pair.growthRate();
    picture.period = 2 * pi / Omega;
    picture.eps =
        request.options.real("drive") * (pair.energy() - bodies_.amendedPotential(bodies_.theta0()));
    try {
        const DrivenJoint joint(bodies_, Omega, request.options.choice("branch") == "growing" ? 1 : -1,
                                request.cancelled);
        picture.predicted = [&](double t0) { return picture.eps * joint.melnikov(t0); };
        picture.measure = [&joint](double eps, int samples, const auto& goOn) {
            return joint.splitting(eps, samples, goOn);
        };
        return splittingPlot(picture, request);
    } catch (const Error& error) {
        return noSplitting(picture, error.what());
    }
}

void TwoBodySystem::track(std::string_view plotId, double, const State& x, PlotTrack& out) const
{
    const double theta = wrapped(bodies_, x[0]);
    if (plotId == "portrait") {
        out.marks.push_back({.x = theta, .y = (x[2] - x[1]) / 2, .colour = Colour::motion(0)});
    } else if (plotId == "potential") {
        const Eigen::Vector3d reduced = x.head<3>();
        const double energy = bodies_.hamiltonian(reduced);
        Polyline line = acrossAt(bodies_, energy);
        line.colour = Colour::motion(0);
        line.label = "H";
        out.lines.push_back(std::move(line));
        if (const auto angle = turningAngle(bodies_, levelOfEnergy(bodies_, energy)))
            for (const double turning : {-*angle, *angle})
                out.marks.push_back({.x = bodies_.theta0() + turning,
                                     .y = energy,
                                     .shape = MarkShape::Ring,
                                     .colour = Colour::motion(0)});
        out.marks.push_back({.x = theta, .y = energy, .colour = Colour::motion(0)});
    }
}

StateInputs TwoBodySystem::pick(std::string_view plotId, double x, double y, const StateInputs& present) const
{
    if (plotId != "portrait" || !std::isfinite(x) || !std::isfinite(y))
        return {};
    StateInputs picked{{"theta", wrapped(bodies_, x)}, {"nu", y}};
    for (const auto& input : present)
        if (input.first == "theta1")
            picked.push_back(input);
    return picked;
}

Orbit TwoBodySystem::orbitThrough(const State& x) const
{
    const double nu = (x[2] - x[1]) / 2;
    // The classification is of the leaf that the parameters name; a state's own momentum differs by rounding
    // only.
    const TwoBodyOrbit known = planar::orbitThrough(bodies_, x[0], nu);
    const int branch = bodies_.thetaDot(x[0], nu) < 0 ? -1 : 1;
    Orbit orbit;
    orbit.kind = std::string(name(known.kind));
    Polyline line = lineOf(levelCurve(bodies_, levelThrough(bodies_, x[0], nu), branch, 2 * curvePoints),
                           Colour::motion(0));
    line.emphasised = true;
    orbit.lines.push_back(std::move(line));

    const auto add = [&orbit](Quantity quantity, const std::optional<double>& value) {
        if (value)
            orbit.facts.push_back({std::move(quantity), *value});
    };
    add({"energy", "H", "energy", "J"}, known.energy);
    add({"period", "T", "period", "s"}, known.period);
    add({"turning_angle", "ψ_m", "turning angle", "rad"}, known.turningAngle);
    const auto& phase = branch < 0 && known.phaseFalling ? known.phaseFalling : known.phase;
    if (phase) {
        add({"rotation_body1", "Δθ_1", "body 1 turns per period", "rad"}, phase->rotationBody1);
        add({"dynamic", "", "dynamic part", "rad"}, phase->dynamicLocked);
        add({"geometric", "", "geometric part", "rad"}, phase->geometricLocked);
    }
    add({"area", "A", "enclosed area", "J s"}, known.area);
    return orbit;
}

} // namespace casimir::planar
