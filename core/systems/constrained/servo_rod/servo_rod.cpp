#include "core/systems/constrained/servo_rod/servo_rod.h"

#include "core/numerics/dense.h"
#include "core/numerics/pi.h"

#include "core/numerics/roots.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir::constrained {

namespace {

std::complex<double> polynomial(const std::array<double, 4>& q, std::complex<double> s)
{
    return q[0] + s * (q[1] + s * (q[2] + s * q[3]));
}

// Roots of q0 + q1 s + q2 s^2, q2 != 0, without cancellation.
std::array<std::complex<double>, 2> quadraticRoots(double q0, double q1, double q2)
{
    const double half = q1 / (2 * q2), square = half * half - q0 / q2;
    if (square < 0) {
        const double im = std::sqrt(-square);
        return {std::complex<double>(-half, im), std::complex<double>(-half, -im)};
    }
    const double far = half >= 0 ? -half - std::sqrt(square) : -half + std::sqrt(square);
    const double near = far != 0 ? q0 / q2 / far : 0.0;
    return {std::max(far, near), std::min(far, near)};
}

} // namespace

ServoRod::ServoRod(const ServoRodParameters& parameters)
    : p_(parameters), J_(parameters.I + parameters.m * parameters.l * parameters.l)
{
}

double ServoRod::momentumScale() const
{
    return std::max(std::sqrt(J_ * p_.m * p_.g * p_.l), 1e-3 * J_);
}

ServoRod::Pair ServoRod::velocities(const Phase& z) const
{
    const double s = std::sin(z[1]), c = std::cos(z[1]), ml = p_.m * p_.l;
    const double D0 = p_.m * (p_.I + ml * p_.l * c * c);
    return {(J_ * z[2] + ml * s * z[3]) / D0, (ml * s * z[2] + p_.m * z[3]) / D0};
}

ServoRod::Pair ServoRod::momenta(double theta, const Pair& v) const
{
    const double mls = p_.m * p_.l * std::sin(theta);
    return {p_.m * v[0] - mls * v[1], -mls * v[0] + J_ * v[1]};
}

double ServoRod::hamiltonian(const Phase& z) const
{
    return velocities(z).dot(z.tail<2>()) / 2 + p_.m * p_.g * p_.l * std::sin(z[1]);
}

ServoRod::Phase ServoRod::XH(const Phase& z) const
{
    const Pair v = velocities(z);
    return {v[0], v[1], 0, -p_.m * p_.l * std::cos(z[1]) * (v[0] * v[1] + p_.g)};
}

// The bracket of the law of section 4: (I + m l^2 cos^2)/(l J) + beta. Its first term cancels the free part
// of thetadot to first order about the upright position only.
double ServoRod::B(double theta) const
{
    const double c = std::cos(theta);
    return (p_.I + p_.m * p_.l * p_.l * c * c) / (p_.l * J_) + p_.beta;
}

double ServoRod::phi(const Phase& z) const
{
    const double psi = z[1] - halfPi;
    if (p_.law == ServoLaw::Marle)
        return z[2] + (p_.m * p_.l * std::sin(z[1]) / J_ + B(z[1])) * z[3] - p_.a * psi;
    const Pair v = velocities(z);
    return v[0] - p_.kx * z[0] - p_.kt * psi - p_.ko * v[1];
}

ServoRod::LawTerms ServoRod::lawTerms(double theta) const
{
    const double s = std::sin(theta), c = std::cos(theta), ml = p_.m * p_.l;
    if (p_.law == ServoLaw::Marle) {
        const double own = ml * s / J_, bracket = (p_.I + ml * p_.l * c * c) / (p_.l * J_);
        return {1, own + bracket + p_.beta, 1, std::abs(own) + bracket + std::abs(p_.beta)};
    }
    const double D0 = p_.m * (p_.I + ml * p_.l * c * c);
    return {(J_ - p_.ko * ml * s) / D0, (ml * s - p_.ko * p_.m) / D0, (J_ + std::abs(p_.ko * ml * s)) / D0,
            (std::abs(ml * s) + std::abs(p_.ko) * p_.m) / D0};
}

