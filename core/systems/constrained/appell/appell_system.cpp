#include "core/systems/constrained/appell/appell_system.h"

#include "core/numerics/closed_form_motion.h"
#include "core/numerics/pi.h"
#include "core/systems/constrained/appell/appell_claims.h"
#include "core/systems/constrained/constraint_facts.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace casimir::constrained {

namespace {

const Quantity theta{"theta", "θ", "heading", "rad", 2 * pi};
const Quantity phiDot{"phidot", "φ̇", "rate of the wheel", "rad/s"};
const Quantity thetaDot{"thetadot", "θ̇", "rate of the heading", "rad/s"};

Quantity place(const char* id, const char* name)
{
    return {id, id, name, "m"};
}

AppellParameters parametersFrom(const Values& values)
{
    AppellParameters p;
    p.m = values.real("m");
    p.R = values.real("R");
    p.b = values.real("b");
    p.rho = values.real("rho");
    p.M = values.real("M");
    p.Jz = values.real("Jz");
    p.C = values.real("C");
    p.g = values.real("g");
    p.machine = values.choice("motion") == "machine";
    return p;
}

bool isMachine(const Values& values)
{
    return values.choice("motion") == "machine";
}

// The accessories as one number: their mass over the point's, with the axle's inertia that of a ring at R.
Alias fractionAlias()
{
    Alias alias;
    alias.description = realParameter(
        {"fraction", "M/m", "mass of the accessories", "",
         "Mass of wheel, axle and frame over that of the point; dragging it moves M and C = M R² "
         "together. At 0 the spiral remains: it does not become Chetaev's line.",
         "accessories"},
        0.2, {.min = 0, .max = 1e6}, 0, 1);
    alias.description.shown = isMachine;
    alias.read = [](const Values& values) -> std::optional<double> {
        return values.real("M") / values.real("m");
    };
    alias.write = [](const Values& values, double fraction) {
        if (!(fraction >= 0))
            return Outcome<Values>::refused(
                fmt::format("the mass fraction {} must not be negative", fraction));
        Values changed = values;
        const double M = fraction * values.real("m"), R = values.real("R");
        changed.set("M", M);
        changed.set("C", M * R * R);
        return Outcome<Values>::of(std::move(changed));
    };
    alias.linked = "M";
    return alias;
}

Schema makeSchema()
{
    constexpr Range positive{.min = 1e-3, .max = 1e3}, mass{.min = 0, .max = 1e3};
    const auto accessory = [](Parameter parameter) {
        parameter.shown = isMachine;
        return parameter;
    };
    std::vector<Parameter> parameters{
        choiceParameter({"motion", "W", "what holds the constraint", "",
                         "The point alone, held by Chetaev's force, or "
                         "hung from Appell's machine.",
                         "motion"},
                        {{"machine", "Appell's machine"}, {"chetaev", "Chetaev's force"}}, "machine"),
        realParameter({"m", "m", "mass of the point", "kg", "Mass of the point on the thread.", "point"}, 1,
                      positive, 0.1, 5, Scale::Logarithmic),
        realParameter({"R", "R", "radius of the wheel", "m",
                       "The constraint is v_x² + v_y² = a² v_z², a = R/b.", "point"},
                      0.4, positive, 0.05, 2, Scale::Logarithmic),
        realParameter(
            {"b", "b", "radius of the drum", "m", "Drum fixed to the wheel that winds the thread.", "point"},
            0.2, positive, 0.05, 2, Scale::Logarithmic),
        realParameter({"g", "g", "gravity", "m/s²", "Acceleration of gravity.", "point"}, 9.81,
                      {.min = 0, .max = 1e3}, 0, 20),
        accessory(realParameter(
            {"rho", "ρ", "lead of the point", "m",
             "How far ahead of the wheel's contact the point hangs; the constraint is Appell's only "
             "at 0.",
             "accessories"},
            0, {.min = -1e3, .max = 1e3}, -0.5, 0.5)),
        accessory(realParameter({"M", "M", "mass of the accessories", "kg",
                                 "Wheel, axle and frame, over the contact.", "accessories"},
                                0.2, mass, 0, 2)),
        accessory(realParameter({"Jz", "J_z", "inertia about the vertical", "kg m²",
                                 "Of the accessories about the vertical through the contact.", "accessories"},
                                0.02, mass, 0, 0.2)),
        accessory(realParameter({"C", "C", "inertia about the axle", "kg m²",
                                 "Of wheel and drum about their axle.", "accessories"},
                                0.0048, mass, 0, 0.2)),
    };
    return Schema(std::move(parameters), {fractionAlias()});
}

const MethodInfo exactMethod{"exact", "Closed form", 0, false,
                             "The line, or the involute of a circle, as a function of time."};

} // namespace

