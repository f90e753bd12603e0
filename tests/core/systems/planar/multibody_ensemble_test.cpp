// Many evaluations of a tree in lanes: beside the plain field, the matrices of Theorem 3 and a complex step
// through them.
#include "core/systems/planar/multibody/multibody_ensemble.h"
#include "core/systems/planar/multibody/multibody_equilibria.h"
#include "tests/core/systems/planar/multibody_cases.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <new>

namespace {
std::atomic<long> allocations = 0;
} // namespace

// Counted, so that a test can say that there were none; not inlined, or the compiler sees pairs that differ.
[[gnu::noinline]] void* operator new(std::size_t size)
{
    ++allocations;
    if (void* room = std::malloc(size))
        return room;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* room) noexcept
{
    std::free(room);
}
[[gnu::noinline]] void operator delete(void* room, std::size_t) noexcept
{
    std::free(room);
}

namespace casimir::planar {

namespace {

using Width = TreeEnsemble::Width;
constexpr Width widths[] = {Width::Machine, Width::Two, Width::One};

enum class Joints { None, Torques, Prescribed };

Tree randomTree(int n, bool chain, Joints kind, std::mt19937_64& engine)
{
    std::vector<TreeBody> bodies = randomBodies(n, engine, chain);
    std::vector<TreeJoint> joints;
    std::uniform_real_distribution<double> number(0.1, 2);
    if (kind != Joints::None)
        for (int k = 0; k < n; ++k)
            if (bodies[static_cast<std::size_t>(k)].parent >= 0 && number(engine) < 1.4) {
                TreeJoint j;
                j.body = k;
                j.stiffness = number(engine);
                j.restAngle = number(engine) - 1;
                j.damping = number(engine);
                j.amplitude = number(engine);
                j.frequency = number(engine);
                j.phase = number(engine);
                if (kind == Joints::Prescribed && number(engine) < 1)
                    j.drive = TreeJoint::Drive::Motion;
                joints.push_back(j);
            }
    return Tree(std::move(bodies), std::move(joints));
}

// States in lanes, or one with directions in lanes; number k of lane l as x(l, k).
Eigen::MatrixXd randomStates(int lanes, int n, std::mt19937_64& engine)
{
    Eigen::MatrixXd x(lanes, 2 * n);
    for (int lane = 0; lane < lanes; ++lane) {
        x.row(lane).head(n) = randomVector(n, 4, engine);
        x.row(lane).tail(n) = randomVector(n, 2, engine);
    }
    return x;
}

Eigen::VectorXd plainField(const Tree& tree, double t, const Eigen::VectorXd& x)
{
    const int n = tree.size();
    Eigen::VectorXd rate(2 * n);
    Tree::Workspace w;
    tree.field(t, x.data(), x.data() + n, rate.data(), rate.data() + n, w);
    return rate;
}

// Theorem 3 by matrices, at complex states: the imaginary part of a step i h v is the derivative along v.
Eigen::VectorXcd complexField(const Tree& tree, double t, const Eigen::VectorXcd& x)
{
    using Complex = std::complex<double>;
    const int n = tree.size();
    const Eigen::MatrixXcd gamma = TreeMatrices(tree).gamma();
    Eigen::MatrixXcd J(n, n), K(n, n);
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l) {
            const Complex c = std::cos(x[l] - x[k]), s = std::sin(x[l] - x[k]);
            J(k, l) = gamma(k, l).real() * c - gamma(k, l).imag() * s;
            K(k, l) = gamma(k, l).real() * s + gamma(k, l).imag() * c;
            if (k == l)
                J(k, l) += tree.bodies()[static_cast<std::size_t>(k)].inertia;
        }
    Eigen::VectorXcd rate(2 * n);
    const Eigen::VectorXcd omega = J.partialPivLu().solve(x.tail(n));
    rate.head(n) = omega;
    rate.tail(n) = omega.cwiseProduct(K * omega);
    for (const TreeJoint& j : tree.joints()) {
        const int k = j.body, p = tree.bodies()[static_cast<std::size_t>(k)].parent;
        const Complex torque = -j.stiffness * (x[k] - x[p] - j.restAngle) -
                               j.damping * (omega[k] - omega[p]) +
                               j.amplitude * std::cos(j.frequency * t + j.phase);
        rate[n + k] += torque;
        rate[n + p] -= torque;
    }
    return rate;
}

Eigen::VectorXd derivativeAlong(const Tree& tree, double t, const Eigen::VectorXd& x,
                                const Eigen::VectorXd& v)
{
    constexpr double h = 1e-30;
    return complexField(tree, t, x + std::complex<double>(0, h) * v).imag() / h;
}

} // namespace

