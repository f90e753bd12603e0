#include "core/systems/planar/multibody_equilibria.h"

#include "core/model/analysis.h"
#include "core/systems/planar/multibody_shape.h"
#include "core/systems/planar/three_body_roots.h"
#include "core/systems/planar/two_body.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir::planar {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double pi = std::numbers::pi;

constexpr double alignment = 1e-12;  // sine of the largest angle between hinges that count as in line
constexpr double vanishing = 1e-9;   // of a second derivative, beside the largest: two roundings of angles
constexpr double sameAngle = 1e-6;   // two answers of the search
constexpr double growthSeen = 1e-7;  // of a real part beside the largest eigenvalue: a double root's noise
constexpr int eigenvectorsUpTo = 60; // bodies; beyond, directions of departure are not worth their time
constexpr int continuum = 12; // so many degenerate answers of the search are points of a curve of equilibria

// Everything without the root, whose angle is held: its coordinates are the other bodies' angles.
class Leaf {
public:
    Leaf(const Tree& tree, const TreeMatrices& matrices, double mu)
        : tree_(tree),
          matrices_(matrices),
          mu_(mu),
          stiffness_(spread(&TreeJoint::stiffness)),
          damping_(spread(&TreeJoint::damping)),
          sprung_(stiffness_.cwiseAbs().maxCoeff() > 0)
    {
    }

    bool sprung() const { return sprung_; }
    bool damped() const { return damping_.cwiseAbs().maxCoeff() > 0; }
    MatrixXd damping() const { return without(damping_); }

    MatrixXd without(const MatrixXd& X) const
    {
        const Eigen::Index n = X.rows(), r = tree_.root();
        MatrixXd Y(n - 1, n - 1);
        Y << X.topLeftCorner(r, r), X.topRightCorner(r, n - 1 - r), X.bottomLeftCorner(n - 1 - r, r),
            X.bottomRightCorner(n - 1 - r, n - 1 - r);
        return Y;
    }
    VectorXd without(const VectorXd& x) const
    {
        const Eigen::Index n = x.size(), r = tree_.root();
        VectorXd y(n - 1);
        y << x.head(r), x.tail(n - 1 - r);
        return y;
    }

    // dV and D^2V; the second is exact at every angle.
    struct Slope {
        VectorXd gradient;
        MatrixXd hessian;
        double scale = 0; // of the gradient
        TreeMatrices::AtAngles at;
        double omega = 0;
    };
    Slope slope(const VectorXd& theta) const
    {
        Slope s;
        s.at = matrices_.at(theta);
        const double inertia = s.at.lockedInertia();
        s.omega = mu_ / inertia;
        const double w2 = s.omega * s.omega;
        const VectorXd kappa = without(VectorXd(s.at.K.rowwise().sum()));
        s.gradient = -w2 * kappa;
        s.hessian = w2 * without(s.at.laplacian()) + (4 * w2 / inertia) * kappa * kappa.transpose();
        s.scale = w2 * s.at.J.cwiseAbs().maxCoeff();
        if (sprung_) {
            VectorXd torque = VectorXd::Zero(theta.size());
            for (const TreeJoint& j : tree_.joints()) {
                const int p = tree_.bodies()[static_cast<std::size_t>(j.body)].parent;
                const double T = j.stiffness * (theta[j.body] - theta[p] - j.restAngle);
                torque[j.body] += T;
                torque[p] -= T;
                s.scale = std::max(s.scale, j.stiffness);
            }
            s.gradient += without(torque);
            s.hessian += without(stiffness_);
        }
        return s;
    }
    double springEnergy(const VectorXd& theta) const
    {
        double sum = 0;
        for (const TreeJoint& j : tree_.joints()) {
            const int p = tree_.bodies()[static_cast<std::size_t>(j.body)].parent;
            const double x = theta[j.body] - theta[p] - j.restAngle;
            sum += 0.5 * j.stiffness * x * x;
        }
        return sum;
    }

