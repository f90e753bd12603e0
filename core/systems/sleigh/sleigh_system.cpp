#include "core/systems/sleigh/sleigh_system.h"

#include "core/base/error.h"
#include "core/numerics/pi.h"
#include "core/systems/sleigh/sleigh_claims.h"
#include "core/systems/sleigh/sleigh_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace casimir::sleigh {

namespace quantities {
constexpr double turn = 2 * std::numbers::pi;
const Quantity x{"x", "x", "runner, first coordinate", "m", 0, {}, true};
const Quantity y{"y", "y", "runner, second coordinate", "m", 0, {}, true};
const Quantity phi{"phi", "φ", "heading of the runner", "rad", turn, {}, true};
const Quantity v{"v", "v", "speed of the runner", "m/s"};
const Quantity phidot{"phidot", "φ'", "rate of turn", "rad/s"};
const Quantity s{"s", "s", "forward speed of the mass centre, v − b φ'", "m/s"};
const Quantity force{"N", "N", "constraint force on the runner, to its left", "N"};
const Quantity energy{"H", "H", "energy", "J", 0, Law::constant()};
} // namespace quantities

namespace {

constexpr const char* paper =
    "Q. K. Ghori, Whittaker's reduction method for Poincaré's dynamical equations, Technical Report 143, "
    "King Fahd University of Petroleum and Minerals, 1993";

const MethodInfo poincareMethod{"poincare", "Poincaré's equations, derived", 5, false,
                                "Dormand-Prince on equations (2.4), made from the kinetic energy alone by "
                                "automatic differentiation in the "
                                "chosen variables."};
const MethodInfo reducedMethod{"reduced", "Whittaker's reduced form", 5, false,
                               "One equation in φ in the place of five in time, the energy used up: H is "
                               "exact, but the form ends where φ' "
                               "goes to 0."};
const MethodInfo exactMethod{"exact", "Closed form", 0, false,
                             "The solution of section 5, x and y by quadrature to rounding; no step errs."};

Variables variablesNamed(const std::string& id)
{
    return id == "body" ? Variables::Body : id == "centre" ? Variables::Centre : Variables::Space;
}

bool isSlope(const Kind& kind)
{
    return kind.id == "knife-edge";
}

SleighParameters parametersFrom(const Kind& kind, const Values& values)
{
    SleighParameters p{values.real("a"), values.real("b"), values.real("k"), 0};
    if (isSlope(kind))
        p.G = values.real("g") * std::sin(values.real("slope"));
    return p;
}

Schema makeSchema(double a, double k, bool slope)
{
    constexpr Range offset{.min = -1000, .max = 1000};
    std::vector<Parameter> parameters{
        realParameter(
            {"a", "a", "mass centre ahead of the blade", "m",
             "How far the mass centre lies ahead of the blade's point of contact; negative: behind it.",
             "sleigh"},
            a, offset, -1, 1),
        realParameter({"b", "b", "mass centre to the left", "m",
                       "How far the mass centre lies to the left of the blade's line.", "sleigh"},
                      0, offset, -1, 1),
        realParameter({"k", "k", "radius of gyration", "m",
                       "Radius of gyration about the mass centre; the mass is 1 kg.", "sleigh"},
                      k, {.min = 1e-3, .max = 1000}, 0.1, 2, Scale::Logarithmic),
    };
    if (slope) {
        parameters.push_back(realParameter({"slope", "α", "angle of the slope", "rad",
                                            "How steep the plane is; x points downhill.", "slope"},
                                           pi / 9, {.min = -pi / 2, .max = pi / 2}, 0, pi / 3));
        parameters.push_back(
            realParameter({"g", "g", "gravity", "m/s²", "Acceleration of free fall.", "slope"}, 9.81,
                          {.min = 0, .max = 1000}, 0, 20));
    }
    parameters.push_back(choiceParameter(
        {"frame", "η", "Poincaré's variables", "",
         "The velocities in which Poincaré's equations and the reduced form are derived; the motion does not "
         "depend on them.",
         "equations"},
        {{"space", "φ', x', y' as in the paper"},
         {"body", "φ', along and across the blade"},
         {"centre", "the same, with the mass centre's speed s for v"}},
        "space"));
    return Schema(std::move(parameters));
}

Kind makeKind(const char* id, const char* title, const char* summary, Schema schema,
              std::vector<Claim> (*claims)(unsigned))
{
    Kind kind;
    kind.id = id;
    kind.title = title;
    kind.paper = paper;
    kind.summary = summary;
    kind.schema = std::move(schema);
    kind.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
        return std::make_shared<SleighSystem>(self, values);
    };
    kind.claims = claims;
    return kind;
}

Entry number(const std::optional<double>& x)
{
    return x ? Entry(*x + 0.0) : Entry(nullptr);
}

} // namespace

