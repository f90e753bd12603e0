#include "core/systems/tops/chain.h"

#include "core/base/error.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir::tops {

namespace {

void check(const Top& top, std::size_t i)
{
    const auto complain = [i](const char* what, double value, const char* must) {
        return Error(fmt::format("{} of top {} is {}; it must be {}", what, i + 1, value, must));
    };
    if (!(top.m > 0))
        throw complain("the mass", top.m, "greater than 0");
    if (!(top.J0 > 0))
        throw complain("the equatorial inertia J0", top.J0, "greater than 0");
    if (!(top.Js > 0))
        throw complain("the axial inertia Js", top.Js, "greater than 0");
    // Rounding of a ratio of exactly 2 is not a fault of the body.
    if (top.Js > 2 * top.J0 * (1 + 1e-12))
        throw Error(fmt::format("top {} is no body of mass: its axial inertia Js = {} exceeds 2 J0 = {}",
                                i + 1, top.Js, 2 * top.J0));
}

} // namespace

Chain::Chain(std::vector<Top> tops, double g) : tops_(std::move(tops)), g_(g)
{
    if (tops_.empty() || tops_.size() > maxTops)
        throw Error(fmt::format("a chain of {} tops; it takes 1 to {}", tops_.size(), maxTops));
    const Eigen::Index n = static_cast<Eigen::Index>(tops_.size());
    a_.resize(n);
    k_.resize(n);
    inertia_.resize(n, n);
    double beyond = 0; // m~_i, the mass that top i carries
    for (Eigen::Index i = n - 1; i >= 0; --i) {
        const Top& top = tops_[static_cast<std::size_t>(i)];
        check(top, static_cast<std::size_t>(i));
        // The last top carries nothing: its s plays no part.
        a_[i] = top.m * top.c + beyond * top.s;
        k_[i] = top.Js * top.q;
        inertia_(i, i) = top.J0 + top.m * top.c * top.c + beyond * top.s * top.s;
        beyond += top.m;
    }
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = i + 1; j < n; ++j)
            inertia_(i, j) = inertia_(j, i) = tops_[static_cast<std::size_t>(i)].s * a_[j];
}

void Chain::setSpin(int i, double q)
{
    Top& top = tops_[static_cast<std::size_t>(i)];
    top.q = q;
    k_[i] = top.Js * q;
}

void Chain::accelerations(const AxesRef& e, const AxesRef& v, Eigen::Ref<Eigen::Matrix3Xd> out) const
{
    // M_ij = s_min a_max couples neighbours only through the joints, so the equations are solved along the
    // chain in O(n). With X_i the acceleration of O_i, the force on top i at O_i is F_i = Phi_i X_i + phi_i,
    // found from the end inwards; e_i'' = B_i u_i - |v_i|^2 e_i with
    //     S_i u_i = -B_i^T (N_i X_i + r_i),  S_i = J0 + m c^2 + s^2 B^T Phi' B,  N_i = m c + s Phi',
    //     r_i = m c g e3 + s (phi' - s |v|^2 Phi' e) - k e x v,
    // primes at Phi and phi for top i + 1, and then outwards with X_1 = 0.
    const int n = size();
    struct Link {
        Eigen::Matrix<double, 3, 2> B;
        Eigen::Matrix<double, 2, 3> gain; // S^-1 B^T N
        Eigen::Vector2d u;                // -S^-1 B^T r
    };
    std::array<Link, maxTops> links;
    Eigen::Matrix3d Phi = Eigen::Matrix3d::Zero();
    Eigen::Vector3d phi = Eigen::Vector3d::Zero();
    for (int i = n - 1; i >= 0; --i) {
        const Top& top = tops_[static_cast<std::size_t>(i)];
        Link& link = links[static_cast<std::size_t>(i)];
        const Eigen::Vector3d axis = e.col(i), rate = v.col(i);
        const double s = i + 1 < n ? top.s : 0, speed2 = rate.squaredNorm();
        // Any basis across the axis gives the same answer; this one stays well conditioned everywhere.
        Eigen::Index least = 0;
        axis.cwiseAbs().minCoeff(&least);
        link.B.col(0) = Eigen::Vector3d::Unit(least).cross(axis).normalized();
        link.B.col(1) = axis.cross(Eigen::Vector3d(link.B.col(0)));
        Eigen::Matrix3d N = s * Phi;
        N.diagonal().array() += top.m * top.c;
        Eigen::Vector3d r = s * (phi - s * speed2 * (Phi * axis)) - k_[i] * axis.cross(rate);
        r.z() += top.m * top.c * g_;
        Eigen::Matrix2d S = s * s * (link.B.transpose() * Phi * link.B);
        S.diagonal().array() += top.J0 + top.m * top.c * top.c;
        const Eigen::Matrix2d inverse = S.inverse();
        const Eigen::Matrix<double, 2, 3> across = link.B.transpose() * N;
        link.gain = inverse * across;
        link.u = -inverse * (link.B.transpose() * r);
        phi += across.transpose() * link.u - speed2 * (N * axis);
        phi.z() += top.m * g_;
        // Phi' + m - N B S^-1 B^T N as a sum of squares: the difference loses digits at every link.
        const Eigen::Matrix3d turn = link.B * link.gain, end = Eigen::Matrix3d::Identity() - s * turn,
                              middle = Eigen::Matrix3d::Identity() - top.c * turn;
        Phi = end.transpose() * (Phi * end).eval() + top.m * middle.transpose() * middle +
              top.J0 * link.gain.transpose() * link.gain;
        Phi = (0.5 * (Phi + Phi.transpose())).eval();
    }
    Eigen::Vector3d X = Eigen::Vector3d::Zero();
    for (int i = 0; i < n; ++i) {
        const Link& link = links[static_cast<std::size_t>(i)];
        out.col(i) = link.B * (link.u - link.gain * X) - v.col(i).squaredNorm() * e.col(i);
        X += tops_[static_cast<std::size_t>(i)].s * out.col(i);
    }
}

