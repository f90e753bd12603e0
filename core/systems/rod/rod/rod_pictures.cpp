// What the stage shows of the body with its rod.
#include "core/numerics/dense.h"
#include "core/systems/rod/rigid_body/box_shape.h"
#include "core/systems/rod/rod/rod_system.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir::rod {

namespace {

enum Placed { Body, Turning, Centre, FirstDisc };
enum Curves { Bending, Shear, Stretch, Energy, Ghost };
enum Arrows { SpinArrow, MomentumArrow, FirstPrincipal };
constexpr int discs = 7;

// A thin cross-section in the plane of d1 and d2.
Mesh disc(const Mat3& D, double a, double b)
{
    constexpr int corners = 24;
    Mesh mesh;
    mesh.vertices.emplace_back(Vec3::Zero());
    for (int k = 0; k < corners; ++k) {
        const double angle = 2 * std::numbers::pi * k / corners;
        mesh.vertices.push_back(D.col(0) * (a * std::cos(angle)) + D.col(1) * (b * std::sin(angle)));
        const int next = 1 + (k + 1) % corners;
        mesh.triangles.push_back({0, 1 + k, next});
        mesh.triangles.push_back({0, next, 1 + k});
    }
    return mesh;
}

double tubeRadius(const RodSetup& setup)
{
    return std::clamp(setup.sectionRadius, 0.004 * setup.units.length, 0.06 * setup.units.length);
}

double sceneRadius(const Rod& rod, const RodEquilibrium& e)
{
    double most =
        halfEdges(rod.parameters().bodyInertia, rod.parameters().bodyMass).norm() + e.at.x[0].norm();
    for (std::size_t i = 0; i < rod.nodes(); ++i)
        most = std::max(most, rod.point(e.at, i).norm());
    return 1.05 * most;
}

std::size_t discNode(std::size_t nodes, int k)
{
    return std::max<std::size_t>(1, (nodes - 1) * static_cast<std::size_t>(k + 1) / discs);
}

} // namespace

Scene RodSystem::scene() const
{
    const double L = setup_.units.length, radius = tubeRadius(setup_);
    const RodParameters& p = rod_.parameters();
    Scene scene;
    scene.radius = L * sceneRadius(dynamics_.rod(), equilibrium());
    const double width = 0.012 * scene.radius;
    scene.frames = {{"inertial", "inertial frame", -1},
                    {"turning", "frame that turns with the spin rate", Turning},
                    {"body", "frame of the body", Body}};
    scene.layers = {{"bending", "Colour by bending", true},
                    {"shear", "Colour by shear", false},
                    {"stretch", "Colour by stretch", false},
                    {"energy", "Colour by energy density", false},
                    {"sections", "Cross-sections", true},
                    {"ghost", "Undeformed rod", true},
                    {"spin", "Angular velocity", true},
                    {"momentum", "Angular momentum", true},
                    {"principal", "Principal axes of the deformed whole", false}};
    scene.points = {{"tip", "tip of the rod", Colour::body(1), true},
                    {"body", "mass centre of the body", Colour::body(0), false}};
    scene.headsUp = {"deflection", "H", "mu"};
    const double disc1 = 2.2 * radius, wider = p.j[0] > 0 ? std::sqrt(p.j[1] / p.j[0]) : 1;
    scene.parts = {
        {"body", box(L * halfEdges(p.bodyInertia, p.bodyMass)), Colour::body(0), 0.75, Body},
        {"rod, bending", Tube{Bending, radius}, Colour::body(1), 1, -1, "bending"},
        {"rod, shear", Tube{Shear, radius}, Colour::body(1), 1, -1, "shear"},
        {"rod, stretch", Tube{Stretch, radius}, Colour::body(1), 1, -1, "stretch"},
        {"rod, energy", Tube{Energy, radius}, Colour::body(1), 1, -1, "energy"},
        {"undeformed rod", Tube{Ghost, 0.6 * radius}, {Role::Guide}, 0.35, -1, "ghost"},
        {"mass centre", Pin{Pin::Kind::Cross, Vec3::Zero()}, {Role::Neutral}, 1, Centre},
        {"angular velocity", ArrowShape{SpinArrow, false, width}, Colour::motion(0), 1, -1, "spin"},
        {"angular momentum", ArrowShape{MomentumArrow, false, width}, {Role::Momentum}, 1, -1, "momentum"},
    };
    for (int k = 0; k < 3; ++k)
        scene.parts.push_back({"principal axis " + std::to_string(k + 1),
                               ArrowShape{static_cast<std::size_t>(FirstPrincipal + k), false, 0.6 * width},
                               {Role::Neutral},
                               0.8,
                               -1,
                               "principal"});
    const double ratio = std::clamp(wider, 0.2, 5.0);
    for (int k = 0; k < discs; ++k)
        scene.parts.push_back({"section " + std::to_string(k + 1),
                               disc(rod_.law().D, disc1 * std::sqrt(ratio), disc1 / std::sqrt(ratio)),
                               Colour::body(1), 0.5, FirstDisc + k, "sections"});
    return scene;
}

