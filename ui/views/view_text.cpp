#include "ui/views/view_text.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

std::string typeset(const std::string& number)
{
    std::string text;
    bool exponent = false;
    for (std::size_t i = 0; i < number.size(); ++i) {
        const char c = number[i];
        if (c == 'e' && std::isdigit(static_cast<unsigned char>(number.back()))) {
            text += "×10^{";
            exponent = true;
            if (number[i + 1] == '+')
                ++i;
        } else if (c == '-') {
            text += "−";
        } else if (exponent && c == '0' && i + 1 < number.size() &&
                   (text.back() == '{' || number[i - 1] == '-')) {
            continue; // the leading zero of e-07
        } else {
            text += c;
        }
    }
    return exponent ? text + "}" : text;
}

} // namespace

std::string shownNumber(double x, int digits)
{
    return std::isfinite(x) ? typeset(roundedText(x, digits)) : "–";
}

std::string steadyNumber(double x)
{
    if (!std::isfinite(x))
        return "–";
    const double size = std::abs(x);
    if (size >= 1e5 || (size != 0 && size < 1e-3))
        return size < 1e-12 ? "0.000" : typeset(fmt::format("{:.2e}", x));
    return typeset(fmt::format("{:.{}f}", x, size >= 1000 ? 1 : size >= 100 ? 2 : 3));
}

double wrappedValue(const Quantity& quantity, double x)
{
    return quantity.period > 0 ? std::remainder(x, quantity.period) : x;
}

std::string shownValue(const Quantity& quantity, double x, int digits)
{
    std::string text = quantity.symbol + " = " + shownNumber(wrappedValue(quantity, x), digits);
    return quantity.unit.empty() ? text : text + " " + quantity.unit;
}

QString capitalised(const std::string& text)
{
    QString name = QString::fromStdString(text);
    if (!name.isEmpty())
        name.front() = name.front().toUpper();
    return name;
}

const Quantity* findQuantity(const System& system, const std::string& id)
{
    const auto& all = system.quantities();
    const auto at = std::find_if(all.begin(), all.end(), [&](const Quantity& q) { return q.id == id; });
    return at == all.end() ? nullptr : &*at;
}

QString methodName(const System& system, const std::string& methodId)
{
    for (const MethodInfo& method : system.methods())
        if (method.id == methodId)
            return QString::fromUtf8(method.name.data(), static_cast<qsizetype>(method.name.size()));
    return QString::fromStdString(methodId);
}

} // namespace casimir
