// The mechanics of trees: reference values, the recursion against matrices, a formulation in absolute
// coordinates with constraints, and joints.
#include "core/base/error.h"
#include "core/numerics/methods.h"
#include "core/numerics/sincos.h"
#include "core/systems/planar/multibody/multibody_matrices.h"
#include "core/systems/planar/two_body/two_body.h"
#include "tests/core/systems/planar/multibody_cases.h"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>

namespace casimir::planar {
namespace {

using Eigen::VectorXd;

struct Rates {
    VectorXd theta, mu;
};

Rates ratesOf(const Tree& tree, double t, const VectorXd& theta, const VectorXd& mu)
{
    Tree::Workspace w;
    Rates r{VectorXd(tree.size()), VectorXd(tree.size())};
    tree.field(t, theta.data(), mu.data(), r.theta.data(), r.mu.data(), w);
    return r;
}

double energyOf(const Tree& tree, double t, const VectorXd& theta, const VectorXd& mu)
{
    Tree::Workspace w;
    return tree.energy(t, theta.data(), mu.data(), w);
}

State motionTo(const Tree& tree, double t, const VectorXd& theta, const VectorXd& mu, double rtol = 1e-13)
{
    const int n = tree.size();
    State x(2 * n);
    x << theta, mu;
    Tree::Workspace w;
    IntegrationOptions options;
    options.rtol = rtol;
    options.scale = State::Ones(2 * n);
    const auto run = startIntegration(
        tree.driven() ? "gauss6" : "rkf78",
        [&](double time, const State& y, State& dydt) {
            tree.field(time, y.data(), y.data() + n, dydt.data(), dydt.data() + n, w);
        },
        0, x, options);
    EXPECT_TRUE(advanceTo(*run, t).ok());
    return run->state();
}

TEST(Sincos, AgreesWithTheStandardLibraryAtEveryMagnitude)
{
    std::mt19937_64 engine(3);
    for (const double size : {1e-9, 1.0, 30.0, 1e4, 7.9e5, 1e7, 1e300}) {
        const VectorXd x = randomVector(1001, size, engine);
        VectorXd s(x.size()), c(x.size());
        sinesAndCosines(x.data(), s.data(), c.data(), static_cast<std::size_t>(x.size()));
        for (Eigen::Index i = 0; i < x.size(); ++i) {
            ASSERT_NEAR(s[i], std::sin(x[i]), 3e-16) << x[i];
            ASSERT_NEAR(c[i], std::cos(x[i]), 3e-16) << x[i];
        }
    }
}

TEST(Tree, EnergyFieldAndCentresAreThoseOfTheReference)
{
    for (const auto& ref : treeReference()) {
        if (ref.at("kind") != "tree")
            continue;
        SCOPED_TRACE(ref.at("name").get<std::string>());
        const Tree tree(bodiesOfCase(ref));
        const VectorXd theta = vectorOf(ref.at("input").at("theta")), mu = vectorOf(ref.at("mu"));
        const Rates rates = ratesOf(tree, 0, theta, mu);
        const VectorXd omega = vectorOf(ref.at("theta_dot")), muDot = vectorOf(ref.at("mu_dot"));
        EXPECT_LE((rates.theta - omega).norm(), 1e-12 * omega.norm());
        EXPECT_LE((rates.mu - muDot).norm(), 1e-12 * muDot.norm());
        const double H = ref.at("H");
        EXPECT_NEAR(energyOf(tree, 0, theta, mu), H, 1e-12 * H);

        const auto dense = TreeMatrices(tree).rates(theta, mu);
        EXPECT_LE((dense.omega - omega).norm(), 1e-12 * omega.norm());
        EXPECT_LE((dense.muDot - muDot).norm(), 1e-12 * muDot.norm());
        const VectorXd row = vectorOf(ref.at("J_first_row"));
        EXPECT_LE((TreeMatrices(tree).at(theta).J.row(0).transpose() - row).norm(), 1e-13 * row.norm());

        std::vector<Eigen::Vector2d> r;
        tree.centres(0, theta.data(), r);
        VectorXd back(tree.size());
        tree.momentaOf(theta.data(), omega.data(), back.data());
        EXPECT_LE((back - mu).norm(), 1e-13 * mu.norm());
        for (std::size_t k = 0; k < r.size(); ++k)
            EXPECT_LE((r[k] - vectorOf(ref.at("centres")[k])).norm(), 1e-13);
    }
}

TEST(Tree, MotionReachesTheStatesOfTheReference)
{
    for (const auto& ref : treeReference()) {
        SCOPED_TRACE(ref.at("name").get<std::string>());
        const bool three = ref.at("kind") == "three_body";
        const Tree tree(bodiesOfCase(ref));
        const VectorXd theta =
            vectorOf(three ? ref.at("initial_state").at("theta") : ref.at("input").at("theta"));
        const VectorXd mu = vectorOf(three ? ref.at("initial_state").at("mu") : ref.at("mu"));
        const int n = tree.size();
        for (const auto& [time, at] : ref.at("state_at").items()) {
            const State x = motionTo(tree, std::stod(time), theta, mu);
            EXPECT_LE((x.head(n) - vectorOf(at.at("theta"))).cwiseAbs().maxCoeff(), 1e-9);
            EXPECT_LE((x.tail(n) - vectorOf(at.at("mu"))).cwiseAbs().maxCoeff(), 1e-9);
        }
    }
}

TEST(Tree, RecursionAgreesWithTheDenseSolveForEveryShapeOfTree)
{
    std::mt19937_64 engine(11);
    for (const bool chain : {true, false})
        for (const int n : {1, 2, 3, 4, 7, 20, 65}) {
            SCOPED_TRACE(n);
            const Tree tree(randomBodies(n, engine, chain));
            const VectorXd theta = randomVector(n, 4, engine), mu = randomVector(n, 2, engine);
            const Rates rates = ratesOf(tree, 0, theta, mu);
            const TreeMatrices matrices(tree);
            const auto dense = matrices.rates(theta, mu);
            EXPECT_LE((rates.theta - dense.omega).norm(), 1e-11 * dense.omega.norm());
            EXPECT_LE((rates.mu - dense.muDot).norm(), 1e-11 * (dense.muDot.norm() + dense.energy));
            EXPECT_NEAR(rates.mu.sum(), 0, 1e-12 * (rates.mu.norm() + dense.energy));
            const double locked = matrices.at(theta).lockedInertia();
            EXPECT_NEAR(tree.lockedInertia(theta.data()), locked, 1e-12 * locked);
        }
}

TEST(Tree, TwoBodiesAreTheTwoBodySystem)
{
    std::mt19937_64 engine(5);
    for (int trial = 0; trial < 20; ++trial) {
        const auto bodies = randomBodies(2, engine, true);
        const Tree tree(bodies);
        const VectorXd theta = randomVector(2, 3, engine), mu = randomVector(2, 2, engine);
        const std::complex<double> a(bodies[1].hingeOnParent.x(), bodies[1].hingeOnParent.y()),
            b(bodies[1].hingeOnBody.x(), bodies[1].hingeOnBody.y());
        const TwoBody two({bodies[0].mass, bodies[1].mass, bodies[0].inertia, bodies[1].inertia, std::abs(a),
                           std::abs(b), std::arg(-a * std::conj(b)), mu.sum()});
        const Eigen::Vector3d x(theta[1] - theta[0], mu[0], mu[1]);
        const Eigen::Vector3d rate = two.reducedField<double>(x);
        const Rates rates = ratesOf(tree, 0, theta, mu);
        const double H = two.hamiltonian<double>(x);
        EXPECT_NEAR(energyOf(tree, 0, theta, mu), H, 1e-13 * H);
        EXPECT_NEAR(rates.theta[1] - rates.theta[0], rate[0], 1e-13 * rates.theta.norm());
        EXPECT_NEAR(rates.mu[0], rate[1], 1e-13 * (H + rate.norm()));
        EXPECT_NEAR(rates.mu[1], rate[2], 1e-13 * (H + rate.norm()));
    }
}

// Newton's and Euler's laws for each body, the hinges as constraints on (x, y, theta) with their forces as
// Lagrange multipliers. Joint torques are taken from the joints.
class Constrained {
public:
    explicit Constrained(const Tree& tree) : tree_(tree) {}

