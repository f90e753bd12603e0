#include "core/systems/rod/rod/rod_stability.h"

#include "core/model/analysis.h"
#include "core/numerics/dense.h"

#include <fmt/format.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

// Well below the spectrum of d²V_ξ, whose lowest eigenvalue is about λ_0 - |ξ|².
double shiftFor(double omega)
{
    return -(1 + 2 * omega * omega);
}

// Body, clamp and rod share an axis of rotation.
bool axisymmetric(const RodParameters& p)
{
    const auto equal = [](double a, double b) {
        return std::abs(a - b) <= 1e-12 * (std::abs(a) + std::abs(b));
    };
    const Vec3 d3 = p.d3.normalized();
    Eigen::Index axis = 0;
    d3.cwiseAbs().maxCoeff(&axis);
    const Vec3& J = p.bodyInertia;
    const bool sphere = equal(J[0], J[1]) && equal(J[1], J[2]);
    const bool symmetricBody = equal(J[(axis + 1) % 3], J[(axis + 2) % 3]) && std::abs(d3[axis]) > 1 - 1e-14;
    return (sphere || symmetricBody) && p.r0.cross(d3).norm() <= 1e-14 && equal(p.CN[0], p.CN[1]) &&
           equal(p.CM[0], p.CM[1]) && equal(p.j[0], p.j[1]);
}

// Every section turned about its own axis, the body with it.
Eigen::VectorXd sectionTurnOf(const Rod& rod, const RodConfiguration& at)
{
    Eigen::VectorXd turn = Eigen::VectorXd::Zero(rod.size());
    for (std::size_t i = 0; i < rod.nodes(); ++i)
        turn.segment<3>(6 * static_cast<Eigen::Index>(i) + 3) = at.q[i] * rod.law().D.col(2);
    return turn;
}

} // namespace

RodParameters withVibrationMass(RodParameters p)
{
    p.consistency = vibrationConsistency;
    return p;
}

double rotaryFactor(const Mat3& I)
{
    const Vec3 axis = Vec3::UnitZ();
    const Mat3 X = hat(axis);
    const Vec3 pi = I * axis;
    const Mat3 Q =
        -X * I * X + (pi * axis.transpose() + axis * pi.transpose()) / 2 - pi.dot(axis) * Mat3::Identity();
    return dense::pencilValues(Q, I).maxCoeff();
}

RodLinearisation::RodLinearisation(const Rod& r, const RodEquilibrium& equilibrium)
    : rod(&r), e(equilibrium), II(r.lockedInertia(e.at)), M(r.massMatrix(e.at)), rotations(r.rotations(e.at))
{
    Eigen::VectorXd gradient;
    BlockTridiagonal turning;
    r.strain(e.at, gradient, &A);
    r.centrifugal(e.at, e.xi(), gradient, &turning);
    K = A;
    K.add(1, turning);
    unitVariation = r.inertiaVariation(e.at, Vec3::UnitZ());
    sectionTurn = sectionTurnOf(r, e.at);
    Eigen::MatrixXd held(r.size(), 5);
    held << r.translations(), rotations.col(2), sectionTurn;
    centred = M * held;
    centred.colwise().normalize();
    // Of a straight rod along the axis it is the turn about the axis itself.
    materialSymmetry =
        axisymmetric(r.parameters()) && std::abs(centred.col(3).dot(centred.col(4))) < 1 - 1e-9;
    if (!materialSymmetry)
        centred.conservativeResize(Eigen::NoChange, 4);
    const Eigen::Index free = centred.cols();
    internal.resize(r.size(), free + 2);
    internal << centred, unitVariation.topRows<2>().transpose();
    for (Eigen::Index k = free; k < free + 2; ++k) {
        // A symmetric assembly at rest may have no condition left along one direction.
        const double norm = internal.col(k).norm();
        internal.col(k) /= std::max(norm, 1e-300);
    }
    const double rate = 1 + e.omega * e.omega;
    springs << Vec3::Constant(rate * r.mass()), Vec3::Constant(rate * II.trace());
}

