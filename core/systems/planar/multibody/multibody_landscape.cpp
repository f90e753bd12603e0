#include "core/systems/planar/multibody/multibody_landscape.h"

#include "core/numerics/dense.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace casimir::planar {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int mostSteps = 60;
constexpr double longestStep = 0.5; // rad, of any body
constexpr double nearEnough = 1e-2; // rad; from here on Newton's method alone, if the index is right
constexpr double arrived = 1e-10;   // rad; the last step of Newton's method
constexpr double flattest = 1e-6;   // a second derivative below this does not lengthen a step
constexpr double vanishing = 1e-9;  // of a second derivative, beside what it is summed from
constexpr double settled = 1e-5;    // rad; an ascent that moves no body farther has arrived
constexpr int mostSweeps = 2000;

} // namespace

TreeLandscape::TreeLandscape(const Tree& tree, const TreeMatrices& matrices, double mu)
    : mu_(mu),
      body_(tree.order()),
      real_(tree.size(), tree.size()),
      imag_(tree.size(), tree.size()),
      length_(tree.size() - 1)
{
    const Index n = tree.size();
    double unit = 0;
    std::vector<Index> place(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) {
        const int body = body_[static_cast<std::size_t>(k)];
        place[static_cast<std::size_t>(body)] = k;
        for (Index l = 0; l < n; ++l) {
            const auto g = matrices.gamma()(body, body_[static_cast<std::size_t>(l)]);
            real_(k, l) = k == l ? 0 : g.real();
            imag_(k, l) = k == l ? 0 : g.imag();
            unit = std::max(unit, std::abs(g));
        }
        ownInertia_ +=
            matrices.gamma()(body, body).real() + tree.bodies()[static_cast<std::size_t>(body)].inertia;
    }
    unit = unit > 0 ? unit : 1;
    real_ /= unit;
    imag_ /= unit;
    ownInertia_ /= unit;
    // Beside springs the spin weighs as it does at the mean of I_L over all angles, which is the trace of J.
    const double torque = mu * mu / (ownInertia_ * ownInertia_ * unit);
    length_ = (real_.cwiseAbs2() + imag_.cwiseAbs2()).cwiseSqrt().rowwise().sum().tail(n - 1);
    double stiffest = 0;
    for (const TreeJoint& j : tree.joints())
        stiffest = std::max(stiffest, j.stiffness);
    if (stiffest > 0) {
        const double weight = std::max(torque, stiffest);
        mu_ = std::sqrt(torque / weight) * ownInertia_;
        length_ *= torque / weight;
        for (const TreeJoint& j : tree.joints()) {
            if (j.stiffness == 0)
                continue;
            const auto at = place[static_cast<std::size_t>(j.body)];
            const auto p =
                place[static_cast<std::size_t>(tree.bodies()[static_cast<std::size_t>(j.body)].parent)];
            springs_.push_back(
                {static_cast<int>(at), static_cast<int>(p), j.stiffness / weight, j.restAngle});
            length_[at - 1] += j.stiffness / weight;
            if (p > 0)
                length_[p - 1] += j.stiffness / weight;
        }
    }
    const double least = 1e-12 * std::max(length_.size() > 0 ? length_.maxCoeff() : 1.0, 1e-300);
    length_ = length_.cwiseMax(least).cwiseSqrt();
}

VectorXd TreeLandscape::inside(const VectorXd& theta) const
{
    VectorXd y(length_.size());
    for (Index i = 0; i < y.size(); ++i)
        y[i] = theta[body_[static_cast<std::size_t>(i) + 1]] * length_[i];
    return y;
}

VectorXd TreeLandscape::outside(const VectorXd& y) const
{
    VectorXd theta = VectorXd::Zero(length_.size() + 1);
    for (Index i = 0; i < y.size(); ++i)
        theta[body_[static_cast<std::size_t>(i) + 1]] = y[i] / length_[i];
    return theta;
}

// With I the locked inertia and kappa, L as in TreeLeaf: I' = 2 kappa, I'' = -2 L. Returns the largest term
// of the sum that the gradient is.
double TreeLandscape::slope(const VectorXd& y, VectorXd& gradient, MatrixXd& hessian) const
{
    const Index m = y.size();
    VectorXd angle(m + 1), c(m + 1), s(m + 1), kappa = VectorXd::Zero(m + 1);
    angle[0] = 0;
    angle.tail(m) = y.cwiseQuotient(length_);
    c = angle.array().cos();
    s = angle.array().sin();
    hessian.setZero(m, m);
    double inertia = ownInertia_, largest = 0;
    for (Index l = 1; l <= m; ++l)
        for (Index k = 0; k < l; ++k) {
            const double cosine = c[l] * c[k] + s[l] * s[k], sine = s[l] * c[k] - c[l] * s[k];
            const double J = real_(k, l) * cosine - imag_(k, l) * sine;
            const double K = real_(k, l) * sine + imag_(k, l) * cosine;
            inertia += 2 * J;
            kappa[k] += K;
            kappa[l] -= K;
            largest = std::max(largest, std::abs(K));
            hessian(l - 1, l - 1) += J;
            if (k > 0) {
                hessian(k - 1, k - 1) += J;
                hessian(k - 1, l - 1) -= J;
                hessian(l - 1, k - 1) -= J;
            }
        }
    gradient = -kappa.tail(m);
    if (!springs_.empty()) {
        const double spin = mu_ / inertia, squared = spin * spin;
        hessian *= squared;
        hessian.noalias() += (4 * squared / inertia) * gradient * gradient.transpose();
        gradient *= squared;
        largest *= squared;
        for (const Spring& spring : springs_) {
            const Index k = spring.at - 1, p = spring.parentAt - 1;
            const double T = spring.stiffness * (angle[k + 1] - angle[p + 1] - spring.restAngle);
            largest = std::max(largest, spring.stiffness);
            gradient[k] += T;
            hessian(k, k) += spring.stiffness;
            if (p >= 0) {
                gradient[p] -= T;
                hessian(p, p) += spring.stiffness;
                hessian(k, p) -= spring.stiffness;
                hessian(p, k) -= spring.stiffness;
            }
        }
    }
    gradient = gradient.cwiseQuotient(length_);
    hessian.array().colwise() /= length_.array();
    hessian.array().rowwise() /= length_.transpose().array();
    return largest;
}

