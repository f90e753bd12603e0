// The answer of `analyze` as JSON, in the one shape that all systems share. A number that does not exist is
// null.
#pragma once

#include "core/model/analysis.h"
#include "core/model/system.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace casimir {

nlohmann::ordered_json toJson(const Entry& entry);
nlohmann::ordered_json toJson(const Fact& fact);
nlohmann::ordered_json toJson(const Equilibrium& equilibrium);
nlohmann::ordered_json toJson(const System& system, const Analysis& analysis);
nlohmann::ordered_json toJson(const std::vector<Claim>& claims);

} // namespace casimir