void RodSystem::poseAt(double t, const State& x, Pose& out) const
{
    const RodState s = unpacked(x);
    const Rod& rod = dynamics_.rod();
    const RodConfiguration at = dynamics_.configurationOf(s);
    const double L = setup_.units.length;
    const RodEquilibrium& e = equilibrium();
    const Quat turn(Eigen::AngleAxisd(e.omega * t / setup_.units.time, Vec3::UnitZ()));
    const Vec3 centre = L * rod.centre(at);
    out.placements = {{at.q[0], L * at.x[0]}, {turn, Vec3::Zero()}, {Quat::Identity(), centre}};
    for (int k = 0; k < discs; ++k) {
        const std::size_t node = discNode(rod.nodes(), k);
        out.placements.push_back({at.q[node], L * at.x[node]});
    }

    // Arrows: half the scene long at the equilibrium's own spin and momentum.
    const double reach = 0.55 * L * sceneRadius(rod, e);
    const Vec3 J = dynamics_.angularMomentum(s);
    const double spin = std::max(e.omega, 1e-300), momentum = std::max(J.norm(), 1e-300);
    const dense::SymmetricSpectrum principal = dense::symmetricSpectrum(rod.lockedInertia(at));
    out.arrows = {{centre, reach * dynamics_.angularVelocity(s, 0) / spin}, {centre, reach * J / momentum}};
    if (e.omega == 0)
        out.arrows = {{centre, Vec3::Zero()}, {centre, Vec3::Zero()}};
    for (int k = 0; k < 3; ++k)
        out.arrows.push_back({centre, 0.8 * reach * principal.vectors.col(k)});

    const std::vector<ElementStrain> strains = rod.strains(at), calm = rod.strains(e.at);
    const ElementLaw& law = rod.law();
    const auto measure = [&law](const ElementStrain& z, int what) {
        switch (what) {
        case Bending:
            return z.kappa.head<2>().norm();
        case Shear:
            return z.gamma.head<2>().norm();
        case Stretch:
            return std::abs(z.gamma.z());
        default:
            return 0.5 *
                   (z.gamma.dot(law.CN.cwiseProduct(z.gamma)) + z.kappa.dot(law.CM.cwiseProduct(z.kappa)));
        }
    };
    // Full colour is what the equilibrium shows at most, or a strain just visible where it shows none.
    constexpr double visible[] = {0.3, 0.005, 0.01, 0.05};
    out.curves.assign(5, {});
    for (int what = Bending; what <= Energy; ++what) {
        double scale = visible[what];
        for (const ElementStrain& z : calm)
            scale = std::max(scale, 1.2 * measure(z, what));
        Curve& curve = out.curves[static_cast<std::size_t>(what)];
        for (std::size_t i = 0; i < rod.nodes(); ++i) {
            curve.points.push_back(L * rod.point(at, i));
            const double left = measure(strains[i > 0 ? i - 1 : 0], what);
            const double right = measure(strains[i + 1 < rod.nodes() ? i : i - 1], what);
            curve.values.push_back(std::clamp((left + right) / (2 * scale), 0.0, 1.0));
        }
    }
    Curve& ghost = out.curves[Ghost];
    for (std::size_t i = 0; i < rod.nodes(); ++i)
        ghost.points.push_back(L * (at.x[0] + at.q[0] * (rod.parameters().r0 +
                                                         rod.h() * static_cast<double>(i) * law.D.col(2))));
    out.points = {L * at.x.back(), L * at.x[0]};
}

} // namespace casimir::rod
