#include "core/systems/planar/two_body/two_body_portrait.h"

#include "core/base/error.h"
#include "core/numerics/sincos.h"
#include "core/systems/planar/two_body/portrait_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace casimir::planar {

namespace {

using std::numbers::pi;

void requireAtLeast(const char* what, int value, int least)
{
    if (value < least)
        throw Error(fmt::format("{} must be at least {}, but is {}.", what, least, value));
}

// Gives the curve its data and room for n points; a buffer that is large enough is kept.
void prepare(PhaseCurve& curve, OrbitKind kind, double energy, int branch, bool closed, int n)
{
    curve.kind = kind;
    curve.energy = energy;
    curve.branch = branch;
    curve.closed = closed;
    curve.points.resize(static_cast<std::size_t>(n));
}

// sin(psi/2) = k sin u, nu - nu0 = sqrt((2 E S_+ - mu^2) Delta) cos(u)/S: smooth through the turning points,
// where the square root of the level curve is not. Symmetric in u -> pi - u (nu reflected at nu0) and u ->
// -u, so that a quarter of the grid of u does, the same for all librations.
class LibrationGrid {
public:
    LibrationGrid(const TwoBody& bodies, int n)
        : bodies_(bodies),
          quarter_(static_cast<std::size_t>((n + 3) / 4)),
          sinU_(quarter_ + 1),
          cosU_(quarter_ + 1),
          psi_(quarter_ + 1),
          upper_(quarter_ + 1),
          lower_(quarter_ + 1)
    {
        for (std::size_t j = 0; j <= quarter_; ++j)
            psi_[j] = 0.5 * pi * static_cast<double>(j) / static_cast<double>(quarter_);
        sinesAndCosines(psi_.data(), sinU_.data(), cosU_.data(), psi_.size());
        cosU_[quarter_] = 0;
    }

    void curve(const EnergyLevel& level, PhaseCurve& curve)
    {
        const std::size_t quarter = quarter_, whole = 4 * quarter;
        const double reach = level.aboveStretched - level.aboveFolded, theta0 = bodies_.theta0(); // 8 E D
        librationRow({bodies_.foldedInertia(), bodies_.coupling(), bodies_.straightDeterminant(),
                      -0.5 * bodies_.inertiaDifference() * bodies_.mu(),
                      std::sqrt(level.aboveStretched / reach), std::sqrt(-level.aboveFolded / reach),
                      std::sqrt(level.aboveStretched)},
                     sinU_.data(), cosU_.data(), quarter + 1, psi_.data(), upper_.data(), lower_.data());
        prepare(curve, OrbitKind::Libration, level.energy, 0, true, static_cast<int>(whole));
        double* const out = curve.points.front().data();
        const auto from = [out](std::size_t point) { return out + 2 * point; };
        writePoints(psi_.data(), upper_.data(), quarter, theta0, 1, out);
        writePointsBackwards(psi_.data() + 1, lower_.data() + 1, quarter, theta0, 1, from(quarter));
        writePoints(psi_.data(), lower_.data(), quarter, theta0, -1, from(2 * quarter));
        writePointsBackwards(psi_.data() + 1, upper_.data() + 1, quarter, theta0, -1, from(3 * quarter));
    }

private:
    const TwoBody& bodies_;
    std::size_t quarter_;
    std::vector<double> sinU_, cosU_;         // the nodes
    std::vector<double> psi_, upper_, lower_; // of the last curve
};

// Everything about a grid of psi in [-pi, pi] that all rotations share; half of it, by the symmetry psi ->
// -psi.
class RotationGrid {
public:
    RotationGrid(const TwoBody& bodies, int n)
        : theta0_(bodies.theta0()),
          n_(static_cast<std::size_t>(n)),
          half_((n_ + 1) / 2),
          psi_(half_),
          c2_(half_),
          nu0_(half_),
          factor_(half_),
          upper_(half_),
          lower_(half_)
    {
        for (std::size_t i = 0; i < half_; ++i) {
            psi_[i] = -pi + 2 * pi * static_cast<double>(i) / (n - 1);
            upper_[i] = 0.5 * psi_[i];
        }
        sinesAndCosines(upper_.data(), factor_.data(), c2_.data(), half_);
        c2_[0] = 0;
        const double half = -0.5 * bodies.inertiaDifference() * bodies.mu();
        for (std::size_t i = 0; i < half_; ++i) {
            const double c2 = square(c2_[i]), s2 = square(factor_[i]);
            const double inertia = bodies.foldedInertia() + 4 * bodies.coupling() * c2;
            const double det = bodies.straightDeterminant() + square(2 * bodies.coupling()) * c2 * s2;
            c2_[i] = c2;
            nu0_[i] = half / inertia;
            factor_[i] = std::sqrt(det) / inertia;
        }
    }

