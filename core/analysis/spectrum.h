// The eigenvalues of all equilibria in the complex plane, as a Plot of any system that has equilibria.
#pragma once

#include "core/model/analysis.h"
#include "core/model/plot.h"
#include "core/model/system.h"

namespace casimir {

PlotInfo spectrumInfo(const System& system);
// Of the motion from `start`, where the analysis of the system speaks of one.
Plot spectrumPlot(const System& system, const StateInputs& start = {});

// How a verdict is shown wherever equilibria are marked: by colour and by shape.
Colour verdictColour(const std::string& stability);
MarkShape verdictShape(const std::string& stability);

// Names of marks that lie on each other are written as one ("0-pi, pi-0"), in place of one over the other.
void shareLabels(Plot& plot);

} // namespace casimir
