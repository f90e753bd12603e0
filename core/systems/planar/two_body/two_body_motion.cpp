#include "core/systems/planar/two_body/two_body_motion.h"

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace casimir::planar {

namespace {

using std::numbers::pi;
using Gauss = boost::math::quadrature::gauss<double, 10>;

// Of v below. The integrands are analytic for |Im v| < pi/2, so ten points of Gauss leave an error of 1e-18
// on a panel this wide.
constexpr double panel = 0.75;

} // namespace

// Librations have sin(psi/2) = k sin u, rotations psi = 2 u; then cot u = kappa sinh v, as in the loop
// integrals of two_body_orbits.cpp. One stretch, u from 0 to pi/2, is a quarter of a libration and half a
// turn of a rotation; all others are its mirror images.
TwoBodyMotion::TwoBodyMotion(const TwoBody& bodies, const Point& start)
    : bodies_(bodies), start_(start), level_(levelThrough(bodies, start.theta, start.nu))
{
    kind_ = orbitThrough(bodies, start.theta, start.nu).kind;
    const double psi = start.theta - bodies.theta0();
    const double D = bodies.coupling(), sMinus = bodies.foldedInertia(), detE = bodies.straightDeterminant();
    const double rise = start.nu - bodies.nu0(start.theta);
    direction_ = rise < 0 ? -1 : 1;
    if (kind_ == OrbitKind::Libration) {
        const double whole = 8 * level_.energy * D;
        winding_ = std::round(psi / (2 * pi));
        k2_ = level_.aboveStretched / whole;
        kPrime_ = kappa_ = std::sqrt(-level_.aboveFolded / whole);
        scale_ = 2 / std::sqrt(whole);
        tabulate();
        const double sine = std::sin(psi / 2 - pi * winding_) / std::sqrt(k2_);
        const double cosine = rise * bodies.lockedInertia(start.theta) /
                              std::sqrt(level_.aboveStretched * bodies.delta(start.theta));
        const double length = std::hypot(sine, cosine); // 1 but for rounding
        const Place place = placeAt(std::abs(sine) / length, std::abs(cosine) / length);
        const double part = place.since.time / upTo_.front().time;
        startStretches_ = sine >= 0 ? (cosine >= 0 ? part : 2 - part) : (cosine <= 0 ? 2 + part : 4 - part);
    } else if (kind_ == OrbitKind::Rotation) {
        winding_ = std::floor(direction_ * psi / (2 * pi));
        kPrime_ = std::sqrt(level_.aboveFolded / level_.aboveStretched);
        kappa_ =
            D > 0 ? std::min({kPrime_, std::sqrt(detE) / (2 * D), std::sqrt(sMinus / (4 * D))}) : kPrime_;
        scale_ = 2 / std::sqrt(level_.aboveStretched);
        tabulate();
        const double u = (direction_ * psi - 2 * pi * winding_) / 2; // in [0, pi)
        const Place place = placeAt(std::abs(std::sin(u)), std::abs(std::cos(u)));
        const double part = place.since.time / upTo_.front().time;
        startStretches_ = u <= pi / 2 ? part : 2 - part;
    }
    if (kind_ == OrbitKind::Libration || kind_ == OrbitKind::Rotation)
        startTurn_ = phaseAt(startStretches_).turn;
}

std::optional<double> TwoBodyMotion::period() const
{
    if (upTo_.empty())
        return std::nullopt;
    return (kind_ == OrbitKind::Libration ? 4 : 2) * scale_ * upTo_.front().time;
}

TwoBodyMotion::Sums TwoBodyMotion::density(double v) const
{
    const double D = bodies_.coupling(), y = kappa_ * std::sinh(v), sin2 = 1 / (1 + y * y);
    const bool libration = kind_ == OrbitKind::Libration;
    const double s2 = k2_ * sin2;
    const double c2 = libration ? (y * y + square(kPrime_)) * sin2 : y * y * sin2;
    const double stretch = libration ? 1 : kappa_ * std::cosh(v) / std::hypot(y, kPrime_);
    const double dt = std::sqrt((bodies_.straightDeterminant() + 4 * square(D) * s2 * c2) * sin2) * stretch;
    return {dt, dt / (bodies_.foldedInertia() + 4 * D * c2)};
}

TwoBodyMotion::Sums TwoBodyMotion::between(double from, double to) const
{
    const auto &nodes = Gauss::abscissa(), &weights = Gauss::weights();
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    Sums sum;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Sums a = density(middle - half * nodes[i]), b = density(middle + half * nodes[i]);
        sum.time += weights[i] * (a.time + b.time);
        sum.turn += weights[i] * (a.turn + b.turn);
    }
    return {half * sum.time, half * sum.turn};
}

