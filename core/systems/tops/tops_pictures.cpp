// The stage of a chain of tops.
#include "core/systems/tops/tops_system.h"

#include "core/numerics/pi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::tops {

namespace {

// A solid of revolution about the z-axis through the given (radius, height) points, which begin and end on
// it.
Mesh turned(const std::vector<Eigen::Vector2d>& profile, int sides)
{
    Mesh mesh;
    for (const Eigen::Vector2d& p : profile)
        for (int k = 0; k < sides; ++k) {
            const double angle = 2 * pi * k / sides;
            mesh.vertices.emplace_back(p.x() * std::cos(angle), p.x() * std::sin(angle), p.y());
        }
    for (int row = 0; row + 1 < static_cast<int>(profile.size()); ++row)
        for (int k = 0; k < sides; ++k) {
            const int next = (k + 1) % sides, a = row * sides + k, b = row * sides + next;
            mesh.triangles.push_back({a, b, b + sides});
            mesh.triangles.push_back({a, b + sides, a + sides});
        }
    return mesh;
}

// The body of a top: a bevelled disc about its mass centre and a thin stem along its axis.
std::vector<Eigen::Vector2d> discProfile(double radius, double half, double centre)
{
    return {{0, centre - half},
            {0.75 * radius, centre - half},
            {radius, centre - 0.45 * half},
            {radius, centre + 0.45 * half},
            {0.75 * radius, centre + half},
            {0, centre + half}};
}

std::vector<Eigen::Vector2d> stemProfile(double low, double high, double radius)
{
    return {{0, low}, {radius, low}, {radius, high}, {0, high}};
}

// Two radial bars across the upper and lower face, so that the spin is seen from either side.
Mesh spinMark(double radius, double half, double centre)
{
    Mesh mesh;
    for (const double side : {1.0, -1.0}) {
        const int base = static_cast<int>(mesh.vertices.size());
        const double width = 0.09 * radius, low = centre + side * half, high = low + side * 0.06 * radius;
        for (const double z : {low, high})
            for (const auto& [x, y] : {std::pair(0.12 * radius, -width),
                                       {0.74 * radius, -width},
                                       {0.74 * radius, width},
                                       {0.12 * radius, width}})
                mesh.vertices.emplace_back(x, y, z);
        std::vector<std::array<int, 3>> faces{{4, 5, 6}, {4, 6, 7}};
        for (int k = 0; k < 4; ++k) {
            const int next = (k + 1) % 4;
            faces.push_back({k, next, next + 4});
            faces.push_back({k, next + 4, k + 4});
        }
        for (auto face : faces) {
            if (side < 0)
                std::swap(face[1], face[2]);
            for (int& corner : face)
                corner += base;
            mesh.triangles.push_back(face);
        }
    }
    return mesh;
}

} // namespace

void TopsSystem::measure()
{
    reach_ = 0;
    const int n = size();
    for (int i = 0; i < n; ++i) {
        const Top& top = chain().tops()[static_cast<std::size_t>(i)];
        reach_ += i + 1 < n ? std::max(std::abs(top.s), std::abs(top.c)) : std::max(std::abs(top.c), 1e-6);
    }
    // The disc with the top's own moments, held within sizes that can be seen beside the chain.
    const double link = reach_ / n;
    radii_.clear();
    thicknesses_.clear();
    for (const Top& top : chain().tops()) {
        const double radius = std::sqrt(2 * top.Js / top.m);
        const double depth = std::sqrt(std::max(12 * top.J0 / top.m - 3 * radius * radius, 0.0));
        radii_.push_back(std::clamp(radius, 0.12 * link, 0.45 * link));
        thicknesses_.push_back(std::clamp(depth, 0.04 * link, 0.25 * link));
    }
    const double disc = *std::max_element(radii_.begin(), radii_.end());
    radius_ = 1.15 * reach_ + disc;
    if (!setup_.motion)
        return;
    // An exact motion often keeps its chain folded; the picture leaves half as much again for a twin that
    // peels off.
    constexpr int samples = 24;
    const std::vector<double> angles(static_cast<std::size_t>(setup_.motion->planes()), 0.0);
    MotionFrame frame;
    double extent = 0;
    for (int j = 0; j < samples; ++j) {
        setup_.motion->at(setup_.motion->period() * j / samples, angles, frame);
        for (int i = 0; i < n; ++i)
            extent = std::max(
                {extent, chain().joint(frame.e, i).norm(), chain().centre(frame.e, i).norm() + disc});
    }
    radius_ = std::min(radius_, 1.5 * extent);
}

