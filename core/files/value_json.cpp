#include "core/files/value_json.h"

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/files/object_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace casimir {

namespace {

using Json = nlohmann::ordered_json;

Record recordFromJson(const std::vector<Parameter>& parameters, const Json& json, const std::string& place)
{
    ObjectReader reader(json, place);
    Record record;
    for (const Parameter& parameter : parameters) {
        const Json* value = reader.take(parameter.id);
        record.set(parameter.id, value ? valueFromJson(parameter, *value, reader.at(parameter.id))
                                       : parameter.defaultValue);
    }
    reader.finish();
    return record;
}

} // namespace

Json toJson(const Value& value)
{
    return std::visit(
        [](const auto& x) -> Json {
            using T = std::decay_t<decltype(x)>;
            if constexpr (std::is_same_v<T, Eigen::VectorXd>) {
                return std::vector<double>(x.data(), x.data() + x.size());
            } else if constexpr (std::is_same_v<T, Eigen::MatrixXd>) {
                Json rows = Json::array();
                for (Eigen::Index i = 0; i < x.rows(); ++i) {
                    Json row = Json::array();
                    for (Eigen::Index j = 0; j < x.cols(); ++j)
                        row.push_back(x(i, j));
                    rows.push_back(row);
                }
                return rows;
            } else if constexpr (std::is_same_v<T, RecordList>) {
                Json list = Json::array();
                for (const Record& record : x)
                    list.push_back(toJson(record));
                return list;
            } else {
                return x;
            }
        },
        value);
}

Json toJson(const Record& record)
{
    Json json = Json::object();
    for (const auto& [id, value] : record.fields)
        json[id] = toJson(value);
    return json;
}

Value valueFromJson(const Parameter& parameter, const Json& json, const std::string& place)
{
    // An address may lead to one element of a vector or matrix; then a number is what it takes.
    if (json.is_number() &&
        (parameter.type == ParameterType::Vector || parameter.type == ParameterType::Matrix))
        return ObjectReader::numberAt(json, place);
    switch (parameter.type) {
    case ParameterType::Real:
        return ObjectReader::numberAt(json, place);
    case ParameterType::Integer:
        if (!json.is_number_integer())
            refuse(place, "a whole number was expected");
        return static_cast<long>(json.get<std::int64_t>());
    case ParameterType::Choice:
    case ParameterType::Text:
        if (!json.is_string())
            refuse(place, "a text was expected");
        return json.get<std::string>();
    case ParameterType::Vector: {
        Eigen::VectorXd vector(static_cast<Eigen::Index>(expectArray(json, place).size()));
        for (Eigen::Index i = 0; i < vector.size(); ++i)
            vector(i) =
                ObjectReader::numberAt(json[static_cast<std::size_t>(i)], fmt::format("{}.{}", place, i));
        return vector;
    }
    case ParameterType::Matrix: {
        const std::size_t rows = expectArray(json, place).size();
        const std::size_t columns = rows ? expectArray(json[0], place + ".0").size() : 0;
        Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
        for (std::size_t i = 0; i < rows; ++i) {
            const std::string row = fmt::format("{}.{}", place, i);
            if (expectArray(json[i], row).size() != columns)
                refuse(row, "all rows must have the same length");
            for (std::size_t j = 0; j < columns; ++j)
                matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                    ObjectReader::numberAt(json[i][j], fmt::format("{}.{}", row, j));
        }
        return matrix;
    }
    case ParameterType::List: {
        RecordList list;
        for (std::size_t i = 0; i < expectArray(json, place).size(); ++i)
            list.push_back(recordFromJson(parameter.fields, json[i], fmt::format("{}.{}", place, i)));
        return list;
    }
    }
    return {};
}

} // namespace casimir
