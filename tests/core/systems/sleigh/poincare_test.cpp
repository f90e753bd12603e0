// Poincare's equations and Whittaker's reduction for systems that have nothing to do with each other: the
// sleigh, the free and the constrained rigid body, a projectile. Derivatives are automatic; here they meet
// hand-written ones.
#include "core/systems/sleigh/poincare.h"

#include "core/systems/sleigh/sleigh_equations.h"
#include "core/systems/sleigh/sleigh_model.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <random>

namespace casimir::sleigh {
namespace {

constexpr std::array allVariables{Variables::Space, Variables::Body, Variables::Centre};

struct Draw {
    std::mt19937_64 engine{7};
    double operator()(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(engine);
    }
    SleighParameters sleigh() { return {(*this)(-1, 1), (*this)(-1, 1), (*this)(0.3, 1.5), (*this)(-2, 2)}; }
    Vector5 state()
    {
        return Vector5((*this)(-2, 2), (*this)(-2, 2), (*this)(-3, 3), (*this)(-2, 2), (*this)(-2, 2));
    }
};

TEST(Poincare, theDerivativesOfTheSleighsLagrangianAreTheHandWrittenOnes)
{
    Draw draw;
    for (int i = 0; i < 20; ++i) {
        const SleighParameters p = draw.sleigh();
        const Vector5 x = draw.state();
        const PoincareEquations<SleighModel> equations(SleighModel{p, Variables::Space});
        Vec<double, 5> z; // phi, x, y, phidot, v
        z << x[Phi], x[X], x[Y], x[PhiDot], x[V];
        const auto variables = secondVariables<5>(z);
        const Expansion<5> L(equations.lagrangian<Second<5>>(variables.head<3>(), variables.tail<2>()));
        const double sine = std::sin(x[Phi]), cosine = std::cos(x[Phi]), w = x[PhiDot], v = x[V];
        const double delta2 = p.a * p.a + p.b * p.b + p.k * p.k;
        // L = (v^2 - 2 b v w + delta^2 w^2)/2 + G (x + a cos phi - b sin phi)
        Vec<double, 5> gradient;
        gradient << -p.G * (p.a * sine + p.b * cosine), p.G, 0, delta2 * w - p.b * v, v - p.b * w;
        Mat<double, 5, 5> hessian = Mat<double, 5, 5>::Zero();
        hessian(0, 0) = -p.G * (p.a * cosine - p.b * sine);
        hessian(3, 3) = delta2;
        hessian(3, 4) = hessian(4, 3) = -p.b;
        hessian(4, 4) = 1;
        EXPECT_NEAR(L.value,
                    0.5 * (v * v - 2 * p.b * v * w + delta2 * w * w) +
                        p.G * (x[X] + p.a * cosine - p.b * sine),
                    1e-13);
        EXPECT_LE((L.gradient - gradient).norm(), 1e-13);
        EXPECT_LE((L.hessian - hessian).norm(), 1e-13);
    }
}

TEST(Poincare, theSleighMovesTheSameInEveryChoiceOfVariablesAndAsItsEquationsWrittenOut)
{
    Draw draw;
    for (int i = 0; i < 50; ++i) {
        const SleighParameters p = draw.sleigh();
        const Vector5 x = draw.state(), written = Sleigh(p).field(x);
        for (const Variables v : allVariables) {
            const SleighEquations equations(p, v);
            EXPECT_LE((equations.field(x) - written).norm(), 1e-12 * (1 + written.norm()));
            EXPECT_NEAR(equations.energy(x), Sleigh(p).energy(x), 1e-13 * (1 + x.squaredNorm()));
        }
    }
}

TEST(Poincare, theFrameOfTheBladeHasTheCommutatorsOfThePlanesMotions)
{
    const PoincareEquations<SleighModel> equations(SleighModel{{0.3, 0.2, 0.5, 0}, Variables::Body});
    const auto c = equations.structure({0.7, 1, -2});
    Structure<3> expected{Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero()};
    expected[2](0, 1) = 1; // [X_1, X_2] = X_3
    expected[2](1, 0) = -1;
    expected[1](0, 2) = -1; // [X_1, X_3] = -X_2
    expected[1](2, 0) = 1;
    for (std::size_t r = 0; r < 3; ++r)
        EXPECT_LE((c[r] - expected[r]).norm(), 1e-15);
}

// A rigid body about a fixed point in Euler's angles (precession, nutation, spin), eta the angular velocity
// in its own axes.
template <int K>
struct RigidBody {
    static constexpr int n = 3;
    static constexpr int k = K; // 2: the third component is held at 0 (Suslov)
    Eigen::Matrix3d inertia;