Scene TopsSystem::scene() const
{
    Scene scene;
    const int n = size();
    scene.radius = radius_;
    scene.frames = {{"inertial", "inertial", -1}};
    const int sides = n > 8 ? 24 : 40;
    const double link = reach_ / n;
    for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const Top& top = chain().tops()[k];
        const double half = thicknesses_[k] / 2, end = i + 1 < n ? top.s : top.c;
        const double low = std::min({0.0, top.c, end}), high = std::max({0.0, top.c, end});
        scene.parts.push_back({fmt::format("top {}", i + 1),
                               turned(discProfile(radii_[k], half, top.c), sides), Colour::body(i), 1, i});
        scene.parts.push_back({fmt::format("stem {}", i + 1),
                               turned(stemProfile(low, high, 0.022 * link), 12), Colour::body(i), 1, i});
        scene.parts.push_back({fmt::format("spin mark {}", i + 1),
                               spinMark(radii_[k], half, top.c),
                               {Role::Neutral},
                               1,
                               i,
                               "marks"});
        scene.parts.push_back({fmt::format("joint {}", i + 1),
                               Ball{Eigen::Vector3d::Zero(), 0.045 * link},
                               {Role::Neutral},
                               1,
                               i});
        if (n <= 8)
            scene.parts.push_back({fmt::format("label {}", i + 1),
                                   Label{fmt::format("{}", i + 1), {0, 0, top.c + half + 0.15 * link}},
                                   Colour::body(i), 1, i, "labels"});
        scene.frames.push_back({fmt::format("top-{}", i + 1), fmt::format("top {}", i + 1), i});
    }
    // Curves: 0 the skeleton, 1 the line L, then two for each plane.
    scene.parts.push_back({"skeleton", Tube{0, 0.012 * link}, {Role::Neutral}, 1, -1, "skeleton"});
    scene.parts.push_back(
        {"gravity", ArrowShape{0, false, 0.02 * scene.radius}, {Role::Force}, 1, -1, "gravity"});
    scene.layers = {{"skeleton", "Skeleton", true},
                    {"marks", "Spin marks", true},
                    {"gravity", "Gravity", true},
                    {"labels", "Labels", true}};
    if (const auto& motion = setup_.motion) {
        const char* names[] = {"plane Π_*", "plane Π^*"};
        for (int g = 0; g < motion->planes(); ++g)
            scene.parts.push_back({names[g], Sheet{static_cast<std::size_t>(2 + 2 * g)},
                                   Colour::body(g == 0 ? 0 : motion->firstGroupSize()), 0.16, -1, "planes"});
        scene.layers.push_back({"planes", "Vertical planes", true});
        if (motion->planes() > 1) {
            scene.parts.push_back({"line L", Tube{1, 0.006 * scene.radius}, {Role::Guide}, 1, -1, "line"});
            scene.parts.push_back({"joint of the planes",
                                   Pin{Pin::Kind::Ring, Eigen::Vector3d::Zero()},
                                   {Role::Separatrix},
                                   1,
                                   n,
                                   "line"});
            scene.parts.push_back({"mass centre C^*",
                                   Pin{Pin::Kind::Cross, Eigen::Vector3d::Zero()},
                                   {Role::Separatrix},
                                   1,
                                   n + 1,
                                   "line"});
            scene.parts.push_back(
                {"label O",
                 Label{fmt::format("O_{}", motion->firstGroupSize() + 1), {0.08 * scene.radius, 0, 0}},
                 {Role::Separatrix},
                 1,
                 n,
                 "line"});
            scene.parts.push_back(
                {"label C", Label{"C^*", {0.08 * scene.radius, 0, 0}}, {Role::Separatrix}, 1, n + 1, "line"});
            scene.layers.push_back({"line", "Line L and its riders", true});
        }
    }
    for (int i = 0; i < n; ++i)
        scene.points.push_back(
            {fmt::format("end_{}", i + 1),
             i + 1 < n ? fmt::format("joint O_{{{}}}", i + 2) : std::string("end of the chain"),
             Colour::body(i), n <= 4 && !setup_.motion && i + 1 == n});
    for (int i = 0; i < n; ++i)
        scene.points.push_back({fmt::format("axis_{}", i + 1), fmt::format("axis {} on a sphere", i + 1),
                                Colour::body(i), setup_.motion.has_value() && (i == 0 || i + 1 == n)});
    if (!setup_.motion)
        scene.headsUp = {"H", "Lz"};
    else if (setup_.motion->planes() == 1)
        scene.headsUp = {"distance", "H", "Lz"};
    else
        scene.headsUp = {"distance", "rho_O", "rho_C", "H", "Lz"};
    return scene;
}

