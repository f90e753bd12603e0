// Two numbers of one answer: what contradicts itself is withheld, and over the whole catalogue, at every
// preset and at random values, nothing does.
#include "core/analysis/consistency.h"
#include "core/base/error.h"
#include "core/files/value_json.h"
#include "core/model/quick_analysis.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace casimir {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Equilibrium minimum()
{
    Equilibrium e;
    e.name = e.title = "a minimum";
    e.point = Eigen::VectorXd::Zero(2);
    e.eigenvalues = {{0, 2}, {0, -2}};
    e.secondVariation = SecondVariation{{1, 4}, 2, 0, 0};
    e.stability = verdict::stable;
    e.basis = basis::energyCasimir;
    return e;
}

Equilibrium saddle()
{
    Equilibrium e = minimum();
    e.name = e.title = "a saddle";
    e.eigenvalues = {{2, 0}, {-2, 0}};
    e.secondVariation = SecondVariation{{-1, 4}, 1, 1, 0};
    e.stability = verdict::unstable;
    e.basis = basis::linearisation;
    return e;
}

TEST(Consistency, AnAnswerThatAgreesWithItselfIsLeftAsItIs)
{
    EXPECT_THAT(contradictions(minimum()), IsEmpty());
    EXPECT_THAT(contradictions(saddle()), IsEmpty());
    Analysis analysis;
    analysis.equilibria = {minimum(), saddle()};
    analysis = consistent(analysis);
    EXPECT_TRUE(analysis.status.ok());
    EXPECT_EQ(analysis.equilibria.size(), 2u);
}

TEST(Consistency, EveryContradictionIsSeen)
{
    const auto seen = [](auto change, Equilibrium e = minimum()) {
        change(e);
        std::string all;
        for (const std::string& one : contradictions(e))
            all += one + ". ";
        return all;
    };
    EXPECT_THAT(seen([](Equilibrium& e) { e.eigenvalues[0] = {5.14, 0}; }), HasSubstr("real part 5.14"));
    EXPECT_THAT(seen([](Equilibrium& e) { e.stability = verdict::unstable; }), HasSubstr("definite"));
    EXPECT_THAT(seen([](Equilibrium& e) { e.stability = verdict::spectrallyStable; }), HasSubstr("definite"));
    EXPECT_THAT(seen([](Equilibrium& e) { e.stability = "firm"; }), HasSubstr("'firm'"));
    EXPECT_THAT(seen([](Equilibrium& e) { e.energy = std::nan(""); }), HasSubstr("not finite"));
    EXPECT_THAT(seen([](Equilibrium& e) { e.secondVariation->positive = 1; }),
                HasSubstr("2 values but 1 signs"));
    EXPECT_THAT(seen([](Equilibrium& e) { e.secondVariation->eigenvalues[0] = -1; }),
                HasSubstr("0 negative squares"));
    EXPECT_THAT(seen([](Equilibrium& e) {
                    e.more = {{{"index", "", "", ""}, 2.0}};
                }),
                HasSubstr("index is 2"));
    EXPECT_THAT(seen([](Equilibrium& e) {
                    e.more = {{{"growth_rate", "", "", ""}, 0.1}};
                }),
                HasSubstr("growth rate is 0.1"));
    EXPECT_THAT(seen([](Equilibrium& e) { e.stability = verdict::stable; }, saddle()),
                HasSubstr("indefinite"));
    EXPECT_THAT(seen(
                    [](Equilibrium& e) {
                        e.stability = verdict::spectrallyStable;
                        e.eigenvalues = minimum().eigenvalues;
                    },
                    saddle()),
                HasSubstr("odd number"));
    EXPECT_THAT(seen([](Equilibrium& e) { e.eigenvalues = minimum().eigenvalues; }, saddle()),
                HasSubstr("no eigenvalue grows"));
}

