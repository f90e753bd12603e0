// Every number in the words of a preset or a help page is computed here, or said to be the paper's, a
// formula's or a person's choice: tests/reference/sentences.json tells which, README.md beside it how. A
// number that is not listed, differs beyond its printed digits, or is listed without standing in the text
// fails.
#include "core/analysis/number_path.h"
#include "core/base/error.h"
#include "core/engine/batch.h"
#include "core/model/capabilities.h"
#include "core/numerics/roots.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/core/support/files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <regex>
#include <set>

namespace casimir {
namespace {

using Json = nlohmann::ordered_json;

// What has digits and is no number of the text: commands and keys in `code`, equations, sections and figures
// of the papers, and things that are counted through, as axis 3 or tops 1, 2.
std::string withoutNames(std::string text)
{
    static const std::regex names[] = {
        std::regex("`[^`]*`"),
        std::regex(R"(\(\d+(\.\d+)?\))"),
        std::regex(
            R"(\b([Ss]ections?|Examples?|Theorem|Remark|[Cc]ases?|Figure|region)\s+\d+(\.\d+)?((,| and| to)\s+\d+)*)"),
        std::regex(R"(\b([Aa]xis|[Bb]ody|[Bb]odies|[Tt]ops?|[Mm]otion|index)\s+\d+((,| and)\s+\d+)*)"),
    };
    for (const std::regex& name : names)
        text = std::regex_replace(text, name, " ");
    // The minus sign of the texts is not that of the digits; other letters beyond ASCII keep a place of their
    // own.
    std::string plain;
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, 3, "\u2212") == 0) {
            plain += '-';
            i += 3;
        } else if (static_cast<unsigned char>(text[i]) >= 0x80) {
            plain += text.compare(i, 2, "\u00b0") == 0 ? ' ' : '_';
            for (++i; i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;)
                ++i;
        } else {
            plain += text[i++];
        }
    }
    return plain;
}

constexpr const char* numberWords =
    "two and a "
    "half|eleven|twelve|thirteen|fourteen|fifteen|sixteen|twenty|thirty|forty|fifty|hundred|thousand|"
    "million|quarters?|fifth|tenth|fiftieth|hundredth|ten-thousandth|thousandth|millionth";

// 0 is where something vanishes, not a number that was found; in formulas whole numbers are exponents and
// factors.
std::set<std::string> numbersIn(const std::string& text, bool formulas)
{
    static const std::regex digits(R"((^|[^\w.^/-])(-?\d+(\.\d+)?(e-?\d+)?(/\d+)?)(?![\w(]|\.\d))");
    static const std::regex words(std::string("\\b(") + numberWords + ")\\b", std::regex::icase);
    std::set<std::string> found;
    const std::string plain = withoutNames(text);
    for (std::sregex_iterator it(plain.begin(), plain.end(), digits), end; it != end; ++it) {
        const std::string number = (*it)[2];
        if (number != "0" && (!formulas || number.find_first_of("./") != std::string::npos))
            found.insert(number);
    }
    if (!formulas)
        for (std::sregex_iterator it(plain.begin(), plain.end(), words), end; it != end; ++it) {
            std::string word = (*it)[1];
            std::transform(word.begin(), word.end(), word.begin(),
                           [](unsigned char c) { return std::tolower(c); });
            found.insert(word);
        }
    return found;
}

std::set<std::string> numbersOnPage(const std::string& page)
{
    std::set<std::string> all;
    for (std::size_t begin = 0; begin < page.size();) {
        const std::size_t end = std::min(page.find("\n## ", begin + 1), page.size());
        const std::string section = page.substr(begin, end - begin);
        const std::string title = section.substr(0, section.find('\n', 1));
        const bool formulas =
            title.find("equations") != std::string::npos || title.find("wrong") != std::string::npos;
        all.merge(numbersIn(section, formulas));
        begin = end;
    }
    return all;
}

// A value of a schema from JSON: words are choices.
Value given(const Schema& schema, const std::string& address, const Json& x)
{
    return schema.parse(address, x.is_string() ? x.get<std::string>() : x.dump());
}

// What an entry is computed from: a preset's Motion with what is set otherwise.
struct Scenario {
    std::shared_ptr<const System> system;
    StateInputs inputs;
    std::string method;

    Scenario(const Json& how, const std::string& kindId, const std::string& presetId)
    {
        const Kind& kind = kindNamed(how.value("system", kindId));
        const std::string preset = how.value("preset", presetId);
        const Session session =
            preset.empty() ? defaultSession(kind) : readSession(presetNamed(kind.id, preset).text);
        const Motion& motion = session.motions.at(how.value("motion", std::size_t{0}));
        Values values = valuesOf(kind, session, motion);
        if (how.contains("set"))
            for (const auto& [address, x] : how["set"].items())
                values = kind.schema.with(values, {{address, given(kind.schema, address, x)}});
        system = kind.make(values);
        method = how.value("method",
                           motion.method.empty() ? std::string(system->methods().front().id) : motion.method);
        std::map<std::string, double> start(motion.state.begin(), motion.state.end());
        if (how.contains("start"))
            for (const auto& [id, x] : how["start"].items())
                start[id] = x.get<double>();
        inputs.assign(start.begin(), start.end());
    }

