#include "core/systems/rod/rod/rod.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

// d2 is as near to the body's z axis as can be, so that of a radial rod EI1 resists flapping along z and EI2
// lagging in the plane; a rod along z has D = 1.
Mat3 directorFrame(const Vec3& direction)
{
    const Vec3 d3 = direction.normalized();
    Vec3 d2 = Vec3::UnitZ() - d3.z() * d3;
    d2 = d2.norm() < 1e-9 ? Vec3::UnitY() : Vec3(d2.normalized());
    if (d3.z() < 0 && std::abs(d3.z()) > 1 - 1e-15)
        d2 = -Vec3::UnitY();
    Mat3 D;
    D << d2.cross(d3), d2, d3;
    return D;
}

// a ⊗ b made symmetric, and the inertia of a point: |y|² 1 - y yᵀ.
Mat3 symmetricProduct(const Vec3& a, const Vec3& b)
{
    return (a * b.transpose() + b * a.transpose()) / 2;
}

Mat3 pointInertia(const Vec3& y, const Vec3& z)
{
    return y.dot(z) * Mat3::Identity() - symmetricProduct(y, z);
}

// Second variation of -½ ξ·I ξ under turns, in exponential coordinates.
Mat3 turningHessian(const Mat3& I, const Vec3& xi)
{
    const Vec3 pi = I * xi;
    const Mat3 X = hat(xi);
    return X * I * X - symmetricProduct(pi, xi) + pi.dot(xi) * Mat3::Identity();
}

Mat3 gyroscopicTurning(const Mat3& I, const Vec3& xi)
{
    return I.trace() * hat(xi) - 2 * hat(I * xi);
}

// (Dinertia·ϑ) ξ of a turning inertia: ϑ x π - I (ϑ x ξ).
Mat3 turningVariation(const Mat3& I, const Vec3& xi)
{
    return -hat(I * xi) + I * hat(xi);
}

// The same of a point of mass moment Y: 2 (Y·δy) ξ - Y (δy·ξ) - δy (Y·ξ).
Mat3 shiftingVariation(const Vec3& Y, const Vec3& xi)
{
    return 2 * xi * Y.transpose() - Y * xi.transpose() - Y.dot(xi) * Mat3::Identity();
}

// T = [1 -r^; 0 1]: the clamp moves with the body.
Mat6 slaving(const Vec3& r)
{
    Mat6 T = Mat6::Identity();
    T.topRightCorner<3, 3>() = -hat(r);
    return T;
}

} // namespace

Quat turnBy(const Vec3& v)
{
    const double angle = v.norm();
    const double half = angle / 2;
    const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48 : std::sin(half) / angle;
    return Quat(std::cos(half), scale * v.x(), scale * v.y(), scale * v.z()).normalized();
}

void move(RodConfiguration& at, const Eigen::VectorXd& variation)
{
    for (std::size_t i = 0; i < at.x.size(); ++i) {
        const auto k = 6 * static_cast<Eigen::Index>(i);
        at.x[i] += variation.segment<3>(k);
        at.q[i] = (turnBy(variation.segment<3>(k + 3)) * at.q[i]).normalized();
    }
}

Rod::Rod(const RodParameters& parameters) : p_(parameters)
{
    if (!(p_.d3.norm() > 0))
        throw Error("the direction of the rod (d3x, d3y, d3z) is zero; it must point somewhere");
    if (p_.elements < 1)
        throw Error(fmt::format("the rod has {} elements; it needs at least 1", p_.elements));
    law_.D = directorFrame(p_.d3);
    law_.CN = p_.CN;
    law_.CM = p_.CM;
    law_.h = h();
    J_ = law_.D * p_.j.asDiagonal() * law_.D.transpose();
}

RodConfiguration Rod::reference() const
{
    RodConfiguration at;
    at.x.resize(nodes());
    at.q.assign(nodes(), Quat::Identity());
    at.x[0].setZero();
    for (std::size_t i = 1; i < nodes(); ++i)
        at.x[i] = p_.r0 + h() * static_cast<double>(i) * law_.D.col(2);
    centreAtOrigin(at);
    return at;
}

