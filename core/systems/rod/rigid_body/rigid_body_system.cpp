#include "core/systems/rod/rigid_body/rigid_body_system.h"

#include "core/model/morse_count.h"
#include "core/numerics/closed_form_motion.h"
#include "core/numerics/rotations.h"
#include "core/systems/rod/rigid_body/rigid_body_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

// Bounds within which every product of the mechanics stays far from overflow and underflow.
constexpr double largest = 1e12, smallest = 1e-12;

constexpr MethodInfo exactMethod{"exact", "Closed form", 0, false,
                                 "Jacobi's elliptic functions for the momentum and the integral of the third "
                                 "kind for the attitude, at any "
                                 "time at once."};

// Where a motion starts unless told otherwise: a little off the second axis.
Vec3 usualDirection()
{
    return Vec3(0.05, 1, 0.1).normalized();
}

RigidBodyParameters parametersFrom(const Values& values)
{
    return {{values.real("I1"), values.real("I2"), values.real("I3")}, values.real("mu")};
}

std::string inconsistency(const Values& values)
{
    try {
        (void)RigidBody(parametersFrom(values));
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

Alias spinRate()
{
    Alias alias;
    alias.description =
        realParameter({"omega_e", "ω_e", "spin rate about axis 3", "rad/s",
                       "Rate at which the body spins when M lies along axis 3, μ/I_3; dragging "
                       "it moves μ.",
                       "momentum"},
                      0, {.min = 0, .max = largest}, 0, 5);
    alias.read = [](const Values& values) -> std::optional<double> {
        return values.real("mu") / values.real("I3");
    };
    alias.write = [](const Values& values, double omega) {
        if (omega < 0)
            return Outcome<Values>::refused("The spin rate is that of |M| and is not negative.");
        Values changed = values;
        changed.set("mu", omega * values.real("I3"));
        return Outcome<Values>::of(std::move(changed));
    };
    alias.linked = "mu";
    return alias;
}

Schema makeSchema()
{
    const auto inertia = [](const char* id, const char* symbol, const char* name, double standard) {
        return realParameter(
            {id, symbol, name, "kg m²",
             "Principal moment of inertia about the mass centre; at most the sum of the other two.", "body"},
            standard, {.min = smallest, .max = largest}, 0.2, 5, Scale::Logarithmic);
    };
    std::vector<Parameter> parameters{
        inertia("I1", "I_1", "inertia about axis 1", 1),
        inertia("I2", "I_2", "inertia about axis 2", 2),
        inertia("I3", "I_3", "inertia about axis 3", 2.6),
        realParameter({"mu", "μ", "angular momentum", "N m s",
                       "Length of the angular momentum, the radius of the momentum sphere.", "momentum"},
                      2, {.min = 0, .max = largest}, 0, 10),
    };
    return Schema(std::move(parameters), {spinRate()}, inconsistency);
}

Fact fact(Quantity quantity, double value)
{
    return {std::move(quantity), value};
}

Entry number(const std::optional<double>& x)
{
    return x ? Entry(*x) : Entry(nullptr);
}

Quat towards(const Vec3& from, const Vec3& to)
{
    return turnBetween(from, to);
}

Entry orbitEntry(const RigidBody& body, double energy)
{
    Entry json;
    json["energy"] = energy;
    const auto M = stateOfEnergy(body, energy);
    if (!M) {
        json["kind"] = "none";
        json["period"] = json["turn"] = json["dynamic"] = json["geometric"] = nullptr;
        json["detail"] =
            fmt::format("No state of the sphere has this energy; it lies between {:.9g} and {:.9g}.",
                        body.mu() * body.mu() / (2 * body.I()[body.maximum()]),
                        body.mu() * body.mu() / (2 * body.I()[body.minimum()]));
        return json;
    }
    const RigidBodyMotion motion(body, *M);
    const auto phase = motion.phase();
    json["kind"] = name(motion.kind());
    if (motion.kind() != PolhodeKind::Heteroclinic)
        json["axis"] = motion.axis() + 1;
    json["period"] = number(motion.period());
    json["turn"] = phase ? Entry(phase->turn) : Entry(nullptr);
    json["dynamic"] = phase ? Entry(phase->dynamic) : Entry(nullptr);
    json["geometric"] = phase ? Entry(phase->geometric) : Entry(nullptr);
    json["detail"] = motion.kind() == PolhodeKind::AboutAxis
                         ? fmt::format("Two polhodes, about either end of axis {}.", motion.axis() + 1)
                     : motion.kind() == PolhodeKind::Heteroclinic
                         ? "The separatrix: both ends of the middle axis and the four orbits that join them."
                         : fmt::format("Permanent rotation about axis {}.", motion.axis() + 1);
    return json;
}

} // namespace

const Kind& rigidBodyKind()
{
    static const Kind kind = [] {
        Kind k;
        k.id = "rigid-body";
        k.title = "Free rigid body";
        k.paper =
            "T. A. Posbergh, J. C. Simo, J. E. Marsden, Stability analysis of a rigid body with attached "
            "geometrically nonlinear rod by the energy-momentum method, Contemporary Mathematics 97 (1989), "
            "section 3; N. Sreenath, Y. G. Oh, P. S. Krishnaprasad, J. E. Marsden, The dynamics of coupled "
            "planar rigid bodies, part I (1988), (1.1)-(1.4)";
        k.summary =
            "A body free in space: polhodes on the momentum sphere, the three axes and their stability, the "
            "heteroclinic orbits of the middle one, Poinsot's rolling ellipsoid and Montgomery's phase, "
            "all in closed form.";
        k.schema = makeSchema();
        k.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
            return std::make_shared<RigidBodySystem>(self, values);
        };
        k.claims = [](unsigned seed) { return rigidBodyClaims(seed); };
        return k;
    }();
    return kind;
}