namespace {

// (5.34) with 1/λ: (μ x η)·[II⁻¹ - 1/λ](μ x η) for η along x and y, relative to |μ|²/λ.
Eigen::Vector2d rigidBlock(const RodLinearisation& at)
{
    const Mat3 middle = at.lambda() * at.II.inverse() - Mat3::Identity();
    Eigen::Matrix<double, 3, 2> crossed;
    crossed << Vec3::UnitY(), -Vec3::UnitX();
    const Eigen::Matrix2d rigid = crossed.transpose() * middle * crossed;
    return dense::symmetricValues(rigid);
}

int negativeInternal(const RodLinearisation& at)
{
    const Eigen::Index rows = at.internal.cols() + 1;
    Eigen::MatrixXd U(at.rod->size(), rows), D = Eigen::MatrixXd::Zero(rows, rows);
    // Of unit size, as a heavy body's moment would drown the others in rounding.
    U << at.internal, at.omega() / std::sqrt(at.lambda()) * at.unitVariation.row(2).transpose();
    D(rows - 1, rows - 1) = -1;
    return negativeDirections(at.K, U, D, at.springs) - static_cast<int>(rows);
}

int negativeOverAll(const RodLinearisation& at)
{
    const Eigen::Index rows = at.centred.cols() + 3;
    Eigen::MatrixXd U(at.rod->size(), rows), D = Eigen::MatrixXd::Zero(rows, rows);
    const double size = std::sqrt(at.lambda());
    U << at.centred, at.omega() / size * at.unitVariation.transpose();
    D.bottomRightCorner<3, 3>() = -at.II / (size * size);
    return negativeDirections(at.K, U, D, at.springs) - static_cast<int>(rows);
}

// While λ is a simple moment the blocks count apart, each on its own scale: beside a body a million times
// heavier than the rod their sum is right where the count over all is lost in rounding.
bool countsApart(const Eigen::Vector2d& rigid)
{
    constexpr double simple = 1e-4;
    return rigid.cwiseAbs().minCoeff() > simple;
}

int negatives(const Eigen::Vector2d& rigid)
{
    return static_cast<int>((rigid.array() < 0).count());
}

} // namespace

int negativeDirections(const RodLinearisation& at)
{
    if (at.omega() == 0)
        return 0;
    const Eigen::Vector2d rigid = rigidBlock(at);
    return countsApart(rigid) ? negatives(rigid) + negativeInternal(at) : negativeOverAll(at);
}

LowestModes energyModes(const RodLinearisation& at, int count)
{
    const double omega = at.omega();
    const Eigen::MatrixXd c = omega * at.unitVariation.transpose();
    const ConstrainedModes modes(at.K, at.M, at.centred, at.springs, shiftFor(omega), c, {7, 7});
    return modes.lowest(count, c, at.II.inverse());
}

LowestModes internalModes(const RodLinearisation& at, int count)
{
    const double omega = at.omega();
    const Eigen::MatrixXd c = omega * at.unitVariation.row(2).transpose();
    const ConstrainedModes modes(at.K, at.M, at.internal, at.springs, shiftFor(omega), c, {6, 8});
    return modes.lowest(count, c, Eigen::MatrixXd::Constant(1, 1, 1 / at.lambda()));
}

LowestModes spinModes(const RodLinearisation& at, int count)
{
    const ConstrainedModes modes(at.K, at.M, at.centred, at.springs, shiftFor(at.omega()),
                                 Eigen::MatrixXd(at.rod->size(), 0), {6, 8});
    return modes.lowest(count);
}

