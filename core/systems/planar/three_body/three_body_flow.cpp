#include "core/systems/planar/three_body/three_body_flow.h"

#include "core/numerics/dop853.h"
#include "core/numerics/pi.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace casimir::planar {

namespace {

constexpr int size = 4;
constexpr double firstStep = 1e-3; // of a radian at the start
constexpr double shortest = 1e-9;  // as a part of that: below it nothing moves on
constexpr double farOut = 1e10;    // rad^2: where the other angle is brought back

struct Coefficients {
    double d1, d2, d3, inverse1; // the diagonal of J, and 1/d1
    double B1, C1, B2, C2, A1;   // divided by the mass
    double mu;

    explicit Coefficients(const ThreeBody& bodies)
    {
        const ThreeBodyCoefficients& f = bodies.coefficients();
        const double M = bodies.mass();
        d1 = bodies.augmentedInertias()[0];
        d2 = bodies.augmentedInertias()[1];
        d3 = bodies.augmentedInertias()[2];
        inverse1 = 1 / d1;
        B1 = f.B1 / M;
        C1 = f.C1 / M;
        B2 = f.B2 / M;
        C2 = f.C2 / M;
        A1 = f.A1 / M;
        mu = bodies.mu();
    }
};

// (6.5)-(6.7) with J^-1 mu by elimination, as in ThreeBody.
template <class Real>
CASIMIR_INLINE void ratesOf(const Coefficients& c, const Real& sx, const Real& cx, const Real& sy,
                            const Real& cy, const Real& mu1, const Real& mu3, Real* rate)
{
    const Real J12 = c.B1 * cx - c.C1 * sx, K12 = c.B1 * sx + c.C1 * cx;
    const Real J23 = c.B2 * cy + c.C2 * sy, K23 = c.B2 * sy - c.C2 * cy;
    const Real J13 = c.A1 * (cx * cy - sx * sy), K13 = c.A1 * (sx * cy + cx * sy);
    const Real mu2 = c.mu - mu1 - mu3;
    const Real l21 = J12 * c.inverse1, l31 = J13 * c.inverse1;
    const Real p2 = c.d2 - l21 * J12, s = J23 - l31 * J12, i2 = 1 / p2, l32 = s * i2;
    const Real p3 = c.d3 - l31 * J13 - l32 * s;
    const Real z2 = mu2 - l21 * mu1, z3 = mu3 - l31 * mu1 - l32 * z2;
    const Real w3 = z3 / p3, w2 = z2 * i2 - l32 * w3;
    const Real w1 = mu1 * c.inverse1 - l21 * w2 - l31 * w3;
    const Real a = K12 * w1 * w2, b = K23 * w2 * w3, d = K13 * w1 * w3;
    rate[0] = w2 - w1;
    rate[1] = w3 - w2;
    rate[2] = a + d;
    rate[3] = -b - d;
}

// Of orbits in lanes. The angles are brought back now and then and stay within the reach of the sine.
template <int W>
CASIMIR_INLINE void fieldOf(const Coefficients& c, const typename Lanes<W>::Real* z,
                            typename Lanes<W>::Real* rate)
{
    using Real = typename Lanes<W>::Real;
    using Bits = typename Lanes<W>::Bits;
    Real sx, cx, sy, cy;
    Bits beyond;
    sineAndCosine<Real, Bits>(z[0], sx, cx, beyond);
    sineAndCosine<Real, Bits>(z[1], sy, cy, beyond);
    ratesOf(c, sx, cx, sy, cy, z[2], z[3], rate);
}

// Of one orbit, its angles in one pair and its momenta in another.
using Pair = Lanes<2>::Real;
CASIMIR_INLINE void pairedField(const Coefficients& c, const Pair* z, Pair* rate)
{
    Pair sine, cosine;
    Lanes<2>::Bits beyond;
    sineAndCosine<Pair, Lanes<2>::Bits>(z[0], sine, cosine, beyond);
    double r[size];
    ratesOf<double>(c, sine[0], cosine[0], sine[1], cosine[1], z[1][0], z[1][1], r);
    rate[0] = Pair{r[0], r[1]};
    rate[1] = Pair{r[2], r[3]};
}

// A step and the square of its error, in units of the tolerance.
template <int W>
CASIMIR_INLINE void attempt(const Coefficients& c, const typename Lanes<W>::Real* z,
                            const typename Lanes<W>::Real* slope, const typename Lanes<W>::Real& h,
                            const double* weight, typename Lanes<W>::Real* end,
                            typename Lanes<W>::Real& error)
{
    using Real = typename Lanes<W>::Real;
    Dop853<size, Real> stepper;
    Real e5, e3;
    stepper.step([&c](const Real* at, Real* rate) CASIMIR_ALWAYS_INLINE { fieldOf<W>(c, at, rate); }, z,
                 slope, h, end, weight, e5, e3);
    dop853SquaredError(h, e5, e3, size, error);
}
template <>
CASIMIR_INLINE void attempt<1>(const Coefficients& c, const double* z, const double* slope, const double& h,
                               const double* weight, double* end, double& error)
{
    Dop853<2, Pair> stepper;
    const Pair from[2] = {{z[0], z[1]}, {z[2], z[3]}},
               first[2] = {{slope[0], slope[1]}, {slope[2], slope[3]}};
    const double pairWeight[2] = {weight[0], weight[2]};
    Pair to[2], e5, e3;
    stepper.step([&c](const Pair* at, Pair* rate) CASIMIR_ALWAYS_INLINE { pairedField(c, at, rate); }, from,
                 first, Pair{h, h}, to, pairWeight, e5, e3);
    for (int i = 0; i < size; ++i)
        end[i] = to[i / 2][i % 2];
    dop853SquaredError(h, e5[0] + e5[1], e3[0] + e3[1], size, error);
}

double wrapped(double angle)
{
    return std::remainder(angle, 2 * pi);
}

// A crossing: its time after the begin of the step, and the state there.
struct Located {
    double t;
    double z[size];
};

// Where the angle comes to `target` within the step h from z to endZ; false where it only grazes it.
bool locate(const Coefficients& c, int angle, double target, const double* z, const double* slope,
            const double* endZ, const double* endSlope, double h, const double* weight, Located& out)
{
    const auto field = [&c](const double* at, double* rate) { fieldOf<1>(c, at, rate); };
    // The cubic through both ends gives the time to some digits.
    const double x0 = z[angle] - target, x1 = endZ[angle] - target, s0 = h * slope[angle],
                 s1 = h * endSlope[angle];
    double low = 0, high = 1, u = x0 / (x0 - x1);
    for (int k = 0; k < 40; ++k) {
        const double v = 1 - u;
        const double value = v * v * ((1 + 2 * u) * x0 + u * s0) + u * u * ((3 - 2 * u) * x1 - v * s1);
        (value < 0 ? low : high) = u;
        const double rate = 6 * u * v * (x1 - x0) + v * (1 - 3 * u) * s0 + u * (3 * u - 2) * s1;
        const double next = u - value / rate;
        const double taken = next > low && next < high ? next : 0.5 * (low + high);
        if (std::abs(taken - u) < 1e-6) {
            u = taken;
            break;
        }
        u = taken;
    }
    // From there a step of the same method, and the rest by stepping in time: the angle as a function of time
    // is nearly straight over what remains.
    double error;
    out.t = u * h;
    attempt<1>(c, z, slope, out.t, weight, out.z, error);
    for (int k = 0; k < 12; ++k) {
        const double missing = target - out.z[angle];
        if (std::abs(missing) <= 1e-15 * (1 + std::abs(target)))
            return true;
        double k1[size], k2[size], k3[size], k4[size], at[size];
        field(out.z, k1);
        const double dt = std::clamp(missing / k1[angle], -0.25 * h, 0.25 * h);
        if (!std::isfinite(dt))
            return false;
        for (int i = 0; i < size; ++i)
            at[i] = out.z[i] + dt / 2 * k1[i];
        field(at, k2);
        for (int i = 0; i < size; ++i)
            at[i] = out.z[i] + dt / 2 * k2[i];
        field(at, k3);
        for (int i = 0; i < size; ++i)
            at[i] = out.z[i] + dt * k3[i];
        field(at, k4);
        for (int i = 0; i < size; ++i)
            out.z[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
        out.t += dt;
    }
    return std::abs(target - out.z[angle]) < 1e-12;
}

template <class Mask>
CASIMIR_INLINE bool any(const Mask& mask)
{
    if constexpr (std::is_integral_v<Mask>) {
        return mask != 0;
    } else {
        bool set = false;
        for (std::size_t lane = 0; lane < sizeof(Mask) / sizeof(mask[0]); ++lane)
            set |= mask[lane] != 0;
        return set;
    }
}

template <int W>
CASIMIR_INLINE Status follow(const ThreeBody& bodies, const CrossingSearch& search, const NextOrbit& next,
                             const CrossingFound& found)
{
    if (!(search.energy > 0))
        return {}; // at rest nothing crosses
    using L = Lanes<W>;
    using Real = typename L::Real;
    const Coefficients c(bodies);
    const double inertia = bodies.augmentedInertias().sum();
    const double momentum = std::sqrt(2 * search.energy * inertia),
                 radian = std::sqrt(inertia / (2 * search.energy));
    // Errors of angles count against half a turn, those of momenta against the largest there are.
    const double weight[size] = {1 / (search.rtol * pi), 1 / (search.rtol * pi), 1 / (search.rtol * momentum),
                                 1 / (search.rtol * momentum)};
    // The angle is kept in this interval, both ends of which are the section: it crosses at the upper one.
    const double low = search.at, high = search.at + 2 * pi;
    const int angle = search.angle, other = 1 - angle;
    const double stopped = shortest * firstStep * radian;

    Real z[size] = {}, slope[size] = {}, h = Real{} + firstStep * radian, t = Real{};
    int orbit[W] = {};
    bool busy[W] = {};
    int running = 0;
    Status status;
    const auto begin = [&](int lane) {
        running -= busy[lane];
        const auto start = next();
        busy[lane] = start.has_value();
        L::set(t, lane, start ? 0 : -1e300); // an idle lane goes on with what it has and is not looked at
        L::set(h, lane, firstStep * radian);
        if (!start)
            return;
        ++running;
        orbit[lane] = start->orbit;
        double state[size] = {start->z[0], start->z[1], start->z[2], start->z[4]};
        state[angle] -= 2 * pi * std::floor((state[angle] - low) / (2 * pi));
        double rate[size];
        fieldOf<1>(c, state, rate);
        for (int i = 0; i < size; ++i) {
            L::set(z[i], lane, state[i]);
            L::set(slope[i], lane, rate[i]);
        }
    };
    for (int lane = 0; lane < W; ++lane)
        begin(lane);
    // begin() counts `running`. NOLINTNEXTLINE(bugprone-infinite-loop)
    while (running > 0 && !(search.stop && search.stop->load(std::memory_order_relaxed))) {
        Real end[size], endSlope[size], error, factor;
        attempt<W>(c, z, slope, h, weight, end, error);
        fieldOf<W>(c, end, endSlope);
        dop853Factor<Real, typename L::Bits>(error, factor);
        const auto good = error <= 1;
        const Real x = end[angle], y = end[other], later = t + h, shorter = h * factor;
        const auto special = (good & ((x >= high) | (x < low) | (later >= search.tMax) | (y * y > farOut))) |
                             (shorter < stopped);
        const bool look = any(special);
        Real oldZ[size] = {}, oldSlope[size] = {}, oldH = {}, oldT = {};
        if (look) {
            std::copy(z, z + size, oldZ);
            std::copy(slope, slope + size, oldSlope);
            oldH = h;
            oldT = t;
        }
        for (int i = 0; i < size; ++i) {
            z[i] = good ? end[i] : z[i];
            slope[i] = good ? endSlope[i] : slope[i];
        }
        t = good ? later : t;
        h = shorter;
        for (int lane = 0; look && lane < W; ++lane) {
            if (!busy[lane])
                continue;
            if (L::get(h, lane) < stopped) {
                status = Status::failed("not-converged",
                                        "The motion could not be followed: its steps became too short.");
                begin(lane);
                continue;
            }
            if (!(L::get(error, lane) <= 1))
                continue;
            const double reached = L::get(x, lane);
            bool goesOn = true;
            if (reached >= high) {
                double from[size], fromSlope[size], to[size], toSlope[size];
                for (int i = 0; i < size; ++i) {
                    from[i] = L::get(oldZ[i], lane);
                    fromSlope[i] = L::get(oldSlope[i], lane);
                    to[i] = L::get(end[i], lane);
                    toSlope[i] = L::get(endSlope[i], lane);
                }
                Located place;
                if (locate(c, angle, high, from, fromSlope, to, toSlope, L::get(oldH, lane), weight, place) &&
                    L::get(oldT, lane) + place.t <= search.tMax) {
                    Vector5d crossing;
                    crossing << wrapped(place.z[0]), wrapped(place.z[1]), place.z[2],
                        c.mu - place.z[2] - place.z[3], place.z[3];
                    goesOn = found(orbit[lane], L::get(oldT, lane) + place.t, crossing);
                }
                L::set(z[angle], lane, std::max(reached - 2 * pi, low));
            } else if (reached < low) {
                L::set(z[angle], lane, std::min(reached + 2 * pi, std::nextafter(high, low)));
            }
            L::set(z[other], lane, wrapped(L::get(y, lane)));
            if (!goesOn || L::get(t, lane) >= search.tMax)
                begin(lane);
        }
    }
    return status;
}

#if CASIMIR_HAS_WIDE
CASIMIR_WIDE Status followWide(const ThreeBody& bodies, const CrossingSearch& search, const NextOrbit& next,
                               const CrossingFound& found)
{
    return follow<4>(bodies, search, next, found);
}
#endif

Status followNarrow(const ThreeBody& bodies, const CrossingSearch& search, const NextOrbit& next,
                    const CrossingFound& found)
{
    return follow<2>(bodies, search, next, found);
}

} // namespace

Status followCrossings(const ThreeBody& bodies, const CrossingSearch& search, const NextOrbit& next,
                       const CrossingFound& found)
{
#if CASIMIR_HAS_WIDE
    if (machineIsWide())
        return followWide(bodies, search, next, found);
#endif
    return followNarrow(bodies, search, next, found);
}

Status followCrossingsSingly(const ThreeBody& bodies, const CrossingSearch& search, const NextOrbit& next,
                             const CrossingFound& found)
{
    return follow<1>(bodies, search, next, found);
}

} // namespace casimir::planar
