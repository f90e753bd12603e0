// One equilibrium judged: its second variation, its spectrum, its stability. Which there are is found in
// multibody_search.cpp.
#include "core/systems/planar/multibody_equilibria.h"

#include "core/model/analysis.h"
#include "core/numerics/dense.h"
#include "core/systems/planar/multibody_leaf.h"

#include <fmt/format.h>

namespace casimir::planar {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double vanishing = 1e-9;   // of a second derivative, beside the largest: two roundings of angles
constexpr double growthSeen = 1e-7;  // of a real part beside the largest eigenvalue: a double root's noise
constexpr int eigenvectorsUpTo = 60; // bodies; beyond, directions of departure are not worth their time

// (theta, mu) of a small motion q e^{st} on the leaf, its rate s q given.
VectorXd stateDirection(const Tree& tree, const TreeLeaf::Slope& s, const VectorXd& q, const VectorXd& qRate)
{
    const Eigen::Index n = tree.size(), r = tree.root();
    const auto full = [n, r](const VectorXd& x) {
        VectorXd y = VectorXd::Zero(n);
        y.head(r) = x.head(r);
        y.tail(n - 1 - r) = x.tail(n - 1 - r);
        return y;
    };
    const VectorXd delta = full(q), rate = full(qRate);
    const VectorXd kappa = s.at.K.rowwise().sum();
    // J changes by -K_kl (delta_l - delta_k); what the spin must give back keeps the total momentum.
    const VectorXd turned = s.omega * (delta.cwiseProduct(kappa) - s.at.K * delta);
    VectorXd mu = s.at.J * rate + turned;
    mu -= (mu.sum() / s.at.lockedInertia()) * s.at.unitMomenta();
    VectorXd x(2 * n);
    x << delta, mu;
    return x / std::max(x.norm(), 1e-300);
}

// M q'' + (G + C) q' + S q = 0 on the leaf, from det(s^2 J - 2 omega s K + omega^2 L) with the rotation and
// the change of mu taken out: M = J - r r^T/I_L and G = -2 omega K + (r kappa^T - kappa r^T)/I_L without the
// root, r = J 1, kappa = 2 omega (1^T K).
void spectrum(const Tree& tree, const TreeLeaf& leaf, const TreeLeaf::Slope& s, TreeEquilibrium& e)
{
    const double inertia = s.at.lockedInertia();
    const VectorXd r = leaf.without(s.at.unitMomenta());
    const MatrixXd M = leaf.without(s.at.J) - r * r.transpose() / inertia;
    const VectorXd kappa = 2 * s.omega * leaf.without(VectorXd(s.at.K.colwise().sum().transpose()));
    const MatrixXd G =
        -2 * s.omega * leaf.without(s.at.K) + (r * kappa.transpose() - kappa * r.transpose()) / inertia;
    const Eigen::Index m = M.rows();
    const bool vectors = tree.size() <= eigenvectorsUpTo;

    // Second variation in joint angles.
    const MatrixXd full = jointMatrix(tree);
    MatrixXd B(m, m);
    B << full.topRows(tree.root()), full.bottomRows(m - tree.root());
    e.potentialEigenvalues = dense::symmetricValues(B.transpose() * s.hessian * B);
    e.kineticEigenvalues = dense::symmetricValues(B.transpose() * M * B).cwiseInverse().reverse();
    // A second derivative counts as zero beside what it is summed from, not beside what happens to be left.
    const double none = vanishing * s.scale;
    e.index = static_cast<int>((e.potentialEigenvalues.array() < -none).count());
    e.nullity = static_cast<int>((e.potentialEigenvalues.array().abs() <= none).count());

    const bool damped = leaf.damped();
    if (!damped && G.cwiseAbs().maxCoeff() <= 1e-13 * std::abs(s.omega) * s.at.J.cwiseAbs().maxCoeff()) {
        const dense::SymmetricSpectrum squares =
            vectors ? dense::pencilSpectrum(s.hessian, M)
                    : dense::SymmetricSpectrum{dense::pencilValues(s.hessian, M), {}};
        for (Eigen::Index i = 0; i < m; ++i) {
            const double squared = -squares.values[i];
            const std::complex<double> root = squared > 0 ? std::complex<double>(std::sqrt(squared), 0)
                                                          : std::complex<double>(0, std::sqrt(-squared));
            e.eigenvalues.push_back(root);
            e.eigenvalues.push_back(-root);
        }
        if (vectors) {
            const VectorXd q = squares.vectors.col(0); // the fastest growing, or the slowest swing
            const double growth = squares.values[0] < 0 ? std::sqrt(-squares.values[0]) : 0;
            e.direction = stateDirection(tree, s, q, growth * q);
        }
    } else {
        MatrixXd A = MatrixXd::Zero(2 * m, 2 * m);
        A.topRightCorner(m, m).setIdentity();
        A.bottomLeftCorner(m, m) = -dense::solve(M, s.hessian);
        A.bottomRightCorner(m, m) = -dense::solve(M, damped ? MatrixXd(G + leaf.damping()) : G);
        const dense::Spectrum rates =
            vectors ? dense::spectrum(A) : dense::Spectrum{dense::eigenvalues(A), {}};
        Eigen::Index fastest = 0;
        for (Eigen::Index i = 0; i < 2 * m; ++i) {
            e.eigenvalues.push_back(rates.values[i]);
            if (rates.values[i].real() > rates.values[fastest].real())
                fastest = i;
        }
        if (vectors) {
            const VectorXd x = rates.vectors.col(fastest).real();
            e.direction = stateDirection(tree, s, x.head(m), x.tail(m));
        }
    }
    double largest = 0;
    for (const auto& z : e.eigenvalues)
        largest = std::max(largest, std::abs(z));
    for (auto& z : e.eigenvalues) { // what is rounding is shown as zero
        if (!damped && std::abs(z.real()) <= growthSeen * 1e-3 * largest)
            z.real(0);
        if (std::abs(z.imag()) <= growthSeen * 1e-3 * largest)
            z.imag(0);
    }
    std::sort(e.eigenvalues.begin(), e.eigenvalues.end(), [](const auto& a, const auto& b) {
        return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
}

void judge(const TreeLeaf& leaf, TreeEquilibrium& e)
{
    double largest = 0, growth = -1e300;
    for (const auto& z : e.eigenvalues) {
        largest = std::max(largest, std::abs(z));
        growth = std::max(growth, z.real());
    }
    const bool grows = growth > growthSeen * largest;
    const char* what = leaf.sprung() ? "the amended potential with the springs" : "the amended potential";
    e.basis = basis::energyCasimir;
    if (e.theta.size() == 1) {
        e.stability = verdict::stable;
        e.detail = "A single free body turns at a constant rate.";
    } else if (leaf.damped() && e.nullity == 0 && growth < -growthSeen * largest) {
        e.stability = verdict::asymptoticallyStable;
        e.basis = basis::linearisation;
        e.detail = "The dampers take out every small motion of the joints: all eigenvalues have negative "
                   "real parts.";
    } else if (e.nullity == 0 && e.index == 0) {
        e.stability = verdict::stable;
        e.detail = fmt::format("A strict minimum of {}: energy is definite on the leaf.", what);
    } else if (grows) {
        e.stability = verdict::unstable;
        e.basis = basis::linearisation;
        e.detail = fmt::format("{} negative square{} of {}, and an eigenvalue with a positive real part.",
                               e.index, e.index == 1 ? "" : "s", what);
    } else if (e.nullity > 0) {
        e.stability = verdict::degenerate;
        e.basis = basis::linearisation;
        e.detail = fmt::format("The second derivative of {} vanishes in {} direction{}; higher ones decide.",
                               what, e.nullity, e.nullity == 1 ? "" : "s");
    } else {
        e.stability = verdict::spectrallyStable;
        e.basis = basis::linearisation;
        e.detail = fmt::format("Energy is indefinite on the leaf ({} negative squares), but nothing grows: "
                               "gyroscopic terms hold it.",
                               e.index);
    }
}

} // namespace

TreeEquilibrium treeEquilibriumAt(const Tree& tree, const TreeMatrices& matrices, const VectorXd& theta,
                                  double mu)
{
    const TreeLeaf leaf(tree, matrices, mu);
    const TreeLeaf::Slope s = leaf.slope(theta);
    TreeEquilibrium e;
    e.theta = theta;
    e.lockedInertia = s.at.lockedInertia();
    e.omega = s.omega;
    e.mu.resize(tree.size());
    (void)tree.lockedInertia(theta.data(), e.mu.data());
    e.mu *= s.omega;
    e.energy = 0.5 * mu * s.omega + leaf.springEnergy(theta);
    if (tree.size() > 1)
        spectrum(tree, leaf, s, e);
    judge(leaf, e);
    return e;
}

} // namespace casimir::planar
