#include "core/systems/rod/rod/rod_system.h"

#include "core/systems/rod/rod/rod_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace casimir::rod {

namespace {

constexpr int perNode = 13;
constexpr int tailSize = 4; // the rate of the first chord, the count of halvings

constexpr std::array<MethodInfo, 2> ownMethods{
    MethodInfo{
        "conserving", "Conserving steps", 2, true,
        "Keeps energy, linear and angular momentum to rounding at any step; a step that does not converge is "
        "halved and counted."},
    MethodInfo{
        "mode", "One vibration mode", 1, true,
        "The mode of the linearised motion about the turning equilibrium that the start is in, in closed "
        "form; not a motion of the full equations. What it keeps is the energy of the linearised "
        "motion, H_lin; it ends where its amplitude leaves what a rod can do.",
        true}};

double cleaned(double x, double scale)
{
    return std::abs(x) < 1e-12 * scale ? 0 : x;
}

std::vector<Quantity> coordinatesOf(std::size_t nodes)
{
    std::vector<Quantity> all;
    all.reserve(perNode * nodes + tailSize);
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
    for (const char* c : letters)
        add(fmt::format("chord_{}", c), fmt::format("d'_{{{}}}", c),
            fmt::format("rate of the first element's chord in natural units, {}", c));
    add("halvings", "n_½", "steps halved so far");
    all.back().reconstructed = true;
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
         {.min = -largestKick, .max = largestKick}},
        {{"kick_mode", "k", "mode at the start, the slowest first", ""}, 1, {.min = 1, .max = modesOffered}},
        {{"impulse_x", "p_x", "impulse at the tip in the turning frame, x", "N s"},
         0,
         {.min = -largestImpulse, .max = largestImpulse}},
        {{"impulse_y", "p_y", "impulse at the tip in the turning frame, y", "N s"},
         0,
         {.min = -largestImpulse, .max = largestImpulse}},
        {{"impulse_z", "p_z", "impulse at the tip in the turning frame, z", "N s"},
         0,
         {.min = -largestImpulse, .max = largestImpulse}}};
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
                   {"H_lin", "H_{lin}", "energy of the linearised motion about the equilibrium", "J"},
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
    s.chordRate = x.segment<3>(perNode * static_cast<Eigen::Index>(rod_.nodes()));
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
    x.segment<3>(perNode * static_cast<Eigen::Index>(rod_.nodes())) = s.chordRate;
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
                              linearMotion().energy(linearMotion().deviationOf(s)) * u.energy(),
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
