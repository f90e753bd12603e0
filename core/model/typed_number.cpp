#include "core/model/typed_number.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

namespace casimir {

namespace {

using std::numbers::pi;

enum Base { Metre, Kilogram, Second, Radian, baseCount };
using Dimension = std::array<int, baseCount>;
constexpr std::array<const char*, baseCount> baseNames{"m", "kg", "s", "rad"};

constexpr std::pair<std::string_view, std::string_view> spellings[] = {
    {"−", "-"}, {"·", "*"},  {"×", "*"},  {"π", "pi"},   {"°", "deg"}, {"µ", "u"},
    {"μ", "u"}, {"²", "^2"}, {"³", "^3"}, {"⁻¹", "^-1"}, {"⁻²", "^-2"}};

struct Unit {
    std::string_view symbol;
    Dimension dimension;
    double up, down; // so many of the base units: a quotient, since 1/100 is no double
    bool prefixed = false;
};

constexpr Unit units[] = {
    {"m", {1, 0, 0, 0}, 1, 1, true},   {"g", {0, 1, 0, 0}, 1, 1000, true}, {"t", {0, 1, 0, 0}, 1000, 1},
    {"s", {0, 0, 1, 0}, 1, 1, true},   {"min", {0, 0, 1, 0}, 60, 1},       {"h", {0, 0, 1, 0}, 3600, 1},
    {"Hz", {0, 0, -1, 0}, 1, 1, true}, {"N", {1, 1, -2, 0}, 1, 1, true},   {"Pa", {-1, 1, -2, 0}, 1, 1, true},
    {"J", {2, 1, -2, 0}, 1, 1, true},  {"W", {2, 1, -3, 0}, 1, 1, true},   {"rad", {0, 0, 0, 1}, 1, 1, true},
    {"deg", {0, 0, 0, 1}, pi, 180},    {"turn", {0, 0, 0, 1}, 2 * pi, 1},  {"rpm", {0, 0, -1, 1}, pi, 30}};

struct Prefix {
    char letter;
    double up, down;
};
constexpr Prefix prefixes[] = {{'G', 1e9, 1}, {'M', 1e6, 1}, {'k', 1e3, 1}, {'d', 1, 10},
                               {'c', 1, 100}, {'m', 1, 1e3}, {'u', 1, 1e6}, {'n', 1, 1e9}};

// value * up / down of the base units; measured: a unit was named.
struct Measure {
    double value = 1, up = 1, down = 1;
    Dimension dimension{};
    bool measured = false;
};

std::optional<Measure> unitNamed(std::string_view word)
{
    const auto find = [](std::string_view symbol, bool prefixed) {
        return std::find_if(std::begin(units), std::end(units),
                            [=](const Unit& u) { return u.symbol == symbol && (u.prefixed || !prefixed); });
    };
    if (const auto* unit = find(word, false); unit != std::end(units))
        return Measure{1, unit->up, unit->down, unit->dimension, true};
    for (const Prefix& prefix : prefixes)
        if (word.size() > 1 && word.front() == prefix.letter)
            if (const auto* unit = find(word.substr(1), true); unit != std::end(units)) {
                // kg is 1000/1000 of the base unit, which must not leave a rounding.
                const double up = unit->up * prefix.up, down = unit->down * prefix.down;
                const bool one = up == down;
                return Measure{1, one ? 1 : up, one ? 1 : down, unit->dimension, true};
            }
    return std::nullopt;
}

std::string describe(const Dimension& dimension)
{
    std::string text;
    for (std::size_t k :
         {std::size_t{Kilogram}, std::size_t{Metre}, std::size_t{Second}, std::size_t{Radian}})
        if (const int power = dimension[k]; power != 0) {
            text += text.empty() ? "" : " ";
            text += power == 1 ? std::string(baseNames[k]) : fmt::format("{}^{}", baseNames[k], power);
        }
    return text.empty() ? "no unit" : text;
}

bool sameDimension(Dimension a, Dimension b)
{
    const auto onlyAngle = [](const Dimension& d) {
        return d[Metre] == 0 && d[Kilogram] == 0 && d[Second] == 0;
    };
    if (!onlyAngle(a) || !onlyAngle(b))
        a[Radian] = b[Radian] = 0;
    return a == b;
}

class Reader {
public:
    explicit Reader(std::string_view typed) : typed_(typed), plain_(typed)
    {
        for (const auto& [from, to] : spellings)
            for (std::size_t at = plain_.find(from); at != std::string::npos; at = plain_.find(from, at))
                plain_.replace(at, from.size(), to);
        rest_ = plain_;
    }

