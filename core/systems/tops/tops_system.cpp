#include "core/systems/tops/tops_system.h"

#include "core/base/error.h"
#include "core/numerics/pi.h"
#include "core/systems/tops/tops_claims.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::tops {

namespace {

constexpr double turn = 2 * pi;
constexpr Range anyAngle{.min = -1e6, .max = 1e6};
// Rates of azimuth grow without bound towards the vertical.
constexpr Range anyRate{.min = -1e200, .max = 1e200};

Quantity numbered(const char* id, const char* symbol, const char* name, const char* unit, int i,
                  double period = 0, Law law = {}, bool reconstructed = false)
{
    return {fmt::format("{}_{}", id, i + 1),
            fmt::format("{}_{}{}{}", symbol, i > 8 ? "{" : "", i + 1, i > 8 ? "}" : ""),
            fmt::format("{} of top {}", name, i + 1),
            unit,
            period,
            law,
            reconstructed};
}

// An axis past the vertical (theta < 0) points opposite to its psi: azimuth and mark angle are half a turn
// on.
double halfTurn(double theta)
{
    return theta < 0 ? pi : 0;
}

} // namespace

const Kind& topsKind()
{
    static const Kind kind = [] {
        Kind k;
        k.id = "tops";
        k.title = "Chain of heavy Lagrange tops";
        k.paper =
            "D. A. Chebanov, A new class of nonstationary motions of a system of heavy Lagrange tops with a "
            "non-planar configuration of the system's skeleton, Mekhanika Tverdogo Tela 41 (2011)";
        k.summary =
            "Spinning tops hung on each other by spherical joints: free motion of up to 32, and the exact "
            "motions in one or two turning planes.";
        k.schema = topsSchema();
        k.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
            return std::make_shared<TopsSystem>(self, values);
        };
        k.claims = [](unsigned seed) { return topsClaims(seed); };
        k.readInput = readTopsInput;
        return k;
    }();
    return kind;
}

