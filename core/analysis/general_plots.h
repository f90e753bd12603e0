// Every plot and every view of a system: its own, and those that any system with equilibria has (spectrum,
// branch, map) where it does not offer its own under that name. What draws or lists plots asks here, not the
// System.
#pragma once

#include "core/model/system.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

std::vector<PlotInfo> plotsOf(const System& system);
std::optional<PlotInfo> plotInfoOf(const System& system, std::string_view id);

// Throws Error for an unknown plot or option.
Plot plotOf(const System& system, const PlotRequest& request);
Plot plotOf(const System& system, std::string_view id); // with its default options, from the default start

// Every view the system has, in the order of the menu: stage, the plots and their surfaces, then what every
// system has (series, invariants).
struct ViewInfo {
    std::string id;
    std::string title;
    std::string plot = {}; // the Plot it shows, if it shows one
};
std::vector<ViewInfo> viewsOf(const System& system);

// Checks options "plot.option" -> text against the plots of the system, the switches that views of plots have
// ("portrait.legend" -> "off") and what the stage lets choose ("stage.shown" -> "labels,arrows"). Throws
// Error with the nearest known name.
void checkPlotOptions(const System& system, const std::map<std::string, std::string>& options);

} // namespace casimir