    // nu - nu0 = +- sqrt(Delta (2 E S - mu^2))/S, with 2 E S - mu^2 = (2 E S_- - mu^2) + 8 E D cos^2(psi/2);
    // both signs at once, either of which may be left out.
    void curves(OrbitKind kind, const EnergyLevel& level, PhaseCurve* above, PhaseCurve* below)
    {
        rotationRow(c2_.data(), nu0_.data(), factor_.data(), half_, std::max(level.aboveFolded, 0.0),
                    level.aboveStretched - level.aboveFolded, upper_.data(), lower_.data());
        if (above)
            fill(*above, kind, level.energy, 1, upper_);
        if (below)
            fill(*below, kind, level.energy, -1, lower_);
    }
    void circle(double energy, PhaseCurve& curve) const
    {
        fill(curve, OrbitKind::Equilibrium, energy, 0, nu0_);
    }

    // Mean of (nu - nu0)^2 over theta is base*level.aboveFolded + wave*(aboveStretched - aboveFolded), linear
    // in E.
    struct Moments {
        double base = 0, wave = 0;
    };
    Moments moments() const
    {
        Moments m;
        double weight = 0;
        for (std::size_t i = 0; i < half_; ++i) {
            const double w = i == 0 ? 0.5 : 1;
            weight += w;
            m.base += w * square(factor_[i]);
            m.wave += w * square(factor_[i]) * c2_[i];
        }
        return {m.base / weight, m.wave / weight};
    }
    // The energy up to which level curves on the given side of nu0 enter the window that ends at this nu, by
    // its margin 2 E S_- - mu^2: there 2 E S = mu^2 + ((nu - nu0) S)^2/Delta.
    double marginToCover(const TwoBody& bodies, double nu, int branch) const
    {
        const double mu2 = square(bodies.mu()), sMinus = bodies.foldedInertia();
        double margin = -mu2;
        // A smooth function of psi: one node in eight tells its largest value well enough to space curves by.
        for (std::size_t i = 0; i<half_; i += half_> 64 ? 8 : 1) {
            const double rise = nu - nu0_[i];
            if (branch * rise > 0)
                margin = std::max(margin, sMinus * (mu2 + square(rise / factor_[i])) /
                                                  (sMinus + 4 * bodies.coupling() * c2_[i]) -
                                              mu2);
        }
        return margin;
    }

private:
    void fill(PhaseCurve& curve, OrbitKind kind, double energy, int branch,
              const std::vector<double>& nu) const
    {
        prepare(curve, kind, energy, branch, false, static_cast<int>(n_));
        double* const out = curve.points.front().data();
        writePoints(psi_.data(), nu.data(), half_, theta0_, 1, out);
        const std::size_t rest = n_ - half_; // without the middle one of an odd number
        writePointsBackwards(psi_.data(), nu.data(), rest, theta0_, -1, out + 2 * half_);
    }

    double theta0_;
    std::size_t n_, half_;
    std::vector<double> psi_, c2_, nu0_, factor_; // the nodes
    std::vector<double> upper_, lower_;           // of the last curves
};

// A level given by its margin over the folded state, which the portrait chooses freely.
EnergyLevel levelAboveFolded(const TwoBody& bodies, double margin)
{
    const double energy = (square(bodies.mu()) + margin) / (2 * bodies.foldedInertia());
    return {energy, margin + 8 * energy * bodies.coupling(), margin, 0, 0};
}

// A libration that crosses psi = 0 at the given fraction of the homoclinic pair's distance from nu0.
EnergyLevel levelInside(const TwoBody& bodies, double fraction)
{
    const double mu2 = square(bodies.mu()), D = bodies.coupling();
    const double sPlus = bodies.stretchedInertia(), sMinus = bodies.foldedInertia();
    const double aboveStretched = square(fraction) * 4 * D * mu2 / sMinus; // of 2 E_h S_+ - mu^2
    const double energy = (mu2 + aboveStretched) / (2 * sPlus);
    const double aboveFolded = -(1 - fraction) * (1 + fraction) * 4 * D * mu2 / sPlus; // 2 S_- (E - E_h)
    return {energy, aboveStretched, aboveFolded, 0, 0};
}

} // namespace

PhaseCurve levelCurve(const TwoBody& bodies, const EnergyLevel& level, int branch, int n)
{
    requireAtLeast("The number of points of a level curve", n, 4);
    const OrbitKind kind = classify(bodies, level);
    PhaseCurve curve{kind, level.energy, 0, false, {}};
    switch (kind) {
    case OrbitKind::Libration:
        LibrationGrid(bodies, n).curve(level, curve);
        break;
    case OrbitKind::Rotation:
    case OrbitKind::Homoclinic:
        if (branch != 1 && branch != -1)
            throw Error(fmt::format("The branch of a level curve is 1 (ν > ν₀) or −1, not {}.", branch));
        RotationGrid(bodies, n).curves(kind, level, branch > 0 ? &curve : nullptr,
                                       branch < 0 ? &curve : nullptr);
        break;
    case OrbitKind::Equilibrium:
        if (bodies.hasCircleOfEquilibria())
            RotationGrid(bodies, n).circle(level.energy, curve);
        else
            curve = {kind, level.energy, 0, true, {{bodies.theta0(), bodies.nu0(bodies.theta0())}}};
        break;
    case OrbitKind::None:
        break;
    }
    return curve;
}

