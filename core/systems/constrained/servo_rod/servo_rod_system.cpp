#include "core/systems/constrained/servo_rod/servo_rod_system.h"

#include "core/base/error.h"
#include "core/numerics/pi.h"
#include "core/systems/constrained/constraint_facts.h"
#include "core/systems/constrained/servo_rod/servo_hand.h"
#include "core/systems/constrained/stopped_motion.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace casimir::constrained {

namespace {

// Where <dphi, w> has lost this much of its terms the accelerations have grown without bound; a run ends.
constexpr double lostHold = 1e-5;
constexpr const char* lostHoldSentence =
    "The constraint became irregular: the force that may hold the law points along the constraint set, so no "
    "force keeps the motion on it from here.";

enum Coordinate { X, Theta, PX, PTheta, Supplied, XDotDot };

const Quantity x{"x", "x", "contact point on the line", "m"};
const Quantity theta{"theta", "θ", "angle of the rod from the line", "rad", 2 * pi};
const Quantity pX{"p_x", "p_x", "momentum conjugate to x", "kg m/s"};
const Quantity pTheta{"p_theta", "p_θ", "momentum conjugate to θ", "N m s"};
const Quantity supplied{"supplied", "E_s", "energy supplied by the servo", "J"};
const Quantity xDotDot{"xddot", "ẍ", "acceleration of the finger", "m/s²"};

} // namespace

ServoRodSystem::ServoRodSystem(const Kind& kind, const Values& values)
    : System(kind, values), rod_(servoRodParameters(values))
{
    coordinates_ = {x, theta, pX, pTheta, supplied};
    if (byHand())
        coordinates_.push_back(xDotDot);
    // The law does not know x unless it asks for it: then x may go on at the upright position.
    coordinates_[X].reconstructed = !rod_.knowsPosition();
    inputs_ = {{x, 0, {.min = -1e6, .max = 1e6}},
               {theta, 1.72, {.min = -1e4, .max = 1e4}},
               {pTheta, 0, {.min = -1e6, .max = 1e6}}};
    const bool slides = rod_.parameters().force == ServoForce::Angle;
    Quantity momentum = pX;
    if (slides)
        momentum.law = Law::constant();
    quantities_ = {x,
                   theta,
                   momentum,
                   pTheta,
                   {"F", "F", "force on the finger", "N"},
                   {"N", "N", "torque on the angle", "N m"},
                   {"power", "P", "power of the servo", "W"},
                   supplied,
                   {"H", "H", "energy", "J", 0, Law::balance("power")},
                   {"owed", "E_o", "energy still to be supplied until it rests upright", "J"},
                   {"residual", "φ", "distance from the law", byHand() ? "" : "kg m/s"},
                   {"sigma", "σ", "smallest singular value of the constraint", ""},
                   {"psi", "ψ", "tilt", "rad", 2 * pi},
                   {"xdot", "ẋ", "velocity of the contact", "m/s"},
                   {"thetadot", "θ̇", "rate of tilting", "rad/s"}};
}

State ServoRodSystem::startAt(const std::vector<double>& inputs) const
{
    const auto px = rod_.lawMomentum(inputs[0], inputs[1], inputs[2]);
    if (!px)
        throw Error(
            fmt::format("at θ = {} the linear law does not determine p_x: J = m l ko sin(θ)", inputs[1]));
    State state = State::Zero(static_cast<Eigen::Index>(coordinates_.size()));
    state.head<4>() << inputs[0], inputs[1], *px, inputs[2];
    return state;
}

StateInputs ServoRodSystem::inputsOf(const State& s) const
{
    return {{"x", s[X]}, {"theta", s[Theta]}, {"p_theta", s[PTheta]}};
}

State ServoRodSystem::carriedFrom(const System& other, double t, const State& x) const
{
    State there = System::carriedFrom(other, t, x);
    there[Supplied] = x[Supplied];
    return there;
}

ServoRod::Motion ServoRodSystem::motionAt(const State& s) const
{
    if (!byHand())
        return rod_.motion(s.head<4>());
    const double xDot = rod_.velocities(s.head<4>())[0];
    return rod_.led(s[Theta], s[PTheta], xDot, s[XDotDot]);
}