TEST(TreeEnsemble, EvaluatesTheFieldInEveryLane)
{
    std::mt19937_64 engine(11);
    for (const int n : {1, 2, 3, 4, 5, 8, 13, 33, 64})
        for (const bool chain : {true, false})
            for (const Joints kind : {Joints::None, Joints::Torques, Joints::Prescribed}) {
                const Tree tree = randomTree(n, chain, kind, engine);
                for (const Width width : widths) {
                    TreeEnsemble ensemble(tree, width);
                    const Eigen::MatrixXd x = randomStates(ensemble.lanes(), n, engine);
                    const Eigen::VectorXd t = randomVector(ensemble.lanes(), 10, engine);
                    Eigen::MatrixXd rate(x.rows(), x.cols());
                    ensemble.field(t.data(), x.data(), rate.data());
                    for (int lane = 0; lane < ensemble.lanes(); ++lane) {
                        const Eigen::VectorXd plain = plainField(tree, t[lane], x.row(lane));
                        const Eigen::VectorXd difference = rate.row(lane).transpose() - plain;
                        for (const bool momenta : {false, true})
                            EXPECT_LE(difference.segment(momenta ? n : 0, n).norm(),
                                      1e-12 * plain.segment(momenta ? n : 0, n).norm())
                                << n << chain << static_cast<int>(kind) << momenta;
                        if (kind == Joints::Prescribed)
                            continue;
                        const Eigen::VectorXd byMatrices =
                            complexField(tree, t[lane], x.row(lane).cast<std::complex<double>>()).real();
                        EXPECT_LE((rate.row(lane).transpose() - byMatrices).norm(),
                                  1e-11 * byMatrices.norm());
                    }
                }
            }
}

TEST(TreeEnsemble, GivesInEveryLaneTheDigitsOfAStateAlone)
{
    std::mt19937_64 engine(12);
    for (const Joints kind : {Joints::None, Joints::Torques, Joints::Prescribed}) {
        const int n = 9;
        const Tree tree = randomTree(n, false, kind, engine);
        TreeEnsemble many(tree), alone(tree, Width::One);
        const int W = many.lanes();
        Eigen::MatrixXd x = randomStates(W, n, engine), v = randomStates(W, n, engine);
        x(0, 3) += 1e7; // beyond the reach of the quick sine, in one lane only
        const Eigen::VectorXd t = randomVector(W, 10, engine);
        Eigen::MatrixXd rate(W, 2 * n), change(W, 2 * n), field(W, 2 * n);
        many.variation(t.data(), x.data(), v.data(), rate.data(), change.data());
        many.field(t.data(), x.data(), field.data());
        EXPECT_EQ(rate, field);
        for (int lane = 0; lane < W; ++lane) {
            const Eigen::VectorXd xl = x.row(lane), vl = v.row(lane);
            Eigen::VectorXd r(2 * n), c(2 * n);
            alone.variation(&t[lane], xl.data(), vl.data(), r.data(), c.data());
            EXPECT_EQ(r, rate.row(lane).transpose());
            EXPECT_EQ(c, change.row(lane).transpose());
        }
    }
}

