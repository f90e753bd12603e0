// Curves of the phase portrait of two bodies in (theta, nu), all in closed form: level curves of a given
// energy, the homoclinic pair, and a whole portrait with energies chosen so that it is evenly filled. theta
// is not wrapped: curves are continuous and run from theta0 - pi to theta0 + pi.
#pragma once

#include "core/systems/planar/two_body/two_body_orbits.h"

#include <Eigen/StdVector>

#include <optional>
#include <vector>

namespace casimir::planar {

struct PhaseCurve {
    OrbitKind kind = OrbitKind::None;
    double energy = 0;
    int branch = 0;      // +1: theta grows (nu > nu0), -1: it falls, 0: a libration, both halves
    bool closed = false; // the last point joins the first; otherwise the ends join across theta0 +- pi
    std::vector<Eigen::Vector2d>
        points; // (theta, nu), in the order of the motion for librations, theta growing else
};

// The level curve with n points (a libration: n rounded up to a multiple of 4, so that its turning points are
// among them; it ignores the branch). Empty if no state has the energy; an equilibrium's is a point, or its
// circle.
PhaseCurve levelCurve(const TwoBody& bodies, double energy, int branch, int n);
PhaseCurve levelCurve(const TwoBody& bodies, const EnergyLevel& level, int branch, int n);

struct NuWindow {
    double low = 0, high = 0;
};

struct TwoBodyPortrait {
    std::vector<PhaseCurve> curves;
    std::optional<PhaseCurve> homoclinicUpper, homoclinicLower;
    std::optional<PhaseCurve> circle; // of equilibria, for mu = 0 or d1 d2 = 0
};

// A window that shows the homoclinic pair with room for rotations around it; about the circle where there is
// none.
NuWindow usualWindow(const TwoBody& bodies);

// `curves` level curves of `points` points each between and beyond the homoclinic pair, as far as the window
// reaches.
TwoBodyPortrait portrait(const TwoBody& bodies, int curves, int points, NuWindow window);
// The same into `result`, whose memory is used again: most of the time of a fresh portrait is the system
// handing out its pages.
void portrait(const TwoBody& bodies, int curves, int points, NuWindow window, TwoBodyPortrait& result);

} // namespace casimir::planar
