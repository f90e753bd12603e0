// What people read is words and typeset symbols: no id, no spelled-out Greek, no number with all its digits.
// Walks everything a system shows or says, over the whole catalogue.
#include "core/analysis/consistency.h"
#include "core/analysis/equilibria_table.h"
#include "core/analysis/general_plots.h"
#include "core/model/kind.h"
#include "core/model/quick_analysis.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace casimir {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>; // where, what

const std::pair<const char*, std::regex> raw[] = {
    {"spelled-out Greek",
     std::regex(
         R"((^|[^A-Za-z\\`_])(alpha|beta|gamma|delta|epsilon|eps|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|psi|omega|Phi|Psi|Omega|Delta|Theta)(dot)?(_[a-z]|_?[0-9])?([^A-Za-z]|$))")},
    {"a derivative of typewriters", std::regex(R"(\bd2[A-Z])")},
    {"an id", std::regex(R"(\b[a-z]{3,}_[a-z0-9]+|\b[a-z]+\.[0-9]+\.[a-z]+|\bO_kappa|\bO_tau|\bO_sum)")},
    {"more digits than anybody reads", std::regex(R"([0-9]\.[0-9]{10,})")},
    {"a body counted from 0", std::regex(R"(\b(body|top|joint|hinge|bodies) 0\b)")}};

void expectWords(const Words& all)
{
    for (const auto& [where, what] : all)
        for (const auto& [name, pattern] : raw)
            if (std::smatch found; std::regex_search(what, found, pattern))
                ADD_FAILURE() << where << " has " << name << ", '" << found.str()
                              << "': " << what.substr(0, 200);
}

void add(Words& words, const std::string& where, const Quantity& q)
{
    words.emplace_back(where + " " + q.id + " name", q.name);
}

void add(Words& words, const std::string& where, const Parameter& p)
{
    const std::string here = where + " " + p.id;
    for (const std::string& text : {p.name, p.meaning, p.group})
        words.emplace_back(here, text);
    for (const Choice& choice : p.choices)
        words.emplace_back(here, choice.name);
    for (const Parameter& field : p.fields)
        add(words, here, field);
}

void add(Words& words, const std::string& where, const Analysis& analysis)
{
    words.emplace_back(where + " status", analysis.status.sentence);
    const auto facts = [&](const std::vector<Fact>& list) {
        for (const Fact& fact : list) {
            add(words, where, fact.quantity);
            if (std::holds_alternative<std::string>(fact.value))
                words.emplace_back(where + " " + fact.quantity.id, factText(fact, 4));
        }
    };
    facts(analysis.derived);
    for (const Equilibrium& e : analysis.equilibria) {
        words.emplace_back(where + " " + e.name + " title", e.title);
        words.emplace_back(where + " " + e.name + " detail", e.detail);
        facts(e.more);
    }
}

void add(Words& words, const std::string& where, const Plot& plot)
{
    words.emplace_back(where, plot.title);
    words.emplace_back(where, plot.note);
    for (const Quantity* q : {&plot.x.quantity, &plot.y.quantity, &plot.level})
        add(words, where, *q);
    for (const Mark& mark : plot.marks)
        words.emplace_back(where + " mark", mark.label);
    for (const Polyline& line : plot.lines)
        words.emplace_back(where + " line", line.label);
    for (const Region& region : plot.regions)
        words.emplace_back(where + " region", region.label);
    for (const std::string& layer : plot.layers)
        words.emplace_back(where + " layer", layer);
    for (const HeatMap& map : plot.maps) {
        words.emplace_back(where + " map", map.blank);
        for (const std::string& label : map.labels)
            words.emplace_back(where + " map", label);
    }
}

// Code in a help page is typed, not read.
std::string withoutCode(const std::string& page)
{
    return std::regex_replace(page, std::regex("`[^`]*`"), "");
}

TEST(Words, aSystemSpeaksToPeopleInWords)
{
    Words words;
    for (const Kind* kind : catalogue()) {
        const std::string here = kind->id;
        words.emplace_back(here, kind->title);
        words.emplace_back(here, kind->summary);
        for (const Parameter& p : kind->schema.parameters())
            add(words, here, p);
        for (const Alias& alias : kind->schema.aliases())
            add(words, here, alias.description);
        const auto system = kind->make();
        for (const Quantity& q : system->quantities())
            add(words, here, q);
        for (const StateInput& input : system->inputs())
            add(words, here, input.quantity);
        for (const MethodInfo& method : system->methods()) {
            words.emplace_back(here + " method", std::string(method.name));
            words.emplace_back(here + " method", std::string(method.summary));
        }
        for (const PlotInfo& info : plotsOf(*system)) {
            words.emplace_back(here + " " + info.id, info.title);
            for (const Parameter& option : info.options)
                add(words, here + " " + info.id, option);
            if (!info.longRunning)
                add(words, here + " " + info.id, plotOf(*system, info.id));
        }
        const Scene scene = system->scene();
        for (const ReferenceFrame& frame : scene.frames)
            words.emplace_back(here + " frame", frame.name);
        for (const Claim& claim : kind->claims(1))
            for (const std::string& text : {claim.id, claim.statement, claim.computed, claim.erratum})
                words.emplace_back(here + " claim " + claim.id, text);
        words.emplace_back(here + " help", withoutCode(std::string(helpPage(kind->id))));
    }
    ASSERT_GT(words.size(), 2000u);
    expectWords(words);
}