TopsSystem::TopsSystem(const Kind& kind, const Values& values)
    : System(kind, values), setup_(setupFrom(values))
{
    const int n = size();
    const char* axisNames[] = {"axis, first component", "axis, second component", "axis, height"};
    const char* rateNames[] = {"axis rate, first component", "axis rate, second component",
                               "axis rate, height"};
    const char* markNames[] = {"carried mark, first component", "carried mark, second component",
                               "carried mark, height"};
    const char* const eIds[] = {"ex", "ey", "ez"};
    const char* const vIds[] = {"vx", "vy", "vz"};
    const char* const dIds[] = {"dx", "dy", "dz"};
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k)
            coordinates_.push_back(numbered(eIds[k], eIds[k], axisNames[k], "", i));
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k)
            coordinates_.push_back(numbered(vIds[k], vIds[k], rateNames[k], "1/s", i));
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k)
            coordinates_.push_back(numbered(dIds[k], dIds[k], markNames[k], "", i, 0, {}, true));
    for (int i = 0; i < n; ++i)
        coordinates_.push_back(
            numbered("chi", "χ", "angle about the axis against the carried mark", "rad", i, turn, {}, true));
    for (int i = 0; i < n; ++i)
        coordinates_.push_back(numbered("winding", "ψ", "winding of the azimuth", "rad", i, turn, {}, true));
    for (int i = 0; i < n; ++i)
        coordinates_.push_back(
            numbered("mark_angle", "β", "winding of the carried mark", "rad", i, turn, {}, true));

    if (setup_.motion) {
        coordinates_.push_back({"clock", "τ", "time on the exact motion", "s", 0, {}, true});
        for (int g = 0; g < setup_.motion->planes(); ++g)
            coordinates_.push_back({fmt::format("plane_{}", g + 1),
                                    fmt::format("ψ^0_{}", leaderOf(g) + 1),
                                    "azimuth of the exact motion at the base of its nutation",
                                    "rad",
                                    turn,
                                    {},
                                    true});
        if (!setup_.motion->steady())
            inputs_.push_back({{"phase", "τ", "time on the nutation, in periods", ""}, 0, anyAngle});
        inputs_.push_back({numbered("psi", "ψ", "azimuth", "rad", 0, turn), 0, anyAngle});
        if (setup_.motion->planes() > 1)
            inputs_.push_back({numbered("psi", "ψ", "azimuth", "rad", n - 1, turn), 0, anyAngle});
        for (int i = 0; i < n; ++i) {
            inputs_.push_back({numbered("kick_theta", "δθ", "kick in inclination", "rad", i), 0, anyAngle});
            inputs_.push_back({numbered("kick_psi", "δψ", "kick sideways", "rad", i), 0, anyAngle});
            inputs_.push_back(
                {numbered("kick_dtheta", "δθ'", "kick in rate of inclination", "rad/s", i), 0, anyRate});
            inputs_.push_back(
                {numbered("kick_dpsi", "δψ'", "kick in rate sideways", "rad/s", i), 0, anyRate});
            inputs_.push_back({numbered("phi", "φ", "angle about the axis", "rad", i, turn), 0, anyAngle});
        }
    } else {
        for (int i = 0; i < n; ++i) {
            const AxisAngles& at = setup_.start[static_cast<std::size_t>(i)];
            inputs_.push_back({numbered("theta", "θ", "inclination", "rad", i, turn), at.theta, anyAngle});
            inputs_.push_back({numbered("psi", "ψ", "azimuth", "rad", i, turn), at.psi, anyAngle});
            inputs_.push_back({numbered("phi", "φ", "angle about the axis", "rad", i, turn), 0, anyAngle});
            inputs_.push_back(
                {numbered("dtheta", "θ'", "rate of inclination", "rad/s", i), at.dtheta, anyRate});
            inputs_.push_back({numbered("dpsi", "ψ'", "rate of azimuth", "rad/s", i), at.dpsi, anyRate});
        }
    }

    for (int i = 0; i < n; ++i) {
        quantities_.push_back(numbered("theta", "θ", "inclination", "rad", i));
        quantities_.push_back(numbered("psi", "ψ", "azimuth", "rad", i, turn));
        quantities_.push_back(numbered("phi", "φ", "angle about the axis", "rad", i, turn));
        quantities_.push_back(numbered("q", "q", "spin", "rad/s", i, 0, Law::constant()));
        for (int k = 0; k < 3; ++k)
            quantities_.push_back(numbered(eIds[k], eIds[k], axisNames[k], "", i));
    }
    quantities_.push_back({"H", "H", "energy", "J", 0, Law::constant()});
    quantities_.push_back({"Lz", "L_z", "vertical angular momentum", "N m s", 0, Law::constant()});
    if (setup_.motion) {
        quantities_.push_back(
            {"distance", "δ", "largest distance of an axis from the exact motion, on the unit sphere", ""});
        quantities_.push_back(
            {"residual", "ε", "residual of the equations of motion along the exact one, relative", ""});
    }
    if (setup_.motion && setup_.motion->planes() > 1) {
        quantities_.push_back(
            {"rho_O", "ρ_O", "distance of the joint of the two planes from the line L", "m"});
        quantities_.push_back({"rho_C", "ρ_C", "distance of the mass centre C^* from the line L", "m"});
    }
    measure();
}

void TopsSystem::remember(State& x, int i, double psiNear, double betaNear) const
{
    const int n = size();
    const Eigen::Vector3d e = x.segment<3>(3 * i), d = x.segment<3>(6 * n + 3 * i);
    const double sine = std::hypot(e.x(), e.y());
    const double psi = sine > 0 ? nearestTurn(std::atan2(e.y(), e.x()), psiNear) : psiNear;
    const auto [eTheta, ePsi] = angleBasis(std::atan2(sine, e.z()), psi);
    x[10 * n + i] = psi;
    x[11 * n + i] = nearestTurn(std::atan2(ePsi.dot(d), eTheta.dot(d)), betaNear);
}