void TopsSystem::poseAt(double, const State& x, Pose& out) const
{
    const int n = size();
    const auto e = axes(x);
    const double radius = radius_;
    out.placements.clear();
    out.curves.assign(2, {});
    out.points.assign(static_cast<std::size_t>(2 * n), Eigen::Vector3d::Zero());
    Eigen::Vector3d joint = Eigen::Vector3d::Zero();
    out.curves[0].points.push_back(joint);
    Eigen::Vector3d rider = joint, centre = joint;
    double mass = 0;
    const int first = setup_.motion ? setup_.motion->firstGroupSize() : n;
    for (int i = 0; i < n; ++i) {
        const Top& top = chain().tops()[static_cast<std::size_t>(i)];
        const Eigen::Vector3d axis = e.col(i), d = x.segment<3>(6 * n + 3 * i);
        const double chi = x[9 * n + i];
        Eigen::Matrix3d frame;
        frame.col(0) = std::cos(chi) * d + std::sin(chi) * axis.cross(d);
        frame.col(1) = axis.cross(Eigen::Vector3d(frame.col(0)));
        frame.col(2) = axis;
        out.placements.push_back({Eigen::Quaterniond(frame).normalized(), joint});
        if (i >= first) {
            centre += top.m * (joint + top.c * axis);
            mass += top.m;
        }
        joint += (i + 1 < n ? top.s : top.c) * axis;
        if (i + 1 == first)
            rider = joint;
        out.curves[0].points.push_back(joint);
        out.points[static_cast<std::size_t>(i)] = joint;
        out.points[static_cast<std::size_t>(n + i)] = 0.7 * radius * axis;
    }
    out.curves[1].points = {{0, 0, -radius}, {0, 0, radius}};
    if (const auto& motion = setup_.motion) {
        for (int g = 0; g < motion->planes(); ++g) {
            const double psi = x[10 * n + leaderOf(g)];
            const Eigen::Vector3d side = 0.8 * radius * Eigen::Vector3d(std::cos(psi), std::sin(psi), 0);
            const Eigen::Vector3d up(0, 0, 0.8 * radius);
            out.curves.push_back({{-side - up, -side + up}});
            out.curves.push_back({{side - up, side + up}});
        }
        if (motion->planes() > 1) {
            out.placements.push_back({Eigen::Quaterniond::Identity(), rider});
            out.placements.push_back({Eigen::Quaterniond::Identity(), centre / mass});
        }
    }
    out.arrows = {{Eigen::Vector3d(0.85 * radius, 0, 0.9 * radius), Eigen::Vector3d(0, 0, -0.3 * radius)}};
}

} // namespace casimir::tops
