#include "core/model/claims.h"

#include <fmt/format.h>

#include <cmath>

namespace casimir {

double off(double a, double b, double scale)
{
    const double size = std::max({std::abs(a), std::abs(b), scale});
    return size == 0 ? 0 : std::abs(a - b) / size;
}

double off(std::complex<double> a, std::complex<double> b)
{
    const double size = std::max(std::abs(a), std::abs(b));
    return size == 0 ? 0 : std::abs(a - b) / size;
}

double digitsOf(double deviation)
{
    if (!(deviation < 1))
        return 0;
    return deviation <= 1e-16 ? 16 : -std::log10(deviation);
}

Claim judge(const ClaimCheck& check)
{
    Claim claim{check.id, check.statement, check.computed, 0, "fails as printed", check.erratum, false};
    claim.digits = digitsOf(check.deviation());
    const bool right = claim.digits >= check.digitsNeeded;
    claim.expected = right;
    if (!check.printed) {
        if (right)
            claim.verdict = "holds";
        return claim;
    }
    const double printed = check.printed();
    claim.computed += fmt::format(" As printed it is off by {:.2g}.", printed);
    if (right)
        claim.verdict = printed > visibleDeviation ? "holds as corrected" : "holds";
    claim.expected = right && printed > visibleDeviation;
    return claim;
}

std::vector<Claim> judge(const std::vector<ClaimCheck>& checks)
{
    std::vector<Claim> claims;
    claims.reserve(checks.size());
    for (const ClaimCheck& check : checks)
        claims.push_back(judge(check));
    return claims;
}

} // namespace casimir
