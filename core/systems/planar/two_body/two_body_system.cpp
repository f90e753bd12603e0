#include "core/systems/planar/two_body/two_body_system.h"

#include "core/model/morse_count.h"
#include "core/numerics/closed_form_motion.h"
#include "core/systems/planar/two_body/two_body_claims.h"
#include "core/systems/planar/two_body/two_body_motion.h"
#include "core/systems/planar/two_body/two_body_orbits.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace casimir::planar {

namespace two_body {
constexpr double turn = 2 * std::numbers::pi;
const Quantity theta{"theta", "θ", "joint angle, body 2 against body 1", "rad", turn};
const Quantity nu{"nu", "ν", "half the difference of the momenta, (μ_2 − μ_1)/2", "N m s"};
const Quantity mu1{"mu1", "μ_1", "momentum conjugate to the angle of body 1", "N m s"};
const Quantity mu2{"mu2", "μ_2", "momentum conjugate to the angle of body 2", "N m s"};
const Quantity theta1{"theta1", "θ_1", "angle of body 1", "rad", turn, {}, true};
const Quantity energy{"H", "H", "energy", "J", 0, Law::constant()};
const Quantity mu{"mu", "μ", "angular momentum", "N m s", 0, Law::constant()};
} // namespace two_body

namespace {

enum Coordinate { Theta, Mu1, Mu2, Theta1 };

TwoBodyParameters parametersFrom(const Values& values)
{
    return {values.real("m1"), values.real("m2"), values.real("I1"),     values.real("I2"),
            values.real("d1"), values.real("d2"), values.real("theta0"), values.real("mu")};
}

// Bounds within which every product of the mechanics stays far from overflow and underflow.
constexpr double largest = 1e12, smallest = 1e-12;
constexpr Range positive{.min = smallest, .max = largest};
constexpr Range length{.min = 0, .max = largest};
constexpr Range anyMomentum{.min = -largest, .max = largest};
constexpr Range anyAngle{.min = -1e6, .max = 1e6};

// The spin rate of the stretched state is mu/S_+; setting it sets mu.
Alias stretchedSpin()
{
    Alias alias;
    alias.description = realParameter(
        {"omega_e", "ω_e", "stretched spin rate", "rad/s",
         "Rate at which the stretched state turns as a whole, μ/S_+; dragging it moves μ.", "momentum"},
        0, {.min = -largest, .max = largest}, -1, 1);
    alias.read = [](const Values& values) -> std::optional<double> {
        const TwoBody bodies(parametersFrom(values));
        return bodies.mu() / bodies.stretchedInertia();
    };
    alias.write = [](const Values& values, double omega) {
        const TwoBody bodies(parametersFrom(values));
        Values changed = values;
        changed.set("mu", omega * bodies.stretchedInertia());
        return Outcome<Values>::of(std::move(changed));
    };
    alias.linked = "mu";
    return alias;
}

std::string inconsistency(const Values& values)
{
    try {
        (void)TwoBody(parametersFrom(values));
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

Schema makeSchema()
{
    const auto mass = [](const char* id, const char* symbol, const char* name, double standard) {
        return realParameter({id, symbol, name, "kg", "Mass of the body.", "bodies"}, standard, positive, 1,
                             200, Scale::Logarithmic);
    };
    const auto inertia = [](const char* id, const char* symbol, const char* name, double standard) {
        return realParameter(
            {id, symbol, name, "kg m²", "Moment of inertia about the body's own centre of mass.", "bodies"},
            standard, positive, 1, 200, Scale::Logarithmic);
    };
    const auto hinge = [](const char* id, const char* symbol, const char* name, const char* meaning,
                          double standard) {
        return realParameter({id, symbol, name, "m", meaning, "hinge"}, standard, length, 0, 2);
    };
    std::vector<Parameter> parameters{
        mass("m1", "m_1", "mass of body 1", 100),
        mass("m2", "m_2", "mass of body 2", 125),
        inertia("I1", "I_1", "inertia of body 1", 50),
        inertia("I2", "I_2", "inertia of body 2", 50),
        hinge("d1", "d_1", "hinge from centre 1",
              "Distance from the centre of mass of body 1 to the hinge, |d_{12}|.", 1),
        hinge("d2", "d_2", "hinge from centre 2",
              "Distance from the centre of mass of body 2 to the hinge, |d_{21}|.", 0.6),
        realParameter(
            {"theta0", "θ_0", "stretched joint angle", "rad",
             "Joint angle at which hinge and both mass centres lie in line, stretched; 0 when d_{12} and "
             "d_{21} are "
             "antiparallel.",
             "hinge"},
            0, {.min = -10, .max = 10}, -std::numbers::pi, std::numbers::pi),
        realParameter({"mu", "μ", "angular momentum", "N m s",
                       "Total angular momentum μ_1 + μ_2, the Casimir that picks the leaf.", "momentum"},
                      50, anyMomentum, -100, 100),
    };
    return Schema(std::move(parameters), {stretchedSpin()}, inconsistency);
}

Fact fact(const Quantity& quantity, double value)
{
    return {quantity, value};
}

Entry orbitEntry(const TwoBodyOrbit& orbit)
{
    const auto number = [](const std::optional<double>& x) { return x ? Entry(*x) : Entry(nullptr); };
    Entry json;
    json["energy"] = orbit.energy;
    json["kind"] = std::string(name(orbit.kind));
    json["period"] = number(orbit.period);
    json["turning_angle"] = number(orbit.turningAngle);
    const auto phase = [&](const OrbitPhase& p) {
        Entry entry;
        entry["dynamic_locked"] = p.dynamicLocked;
        entry["geometric_locked"] = p.geometricLocked + 0.0; // no -0
        entry["dynamic_montgomery"] = number(p.dynamicMontgomery);
        entry["geometric_montgomery"] = number(p.geometricMontgomery);
        return entry;
    };
    json["rotation_body1"] = orbit.phase ? Entry(orbit.phase->rotationBody1) : Entry(nullptr);
    json["phases"] = orbit.phase ? phase(*orbit.phase) : Entry(nullptr);
    if (orbit.phaseFalling) {
        json["rotation_body1_falling"] = orbit.phaseFalling->rotationBody1;
        json["phases_falling"] = phase(*orbit.phaseFalling);
    }
    json["area"] = number(orbit.area);
    json["detail"] = orbit.detail;
    return json;
}

} // namespace

const Kind& twoBodyKind()
{
    static const Kind kind = [] {
        Kind k;
        k.id = "two-body";
        k.title = "Two coupled planar rigid bodies";
        k.paper = "N. Sreenath, Y. G. Oh, P. S. Krishnaprasad, J. E. Marsden, The dynamics of coupled planar "
                  "rigid bodies. "
                  "Part I: reduction, equilibria and stability, Dynamics and Stability of Systems 3 (1988)";
        k.summary =
            "Two bodies hinged in the plane, free in space: the reduced cylinder, its two equilibria and the "
            "homoclinic orbits that leave the folded one and return to it.";
        k.schema = makeSchema();
        k.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
            return std::make_shared<TwoBodySystem>(self, values);
        };
        k.claims = [](unsigned seed) { return twoBodyClaims(seed); };
        return k;
    }();
    return kind;
}

TwoBodySystem::TwoBodySystem(const Kind& kind, const Values& values)
    : System(kind, values), bodies_(parametersFrom(values)), equilibria_(planar::equilibria(bodies_))
{
    using namespace two_body;
    coordinates_ = {theta, mu1, mu2, theta1};
    inputs_ = {{theta, 1, anyAngle}, {nu, 0, anyMomentum}, {theta1, 0, anyAngle}};
    quantities_ = {theta,
                   nu,
                   mu1,
                   mu2,
                   {"omega1", "ω_1", "angular velocity of body 1", "rad/s"},
                   {"omega2", "ω_2", "angular velocity of body 2", "rad/s"},
                   theta1,
                   {"theta2", "θ_2", "angle of body 2", "rad", turn},
                   {"x1", "x_1", "mass centre of body 1, first coordinate", "m"},
                   {"y1", "y_1", "mass centre of body 1, second coordinate", "m"},
                   {"x2", "x_2", "mass centre of body 2, first coordinate", "m"},
                   {"y2", "y_2", "mass centre of body 2, second coordinate", "m"},
                   energy,
                   mu};
    measure();
}

State TwoBodySystem::startAt(const std::vector<double>& inputs) const
{
    const Eigen::Vector3d x = bodies_.onLeaf(inputs[0], inputs[1]);
    State state(4);
    state << x[0], x[1], x[2], inputs[2];
    return state;
}

StateInputs TwoBodySystem::inputsOf(const State& x) const
{
    return {{"theta", x[Theta]}, {"nu", (x[Mu2] - x[Mu1]) / 2}, {"theta1", x[Theta1]}};
}

void TwoBodySystem::evaluate(double, const State& x, std::span<double> out) const
{
    const Eigen::Vector3d reduced = x.head<3>();
    const Eigen::Vector2d omega = bodies_.velocities<double>(x[Theta], {x[Mu1], x[Mu2]});
    const TwoBodyPlacement at = bodies_.placement(x[Theta1], x[Theta]);
    const double numbers[] = {x[Theta],
                              (x[Mu2] - x[Mu1]) / 2,
                              x[Mu1],
                              x[Mu2],
                              omega[0],
                              omega[1],
                              x[Theta1],
                              x[Theta1] + x[Theta],
                              at.r1.x(),
                              at.r1.y(),
                              at.r2.x(),
                              at.r2.y(),
                              bodies_.hamiltonian(reduced),
                              x[Mu1] + x[Mu2]};
    std::copy(std::begin(numbers), std::end(numbers), out.begin());
}

void TwoBodySystem::field(double, const State& x, State& dxdt) const
{
    const Eigen::Vector3d reduced = x.head<3>();
    dxdt.head<3>() = bodies_.reducedField(reduced);
    dxdt[Theta1] = bodies_.velocities<double>(x[Theta], {x[Mu1], x[Mu2]})[0];
}

std::vector<MethodInfo> TwoBodySystem::methods() const
{
    std::vector<MethodInfo> all = System::methods();
    all.push_back(
        {"exact", "Closed form", 0, false,
         "One period by quadrature, then phase: any time costs the same, and energy and Casimir are "
         "kept to rounding for ever."});
    return all;
}

std::unique_ptr<Integration> TwoBodySystem::integrate(std::string_view method, double t0, const State& x0,
                                                      const IntegrationOptions& options) const
{
    if (method != "exact")
        return System::integrate(method, t0, x0, options);
    // The leaf is that of the start, which may differ from the parameter by rounding.
    TwoBodyParameters p = bodies_.parameters();
    p.mu = x0[Mu1] + x0[Mu2];
    const auto bodies = std::make_shared<const TwoBody>(p);
    const auto motion = std::make_shared<const TwoBodyMotion>(
        *bodies, TwoBodyMotion::Point{x0[Theta], 0.5 * (x0[Mu2] - x0[Mu1]), x0[Theta1]});
    constexpr double stepsAPeriod = 16, withoutPeriod = 0.25; // s
    const auto period = motion->period();
    return std::make_unique<ClosedFormMotion>(
        t0, x0,
        [bodies, motion](double t) -> State {
            const TwoBodyMotion::Point at = motion->at(t);
            State x(4);
            x << bodies->onLeaf(at.theta, at.nu), at.theta1;
            return x;
        },
        period ? *period / stepsAPeriod : withoutPeriod);
}

std::vector<Question> TwoBodySystem::questions() const
{
    return {{{"energy", "E", "energy of an orbit to classify", "J"}, true}};
}

Analysis TwoBodySystem::analyze(const Answers& answers) const
{
    using namespace two_body;
    Analysis analysis;
    analysis.status = equilibria_.status;
    analysis.derived = {
        fact({"epsilon", "ε", "reduced mass", "kg"}, bodies_.epsilon()),
        fact({"I1_augmented", "Ĩ_1", "augmented inertia of body 1", "kg m²"}, bodies_.I1Tilde()),
        fact({"I2_augmented", "Ĩ_2", "augmented inertia of body 2", "kg m²"}, bodies_.I2Tilde()),
        fact({"coupling", "ε d_1 d_2", "coupling of the bodies", "kg m²"}, bodies_.coupling())};
    MorseCount count(1);
    for (const TwoBodyEquilibrium& e : equilibria_.equilibria) {
        Equilibrium entry;
        entry.name = entry.title = e.name;
        entry.state = {fact(theta, e.theta), fact(nu, e.nu), fact(mu1, e.mu1), fact(mu2, e.mu2)};
        entry.point = State(4);
        entry.point << e.theta, e.mu1, e.mu2, 0;
        entry.energy = e.energy;
        entry.spinRate = e.omega;
        entry.eigenvalues.assign(e.eigenvalues.begin(), e.eigenvalues.end());
        if (const double growth = e.eigenvalues[0].real(); growth != 0) {
            // On the leaf d theta/dt = H_nu,nu dnu, so the direction of rate s is (theta, nu) = (H_nu,nu, s).
            for (const double s : {std::abs(growth), -std::abs(growth)}) {
                State direction(4);
                direction << e.d2Hdnu2, -s, s, 0;
                entry.directions.push_back(direction / std::hypot(e.d2Hdnu2, s));
            }
        } else {
            State direction = State::Zero(4);
            direction[Theta] = 1;
            entry.directions.push_back(direction);
        }
        const auto& values = e.secondVariationEigenvalues;
        entry.secondVariation = SecondVariation{
            {values[0], values[1], values[2]}, e.signature.positive, e.signature.negative, e.signature.zero};
        entry.stability = e.stability;
        entry.basis = e.basis;
        entry.detail = e.detail;
        analysis.equilibria.push_back(std::move(entry));
        count.add(e.leafSignature.negative, e.leafSignature.zero);
    }
    if (equilibria_.status.ok()) {
        addCounts(analysis, count);
        const HomoclinicPair pair(bodies_);
        analysis.more["homoclinic"] = {{"energy", pair.energy()},
                                       {"nu_min", pair.nuMin()},
                                       {"nu_max", pair.nuMax()},
                                       {"growth_rate", pair.growthRate()}};
    } else {
        analysis.more["homoclinic"] = nullptr;
        if (const auto& circle = equilibria_.circle)
            analysis.more["circle"] = {{"theta", "any"},
                                       {"nu", circle->nu},
                                       {"mu1", circle->mu1},
                                       {"mu2", circle->mu2},
                                       {"spin_rate", circle->omega},
                                       {"energy", circle->energy},
                                       {"stability", circle->stability},
                                       {"detail", circle->detail}};
    }
    for (const auto& [id, energies] : answers) {
        if (id != "energy")
            continue;
        analysis.more["orbits"] = Entry::array();
        for (const double e : energies)
            analysis.more["orbits"].push_back(orbitEntry(orbitOfEnergy(bodies_, e)));
    }
    return analysis;
}

} // namespace casimir::planar