    // The quantity at n + 1 times from 0 to T, or until the motion ends.
    std::vector<double> alongTheRun(const std::string& id, double T, int n) const
    {
        const State x0 = system->start(inputs);
        const auto run = system->integrate(method, 0, x0, {});
        std::vector<double> values{system->quantity(id, 0, x0)};
        for (int i = 1; i <= n; ++i) {
            if (!advanceTo(*run, T * i / n).ok())
                break;
            values.push_back(system->quantity(id, run->time(), run->state()));
        }
        return values;
    }
};

double computed(const Json& how, const std::string& kindId, const std::string& presetId);

// Where a number of `analyze` changes its sign between two values of a parameter.
double zeroOf(const Json& how, const std::string& kindId, const std::string& presetId)
{
    const auto at = [&](double x) {
        Json there = how;
        there.erase("zero");
        there["analyze"] = how["zero"];
        there["set"][how["over"].get<std::string>()] = x;
        return computed(there, kindId, presetId);
    };
    return bracketedRoot(at, how["between"][0].get<double>(), how["between"][1].get<double>(), 1e-7).x;
}

double computedAlone(const Json& how, const std::string& kindId, const std::string& presetId)
{
    if (how.contains("ratio"))
        return computed(how["ratio"][0], kindId, presetId) / computed(how["ratio"][1], kindId, presetId);
    if (how.contains("difference"))
        return computed(how["difference"][0], kindId, presetId) -
               computed(how["difference"][1], kindId, presetId);
    if (how.contains("zero"))
        return zeroOf(how, kindId, presetId);
    const Scenario scenario(how, kindId, presetId);
    const System& system = *scenario.system;
    if (how.contains("parameter"))
        return std::get<double>(
            system.kind().schema.read(system.values(), how["parameter"].get<std::string>()));
    if (how.contains("input")) {
        for (const auto& [id, x] : system.inputsOf(system.start(scenario.inputs)))
            if (id == how["input"].get<std::string>())
                return x;
        throw Error("no such input");
    }
    if (how.contains("length"))
        return static_cast<double>(
            std::get<RecordList>(system.values().at(how["length"].get<std::string>())).size());
    if (how.contains("analyze")) {
        Answers answers;
        const auto number =
            numberAt(system, system.analyzeFrom(scenario.inputs, answers), how["analyze"].get<std::string>());
        return number ? number->value : std::nan("");
    }
    const std::string along = how.at("along");
    std::vector<double> values =
        scenario.alongTheRun(along, how.at("until").get<double>(), how.value("samples", 1));
    values.erase(values.begin(), values.begin() + how.value("from", 0));
    const std::string take = how.value("take", "last");
    if (take == "last")
        return values.back();
    if (take == "change")
        return values.back() - values.front();
    if (take == "greatest")
        return *std::max_element(values.begin(), values.end());
    return *std::min_element(values.begin(), values.end());
}

double computed(const Json& how, const std::string& kindId, const std::string& presetId)
{
    double x = computedAlone(how, kindId, presetId);
    if (how.value("absolute", false))
        x = std::abs(x);
    x = x * how.value("times", 1.0) + how.value("plus", 0.0);
    if (how.value("acos", false))
        x = std::acos(x);
    if (how.value("exp2", false))
        x = std::exp2(x);
    return how.value("degrees", false) ? x * 180 / std::numbers::pi : x;
}

// What is printed and half a unit of its last digit; words and fractions have theirs in the entry.
std::pair<double, double> printed(const std::string& number, const Json& how)
{
    double x = 0, within = 0.5;
    if (how.contains("says"))
        x = how["says"].get<double>();
    else if (const auto slash = number.find('/'); slash != std::string::npos) {
        x = std::stod(number.substr(0, slash)) / std::stod(number.substr(slash + 1));
        within = 1e-9;
    } else {
        x = std::stod(number);
        if (const auto point = number.find('.'); point != std::string::npos)
            within = 0.5 * std::pow(10, -static_cast<double>(number.find_last_of("0123456789") - point));
    }
    return {x, how.value("within", within) * (1 + 1e-9)};
}

