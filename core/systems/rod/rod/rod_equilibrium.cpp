#include "core/systems/rod/rod/rod_equilibrium.h"

#include "core/numerics/dense.h"
#include "core/numerics/rotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir::rod {

namespace {

// In natural units. Newton's steps are no longer than largestMove; a solution further than largestCorrection
// from its prediction lies on another branch; below slowest the tilt of the axis cannot be told from
// rounding.
constexpr double largestMove = 0.3;
constexpr double largestCorrection = 0.5;
constexpr int largestIterations = 15;
constexpr int mostTrials = 150;    // of steps along a branch
constexpr double converged = 1e-9; // the next correction is then of the size of rounding
constexpr double firstSpin = 0.3, firstStep = 0.6, longestStep = 3, shortestStep = 1e-4;
constexpr double slowest = 0.02;

Vec6 springsFor(const Rod& rod, const RodConfiguration& at, double omega)
{
    const double rate = 1 + omega * omega;
    Vec6 springs;
    springs << Vec3::Constant(rate * rod.mass()), Vec3::Constant(rate * rod.lockedInertia(at).trace());
    return springs;
}

// The motions that change nothing: shifts, and the turn about the axis; normalised columns of Mass * motion.
Eigen::MatrixXd gauge(const Rod& rod, const RodConfiguration& at)
{
    Eigen::MatrixXd motions(rod.size(), 4);
    motions << rod.translations(), rod.rotations(at).col(2);
    Eigen::MatrixXd border = rod.massMatrix(at) * motions;
    border.colwise().normalize();
    return border;
}

struct Balance {
    Eigen::VectorXd elastic, centrifugal;
    BlockTridiagonal K;
};

Balance balance(const Rod& rod, const RodConfiguration& at, double omega, bool withHessian = true)
{
    Balance b;
    BlockTridiagonal turning;
    rod.strain(at, b.elastic, withHessian ? &b.K : nullptr);
    rod.centrifugal(at, {0, 0, omega}, b.centrifugal, withHessian ? &turning : nullptr);
    if (withHessian)
        b.K.add(1, turning);
    return b;
}

double residualOf(const Rod& rod, const RodConfiguration& at, double omega)
{
    const Balance b = balance(rod, at, omega, false);
    // A rod along the axis needs no forces; the scale is then the rotation's own.
    const double scale = std::max({b.elastic.cwiseAbs().maxCoeff(), b.centrifugal.cwiseAbs().maxCoeff(),
                                   omega * omega * rod.lockedInertia(at)(2, 2) / rod.parameters().length});
    return scale > 0 ? (b.elastic + b.centrifugal).cwiseAbs().maxCoeff() / scale : 0;
}

} // namespace

RodConfiguration atRest(const Rod& rod, SpinAxis axis)
{
    RodConfiguration at = rod.reference();
    const dense::SymmetricSpectrum principal = dense::symmetricSpectrum(rod.lockedInertia(at));
    const Vec3 moments = principal.values;
    Vec3 direction;
    if (axis == SpinAxis::Maximum || axis == SpinAxis::Middle || axis == SpinAxis::Minimum) {
        direction = principal.vectors.col(axis == SpinAxis::Maximum ? 2 : axis == SpinAxis::Middle ? 1 : 0);
        // The sign with the body's z axis up, or its y or x axis where that is undecided.
        for (const int k : {2, 1, 0})
            if (std::abs(direction[k]) > 1e-9) {
                direction *= direction[k] < 0 ? -1 : 1;
                break;
            }
    } else {
        const Vec3 wanted = Vec3::Unit(axis == SpinAxis::X ? 0 : axis == SpinAxis::Y ? 1 : 2);
        const Vec3 along = principal.vectors.transpose() * wanted;
        Eigen::Index nearest = 0;
        along.cwiseAbs().maxCoeff(&nearest);
        // Of equal moments every axis between is principal: the part of the wanted one that is.
        direction.setZero();
        for (int k = 0; k < 3; ++k)
            if (std::abs(moments[k] - moments[nearest]) <= 1e-9 * moments[2])
                direction += along[k] * principal.vectors.col(k);
        direction.normalize();
    }
    const Quat turn = turnBetween(direction, Vec3::UnitZ());
    for (std::size_t i = 0; i < at.x.size(); ++i) {
        at.x[i] = turn * at.x[i];
        at.q[i] = turn * at.q[i];
    }
    rod.centreAtOrigin(at);
    return at;
}