    Measure all()
    {
        const Measure result = sum();
        if (!skipped().empty())
            throw fail();
        return result;
    }

private:
    Error fail() const { return Error(fmt::format("'{}' is not a number", typed_)); }

    std::string_view skipped()
    {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
        return rest_;
    }
    bool next(char c)
    {
        if (!skipped().starts_with(c))
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    Measure sum()
    {
        Measure left = signedProduct();
        for (;;) {
            const bool minus = skipped().starts_with('-');
            if (!next('+') && !next('-'))
                return left;
            const Measure right = product();
            if (left.measured != right.measured || left.dimension != right.dimension)
                throw Error(fmt::format("'{}' adds what is not of one dimension", typed_));
            const double sum =
                left.value * left.up / left.down + (minus ? -1 : 1) * (right.value * right.up / right.down);
            left = {sum, 1, 1, left.dimension, left.measured};
        }
    }

    Measure signedProduct()
    {
        const bool minus = skipped().starts_with('-');
        if (next('+') || next('-')) {
            if (skipped().starts_with('+') || rest_.starts_with('-'))
                throw fail();
            Measure result = product();
            result.value *= minus ? -1 : 1;
            return result;
        }
        return product();
    }

    Measure product()
    {
        Measure left = power();
        for (;;) {
            const bool beside = startsNamed() || skipped().starts_with('(') || startsReciprocal();
            if (next('*') || beside) {
                multiply(left, power(), 1);
            } else if (next('/')) {
                const Measure right = power();
                if (right.value == 0)
                    throw fail();
                multiply(left, right, -1);
            } else {
                return left;
            }
        }
    }

    // "0.7 1/m", as a field shows it.
    bool startsReciprocal() { return skipped().size() > 2 && rest_.starts_with("1/") && isLetter(rest_[2]); }
    // A letter: pi or a unit, which may stand beside what it multiplies.
    bool startsNamed() { return !skipped().empty() && isLetter(rest_.front()); }
    static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

    static void multiply(Measure& left, const Measure& right, int power)
    {
        left.value = power > 0 ? left.value * right.value : left.value / right.value;
        left.up *= power > 0 ? right.up : right.down;
        left.down *= power > 0 ? right.down : right.up;
        for (std::size_t k = 0; k < baseCount; ++k)
            left.dimension[k] += power * right.dimension[k];
        left.measured = left.measured || right.measured;
    }

    Measure power()
    {
        const Measure base = primary();
        if (!next('^'))
            return base;
        skipped();
        int exponent = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), exponent);
        if (error != std::errc() || std::abs(exponent) > 99)
            throw fail();
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        Measure result;
        result.measured = base.measured;
        for (int i = 0; i < std::abs(exponent); ++i)
            multiply(result, base, exponent < 0 ? -1 : 1);
        return result;
    }

    Measure primary()
    {
        if (next('(')) {
            const Measure inside = sum();
            if (!next(')'))
                throw fail();
            return inside;
        }
        skipped();
        if (rest_.size() > 1 && rest_.front() == '-' && rest_[1] != '-') { // 2*-3
            rest_.remove_prefix(1);
            Measure result = primary();
            result.value = -result.value;
            return result;
        }
        Measure number;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number.value);
        if (error == std::errc::result_out_of_range)
            throw Error(fmt::format("'{}' is too large or too small for a number", typed_));
        if (error == std::errc()) {
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            return number;
        }
        return named();
    }

    Measure named()
    {
        std::size_t length = 0;
        while (length < rest_.size() && isLetter(rest_[length]))
            ++length;
        const std::string_view word = rest_.substr(0, length);
        if (word.empty())
            throw fail();
        rest_.remove_prefix(length);
        if (word == "pi")
            return {pi};
        if (const auto unit = unitNamed(word))
            return *unit;
        throw Error(fmt::format("'{}' is not a number: '{}' is no unit that is known here", typed_, word));
    }

    std::string typed_, plain_;
    std::string_view rest_;
};

} // namespace

double parseNumber(std::string_view text, std::string_view unit)
{
    const Measure typed = Reader(text).all();
    if (!typed.measured)
        return typed.value;
    if (unit.empty())
        throw Error(fmt::format("'{}' is in {}; here a number without a unit is wanted", text,
                                describe(typed.dimension)));
    const Measure wanted = Reader(unit).all();
    if (!sameDimension(typed.dimension, wanted.dimension))
        throw Error(fmt::format("'{}' is in {}; here {} is wanted", text, describe(typed.dimension), unit));
    const double up = typed.up * wanted.down, down = typed.down * wanted.up;
    // Of two whole powers of ten one is 1 after this, so that 7 cm are 7/100 m, rounded once.
    return up >= down ? typed.value * (up / down) : typed.value / (down / up);
}

} // namespace casimir
