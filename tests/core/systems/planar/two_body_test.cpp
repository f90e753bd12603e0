// The formulas of two bodies against each other and against the hinged bodies themselves, over random and
// extreme parameters.
#include "core/systems/planar/two_body/two_body.h"

#include "core/base/error.h"
#include "core/systems/planar/two_body/two_body_equilibria.h"
#include "tests/core/systems/planar/two_body_cases.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <complex>

namespace casimir::planar {
namespace {

using Complex = std::complex<double>;
constexpr double step = 1e-30; // of complex-step derivatives

struct State {
    double theta, nu;
};

// mu1 = mu/2 - nu and mu2 = mu/2 + nu are rounded when formed; what depends on them is uncertain by its slope
// times this.
double momentumRounding(const TwoBody& b, const State& s)
{
    return 1e-15 * (std::abs(b.mu()) + std::abs(s.nu));
}

// Joint angles away from and close to the straight states, nu of the size of mu and near nu0.
std::vector<State> states(const TwoBody& b)
{
    std::vector<State> result;
    for (const double psi : {-2.9, -1.3, -1e-4, 0.4, 1.7, std::numbers::pi - 1e-3}) {
        const double theta = b.theta0() + psi;
        for (const double q : {-0.7, 1e-3, 0.4})
            result.push_back({theta, b.nu0(theta) + q * b.mu()});
    }
    return result;
}

TEST(TwoBody, Figure1ParametersGiveThePaperAugmentedInertias)
{
    const TwoBody b(figure1());
    EXPECT_NEAR(b.epsilon(), 500.0 / 9, 1e-12);
    EXPECT_NEAR(b.I1Tilde(), 950.0 / 9, 1e-12);
    EXPECT_NEAR(b.I2Tilde(), 70, 1e-12);
    EXPECT_NEAR(b.coupling(), 100.0 / 3, 1e-12);
}

TEST(TwoBody, LockedInertiaAndDeterminantAreThoseOfJ)
{
    for (const TwoBodyParameters& p : randomParameters(20, 3)) {
        const TwoBody b(p);
        for (const State& s : states(b)) {
            const Eigen::Matrix2d j = b.J(s.theta);
            EXPECT_NEAR(b.delta(s.theta), j.determinant(), 1e-13 * b.I1Tilde() * b.I2Tilde());
            EXPECT_NEAR(b.lockedInertia(s.theta), j.sum(), 1e-14 * b.stretchedInertia());
            EXPECT_NEAR(b.share1(s.theta), j.row(0).sum(), 1e-14 * b.stretchedInertia());
            EXPECT_NEAR(b.share2(s.theta), j.row(1).sum(), 1e-14 * b.stretchedInertia());
        }
    }
}

TEST(TwoBody, HamiltoniansInMomentaVelocitiesAndOnTheLeafAgree)
{
    for (const TwoBodyParameters& p : allParameters(4)) {
        const TwoBody b(p);
        for (const State& s : states(b)) {
            const double h = b.leafHamiltonian(s.theta, s.nu);
            // H in the momenta is as ill-conditioned as J is, so the bound carries its condition.
            const double condition = b.I1Tilde() * b.I2Tilde() / b.straightDeterminant();
            const double slack =
                momentumRounding(b, s) * std::abs(b.thetaDot(s.theta, s.nu)) + 1e-14 * condition * h;
            EXPECT_NEAR(b.hamiltonian(b.onLeaf(s.theta, s.nu)), h, slack);
            EXPECT_NEAR(b.kineticEnergy(s.theta, b.leafVelocities(s.theta, s.nu)), h, slack);
        }
    }
}

TEST(TwoBody, FieldOnTheLeafIsTheReducedField)
{
    for (const TwoBodyParameters& p : allParameters(5)) {
        const TwoBody b(p);
        const double condition = b.I1Tilde() * b.I2Tilde() / b.straightDeterminant();
        for (const State& s : states(b)) {
            const Eigen::Vector2d leaf = b.leafField(s.theta, s.nu);
            const Eigen::Vector3d whole = b.reducedField(b.onLeaf(s.theta, s.nu));
            const Eigen::Vector2d omega = b.leafVelocities(s.theta, s.nu);
            const double rate = std::abs(omega[0]) + std::abs(omega[1]);
            const Eigen::Vector2d slack =
                momentumRounding(b, s) * b.leafJacobian(s.theta, s.nu).col(1).cwiseAbs();
            EXPECT_NEAR(leaf[0], whole[0], slack[0] + 1e-14 * condition * rate);
            EXPECT_NEAR(leaf[1], whole[2], slack[1] + 1e-14 * condition * b.coupling() * rate * rate);
            EXPECT_EQ(whole[1] + whole[2], 0);
        }
    }
}

TEST(TwoBody, VelocityFormMovesTheMomentaAsTheReducedField)
{
    for (const TwoBodyParameters& p : randomParameters(20, 6)) {
        const TwoBody b(p);
        for (const State& s : states(b)) {
            const Eigen::Vector2d omega = b.leafVelocities(s.theta, s.nu);
            const Eigen::Vector3d rate = b.velocityField<double>({s.theta, omega[0], omega[1]});
            const Vec2<Complex> shifted(Complex(omega[0], step * rate[1]), Complex(omega[1], step * rate[2]));
            const Eigen::Vector2d muRate = b.momenta(Complex(s.theta, step * rate[0]), shifted).imag() / step;
            const Eigen::Vector3d reduced = b.reducedField(b.onLeaf(s.theta, s.nu));
            EXPECT_NEAR((muRate - reduced.tail<2>()).norm(), 0, 1e-12 * (reduced.norm() + muRate.norm()));
        }
    }
}

TEST(TwoBody, EnergyDoesNotChangeAlongTheVelocityForm)
{
    for (const TwoBodyParameters& p : allParameters(7)) {
        const TwoBody b(p);
        for (const State& s : states(b)) {
            const Eigen::Vector2d omega = b.leafVelocities(s.theta, s.nu);
            const Eigen::Vector3d rate = b.velocityField<double>({s.theta, omega[0], omega[1]});
            const Vec2<Complex> shifted(Complex(omega[0], step * rate[1]), Complex(omega[1], step * rate[2]));
            const double change = b.kineticEnergy(Complex(s.theta, step * rate[0]), shifted).imag() / step;
            const double condition = b.I1Tilde() * b.I2Tilde() / b.straightDeterminant();
            const double energy = b.leafHamiltonian(s.theta, s.nu);
            EXPECT_NEAR(change, 0, 1e-14 * condition * energy * (std::abs(omega[0]) + std::abs(omega[1])));
        }
    }
}

TEST(TwoBody, JacobiansAreTheComplexStepDerivativesOfTheFields)
{
    for (const TwoBodyParameters& p : allParameters(8)) {
        const TwoBody b(p);
        const double condition = b.I1Tilde() * b.I2Tilde() / b.straightDeterminant();
        for (const State& s : states(b)) {
            const Eigen::Matrix2d leaf = b.leafJacobian(s.theta, s.nu);
            Eigen::Matrix2d numeric;
            numeric.col(0) = b.leafField(Complex(s.theta, step), Complex(s.nu)).imag() / step;
            numeric.col(1) = b.leafField(Complex(s.theta), Complex(s.nu, step)).imag() / step;
            for (int k = 0; k < 2; ++k)
                EXPECT_NEAR((leaf - numeric).row(k).norm(), 0, 1e-13 * condition * numeric.row(k).norm());

            const Eigen::Vector3d x = b.onLeaf(s.theta, s.nu);
            const Eigen::Matrix3d whole = b.reducedJacobian(x);
            for (int k = 0; k < 3; ++k) {
                Vec3<Complex> shifted = x.cast<Complex>();
                shifted[k] += Complex(0, step);
                const Eigen::Vector3d column = b.reducedField(shifted).imag() / step;
                EXPECT_NEAR((whole.col(k) - column).norm(), 0,
                            1e-13 * condition * std::max(column.norm(), whole.col(k).norm()));
            }
        }
    }
}

TEST(TwoBody, AmendedPotentialIsTheLeastEnergyAtAnAngleAndItsSlopeIsRight)
{
    for (const TwoBodyParameters& p : allParameters(9)) {
        const TwoBody b(p);
        for (const State& s : states(b)) {
            EXPECT_DOUBLE_EQ(b.amendedPotential(s.theta), b.leafHamiltonian(s.theta, b.nu0(s.theta)));
            EXPECT_LE(b.amendedPotential(s.theta), b.leafHamiltonian(s.theta, s.nu));
            const double slope = b.amendedPotential(Complex(s.theta, step)).imag() / step;
            EXPECT_NEAR(b.amendedPotentialPrime(s.theta), slope, 1e-13 * std::abs(slope));
        }
    }
}

TEST(TwoBody, PlacementKeepsTheHingeTogetherAndTheCentreOfMassAtTheOrigin)
{
    for (const TwoBodyParameters& p : allParameters(10)) {
        const TwoBody b(p);
        const double theta1 = 0.3, theta = 1.9;
        const TwoBodyPlacement at = b.placement(theta1, theta);
        const Eigen::Vector2d seenFrom2 =
            at.r2 + Eigen::Rotation2Dd(theta1 + theta).toRotationMatrix() * b.d21();
        EXPECT_NEAR((at.hinge - seenFrom2).norm(), 0, 1e-14 * (p.d1 + p.d2));
        EXPECT_NEAR((p.m1 * at.r1 + p.m2 * at.r2).norm(), 0, 1e-14 * (p.m1 + p.m2) * (p.d1 + p.d2));
        EXPECT_NEAR((at.hinge - at.r1).norm(), p.d1, 1e-14 * (p.d1 + p.d2));
    }
}

TEST(TwoBody, StretchedBodiesPointAwayFromEachOther)
{
    for (const TwoBodyParameters& p : randomParameters(6, 11)) {
        const TwoBody b(p);
        const TwoBodyPlacement stretched = b.placement(0.8, p.theta0),
                               folded = b.placement(0.8, p.theta0 + std::numbers::pi);
        EXPECT_NEAR((stretched.r2 - stretched.r1).norm(), p.d1 + p.d2, 1e-13);
        EXPECT_NEAR((folded.r2 - folded.r1).norm(), std::abs(p.d1 - p.d2), 1e-13);
    }
}

TEST(TwoBody, RefusesImpossibleValuesByName)
{
    const auto refuses = [](double TwoBodyParameters::*field, double value, const std::string& text) {
        TwoBodyParameters p;
        p.*field = value;
        try {
            TwoBody{p};
            ADD_FAILURE() << text;
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
        }
    };
    refuses(&TwoBodyParameters::m1, 0, "m1");
    refuses(&TwoBodyParameters::m2, -1, "m2");
    refuses(&TwoBodyParameters::I1, -0.5, "-0.5");
    refuses(&TwoBodyParameters::d2, -2, "d2");
    refuses(&TwoBodyParameters::mu, std::nan(""), "mu");
    refuses(&TwoBodyParameters::theta0, INFINITY, "theta0");
    EXPECT_THROW(TwoBody({1, 1, 0, 0, 1, 1, 0, 1}), Error); // two points: J is singular when straight
}

TEST(TwoBodyEquilibria, EigenvaluesAndSecondVariationAreThoseOfTheMatrices)
{
    for (const TwoBodyParameters& p : allParameters(12)) {
        const TwoBody b(p);
        for (const TwoBodyEquilibrium& e : equilibria(b).equilibria) {
            SCOPED_TRACE(e.name);
            const double omega = std::abs(e.omega);
            const Eigen::Vector2d field = b.leafField(e.theta, e.nu);
            const double condition = b.I1Tilde() * b.I2Tilde() / b.straightDeterminant();
            const Eigen::Vector2d slack =
                momentumRounding(b, {e.theta, e.nu}) * b.leafJacobian(e.theta, e.nu).col(1).cwiseAbs();
            EXPECT_NEAR(field[0], 0, slack[0] + 1e-14 * condition * omega);
            EXPECT_NEAR(field[1], 0, slack[1] + 1e-14 * condition * b.coupling() * omega * omega);
            EXPECT_NEAR(e.mu1 + e.mu2, p.mu, 1e-13 * condition * std::abs(p.mu));
            const Eigen::Matrix2d a = b.leafJacobian(e.theta, e.nu);
            const Complex squared = e.eigenvalues[0] * e.eigenvalues[0];
            EXPECT_NEAR(squared.real(), -a.determinant(),
                        (1e-13 * condition + 4 * slack[0] / omega) * std::abs(a.determinant()));
            const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(e.secondVariation);
            const double largest = e.secondVariationEigenvalues.cwiseAbs().maxCoeff();
            EXPECT_NEAR((solver.eigenvalues() - e.secondVariationEigenvalues).norm(), 0, 1e-13 * largest);
            EXPECT_EQ(e.signature.negative, (e.secondVariationEigenvalues.array() < 0).count());
            EXPECT_EQ(e.signature.positive, (e.secondVariationEigenvalues.array() > 0).count());
            EXPECT_EQ(e.stability, e.sigma > 0 ? "stable" : "unstable");
        }
    }
}

TEST(TwoBodyEquilibria, WithoutMomentumOrCouplingTheyFormACircle)
{
    TwoBodyParameters p = figure1();
    p.mu = 0;
    const TwoBodyEquilibria still = equilibria(TwoBody(p));
    EXPECT_EQ(still.status.code, "degenerate");
    EXPECT_TRUE(still.equilibria.empty());
    ASSERT_TRUE(still.circle);
    EXPECT_EQ(still.circle->energy, 0);

    p = figure1();
    p.d2 = 0;
    const TwoBody decoupled(p);
    const TwoBodyEquilibria circle = equilibria(decoupled);
    EXPECT_EQ(circle.status.code, "degenerate");
    ASSERT_TRUE(circle.circle);
    for (const double theta : {-2.0, 0.0, 1.0, 3.0}) {
        const Eigen::Vector2d omega =
            decoupled.velocities<double>(theta, {circle.circle->mu1, circle.circle->mu2});
        EXPECT_NEAR(decoupled.leafField(theta, circle.circle->nu).norm(), 0, 1e-15);
        EXPECT_NEAR(omega[0], circle.circle->omega, 1e-15);
        EXPECT_NEAR(omega[1], circle.circle->omega, 1e-15);
    }
    EXPECT_THROW(equilibrium(decoupled, 1), Error);
}

TEST(TwoBodyEquilibria, ATinyCouplingStillGivesTwoWithTinyRates)
{
    TwoBodyParameters p = figure1();
    p.d2 = 1e-12;
    const TwoBody b(p);
    const TwoBodyEquilibria found = equilibria(b);
    ASSERT_EQ(found.equilibria.size(), 2u);
    const double squared = b.coupling() * p.mu * p.mu / (b.straightDeterminant() * b.stretchedInertia());
    EXPECT_NEAR(found.equilibria[0].eigenvalues[1].imag(), std::sqrt(squared), 1e-14 * std::sqrt(squared));
    EXPECT_EQ(found.equilibria[0].stability, "stable");
    EXPECT_EQ(found.equilibria[1].stability, "unstable");
}

} // namespace
} // namespace casimir::planar
