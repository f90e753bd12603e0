#include "core/systems/rod/rod/rod_dynamics.h"

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

constexpr int largestCorrections = 30;
constexpr int refactorAfter = 8;
constexpr double tolerance = 2e-13; // of a correction, relative to the rod's length and to one turn
constexpr double settled = 1e-11;   // corrections this small that no longer shrink are rounding
constexpr double flatStrain = 1e-8; // below it the energy correction of the stress is left out

// Cayley: Λ1 - Λ0 = dth^ (Λ0 + Λ1)/2.
Quat cayley(const Vec3& dth)
{
    return Quat(1, dth.x() / 2, dth.y() / 2, dth.z() / 2).normalized();
}

Mat3 mean(const Quat& a, const Quat& b)
{
    return (a.toRotationMatrix() + b.toRotationMatrix()) / 2;
}

Quat between(const Quat& a, const Quat& b)
{
    return Quat(a.dot(b) < 0 ? (a.coeffs() - b.coeffs()).eval() : (a.coeffs() + b.coeffs()).eval())
        .normalized();
}

} // namespace

struct RodDynamics::Trial {
    std::vector<ElementFrame> before; // of every element, at the beginning of the step
    std::vector<Vec3> rate;           // of its chord, there
    std::vector<Vec3> dx, dth;
    std::vector<Vec3> x1;
    std::vector<Quat> q1;

    void update(const RodState& s)
    {
        for (std::size_t i = 0; i < dx.size(); ++i) {
            x1[i] = s.x[i] + dx[i];
            q1[i] = cayley(dth[i]) * s.q[i];
        }
    }
};

RodDynamics::RodDynamics(const Rod& rod, double viscosity)
    : rod_(rod), viscosity_(viscosity), coupling_(rod.massBetween())
{
    const RodParameters& p = rod_.parameters();
    const Mat3 J = rod_.sectionInertia(Quat::Identity());
    mass_.resize(nodes());
    inertia_.resize(nodes());
    for (std::size_t i = 0; i < nodes(); ++i) {
        mass_[i] = p.rhoA * rod_.weightOf(i);
        inertia_[i] = rod_.weightOf(i) * J;
    }
    const double half = mass_[0];
    mass_[0] += p.bodyMass;
    offset_ = half / mass_[0] * p.r0;
    arm_ = p.r0 - offset_;
    inertia_[0] +=
        Mat3(p.bodyInertia.asDiagonal()) +
        p.bodyMass * half / mass_[0] * (p.r0.squaredNorm() * Mat3::Identity() - p.r0 * p.r0.transpose());
}

RodState RodDynamics::stateOf(const RodConfiguration& at, const std::vector<Vec3>& velocity,
                              const std::vector<Vec3>& angularVelocity) const
{
    RodState s{at.x, at.q, {}, {}};
    const Vec3 shift = at.q[0] * offset_;
    s.x[0] += shift;
    for (std::size_t i = 0; i < nodes(); ++i) {
        const Vec3 v = i == 0 ? Vec3(velocity[0] + angularVelocity[0].cross(shift)) : velocity[i];
        s.p.push_back(mass_[i] * v);
        s.pi.push_back(at.q[i] * (inertia_[i] * (at.q[i].conjugate() * angularVelocity[i])));
    }
    const Vec3 clamp = velocity[0] + angularVelocity[0].cross(at.q[0] * rod_.parameters().r0);
    s.chordRate = velocity[1] - clamp;
    return s;
}

Vec3 RodDynamics::chord(const RodState& s, std::size_t i) const
{
    return s.x[i + 1] - (i == 0 ? base(s.x[0], s.q[0]) : s.x[i]);
}

Vec3 RodDynamics::chordRate(const RodState& s, std::size_t i) const
{
    return i == 0 ? s.chordRate : Vec3(s.p[i + 1] / mass_[i + 1] - s.p[i] / mass_[i]);
}

RodConfiguration RodDynamics::configurationOf(const RodState& s) const
{
    RodConfiguration at{s.x, s.q};
    at.x[0] -= s.q[0] * offset_;
    return at;
}

void RodDynamics::velocities(const RodState& s, std::vector<Vec3>& velocity,
                             std::vector<Vec3>& angularVelocities) const
{
    velocity.resize(nodes());
    angularVelocities.resize(nodes());
    for (std::size_t i = 0; i < nodes(); ++i) {
        velocity[i] = s.p[i] / mass_[i];
        angularVelocities[i] = angularVelocity(s, i);
    }
    velocity[0] -= angularVelocities[0].cross(s.q[0] * offset_);
}

