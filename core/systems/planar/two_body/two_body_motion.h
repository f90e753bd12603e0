// The motion of two bodies as a function of time: one period by quadrature, then phase. A state a million
// periods ahead costs as much as the next one and has the energy of the first to rounding. What orbits there
// are is in two_body_orbits.h.
#pragma once

#include "core/systems/planar/two_body/two_body_orbits.h"

#include <optional>
#include <vector>

namespace casimir::planar {

class TwoBodyMotion {
public:
    struct Point {
        double theta = 0, nu = 0, theta1 = 0;
    };

    // Through this state at time 0, mu being that of the bodies.
    TwoBodyMotion(const TwoBody& bodies, const Point& start);

    Point at(double time) const;

    OrbitKind kind() const { return kind_; }
    std::optional<double> period() const; // of (theta, nu), where there is one

private:
    // What the quadrature adds up along a stretch: time, in units of 2/sqrt(whole), and Int dt/S in the same.
    struct Sums {
        double time = 0, turn = 0;
    };
    // A place on the stretch from the stretched angle (sine 0) to the turning point or to the folded angle
    // (cosine 0): an angle u between 0 and pi/2 by its sine and cosine, and what it took to come there.
    struct Place {
        double sine = 0, cosine = 1;
        Sums since;
    };
    // Anywhere on the orbit: as many whole stretches, and a place on the next, seen from its beginning.
    struct Phase {
        double theta = 0, nu = 0;
        double turn = 0; // Int dt/S since the start of its period
    };

    Sums density(double v) const;
    Sums between(double from, double to) const;
    void tabulate();
    Place placeAt(double sine, double cosine) const;
    Place placeAfter(double time) const;
    Phase phaseAt(double stretches) const;
    double connection(double psi) const; // Int_0^psi (I2~ + eps lambda)/S
    double homoclinicTurn(double x) const;
    Point homoclinicAt(double time) const;

    TwoBody bodies_;
    Point start_;
    EnergyLevel level_;
    OrbitKind kind_ = OrbitKind::None;
    int direction_ = 0;  // of a rotation or a homoclinic motion
    double winding_ = 0; // whole turns of the start
    // The stretch: sums from u = 0 up to each v = j panel, of which v = 0 is the end.
    double k2_ = 1, kPrime_ = 0, kappa_ = 1, scale_ = 1; // scale: 2/sqrt(whole)
    std::vector<Sums> upTo_;
    double startStretches_ = 0; // in stretches since the stretched angle was passed with psi growing
    double startTurn_ = 0;      // Int dt/S up to there
};

} // namespace casimir::planar
