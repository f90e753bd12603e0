#include "core/model/suggest.h"

#include <gtest/gtest.h>

namespace casimir {
namespace {

TEST(Suggest, NamesTheCandidateWithTheFewestEdits)
{
    const std::vector<std::string> names{"two-body", "three-body", "tree", "rod"};
    EXPECT_EQ(nearest("twobody", names), "two-body");
    EXPECT_EQ(nearest("thre-bdoy", names), "three-body");
    EXPECT_EQ(nearest("ROD", names), "rod");
    EXPECT_EQ(nearest("tere", names), "tree");
    EXPECT_EQ(nearest("x", {}), "");
    EXPECT_EQ(nearest("Mu", {"nu", "mu"}), "mu");
}

TEST(Suggest, SaysWhatIsKnown)
{
    EXPECT_EQ(unknownName("view", "stag", {"stage", "map"}),
              "There is no view 'stag'. Did you mean 'stage'? Known: 'stage', 'map'.");
}

} // namespace
} // namespace casimir
