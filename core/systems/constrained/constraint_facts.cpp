#include "core/systems/constrained/constraint_facts.h"

#include <limits>

namespace casimir::constrained {

void addSplit(Analysis& analysis, const ConstraintReport& report)
{
    const auto known = [&](double x) {
        return report.status.ok() ? x : std::numeric_limits<double>::quiet_NaN();
    };
    const bool measured = report.status.code != "degenerate";
    analysis.derived.push_back(
        {{"sigma_at_start", "σ", "smallest singular value of the constraint at the start", ""},
         measured ? report.smallestSingularValue : std::numeric_limits<double>::quiet_NaN()});
    analysis.derived.push_back(
        {{"power_at_start", "P", "power of the constraint force at the start", "W"}, known(report.power)});
    for (const ConstraintReport::Balance& balance : report.momenta) {
        const std::string unit = balance.momentum.unit == "N m s" ? "N m" : "N";
        analysis.derived.push_back(
            {{balance.momentum.id + "_rate_at_start", "d" + balance.momentum.symbol + "/dt",
              "rate of the " + balance.momentum.name + " due to the constraint force, at the start", unit},
             known(balance.rate)});
    }
}

} // namespace casimir::constrained