void RodDynamics::strike(RodState& s, const Vec3& impulse) const
{
    const RodConfiguration at = configurationOf(s);
    BandedMatrix mass = banded(rod_.massMatrix(at));
    mass.factor();
    Eigen::VectorXd change = Eigen::VectorXd::Zero(rod_.size());
    change.segment<3>(rod_.size() - 6) = impulse;
    mass.solve(change);
    std::vector<Vec3> v, w;
    velocities(s, v, w);
    const Vec3 lag = s.chordRate - stateOf(at, v, w).chordRate;
    for (std::size_t i = 0; i < nodes(); ++i) {
        const auto k = 6 * static_cast<Eigen::Index>(i);
        v[i] += change.segment<3>(k);
        w[i] += change.segment<3>(k + 3);
    }
    s = stateOf(at, v, w);
    s.chordRate += lag;
}

Vec3 RodDynamics::angularVelocity(const RodState& s, std::size_t i) const
{
    return s.q[i] * inertia_[i].ldlt().solve(s.q[i].conjugate() * s.pi[i]);
}

double RodDynamics::kineticEnergy(const RodState& s) const
{
    double sum = 0;
    for (std::size_t i = 0; i < nodes(); ++i)
        sum += s.p[i].squaredNorm() / mass_[i] + s.pi[i].dot(angularVelocity(s, i));
    for (std::size_t i = 0; i + 1 < nodes(); ++i)
        sum -= coupling_ * chordRate(s, i).squaredNorm();
    return sum / 2;
}

double RodDynamics::strainEnergy(const RodState& s) const
{
    return rod_.strainEnergy(configurationOf(s));
}

Vec3 RodDynamics::linearMomentum(const RodState& s) const
{
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : s.p)
        sum += p;
    return sum;
}

Vec3 RodDynamics::angularMomentum(const RodState& s) const
{
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < nodes(); ++i)
        sum += s.x[i].cross(s.p[i]) + s.pi[i];
    for (std::size_t i = 0; i + 1 < nodes(); ++i)
        sum -= coupling_ * chord(s, i).cross(chordRate(s, i));
    return sum;
}

// Of the clamp, over the step.
Vec3 RodDynamics::rise(const RodState& s, const Trial& trial) const
{
    return trial.dx[0] + trial.dth[0].cross(mean(s.q[0], trial.q1[0]) * arm_);
}

