#include "core/files/object_reader.h"

#include "core/base/error.h"
#include "core/base/suggest.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace casimir {

using Json = nlohmann::ordered_json;

void refuse(const std::string& place, const std::string& reason)
{
    throw Error(place.empty() ? reason : fmt::format("{}: {}", place, reason));
}

const nlohmann::ordered_json& expectArray(const nlohmann::ordered_json& json, const std::string& place)
{
    if (!json.is_array())
        refuse(place, "a list [...] was expected");
    return json;
}

ObjectReader::ObjectReader(const Json& json, std::string place) : json_(json), place_(std::move(place))
{
    if (!json.is_object())
        refuse(place_, "an object {...} was expected");
}

const Json* ObjectReader::take(const std::string& key)
{
    known_.push_back(key);
    const auto it = json_.find(key);
    return it == json_.end() ? nullptr : &*it;
}

std::string ObjectReader::text(const std::string& key, std::string otherwise)
{
    const Json* value = take(key);
    if (!value)
        return otherwise;
    if (!value->is_string())
        refuse(at(key), "a text was expected");
    return value->get<std::string>();
}

double ObjectReader::number(const std::string& key, double otherwise)
{
    const Json* value = take(key);
    return value ? numberAt(*value, at(key)) : otherwise;
}

bool ObjectReader::flag(const std::string& key, bool otherwise)
{
    const Json* value = take(key);
    if (!value)
        return otherwise;
    if (!value->is_boolean())
        refuse(at(key), "true or false was expected");
    return value->get<bool>();
}

void ObjectReader::finish() const
{
    for (const auto& [key, value] : json_.items())
        if (std::find(known_.begin(), known_.end(), key) == known_.end())
            refuse(place_, fmt::format("unknown key '{}'; {}", key, didYouMean(key, known_)));
}

double ObjectReader::numberAt(const Json& json, const std::string& place)
{
    if (!json.is_number())
        refuse(place, "a number was expected");
    const double x = json.get<double>();
    if (!std::isfinite(x))
        refuse(place, "the number is not finite");
    return x;
}

Json parseJson(std::string_view text)
{
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        // The byte offset is turned into a line, which is what an editor shows.
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
        const auto line = 1 + std::count(text.begin(), end, '\n');
        throw Error(fmt::format("line {}: this is not valid JSON", line));
    } catch (const Json::exception& error) {
        throw Error(fmt::format("this is not valid JSON: {}", error.what()));
    }
}

} // namespace casimir
