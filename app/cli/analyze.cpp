#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/session_from_arguments.h"
#include "core/analysis/analysis_json.h"
#include "core/analysis/consistency.h"
#include "core/analysis/equilibria_table.h"
#include "core/analysis/known_digits.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/suggest.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace casimir::cli {

namespace {

Answers answersFrom(const Arguments& arguments, const System& system)
{
    const auto questions = system.questions();
    Answers answers;
    for (const auto& [id, text] : arguments.open()) {
        const auto question = std::find_if(questions.begin(), questions.end(),
                                           [&id = id](const Question& q) { return q.quantity.id == id; });
        if (question == questions.end()) {
            std::vector<std::string> known;
            for (const Option& option : arguments.command().options)
                known.push_back(option.name);
            for (const Question& q : questions)
                known.push_back("--" + q.quantity.id);
            throw Error(fmt::format("unknown option '--{}' of casimir analyze {}; {}", id, arguments.system(),
                                    didYouMean("--" + id, known)));
        }
        double x = 0;
        try {
            x = parseNumber(text, question->quantity.unit);
        } catch (const Error& error) {
            throw Error(fmt::format("--{}: {}", id, error.what()));
        }
        if (!std::isfinite(x))
            throw Error(fmt::format("--{} = {} is not a finite number", id, text));
        const auto present = std::find_if(answers.begin(), answers.end(),
                                          [&id = id](const auto& answer) { return answer.first == id; });
        if (present == answers.end())
            answers.push_back({id, {x}});
        else if (question->repeatable)
            present->second.push_back(x);
        else
            throw Error(fmt::format("--{} was given twice", id));
    }
    return answers;
}

std::string factText(const Fact& fact)
{
    if (std::holds_alternative<std::string>(fact.value))
        return casimir::factText(fact, 0);
    return roundedText(std::get<double>(fact.value), 10);
}

std::string complexText(std::complex<double> s)
{
    if (s.imag() == 0)
        return roundedText(s.real(), 8);
    const std::string imaginary = roundedText(std::abs(s.imag()), 8) + "i";
    const char* sign = s.imag() < 0 ? "-" : "+";
    if (s.real() == 0)
        return (s.imag() < 0 ? "-" : "") + imaginary;
    return roundedText(s.real(), 8) + sign + imaginary;
}

std::string text(const System& system, const Analysis& analysis)
{
    std::string result = fmt::format("{} ({})\n", system.kind().title, system.kind().id);
    if (!analysis.status.ok())
        result += fmt::format("{}: {}\n", analysis.status.code, analysis.status.sentence);
    else if (!analysis.status.sentence.empty())
        result += analysis.status.sentence + "\n";
    if (!analysis.derived.empty())
        result += "\n";
    for (const Fact& fact : analysis.derived)
        result += fmt::format("  {:<16} {:<16} {:<10} {}\n", fact.quantity.id, factText(fact),
                              fact.quantity.unit, fact.quantity.name);
    for (const Equilibrium& equilibrium : analysis.equilibria) {
        const std::string path =
            equilibrium.name == equilibrium.title ? "" : fmt::format(" ({})", equilibrium.name);
        result += fmt::format("\n{}{}: {} ({})\n  {}\n ", equilibrium.title, path, equilibrium.stability,
                              equilibrium.basis, equilibrium.detail);
        for (const Fact& fact : equilibrium.state)
            result += fmt::format(" {} = {}", fact.quantity.id, factText(fact));
        result += fmt::format("\n  energy = {} J", roundedText(equilibrium.energy, 10));
        if (equilibrium.spinRate)
            result += fmt::format(", spin rate = {} rad/s", roundedText(*equilibrium.spinRate, 10));
        result += "\n  eigenvalues";
        for (const auto& s : equilibrium.eigenvalues)
            result += "  " + complexText(s);
        if (const auto& variation = equilibrium.secondVariation) {
            result += "\n  second variation";
            for (const double x : variation->eigenvalues)
                result += "  " + roundedText(x, 8);
        }
        result += "\n";
    }
    if (!analysis.more.empty())
        result += "\n" + toJson(analysis.more).dump(2) + "\n";
    return result;
}

} // namespace

int analyze(const Arguments& arguments)
{
    Output output(arguments);
    const Session session = sessionFromArguments(arguments);
    const auto system = systemOf(session);
    const Analysis analysis = consistent(
        system->analyzeFrom(runsFrom(*system, session.motions.front()), answersFrom(arguments, *system)));
    const std::string path = arguments.one("--output").value_or("");
    output.write(arguments.has("--json")  ? toJson(*system, analysis).dump(2) + "\n"
                 : path.ends_with(".csv") ? equilibriaCsv(analysis)
                 : path.ends_with(".tex") ? equilibriaLatex(asKnown(analysis))
                 : path.ends_with(".md")  ? equilibriaMarkdown(asKnown(analysis))
                                          : text(*system, asKnown(analysis)));
    output.commit();
    return analysis.status.code == "inconsistent" ? 1 : 0;
}

} // namespace casimir::cli
