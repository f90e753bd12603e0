#include "core/systems/planar/two_body/two_body_orbits.h"

#include "core/base/error.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace casimir::planar {

namespace {

using std::numbers::pi;
constexpr double ulp = std::numeric_limits<double>::epsilon();

// Loop integrals of one orbit: the period, Int dt/S, and Int (2 E S - mu^2)/S dt = Loop (nu - nu0) dtheta.
struct LoopIntegrals {
    double period = 0, inverseInertia = 0, action = 0;
};

// Librations use sin(psi/2) = k sin u, rotations psi = 2 u; then cot u = kappa sinh v. In v the integrands
// are even, analytic and decay exponentially, with all their singularities at |Im v| >= pi/2 when kappa is at
// most k', and for rotations also at most sqrt(Delta_e)/(2 D) and sqrt(S_-/(4 D)). The trapezoidal rule then
// errs by about exp(-pi^2/h) whatever the parameters, close to the separatrix and to the centre included.
LoopIntegrals loopIntegrals(const TwoBody& bodies, const EnergyLevel& level, bool libration)
{
    constexpr double h = 0.25;
    const double D = bodies.coupling(), detE = bodies.straightDeterminant(), sMinus = bodies.foldedInertia();
    const double whole = libration ? 8 * level.energy * D : level.aboveStretched;
    const double k2 = libration ? level.aboveStretched / whole : 1;
    const double kPrime = std::sqrt(std::abs(level.aboveFolded) / whole);
    double kappa = kPrime;
    if (!libration && D > 0)
        kappa = std::min({kPrime, std::sqrt(detE) / (2 * D), std::sqrt(sMinus / (4 * D))});

    LoopIntegrals sum;
    const int nodes = static_cast<int>(std::ceil((41 + std::log(1 / kappa)) / h));
    for (int j = 0; j <= nodes; ++j) {
        const double v = j * h;
        const double y = kappa * std::sinh(v);
        const double sin2 = 1 / (1 + y * y);
        const double modulus2 = (y * y + kPrime * kPrime) * sin2; // 1 - k^2 sin^2 u
        const double s2 = k2 * sin2;                              // sin^2(psi/2)
        const double c2 = libration ? modulus2 : y * y * sin2;    // cos^2(psi/2)
        const double det = detE + 4 * square(D) * s2 * c2;
        const double s = sMinus + 4 * D * c2;
        const double margin = level.aboveStretched * (libration ? y * y * sin2 : modulus2); // 2 E S - mu^2
        const double stretch = libration ? 1 : kappa * std::cosh(v) / std::hypot(y, kPrime);
        const double dt = (j == 0 ? 0.5 * h : h) * std::sqrt(det * sin2) * stretch;
        sum.period += dt;
        sum.inverseInertia += dt / s;
        sum.action += dt * margin / s;
    }
    const double factor = (libration ? 8 : 4) / std::sqrt(whole);
    return {factor * sum.period, factor * sum.inverseInertia, factor * sum.action};
}

// Direction +1, -1 for rotations; 0 for librations, which retrace their path in the joint angle.
OrbitPhase phaseOf(const TwoBody& bodies, double energy, const LoopIntegrals& loop, int direction)
{
    const double mu = bodies.mu(), connection = direction == 0 ? 0 : direction * connectionLoop(bodies);
    OrbitPhase phase;
    phase.dynamicLocked = mu * loop.inverseInertia;
    phase.geometricLocked = -connection;
    phase.rotationBody1 = phase.dynamicLocked + phase.geometricLocked;
    phase.loopMu2 = loop.action + mu * connection;
    if (mu != 0) {
        phase.dynamicMontgomery = 2 * energy * loop.period / mu;
        phase.geometricMontgomery = -phase.loopMu2 / mu;
    }
    return phase;
}

std::string explain(const TwoBody& bodies, const EnergyLevel& level, OrbitKind kind)
{
    const double mu2 = square(bodies.mu());
    const double least = mu2 / (2 * bodies.stretchedInertia()), saddle = mu2 / (2 * bodies.foldedInertia());
    const bool flat = mu2 == 0 || bodies.coupling() == 0;
    switch (kind) {
    case OrbitKind::None:
        return fmt::format("No state has the energy {:.12g}: the least on this leaf is {:.12g}.",
                           level.energy, least);
    case OrbitKind::Equilibrium:
        return flat
                   ? fmt::format(
                         "The energy {:.12g} is the least on this leaf, reached on the circle of equilibria.",
                         level.energy)
                   : fmt::format(
                         "The energy {:.12g} is that of an equilibrium to within {} units in the last place.",
                         level.energy, energyToleranceUlps);
    case OrbitKind::Homoclinic:
        return fmt::format(
            "The energy {:.12g} is that of the folded state to within {} units in the last place: the "
            "motion approaches it and takes infinitely long.",
            level.energy, energyToleranceUlps);
    case OrbitKind::Libration:
        return fmt::format(
            "The energy {:.12g} lies between those of the stretched state, {:.12g}, and of the folded state, "
            "{:.12g}: the joint swings about the stretched angle.",
            level.energy, least, saddle);
    case OrbitKind::Rotation:
        break;
    }
    return flat ? fmt::format("The energy {:.12g} exceeds {:.12g}, and no potential holds the joint: it "
                              "turns over and over.",
                              level.energy, least)
                : fmt::format("The energy {:.12g} exceeds that of the folded state, {:.12g}: the joint turns "
                              "over and over.",
                              level.energy, saddle);
}

} // namespace

