#include "core/systems/constrained/appell/appell.h"

#include "core/numerics/quadrature.h"
#include "core/numerics/roots.h"
#include "core/numerics/small_solve.h"

#include <cmath>
#include <complex>

namespace casimir::constrained {

namespace {

using Complex = std::complex<double>;

// The integrals of e^{i w s} and s e^{i w s} over [0, t]; by their series where w t is small.
std::pair<Complex, Complex> turningIntegrals(double w, double t)
{
    const Complex iwt(0, w * t);
    if (std::abs(w * t) < 0.5) {
        Complex term = 1, first = 0, second = 0;
        for (int k = 0; k < 24; ++k) {
            first += term / (k + 1.0);
            second += term / (k + 2.0);
            term *= iwt / (k + 1.0);
        }
        return {t * first, t * t * second};
    }
    const Complex iw(0, w), turned = std::exp(iwt);
    const Complex first = (turned - 1.0) / iw;
    return {first, (t * turned - first) / iw};
}

} // namespace

double Appell::rollingInertia() const
{
    const double point = p_.m * (p_.R * p_.R + p_.b * p_.b);
    return p_.machine ? point + p_.M * p_.R * p_.R + p_.C : point;
}

double Appell::headingInertia() const
{
    return p_.Jz + p_.m * p_.rho * p_.rho;
}

double Appell::retardation() const
{
    return p_.m * p_.g * p_.b / rollingInertia();
}

Eigen::Vector3d Appell::velocity(const State6& s) const
{
    const double co = std::cos(s[3]), si = std::sin(s[3]);
    const double across = p_.machine ? p_.rho * s[5] : 0;
    return {p_.R * s[4] * co - across * si, p_.R * s[4] * si + across * co, p_.b * s[4]};
}

Appell::State6 Appell::field(const State6& s) const
{
    State6 rate;
    rate.head<3>() = velocity(s);
    rate.tail<3>() << 0, -retardation(), 0;
    if (!p_.machine)
        return rate;
    const double u = s[4], w = s[5], mRrho = p_.m * p_.R * p_.rho;
    rate[3] = w;
    rate[4] += mRrho * w * w / rollingInertia();
    // Without any inertia about the vertical nothing changes the rate of turning.
    rate[5] = mRrho == 0 ? 0 : -mRrho * u * w / headingInertia();
    return rate;
}

double Appell::energy(const State6& s) const
{
    const double turning = p_.machine ? headingInertia() * s[5] * s[5] / 2 : 0;
    return rollingInertia() * s[4] * s[4] / 2 + turning + p_.m * p_.g * s[2];
}

Eigen::Vector3d Appell::forceOnPoint(const State6& s) const
{
    const State6 rate = field(s);
    const double w = headingRate(s), rho = p_.machine ? p_.rho : 0;
    return p_.m * Eigen::Vector3d(p_.R * rate[4] - rho * w * w, p_.R * s[4] * w + rho * rate[5],
                                  p_.b * rate[4] + p_.g);
}

Appell::State6 Appell::closedForm(const State6& start, double t) const
{
    const double w = headingRate(start), gamma = retardation();
    const auto [first, second] = turningIntegrals(w, t);
    const Complex path = std::polar(1.0, start[3]) * (p_.R * start[4] * first - p_.R * gamma * second);
    State6 s = start;
    s[0] += path.real();
    s[1] += path.imag();
    s[2] += p_.b * (start[4] * t - gamma * t * t / 2);
    s[3] += w * t;
    s[4] -= gamma * t;
    return s;
}

// With q = ln |w| the machine is a particle on a line: q' = -k u, k = m R rho/(J_z + m rho^2), and
// q'' = k gamma - kA e^{2q}, kA = k m R rho/I_u > 0, so that q'^2 = 2 k gamma q - kA e^{2q} + const. u = 0 is
// its turning point q*. About it q'^2 = 2 k gamma d - kA w*^2 (e^{2d} - 1), d = q - q*, and with d = +-s^2
// the integrand of Int dq/|q'| stays finite there. The motion runs the same way back (u -> -u, t -> -t).
std::optional<double> Appell::apexTime(const State6& start) const
{
    const double u = start[4], w = headingRate(start), gamma = retardation();
    if (u == 0)
        return 0;
    const double mRrho = p_.machine ? p_.m * p_.R * p_.rho : 0;
    if (mRrho == 0 || w == 0)
        return gamma > 0 ? std::optional(u / gamma) : std::nullopt;
    const double k = mRrho / headingInertia(), kA = k * mRrho / rollingInertia(), pull = k * gamma;
    const double side = k > 0 ? -1 : 1; // where q goes while u > 0
    if (pull == 0 && k > 0)
        return std::nullopt; // thrown outwards, and nothing pulls it back
    // The square of q' at q + side * s.
    const auto left = [&](double s) {
        return k * k * u * u - kA * w * w * std::expm1(2 * side * s) + 2 * pull * side * s;
    };
    double beyond = 1;
    while (left(beyond) > 0)
        beyond *= 2;
    const double way = bracketedRoot(left, 0.0, beyond).x;
    // kA (w^2 - w*^2)/d at q* + d; far out w* is too small for a double, and w^2 is what counts.
    const auto slope = [&](double d) {
        if (std::abs(d) > 1)
            return kA * w * w * (std::exp(2 * (side * way + d)) - std::exp(2 * side * way)) / d;
        return kA * w * w * std::exp(2 * side * way) * (d == 0 ? 2 : std::expm1(2 * d) / d);
    };
    const auto integrand = [&](double s) { return 2 / std::sqrt(-side * (2 * pull - slope(-side * s * s))); };
    // w matters within some units of q from either end; what lies between may be so long that a rule for the
    // whole would step over them.
    constexpr double layer = 20;
    double time = 0, from = 0;
    for (const double q : {std::min(layer, way / 2), std::max(way - layer, way / 2), way}) {
        if (std::sqrt(q) == from)
            continue;
        const Integral part = adaptiveIntegral(integrand, from, std::sqrt(q), 1e-10);
        if (!part.status.ok())
            return std::nullopt;
        time += part.value;
        from = std::sqrt(q);
    }
    return std::copysign(time, u);
}

double Appell::involuteRadius(double thetaDot) const
{
    return p_.R * retardation() / (thetaDot * thetaDot);
}

Eigen::VectorXd Appell::inPhaseSpace(const State6& s) const
{
    const Eigen::Vector3d v = velocity(s);
    if (!p_.machine) {
        Eigen::VectorXd z(6);
        z << s.head<3>(), v;
        return z;
    }
    Eigen::VectorXd z(10);
    z << s.head<4>(), s[2] / p_.b, v, s[5], s[4];
    return z;
}

Eigen::VectorXd Appell::constraint(const Eigen::VectorXd& qv) const
{
    if (!p_.machine) {
        Eigen::VectorXd phi(1);
        phi << qv[3] * qv[3] + qv[4] * qv[4] - a() * a() * qv[5] * qv[5];
        return phi;
    }
    const double co = std::cos(qv[3]), si = std::sin(qv[3]), w = qv[8], u = qv[9];
    Eigen::VectorXd phi(3);
    phi << qv[5] - p_.R * u * co + p_.rho * w * si, qv[6] - p_.R * u * si - p_.rho * w * co, qv[7] - p_.b * u;
    return phi;
}

SplitProblem Appell::splitProblem(const State6& s) const
{
    const Eigen::VectorXd z = inPhaseSpace(s);
    SplitProblem problem;
    if (!p_.machine) {
        problem.XH = Eigen::VectorXd::Zero(6);
        problem.XH << z.tail<3>(), 0, 0, -p_.g;
        problem.dphi = Eigen::MatrixXd::Zero(1, 6);
        problem.dphi.rightCols<3>() << 2 * z[3], 2 * z[4], -2 * a() * a() * z[5];
        problem.W = problem.dphi.transpose() / p_.m;
        return problem;
    }
    const double co = std::cos(z[3]), si = std::sin(z[3]), w = z[8], u = z[9];
    // Mass matrix of the point at (x, y, z) and the accessories at (x - rho cos, y - rho sin).
    Eigen::Matrix<double, 5, 5> mass = Eigen::Matrix<double, 5, 5>::Zero();
    mass.diagonal() << p_.m + p_.M, p_.m + p_.M, p_.m, p_.Jz + p_.M * p_.rho * p_.rho, p_.C;
    mass(0, 3) = mass(3, 0) = p_.M * p_.rho * si;
    mass(1, 3) = mass(3, 1) = -p_.M * p_.rho * co;
    Eigen::Matrix<double, 5, 1> force;
    force << -p_.M * p_.rho * w * w * co, -p_.M * p_.rho * w * w * si, -p_.m * p_.g, 0, 0;
    const SmallSolver<5> solver(mass);
    problem.XH = Eigen::VectorXd(10);
    problem.XH << z.tail<5>(), solver.solve(force);
    Eigen::Matrix<double, 3, 5> rows = Eigen::Matrix<double, 3, 5>::Zero();
    rows.leftCols<3>().setIdentity();
    rows.col(3) << p_.rho * si, -p_.rho * co, 0;
    rows.col(4) << -p_.R * co, -p_.R * si, -p_.b;
    problem.dphi = Eigen::MatrixXd::Zero(3, 10);
    problem.dphi.col(3) << p_.R * u * si + p_.rho * w * co, -p_.R * u * co + p_.rho * w * si, 0;
    problem.dphi.rightCols<5>() = rows;
    problem.W = Eigen::MatrixXd::Zero(10, 3);
    for (int c = 0; c < 3; ++c)
        problem.W.col(c).tail<5>() = solver.solve(rows.row(c).transpose());
    return problem;
}

} // namespace casimir::constrained