    void operator()(double t, const State& s, State& rate) const
    {
        const int n = tree_.size(), c = 2 * (n - 1);
        Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * n + c, 3 * n + c);
        VectorXd rhs = VectorXd::Zero(3 * n + c);
        int row = 3 * n;
        for (int k = 0; k < n; ++k) {
            const TreeBody& b = tree_.bodies()[static_cast<std::size_t>(k)];
            A(3 * k, 3 * k) = A(3 * k + 1, 3 * k + 1) = b.mass;
            A(3 * k + 2, 3 * k + 2) = b.inertia;
            if (b.parent < 0)
                continue;
            const int p = b.parent;
            const Eigen::Vector2d B = Eigen::Rotation2Dd(s[3 * k + 2]) * b.hingeOnBody;
            const Eigen::Vector2d P = Eigen::Rotation2Dd(s[3 * p + 2]) * b.hingeOnParent;
            Eigen::MatrixXd C = Eigen::MatrixXd::Zero(2, 3 * n);
            C(0, 3 * k) = C(1, 3 * k + 1) = 1;
            C(0, 3 * p) = C(1, 3 * p + 1) = -1;
            C(0, 3 * k + 2) = -B.y();
            C(1, 3 * k + 2) = B.x();
            C(0, 3 * p + 2) = P.y();
            C(1, 3 * p + 2) = -P.x();
            const double wk = s[3 * n + 3 * k + 2], wp = s[3 * n + 3 * p + 2];
            rhs.segment<2>(row) = wk * wk * B - wp * wp * P;
            A.block(row, 0, 2, 3 * n) = C;
            A.block(0, row, 3 * n, 2) = C.transpose();
            row += 2;
        }
        for (const TreeJoint& j : tree_.joints()) {
            const int k = j.body, p = tree_.bodies()[static_cast<std::size_t>(k)].parent;
            const double T = -j.stiffness * (s[3 * k + 2] - s[3 * p + 2] - j.restAngle) -
                             j.damping * (s[3 * n + 3 * k + 2] - s[3 * n + 3 * p + 2]) +
                             j.amplitude * std::cos(j.frequency * t + j.phase);
            rhs[3 * k + 2] += T;
            rhs[3 * p + 2] -= T;
        }
        const VectorXd solved = A.partialPivLu().solve(rhs);
        rate.head(3 * n) = s.tail(3 * n);
        rate.tail(3 * n) = solved.head(3 * n);
    }

