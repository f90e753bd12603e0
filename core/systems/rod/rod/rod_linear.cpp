#include "core/systems/rod/rod/rod_linear.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <cmath>

namespace casimir::rod {

namespace {

Quat about(double angle)
{
    return Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
}

// The rotation vector of the shorter way.
Vec3 rotationVector(const Quat& q)
{
    const double sine = q.vec().norm(), sign = q.w() < 0 ? -1 : 1;
    if (sine == 0)
        return Vec3::Zero();
    return 2 * std::atan2(sine, sign * q.w()) * (sign / sine) * q.vec();
}

double twist(const Quat& q)
{
    return 2 * std::atan2(q.z(), q.w());
}

} // namespace

RodLinearMotion::RodLinearMotion(const RodDynamics& dynamics, const RodEquilibrium& equilibrium)
    : dynamics_(&dynamics), at_(dynamics.rod(), equilibrium)
{
    const Rod& rod = dynamics.rod();
    shifts_ = rod.translations();
    massShifts_ = at_.M * shifts_;
    massTurns_ = at_.M * at_.rotations;
    momentum_ = rod.inertiaVariation(at_.e.at, at_.e.xi());
    turning_ = at_.rotations.col(2).dot(massTurns_.col(2));
}

LinearMode RodLinearMotion::split(const RodMode& mode) const
{
    LinearMode all{mode.value, mode.shape, mode.velocity, 0};
    all.shape -= shifts_ * (massShifts_.transpose() * all.shape) / dynamics_->rod().mass();
    all.swing = massTurns_.col(2).cast<std::complex<double>>().dot(all.shape) / turning_;
    all.shape -= all.swing * at_.rotations.col(2);
    return all;
}

RodDeviation RodLinearMotion::none() const
{
    const Eigen::Index n = dynamics_->rod().size();
    return {0, Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n)};
}

RodDeviation RodLinearMotion::inMode(const LinearMode& mode, std::complex<double> amplitude) const
{
    return {(amplitude * mode.swing).real(), (amplitude * mode.shape).real(), (amplitude * mode.rate).real()};
}

RodState RodLinearMotion::stateAt(const RodDeviation& deviation) const
{
    const Rod& rod = dynamics_->rod();
    const Vec3 xi = at_.e.xi();
    RodConfiguration at = at_.e.at;
    move(at, deviation.shape);
    std::vector<Vec3> v(rod.nodes()), w(rod.nodes());
    for (std::size_t i = 0; i < rod.nodes(); ++i) {
        const auto k = 6 * static_cast<Eigen::Index>(i);
        v[i] = xi.cross(at.x[i]) + deviation.rate.segment<3>(k);
        w[i] = xi + deviation.rate.segment<3>(k + 3);
    }
    rod.centreAtOrigin(at);
    const RodState s = dynamics_->stateOf(at, v, w);
    const Vec3 drift = dynamics_->linearMomentum(s) / rod.mass();
    const Vec3 wanted(0, 0, angularMomentum(rod, at_.e));
    const Vec3 spin = rod.lockedInertia(at).ldlt().solve(wanted - dynamics_->angularMomentum(s));
    const Quat turn = about(deviation.angle);
    for (std::size_t i = 0; i < rod.nodes(); ++i) {
        v[i] = turn * (v[i] + spin.cross(at.x[i]) - drift);
        w[i] = turn * (w[i] + spin);
        at.x[i] = turn * at.x[i];
        at.q[i] = turn * at.q[i];
    }
    return dynamics_->stateOf(at, v, w);
}

Eigen::VectorXd RodLinearMotion::shapeAt(const RodConfiguration& centred, double angle) const
{
    const Quat back = about(-angle);
    Eigen::VectorXd shape(dynamics_->rod().size());
    for (std::size_t i = 0; i < centred.x.size(); ++i) {
        const auto k = 6 * static_cast<Eigen::Index>(i);
        shape.segment<3>(k) = back * centred.x[i] - at_.e.at.x[i];
        shape.segment<3>(k + 3) = rotationVector(back * centred.q[i] * at_.e.at.q[i].conjugate());
    }
    shape -= shifts_ * (massShifts_.transpose() * shape) / dynamics_->rod().mass();
    return shape;
}