const Kind& appellKind()
{
    static const Kind kind = [] {
        Kind k;
        k.id = "appell";
        k.title = "Appell's nonlinear constraint";
        k.paper =
            "C.-M. Marle, Kinematic and geometric constraints, servomechanisms and control of mechanical "
            "systems, Rendiconti del Seminario Matematico, Università e Politecnico di Torino 54 (1996); the "
            "machine after P. Appell (1911)";
        k.summary = "A heavy point with v_x² + v_y² = a² v_z²: Chetaev's force draws a straight line, "
                    "Appell's wheel, "
                    "drum and thread a spiral with a cusp.";
        k.schema = makeSchema();
        k.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
            return std::make_shared<AppellSystem>(self, values);
        };
        k.claims = [](unsigned seed) { return judge(appellClaims(seed)); };
        return k;
    }();
    return kind;
}

AppellSystem::AppellSystem(const Kind& kind, const Values& values)
    : System(kind, values), appell_(parametersFrom(values))
{
    coordinates_ = {place("x", "position of the point, first coordinate"),
                    place("y", "position of the point, second coordinate"),
                    place("z", "height of the point"),
                    theta,
                    phiDot,
                    thetaDot};
    constexpr Range any{.min = -1e6, .max = 1e6}, rate{.min = -1e4, .max = 1e4};
    inputs_ = {{coordinates_[0], 0, any}, {coordinates_[1], 0, any}, {coordinates_[2], 0, any},
               {theta, 0.3, any},         {phiDot, 12, rate},        {thetaDot, 1.7, rate}};
    const auto velocity = [](const char* id, const char* symbol, const char* name) {
        return Quantity{id, symbol, name, "m/s"};
    };
    const auto force = [](const char* id, const char* symbol, const char* name) {
        return Quantity{id, symbol, name, "N"};
    };
    quantities_ = {coordinates_[0],
                   coordinates_[1],
                   coordinates_[2],
                   velocity("vx", "v_x", "velocity of the point, first coordinate"),
                   velocity("vy", "v_y", "velocity of the point, second coordinate"),
                   velocity("vz", "v_z", "rate of climb"),
                   theta,
                   {"H", "H", "energy", "J", 0, Law::constant()},
                   phiDot,
                   thetaDot,
                   force("F_along", "F_‖", "force on the point along the heading"),
                   force("F_across", "F_⊥", "force on the point across the heading"),
                   force("F_up", "F_z", "force of the thread on the point, upwards"),
                   {"power", "P", "power of the constraint forces", "W"},
                   {"cone", "Δ", "v_x² + v_y² − a² v_z²", "m²/s²"}};
    // A part without inertia has no phase space in which the force could be told from the motion.
    if (!appell_.massless())
        quantities_.insert(
            quantities_.end(),
            {{"sigma", "σ", "smallest singular value of the constraint", ""},
             {"p_x", "p_x", "momentum, first coordinate", "kg m/s", 0, Law::balance("p_x_rate")},
             {"p_y", "p_y", "momentum, second coordinate", "kg m/s", 0, Law::balance("p_y_rate")},
             force("p_x_rate", "dp_x/dt", "rate of the momentum p_x due to the constraint force"),
             force("p_y_rate", "dp_y/dt", "rate of the momentum p_y due to the constraint force")});
}

State AppellSystem::startAt(const std::vector<double>& inputs) const
{
    return Eigen::Map<const Eigen::VectorXd>(inputs.data(), 6);
}