// From u = 0, where v is infinite; the last panel is where nothing but rounding is left.
void TwoBodyMotion::tabulate()
{
    const auto panels = static_cast<std::size_t>(std::ceil((41 + std::log(1 / kappa_)) / panel));
    upTo_.resize(panels + 1);
    // Out there dt = sqrt(Delta_e) du and u = 2 e^{-v}/kappa.
    const double tail = 2 * std::exp(-panel * static_cast<double>(panels)) / kappa_ *
                        std::sqrt(bodies_.straightDeterminant());
    upTo_[panels] = {tail, tail / bodies_.stretchedInertia()};
    for (std::size_t j = panels; j-- > 0;) {
        const Sums here = between(panel * static_cast<double>(j), panel * static_cast<double>(j + 1));
        upTo_[j] = {upTo_[j + 1].time + here.time, upTo_[j + 1].turn + here.turn};
    }
}

TwoBodyMotion::Place TwoBodyMotion::placeAt(double sine, double cosine) const
{
    const auto last = upTo_.size() - 1;
    const double v = sine > 0 ? std::asinh(cosine / (kappa_ * sine)) : panel * static_cast<double>(last);
    if (v >= panel * static_cast<double>(last)) { // so near to u = 0 that u is its own sine
        const double time = sine * std::sqrt(bodies_.straightDeterminant());
        return {sine, cosine, {time, time / bodies_.stretchedInertia()}};
    }
    const auto j = static_cast<std::size_t>(v / panel);
    const Sums rest = between(v, panel * static_cast<double>(j + 1));
    return {sine, cosine, {upTo_[j + 1].time + rest.time, upTo_[j + 1].turn + rest.turn}};
}

// The inverse: Newton's method in v, kept inside its panel.
TwoBodyMotion::Place TwoBodyMotion::placeAfter(double time) const
{
    const auto fromBehind =
        std::lower_bound(upTo_.rbegin(), upTo_.rend(), time,
                         [](const Sums& sums, double wanted) { return sums.time < wanted; });
    if (fromBehind == upTo_.rbegin()) {
        const double sine = time / std::sqrt(bodies_.straightDeterminant());
        return {sine, 1, {time, time / bodies_.stretchedInertia()}};
    }
    if (fromBehind == upTo_.rend())
        return {1, 0, upTo_.front()};
    const auto j = static_cast<std::size_t>(upTo_.rend() - fromBehind) - 1;
    double low = panel * static_cast<double>(j), high = low + panel;
    // Far out the time falls like e^{-v}.
    const double ratio = std::log(time / upTo_[j + 1].time) / std::log(upTo_[j].time / upTo_[j + 1].time);
    const double end = high;
    double v = std::clamp(high - panel * ratio, low, high);
    Sums rest;
    for (int step = 0; step < 60; ++step) {
        rest = between(v, end);
        const double excess = upTo_[j + 1].time + rest.time - time;
        (excess > 0 ? low : high) = v;
        double next = v + excess / density(v).time;
        if (!(next >= low && next <= high))
            next = 0.5 * (low + high);
        const bool done = std::abs(next - v) <= 1e-9; // squared by the step that was just made
        rest.turn += (v - next) * density(v).turn;
        v = next;
        if (done)
            break;
    }
    const double y = kappa_ * std::sinh(v), length = std::sqrt(1 + y * y);
    return {1 / length, y / length, {time, upTo_[j + 1].turn + rest.turn}};
}

// `stretches` is counted from a passage of the stretched angle with psi growing (rotations: with
// direction * psi growing), and smaller than a period.
TwoBodyMotion::Phase TwoBodyMotion::phaseAt(double stretches) const
{
    const double D = bodies_.coupling(), half = -0.5 * bodies_.inertiaDifference() * bodies_.mu();
    const int whole = static_cast<int>(stretches);
    const double part = stretches - whole;
    const bool back = whole % 2 == 1; // a mirror image runs from its end to u = 0
    const Sums total = upTo_.front();
    const Place place = placeAfter((back ? 1 - part : part) * total.time);
    Phase phase;
    phase.turn =
        scale_ * (back ? (whole + 1) * total.turn - place.since.turn : whole * total.turn + place.since.turn);
    const double sin2 = square(place.sine), cos2 = square(place.cosine);
    if (kind_ == OrbitKind::Libration) {
        const double s = std::sqrt(k2_) * place.sine, c2 = cos2 + square(kPrime_) * sin2;
        const double inertia = bodies_.foldedInertia() + 4 * D * c2;
        const double det = bodies_.straightDeterminant() + square(2 * D * s) * c2;
        const double rise = std::sqrt(level_.aboveStretched * det) * place.cosine / inertia;
        const double psi = 2 * std::atan2(s, std::sqrt(c2));
        phase.theta = bodies_.theta0() + (whole < 2 ? psi : -psi);
        phase.nu = half / inertia + (whole == 0 || whole == 3 ? rise : -rise);
    } else {
        const double inertia = bodies_.foldedInertia() + 4 * D * cos2;
        const double det = bodies_.straightDeterminant() + 4 * square(D) * sin2 * cos2;
        const double margin = level_.aboveFolded + (level_.aboveStretched - level_.aboveFolded) * cos2;
        const double psi = 2 * std::atan2(place.sine, place.cosine);
        phase.theta = bodies_.theta0() + direction_ * (back ? 2 * pi - psi : psi);
        phase.nu = half / inertia + direction_ * std::sqrt(det * margin) / inertia;
    }
    return phase;
}

