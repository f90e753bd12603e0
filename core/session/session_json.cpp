#include "core/session/session_json.h"

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/files/object_reader.h"
#include "core/files/value_json.h"
#include "core/model/live_input.h"
#include "core/session/session_migration.h"
#include "core/systems/catalogue.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace casimir {

using Json = nlohmann::ordered_json;

namespace {

Json stateToJson(const StateInputs& state)
{
    Json json = Json::object();
    for (const auto& [id, x] : state)
        json[id] = x;
    return json;
}

StateInputs stateFromJson(const Json& json, const std::string& place)
{
    if (!json.is_object())
        refuse(place, "an object {...} was expected");
    StateInputs state;
    for (const auto& [id, x] : json.items())
        state.emplace_back(id, ObjectReader::numberAt(x, place + "." + id));
    return state;
}

Json motionToJson(const Motion& motion)
{
    Json json;
    json["label"] = motion.label;
    if (!motion.method.empty())
        json["method"] = motion.method;
    json["state"] = stateToJson(motion.state);
    if (!motion.overrides.empty()) {
        Json overrides = Json::object();
        for (const Assignment& assignment : motion.overrides)
            overrides[assignment.address] = toJson(assignment.value);
        json["parameters"] = overrides;
    }
    if (motion.from)
        json["from"] = {{"t", motion.from->t}, {"state", stateToJson(motion.from->state)}};
    const Accuracy standard;
    if (motion.options.rtol != standard.rtol)
        json["rtol"] = motion.options.rtol;
    if (motion.options.step != standard.step)
        json["step"] = motion.options.step;
    if (motion.input) {
        Json samples = Json::array();
        for (const InputSample& sample : motion.input->samples)
            samples.push_back({sample.t, sample.value});
        json["input"] = samples;
    }
    if (!motion.visible)
        json["visible"] = false;
    json["colour"] = motion.colour;
    return json;
}

Motion motionFromJson(const Kind& kind, const Json& json, const std::string& place, int index)
{
    ObjectReader reader(json, place);
    Motion motion;
    motion.label = reader.text("label", fmt::format("Motion {}", index + 1));
    motion.method = reader.text("method");
    if (const Json* state = reader.take("state"))
        motion.state = stateFromJson(*state, reader.at("state"));
    if (const Json* overrides = reader.take("parameters")) {
        const std::string at = reader.at("parameters");
        if (!overrides->is_object())
            refuse(at, "an object {...} was expected");
        for (const auto& [address, value] : overrides->items())
            motion.overrides.push_back(
                {address, valueFromJson(kind.schema.resolve(address), value, at + "." + address)});
    }
    if (const Json* from = reader.take("from")) {
        ObjectReader segment(*from, reader.at("from"));
        motion.from.emplace().t = segment.number("t", 0);
        if (const Json* state = segment.take("state"))
            motion.from->state = stateFromJson(*state, segment.at("state"));
        segment.finish();
    }
    motion.options.rtol = reader.number("rtol", motion.options.rtol);
    motion.options.step = reader.number("step", motion.options.step);
    if (motion.options.rtol <= 0 || motion.options.step < 0)
        refuse(place, "rtol must be greater than 0 and step at least 0");
    if (const Json* input = reader.take("input")) {
        const std::string at = reader.at("input");
        std::vector<InputSample> samples;
        for (const Json& pair : expectArray(*input, at)) {
            if (!pair.is_array() || pair.size() != 2)
                refuse(at, "pairs [time, value] were expected");
            samples.push_back({ObjectReader::numberAt(pair[0], at), ObjectReader::numberAt(pair[1], at)});
        }
        try {
            (void)LiveInput(samples);
            motion.input = {std::move(samples), false};
        } catch (const Error& error) {
            refuse(at, error.what());
        }
    }
    motion.visible = reader.flag("visible", true);
    motion.colour = static_cast<int>(reader.number("colour", index));
    reader.finish();
    return motion;
}

std::vector<ShownView> viewsFromJson(const Json& json)
{
    static const std::vector<std::string> places{"", "centre", "left", "right", "top", "bottom", "floating"};
    if (!json.is_object())
        refuse("views", "an object {...} was expected");
    std::vector<ShownView> views;
    for (const auto& [id, place] : json.items()) {
        const std::string at = "views." + id;
        if (!place.is_string())
            refuse(at, "the place of the view was expected");
        const auto text = place.get<std::string>();
        const bool shares = text.starts_with("with ") &&
                            std::any_of(views.begin(), views.end(),
                                        [&](const ShownView& v) { return "with " + v.id == text; });
        if (!shares && std::find(places.begin(), places.end(), text) == places.end())
            refuse(at,
                   fmt::format("'{}' is no place; there are centre, left, right, top, bottom, floating and "
                               "'with' a view listed before",
                               text));
        views.push_back({id, text});
    }
    return views;
}

// Throws where the system itself would refuse the session: its values, a state, a method, a view.
void checkAgainstSystem(const Kind& kind, const Session& session)
{
    for (std::size_t i = 0; i < session.motions.size(); ++i) {
        const Motion& motion = session.motions[i];
        const std::string place = fmt::format("motions.{}", i);
        try {
            const auto system = kind.make(valuesOf(kind, session, motion));
            (void)system->start(motion.state);
            if (motion.from)
                (void)stateOf(*system, *motion.from);
            const auto methods = system->methods();
            if (!motion.method.empty() &&
                std::none_of(methods.begin(), methods.end(),
                             [&](const MethodInfo& method) { return method.id == motion.method; })) {
                std::vector<std::string> known;
                for (const MethodInfo& method : methods)
                    known.emplace_back(method.id);
                throw Error(
                    fmt::format("unknown method '{}'; {}", motion.method, didYouMean(motion.method, known)));
            }
        } catch (const Error& error) {
            refuse(place, error.what());
        }
    }
}

} // namespace