ServoRod::Phase ServoRod::dphi(const Phase& z) const
{
    const double s = std::sin(z[1]), c = std::cos(z[1]), ml = p_.m * p_.l;
    const LawTerms terms = lawTerms(z[1]);
    if (p_.law == ServoLaw::Marle)
        return {0, (ml * c / J_ - 2 * ml * c * s / J_) * z[3] - p_.a, terms.c1, terms.c2};
    const Pair v = velocities(z);
    const double D0 = p_.m * (p_.I + ml * p_.l * c * c), D0Prime = -2 * ml * ml * c * s;
    const double xDotTheta = (ml * c * z[3] - v[0] * D0Prime) / D0;
    const double thetaDotTheta = (ml * c * z[2] - v[1] * D0Prime) / D0;
    return {-p_.kx, xDotTheta - p_.kt - p_.ko * thetaDotTheta, terms.c1, terms.c2};
}

std::optional<double> ServoRod::lawMomentum(double x, double theta, double pTheta) const
{
    const double psi = theta - halfPi, mls = p_.m * p_.l * std::sin(theta);
    if (p_.force == ServoForce::Hand)
        return -mls * pTheta / J_; // the finger at rest
    const LawTerms terms = lawTerms(theta);
    if (p_.law == ServoLaw::Marle)
        return p_.a * psi - terms.c2 * pTheta;
    if (std::abs(terms.c1) < kIrregular * terms.size1)
        return std::nullopt;
    return (p_.kx * x + p_.kt * psi - terms.c2 * pTheta) / terms.c1;
}

ServoRod::Pair ServoRod::forceDirection(const Phase& z) const
{
    switch (p_.force) {
    case ServoForce::Finger:
    case ServoForce::Hand:
        return {1, 0};
    case ServoForce::Angle:
        return {0, 1};
    case ServoForce::Direction:
        return {p_.wx, p_.wt};
    case ServoForce::Chetaev:
        break;
    }
    // F = phi_v^T, and phi_v = phi_p M: the image of (c_1, c_2) under the mass matrix.
    const LawTerms terms = lawTerms(z[1]);
    return momenta(z[1], {terms.c1, terms.c2});
}

double ServoRod::hold(const Phase& z) const
{
    // c.M c is positive: Chetaev's force never loses its hold.
    if (p_.force == ServoForce::Chetaev || p_.force == ServoForce::Hand)
        return 1;
    const LawTerms terms = lawTerms(z[1]);
    const Pair w = forceDirection(z);
    return std::abs(terms.c1 * w[0] + terms.c2 * w[1]) /
           (terms.size1 * std::abs(w[0]) + terms.size2 * std::abs(w[1]));
}

ServoRod::Motion ServoRod::motion(const Phase& z) const
{
    if (p_.force == ServoForce::Hand)
        return led(z[1], z[3], 0, 0);
    Motion motion{XH(z)};
    const Phase d = dphi(z);
    const Pair w = forceDirection(z);
    const double G = d[2] * w[0] + d[3] * w[1];
    if (hold(z) < kIrregular || G == 0) {
        motion.regular = false;
        return motion;
    }
    const double lambda = d.dot(motion.rate) / G;
    motion.force = -lambda * w;
    motion.power = motion.force.dot(motion.rate.head<2>());
    motion.rate.tail<2>() += motion.force;
    return motion;
}

SplitProblem ServoRod::splitProblem(const Phase& z) const
{
    SplitProblem problem;
    problem.XH = XH(z);
    problem.dphi = dphi(z).transpose();
    problem.W = Eigen::MatrixXd::Zero(4, 1);
    problem.W.bottomRows<2>() = forceDirection(z);
    return problem;
}

void ServoRod::project(Phase& z) const
{
    if (p_.force == ServoForce::Hand) {
        z[2] = *lawMomentum(z[0], z[1], z[3]);
        return;
    }
    // phi is linear in the momenta: one step of Newton's method is exact but for rounding.
    for (int i = 0; i < 2; ++i) {
        const LawTerms terms = lawTerms(z[1]);
        const Pair w = forceDirection(z);
        const double G = terms.c1 * w[0] + terms.c2 * w[1];
        if (hold(z) < kIrregular || G == 0)
            return;
        z.tail<2>() -= w * (phi(z) / G);
    }
}

