// The Session that a command line asks for: a preset or a saved session, then --input, --set and --state over
// it.
#pragma once

#include "app/cli/arguments.h"
#include "core/session/session.h"

#include <string>

namespace casimir::cli {

// Throws Error for anything that cannot be taken as it stands.
Session sessionFromArguments(const Arguments& arguments);
// The same beginning from this session, whatever --session and --preset say.
Session sessionFromArguments(const Arguments& arguments, Session session);

// The system of the Session's leading Motion.
std::shared_ptr<const System> systemOf(const Session& session);

std::string readTextFile(const std::string& path);

} // namespace casimir::cli
