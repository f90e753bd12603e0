// Chaplygin's sleigh of unit mass, flat or on a slope: its equations written out, the constraint force, what
// can be predicted of a motion, and the closed form where there is one. Poincare's equations and Whittaker's
// reduction by automatic differentiation are in sleigh_equations.h; pictures and parameters' words in
// sleigh_system.h.
//
// The runner stands at (x, y) with heading phi; the mass centre is at (a, b) in its axes; k is the radius of
// gyration; kappa^2 = a^2 + k^2; v is the runner's speed, w = phidot, s = v - b w the mass centre's forward
// speed. x points down the slope, G = g sin(slope):
//
//     s' = a w^2 + G cos phi,   kappa^2 w' = -a (s w + G sin phi),   x' = v cos phi,   y' = v sin phi
//     N = (s w + G sin phi) k^2/kappa^2 sideways at the runner,   H = (s^2 + kappa^2 w^2)/2 - G (x + a cos
//     phi - b sin phi)
#pragma once

#include "core/numerics/integration.h"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace casimir::sleigh {

struct SleighParameters {
    double a = 0, b = 0, k = 1; // m
    double G = 0;               // m/s^2
};

// Which of Poincare's velocities describe the sleigh: those of the paper, d/dx and d/dy; those along and
// across the runner; the same with the speed of the mass centre for that of the runner.
enum class Variables { Space, Body, Centre };

// The order of the state vector.
enum Coordinate { X, Y, Phi, V, PhiDot };
using Vector5 = Eigen::Matrix<double, 5, 1>;

class Sleigh {
public:
    // Throws Error: a, b, k or G not finite, k not positive.
    explicit Sleigh(const SleighParameters& p);

    const SleighParameters& parameters() const { return p_; }
    double kappa() const { return kappa_; }
    double delta() const; // delta^2 = a^2 + b^2 + k^2, as the paper abbreviates

    double s(const Vector5& x) const { return x[V] - p_.b * x[PhiDot]; }
    double energy(const Vector5& x) const;
    double force(const Vector5& x) const; // N
    Vector5 field(const Vector5& x) const;
    Eigen::Vector2d massCentre(const Vector5& x) const;

    // sqrt(2 T): on the flat the constant c, the mass centre's final speed.
    double speed(const Vector5& x) const;

    // On the flat or with a = 0.
    bool hasClosedForm() const { return p_.G == 0 || straightens() == 0; }
    // The sign of a; 0 too where a is so small that nothing it does could be seen.
    int straightens() const;

private:
    SleighParameters p_;
    double kappa_;
};

// A motion in closed form, v and phi by formula, x and y by formula (a = 0) or quadrature.
class SleighMotion {
public:
    // Throws Error where hasClosedForm() is false.
    SleighMotion(const Sleigh& sleigh, const Vector5& start);

    Vector5 at(double t) const;
    // The same from a state that the motion has at t0, for t within panel(t0) of it: one quadrature.
    Vector5 from(double t0, const Vector5& x0, double t) const;
    // A time, onwards or back from t, over which one quadrature is exact to rounding; infinite where none is
    // needed.
    double panel(double t, bool forward = true) const;

    // |a| c / kappa^2, the rate at which w dies out (and grows on the unstable run); 0 where a = 0.
    double rate() const { return std::abs(L_); }

private:
    struct Turn {
        double phi, v, w;
    };
    Turn turn(double t) const;
    Eigen::Vector2d displacement(double t0, double t1) const;

    Sleigh sleigh_;
    Vector5 start_;
    bool straight_ = false, level_ = false; // w = 0; w constant
    double c_ = 0, L_ = 0, tau0_ = 0, sign_ = 1;
};

// What section 5 foretells of the motion on the flat through a state.
struct SleighForecast {
    double energy = 0, speed = 0;               // h, c
    double rate = 0;                            // |a| c/kappa^2
    std::optional<double> turnTotal;            // pi kappa/|a| over all time; none where a = 0
    double asymptoticSpeed = 0;                 // of the runner as t -> infinity
    std::optional<double> phiInitial, phiFinal; // as t -> -+infinity
    std::optional<double> cuspPhi, cuspTime;    // where v = 0; before the start the time is negative
};
SleighForecast forecast(const Sleigh& sleigh, const Vector5& start);

// theta'(phi) = v/w, w and t along the motion on the flat through a state with w != 0, a != 0; u of (5.7).
struct SleighByAngle {
    SleighByAngle(const Sleigh& sleigh, const Vector5& start);
    double u(double phi) const;
    double thetaPrime(double phi) const; // (5.7)
    double rate(double phi) const;       // w, (5.6)
    double time(double phi) const;       // from the start; |u| < pi/2
    double phiAt(double u) const;

    double a, b, kappa, c, phi0, u0, sign;
};

} // namespace casimir::sleigh
