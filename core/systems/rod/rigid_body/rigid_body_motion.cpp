#include "core/systems/rod/rigid_body/rigid_body_motion.h"

#include "core/numerics/pi.h"

#include <cmath>

namespace casimir::rod {

namespace {

// A margin within this many units in the last place of its two terms counts as none: the squares and
// quotients in them round about six times, and a state put on the separatrix rounds too.
constexpr double separatrixUlps = 16;
constexpr double ulp = 2.3e-16;

Quat about(const Vec3& axis, double angle)
{
    return Quat(Eigen::AngleAxisd(angle, axis));
}

} // namespace

const char* name(PolhodeKind kind)
{
    switch (kind) {
    case PolhodeKind::Equilibrium:
        return "equilibrium";
    case PolhodeKind::AboutAxis:
        return "about axis";
    case PolhodeKind::Heteroclinic:
        break;
    }
    return "heteroclinic";
}

RigidBodyMotion::RigidBodyMotion(const RigidBody& body, const Vec3& M0, const Quat& q0)
    : body_(body), M0_(M0), q0_(q0.normalized()), length_(M0.norm()), energy_(body.hamiltonian(M0))
{
    const Vec3& I = body.I();
    const RigidBody::Margin margin = body.margin(M0);
    const bool separatrix = std::abs(margin.value) <= separatrixUlps * ulp * margin.scale;
    const bool aboutMaximum = separatrix || margin.value > 0;
    b_ = body.middle();
    e_ = aboutMaximum ? body.maximum() : body.minimum();
    o_ = aboutMaximum ? body.minimum() : body.maximum();
    handed_ = aboutMaximum ? body.parity() : -body.parity();

    const double Ie = I[e_], Ib = I[b_], Io = I[o_];
    const double eo = std::abs(Ie - Io), eb = std::abs(Ie - Ib), bo = std::abs(Ib - Io);
    const double Mo = M0[o_], Mb = M0[b_], Me = M0[e_];
    const double across = Mo * Mo * eo / Io + Mb * Mb * eb / Ib; // |2 H I_e - M²|
    if (across <= 0 || eb <= 0 || (separatrix && margin.scale <= 0)) {
        // On an axis, or on a circle of equilibria: ω is constant in the body.
        kind_ = PolhodeKind::Equilibrium;
        M0.cwiseAbs().maxCoeff(&e_);
        return;
    }
    kind_ = separatrix ? PolhodeKind::Heteroclinic : PolhodeKind::AboutAxis;
    ampO_ = std::sqrt(across * Io / eo);
    ampB_ = std::sqrt(across * Ib / eb);
    ampE_ = std::sqrt(Me * Me + Mb * Mb * bo / Ib * Ie / eo);
    const double kc = separatrix ? 0 : std::sqrt(std::abs(margin.value) * Ie / eb) / ampE_;
    jacobi_ = JacobiFunctions(std::min(kc, 1.0));
    // dM_b/dt = ± M_e M_o (1/I_a - 1/I_c); the same sign for both outer axes.
    rate_ = body.parity() * ampE_ * std::sqrt(eo / Io / Ie) * std::sqrt(eb / Ib / Ie);
    if (Me < 0) {
        ampE_ = -ampE_;
        rate_ = -rate_;
    }
    // On the separatrix cn = sech does not change its sign: the amplitude carries it.
    if (separatrix && Mo < 0) {
        ampO_ = -ampO_;
        rate_ = -rate_;
    }
    phase0_ = jacobi_.phaseAt(Mb / ampB_, Mo / ampO_);

    w_ = bo == 0 ? 0 : std::max(0.0, Ib * eo / (Io * eb) - 1);
    spin_ = (aboutMaximum ? 1 : -1) * length_ * eo / (Ie * Io);
    third0_ = jacobi_.thirdKind(w_, phase0_);
    frame_ = q0_ * inFrame(M0_, phase0_).conjugate();
}

Vec3 RigidBodyMotion::momentumAt(const EllipticPhase& u) const
{
    const JacobiValues v = jacobi_.at(u);
    Vec3 M;
    M[o_] = ampO_ * v.cn;
    M[b_] = ampB_ * v.sn;
    M[e_] = ampE_ * v.dn;
    return M;
}

Vec3 RigidBodyMotion::momentum(double t) const
{
    return kind_ == PolhodeKind::Equilibrium ? M0_ : momentumAt(phaseAt(t));
}

// The turn that takes the body axes to the frame with M along z and the axis e in the xz-plane: about e by
// the longitude of M, then by its distance from e. The longitude is counted on, so that no sign is lost.
Quat RigidBodyMotion::inFrame(const Vec3& M, const EllipticPhase& u) const
{
    Mat3 rows = Mat3::Zero();
    rows(0, o_) = 1;
    rows(1, b_) = handed_;
    rows(2, e_) = 1;
    double longitude = 0;
    if (kind_ == PolhodeKind::Heteroclinic) {
        longitude = std::atan2(M[b_], std::abs(M[o_]));
        if (ampO_ < 0)
            longitude = pi - longitude;
    } else {
        const double base = std::fmod(u.quarters, 8) * pi / 2; // a quaternion repeats after two turns
        longitude = base + std::remainder(std::atan2(M[b_], M[o_]) - base, 2 * pi);
    }
    const double distance = std::atan2(std::hypot(M[o_], M[b_]), M[e_]);
    return about(Vec3::UnitY(), -distance) * about(Vec3::UnitZ(), -handed_ * longitude) * Quat(rows);
}

Quat RigidBodyMotion::attitude(double t) const
{
    if (kind_ == PolhodeKind::Equilibrium) {
        const Vec3 omega = body_.velocity(M0_);
        const double speed = omega.norm();
        return speed > 0 ? q0_ * about(omega / speed, speed * t) : q0_;
    }
    const EllipticPhase u = phaseAt(t);
    const double psi = length_ / body_.I()[e_] * t + spin_ / rate_ * (jacobi_.thirdKind(w_, u) - third0_);
    return (frame_ * about(Vec3::UnitZ(), psi) * inFrame(momentumAt(u), u)).normalized();
}

std::optional<double> RigidBodyMotion::period() const
{
    if (kind_ != PolhodeKind::AboutAxis)
        return std::nullopt;
    return 4 * jacobi_.quarterPeriod() / std::abs(rate_);
}

std::optional<MontgomeryPhase> RigidBodyMotion::phase() const
{
    const auto T = period();
    if (!T)
        return std::nullopt;
    MontgomeryPhase phase;
    phase.dynamic = 2 * energy_ * *T / length_;
    // ψ over a period. The axis e runs once round M in a small polhode; without that turn nothing geometric
    // is left when the polhode shrinks to a point.
    const double psi =
        length_ / body_.I()[e_] * *T + 4 * spin_ / std::abs(rate_) * jacobi_.completeThirdKind(w_);
    phase.turn = psi - std::copysign(2 * pi, spin_);
    phase.geometric = phase.turn - phase.dynamic;
    return phase;
}

std::vector<Vec3> RigidBodyMotion::polhode(int n) const
{
    if (kind_ == PolhodeKind::Equilibrium)
        return {M0_, M0_};
    std::vector<Vec3> points;
    points.reserve(static_cast<std::size_t>(n) + 1);
    const double Ie = body_.I()[e_], Ib = body_.I()[b_], Io = body_.I()[o_];
    for (int i = 0; i <= n; ++i) {
        const double part = static_cast<double>(i) / n;
        const double angle = kind_ == PolhodeKind::Heteroclinic ? pi * (part - 0.5) : 2 * pi * part;
        const double c = std::cos(angle), s = std::sin(angle);
        Vec3 M;
        M[o_] = ampO_ * c;
        M[b_] = ampB_ * s;
        // dn² = k'² + k² cn², with k'² and k² by what they are made of.
        const double low = jacobi_.complement() * ampE_, more = ampO_ * c;
        M[e_] = std::copysign(std::hypot(low, more * std::sqrt(std::abs((Ib - Io) / (Ie - Ib)) * Ie / Io)),
                              ampE_);
        points.push_back(M);
    }
    return points;
}

std::pair<double, double> RigidBodyMotion::herpolhodeRadii() const
{
    const auto radius = [this](const Vec3& M) {
        if (length_ == 0)
            return 0.0;
        return body_.velocity(M).cross(M).norm() / length_;
    };
    if (kind_ == PolhodeKind::Equilibrium)
        return {radius(M0_), radius(M0_)};
    // |ω x M|² is largest and least where one of the components across the axis vanishes.
    const double one = radius(momentumAt({0, 0}));
    if (kind_ == PolhodeKind::Heteroclinic)
        return {0, one};
    const double other = radius(momentumAt({1, 0}));
    return {std::min(one, other), std::max(one, other)};
}

std::optional<Vec3> stateOfEnergy(const RigidBody& body, double energy)
{
    const int a = body.minimum(), c = body.maximum();
    const double A = body.I()[a], C = body.I()[c], mu2 = body.mu() * body.mu();
    if (C == A || !(energy * 2 * C >= mu2 * (1 - 8 * ulp)) || !(energy * 2 * A <= mu2 * (1 + 8 * ulp)))
        return std::nullopt;
    Vec3 M = Vec3::Zero();
    M[a] = std::sqrt(std::max(0.0, (2 * energy * C - mu2) * A / (C - A)));
    M[c] = std::sqrt(std::max(0.0, (mu2 - 2 * energy * A) * C / (C - A)));
    return M;
}

} // namespace casimir::rod
