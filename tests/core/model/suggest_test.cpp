#include "core/base/suggest.h"

#include <gtest/gtest.h>

namespace casimir {

TEST(Suggest, theNearestNameIsTheOneMeant)
{
    const std::vector<std::string> methods{"dopri5", "rkf78", "midpoint", "gauss4", "gauss6"};
    EXPECT_EQ(nearest("dopri", methods), "dopri5");
    EXPECT_EQ(nearest("gaus6", methods), "gauss6");
    EXPECT_EQ(nearest("midpiont", methods), "midpoint");
    EXPECT_EQ(nearest("rfk78", methods), "rkf78");
    EXPECT_EQ(nearest("Mu", {"nu", "mu"}), "mu");
}

TEST(Suggest, aNameLikeNoneIsNotGuessed)
{
    EXPECT_EQ(nearest("xylophone", {"dopri5", "rkf78"}), "");
    EXPECT_EQ(nearest("", {}), "");
}

TEST(Suggest, theSentenceNamesTheGuessAndWhatIsKnown)
{
    EXPECT_EQ(didYouMean("m", {"m1", "mu"}), "did you mean 'm1'? known are m1, mu");
    EXPECT_EQ(didYouMean("xylophone", {"m1"}), "known are m1");
}

} // namespace casimir
