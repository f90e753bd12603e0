#include "core/systems/planar/three_body/three_body_system.h"

#include "core/model/morse_count.h"
#include "core/systems/planar/body_pictures.h"
#include "core/systems/planar/three_body/three_body_claims.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace casimir::planar {

namespace three_body {

constexpr double turn = 2 * std::numbers::pi;
const Quantity theta21{"theta21", "θ_{21}", "joint angle, body 2 against body 1", "rad", turn};
const Quantity theta32{"theta32", "θ_{32}", "joint angle, body 3 against body 2", "rad", turn};

ThreeBodyParameters parametersFrom(const Values& values)
{
    return {.m1 = values.real("m1"),
            .m2 = values.real("m2"),
            .m3 = values.real("m3"),
            .I1 = values.real("I1"),
            .I2 = values.real("I2"),
            .I3 = values.real("I3"),
            .c1 = values.real("c1"),
            .b1 = values.real("b1"),
            .e1 = values.real("e1"),
            .e2 = values.real("e2"),
            .d1 = values.real("d1"),
            .mu = values.real("mu")};
}

Sketch sketchOf(const ThreeBody& bodies, double x, double y, bool solid)
{
    const ThreeBodyPlacement at = bodies.placement(0, x, y);
    const std::array<PlanarStick, 3> sticks{
        {{at.r1, {at.hinge12}}, {at.r2, {at.hinge12, at.hinge23}}, {at.r3, {at.hinge23}}}};
    return stickFigure(sticks, solid);
}

} // namespace three_body

namespace {

using namespace three_body;

enum Coordinate { Theta21, Theta32, Mu1, Mu2, Mu3, Theta1 };

const Quantity mu1{"mu1", "μ_1", "momentum conjugate to the angle of body 1", "N m s"};
const Quantity mu2{"mu2", "μ_2", "momentum conjugate to the angle of body 2", "N m s"};
const Quantity mu3{"mu3", "μ_3", "momentum conjugate to the angle of body 3", "N m s"};
const Quantity theta1{"theta1", "θ_1", "angle of body 1", "rad", turn, {}, true};

constexpr Range positive{.min = smallest, .max = largest};
constexpr Range length{.min = 0, .max = largest};
constexpr Range anyLength{.min = -largest, .max = largest};
constexpr Range anyMomentum{.min = -largest, .max = largest};
constexpr Range anyAngle{.min = -1e6, .max = 1e6};

constexpr double startTheta21 = 0.9, startTheta32 = -0.7;

KappaTau kappaTauOf(const ThreeBodyCoefficients& f)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {kappaOf(f).value_or(none), tauOf(f).value_or(none)};
}

Outcome<Values> written(const Values& values, const KappaTau& wanted)
{
    const auto outcome = withKappaTau(parametersFrom(values), wanted, largest);
    if (!outcome)
        return Outcome<Values>::refused(outcome.refusal);
    Values changed = values;
    changed.set("c1", outcome.value->c1);
    changed.set("b1", outcome.value->b1);
    changed.set("e1", outcome.value->e1);
    changed.set("d1", outcome.value->d1);
    return Outcome<Values>::of(std::move(changed));
}

Alias ratio(bool kappa)
{
    Alias alias;
    alias.description =
        realParameter(kappa ? ParameterWords{"kappa", "κ", "κ = B_1/B_2", "",
                                             "With τ it decides the equilibria of aligned bodies (e_2 = 0); "
                                             "dragging it moves c_1 at "
                                             "the same τ, and b_1, e_1 where the sign changes.",
                                             "equilibria"}
                            : ParameterWords{"tau", "τ", "τ = B_1/A_1", "",
                                             "With κ it decides the equilibria of aligned bodies (e_2 = 0); "
                                             "dragging it moves c_1 and "
                                             "d_1 at the same κ, and b_1, e_1 where the sign changes.",
                                             "equilibria"},
                      1, anyLength, -3, 3);
    alias.read = [kappa](const Values& values) {
        const ThreeBodyCoefficients f = coefficientsOf(parametersFrom(values));
        return kappa ? kappaOf(f) : tauOf(f);
    };
    alias.write = [kappa](const Values& values, double x) {
        const KappaTau present = kappaTauOf(coefficientsOf(parametersFrom(values)));
        if (!std::isfinite(kappa ? present.tau : present.kappa))
            return Outcome<Values>::refused(fmt::format(
                "{} has no value at these lengths ({} = 0), so there is nothing to hold while {} changes.",
                kappa ? "tau" : "kappa", kappa ? "A1" : "B2", kappa ? "kappa" : "tau"));
        return written(values, kappa ? KappaTau{x, present.tau} : KappaTau{present.kappa, x});
    };
    alias.linked = kappa ? "c1" : "d1";
    return alias;
}

