// Lists of equilibria of trees against what must be in them: states known from elsewhere, the least energy,
// and the counts of Morse theory.
#include "core/base/error.h"
#include "core/model/morse_count.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "core/systems/planar/multibody/multibody_system.h"
#include "tests/core/systems/planar/multibody_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace casimir::planar {
namespace {

using Eigen::VectorXd;
using testing::HasSubstr;
constexpr double pi = std::numbers::pi;

struct Case {
    nlohmann::json right;
    std::shared_ptr<const System> system;
    const Tree& tree() const { return static_cast<const MultibodySystem&>(*system).tree(); }
    TreeEquilibria list() const
    {
        return treeEquilibria(tree(), static_cast<const MultibodySystem&>(*system).mu());
    }
};

Case caseNamed(const std::string& name)
{
    const Kind& kind = multibodyKind();
    const auto file = test::referenceFile("planar_tree_lists.json");
    for (const auto& one : file.at("cases"))
        if (one.at("name") == name) {
            const Input input = readInput(kind, one.at("input").dump());
            return {one.at("right"), kind.make(kind.schema.with(kind.schema.defaults(), input.assignments))};
        }
    throw Error("no case " + name);
}

// Every state is one, by the equations of motion; no two are the same, a free joint counted within a turn.
void expectDistinctEquilibria(const Tree& tree, const TreeEquilibria& found)
{
    std::vector<char> sprung(static_cast<std::size_t>(tree.size()), 0);
    for (const TreeJoint& j : tree.joints())
        sprung[static_cast<std::size_t>(j.body)] = j.stiffness > 0;
    Tree::Workspace w;
    for (std::size_t a = 0; a < found.list.size(); ++a) {
        const TreeEquilibrium& e = found.list[a];
        VectorXd omega(tree.size()), rate(tree.size());
        tree.field(0, e.theta.data(), e.mu.data(), omega.data(), rate.data(), w);
        EXPECT_LE((omega.array() - e.omega).abs().maxCoeff(), 1e-9 * std::abs(e.omega)) << e.name;
        EXPECT_LE(rate.norm(), 1e-9 * std::abs(e.omega) * e.mu.norm()) << e.name;
        for (std::size_t b = 0; b < a; ++b) {
            double apart = 0;
            for (int k = 0; k < tree.size(); ++k) {
                const int p = tree.bodies()[static_cast<std::size_t>(k)].parent;
                if (p < 0)
                    continue;
                const VectorXd& there = found.list[b].theta;
                const double d = (e.theta[k] - e.theta[p]) - (there[k] - there[p]);
                apart = std::max(
                    apart, std::abs(sprung[static_cast<std::size_t>(k)] ? d : std::remainder(d, 2 * pi)));
            }
            EXPECT_GT(apart, 1e-5) << e.name << " and " << found.list[b].name;
        }
        if (a > 0)
            EXPECT_GE(e.energy, found.list[a - 1].energy * (1 - 1e-8)) << e.name;
    }
}

TEST(TreeLists, TheStateOfLeastEnergyComesFirstAndIsStable)
{
    for (const char* name : {"chain_bent_12", "chain_bent_16"}) {
        const Case one = caseNamed(name);
        const TreeEquilibria found = one.list();
        ASSERT_FALSE(found.list.empty());
        const TreeEquilibrium& first = found.list.front();
        const double least = one.right.at("least_energy");
        EXPECT_NEAR(first.energy, least, 5e-9) << name; // half of the last digit given
        EXPECT_EQ(first.index, 0);
        EXPECT_EQ(first.stability, verdict::stable);
        EXPECT_EQ(found.check, "choice");
        EXPECT_THAT(found.note, HasSubstr("a choice"));
        expectDistinctEquilibria(one.tree(), found);
    }
}

// A maximum on a compact torus exists; no state that an ascent from anywhere reaches has less energy.
TEST(TreeLists, EveryTreeHasItsStableState)
{
    std::mt19937_64 engine(71);
    for (const int n : {8, 12, 16, 20, 40}) {
        for (int trial = 0; trial < (n > 20 ? 2 : 10); ++trial) {
            const Tree tree(randomBodies(n, engine, trial % 2 == 0));
            const TreeEquilibria found = treeEquilibria(tree, 1);
            ASSERT_FALSE(found.list.empty());
            EXPECT_EQ(found.list.front().stability, verdict::stable) << n << ", " << trial;
            EXPECT_EQ(found.list.front().index, 0);
            const TreeMatrices matrices(tree);
            for (int start = 0; start < 20; ++start) {
                VectorXd theta = randomVector(n, pi, engine);
                for (int sweep = 0; sweep < 200; ++sweep)
                    for (int k = 0; k < n; ++k) {
                        std::complex<double> pull = 0;
                        for (int l = 0; l < n; ++l)
                            if (l != k)
                                pull += matrices.gamma()(k, l) * std::polar(1.0, theta[l]);
                        theta[k] = std::arg(pull);
                    }
                EXPECT_GE(0.5 / tree.lockedInertia(theta.data()), found.list.front().energy * (1 - 1e-9));
            }
        }
    }
}

TEST(TreeLists, TwoHundredBentBodiesHaveAStableState)
{
    std::mt19937_64 engine(72);
    const TreeEquilibria found = treeEquilibria(Tree(randomBodies(200, engine)), 1);
    ASSERT_FALSE(found.list.empty());
    EXPECT_EQ(found.list.front().index, 0);
    EXPECT_EQ(found.list.front().stability, verdict::stable);
    for (const auto& s : found.list.front().eigenvalues)
        EXPECT_EQ(s.real(), 0);
}

TEST(TreeLists, SmallTreesHaveAllThatIsKnown)
{
    for (const char* name : {"tree_5", "tree_6a", "tree_6b"}) {
        const Case one = caseNamed(name);
        const TreeEquilibria found = one.list();
        EXPECT_GE(static_cast<int>(found.list.size()), one.right.at("at_least").get<int>()) << name;
        EXPECT_EQ(found.count.indexSum(), 0) << name;
        EXPECT_EQ(found.check, "fit") << name;
        EXPECT_THAT(found.note, HasSubstr("no proof"));
        expectDistinctEquilibria(one.tree(), found);
    }
}

// Morse theory on the torus of the joint angles, over trees, chains and aligned trees.
TEST(TreeLists, TheCountsFitUpToSevenBodies)
{
    std::mt19937_64 engine(73);
    for (const int n : {4, 5, 6, 7})
        for (int trial = 0; trial < (n == 7 ? 6 : 12); ++trial) {
            auto bodies = randomBodies(n, engine, trial % 2 == 0);
            if (trial % 3 == 0)
                for (TreeBody& b : bodies)
                    b.hingeOnParent.y() = b.hingeOnBody.y() = 0;
            const TreeEquilibria found = treeEquilibria(Tree(bodies), 1);
            int sum = 0;
            for (const TreeEquilibrium& e : found.list)
                sum += e.index % 2 ? -1 : 1;
            EXPECT_EQ(sum, 0) << n << ", " << trial;
            EXPECT_GE(found.list.size(), std::size_t(1) << (n - 1));
            EXPECT_EQ(found.check, "fit");
        }
}

TEST(TreeLists, AFreeJointBesideASprungOneIsCountedWithinATurn)
{
    for (const char* name : {"springs_a", "springs_b"}) {
        const Case one = caseNamed(name);
        const TreeEquilibria found = one.list();
        EXPECT_EQ(static_cast<int>(found.list.size()), one.right.at("exactly").get<int>()) << name;
        EXPECT_EQ(found.check, "fit");
        expectDistinctEquilibria(one.tree(), found);
    }
}

TEST(TreeLists, WoundSpringsAreListedWithinTheRangeThatIsSaid)
{
    const Case one = caseNamed("spring_pair");
    const TreeEquilibria found = one.list();
    std::vector<double> stable;
    int within = 0;
    for (const TreeEquilibrium& e : found.list) {
        const double joint = e.theta[1] - e.theta[0];
        within += std::abs(joint) <= 60;
        if (e.stability == verdict::stable)
            stable.push_back(e.energy);
        EXPECT_LE(std::abs(joint - 0.3), found.springRange);
        for (const auto& [energy, angle] : one.right.at("stable_joints").items())
            if (std::abs(e.energy - std::stod(energy)) < 1e-5)
                EXPECT_NEAR(joint, angle.get<double>(), 1e-3);
    }
    EXPECT_EQ(within, one.right.at("within_60_rad").get<int>());
    const auto energies = one.right.at("stable_energies").get<std::vector<double>>();
    ASSERT_GE(stable.size(), energies.size());
    for (std::size_t i = 0; i < energies.size(); ++i)
        EXPECT_NEAR(stable[i], energies[i], 6e-4);
    EXPECT_GT(found.springRange, 60);
    EXPECT_EQ(found.check, "range");
    EXPECT_THAT(found.note, HasSubstr("within 10 turns of rest"));
    expectDistinctEquilibria(one.tree(), found);
}

// One spring in one joint: all equilibria are roots of one function of one variable.
TEST(TreeLists, OfOneSprungJointAreTheRootsInOneVariable)
{
    std::mt19937_64 engine(74);
    std::uniform_real_distribution<double> stiffness(0.02, 0.5), angle(-3, 3);
    for (int trial = 0; trial < 10; ++trial) {
        const TreeJoint joint{.body = 1, .stiffness = stiffness(engine), .restAngle = angle(engine)};
        const Tree tree(randomBodies(2, engine, true), {joint});
        const TreeEquilibria found = treeEquilibria(tree, 2);
        const auto slope = [&](double beta) {
            constexpr double h = 1e-5;
            const auto V = [&](double x) {
                const double theta[2] = {0, x};
                return 2 / tree.lockedInertia(theta) +
                       0.5 * joint.stiffness * std::pow(x - joint.restAngle, 2);
            };
            return (V(beta + h) - V(beta - h)) / (2 * h);
        };
        int roots = 0;
        constexpr int samples = 60000;
        double before = slope(joint.restAngle - found.springRange);
        for (int i = 1; i <= samples; ++i) {
            const double now = slope(joint.restAngle + found.springRange * (2.0 * i / samples - 1));
            roots += (before < 0) != (now < 0);
            before = now;
        }
        EXPECT_EQ(static_cast<int>(found.list.size()), roots) << trial;
    }
}

TEST(TreeLists, ACancelledSearchEnds)
{
    std::mt19937_64 engine(75);
    const Tree tree(randomBodies(7, engine));
    int asked = 0;
    EXPECT_THROW((void)treeEquilibria(tree, 1, [&] { return ++asked > 20; }), Error);
    EXPECT_EQ(asked, 21);
}

TEST(MorseCount, SaysWhatIsMissing)
{
    MorseCount torus(2);
    torus.add(0, 0);
    torus.add(1, 0);
    EXPECT_EQ(torus.check(), "incomplete"); // the sum is right, the number is not
    EXPECT_THAT(torus.sentence(), HasSubstr("at least 4"));
    torus.add(1, 0);
    EXPECT_EQ(torus.check(), "incomplete");
    EXPECT_THAT(torus.sentence(), HasSubstr("cannot be complete: 1 have an even index and 2 an odd one"));
    torus.add(2, 0);
    EXPECT_EQ(torus.check(), "fit");
    torus.add(1, 1);
    EXPECT_EQ(torus.check(), "degenerate");
    MorseCount line(0);
    line.add(0, 0);
    EXPECT_EQ(line.check(), "fit");
    line.add(1, 0);
    EXPECT_EQ(line.check(), "incomplete");
}

// The energy on the momentum sphere, the height over the sphere of normals, the potential of hanging axes.
TEST(MorseCount, OfSpheresIsInTheAnswersOfRigidRollingAndHangingBodies)
{
    const auto counts = [](const char* id, const char* preset) {
        const Kind& kind = kindNamed(id);
        return kind.make(readSession(presetNamed(id, preset).text).values)->analyze({}).more.at("counts");
    };
    const Entry body = counts("rigid-body", "tennis-racket");
    EXPECT_EQ(body.at("check").word(), "fit");
    EXPECT_EQ(body.at("listed").number(), 6);
    EXPECT_EQ(body.at("index_sum").number(), 2);
    EXPECT_EQ(counts("rigid-body", "wobbling-plate").at("check").word(), "degenerate");
    EXPECT_EQ(counts("rolling-body", "ellipsoid").at("check").word(), "fit");
    EXPECT_EQ(counts("rolling-body", "egg").at("check").word(), "degenerate");
    const Entry tops = counts("tops", "chaotic-double-top");
    EXPECT_EQ(tops.at("check").word(), "fit");
    EXPECT_EQ(tops.at("listed").number(), 4);
    EXPECT_EQ(tops.at("index_sum_due").number(), 4);
    const Entry twelve = counts("tops", "twelve-tops");
    EXPECT_EQ(twelve.at("check").word(), "choice");
    EXPECT_EQ(twelve.at("least").number(), 4096);
}

// Two bodies on their circle, three on their torus: the check is part of the answer.
TEST(MorseCount, IsInTheAnswersOfTwoThreeAndMoreBodies)
{
    for (const char* id : {"two-body", "three-body", "multibody"}) {
        const Kind& kind = kindNamed(id);
        const Analysis analysis = kind.make()->analyze({});
        ASSERT_TRUE(analysis.more.find("counts")) << id;
        const auto& counts = analysis.more.at("counts");
        EXPECT_EQ(counts.at("index_sum").number(), 0);
        EXPECT_EQ(counts.at("least").number(), kind.id == "two-body" ? 2 : 4);
        EXPECT_TRUE(counts.at("check").word() == "fit" || counts.at("check").word() == "complete");
        for (const Equilibrium& e : analysis.equilibria)
            EXPECT_TRUE(e.secondVariation);
    }
}

} // namespace
} // namespace casimir::planar
