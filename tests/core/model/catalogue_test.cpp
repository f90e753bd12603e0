// The contract, over every registered system and every preset that comes with it.
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/core/support/contract.h"

#include <gtest/gtest.h>

namespace casimir {

TEST(Catalogue, everySystemKeepsTheContractAtItsDefaults)
{
    for (const Kind* kind : catalogue())
        test::checkContract(*kind, kind->schema.defaults(), {}, "defaults");
}

TEST(Catalogue, everyPresetKeepsTheContract)
{
    for (const Kind* kind : catalogue()) {
        const auto presets = presetsOf(kind->id);
        EXPECT_GE(presets.size(), 4u) << kind->id;
        for (const Preset& preset : presets) {
            const Session session = readSession(preset.text);
            EXPECT_EQ(session.kind, kind->id);
            EXPECT_FALSE(session.about.empty()) << preset.id;
            test::checkContract(*kind, session.values, session.motions.front().state, preset.id,
                                {.extremes = false});
        }
    }
}

TEST(Catalogue, everySystemHasAHelpPageAndClaims)
{
    for (const Kind* kind : catalogue()) {
        EXPECT_FALSE(helpPage(kind->id).empty()) << kind->id;
        EXPECT_TRUE(kind->claims) << kind->id;
    }
}

TEST(Catalogue, everyClaimComesOutAsStatedForOtherSeeds)
{
    for (const Kind* kind : catalogue())
        for (const unsigned seed : {2u, 3u})
            for (const Claim& claim : kind->claims(seed))
                EXPECT_TRUE(claim.expected) << kind->id << " " << claim.id << ": " << claim.computed;
}

TEST(Catalogue, saveLoadSaveGivesTheSameBytes)
{
    for (const Kind* kind : catalogue()) {
        Session session = defaultSession(*kind);
        session.notes = "a \"quoted\" note\nof two lines";
        session.run.speed = 0.1 + 0.2;
        session.options["stage.frame"] = "body-1";
        const std::string once = writeSession(session);
        EXPECT_EQ(readSession(once), session);
        EXPECT_EQ(writeSession(readSession(once)), once);
        for (const Preset& preset : presetsOf(kind->id)) {
            const std::string saved = writeSession(readSession(preset.text));
            EXPECT_EQ(writeSession(readSession(saved)), saved) << preset.id;
        }
    }
}

} // namespace casimir
