// Values of parameters as JSON: what sessions and answers keep of them.
#pragma once

#include "core/model/parameter.h"
#include "core/model/value.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace casimir {

nlohmann::ordered_json toJson(const Value& value);
nlohmann::ordered_json toJson(const Record& record);

// A value of the type the parameter asks for; throws Error naming `place`.
Value valueFromJson(const Parameter& parameter, const nlohmann::ordered_json& json, const std::string& place);

} // namespace casimir
