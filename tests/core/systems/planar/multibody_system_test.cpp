// Trees as the rest of the program sees them: equilibria against the theory of two and three bodies and the
// reference, holonomy, the file of --input, and the paper's claims with altered formulas.
#include "core/analysis/analysis_json.h"
#include "core/base/error.h"
#include "core/session/session_json.h"
#include "core/systems/planar/multibody/multibody_claims.h"
#include "core/systems/planar/multibody/multibody_system.h"
#include "core/systems/planar/three_body/three_body_equilibria.h"
#include "core/systems/planar/two_body/two_body_equilibria.h"
#include "tests/core/systems/planar/multibody_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

namespace casimir::planar {
namespace {

using Eigen::VectorXd;
using testing::HasSubstr;
constexpr double pi = std::numbers::pi;

template <class List>
std::vector<std::complex<double>> sorted(const List& list)
{
    std::vector<std::complex<double>> z(list.begin(), list.end());
    std::sort(z.begin(), z.end(), [](const auto& a, const auto& b) {
        const double ar = std::round(1e9 * a.real()), br = std::round(1e9 * b.real());
        return ar != br ? ar < br : a.imag() < b.imag();
    });
    return z;
}

double angleBetween(double a, double b)
{
    return std::abs(std::remainder(a - b, 2 * pi));
}

TEST(TreeEquilibria, OfThreeBodiesAreThoseOfTheReferenceWithIndexAndSpectrum)
{
    for (const auto& ref : treeReference()) {
        if (ref.at("kind") != "three_body")
            continue;
        const std::string name = ref.at("name");
        SCOPED_TRACE(name);
        if (name.ends_with("_degenerate"))
            continue;
        const TreeEquilibria found = treeEquilibria(Tree(bodiesOfCase(ref)), ref.at("input").at("mu"));
        ASSERT_TRUE(found.status.ok());
        ASSERT_EQ(found.list.size(), ref.at("equilibria").size());
        for (const auto& wanted : ref.at("equilibria")) {
            const auto at = std::find_if(found.list.begin(), found.list.end(), [&](const TreeEquilibrium& e) {
                return angleBetween(e.theta[1] - e.theta[0], wanted.at("theta21")) < 1e-9 &&
                       angleBetween(e.theta[2] - e.theta[1], wanted.at("theta32")) < 1e-9;
            });
            ASSERT_NE(at, found.list.end());
            const double energy = wanted.at("energy");
            EXPECT_NEAR(at->energy, energy, 1e-12 * energy);
            EXPECT_NEAR(at->omega, wanted.at("omega0").get<double>(), 1e-12 * std::abs(at->omega));
            EXPECT_LE((at->mu - vectorOf(wanted.at("mu"))).norm(), 1e-12 * at->mu.norm());
            const VectorXd hessian = vectorOf(wanted.at("hessian_V_eigenvalues"));
            EXPECT_LE((at->potentialEigenvalues - hessian).norm(), 1e-10 * hessian.norm());
            EXPECT_EQ(at->index, wanted.at("index_V").get<int>());
            std::vector<std::complex<double>> eigenvalues;
            for (const auto& z : wanted.at("eigenvalues"))
                eigenvalues.emplace_back(z[0].get<double>(), z[1].get<double>());
            const auto ours = sorted(at->eigenvalues), theirs = sorted(eigenvalues);
            ASSERT_EQ(ours.size(), theirs.size());
            for (std::size_t i = 0; i < ours.size(); ++i)
                EXPECT_LE(std::abs(ours[i] - theirs[i]), 1e-8 * std::abs(theirs.back())) << theirs[i];
            const std::string type = wanted.at("type");
            EXPECT_EQ(at->stability.substr(0, 6), type.starts_with("stable")     ? "stable"
                                                  : type.starts_with("unstable") ? "unstab"
                                                                                 : "spectr")
                << type;
        }
    }
}

TEST(TreeEquilibria, OfThreeBodiesAgreeWithTheThreeBodySystemWhicheverBodyIsTheRoot)
{
    std::mt19937_64 engine(41);
    std::uniform_real_distribution<double> positive(0.3, 2), side(-1, 1);
    for (int trial = 0; trial < 40; ++trial) {
        ThreeBodyParameters p;
        for (double* x : {&p.m1, &p.m2, &p.m3, &p.I1, &p.I2, &p.I3, &p.c1, &p.d1, &p.mu})
            *x = positive(engine);
        p.b1 = side(engine);
        p.e1 = std::abs(side(engine)) + 0.1;
        p.e2 = trial % 2 ? 0 : side(engine);
        const ThreeBodyEquilibria wanted = equilibria(ThreeBody(p));
        std::vector<TreeBody> bodies(3);
        bodies[0].mass = p.m1, bodies[1].mass = p.m2, bodies[2].mass = p.m3;
        bodies[0].inertia = p.I1, bodies[1].inertia = p.I2, bodies[2].inertia = p.I3;
        // Body 1, 2 or 3 is the root; the hinges are the same.
        const Eigen::Vector2d d12(p.c1, 0), d21(-p.b1, 0), d23(p.e1, p.e2), d32(-p.d1, 0);
        const int root = trial % 3;
        if (root == 0) {
            bodies[1].parent = 0, bodies[1].hingeOnParent = d12, bodies[1].hingeOnBody = d21;
            bodies[2].parent = 1, bodies[2].hingeOnParent = d23, bodies[2].hingeOnBody = d32;
        } else if (root == 1) {
            bodies[0].parent = 1, bodies[0].hingeOnParent = d21, bodies[0].hingeOnBody = d12;
            bodies[2].parent = 1, bodies[2].hingeOnParent = d23, bodies[2].hingeOnBody = d32;
        } else {
            bodies[1].parent = 2, bodies[1].hingeOnParent = d32, bodies[1].hingeOnBody = d23;
            bodies[0].parent = 1, bodies[0].hingeOnParent = d21, bodies[0].hingeOnBody = d12;
        }
        const TreeEquilibria found = treeEquilibria(Tree(bodies), p.mu);
        ASSERT_EQ(found.list.size(), wanted.equilibria.size()) << trial;
        for (const ThreeBodyEquilibrium& e : wanted.equilibria) {
            const auto at =
                std::find_if(found.list.begin(), found.list.end(), [&](const TreeEquilibrium& other) {
                    return angleBetween(other.theta[1] - other.theta[0], e.x) < 1e-8 &&
                           angleBetween(other.theta[2] - other.theta[1], e.y) < 1e-8;
                });
            ASSERT_NE(at, found.list.end()) << trial;
            EXPECT_NEAR(at->energy, e.energy, 1e-12 * e.energy);
            EXPECT_EQ(at->index, e.index);
            EXPECT_EQ(at->stability, e.stability);
            const auto ours = sorted(at->eigenvalues), theirs = sorted(e.eigenvalues);
            for (std::size_t i = 0; i < ours.size(); ++i)
                EXPECT_LE(std::abs(ours[i] - theirs[i]), 1e-7 * std::abs(theirs.back()));
        }
    }
}

TEST(TreeEquilibria, OfTwoBodiesAreStretchedAndFolded)
{
    const TwoBody two({100, 125, 50, 50, 1, 0.6, 0, 50});
    const std::vector<TreeBody> bodies{{100, 50, -1, {0, 0}, {0, 0}}, {125, 50, 0, {1, 0}, {-0.6, 0}}};
    const TreeEquilibria found = treeEquilibria(Tree(bodies), 50);
    const TwoBodyEquilibria wanted = equilibria(two);
    ASSERT_EQ(found.list.size(), 2u);
    for (int i = 0; i < 2; ++i) {
        const auto& ours = found.list[static_cast<std::size_t>(i)];
        const auto& theirs = wanted.equilibria[static_cast<std::size_t>(i)];
        EXPECT_NEAR(ours.energy, theirs.energy, 1e-13 * theirs.energy);
        EXPECT_EQ(ours.stability, theirs.stability);
        EXPECT_NEAR(ours.potentialEigenvalues[0], theirs.d2Hdtheta2, 1e-12 * std::abs(theirs.d2Hdtheta2));
        EXPECT_NEAR(std::abs(ours.eigenvalues[0]), std::abs(theirs.eigenvalues[0]), 1e-12);
    }
}

TEST(TreeEquilibria, AlignedChainsHaveAllStraightStatesAndLongOnesAreCounted)
{
    std::mt19937_64 engine(42);
    for (const int n : {4, 6, 9, 24}) {
        auto bodies = randomBodies(n, engine, true);
        for (TreeBody& b : bodies)
            b.hingeOnParent.y() = b.hingeOnBody.y() = 0;
        const Tree tree(bodies);
        const TreeEquilibria found = treeEquilibria(tree, 1.5);
        EXPECT_EQ(found.straightCount, std::ldexp(1, n - 1));
        if (n <= 7)
            EXPECT_EQ(found.straightListed, 1 << (n - 1));
        else
            EXPECT_THAT(found.note, HasSubstr("straight equilibria are listed"));
        const TreeMatrices matrices(tree);
        int stable = 0;
        for (const TreeEquilibrium& e : found.list) {
            const auto rates = matrices.rates(e.theta, e.mu);
            EXPECT_LE(rates.muDot.norm(), 1e-11 * e.mu.norm()) << e.name;
            EXPECT_LE((rates.omega.array() - e.omega).matrix().norm(), 1e-10 * std::abs(e.omega)) << e.name;
            stable += e.stability == verdict::stable;
        }
        if (n <= 7)
            EXPECT_GE(stable, 1);
    }
}

// Morse theory on the torus: the numbers of critical points of each index alternate to zero.
TEST(TreeEquilibria, OfFourBodiesSatisfyMorsesEquality)
{
    std::mt19937_64 engine(43);
    int complete = 0;
    for (int trial = 0; trial < 10; ++trial) {
        const TreeEquilibria found = treeEquilibria(Tree(randomBodies(4, engine, trial % 2 == 0)), 1);
        int sum = 0;
        bool degenerate = false;
        for (const TreeEquilibrium& e : found.list) {
            sum += e.index % 2 ? -1 : 1;
            degenerate = degenerate || e.nullity > 0;
        }
        EXPECT_GE(found.list.size(), 8u) << "three circles have at least eight critical points";
        complete += sum == 0 && !degenerate;
    }
    EXPECT_GE(complete, 9);
}

TEST(TreeEquilibria, EigenvaluesAreThoseOfTheLinearisedFieldWithSpringsAndDampers)
{
    std::mt19937_64 engine(44);
    const auto bodies = randomBodies(4, engine);
    std::vector<TreeJoint> joints;
    for (int k = 0; k < 4; ++k)
        if (bodies[static_cast<std::size_t>(k)].parent >= 0)
            joints.push_back({.body = k, .stiffness = 0.5, .restAngle = 0.2, .damping = 0.1});
    const Tree tree(bodies, joints);
    const TreeEquilibria found = treeEquilibria(tree, 1.2);
    ASSERT_FALSE(found.list.empty());
    bool settled = false;
    for (const TreeEquilibrium& e : found.list) {
        settled = settled || e.stability == verdict::asymptoticallyStable;
        // In the frame that turns with the equilibrium the field is autonomous; its derivative by
        // differences.
        const auto field = [&](const VectorXd& x) {
            Tree::Workspace w;
            VectorXd rate(8);
            tree.field(0, x.data(), x.data() + 4, rate.data(), rate.data() + 4, w);
            return rate;
        };
        VectorXd x(8);
        x << e.theta, e.mu;
        const VectorXd rest = field(x);
        EXPECT_LE(rest.tail(4).norm(), 1e-11);
        Eigen::MatrixXd A(8, 8);
        constexpr double h = 1e-4;
        for (int i = 0; i < 8; ++i) {
            const VectorXd d = VectorXd::Unit(8, i) * h;
            A.col(i) = (8 * (field(x + d) - field(x - d)) - (field(x + 2 * d) - field(x - 2 * d))) / (12 * h);
        }
        for (const std::complex<double>& s : e.eigenvalues) {
            const Eigen::MatrixXcd shifted =
                A.cast<std::complex<double>>() - s * Eigen::MatrixXcd::Identity(8, 8);
            const auto values = shifted.jacobiSvd().singularValues();
            EXPECT_LE(values[7], 1e-7 * values[0]) << s;
        }
    }
    EXPECT_TRUE(settled);
}

TEST(TreeEquilibria, WithoutMomentumOrUnderADriveThereAreNoneAndItIsSaid)
{
    std::mt19937_64 engine(45);
    const auto bodies = randomBodies(3, engine, true);
    EXPECT_EQ(treeEquilibria(Tree(bodies), 0).status.code, "degenerate");
    EXPECT_EQ(treeEquilibria(Tree(bodies, {{.body = 1, .amplitude = 1, .frequency = 1}}), 1).status.code,
              "driven");
    auto free = bodies;
    free[2].hingeOnBody.setZero(); // body 2 turns about its own centre of mass
    EXPECT_EQ(treeEquilibria(Tree(free), 1).status.code, "degenerate");
}

Tree cat(std::mt19937_64& engine, int n, double frequency)
{
    std::vector<TreeJoint> joints;
    for (int k = 1; k < n; ++k)
        joints.push_back({.body = k,
                          .restAngle = 0.5,
                          .drive = TreeJoint::Drive::Motion,
                          .amplitude = 0.7,
                          .frequency = frequency * (k == 3 ? 2 : 1),
                          .phase = 1.4 * k});
    return Tree(randomBodies(n, engine, true), joints);
}

TEST(FallingCat, TurnsByTheHolonomyOfItsLoopHoweverFast)
{
    for (const int n : {3, 4, 6}) {
        std::mt19937_64 slow(50), fast(50);
        const Tree one = cat(slow, n, 1), two = cat(fast, n, 2.5);
        const ShapeLoop loop = shapeLoop(one, 0);
        ASSERT_TRUE(loop.status.ok());
        EXPECT_NEAR(loop.period, 2 * pi, 1e-12);
        EXPECT_GT(std::abs(loop.geometric), 1e-3);
        EXPECT_NEAR(measuredRotation(one, 0, loop.period), loop.geometric, 1e-9);
        ASSERT_TRUE(loop.curvature);
        EXPECT_NEAR(*loop.curvature, loop.geometric, 1e-9); // Stokes
        const ShapeLoop other = shapeLoop(two, 0);
        EXPECT_NEAR(other.geometric, loop.geometric, 1e-12);
        EXPECT_NEAR(measuredRotation(two, 0, other.period), loop.geometric, 1e-9);
        // With momentum the spin adds its part.
        const ShapeLoop spun = shapeLoop(one, 0.8);
        EXPECT_NEAR(spun.geometric, loop.geometric, 1e-12);
        EXPECT_NEAR(measuredRotation(one, 0.8, spun.period), spun.predicted(), 1e-9);
    }
}

TEST(FallingCat, SaysWhenTheLoopDoesNotClose)
{
    std::mt19937_64 engine(51);
    const auto bodies = randomBodies(3, engine, true);
    const auto moved = [](int body, double frequency) {
        return TreeJoint{
            .body = body, .drive = TreeJoint::Drive::Motion, .amplitude = 0.5, .frequency = frequency};
    };
    EXPECT_EQ(shapeLoop(Tree(bodies, {moved(1, 1), moved(2, std::numbers::sqrt2)}), 0).status.code, "open");
    EXPECT_EQ(shapeLoop(Tree(bodies, {moved(1, 0), moved(2, 0)}), 0).status.code, "open");
    EXPECT_EQ(shapeLoop(Tree(bodies, {moved(1, 1)}), 0).status.code, "free");
}

std::string inputOf(const nlohmann::json& ref)
{
    nlohmann::ordered_json json;
    const auto& input = ref.at("input");
    for (std::size_t k = 0; k < input.at("m").size(); ++k) {
        nlohmann::ordered_json body{
            {"name", "body " + std::to_string(k)}, {"mass", input.at("m")[k]},
            {"inertia", input.at("I")[k]},         {"parent", input.at("parent")[k]},
            {"hinge_on_parent", input.at("a")[k]}, {"hinge_on_body", input.at("b")[k]}};
        if (body["parent"] == -1)
            body["parent"] = nullptr;
        json["bodies"].push_back(body);
    }
    json["theta"] = input.at("theta");
    json["mu"] = ref.at("mu");
    return json.dump();
}

TEST(MultibodyInput, GivesTheStateAndTheFieldOfTheReferenceToTheLastDigits)
{
    const Kind& kind = multibodyKind();
    for (const auto& ref : treeReference()) {
        if (ref.at("kind") != "tree")
            continue;
        const Input input = readInput(kind, inputOf(ref));
        const auto system = kind.make(kind.schema.with(kind.schema.defaults(), input.assignments));
        const State x = system->start(input.state);
        const VectorXd mu = vectorOf(ref.at("mu"));
        EXPECT_EQ((x.tail(mu.size()) - mu).norm(), 0);
        const nlohmann::json json = toJson(system->analyzeFrom(input.state, {}).more);
        const double H = ref.at("H");
        EXPECT_NEAR(json.at("energy").get<double>(), H, 1e-12 * H);
        EXPECT_LE((vectorOf(json.at("field").at("theta_dot")) - vectorOf(ref.at("theta_dot"))).norm(), 1e-12);
        EXPECT_LE((vectorOf(json.at("field").at("mu_dot")) - vectorOf(ref.at("mu_dot"))).norm(), 1e-12);
        std::vector<std::string> ids;
        for (const Quantity& q : system->quantities())
            ids.push_back(q.id);
        EXPECT_EQ(ids.front(), "theta_1");
        EXPECT_EQ(ids[ids.size() - 2], "H");
        EXPECT_EQ(ids.back(), "mu");
    }
}

TEST(MultibodyInput, RefusesWithTheNumberOfTheBody)
{
    const auto refusal = [](const std::string& text) {
        const Kind& kind = multibodyKind();
        try {
            const Input input = readInput(kind, text);
            const auto system = kind.make(kind.schema.with(kind.schema.defaults(), input.assignments));
            (void)system->start(input.state);
            return std::string("accepted");
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    const auto bodies = [](const std::string& second, const std::string& rest = "") {
        return R"({"bodies": [{"mass": 1, "inertia": 1, "parent": null},)" + second + "]" + rest + "}";
    };
    const std::string good =
        R"({"mass": 1, "inertia": 1, "parent": 0, "hinge_on_parent": [1, 0], "hinge_on_body": [0, 1], "name": "a"})";
    EXPECT_EQ(refusal(bodies(good)), "accepted");
    EXPECT_EQ(refusal(bodies(good, R"(, "theta": [0, 1], "mu": [1, 2], "joints": [{"body": 1, "stiffness": 2,
        "drive": {"amplitude": 1, "frequency": 2, "phase": 0}}])")),
              "accepted");
    EXPECT_THAT(refusal(bodies(R"({"mass": -2, "inertia": 1, "parent": 0})")),
                HasSubstr("bodies.1 has the mass -2"));
    EXPECT_THAT(refusal(bodies(R"({"mass": 1, "inertia": 0, "parent": 0})")),
                HasSubstr("bodies.1 has the inertia 0"));
    EXPECT_THAT(refusal(bodies(R"({"mass": 1, "inertia": 1, "parent": 7})")),
                HasSubstr("bodies.1: parent 7 does not exist"));
    EXPECT_THAT(refusal(bodies(R"({"mass": 1, "inertia": 1, "parent": null})")),
                HasSubstr("bodies 1 and 2 both"));
    EXPECT_THAT(refusal(bodies(R"({"mass": 1, "inertia": 1, "parent": 0})")),
                HasSubstr("bodies.1 has no hinge"));
    EXPECT_THAT(refusal(bodies(good + "," + good)), HasSubstr("bodies 2 and 3 are both called 'a'"));
    EXPECT_THAT(refusal(bodies(good, R"(, "theta": [1])")), HasSubstr("theta has 1 numbers for 2 bodies"));
    EXPECT_THAT(refusal(bodies(good, R"(, "joints": [{"body": 0}])")),
                HasSubstr("body 1, which is the root"));
    EXPECT_THAT(refusal(bodies(good, R"(, "joints": [{"body": 4}])")),
                HasSubstr("body 5, which does not exist"));
    EXPECT_THAT(refusal(R"({"bodys": []})"), HasSubstr("unknown key 'bodys'"));
    EXPECT_THAT(
        refusal(bodies(
            R"({"mass": 1, "inertia": 1, "parent": 2, "hinge_on_parent": [1, 0], "hinge_on_body": [1, 0]},
                       {"mass": 1, "inertia": 1, "parent": 1, "hinge_on_parent": [1, 0], "hinge_on_body": [1, 0]})")),
        HasSubstr("cycle"));
}

TEST(MultibodySystem, MomentumIsTheParameterWhateverTheStart)
{
    const Kind& kind = multibodyKind();
    Values values = kind.schema.with(kind.schema.defaults(), {{"mu", 2.5}, {"chain", 6.0}});
    const auto system = kind.make(values);
    const State x = system->start({{"theta_2", 0.4}, {"mu_3", 0.7}});
    EXPECT_NEAR(x.tail(6).sum(), 2.5, 1e-14);
    EXPECT_NEAR(system->quantity("mu", 0, x), 2.5, 1e-14);
}

TEST(MultibodySystem, TwoHundredBodiesAreDrawnAndAnalysed)
{
    const Kind& kind = multibodyKind();
    const auto system = kind.make(kind.schema.with(kind.schema.defaults(), {{"chain", 200.0}}));
    const State x = system->start({});
    Pose pose;
    system->pose(0, x, pose);
    EXPECT_EQ(pose.points.size(), system->scene().points.size());
    for (const auto& p : pose.points)
        EXPECT_LE(p.norm(), system->scene().radius);
    const Analysis analysis = system->analyze({});
    EXPECT_EQ(analysis.equilibria.front().stability, verdict::stable);
}

int failures(const TreeFormulas& formulas)
{
    int count = 0;
    for (const Claim& claim : multibodyClaims(7, formulas))
        count += !claim.expected;
    return count;
}

TEST(MultibodyClaims, AllHoldAndAlteredCoefficientsFail)
{
    EXPECT_EQ(failures(treeFormulas()), 0);
    TreeFormulas f = treeFormulas();
    f.hamiltonian = [original = f.hamiltonian](const Tree& tree, const VectorXd& theta, const VectorXd& mu) {
        return 1.001 * original(tree, theta, mu);
    };
    EXPECT_GE(failures(f), 1);
    f = treeFormulas();
    f.bracket = [original = f.bracket](const Tree& tree, const VectorXd& a, const VectorXd& b,
                                       const VectorXd& c,
                                       const VectorXd& d) { return original(tree, 1.001 * a, b, c, d); };
    EXPECT_GE(failures(f), 1);
    f = treeFormulas();
    f.K = [original = f.K](const Tree& tree, const VectorXd& theta) {
        return Eigen::MatrixXd(1.001 * original(tree, theta));
    };
    EXPECT_GE(failures(f), 1);
    f = treeFormulas();
    f.connection = [original = f.connection](const Tree& tree, const VectorXd& beta, const VectorXd& rates) {
        return 1.001 * original(tree, beta, rates);
    };
    EXPECT_EQ(failures(f), 1);
}

} // namespace
} // namespace casimir::planar
