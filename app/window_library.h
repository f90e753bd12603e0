// The bridge to libcasimir_ui, which holds everything that needs Qt or VTK. It is loaded at run time so that
// the command line starts without it and works where it is not installed.
#pragma once

struct CasimirExport; // ui/export/exports.h

namespace casimir {

// Opens the window; argv as main() has it. Where the library is missing, says so and returns 1.
int runWindow(int argc, char** argv);

// Writes figures or a film; false where its progress stopped it. Throws Error with what libcasimir_ui says,
// or where it is missing.
bool performExport(const CasimirExport& wish);

} // namespace casimir