ServoRod::Motion ServoRod::led(double theta, double pTheta, double xDot, double xDotDot) const
{
    const double s = std::sin(theta), c = std::cos(theta), ml = p_.m * p_.l;
    const double thetaDot = (pTheta + ml * s * xDot) / J_;
    const double thetaDotDot = (ml * s * xDotDot - ml * p_.g * c) / J_;
    Motion motion;
    motion.force = {p_.m * xDotDot - ml * (c * thetaDot * thetaDot + s * thetaDotDot), 0};
    motion.power = motion.force[0] * xDot;
    motion.rate = {xDot, thetaDot, motion.force[0], -ml * c * (xDot * thetaDot + p_.g)};
    return motion;
}

ServoRod::Pair ServoRod::chetaevDirection() const
{
    const LawTerms terms = lawTerms(halfPi);
    return momenta(halfPi, {terms.c1, terms.c2});
}

std::array<double, 4> ServoRod::characteristic() const
{
    // The law at the upright position as alpha xdot = kx x + kt psi + ko psidot.
    double alpha = 1, kx = p_.kx, kt = p_.kt, ko = p_.ko;
    if (p_.law == ServoLaw::Marle) {
        alpha = -p_.beta * p_.m * p_.l;
        kx = 0;
        kt = p_.a;
        ko = -(p_.I / p_.l + p_.beta * J_);
    }
    const double m = p_.m, l = p_.l;
    if (p_.force == ServoForce::Hand) // x at rest: J psi'' = m g l psi, and a zero along x
        return {0, -m * p_.g * l, 0, J_};
    // Chetaev's direction is the velocity gradient of the law.
    const Pair w = p_.force == ServoForce::Chetaev ? Pair(alpha, -ko) : forceDirection(Phase::Zero());
    const double across = w[1] * m + w[0] * m * l, turning = w[1] * m * l + w[0] * J_;
    return {-kx * w[0] * m * p_.g * l, alpha * w[0] * m * p_.g * l, across * kt + kx * turning,
            across * ko - alpha * turning};
}

ServoSpectrum ServoRod::spectrum() const
{
    ServoSpectrum result;
    const auto q = characteristic();
    if (q[3] == 0 || hold(Phase(0, halfPi, 0, 0)) < kIrregular) {
        result.status =
            Status::failed("irregular", "At the upright position the chosen force has no hold on the law.");
        return result;
    }
    if (q[0] == 0) {
        const auto roots = quadraticRoots(q[1], q[2], q[3]);
        result.eigenvalues = {roots[0], roots[1]};
        if (p_.law == ServoLaw::Linear && p_.force != ServoForce::Hand)
            result.eigenvalues.emplace_back(0);
        return result;
    }
    Eigen::Matrix3d companion;
    companion << 0, 0, -q[0] / q[3], 1, 0, -q[1] / q[3], 0, 1, -q[2] / q[3];
    const Eigen::VectorXcd roots = dense::eigenvalues(companion);
    for (std::complex<double> s : roots) {
        for (int i = 0; i < 2; ++i) {
            const std::complex<double> slope = q[1] + s * (2 * q[2] + s * 3.0 * q[3]);
            const std::complex<double> step = polynomial(q, s) / slope;
            if (std::abs(step) < 1e-6 * std::abs(s))
                s -= step;
        }
        result.eigenvalues.push_back(s);
    }
    std::sort(result.eigenvalues.begin(), result.eigenvalues.end(), [](const auto& a, const auto& b) {
        return std::abs(a.imag()) != std::abs(b.imag()) ? std::abs(a.imag()) > std::abs(b.imag())
               : a.real() != b.real()                   ? a.real() > b.real()
                                                        : a.imag() > b.imag();
    });
    return result;
}