std::string inconsistency(const Values& values)
{
    try {
        (void)ThreeBody(parametersFrom(values));
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

Schema makeSchema()
{
    const auto mass = [](const char* id, const char* symbol, const char* name) {
        return realParameter({id, symbol, name, "kg", "Mass of the body.", "bodies"}, 1, positive, 0.1, 10,
                             Scale::Logarithmic);
    };
    const auto inertia = [](const char* id, const char* symbol, const char* name) {
        return realParameter(
            {id, symbol, name, "kg m²", "Moment of inertia about the body's own centre of mass.", "bodies"},
            0.1, positive, 0.01, 10, Scale::Logarithmic);
    };
    std::vector<Parameter> parameters{
        mass("m1", "m_1", "mass of body 1"),
        mass("m2", "m_2", "mass of body 2"),
        mass("m3", "m_3", "mass of body 3"),
        inertia("I1", "I_1", "inertia of body 1"),
        inertia("I2", "I_2", "inertia of body 2"),
        inertia("I3", "I_3", "inertia of body 3"),
        realParameter({"c1", "c_1", "hinge of body 1", "m",
                       "From the centre of mass of body 1 to its hinge, d_{12} = (c_1, 0).", "hinges"},
                      1, length, 0, 4),
        realParameter(
            {"b1", "b_1", "first hinge of body 2", "m",
             "From the centre of mass of body 2 back to its hinge with body 1, d_{21} = (−b_1, 0); negative "
             "where that hinge lies ahead.",
             "hinges"},
            0.5, anyLength, -2, 2),
        realParameter({"e1", "e_1", "second hinge of body 2, along", "m",
                       "From the centre of mass of body 2 to its hinge with body 3, d_{23} = (e_1, e_2).",
                       "hinges"},
                      0.5, anyLength, -2, 2),
        realParameter(
            {"e2", "e_2", "second hinge of body 2, across", "m",
             "How far the hinge with body 3 lies off the line of the first hinge and the centre of mass; 0: "
             "aligned.",
             "hinges"},
            0, anyLength, -2, 2),
        realParameter({"d1", "d_1", "hinge of body 3", "m",
                       "From the centre of mass of body 3 back to its hinge, d_{32} = (−d_1, 0).", "hinges"},
                      1, length, 0, 4),
        realParameter({"mu", "μ", "angular momentum", "N m s",
                       "Total angular momentum μ_1 + μ_2 + μ_3, the Casimir that picks the leaf.",
                       "momentum"},
                      2, anyMomentum, -10, 10),
    };
    return Schema(std::move(parameters), {ratio(true), ratio(false)}, inconsistency);
}

Fact number(const char* id, const char* symbol, const char* name, const char* unit, double value)
{
    return {{id, symbol, name, unit}, value};
}

std::vector<State> departures(const ThreeBody& bodies, const ThreeBodyEquilibrium& e)
{
    std::vector<State> directions;
    const auto add = [&](const Vector5d& v) {
        State direction(6);
        direction << v, 0;
        if (v.norm() > 0)
            directions.push_back(direction / v.head<2>().norm());
    };
    for (auto s = e.eigenvalues.rbegin(); s != e.eigenvalues.rend(); ++s) {
        if (*s == 0.0)
            continue;
        const Vec5<std::complex<double>> v = departure(bodies, e, *s);
        if (s->imag() < 0)
            continue; // the same plane as its conjugate
        // A common phase is free: the first angle is made real.
        const std::complex<double> lead = std::abs(v[0]) > std::abs(v[1]) ? v[0] : v[1];
        const Vec5<std::complex<double>> w = v * (std::abs(lead) / lead);
        add(w.real());
        if (s->imag() > 0 && w.imag().head<2>().norm() > 1e-9)
            add(w.imag());
    }
    if (directions.empty())
        directions.emplace_back(State::Unit(6, Theta21));
    return directions;
}

} // namespace

const Kind& threeBodyKind()
{
    static const Kind kind = [] {
        Kind k;
        k.id = "three-body";
        k.title = "Three coupled planar rigid bodies";
        k.paper = "N. Sreenath, Y. G. Oh, P. S. Krishnaprasad, J. E. Marsden, The dynamics of coupled planar "
                  "rigid bodies. "
                  "Part I: reduction, equilibria and stability, Dynamics and Stability of Systems 3 (1988)";
        k.summary = "A chain of three bodies hinged in the plane, free in space: its equilibria, four or six "
                    "but at the edges, and the map of κ and τ that decides which there are and which "
                    "are stable.";
        k.schema = makeSchema();
        k.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
            return std::make_shared<ThreeBodySystem>(self, values);
        };
        k.claims = [](unsigned seed) { return threeBodyClaims(seed); };
        return k;
    }();
    return kind;
}

