#include "core/analysis/analysis_json.h"

#include "core/files/value_json.h"
#include "core/model/kind.h"

#include <nlohmann/json.hpp>

namespace casimir {

using Json = nlohmann::ordered_json;

Json toJson(const Entry& entry)
{
    if (entry.isList()) {
        Json json = Json::array();
        for (const Entry& element : entry.list())
            json.push_back(toJson(element));
        return json;
    }
    if (entry.isObject()) {
        Json json = Json::object();
        for (const auto& [key, value] : entry.fields())
            json[key] = toJson(value);
        return json;
    }
    return std::visit(
        [](const auto& value) -> Json {
            if constexpr (std::is_constructible_v<Json, decltype(value)>)
                return Json(value);
            else
                return nullptr;
        },
        entry.content());
}

Json toJson(const Fact& fact)
{
    return std::visit([](const auto& value) { return Json(value); }, fact.value);
}

Json toJson(const Equilibrium& equilibrium)
{
    Json json;
    json["name"] = equilibrium.name;
    json["state"] = Json::object();
    for (const Fact& fact : equilibrium.state)
        json["state"][fact.quantity.id] = toJson(fact);
    json["energy"] = equilibrium.energy;
    json["spin_rate"] = equilibrium.spinRate ? Json(*equilibrium.spinRate) : Json(nullptr);
    json["eigenvalues"] = Json::array();
    for (const auto& s : equilibrium.eigenvalues)
        json["eigenvalues"].push_back({s.real(), s.imag()});
    if (const auto& variation = equilibrium.secondVariation)
        json["second_variation"] = {{"eigenvalues", variation->eigenvalues},
                                    {"positive", variation->positive},
                                    {"negative", variation->negative},
                                    {"zero", variation->zero}};
    else
        json["second_variation"] = nullptr;
    json["stability"] = equilibrium.stability;
    json["basis"] = equilibrium.basis;
    json["detail"] = equilibrium.detail;
    for (const Fact& fact : equilibrium.more)
        json[fact.quantity.id] = toJson(fact);
    return json;
}

Json toJson(const System& system, const Analysis& analysis)
{
    Json json;
    json["system"] = system.kind().id;
    json["status"] = analysis.status.code;
    if (!analysis.status.sentence.empty())
        json["sentence"] = analysis.status.sentence;
    json["parameters"] = toJson(system.values());
    for (const Alias& alias : system.kind().schema.aliases())
        if (const auto x = alias.read(system.values()))
            json["parameters"][alias.description.id] = *x;
    json["derived"] = Json::object();
    for (const Fact& fact : analysis.derived)
        json["derived"][fact.quantity.id] = toJson(fact);
    json["equilibria"] = Json::array();
    for (const Equilibrium& equilibrium : analysis.equilibria)
        json["equilibria"].push_back(toJson(equilibrium));
    for (const auto& [key, value] : analysis.more.fields())
        json[key] = toJson(value);
    return json;
}

Json toJson(const std::vector<Claim>& claims)
{
    Json json = Json::array();
    for (const Claim& claim : claims) {
        Json entry;
        entry["id"] = claim.id;
        entry["claim"] = claim.statement;
        entry["computed"] = claim.computed;
        entry["digits"] = claim.digits;
        entry["verdict"] = claim.verdict;
        if (!claim.erratum.empty())
            entry["erratum"] = claim.erratum;
        entry["expected"] = claim.expected;
        json.push_back(entry);
    }
    return json;
}

} // namespace casimir