RigidBodySystem::RigidBodySystem(const Kind& kind, const Values& values)
    : System(kind, values), body_(parametersFrom(values)), equilibria_(rod::equilibria(body_))
{
    const auto momentum = [](const char* id, const char* symbol, const char* name) {
        return Quantity{id, symbol, name, "N m s"};
    };
    const auto attitude = [](const char* id, const char* symbol, const char* name) {
        return Quantity{id, symbol, name, "", 0, {}, true};
    };
    const auto rate = [](const char* id, const char* symbol, const char* name) {
        return Quantity{id, symbol, name, "rad/s"};
    };
    coordinates_ = {momentum("M1", "M_1", "angular momentum along body axis 1"),
                    momentum("M2", "M_2", "angular momentum along body axis 2"),
                    momentum("M3", "M_3", "angular momentum along body axis 3"),
                    attitude("qw", "q_w", "attitude, scalar part"),
                    attitude("qx", "q_x", "attitude, first part"),
                    attitude("qy", "q_y", "attitude, second part"),
                    attitude("qz", "q_z", "attitude, third part")};
    // The usual start has its angular momentum along z in space.
    const Vec3 M = body_.mu() * usualDirection();
    const Quat q = towards(usualDirection(), Vec3::UnitZ());
    const double standard[] = {M.x(), M.y(), M.z(), q.w(), q.x(), q.y(), q.z()};
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
        inputs_.push_back(
            {coordinates_[i], i < 3 ? standard[i] : std::clamp(standard[i], -1.0, 1.0),
             i < 3 ? Range{.min = -2 * largest, .max = 2 * largest} : Range{.min = -1, .max = 1}});
    quantities_ = {coordinates_[0],
                   coordinates_[1],
                   coordinates_[2],
                   rate("omega1", "ω_1", "angular velocity about body axis 1"),
                   rate("omega2", "ω_2", "angular velocity about body axis 2"),
                   rate("omega3", "ω_3", "angular velocity about body axis 3"),
                   coordinates_[3],
                   coordinates_[4],
                   coordinates_[5],
                   coordinates_[6],
                   {"H", "H", "energy", "J", 0, Law::constant()},
                   {"C", "C", "Casimir, the square of the angular momentum", "N² m² s²", 0, Law::constant()}};
}

