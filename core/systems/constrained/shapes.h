// Meshes that the constrained systems draw: a tiled floor, closed surfaces of revolution, and convex bodies
// given by their inverse Gauss map.
#pragma once

#include "core/model/scene.h"

#include <functional>

namespace casimir::constrained {

// The even or the odd tiles of a round floor about the origin, seen from above: rings of equal width in
// sectors. A hair below the plane z = 0, so that what lies in it is seen.
Mesh floorTiles(double ring, int rings, int sectors, bool odd);

// A cylinder about the y-axis of its frame, centred; every other part of the rim lies lower by the fraction
// `notch` of the radius, so that turning is seen.
Mesh wheelMesh(double radius, double width, int segments = 48, double notch = 0);

// The surface x = gamma(n) over all unit normals n; fine enough where the body is round, exact at the
// vertices.
Mesh convexMesh(const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& gamma, int rings = 36,
                int segments = 64);

} // namespace casimir::constrained