    State start(const VectorXd& theta, const VectorXd& omega) const
    {
        const int n = tree_.size();
        State s = State::Zero(6 * n);
        Eigen::Vector2d r0(0, 0), v0(0, 0);
        for (const int k : tree_.order()) {
            const TreeBody& b = tree_.bodies()[static_cast<std::size_t>(k)];
            s[3 * k + 2] = theta[k];
            s[3 * n + 3 * k + 2] = omega[k];
            if (b.parent >= 0) {
                const int p = b.parent;
                const Eigen::Vector2d B = Eigen::Rotation2Dd(theta[k]) * b.hingeOnBody;
                const Eigen::Vector2d P = Eigen::Rotation2Dd(theta[p]) * b.hingeOnParent;
                s.segment<2>(3 * k) = s.segment<2>(3 * p) + P - B;
                s.segment<2>(3 * n + 3 * k) = s.segment<2>(3 * n + 3 * p) +
                                              omega[p] * Eigen::Vector2d(-P.y(), P.x()) -
                                              omega[k] * Eigen::Vector2d(-B.y(), B.x());
            }
            r0 += b.mass / tree_.mass() * s.segment<2>(3 * k);
            v0 += b.mass / tree_.mass() * s.segment<2>(3 * n + 3 * k);
        }
        for (int k = 0; k < n; ++k) {
            s.segment<2>(3 * k) -= r0;
            s.segment<2>(3 * n + 3 * k) -= v0;
        }
        return s;
    }

private:
    const Tree& tree_;
};

void compareWithConstraints(const Tree& tree, std::mt19937_64& engine, double t)
{
    const int n = tree.size();
    const VectorXd theta = randomVector(n, 1, engine), omega = randomVector(n, 0.8, engine);
    VectorXd mu(n);
    tree.momentaOf(theta.data(), omega.data(), mu.data());
    const State x = motionTo(tree, t, theta, mu);

    const Constrained other(tree);
    IntegrationOptions options;
    options.rtol = 1e-13;
    options.scale = State::Ones(6 * n);
    const auto run =
        startIntegration(tree.driven() ? "gauss6" : "rkf78", other, 0, other.start(theta, omega), options);
    ASSERT_TRUE(advanceTo(*run, t).ok());
    std::vector<Eigen::Vector2d> r;
    const VectorXd end = x.head(n);
    tree.centres(t, end.data(), r);
    for (int k = 0; k < n; ++k) {
        EXPECT_NEAR(x[k], run->state()[3 * k + 2], 1e-8);
        EXPECT_LE((r[static_cast<std::size_t>(k)] - run->state().segment<2>(3 * k)).norm(), 1e-8);
    }
}

TEST(Tree, MovesAsBodiesInAbsoluteCoordinatesWithHingeForces)
{
    std::mt19937_64 engine(21);
    for (const int n : {2, 4, 6})
        compareWithConstraints(Tree(randomBodies(n, engine)), engine, 10);
}

TEST(TreeJoints, SpringsDampersAndDrivesMoveTheBodiesAsInAbsoluteCoordinates)
{
    std::mt19937_64 engine(22);
    const auto bodies = randomBodies(4, engine);
    std::vector<TreeJoint> joints;
    for (int k = 0; k < 4; ++k)
        if (bodies[static_cast<std::size_t>(k)].parent >= 0)
            joints.push_back({.body = k,
                              .stiffness = 0.4,
                              .restAngle = 0.3,
                              .damping = 0.05 * k,
                              .amplitude = 0.2,
                              .frequency = 1.3,
                              .phase = 0.1 * k});
    compareWithConstraints(Tree(bodies, joints), engine, 10);
}

TEST(TreeJoints, TorquesKeepTheMomentumAndPowerIsTheRateOfEnergy)
{
    std::mt19937_64 engine(23);
    const auto bodies = randomBodies(6, engine);
    std::vector<TreeJoint> joints;
    for (int k = 0; k < 6; ++k)
        if (bodies[static_cast<std::size_t>(k)].parent >= 0 && k != 3)
            joints.push_back({.body = k,
                              .stiffness = 0.4,
                              .restAngle = 0.3,
                              .damping = 0.05,
                              .drive = k % 2 ? TreeJoint::Drive::Motion : TreeJoint::Drive::Torque,
                              .amplitude = 0.3,
                              .frequency = 1.7,
                              .phase = 0.4 * k});
    const Tree tree(bodies, joints);
    const VectorXd theta = randomVector(6, 1, engine);
    // A state that agrees with the prescribed rates.
    Tree::Workspace w;
    const VectorXd any = randomVector(6, 1, engine);
    tree.velocities(0, theta.data(), any.data(), w);
    const VectorXd mu = Eigen::Map<const VectorXd>(w.momenta().data(), 6);
    EXPECT_NEAR(mu.sum(), any.sum(), 1e-13);
    const Rates rates = ratesOf(tree, 0, theta, mu);
    EXPECT_NEAR(rates.mu.sum(), 0, 1e-12 * rates.mu.norm());

    const double h = 1e-3;
    std::vector<double> energies;
    for (const double t : {-2 * h, -h, h, 2 * h}) {
        const State x = motionTo(tree, t, theta, mu);
        energies.push_back(energyOf(tree, t, x.head(6), x.tail(6)));
    }
    const double slope = (8 * (energies[2] - energies[1]) - (energies[3] - energies[0])) / (12 * h);
    EXPECT_NEAR(tree.power(0, theta.data(), mu.data(), w), slope, 1e-9);
}

TEST(TreeJoints, PrescribedJointsMoveAsPrescribedAndTheRestAsNewtonSays)
{
    std::mt19937_64 engine(24);
    const auto bodies = randomBodies(5, engine, true);
    const std::vector<TreeJoint> joints{
        {.body = 2, .restAngle = 0.3, .drive = TreeJoint::Drive::Motion, .amplitude = 0.5, .frequency = 1.1},
        {.body = 4,
         .restAngle = -0.2,
         .drive = TreeJoint::Drive::Motion,
         .amplitude = 0.8,
         .frequency = 2.3,
         .phase = 1}};
    const Tree tree(bodies, joints);
    const VectorXd theta = randomVector(5, 1, engine), any = randomVector(5, 1, engine);
    Tree::Workspace w;
    tree.velocities(0, theta.data(), any.data(), w);
    VectorXd start(5);
    tree.angles(0, theta.data(), start.data());
    const VectorXd mu = Eigen::Map<const VectorXd>(w.momenta().data(), 5);
    const State x = motionTo(tree, 3, start, mu);
    for (const TreeJoint& j : joints)
        EXPECT_NEAR(x[j.body] - x[j.body - 1], j.angle(3), 1e-10);
    // The state's momenta stay those of the bodies: nothing has to be put right.
    tree.velocities(3, x.data(), x.data() + 5, w);
    EXPECT_LE((Eigen::Map<const VectorXd>(w.momenta().data(), 5) - x.tail(5)).norm(), 1e-9);

    // The same torques, handed to the tree without prescribed joints, give the same rates.
    VectorXd thetaDot(5), muDot(5);
    tree.field(3, x.data(), x.data() + 5, thetaDot.data(), muDot.data(), w);
    const auto dense = TreeMatrices(Tree(bodies)).rates(x.head(5), x.tail(5));
    VectorXd torque = VectorXd::Zero(5);
    for (const TreeJoint& j : joints) {
        torque[j.body] += w.reaction()[static_cast<std::size_t>(j.body)];
        torque[j.body - 1] -= w.reaction()[static_cast<std::size_t>(j.body)];
    }
    EXPECT_LE((thetaDot - dense.omega).norm(), 1e-9);
    EXPECT_LE((muDot - dense.muDot - torque).norm(), 1e-9);
}

TEST(Tree, RefusesWhatIsNotATreeOfBodiesWithTheNumberOfTheBody)
{
    const auto refusal = [](auto change) {
        std::mt19937_64 engine(1);
        auto bodies = randomBodies(4, engine, true);
        change(bodies);
        try {
            const Tree tree(bodies);
            return std::string("accepted");
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    using testing::HasSubstr;
    EXPECT_THAT(refusal([](auto& b) { b[2].mass = 0; }), HasSubstr("body 3 has the mass 0"));
    EXPECT_THAT(refusal([](auto& b) { b[3].inertia = -1; }), HasSubstr("body 4 has the inertia -1"));
    EXPECT_THAT(refusal([](auto& b) { b[3].parent = 9; }), HasSubstr("body 4 hangs on body 10"));
    EXPECT_THAT(refusal([](auto& b) { b[1].parent = 1; }), HasSubstr("body 2 hangs on itself"));
    EXPECT_THAT(refusal([](auto& b) { b[1].parent = 3; }), HasSubstr("cycle"));
    EXPECT_THAT(refusal([](auto& b) { b[2].parent = -1; }), HasSubstr("bodies 1 and 3 both"));
    EXPECT_THAT(refusal([](auto& b) { b[2].hingeOnBody.x() = std::nan(""); }), HasSubstr("body 3"));
    EXPECT_THAT(refusal([](auto& b) { b[2].inertia = 1e-16; }), HasSubstr("body 3"));
}

} // namespace
} // namespace casimir::planar
