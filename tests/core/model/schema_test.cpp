#include "core/base/error.h"
#include "core/model/parameter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace casimir {
namespace {

using testing::HasSubstr;

// Two masses and their sum, which moves the second; a length, a choice, a list of points.
Schema example()
{
    Alias total{realParameter({"total", "m", "both masses", "kg", "", ""}, 3, Range::positive(), 0, 10),
                [](const Values& v) { return std::optional(v.real("m1") + v.real("m2")); },
                [](const Values& v, double x) {
                    if (x <= v.real("m1"))
                        return Outcome<Values>::refused("the first mass alone is more");
                    Values changed = v;
                    changed.set("m2", x - v.real("m1"));
                    return Outcome<Values>::of(changed);
                },
                "m2"};
    Parameter points{.id = "points", .symbol = "", .name = "points", .unit = "", .meaning = "", .group = ""};
    points.type = ParameterType::List;
    points.defaultValue = RecordList{};
    points.maxCount = 2;
    points.fields = {realParameter({"x", "x", "place", "m", "", ""}, 0.5, {}, -1, 1)};
    return Schema(
        {realParameter({"m1", "m₁", "first mass", "kg", "", ""}, 1, Range::positive(), 0, 10),
         realParameter({"m2", "m₂", "second mass", "kg", "", ""}, 2, Range::positive(), 0, 10),
         integerParameter({"count", "N", "number", "", "", ""}, 3, 1, 9),
         choiceParameter({"shape", "", "shape", "", "", ""}, {{"disc", "disc"}, {"rod", "rod"}}, "disc"),
         points},
        {total}, [](const Values& v) { return v.integer("count") == 7 ? "seven is not to be had" : ""; });
}

std::string refusal(const std::vector<Assignment>& assignments)
{
    try {
        example().with(example().defaults(), assignments);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Schema, DefaultsAreConsistent)
{
    const Schema schema = example();
    const Values values = schema.defaults();
    EXPECT_NO_THROW(schema.check(values));
    EXPECT_EQ(std::get<double>(schema.read(values, "total")), 3);
    EXPECT_EQ(values.choice("shape"), "disc");
}

TEST(Schema, AssignmentsGoFromLeftToRight)
{
    const Schema schema = example();
    const Values values = schema.with(schema.defaults(), {{"m1", 4.0}, {"total", 9.0}});
    EXPECT_EQ(values.real("m2"), 5);
    EXPECT_NE(refusal({{"total", 9.0}, {"m1", 4.0}}), ""); // the total is no longer 9
}

TEST(Schema, WhatIsWrongIsNamed)
{
    EXPECT_THAT(refusal({{"m1", 0.0}}), HasSubstr("m1"));
    EXPECT_THAT(refusal({{"m1", 0.0}}), HasSubstr("greater than 0"));
    EXPECT_THAT(refusal({{"m1", std::numeric_limits<double>::quiet_NaN()}}), HasSubstr("m1"));
    EXPECT_THAT(refusal({{"m3", 1.0}}), HasSubstr("m1"));
    EXPECT_THAT(refusal({{"count", 10L}}), HasSubstr("at least 1 and at most 9"));
    EXPECT_THAT(refusal({{"count", 7L}}), HasSubstr("seven is not to be had"));
    EXPECT_THAT(refusal({{"shape", std::string("disk")}}), HasSubstr("disc"));
    EXPECT_THAT(refusal({{"total", 0.5}}), HasSubstr("the first mass alone is more"));
    EXPECT_NE(refusal({{"points", RecordList(3, example().defaultRecord(example().resolve("points")))}}), "");
}

TEST(Schema, ElementsHaveAddresses)
{
    const Schema schema = example();
    const Record point = schema.defaultRecord(schema.resolve("points"));
    Values values = schema.with(schema.defaults(), {{"points", RecordList{point, point}}});
    values = schema.with(values, {{"points.1.x", 0.25}});
    EXPECT_EQ(std::get<double>(schema.read(values, "points.0.x")), 0.5);
    EXPECT_EQ(std::get<double>(schema.read(values, "points.1.x")), 0.25);
    EXPECT_EQ(schema.resolve("points.1.x").id, "x");
    EXPECT_THROW(schema.read(values, "points.2.x"), Error);
}

TEST(Schema, AControlIsRefusedInWordsAndChangesNothing)
{
    const Schema schema = example();
    const auto refused = schema.tryWith(schema.defaults(), {"total", 0.5});
    EXPECT_FALSE(refused);
    EXPECT_THAT(refused.refusal, HasSubstr("the first mass alone is more"));
    EXPECT_TRUE(schema.tryWith(schema.defaults(), {"total", 5.0}));
}

TEST(Schema, TextBecomesWhatTheParameterAsksFor)
{
    const Schema schema = example();
    EXPECT_EQ(std::get<double>(schema.parse("m1", "2.5e-1")), 0.25);
    EXPECT_EQ(std::get<long>(schema.parse("count", "4")), 4);
    EXPECT_EQ(std::get<std::string>(schema.parse("shape", "rod")), "rod");
    EXPECT_THROW(schema.parse("count", "4.5"), Error);
    EXPECT_THROW(schema.parse("m1", "2 kg or so"), Error);
    EXPECT_NEAR(parseNumber("-pi/4"), -std::acos(-1.0) / 4, 1e-15);
}

} // namespace
} // namespace casimir