Vec3 Rod::point(const RodConfiguration& at, std::size_t node) const
{
    return node == 0 ? Vec3(at.x[0] + at.q[0] * p_.r0) : at.x[node];
}

double Rod::weightOf(std::size_t node) const
{
    return node == 0 || node + 1 == nodes() ? h() / 2 : h();
}

double Rod::massOf(std::size_t node) const
{
    return p_.rhoA * weightOf(node) * (1 - p_.consistency / 3);
}

double Rod::massBetween() const
{
    return p_.rhoA * h() * p_.consistency / 6;
}

Vec3 Rod::centre(const RodConfiguration& at) const
{
    Vec3 sum = p_.bodyMass * at.x[0];
    for (std::size_t i = 0; i < nodes(); ++i)
        sum += p_.rhoA * weightOf(i) * point(at, i);
    return sum / mass();
}

void Rod::centreAtOrigin(RodConfiguration& at) const
{
    const Vec3 c = centre(at);
    for (Vec3& x : at.x)
        x -= c;
}

Mat3 Rod::sectionInertia(const Quat& q) const
{
    const Mat3 L = q.toRotationMatrix();
    return L * J_ * L.transpose();
}

Mat3 Rod::bodyInertia(const Quat& q) const
{
    const Mat3 L = q.toRotationMatrix();
    return L * p_.bodyInertia.asDiagonal() * L.transpose();
}

std::vector<Vec3> Rod::positions(const RodConfiguration& at) const
{
    const Vec3 c = centre(at);
    std::vector<Vec3> y(nodes());
    for (std::size_t i = 0; i < nodes(); ++i)
        y[i] = point(at, i) - c;
    return y;
}

std::vector<Vec3> Rod::massTimes(const std::vector<Vec3>& y) const
{
    const double beside = massBetween();
    std::vector<Vec3> Y(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        Y[i] = massOf(i) * y[i];
        if (i > 0)
            Y[i] += beside * y[i - 1];
        if (i + 1 < y.size())
            Y[i] += beside * y[i + 1];
    }
    return Y;
}

Mat3 Rod::lockedInertia(const RodConfiguration& at) const
{
    const std::vector<Vec3> y = positions(at), Y = massTimes(y);
    const Vec3 yB = at.x[0] - centre(at);
    Mat3 II = bodyInertia(at.q[0]) + p_.bodyMass * pointInertia(yB, yB);
    for (std::size_t i = 0; i < nodes(); ++i)
        II += pointInertia(y[i], Y[i]) + weightOf(i) * sectionInertia(at.q[i]);
    return II;
}

std::vector<ElementStrain> Rod::strains(const RodConfiguration& at) const
{
    std::vector<ElementStrain> all;
    all.reserve(nodes() - 1);
    for (std::size_t i = 0; i + 1 < nodes(); ++i)
        all.push_back(elementStrain(law_, point(at, i), at.q[i], at.x[i + 1], at.q[i + 1]));
    return all;
}

double Rod::strainEnergy(const RodConfiguration& at) const
{
    double energy = 0;
    for (const ElementStrain& e : strains(at))
        energy += law_.h / 2 *
                  (e.gamma.dot(law_.CN.cwiseProduct(e.gamma)) + e.kappa.dot(law_.CM.cwiseProduct(e.kappa)));
    return energy;
}

void Rod::slave(const RodConfiguration& at, const Vec3& force, Eigen::VectorXd& gradient,
                BlockTridiagonal* hessian) const
{
    const Vec3 r = at.q[0] * p_.r0;
    gradient.segment<3>(3) += r.cross(force);
    if (!hessian)
        return;
    const Mat6 T = slaving(r);
    hessian->diagonal[0] = T.transpose() * hessian->diagonal[0] * T;
    hessian->upper[0] = T.transpose() * hessian->upper[0];
    hessian->lower[0] = hessian->lower[0] * T;
    hessian->diagonal[0].bottomRightCorner<3, 3>() +=
        symmetricProduct(force, r) - force.dot(r) * Mat3::Identity();
}