void ServoRodSystem::evaluate(double, const State& s, std::span<double> out) const
{
    const ServoRod::Phase z = s.head<4>();
    const auto motion = motionAt(s);
    const auto velocity = rod_.velocities(z);
    const double H = rod_.hamiltonian(z);
    const auto d = rod_.dphi(z);
    const auto w = rod_.forceDirection(z);
    const double sigma = byHand() ? 1 : std::abs(d.tail<2>().dot(w)) / std::max(d.norm() * w.norm(), 1e-300);
    const auto& p = rod_.parameters();
    const double numbers[] = {z[0],
                              z[1],
                              z[2],
                              z[3],
                              motion.force[0],
                              motion.force[1],
                              motion.power,
                              s[Supplied],
                              H,
                              p.m * p.g * p.l - H,
                              byHand() ? 0 : rod_.phi(z),
                              sigma,
                              z[1] - halfPi,
                              velocity[0],
                              velocity[1]};
    std::copy(std::begin(numbers), std::end(numbers), out.begin());
}

void ServoRodSystem::field(double, const State& s, State& dxdt) const
{
    const auto motion = rod_.motion(s.head<4>());
    dxdt.head<4>() = motion.rate;
    dxdt[Supplied] = motion.power;
    if (byHand())
        dxdt[XDotDot] = 0;
}

std::vector<TerminalEvent> ServoRodSystem::events() const
{
    if (byHand() || rod_.parameters().force == ServoForce::Chetaev)
        return {};
    return {{"irregular", lostHoldSentence,
             [rod = rod_](double, const State& s) { return rod.hold(s.head<4>()) - lostHold; }}};
}

void ServoRodSystem::project(State& s) const
{
    ServoRod::Phase z = s.head<4>();
    rod_.project(z);
    s.head<4>() = z;
}

std::vector<MethodInfo> ServoRodSystem::methods() const
{
    // A fixed step gains nothing where no structure is to be kept, and does not come near an irregular point.
    auto list = System::methods();
    std::erase_if(list, [](const MethodInfo& method) { return method.fixedStep; });
    return list;
}

std::unique_ptr<Integration> ServoRodSystem::integrate(std::string_view method, double t0, const State& x0,
                                                       const IntegrationOptions& options) const
{
    if (byHand() && options.input) {
        (void)genericMethod(method);
        return startHandMotion(rod_, method, t0, x0, options);
    }
    if (!byHand() && rod_.hold(x0.head<4>()) <= lostHold)
        return std::make_unique<StoppedMotion>(t0, x0, lostHoldSentence);
    return System::integrate(method, t0, x0, options);
}

LiveChannel ServoRodSystem::liveChannel() const
{
    const auto& p = rod_.parameters();
    LiveChannel channel;
    channel.quantity = "x";
    channel.listening = byHand();
    channel.origin = {0, -0.55 * p.l, 0};
    channel.along = Eigen::Vector3d::UnitX();
    // As fast as the foot of a falling rod, and not at rest without gravity.
    channel.pace = std::max(0.5 * std::sqrt(p.g * p.l), p.l);
    channel.instruction = "Drag the finger or hold ← → to keep the rod up; H hands over to the servo.";
    channel.take = "Lead the finger by hand";
    channel.handOver = "Hand over to the servo";
    channel.taken = {{"force", std::string("hand")}};
    channel.handedOver = {{"force", std::string("finger")}};
    return channel;
}

ServoRod ServoRodSystem::servo() const
{
    ServoRodParameters p = rod_.parameters();
    if (p.force == ServoForce::Hand)
        p.force = ServoForce::Finger;
    return ServoRod(p);
}

ConstraintReport ServoRodSystem::constraintSplit(double, const State& s) const
{
    const ServoRod::Phase z = s.head<4>();
    const SplitProblem problem = rod_.splitProblem(z);
    ConstraintReport report;
    report.coordinates = {x, theta, pX, pTheta};
    report.free = problem.XH;
    Eigen::VectorXd dH(4), dpx(4);
    const auto velocity = rod_.velocities(z);
    dH << -problem.XH[2], -problem.XH[3], velocity[0], velocity[1];
    dpx << 0, 0, 1, 0;
    if (byHand()) {
        const auto motion = motionAt(s);
        report.constrained = motion.rate;
        report.force = motion.rate - problem.XH;
        report.smallestSingularValue = 1;
        report.power = motion.power;
        report.momenta = {{pX, z[2], motion.force[0]}};
        return report;
    }
    const ConstraintSplit answer = split(problem);
    report.constrained = answer.XD;
    report.force = answer.force();
    report.smallestSingularValue = answer.smallestSingularValue;
    report.status = answer.status;
    report.residual = rod_.phi(z);
    report.power = answer.balance(dH);
    report.momenta = {{pX, z[2], answer.balance(dpx)}};
    return report;
}

