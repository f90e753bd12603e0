#include "core/systems/catalogue.h"

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/model/embedded_text.h"
#include "core/systems/constrained/appell/appell_system.h"
#include "core/systems/constrained/rolling_body/rolling_body_system.h"
#include "core/systems/constrained/servo_rod/servo_rod_system.h"
#include "core/systems/planar/multibody/multibody_system.h"
#include "core/systems/planar/three_body/three_body_system.h"
#include "core/systems/planar/two_body/two_body_system.h"
#include "core/systems/rod/rigid_body/rigid_body_system.h"
#include "core/systems/rod/rod/rod_system.h"
#include "core/systems/sleigh/sleigh_system.h"
#include "core/systems/tops/tops_system.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace casimir {

std::span<const Kind* const> catalogue()
{
    // clang-format off
    static const std::array kinds{
        &planar::twoBodyKind(),
        &planar::threeBodyKind(),
        &planar::multibodyKind(),
        &rod::rodKind(),
        &rod::rigidBodyKind(),
        &tops::topsKind(),
        &constrained::servoRodKind(),
        &constrained::appellKind(),
        &constrained::rollingBodyKind(),
        &sleigh::sleighKind(),
        &sleigh::knifeEdgeKind(),
    };
    // clang-format on
    return kinds;
}

const Kind& kindNamed(std::string_view id)
{
    std::vector<std::string> known;
    for (const Kind* kind : catalogue()) {
        if (kind->id == id)
            return *kind;
        known.push_back(kind->id);
    }
    throw Error(fmt::format("unknown system '{}'; {}", id, didYouMean(id, known)));
}

std::vector<Preset> presetsOf(std::string_view kindId)
{
    const std::string folder = fmt::format("presets/{}/", kindId);
    std::vector<Preset> presets;
    for (const EmbeddedText& file : embeddedResources()) {
        if (!file.path.starts_with(folder))
            continue;
        const auto json = nlohmann::ordered_json::parse(file.text);
        // "1-figure-1.json": the number orders the presets and is not part of the id.
        std::string_view id = file.path.substr(folder.size());
        id.remove_suffix(std::string_view(".json").size());
        id.remove_prefix(id.find('-') + 1);
        presets.push_back({std::string(id), json.value("title", std::string(id)),
                           json.value("about", std::string()), std::string(file.text)});
    }
    return presets;
}

Preset presetNamed(std::string_view kindId, std::string_view presetId)
{
    std::vector<std::string> known;
    for (Preset& preset : presetsOf(kindId)) {
        if (preset.id == presetId)
            return std::move(preset);
        known.push_back(preset.id);
    }
    throw Error(fmt::format("unknown preset '{}' of {}; {}", presetId, kindId, didYouMean(presetId, known)));
}

std::string_view helpPage(std::string_view page)
{
    const std::string path = fmt::format("help/{}.md", page);
    for (const EmbeddedText& file : embeddedResources())
        if (file.path == path)
            return file.text;
    return {};
}

} // namespace casimir
