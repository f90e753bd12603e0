// The list of a tree's relative equilibria: straight ones by their pattern, those of three bodies in closed
// form, others as the search finds them; named, ordered, and checked against what must be there.
#include "core/numerics/pi.h"
#include "core/systems/planar/multibody/multibody_search.h"
#include "core/systems/planar/multibody/multibody_shape.h"
#include "core/systems/planar/three_body/three_body_roots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace casimir::planar {

namespace {

using Eigen::VectorXd;

constexpr const char* curvesOfEquilibria =
    "There are curves of equilibria (a joint turns freely without changing "
    "the inertia); isolated ones are listed.";
constexpr int judgedUpTo = 200; // bodies; beyond, the spectrum of a bent state takes too long

int straightLimit(int n)
{
    // Each costs a few times N^3; together a few milliseconds, up to N = 30.
    return n <= TreeSearch::searchedWhole ? 64 : n <= 12 ? 32 : n <= 30 ? 16 : n <= 100 ? 4 : 2;
}

int bentLimit(int n)
{
    // The spectrum of a bent state costs several times more.
    return n <= 12 ? 64 : n <= 20 ? 32 : n <= 30 ? 12 : n <= 60 ? 3 : 1;
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

// By energy; mirror images share theirs up to rounding and are ordered by their angles.
void sortByEnergy(std::vector<TreeEquilibrium>& list)
{
    std::sort(list.begin(), list.end(), [](const TreeEquilibrium& a, const TreeEquilibrium& b) {
        if (a.straight != b.straight)
            return a.straight;
        return a.straight ? a.name < b.name
                          : std::lexicographical_compare(b.theta.begin(), b.theta.end(), a.theta.begin(),
                                                         a.theta.end());
    });
    double highest = 1e-300;
    for (const TreeEquilibrium& e : list)
        highest = std::max(highest, e.energy);
    std::stable_sort(list.begin(), list.end(), [highest](const TreeEquilibrium& a, const TreeEquilibrium& b) {
        return std::round(1e9 * a.energy / highest) < std::round(1e9 * b.energy / highest);
    });
}

class ListMaker {
public:
    ListMaker(const Tree& tree, double mu, const std::function<bool()>& cancelled)
        : tree_(tree),
          mu_(mu),
          matrices_(tree),
          straight_(tree),
          sprung_(TreeLeaf(tree, matrices_, mu).sprung()),
          search_(tree, matrices_, mu, straight_, cancelled)
    {
    }

    TreeEquilibria make()
    {
        result_.straightCount = straight_.count();
        for (const VectorXd& beta : straight_.first(straightLimit(tree_.size())))
            search_.know(beta);
        const std::size_t known = search_.found().size();
        closed_ = tree_.size() <= 3 && !sprung_;
        if (tree_.size() == 3 && closed_)
            takeThreeBodies();
        else if (!closed_)
            takeSearched(known);
        else
            for (const TreeSearch::Found& state : search_.found())
                take(state.beta);
        finish();
        return std::move(result_);
    }

private:
    bool whole() const { return tree_.size() <= TreeSearch::searchedWhole; }

    void take(const VectorXd& beta)
    {
        TreeEquilibrium e = treeEquilibriumAt(tree_, matrices_, anglesOf(tree_, beta), mu_);
        e.straight = straight_.contain(beta);
        if (e.straight)
            std::tie(e.name, e.title) = std::pair(straight_.name(beta), straight_.title(beta));
        result_.straightListed += e.straight;
        result_.list.push_back(std::move(e));
    }

    void takeThreeBodies()
    {
        for (const TreeSearch::Found& state : search_.found())
            take(state.beta);
        std::vector<VectorXd> joints;
        curves_ = threeBodyPoints(tree_, matrices_, joints).continuum != Continuum::None;
        for (const VectorXd& beta : joints)
            search_.keep(anglesOf(tree_, beta));
        for (std::size_t i = result_.list.size(); i < search_.found().size(); ++i)
            take(search_.found()[i].beta);
    }

    // Of large trees: what was known, and of the others those of index 0 and 1, lowest energies first.
    void takeSearched(std::size_t known)
    {
        search_.run();
        curves_ = search_.curves();
        result_.starts = search_.starts();
        std::vector<TreeSearch::Found> found = search_.found();
        result_.found = static_cast<int>(found.size());
        const auto others = found.begin() + static_cast<std::ptrdiff_t>(known);
        if (!whole()) {
            found.erase(
                std::remove_if(others, found.end(), [](const TreeSearch::Found& f) { return f.index > 1; }),
                found.end());
            std::sort(found.begin() + static_cast<std::ptrdiff_t>(known), found.end(),
                      [](const auto& a, const auto& b) { return a.energy < b.energy; });
            const std::size_t room = known + static_cast<std::size_t>(bentLimit(tree_.size()));
            found.resize(std::min(found.size(), room));
        }
        for (const TreeSearch::Found& state : found)
            if (tree_.size() <= judgedUpTo || straight_.contain(state.beta))
                take(state.beta);
    }

    void finish();
    void nameBentPairs();
    std::string words() const;

    const Tree& tree_;
    double mu_;
    TreeMatrices matrices_;
    StraightStates straight_;
    bool sprung_, closed_ = false, curves_ = false;
    TreeSearch search_;
    TreeEquilibria result_;
};

void ListMaker::finish()
{
    if (curves_) {
        std::erase_if(result_.list, [](const TreeEquilibrium& e) { return e.nullity > 0 && !e.straight; });
        result_.status = Status::failed("degenerate", curvesOfEquilibria);
    }
    sortByEnergy(result_.list);
    result_.count = MorseCount(search_.count().circles());
    int number = 0;
    for (TreeEquilibrium& e : result_.list) {
        if (!e.straight)
            e.name = fmt::format("{}-{}", sprung_ ? "shape" : "bent", ++number);
        result_.count.add(e.index, e.nullity);
    }
    nameBentPairs();
    if (closed_ || whole())
        result_.found = static_cast<int>(result_.list.size());
    result_.springRange = search_.springHalfTurns() * pi;
    result_.check = curves_ || result_.count.degenerate() ? "degenerate"
                    : closed_ && result_.count.fits()     ? "complete"
                    : !whole()                            ? "choice"
                    : !search_.springsExhausted()         ? "range"
                                                          : result_.count.check();
    result_.note = words();
}

// Of an aligned tree the mirror image of a bent state is another one. Left: its first bent joint turns so.
void ListMaker::nameBentPairs()
{
    if (!straight_.exist())
        return;
    constexpr double same = 1e-6;
    const auto turned = [this](const VectorXd& from, const VectorXd& to) -> VectorXd {
        return (to - from).unaryExpr([](double angle) { return std::remainder(angle, 2 * pi); });
    };
    std::vector<std::pair<TreeEquilibrium*, TreeEquilibrium*>> pairs;
    for (auto a = result_.list.begin(); a != result_.list.end(); ++a) {
        if (a->straight || !a->title.empty())
            continue;
        const VectorXd beta = jointAngles(tree_, a->theta), mirrored = straight_.mirrored(beta);
        const auto b = std::find_if(a + 1, result_.list.end(), [&](const TreeEquilibrium& e) {
            return !e.straight && turned(mirrored, jointAngles(tree_, e.theta)).cwiseAbs().maxCoeff() < same;
        });
        if (b == result_.list.end())
            continue;
        const VectorXd bend = straight_.bends(beta).array().sin();
        const auto first =
            std::find_if(bend.begin(), bend.end(), [](double sine) { return std::abs(sine) > same; });
        if (first == bend.end())
            continue;
        pairs.emplace_back(*first > 0 ? &*a : &*b, *first > 0 ? &*b : &*a);
        a->title = b->title = "bent";
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::string word = pairs.size() > 1 ? fmt::format("bent {}", i + 1) : "bent";
        pairs[i].first->title = word + " left";
        pairs[i].second->title = word + " right";
    }
}

std::string ListMaker::words() const
{
    const auto least = std::count_if(result_.list.begin(), result_.list.end(),
                                     [](const TreeEquilibrium& e) { return e.index == 0; });
    std::string text;
    if (result_.straightCount > result_.straightListed)
        text = fmt::format("{} of the {:.6g} straight equilibria are listed. ", result_.straightListed,
                           result_.straightCount);
    if (closed_)
        text += "All are known in closed form. ";
    if (search_.springHalfTurns() > 0)
        text += fmt::format("Joints with springs were searched within {} of rest{}. ",
                            search_.springHalfTurns() == 1 ? std::string("half a turn")
                            : search_.springHalfTurns() == 2
                                ? std::string("one turn")
                                : fmt::format("{} turns", search_.springHalfTurns() / 2),
                            search_.springsExhausted() ? ", and none can be wound farther"
                                                       : "; there may be states wound farther");
    if (result_.check == "choice")
        text +=
            fmt::format("The list is a choice, lowest energies first: there are at least {:.6g} equilibria, "
                        "and of those found the ones with at most one negative square are listed. ",
                        result_.count.least());
    else if (curves_)
        text += "Beside curves of equilibria the number of isolated ones cannot be checked. ";
    else if (result_.check != "range")
        text += result_.count.sentence() + " ";
    if (result_.check == "fit")
        text += "That is no proof that none is missing. ";
    if (least == 0)
        text +=
            tree_.size() > judgedUpTo
                ? "Of so many bodies bent states are not listed; none without negative squares is straight. "
                : "No state without negative squares was found. ";
    text.pop_back();
    return text;
}

} // namespace

TreeEquilibria treeEquilibria(const Tree& tree, double mu, const std::function<bool()>& cancelled)
{
    TreeEquilibria result;
    const int n = tree.size();
    if (tree.driven()) {
        result.status = Status::failed("driven", "A driven joint leaves no equilibrium.");
        return result;
    }
    if (n == 1) {
        TreeEquilibrium e = treeEquilibriumAt(tree, TreeMatrices(tree), VectorXd::Zero(1), mu);
        e.name = e.title = "spin";
        e.straight = true;
        result.count.add(0, 0);
        result.list.push_back(std::move(e));
        result.found = 1;
        result.check = "complete";
        result.note = "All are known in closed form.";
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
    return ListMaker(tree, mu, cancelled).make();
}

} // namespace casimir::planar