void RodDynamics::forces(const RodState& s, double dt, const Trial& trial, std::vector<Vec3>& f,
                         std::vector<Vec3>& tau) const
{
    const ElementLaw& law = rod_.law();
    const std::size_t elements = nodes() - 1;
    struct Element {
        Mat3 Rbar, LamM, S, SInverse;
        Vec3 v, a, d, dGamma, dKappa, meanN, meanM, excessN, excessM;
        Vec3 inertial; // b d'', minus the force that the coupled masses add between the element's ends
        ArcSeries arc;
        double change, stored; // dε·C dε and σ·C⁻¹σ
    };
    static thread_local std::vector<Element> all;
    all.resize(elements);
    double stored = 0;
    for (std::size_t i = 0; i < elements; ++i) {
        Element& e = all[i];
        const Vec3 xa0 = i == 0 ? base(s.x[0], s.q[0]) : s.x[i];
        const Vec3 xa1 = i == 0 ? base(trial.x1[0], trial.q1[0]) : trial.x1[i];
        const ElementFrame& before = trial.before[i];
        const ElementFrame after = elementFrame(law, xa1, trial.q1[i], trial.x1[i + 1], trial.q1[i + 1]);
        const ElementFrame middle =
            elementFrame(law, (xa0 + xa1) / 2, between(s.q[i], trial.q1[i]),
                         (s.x[i + 1] + trial.x1[i + 1]) / 2, between(s.q[i + 1], trial.q1[i + 1]));
        e.Rbar = (before.R + after.R) / 2;
        e.LamM = middle.Lam;
        e.v = middle.v;
        e.d = middle.d;
        e.arc = middle.arc;
        e.a = middle.Lam * middle.v / (1 + middle.w);

        const Vec3 abar = (trial.dth[i] + trial.dth[i + 1]) / 2;
        const double square = abar.squaredNorm();
        const double k = 1 / (1 + square / 4), root = std::sqrt(k);
        const Mat3 along = square > 0 ? Mat3(abar * abar.transpose() / square) : Mat3::Zero();
        e.S = root * Mat3::Identity() + (k - root) * along;
        e.SInverse = Mat3::Identity() / root + (1 / k - 1 / root) * along;
        const Vec3 u = e.S * (trial.dth[i + 1] - trial.dth[i]);
        const Vec3 De = middle.Lam.transpose() * u;
        const Vec3 thm = abar - e.SInverse * e.a.cross(u) / 2;
        e.dKappa = law.D.transpose() * (e.arc.b * De + e.arc.d * e.v.dot(De) * e.v) / law.h;
        // By the increments themselves: differences of places have the rounding of places.
        const Vec3 dxa = i == 0 ? rise(s, trial) : trial.dx[i];
        e.inertial = coupling_ * (2 / dt) * ((trial.dx[i + 1] - dxa) / dt - trial.rate[i]);
        e.dGamma = e.Rbar.transpose() * ((trial.dx[i + 1] - dxa) / law.h - thm.cross(e.d));

        e.meanN = law.CN.cwiseProduct(before.gamma + after.gamma) / 2;
        e.meanM = law.CM.cwiseProduct(before.kappa + after.kappa) / 2;
        e.excessN = after.gamma - before.gamma - e.dGamma;
        e.excessM = after.kappa - before.kappa - e.dKappa;
        e.change = e.dGamma.dot(law.CN.cwiseProduct(e.dGamma)) + e.dKappa.dot(law.CM.cwiseProduct(e.dKappa));
        e.stored = e.meanN.dot(e.meanN.cwiseQuotient(law.CN)) + e.meanM.dot(e.meanM.cwiseQuotient(law.CM));
        stored += e.stored;
    }
    std::fill(f.begin(), f.end(), Vec3::Zero());
    std::fill(tau.begin(), tau.end(), Vec3::Zero());
    // One correction for the whole rod: an element's own rate of strain passes through zero now and then, and
    // a correction of its own would not be smooth there.
    double change = 0, excess = 0;
    for (const Element& e : all) {
        change += e.change;
        excess += e.meanN.dot(e.excessN) + e.meanM.dot(e.excessM);
    }
    const double correction = change > flatStrain * stored ? excess / change : 0;
    const double part = correction + viscosity_ / dt;
    for (std::size_t i = 0; i < elements; ++i) {
        const Element& e = all[i];
        const Vec3 n = e.Rbar * (e.meanN + part * law.CN.cwiseProduct(e.dGamma));
        const Vec3 mm = law.D * (e.meanM + part * law.CM.cwiseProduct(e.dKappa));
        const Vec3 ms = e.S * (e.LamM * (e.arc.b * mm + e.arc.d * e.v.dot(mm) * e.v));
        const Vec3 t = -law.h * e.d.cross(n);
        const Vec3 ta = e.S * (e.SInverse * t).cross(e.a);
        f[i] -= n - e.inertial;
        f[i + 1] += n - e.inertial;
        tau[i] += (t + ta) / 2 - ms;
        tau[i + 1] += (t - ta) / 2 + ms;
    }
    tau[0] += (mean(s.q[0], trial.q1[0]) * arm_).cross(f[0]);
}

void RodDynamics::factor(const RodState& s, double dt, const Trial& trial, BandedMatrix& jacobian) const
{
    RodConfiguration middle{std::vector<Vec3>(nodes()), std::vector<Quat>(nodes())};
    for (std::size_t i = 0; i < nodes(); ++i) {
        middle.x[i] = (s.x[i] + trial.x1[i]) / 2;
        middle.q[i] = between(s.q[i], trial.q1[i]);
    }
    const Vec3 r = middle.q[0] * arm_;
    BlockTridiagonal K(nodes());
    ElementVariation e;
    for (std::size_t i = 0; i + 1 < nodes(); ++i) {
        const Vec3 xa = i == 0 ? Vec3(middle.x[0] + r) : middle.x[i];
        varyElement(rod_.law(), xa, middle.q[i], middle.x[i + 1], middle.q[i + 1], e);
        e.hessian /= 2;
        if (viscosity_ > 0)
            e.hessian += viscosity_ / dt *
                         materialStiffness(rod_.law(), xa, middle.q[i], middle.x[i + 1], middle.q[i + 1]);
        const Mat3 coupled = 2 * coupling_ / (dt * dt) * Mat3::Identity();
        e.hessian.topLeftCorner<3, 3>() -= coupled;
        e.hessian.block<3, 3>(0, 6) += coupled;
        e.hessian.block<3, 3>(6, 0) += coupled;
        e.hessian.block<3, 3>(6, 6) -= coupled;
        K.diagonal[i] += e.hessian.topLeftCorner<6, 6>();
        K.upper[i] = e.hessian.topRightCorner<6, 6>();
        K.lower[i] = e.hessian.bottomLeftCorner<6, 6>();
        K.diagonal[i + 1] += e.hessian.bottomRightCorner<6, 6>();
    }
    Mat6 T = Mat6::Identity();
    T.topRightCorner<3, 3>() = -hat(r);
    K.diagonal[0] = T.transpose() * K.diagonal[0] * T;
    K.upper[0] = T.transpose() * K.upper[0];
    K.lower[0] = K.lower[0] * T;
    const double rate = 2 / (dt * dt);
    for (std::size_t i = 0; i < nodes(); ++i) {
        K.diagonal[i].topLeftCorner<3, 3>() += rate * mass_[i] * Mat3::Identity();
        K.diagonal[i].bottomRightCorner<3, 3>() +=
            rate * trial.q1[i].toRotationMatrix() * inertia_[i] * s.q[i].toRotationMatrix().transpose() -
            hat(s.pi[i]) / dt;
    }
    jacobian = banded(K);
    jacobian.factor();
}