TEST(TreeEnsemble, KeepsABadStateToItsLane)
{
    std::mt19937_64 engine(13);
    const int n = 6;
    const Tree tree = randomTree(n, false, Joints::Torques, engine);
    TreeEnsemble ensemble(tree);
    const int W = ensemble.lanes();
    const Eigen::MatrixXd good = randomStates(W, n, engine);
    const Eigen::VectorXd t = Eigen::VectorXd::Zero(W);
    Eigen::MatrixXd expected(W, 2 * n), rate(W, 2 * n);
    ensemble.field(t.data(), good.data(), expected.data());
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), 1e308, std::numeric_limits<double>::infinity()})
        for (int k = 0; k < 2 * n; ++k) {
            Eigen::MatrixXd x = good;
            x(W - 1, k) = bad;
            ensemble.field(t.data(), x.data(), rate.data());
            EXPECT_EQ(rate.topRows(W - 1), expected.topRows(W - 1));
        }
    // And nothing of it is left for the next evaluation.
    ensemble.field(t.data(), good.data(), rate.data());
    EXPECT_EQ(rate, expected);
}

TEST(TreeEnsemble, TakesMemoryAtTheFirstCallOnly)
{
    std::mt19937_64 engine(18);
    const int n = 20;
    const Tree tree = randomTree(n, false, Joints::Prescribed, engine);
    TreeEnsemble ensemble(tree);
    const Eigen::MatrixXd x = randomStates(ensemble.lanes(), n, engine);
    const Eigen::VectorXd t = Eigen::VectorXd::Zero(ensemble.lanes()), one = x.row(0);
    Eigen::MatrixXd rate = x, change = x, jacobian;
    long before = 0;
    for (int call = 0; call < 3; ++call) {
        if (call == 1)
            before = allocations;
        ensemble.field(t.data(), x.data(), rate.data());
        ensemble.variation(t.data(), x.data(), x.data(), rate.data(), change.data());
        ensemble.derivatives(0, one.data(), x.data(), rate.data(), change.data());
        ensemble.jacobian(0, one.data(), jacobian);
    }
    EXPECT_GT(before, 0);
    EXPECT_EQ(allocations, before);
}

TEST(TreeEnsemble, DifferentiatesTheFieldExactly)
{
    std::mt19937_64 engine(14);
    for (const int n : {2, 3, 6, 17, 40})
        for (const bool chain : {true, false})
            for (const Joints kind : {Joints::None, Joints::Torques}) {
                const Tree tree = randomTree(n, chain, kind, engine);
                for (const Width width : widths) {
                    TreeEnsemble ensemble(tree, width);
                    const int W = ensemble.lanes();
                    const Eigen::MatrixXd x = randomStates(W, n, engine), v = randomStates(W, n, engine);
                    const Eigen::VectorXd t = randomVector(W, 10, engine);
                    Eigen::MatrixXd rate(W, 2 * n), change(W, 2 * n);
                    ensemble.variation(t.data(), x.data(), v.data(), rate.data(), change.data());
                    for (int lane = 0; lane < W; ++lane) {
                        const Eigen::VectorXd exact =
                            derivativeAlong(tree, t[lane], x.row(lane), v.row(lane));
                        EXPECT_LE((change.row(lane).transpose() - exact).norm(), 1e-11 * exact.norm());
                    }
                    // Several directions at one state.
                    const Eigen::VectorXd one = x.row(0);
                    Eigen::VectorXd oneRate(2 * n);
                    ensemble.derivatives(t[0], one.data(), v.data(), oneRate.data(), change.data());
                    EXPECT_LE((oneRate - rate.row(0).transpose()).norm(), 1e-13 * oneRate.norm());
                    for (int lane = 0; lane < W; ++lane) {
                        const Eigen::VectorXd exact = derivativeAlong(tree, t[0], one, v.row(lane));
                        EXPECT_LE((change.row(lane).transpose() - exact).norm(), 1e-11 * exact.norm());
                    }
                }
            }
}

