#include "core/model/entry.h"

#include "core/analysis/analysis_json.h"
#include "core/base/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace casimir {
namespace {

TEST(Entry, BracesAreFieldsWhereEachBeginsWithAWordAndAListElse)
{
    const Entry fields{{"energy", 1.5}, {"count", 2}, {"names", {"a", "b", "c"}}, {"none", nullptr}};
    EXPECT_TRUE(fields.isObject());
    EXPECT_EQ(toJson(fields).dump(), R"({"energy":1.5,"count":2,"names":["a","b","c"],"none":null})");
    const Entry list{1, 2.5, true};
    EXPECT_TRUE(list.isList());
    EXPECT_EQ(toJson(list).dump(), "[1,2.5,true]");
}

TEST(Entry, FieldsKeepTheirOrderAndAreReplacedInPlace)
{
    Entry entry;
    entry["b"] = 1;
    entry["a"] = 2;
    entry["b"] = std::optional<double>();
    entry.update({{"c", std::vector<double>{1, 2}}});
    EXPECT_EQ(toJson(entry).dump(), R"({"b":null,"a":2,"c":[1.0,2.0]})");
    EXPECT_TRUE(std::isnan(entry.at("b").number()));
    EXPECT_EQ(entry.at("c").at(1).number(), 2);
    EXPECT_FALSE(entry.contains("d"));
}

TEST(Entry, NumbersThatDoNotExistAreNull)
{
    EXPECT_EQ(toJson(Entry(std::numeric_limits<double>::quiet_NaN())).dump(), "null");
    EXPECT_EQ(toJson(Entry::array()).dump(), "[]");
    EXPECT_EQ(toJson(Entry::object()).dump(), "{}");
    EXPECT_EQ(toJson(Entry()).dump(), "null");
}

TEST(Entry, MisuseIsRefused)
{
    const Entry word("stable");
    EXPECT_THROW(word.number(), Error);
    EXPECT_THROW(word.at("x"), Error);
    EXPECT_THROW(word.at(0), Error);
    EXPECT_THROW(Entry(1.0).word(), Error);
    EXPECT_THROW(Entry::object().push_back(1), Error);
    EXPECT_THROW(Entry::array()["x"], Error);
}

} // namespace
} // namespace casimir
