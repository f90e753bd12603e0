// The command line that makes a session's picture or run again; used by "Copy as command" and by the files'
// own headers. Those of exports are in export_spec.h.
#pragma once

#include "core/session/session.h"

#include <string>

namespace casimir {

struct Sweep;

std::string shellWord(const std::string& word); // quoted where a shell would take it apart

// "two-body --set m1=2 --state theta=1": the system, then what differs from its defaults, quoted for a shell.
std::string sessionArguments(const Session& session, const Motion& motion);

// Whether arguments cannot say the motion: one led by hand, or taken up at a state too long for a line.
bool needsSavedSession(const Motion& motion);

// "casimir simulate two-body ... --t-end 10 --integrator gauss6"; where arguments cannot say it, that of the
// session saved as `file`.
std::string simulateCommand(const Session& session, const Motion& motion, double tEnd,
                            const std::string& file = "SESSION.json");

// "casimir sweep two-body ... --vary mu=0:10:11 --quantity equilibria.count": of the leading Motion's values.
std::string sweepCommand(const Session& session, const Sweep& sweep);

} // namespace casimir