RodBlocks blocksOf(const RodLinearisation& at)
{
    const double omega = at.omega();
    RodBlocks b;
    b.moments = dense::symmetricValues(at.II);
    b.lambda = at.lambda();
    b.mu = omega * b.lambda;

    const Eigen::Vector2d rigid = rigidBlock(at);
    b.rigid = b.mu * b.mu / b.lambda * rigid;
    b.negativeRigid = negatives(b.rigid);

    const Eigen::MatrixXd c = omega * at.unitVariation.row(2).transpose();
    {
        const ConstrainedModes modes(at.K, at.M, at.internal, at.springs, shiftFor(omega), c, {5, 7});
        b.internalFixedSpin = modes.lowest(1).values[0];
        b.internalFixedMomentum = modes.lowest(1, c, Eigen::MatrixXd::Constant(1, 1, 1 / b.lambda)).values[0];
    }
    const ConstrainedModes elastic(at.A, at.M, at.internal, at.springs, shiftFor(omega),
                                   Eigen::MatrixXd(at.rod->size(), 0), {4, 7});
    b.lambda0 = elastic.lowest(1).values[0];

    b.kappa = std::max(1.0, rotaryFactor(at.rod->bodyInertia(at.e.at.q[0])));
    for (const Quat& q : at.e.at.q)
        b.kappa = std::max(b.kappa, rotaryFactor(at.rod->sectionInertia(q)));
    if (b.kappa < 1 + 1e-12)
        b.kappa = 1;

    // K η_Q lies in the span of the conditions that define 𝒱_INT; what is left over is the coupling.
    const Eigen::MatrixXd images = at.K * at.rotations.leftCols<2>();
    const Eigen::MatrixXd along = dense::orthonormalColumns(at.internal);
    const Eigen::MatrixXd left = images - along * (along.transpose() * images);
    b.offDiagonal = left.colwise().norm().maxCoeff() /
                    (at.K.largest() * at.rotations.leftCols<2>().colwise().norm().maxCoeff());

    if (omega > 0) {
        b.negativeInternal = negativeInternal(at);
        b.negative = countsApart(rigid) ? b.negativeRigid + b.negativeInternal : negativeOverAll(at);
    }
    return b;
}

RodVerdict verdictOf(const RodBlocks& b, const RodSpectrum& spectrum, double damping, double rate)
{
    const std::string where = fmt::format("S_RIG has {} negative of 2 directions, the internal block {}",
                                          b.negativeRigid, b.negativeInternal);
    if (b.mu == 0)
        return {verdict::degenerate, basis::energyMomentum,
                "At rest every orientation is an equilibrium; the rigid block is zero."};
    const double sharpness = 1e-9 * b.mu * b.mu / b.lambda;
    if (b.rigid.cwiseAbs().minCoeff() < sharpness && b.negative == 0)
        return {verdict::degenerate, basis::energyMomentum,
                "Two principal moments of the deformed whole are equal: the rigid block is singular and the "
                "splitting into rigid and internal variations fails."};
    if (b.negative == 0)
        return {verdict::stable, basis::energyMomentum,
                damping > 0
                    ? "The second variation at fixed momentum is positive definite; damping in the rod "
                      "takes the vibrations away."
                    : "The second variation at fixed momentum is positive definite on rigid and internal "
                      "variations: rotation about the axis of maximum inertia, the rod below its limit."};
    if (spectrum.growth > 0)
        return {verdict::unstable, basis::linearisation,
                fmt::format("{}; a disturbance grows at the rate {:.3g} /s{}.", where, spectrum.growth * rate,
                            damping > 0 && b.negative % 2 == 0 ? " with the damping given" : "")};
    if (damping > 0)
        return {verdict::unstable, basis::energyMomentum,
                where + "; the damping in the rod destroys it, at a rate too slow to be told from rounding."};
    if (b.negative % 2 == 1)
        return {verdict::unstable, basis::energyMomentum,
                where + "; an odd number of negative directions leaves a growing one."};
    return {verdict::spectrallyStable, basis::linearisation,
            where + "; gyroscopic forces hold it, any damping in the rod destroys it."};
}

std::string contradiction(const RodBlocks& b, const RodSpectrum& spectrum, const RodVerdict& verdict)
{
    if (b.mu == 0 || verdict.stability == verdict::degenerate || !spectrum.status.ok())
        return {};
    if (b.negative == 0 && spectrum.growth > 0)
        return fmt::format(
            "The second variation has no negative direction, and yet a disturbance grows at the "
            "rate {:.6g} (natural units).",
            spectrum.growth);
    // Beside a critical spin rate the rate of growth is the root of an eigenvalue that is rounding.
    const double least =
        std::min(b.rigid.cwiseAbs().minCoeff() / b.lambda, std::abs(b.internalFixedMomentum));
    if (b.negative % 2 == 1 && spectrum.growth == 0 && least > 1e-9)
        return fmt::format("The second variation has {} negative directions, an odd number, and yet nothing "
                           "grows.",
                           b.negative);
    if ((verdict.stability == verdict::stable) != (b.negative == 0))
        return "The verdict and the number of negative directions contradict each other.";
    return {};
}

} // namespace casimir::rod
