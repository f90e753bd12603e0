#include "core/model/typed_number.h"

#include "core/base/error.h"
#include "core/systems/catalogue.h"

#include "core/model/kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace casimir {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& text, const std::string& unit)
{
    try {
        return std::to_string(parseNumber(text, unit));
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(TypedNumber, IsAnExpression)
{
    EXPECT_EQ(parseNumber("2*50"), 100);
    EXPECT_EQ(parseNumber(" 1/4 "), 0.25);
    EXPECT_EQ(parseNumber("2 * (3 + 4) - 1"), 13);
    EXPECT_EQ(parseNumber("2^10"), 1024);
    EXPECT_EQ(parseNumber("3*-2"), -6);
    EXPECT_EQ(parseNumber("1e-3"), 1e-3);
    EXPECT_EQ(parseNumber("−0.5"), -0.5);
    EXPECT_DOUBLE_EQ(parseNumber("2pi/3"), 2.0943951023931953);
    EXPECT_DOUBLE_EQ(parseNumber("-0.5π"), -1.5707963267948966);
}

// The wanted side of each is what a table of units says.
TEST(TypedNumber, ConvertsIntoTheUnitOfItsField)
{
    EXPECT_EQ(parseNumber("50 cm", "m"), 0.5);
    EXPECT_EQ(parseNumber("7cm", "m"), 0.07);
    EXPECT_EQ(parseNumber("35 mm", "m"), 0.035);
    EXPECT_EQ(parseNumber("1 m + 50 cm", "m"), 1.5);
    EXPECT_EQ(parseNumber("3*40 cm", "m"), 1.2);
    EXPECT_EQ(parseNumber("5 km", "m"), 5000);
    EXPECT_EQ(parseNumber("250 g", "kg"), 0.25);
    EXPECT_EQ(parseNumber("2 t", "kg"), 2000);
    EXPECT_EQ(parseNumber("2 min", "s"), 120);
    EXPECT_EQ(parseNumber("36 km/h", "m/s"), 10);
    EXPECT_EQ(parseNumber("3 N m", "J"), 3);
    EXPECT_EQ(parseNumber("2 kg cm²", "kg m²"), 2e-4);
    EXPECT_EQ(parseNumber("4 kN/m", "N/m"), 4000);
    EXPECT_EQ(parseNumber("50", "m"), 50) << "a number alone is in the field's unit";
    EXPECT_DOUBLE_EQ(parseNumber("90°", "rad"), 1.5707963267948966);
    EXPECT_DOUBLE_EQ(parseNumber("30 deg", "rad"), 0.5235987755982988);
    EXPECT_DOUBLE_EQ(parseNumber("60 rpm", "rad/s"), 6.283185307179586);
    EXPECT_DOUBLE_EQ(parseNumber("90 deg/s", "rad/s"), 1.5707963267948966);
}

TEST(TypedNumber, RefusesAnotherDimensionAndSaysWhich)
{
    EXPECT_THAT(refusal("50 cm", "kg"), HasSubstr("'50 cm' is in m; here kg is wanted"));
    EXPECT_THAT(refusal("3 N", "J"), HasSubstr("is in kg m s^-2; here J is wanted"));
    EXPECT_THAT(refusal("90 deg", ""), HasSubstr("is in rad; here a number without a unit is wanted"));
    EXPECT_THAT(refusal("90 deg", "m"), HasSubstr("is in rad; here m is wanted"));
    EXPECT_THAT(refusal("1 + 50 cm", "m"), HasSubstr("adds what is not of one dimension"));
    EXPECT_THAT(refusal("5 parsec", "m"), HasSubstr("'parsec' is no unit that is known here"));
}

TEST(TypedNumber, RefusesWhatIsNone)
{
    for (const char* text :
         {"", "  ", "+", "--5", "2 3", "(1", "1)", "3/0", "2*", "1,5", "2^", "^2", "cat", "4 5 cm"})
        EXPECT_THROW((void)parseNumber(text, "m"), Error) << text;
    EXPECT_THAT(refusal("1e999", ""), HasSubstr("too large or too small"));
}

// A field shows its number with its unit, which must be taken back as it stands.
TEST(TypedNumber, KnowsTheUnitOfEveryParameterAndInput)
{
    std::set<std::string> units;
    const std::function<void(const std::vector<Parameter>&)> collect = [&](const auto& parameters) {
        for (const Parameter& p : parameters) {
            units.insert(p.unit);
            collect(p.fields);
        }
    };
    for (const Kind* kind : catalogue()) {
        collect(kind->schema.parameters());
        for (const Alias& alias : kind->schema.aliases())
            units.insert(alias.description.unit);
        for (const StateInput& input : kind->make()->inputs())
            units.insert(input.quantity.unit);
    }
    ASSERT_GT(units.size(), 10u);
    for (const std::string& unit : units)
        EXPECT_EQ(parseNumber("0.7 " + unit, unit), 0.7) << unit;
}

} // namespace
} // namespace casimir