std::string_view name(OrbitKind kind)
{
    switch (kind) {
    case OrbitKind::Libration:
        return "libration";
    case OrbitKind::Rotation:
        return "rotation";
    case OrbitKind::Homoclinic:
        return "homoclinic";
    case OrbitKind::Equilibrium:
        return "equilibrium";
    case OrbitKind::None:
        break;
    }
    return "none";
}

EnergyLevel levelOfEnergy(const TwoBody& bodies, double energy)
{
    if (!std::isfinite(energy))
        throw Error(fmt::format("The energy must be a finite number, but is {}.", energy));
    using Quad = boost::multiprecision::cpp_bin_float_quad;
    const TwoBodyParameters& p = bodies.parameters();
    const Quad epsilon = Quad(p.m1) * p.m2 / (Quad(p.m1) + p.m2);
    const auto margin = [&](int sigma) {
        const Quad length = Quad(p.d1) + sigma * Quad(p.d2);
        const Quad inertia = Quad(p.I1) + p.I2 + epsilon * length * length;
        return static_cast<double>(2 * Quad(energy) * inertia - Quad(p.mu) * p.mu);
    };
    const double tolerance = energyToleranceUlps * ulp * square(p.mu);
    return {energy, margin(1), margin(-1), tolerance, tolerance};
}

EnergyLevel levelThrough(const TwoBody& bodies, double theta, double nu)
{
    const double psi = theta - bodies.theta0(), D = bodies.coupling(), mu2 = square(bodies.mu());
    const double s = bodies.lockedInertia(theta);
    const double kinetic = bodies.delta(theta) * square(bodies.thetaDot(theta, nu)) / s; // 2 (H - V)
    EnergyLevel level;
    level.energy = bodies.leafHamiltonian(theta, nu);
    level.aboveStretched = bodies.stretchedInertia() * kinetic + mu2 * 4 * D * square(std::sin(psi / 2)) / s;
    level.aboveFolded = bodies.foldedInertia() * kinetic - mu2 * 4 * D * square(std::cos(psi / 2)) / s;
    // The margin over the stretched state is a sum of squares of coordinates known to a few ulps.
    level.stretchedTolerance = square(energyToleranceUlps * ulp) * mu2;
    level.foldedTolerance = energyToleranceUlps * ulp * mu2;
    return level;
}

OrbitKind classify(const TwoBody& bodies, const EnergyLevel& level)
{
    const double toStretched = std::abs(level.aboveStretched), toFolded = std::abs(level.aboveFolded);
    const bool flat = bodies.mu() == 0 || bodies.coupling() == 0;
    const bool atStretched = toStretched <= level.stretchedTolerance,
               atFolded = toFolded <= level.foldedTolerance;
    // With a tiny coupling both tolerances may cover the level; the nearer state names it.
    if (atStretched && (flat || !atFolded || toStretched <= toFolded))
        return OrbitKind::Equilibrium;
    if (atFolded)
        return flat ? OrbitKind::Equilibrium : OrbitKind::Homoclinic;
    if (level.aboveStretched < 0)
        return OrbitKind::None;
    return level.aboveFolded < 0 ? OrbitKind::Libration : OrbitKind::Rotation;
}