Equilibrium ServoRodSystem::upright() const
{
    const auto& p = rod_.parameters();
    const ServoSpectrum spectrum = rod_.spectrum();
    Equilibrium e;
    e.name = e.title = "upright";
    e.point = State::Zero(static_cast<Eigen::Index>(coordinates_.size()));
    e.point[Theta] = halfPi;
    e.state = {{theta, halfPi}, {pX, 0.0}, {pTheta, 0.0}};
    if (rod_.knowsPosition())
        e.state.insert(e.state.begin(), {x, 0.0});
    e.energy = p.m * p.g * p.l;
    e.eigenvalues = spectrum.eigenvalues;
    e.basis = p.law == ServoLaw::Marle ? basis::closedForm : basis::linearisation;
    State tilt = State::Zero(e.point.size());
    tilt[Theta] = 1;
    constexpr double step = 1e-4;
    if (const auto px = rod_.lawMomentum(0, halfPi + step, 0))
        tilt[PX] = *px / step;
    e.directions = {tilt / tilt.norm()};
    e.sketch.lines.push_back({.x = {0, 0}, .y = {0, 2 * p.l}, .colour = Colour::body(0), .emphasised = true});
    e.sketch.marks.push_back({.x = 0, .y = 0, .shape = MarkShape::Ring});

    switch (rod_.verdict()) {
    case ServoVerdict::StableNode:
    case ServoVerdict::StableFocus:
        e.stability = verdict::asymptoticallyStable;
        e.detail =
            rod_.knowsPosition()
                ? "The rod comes upright and the finger comes home."
                : "θ and p_θ come to rest; x is neutral: the finger rests wherever it ends (an eigenvalue 0 "
                  "along x is left out).";
        break;
    case ServoVerdict::Neutral:
        if (p.force == ServoForce::Angle) {
            e.stability = verdict::spectrallyStable;
            e.detail =
                "Nothing removes p_x = c: the tilt settles where p_θ = −l c sin θ, and the contact slides "
                "at c/m.";
        } else if (p.law == ServoLaw::Marle && p.a == 0 && p.beta > 0) {
            e.stability = verdict::spectrallyStable;
            e.detail = "With a = 0 the law is reversible: the upright position is a centre, also beyond the "
                       "linearisation.";
        } else {
            e.stability = verdict::degenerate;
            e.detail =
                "A further eigenvalue is 0 or the pair is imaginary; the linearisation does not decide.";
        }
        break;
    case ServoVerdict::Irregular:
        e.stability = verdict::degenerate;
        e.basis = basis::linearisation;
        e.detail = spectrum.status.sentence;
        break;
    case ServoVerdict::UnstableFocus:
    case ServoVerdict::UnstableNode:
    case ServoVerdict::Saddle:
        e.stability = verdict::unstable;
        e.detail = p.force == ServoForce::Chetaev
                       ? "Chetaev's force keeps the law and does not balance the rod: one eigenvalue is "
                         "positive whatever the gains."
                   : p.force == ServoForce::Hand ? "With the finger at rest the rod falls."
                                                 : "An eigenvalue has a positive real part.";
        break;
    }
    // With no gravity or no hold the polynomial may leave the torque's own case at rest.
    if (p.force == ServoForce::Angle && spectrum.status.ok() && !e.eigenvalues.empty() &&
        e.stability == verdict::asymptoticallyStable)
        e.stability = verdict::spectrallyStable;
    return e;
}

std::optional<State> ServoRodSystem::startOrNone(const StateInputs& given) const
{
    try {
        return start(given);
    } catch (const Error&) { // the law determines no p_x there
        return std::nullopt;
    }
}

