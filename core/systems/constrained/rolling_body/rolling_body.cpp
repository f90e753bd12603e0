#include "core/systems/constrained/rolling_body/rolling_body.h"

#include <Eigen/Cholesky>

#include <cmath>
#include <complex>

namespace casimir::constrained {

namespace {

using Vec3 = Eigen::Vector3d;
using Complex = std::complex<double>;

template <class T>
using V3 = Eigen::Matrix<T, 3, 1>;

// By components: the cross product of Eigen conjugates complex arguments.
template <class T>
V3<T> cross(const V3<T>& a, const V3<T>& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class T>
V3<T> gammaOf(const RollingParameters& p, const V3<T>& n)
{
    using std::sqrt;
    V3<T> s = p.centre.cast<T>();
    switch (p.shape) {
    case RollingShape::Ellipsoid: {
        const Vec3 squares = p.axes.array().square();
        const V3<T> An = squares.cast<T>().cwiseProduct(n);
        const T N = sqrt(n[0] * An[0] + n[1] * An[1] + n[2] * An[2]);
        s += An / N + n * T(p.rounding);
        break;
    }
    case RollingShape::Sphere:
        s += n * T(p.radius);
        break;
    case RollingShape::Disk: {
        const T rho = sqrt(n[0] * n[0] + n[1] * n[1]);
        if (std::abs(rho) > 0) {
            s[0] += p.radius * n[0] / rho;
            s[1] += p.radius * n[1] / rho;
        }
        s += n * T(p.rounding);
        break;
    }
    }
    return s;
}

template <class T>
Eigen::Matrix<T, 3, 3> rotationOf(const T& w, const T& x, const T& y, const T& z)
{
    Eigen::Matrix<T, 3, 3> R;
    R << w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), 2.0 * (x * y + w * z),
        w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x), 2.0 * (x * z - w * y), 2.0 * (y * z + w * x),
        w * w - x * x - y * y + z * z;
    return R;
}

// The gap under the body and the velocity of its lowest point against the plane's, of (X, q, V, Omega).
Eigen::Matrix<Complex, 4, 1> rollingConditions(const RollingParameters& p,
                                               const Eigen::Matrix<Complex, 13, 1>& z)
{
    const auto R = rotationOf<Complex>(z[3], z[4], z[5], z[6]);
    const V3<Complex> down = -R.row(2).transpose();
    const V3<Complex> s = gammaOf<Complex>(p, down);
    const V3<Complex> P = z.head<3>() + R * s;
    const V3<Complex> Omega = z.tail<3>();
    const V3<Complex> slip = z.segment<3>(7) + R * cross<Complex>(Omega, s) -
                             V3<Complex>(-p.omega * P[1], p.omega * P[0], Complex(0));
    Eigen::Matrix<Complex, 4, 1> phi;
    phi << P[2], slip;
    return phi;
}

} // namespace

RollingBody::RollingBody(const RollingParameters& parameters) : p_(parameters) {}

Eigen::Matrix3d RollingBody::rotation(const State10& x)
{
    return rotationOf<double>(x[3], x[4], x[5], x[6]);
}

Vec3 RollingBody::gamma(const Vec3& n) const
{
    return gammaOf<double>(p_, n);
}

Vec3 RollingBody::gammaRate(const Vec3& n, const Vec3& nDot) const
{
    switch (p_.shape) {
    case RollingShape::Ellipsoid: {
        const Vec3 squares = p_.axes.array().square();
        const Vec3 An = squares.cwiseProduct(n), AnDot = squares.cwiseProduct(nDot);
        const double N = std::sqrt(n.dot(An));
        return AnDot / N - An * (n.dot(AnDot) / (N * N * N)) + p_.rounding * nDot;
    }
    case RollingShape::Sphere:
        return p_.radius * nDot;
    case RollingShape::Disk:
        break;
    }
    const Eigen::Vector2d h = n.head<2>(), hDot = nDot.head<2>();
    const double rho = h.norm();
    Vec3 rate = p_.rounding * nDot;
    if (rho > 0)
        rate.head<2>() += p_.radius * (hDot / rho - h * (h.dot(hDot) / (rho * rho * rho)));
    return rate;
}

