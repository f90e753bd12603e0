// The session as JSON: readable, versioned, with a stable order of keys, so that save, load, save gives the
// same bytes.
#pragma once

#include "core/session/session.h"

#include <string>
#include <string_view>

namespace casimir {

// By its name: .casimir, or .json as it was before that.
bool isSessionFile(std::string_view path);

// Text ends with a newline. Numbers in the shortest form that reads back the same.
std::string writeSession(const Session& session);

// Refuses a damaged text, an unknown key, kind or parameter, and a newer format, with the place and the
// reason (Error). Parameters that are not named keep their defaults.
Session readSession(std::string_view text);

// What `--input` says, by the kind's own reader or, without one, parameter ids and "state".
Input readInput(const Kind& kind, std::string_view text);

} // namespace casimir