State TopsSystem::startAt(const std::vector<double>& inputs) const
{
    const int n = size();
    State x = State::Zero(stateSize());
    if (!setup_.motion) {
        for (int i = 0; i < n; ++i) {
            const double* given = inputs.data() + 5 * i;
            const AxisAngles at{given[0], given[1], given[3], given[4]};
            const auto [eTheta, ePsi] = angleBasis(at.theta, at.psi);
            x.segment<3>(3 * i) = axisOf(at);
            x.segment<3>(3 * n + 3 * i) = axisRateOf(at);
            x.segment<3>(6 * n + 3 * i) = eTheta;
            x[9 * n + i] = given[2];
            remember(x, i, at.psi, 0);
        }
        return x;
    }
    const ExactMotion& motion = *setup_.motion;
    const double* given = inputs.data();
    const double time = motion.steady() ? 0 : *given++ * motion.period();
    const int planes = motion.planes();
    MotionFrame frame;
    std::vector<double> angles(static_cast<std::size_t>(planes), 0.0);
    motion.at(time, angles, frame);
    for (int g = 0; g < planes; ++g)
        angles[static_cast<std::size_t>(g)] = *given++ - frame.psi[static_cast<std::size_t>(leaderOf(g))];
    motion.at(time, angles, frame);
    refer(x, time, angles);
    for (int i = 0; i < n; ++i, given += 5) {
        const auto k = static_cast<std::size_t>(i);
        const Eigen::Vector3d e0 = frame.e.col(i), v0 = frame.v.col(i);
        const auto [eTheta, ePsi] = angleBasis(frame.theta[k], frame.psi[k]);
        const Eigen::Vector3d kick = given[0] * eTheta + given[1] * ePsi;
        const double angle = kick.norm();
        const Eigen::Vector3d e =
            angle > 0 ? Eigen::Vector3d((std::cos(angle) * e0 + std::sin(angle) / angle * kick).normalized())
                      : e0;
        Eigen::Vector3d v = v0 + given[2] * eTheta + given[3] * ePsi, d = eTheta;
        if (angle > 0) {
            const Eigen::Quaterniond turned(Eigen::AngleAxisd(angle, e0.cross(kick).normalized()));
            v = turned * v;
            d = turned * d;
        }
        x.segment<3>(3 * i) = e;
        x.segment<3>(3 * n + 3 * i) = v;
        x.segment<3>(6 * n + 3 * i) = d;
        x[9 * n + i] = given[4];
        remember(x, i, frame.psi[k] + halfTurn(frame.theta[k]), halfTurn(frame.theta[k]));
    }
    return x;
}

