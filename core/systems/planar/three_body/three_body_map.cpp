#include "core/systems/planar/three_body/three_body_map.h"

#include "core/base/error.h"
#include "core/systems/planar/three_body/three_body_cases.h"
#include "core/systems/planar/three_body/three_body_equilibria.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir::planar {

namespace {

using Member = double ThreeBodyParameters::*;

Member memberOf(const std::string& id)
{
    using P = ThreeBodyParameters;
    static constexpr std::pair<const char*, Member> all[] = {
        {"m1", &P::m1}, {"m2", &P::m2}, {"m3", &P::m3}, {"I1", &P::I1}, {"I2", &P::I2}, {"I3", &P::I3},
        {"c1", &P::c1}, {"b1", &P::b1}, {"e1", &P::e1}, {"e2", &P::e2}, {"d1", &P::d1}, {"mu", &P::mu}};
    for (const auto& [name, member] : all)
        if (id == name)
            return member;
    throw Error(fmt::format("a map of three bodies cannot vary '{}'", id));
}

// What an axis sets: a number of the bodies, or kappa or tau.
struct AxisTarget {
    Member member = nullptr;
    double KappaTau::*alias = nullptr;

    explicit AxisTarget(const std::string& id)
    {
        if (id == "kappa")
            alias = &KappaTau::kappa;
        else if (id == "tau")
            alias = &KappaTau::tau;
        else
            member = memberOf(id);
    }
};

// What the table of stability says outside the strip, by sign case and the longest of 1, |kappa|, |tau|.
MapKind stableStraight(int sign, Region region)
{
    constexpr std::array kinds{MapKind::FourWith00, MapKind::FourWith0Pi, MapKind::FourWithPi0,
                               MapKind::FourWithPiPi};
    constexpr std::array<SignPair, 4> states{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
    for (std::size_t k = 0; k < 4; ++k)
        if (tableIndex(sign, region, states[k]) == 0)
            return kinds[k];
    return MapKind::Circles;
}

struct OutsideTable {
    // [kappa < 0][tau < 0][0: sum, 1: tau, 2: kappa]
    std::array<std::array<std::array<MapKind, 3>, 2>, 2> kinds{};
    OutsideTable()
    {
        for (const int k : {0, 1})
            for (const int t : {0, 1})
                for (const int r : {0, 1, 2})
                    kinds[static_cast<std::size_t>(k)][static_cast<std::size_t>(t)]
                         [static_cast<std::size_t>(r)] =
                             stableStraight(signCase({k ? -1.0 : 1.0, t ? -1.0 : 1.0}),
                                            std::array{Region::OSum, Region::OTau,
                                                       Region::OKappa}[static_cast<std::size_t>(r)]);
    }
};

// Inertias and couplings of one cell, without the checks of ThreeBody: p and q of the linearisation at a
// critical point, for mu = 1 (the signs do not depend on it).
class CellInertia {
public:
    CellInertia(const ThreeBodyParameters& p, const ThreeBodyCoefficients& f) : f_(f), M_(p.m1 + p.m2 + p.m3)
    {
        const double w = p.b1 + p.e1, ee = p.e2 * p.e2;
        diagonal_ = {
            p.I1 + p.m1 / M_ * (p.m2 + p.m3) * p.c1 * p.c1,
            p.I2 +
                (p.m1 * (p.m2 * p.b1 * p.b1 + p.m3 * (w * w + ee)) + p.m2 * p.m3 * (p.e1 * p.e1 + ee)) / M_,
            p.I3 + p.m3 / M_ * (p.m1 + p.m2) * p.d1 * p.d1};
    }
    // Whether gyroscopic terms hold an equilibrium of index 2.
    bool holds(double cx, double sx, double cy, double sy) const
    {
        const double J12 = (f_.B1 * cx - f_.C1 * sx) / M_, J23 = (f_.B2 * cy + f_.C2 * sy) / M_,
                     J13 = f_.A1 * (cx * cy - sx * sy) / M_, k = (f_.B1 * sx + f_.C1 * cx) / M_;
        const double R1 = diagonal_[0] + J12 + J13, R2 = diagonal_[1] + J12 + J23,
                     R3 = diagonal_[2] + J13 + J23;
        const double l = J12 * J23 + J23 * J13 + J13 * J12, inertia = R1 + R2 + R3;
        const double T = R2 * R3 * (J12 + J13) + R1 * R3 * (J12 + J23) + R1 * R2 * (J13 + J23);
        // p and q times det J
        const double det = R1 * R2 * R3 - T + l * inertia, p = T - 2 * l * inertia + 4 * k * k * inertia,
                     q = l * inertia;
        return p > 0 && p * p > 4 * q * det;
    }

private:
    const ThreeBodyCoefficients& f_;
    double M_;
    std::array<double, 3> diagonal_{};
};

// The equilibria of index 2, the minima of f, followed from cell to cell.
class MinimumFollower {
public:
    // How many of the expected minima gyroscopic terms hold.
    int held(const ThreeBodyParameters& p, const ThreeBodyCoefficients& f, int expected)
    {
        if (!followed(f, expected)) {
            known_.clear();
            for (const CriticalPoint& point : criticalPoints(f).points)
                if (point.index == 2)
                    known_.push_back(
                        {std::cos(point.x), std::sin(point.x), std::cos(point.y), std::sin(point.y)});
        }
        if (known_.size() == 2)
            pair_ = known_;
        const CellInertia inertia(p, f);
        int count = 0;
        for (const Point& at : known_)
            count += inertia.holds(at.cx, at.sx, at.cy, at.sy);
        return count;
    }

private:
    struct Point {
        double cx, sx, cy, sy;
    };

    // Turns the unit vectors by Newton's steps; no sine is evaluated.
    static bool settle(const ThreeBodyCoefficients& f, Point& at)
    {
        const double size = std::abs(f.B1) + std::abs(f.C1) + std::abs(f.B2) + std::abs(f.C2) + f.A1;
        for (int i = 0; i < 6; ++i) {
            const double ss = f.A1 * (at.sx * at.cy + at.cx * at.sy),
                         cs = f.A1 * (at.cx * at.cy - at.sx * at.sy);
            const double gx = ss + f.B1 * at.sx + f.C1 * at.cx, gy = ss + f.B2 * at.sy - f.C2 * at.cy;
            const double hxx = cs + f.B1 * at.cx - f.C1 * at.sx, hyy = cs + f.B2 * at.cy + f.C2 * at.sy;
            const double det = hxx * hyy - cs * cs;
            if (!(det > 0 && hxx < 0))
                return false; // no minimum of f here
            if (std::abs(gx) + std::abs(gy) < 1e-7 * size)
                return true;
            const double dx = (cs * gy - hyy * gx) / det, dy = (cs * gx - hxx * gy) / det;
            if (!(std::abs(dx) + std::abs(dy) < 0.5))
                return false;
            turn(at.cx, at.sx, dx);
            turn(at.cy, at.sy, dy);
        }
        return false;
    }
    static void turn(double& c, double& s, double angle)
    {
        // e^{i angle} = (1 + i angle/2)^2/(1 + angle^2/4) to third order, exactly of length one
        const double h = 0.5 * angle, scale = 1 / (1 + h * h), cosine = (1 - h * h) * scale,
                     sine = 2 * h * scale;
        const double turned = c * cosine - s * sine;
        s = s * cosine + c * sine;
        c = turned;
    }
    // From the minima of the cell before; where a second one appears, from the last pair there was.
    bool followed(const ThreeBodyCoefficients& f, int expected)
    {
        if (expected == 2)
            return (known_.size() == 2 && settlePair(f)) ||
                   (pair_.size() == 2 && (known_ = pair_, settlePair(f)));
        for (Point at : known_)
            if (settle(f, at)) {
                known_.assign(1, at); // the only one there is
                return true;
            }
        return false;
    }
    bool settlePair(const ThreeBodyCoefficients& f)
    {
        if (!settle(f, known_[0]) || !settle(f, known_[1]))
            return false;
        const Point &a = known_[0], &b = known_[1];
        return std::abs(a.cx - b.cx) + std::abs(a.sx - b.sx) + std::abs(a.cy - b.cy) + std::abs(a.sy - b.sy) >
               1e-4;
    }

    std::vector<Point> known_, pair_;
};

MapKind generalKind(const ThreeBodyParameters& p, MinimumFollower& minima)
{
    const ThreeBodyCoefficients f = coefficientsOf(p);
    const int count = countCriticalPoints(f);
    if (count == 0 || p.mu == 0)
        return MapKind::Circles;
    const bool twoMaxima = count == 6 && sixHaveTwoMaxima(f);
    const bool held = minima.held(p, f, count == 6 && !twoMaxima ? 2 : 1) > 0;
    if (count == 4)
        return held ? MapKind::FourHeld : MapKind::Four;
    if (twoMaxima)
        return held ? MapKind::SixTwoHeld : MapKind::SixTwo;
    return held ? MapKind::SixOneHeld : MapKind::SixOne;
}

// A row of the (kappa, tau) plane, kappa growing: the same as alignedKind(), without a branch in the loop.
void alignedRow(const std::vector<double>& kappas, double tau, double e1, MapKind* out)
{
    const auto middle =
        static_cast<std::size_t>(std::lower_bound(kappas.begin(), kappas.end(), 0.0) - kappas.begin());
    const double t = std::abs(tau);
    for (const bool negative : {true, false}) {
        const std::size_t from = negative ? 0 : middle, to = negative ? middle : kappas.size();
        const double side = negative ? -1 : 1;
        if (tau == 0 || !reachable(signCase({side, tau}), e1)) {
            std::fill(out + from, out + to, MapKind::Impossible);
            continue;
        }
        const MapKind inside = alignedKind(side, tau > 0 ? 1 : -1),
                      sum = alignedKind(0.1 * side, tau > 0 ? 0.1 : -0.1),
                      above = alignedKind(side, tau > 0 ? 3 : -3),
                      beside = alignedKind(3 * side, tau > 0 ? 1 : -1);
        for (std::size_t i = from; i < to; ++i) {
            const double k = side * kappas[i];
            const MapKind outside = t > k ? above : beside, low = k + t <= 1 ? sum : outside;
            out[i] = ((std::abs(k - t) < 1) & (k + t > 1)) ? inside : low;
        }
    }
    for (std::size_t i = middle; i < kappas.size() && kappas[i] == 0; ++i)
        out[i] = MapKind::Impossible;
}

MapKind alignedKindOf(const ThreeBodyParameters& p)
{
    const ThreeBodyCoefficients f = coefficientsOf(p);
    if (f.A1 == 0 || (f.B1 == 0 && f.B2 == 0) || p.mu == 0)
        return MapKind::Circles;
    if (f.B1 != 0 && f.B2 != 0)
        return alignedKind(f.B1 / f.B2, f.B1 / f.A1);
    // f = A1 cos(x + y) + one cosine: largest where both are
    if (f.B1 == 0)
        return f.B2 > 0 ? MapKind::FourWith00 : MapKind::FourWithPiPi;
    return f.B1 > 0 ? MapKind::FourWith00 : MapKind::FourWithPiPi;
}

} // namespace

const char* words(MapKind kind)
{
    constexpr std::array all{"4 equilibria, (0, 0) stable",
                             "4 equilibria, (0, π) stable",
                             "4 equilibria, (π, 0) stable",
                             "4 equilibria, (π, π) stable",
                             "6 equilibria, (0, 0) stable",
                             "6 equilibria, (π, π) stable",
                             "6 equilibria, the bent pair stable",
                             "4 equilibria, 1 stable",
                             "4 equilibria, 1 stable, 1 held gyroscopically",
                             "6 equilibria, 1 stable",
                             "6 equilibria, 1 stable, others held gyroscopically",
                             "6 equilibria, 2 stable",
                             "6 equilibria, 2 stable, 1 held gyroscopically",
                             "circles of equilibria",
                             "no such bodies"};
    return all[static_cast<std::size_t>(kind)];
}

double MapAxis::at(int cell) const
{
    const double part = (cell + 0.5) / cells;
    return scale == Scale::Logarithmic ? min * std::pow(max / min, part) : min + part * (max - min);
}

MapKind alignedKind(double kappa, double tau)
{
    static const OutsideTable table;
    const double k = std::abs(kappa), t = std::abs(tau);
    if (std::abs(k - t) < 1 && k + t > 1)
        return kappa < 0 ? MapKind::SixWithPair : tau > 0 ? MapKind::SixWith00 : MapKind::SixWithPiPi;
    const std::size_t where = k + t <= 1 ? 0 : t > k ? 1 : 2;
    return table.kinds[kappa < 0][tau < 0][where];
}

std::vector<MapKind> equilibriumMap(const ThreeBodyParameters& base, const MapAxis& x, const MapAxis& y)
{
    const AxisTarget across(x.id), upwards(y.id);
    const bool aligned = base.e2 == 0 && x.id != "e2" && y.id != "e2";
    std::vector<double> columns(static_cast<std::size_t>(x.cells));
    for (int i = 0; i < x.cells; ++i)
        columns[static_cast<std::size_t>(i)] = x.at(i);
    std::vector<MapKind> kinds(static_cast<std::size_t>(x.cells) * static_cast<std::size_t>(y.cells));
    if (x.id == "kappa" && y.id == "tau" && aligned && base.mu != 0) {
        for (int j = 0; j < y.cells; ++j)
            alignedRow(columns, y.at(j), base.e1,
                       kinds.data() + static_cast<std::size_t>(j) * columns.size());
        return kinds;
    }
    MinimumFollower minima;
    ThreeBodyParameters p = base;
    const auto held = [](const ThreeBodyParameters& q) {
        const ThreeBodyCoefficients f = coefficientsOf(q);
        return KappaTau{kappaOf(f).value_or(0), tauOf(f).value_or(0)};
    };
    for (int j = 0; j < y.cells; ++j) {
        const double rowValue = y.at(j);
        // To and fro, so that every cell has a neighbour to follow its equilibria from.
        for (int step = 0; step < x.cells; ++step) {
            const auto i = static_cast<std::size_t>(j % 2 == 0 ? step : x.cells - 1 - step);
            const double value = columns[i];
            p = base;
            if (across.member)
                p.*across.member = value;
            if (upwards.member)
                p.*upwards.member = rowValue;
            bool there = true;
            if (across.alias || upwards.alias) {
                KappaTau at = across.alias && upwards.alias ? KappaTau{} : held(p);
                if (across.alias)
                    at.*across.alias = value;
                if (upwards.alias)
                    at.*upwards.alias = rowValue;
                there = setKappaTau(p, at);
            }
            kinds[static_cast<std::size_t>(j) * columns.size() + i] = !there    ? MapKind::Impossible
                                                                      : aligned ? alignedKindOf(p)
                                                                                : generalKind(p, minima);
        }
    }
    return kinds;
}

std::vector<Parameter> mapOptions(const Schema& schema, bool aligned)
{
    std::vector<Choice> choices;
    for (const Alias& alias : schema.aliases())
        choices.push_back({alias.description.id, alias.description.name});
    for (const Parameter& parameter : schema.parameters())
        choices.push_back({parameter.id, parameter.name});
    return {choiceParameter({"x", "x", "across", "", "What varies across the map.", ""}, choices,
                            aligned ? "kappa" : "d1"),
            choiceParameter({"y", "y", "upwards", "", "What varies up the map.", ""}, choices,
                            aligned ? "tau" : "e1")};
}

} // namespace casimir::planar
