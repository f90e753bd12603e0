// The bridge to libcasimir_ui, which holds everything that needs Qt or VTK. It is loaded at run time so that
// the command line starts without it and works where it is not installed.
#pragma once

struct CasimirFigure; // ui/export/figure_export.h

namespace casimir {

// Opens the window; argv as main() has it. Where the library is missing, says so and returns 1.
int runWindow(int argc, char** argv);

// Writes one figure; throws Error with what libcasimir_ui says, or where it is missing.
void renderFigure(const CasimirFigure& figure);

} // namespace casimir
