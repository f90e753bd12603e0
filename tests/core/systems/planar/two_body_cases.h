// What the tests of two bodies share: parameter sets, ordinary and extreme, and an integrator of their own.
#pragma once

#include "core/systems/planar/two_body/two_body.h"

#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include <numbers>
#include <random>
#include <vector>

namespace casimir::planar {

// The parameters inferred for the paper's Fig. 1.
inline TwoBodyParameters figure1()
{
    return {100, 125, 50, 50, 1, 0.6, 0, 50};
}

inline std::vector<TwoBodyParameters> randomParameters(int count, unsigned seed)
{
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> positive(0.2, 3), angle(-3, 3), momentum(0.5, 5);
    std::vector<TwoBodyParameters> sets;
    for (int i = 0; i < count; ++i) {
        const double sign = i % 2 == 0 ? 1 : -1;
        sets.push_back({positive(engine), positive(engine), positive(engine), positive(engine),
                        positive(engine), positive(engine), angle(engine), sign * momentum(engine)});
    }
    return sets;
}

// Mass ratio 1e6, a hinge almost at a centre of mass, thin rods, near symmetry, large and small units, mu <
// 0.
inline std::vector<TwoBodyParameters> extremeParameters()
{
    return {{1e6, 1, 1e5, 0.1, 1, 0.7, 0.4, 3},
            {1, 1e6, 0.2, 3e4, 0.5, 2, -1.1, -2},
            {1, 2, 0.3, 0.4, 1e-7, 1, 2.5, 1.5},
            {1, 2, 0.3, 0.4, 0.8, 1e-5, 0, -4},
            {3, 2, 1e-6, 2e-6, 1, 1.2, 0.3, 0.7},
            {2, 2, 1e-4, 1e-4, 1, 1, -2, 1},
            {2, 2, 1e-8, 1, 1, 1, 1, -1},
            {1e-3, 2e-3, 1e-9, 2e-9, 1e-3, 2e-3, 3, 1e-8},
            {1e4, 3e4, 1e8, 2e8, 50, 80, -0.2, 1e9},
            {1, 1, 0, 0.5, 1, 0.5, 0, 2}};
}

inline std::vector<TwoBodyParameters> allParameters(unsigned seed)
{
    std::vector<TwoBodyParameters> sets = randomParameters(12, seed);
    const auto extreme = extremeParameters();
    sets.insert(sets.end(), extreme.begin(), extreme.end());
    sets.push_back(figure1());
    return sets;
}

// (theta, nu, theta1) after the given time, by Runge-Kutta-Fehlberg 7(8) at a tight tolerance.
inline Eigen::Vector3d flow(const TwoBody& bodies, const Eigen::Vector3d& start, double time)
{
    namespace odeint = boost::numeric::odeint;
    using State = std::vector<double>; // a fixed array makes g++ 12 warn inside the stepper
    // nu in units of its own size, so that one tolerance fits all components
    const double unit = std::max({std::abs(bodies.mu()), std::abs(start[1]), 1e-300});
    State x{start[0], start[1] / unit, start[2]};
    const auto field = [&](const State& s, State& rate, double) {
        const Eigen::Vector2d f = bodies.leafField(s[0], s[1] * unit);
        rate = {f[0], f[1] / unit, bodies.theta1Dot(s[0], s[1] * unit)};
    };
    const auto stepper = odeint::make_controlled<odeint::runge_kutta_fehlberg78<State>>(1e-14, 1e-14);
    odeint::integrate_adaptive(stepper, field, x, 0.0, time, time * 1e-4);
    return {x[0], x[1] * unit, x[2]};
}

} // namespace casimir::planar
