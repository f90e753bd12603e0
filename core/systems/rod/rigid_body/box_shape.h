// The body of this family as the stage draws it: a box that has its inertia.
#pragma once

#include "core/model/scene.h"
#include "core/systems/rod/rod/rod_element.h"

#include <algorithm>
#include <cmath>

namespace casimir::rod {

// Half edges of the box with this mass and these principal inertias, J_1 = M (b² + c²)/3. Inertias that no
// box has give a flat one.
inline Vec3 halfEdges(const Vec3& J, double mass)
{
    const double sum = J.sum() / 2;
    Vec3 edges;
    for (int k = 0; k < 3; ++k)
        edges[k] = std::sqrt(std::max(3 * (sum - J[k]) / mass, 0.0));
    return edges.cwiseMax(0.06 * std::max(edges.maxCoeff(), 1e-9));
}

inline Mesh box(const Vec3& half)
{
    Mesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.vertices.emplace_back((k & 1 ? 1 : -1) * half.x(), (k & 2 ? 1 : -1) * half.y(),
                                   (k & 4 ? 1 : -1) * half.z());
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

} // namespace casimir::rod
