#include "core/session/session_migration.h"

#include "core/files/object_reader.h"
#include "core/session/session.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace casimir {

namespace {

using Json = nlohmann::ordered_json;

void placesOfViews(Json& session)
{
    const auto views = session.find("views");
    if (views == session.end())
        return;
    if (!views->is_array())
        refuse("views", "a list [...] was expected");
    Json places = Json::object();
    for (const Json& view : *views) {
        if (!view.is_string())
            refuse("views", "the name of a view was expected");
        places[view.get<std::string>()] = "";
    }
    *views = std::move(places);
}

using Step = void (*)(Json&);
constexpr std::array<Step, Session::formatVersion - 1> steps{placesOfViews}; // from format 1 on

} // namespace

void migrateSession(Json& session)
{
    if (!session.is_object())
        refuse("", "an object {...} was expected");
    const auto stored = session.find("casimir");
    if (stored == session.end() || !stored->is_number_integer())
        refuse("casimir", "the format version is missing; this is not a Casimir session");
    const auto format = stored->get<std::int64_t>();
    if (format > Session::formatVersion)
        refuse("casimir",
               fmt::format("the session was saved by a newer program (format {}); this one reads up to {}",
                           format, Session::formatVersion));
    if (format < 1)
        refuse("casimir",
               fmt::format("there is no format {}; there are 1 to {}", format, Session::formatVersion));
    for (auto step = static_cast<std::size_t>(format - 1); step < steps.size(); ++step)
        steps[step](session);
    *stored = Session::formatVersion;
}

} // namespace casimir
