#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/analysis_json.h"
#include "core/base/error.h"
#include "core/systems/catalogue.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace casimir::cli {

namespace {

std::string digitsText(double digits)
{
    return std::isfinite(digits) ? fmt::format("{:.1f}", digits) : std::string("exact");
}

std::string text(const Kind& kind, const std::vector<Claim>& claims)
{
    std::string result = fmt::format("{}: {}\n", kind.id, kind.paper);
    for (const Claim& claim : claims) {
        result += fmt::format("{}{:<16} {} | {} | digits {} | {}", claim.expected ? "  " : "! ", claim.id,
                              claim.statement, claim.computed, digitsText(claim.digits), claim.verdict);
        if (!claim.erratum.empty())
            result += " | " + claim.erratum;
        result += "\n";
    }
    const auto unexpected =
        std::count_if(claims.begin(), claims.end(), [](const Claim& claim) { return !claim.expected; });
    result += fmt::format("{} claims, {} as stated here, {} otherwise\n", claims.size(),
                          static_cast<std::ptrdiff_t>(claims.size()) - unexpected, unexpected);
    return result;
}

} // namespace

int verify(const Arguments& arguments)
{
    std::vector<const Kind*> kinds(catalogue().begin(), catalogue().end());
    if (!arguments.system().empty())
        kinds = {&kindNamed(arguments.system())};
    const double seed = arguments.number("--seed").value_or(1);
    if (seed < 0 || seed != std::floor(seed) || seed > 4e9)
        throw Error(fmt::format("--seed = {} must be a whole number from 0 to 4000000000", seed));

    bool allExpected = true;
    auto json = nlohmann::ordered_json::object();
    for (const Kind* kind : kinds) {
        if (interrupted())
            throw Interrupted{};
        const std::vector<Claim> claims =
            kind->claims ? kind->claims(static_cast<unsigned>(seed)) : std::vector<Claim>{};
        allExpected = allExpected &&
                      std::all_of(claims.begin(), claims.end(), [](const Claim& c) { return c.expected; });
        if (arguments.has("--json"))
            json[kind->id] = toJson(claims);
        else
            print(text(*kind, claims));
    }
    if (arguments.has("--json"))
        print(json.dump(2) + "\n");
    return allExpected ? 0 : 1;
}

} // namespace casimir::cli