TopsSystem::Decomposition TopsSystem::decompose(const State& x) const
{
    const ExactMotion& motion = *setup_.motion;
    const int n = size();
    Decomposition parts;
    const auto planes = static_cast<std::size_t>(motion.planes());
    const auto e = axes(x), v = rates(x);
    parts.time = motion.steady() ? 0 : motion.nutation().timeOf(e(2, 0), v(2, 0));
    parts.planes.assign(planes, 0.0);
    MotionFrame frame;
    motion.at(parts.time, parts.planes, frame);
    for (std::size_t g = 0; g < planes; ++g) {
        const int leader = leaderOf(static_cast<int>(g));
        const Eigen::Vector3d e0 = frame.e.col(leader);
        // On the vertical the direction of motion tells the plane.
        constexpr double vertical = 1e-9;
        const bool byRate =
            std::hypot(e0.x(), e0.y()) < vertical || std::hypot(e(0, leader), e(1, leader)) < vertical;
        const Eigen::Vector3d reference = byRate ? Eigen::Vector3d(frame.v.col(leader)) : e0;
        const Eigen::Vector3d present =
            byRate ? Eigen::Vector3d(v.col(leader)) : Eigen::Vector3d(e.col(leader));
        const auto at = static_cast<std::size_t>(leader);
        const double psi = frame.psi[at] + halfTurn(frame.theta[at]);
        double angle = std::atan2(present.y(), present.x()) - std::atan2(reference.y(), reference.x());
        if (std::hypot(present.x(), present.y()) == 0 || std::hypot(reference.x(), reference.y()) == 0)
            angle = x[10 * n + leader] - psi;
        parts.planes[g] = nearestTurn(angle, x[10 * n + leader] - psi);
    }
    motion.at(parts.time, parts.planes, frame);
    const double unit = motion.period() / turn;
    for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const Eigen::Vector3d e0 = frame.e.col(i), v0 = frame.v.col(i), here = e.col(i);
        const auto [eTheta, ePsi] = angleBasis(frame.theta[k], frame.psi[k]);
        const Eigen::Vector3d axis = e0.cross(here);
        const double sine = axis.norm(), angle = std::atan2(sine, e0.dot(here));
        Eigen::Vector3d direction = here - e0.dot(here) * e0;
        if (sine > 0)
            direction *= angle / direction.norm();
        Eigen::Vector3d vBack = v.col(i), dBack = x.segment<3>(6 * n + 3 * i);
        if (sine > 0) {
            const Eigen::Quaterniond back(Eigen::AngleAxisd(-angle, axis / sine));
            vBack = back * vBack;
            dBack = back * dBack;
        }
        parts.kick.push_back(
            {eTheta.dot(direction), ePsi.dot(direction), eTheta.dot(vBack - v0), ePsi.dot(vBack - v0)});
        parts.twist.push_back(std::atan2(ePsi.dot(dBack), eTheta.dot(dBack)));
        parts.off = std::max({parts.off, angle, unit * (vBack - v0).norm() / (1 + unit * v0.norm())});
    }
    return parts;
}

StateInputs TopsSystem::inputsOf(const State& x) const
{
    const int n = size();
    StateInputs result;
    const auto add = [&](double value) { result.emplace_back(inputs_[result.size()].quantity.id, value); };
    if (!setup_.motion) {
        for (int i = 0; i < n; ++i) {
            const BodyAngles at = anglesAt(x, i);
            for (const double value : {at.at.theta, at.at.psi, at.phi, at.at.dtheta, at.at.dpsi})
                add(value);
        }
        return result;
    }
    const Decomposition parts = decompose(x);
    const ExactMotion& motion = *setup_.motion;
    if (!motion.steady())
        add(parts.time / motion.period());
    MotionFrame frame;
    motion.at(parts.time, parts.planes, frame);
    for (int g = 0; g < motion.planes(); ++g)
        add(frame.psi[static_cast<std::size_t>(leaderOf(g))]);
    for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        for (const double value : parts.kick[k])
            add(value);
        add(x[9 * n + i] + nearestTurn(parts.twist[k], x[11 * n + i] - halfTurn(frame.theta[k])));
    }
    return result;
}

State TopsSystem::exactState(double time, const std::vector<double>& planes, const std::vector<double>& twist,
                             const std::vector<double>& chi) const
{
    const int n = size();
    MotionFrame frame;
    setup_.motion->at(time, planes, frame);
    State x(stateSize());
    refer(x, time, planes);
    for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const auto [eTheta, ePsi] = angleBasis(frame.theta[k], frame.psi[k]);
        x.segment<3>(3 * i) = frame.e.col(i);
        x.segment<3>(3 * n + 3 * i) = frame.v.col(i);
        x.segment<3>(6 * n + 3 * i) = std::cos(twist[k]) * eTheta + std::sin(twist[k]) * ePsi;
        x[9 * n + i] = chi[k];
        remember(x, i, frame.psi[k] + halfTurn(frame.theta[k]), twist[k] + halfTurn(frame.theta[k]));
    }
    return x;
}

