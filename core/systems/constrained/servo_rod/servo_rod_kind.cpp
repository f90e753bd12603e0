// The kind of the rod on a finger: its parameters and what can be set instead of them.
#include "core/numerics/pi.h"
#include "core/systems/constrained/servo_rod/servo_rod_claims.h"
#include "core/systems/constrained/servo_rod/servo_rod_system.h"

#include <fmt/format.h>

#include <cmath>

namespace casimir::constrained {

namespace {

constexpr Range positive{.min = 1e-6, .max = 1e6};
constexpr Range gain{.min = -1e6, .max = 1e6};

ServoForce forceNamed(const std::string& id)
{
    return id == "finger"    ? ServoForce::Finger
           : id == "angle"   ? ServoForce::Angle
           : id == "chetaev" ? ServoForce::Chetaev
           : id == "hand"    ? ServoForce::Hand
                             : ServoForce::Direction;
}

} // namespace

ServoRodParameters servoRodParameters(const Values& values)
{
    ServoRodParameters p;
    p.m = values.real("m");
    p.l = values.real("l");
    p.I = values.real("I");
    p.g = values.real("g");
    p.law = values.choice("law") == "marle" ? ServoLaw::Marle : ServoLaw::Linear;
    p.a = values.real("a");
    p.beta = values.real("beta");
    p.kx = values.real("kx");
    p.kt = values.real("kt");
    p.ko = values.real("ko");
    p.force = forceNamed(values.choice("force"));
    p.wx = values.real("wx");
    p.wt = values.real("wt");
    return p;
}

namespace {

bool lawIs(const Values& values, const char* id)
{
    return values.choice("law") == id;
}

// One slider that leads from the force on the finger (0) to the torque on the angle (pi/2).
Alias directionAlias()
{
    Alias alias;
    alias.description =
        realParameter({"delta", "δ", "direction of the force", "rad",
                       "(w_x, w_t) = (cos δ, l sin δ): 0 pushes the finger, π/2 turns the rod; "
                       "Chetaev's direction lies between.",
                       "force"},
                      0, {.min = -pi, .max = pi}, -halfPi, halfPi);
    alias.description.shown = [](const Values& values) { return values.choice("force") == "direction"; };
    alias.read = [](const Values& values) -> std::optional<double> {
        if (values.real("wx") == 0 && values.real("wt") == 0)
            return std::nullopt;
        return std::atan2(values.real("wt") / values.real("l"), values.real("wx"));
    };
    alias.write = [](const Values& values, double delta) {
        if (!(std::abs(delta) <= pi))
            return Outcome<Values>::refused(
                fmt::format("the direction {} of the force must lie between -pi and pi", delta));
        Values changed = values;
        changed.set("wx", std::cos(delta));
        changed.set("wt", values.real("l") * std::sin(delta));
        return Outcome<Values>::of(std::move(changed));
    };
    alias.linked = "wt";
    return alias;
}

// The poles of the linearised law of section 4: their sum is -2 z, their product w^2.
Alias dampingAlias()
{
    Alias alias;
    alias.description =
        realParameter({"z", "z", "decay rate", "1/s",
                       "Half the sum of the eigenvalues, turned round: −a l/(2I); dragging it "
                       "moves a.",
                       "law"},
                      3, gain, -5, 10);
    alias.description.shown = [](const Values& values) { return lawIs(values, "marle"); };
    alias.read = [](const Values& values) -> std::optional<double> {
        return -values.real("a") * values.real("l") / (2 * values.real("I"));
    };
    alias.write = [](const Values& values, double z) {
        Values changed = values;
        changed.set("a", -2 * z * values.real("I") / values.real("l"));
        return Outcome<Values>::of(std::move(changed));
    };
    alias.linked = "a";
    return alias;
}

Alias frequencyAlias()
{
    Alias alias;
    alias.description =
        realParameter({"w", "w", "frequency without damping", "rad/s",
                       "The root of the product of the eigenvalues, √(β m g l²/I); dragging it "
                       "moves β.",
                       "law"},
                      4, {.min = 0, .max = 1e6}, 0, 10);
    alias.description.shown = [](const Values& values) { return lawIs(values, "marle"); };
    const auto unit = [](const Values& v) {
        return v.real("I") / (v.real("m") * v.real("g") * v.real("l") * v.real("l"));
    };
    alias.read = [unit](const Values& values) -> std::optional<double> {
        const double square = values.real("beta") / unit(values);
        return values.real("g") > 0 && square >= 0 ? std::optional(std::sqrt(square)) : std::nullopt;
    };
    alias.write = [unit](const Values& values, double w) {
        if (!(values.real("g") > 0))
            return Outcome<Values>::refused("without gravity β has no frequency");
        if (!(w >= 0))
            return Outcome<Values>::refused(fmt::format("the frequency {} must not be negative", w));
        Values changed = values;
        changed.set("beta", w * w * unit(values));
        return Outcome<Values>::of(std::move(changed));
    };
    alias.linked = "beta";
    return alias;
}

Schema makeSchema()
{
    const auto marle = [](const Values& values) { return lawIs(values, "marle"); };
    const auto linear = [](const Values& values) { return lawIs(values, "linear"); };
    const auto direction = [](const Values& values) { return values.choice("force") == "direction"; };
    const auto shownIf = [](Parameter parameter, const auto& condition) {
        parameter.shown = condition;
        return parameter;
    };
    std::vector<Parameter> parameters{
        realParameter({"m", "m", "mass", "kg", "Mass of the rod.", "rod"}, 1, positive, 0.1, 10,
                      Scale::Logarithmic),
        realParameter({"l", "l", "contact to mass centre", "m",
                       "Distance from the contact with the finger to the mass centre; half the length of a "
                       "uniform rod.",
                       "rod"},
                      0.5, positive, 0.1, 3, Scale::Logarithmic),
        realParameter({"I", "I", "inertia", "kg m²",
                       "Moment of inertia about the mass centre; m l²/3 for a uniform rod of length 2l.",
                       "rod"},
                      1.0 / 12, positive, 0.005, 5, Scale::Logarithmic),
        realParameter({"g", "g", "gravity", "m/s²", "Acceleration of gravity.", "rod"}, 9.81,
                      {.min = 0, .max = 1e3}, 0, 20),
        choiceParameter({"force", "W", "force", "", "Which force holds the law.", "force"},
                        {{"finger", "push on the finger (Example 3)"},
                         {"angle", "torque on the angle, sliding contact"},
                         {"chetaev", "Chetaev's force"},
                         {"direction", "a direction of its own"},
                         {"hand", "the finger is led by hand"}},
                        "finger"),
        shownIf(realParameter({"wx", "w_x", "push on the finger", "",
                               "Component of the force on x; only the ratio with w_t counts.", "force"},
                              1, gain, -1, 1),
                direction),
        shownIf(realParameter({"wt", "w_t", "torque on the angle", "m",
                               "Component of the force on θ; only the ratio with w_x counts.", "force"},
                              0, gain, -1, 1),
                direction),
        choiceParameter({"law", "φ", "law", "", "The law that the servo keeps.", "law"},
                        {{"marle", "section 4: a, β"}, {"linear", "ẋ = k_x x + k_t ψ + k_o ψ̇"}}, "marle"),
        shownIf(
            realParameter({"a", "a", "gain on the tilt", "kg m/s",
                           "Momentum asked for each radian of tilt; the servo balances with a < 0.", "law"},
                          -1, gain, -4, 4),
            marle),
        shownIf(realParameter({"beta", "β", "gain on the momentum", "1/m",
                               "Further momentum asked for each unit of p_θ; the servo balances with β > 0.",
                               "law"},
                              0.6, gain, -1.5, 1.5),
                marle),
        shownIf(realParameter({"kx", "k_x", "gain on the position", "1/s",
                               "Speed asked for each metre from home; 0 forgets the position.", "law"},
                              -0.5, gain, -2, 2),
                linear),
        shownIf(realParameter(
                    {"kt", "k_t", "gain on the tilt", "m/s", "Speed asked for each radian of tilt.", "law"},
                    4, gain, -10, 10),
                linear),
        shownIf(realParameter({"ko", "k_o", "gain on the rate of tilt", "m",
                               "Speed asked for each rad/s of tilting; the rod can balance beyond J/(m l).",
                               "law"},
                              1.6, gain, -4, 4),
                linear),
    };
    return Schema(std::move(parameters), {directionAlias(), dampingAlias(), frequencyAlias()},
                  [](const Values& values) -> std::string {
                      if (values.choice("force") == "direction" && values.real("wx") == 0 &&
                          values.real("wt") == 0)
                          return "the direction (wx, wt) = (0, 0) is none; one of them must differ from 0";
                      return {};
                  });
}

} // namespace

const Kind& servoRodKind()
{
    static const Kind kind = [] {
        Kind k;
        k.id = "servo-rod";
        k.title = "Rod balanced on a finger";
        k.paper =
            "C.-M. Marle, Kinematic and geometric constraints, servomechanisms and control of mechanical "
            "systems, Rendiconti del Seminario Matematico, Università e Politecnico di Torino 54 (1996)";
        k.summary = "A servo keeps one law in three ways: by pushing the finger, by turning the rod, by "
                    "Chetaev's force. The constraint is the same, the motions are not.";
        k.schema = makeSchema();
        k.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
            return std::make_shared<ServoRodSystem>(self, values);
        };
        k.claims = [](unsigned seed) { return judge(servoRodClaims(seed)); };
        return k;
    }();
    return kind;
}

} // namespace casimir::constrained