ThreeBodySystem::ThreeBodySystem(const Kind& kind, const Values& values)
    : System(kind, values), bodies_(parametersFrom(values)), equilibria_(planar::equilibria(bodies_))
{
    // Bodies that turn as one, let go.
    const Eigen::Vector3d locked = bodies_.lockedMomenta(startTheta21, startTheta32);
    coordinates_ = {theta21, theta32, mu1, mu2, mu3, theta1};
    inputs_ = {{theta21, startTheta21, anyAngle},
               {theta32, startTheta32, anyAngle},
               {mu2, locked[1], anyMomentum},
               {mu3, locked[2], anyMomentum},
               {theta1, 0, anyAngle}};
    quantities_ = {theta21,
                   theta32,
                   mu1,
                   mu2,
                   mu3,
                   {"omega1", "ω_1", "angular velocity of body 1", "rad/s"},
                   {"omega2", "ω_2", "angular velocity of body 2", "rad/s"},
                   {"omega3", "ω_3", "angular velocity of body 3", "rad/s"},
                   theta1,
                   {"theta2", "θ_2", "angle of body 2", "rad", turn},
                   {"theta3", "θ_3", "angle of body 3", "rad", turn},
                   {"x1", "x_1", "mass centre of body 1, first coordinate", "m"},
                   {"y1", "y_1", "mass centre of body 1, second coordinate", "m"},
                   {"x2", "x_2", "mass centre of body 2, first coordinate", "m"},
                   {"y2", "y_2", "mass centre of body 2, second coordinate", "m"},
                   {"x3", "x_3", "mass centre of body 3, first coordinate", "m"},
                   {"y3", "y_3", "mass centre of body 3, second coordinate", "m"},
                   {"H", "H", "energy", "J", 0, Law::constant()},
                   {"mu", "μ", "angular momentum", "N m s", 0, Law::constant()}};
    measure();
}

State ThreeBodySystem::startAt(const std::vector<double>& inputs) const
{
    State state(6);
    state << inputs[0], inputs[1], bodies_.mu() - (inputs[2] + inputs[3]), inputs[2], inputs[3], inputs[4];
    return state;
}

StateInputs ThreeBodySystem::inputsOf(const State& x) const
{
    return {{"theta21", x[Theta21]},
            {"theta32", x[Theta32]},
            {"mu2", x[Mu2]},
            {"mu3", x[Mu3]},
            {"theta1", x[Theta1]}};
}