    // Newton's method, the step shortened until the slope falls; false where it does not end.
    bool polish(VectorXd& theta) const
    {
        const int r = tree_.root();
        Slope s = slope(theta);
        int still = 0;
        for (int iteration = 0; iteration < 60; ++iteration) {
            const double size = s.gradient.norm();
            if (size <= 1e-15 * s.scale || still >= 2)
                return size <= 1e-9 * s.scale;
            VectorXd step = -s.hessian.partialPivLu().solve(s.gradient);
            if (!step.allFinite())
                return size <= 1e-12 * s.scale;
            const double longest = step.cwiseAbs().maxCoeff();
            if (longest > 0.7)
                step *= 0.7 / longest;
            bool falls = false;
            for (double part = 1; part > 0.02; part *= 0.5) {
                VectorXd next = theta;
                for (Eigen::Index k = 0, i = 0; k < theta.size(); ++k)
                    if (k != r)
                        next[k] += part * step[i++];
                Slope there = slope(next);
                if (there.gradient.norm() < size) {
                    theta = next;
                    s = std::move(there);
                    falls = true;
                    break;
                }
            }
            if (!falls)
                return size <= 1e-11 * s.scale;
            still = longest < 1e-14 ? still + 1 : 0;
        }
        return s.gradient.norm() <= 1e-9 * s.scale;
    }

private:
    MatrixXd spread(double TreeJoint::*coefficient) const
    {
        MatrixXd X = MatrixXd::Zero(tree_.size(), tree_.size());
        for (const TreeJoint& j : tree_.joints()) {
            const int k = j.body, p = tree_.bodies()[static_cast<std::size_t>(k)].parent;
            const double c = j.*coefficient;
            X(k, k) += c;
            X(p, p) += c;
            X(k, p) -= c;
            X(p, k) -= c;
        }
        return X;
    }

    const Tree& tree_;
    const TreeMatrices& matrices_;
    double mu_;
    MatrixXd stiffness_, damping_;
    bool sprung_;
};

