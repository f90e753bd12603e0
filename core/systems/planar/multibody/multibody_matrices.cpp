#include "core/systems/planar/multibody/multibody_matrices.h"

#include <Eigen/Cholesky>

#include <complex>

namespace casimir::planar {

using Plane = std::complex<double>;

namespace {

Plane plane(const Eigen::Vector2d& x)
{
    return {x.x(), x.y()};
}

} // namespace

// c_ik is constant on the subtree of each child of k, which makes every sum over bodies a sum over hinges:
// Gamma_kl = conj(q) s_l for k above l, with q the vector across k towards l and s_l = sum_i m_i c_il.
TreeMatrices::TreeMatrices(const Tree& tree)
{
    const int n = tree.size();
    const auto& bodies = tree.bodies();
    gamma_ = Eigen::MatrixXcd::Zero(n, n);
    inertia_.resize(n);
    Eigen::VectorXd carried(n);
    Eigen::VectorXcd s = Eigen::VectorXcd::Zero(n);
    for (int k = 0; k < n; ++k) {
        carried[k] = bodies[static_cast<std::size_t>(k)].mass;
        inertia_[k] = bodies[static_cast<std::size_t>(k)].inertia;
    }
    const auto& order = tree.order();
    for (std::size_t i = order.size(); i-- > 1;)
        carried[bodies[static_cast<std::size_t>(order[i])].parent] += carried[order[i]];
    for (const int k : order) {
        const TreeBody& b = bodies[static_cast<std::size_t>(k)];
        s[k] -= carried[k] * plane(b.hingeOnBody);
        gamma_(k, k) += b.mass * b.hingeOnBody.squaredNorm();
        if (b.parent >= 0) {
            const TreeBody& p = bodies[static_cast<std::size_t>(b.parent)];
            s[b.parent] += carried[k] * plane(b.hingeOnParent);
            gamma_(b.parent, b.parent) += carried[k] * (b.hingeOnParent - p.hingeOnBody).squaredNorm();
        }
    }
    for (const int l : order)
        for (int child = l, k = bodies[static_cast<std::size_t>(l)].parent; k >= 0;
             child = k, k = bodies[static_cast<std::size_t>(k)].parent) {
            const Plane q = plane(bodies[static_cast<std::size_t>(child)].hingeOnParent -
                                  bodies[static_cast<std::size_t>(k)].hingeOnBody);
            gamma_(k, l) = std::conj(q) * s[l];
            gamma_(l, k) = std::conj(gamma_(k, l));
        }
    gamma_ -= s.conjugate() * s.transpose() / tree.mass();
}

Eigen::MatrixXd TreeMatrices::AtAngles::laplacian() const
{
    Eigen::MatrixXd L = -J;
    L.diagonal().setZero();
    const Eigen::VectorXd rows = L.rowwise().sum();
    L.diagonal() = -rows;
    return L;
}

TreeMatrices::AtAngles TreeMatrices::at(const Eigen::VectorXd& theta) const
{
    const Eigen::Index n = gamma_.rows();
    Eigen::VectorXcd e(n);
    for (Eigen::Index k = 0; k < n; ++k)
        e[k] = std::polar(1.0, theta[k]);
    AtAngles m{Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n)};
    for (Eigen::Index l = 0; l < n; ++l) {
        for (Eigen::Index k = 0; k < l; ++k) {
            const Plane z = gamma_(k, l) * (e[l] * std::conj(e[k]));
            m.J(k, l) = m.J(l, k) = z.real();
            m.K(k, l) = z.imag();
            m.K(l, k) = -z.imag();
        }
        m.J(l, l) = gamma_(l, l).real() + inertia_[l];
        m.K(l, l) = 0;
    }
    return m;
}

TreeMatrices::Rates TreeMatrices::rates(const Eigen::VectorXd& theta, const Eigen::VectorXd& mu) const
{
    const AtAngles m = at(theta);
    Rates r;
    r.omega = m.J.llt().solve(mu);
    r.muDot = r.omega.cwiseProduct(m.K * r.omega);
    r.energy = 0.5 * mu.dot(r.omega);
    return r;
}

Eigen::MatrixXd jointMatrix(const Tree& tree)
{
    const int n = tree.size();
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, n - 1);
    const auto& order = tree.order();
    for (std::size_t i = 1; i < order.size(); ++i) {
        const int k = order[i];
        B.row(k) = B.row(tree.bodies()[static_cast<std::size_t>(k)].parent);
        B(k, static_cast<Eigen::Index>(i) - 1) = 1;
    }
    return B;
}

double treeBracket(const Tree& tree, const Eigen::VectorXd& fBeta, const Eigen::VectorXd& fMu,
                   const Eigen::VectorXd& gBeta, const Eigen::VectorXd& gMu)
{
    double sum = 0;
    const auto& order = tree.order();
    for (std::size_t i = 1; i < order.size(); ++i) {
        const int j = order[i], p = tree.bodies()[static_cast<std::size_t>(j)].parent;
        const auto at = static_cast<Eigen::Index>(i) - 1;
        sum += (fMu[p] - fMu[j]) * gBeta[at] - fBeta[at] * (gMu[p] - gMu[j]);
    }
    return sum;
}

} // namespace casimir::planar