RollingBody::Contact RollingBody::contact(const State10& x) const
{
    Contact at;
    at.R = rotation(x);
    at.up = at.R.row(2).transpose();
    const Vec3 Omega = x.tail<3>(), upDot = at.up.cross(Omega);
    at.s = gamma(-at.up);
    at.sDot = gammaRate(-at.up, -upDot);
    at.P = x.head<3>() + at.R * at.s;
    const Vec3 u = at.R.transpose() * Vec3(-p_.omega * at.P[1], p_.omega * at.P[0], 0);
    at.velocity = u - Omega.cross(at.s);
    at.k = -Omega.cross(at.sDot) - Omega.cross(Omega.cross(at.s)) + p_.omega * at.up.cross(u + at.sDot) +
           p_.g * at.up;
    return at;
}

Vec3 RollingBody::angularAcceleration(const State10& x, const Contact& at) const
{
    const Vec3 Omega = x.tail<3>();
    const Eigen::Matrix3d about =
        p_.inertia + p_.m * (at.s.squaredNorm() * Eigen::Matrix3d::Identity() - at.s * at.s.transpose());
    const Vec3 torque = -Omega.cross(p_.inertia * Omega) + p_.m * at.s.cross(at.k);
    return about.ldlt().solve(torque);
}

RollingBody::State10 RollingBody::field(const State10& x) const
{
    const Contact at = contact(x);
    const double w = x[3];
    const Vec3 v = x.segment<3>(4), Omega = x.tail<3>();
    State10 rate;
    rate.head<3>() = at.R * at.velocity;
    rate[3] = -v.dot(Omega) / 2;
    rate.segment<3>(4) = (w * Omega + v.cross(Omega)) / 2;
    rate.tail<3>() = angularAcceleration(x, at);
    return rate;
}

void RollingBody::project(State10& x) const
{
    x.segment<4>(3).normalize();
    x[2] = height(-rotation(x).row(2).transpose());
}

RollingBody::Report RollingBody::report(const State10& x) const
{
    const Contact at = contact(x);
    const Vec3 Omega = x.tail<3>(), X = x.head<3>();
    Report r;
    r.contactPoint = at.P;
    r.onBody = at.s;
    r.velocity = at.R * at.velocity;
    r.force = at.R * (p_.m * (at.k - angularAcceleration(x, at).cross(at.s)));
    const Vec3 spin = at.R * (p_.inertia * Omega);
    r.energy = p_.m * at.velocity.squaredNorm() / 2 + Omega.dot(p_.inertia * Omega) / 2 + p_.m * p_.g * X[2];
    r.angularMomentum = p_.m * X.cross(r.velocity)[2] + spin[2];
    r.torque = at.P.cross(r.force)[2];
    r.power = r.force.dot(Vec3(-p_.omega * at.P[1], p_.omega * at.P[0], 0));
    r.contactMomentum = spin - p_.m * (at.R * at.s).cross(r.velocity);
    r.jellett = at.s.dot(p_.inertia * Omega);
    r.routh =
        Omega[2] *
        std::sqrt(std::max(0.0, p_.inertia(0, 0) * p_.inertia(2, 2) + p_.m * at.s.dot(p_.inertia * at.s)));
    r.verticalSpin = at.up.dot(Omega);
    r.gap = at.P[2];
    return r;
}

bool RollingBody::isSphere() const
{
    if (p_.shape == RollingShape::Ellipsoid)
        return p_.axes[0] == p_.axes[1] && p_.axes[1] == p_.axes[2];
    return p_.shape == RollingShape::Sphere;
}

double RollingBody::sphereRadius() const
{
    return p_.shape == RollingShape::Ellipsoid ? p_.axes[0] + p_.rounding : p_.radius;
}

