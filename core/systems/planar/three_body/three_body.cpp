#include "core/systems/planar/three_body/three_body.h"

#include "core/systems/planar/require.h"

#include <Eigen/LU>

#include <algorithm>
#include <numbers>

namespace casimir::planar {

namespace {

// Of a pivot of J at a straight state to its diagonal: below it, J cannot be told from a singular matrix.
constexpr double thinnest = 1e-14;

} // namespace

ThreeBodyCoefficients coefficientsOf(const ThreeBodyParameters& p)
{
    const double outer = p.m1 * p.c1, inner = p.m3 * p.d1;
    return {.A1 = outer * inner,
            .B1 = (p.m3 * (p.b1 + p.e1) + p.m2 * p.b1) * outer,
            .B2 = (p.m1 * (p.b1 + p.e1) + p.m2 * p.e1) * inner,
            .C1 = p.m3 * p.e2 * outer,
            .C2 = (p.m1 + p.m2) * p.e2 * inner};
}

ThreeBody::ThreeBody(const ThreeBodyParameters& parameters) : p_(parameters)
{
    requirePositive("m1", p_.m1);
    requirePositive("m2", p_.m2);
    requirePositive("m3", p_.m3);
    requireNonNegative("I1", p_.I1);
    requireNonNegative("I2", p_.I2);
    requireNonNegative("I3", p_.I3);
    requireNonNegative("c1", p_.c1);
    requireFinite("b1", p_.b1);
    requireFinite("e1", p_.e1);
    requireFinite("e2", p_.e2);
    requireNonNegative("d1", p_.d1);
    requireFinite("mu", p_.mu);

    M_ = p_.m1 + p_.m2 + p_.m3;
    f_ = coefficientsOf(p_);
    // (6.4); the middle one as a sum over the pairs of bodies
    const double w = p_.b1 + p_.e1;
    const Eigen::Vector3d hinged{p_.m1 / M_ * (p_.m2 + p_.m3) * p_.c1 * p_.c1,
                                 (p_.m1 / M_) * (p_.m2 * p_.b1 * p_.b1 + p_.m3 * (w * w + p_.e2 * p_.e2)) +
                                     (p_.m2 / M_) * p_.m3 * (p_.e1 * p_.e1 + p_.e2 * p_.e2),
                                 p_.m3 / M_ * (p_.m1 + p_.m2) * p_.d1 * p_.d1};
    const Eigen::Vector3d own{p_.I1, p_.I2, p_.I3};
    diagonal_ = own + hinged;
    if (!diagonal_.allFinite() || !(own.maxCoeff() > 0) || !(smallestPivot() > thinnest))
        throw Error(
            fmt::format("The inertia matrix J is singular in double precision for I1 = {}, I2 = {}, I3 = {}: "
                        "give the bodies more inertia.",
                        p_.I1, p_.I2, p_.I3));
}

double ThreeBody::smallestPivot() const
{
    if (!(diagonal_.minCoeff() > 0))
        return 0;
    const auto minor = [this](int k, int l, double coupling) {
        return 1 - (coupling / M_ / diagonal_[k]) * (coupling / M_ / diagonal_[l]);
    };
    const double a = std::abs(f_.P1()), b = std::abs(f_.P2());
    double least = std::min({minor(0, 1, a), minor(1, 2, b), minor(0, 2, f_.A1)});
    for (const double x : {0.0, std::numbers::pi})
        for (const double y : {0.0, std::numbers::pi}) {
            const Couplings<double> g = couplings(x - std::arg(f_.P1()), y - std::arg(f_.P2()));
            const double l21 = g.J12 / diagonal_[0], l31 = g.J13 / diagonal_[0];
            const double p2 = diagonal_[1] - l21 * g.J12, s = g.J23 - l31 * g.J12;
            const double p3 = diagonal_[2] - l31 * g.J13 - s / p2 * s;
            least = std::min(least, p3 / diagonal_[2]);
        }
    return least;
}

Matrix5d ThreeBody::structure()
{
    Matrix5d b = Matrix5d::Zero();
    // theta21' = H_mu2 - H_mu1, theta32' = H_mu3 - H_mu2
    b(0, 2) = b(1, 3) = -1;
    b(0, 3) = b(1, 4) = 1;
    b.bottomLeftCorner<3, 2>() = -b.topRightCorner<2, 3>().transpose();
    return b;
}

Eigen::Vector3d ThreeBody::lockedMomenta(double x, double y) const
{
    return J(x, y).rowwise().sum() * (p_.mu / lockedInertia(x, y));
}

Vector5d ThreeBody::hamiltonianGradient(const Vector5d& z) const
{
    Eigen::Vector3d omega;
    const Vector5d rate = reducedField(z, omega);
    Vector5d gradient;
    gradient << rate[2], -rate[4], omega;
    return gradient;
}

Matrix5d ThreeBody::hamiltonianHessian(const Vector5d& z) const
{
    const Couplings<double> g = couplings(z[0], z[1]);
    const Eigen::Vector3d omega = velocities(g, Eigen::Vector3d(z.tail<3>()));
    const Eigen::Matrix3d inverse = J(z[0], z[1]).inverse();
    // dJ/dx = -(K12, K13), dJ/dy = -(K23, K13) at their places, both symmetric
    const double w1 = omega[0], w2 = omega[1], w3 = omega[2];
    const Eigen::Vector3d jx{-g.K12 * w2 - g.K13 * w3, -g.K12 * w1, -g.K13 * w1};
    const Eigen::Vector3d jy{-g.K13 * w3, -g.K23 * w3, -g.K13 * w1 - g.K23 * w2};
    Matrix5d h;
    h.bottomRightCorner<3, 3>() = inverse;
    h.block<3, 1>(2, 0) = -inverse * jx;
    h.block<3, 1>(2, 1) = -inverse * jy;
    h.topRightCorner<2, 3>() = h.bottomLeftCorner<3, 2>().transpose();
    // H_xx = (J_x w).J^-1 (J_x w) - w.J_xx w/2, where J_xx = -J at the entries that depend on x
    h(0, 0) = jx.dot(inverse * jx) + g.J12 * w1 * w2 + g.J13 * w1 * w3;
    h(1, 1) = jy.dot(inverse * jy) + g.J23 * w2 * w3 + g.J13 * w1 * w3;
    h(0, 1) = h(1, 0) = jx.dot(inverse * jy) + g.J13 * w1 * w3;
    return h;
}

ThreeBodyPlacement ThreeBody::placement(double theta1, double x, double y) const
{
    using C = std::complex<double>;
    const C u1 = std::polar(1.0, theta1), u2 = std::polar(1.0, theta1 + x),
            u3 = std::polar(1.0, theta1 + x + y);
    const C first = p_.c1 * u1 + p_.b1 * u2;            // r2 - r1
    const C second = C(p_.e1, p_.e2) * u2 + p_.d1 * u3; // r3 - r2
    const C r1 = -(p_.m2 / M_) * first - (p_.m3 / M_) * (first + second), r2 = r1 + first, r3 = r2 + second;
    const C h12 = r1 + p_.c1 * u1, h23 = r3 - p_.d1 * u3;
    const auto point = [](C z) { return Eigen::Vector2d(z.real(), z.imag()); };
    return {point(r1), point(r2), point(r3), point(h12), point(h23)};
}

} // namespace casimir::planar