RodDeviation RodLinearMotion::deviationOf(const RodState& s) const
{
    const Rod& rod = dynamics_->rod();
    RodConfiguration at = dynamics_->configurationOf(s);
    rod.centreAtOrigin(at);
    // The angle at which nothing of the shape is a turn about the axis, by secants: the slope is near -1.
    RodDeviation d;
    d.angle = twist(at.q[0] * at_.e.at.q[0].conjugate());
    double slope = -1, before = 0, angleBefore = 0;
    constexpr int mostTrials = 40;
    for (int k = 0; k < mostTrials; ++k) {
        d.shape = shapeAt(at, d.angle);
        const double turn = massTurns_.col(2).dot(d.shape) / turning_;
        if (k > 0 && d.angle != angleBefore && turn != before)
            slope = std::clamp((turn - before) / (d.angle - angleBefore), -2.0, -0.3);
        before = turn;
        angleBefore = d.angle;
        if (std::abs(turn) < 1e-16 || k + 1 == mostTrials)
            break;
        d.angle -= turn / slope;
        if (d.angle == angleBefore)
            break;
    }

    std::vector<Vec3> v, w;
    dynamics_->velocities(s, v, w);
    const Quat back = about(-d.angle);
    const Vec3 xi = at_.e.xi();
    d.rate.resize(rod.size());
    Eigen::MatrixXd free(rod.size(), 6); // rigid motions of the present configuration
    for (std::size_t i = 0; i < rod.nodes(); ++i) {
        const auto k = 6 * static_cast<Eigen::Index>(i);
        d.rate.segment<3>(k) = back * v[i] - xi.cross(at_.e.at.x[i] + d.shape.segment<3>(k));
        d.rate.segment<3>(k + 3) = back * w[i] - xi;
        free.block<6, 3>(k, 0) << -hat(back * at.x[i]), Mat3::Identity();
        free.block<6, 3>(k, 3) << Mat3::Identity(), Mat3::Zero();
    }
    // Beyond first order stateAt() adds a rigid motion to keep the momenta; it is taken away again.
    Mat6 conditions;
    conditions << massShifts_.transpose() * free, massTurns_.transpose() * free;
    Vec6 off;
    off << massShifts_.transpose() * d.rate, momentum_ * d.shape + massTurns_.transpose() * d.rate;
    d.rate -= free * conditions.partialPivLu().solve(off);
    return d;
}

double RodLinearMotion::energy(const RodDeviation& d) const
{
    const RodEquilibrium& e = at_.e;
    const double calm =
        dynamics_->rod().strainEnergy(e.at) + angularMomentum(dynamics_->rod(), e) * e.omega / 2;
    return calm + (d.rate.dot((at_.M * d.rate).col(0)) + d.shape.dot((at_.K * d.shape).col(0))) / 2;
}

RodLinearMotion::Fit RodLinearMotion::fit(const LinearMode& mode, const RodDeviation& d)
{
    // Rates in units of the exponent, so that shape and rate weigh the same.
    const double unit = 1 / std::max(1.0, std::abs(mode.value));
    const Eigen::Index n = d.shape.size();
    Eigen::MatrixXd columns(2 * n, 2);
    columns << mode.shape.real(), -mode.shape.imag(), unit * mode.rate.real(), -unit * mode.rate.imag();
    Eigen::VectorXd wanted(2 * n);
    wanted << d.shape, unit * d.rate;
    const Eigen::Matrix2d normal = columns.transpose() * columns;
    Eigen::Vector2d parts = Eigen::Vector2d::Zero();
    if (normal.determinant() > 1e-12 * normal.trace() * normal.trace())
        parts = normal.inverse() * (columns.transpose() * wanted);
    else if (normal(0, 0) > 0) // an exponent that is real
        parts[0] = columns.col(0).dot(wanted) / normal(0, 0);
    return {{parts[0], parts[1]}, (wanted - columns * parts).norm()};
}

RodLinearMotion::Fit RodLinearMotion::fitShape(const LinearMode& mode, const RodDeviation& d)
{
    const Eigen::VectorXd column = mode.shape.real();
    const double amplitude = column.dot(d.shape) / column.squaredNorm();
    return {amplitude, (d.shape - amplitude * column).norm()};
}

} // namespace casimir::rod