RodEquilibrium solveAtSpin(const Rod& rod, const RodConfiguration& start, double omega)
{
    RodEquilibrium e{.at = start, .omega = omega};
    double before = std::numeric_limits<double>::infinity();
    for (e.iterations = 1; e.iterations <= largestIterations; ++e.iterations) {
        const Balance b = balance(rod, e.at, omega);
        const BorderedChain system(b.K, gauge(rod, e.at), Eigen::MatrixXd::Zero(4, 4),
                                   springsFor(rod, e.at, omega));
        Eigen::VectorXd dq = system.solve(-(b.elastic + b.centrifugal));
        if (!dq.allFinite())
            break;
        const double size = dq.cwiseAbs().maxCoeff();
        if (size > largestMove)
            dq *= largestMove / size;
        move(e.at, dq);
        rod.centreAtOrigin(e.at);
        // Near a fork rounding is amplified: corrections that stop shrinking while small are the answer too.
        if (size < converged || (size < 1e-6 && size > 0.3 * before)) {
            e.residual = residualOf(rod, e.at, omega);
            return e;
        }
        before = size;
    }
    e.status = Status::failed(
        "not-converged",
        fmt::format("Newton's method found no relative equilibrium at the spin rate {:.6g}.", omega));
    return e;
}

Eigen::VectorXd branchTangent(const Rod& rod, const RodEquilibrium& e)
{
    const Balance b = balance(rod, e.at, e.omega);
    const BorderedChain system(b.K, gauge(rod, e.at), Eigen::MatrixXd::Zero(4, 4),
                               springsFor(rod, e.at, e.omega));
    return system.solve(-(2 / e.omega) * b.centrifugal);
}

double angularMomentum(const Rod& rod, const RodEquilibrium& e)
{
    return e.omega * rod.lockedInertia(e.at)(2, 2);
}

double momentumSlope(const Rod& rod, const RodEquilibrium& e, const Eigen::VectorXd& tangent)
{
    // ω e·(DII·dq/dω) e = e·c(dq/dω)
    return rod.lockedInertia(e.at)(2, 2) + rod.inertiaVariation(e.at, e.xi()).row(2).dot(tangent);
}

RodEquilibrium follow(const Rod& rod, const RodEquilibrium& from, double omega)
{
    RodEquilibrium now = from;
    if (now.omega == omega)
        return now;
    const double direction = omega > now.omega ? 1 : -1;
    double step = firstStep;
    int trials = 0;
    while (now.omega != omega) {
        const Eigen::VectorXd tangent = branchTangent(rod, now);
        for (;;) {
            ++trials;
            const double left = std::abs(omega - now.omega);
            const double length = std::min(step, left);
            const double next = length == left ? omega : now.omega + direction * length;
            RodConfiguration guess = now.at;
            const Eigen::VectorXd predicted = (next - now.omega) * tangent;
            bool good = predicted.allFinite() && predicted.cwiseAbs().maxCoeff() < 2 * largestCorrection;
            RodEquilibrium found;
            if (good) {
                move(guess, predicted);
                rod.centreAtOrigin(guess);
                found = solveAtSpin(rod, guess, next);
                double off = 0;
                for (std::size_t i = 0; i < guess.x.size(); ++i)
                    off = std::max({off, (found.at.x[i] - guess.x[i]).norm(),
                                    found.at.q[i].angularDistance(guess.q[i])});
                good = found.status.ok() && off < largestCorrection;
            }
            if (good) {
                step =
                    found.iterations <= 4 ? std::min(1.6 * step, std::max(longestStep, now.omega / 4)) : step;
                now = std::move(found);
                break;
            }
            step = length / 2;
            if (step < shortestStep || trials > mostTrials) {
                now.status = Status::failed(
                    "no-equilibrium",
                    fmt::format("The branch could not be followed to the spin rate {:.6g}; the last relative "
                                "equilibrium found has {:.6g}.",
                                omega, now.omega));
                return now;
            }
        }
    }
    return now;
}

