#include "core/analysis/equilibria_table.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace casimir {

namespace {

constexpr const char* minusSign = "−";

// Below this a part of an eigenvalue is rounding of the others.
constexpr double negligible = 1e-12;
// How near a multiple of π/4 an angle must be to be called so: the last digits of a double.
constexpr double angleTolerance = 1e-14;

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

std::string rounded(double x, int digits)
{
    if (std::isnan(x))
        return "–";
    return digits > 0 ? replaced(roundedText(x + 0.0, digits), "-", minusSign) : numberText(x + 0.0);
}

std::string angleSymbol(double x)
{
    const double quarters = x / (std::numbers::pi / 4);
    const double whole = std::round(quarters);
    if (whole == 0 || !(std::abs(whole) <= 16) ||
        std::abs(quarters - whole) > angleTolerance * std::max(1.0, std::abs(quarters)))
        return {};
    long numerator = std::lround(std::abs(whole)), denominator = 4;
    while (denominator > 1 && numerator % 2 == 0) {
        numerator /= 2;
        denominator /= 2;
    }
    return (whole < 0 ? minusSign : "") + (numerator == 1 ? std::string() : std::to_string(numerator)) + "π" +
           (denominator == 1 ? std::string() : "/" + std::to_string(denominator));
}

std::string imaginary(double magnitude, int digits)
{
    return rounded(magnitude, digits) + "i";
}

// The columns of all forms: ids for CSV, typeset heads, and how an entry is written.
struct Column {
    std::string id;
    std::string head; // in the markup of Quantity
    std::string unit;
    std::function<std::string(const Equilibrium&)> text;
    bool symbol = false; // the head is mathematics
};

const Fact* factNamed(const std::vector<Fact>& facts, const std::string& id)
{
    const auto it =
        std::find_if(facts.begin(), facts.end(), [&id](const Fact& f) { return f.quantity.id == id; });
    return it == facts.end() ? nullptr : &*it;
}

std::vector<Quantity> stateQuantities(const Analysis& analysis)
{
    std::vector<Quantity> quantities;
    for (const Equilibrium& e : analysis.equilibria)
        for (const Fact& fact : e.state)
            if (std::none_of(quantities.begin(), quantities.end(),
                             [&fact](const Quantity& q) { return q.id == fact.quantity.id; }))
                quantities.push_back(fact.quantity);
    return quantities;
}

bool anySpin(const Analysis& analysis)
{
    return std::any_of(analysis.equilibria.begin(), analysis.equilibria.end(),
                       [](const Equilibrium& e) { return e.spinRate.has_value(); });
}

std::vector<Column> readableColumns(const Analysis& analysis, int digits)
{
    std::vector<Column> columns;
    columns.push_back({"name", "state", "", [](const Equilibrium& e) { return e.title; }});
    for (const Quantity& q : stateQuantities(analysis))
        columns.push_back({q.id, q.symbol, q.unit,
                           [id = q.id, digits](const Equilibrium& e) {
                               const Fact* fact = factNamed(e.state, id);
                               return fact ? factText(*fact, digits) : std::string();
                           },
                           true});
    if (anySpin(analysis))
        columns.push_back(
            {"spin_rate", "ω", "rad/s",
             [digits](const Equilibrium& e) { return e.spinRate ? rounded(*e.spinRate, digits) : ""; },
             true});
    columns.push_back(
        {"energy", "H", "J", [digits](const Equilibrium& e) { return rounded(e.energy, digits); }, true});
    columns.push_back({"eigenvalues", "s", "1/s",
                       [digits](const Equilibrium& e) { return eigenvalueText(e.eigenvalues, digits); },
                       true});
    columns.push_back({"second_variation", "δ^2H", "",
                       [](const Equilibrium& e) {
                           return e.secondVariation ? signatureText(*e.secondVariation) : std::string();
                       },
                       true});
    columns.push_back({"stability", "verdict", "", [](const Equilibrium& e) { return e.stability; }});
    return columns;
}

std::string quoted(const std::string& word)
{
    if (word.find_first_of(",\"\n") == std::string::npos)
        return word;
    return "\"" + replaced(word, "\"", "\"\"") + "\"";
}

// Letters of the program's own symbols; anything else stays as it is, for engines that read UTF-8.
std::string latexMath(std::string text)
{
    static constexpr std::pair<const char*, const char*> letters[] = {
        {"Ĩ", "\\tilde I"}, {"α", "\\alpha "},  {"β", "\\beta "},
        {"γ", "\\gamma "},  {"δ", "\\delta "},  {"ε", "\\varepsilon "},
        {"ζ", "\\zeta "},   {"η", "\\eta "},    {"θ", "\\theta "},
        {"κ", "\\kappa "},  {"λ", "\\lambda "}, {"μ", "\\mu "},
        {"ν", "\\nu "},     {"ξ", "\\xi "},     {"π", "\\pi "},
        {"ρ", "\\rho "},    {"σ", "\\sigma "},  {"τ", "\\tau "},
        {"φ", "\\varphi "}, {"χ", "\\chi "},    {"ψ", "\\psi "},
        {"ω", "\\omega "},  {"Δ", "\\Delta "},  {"Θ", "\\Theta "},
        {"Λ", "\\Lambda "}, {"Π", "\\Pi "},     {"Σ", "\\Sigma "},
        {"Φ", "\\Phi "},    {"Ψ", "\\Psi "},    {"Ω", "\\Omega "},
        {"±", "\\pm "},     {"−", "-"},         {"–", "\\text{--}"},
        {"²", "^2"},        {"³", "^3"},        {"⁻¹", "^{-1}"},
        {"·", "\\cdot "}};
    for (const auto& [from, to] : letters)
        text = replaced(std::move(text), from, to);
    // A command's space is not needed before what cannot continue its name.
    for (const char* next : {"_", "^", "/", ",", "}", "\\", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"})
        text = replaced(std::move(text), std::string(" ") + next, next[0] == '\\' ? " \\" : next);
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

std::string latexText(std::string text)
{
    text = replaced(std::move(text), "\\", "\\textbackslash ");
    for (const char* c : {"&", "%", "$", "#", "_", "{", "}"})
        text = replaced(std::move(text), c, std::string("\\") + c);
    return text;
}

} // namespace

std::string factText(const Fact& fact, int digits)
{
    if (const auto* word = std::get_if<std::string>(&fact.value))
        return fact.title.empty() ? *word : fact.title;
    const double x = std::get<double>(fact.value);
    if (digits > 0 && fact.quantity.period > 0)
        if (std::string symbol = angleSymbol(x); !symbol.empty())
            return symbol;
    return rounded(x, digits);
}

std::string eigenvalueText(const std::vector<std::complex<double>>& eigenvalues, int digits)
{
    double scale = 0;
    for (const auto& s : eigenvalues)
        scale = std::max(scale, std::abs(s));
    const double small = scale * negligible;
    const auto near = [small](std::complex<double> a, std::complex<double> b) {
        return std::abs(a - b) <= 8 * small;
    };

    std::vector<bool> taken(eigenvalues.size(), false);
    const auto take = [&](std::complex<double> s, std::size_t after) {
        for (std::size_t i = after + 1; i < eigenvalues.size(); ++i)
            if (!taken[i] && near(eigenvalues[i], s)) {
                taken[i] = true;
                return true;
            }
        return false;
    };
    std::string text;
    for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
        if (taken[i])
            continue;
        const std::complex<double> s = eigenvalues[i];
        const double re = std::abs(s.real()) > small ? s.real() : 0,
                     im = std::abs(s.imag()) > small ? s.imag() : 0;
        std::string entry;
        if (re == 0 && im == 0)
            entry = "0";
        else if (im == 0)
            entry = take(-s, i) ? "±" + rounded(std::abs(re), digits) : rounded(re, digits);
        else if (re == 0)
            entry = take(std::conj(s), i) ? "±" + imaginary(std::abs(im), digits)
                                          : (im < 0 ? minusSign : "") + imaginary(std::abs(im), digits);
        else if (take(std::conj(s), i)) {
            const bool quadruple = take(-s, i) && take(-std::conj(s), i);
            entry = (quadruple ? "±" + rounded(std::abs(re), digits) : rounded(re, digits)) + " ± " +
                    imaginary(std::abs(im), digits);
        } else {
            entry = rounded(re, digits) + (im < 0 ? " − " : " + ") + imaginary(std::abs(im), digits);
        }
        text += (text.empty() ? "" : ", ") + entry;
    }
    return text;
}

std::string signatureText(const SecondVariation& variation)
{
    std::string text;
    const auto add = [&text](int n, const char* sign) {
        for (int i = 0; i < n; ++i)
            text += sign;
    };
    add(variation.negative, minusSign);
    add(variation.zero, "0");
    add(variation.positive, "+");
    return text;
}

std::string equilibriaCsv(const Analysis& analysis)
{
    std::size_t eigenvalues = 0, variations = 0;
    for (const Equilibrium& e : analysis.equilibria) {
        eigenvalues = std::max(eigenvalues, e.eigenvalues.size());
        variations = std::max(variations, e.secondVariation ? e.secondVariation->eigenvalues.size() : 0);
    }
    const std::vector<Quantity> quantities = stateQuantities(analysis);
    const bool spin = anySpin(analysis);

    std::string text = "name";
    for (const Quantity& q : quantities)
        text += "," + q.id;
    if (spin)
        text += ",spin_rate";
    text += ",energy";
    for (std::size_t i = 1; i <= eigenvalues; ++i)
        text += ",s" + std::to_string(i) + "_re,s" + std::to_string(i) + "_im";
    for (std::size_t i = 1; i <= variations; ++i)
        text += ",d2H_" + std::to_string(i);
    text += ",stability,basis\n";

    for (const Equilibrium& e : analysis.equilibria) {
        text += quoted(e.name);
        const auto number = [&text](double x) {
            text += ',';
            if (!std::isnan(x))
                appendNumber(text, x + 0.0);
        };
        for (const Quantity& q : quantities) {
            const Fact* fact = factNamed(e.state, q.id);
            if (const auto* word = fact ? std::get_if<std::string>(&fact->value) : nullptr)
                text += "," + quoted(*word);
            else
                number(fact ? std::get<double>(fact->value) : std::nan(""));
        }
        if (spin)
            number(e.spinRate.value_or(std::nan("")));
        number(e.energy);
        for (std::size_t i = 0; i < eigenvalues; ++i) {
            const bool has = i < e.eigenvalues.size();
            number(has ? e.eigenvalues[i].real() : std::nan(""));
            number(has ? e.eigenvalues[i].imag() : std::nan(""));
        }
        for (std::size_t i = 0; i < variations; ++i)
            number(e.secondVariation && i < e.secondVariation->eigenvalues.size()
                       ? e.secondVariation->eigenvalues[i]
                       : std::nan(""));
        text += "," + quoted(e.stability) + "," + quoted(e.basis) + "\n";
    }
    return text;
}

std::string equilibriaLatex(const Analysis& analysis, int digits)
{
    const std::vector<Column> columns = readableColumns(analysis, digits);
    std::string text = "\\begin{tabular}{";
    for (const Column& column : columns)
        text += column.symbol ? 'r' : 'l';
    text += "}\n\\hline\n";
    const auto row = [&](const auto& cell) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            text += (i ? " & " : "") + cell(columns[i]);
        text += " \\\\\n";
    };
    row([](const Column& c) {
        const std::string unit =
            c.unit.empty() ? "" : " (" + replaced(replaced(c.unit, "²", "$^2$"), "³", "$^3$") + ")";
        return (c.symbol ? "$" + latexMath(c.head) + "$" : latexText(c.head)) + unit;
    });
    text += "\\hline\n";
    for (const Equilibrium& e : analysis.equilibria)
        row([&e](const Column& c) {
            const std::string cell = c.text(e);
            return c.symbol && !cell.empty() ? "$" + latexMath(cell) + "$" : latexText(cell);
        });
    return text + "\\hline\n\\end{tabular}\n";
}

std::string equilibriaMarkdown(const Analysis& analysis, int digits)
{
    const std::vector<Column> columns = readableColumns(analysis, digits);
    std::string text;
    const auto row = [&](const auto& cell) {
        text += "|";
        for (const Column& column : columns)
            text += " " + cell(column) + " |";
        text += "\n";
    };
    row([](const Column& c) { return c.head + (c.unit.empty() ? "" : " (" + c.unit + ")"); });
    row([](const Column& c) { return std::string(c.symbol ? "---:" : "---"); });
    for (const Equilibrium& e : analysis.equilibria)
        row([&e](const Column& c) { return replaced(c.text(e), "|", "\\|"); });
    return text;
}

} // namespace casimir
