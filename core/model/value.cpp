#include "core/model/value.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace casimir {

namespace {

template <class T>
const T& typed(const Record& record, std::string_view id, const char* type)
{
    const Value* value = record.find(id);
    if (!value)
        throw Error(fmt::format("there is no parameter '{}'", id));
    const T* result = std::get_if<T>(value);
    if (!result)
        throw Error(fmt::format("parameter '{}' is not {}", id, type));
    return *result;
}

Eigen::Index parseIndex(std::string_view part, Eigen::Index count, std::string_view address)
{
    long index = -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (error != std::errc() || end != part.data() + part.size())
        throw Error(fmt::format("'{}' in '{}' is not a number counted from 0", part, address));
    if (index < 0 || index >= count)
        throw Error(
            fmt::format("'{}' names element {}, but there are {} (counted from 0)", address, index, count));
    return index;
}

// Walks to the element at `parts` and hands it to `visit`: a Value&, or a double& inside a vector or matrix.
template <class RecordT, class Visit>
void walk(RecordT& record, const std::vector<std::string_view>& parts, std::size_t at,
          std::string_view address, const Visit& visit)
{
    auto* value = record.find(parts[at]);
    if (!value)
        throw Error(fmt::format("there is no parameter '{}' in '{}'", parts[at], address));
    const std::size_t rest = parts.size() - at - 1;
    if (rest == 0)
        return visit(*value);
    if (auto* list = std::get_if<RecordList>(value); list && rest >= 2) {
        const auto index = parseIndex(parts[at + 1], static_cast<Eigen::Index>(list->size()), address);
        return walk((*list)[static_cast<std::size_t>(index)], parts, at + 2, address, visit);
    }
    if (auto* vector = std::get_if<Eigen::VectorXd>(value); vector && rest == 1)
        return visit((*vector)(parseIndex(parts[at + 1], vector->size(), address)));
    if (auto* matrix = std::get_if<Eigen::MatrixXd>(value); matrix && rest == 2)
        return visit((*matrix)(parseIndex(parts[at + 1], matrix->rows(), address),
                               parseIndex(parts[at + 2], matrix->cols(), address)));
    throw Error(fmt::format("'{}' does not name a value", address));
}

} // namespace

bool equal(const Value& a, const Value& b)
{
    if (a.index() != b.index())
        return false;
    return std::visit(
        [&b](const auto& x) {
            using T = std::decay_t<decltype(x)>;
            const T& y = std::get<T>(b);
            if constexpr (std::is_same_v<T, Eigen::VectorXd> || std::is_same_v<T, Eigen::MatrixXd>)
                return x.rows() == y.rows() && x.cols() == y.cols() && x == y;
            else
                return x == y;
        },
        a);
}

const Value* Record::find(std::string_view id) const
{
    const auto it =
        std::find_if(fields.begin(), fields.end(), [id](const auto& field) { return field.first == id; });
    return it == fields.end() ? nullptr : &it->second;
}

Value* Record::find(std::string_view id)
{
    return const_cast<Value*>(std::as_const(*this).find(id));
}

double Record::real(std::string_view id) const
{
    return typed<double>(*this, id, "a number");
}

long Record::integer(std::string_view id) const
{
    return typed<long>(*this, id, "a whole number");
}

const std::string& Record::choice(std::string_view id) const
{
    return typed<std::string>(*this, id, "a choice");
}

const Eigen::VectorXd& Record::vector(std::string_view id) const
{
    return typed<Eigen::VectorXd>(*this, id, "a vector");
}

const Eigen::MatrixXd& Record::matrix(std::string_view id) const
{
    return typed<Eigen::MatrixXd>(*this, id, "a matrix");
}

const RecordList& Record::list(std::string_view id) const
{
    return typed<RecordList>(*this, id, "a list");
}

void Record::set(std::string_view id, Value value)
{
    if (Value* present = find(id))
        *present = std::move(value);
    else
        fields.emplace_back(std::string(id), std::move(value));
}

Value Record::at(std::string_view address) const
{
    Value result;
    walk(*this, splitAddress(address), 0, address, [&result](const auto& element) { result = element; });
    return result;
}

void Record::setAt(std::string_view address, const Value& value)
{
    walk(*this, splitAddress(address), 0, address, [&](auto& element) {
        if constexpr (std::is_same_v<std::decay_t<decltype(element)>, double>) {
            const double* number = std::get_if<double>(&value);
            if (!number)
                throw Error(fmt::format("'{}' takes a number", address));
            element = *number;
        } else {
            element = value;
        }
    });
}

bool Record::operator==(const Record& other) const
{
    return std::equal(
        fields.begin(), fields.end(), other.fields.begin(), other.fields.end(),
        [](const auto& a, const auto& b) { return a.first == b.first && equal(a.second, b.second); });
}

std::vector<std::string_view> splitAddress(std::string_view address)
{
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= address.size();) {
        const std::size_t dot = std::min(address.find('.', begin), address.size());
        parts.push_back(address.substr(begin, dot - begin));
        begin = dot + 1;
    }
    return parts;
}

} // namespace casimir