RodEquilibrium followFromRest(const Rod& rod, SpinAxis axis, double omega)
{
    const RodConfiguration rest = atRest(rod, axis);
    if (omega == 0)
        return {.at = rest};
    if (omega < slowest) {
        // Strain and tilt grow with ω²: what is found at the slowest spin, scaled.
        RodEquilibrium e = solveAtSpin(rod, rest, slowest);
        const double part = (omega / slowest) * (omega / slowest);
        for (std::size_t i = 0; i < e.at.x.size(); ++i) {
            e.at.x[i] = rest.x[i] + part * (e.at.x[i] - rest.x[i]);
            e.at.q[i] = rest.q[i].slerp(part, e.at.q[i]);
        }
        rod.centreAtOrigin(e.at);
        e.omega = omega;
        return e;
    }
    RodEquilibrium e = solveAtSpin(rod, rest, std::min(omega, firstSpin));
    for (double first = firstSpin / 2; !e.status.ok() && first > slowest; first /= 2)
        e = solveAtSpin(rod, rest, std::min(omega, first));
    if (!e.status.ok())
        return {.at = rest, .status = e.status};
    return follow(rod, e, omega);
}

RodEquilibrium followToMomentum(const Rod& rod, const RodEquilibrium& from, double mu)
{
    RodEquilibrium e = from;
    for (int k = 0; k < 60 && e.status.ok(); ++k) {
        const double off = mu - angularMomentum(rod, e);
        if (std::abs(off) <= 4e-16 * std::abs(mu))
            return e;
        const double slope = momentumSlope(rod, e, branchTangent(rod, e));
        double change = off / slope;
        if (!(slope > 0) || !std::isfinite(change))
            break;
        change = std::clamp(change, -0.9 * e.omega, 2 * longestStep);
        if (std::abs(change) <= 2e-16 * e.omega)
            return e;
        e = follow(rod, e, e.omega + change);
    }
    if (e.status.ok())
        e.status =
            Status::failed("no-equilibrium",
                           fmt::format("No relative equilibrium with the angular momentum {:.6g} was found; "
                                       "the nearest has {:.6g} at the spin rate {:.6g}.",
                                       mu, angularMomentum(rod, e), e.omega));
    return e;
}

std::optional<RodEquilibrium> switchBranch(const Rod& rod, const RodEquilibrium& fork,
                                           const Eigen::VectorXd& mode)
{
    const Eigen::VectorXd unit = mode / mode.cwiseAbs().maxCoeff();
    for (const double beyond : {1.02, 0.98, 1.05, 0.95}) {
        const double omega = beyond * fork.omega;
        const RodEquilibrium old = follow(rod, fork, omega);
        for (const double amplitude : {0.2, -0.2, 0.35, -0.35, 0.5, -0.5}) {
            RodConfiguration guess = fork.at;
            move(guess, amplitude * unit);
            rod.centreAtOrigin(guess);
            const RodEquilibrium found = solveAtSpin(rod, guess, omega);
            if (!found.status.ok())
                continue;
            // Another shape: its energy of strain or inertia differs beyond rounding.
            const double here = rod.strainEnergy(found.at), there = rod.strainEnergy(old.at);
            const double I1 = rod.lockedInertia(found.at)(2, 2), I2 = rod.lockedInertia(old.at)(2, 2);
            if (std::abs(here - there) > 1e-6 * (1e-3 + std::abs(here) + std::abs(there)) ||
                std::abs(I1 - I2) > 1e-6 * I2)
                return found;
        }
    }
    return std::nullopt;
}

} // namespace casimir::rod