bool RollingBody::isChaplyginBall() const
{
    return isSphere() && p_.centre.isZero(0);
}

bool RollingBody::isHomogeneousSphere() const
{
    return isChaplyginBall() && p_.inertia.isApprox(p_.inertia(0, 0) * Eigen::Matrix3d::Identity(), 1e-14);
}

bool RollingBody::hasJellett() const
{
    const auto& I = p_.inertia;
    return isSphere() && p_.omega == 0 && p_.centre[0] == 0 && p_.centre[1] == 0 &&
           std::abs(I(0, 0) - I(1, 1)) <= 1e-14 * I(0, 0) && I(0, 1) == 0 && I(0, 2) == 0 && I(1, 2) == 0;
}

double RollingBody::kappa() const
{
    return p_.inertia(0, 0) / (p_.m * sphereRadius() * sphereRadius());
}

std::optional<RollingBody::Circle> RollingBody::circle(const State10& x) const
{
    const double nu = p_.omega * kappa() / (1 + kappa());
    if (nu == 0)
        return std::nullopt;
    const Contact at = contact(x);
    const Vec3 V = at.R * at.velocity;
    Circle c;
    c.nu = nu;
    c.centre = x.head<2>() + Eigen::Vector2d(-V[1], V[0]) / nu;
    c.radius = V.head<2>().norm() / std::abs(nu);
    return c;
}

RollingBody::SphereMotion RollingBody::sphereAt(const State10& start, double t) const
{
    const double nu = p_.omega * kappa() / (1 + kappa()), r = sphereRadius();
    const Contact at = contact(start);
    const Vec3 V0 = at.R * at.velocity;
    // V = e^{i nu t} V0 as complex numbers; its integral by sin and sinc, so that nu = 0 is the straight
    // line.
    const double angle = nu * t, half = angle / 2;
    const double sinc = std::abs(half) < 1e-4 ? 1 - half * half / 6 : std::sin(half) / half;
    const Complex v0(V0[0], V0[1]), v = v0 * std::polar(1.0, angle);
    const Complex X = Complex(start[0], start[1]) + v0 * std::polar(t * sinc, half);
    // w_h = e3 x (V - omega e3 x X)/r.
    const Complex wh = Complex(0, 1) * (v - Complex(0, p_.omega) * X) / r;
    SphereMotion motion;
    motion.X = {X.real(), X.imag(), start[2]};
    motion.spin = {wh.real(), wh.imag(), at.up.dot(start.tail<3>())};
    return motion;
}

SplitProblem RollingBody::splitProblem(const State10& x) const
{
    const Contact at = contact(x);
    const Vec3 Omega = x.tail<3>();
    const State10 rates = field(x);
    const auto solver = p_.inertia.ldlt();
    SplitProblem problem;
    problem.XH = Eigen::VectorXd(13);
    problem.XH << at.R * at.velocity, rates.segment<4>(3), 0, 0, -p_.g,
        solver.solve(-Omega.cross(p_.inertia * Omega));
    Eigen::Matrix<Complex, 13, 1> z;
    z << x.head<7>().cast<Complex>(), (at.R * at.velocity).cast<Complex>(), Omega.cast<Complex>();
    problem.dphi = Eigen::MatrixXd(4, 13);
    constexpr double h = 1e-30;
    for (int i = 0; i < 13; ++i) {
        auto shifted = z;
        shifted[i] += Complex(0, h);
        problem.dphi.col(i) = rollingConditions(p_, shifted).imag() / h;
    }
    problem.W = Eigen::MatrixXd::Zero(13, 3);
    for (int i = 0; i < 3; ++i) {
        const Vec3 f = Vec3::Unit(i);
        problem.W.block<3, 1>(7, i) = f / p_.m;
        problem.W.block<3, 1>(10, i) = solver.solve(at.s.cross(at.R.transpose() * f));
    }
    return problem;
}

} // namespace casimir::constrained