bool isSessionFile(std::string_view path)
{
    return path.ends_with(".casimir") || path.ends_with(".json");
}

std::string writeSession(const Session& session)
{
    Json json;
    json["casimir"] = Session::formatVersion;
    json["system"] = session.kind;
    json["title"] = session.title;
    json["about"] = session.about;
    json["parameters"] = toJson(session.values);
    Json motions = Json::array();
    for (const Motion& motion : session.motions)
        motions.push_back(motionToJson(motion));
    json["motions"] = motions;
    json["run"] = {{"t_end", session.run.tEnd}, {"speed", session.run.speed}, {"loop", session.run.loop}};
    json["views"] = Json::object();
    for (const ShownView& view : session.views)
        json["views"][view.id] = view.place;
    if (!session.options.empty())
        json["options"] = session.options;
    if (!session.limits.empty()) {
        Json limits = Json::object();
        for (const auto& [address, limit] : session.limits)
            limits[address] = {limit.min, limit.max};
        json["limits"] = limits;
    }
    if (!session.ghosts.empty()) {
        Json ghosts = Json::array();
        for (const StateInputs& ghost : session.ghosts)
            ghosts.push_back(stateToJson(ghost));
        json["ghosts"] = ghosts;
    }
    if (!session.notes.empty())
        json["notes"] = session.notes;
    return json.dump(2) + "\n";
}

Session readSession(std::string_view text)
{
    Json json = parseJson(text);
    migrateSession(json);
    ObjectReader reader(json, "");
    (void)reader.take("casimir");
    Session session;
    session.kind = reader.text("system");
    const Kind& kind = kindNamed(session.kind);
    session.title = reader.text("title", kind.title);
    session.about = reader.text("about");
    session.values = kind.schema.defaults();
    if (const Json* parameters = reader.take("parameters"))
        session.values = recordFromJson(kind.schema.parameters(), *parameters, "parameters");
    try {
        kind.schema.check(session.values);
    } catch (const Error& error) {
        refuse("parameters", error.what());
    }
    if (const Json* motions = reader.take("motions"))
        for (std::size_t i = 0; i < expectArray(*motions, "motions").size(); ++i)
            session.motions.push_back(
                motionFromJson(kind, (*motions)[i], fmt::format("motions.{}", i), static_cast<int>(i)));
    if (session.motions.empty())
        session.motions = defaultSession(kind).motions;
    if (const Json* run = reader.take("run")) {
        ObjectReader runReader(*run, "run");
        session.run.tEnd = runReader.number("t_end", session.run.tEnd);
        session.run.speed = runReader.number("speed", session.run.speed);
        session.run.loop = runReader.flag("loop", session.run.loop);
        runReader.finish();
        if (session.run.tEnd <= 0 || session.run.speed == 0)
            refuse("run", "t_end must be greater than 0 and speed must not be 0");
    }
    if (const Json* views = reader.take("views"))
        session.views = viewsFromJson(*views);
    if (const Json* options = reader.take("options")) {
        if (!options->is_object())
            refuse("options", "an object {...} was expected");
        for (const auto& [key, value] : options->items()) {
            if (!value.is_string())
                refuse("options." + key, "a text was expected");
            session.options[key] = value.get<std::string>();
        }
    }
    if (const Json* limits = reader.take("limits")) {
        if (!limits->is_object())
            refuse("limits", "an object {...} was expected");
        for (const auto& [address, pair] : limits->items()) {
            const std::string place = "limits." + address;
            (void)kind.schema.resolve(address);
            if (expectArray(pair, place).size() != 2)
                refuse(place, "two numbers were expected");
            const SliderLimits limit{ObjectReader::numberAt(pair[0], place),
                                     ObjectReader::numberAt(pair[1], place)};
            if (!(limit.min < limit.max))
                refuse(place, "the lower limit must be below the upper");
            session.limits[address] = limit;
        }
    }
    if (const Json* ghosts = reader.take("ghosts"))
        for (std::size_t i = 0; i < expectArray(*ghosts, "ghosts").size(); ++i)
            session.ghosts.push_back(stateFromJson((*ghosts)[i], fmt::format("ghosts.{}", i)));
    session.notes = reader.text("notes");
    reader.finish();
    checkAgainstSystem(kind, session);
    return session;
}

Input readInput(const Kind& kind, std::string_view text)
{
    const Json json = parseJson(text);
    if (kind.readInput)
        return kind.readInput(kind, json);
    Input input;
    ObjectReader reader(json, "");
    for (const Parameter& parameter : kind.schema.parameters())
        if (const Json* value = reader.take(parameter.id))
            input.assignments.push_back({parameter.id, valueFromJson(parameter, *value, parameter.id)});
    for (const Alias& alias : kind.schema.aliases())
        if (const Json* value = reader.take(alias.description.id))
            input.assignments.push_back(
                {alias.description.id, valueFromJson(alias.description, *value, alias.description.id)});
    if (const Json* state = reader.take("state"))
        input.state = stateFromJson(*state, "state");
    reader.finish();
    return input;
}

} // namespace casimir
