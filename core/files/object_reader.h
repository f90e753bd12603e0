// Reads a JSON object key by key, so that what is wrong is refused with its place and what is left over at
// the end was not known. Shared by everything that is kept as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace casimir {

// Throws Error: "place: reason", or the reason alone where the place is the whole.
[[noreturn]] void refuse(const std::string& place, const std::string& reason);

// The value itself, where it is an array.
const nlohmann::ordered_json& expectArray(const nlohmann::ordered_json& json, const std::string& place);

class ObjectReader {
public:
    using Json = nlohmann::ordered_json;

    ObjectReader(const Json& json, std::string place);

    const Json* take(const std::string& key);
    std::string text(const std::string& key, std::string otherwise = {});
    double number(const std::string& key, double otherwise);
    bool flag(const std::string& key, bool otherwise);
    void finish() const; // refuses a key that was never asked for
    std::string at(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }

    static double numberAt(const Json& json, const std::string& place);

private:
    const Json& json_;
    std::string place_;
    std::vector<std::string> known_;
};

// The text as JSON; throws Error with the line where it is damaged.
nlohmann::ordered_json parseJson(std::string_view text);

} // namespace casimir
