#include "core/systems/planar/multibody/multibody_search.h"

#include "core/base/error.h"
#include "core/numerics/pi.h"
#include "core/systems/planar/multibody/multibody_shape.h"
#include "core/systems/planar/two_body/two_body.h"

#include <algorithm>
#include <cmath>

namespace casimir::planar {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double sameAngle = 1e-6;     // two answers of the search
constexpr double sameFlatAngle = 1e-3; // where the slope vanishes of higher order, angles are known less well
constexpr double leaving = 0.3;        // rad; how far a state is left before the search goes on

// Of sprung joints: halves of a turn to either side of rest, by their number. What there is to search grows
// with its power.
constexpr int halfTurns[] = {20, 4, 2, 1};

int freeJoints(const Tree& tree)
{
    const auto sprung = std::count_if(tree.joints().begin(), tree.joints().end(),
                                      [](const TreeJoint& j) { return j.stiffness > 0; });
    return tree.size() - 1 - static_cast<int>(sprung);
}

// The fractional parts of i times the powers of the root of x^(d+1) = x + 1: evenly spread at every length.
VectorXd spreadPoint(int i, Index dimensions)
{
    double root = 2;
    for (int k = 0; k < 40; ++k)
        root = std::pow(1 + root, 1.0 / static_cast<double>(dimensions + 1));
    VectorXd x(dimensions);
    for (Index k = 0; k < dimensions; ++k) {
        const double y = 0.5 + (i + 1) * std::pow(root, -static_cast<double>(k + 1));
        x[k] = y - std::floor(y);
    }
    return x;
}

// No torque of the spin on the joint of a body is larger: |dV/dbeta| = omega^2 |sum of K_kl over bodies k
// that the joint carries and l that it does not|, and I_L is never below the sum of the bodies' own inertias.
double largestTorque(const Tree& tree, const TreeMatrices& matrices, double mu, int body)
{
    std::vector<char> carried(static_cast<std::size_t>(tree.size()), 0);
    carried[static_cast<std::size_t>(body)] = 1;
    double own = 0, sum = 0;
    for (const int k : tree.order()) {
        const TreeBody& b = tree.bodies()[static_cast<std::size_t>(k)];
        own += b.inertia;
        if (b.parent >= 0 && carried[static_cast<std::size_t>(b.parent)])
            carried[static_cast<std::size_t>(k)] = 1;
    }
    for (Index k = 0; k < tree.size(); ++k)
        for (Index l = 0; l < tree.size(); ++l)
            if (carried[static_cast<std::size_t>(k)] && !carried[static_cast<std::size_t>(l)])
                sum += std::abs(matrices.gamma()(k, l));
    return mu * mu / (own * own) * sum;
}

} // namespace

TreeSearch::TreeSearch(const Tree& tree, const TreeMatrices& matrices, double mu,
                       const StraightStates& straight, std::function<bool()> cancelled)
    : tree_(tree),
      straight_(straight),
      leaf_(tree, matrices, mu),
      landscape_(tree, matrices, mu),
      cancelled_(std::move(cancelled)),
      mu_(mu),
      rest_(VectorXd::Zero(tree.size() - 1)),
      range_(VectorXd::Zero(tree.size() - 1)),
      count_(freeJoints(tree))
{
    const int sprung = tree.size() - 1 - freeJoints(tree);
    if (sprung == 0)
        return;
    const int most =
        halfTurns[std::min<std::size_t>(static_cast<std::size_t>(sprung), std::size(halfTurns)) - 1];
    for (std::size_t i = 1; i < tree.order().size(); ++i)
        for (const TreeJoint& j : tree.joints())
            if (j.body == tree.order()[i] && j.stiffness > 0) {
                const double farthest = largestTorque(tree, matrices, mu, j.body) / j.stiffness / pi;
                const int halves = farthest < most ? static_cast<int>(farthest) + 1 : most;
                rest_[static_cast<Index>(i) - 1] = j.restAngle;
                range_[static_cast<Index>(i) - 1] = halves * pi;
                springHalfTurns_ = std::max(springHalfTurns_, halves);
                springsExhausted_ = springsExhausted_ && farthest < most;
            }
}

void TreeSearch::ask() const
{
    if (cancelled_ && cancelled_())
        throw Error("The search for equilibria was cancelled.");
}

VectorXd TreeSearch::canonical(VectorXd beta) const
{
    for (Index j = 0; j < beta.size(); ++j)
        if (range_[j] == 0)
            beta[j] = principalAngle(beta[j]);
    return beta;
}

bool TreeSearch::within(const VectorXd& beta) const
{
    for (Index j = 0; j < beta.size(); ++j)
        if (range_[j] > 0 && std::abs(beta[j] - rest_[j]) > range_[j])
            return false;
    return true;
}

bool TreeSearch::known(const VectorXd& beta) const
{
    return std::any_of(found_.begin(), found_.end(), [&](const Found& other) {
        const double near = other.nullity > 0 ? sameFlatAngle : sameAngle;
        for (Index j = 0; j < beta.size(); ++j) {
            const double apart = beta[j] - other.beta[j];
            if (std::abs(range_[j] > 0 ? apart : std::remainder(apart, 2 * pi)) > near)
                return false;
        }
        return true;
    });
}