StateInputs AppellSystem::inputsOf(const State& x) const
{
    return {{"x", x[0]}, {"y", x[1]}, {"z", x[2]}, {"theta", x[3]}, {"phidot", x[4]}, {"thetadot", x[5]}};
}

void AppellSystem::evaluate(double, const State& x, std::span<double> out) const
{
    const Appell::State6 s = x;
    const Eigen::Vector3d v = appell_.velocity(s), f = appell_.forceOnPoint(s);
    const double a = appell_.a();
    // Linear or homogeneous in the velocity: the constraint forces of the whole machine do no work.
    const double numbers[] = {s[0],
                              s[1],
                              s[2],
                              v[0],
                              v[1],
                              v[2],
                              s[3],
                              appell_.energy(s),
                              s[4],
                              appell_.headingRate(s),
                              f[0],
                              f[1],
                              f[2],
                              0,
                              v.head<2>().squaredNorm() - a * a * v[2] * v[2]};
    const auto rest = std::copy(std::begin(numbers), std::end(numbers), out.begin());
    if (appell_.massless())
        return;
    const ConstraintReport report = constraintSplit(0, x);
    const double balance[] = {report.smallestSingularValue, report.momenta[0].value, report.momenta[1].value,
                              report.momenta[0].rate, report.momenta[1].rate};
    std::copy(std::begin(balance), std::end(balance), rest);
}

void AppellSystem::field(double, const State& x, State& dxdt) const
{
    dxdt = appell_.field(Appell::State6(x));
}

std::vector<MethodInfo> AppellSystem::methods() const
{
    auto list = System::methods();
    // Fehlberg's error estimate is blind to a pure quadrature, and the path is one: x' and y' depend on time
    // alone where the heading turns evenly. Methods of low order follow a quickly turning heading only in
    // very many steps.
    std::erase_if(list, [](const MethodInfo& method) {
        return method.id == "rkf78" || method.id == "midpoint" || method.id == "gauss4";
    });
    if (appell_.hasClosedForm())
        list.push_back(exactMethod);
    return list;
}

std::unique_ptr<Integration> AppellSystem::integrate(std::string_view method, double t0, const State& x0,
                                                     const IntegrationOptions& options) const
{
    if (method == "exact" && appell_.hasClosedForm())
        return std::make_unique<ClosedFormMotion>(
            t0, x0, [appell = appell_, s0 = Appell::State6(x0)](double t) -> State {
                return appell.closedForm(s0, t);
            });
    return System::integrate(method, t0, x0, options);
}