RodStep RodDynamics::step(RodState& s, double dt) const
{
    const std::size_t n = nodes();
    Trial trial{{}, {}, std::vector<Vec3>(n), std::vector<Vec3>(n), s.x, s.q};
    trial.before.reserve(n - 1);
    trial.rate.reserve(n - 1);
    for (std::size_t i = 0; i + 1 < n; ++i) {
        trial.before.push_back(
            elementFrame(rod_.law(), i == 0 ? base(s.x[0], s.q[0]) : s.x[i], s.q[i], s.x[i + 1], s.q[i + 1]));
        trial.rate.push_back(chordRate(s, i));
    }
    for (std::size_t i = 0; i < n; ++i) {
        trial.dx[i] = dt / mass_[i] * s.p[i];
        trial.dth[i] = dt * angularVelocity(s, i);
    }
    trial.update(s);
    std::vector<Vec3> f(n), tau(n);
    BandedMatrix jacobian;
    factor(s, dt, trial, jacobian);
    Eigen::VectorXd residual(rod_.size());
    RodStep result;
    double before = std::numeric_limits<double>::infinity();
    for (result.corrections = 1; result.corrections <= largestCorrections; ++result.corrections) {
        forces(s, dt, trial, f, tau);
        for (std::size_t i = 0; i < n; ++i) {
            const auto k = 6 * static_cast<Eigen::Index>(i);
            residual.segment<3>(k) = (2 / dt) * (mass_[i] / dt * trial.dx[i] - s.p[i]) + f[i];
            const Vec3 spin =
                inertia_[i] * (s.q[i].conjugate() * trial.dth[i]) * (2 / dt) - s.q[i].conjugate() * s.pi[i];
            residual.segment<3>(k + 3) = (trial.q1[i] * spin - s.pi[i]) / dt + tau[i];
        }
        jacobian.solve(residual);
        if (!residual.allFinite())
            return result;
        double size = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const auto k = 6 * static_cast<Eigen::Index>(i);
            trial.dx[i] -= residual.segment<3>(k);
            trial.dth[i] -= residual.segment<3>(k + 3);
            size = std::max({size, residual.segment<3>(k).cwiseAbs().maxCoeff() / rod_.parameters().length,
                             residual.segment<3>(k + 3).cwiseAbs().maxCoeff()});
        }
        trial.update(s);
        if (size < tolerance || (size < settled && size > before / 2)) {
            result.converged = true;
            break;
        }
        if (size > 1e3)
            return result;
        if (result.corrections == refactorAfter)
            factor(s, dt, trial, jacobian);
        before = size;
    }
    if (!result.converged)
        return result;
    // Momenta from the forces, so that their sums are kept to rounding.
    forces(s, dt, trial, f, tau);
    const Vec3 change = trial.dx[1] - rise(s, trial);
    for (std::size_t i = 0; i < n; ++i) {
        s.x[i] = trial.x1[i];
        s.q[i] = trial.q1[i].normalized();
        s.p[i] -= dt * f[i];
        s.pi[i] -= dt * tau[i];
    }
    s.chordRate = 2 / dt * change - s.chordRate;
    return result;
}

} // namespace casimir::rod