const Kind& sleighKind()
{
    static const Kind kind =
        makeKind("sleigh", "Chaplygin's sleigh",
                 "A blade that cannot slip sideways carries a body: no friction, and yet every motion ends "
                 "in the same "
                 "straight run.",
                 makeSchema(1, 0.7, false), [](unsigned seed) { return sleighClaims(seed); });
    return kind;
}

const Kind& knifeEdgeKind()
{
    static const Kind kind =
        makeKind("knife-edge", "Knife edge on a slope",
                 "A blade on an inclined plane, turning steadily: it draws cycloids and drifts sideways "
                 "without descending.",
                 makeSchema(0, 0.5, true), [](unsigned seed) { return slopeClaims(seed); });
    return kind;
}

SleighSystem::SleighSystem(const Kind& kind, const Values& values)
    : System(kind, values),
      onSlope_(isSlope(kind)),
      sleigh_(parametersFrom(kind, values)),
      equations_(std::make_shared<const SleighEquations>(sleigh_.parameters(),
                                                         variablesNamed(values.choice("frame"))))
{
    namespace q = quantities;
    constexpr Range place{.min = -1e6, .max = 1e6}, speed{.min = -1e4, .max = 1e4};
    Quantity heading = q::phi;
    heading.reconstructed = !onSlope_; // on a slope the heading is no symmetry
    coordinates_ = {q::x, q::y, heading, q::v, q::phidot};
    inputs_ = {{q::x, 0, place},
               {q::y, 0, place},
               {heading, onSlope_ ? 0.3 : 0, place},
               {q::v, onSlope_ ? 0.4 : 0.5, speed},
               {q::phidot, onSlope_ ? 1.3 : 1, speed}};
    quantities_ = {q::x, q::y, heading, q::v, q::phidot, q::s, q::force, q::energy};
}

State SleighSystem::startAt(const std::vector<double>& inputs) const
{
    return Eigen::Map<const Vector5>(inputs.data());
}

StateInputs SleighSystem::inputsOf(const State& x) const
{
    StateInputs result;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        result.emplace_back(inputs_[i].quantity.id, x[static_cast<Eigen::Index>(i)]);
    return result;
}

void SleighSystem::evaluate(double, const State& x, std::span<double> out) const
{
    const Vector5 now = x;
    std::copy(now.begin(), now.end(), out.begin());
    out[5] = sleigh_.s(now);
    out[6] = sleigh_.force(now);
    out[7] = sleigh_.energy(now);
}

void SleighSystem::field(double, const State& x, State& dxdt) const
{
    dxdt = sleigh_.field(x);
}

std::vector<MethodInfo> SleighSystem::methods() const
{
    std::vector<MethodInfo> all = System::methods();
    all.push_back(poincareMethod);
    all.push_back(reducedMethod);
    if (sleigh_.hasClosedForm())
        all.push_back(exactMethod);
    return all;
}

std::unique_ptr<Integration> SleighSystem::integrate(std::string_view method, double t0, const State& x0,
                                                     const IntegrationOptions& options) const
{
    if (method == exactMethod.id)
        return startClosedForm(sleigh_, t0, x0);
    if (method == reducedMethod.id)
        return startReduced(equations_, t0, x0, options);
    if (method == poincareMethod.id) {
        IntegrationOptions scaled = options;
        if (scaled.scale.size() == 0) {
            scaled.scale = State::Zero(x0.size());
            scaled.scale[Phi] = 1;
        }
        return startIntegration(
            kDefaultMethod,
            [equations = equations_](double, const State& x, State& dxdt) { dxdt = equations->field(x); }, t0,
            x0, scaled);
    }
    return System::integrate(method, t0, x0, options);
}

std::unique_ptr<Integration> SleighSystem::integrateBy(const State& x0,
                                                       const IntegrationOptions& options) const
{
    return startReducedByAngle(equations_, x0, options);
}

Equilibrium SleighSystem::straightRun(const std::string& name, double phi, double v) const
{
    namespace q = quantities;
    Equilibrium e;
    e.name = name;
    e.title = name;
    std::replace(e.title.begin(), e.title.end(), '-', ' ');
    e.state = {{q::phi, phi}, {q::v, v}, {q::phidot, 0.0}};
    e.point = State::Zero(5);
    e.point[Phi] = phi;
    e.point[V] = v;
    e.energy = sleigh_.energy(e.point);
    e.spinRate = 0;
    e.basis = basis::closedForm;
    State turning = State::Zero(5);
    turning[V] = sleigh_.parameters().b;
    turning[PhiDot] = 1;
    e.directions = {turning / turning.norm()};
    e.sketch = sketch(phi, v);
    return e;
}

