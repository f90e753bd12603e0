#include "core/analysis/known_digits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

namespace {

constexpr int kDigitsOfTheUnknown = 3;
constexpr int kDigitsOfAnError = 2;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double toDigits(double x, int digits)
{
    if (x == 0 || !std::isfinite(x))
        return x;
    const int exponent = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(x))));
    // Powers of ten are exact up to 22, so the nearest double of the decimal comes out.
    if (std::abs(exponent) > 22)
        return x;
    const double unit = std::pow(10, std::abs(exponent));
    return exponent >= 0 ? std::round(x * unit) / unit : std::round(x / unit) * unit;
}

bool isNumber(const Entry& entry)
{
    return std::holds_alternative<double>(entry.content()) || std::holds_alternative<long>(entry.content());
}

// The error of one number: NaN where the list is shorter or says nothing.
double errorAt(const Entry* list, std::size_t i)
{
    if (!list || !list->isList() || i >= list->size() || list->at(i).isNull())
        return unknown;
    return list->at(i).number();
}

Entry rounded(const Entry& x, const Entry& error)
{
    if (isNumber(x) && (isNumber(error) || error.isNull()))
        return known(x.number(), error.number());
    if (x.isList() && error.isList()) {
        Entry list = Entry::array();
        for (std::size_t i = 0; i < x.size(); ++i)
            list.push_back(i < error.size() ? rounded(x.at(i), error.at(i)) : x.at(i));
        return list;
    }
    return x;
}

Entry roundedError(const Entry& error)
{
    if (isNumber(error))
        return toDigits(error.number(), kDigitsOfAnError);
    if (error.isList()) {
        Entry list = Entry::array();
        for (const Entry& each : error.list())
            list.push_back(roundedError(each));
        return list;
    }
    if (!error.isObject())
        return error;
    Entry object = Entry::object();
    for (const auto& [key, value] : error.fields())
        object[key] = roundedError(value);
    return object;
}

Entry roundedFields(const Entry& entry)
{
    if (!entry.isObject())
        return entry;
    const Entry* error = entry.find("error");
    Entry object = Entry::object();
    for (const auto& [key, value] : entry.fields()) {
        if (key == "error")
            object[key] = roundedError(value);
        else if (error && error->isObject() && error->contains(key))
            object[key] = rounded(value, error->at(key));
        else if (error && !error->isObject() && key == "value")
            object[key] = rounded(value, *error);
        else
            object[key] = roundedFields(value);
    }
    return object;
}

void roundEquilibrium(Equilibrium& e, const Entry& error)
{
    if (const Entry* energy = error.find("energy"))
        e.energy = known(e.energy, energy->number());
    for (auto* facts : {&e.state, &e.more})
        for (Fact& fact : *facts)
            if (const Entry* own = error.find(fact.quantity.id))
                if (double* x = std::get_if<double>(&fact.value))
                    *x = known(*x, own->number());
    if (const Entry* values = error.find("eigenvalues"))
        for (std::size_t i = 0; i < e.eigenvalues.size(); ++i) {
            const Entry* own = i < values->size() ? &values->at(i) : nullptr;
            e.eigenvalues[i] = {known(e.eigenvalues[i].real(), errorAt(own, 0)),
                                known(e.eigenvalues[i].imag(), errorAt(own, 1))};
        }
    if (const Entry* squares = error.find("second_variation"); squares && e.secondVariation)
        for (std::size_t i = 0; i < e.secondVariation->eigenvalues.size(); ++i) {
            double& x = e.secondVariation->eigenvalues[i];
            x = known(x, errorAt(squares, i));
        }
}

} // namespace

double known(double x, double error)
{
    if (!std::isfinite(x) || x == 0)
        return x;
    if (!std::isfinite(error))
        return toDigits(x, kDigitsOfTheUnknown);
    if (error <= 0)
        return x;
    const double digits = std::floor(std::log10(std::abs(x))) - std::ceil(std::log10(2 * error)) + 1;
    if (digits < 1)
        return 0;
    return digits > std::numeric_limits<double>::digits10 ? x : toDigits(x, static_cast<int>(digits));
}

Analysis asKnown(Analysis analysis)
{
    if (const Entry* error = analysis.more.find("error"))
        if (const Entry* own = error->find("equilibrium"); own && analysis.equilibria.size() == 1)
            roundEquilibrium(analysis.equilibria.front(), *own);
    analysis.more = roundedFields(analysis.more);
    return analysis;
}

} // namespace casimir