void TopsSystem::refer(State& x, double time, const std::vector<double>& planes) const
{
    x[12 * size()] = time;
    std::copy(planes.begin(), planes.end(), x.data() + 12 * size() + 1);
}

TopsSystem::BodyAngles TopsSystem::anglesAt(const State& x, int i) const
{
    const int n = size();
    const Eigen::Vector3d e = x.segment<3>(3 * i), v = x.segment<3>(3 * n + 3 * i),
                          d = x.segment<3>(6 * n + 3 * i);
    BodyAngles result;
    result.at = anglesOf(e, v, x[10 * n + i]);
    const auto [eTheta, ePsi] = angleBasis(result.at.theta, result.at.psi);
    result.phi = x[9 * n + i] + nearestTurn(std::atan2(ePsi.dot(d), eTheta.dot(d)), x[11 * n + i]);
    return result;
}

Eigen::Vector2d TopsSystem::ridersOffLine(const State& x) const
{
    const int first = setup_.motion->firstGroupSize(), n = size();
    const auto e = axes(x);
    const Eigen::Vector3d joint = chain().joint(e, first);
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    double mass = 0;
    for (int i = first; i < n; ++i) {
        const double m = chain().tops()[static_cast<std::size_t>(i)].m;
        centre += m * chain().centre(e, i);
        mass += m;
    }
    centre /= mass;
    return {std::hypot(joint.x(), joint.y()), std::hypot(centre.x(), centre.y())};
}

void TopsSystem::evaluate(double, const State& x, std::span<double> out) const
{
    const int n = size();
    std::size_t at = 0;
    for (int i = 0; i < n; ++i) {
        const BodyAngles angles = anglesAt(x, i);
        for (const double value :
             {angles.at.theta, angles.at.psi, angles.phi, chain().tops()[static_cast<std::size_t>(i)].q,
              x[3 * i], x[3 * i + 1], x[3 * i + 2]})
            out[at++] = value;
    }
    out[at++] = chain().energy(axes(x), rates(x));
    out[at++] = chain().verticalMomentum(axes(x), rates(x));
    if (setup_.motion) {
        MotionFrame frame;
        setup_.motion->at(x[12 * n], {x.data() + 12 * n + 1, x.data() + x.size()}, frame);
        out[at++] = std::sqrt((axes(x) - frame.e).colwise().squaredNorm().maxCoeff());
        out[at++] = chain().residual(frame.e, frame.v, frame.acceleration);
    }
    if (setup_.motion && setup_.motion->planes() > 1) {
        const Eigen::Vector2d off = ridersOffLine(x);
        out[at++] = off[0];
        out[at++] = off[1];
    }
}

void TopsSystem::field(double, const State& x, State& dxdt) const
{
    const int n = size();
    dxdt.head(3 * n) = x.segment(3 * n, 3 * n);
    chain().accelerations(axes(x), rates(x), Eigen::Map<Eigen::Matrix3Xd>(dxdt.data() + 3 * n, 3, n));
    for (int i = 0; i < n; ++i) {
        dxdt.segment<3>(6 * n + 3 * i) =
            -x.segment<3>(3 * n + 3 * i).dot(x.segment<3>(6 * n + 3 * i)) * x.segment<3>(3 * i);
        dxdt[9 * n + i] = chain().tops()[static_cast<std::size_t>(i)].q;
    }
    dxdt.tail(x.size() - 10 * n).setZero();
    if (setup_.motion)
        dxdt[12 * n] = 1;
}

void TopsSystem::project(State& x) const
{
    const int n = size();
    for (int i = 0; i < n; ++i) {
        auto e = x.segment<3>(3 * i);
        auto v = x.segment<3>(3 * n + 3 * i);
        auto d = x.segment<3>(6 * n + 3 * i);
        e.normalize();
        v -= v.dot(e) * e;
        d -= d.dot(e) * e;
        d.normalize();
        remember(x, i, x[10 * n + i], x[11 * n + i]);
    }
}

} // namespace casimir::tops