void ThreeBodySystem::evaluate(double, const State& x, std::span<double> out) const
{
    const Eigen::Vector3d mu = x.segment<3>(Mu1), omega = bodies_.velocities(x[Theta21], x[Theta32], mu);
    const ThreeBodyPlacement at = bodies_.placement(x[Theta1], x[Theta21], x[Theta32]);
    const double theta2 = x[Theta1] + x[Theta21];
    const double numbers[] = {x[Theta21],
                              x[Theta32],
                              mu[0],
                              mu[1],
                              mu[2],
                              omega[0],
                              omega[1],
                              omega[2],
                              x[Theta1],
                              theta2,
                              theta2 + x[Theta32],
                              at.r1.x(),
                              at.r1.y(),
                              at.r2.x(),
                              at.r2.y(),
                              at.r3.x(),
                              at.r3.y(),
                              0.5 * mu.dot(omega),
                              mu.sum()};
    std::copy(std::begin(numbers), std::end(numbers), out.begin());
}

void ThreeBodySystem::field(double, const State& x, State& dxdt) const
{
    Eigen::Vector3d omega;
    const Vector5d reduced = x.head<5>();
    dxdt.head<5>() = bodies_.reducedField(reduced, omega);
    dxdt[Theta1] = omega[0];
}

Analysis ThreeBodySystem::analyze(const Answers&) const
{
    Analysis analysis;
    analysis.status = equilibria_.status;
    const ThreeBodyCoefficients& f = bodies_.coefficients();
    const KappaTau at = kappaTauOf(f);
    const int sign = signCase(at);
    const bool decided = f.aligned() && sign > 0;
    analysis.derived = {
        number("A1", "A_1", "coupling of bodies 1 and 3", "kg² m²", f.A1),
        number("B1", "B_1", "coupling of bodies 1 and 2", "kg² m²", f.B1),
        number("B2", "B_2", "coupling of bodies 2 and 3", "kg² m²", f.B2),
        number("C1", "C_1", "coupling of bodies 1 and 2, across", "kg² m²", f.C1),
        number("C2", "C_2", "coupling of bodies 2 and 3, across", "kg² m²", f.C2),
        number("kappa", "κ", "B_1/B_2", "", at.kappa),
        number("tau", "τ", "B_1/A_1", "", at.tau),
        {{"case", "", "sign case of (κ, τ)", ""}, decided ? fmt::format("{}", sign) : "general"},
        {{"region", "", "region of the (κ, τ) plane", ""},
         std::string(decided ? name(regionOf(at)) : "general"),
         decided ? title(regionOf(at)) : "general"}};
    MorseCount count(2);
    for (const ThreeBodyEquilibrium& e : equilibria_.equilibria) {
        Equilibrium entry;
        entry.name = e.name;
        entry.title = e.title;
        entry.state = {
            {theta21, e.x}, {theta32, e.y}, {mu1, e.momenta[0]}, {mu2, e.momenta[1]}, {mu3, e.momenta[2]}};
        entry.point = State(6);
        entry.point << e.state(), 0;
        entry.energy = e.energy;
        entry.spinRate = e.omega;
        entry.eigenvalues.assign(e.eigenvalues.begin(), e.eigenvalues.end());
        for (State& direction : departures(bodies_, e))
            entry.directions.push_back(std::move(direction));
        const Vector5d& values = e.secondVariationEigenvalues;
        entry.secondVariation = SecondVariation{
            {values.begin(), values.end()}, e.signature.positive, e.signature.negative, e.signature.zero};
        entry.stability = e.stability;
        entry.basis = e.basis;
        entry.detail = e.detail;
        entry.more = {{{"kind", "", "kind", ""}, e.kind},
                      number("index", "", "Morse index of the amended potential", "", e.index)};
        entry.sketch = sketchOf(bodies_, e.x, e.y, e.stability == verdict::stable);
        analysis.equilibria.push_back(std::move(entry));
        count.add(e.index, e.zero);
    }
    if (equilibria_.status.ok())
        addCounts(analysis, count);
    if (!equilibria_.families.empty()) {
        analysis.more["families"] = Entry::array();
        for (const EquilibriumFamily& family : equilibria_.families)
            analysis.more["families"].push_back({{"joint_angles", family.condition},
                                                 {"mu1", family.momenta[0]},
                                                 {"mu2", family.momenta[1]},
                                                 {"mu3", family.momenta[2]},
                                                 {"spin_rate", family.omega},
                                                 {"energy", family.energy},
                                                 {"stability", family.stability},
                                                 {"detail", family.detail}});
    }
    return analysis;
}

} // namespace casimir::planar
