#include "core/systems/rod/rod_system.h"

#include "core/systems/rod/rod_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace casimir::rod {

namespace {

constexpr int perNode = 13;
// A linear mode grows without bound; what is drawn does not, beyond this part of the rod's length.
constexpr double largestAmplitude = 0.6;

enum Tail { Kick, Mode, ImpulseX, ImpulseY, ImpulseZ, Halvings, TailSize };

constexpr std::array<MethodInfo, 2> ownMethods{
    MethodInfo{
        "conserving", "Conserving steps", 2, true,
        "Keeps energy, linear and angular momentum to rounding at any step; a step that does not converge is "
        "halved and counted."},
    MethodInfo{"mode", "One vibration mode", 1, true,
               "The chosen mode of the linearised motion about the turning equilibrium, in closed form; not "
               "a motion of "
               "the full equations.",
               true}};

double cleaned(double x, double scale)
{
    return std::abs(x) < 1e-12 * scale ? 0 : x;
}

std::vector<Quantity> coordinatesOf(std::size_t nodes)
{
    std::vector<Quantity> all;
    all.reserve(perNode * nodes + TailSize);
    const char* letters[] = {"x", "y", "z"};
    const auto add = [&](std::string id, std::string symbol, std::string name) {
        all.push_back({std::move(id), std::move(symbol), std::move(name), ""});
    };
    for (std::size_t i = 0; i < nodes; ++i) {
        for (const char* c : letters)
            add(fmt::format("{}{}", c, i), fmt::format("{}_{{{}}}", c, i),
                fmt::format("place of node {} in L, {}", i, c));
        for (const char* c : {"w", "x", "y", "z"})
            add(fmt::format("q{}{}", c, i), fmt::format("q_{{{}{}}}", c, i),
                fmt::format("turn of node {}, {}", i, c));
        for (const char* c : letters)
            add(fmt::format("p{}{}", c, i), fmt::format("p_{{{}{}}}", c, i),
                fmt::format("momentum of node {} in natural units, {}", i, c));
        for (const char* c : letters)
            add(fmt::format("pi{}{}", c, i), fmt::format("π_{{{}{}}}", c, i),
                fmt::format("spin of node {} in natural units, {}", i, c));
    }
    add("start_kick", "a", "amplitude of the starting mode");
    add("start_mode", "k", "starting mode");
    for (const char* c : letters)
        add(fmt::format("start_impulse_{}", c), fmt::format("p_{{{}}}", c),
            fmt::format("starting impulse, {}", c));
    add("halvings", "n_½", "steps halved so far");
    return all;
}

} // namespace

const Kind& rodKind()
{
    static const Kind kind = [] {
        Kind k;
        k.id = "rod";
        k.title = "Rigid body with a flexible rod";
        k.paper =
            "T. A. Posbergh, J. C. Simo, J. E. Marsden, Stability analysis of a rigid body with attached "
            "geometrically nonlinear rod by the energy-momentum method, Contemporary Mathematics 97 (1989)";
        k.summary = "A spinning body in space with a geometrically exact rod clamped to it: how the rod "
                    "stretches, bends "
                    "and buckles, and the energy-momentum test of its stability.";
        k.schema = rodSchema();
        k.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
            return std::make_shared<RodSystem>(self, values);
        };
        k.claims = [](unsigned seed) { return rodClaims(seed); };
        return k;
    }();
    return kind;
}

RodSystem::RodSystem(const Kind& kind, const Values& values)
    : System(kind, values), setup_(setupOf(values)), rod_(setup_.natural), dynamics_(rod_, setup_.damping)
{
    coordinates_ = coordinatesOf(rod_.nodes());
    inputs_ = {
        {{"kick", "a", "amplitude of the mode at the start, in lengths of the rod", ""},
         0,
         {.min = -0.5, .max = 0.5}},
        {{"kick_mode", "k", "mode at the start, the slowest first", ""}, 1, {.min = 1, .max = modesOffered}},
        {{"impulse_x", "p_x", "impulse at the tip in the turning frame, x", "N s"},
         0,
         {.min = -1e6, .max = 1e6}},
        {{"impulse_y", "p_y", "impulse at the tip in the turning frame, y", "N s"},
         0,
         {.min = -1e6, .max = 1e6}},
        {{"impulse_z", "p_z", "impulse at the tip in the turning frame, z", "N s"},
         0,
         {.min = -1e6, .max = 1e6}}};
    const Law kept = Law::constant();
    quantities_ = {{"tip_x", "t_x", "tip from the body's mass centre, body x", "m"},
                   {"tip_y", "t_y", "tip from the body's mass centre, body y", "m"},
                   {"tip_z", "t_z", "tip from the body's mass centre, body z", "m"},
                   {"deflection", "u", "distance of the tip from its undeformed place", "m"},
                   {"omega_x", "ω_1", "angular velocity of the body, body x", "rad/s"},
                   {"omega_y", "ω_2", "angular velocity of the body, body y", "rad/s"},
                   {"omega_z", "ω_3", "angular velocity of the body, body z", "rad/s"},
                   {"nutation", "β", "angle between the body's z axis and the angular momentum", "rad"},
                   {"T", "T", "kinetic energy", "J"},
                   {"V", "V", "strain energy", "J"},
                   {"H", "H", "energy", "J", 0, setup_.damping > 0 ? Law{} : kept},
                   {"mu", "μ", "angular momentum", "N m s", 0, kept},
                   {"J_x", "J_x", "angular momentum in space, x", "N m s", 0, kept},
                   {"J_y", "J_y", "angular momentum in space, y", "N m s", 0, kept},
                   {"J_z", "J_z", "angular momentum in space, z", "N m s", 0, kept},
                   {"P_x", "P_x", "linear momentum, x", "N s", 0, kept},
                   {"P_y", "P_y", "linear momentum, y", "N s", 0, kept},
                   {"P_z", "P_z", "linear momentum, z", "N s", 0, kept},
                   {"halved", "n_½", "steps halved because they did not converge", ""}};
}