std::optional<double> turningAngle(const TwoBody& bodies, const EnergyLevel& level)
{
    if (classify(bodies, level) != OrbitKind::Libration)
        return std::nullopt;
    return 2 * std::atan2(std::sqrt(level.aboveStretched), std::sqrt(-level.aboveFolded));
}

TwoBodyOrbit orbit(const TwoBody& bodies, const EnergyLevel& level)
{
    TwoBodyOrbit result;
    result.kind = classify(bodies, level);
    result.energy = level.energy;
    result.detail = explain(bodies, level, result.kind);
    if (result.kind == OrbitKind::Libration) {
        const LoopIntegrals loop = loopIntegrals(bodies, level, true);
        result.period = loop.period;
        result.turningAngle = turningAngle(bodies, level);
        result.area = loop.action;
        result.phase = phaseOf(bodies, level.energy, loop, 0);
    } else if (result.kind == OrbitKind::Rotation) {
        const LoopIntegrals loop = loopIntegrals(bodies, level, false);
        result.period = loop.period;
        result.phase = phaseOf(bodies, level.energy, loop, 1);
        result.phaseFalling = phaseOf(bodies, level.energy, loop, -1);
    }
    return result;
}

TwoBodyOrbit orbitOfEnergy(const TwoBody& bodies, double energy)
{
    return orbit(bodies, levelOfEnergy(bodies, energy));
}

TwoBodyOrbit orbitThrough(const TwoBody& bodies, double theta, double nu)
{
    TwoBodyOrbit result = orbit(bodies, levelThrough(bodies, theta, nu));
    if (result.kind == OrbitKind::Homoclinic) {
        const double fromSaddle = std::abs(std::cos((theta - bodies.theta0()) / 2));
        const double scale = std::abs(bodies.nu0(theta)) + std::abs(nu) + std::abs(bodies.mu());
        if (fromSaddle <= energyToleranceUlps * ulp &&
            std::abs(nu - bodies.nu0(theta)) <= energyToleranceUlps * ulp * scale) {
            result.kind = OrbitKind::Equilibrium;
            result.detail = "The state is the folded equilibrium itself, to rounding.";
        }
    }
    return result;
}

double connectionLoop(const TwoBody& bodies)
{
    const double root = std::sqrt(bodies.stretchedInertia()) * std::sqrt(bodies.foldedInertia());
    const double difference = bodies.inertiaDifference();
    // pi (1 - difference/root), where root^2 - difference^2 = 4 Delta_e
    return difference > 0 ? 4 * pi * bodies.straightDeterminant() / (root * (root + difference))
                          : pi * (root - difference) / root;
}

HomoclinicPair::HomoclinicPair(const TwoBody& bodies) : bodies_(bodies)
{
    const double mu = bodies.mu(), D = bodies.coupling(), s = bodies.foldedInertia();
    if (mu == 0 || D == 0)
        throw Error(fmt::format(
            "μ = {} and coupling ε d₁ d₂ = {}: there is no saddle and no homoclinic orbit.", mu, D));
    energy_ = square(mu) / (2 * s);
    rate_ = std::abs(mu) * std::sqrt(D / s);

    // On the branch where omega_i vanishes, at cos psi = (sqrt(I S_-) - I)/D with I the other body's inertia,
    // nu has an extreme |mu| (sqrt(I/S_-) - 1/2); if that cosine exceeds 1 the extreme is at psi = 0.
    const auto extreme = [&](double inertia, double other, int branch, double& value, double& where) {
        if (bodies_.straightDeterminant() > 4 * D * inertia) {
            value = nu(0, branch);
            where = 0;
            return;
        }
        value = branch * std::abs(mu) * (std::sqrt(inertia / s) - 0.5);
        const double cosine =
            std::sqrt(inertia) * (other - 2 * D) / (D * (std::sqrt(s) + std::sqrt(inertia)));
        where = std::acos(std::clamp(cosine, -1.0, 1.0));
    };
    const double upper = mu > 0 ? bodies.I2Tilde() : bodies.I1Tilde();
    const double lower = mu > 0 ? bodies.I1Tilde() : bodies.I2Tilde();
    extreme(upper, lower, 1, nuMax_, psiAtMax_);
    extreme(lower, upper, -1, nuMin_, psiAtMin_);
}