double Chain::energy(const AxesRef& e, const AxesRef& v) const
{
    double energy = 0;
    for (int i = 0; i < size(); ++i) {
        energy += 0.5 * k_[i] * tops_[static_cast<std::size_t>(i)].q + g_ * a_[i] * e(2, i) +
                  0.5 * inertia_(i, i) * v.col(i).squaredNorm();
        for (int j = 0; j < i; ++j)
            energy += inertia_(i, j) * v.col(i).dot(v.col(j));
    }
    return energy;
}

double Chain::verticalMomentum(const AxesRef& e, const AxesRef& v) const
{
    double momentum = 0;
    for (int i = 0; i < size(); ++i) {
        momentum += k_[i] * e(2, i);
        for (int j = 0; j < size(); ++j)
            momentum += inertia_(i, j) * (e(0, i) * v(1, j) - e(1, i) * v(0, j));
    }
    return momentum;
}

double Chain::residual(const AxesRef& e, const AxesRef& v, const AxesRef& acceleration) const
{
    double worst = 0, scale = 0;
    for (int i = 0; i < size(); ++i) {
        Eigen::Vector3d sum = g_ * a_[i] * Eigen::Vector3d::UnitZ();
        double size = std::abs(g_ * a_[i]) + std::abs(k_[i]) * v.col(i).norm();
        for (int j = 0; j < this->size(); ++j) {
            sum += inertia_(i, j) * acceleration.col(j);
            size += std::abs(inertia_(i, j)) * acceleration.col(j).norm();
        }
        const Eigen::Vector3d axis = e.col(i);
        worst = std::max(worst, (axis.cross(sum) + k_[i] * v.col(i)).norm());
        scale = std::max(scale, size);
    }
    return scale > 0 ? worst / scale : worst;
}

Eigen::Vector3d Chain::joint(const AxesRef& e, int i) const
{
    Eigen::Vector3d at = Eigen::Vector3d::Zero();
    for (int j = 0; j < i; ++j)
        at += tops_[static_cast<std::size_t>(j)].s * e.col(j);
    return at;
}

Eigen::Vector3d Chain::centre(const AxesRef& e, int i) const
{
    return joint(e, i) + tops_[static_cast<std::size_t>(i)].c * e.col(i);
}

std::array<Eigen::Vector3d, 2> angleBasis(double theta, double psi)
{
    const double c = std::cos(theta), s = std::sin(theta), cp = std::cos(psi), sp = std::sin(psi);
    return {Eigen::Vector3d(c * cp, c * sp, -s), Eigen::Vector3d(-sp, cp, 0)};
}

Eigen::Vector3d axisOf(const AxisAngles& at)
{
    const double s = std::sin(at.theta);
    return {s * std::cos(at.psi), s * std::sin(at.psi), std::cos(at.theta)};
}

Eigen::Vector3d axisRateOf(const AxisAngles& at)
{
    const auto [eTheta, ePsi] = angleBasis(at.theta, at.psi);
    return at.dtheta * eTheta + std::sin(at.theta) * at.dpsi * ePsi;
}

AxisAngles anglesOf(const Eigen::Vector3d& e, const Eigen::Vector3d& v, double psiNear)
{
    AxisAngles at;
    const double sine = std::hypot(e.x(), e.y());
    at.theta = std::atan2(sine, e.z());
    at.psi = sine > 0 ? nearestTurn(std::atan2(e.y(), e.x()), psiNear) : psiNear;
    auto [eTheta, ePsi] = angleBasis(at.theta, at.psi);
    if (sine == 0) {
        // On the vertical every azimuth is right; the one that v leaves along has no rate of turn.
        constexpr double rounding = 4e-16;
        if (std::abs(ePsi.dot(v)) > rounding * v.norm()) {
            at.psi = nearestTurn(std::atan2(v.y() * e.z(), v.x() * e.z()), psiNear);
            std::tie(eTheta, ePsi) =
                std::pair(angleBasis(at.theta, at.psi)[0], angleBasis(at.theta, at.psi)[1]);
        }
        at.dtheta = eTheta.dot(v);
        return at;
    }
    at.dtheta = eTheta.dot(v);
    at.dpsi = ePsi.dot(v) / sine;
    return at;
}

double nearestTurn(double angle, double reference)
{
    constexpr double turn = 2 * std::numbers::pi;
    return angle + turn * std::round((reference - angle) / turn);
}

} // namespace casimir::tops