// (theta, mu) of a small motion q e^{st} on the leaf, its rate s q given.
VectorXd stateDirection(const Tree& tree, const Leaf::Slope& s, const VectorXd& q, const VectorXd& qRate)
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
void spectrum(const Tree& tree, const Leaf& leaf, const Leaf::Slope& s, TreeEquilibrium& e)
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
    e.potentialEigenvalues =
        Eigen::SelfAdjointEigenSolver<MatrixXd>(B.transpose() * s.hessian * B, Eigen::EigenvaluesOnly)
            .eigenvalues();
    e.kineticEigenvalues =
        Eigen::SelfAdjointEigenSolver<MatrixXd>(B.transpose() * M * B, Eigen::EigenvaluesOnly)
            .eigenvalues()
            .cwiseInverse()
            .reverse();
    // A second derivative counts as zero beside what it is summed from, not beside what happens to be left.
    const double none = vanishing * s.scale;
    e.index = static_cast<int>((e.potentialEigenvalues.array() < -none).count());
    e.nullity = static_cast<int>((e.potentialEigenvalues.array().abs() <= none).count());

    const bool damped = leaf.damped();
    if (!damped && G.cwiseAbs().maxCoeff() <= 1e-13 * std::abs(s.omega) * s.at.J.cwiseAbs().maxCoeff()) {
        const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(
            s.hessian, M, (vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly) | Eigen::Ax_lBx);
        for (Eigen::Index i = 0; i < m; ++i) {
            const double squared = -solver.eigenvalues()[i];
            const std::complex<double> root = squared > 0 ? std::complex<double>(std::sqrt(squared), 0)
                                                          : std::complex<double>(0, std::sqrt(-squared));
            e.eigenvalues.push_back(root);
            e.eigenvalues.push_back(-root);
        }
        if (vectors) {
            const VectorXd q = solver.eigenvectors().col(0); // the fastest growing, or the slowest swing
            const double growth = solver.eigenvalues()[0] < 0 ? std::sqrt(-solver.eigenvalues()[0]) : 0;
            e.direction = stateDirection(tree, s, q, growth * q);
        }
    } else {
        MatrixXd A = MatrixXd::Zero(2 * m, 2 * m);
        const Eigen::PartialPivLU<MatrixXd> lu(M);
        A.topRightCorner(m, m).setIdentity();
        A.bottomLeftCorner(m, m) = -lu.solve(s.hessian);
        A.bottomRightCorner(m, m) = -lu.solve(damped ? MatrixXd(G + leaf.damping()) : G);
        const Eigen::EigenSolver<MatrixXd> solver(A, vectors);
        Eigen::Index fastest = 0;
        for (Eigen::Index i = 0; i < 2 * m; ++i) {
            e.eigenvalues.push_back(solver.eigenvalues()[i]);
            if (solver.eigenvalues()[i].real() > solver.eigenvalues()[fastest].real())
                fastest = i;
        }
        if (vectors) {
            const VectorXd x = solver.eigenvectors().col(fastest).real();
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

void judge(const Leaf& leaf, TreeEquilibrium& e)
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

int straightLimit(int n)
{
    // Each costs a few times N^3; together a few milliseconds, up to N = 30.
    return n <= 7 ? 64 : n <= 12 ? 32 : n <= 30 ? 16 : n <= 100 ? 4 : 2;
}

int searchStarts(int n)
{
    const double cost = std::pow(n, 2.5);
    return n > 100 ? 0 : std::clamp(static_cast<int>(6000 / cost * std::min(n, 8)), 6, 900);
}

// The fractional parts of i times the powers of the root of x^(d+1) = x + 1: evenly spread at every length.
VectorXd spreadPoint(int i, int dimensions)
{
    double root = 2;
    for (int k = 0; k < 40; ++k)
        root = std::pow(1 + root, 1.0 / (dimensions + 1));
    VectorXd x(dimensions);
    for (int k = 0; k < dimensions; ++k) {
        const double y = 0.5 + (i + 1) * std::pow(root, -(k + 1));
        x[k] = y - std::floor(y);
    }
    return x;
}

bool same(const VectorXd& a, const VectorXd& b, bool unwrapped)
{
    for (Eigen::Index i = 0; i < a.size(); ++i)
        if (std::abs(unwrapped ? a[i] - b[i] : principalAngle(a[i] - b[i])) > sameAngle)
            return false;
    return true;
}

// Fold patterns of the joints, fewest folds first.
std::vector<std::vector<int>> foldPatterns(int joints, int limit)
{
    std::vector<std::vector<int>> patterns;
    for (int folds = 0; folds <= joints; ++folds) {
        std::vector<int> at(static_cast<std::size_t>(folds));
        for (int i = 0; i < folds; ++i)
            at[static_cast<std::size_t>(i)] = i;
        for (;;) {
            if (static_cast<int>(patterns.size()) >= limit)
                return patterns;
            patterns.push_back(at);
            int i = folds - 1;
            while (i >= 0 && at[static_cast<std::size_t>(i)] == joints - folds + i)
                --i;
            if (i < 0)
                break;
            ++at[static_cast<std::size_t>(i)];
            for (int k = i + 1; k < folds; ++k)
                at[static_cast<std::size_t>(k)] = at[static_cast<std::size_t>(k) - 1] + 1;
        }
    }
    return patterns;
}

void addStraight(const Tree& tree, const TreeMatrices& matrices, double mu, const VectorXd& aligned,
                 TreeEquilibria& result)
{
    const int joints = tree.size() - 1;
    result.straightCount = std::ldexp(1.0, joints);
    const VectorXd base = jointAngles(tree, aligned);
    for (const auto& folds : foldPatterns(joints, straightLimit(tree.size()))) {
        VectorXd beta = base;
        std::vector<char> folded(static_cast<std::size_t>(joints), 0);
        for (const int j : folds) {
            beta[j] = base[j] + pi;
            folded[static_cast<std::size_t>(j)] = 1;
        }
        TreeEquilibrium e = treeEquilibriumAt(tree, matrices, anglesOf(tree, beta), mu);
        e.straight = true;
        e.name = "straight";
        if (joints <= 12)
            for (const char f : folded)
                e.name += f ? "-pi" : "-0";
        else
            for (const int j : folds)
                e.name += fmt::format("-{}", tree.order()[static_cast<std::size_t>(j) + 1] + 1);
        result.list.push_back(std::move(e));
    }
    result.straightListed = static_cast<int>(result.list.size());
}

// Three bodies have all their equilibria in closed form: whichever is the root, one body holds two hinges,
// and I_L is the shape function of three_body_roots.h once the far ends' frames are turned to make A1
// positive.
CriticalPoints threeBodyPoints(const Tree& tree, const TreeMatrices& matrices, std::vector<VectorXd>& joints)
{
    const auto& order = tree.order();
    const bool chain = tree.bodies()[static_cast<std::size_t>(order[2])].parent == order[1];
    const int middle = chain ? order[1] : order[0], first = chain ? order[0] : order[1], last = order[2];
    const auto& gamma = matrices.gamma();
    const std::complex<double> far = gamma(first, last);
    const double turned = far.imag() == 0 ? (far.real() < 0 ? pi : 0.0) : std::arg(far);
    const std::complex<double> unit =
        far.imag() == 0 ? (far.real() < 0 ? -1.0 : 1.0) : std::conj(far) / std::abs(far);
    const std::complex<double> P1 = gamma(first, middle) * unit, P2 = gamma(middle, last);
    ThreeBodyCoefficients f{std::abs(far), P1.real(), P2.real(), P1.imag(), -P2.imag()};
    // A turned frame leaves rounding where an aligned one has zeros.
    for (double* c : {&f.C1, &f.C2})
        if (std::abs(*c) <= 1e-15 * f.size())
            *c = 0;
    CriticalPoints points = criticalPoints(f);
    for (const CriticalPoint& point : points.points) {
        VectorXd theta(3);
        theta[first] = turned - point.x;
        theta[middle] = 0;
        theta[last] = point.y;
        joints.push_back(jointAngles(tree, theta));
    }
    return points;
}

constexpr const char* curvesOfEquilibria =
    "There are curves of equilibria (a joint turns freely without changing "
    "the inertia); isolated ones are listed.";

} // namespace

VectorXd alignedAngles(const Tree& tree)
{
    const int n = tree.size();
    std::vector<Eigen::Vector2d> axis(static_cast<std::size_t>(n), Eigen::Vector2d::Zero());
    const auto lengthen = [&](int k, const Eigen::Vector2d& x) {
        if (x.squaredNorm() > axis[static_cast<std::size_t>(k)].squaredNorm())
            axis[static_cast<std::size_t>(k)] = x;
    };
    const auto inLine = [&](int k, const Eigen::Vector2d& x) {
        const Eigen::Vector2d& a = axis[static_cast<std::size_t>(k)];
        return std::abs(a.x() * x.y() - a.y() * x.x()) <= alignment * a.squaredNorm();
    };
    for (int k = 0; k < n; ++k)
        if (const TreeBody& b = tree.bodies()[static_cast<std::size_t>(k)]; b.parent >= 0) {
            lengthen(k, b.hingeOnBody);
            lengthen(b.parent, b.hingeOnParent);
        }
    for (int k = 0; k < n; ++k)
        if (const TreeBody& b = tree.bodies()[static_cast<std::size_t>(k)];
            b.parent >= 0 && !(inLine(k, b.hingeOnBody) && inLine(b.parent, b.hingeOnParent)))
            return {};
    VectorXd theta(n);
    for (int k = 0; k < n; ++k) {
        const Eigen::Vector2d& a = axis[static_cast<std::size_t>(k)];
        // The axis, not its sense: frames that lie along it stay as they are.
        double angle = a.squaredNorm() > 0 ? std::atan2(a.y(), a.x()) : 0;
        angle -= pi * std::round(angle / pi);
        theta[k] = -angle;
    }
    return theta;
}

TreeEquilibrium treeEquilibriumAt(const Tree& tree, const TreeMatrices& matrices, const VectorXd& theta,
                                  double mu)
{
    const Leaf leaf(tree, matrices, mu);
    const Leaf::Slope s = leaf.slope(theta);
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

TreeEquilibria treeEquilibria(const Tree& tree, double mu)
{
    TreeEquilibria result;
    if (tree.driven()) {
        result.status = Status::failed("driven", "A driven joint leaves no equilibrium.");
        return result;
    }
    const TreeMatrices matrices(tree);
    const Leaf leaf(tree, matrices, mu);
    const int n = tree.size();
    if (n == 1) {
        TreeEquilibrium e = treeEquilibriumAt(tree, matrices, VectorXd::Zero(1), mu);
        e.name = "spin";
        e.straight = true;
        result.list.push_back(std::move(e));
        return result;
    }
    const auto sprungJoints = std::count_if(tree.joints().begin(), tree.joints().end(),
                                            [](const TreeJoint& j) { return j.stiffness > 0; });
    if (mu == 0 && sprungJoints < n - 1) {
        result.status =
            Status::failed("degenerate", "Without angular momentum (μ = 0) nothing turns: every shape "
                                         "that the springs allow is an equilibrium at rest.");
        return result;
    }
    const VectorXd aligned = leaf.sprung() ? VectorXd() : alignedAngles(tree);
    if (aligned.size() > 0)
        addStraight(tree, matrices, mu, aligned, result);

    std::vector<VectorXd> known;
    for (const TreeEquilibrium& e : result.list)
        known.push_back(jointAngles(tree, e.theta));
    const auto isStraight = [&](const VectorXd& beta) {
        if (aligned.size() == 0)
            return false;
        const VectorXd base = jointAngles(tree, aligned);
        for (Eigen::Index i = 0; i < beta.size(); ++i)
            if (std::abs(std::sin(beta[i] - base[i])) > sameAngle)
                return false;
        return true;
    };
    std::vector<VectorXd> from; // where the search starts
    const bool closed = n <= 3 && !leaf.sprung();
    bool curves = false;
    if (n == 3 && closed)
        curves = threeBodyPoints(tree, matrices, from).continuum != Continuum::None;
    else if (!closed || aligned.size() == 0)
        for (int i = 0; i < searchStarts(n) + 1; ++i) {
            VectorXd beta = 2 * pi * spreadPoint(i, n - 1).array() - pi;
            for (std::size_t k = 1; k < tree.order().size(); ++k)
                for (const TreeJoint& j : tree.joints())
                    if (j.body == tree.order()[k] && j.stiffness > 0)
                        beta[static_cast<Eigen::Index>(k) - 1] =
                            i == 0 ? j.restAngle : beta[static_cast<Eigen::Index>(k) - 1] + j.restAngle;
            from.push_back(beta);
        }
    result.starts = closed ? 0 : static_cast<int>(from.size());
    std::vector<TreeEquilibrium> bent;
    int flat = 0;
    for (VectorXd beta : from) {
        if (flat >= continuum)
            break;
        VectorXd theta = anglesOf(tree, beta);
        if (!leaf.polish(theta))
            continue;
        beta = jointAngles(tree, theta);
        if (!leaf.sprung())
            beta = beta.unaryExpr([](double x) { return principalAngle(x); });
        if (isStraight(beta) || std::any_of(known.begin(), known.end(), [&](const VectorXd& other) {
                return same(beta, other, leaf.sprung());
            }))
            continue;
        known.push_back(beta);
        TreeEquilibrium e = treeEquilibriumAt(tree, matrices, anglesOf(tree, beta), mu);
        flat += e.nullity > 0;
        bent.push_back(std::move(e));
    }
    if (flat >= continuum || curves) {
        std::erase_if(bent, [](const TreeEquilibrium& e) { return e.nullity > 0; });
        result.status = Status::failed("degenerate", curvesOfEquilibria);
    }
    // Mirror images share an energy up to rounding: they are ordered by their angles.
    std::sort(bent.begin(), bent.end(), [](const TreeEquilibrium& a, const TreeEquilibrium& b) {
        return std::lexicographical_compare(b.theta.begin(), b.theta.end(), a.theta.begin(), a.theta.end());
    });
    double highest = 1e-300;
    for (const TreeEquilibrium& e : bent)
        highest = std::max(highest, e.energy);
    std::stable_sort(bent.begin(), bent.end(), [highest](const TreeEquilibrium& a, const TreeEquilibrium& b) {
        return std::round(1e9 * a.energy / highest) < std::round(1e9 * b.energy / highest);
    });
    for (std::size_t i = 0; i < bent.size(); ++i) {
        bent[i].name = fmt::format("{}-{}", leaf.sprung() ? "shape" : "bent", i + 1);
        result.list.push_back(std::move(bent[i]));
    }
    if (result.straightCount > result.straightListed)
        result.note = fmt::format("{} of the {:.6g} straight equilibria are listed. ", result.straightListed,
                                  result.straightCount);
    result.note +=
        n == 2 ? std::string("The list is complete.")
               : fmt::format("Equilibria that are not straight were searched from {} starts; there may be "
                             "more.",
                             result.starts);
    return result;
}

} // namespace casimir::planar
