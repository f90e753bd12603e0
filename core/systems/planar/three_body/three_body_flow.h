// The reduced flow of three bodies on a leaf, followed from crossing to crossing of a section: made for many
// orbits, four at a time in the lanes of a vector. States (theta21, theta32, mu1, mu3); mu2 is what remains
// of the total. The field is ThreeBody::reducedField written for lanes.
#pragma once

#include "core/base/status.h"
#include "core/systems/planar/three_body/three_body.h"

#include <atomic>
#include <functional>
#include <optional>

namespace casimir::planar {

struct CrossingSearch {
    int angle = 0;   // which of the two passes, growing
    double at = 0;   // its value, modulo 2 pi
    double tMax = 0; // how long an orbit is followed, s
    double rtol = 1e-10;
    double energy = 0;                       // of the orbits: the scale of the momenta's errors
    const std::atomic<bool>* stop = nullptr; // looked at every step: true ends all orbits
};

struct OrbitStart {
    int orbit = 0; // a number of the caller's
    Vector5d z;
};

// Follows the orbits that `next` hands out until it hands out none, on this thread. `found` is told of every
// crossing after the start, at its time and with angles between -pi and pi; answering false ends the orbit,
// as tMax does. The crossing angle is right to rounding, the rest as the step that led there. Where an orbit
// cannot be followed the status of the last one says so; the others go on.
using NextOrbit = std::function<std::optional<OrbitStart>()>;
using CrossingFound = std::function<bool(int orbit, double t, const Vector5d& z)>;
Status followCrossings(const ThreeBody& bodies, const CrossingSearch& search, const NextOrbit& next,
                       const CrossingFound& found);
// The same one orbit after the other: the same digits, slower where there are several.
Status followCrossingsSingly(const ThreeBody& bodies, const CrossingSearch& search, const NextOrbit& next,
                             const CrossingFound& found);

} // namespace casimir::planar