void TreeSearch::add(const VectorXd& beta)
{
    const VectorXd theta = anglesOf(tree_, beta);
    const TreeLandscape::Signature signature = landscape_.signature(theta);
    Found state{beta, signature.index, signature.nullity,
                0.5 * mu_ * mu_ / tree_.lockedInertia(theta.data()) + leaf_.springEnergy(theta)};
    flat_ += state.nullity > 0;
    count_.add(state.index, state.nullity);
    found_.push_back(std::move(state));
}

void TreeSearch::know(const VectorXd& beta)
{
    add(beta);
    flat_ = 0;
}

bool TreeSearch::keep(VectorXd theta)
{
    VectorXd beta = canonical(jointAngles(tree_, theta));
    if (!within(beta) || known(beta) || !leaf_.polish(theta))
        return false;
    beta = canonical(jointAngles(tree_, theta));
    if (straight_.contain(beta))
        beta = straight_.nearest(beta);
    if (!within(beta) || known(beta))
        return false;
    add(beta);
    if (straight_.exist())
        if (const VectorXd mirror = canonical(straight_.mirrored(beta)); !known(mirror))
            add(mirror);
    return true;
}

bool TreeSearch::from(const VectorXd& theta, int index)
{
    ask();
    ++starts_;
    VectorXd there = theta;
    return landscape_.follow(there, std::clamp(index, 0, tree_.size() - 1)) && keep(std::move(there));
}

VectorXd TreeSearch::spreadStart(int i) const
{
    VectorXd beta = 2 * spreadPoint(i, rest_.size()).array() - 1;
    for (Index j = 0; j < beta.size(); ++j)
        beta[j] = rest_[j] + beta[j] * (range_[j] > 0 ? range_[j] : pi);
    return anglesOf(tree_, beta);
}

// Without springs the locked inertia on its compact torus has a maximum, which the ascent finds; with springs
// the shape at rest is the place to descend from.
void TreeSearch::findLeast()
{
    const double n = tree_.size();
    const int ascents = std::clamp(static_cast<int>(2e5 / (n * n)), 4, 40);
    for (int i = 0; i < ascents; ++i) {
        ask();
        ++starts_;
        VectorXd theta = i > 0            ? spreadStart(i)
                         : leaf_.sprung() ? anglesOf(tree_, rest_)
                                          : landscape_.dominantPhases();
        if (leaf_.sprung() ? landscape_.follow(theta, 0) : ascended(theta))
            keep(std::move(theta));
    }
}

// An ascent that is caught on a saddle goes on beside it.
bool TreeSearch::ascended(VectorXd& theta) const
{
    for (int i = 0; i < 4; ++i) {
        landscape_.ascend(theta);
        if (landscape_.signature(theta).index == 0)
            break;
        theta += leaving * landscape_.directions(theta).front();
    }
    return true;
}

void TreeSearch::leave(const Found& state)
{
    const VectorXd theta = anglesOf(tree_, state.beta);
    const std::vector<VectorXd> turns = landscape_.directions(theta);
    for (std::size_t k = 0; k < turns.size(); ++k)
        for (const double sense : {leaving, -leaving}) {
            if (starts_ >= mostStarts_ || curves())
                return;
            const bool down = static_cast<int>(k) < state.index;
            if (whole() || state.index == 0 || (state.index == 1 && down))
                from(theta + sense * turns[k], state.index + (down ? -1 : 1));
            else if (k == 0)
                from(theta + sense * turns[k], 0);
        }
}

void TreeSearch::leaveAll()
{
    for (; left_ < found_.size() && starts_ < mostStarts_ && !curves(); ++left_)
        if (const Found state = found_[left_]; state.nullity == 0)
            leave(state);
}

// Until many starts in a row brought nothing new, and longer where the counts say that something is missing.
void TreeSearch::searchWhole()
{
    const int n = tree_.size();
    const double cells = (range_.array() / pi).max(1).prod();
    const int enough = static_cast<int>(60 * n * cells), most = std::max(2 * enough, n <= 6 ? 12000 : 8000);
    int quiet = 0;
    for (int i = 0; i < most && !curves(); ++i) {
        const bool due = !count_.degenerate() && springsExhausted_ && !count_.fits();
        if (quiet >= enough && !due)
            return;
        quiet = from(spreadStart(i), i % n) ? 0 : quiet + 1;
        leaveAll();
    }
}

// Of larger trees the minima, and the saddles between them.
void TreeSearch::searchLow()
{
    const double n = tree_.size();
    mostStarts_ = starts_ + static_cast<int>(5e5 / (n * n * n));
    leaveAll();
    for (int i = 0; starts_ < mostStarts_ && !curves(); ++i) {
        from(spreadStart(i), i % 2);
        leaveAll();
    }
}

void TreeSearch::run()
{
    findLeast();
    if (whole()) {
        leaveAll();
        searchWhole();
    } else {
        searchLow();
    }
}

} // namespace casimir::planar