ServoVerdict ServoRod::verdict() const
{
    auto q = characteristic();
    if (q[3] == 0 || hold(Phase(0, halfPi, 0, 0)) < kIrregular)
        return ServoVerdict::Irregular;
    for (int i = 0; i < 3; ++i)
        q[static_cast<std::size_t>(i)] /= q[3];
    if (q[0] == 0) {
        const bool oscillates = q[2] * q[2] < 4 * q[1];
        if (q[1] < 0)
            return ServoVerdict::Saddle;
        if (q[1] == 0)
            return q[2] >= 0 ? ServoVerdict::Neutral : ServoVerdict::UnstableNode;
        if (q[2] == 0)
            return ServoVerdict::Neutral;
        if (q[2] > 0)
            return oscillates ? ServoVerdict::StableFocus : ServoVerdict::StableNode;
        return oscillates ? ServoVerdict::UnstableFocus : ServoVerdict::UnstableNode;
    }
    // Routh and Hurwitz, and the discriminant of the cubic for whether it oscillates.
    const double a = q[2], b = q[1], c = q[0];
    const double discriminant =
        18 * a * b * c - 4 * a * a * a * c + a * a * b * b - 4 * b * b * b - 27 * c * c;
    const bool oscillates = discriminant < 0;
    if (a > 0 && c > 0 && a * b > c)
        return oscillates ? ServoVerdict::StableFocus : ServoVerdict::StableNode;
    if (a > 0 && c > 0 && a * b == c)
        return ServoVerdict::Neutral;
    if (oscillates && c > 0)
        return ServoVerdict::UnstableFocus;
    return oscillates || c < 0 ? ServoVerdict::Saddle : ServoVerdict::UnstableNode;
}

std::optional<double> ServoRod::stripHalfWidth() const
{
    if (p_.law != ServoLaw::Marle || !(p_.beta > 0))
        return std::nullopt;
    const auto f = [this](double psi) {
        const double s = std::sin(psi), h = std::sin(psi / 2);
        return (p_.I + p_.m * p_.l * p_.l * s * s) * 2 * h * h / J_ - p_.beta * p_.l * std::cos(psi);
    };
    const Root root = bracketedRoot(f, 0, halfPi);
    return root.status.ok() ? std::optional(root.x) : std::nullopt;
}

std::optional<double> ServoRod::regularHalfWidth() const
{
    const double cosine = J_ / (p_.m * p_.l * p_.ko);
    if (p_.law != ServoLaw::Linear || p_.ko == 0 || !(std::abs(cosine) <= 1))
        return std::nullopt;
    return std::acos(cosine);
}

double ServoRod::fingerTravel(double psi, double pTheta) const
{
    const double P = -pTheta / (p_.m * p_.g * p_.l);
    const double Q = (p_.a * P + psi * p_.I / p_.l) / p_.beta;
    return J_ / (p_.m * p_.I) * (p_.a * P - (p_.I / (p_.l * J_) + p_.beta) * Q);
}

std::optional<double> ServoRod::slidingTilt(double c) const
{
    if (p_.law != ServoLaw::Marle)
        return std::nullopt;
    // At rest in theta: p_theta = -l sin(theta) c, and the law.
    const auto f = [&](double psi) {
        const double theta = psi + halfPi, s = std::sin(theta);
        return c - (p_.m * p_.l * s / J_ + B(theta)) * p_.l * s * c - p_.a * psi;
    };
    // The end nearest to upright: outwards until the sign changes.
    if (f(0) == 0)
        return 0.0;
    for (int k = 1; k <= 90; ++k)
        for (const double side : {1.0, -1.0}) {
            const double near = side * halfPi * (k - 1) / 90, far = side * halfPi * k / 90;
            if ((f(near) > 0) != (f(far) > 0)) {
                // f sees psi through theta, to the rounding of theta: it cannot be narrowed down further.
                const Root root = bracketedRoot(f, near, far, 4 * std::numeric_limits<double>::epsilon());
                if (root.status.ok())
                    return root.x;
            }
        }
    return std::nullopt;
}

std::string_view name(ServoVerdict verdict)
{
    switch (verdict) {
    case ServoVerdict::StableNode:
        return "settles without oscillation";
    case ServoVerdict::StableFocus:
        return "settles oscillating";
    case ServoVerdict::Neutral:
        return "neither grows nor decays";
    case ServoVerdict::UnstableFocus:
        return "oscillation grows";
    case ServoVerdict::UnstableNode:
        return "leaves upright, nothing decays";
    case ServoVerdict::Saddle:
        return "leaves upright along one direction";
    case ServoVerdict::Irregular:
        break;
    }
    return "no hold on the law";
}

} // namespace casimir::constrained