void Rod::strain(const RodConfiguration& at, Eigen::VectorXd& gradient, BlockTridiagonal* hessian) const
{
    gradient.setZero(size());
    if (hessian)
        *hessian = BlockTridiagonal(nodes());
    ElementVariation e;
    for (std::size_t i = 0; i + 1 < nodes(); ++i) {
        varyElement(law_, point(at, i), at.q[i], at.x[i + 1], at.q[i + 1], e, hessian != nullptr);
        gradient.segment<12>(6 * static_cast<Eigen::Index>(i)) += e.gradient;
        if (hessian) {
            hessian->diagonal[i] += e.hessian.topLeftCorner<6, 6>();
            hessian->upper[i] = e.hessian.topRightCorner<6, 6>();
            hessian->lower[i] = e.hessian.bottomLeftCorner<6, 6>();
            hessian->diagonal[i + 1] += e.hessian.bottomRightCorner<6, 6>();
        }
    }
    const Vec3 force = gradient.head<3>();
    slave(at, force, gradient, hessian);
}

void Rod::centrifugal(const RodConfiguration& at, const Vec3& xi, Eigen::VectorXd& gradient,
                      BlockTridiagonal* hessian) const
{
    const Mat3 X = hat(xi);
    const Mat3 P = -X * X;
    const std::vector<Vec3> Y = massTimes(positions(at));
    gradient.setZero(size());
    if (hessian)
        *hessian = BlockTridiagonal(nodes());
    for (std::size_t i = 0; i < nodes(); ++i) {
        const auto k = 6 * static_cast<Eigen::Index>(i);
        const Mat3 I = weightOf(i) * sectionInertia(at.q[i]);
        gradient.segment<3>(k) = -P * Y[i];
        gradient.segment<3>(k + 3) = -(I * xi).cross(xi);
        if (hessian) {
            hessian->diagonal[i].topLeftCorner<3, 3>() = -massOf(i) * P;
            hessian->diagonal[i].bottomRightCorner<3, 3>() = turningHessian(I, xi);
            if (i + 1 < nodes()) {
                hessian->upper[i].topLeftCorner<3, 3>() = -massBetween() * P;
                hessian->lower[i].topLeftCorner<3, 3>() = -massBetween() * P;
            }
        }
    }
    const Vec3 force = gradient.head<3>();
    slave(at, force, gradient, hessian);
    const Mat3 IB = bodyInertia(at.q[0]);
    gradient.head<3>() -= p_.bodyMass * (P * (at.x[0] - centre(at)));
    gradient.segment<3>(3) -= (IB * xi).cross(xi);
    if (hessian) {
        hessian->diagonal[0].topLeftCorner<3, 3>() -= p_.bodyMass * P;
        hessian->diagonal[0].bottomRightCorner<3, 3>() += turningHessian(IB, xi);
    }
}

BlockTridiagonal Rod::viscosity(const RodConfiguration& at) const
{
    BlockTridiagonal N(nodes());
    for (std::size_t i = 0; i + 1 < nodes(); ++i) {
        const Mat12 e = materialStiffness(law_, point(at, i), at.q[i], at.x[i + 1], at.q[i + 1]);
        N.diagonal[i] += e.topLeftCorner<6, 6>();
        N.upper[i] = e.topRightCorner<6, 6>();
        N.lower[i] = e.bottomLeftCorner<6, 6>();
        N.diagonal[i + 1] += e.bottomRightCorner<6, 6>();
    }
    Eigen::VectorXd none = Eigen::VectorXd::Zero(6);
    slave(at, Vec3::Zero(), none, &N);
    return N;
}