double HomoclinicPair::saddleTheta() const
{
    return principalAngle(bodies_.theta0() + pi);
}

double HomoclinicPair::saddleNu() const
{
    return -0.5 * bodies_.inertiaDifference() * bodies_.mu() / bodies_.foldedInertia();
}

double HomoclinicPair::nu(double psi, int branch) const
{
    const double c = std::cos(psi / 2), s = bodies_.foldedInertia() + 4 * bodies_.coupling() * c * c;
    const double det = bodies_.straightDeterminant() + square(bodies_.coupling() * std::sin(psi));
    const double centre = -0.5 * bodies_.inertiaDifference() * bodies_.mu() / s;
    return centre + branch * 2 * rate_ * std::sqrt(det) * std::abs(c) / s;
}

// k t at sin(psi/2) = tanh x: Int_0^x sqrt(Delta_e + 4 D^2 tanh^2 sech^2) dx, for x >= 0. With x = c sinh v
// the integrand is analytic for |Im v| < pi/2 however small Delta_e is beside D^2, so panels of width 3/4
// suffice.
double HomoclinicPair::stretchedTime(double x) const
{
    const double detE = bodies_.straightDeterminant(), D = bodies_.coupling();
    const double c = std::min(1.0, std::sqrt(detE) / (2 * D));
    const auto excess = [&](double v) { // over sqrt(Delta_e), which integrates to sqrt(Delta_e) x
        const double at = c * std::sinh(v), sech = 1 / std::cosh(at);
        const double wave = square(2 * D * std::tanh(at) * sech);
        return wave / (std::sqrt(detE + wave) + std::sqrt(detE)) * c * std::cosh(v);
    };
    const double end = std::asinh(std::min(x, 40.0) / c); // beyond x = 40 the excess is below e^-80
    const int panels = std::max(1, static_cast<int>(std::ceil(end / 0.75)));
    double sum = 0;
    for (int i = 0; i < panels; ++i)
        sum += boost::math::quadrature::gauss<double, 20>::integrate(excess, end * i / panels,
                                                                     end * (i + 1) / panels);
    return std::sqrt(detE) * x + sum;
}

double HomoclinicPair::time(double psi, int branch) const
{
    if (!(std::abs(psi) <= pi))
        throw Error(fmt::format("On the homoclinic pair ψ lies between −π and π, but is {}.", psi));
    if (std::abs(psi) == pi)
        return std::copysign(std::numeric_limits<double>::infinity(), branch * psi);
    const double x = std::asinh(std::tan(std::abs(psi) / 2));
    return std::copysign(stretchedTime(x) / rate_, branch * psi);
}

double HomoclinicPair::psi(double time, int branch) const
{
    const double target = rate_ * std::abs(time);
    if (target == 0)
        return 0;
    const double detE = bodies_.straightDeterminant(), D = bodies_.coupling();
    double low = target / std::sqrt(detE + square(D)), high = target / std::sqrt(detE);
    double x = low;
    for (int step = 0; step < 100; ++step) { // Newton, kept inside the bracket by bisection
        const double residual = stretchedTime(x) - target;
        (residual > 0 ? high : low) = x;
        double next = x - residual / (rate_ * timeRate(x));
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        const bool done = std::abs(next - x) <= 2 * ulp * x;
        x = next;
        if (done)
            break;
    }
    return psiAt(std::copysign(x, time), branch);
}

double HomoclinicPair::psiAt(double x, int branch)
{
    return branch * 2 * std::atan(std::sinh(x));
}

double HomoclinicPair::timeRate(double x) const
{
    const double wave = 2 * bodies_.coupling() * std::tanh(x) / std::cosh(x);
    return std::sqrt(bodies_.straightDeterminant() + square(wave)) / rate_;
}

// There psi(t) branches: sin y/cos^2 y = q = sqrt(Delta_e)/2D.
double HomoclinicPair::branchPoint() const
{
    const double q = std::sqrt(bodies_.straightDeterminant()) / (2 * bodies_.coupling());
    return std::asin(2 * q / (1 + std::sqrt(1 + 4 * q * q)));
}

// The time of the branch point is i/lambda Int_0^y sqrt(1 - (sin v/(q cos^2 v))^2) dv, and the convex
// function under the root lies below its chord.
double HomoclinicPair::stripWidth() const
{
    return pi / 4 * branchPoint() / growthRate();
}

} // namespace casimir::planar
