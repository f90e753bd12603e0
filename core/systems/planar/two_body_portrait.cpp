#include "core/systems/planar/two_body_portrait.h"

#include "core/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace casimir::planar {

namespace {

using std::numbers::pi;

double square(double x)
{
    return x * x;
}

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
    LibrationGrid(const TwoBody& bodies, int n) : bodies_(bodies), quarter_((n + 3) / 4), nodes_(quarter_ + 1)
    {
        for (int j = 0; j <= quarter_; ++j) {
            const double u = 0.5 * pi * j / quarter_;
            nodes_[j] = {std::sin(u), j == quarter_ ? 0 : std::cos(u)};
        }
    }

    void curve(const EnergyLevel& level, PhaseCurve& curve) const
    {
        const int quarter = quarter_, whole = 4 * quarter;
        const double D = bodies_.coupling(), reach = level.aboveStretched - level.aboveFolded; // 8 E D
        const double k = std::sqrt(level.aboveStretched / reach);
        const double kPrime = std::sqrt(-level.aboveFolded / reach);
        const double amplitude = std::sqrt(level.aboveStretched), theta0 = bodies_.theta0();
        const double half = -0.5 * bodies_.inertiaDifference() * bodies_.mu();
        prepare(curve, OrbitKind::Libration, level.energy, 0, true, whole);
        for (int j = 0; j <= quarter; ++j) {
            const auto [sinU, cosU] = nodes_[j];
            const double s = k * sinU, c2 = square(cosU) + square(kPrime * sinU);
            const double psi = 2 * std::atan2(s, std::sqrt(c2));
            const double inertia = bodies_.foldedInertia() + 4 * D * c2;
            const double det = bodies_.straightDeterminant() + square(2 * D * s) * c2;
            const double centre = half / inertia, rise = amplitude * std::sqrt(det) * cosU / inertia;
            curve.points[j] = {theta0 + psi, centre + rise};
            curve.points[2 * quarter - j] = {theta0 + psi, centre - rise};
            curve.points[2 * quarter + j] = {theta0 - psi, centre - rise};
            if (j > 0)
                curve.points[whole - j] = {theta0 - psi, centre + rise};
        }
    }

private:
    struct Node {
        double sinU, cosU;
    };

    const TwoBody& bodies_;
    int quarter_;
    std::vector<Node> nodes_;
};

// Everything about a grid of psi in [-pi, pi] that all rotations share; half of it, by the symmetry psi ->
// -psi.
class RotationGrid {
public:
    RotationGrid(const TwoBody& bodies, int n) : theta0_(bodies.theta0()), n_(n), nodes_((n + 1) / 2)
    {
        const double half = -0.5 * bodies.inertiaDifference() * bodies.mu();
        for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
            const double psi = -pi + 2 * pi * i / (n - 1);
            const double c = i == 0 ? 0 : std::cos(psi / 2), c2 = c * c;
            const double inertia = bodies.foldedInertia() + 4 * bodies.coupling() * c2;
            const double det = bodies.straightDeterminant() + square(2 * bodies.coupling()) * c2 * (1 - c2);
            nodes_[i] = {psi, c2, half / inertia, std::sqrt(det) / inertia};
        }
    }

    // nu - nu0 = +- sqrt(Delta (2 E S - mu^2))/S, with 2 E S - mu^2 = (2 E S_- - mu^2) + 8 E D cos^2(psi/2)
    void curve(OrbitKind kind, const EnergyLevel& level, int branch, PhaseCurve& curve) const
    {
        const double base = std::max(level.aboveFolded, 0.0), wave = level.aboveStretched - level.aboveFolded;
        fill(curve, kind, level.energy, branch, [&](const Node& node) {
            return node.nu0 + branch * node.factor * std::sqrt(base + wave * node.c2);
        });
    }
    void circle(double energy, PhaseCurve& curve) const
    {
        fill(curve, OrbitKind::Equilibrium, energy, 0, [](const Node& node) { return node.nu0; });
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
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const double w = i == 0 ? 0.5 : 1;
            weight += w;
            m.base += w * square(nodes_[i].factor);
            m.wave += w * square(nodes_[i].factor) * nodes_[i].c2;
        }
        return {m.base / weight, m.wave / weight};
    }
    // The energy up to which level curves on the given side of nu0 enter the window that ends at this nu.
    double energyToCover(const TwoBody& bodies, double nu, int branch) const
    {
        double energy = 0;
        for (const Node& node : nodes_)
            if (branch * (nu - node.nu0) > 0)
                energy = std::max(energy, bodies.leafHamiltonian(theta0_ + node.psi, nu));
        return energy;
    }