State RigidBodySystem::startAt(const std::vector<double>& inputs) const
{
    Vec3 direction(inputs[0], inputs[1], inputs[2]);
    direction.stableNormalize();
    if (!(direction.norm() > 0.5)) // all zero, as after a rest: no direction is given
        direction = usualDirection();
    Eigen::Vector4d q(inputs[3], inputs[4], inputs[5], inputs[6]);
    q.stableNormalize();
    if (!(q.norm() > 0.5)) // all zero: not turned
        q = {1, 0, 0, 0};
    State x(7);
    x << body_.mu() * direction, q;
    return x;
}

StateInputs RigidBodySystem::inputsOf(const State& x) const
{
    StateInputs inputs;
    for (std::size_t i = 0; i < coordinates_.size(); ++i) {
        const double value = x[static_cast<Eigen::Index>(i)];
        inputs.emplace_back(coordinates_[i].id, i < 3 ? value : std::clamp(value, -1.0, 1.0));
    }
    return inputs;
}

RigidBodyMotion RigidBodySystem::motionFrom(const State& x) const
{
    return {body_, x.head<3>(), Quat(x[3], x[4], x[5], x[6])};
}

void RigidBodySystem::evaluate(double, const State& x, std::span<double> out) const
{
    const Vec3 M = x.head<3>(), omega = body_.velocity(M);
    const double numbers[] = {M[0],
                              M[1],
                              M[2],
                              omega[0],
                              omega[1],
                              omega[2],
                              x[3],
                              x[4],
                              x[5],
                              x[6],
                              body_.hamiltonian(M),
                              body_.casimir(M)};
    std::copy(std::begin(numbers), std::end(numbers), out.begin());
}

void RigidBodySystem::field(double, const State& x, State& dxdt) const
{
    const Vec3 M = x.head<3>(), omega = body_.velocity(M), v = x.tail<3>();
    dxdt.head<3>() = body_.field(M);
    // q' = q (0, ω)/2 with ω in body axes.
    dxdt[3] = -v.dot(omega) / 2;
    dxdt.tail<3>() = (x[3] * omega + v.cross(omega)) / 2;
}

void RigidBodySystem::project(State& x) const
{
    x.tail<4>().normalize();
}

std::vector<MethodInfo> RigidBodySystem::methods() const
{
    auto list = System::methods();
    list.push_back(exactMethod);
    return list;
}

std::unique_ptr<Integration> RigidBodySystem::integrate(std::string_view method, double t0, const State& x0,
                                                        const IntegrationOptions& options) const
{
    if (method == exactMethod.id)
        return std::make_unique<ClosedFormMotion>(t0, x0, [motion = motionFrom(x0)](double t) -> State {
            const Quat q = motion.attitude(t);
            State x(7);
            x << motion.momentum(t), q.w(), q.x(), q.y(), q.z();
            return x;
        });
    IntegrationOptions own = options;
    if (own.scale.size() == 0) {
        own.scale = State::Zero(7);
        own.scale.tail<4>().setOnes();
    }
    return System::integrate(method, t0, x0, own);
}

std::vector<Question> RigidBodySystem::questions() const
{
    return {{{"energy", "E", "energy of a polhode to classify", "J"}, true}};
}

