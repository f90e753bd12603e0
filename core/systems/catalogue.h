// The list of all systems, and the presets that come with them.
#pragma once

#include "core/model/kind.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

std::span<const Kind* const> catalogue();

// Throws Error with the nearest known id.
const Kind& kindNamed(std::string_view id);

// A session that comes with the program: resources/presets/<kind>/<id>.json.
struct Preset {
    std::string id;
    std::string title;
    std::string about;
    std::string text; // as readSession takes it
};

// In the order of their files' names; the first is what a new user sees.
std::vector<Preset> presetsOf(std::string_view kindId);

// Throws Error with the nearest known id.
Preset presetNamed(std::string_view kindId, std::string_view presetId);

// The Markdown text of resources/help/<page>.md; empty where there is none.
std::string_view helpPage(std::string_view page);

} // namespace casimir