void SleighSystem::analyzeFlat(const Vector5& start, Analysis& analysis) const
{
    const SleighForecast f = forecast(sleigh_, start);
    const int ahead = sleigh_.straightens();
    analysis.more["energy"] = f.energy;
    analysis.more["rate"] = f.rate;
    analysis.more["turn_total"] = number(f.turnTotal);
    analysis.more["asymptotic_speed"] = f.asymptoticSpeed + 0.0;
    analysis.more["phi_initial"] = number(f.phiInitial);
    analysis.more["phi_final"] = number(f.phiFinal);
    analysis.more["cusp_phi"] = number(f.cuspPhi);
    analysis.more["cusp_time"] = number(f.cuspTime);
    if (ahead == 0 && start[PhiDot] != 0)
        analysis.more["radius"] = std::abs(start[V] / start[PhiDot]);

    if (f.speed == 0) {
        Equilibrium rest = straightRun("rest", start[Phi], 0);
        rest.eigenvalues = {0, 0};
        rest.stability = verdict::stable;
        rest.detail =
            "The energy is a positive form of s and φ' and is conserved: speeds that are small remain so.";
        analysis.equilibria.push_back(std::move(rest));
        return;
    }
    // s' = 0 and w' = -(a/kappa^2) s w to first order.
    const auto run = [&](const char* name, double v, double growth, const char* stability,
                         std::string detail) {
        Equilibrium e = straightRun(name, start[Phi], v);
        e.eigenvalues = {growth, 0};
        e.stability = stability;
        e.detail = std::move(detail);
        analysis.equilibria.push_back(std::move(e));
    };
    if (ahead == 0) {
        const char* why =
            "With a = 0 both s and φ' are constant: a disturbed run bends into a circle of large radius, "
            "at the same distance from this state for ever.";
        run("forward", f.speed, 0, verdict::stable, why);
        run("backward", -f.speed, 0, verdict::stable, why);
        return;
    }
    run("mass-ahead", ahead * f.speed, -f.rate, verdict::asymptoticallyStable,
        fmt::format(
            "The mass centre runs ahead of the blade. Every motion of the same energy ends here, φ' dying "
            "out "
            "at the rate {:.6g} per second; the eigenvalue 0 leads to the straight runs of other speeds.",
            f.rate));
    run("mass-behind", -ahead * f.speed, f.rate, verdict::unstable,
        fmt::format("The mass centre trails the blade: any φ' grows at the rate {:.6g} per second until the "
                    "sleigh has "
                    "turned over by {:.6g} rad in all.",
                    f.rate, *f.turnTotal));
}

void SleighSystem::analyzeSlope(const Vector5& start, Analysis& analysis) const
{
    const SleighParameters& p = sleigh_.parameters();
    const double w = start[PhiDot];
    const bool steady = sleigh_.straightens() == 0;
    analysis.more["energy"] = sleigh_.energy(start);
    std::optional<double> v1, drift, period, radius;
    Entry cusps = nullptr;
    if (steady && w != 0) {
        v1 = start[V] - (p.G / w) * std::sin(start[Phi]);
        drift = p.G / (2 * w);
        period = 2 * pi / std::abs(w);
        radius = p.G / (4 * w * w);
        const double sine = -*v1 * w / p.G;
        if (std::abs(sine) <= 1)
            cusps = {std::asin(sine) + 0.0, pi - std::asin(sine)};
    }
    analysis.more["v1"] = number(v1);
    analysis.more["drift"] = number(drift);
    analysis.more["descent"] = steady && w != 0 ? Entry(0.0) : Entry(nullptr);
    analysis.more["period"] = number(period);
    analysis.more["cycloid_radius"] = number(radius);
    analysis.more["cusp_phi"] = cusps;
    if (!steady)
        return; // s' = G cos phi and kappa^2 w' = -a G sin phi never vanish together
    for (const double side : {1.0, -1.0}) {
        Equilibrium e = straightRun(side > 0 ? "across-left" : "across-right", side * pi / 2, start[V]);
        e.point[X] = e.point[Y] = 0;
        e.eigenvalues = {0, 0, 0};
        e.stability = verdict::unstable;
        e.detail =
            "Across the slope gravity does no work on the blade. A heading off by ε changes the speed by G ε "
            "t, "
            "and any φ' keeps turning the blade: disturbances grow with a power of time, not exponentially.";
        analysis.equilibria.push_back(std::move(e));
    }
}

Analysis SleighSystem::analyzeFrom(const StateInputs& given, const Answers&) const
{
    const Vector5 start = System::start(given);
    const SleighParameters& p = sleigh_.parameters();
    Analysis analysis;
    analysis.derived = {
        {{"kappa", "κ", "√(a² + k²)", "m"}, sleigh_.kappa()},
        {{"delta", "δ", "√(a² + b² + k²)", "m"}, sleigh_.delta()},
    };
    if (onSlope())
        analysis.derived.push_back({{"G", "G", "gravity along the slope, g sin α", "m/s²"}, p.G});
    if (p.G == 0)
        analyzeFlat(start, analysis);
    else
        analyzeSlope(start, analysis);
    return analysis;
}

} // namespace casimir::sleigh
