#include "core/systems/constrained/shapes.h"

#include "core/numerics/pi.h"

#include <cmath>

namespace casimir::constrained {

namespace {
}

Mesh floorTiles(double ring, int rings, int sectors, bool odd)
{
    Mesh mesh;
    constexpr int steps = 4; // chords of a tile's arc
    for (int i = 0; i < rings; ++i)
        for (int j = (i + odd) % 2; j < sectors; j += 2)
            for (int k = 0; k <= steps; ++k) {
                const double angle = 2 * pi * (j + static_cast<double>(k) / steps) / sectors;
                const Eigen::Vector3d away(std::cos(angle), std::sin(angle), 0), below(0, 0, -0.002 * ring);
                mesh.vertices.push_back(ring * i * away + below);
                mesh.vertices.push_back(ring * (i + 1) * away + below);
                if (k == 0)
                    continue;
                const int at = static_cast<int>(mesh.vertices.size());
                mesh.triangles.push_back({at - 4, at - 3, at - 1});
                if (i > 0) // the innermost tiles are triangles
                    mesh.triangles.push_back({at - 4, at - 1, at - 2});
            }
    return mesh;
}

Mesh wheelMesh(double radius, double width, int segments, double notch)
{
    Mesh mesh;
    mesh.vertices = {{0, -width / 2, 0}, {0, width / 2, 0}};
    for (int i = 0; i < segments; ++i) {
        const double angle = 2 * pi * i / segments;
        const double r = (i / 4) % 2 == 0 ? radius : radius * (1 - notch);
        for (const double y : {-width / 2, width / 2})
            mesh.vertices.emplace_back(r * std::sin(angle), y, r * std::cos(angle));
    }
    for (int i = 0; i < segments; ++i) {
        const int a = 2 + 2 * i, b = 2 + 2 * ((i + 1) % segments);
        mesh.triangles.push_back({a, b, b + 1});
        mesh.triangles.push_back({a, b + 1, a + 1});
        mesh.triangles.push_back({0, b, a});
        mesh.triangles.push_back({1, a + 1, b + 1});
    }
    return mesh;
}

Mesh convexMesh(const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& gamma, int rings, int segments)
{
    Mesh mesh;
    // A hair off the poles: a disk has no single point of contact there.
    constexpr double edge = 1e-4;
    for (int i = 0; i <= rings; ++i) {
        const double polar = edge + (pi - 2 * edge) * i / rings;
        for (int j = 0; j < segments; ++j) {
            const double azimuth = 2 * pi * j / segments;
            mesh.vertices.push_back(gamma(
                {std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar)}));
        }
    }
    const auto at = [segments](int i, int j) { return i * segments + j % segments; };
    for (int i = 0; i < rings; ++i)
        for (int j = 0; j < segments; ++j) {
            mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    for (const int ring : {0, rings}) {
        Eigen::Vector3d middle = Eigen::Vector3d::Zero();
        for (int j = 0; j < segments; ++j)
            middle += mesh.vertices[static_cast<std::size_t>(at(ring, j))] / segments;
        const int centre = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(middle);
        for (int j = 0; j < segments; ++j)
            if (ring == 0)
                mesh.triangles.push_back({centre, at(ring, j), at(ring, j + 1)});
            else
                mesh.triangles.push_back({centre, at(ring, j + 1), at(ring, j)});
    }
    return mesh;
}

} // namespace casimir::constrained