PhaseCurve levelCurve(const TwoBody& bodies, double energy, int branch, int n)
{
    return levelCurve(bodies, levelOfEnergy(bodies, energy), branch, n);
}

NuWindow usualWindow(const TwoBody& bodies)
{
    if (!bodies.hasCircleOfEquilibria()) {
        const HomoclinicPair pair(bodies);
        const double margin = 0.5 * (pair.nuMax() - pair.nuMin());
        return {pair.nuMin() - margin, pair.nuMax() + margin};
    }
    // Without momentum nothing sets a scale; the window then reaches to a joint that turns at 1 rad/s.
    const double theta0 = bodies.theta0(), centre = bodies.nu0(theta0);
    const double reach =
        bodies.mu() == 0 ? bodies.delta(theta0) / bodies.lockedInertia(theta0) : std::abs(bodies.mu());
    return {centre - reach, centre + reach};
}

TwoBodyPortrait portrait(const TwoBody& bodies, int curves, int points, NuWindow window)
{
    TwoBodyPortrait result;
    portrait(bodies, curves, points, window, result);
    return result;
}

void portrait(const TwoBody& bodies, int curves, int points, NuWindow window, TwoBodyPortrait& result)
{
    requireAtLeast("The number of curves of a portrait", curves, 1);
    requireAtLeast("The number of points of a curve", points, 8);
    if (!(window.low < window.high) || !std::isfinite(window.low) || !std::isfinite(window.high))
        throw Error(
            fmt::format("The window of ν must run from a lower to a higher number, not from {} to {}.",
                        window.low, window.high));

    RotationGrid grid(bodies, points);
    const bool flat = bodies.hasCircleOfEquilibria();
    const double mu2 = square(bodies.mu()), sMinus = bodies.foldedInertia(), D = bodies.coupling();

    // Rotations are spaced evenly in rho, the root mean square of nu - nu0 over theta: rho^2 = slope*margin +
    // floor.
    const RotationGrid::Moments moments = grid.moments();
    const double slope = moments.base + moments.wave * 4 * D / sMinus;
    const double floor = moments.wave * 4 * D * mu2 / sMinus;
    const double rhoSeparatrix = std::sqrt(floor);
    const auto reachOf = [&](double nu, int branch) {
        const double margin = grid.marginToCover(bodies, nu, branch);
        return margin > 0 ? std::sqrt(slope * margin + floor) - rhoSeparatrix : 0;
    };
    const double up = reachOf(window.high, 1), down = reachOf(window.low, -1);
    const double inside = flat ? 0 : rhoSeparatrix;
    const double total = inside + up + down;
    const auto share = [&](double part) {
        return total > 0 ? static_cast<int>(std::lround(curves * part / total)) : 0;
    };
    const int above = std::min(share(up), curves), below = std::min(share(down), curves - above);
    const int librations = flat ? 0 : curves - above - below;

    result.curves.resize(static_cast<std::size_t>(curves));
    auto next = result.curves.begin();
    if (librations > 0) {
        LibrationGrid librationGrid(bodies, points);
        for (int i = 0; i < librations; ++i)
            librationGrid.curve(levelInside(bodies, (i + 0.5) / librations), *next++);
    }
    // The same energies above and below nu0, so that the two curves of one energy are computed together.
    const int upwards = above, downwards = flat ? curves - above : below;
    const double spacing = upwards + downwards > 0 ? (up + down) / (upwards + downwards) : 0;
    const auto firstAbove = next, firstBelow = next + upwards;
    for (int i = 0; i < std::max(upwards, downwards); ++i) {
        const double step = spacing * (i + 0.5);
        const double margin = step * (2 * rhoSeparatrix + step) / slope;
        grid.curves(OrbitKind::Rotation, levelAboveFolded(bodies, margin),
                    i < upwards ? &firstAbove[i] : nullptr, i < downwards ? &firstBelow[i] : nullptr);
    }

    const auto kept = [](std::optional<PhaseCurve>& curve) -> PhaseCurve& {
        return curve ? *curve : curve.emplace();
    };
    if (flat) {
        result.homoclinicUpper.reset();
        result.homoclinicLower.reset();
        grid.circle(bodies.amendedPotential(bodies.theta0()), kept(result.circle));
    } else {
        const EnergyLevel saddle = levelAboveFolded(bodies, 0);
        grid.curves(OrbitKind::Homoclinic, saddle, &kept(result.homoclinicUpper),
                    &kept(result.homoclinicLower));
        result.circle.reset();
    }
}

} // namespace casimir::planar
