// From which tilts and momenta the rod comes to rest upright: the law without x, so that (psi, p_theta) is a
// plane flow. Fehlberg's 4(5) pair, small enough to be run for every point of a map.
#include "core/systems/constrained/servo_rod/servo_rod.h"

#include "core/numerics/pi.h"

#include <algorithm>
#include <cmath>

namespace casimir::constrained {

namespace {

using Point = Eigen::Vector2d;

// In psi and p_theta over its scale.
Point flow(const ServoRod& rod, const Point& y, double scale)
{
    const double theta = y[0] + halfPi, p = y[1] * scale;
    const auto px = rod.lawMomentum(0, theta, p);
    if (!px)
        return Point::Zero();
    const auto motion = rod.motion({0, theta, *px, p});
    return {motion.rate[1], motion.rate[3] / scale};
}

} // namespace

RodFate fateOf(const ServoRod& rod, double psi, double pTheta, const FateOptions& options)
{
    const double scale = rod.momentumScale();
    const auto f = [&](const Point& y) { return flow(rod, y, scale); };
    // Slow against gravity's own rate and against the slowest eigenvalue.
    const double rate = scale / rod.J();
    double slowest = rate;
    for (const auto& s : rod.spectrum().eigenvalues)
        if (s.real() != 0)
            slowest = std::min(slowest, std::abs(s.real()));
    const double tEnd = 60 / rate + 25 / slowest;
    constexpr double home = 1e-2;

    Point y(psi, pTheta / scale);
    double t = 0, h = 0.01 / rate;
    for (int step = 0; step < options.steps && t < tEnd; ++step) {
        if (!(std::abs(y[0]) < halfPi))
            return RodFate::Falls;
        if (y.norm() < home)
            return RodFate::Settles;
        const Point k1 = f(y);
        const Point k2 = f(y + h * k1 / 4);
        const Point k3 = f(y + h * (3 * k1 + 9 * k2) / 32);
        const Point k4 = f(y + h * (1932 * k1 - 7200 * k2 + 7296 * k3) / 2197);
        const Point k5 = f(y + h * (439.0 / 216 * k1 - 8 * k2 + 3680.0 / 513 * k3 - 845.0 / 4104 * k4));
        const Point k6 =
            f(y + h * (-8.0 / 27 * k1 + 2 * k2 - 3544.0 / 2565 * k3 + 1859.0 / 4104 * k4 - 11.0 / 40 * k5));
        const Point error =
            h * (k1 / 360 - 128.0 / 4275 * k3 - 2197.0 / 75240 * k4 + k5 / 50 + 2.0 / 55 * k6);
        const double e = error.norm() / (options.tolerance * (1 + y.norm()));
        if (e <= 1) {
            y += h * (16.0 / 135 * k1 + 6656.0 / 12825 * k3 + 28561.0 / 56430 * k4 - 9.0 / 50 * k5 +
                      2.0 / 55 * k6);
            t += h;
        }
        if (!std::isfinite(e))
            h /= 8;
        else
            h *= std::clamp(0.9 * std::pow(std::max(e, 1e-10), -0.2), 0.2, 4.0);
        if (h < 1e-13 / rate)
            return RodFate::Undecided;
    }
    return RodFate::Undecided;
}

double largestTilt(const ServoRod& rod)
{
    double settles = 0, falls = halfPi;
    if (fateOf(rod, 0.02, 0) != RodFate::Settles)
        return 0;
    for (int i = 0; i < 44; ++i) {
        const double middle = (settles + falls) / 2;
        (fateOf(rod, middle, 0) == RodFate::Settles ? settles : falls) = middle;
    }
    return settles;
}

} // namespace casimir::constrained