bool TreeLandscape::follow(VectorXd& theta, int index) const
{
    const Index m = length_.size();
    VectorXd y = inside(theta), gradient(m), step(m), part(m);
    MatrixXd hessian(m, m);
    bool newton = false;
    for (int i = 0; i < mostSteps; ++i) {
        slope(y, gradient, hessian);
        if (newton) {
            step = -dense::solve(hessian, gradient);
            newton = step.allFinite() && largestTurn(step) < 5 * nearEnough;
        }
        if (!newton) {
            const dense::SymmetricSpectrum along = dense::symmetricSpectrum(hessian);
            part.noalias() = along.vectors.transpose() * gradient;
            newton = true;
            for (Index k = 0; k < m; ++k) {
                const double curvature = along.values[k];
                newton = newton && (curvature < 0) == (k < index);
                part[k] *= (k < index ? 1 : -1) / std::max(std::abs(curvature), flattest);
            }
            step.noalias() = along.vectors * part;
            newton = newton && largestTurn(step) < nearEnough;
        }
        const double turned = largestTurn(step);
        if (turned > longestStep)
            step *= longestStep / turned;
        y += step;
        if (turned < arrived) {
            theta = outside(y);
            return true;
        }
    }
    return false;
}

TreeLandscape::Signature TreeLandscape::signature(const VectorXd& theta) const
{
    VectorXd gradient;
    MatrixXd hessian;
    slope(inside(theta), gradient, hessian);
    const VectorXd curvatures = dense::symmetricValues(hessian);
    return {static_cast<int>((curvatures.array() < -vanishing).count()),
            static_cast<int>((curvatures.array().abs() <= vanishing).count())};
}

std::vector<VectorXd> TreeLandscape::directions(const VectorXd& theta) const
{
    VectorXd gradient;
    MatrixXd hessian;
    slope(inside(theta), gradient, hessian);
    const dense::SymmetricSpectrum along = dense::symmetricSpectrum(hessian);
    std::vector<VectorXd> turns;
    for (Index k = 0; k < hessian.rows(); ++k) {
        const VectorXd q = along.vectors.col(k);
        turns.push_back(outside(q) / largestTurn(q));
    }
    return turns;
}

void TreeLandscape::ascend(VectorXd& theta) const
{
    const Index n = real_.rows();
    VectorXd c(n), s(n);
    for (Index k = 0; k < n; ++k) {
        c[k] = std::cos(theta[body_[static_cast<std::size_t>(k)]]);
        s[k] = std::sin(theta[body_[static_cast<std::size_t>(k)]]);
    }
    for (int sweep = 0; sweep < mostSweeps; ++sweep) {
        double moved = 0;
        for (Index k = 0; k < n; ++k) {
            // Gamma_kl = conj(Gamma_lk), and columns lie together.
            const double x = real_.col(k).dot(c) + imag_.col(k).dot(s);
            const double y = real_.col(k).dot(s) - imag_.col(k).dot(c);
            const double size = std::hypot(x, y);
            if (!(size > 0))
                continue;
            moved = std::max(moved, std::hypot(x / size - c[k], y / size - s[k]));
            c[k] = x / size;
            s[k] = y / size;
        }
        if (moved < settled)
            break;
    }
    for (Index k = 0; k < n; ++k)
        theta[body_[static_cast<std::size_t>(k)]] =
            std::atan2(s[k] * c[0] - c[k] * s[0], c[k] * c[0] + s[k] * s[0]);
}

VectorXd TreeLandscape::dominantPhases() const
{
    const Index n = real_.rows();
    // Gamma without its diagonal, which is added again so that the largest eigenvalue is the dominant one.
    const double shift = (real_.cwiseAbs() + imag_.cwiseAbs()).rowwise().sum().maxCoeff();
    VectorXd x = VectorXd::Ones(n), y = VectorXd::Zero(n);
    for (int i = 0; i < 60; ++i) {
        const VectorXd a = real_ * x - imag_ * y + shift * x, b = real_ * y + imag_ * x + shift * y;
        const double size = std::sqrt(a.squaredNorm() + b.squaredNorm());
        x = a / size;
        y = b / size;
    }
    VectorXd theta(n);
    for (Index k = 0; k < n; ++k)
        theta[body_[static_cast<std::size_t>(k)]] = std::atan2(y[k], x[k]) - std::atan2(y[0], x[0]);
    return theta;
}

} // namespace casimir::planar
