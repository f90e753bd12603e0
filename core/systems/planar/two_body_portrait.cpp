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

// sin(psi/2) = k sin u, nu - nu0 = sqrt((2 E S_+ - mu^2) Delta) cos(u)/S: smooth through the turning points,
// where the square root of the level curve is not. Symmetric in u -> pi - u (nu reflected at nu0) and u ->
// -u.
PhaseCurve librationCurve(const TwoBody& bodies, const EnergyLevel& level, int n)
{
    const int quarter = (n + 3) / 4, whole = 4 * quarter;
    const double D = bodies.coupling(), reach = level.aboveStretched - level.aboveFolded; // 8 E D
    const double k = std::sqrt(level.aboveStretched / reach), kPrime = std::sqrt(-level.aboveFolded / reach);
    const double amplitude = std::sqrt(level.aboveStretched), theta0 = bodies.theta0();
    const double half = -0.5 * bodies.inertiaDifference() * bodies.mu();
    PhaseCurve curve{OrbitKind::Libration, level.energy, 0, true, std::vector<Eigen::Vector2d>(whole)};
    for (int j = 0; j <= quarter; ++j) {
        const double u = 0.5 * pi * j / quarter;
        const double sinU = std::sin(u), cosU = j == quarter ? 0 : std::cos(u);
        const double s = k * sinU, c2 = square(cosU) + square(kPrime * sinU);
        const double psi = 2 * std::atan2(s, std::sqrt(c2));
        const double inertia = bodies.foldedInertia() + 4 * D * c2;
        const double det = bodies.straightDeterminant() + square(2 * D * s) * c2;
        const double centre = half / inertia, rise = amplitude * std::sqrt(det) * cosU / inertia;
        curve.points[j] = {theta0 + psi, centre + rise};
        curve.points[2 * quarter - j] = {theta0 + psi, centre - rise};
        curve.points[2 * quarter + j] = {theta0 - psi, centre - rise};
        if (j > 0)
            curve.points[whole - j] = {theta0 - psi, centre + rise};
    }
    return curve;
}

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
    PhaseCurve curve(OrbitKind kind, const EnergyLevel& level, int branch) const
    {
        const double base = std::max(level.aboveFolded, 0.0), wave = level.aboveStretched - level.aboveFolded;
        return fill(kind, level.energy, branch, [&](const Node& node) {
            return node.nu0 + branch * node.factor * std::sqrt(base + wave * node.c2);
        });
    }
    PhaseCurve circle(double energy) const
    {
        return fill(OrbitKind::Equilibrium, energy, 0, [](const Node& node) { return node.nu0; });
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
    PhaseCurve fill(OrbitKind kind, double energy, int branch, F nuOf) const
    {
        PhaseCurve curve{kind, energy, branch, false, std::vector<Eigen::Vector2d>(n_)};
        for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
            const double nu = nuOf(nodes_[i]);
            curve.points[i] = {theta0_ + nodes_[i].psi, nu};
            curve.points[n_ - 1 - i] = {theta0_ - nodes_[i].psi, nu};
        }
        return curve;
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
    switch (kind) {
    case OrbitKind::Libration:
        return librationCurve(bodies, level, n);
    case OrbitKind::Rotation:
    case OrbitKind::Homoclinic:
        if (branch != 1 && branch != -1)
            throw Error(fmt::format("The branch of a level curve is 1 (nu > nu0) or -1, not {}.", branch));
        return RotationGrid(bodies, n).curve(kind, level, branch);
    case OrbitKind::Equilibrium:
        if (hasCircle(bodies))
            return RotationGrid(bodies, n).circle(level.energy);
        return {kind, level.energy, 0, true, {{bodies.theta0(), bodies.nu0(bodies.theta0())}}};
    case OrbitKind::None:
        break;
    }
    return {OrbitKind::None, level.energy, 0, false, {}};
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
    const double centre = bodies.nu0(bodies.theta0()), reach = bodies.mu() == 0 ? 1 : std::abs(bodies.mu());
    return {centre - reach, centre + reach};
}

TwoBodyPortrait portrait(const TwoBody& bodies, int curves, int points, NuWindow window)
{
    requireAtLeast("The number of curves of a portrait", curves, 1);
    requireAtLeast("The number of points of a curve", points, 8);
    if (!(window.low < window.high) || !std::isfinite(window.low) || !std::isfinite(window.high))
        throw Error(
            fmt::format("The window of nu must run from a lower to a higher number, not from {} to {}.",
                        window.low, window.high));

    TwoBodyPortrait result;
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

    result.curves.reserve(curves);
    for (int i = 0; i < librations; ++i)
        result.curves.push_back(librationCurve(bodies, levelInside(bodies, (i + 0.5) / librations), points));
    const auto rotations = [&](int count, double reach, int branch) {
        for (int i = 0; i < count; ++i) {
            const double step = reach * (i + 0.5) / count;
            const double margin = step * (2 * rhoSeparatrix + step) / slope;
            result.curves.push_back(
                grid.curve(OrbitKind::Rotation, levelAboveFolded(bodies, margin), branch));
        }
    };
    rotations(above, up, 1);
    rotations(flat ? curves - above : below, down, -1);

    if (flat)
        result.circle = grid.circle(bodies.amendedPotential(bodies.theta0()));
    else {
        const EnergyLevel saddle = levelAboveFolded(bodies, 0);
        result.homoclinicUpper = grid.curve(OrbitKind::Homoclinic, saddle, 1);
        result.homoclinicLower = grid.curve(OrbitKind::Homoclinic, saddle, -1);
    }
    return result;
}

} // namespace casimir::planar
