// The method of order 8 on lanes: its order, its estimate of the error, and that a lane is as good as a
// number alone.
#include "core/numerics/dop853.h"

#include <gtest/gtest.h>

#include <cmath>

namespace casimir {
namespace {

// A turning vector (u, v), w' = w^2 and s' = u s: not linear, with solutions in closed form.
struct Problem {
    template <class Real>
    CASIMIR_INLINE void operator()(const Real* z, Real* rate) const
    {
        rate[0] = -z[1];
        rate[1] = z[0];
        rate[2] = z[2] * z[2];
        rate[3] = z[0] * z[3];
    }
};

double exact(int i, double t)
{
    switch (i) {
    case 0:
        return std::cos(t);
    case 1:
        return std::sin(t);
    case 2:
        return 0.5 / (1 - 0.5 * t);
    default:
        return std::exp(std::sin(t));
    }
}

struct Result {
    double error, estimate;
};

Result oneStep(double h)
{
    const double z[4] = {1, 0, 0.5, 1}, weight[4] = {1, 1, 1, 1};
    double slope[4], end[4], e5, e3, squared;
    Problem()(z, slope);
    Dop853<4, double> stepper;
    stepper.step(Problem(), z, slope, h, end, weight, e5, e3);
    dop853SquaredError(h, e5, e3, 4, squared);
    double worst = 0;
    for (int i = 0; i < 4; ++i)
        worst = std::max(worst, std::abs(end[i] - exact(i, h)));
    return {worst, std::sqrt(squared)};
}

TEST(Dop853, IsOfOrderEight)
{
    // Of one step the error falls with the ninth power; these are coarse enough to stand out of the rounding.
    const double order = std::log2(oneStep(0.8).error / oneStep(0.4).error);
    EXPECT_GT(order, 8.5);
    EXPECT_LT(order, 10.5);
    EXPECT_LT(oneStep(0.1).error, 1e-14);
}

TEST(Dop853, EstimatesAnErrorThatIsNotLessThanTheTrueOne)
{
    for (const double h : {0.3, 0.5, 0.8, 1.2}) {
        const Result r = oneStep(h);
        EXPECT_GT(r.estimate, 0.3 * r.error) << h;
        EXPECT_LT(r.estimate, 1e4 * r.error + 1e-14) << h;
    }
}

TEST(Dop853, GivesInEveryLaneTheDigitsOfANumberAlone)
{
    using Real = Lanes<4>::Real;
    const double weight[4] = {1, 2, 3, 4};
    Real z[4], slope[4], end[4], e5, e3;
    const Real h = {0.1, 0.2, -0.3, 0.4};
    for (int i = 0; i < 4; ++i)
        for (int lane = 0; lane < 4; ++lane)
            z[i][lane] = 0.3 + 0.1 * i - 0.07 * lane * i;
    Problem()(z, slope);
    Dop853<4, Real> stepper;
    stepper.step(Problem(), z, slope, h, end, weight, e5, e3);
    for (int lane = 0; lane < 4; ++lane) {
        double one[4], first[4], last[4], f5, f3;
        for (int i = 0; i < 4; ++i)
            one[i] = z[i][lane];
        Problem()(one, first);
        Dop853<4, double> single;
        single.step(Problem(), one, first, h[lane], last, weight, f5, f3);
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(end[i][lane], last[i]);
        EXPECT_EQ(e5[lane], f5);
        EXPECT_EQ(e3[lane], f3);
    }
}

} // namespace
} // namespace casimir