const RodEquilibrium& RodSystem::equilibrium() const
{
    std::call_once(solved_, [this] { equilibrium_ = equilibriumOf(setup_, rod_.parameters()); });
    return equilibrium_;
}

const RodEquilibrium& RodSystem::movingEquilibrium() const
{
    std::call_once(movingSolved_, [this] { moving_ = equilibriumOf(setup_, dynamics_.rod().parameters()); });
    return moving_;
}

const RodSpectrum& RodSystem::movingModes() const
{
    std::call_once(modesSolved_, [this] {
        const RodLinearisation at(dynamics_.rod(), movingEquilibrium());
        modes_ = spectrumOf(at, modesOffered, 0, true);
        std::erase_if(modes_.modes,
                      [](const RodMode& m) { return !m.shape.allFinite() || !m.velocity.allFinite(); });
        std::sort(modes_.modes.begin(), modes_.modes.end(),
                  [](const RodMode& a, const RodMode& b) { return a.value.imag() < b.value.imag(); });
    });
    return modes_;
}

RodState RodSystem::unpacked(const State& x) const
{
    RodState s;
    for (std::size_t i = 0; i < rod_.nodes(); ++i) {
        const auto k = perNode * static_cast<Eigen::Index>(i);
        s.x.push_back(x.segment<3>(k));
        s.q.push_back(Quat(x[k + 3], x[k + 4], x[k + 5], x[k + 6]).normalized());
        s.p.push_back(x.segment<3>(k + 7));
        s.pi.push_back(x.segment<3>(k + 10));
    }
    return s;
}

void RodSystem::pack(const RodState& s, State& x) const
{
    for (std::size_t i = 0; i < rod_.nodes(); ++i) {
        const auto k = perNode * static_cast<Eigen::Index>(i);
        x.segment<3>(k) = s.x[i];
        Eigen::Vector4d q(s.q[i].w(), s.q[i].x(), s.q[i].y(), s.q[i].z());
        // One hemisphere with what was there, so that interpolation takes the short way.
        if (q.dot(x.segment<4>(k + 3)) < 0)
            q = -q;
        x.segment<4>(k + 3) = q;
        x.segment<3>(k + 7) = s.p[i];
        x.segment<3>(k + 10) = s.pi[i];
    }
}

RodStart RodSystem::startOf(const State& x) const
{
    const auto tail = x.tail<TailSize>();
    return {tail[Kick], static_cast<int>(tail[Mode]), {tail[ImpulseX], tail[ImpulseY], tail[ImpulseZ]}};
}

RodState RodSystem::linearMotion(const RodStart& start, double t) const
{
    const RodEquilibrium& e = movingEquilibrium();
    RodConfiguration at = e.at;
    const std::size_t n = rod_.nodes();
    std::vector<Vec3> v(n), w(n);
    Eigen::VectorXd rate = Eigen::VectorXd::Zero(rod_.size());
    if (start.kick != 0 && !movingModes().modes.empty()) {
        const auto& modes = movingModes().modes;
        const RodMode& mode =
            modes[std::min<std::size_t>(static_cast<std::size_t>(start.mode) - 1, modes.size() - 1)];
        const std::complex<double> exponent = mode.value * t;
        const double size =
            std::min(std::abs(start.kick) * std::exp(std::min(exponent.real(), 50.0)), largestAmplitude);
        const std::complex<double> amplitude =
            std::copysign(size, start.kick) * std::polar(1.0, exponent.imag());
        move(at, (amplitude * mode.shape).real());
        rate = (amplitude * mode.velocity).real();
    }
    for (std::size_t i = 0; i < n; ++i) {
        const auto k = 6 * static_cast<Eigen::Index>(i);
        v[i] = e.xi().cross(at.x[i]) + rate.segment<3>(k);
        w[i] = e.xi() + rate.segment<3>(k + 3);
    }
    // The leaf of the equilibrium: no linear momentum, the same angular momentum.
    dynamics_.rod().centreAtOrigin(at);
    RodState s = dynamics_.stateOf(at, v, w);
    const Vec3 drift = dynamics_.linearMomentum(s) / dynamics_.rod().mass();
    const Vec3 wanted(0, 0, rod::angularMomentum(dynamics_.rod(), e));
    const Vec3 spin = dynamics_.rod().lockedInertia(at).ldlt().solve(wanted - dynamics_.angularMomentum(s));
    for (std::size_t i = 0; i < n; ++i) {
        v[i] += spin.cross(at.x[i]) - drift;
        w[i] += spin;
    }
    s = dynamics_.stateOf(at, v, w);
    const Quat turn(Eigen::AngleAxisd(e.omega * t, Vec3::UnitZ()));
    for (std::size_t i = 0; i < n; ++i) {
        s.x[i] = turn * s.x[i];
        s.q[i] = turn * s.q[i];
        s.p[i] = turn * s.p[i];
        s.pi[i] = turn * s.pi[i];
    }
    return s;
}