private:
    struct Node {
        double psi, c2, nu0, factor;
    };

    template <class F>
    void fill(PhaseCurve& curve, OrbitKind kind, double energy, int branch, F nuOf) const
    {
        prepare(curve, kind, energy, branch, false, n_);
        for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
            const double nu = nuOf(nodes_[i]);
            curve.points[i] = {theta0_ + nodes_[i].psi, nu};
            curve.points[n_ - 1 - i] = {theta0_ - nodes_[i].psi, nu};
        }
    }

    double theta0_;
    int n_;
    std::vector<Node> nodes_;
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

bool hasCircle(const TwoBody& bodies)
{
    return bodies.mu() == 0 || bodies.coupling() == 0;
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
            throw Error(fmt::format("The branch of a level curve is 1 (nu > nu0) or -1, not {}.", branch));
        RotationGrid(bodies, n).curve(kind, level, branch, curve);
        break;
    case OrbitKind::Equilibrium:
        if (hasCircle(bodies))
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
    if (!hasCircle(bodies)) {
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
            fmt::format("The window of nu must run from a lower to a higher number, not from {} to {}.",
                        window.low, window.high));

    const RotationGrid grid(bodies, points);
    const bool flat = hasCircle(bodies);
    const double mu2 = square(bodies.mu()), sMinus = bodies.foldedInertia(), D = bodies.coupling();

    // Rotations are spaced evenly in rho, the root mean square of nu - nu0 over theta: rho^2 = slope*margin +
    // floor.
    const RotationGrid::Moments moments = grid.moments();
    const double slope = moments.base + moments.wave * 4 * D / sMinus;
    const double floor = moments.wave * 4 * D * mu2 / sMinus;
    const double rhoSeparatrix = std::sqrt(floor);
    const auto reachOf = [&](double nu, int branch) {
        const double margin = 2 * sMinus * grid.energyToCover(bodies, nu, branch) - mu2;
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
        const LibrationGrid librationGrid(bodies, points);
        for (int i = 0; i < librations; ++i)
            librationGrid.curve(levelInside(bodies, (i + 0.5) / librations), *next++);
    }
    const auto rotations = [&](int count, double reach, int branch) {
        for (int i = 0; i < count; ++i) {
            const double step = reach * (i + 0.5) / count;
            const double margin = step * (2 * rhoSeparatrix + step) / slope;
            grid.curve(OrbitKind::Rotation, levelAboveFolded(bodies, margin), branch, *next++);
        }
    };
    rotations(above, up, 1);
    rotations(flat ? curves - above : below, down, -1);

    const auto kept = [](std::optional<PhaseCurve>& curve) -> PhaseCurve& {
        return curve ? *curve : curve.emplace();
    };
    if (flat) {
        result.homoclinicUpper.reset();
        result.homoclinicLower.reset();
        grid.circle(bodies.amendedPotential(bodies.theta0()), kept(result.circle));
    } else {
        const EnergyLevel saddle = levelAboveFolded(bodies, 0);
        grid.curve(OrbitKind::Homoclinic, saddle, 1, kept(result.homoclinicUpper));
        grid.curve(OrbitKind::Homoclinic, saddle, -1, kept(result.homoclinicLower));
        result.circle.reset();
    }
}

} // namespace casimir::planar