// (I2~ + eps lambda)/S = 1/2 - (I1~ - I2~)/(2 S), and Int dpsi/S = 2 atan(sqrt(S_-/S_+) tan(psi/2))/sqrt(S_+
// S_-) continued through the folded angle.
double TwoBodyMotion::connection(double psi) const
{
    const double sPlus = bodies_.stretchedInertia(), sMinus = bodies_.foldedInertia();
    const double turns = std::round(psi / (2 * pi)), rest = psi - 2 * pi * turns;
    const double angle =
        std::atan2(std::sqrt(sMinus) * std::sin(rest / 2), std::sqrt(sPlus) * std::cos(rest / 2));
    const double inverse = (2 * angle + 2 * pi * turns) / (std::sqrt(sPlus) * std::sqrt(sMinus));
    return 0.5 * psi - 0.5 * bodies_.inertiaDifference() * inverse;
}

// Rate times Int_0^x (1/S_- - 1/S) dt on the homoclinic pair, sin(psi/2) = tanh x >= 0; x = c sinh v spreads
// the panels as in HomoclinicPair::time.
double TwoBodyMotion::homoclinicTurn(double x) const
{
    const double D = bodies_.coupling(), sMinus = bodies_.foldedInertia(),
                 detE = bodies_.straightDeterminant();
    const double c = std::min({1.0, std::sqrt(detE) / (2 * D), std::sqrt(sMinus / (4 * D))});
    const auto integrand = [&](double v) {
        const double at = c * std::sinh(v), sech2 = square(1 / std::cosh(at));
        const double det = detE + 4 * square(D) * sech2 * (1 - sech2);
        return std::sqrt(det) * 4 * D * sech2 / (sMinus * (sMinus + 4 * D * sech2)) * c * std::cosh(v);
    };
    const double end = std::asinh(std::min(x, 40.0) / c);
    const int panels = std::max(1, static_cast<int>(std::ceil(end / panel)));
    double sum = 0;
    for (int i = 0; i < panels; ++i)
        sum += Gauss::integrate(integrand, end * i / panels, end * (i + 1) / panels);
    return sum;
}

TwoBodyMotion::Point TwoBodyMotion::homoclinicAt(double time) const
{
    const HomoclinicPair pair(bodies_);
    const double turns = std::round((start_.theta - bodies_.theta0()) / (2 * pi));
    const double almost = std::nextafter(pi, 0.0); // at pi itself the time is infinite
    const double psi0 = std::clamp(start_.theta - bodies_.theta0() - 2 * pi * turns, -almost, almost);
    const double psi = pair.psi(pair.time(psi0, direction_) + time, direction_);
    const double rate = pair.growthRate() * std::sqrt(bodies_.straightDeterminant());
    const auto slower = [&](double at) { // Int (1/S_- - 1/S) dt from psi = 0
        return direction_ * std::copysign(homoclinicTurn(std::asinh(std::tan(std::abs(at) / 2))) / rate, at);
    };
    const double turn = time / bodies_.foldedInertia() - (slower(psi) - slower(psi0));
    return {bodies_.theta0() + 2 * pi * turns + psi, pair.nu(psi, direction_),
            start_.theta1 + bodies_.mu() * turn - (connection(psi) - connection(psi0))};
}

TwoBodyMotion::Point TwoBodyMotion::at(double time) const
{
    if (kind_ == OrbitKind::Homoclinic)
        return homoclinicAt(time);
    if (upTo_.empty()) // an equilibrium
        return {start_.theta, start_.nu, start_.theta1 + time * bodies_.theta1Dot(start_.theta, start_.nu)};
    const bool libration = kind_ == OrbitKind::Libration;
    const double round = libration ? 4 : 2, stretch = scale_ * upTo_.front().time;
    // Whole periods are taken off the time before it is divided: that loses nothing.
    const double rest = std::fmod(time, round * stretch),
                 periods = std::round((time - rest) / (round * stretch));
    double stretches = startStretches_ + rest / stretch, further = periods;
    if (stretches < 0) {
        stretches += round;
        --further;
    } else if (stretches >= round) {
        stretches -= round;
        ++further;
    }
    stretches = std::min(stretches, std::nextafter(round, 0.0));
    const Phase phase = phaseAt(stretches);
    Point point{phase.theta, phase.nu, 0};
    point.theta += 2 * pi * (libration ? winding_ : direction_ * (winding_ + further));
    const double turn = phase.turn - startTurn_ + further * round * scale_ * upTo_.front().turn;
    point.theta1 = start_.theta1 + bodies_.mu() * turn -
                   (connection(point.theta - bodies_.theta0()) - connection(start_.theta - bodies_.theta0()));
    return point;
}

} // namespace casimir::planar
