// The discrete rod: its variations against automatic differentiation, its equilibria against independent
// values and closed forms, its solvers against dense ones.
#include "tests/core/systems/rod/rod_cases.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>
#include <unsupported/Eigen/AutoDiff>

#include <random>

namespace casimir::rod {
namespace {

using Dual = Eigen::AutoDiffScalar<Vec12>;
using Dual2 = Eigen::AutoDiffScalar<Eigen::Matrix<Dual, 12, 1>>;

Dual2 variable(double value, int index)
{
    Dual2 x;
    x.value() = Dual(value, Vec12::Zero());
    if (index >= 0)
        x.value().derivatives()[index] = 1;
    for (int k = 0; k < 12; ++k)
        x.derivatives()[k] = Dual(k == index ? 1 : 0, Vec12::Zero());
    return x;
}

// exp(ϑ) q to second order, which is all that second derivatives at ϑ = 0 see.
Rotor<Dual2> turnedBy(const Quat& q, int first)
{
    const Eigen::Matrix<Dual2, 3, 1> t(variable(0, first), variable(0, first + 1), variable(0, first + 2));
    const Dual2 w = variable(1, -1) - (t[0] * t[0] + t[1] * t[1] + t[2] * t[2]) * variable(0.125, -1);
    const Dual2 half = variable(0.5, -1);
    const Dual2 a[4] = {w, t[0] * half, t[1] * half, t[2] * half};
    const Dual2 b[4] = {variable(q.w(), -1), variable(q.x(), -1), variable(q.y(), -1), variable(q.z(), -1)};
    return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

TEST(RodElement, VariationsAgreeWithAutomaticDifferentiation)
{
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&] { return Vec3(unit(engine), unit(engine), unit(engine)); };
    // From no turn at all to more than a right angle within the element, where the series ends.
    for (const double bend : {0.0, 1e-8, 1e-3, 0.3, 0.9, 1.1, 2.0}) {
        ElementLaw law;
        law.D = turnBy(vector()).toRotationMatrix();
        law.CN = {3, 5, 7};
        law.CM = {1.5, 0.7, 2.1};
        law.h = 0.4;
        const Quat qa = turnBy(2 * vector()), qb = turnBy(bend * vector().normalized()) * qa;
        const Vec3 xa = vector(), xb = xa + law.h * (qa * law.D * Vec3(0.1, -0.2, 1.2));
        const Eigen::Matrix<Dual2, 3, 1> X(variable(xa.x(), 0), variable(xa.y(), 1), variable(xa.z(), 2)),
            Y(variable(xb.x(), 6), variable(xb.y(), 7), variable(xb.z(), 8));
        const Dual2 energy = elementEnergy<Dual2>(law, X, turnedBy(qa, 3), Y, turnedBy(qb, 9));
        ElementVariation e;
        varyElement(law, xa, qa, xb, qb, e);
        EXPECT_NEAR(e.energy, energy.value().value(), 1e-14 * (1 + e.energy));
        Mat12 hessian;
        Vec12 gradient;
        for (int i = 0; i < 12; ++i) {
            gradient[i] = energy.value().derivatives()[i];
            hessian.row(i) = energy.derivatives()[i].derivatives().transpose();
        }
        const double scale = hessian.cwiseAbs().maxCoeff();
        EXPECT_LE((e.gradient - gradient).cwiseAbs().maxCoeff(), 1e-14 * scale) << bend;
        EXPECT_LE((e.hessian - hessian).cwiseAbs().maxCoeff(), 2e-14 * scale) << bend;
    }
}

TEST(RodElement, ARigidMotionOfBothEndsChangesNoStrain)
{
    ElementLaw law;
    law.h = 0.3;
    const Quat qa = turnBy({0.3, -0.2, 0.9}), qb = turnBy({0.5, 0.4, -0.1}), turn = turnBy({1, -2, 0.4});
    const Vec3 xa(0.1, 0.2, 0.3), xb(0.2, 0.1, 0.7), shift(3, -4, 5);
    const ElementStrain before = elementStrain(law, xa, qa, xb, qb);
    const ElementStrain after =
        elementStrain(law, turn * xa + shift, turn * qa, turn * xb + shift, turn * qb);
    EXPECT_LE((before.gamma - after.gamma).norm(), 1e-14);
    EXPECT_LE((before.kappa - after.kappa).norm(), 1e-14);
}

// V_ξ of a configuration moved by a variation, from energy and inertia alone.
double amended(const Rod& rod, RodConfiguration at, const Eigen::VectorXd& by, const Vec3& xi)
{
    move(at, by);
    return rod.strainEnergy(at) - 0.5 * xi.dot(rod.lockedInertia(at) * xi);
}

TEST(Rod, GradientAndHessianAreThoseOfEnergyAndInertia)
{
    RodParameters p = freeAssembly(4, 3).parameters;
    p.CN = {3, 4, 5};
    p.j = {0.02, 0.05, 0.04}; // no symmetry of the section
    const Rod rod(p);
    RodConfiguration at = rod.reference();
    std::mt19937_64 engine(3);
    std::normal_distribution<double> normal;
    const auto draw = [&] {
        return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(rod.size(), [&] { return normal(engine); }));
    };
    move(at, 0.1 * draw());
    const Vec3 xi(0.3, -0.7, 1.9);
    Eigen::VectorXd g, gc;
    BlockTridiagonal K, Kc;
    rod.strain(at, g, &K);
    rod.centrifugal(at, xi, gc, &Kc);
    g += gc;
    K.add(1, Kc);
    const Eigen::MatrixXd c = rod.inertiaVariation(at, xi);
    for (int k = 0; k < 4; ++k) {
        Eigen::VectorXd dq = draw();
        // Held mass centre: the Hessian leaves its motion out.
        const Eigen::MatrixXd M = rod.massMatrix(at).dense(), t = rod.translations();
        dq -= t * (t.transpose() * M * t).inverse() * (t.transpose() * M * dq);
        constexpr double h = 1e-3;
        const double f1 = amended(rod, at, h * dq, xi), f2 = amended(rod, at, 2 * h * dq, xi),
                     b1 = amended(rod, at, -h * dq, xi), b2 = amended(rod, at, -2 * h * dq, xi),
                     f0 = amended(rod, at, 0 * dq, xi);
        EXPECT_NEAR((8 * (f1 - b1) - (f2 - b2)) / (12 * h), g.dot(dq), 1e-7 * K.largest());
        EXPECT_NEAR((16 * (f1 + b1) - (f2 + b2) - 30 * f0) / (12 * h * h), dq.dot((K * dq).col(0)),
                    1e-6 * K.largest() * dq.squaredNorm());
        RodConfiguration there = at, back = at;
        move(there, 1e-5 * dq);
        move(back, -1e-5 * dq);
        const Vec3 change = (rod.lockedInertia(there) - rod.lockedInertia(back)) * xi / 2e-5;
        EXPECT_LE((c * dq - change).norm(), 1e-7 * change.norm() + 1e-8);
    }
}

TEST(Rod, BorderedSolutionsAndCountsAgreeWithDenseOnes)
{
    const Rod rod(freeAssembly(4, 5).parameters);
    RodConfiguration at = rod.reference();
    Eigen::VectorXd g;
    BlockTridiagonal K, Kc;
    rod.strain(at, g, &K);
    rod.centrifugal(at, {0, 0, 4}, g, &Kc);
    K.add(1, Kc);
    std::mt19937_64 engine(5);
    std::normal_distribution<double> normal;
    const Eigen::Index n = rod.size(), m = 4;
    const Eigen::MatrixXd U = Eigen::MatrixXd::NullaryExpr(n, m, [&] { return normal(engine); });
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(m, m);
    D(3, 3) = -2;
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n + m, n + m);
    all << K.dense(), U, U.transpose(), D;
    const Vec6 springs = Vec6::Constant(3);
    const Eigen::VectorXd f = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(engine); });
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
    right.head(n) = f;
    const Eigen::VectorXd expected = all.fullPivLu().solve(right).head(n);
    const Eigen::VectorXd x = BorderedChain(K, U, D, springs).solve(f);
    EXPECT_LE((x - expected).norm(), 1e-10 * expected.norm());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> dense(all);
    EXPECT_EQ(negativeDirections(K, U, D, springs), (dense.eigenvalues().array() < 0).count());
}

