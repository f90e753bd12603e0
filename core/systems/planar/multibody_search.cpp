// Which relative equilibria a tree has: straight ones by their pattern, those of three bodies in closed form,
// others from many starts.
#include "core/numerics/pi.h"
#include "core/systems/planar/multibody_equilibria.h"
#include "core/systems/planar/multibody_leaf.h"
#include "core/systems/planar/multibody_shape.h"
#include "core/systems/planar/three_body_roots.h"
#include "core/systems/planar/two_body.h"

#include <fmt/format.h>

namespace casimir::planar {

namespace {

using Eigen::VectorXd;

constexpr double alignment = 1e-12; // sine of the largest angle between hinges that count as in line
constexpr double sameAngle = 1e-6;  // two answers of the search
constexpr int continuum = 12; // so many degenerate answers of the search are points of a curve of equilibria

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

TreeEquilibria treeEquilibria(const Tree& tree, double mu)
{
    TreeEquilibria result;
    if (tree.driven()) {
        result.status = Status::failed("driven", "A driven joint leaves no equilibrium.");
        return result;
    }
    const TreeMatrices matrices(tree);
    const TreeLeaf leaf(tree, matrices, mu);
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
        closed ? std::string("The list is complete.")
               : fmt::format("Equilibria that are not straight were searched from {} starts; there may be "
                             "more.",
                             result.starts);
    return result;
}

} // namespace casimir::planar
