#include "core/systems/planar/splitting/splitting_claims.h"

#include "core/model/claims.h"
#include "core/systems/planar/splitting/attached_body.h"
#include "core/systems/planar/splitting/driven_joint.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace casimir::planar {

namespace {

constexpr std::array sizes{4e-3, 2e-3, 1e-3, 5e-4}; // each half the one before
constexpr int sampleCount = 8;

template <class Measure>
Claim judged(ClaimCheck check, const Measure& ratioAt)
{
    std::array<double, sizes.size()> ratios{};
    std::string table = " Measured/predicted:";
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        ratios[k] = ratioAt(sizes[k]);
        table += fmt::format("{} {:.6f} at ε = {:g}", k ? "," : "", ratios[k], sizes[k]);
    }
    // Where the ratio goes as eps does to 0, the terms of first and second order removed.
    const double a = 2 * ratios[2] - ratios[1], b = 2 * ratios[3] - ratios[2], limit = (4 * b - a) / 3;
    check.computed += fmt::format("{}; {:.7f} in the limit.", table, limit);
    check.deviation = [limit] { return std::abs(limit - 1); };
    check.digitsNeeded = 4;
    return judge(check);
}

// Of the measured samples on what is handed in.
template <class Predicted>
double ratioOf(Splitting s, const Predicted& predicted)
{
    if (!s.status.ok())
        return std::numeric_limits<double>::quiet_NaN();
    for (SplittingSample& sample : s.samples)
        sample.predicted = predicted(sample.t0);
    return s.ratio();
}

} // namespace

MelnikovFormulas melnikovFormulas()
{
    return {[](const TwoBody& bodies, double Omega, double t0) {
                return DrivenJoint(bodies, Omega, 1).melnikov(t0);
            },
            [](const ThreeBodyParameters& bodies, double mu3, double y0) {
                return AttachedBody(bodies, mu3, 1).melnikov(y0);
            }};
}

std::vector<Claim> splittingClaims(const MelnikovFormulas& f)
{
    const TwoBody two({1, 1.2, 0.4, 0.3, 0.8, 0.6, 0.2, 2});
    const double Omega = 1.3;
    const DrivenJoint joint(two, Omega, 1);
    const ThreeBodyParameters three{1, 1.3, 0.4, 0.3, 0.25, 0.05, 0.7, 0.5, 0.1, 0.05, 0, 2};
    const double mu3 = 0.3;
    const AttachedBody attached(three, mu3, 1);
    const double sign = attached.saddleRate() > 0 ? 1 : -1;
    return {
        judged({.id = "Abstract, driven joint",
                .statement = "A torque ε cos Ωt in the joint splits the homoclinic orbit: H_u − H_s = ε ∫θ' "
                             "cos Ω(t + t_0) dt + O(ε²).",
                .computed = "On the manifolds of the saddle's periodic orbit, at eight phases.",
                .deviation = {}},
               [&](double eps) {
                   return ratioOf(joint.splitting(eps, sampleCount),
                                  [&](double t0) { return eps * f.driven(two, Omega, t0); });
               }),
        judged(
            {.id = "Abstract, attached body",
             .statement =
                 "A third body hinged at the distance ε from its centre of mass splits it too: μ_3u − "
                 "μ_3s = ε Re(A e^{i y_0}) + O(ε²), A the integral of μ_3' less its swing at the saddle.",
             .computed = "On the manifolds of the saddle's periodic orbit at equal energy, at eight phases.",
             .deviation = {}},
            [&](double eps) {
                return ratioOf(attached.splitting(eps, sampleCount),
                               [&](double s0) { return eps * f.attached(three, mu3, sign * s0); });
            })};
}

} // namespace casimir::planar
