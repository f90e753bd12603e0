// Sessions as files: every format that ever was is read, and what is none is refused with place and reason.
#include "core/base/error.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/core/support/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace casimir {
namespace {

using Json = nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;

Json fileOfFormat(int format)
{
    return Json::parse(std::ifstream(test::sourceFolder() / "tests/core/session/formats" /
                                     ("session-" + std::to_string(format) + ".json")));
}

std::string refusal(const Json& session)
{
    try {
        (void)readSession(session.dump());
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(SessionFormats, eachOlderOneHasAFileThatIsReadAsThePresentFormatSaysIt)
{
    for (int format = 1; format <= Session::formatVersion; ++format) {
        SCOPED_TRACE(format);
        const Json file = fileOfFormat(format);
        ASSERT_EQ(file.at("casimir"), format);
        const Session session = readSession(file.dump());
        const std::string saved = writeSession(session);
        EXPECT_EQ(readSession(saved), session);
        EXPECT_EQ(writeSession(readSession(saved)), saved);
        Json present = Json::parse(saved);
        EXPECT_EQ(present.at("casimir"), Session::formatVersion);
        // Whatever the formats share is there as it was.
        for (const auto& [key, value] : file.items())
            if (key != "casimir" && key != "views")
                EXPECT_EQ(present.at(key), value) << key;
    }
}

TEST(SessionFormats, filesAreKnownByTheirNames)
{
    EXPECT_TRUE(isSessionFile("mine.casimir"));
    EXPECT_TRUE(isSessionFile("folder/an older one.json"));
    for (const char* other : {"", "casimir", "analyze", "figure.png", "mine.casimir.png"})
        EXPECT_FALSE(isSessionFile(other)) << other;
}

TEST(SessionFormats, theVisibleViewsOfFormat1GetTheirUsualPlaces)
{
    const Session session = readSession(fileOfFormat(1).dump());
    EXPECT_EQ(session.views, (std::vector<ShownView>{{"stage"}, {"portrait"}, {"series"}}));
}

TEST(SessionFormats, format2KeepsThePlacesInTheirOrder)
{
    const Session session = readSession(fileOfFormat(2).dump());
    EXPECT_EQ(session.views, (std::vector<ShownView>{{"stage", "centre"},
                                                     {"portrait", "bottom"},
                                                     {"series", "floating"},
                                                     {"invariants", "with portrait"}}));
}

TEST(SessionFormats, whatIsNoneIsRefusedWithPlaceAndReason)
{
    Json session = fileOfFormat(2);
    session["casimir"] = Session::formatVersion + 1;
    EXPECT_THAT(refusal(session), AllOf(HasSubstr("casimir: "), HasSubstr("newer program")));
    for (const Json& none : {Json(0), Json(-3)}) {
        session["casimir"] = none;
        EXPECT_THAT(refusal(session), AllOf(HasSubstr("casimir: "), HasSubstr("there is no format")));
    }
    for (const Json& none : {Json("2"), Json(1.5), Json()}) {
        session["casimir"] = none;
        EXPECT_THAT(refusal(session), AllOf(HasSubstr("casimir: "), HasSubstr("not a Casimir session")));
    }
    session.erase("casimir");
    EXPECT_THAT(refusal(session), HasSubstr("not a Casimir session"));
    EXPECT_THAT(refusal(Json::array()), HasSubstr("object"));

    session = fileOfFormat(1);
    session["views"] = {{"stage", "centre"}}; // an object before there were places
    EXPECT_THAT(refusal(session), HasSubstr("views: a list"));
    session = fileOfFormat(2);
    session["views"] = {"stage"};
    EXPECT_THAT(refusal(session), HasSubstr("views: "));
    session["views"] = {{"stage", "under the table"}};
    EXPECT_THAT(refusal(session), AllOf(HasSubstr("views.stage: "), HasSubstr("bottom")));
    session["views"] = {{"stage", "with portrait"},
                        {"portrait", "bottom"}}; // the other way round it would do
    EXPECT_THAT(refusal(session), HasSubstr("views.stage: "));
}

} // namespace
} // namespace casimir
