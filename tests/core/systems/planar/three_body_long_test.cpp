// A million random systems, aligned and general: too long for every change.
#include "tests/core/systems/planar/three_body_random.h"

namespace casimir::planar {
namespace {

TEST(ThreeBodyLong, AMillionRandomSystemsHaveFourOrSixEquilibriaThatKeepTheMorseRelation)
{
    const RandomTally tally = checkRandomSystems(2024, 1'000'000);
    EXPECT_GT(tally.four, 500'000);
    EXPECT_GT(tally.six, 20'000);
    EXPECT_LT(tally.near, 100);
    RecordProperty("near a bifurcation", static_cast<int>(tally.near));
}

} // namespace
} // namespace casimir::planar
