// Sessions of older formats: how each becomes one of the next. A new format adds a step here, a line to the
// list of formats and a file to tests/core/session/formats.
//
//   1  views: a list of the visible ones
//   2  views: { view: its place }
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace casimir {

// Brings a session as read to the present format. Throws Error with the place and the reason: no version, one
// that never was, one of a newer program, or a part that the older format did not have so.
void migrateSession(nlohmann::ordered_json& session);

} // namespace casimir
