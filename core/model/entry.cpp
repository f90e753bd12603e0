#include "core/model/entry.h"

#include "core/base/error.h"

#include <algorithm>
#include <limits>

namespace casimir {

namespace {

const Entry::Fields noFields;

bool isField(const Entry& entry)
{
    return entry.isList() && entry.size() == 2 && std::holds_alternative<std::string>(entry.at(0).content());
}

} // namespace

Entry::Entry(std::initializer_list<Entry> entries)
{
    if (!std::all_of(entries.begin(), entries.end(), isField)) {
        content_ = List(entries);
        return;
    }
    Fields fields;
    for (const Entry& entry : entries)
        fields.emplace_back(entry.at(0).word(), entry.at(1));
    content_ = std::move(fields);
}

Entry::Entry(const Entry&) = default;
Entry::Entry(Entry&&) noexcept = default;
Entry& Entry::operator=(const Entry&) = default;
Entry& Entry::operator=(Entry&&) noexcept = default;
Entry::~Entry() = default;

std::size_t Entry::size() const
{
    if (const auto* elements = std::get_if<List>(&content_))
        return elements->size();
    if (const auto* fields = std::get_if<Fields>(&content_))
        return fields->size();
    return 0;
}

Entry& Entry::operator[](std::string_view key)
{
    if (isNull())
        content_ = Fields();
    if (!isObject())
        throw Error("a field was asked of what is not an object: " + std::string(key));
    Fields& fields = std::get<Fields>(content_);
    const auto it =
        std::find_if(fields.begin(), fields.end(), [key](const auto& f) { return f.first == key; });
    return it != fields.end() ? it->second : fields.emplace_back(std::string(key), Entry()).second;
}

void Entry::push_back(Entry element)
{
    if (isNull())
        content_ = List();
    if (!isList())
        throw Error("an element was added to what is not a list");
    std::get<List>(content_).push_back(std::move(element));
}

void Entry::update(const Entry& other)
{
    for (const auto& [key, value] : other.fields())
        (*this)[key] = value;
}

const Entry* Entry::find(std::string_view key) const
{
    const Fields& all = isObject() ? std::get<Fields>(content_) : noFields;
    const auto it = std::find_if(all.begin(), all.end(), [key](const auto& f) { return f.first == key; });
    return it == all.end() ? nullptr : &it->second;
}

const Entry& Entry::at(std::string_view key) const
{
    if (const Entry* found = find(key))
        return *found;
    throw Error("there is no entry '" + std::string(key) + "'");
}

const Entry& Entry::at(std::size_t i) const
{
    const List& all = list();
    if (i >= all.size())
        throw Error("there is no element " + std::to_string(i) + " in a list of " +
                    std::to_string(all.size()));
    return all[i];
}

const Entry::Fields& Entry::fields() const
{
    if (!isObject() && !isNull())
        throw Error("fields were asked of what is not an object");
    return isNull() ? noFields : std::get<Fields>(content_);
}

const Entry::List& Entry::list() const
{
    if (!isList())
        throw Error("elements were asked of what is not a list");
    return std::get<List>(content_);
}

double Entry::number() const
{
    if (isNull())
        return std::numeric_limits<double>::quiet_NaN();
    if (const auto* x = std::get_if<double>(&content_))
        return *x;
    if (const auto* n = std::get_if<long>(&content_))
        return static_cast<double>(*n);
    return truth() ? 1 : 0;
}

const std::string& Entry::word() const
{
    if (const auto* word = std::get_if<std::string>(&content_))
        return *word;
    throw Error("a word was asked of what is none");
}

bool Entry::truth() const
{
    if (const auto* truth = std::get_if<bool>(&content_))
        return *truth;
    throw Error("a number or a truth was asked of what is neither");
}

bool Entry::operator==(const Entry& other) const
{
    return content_ == other.content_;
}

} // namespace casimir