ConstraintReport AppellSystem::constraintSplit(double, const State& x) const
{
    const Appell::State6 s = x;
    ConstraintReport report;
    const bool machine = appell_.parameters().machine;
    const Quantity vx{"vx", "v_x", "velocity, first coordinate", "m/s"},
        vy{"vy", "v_y", "velocity, second coordinate", "m/s"}, vz{"vz", "v_z", "rate of climb", "m/s"},
        phi{"phi", "φ", "angle of the wheel", "rad", 2 * pi};
    report.coordinates = {coordinates_[0], coordinates_[1], coordinates_[2]};
    if (machine)
        report.coordinates.insert(report.coordinates.end(), {theta, phi});
    report.coordinates.insert(report.coordinates.end(), {vx, vy, vz});
    if (machine)
        report.coordinates.insert(report.coordinates.end(), {thetaDot, phiDot});
    const Eigen::VectorXd z = appell_.inPhaseSpace(s);
    report.residual = appell_.constraint(z).norm();
    if (appell_.massless()) {
        report.free = report.constrained = report.force = Eigen::VectorXd::Zero(z.size());
        report.status = Status::failed(
            "degenerate", "A part without inertia has no free motion to be split: J_z and C must be "
                          "greater than 0.");
        return report;
    }
    const SplitProblem problem = appell_.splitProblem(s);
    const ConstraintSplit answer = split(problem);
    report.free = problem.XH;
    report.constrained = answer.XD;
    report.force = answer.force();
    report.smallestSingularValue = answer.smallestSingularValue;
    report.status = answer.status;
    // dH in positions and velocities has the momenta as its velocity part.
    const auto& p = appell_.parameters();
    Eigen::VectorXd dH = Eigen::VectorXd::Zero(z.size()), dpx = dH, dpy = dH;
    if (machine) {
        const double co = std::cos(s[3]), si = std::sin(s[3]), lead = p.M * p.rho;
        dpx.segment<5>(5) << p.m + p.M, 0, 0, lead * si, 0;
        dpy.segment<5>(5) << 0, p.m + p.M, 0, -lead * co, 0;
        dpx[3] = lead * co * s[5];
        dpy[3] = lead * si * s[5];
        dH.segment<5>(5) << (p.m + p.M) * z[5] + lead * si * z[8], (p.m + p.M) * z[6] - lead * co * z[8],
            p.m * z[7], (p.Jz + lead * p.rho) * z[8] + lead * (z[5] * si - z[6] * co), p.C * z[9];
    } else {
        dpx[3] = dpy[4] = p.m;
        dH.tail<3>() = p.m * z.tail<3>();
    }
    report.power = answer.balance(dH);
    const auto momentum = [&](const char* id, const char* symbol, const Eigen::VectorXd& d) {
        const auto velocities = d.tail(z.size() / 2);
        return ConstraintReport::Balance{{id, symbol, "horizontal momentum", "kg m/s"},
                                         velocities.dot(z.tail(z.size() / 2)),
                                         answer.balance(d)};
    };
    report.momenta = {momentum("p_x", "p_x", dpx), momentum("p_y", "p_y", dpy)};
    return report;
}

Analysis AppellSystem::analyzeFrom(const StateInputs& given, const Answers&) const
{
    Analysis analysis;
    const double none = std::numeric_limits<double>::quiet_NaN();
    const State start = System::start(given);
    const Appell::State6 s = start;
    const auto& p = appell_.parameters();
    analysis.derived = {
        {{"a", "a", "slope of the constraint, R/b", ""}, appell_.a()},
        {{"rolling_inertia", "I_u", "inertia of rolling and climbing", "kg m²"}, appell_.rollingInertia()},
        {{"gamma", "γ", "retardation of the wheel", "rad/s²"}, appell_.retardation()},
        {{"vertical_acceleration", "z''", "acceleration of the climb", "m/s²"}, appell_.heightAcceleration()},
        {{"chetaev_acceleration", "−g/(1+a²)", "acceleration of the climb with Chetaev's force", "m/s²"},
         -p.g / (1 + appell_.a() * appell_.a())},
    };
    const ConstraintReport report = constraintSplit(0, start);
    addSplit(analysis, report);
    Entry& more = analysis.more;
    const auto number = [](double x) { return std::isfinite(x) ? Entry(x) : Entry(nullptr); };
    more["regularity"] = {
        {"smallest_singular_value",
         report.status.code == "degenerate" ? Entry(nullptr) : Entry(report.smallestSingularValue)},
        {"regular", report.status.ok()},
        {"irregular_at", p.machine ? Entry(nullptr) : Entry("v = 0, the vertex of the cone")}};
    more["conserved"] = {
        {"H", {{"conserved", true}, {"balance", "the constraint is homogeneous in the velocity: no work"}}},
        {"p_x",
         {{"conserved", false},
          {"rate_at_start", number(report.momenta.empty() ? none : report.momenta[0].rate)}}},
        {"p_y",
         {{"conserved", false},
          {"rate_at_start", number(report.momenta.empty() ? none : report.momenta[1].rate)}}}};
    Entry closed;
    closed["exists"] = appell_.hasClosedForm();
    const auto apex = appell_.apexTime(s);
    closed["apex_time"] = number(apex.value_or(none));
    if (!apex)
        closed["apex_reason"] = "Nothing stops the climb, or its end is beyond what quadrature finds.";
    closed["involute_circle_radius"] =
        p.machine && p.rho == 0 && s[5] != 0 ? number(appell_.involuteRadius(s[5])) : Entry(nullptr);
    more["closed_form"] = closed;
    return analysis;
}

} // namespace casimir::constrained
