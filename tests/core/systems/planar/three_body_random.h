// Random sets of three bodies and what must be true of the equilibria of each, for the test that always runs
// and for the long one.
#pragma once

#include "core/systems/planar/three_body/three_body_roots.h"
#include "core/systems/planar/two_body/two_body.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace casimir::planar {

struct RandomSystems {
    std::mt19937_64 engine;
    explicit RandomSystems(unsigned seed) : engine(seed) {}

    double uniform(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(engine);
    }
    double scattered() { return std::exp(uniform(-2, 2)); }

    ThreeBodyParameters physical(bool aligned)
    {
        ThreeBodyParameters p;
        for (double* x : {&p.m1, &p.m2, &p.m3, &p.c1, &p.d1})
            *x = scattered();
        for (double* x : {&p.I1, &p.I2, &p.I3})
            *x = 0.3 * scattered();
        p.b1 = uniform(-2, 2);
        p.e1 = uniform(-2, 2);
        p.e2 = aligned ? 0 : uniform(-2, 2);
        p.mu = uniform(-5, 5);
        return p;
    }
    // Uniform in the phase phi and comparable amplitudes: six equilibria are common here and rare above.
    ThreeBodyCoefficients symmetric()
    {
        const auto p1 = std::polar(uniform(0.5, 1.5), uniform(-3.2, 3.2)),
                   p2 = std::polar(uniform(0.5, 1.5), uniform(-3.2, 3.2));
        return {.A1 = uniform(0.5, 1.5), .B1 = p1.real(), .B2 = p2.real(), .C1 = p1.imag(), .C2 = -p2.imag()};
    }
};

// Within this of a degenerate equilibrium (least eigenvalue of D^2 f to its scale) counts may differ from
// four and six.
constexpr double degenerateNeighbourhood = 1e-6;

struct RandomTally {
    long four = 0, six = 0, near = 0;
};

// Residuals at rounding, four or six, maxima - saddles + minima = 0, and the count without finding them
// agrees.
inline void expectCompleteEquilibria(const ThreeBodyCoefficients& f, RandomTally& tally)
{
    const CriticalPoints found = criticalPoints(f);
    ASSERT_EQ(found.continuum, Continuum::None);
    double flattest = 1;
    int sum = 0, maxima = 0;
    for (const CriticalPoint& p : found.points) {
        const ShapeSlope slope = shapeSlope(f, p.x, p.y);
        ASSERT_LE(slope.gradient.norm(), 1e-14 * f.size());
        flattest = std::min({flattest, std::abs(p.curvature[0]), std::abs(p.curvature[1])});
        sum += p.index % 2 == 0 ? 1 : -1;
        maxima += p.index == 0; // of f: V has a minimum there
    }
    if (flattest <= degenerateNeighbourhood) {
        ++tally.near;
        return;
    }
    const std::size_t count = found.points.size();
    ASSERT_TRUE(count == 4 || count == 6) << count;
    ASSERT_EQ(sum, 0);
    ++(count == 4 ? tally.four : tally.six);
    if (flattest > 1e-5)
        ASSERT_EQ(static_cast<std::size_t>(countCriticalPoints(f)), count) << flattest;
    if (count == 6)
        ASSERT_EQ(maxima, sixHaveTwoMaxima(f) ? 2 : 1);
    else
        ASSERT_EQ(maxima, 1);
}

inline RandomTally checkRandomSystems(unsigned seed, int count)
{
    RandomSystems random(seed);
    RandomTally tally;
    for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
        SCOPED_TRACE(i);
        const ThreeBodyCoefficients f =
            i % 3 == 2 ? random.symmetric() : coefficientsOf(random.physical(i % 3 == 0));
        expectCompleteEquilibria(f, tally);
    }
    return tally;
}

} // namespace casimir::planar