Analysis RigidBodySystem::analyze(const Answers& answers) const
{
    Analysis analysis;
    analysis.status = equilibria_.status;
    const Vec3& I = body_.I();
    const double mu2 = body_.mu() * body_.mu();
    analysis.derived = {
        fact({"energy_min", "H_{min}", "least energy of the leaf", "J"}, mu2 / (2 * I[body_.maximum()])),
        fact({"energy_max", "H_{max}", "greatest energy of the leaf", "J"}, mu2 / (2 * I[body_.minimum()]))};
    MorseCount count(0, 1); // of the energy on the momentum sphere
    for (const RigidBodyEquilibrium& e : equilibria_.equilibria) {
        Equilibrium entry;
        entry.name = e.name;
        entry.title = fmt::format("axis {}{}", e.axis + 1, e.sign < 0 ? " reversed" : "");
        for (int k = 0; k < 3; ++k)
            entry.state.push_back(fact(coordinates_[static_cast<std::size_t>(k)], e.M[k]));
        const Quat q = towards(e.M, Vec3::UnitZ());
        entry.point = State(7);
        entry.point << e.M, q.w(), q.x(), q.y(), q.z();
        entry.energy = e.energy;
        entry.spinRate = e.omega;
        entry.eigenvalues.assign(e.eigenvalues.begin(), e.eigenvalues.end());
        for (const Vec3& d : e.directions) {
            State direction = State::Zero(7);
            direction.head<3>() = d;
            entry.directions.push_back(direction);
        }
        SecondVariation second;
        second.eigenvalues.assign(e.secondVariation.begin(), e.secondVariation.end());
        for (const double v : e.secondVariation)
            ++(v > 0 ? second.positive : v < 0 ? second.negative : second.zero);
        count.add(second.negative, second.zero);
        entry.secondVariation = std::move(second);
        entry.stability = e.stability;
        entry.basis = e.basis;
        entry.detail = e.detail;
        entry.more = {{{"axis", "", "axis of", ""}, std::string(name(e.role))}};
        analysis.equilibria.push_back(std::move(entry));
    }
    if (equilibria_.status.ok())
        addCounts(analysis, count);
    analysis.more["heteroclinic"] = nullptr;
    if (equilibria_.status.ok() && body_.hasMiddleAxis()) {
        const Vec3 d = body_.heteroclinicDirections()[0];
        analysis.more["heteroclinic"] = {
            {"energy", mu2 / (2 * I[body_.middle()])},
            {"rate", body_.heteroclinicRate()},
            // Half the angle between the two planes, from the axis of minimum inertia.
            {"angle_from_minimum_axis", std::atan2(d[body_.maximum()], d[body_.minimum()])}};
    }
    for (const auto& [id, energies] : answers) {
        if (id != "energy")
            continue;
        analysis.more["orbits"] = Entry::array();
        for (const double e : energies)
            analysis.more["orbits"].push_back(orbitEntry(body_, e));
    }
    return analysis;
}

Orbit RigidBodySystem::orbitThrough(const State& x) const
{
    const RigidBodyMotion motion = motionFrom(x);
    Orbit orbit;
    orbit.kind = motion.kind() == PolhodeKind::AboutAxis ? fmt::format("about axis {}", motion.axis() + 1)
                                                         : std::string(name(motion.kind()));
    Polyline line;
    for (const Vec3& M : motion.polhode(240)) {
        const double r = std::max(M.norm(), 1e-300);
        line.x.push_back(std::atan2(M[1], M[0]));
        line.y.push_back(std::clamp(M[2] / r, -1.0, 1.0));
    }
    line.colour = Colour::motion(0);
    line.emphasised = true;
    orbit.lines.push_back(std::move(line));
    orbit.facts = {fact({"energy", "H", "energy", "J"}, motion.energy())};
    if (const auto T = motion.period())
        orbit.facts.push_back(fact({"period", "T", "period of M in the body", "s"}, *T));
    if (const auto phase = motion.phase()) {
        orbit.facts.push_back(
            fact({"turn", "Δθ", "turn about the angular momentum per period", "rad"}, phase->turn));
        orbit.facts.push_back(fact({"dynamic", "2HT/μ", "dynamic part", "rad"}, phase->dynamic));
        orbit.facts.push_back(
            fact({"geometric", "−Ω", "geometric part, a solid angle", "rad"}, phase->geometric));
    }
    const auto [least, greatest] = motion.herpolhodeRadii();
    orbit.facts.push_back(fact({"herpolhode_min", "ϱ_1", "inner radius of the herpolhode", "rad/s"}, least));
    orbit.facts.push_back(
        fact({"herpolhode_max", "ϱ_2", "outer radius of the herpolhode", "rad/s"}, greatest));
    return orbit;
}

} // namespace casimir::rod
