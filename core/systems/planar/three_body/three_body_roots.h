// The critical points of the shape function
//     f(x, y) = A1 cos(x + y) + Re(P1 e^{ix}) + Re(P2 e^{iy})
// on the torus: the equilibria of three bodies, whatever their inertias. All of them, from closed forms
// (aligned bodies), from the self-inversive polynomial of degree six that is left when one angle is
// eliminated (in general), or counted without being found (maps). What is stable is decided elsewhere, but
// the index of a critical point is known here: a maximum of f is a minimum of the amended potential.
//
// In symmetric form, with a = |P1|, b = |P2|, c = A1, X = x + arg P1, Y = y + arg P2, Z = -(x + y):
//     f = a cos X + b cos Y + c cos Z on X + Y + Z = phi = arg P1 + arg P2,
//     critical where a sin X = b sin Y = c sin Z.
#pragma once

#include "core/systems/planar/three_body/three_body.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace casimir::planar {

// Of the eigenvalues of D^2 f, each angle measured by its amplitude: below it a critical point counts as
// degenerate. Rounded parameters put a double root within the square root of rounding, 1e-8, of where it
// belongs.
inline constexpr double degenerateTolerance = 1e-6;
// Critical points nearer than this (rad) are one to the accuracy that a double root allows.
inline constexpr double mergeDistance = 3e-7;

// Of the triangle inequality between 1, |kappa|, |tau| to the longest side: nearer than this is on a
// bifurcation line.
inline constexpr double lineTolerance = 1e-12;

// Below this ratio of the smallest amplitude to the middle one 1/c exceeds (1/a + 1/b)/sqrt(1 - (c/a)^2), so
// that tan X + tan Y + tan Z = 0 has no solution: no fold is ever met on the way from c = 0, and there are
// four points.
inline constexpr double smallAmplitude = 0.4;

// Whether three lengths are the sides of a triangle, beyond lineTolerance.
bool triangleSides(double p, double q, double r);

// D f, and minus D^2 f (the sign of the amended potential's).
struct ShapeSlope {
    Eigen::Vector2d gradient;
    Eigen::Matrix2d hessian;
};
ShapeSlope shapeSlope(const ThreeBodyCoefficients& f, double x, double y);

struct CriticalPoint {
    double x = 0, y = 0;               // in (-pi, pi]
    std::array<double, 2> curvature{}; // eigenvalues of -D^2 f, scaled by the amplitudes, ascending
    int index = 0;                     // how many of them are negative beyond degenerateTolerance
    int zero = 0;                      // how many are within it
    int merged = 1;                    // how many critical points it stands for, as far as rounding lets see
    bool straight = false;             // x and y both 0 or pi, exactly

    bool degenerate() const { return zero > 0; }
};

// Where the critical points are not points.
enum class Continuum { None, Joint21, Joint32, Sum, Everywhere }; // the angle that f depends on; none of them

struct CriticalPoints {
    Continuum continuum = Continuum::None;
    std::vector<CriticalPoint> points; // empty if there is a continuum
    int polynomialRoots = 0; // roots of the polynomial taken to lie on the unit circle; 0: closed form
};

CriticalPoints criticalPoints(const ThreeBodyCoefficients& f);
// By the polynomial, aligned or not: another way to the same points where there is a closed form.
CriticalPoints criticalPointsByPolynomial(const ThreeBodyCoefficients& f);

// The sextic of the elimination of v = e^{iy}, highest power first:
//     (A1 + conj(P2) u)(A1 u + P2)(P1 u^2 - conj(P1))^2 - A1^2 u (P2 - conj(P2) u^2)^2 = 0,  u = e^{ix}.
std::array<std::complex<double>, 7> sextic(const ThreeBodyCoefficients& f);

// Four or six, by counting the real roots of the sextic (Sturm), without finding them; 0 where f does not
// depend on both angles. Within rounding of a bifurcation either answer may come.
int countCriticalPoints(const ThreeBodyCoefficients& f);
// Of six critical points, two are maxima of f or two are minima; of four, one each.
bool sixHaveTwoMaxima(const ThreeBodyCoefficients& f);

// Newton's iteration from (x, y) for a critical point; none if it does not settle at one.
std::optional<Eigen::Vector2d> polishedCriticalPoint(const ThreeBodyCoefficients& f, double x, double y);

} // namespace casimir::planar