// Of prescribed joints there is no matrix form here: differences of the plain field, extrapolated.
TEST(TreeEnsemble, DifferentiatesTreesWithPrescribedJoints)
{
    std::mt19937_64 engine(15);
    for (const int n : {2, 5, 12}) {
        const Tree tree = randomTree(n, false, Joints::Prescribed, engine);
        TreeEnsemble ensemble(tree);
        Eigen::MatrixXd jacobian;
        const Eigen::VectorXd x = randomStates(1, n, engine).row(0);
        ensemble.jacobian(0.7, x.data(), jacobian);
        for (int k = 0; k < 2 * n; ++k) {
            const auto difference = [&](double h) -> Eigen::VectorXd {
                const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(2 * n, k);
                return (plainField(tree, 0.7, x + step) - plainField(tree, 0.7, x - step)) / (2 * h);
            };
            constexpr double h = 4e-3;
            const Eigen::VectorXd a = difference(h), b = difference(h / 2), c = difference(h / 4);
            const Eigen::VectorXd ab = (4 * b - a) / 3, bc = (4 * c - b) / 3;
            const Eigen::VectorXd best = (16 * bc - ab) / 15;
            EXPECT_LE((jacobian.col(k) - best).norm(), 1e-8 * (1 + best.norm())) << n << ' ' << k;
        }
    }
}

TEST(TreeEnsemble, HasAJacobianWhoseColumnsAreDerivatives)
{
    std::mt19937_64 engine(16);
    for (const int n : {1, 2, 3, 7, 22})
        for (const Joints kind : {Joints::None, Joints::Torques}) {
            const Tree tree = randomTree(n, false, kind, engine);
            for (const Width width : widths) {
                TreeEnsemble ensemble(tree, width);
                const Eigen::VectorXd x = randomStates(1, n, engine).row(0);
                Eigen::MatrixXd jacobian, exact(2 * n, 2 * n);
                ensemble.jacobian(1.3, x.data(), jacobian);
                for (int k = 0; k < 2 * n; ++k)
                    exact.col(k) = derivativeAlong(tree, 1.3, x, Eigen::VectorXd::Unit(2 * n, k));
                ASSERT_EQ(jacobian.rows(), 2 * n);
                EXPECT_LE((jacobian - exact).norm(), 1e-11 * exact.norm());
            }
        }
}

// A shape that turns as one body: the field does not know the common angle, so its Jacobian does not change
// along the motion, and beside a pair of zeros has the spectrum of the equilibrium on its leaf.
TEST(TreeEnsemble, HasTheSpectrumOfEquilibria)
{
    std::mt19937_64 engine(17);
    for (const int n : {3, 4, 5}) {
        std::vector<TreeBody> bodies = randomBodies(n, engine, true);
        for (TreeBody& b : bodies) // in line, so that there are straight states
            b.hingeOnParent.y() = b.hingeOnBody.y() = 0;
        const Tree tree(bodies);
        const TreeEquilibria found = treeEquilibria(tree, 1.7);
        ASSERT_GT(found.list.size(), 2u);
        TreeEnsemble ensemble(tree);
        for (const TreeEquilibrium& e : found.list) {
            Eigen::VectorXd x(2 * n);
            x << e.theta, e.mu;
            Eigen::MatrixXd jacobian;
            ensemble.jacobian(0, x.data(), jacobian);
            const Eigen::VectorXcd all = jacobian.eigenvalues();
            ASSERT_EQ(e.eigenvalues.size(), static_cast<std::size_t>(2 * n - 2));
            for (const std::complex<double>& wanted : e.eigenvalues)
                EXPECT_LE((all.array() - wanted).abs().minCoeff(), 1e-7 * (1 + std::abs(wanted))) << e.name;
        }
    }
}

} // namespace casimir::planar