BlockTridiagonal Rod::massMatrix(const RodConfiguration& at) const
{
    BlockTridiagonal M(nodes());
    for (std::size_t i = 0; i < nodes(); ++i) {
        M.diagonal[i].topLeftCorner<3, 3>() = massOf(i) * Mat3::Identity();
        M.diagonal[i].bottomRightCorner<3, 3>() = weightOf(i) * sectionInertia(at.q[i]);
        if (i + 1 < nodes()) {
            M.upper[i].topLeftCorner<3, 3>() = massBetween() * Mat3::Identity();
            M.lower[i] = M.upper[i];
        }
    }
    const Mat6 T = slaving(at.q[0] * p_.r0);
    M.diagonal[0] = T.transpose() * M.diagonal[0] * T;
    M.upper[0] = T.transpose() * M.upper[0];
    M.lower[0] = M.lower[0] * T;
    M.diagonal[0].topLeftCorner<3, 3>() += p_.bodyMass * Mat3::Identity();
    M.diagonal[0].bottomRightCorner<3, 3>() += bodyInertia(at.q[0]);
    return M;
}

BlockTridiagonal Rod::gyroscopic(const RodConfiguration& at, const Vec3& xi) const
{
    const Mat3 X = hat(xi);
    BlockTridiagonal G(nodes());
    for (std::size_t i = 0; i < nodes(); ++i) {
        G.diagonal[i].topLeftCorner<3, 3>() = 2 * massOf(i) * X;
        G.diagonal[i].bottomRightCorner<3, 3>() =
            gyroscopicTurning(weightOf(i) * sectionInertia(at.q[i]), xi);
        if (i + 1 < nodes()) {
            G.upper[i].topLeftCorner<3, 3>() = 2 * massBetween() * X;
            G.lower[i] = G.upper[i];
        }
    }
    const Mat6 T = slaving(at.q[0] * p_.r0);
    G.diagonal[0] = T.transpose() * G.diagonal[0] * T;
    G.upper[0] = T.transpose() * G.upper[0];
    G.lower[0] = G.lower[0] * T;
    G.diagonal[0].topLeftCorner<3, 3>() += 2 * p_.bodyMass * X;
    G.diagonal[0].bottomRightCorner<3, 3>() += gyroscopicTurning(bodyInertia(at.q[0]), xi);
    return G;
}

Eigen::MatrixXd Rod::inertiaVariation(const RodConfiguration& at, const Vec3& xi) const
{
    Eigen::MatrixXd c(3, size());
    const std::vector<Vec3> Y = massTimes(positions(at));
    for (std::size_t i = 0; i < nodes(); ++i) {
        const auto k = 6 * static_cast<Eigen::Index>(i);
        c.middleCols<3>(k) = shiftingVariation(Y[i], xi);
        c.middleCols<3>(k + 3) = turningVariation(weightOf(i) * sectionInertia(at.q[i]), xi);
    }
    c.middleCols<3>(3) -= c.leftCols<3>() * hat(at.q[0] * p_.r0);
    c.leftCols<3>() += shiftingVariation(p_.bodyMass * (at.x[0] - centre(at)), xi);
    c.middleCols<3>(3) += turningVariation(bodyInertia(at.q[0]), xi);
    return c;
}

Eigen::MatrixXd Rod::translations() const
{
    Eigen::MatrixXd t = Eigen::MatrixXd::Zero(size(), 3);
    for (std::size_t i = 0; i < nodes(); ++i)
        t.middleRows<3>(6 * static_cast<Eigen::Index>(i)).setIdentity();
    return t;
}

Eigen::MatrixXd Rod::rotations(const RodConfiguration& at) const
{
    const Vec3 c = centre(at);
    Eigen::MatrixXd r(size(), 3);
    for (std::size_t i = 0; i < nodes(); ++i) {
        const auto k = 6 * static_cast<Eigen::Index>(i);
        r.middleRows<3>(k) = -hat(at.x[i] - c); // η x y
        r.middleRows<3>(k + 3).setIdentity();
    }
    return r;
}

} // namespace casimir::rod
