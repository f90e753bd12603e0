#include "core/systems/planar/two_body/two_body_claims.h"

#include "core/systems/planar/two_body/two_body_checks.h"
#include "core/systems/planar/two_body/two_body_orbits.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace casimir::planar {

namespace claims {

C3 gradient(const std::function<Complex(const C3&)>& f, const C3& x)
{
    constexpr double h = 1e-30;
    C3 result;
    for (int k = 0; k < 3; ++k) {
        C3 shifted = x;
        shifted[k] += i * h;
        result[k] = f(shifted).imag() / h;
    }
    return result;
}

namespace {

constexpr int sampleCount = 8;

Sample randomSample(std::mt19937_64& engine, int index,
                    const std::function<TwoBodyFormulas(const TwoBody&)>& formulas)
{
    std::uniform_real_distribution<double> positive(0.3, 3), angle(-3, 3);
    const double sign = index % 2 == 0 ? 1 : -1;
    const auto draw = [&] { return positive(engine); };
    const TwoBodyParameters p{draw(), draw(), draw(), draw(), draw(), draw(), angle(engine), sign * draw()};
    const double direction = angle(engine);
    return {formulas(TwoBody(p)),
            std::polar(p.d1, direction),
            -std::polar(p.d2, direction - p.theta0),
            angle(engine),
            angle(engine),
            draw(),
            -draw(),
            Plane(angle(engine), angle(engine)),
            &engine};
}

} // namespace

} // namespace claims

TwoBodyFormulas formulasOf(const TwoBody& b)
{
    using C = TwoBodyFormulas::Complex;
    using C2 = TwoBodyFormulas::C2;
    using C3 = TwoBodyFormulas::C3;
    TwoBodyFormulas f{b, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    f.lambda = [b](C theta) { return b.lambda(theta); };
    f.lambdaPrime = [b](C theta) { return b.lambdaPrime(theta); };
    f.delta = [b](C theta) { return b.delta(theta); };
    f.lockedInertia = [b](C theta) { return b.lockedInertia(theta); };
    f.nu0 = [b](C theta) { return b.nu0(theta); };
    f.amendedPotential = [b](C theta) { return b.amendedPotential(theta); };
    f.momenta = [b](C theta, const C2& omega) { return b.momenta(theta, omega); };
    f.velocities = [b](C theta, const C2& mu) { return b.velocities(theta, mu); };
    f.kineticEnergy = [b](C theta, const C2& omega) { return b.kineticEnergy(theta, omega); };
    f.hamiltonian = [b](const C3& x) { return b.hamiltonian(x); };
    f.bracket = [b](const C3& dF, const C3& dG) { return b.bracket(dF, dG); };
    f.velocityField = [b](const C3& x) { return b.velocityField(x); };
    f.reducedField = [b](const C3& x) { return b.reducedField(x); };
    f.leafHamiltonian = [b](C theta, C nu) { return b.leafHamiltonian(theta, nu); };
    f.leafField = [b](C theta, C nu) { return b.leafField(theta, nu); };
    f.hessian = [b](const Eigen::Vector3d& x) { return b.hamiltonianHessian(x); };
    f.equilibrium = [b](int sigma) { return equilibrium(b, sigma); };
    f.homoclinicNu = [pair = HomoclinicPair(b)](double psi, int branch) { return pair.nu(psi, branch); };
    f.placement = [b](double theta1, double theta) { return b.placement(theta1, theta); };
    return f;
}

std::vector<Claim> twoBodyClaims(unsigned seed,
                                 const std::function<TwoBodyFormulas(const TwoBody&)>& formulas)
{
    std::vector<claims::Check> checks;
    claims::addIntroduction(checks);
    claims::addKinematics(checks);
    claims::addReduction(checks);
    claims::addStability(checks);

    std::mt19937_64 engine(seed);
    std::vector<claims::Sample> samples;
    for (int k = 0; k < claims::sampleCount; ++k)
        samples.push_back(claims::randomSample(engine, k, formulas));
    std::vector<ClaimCheck> judged;
    for (const claims::Check& check : checks)
        judged.push_back({check.id, check.claim, check.computed, over(samples, check.deviation),
                          check.printed ? over(samples, check.printed) : nullptr, check.erratum,
                          check.digitsNeeded});
    return judge(judged);
}

} // namespace casimir::planar
