// The file of `--input`: bodies counted from 0, parent null for the root, absolute angles, momenta.
#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/systems/planar/multibody/multibody_system.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace casimir::planar {

namespace {

using Json = nlohmann::ordered_json;

void allowOnly(const Json& json, const std::string& place, const std::vector<std::string>& known)
{
    if (!json.is_object())
        throw Error(fmt::format("{} must be an object {{...}}", place));
    for (const auto& [key, value] : json.items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw Error(fmt::format("{}: unknown key '{}'; {}", place, key, didYouMean(key, known)));
}

const Json& arrayAt(const Json& json, std::string_view place)
{
    if (!json.is_array())
        throw Error(fmt::format("{} must be a list [...]", place));
    return json;
}

double numberAt(const Json& json, const std::string& place)
{
    if (!json.is_number() || !std::isfinite(json.get<double>()))
        throw Error(fmt::format("{} must be a finite number", place));
    return json.get<double>();
}

double numberOr(const Json& json, const char* key, const std::string& place, double otherwise)
{
    const auto it = json.find(key);
    return it == json.end() ? otherwise : numberAt(*it, fmt::format("{}: {}", place, key));
}

double required(const Json& json, const char* key, const std::string& place)
{
    const auto it = json.find(key);
    if (it == json.end())
        throw Error(fmt::format("{} has no {}", place, key));
    return numberAt(*it, fmt::format("{}: {}", place, key));
}

long bodyNumber(const Json& json, const std::string& place)
{
    if (!json.is_number_integer())
        throw Error(fmt::format("{} must be the number of a body, counted from 0", place));
    return static_cast<long>(json.get<std::int64_t>());
}

Eigen::VectorXd pairOr(const Json& json, const char* key, const std::string& place, bool needed)
{
    const auto it = json.find(key);
    const std::string what = fmt::format("{}: {}", place, key);
    if (it == json.end()) {
        if (needed)
            throw Error(fmt::format("{} has no {}", place, key));
        return Eigen::VectorXd::Zero(2);
    }
    if (!it->is_array() || it->size() != 2)
        throw Error(fmt::format("{} must be two numbers [x, y]", what));
    Eigen::VectorXd x(2);
    x << numberAt((*it)[0], what), numberAt((*it)[1], what);
    return x;
}

RecordList readBodies(const Json& json)
{
    RecordList bodies;
    for (std::size_t k = 0; k < arrayAt(json, "bodies").size(); ++k) {
        const Json& entry = json[k];
        const std::string place = fmt::format("bodies.{}", k);
        allowOnly(entry, place, {"mass", "inertia", "parent", "hinge_on_parent", "hinge_on_body", "name"});
        const double mass = required(entry, "mass", place), inertia = required(entry, "inertia", place);
        for (const auto& [what, x] : {std::pair("mass", mass), std::pair("inertia", inertia)})
            if (!(x > 0))
                throw Error(fmt::format("{} has the {} {}; it must be greater than 0", place, what, x));
        const auto parent = entry.find("parent");
        if (parent == entry.end())
            throw Error(fmt::format("{} has no parent; null makes it the root", place));
        const long p = parent->is_null() ? -1 : bodyNumber(*parent, place + ": parent");
        if (!parent->is_null() && (p < 0 || p >= static_cast<long>(json.size())))
            throw Error(fmt::format("{}: parent {} does not exist; here bodies are counted from 0 to {}",
                                    place, p, json.size() - 1));
        Record record;
        record.set("name", std::string());
        if (const auto name = entry.find("name"); name != entry.end()) {
            if (!name->is_string())
                throw Error(fmt::format("{}: name must be a text", place));
            record.set("name", name->get<std::string>());
        }
        record.set("mass", mass);
        record.set("inertia", inertia);
        record.set("parent", p);
        record.set("hinge_on_parent", pairOr(entry, "hinge_on_parent", place, p >= 0));
        record.set("hinge_on_body", pairOr(entry, "hinge_on_body", place, p >= 0));
        bodies.push_back(std::move(record));
    }
    return bodies;
}

RecordList readJoints(const Json& json)
{
    RecordList joints;
    for (std::size_t i = 0; i < arrayAt(json, "joints").size(); ++i) {
        const Json& entry = json[i];
        const std::string place = fmt::format("joints.{}", i);
        allowOnly(entry, place, {"body", "stiffness", "rest_angle", "damping", "drive"});
        if (!entry.contains("body"))
            throw Error(fmt::format("{} has no body", place));
        Record record;
        record.set("body", bodyNumber(entry["body"], place + ": body"));
        for (const char* key : {"stiffness", "rest_angle", "damping"})
            record.set(key, numberOr(entry, key, place, 0));
        const Json drive = entry.value("drive", Json::object());
        const std::string driven = place + ": drive";
        allowOnly(drive, driven, {"amplitude", "frequency", "phase", "kind"});
        const Json kind = drive.value("kind", Json("torque"));
        if (!kind.is_string())
            throw Error(fmt::format("{}: kind must be \"torque\" or \"motion\"", driven));
        record.set("drive", kind.get<std::string>());
        for (const char* key : {"amplitude", "frequency", "phase"})
            record.set(key, numberOr(drive, key, driven, 0));
        joints.push_back(std::move(record));
    }
    return joints;
}

} // namespace

Input readMultibodyInput(const Kind&, const Json& json)
{
    allowOnly(json, "the file", {"bodies", "joints", "theta", "mu"});
    Input input;
    std::optional<std::size_t> count;
    if (json.contains("bodies")) {
        RecordList bodies = readBodies(json["bodies"]);
        count = bodies.size();
        // The joints of another tree do not fit this one.
        input.assignments.push_back({"joints", RecordList{}});
        input.assignments.push_back({"bodies", std::move(bodies)});
    }
    if (json.contains("joints"))
        input.assignments.push_back({"joints", readJoints(json["joints"])});
    for (const char* key : {"theta", "mu"}) {
        if (!json.contains(key))
            continue;
        const Json& list = arrayAt(json[key], key);
        if (count && list.size() != *count)
            throw Error(fmt::format("{} has {} numbers for {} bodies", key, list.size(), *count));
        double total = 0;
        for (std::size_t k = 0; k < list.size(); ++k) {
            const double x = numberAt(list[k], fmt::format("{}.{}", key, k));
            total += x;
            input.state.emplace_back(fmt::format("{}_{}", key, k + 1), x);
        }
        if (std::string_view(key) == "mu")
            input.assignments.push_back({"mu", total});
    }
    return input;
}

} // namespace casimir::planar