State RodSystem::startAt(const std::vector<double>& inputs) const
{
    const RodStart start{inputs[0], static_cast<int>(std::lround(inputs[1])),
                         Vec3(inputs[2], inputs[3], inputs[4]) *
                             (setup_.units.time / (setup_.units.mass * setup_.units.length))};
    RodState s = linearMotion(start, 0);
    if (start.impulse.norm() > 0) {
        // In the frame of the mass centre after the blow, so that the picture stays.
        s.p.back() += start.impulse;
        for (std::size_t i = 0; i < rod_.nodes(); ++i)
            s.p[i] -= dynamics_.mass(i) / dynamics_.rod().mass() * start.impulse;
    }
    State x = State::Zero(static_cast<Eigen::Index>(coordinates_.size()));
    for (std::size_t i = 0; i < rod_.nodes(); ++i)
        x[perNode * static_cast<Eigen::Index>(i) + 3] = 1;
    pack(s, x);
    x.tail<TailSize>() << start.kick, start.mode, start.impulse, 0;
    return x;
}

StateInputs RodSystem::inputsOf(const State& x) const
{
    const RodStart start = startOf(x);
    const Vec3 impulse = start.impulse * (setup_.units.mass * setup_.units.length / setup_.units.time);
    return {{"kick", start.kick},
            {"kick_mode", static_cast<double>(std::clamp(start.mode, 1, modesOffered))},
            {"impulse_x", impulse.x()},
            {"impulse_y", impulse.y()},
            {"impulse_z", impulse.z()}};
}

void RodSystem::evaluate(double, const State& x, std::span<double> out) const
{
    const RodState s = unpacked(x);
    const RodUnits& u = setup_.units;
    const RodConfiguration at = dynamics_.configurationOf(s);
    const Vec3 tip = at.q[0].conjugate() * (at.x.back() - at.x[0]);
    const RodParameters& p = rod_.parameters();
    const Vec3 straight = p.r0 + rod_.law().D.col(2);
    const Vec3 w = at.q[0].conjugate() * dynamics_.angularVelocity(s, 0);
    const Vec3 J = dynamics_.angularMomentum(s), P = dynamics_.linearMomentum(s);
    double moved = 0;
    for (const Vec3& q : s.p)
        moved += q.norm();
    const double T = dynamics_.kineticEnergy(s), V = dynamics_.strainEnergy(s), mu = J.norm();
    const Vec3 z = at.q[0] * Vec3::UnitZ();
    const double momentum = u.mass * u.length / u.time;
    const double numbers[] = {tip.x() * u.length,
                              tip.y() * u.length,
                              tip.z() * u.length,
                              (tip - straight).norm() * u.length,
                              w.x() / u.time,
                              w.y() / u.time,
                              w.z() / u.time,
                              mu > 0 ? std::atan2(z.cross(J).norm(), z.dot(J)) : 0,
                              T * u.energy(),
                              V * u.energy(),
                              (T + V) * u.energy(),
                              mu * u.momentum(),
                              cleaned(J.x(), mu) * u.momentum(),
                              cleaned(J.y(), mu) * u.momentum(),
                              cleaned(J.z(), mu) * u.momentum(),
                              cleaned(P.x(), moved) * momentum,
                              cleaned(P.y(), moved) * momentum,
                              cleaned(P.z(), moved) * momentum,
                              x[x.size() - 1]};
    std::copy(std::begin(numbers), std::end(numbers), out.begin());
}

std::vector<MethodInfo> RodSystem::methods() const
{
    return {ownMethods.begin(), ownMethods.end()};
}

std::unique_ptr<Integration> RodSystem::integrate(std::string_view method, double t0, const State& x0,
                                                  const IntegrationOptions& options) const
{
    return startRodMotion(std::static_pointer_cast<const RodSystem>(shared_from_this()), method, t0, x0,
                          options);
}

} // namespace casimir::rod