TEST(Consistency, WhatContradictsItselfIsWithheldWithASentence)
{
    Analysis analysis;
    analysis.equilibria = {minimum(), saddle()};
    analysis.equilibria[1].stability = verdict::stable;
    analysis = consistent(analysis);
    EXPECT_EQ(analysis.status.code, "inconsistent");
    EXPECT_THAT(analysis.status.sentence, HasSubstr("a saddle"));
    ASSERT_EQ(analysis.equilibria.size(), 1u);
    EXPECT_EQ(analysis.equilibria[0].name, "a minimum");

    Analysis beside;
    beside.equilibria = {minimum()};
    beside.more["growth_rate"] = 5.1411;
    EXPECT_EQ(consistent(beside).status.code, "inconsistent");
    beside.more["growth_rate"] = 0.0;
    EXPECT_TRUE(consistent(beside).status.ok());
}

double drawn(const Parameter& p, std::mt19937_64& engine)
{
    const std::uniform_real_distribution<double> part(0, 1);
    std::uniform_real_distribution<double> draw = part;
    const double x = draw(engine);
    if (p.scale == Scale::Logarithmic && p.sliderMin > 0)
        return p.sliderMin * std::pow(p.sliderMax / p.sliderMin, x);
    return p.sliderMin + (p.sliderMax - p.sliderMin) * x;
}

Value randomValue(const Parameter& p, const Value& present, std::mt19937_64& engine)
{
    if (p.type == ParameterType::Real)
        return drawn(p, engine);
    if (p.type == ParameterType::Choice)
        return p.choices[engine() % p.choices.size()].id;
    if (p.type == ParameterType::Vector) {
        Eigen::VectorXd x = std::get<Eigen::VectorXd>(present);
        for (double& component : x)
            component = drawn(p, engine);
        return x;
    }
    if (p.type == ParameterType::List) {
        RecordList list = std::get<RecordList>(present);
        for (Record& record : list)
            for (const Parameter& field : p.fields)
                if (field.type == ParameterType::Real || field.type == ParameterType::Vector)
                    record.set(field.id, randomValue(field, *record.find(field.id), engine));
        return list;
    }
    return present; // counts and names stay
}

std::string contradictionsOf(const System& system)
{
    const Analysis analysis = consistent(quickAnalysis(system));
    return analysis.status.code == "inconsistent" ? analysis.status.sentence : "";
}

TEST(Consistency, NoPresetContradictsItself)
{
    for (const Kind* kind : catalogue())
        for (const Preset& preset : presetsOf(kind->id)) {
            const Session session = readSession(preset.text);
            EXPECT_EQ(contradictionsOf(*kind->make(session.values)), "") << kind->id << " " << preset.id;
        }
}

// From every preset in turn, each parameter drawn from its slider's range.
class AtRandomValues : public testing::TestWithParam<const Kind*> {};

TEST_P(AtRandomValues, NothingContradictsItself)
{
    constexpr int wanted = 200, mostTries = 2000;
    const Kind& kind = *GetParam();
    std::mt19937_64 engine(21);
    std::vector<Values> bases{kind.schema.defaults()};
    for (const Preset& preset : presetsOf(kind.id))
        bases.push_back(readSession(preset.text).values);
    int answered = 0;
    for (int i = 0; i < mostTries && answered < wanted; ++i) {
        Values values = bases[static_cast<std::size_t>(i) % bases.size()];
        for (const Parameter& p : kind.schema.parameters())
            values.set(p.id, randomValue(p, *values.find(p.id), engine));
        std::shared_ptr<const System> system;
        try {
            system = kind.make(values);
        } catch (const Error&) {
            continue; // values that do not go together
        }
        ++answered;
        EXPECT_EQ(contradictionsOf(*system), "") << i << ": " << toJson(values).dump();
    }
    EXPECT_EQ(answered, wanted);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, AtRandomValues, testing::ValuesIn(catalogue().begin(), catalogue().end()),
                         [](const testing::TestParamInfo<const Kind*>& each) {
                             std::string name = each.param->id;
                             std::erase_if(name, [](char c) { return c == '-'; });
                             return name;
                         });

} // namespace
} // namespace casimir