    template <class S>
    Mat<S, 3, 3> frame(const Vec<S, 3>& x) const
    {
        using std::cos;
        using std::sin;
        const S st = sin(x[1]), ct = cos(x[1]), sp = sin(x[2]), cp = cos(x[2]);
        Mat<S, 3, 3> xi;
        xi(0, 0) = sp / st;
        xi(0, 1) = cp;
        xi(0, 2) = -ct * sp / st;
        xi(1, 0) = cp / st;
        xi(1, 1) = -sp;
        xi(1, 2) = -ct * cp / st;
        xi(2, 0) = S(0.0);
        xi(2, 1) = S(0.0);
        xi(2, 2) = S(1.0);
        return xi;
    }
    template <class S>
    Mat<S, 3, K> parametrisation(const Vec<S, 3>&) const
    {
        Mat<S, 3, K> b;
        for (int p = 0; p < 3; ++p)
            for (int i = 0; i < K; ++i)
                b(p, i) = S(p == i ? 1.0 : 0.0);
        return b;
    }
    template <class S>
    S kinetic(const Vec<S, 3>&, const Vec<S, 3>& eta) const
    {
        S sum(0.0);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                sum += S(0.5 * inertia(i, j)) * eta[i] * eta[j];
        return sum;
    }
    template <class S>
    S potential(const Vec<S, 3>&) const
    {
        return S(0.0);
    }
};

// The same with its structure constants given.
struct RigidBodyWithConstants : RigidBody<3> {
    Structure<3> structure(const Vec<double, 3>&) const
    {
        Structure<3> c{Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero()};
        c[2](0, 1) = c[0](1, 2) = c[1](2, 0) = 1;
        c[2](1, 0) = c[0](2, 1) = c[1](0, 2) = -1;
        return c;
    }
};

const Eigen::Matrix3d kInertia =
    (Eigen::Matrix3d() << 1.3, 0.1, 0.25, 0.1, 2.1, -0.2, 0.25, -0.2, 1.7).finished();
const Eigen::Vector3d kAngles(0.4, 1.1, -0.7);

TEST(Poincare, aFreeRigidBodyObeysEulersEquations)
{
    const PoincareEquations<RigidBody<3>> found(RigidBody<3>{kInertia});
    const PoincareEquations<RigidBodyWithConstants> given(RigidBodyWithConstants{{kInertia}});
    const Eigen::Vector3d omega(0.7, -1.2, 0.5);
    const Eigen::Vector3d euler = kInertia.inverse() * (kInertia * omega).cross(omega);
    EXPECT_LE((found.accelerations(kAngles, omega) - euler).norm(), 1e-14);
    EXPECT_LE((given.accelerations(kAngles, omega) - euler).norm(), 1e-14);
    for (std::size_t r = 0; r < 3; ++r)
        EXPECT_LE((found.structure(kAngles)[r] - given.structure(kAngles)[r]).norm(), 1e-14);
    EXPECT_NEAR(found.energy(kAngles, omega), 0.5 * omega.dot(kInertia * omega), 1e-14);
}

TEST(Poincare, aRigidBodyThatCannotTurnAboutOneOfItsAxesObeysSuslovsEquations)
{
    const PoincareEquations<RigidBody<2>> equations(RigidBody<2>{kInertia});
    const Eigen::Vector2d theta(0.8, -0.6);
    const Eigen::Vector3d omega(theta[0], theta[1], 0);
    // I omega' = I omega x omega + lambda e_3 with omega_3' = 0.
    Eigen::Matrix3d m = kInertia;
    m.col(2) = -Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d solution = m.inverse() * (kInertia * omega).cross(omega);
    EXPECT_LE((equations.accelerations(kAngles, theta) - solution.head<2>()).norm(), 1e-14);
}

std::vector<std::string> namesOf(const std::vector<Obstacle>& obstacles)
{
    std::vector<std::string> names;
    for (const Obstacle& obstacle : obstacles) {
        names.push_back(obstacle.name);
        EXPECT_FALSE(obstacle.sentence.empty());
    }
    return names;
}

TEST(Whittaker, theRigidBodysFrameIsRefusedWithBothReasons)
{
    using Body = RigidBody<3>;
    EXPECT_EQ(namesOf(WhittakerReduction<Body>::obstacles(PoincareEquations<Body>(Body{kInertia}), kAngles,
                                                          {0.3, 0.2, 0.1})),
              (std::vector<std::string>{"x1-velocity", "C1-vanishes"}));
}

// A point of unit mass thrown in a vertical plane: x_1 across, x_2 up. `fault` breaks one condition.
struct Projectile {
    static constexpr int n = 2;
    static constexpr int k = 2;
    enum Fault { None, MixedVelocity, LinearTerm } fault = None;

