#include "core/systems/planar/multibody/multibody_straight.h"

#include "core/numerics/pi.h"
#include "core/systems/planar/multibody/multibody_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::planar {

namespace {

using Eigen::VectorXd;
constexpr double alignment = 1e-12; // sine of the largest angle between hinges that count as in line
constexpr double straightAngle = 1e-6;
constexpr Eigen::Index spelledOut = 12; // joints; the name of a longer state lists its folds only

// Which joints are folded, fewest folds first.
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

StraightStates::StraightStates(const Tree& tree) : tree_(tree)
{
    const bool sprung = std::any_of(tree.joints().begin(), tree.joints().end(),
                                    [](const TreeJoint& j) { return j.stiffness > 0; });
    if (const VectorXd theta = sprung ? VectorXd() : alignedAngles(tree); theta.size() > 0)
        base_ = jointAngles(tree, theta);
}

double StraightStates::count() const
{
    return exist() ? std::ldexp(1.0, static_cast<int>(base_.size())) : 0;
}

std::vector<VectorXd> StraightStates::first(int limit) const
{
    std::vector<VectorXd> states;
    if (!exist())
        return states;
    for (const auto& folds : foldPatterns(static_cast<int>(base_.size()), limit)) {
        VectorXd beta = base_;
        for (const int j : folds)
            beta[j] += pi;
        states.push_back(std::move(beta));
    }
    return states;
}

bool StraightStates::contain(const VectorXd& beta) const
{
    return exist() && (beta - base_).array().sin().abs().maxCoeff() <= straightAngle;
}

bool StraightStates::folded(const VectorXd& beta, Eigen::Index joint) const
{
    return std::cos(beta[joint] - base_[joint]) < 0;
}

VectorXd StraightStates::nearest(const VectorXd& beta) const
{
    VectorXd state = base_;
    for (Eigen::Index j = 0; j < state.size(); ++j)
        if (folded(beta, j))
            state[j] += pi;
    return state;
}

std::string StraightStates::name(const VectorXd& beta) const
{
    std::string text = "straight";
    for (Eigen::Index j = 0; j < base_.size(); ++j) {
        if (base_.size() <= spelledOut)
            text += folded(beta, j) ? "-pi" : "-0";
        else if (folded(beta, j))
            text += fmt::format("-{}", tree_.order()[static_cast<std::size_t>(j) + 1] + 1);
    }
    return text;
}

std::string StraightStates::title(const VectorXd& beta) const
{
    std::vector<std::string> joints, folds;
    for (Eigen::Index j = 0; j < base_.size(); ++j) {
        joints.emplace_back(folded(beta, j) ? "π" : "0");
        if (folded(beta, j))
            folds.push_back(std::to_string(tree_.order()[static_cast<std::size_t>(j) + 1] + 1));
    }
    if (base_.size() <= spelledOut)
        return fmt::format("straight ({})", fmt::join(joints, ", "));
    return folds.empty() ? "straight" : fmt::format("folded at {}", fmt::join(folds, ", "));
}

} // namespace casimir::planar
