#include "core/systems/constrained/rolling_body/rolling_body_system.h"

#include "core/model/morse_count.h"
#include "core/numerics/dense.h"
#include "core/numerics/rotations.h"
#include "core/systems/constrained/constraint_facts.h"
#include "core/systems/constrained/stopped_motion.h"

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::constrained {

using Vec3 = Eigen::Vector3d;
using State10 = RollingBody::State10;

namespace {

constexpr const char* liftOff = "The plane would have to pull: the body lifts off.";
constexpr const char* lyingFlat = "The disk lies flat: it touches the plane with its whole side.";
constexpr double flat = 1e-3; // sine of the angle between the disk and the plane

const MethodInfo exactMethod{
    "exact", "Closed form", 0, false,
    "Path and spin of the homogeneous sphere as functions of time; only its attitude is "
    "integrated."};

} // namespace

RollingBodySystem::RollingBodySystem(const Kind& kind, const Values& values)
    : System(kind, values), body_(rollingParameters(values))
{
    const auto q = [](const char* id, const char* symbol, const char* name) {
        return Quantity{id, symbol, name, ""};
    };
    const auto length = [](const char* id, const char* symbol, const char* name) {
        return Quantity{id, symbol, name, "m"};
    };
    const auto rate = [](const char* id, const char* symbol, const char* name) {
        return Quantity{id, symbol, name, "rad/s"};
    };
    coordinates_ = {length("X", "X", "mass centre, first coordinate"),
                    length("Y", "Y", "mass centre, second coordinate"),
                    length("Z", "Z", "height of the mass centre"),
                    q("qw", "q_w", "attitude, real part"),
                    q("qx", "q_x", "attitude, first component"),
                    q("qy", "q_y", "attitude, second component"),
                    q("qz", "q_z", "attitude, third component"),
                    rate("Omega1", "Ω_1", "angular velocity about body axis 1"),
                    rate("Omega2", "Ω_2", "angular velocity about body axis 2"),
                    rate("Omega3", "Ω_3", "angular velocity about body axis 3")};
    constexpr Range any{.min = -1e6, .max = 1e6}, component{.min = -1, .max = 1},
        spin{.min = -1e4, .max = 1e4};
    const double start[] = {0, 0, 0, 0.9804, 0.1578, -0.0834, 0.0834, 0.6, -0.4, 1.5};
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
        if (i != 2)
            inputs_.push_back({coordinates_[i], start[i], i < 2 ? any : i < 7 ? component : spin});

    const bool atRest = body_.parameters().omega == 0;
    const auto lawIf = [](bool holds) { return holds ? Law::constant() : Law{}; };
    const auto force = [](const char* id, const char* symbol, const char* name) {
        return Quantity{id, symbol, name, "N"};
    };
    const auto momentum = [](const char* id, const char* symbol, const char* name, Law law) {
        return Quantity{id, symbol, name, "N m s", 0, std::move(law)};
    };
    quantities_ = coordinates_;
    const Law ball = lawIf(atRest && body_.isChaplyginBall()), jellett = lawIf(body_.hasJellett());
    const std::vector<Quantity> further{
        length("Px", "P_x", "contact on the plane, first coordinate"),
        length("Py", "P_y", "contact on the plane, second coordinate"),
        force("F3", "F_3", "normal force"),
        q("friction", "μ", "friction coefficient needed"),
        {"E", "E", "energy", "J", 0, atRest ? Law::constant() : Law::balance("power")},
        momentum("Jz", "J_z", "angular momentum about the vertical through the origin",
                 Law::balance("torque")),
        {"E_moving", "E − ωJ_z", "energy less ω times the angular momentum", "J", 0, Law::constant()},
        momentum("Kx", "K_x", "momentum about the contact, first coordinate", ball),
        momentum("Ky", "K_y", "momentum about the contact, second coordinate", ball),
        momentum("Kz", "K_z", "momentum about the contact, third coordinate", ball),
        {"jellett", "j", "Jellett's integral s·IΩ", "N m² s", 0, jellett},
        {"routh", "ρ", "Routh's integral", "kg m²/s", 0, jellett},
        {"spin", "ω_z", "vertical spin", "rad/s", 0, lawIf(body_.isHomogeneousSphere())},
        force("F1", "F_1", "contact force, first coordinate"),
        force("F2", "F_2", "contact force, second coordinate"),
        {"power", "P", "power of the contact force", "W"},
        {"torque", "τ", "torque of the contact force about the vertical", "N m"},
        length("s1", "s_1", "contact on the body, axis 1"),
        length("s2", "s_2", "contact on the body, axis 2"),
        length("s3", "s_3", "contact on the body, axis 3"),
        length("gap", "δ", "gap between body and plane"),
        q("sigma", "σ", "smallest singular value of the constraint")};
    quantities_.insert(quantities_.end(), further.begin(), further.end());
}

State RollingBodySystem::startAt(const std::vector<double>& inputs) const
{
    Eigen::Vector4d q(inputs[2], inputs[3], inputs[4], inputs[5]);
    q.stableNormalize();
    if (!(q.norm() > 0.5)) // all zero: not turned
        q = {1, 0, 0, 0};
    State10 x;
    x << inputs[0], inputs[1], 0, q, inputs[6], inputs[7], inputs[8];
    body_.project(x);
    return x;
}

StateInputs RollingBodySystem::inputsOf(const State& x) const
{
    StateInputs inputs;
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
        if (i != 2)
            inputs.emplace_back(coordinates_[i].id,
                                i >= 3 && i < 7 ? std::clamp(x[static_cast<Eigen::Index>(i)], -1.0, 1.0)
                                                : x[static_cast<Eigen::Index>(i)]);
    return inputs;
}

void RollingBodySystem::evaluate(double, const State& x, std::span<double> out) const
{
    const auto r = body_.report(State10(x));
    std::copy(x.begin(), x.end(), out.begin());
    // Where the plane would have to pull no friction suffices: finite, but beyond any coefficient.
    const double pressing = std::max(r.force[2], 1e-12 * (r.force.norm() + 1e-300));
    const double numbers[] = {r.contactPoint[0],
                              r.contactPoint[1],
                              r.force[2],
                              r.force.head<2>().norm() / pressing,
                              r.energy,
                              r.angularMomentum,
                              r.energy - body_.parameters().omega * r.angularMomentum,
                              r.contactMomentum[0],
                              r.contactMomentum[1],
                              r.contactMomentum[2],
                              r.jellett,
                              r.routh,
                              r.verticalSpin,
                              r.force[0],
                              r.force[1],
                              r.power,
                              r.torque,
                              r.onBody[0],
                              r.onBody[1],
                              r.onBody[2],
                              r.gap,
                              split(body_.splitProblem(State10(x))).smallestSingularValue};
    std::copy(std::begin(numbers), std::end(numbers), out.begin() + x.size());
}

void RollingBodySystem::field(double, const State& x, State& dxdt) const
{
    dxdt = body_.field(State10(x));
}

std::vector<TerminalEvent> RollingBodySystem::events() const
{
    std::vector<TerminalEvent> list{{"lift-off", liftOff, [body = body_](double, const State& x) {
                                         return body.report(State10(x)).force[2];
                                     }}};
    if (body_.parameters().shape == RollingShape::Disk)
        list.push_back({"flat", lyingFlat, [](double, const State& x) {
                            return RollingBody::rotation(State10(x)).row(2).head<2>().norm() - flat;
                        }});
    return list;
}

void RollingBodySystem::project(State& x) const
{
    State10 s = x;
    body_.project(s);
    x = s;
}

std::vector<MethodInfo> RollingBodySystem::methods() const
{
    // A fixed step gains nothing here: rolling keeps no bracket.
    auto list = System::methods();
    std::erase_if(list, [](const MethodInfo& method) { return method.fixedStep; });
    if (body_.isHomogeneousSphere())
        list.push_back(exactMethod);
    return list;
}

std::unique_ptr<Integration> RollingBodySystem::integrate(std::string_view method, double t0, const State& x0,
                                                          const IntegrationOptions& options) const
{
    for (const TerminalEvent& event : events())
        if (event.g(t0, x0) <= 0)
            return std::make_unique<StoppedMotion>(t0, x0, event.sentence);
    IntegrationOptions own = options;
    if (own.scale.size() == 0) {
        own.scale = State::Zero(10);
        own.scale.segment<4>(3).setOnes();
    }
    if (method == "exact" && body_.isHomogeneousSphere())
        return startExactSphere(body_, t0, x0, options);
    return System::integrate(method, t0, x0, own);
}

ConstraintReport RollingBodySystem::constraintSplit(double, const State& x) const
{
    const State10 s = x;
    const SplitProblem problem = body_.splitProblem(s);
    const ConstraintSplit answer = split(problem);
    const auto r = body_.report(s);
    ConstraintReport report;
    report.coordinates.assign(coordinates_.begin(), coordinates_.begin() + 7);
    for (const char* id : {"Vx", "Vy", "Vz"})
        report.coordinates.push_back({id, std::string("V_") + id[1], "velocity of the mass centre", "m/s"});
    report.coordinates.insert(report.coordinates.end(), coordinates_.begin() + 7, coordinates_.end());
    report.free = problem.XH;
    report.constrained = answer.XD;
    report.force = answer.force();
    report.smallestSingularValue = answer.smallestSingularValue;
    report.status = answer.status;
    report.residual = std::abs(r.gap);
    const auto& p = body_.parameters();
    const Eigen::Matrix3d R = RollingBody::rotation(s);
    Eigen::VectorXd dH = Eigen::VectorXd::Zero(13), dJz = dH;
    dH.segment<3>(7) = p.m * r.velocity;
    dH.tail<3>() = p.inertia * s.tail<3>();
    dJz.segment<3>(7) = p.m * Vec3(-s[1], s[0], 0);
    dJz.tail<3>() = p.inertia * R.row(2).transpose();
    report.power = answer.balance(dH);
    report.momenta = {{{"Jz", "J_z", "angular momentum about the vertical through the origin", "N m s"},
                       r.angularMomentum,
                       answer.balance(dJz)}};
    return report;
}

namespace {

// Newton's method on the tangential part of Γ: the downward normal near n on which the height is stationary.
std::optional<Vec3> restNear(const RollingBody& body, Vec3 n)
{
    for (int i = 0; i < 30; ++i) {
        const Vec3 s = body.gamma(n), along = s - n * n.dot(s);
        if (along.norm() < 1e-15 * s.norm())
            break;
        Eigen::Matrix3d slope;
        for (int j = 0; j < 3; ++j) {
            const Vec3 e = Vec3::Unit(j), tangent = e - n * n[j];
            const Vec3 sDot = body.gammaRate(n, tangent);
            slope.col(j) = sDot - n * n.dot(sDot) - tangent * n.dot(s) + n * n[j];
        }
        // Of a body of revolution the slope is singular along the circle of its rests.
        const Vec3 step = dense::leastSquares(slope, -along);
        n = (n + step - n * n.dot(step)).normalized();
    }
    const Vec3 s = body.gamma(n);
    if (!((s - n * n.dot(s)).norm() < 1e-13 * s.norm()))
        return std::nullopt;
    return n;
}

} // namespace

// The tilts about a rest obey (I + m(s² − s sᵀ)) δ'' = m g d(s × γ)δ.
Equilibrium RollingBodySystem::restOn(const Vec3& n, const std::string& name,
                                      const Eigen::Quaterniond& q) const
{
    const auto& p = body_.parameters();
    const Vec3 s = body_.gamma(n), up = -n;
    Eigen::Matrix3d torque;
    for (int j = 0; j < 3; ++j) {
        const Vec3 upDot = up.cross(Vec3::Unit(j));
        torque.col(j) = p.m * p.g * (body_.gammaRate(n, -upDot).cross(up) + s.cross(upDot));
    }
    const Eigen::Matrix3d about =
        p.inertia + p.m * (s.squaredNorm() * Eigen::Matrix3d::Identity() - s * s.transpose());
    const Eigen::VectorXcd squares = dense::eigenvalues(about.ldlt().solve(torque));
    std::vector<std::complex<double>> rates(squares.begin(), squares.end());
    std::sort(rates.begin(), rates.end(), [](auto a, auto b) { return std::abs(a) > std::abs(b); });
    rates.pop_back(); // turning about the vertical

    Equilibrium e;
    e.name = name;
    e.title = name;
    if (const auto sign = e.title.find('-'); sign != std::string::npos)
        e.title.replace(sign, 1, "−");
    State10 x;
    x << 0, 0, 0, q.w(), q.x(), q.y(), q.z(), 0, 0, 0;
    body_.project(x);
    e.point = x;
    e.state = {{{"Z", "Z", "height of the mass centre", "m"}, x[2]},
               {{"n1", "n_1", "downward normal, axis 1", ""}, n[0]},
               {{"n2", "n_2", "downward normal, axis 2", ""}, n[1]},
               {{"n3", "n_3", "downward normal, axis 3", ""}, n[2]}};
    e.energy = p.m * p.g * x[2];
    // Of the energy: what tilting raises the mass centre by, and the motion's own squares.
    Eigen::Matrix<double, 3, 2> tilts;
    tilts.col(0) = n.unitOrthogonal();
    tilts.col(1) = n.cross(tilts.col(0));
    const Eigen::Matrix2d height = -tilts.transpose() * torque * tilts;
    SecondVariation variation;
    for (const double value : dense::symmetricValues(Eigen::MatrixXd(height + height.transpose()) / 2))
        variation.eigenvalues.push_back(value);
    for (const double value : dense::symmetricValues(about))
        variation.eigenvalues.push_back(value);
    variation.positive = 3;
    const double scale = p.g / s.norm();
    for (const auto& square : rates) {
        // The torque is a symmetric form on tilts; what imaginary part there is comes of rounding.
        const double value = std::abs(square.real()) < 1e-9 * scale ? 0 : square.real();
        ++(value > 0 ? variation.negative : value < 0 ? variation.positive : variation.zero);
        const std::complex<double> root = std::sqrt(std::complex<double>(value));
        e.eigenvalues.insert(e.eigenvalues.end(), {root, -root});
    }
    const bool grows = variation.negative > 0, neutral = variation.zero > 0;
    e.secondVariation = std::move(variation);
    State direction = State::Zero(10);
    direction.tail<3>() = n.unitOrthogonal();
    e.directions = {direction};
    e.basis = grows || neutral ? basis::linearisation : basis::energyMomentum;
    e.stability = grows ? verdict::unstable : neutral ? verdict::degenerate : verdict::stable;
    e.detail = grows ? "The mass centre can sink by tilting."
               : neutral
                   ? "Along one direction of tilting, or all, the height does not change to second order."
                   : "The height of the mass centre is least here: the energy keeps tilt and spin small.";
    return e;
}

// The lengths that raise and lower the mass centre, by the shape.
System::UsualAxes RollingBodySystem::usualAxes() const
{
    switch (body_.parameters().shape) {
    case RollingShape::Ellipsoid:
        return {"a3", "Z", "a1", "a3"};
    case RollingShape::Disk:
        return {"radius", "Z", "radius", "rounding"};
    case RollingShape::Sphere:
        break;
    }
    return {"radius", "Z", "d1", "d3"};
}

// Where the height is stationary the body can rest, sought from the ends of its axes. Whether that may be all
// says Morse's count of the height over the sphere of downward normals.
void RollingBodySystem::addRestingStates(Analysis& analysis) const
{
    const bool disk = body_.parameters().shape == RollingShape::Disk;
    MorseCount count(0, 1);
    std::vector<Vec3> normals;
    const char* sides[] = {"on end +1", "on end -1", "on end +2", "on end -2", "on end +3", "on end -3"};
    // On an axis of the body exactly, so that the rest is one to the last digit.
    const double h = std::sqrt(0.5);
    const Eigen::Quaterniond turns[] = {{h, 0, h, 0}, {h, 0, -h, 0}, {h, -h, 0, 0},
                                        {h, h, 0, 0}, {0, 1, 0, 0},  {1, 0, 0, 0}};
    for (int k = 0; k < (disk ? 4 : 6); ++k) {
        const Vec3 start = Vec3::Unit(k / 2) * (k % 2 == 0 ? 1 : -1);
        const auto n = restNear(body_, start);
        if (!n || std::any_of(normals.begin(), normals.end(),
                              [&](const Vec3& m) { return (m - *n).norm() < 1e-6; }))
            continue;
        normals.push_back(*n);
        const bool onAxis = n->dot(start) == 1;
        analysis.equilibria.push_back(
            restOn(*n, sides[k], onAxis ? turns[k] : turnBetween(*n, -Vec3::UnitZ())));
        const SecondVariation& v = *analysis.equilibria.back().secondVariation;
        count.add(v.negative, v.zero);
    }
    addCounts(analysis, count);
}

Analysis RollingBodySystem::analyzeFrom(const StateInputs& given, const Answers&) const
{
    Analysis analysis;
    const auto& p = body_.parameters();
    const State start = System::start(given);
    const bool atRest = p.omega == 0, sphere = body_.isHomogeneousSphere();
    const Vec3 principal = dense::symmetricValues(p.inertia);
    analysis.derived = {
        {{"I1", "I_1", "smallest principal inertia", "kg m²"}, principal[0]},
        {{"I2", "I_2", "middle principal inertia", "kg m²"}, principal[1]},
        {{"I3", "I_3", "largest principal inertia", "kg m²"}, principal[2]},
        {{"realisable", "", "whether a body can have this inertia (I_3 ≤ I_1 + I_2)", ""},
         std::string(principal[2] <= (principal[0] + principal[1]) * (1 + 1e-12) ? "yes" : "no")}};
    if (sphere) {
        const double ratio = body_.kappa() / (1 + body_.kappa());
        analysis.derived.push_back({{"kappa", "κ", "I/(m r²) of the sphere", ""}, body_.kappa()});
        analysis.derived.push_back(
            {{"nu_over_omega", "ν/ω", "rate on the circle over that of the plane", ""}, ratio});
    }
    if (body_.parameters().g > 0 && p.omega == 0)
        addRestingStates(analysis);

    const ConstraintReport report = constraintSplit(0, start);
    addSplit(analysis, report);
    Entry& more = analysis.more;
    more["regularity"] = {{"smallest_singular_value", report.smallestSingularValue},
                          {"regular", report.status.ok()}};
    const auto entry = [](bool conserved, const char* why) {
        return Entry{{"conserved", conserved}, {"balance", why}};
    };
    more["conserved"] = {
        {"E",
         entry(atRest, atRest ? "the contact force does no work" : "dE/dt = F . U, U the plane's velocity")},
        {"E_moving", entry(true, "F . (omega e3 x P) = omega e3 . (P x F)")},
        {"Jz", entry(false, "dJz/dt = (P x F)_3")},
        {"K", entry(atRest && body_.isChaplyginBall(),
                    "a ball with its mass centre in the middle, plane at rest")},
        {"jellett",
         entry(body_.hasJellett(), "a ball with its mass centre on an axis of symmetry, plane at rest")},
        {"routh",
         entry(body_.hasJellett(), "a ball with its mass centre on an axis of symmetry, plane at rest")},
        {"spin", entry(sphere, "a homogeneous sphere")}};
    if (sphere) {
        const auto circle = body_.circle(State10(start));
        const Vec3 V = body_.report(State10(start)).velocity;
        Entry closed{{"path", circle ? "circle" : "straight line"},
                     {"angular_frequency", circle ? circle->nu : 0.0},
                     {"speed", V.norm()}};
        closed["circle_centre"] = circle ? Entry{circle->centre[0], circle->centre[1]} : Entry(nullptr);
        closed["circle_radius"] = circle ? Entry(circle->radius) : Entry(nullptr);
        more["closed_form"] = closed;
    } else {
        more["closed_form"] = nullptr;
    }
    return analysis;
}

} // namespace casimir::constrained