Entry ServoRodSystem::closedForms(const StateInputs& given) const
{
    const auto& p = rod_.parameters();
    const ServoVerdict verdictNow = rod_.verdict();
    const bool finger = p.force == ServoForce::Finger, slides = p.force == ServoForce::Angle,
               marle = p.law == ServoLaw::Marle,
               settles = verdictNow == ServoVerdict::StableNode || verdictNow == ServoVerdict::StableFocus;
    const auto x0 = startOrNone(given);
    Entry closed;
    const auto q = rod_.characteristic();
    closed["characteristic_polynomial"] = {q[0], q[1], q[2], q[3]};
    closed["oscillates"] =
        verdictNow == ServoVerdict::StableFocus || verdictNow == ServoVerdict::UnstableFocus;
    if (finger && settles && x0)
        closed["energy_supplied_until_rest"] = p.m * p.g * p.l - rod_.hamiltonian(x0->head<4>());
    if (finger && marle && settles && x0)
        closed["linear_finger_travel"] = rod_.fingerTravel((*x0)[Theta] - halfPi, (*x0)[PTheta]);
    if (slides && marle && p.beta * p.l != -1)
        closed["decay_rate"] = p.a * p.l / (p.I * (1 + p.beta * p.l));
    if (slides && x0) {
        closed["sliding_speed"] = (*x0)[PX] / p.m;
        const auto tilt = rod_.slidingTilt((*x0)[PX]);
        closed["final_theta"] = tilt ? Entry(halfPi + *tilt) : Entry(nullptr);
    }
    return closed;
}

// Led by hand the rod falls as a pendulum does, whatever the law is.
System::UsualAxes ServoRodSystem::usualAxes() const
{
    if (byHand())
        return {"l", "growth_rate", "l", "g"};
    return {};
}

Analysis ServoRodSystem::analyzeFrom(const StateInputs& given, const Answers&) const
{
    const auto& p = rod_.parameters();
    const double none = std::numeric_limits<double>::quiet_NaN();
    const double ml = p.m * p.l;
    Analysis analysis;
    const ServoRod::Pair chetaev = rod_.chetaevDirection();
    analysis.derived = {{{"J", "J", "inertia about the contact, I + m l²", "kg m²"}, rod_.J()},
                        {{"fall_rate", "√(mgl/J)", "rate of falling about a finger at rest", "1/s"},
                         std::sqrt(ml * p.g / rod_.J())},
                        {{"chetaev_delta", "δ_C", "direction of Chetaev's force, upright", "rad"},
                         std::atan(chetaev[1] / p.l / chetaev[0])}};
    if (p.law == ServoLaw::Marle) {
        analysis.derived.push_back({{"psi_strip", "ψ*", "half the width of the invariant strip", "rad"},
                                    rod_.stripHalfWidth().value_or(none)});
        analysis.derived.push_back(
            {{"kt_equivalent", "k_t", "the law near upright as ẋ = k_t ψ + k_o ψ̇", "m/s"},
             p.beta != 0 ? -p.a / (ml * p.beta) : none});
        analysis.derived.push_back(
            {{"ko_equivalent", "k_o", "the law near upright as ẋ = k_t ψ + k_o ψ̇", "m"},
             p.beta != 0 ? (p.I / (p.l * rod_.J()) + p.beta) * rod_.J() / (ml * p.beta) : none});
    } else {
        analysis.derived.push_back({{"psi_regular", "ψ_r", "tilt up to which the law is regular", "rad"},
                                    rod_.regularHalfWidth().value_or(none)});
        analysis.derived.push_back(
            {{"ko_least", "J/(ml)", "k_o beyond which the rod can balance", "m"}, rod_.J() / ml});
    }
    analysis.equilibria = {upright()};

    const ConstraintReport at = constraintSplit(0, analysis.equilibria.front().point);
    Entry& more = analysis.more;
    more["regularity"] = {{"at", "upright"},
                          {"smallest_singular_value", at.smallestSingularValue},
                          {"regular", at.status.ok()}};
    if (const auto x0 = startOrNone(given)) {
        const ConstraintReport there = constraintSplit(0, *x0);
        addSplit(analysis, there);
        more["regularity"]["at_start"] = {{"smallest_singular_value", there.smallestSingularValue},
                                          {"regular", there.status.ok()},
                                          {"residual", there.residual}};
    } else {
        more["regularity"]["at_start"] = nullptr;
    }
    const bool slides = p.force == ServoForce::Angle;
    more["conserved"] = {
        {"H", {{"conserved", false}, {"balance", "dH/dt = F x' + N θ', the power of the servo"}}},
        {"p_x", {{"conserved", slides}, {"balance", slides ? "no force acts on x" : "dp_x/dt = F"}}}};
    more["closed_form"] = closedForms(given);
    return analysis;
}

} // namespace casimir::constrained
