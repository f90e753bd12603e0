#include "core/systems/planar/two_body/two_body.h"

#include "core/systems/planar/require.h"

#include <numbers>

namespace casimir::planar {

TwoBody::TwoBody(const TwoBodyParameters& parameters) : p_(parameters)
{
    requirePositive("m1", p_.m1);
    requirePositive("m2", p_.m2);
    requireNonNegative("I1", p_.I1);
    requireNonNegative("I2", p_.I2);
    requireNonNegative("d1", p_.d1);
    requireNonNegative("d2", p_.d2);
    requireFinite("theta0", p_.theta0);
    requireFinite("mu", p_.mu);

    epsilon_ = p_.m1 * (p_.m2 / (p_.m1 + p_.m2));
    const double a = epsilon_ * p_.d1 * p_.d1, b = epsilon_ * p_.d2 * p_.d2;
    I1Tilde_ = p_.I1 + a;
    I2Tilde_ = p_.I2 + b;
    D_ = epsilon_ * p_.d1 * p_.d2;
    const double sum = p_.d1 + p_.d2, gap = p_.d1 - p_.d2;
    difference_ = (p_.I1 - p_.I2) + epsilon_ * gap * sum;
    SPlus_ = p_.I1 + p_.I2 + epsilon_ * sum * sum;
    SMinus_ = p_.I1 + p_.I2 + epsilon_ * gap * gap;
    DeltaE_ = p_.I1 * p_.I2 + p_.I1 * b + p_.I2 * a;
    if (!std::isnormal(DeltaE_) || !std::isnormal(SMinus_))
        throw Error(
            fmt::format("The inertia matrix J is singular in double precision (det J = {}) for I1 = {}, "
                        "I2 = {}, d1 = {}, d2 = {}: give the bodies more inertia.",
                        DeltaE_, p_.I1, p_.I2, p_.d1, p_.d2));
}

Eigen::Vector3d TwoBody::hamiltonianGradient(const Eigen::Vector3d& x) const
{
    const Eigen::Vector2d omega = velocities<double>(x[0], {x[1], x[2]});
    return {-epsLambdaPrime(x[0]) * omega[0] * omega[1], omega[0], omega[1]};
}

Eigen::Matrix3d TwoBody::hamiltonianHessian(const Eigen::Vector3d& x) const
{
    const double c = epsLambda(x[0]), cPrime = epsLambdaPrime(x[0]), det = delta(x[0]);
    const Eigen::Vector2d w = velocities<double>(x[0], {x[1], x[2]});
    const double h01 = -cPrime / det * (I2Tilde_ * w[1] - c * w[0]);
    const double h02 = -cPrime / det * (I1Tilde_ * w[0] - c * w[1]);
    const double h00 = c * w[0] * w[1] - cPrime * (h01 * w[1] + h02 * w[0]);
    Eigen::Matrix3d h;
    h << h00, h01, h02, h01, I2Tilde_ / det, -c / det, h02, -c / det, I1Tilde_ / det;
    return h;
}

Eigen::Matrix2d TwoBody::leafHessian(double theta, double nu) const
{
    const double c = epsLambda(theta), cPrime = epsLambdaPrime(theta), det = delta(theta);
    const Eigen::Vector2d w = leafVelocities(theta, nu);
    const double h01 = -cPrime / det * (I2Tilde_ * w[1] - c * w[0]);
    const double h02 = -cPrime / det * (I1Tilde_ * w[0] - c * w[1]);
    const double h00 = c * w[0] * w[1] - cPrime * (h01 * w[1] + h02 * w[0]);
    Eigen::Matrix2d h;
    h << h00, h02 - h01, h02 - h01, lockedInertia(theta) / det;
    return h;
}

Eigen::Matrix3d TwoBody::reducedJacobian(const Eigen::Vector3d& x) const
{
    Eigen::Matrix3d poisson; // (1.8) as a constant matrix: x' = poisson * grad H
    poisson << 0, -1, 1, 1, 0, 0, -1, 0, 0;
    return poisson * hamiltonianHessian(x);
}

Eigen::Matrix2d TwoBody::leafJacobian(double theta, double nu) const
{
    const Eigen::Matrix2d h = leafHessian(theta, nu);
    Eigen::Matrix2d a;
    a << h(1, 0), h(1, 1), -h(0, 0), -h(0, 1);
    return a;
}

TwoBodyPlacement TwoBody::placement(double theta1, double theta) const
{
    const double theta2 = theta1 + theta;
    const Eigen::Vector2d arm1 = p_.d1 * Eigen::Vector2d(std::cos(theta1), std::sin(theta1));
    // R(theta2) d21, where d21 = -d2 (cos theta0, -sin theta0)
    const Eigen::Vector2d arm2 =
        -p_.d2 * Eigen::Vector2d(std::cos(theta2 - p_.theta0), std::sin(theta2 - p_.theta0));
    const double m = p_.m1 + p_.m2;
    const Eigen::Vector2d apart = arm1 - arm2;
    const Eigen::Vector2d r1 = -(p_.m2 / m) * apart;
    return {r1, (p_.m1 / m) * apart, r1 + arm1};
}

double principalAngle(double angle)
{
    const double wrapped = std::remainder(angle, 2 * std::numbers::pi);
    return wrapped <= -std::numbers::pi ? std::numbers::pi : wrapped;
}

} // namespace casimir::planar
