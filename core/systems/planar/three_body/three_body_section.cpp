#include "core/systems/planar/three_body/three_body_section.h"

#include "core/numerics/parallel.h"
#include "core/numerics/pi.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace casimir::planar {

namespace {

constexpr int columns = 256; // where the extent of a section is measured

} // namespace

bool SectionWindow::contains(double q, double p) const
{
    const double turns = std::ceil((qMin - q) / (2 * pi));
    return q + 2 * pi * turns <= qMax && p >= pMin && p <= pMax;
}

ThreeBodySection::ThreeBodySection(const ThreeBody& bodies, Angle angle, double at, double energy)
    : bodies_(bodies), angle_(angle), at_(at), energy_(energy)
{
}

Eigen::Vector2d ThreeBodySection::coordinates(const Vector5d& z) const
{
    return angle_ == Angle::Theta21 ? Eigen::Vector2d(z[1], z[4]) : Eigen::Vector2d(z[0], -z[2]);
}

void ThreeBodySection::line(double p, Eigen::Vector3d& a, Eigen::Vector3d& b) const
{
    const double mu = bodies_.mu();
    if (angle_ == Angle::Theta21) {
        a = {0, mu - p, p};
        b = {-1, 1, 0};
    } else {
        a = {-p, mu + p, 0};
        b = {0, -1, 1};
    }
}

std::optional<Vector5d> ThreeBodySection::state(double q, double p) const
{
    const double x = angle_ == Angle::Theta21 ? at_ : q, y = angle_ == Angle::Theta21 ? q : at_;
    Eigen::Vector3d a, b;
    line(p, a, b);
    // 2H = a J^-1 a + 2 s b J^-1 a + s^2 b J^-1 b, and the angle's rate is b J^-1 mu: of the two roots the
    // greater one is where it grows.
    const Eigen::Vector3d Ja = bodies_.velocities(x, y, a), Jb = bodies_.velocities(x, y, b);
    const double bb = b.dot(Jb), ab = b.dot(Ja), aa = a.dot(Ja);
    const double root = ab * ab - bb * (aa - 2 * energy_);
    if (!(root >= 0))
        return std::nullopt;
    Vector5d z;
    z << x, y, a + (std::sqrt(root) - ab) / bb * b;
    return z;
}

std::optional<std::pair<double, double>> ThreeBodySection::momenta(double q) const
{
    const double x = angle_ == Angle::Theta21 ? at_ : q, y = angle_ == Angle::Theta21 ? q : at_;
    // The discriminant above is a downward parabola in p; three values give it.
    const double size = std::max({std::abs(bodies_.mu()), std::sqrt(2 * std::max(energy_, 0.0)), 1e-300});
    const auto discriminant = [&](double p) {
        Eigen::Vector3d a, b;
        line(p, a, b);
        const Eigen::Vector3d Ja = bodies_.velocities(x, y, a), Jb = bodies_.velocities(x, y, b);
        const double ab = b.dot(Ja);
        return ab * ab - b.dot(Jb) * (a.dot(Ja) - 2 * energy_);
    };
    const double d0 = discriminant(0), dp = discriminant(size), dm = discriminant(-size);
    const double a2 = (dp + dm - 2 * d0) / 2, a1 = (dp - dm) / 2;
    const double inside = a1 * a1 - 4 * a2 * d0;
    if (!(a2 < 0) || !(inside >= 0))
        return std::nullopt;
    const double r = std::sqrt(inside), u = (-a1 + r) / (2 * a2), v = (-a1 - r) / (2 * a2);
    return std::pair(size * std::min(u, v), size * std::max(u, v));
}

std::optional<std::pair<double, double>> ThreeBodySection::momenta() const
{
    std::optional<std::pair<double, double>> all;
    for (int k = 0; k < columns; ++k)
        if (const auto here = momenta(-pi + 2 * pi * k / columns)) {
            if (!all)
                all = here;
            all->first = std::min(all->first, here->first);
            all->second = std::max(all->second, here->second);
        }
    return all;
}

std::vector<Vector5d> ThreeBodySection::seeds(int count, const std::optional<SectionWindow>& window) const
{
    std::vector<Vector5d> found;
    const auto all = momenta();
    if (!all)
        return found;
    SectionWindow part{-pi, pi, all->first, all->second};
    if (window) // what lies beyond the section's own extent holds nothing
        part = {window->qMin, std::min(window->qMax, window->qMin + 2 * pi),
                std::max(window->pMin, part.pMin), std::min(window->pMax, part.pMax)};
    // A sequence that fills the plane evenly whatever its length (Roberts' R2); points outside the level are
    // passed over, and a nearly empty section gives up after a while.
    constexpr double g = 1.32471795724474602596, alpha = 1 / g, beta = 1 / (g * g);
    for (int k = 1; static_cast<int>(found.size()) < count && k < 200 * count + 2000; ++k) {
        const double u = std::fmod(0.5 + alpha * k, 1.0), v = std::fmod(0.5 + beta * k, 1.0);
        const double q = part.qMin + u * (part.qMax - part.qMin), p = part.pMin + v * (part.pMax - part.pMin);
        if (const auto z = state(std::remainder(q, 2 * pi), p))
            found.push_back(*z);
    }
    return found;
}

CrossingSearch ThreeBodySection::search(double tMax, double rtol) const
{
    return {
        .angle = angle_ == Angle::Theta21 ? 0 : 1, .at = at_, .tMax = tMax, .rtol = rtol, .energy = energy_};
}

Status ThreeBodySection::follow(const Vector5d& z, int count, double tMax, double rtol,
                                const std::function<bool(double, const Vector5d&)>& found) const
{
    bool given = false;
    int crossings = 0;
    return followCrossingsSingly(
        bodies_, search(tMax, rtol),
        [&]() -> std::optional<OrbitStart> {
            if (std::exchange(given, true) || count < 1)
                return std::nullopt;
            return OrbitStart{0, z};
        },
        [&](int, double t, const Vector5d& crossing) { return found(t, crossing) && ++crossings < count; });
}

bool ThreeBodySection::followAll(std::span<const Vector5d> starts, double tMax, double rtol,
                                 const CrossingFound& found, const std::function<bool()>& goOn) const
{
    std::atomic<int> next = 0;
    const int count = static_cast<int>(starts.size());
    // As many tasks as cores at most; each takes the next orbit whenever one of its lanes is free.
    const int tasks =
        std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, std::max(count, 1));
    return runOnAllCores(
        tasks,
        [&](int, const std::atomic<bool>& stop) {
            CrossingSearch all = search(tMax, rtol);
            all.stop = &stop;
            (void)followCrossings(
                bodies_, all,
                [&]() -> std::optional<OrbitStart> {
                    const int i = next++;
                    if (i >= count)
                        return std::nullopt;
                    return OrbitStart{i, starts[static_cast<std::size_t>(i)]};
                },
                found);
        },
        [&](double) { return !goOn || goOn(); });
}

} // namespace casimir::planar