TEST(Words, aPresetAndItsEquilibriaSpeakInWords)
{
    Words words;
    for (const Kind* kind : catalogue())
        for (const Preset& preset : presetsOf(kind->id)) {
            const Session session = readSession(preset.text);
            const std::string here = kind->id + "/" + preset.id;
            for (const std::string& text : {session.title, session.about})
                EXPECT_EQ(text.find_first_of("_^{"), std::string::npos)
                    << here << " is shown as it is: " << text;
            for (const Motion& motion : session.motions)
                EXPECT_EQ(motion.label.find_first_of("_^{"), std::string::npos)
                    << here << ": " << motion.label;
            words.emplace_back(here, session.title);
            words.emplace_back(here, session.about);
            for (const Motion& motion : session.motions)
                words.emplace_back(here, motion.label);
            add(words, here,
                consistent(quickAnalysisFrom(*kind->make(session.values), session.motions.front().state)));
        }
    ASSERT_GT(words.size(), 500u);
    expectWords(words);
}

std::vector<std::string> titlesOf(const std::string& kindId, const std::string& preset)
{
    const Session session = readSession(presetNamed(kindId, preset).text);
    const Analysis analysis =
        consistent(quickAnalysisFrom(*kindNamed(kindId).make(session.values), session.motions.front().state));
    std::vector<std::string> titles;
    for (const Equilibrium& e : analysis.equilibria)
        titles.push_back(e.title);
    return titles;
}

TEST(Words, everyStateHasATitleOfItsOwn)
{
    for (const Kind* kind : catalogue())
        for (const Preset& preset : presetsOf(kind->id)) {
            std::vector<std::string> titles = titlesOf(kind->id, preset.id);
            EXPECT_THAT(titles, testing::Not(testing::Contains("")));
            std::sort(titles.begin(), titles.end());
            EXPECT_EQ(std::adjacent_find(titles.begin(), titles.end()), titles.end())
                << kind->id << "/" << preset.id;
        }
}

// Bent to the left: walking from body 1 on, the first joint turns counterclockwise.
TEST(Words, statesWithoutAWordAreNumberedByEnergyAndBentOnesToldBySide)
{
    EXPECT_THAT(titlesOf("three-body", "bent"),
                testing::ElementsAre("straight (0, 0)", "straight (0, π)", "straight (π, 0)",
                                     "straight (π, π)", "bent left", "bent right"));
    EXPECT_THAT(titlesOf("three-body", "off-line"),
                testing::UnorderedElementsAre("state 1", "state 2", "state 3", "state 4"));
    EXPECT_THAT(titlesOf("rod", "radial-disc"), testing::ElementsAre("state 1"));

    const auto system =
        kindNamed("multibody").make(readSession(presetNamed("multibody", "chain-5").text).values);
    int left = 0, right = 0;
    for (const Equilibrium& e : consistent(system->analyze({})).equilibria) {
        if (!e.title.starts_with("bent"))
            continue;
        double bend = 0;
        for (int k = 0; k + 1 < 5 && std::abs(std::sin(bend)) < 1e-6; ++k)
            bend = e.point[k + 1] - e.point[k];
        EXPECT_EQ(e.title.ends_with(" left"), std::sin(bend) > 0) << e.title;
        ++(e.title.ends_with(" left") ? left : right);
    }
    EXPECT_GT(left, 0);
    EXPECT_EQ(left, right);

    const Session offLine = readSession(presetNamed("three-body", "off-line").text);
    std::vector<std::pair<double, std::string>> byEnergy;
    for (const Equilibrium& e :
         consistent(kindNamed("three-body").make(offLine.values)->analyze({})).equilibria)
        byEnergy.emplace_back(e.energy, e.title);
    std::sort(byEnergy.begin(), byEnergy.end());
    for (std::size_t i = 0; i < byEnergy.size(); ++i)
        EXPECT_EQ(byEnergy[i].second, "state " + std::to_string(i + 1));
}

// One thing has one word: a method is called what the menus call it.
TEST(Words, textsCallMethodsByTheirNames)
{
    for (const Kind* kind : catalogue()) {
        std::string texts = std::string(helpPage(kind->id));
        for (const Preset& preset : presetsOf(kind->id))
            texts += " " + preset.about;
        for (const MethodInfo& method : kind->make()->methods())
            if (std::string(method.id) != std::string(method.name))
                EXPECT_EQ(texts.find("*" + std::string(method.id) + "*"), std::string::npos)
                    << kind->id << ": " << method.id << " is called " << method.name;
    }
}

} // namespace
} // namespace casimir
