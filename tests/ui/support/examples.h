// Pictures made by hand for the tests of the renderers: a pendulum's portrait on its cylinder and two hinged
// plates. They come from closed forms written here, not from core's systems.
#pragma once

#include "core/model/plot.h"
#include "core/model/scene.h"

#include <cmath>

namespace casimir::examples {

// H = p²/2 - cos θ; level curves, both separatrices, both equilibria. The cylinder's radius is 1 and p = ±3
// fits it.
Plot pendulumPortrait(int levels = 24, int points = 257);
inline double pendulumEnergy(double theta, double p)
{
    return p * p / 2 - std::cos(theta);
}

// Two elliptic plates, their centres, a hinge, a curved arrow, a straight one, a label.
Scene twoPlates();
Pose twoPlatesAt(double angle1, double angle2);

// A bent tube with colours along it, a ball, a sheet and axes, in perspective.
Scene bentRod();
Pose bentRodAt(double bend);

} // namespace casimir::examples
