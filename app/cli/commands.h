// The subcommands of casimir.
#pragma once

#include "app/cli/arguments.h"

#include <span>
#include <string>
#include <vector>

namespace casimir::cli {

std::span<const Command> commands();

int list(const Arguments& arguments);
int analyze(const Arguments& arguments);
int simulate(const Arguments& arguments);
int render(const Arguments& arguments);
int sweep(const Arguments& arguments);
int animate(const Arguments& arguments);
int verify(const Arguments& arguments);
int completion(const Arguments& arguments);

// The text of `casimir --help`.
std::string overview();

// Candidates for the last of `words`, which follow "casimir" on the line being typed.
std::vector<std::string> complete(const std::vector<std::string>& words);

// Runs `casimir words...`; prints an Error as one line on standard error. Exit status: 0 answered, 1 a claim
// failed or an internal error, 2 bad input, 130 interrupted.
int runCommandLine(const std::vector<std::string>& words);

// True once the person pressed Ctrl+C; long commands ask and stop. One that does not within a second is
// ended, with the same status.
bool interrupted();

} // namespace casimir::cli