class FreeAssembly : public testing::TestWithParam<int> {};

TEST_P(FreeAssembly, EquilibriaAgreeWithTheReferenceAtEqualElements)
{
    const RodCase c = freeAssembly(GetParam(), 20);
    const Rod rod(c.parameters);
    for (const auto& row : reference().at("d_free_assembly").at("cases").at(c.name).at("rows")) {
        const auto& wanted = row.at("N20");
        const RodEquilibrium e = followFromRest(rod, c.axis, row.at("om"));
        ASSERT_TRUE(e.status.ok()) << e.status.sentence;
        const Vec3 tip = e.at.q[0].conjugate() * (e.at.x.back() - e.at.x[0]);
        const Vec3 axis = e.at.q[0].conjugate() * Vec3::UnitZ();
        SCOPED_TRACE(c.name + std::string(" at ") + std::to_string(e.omega));
        const auto near = [&](double x, const char* field) {
            EXPECT_NEAR(x, wanted.at(field).get<double>(), 2e-9) << field;
        };
        near(tip.x(), "tip_body_x");
        near(tip.y(), "tip_body_y");
        near(tip.z(), "tip_body_z");
        near(axis.x(), "axis_body_x");
        near(axis.y(), "axis_body_y");
        near(axis.z(), "axis_body_z");
        near(rod.lockedInertia(e.at)(2, 2), "Izz");
        near(angularMomentum(rod, e), "mu");
        EXPECT_LE(e.residual, 1e-11);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, FreeAssembly, testing::Values(1, 2, 4, 7));

TEST(RodEquilibrium, AHeavyHubStretchesTheRodAsTheBarInClosedForm)
{
    // A radial bar on a hub too heavy to move: y'' = -ω² (ρ/EA) y, tip displacement in closed form.
    const auto& bar = reference().at("c_axial_stretch");
    for (const auto& row : bar.at("rows")) {
        const auto tip = [&](int elements) {
            RodParameters p = slender(0.1, elements);
            p.CN = {1000, 1000, bar.at("par").at("EA")};
            p.bodyMass = 1e9;
            p.bodyInertia = {1e9, 1e9, 2e9};
            p.r0 = {bar.at("par").at("a"), 0, 0};
            const Rod rod(p);
            const RodEquilibrium e = followFromRest(rod, SpinAxis::Z, row.at("om"));
            EXPECT_TRUE(e.status.ok()) << e.status.sentence;
            return (e.at.x.back() - e.at.x[0]).norm() - p.r0.norm() - 1;
        };
        const double a = tip(8), b = tip(16), c = tip(32);
        const double extrapolated = (16 * (4 * c - b) / 3 - (4 * b - a) / 3) / 15;
        EXPECT_NEAR(extrapolated, row.at("tip_exact").get<double>(), 1e-6) << row.at("om");
    }
}

TEST(RodEquilibrium, BeyondTheLimitOfTheElasticLawTheLastGoodSpinRateIsSaid)
{
    RodParameters p = slender(0.1, 8);
    p.bodyMass = 1e6;
    p.bodyInertia = {1e6, 1e6, 2e6};
    p.r0 = {0.5, 0, 0};
    const RodEquilibrium e = followFromRest(Rod(p), SpinAxis::Z, 40);
    EXPECT_FALSE(e.status.ok());
    EXPECT_GT(e.omega, 5);
    EXPECT_LT(e.omega, 40);
    EXPECT_NE(e.status.sentence.find("last"), std::string::npos);
}

TEST(RodEquilibrium, TheMomentumAskedForIsReached)
{
    const RodCase c = freeAssembly(4, 16);
    const Rod rod(c.parameters);
    const RodEquilibrium at2 = followFromRest(rod, c.axis, 2);
    const RodEquilibrium e = followToMomentum(rod, at2, 5);
    ASSERT_TRUE(e.status.ok()) << e.status.sentence;
    EXPECT_NEAR(angularMomentum(rod, e), 5, 1e-13);
    EXPECT_NEAR(followFromRest(rod, c.axis, e.omega).omega * rod.lockedInertia(e.at)(2, 2), 5, 1e-10);
}

} // namespace
} // namespace casimir::rod