    template <class S>
    Mat<S, 2, 2> frame(const Vec<S, 2>&) const
    {
        Mat<S, 2, 2> xi;
        xi << S(1.0), S(0.0), S(0.0), S(1.0);
        return xi;
    }
    template <class S>
    Mat<S, 2, 2> parametrisation(const Vec<S, 2>&) const
    {
        Mat<S, 2, 2> b;
        b << S(1.0), S(fault == MixedVelocity ? 0.5 : 0.0), S(0.0), S(1.0);
        return b;
    }
    template <class S>
    S kinetic(const Vec<S, 2>& x, const Vec<S, 2>& eta) const
    {
        S T = 0.5 * (eta[0] * eta[0] + eta[1] * eta[1]);
        if (fault == LinearTerm)
            T += x[0] * eta[1];
        return T;
    }
    template <class S>
    S potential(const Vec<S, 2>& x) const
    {
        return S(9.81 * x[1]);
    }
};

TEST(Whittaker, aThrownPointDescribesAParabola)
{
    using Reduction = WhittakerReduction<Projectile>;
    const PoincareEquations<Projectile> equations{Projectile{}};
    for (const double across : {2.0, -3.0}) {
        const Eigen::Vector2d x(0.4, 1.5), theta(across, 1.7);
        EXPECT_TRUE(Reduction::obstacles(equations, x, theta).empty());
        const Reduction reduction(equations, equations.energy(x, theta), across < 0 ? -1 : 1);
        const Reduction::Ratios slope(theta[1] / theta[0]);
        const auto rates = reduction.rates(x, slope);
        EXPECT_NEAR(reduction.eta1(x, slope), across, 1e-14);
        EXPECT_NEAR(rates.ratios[0], -9.81 / (across * across), 1e-13); // y'' of the parabola
        EXPECT_NEAR(rates.x[1], slope[0], 1e-15);
        EXPECT_NEAR(rates.t, 1 / across, 1e-15);
    }
}

TEST(Whittaker, eachConditionThatFailsIsNamed)
{
    using Reduction = WhittakerReduction<Projectile>;
    const auto names = [](Projectile::Fault fault, double across) {
        return namesOf(Reduction::obstacles(PoincareEquations<Projectile>(Projectile{fault}),
                                            Eigen::Vector2d(0.4, 1.5), Eigen::Vector2d(across, 1.7)));
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(names(Projectile::MixedVelocity, 2), Names{"eta1-is-theta1"});
    EXPECT_EQ(names(Projectile::LinearTerm, 2), Names{"quadratic-T"});
    EXPECT_EQ(names(Projectile::None, 0), Names{"eta1-not-zero"});
}

TEST(Whittaker, theSleighsReducedEquationsAreItsOwnDividedByTheRateOfTurn)
{
    Draw draw;
    for (int i = 0; i < 20; ++i) {
        const SleighParameters p = draw.sleigh();
        Vector5 x = draw.state();
        x[PhiDot] = std::copysign(0.3 + std::abs(x[PhiDot]), x[PhiDot]);
        const Vector5 rate = Sleigh(p).field(x);
        for (const Variables v : allVariables) {
            const SleighEquations::Reduced reduced(SleighEquations(p, v), x);
            const State y = reduced.begin();
            State dy(4);
            reduced.rates(x[Phi], y, dy);
            // theta'_2 differs from v/w by a constant at most
            Eigen::Vector4d expected(
                rate[X], rate[Y], (rate[V] * x[PhiDot] - x[V] * rate[PhiDot]) / (x[PhiDot] * x[PhiDot]), 1);
            expected /= x[PhiDot];
            EXPECT_LE((dy - expected).norm(), 1e-11 * (1 + expected.norm()));
            EXPECT_LE((reduced.state(x[Phi], y) - x).norm(), 1e-12);
        }
    }
}

} // namespace
} // namespace casimir::sleigh
