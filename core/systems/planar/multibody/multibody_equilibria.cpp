// One equilibrium judged: its second variation, its spectrum, its stability. Which there are is found in
// multibody_list.cpp.
#include "core/systems/planar/multibody/multibody_equilibria.h"

#include "core/model/analysis.h"
#include "core/numerics/dense.h"
#include "core/systems/planar/multibody/multibody_leaf.h"

#include <Eigen/Cholesky>

#include <fmt/format.h>

namespace casimir::planar {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double vanishing = 1e-9;   // of a second derivative, beside the largest: two roundings of angles
constexpr double growthSeen = 1e-7;  // of a real part beside the largest eigenvalue: a double root's noise
constexpr double flatGrowth = 1e-4;  // the same where a second derivative vanishes: the root of its noise
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
struct SmallMotion {
    MatrixXd M, G, S;
    bool vectors = false; // whether directions of departure are wanted
};

// Its eigenvalues, and the motion (q, q') that departs fastest, or swings slowest.
struct Modes {
    std::vector<std::complex<double>> eigenvalues;
    VectorXd q, rate;
};

// Where nothing turns: s^2 M q = -S q.
Modes plainModes(const SmallMotion& motion)
{
    Modes modes;
    const dense::SymmetricSpectrum squares =
        motion.vectors ? dense::pencilSpectrum(motion.S, motion.M)
                       : dense::SymmetricSpectrum{dense::pencilValues(motion.S, motion.M), {}};
    for (const double value : squares.values) {
        const std::complex<double> root = value < 0 ? std::complex<double>(std::sqrt(-value), 0)
                                                    : std::complex<double>(0, std::sqrt(value));
        modes.eigenvalues.push_back(root);
        modes.eigenvalues.push_back(-root);
    }
    if (motion.vectors) {
        modes.q = squares.vectors.col(0);
        modes.rate = std::sqrt(std::max(0.0, -squares.values[0])) * modes.q;
    }
    return modes;
}

// About a strict minimum, S = P P^T and M = Q Q^T: in u = P^T q and w = Q^T q' the motion is
// u' = B w, w' = -B^T u - C w with B = P^T Q^-T and the antisymmetric C = Q^-1 G Q^-T. Its matrix is
// antisymmetric, so that rounding leaves the eigenvalues on the imaginary axis, where they belong. Empty
// where S has no such factor.
Modes definiteModes(const SmallMotion& motion)
{
    const Eigen::Index m = motion.M.rows();
    const Eigen::LLT<MatrixXd> P(motion.S), Q(motion.M);
    if (P.info() != Eigen::Success || Q.info() != Eigen::Success)
        return {};
    const MatrixXd Bt = Q.matrixL().solve(MatrixXd(P.matrixL()));
    const MatrixXd C = Q.matrixL().solve(MatrixXd(Q.matrixL().solve(motion.G).transpose()));
    Eigen::MatrixXcd A = Eigen::MatrixXcd::Zero(2 * m, 2 * m); // i times the matrix of the motion
    const std::complex<double> i(0, 1);
    A.topRightCorner(m, m) = i * Bt.transpose();
    A.bottomLeftCorner(m, m) = -i * Bt;
    A.bottomRightCorner(m, m) = 0.5 * i * (C - C.transpose());
    const dense::HermitianSpectrum frequencies =
        motion.vectors ? dense::hermitianSpectrum(A)
                       : dense::HermitianSpectrum{dense::hermitianValues(A), {}};
    Modes modes;
    for (Eigen::Index k = 0; k < m; ++k) { // ascending, and symmetric about 0
        const double frequency = 0.5 * (frequencies.values[m + k] - frequencies.values[m - 1 - k]);
        modes.eigenvalues.emplace_back(0, frequency);
        modes.eigenvalues.emplace_back(0, -frequency);
    }
    if (motion.vectors) {
        const VectorXd x = frequencies.vectors.col(m).real();
        modes.q = P.matrixU().solve(x.head(m));
        modes.rate = Q.matrixU().solve(x.tail(m));
    }
    return modes;
}

Modes generalModes(const SmallMotion& motion)
{
    const Eigen::Index m = motion.M.rows();
    MatrixXd A = MatrixXd::Zero(2 * m, 2 * m);
    A.topRightCorner(m, m).setIdentity();
    A.bottomLeftCorner(m, m) = -dense::solve(motion.M, motion.S);
    A.bottomRightCorner(m, m) = -dense::solve(motion.M, motion.G);
    const dense::Spectrum rates =
        motion.vectors ? dense::spectrum(A) : dense::Spectrum{dense::eigenvalues(A), {}};
    Modes modes;
    Eigen::Index fastest = 0;
    for (Eigen::Index i = 0; i < 2 * m; ++i) {
        modes.eigenvalues.push_back(rates.values[i]);
        if (rates.values[i].real() > rates.values[fastest].real())
            fastest = i;
    }
    if (motion.vectors) {
        const VectorXd x = rates.vectors.col(fastest).real();
        modes.q = x.head(m);
        modes.rate = x.tail(m);
    }
    return modes;
}

void spectrum(const Tree& tree, const TreeLeaf& leaf, const TreeLeaf::Slope& s, TreeEquilibrium& e)
{
    const double inertia = s.at.lockedInertia();
    const VectorXd r = leaf.without(s.at.unitMomenta());
    const VectorXd kappa = 2 * s.omega * leaf.without(VectorXd(s.at.K.colwise().sum().transpose()));
    SmallMotion motion{leaf.without(s.at.J) - r * r.transpose() / inertia,
                       -2 * s.omega * leaf.without(s.at.K) +
                           (r * kappa.transpose() - kappa * r.transpose()) / inertia,
                       s.hessian, tree.size() <= eigenvectorsUpTo};
    const Eigen::Index m = motion.M.rows();

    // Second variation in joint angles.
    const MatrixXd full = jointMatrix(tree);
    MatrixXd B(m, m);
    B << full.topRows(tree.root()), full.bottomRows(m - tree.root());
    e.potentialEigenvalues = dense::symmetricValues(B.transpose() * motion.S * B);
    e.kineticEigenvalues = dense::symmetricValues(B.transpose() * motion.M * B).cwiseInverse().reverse();
    // A second derivative counts as zero beside what it is summed from, not beside what happens to be left.
    const double none = vanishing * s.scale;
    e.index = static_cast<int>((e.potentialEigenvalues.array() < -none).count());
    e.nullity = static_cast<int>((e.potentialEigenvalues.array().abs() <= none).count());

    const bool damped = leaf.damped();
    const bool turning =
        motion.G.cwiseAbs().maxCoeff() > 1e-13 * std::abs(s.omega) * s.at.J.cwiseAbs().maxCoeff();
    if (damped)
        motion.G += leaf.damping();
    Modes modes;
    if (!damped && !turning)
        modes = plainModes(motion);
    else if (!damped && e.index == 0 && e.nullity == 0)
        modes = definiteModes(motion);
    if (modes.eigenvalues.empty())
        modes = generalModes(motion);
    e.eigenvalues = std::move(modes.eigenvalues);
    if (modes.q.size() > 0)
        e.direction = stateDirection(tree, s, modes.q, modes.rate);
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
    const bool grows = growth > (e.nullity > 0 ? flatGrowth : growthSeen) * largest;
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
    } else if (e.nullity == 0 && e.index % 2 == 1) {
        e.stability = verdict::unstable;
        e.detail =
            fmt::format("An odd number of negative squares of {} ({}) leaves an eigenvalue with a positive "
                        "real part, too small beside the others to be seen.",
                        what, e.index);
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