void checkText(const std::set<std::string>& numbers, const Json& listed, const std::string& kindId,
               const std::string& presetId)
{
    for (const std::string& number : numbers)
        EXPECT_TRUE(listed.contains(number)) << "the number " << number << " is not accounted for";
    for (const auto& [number, how] : listed.items()) {
        SCOPED_TRACE(number);
        EXPECT_TRUE(numbers.contains(number)) << "listed, but not in the text";
        if (how.contains("paper") || how.contains("formula") || how.contains("chosen")) {
            EXPECT_EQ(how.size(), 1u);
            continue;
        }
        const auto [wanted, within] = printed(number, how);
        try {
            EXPECT_NEAR(computed(how, kindId, presetId), wanted, within);
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what();
        }
    }
}

const Json& sentences()
{
    static const Json all = test::referenceFile("sentences.json");
    return all;
}

TEST(Sentences, everyNumberOfAPresetIsTrue)
{
    std::set<std::string> known;
    for (const Kind* kind : catalogue())
        for (const Preset& preset : presetsOf(kind->id)) {
            const std::string name = kind->id + "/" + preset.id;
            SCOPED_TRACE(name);
            known.insert(name);
            const Session session = readSession(preset.text);
            std::string text = session.title + ". " + session.about;
            for (const Motion& motion : session.motions)
                text += ". " + motion.label;
            checkText(numbersIn(text, false), sentences().at("presets").value(name, Json::object()), kind->id,
                      preset.id);
        }
    for (const auto& [name, listed] : sentences().at("presets").items())
        EXPECT_TRUE(known.contains(name)) << name << " is no preset";
}

TEST(Sentences, everyNumberOfAHelpPageIsTrue)
{
    std::set<std::string> known;
    for (const Kind* kind : catalogue()) {
        SCOPED_TRACE(kind->id);
        known.insert(kind->id);
        checkText(numbersOnPage(std::string(helpPage(kind->id))),
                  sentences().at("help").value(kind->id, Json::object()), kind->id, "");
    }
    for (const auto& [name, listed] : sentences().at("help").items())
        EXPECT_TRUE(known.contains(name)) << name << " is no help page";
}

// What the texts say without a number, and was once said wrongly.
TEST(Sentences, everyStatementThatCanBeComputedIsTrue)
{
    for (const Json& statement : sentences().at("statements")) {
        SCOPED_TRACE(statement.at("says").get<std::string>());
        const std::string system = statement.at("system"), preset = statement.value("preset", "");
        const double x = computed(statement.at("is"), system, preset);
        if (statement.contains("above"))
            EXPECT_GT(x, statement["above"].get<double>());
        if (statement.contains("below"))
            EXPECT_LT(x, statement["below"].get<double>());
        EXPECT_TRUE(statement.contains("above") || statement.contains("below"));
    }
}

// A whole number of periods ahead the state is that of the start; two bodies and the rigid body know it.
TEST(Sentences, aMillionPeriodsAheadTheExactMotionsAreWhereTheyWere)
{
    const auto last = [](const System& system, const State& x0, double tEnd) {
        State end;
        EXPECT_TRUE(
            runBatch(system, "exact", {}, x0, tEnd, tEnd, [&](double, const State& x) { end = x; }).ok());
        return end;
    };
    const auto check = [&](const char* id, const StateInputs& inputs, int compared) {
        const auto system = kindNamed(id).make();
        const State x0 = system->start(inputs);
        const auto* orbits = capability<HasOrbits>(*system);
        ASSERT_TRUE(orbits);
        double period = 0;
        for (const Fact& fact : orbits->orbitThrough(x0).facts)
            if (fact.quantity.id == "period")
                period = std::get<double>(fact.value);
        ASSERT_GT(period, 0) << id;
        const State end = last(*system, x0, 1e6 * period);
        // The period is known to rounding, and so a million of them to 1e-10 of one.
        for (int i = 0; i < compared; ++i)
            EXPECT_NEAR(end[i], x0[i], 1e-8 * (1 + x0.cwiseAbs().maxCoeff())) << id << ", coordinate " << i;
    };
    check("two-body", {{"theta", 0.85}, {"nu", 5.0}}, 3);
    check("rigid-body", {}, 3);
}

TEST(Sentences, theReaderOfTextsFindsNumbersAndOnlyThem)
{
    using Set = std::set<std::string>;
    EXPECT_EQ(numbersIn("stable up to 16.5. See (5.40) and section 4; axis 1, tops 3, 4.", false),
              Set{"16.5"});
    EXPECT_EQ(numbersIn("θ₁ = −0.0097 rad, x₃ = −7/3, at 20° and `--set a=3`", false),
              (Set{"-0.0097", "-7/3", "20"}));
    EXPECT_EQ(numbersIn("I_2 = 1.9; a thousandth, some twenty", false), (Set{"1.9", "thousandth", "twenty"}));
    EXPECT_EQ(numbersIn("H = 2bθ' + 3/4 x^2, κ up to 9/8, 12 of them", true), (Set{"3/4", "9/8"}));
}

} // namespace
} // namespace casimir
