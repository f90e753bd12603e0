// Entry: a small tree of numbers and words, which is how a system adds keys of its own to an answer. It is
// written as JSON elsewhere (core/analysis/analysis_json.h); here nothing is parsed or printed.
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace casimir {

class Entry {
public:
    using List = std::vector<Entry>;
    using Fields = std::vector<std::pair<std::string, Entry>>; // in the order in which they were added
    using Content = std::variant<std::monostate, bool, long, double, std::string, List, Fields>;

    Entry() = default;
    Entry(std::nullptr_t) {}
    Entry(const char* word) : content_(std::string(word)) {}
    Entry(std::string word) : content_(std::move(word)) {}
    template <class Number>
    requires std::is_arithmetic_v<Number> Entry(Number x)
    {
        if constexpr (std::is_same_v<Number, bool>)
            content_ = x;
        else if constexpr (std::is_integral_v<Number>)
            content_ = static_cast<long>(x);
        else
            content_ = static_cast<double>(x);
    }
    template <class X>
    Entry(const std::optional<X>& x) : Entry(x ? Entry(*x) : Entry())
    {
    }
    template <class X>
    Entry(const std::vector<X>& list) : content_(List(list.begin(), list.end()))
    {
    }
    Entry(const Eigen::VectorXd& list) : content_(List(list.begin(), list.end())) {}
    // Pairs that begin with a word are fields, {{"energy", 1.5}, {"count", 2}}; anything else is a list.
    Entry(std::initializer_list<Entry> entries);

    Entry(const Entry&);
    Entry(Entry&&) noexcept;
    Entry& operator=(const Entry&);
    Entry& operator=(Entry&&) noexcept;
    ~Entry();

    static Entry array() { return Entry(Content(List())); }
    static Entry object() { return Entry(Content(Fields())); }

    const Content& content() const { return content_; }
    bool isNull() const { return std::holds_alternative<std::monostate>(content_); }
    bool isList() const { return std::holds_alternative<List>(content_); }
    bool isObject() const { return std::holds_alternative<Fields>(content_); }
    // Elements or fields; none of anything else.
    std::size_t size() const;
    bool empty() const { return size() == 0; }

    // The field of that name, made null where there is none yet; nothing becomes an object by it.
    Entry& operator[](std::string_view key);
    // Nothing becomes a list by it.
    void push_back(Entry element);
    // Adds the other's fields, or replaces those of the same name.
    void update(const Entry& other);

    const Entry* find(std::string_view key) const;
    bool contains(std::string_view key) const { return find(key) != nullptr; }
    // Throws Error where there is no such field or element.
    const Entry& at(std::string_view key) const;
    const Entry& at(std::size_t i) const;
    const Fields& fields() const;
    const List& list() const;

    // A number (a truth is 1 or 0), NaN for null; throws Error for a word, a list or an object.
    double number() const;
    const std::string& word() const;
    bool truth() const;

    bool operator==(const Entry& other) const;

private:
    explicit Entry(Content content) : content_(std::move(content)) {}
    Content content_;
};

} // namespace casimir
