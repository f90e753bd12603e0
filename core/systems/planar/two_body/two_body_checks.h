// Private to the claims of two bodies: one check is a deviation computed at a random sample. Each section of
// the paper adds its checks to one list; two_body_claims.cpp evaluates them.
#pragma once

#include "core/systems/planar/two_body/two_body_claims.h"

#include <random>

namespace casimir::planar::claims {

using Complex = TwoBodyFormulas::Complex;
using C2 = TwoBodyFormulas::C2;
using C3 = TwoBodyFormulas::C3;
inline constexpr Complex i{0, 1};

// A plane vector as a complex number: x . y = Re(conj(x) y), x cross y = Im(conj(x) y).
using Plane = std::complex<double>;
inline double dot(Plane x, Plane y)
{
    return (std::conj(x) * y).real();
}
inline double cross(Plane x, Plane y)
{
    return (std::conj(x) * y).imag();
}
inline Plane turned(double angle, Plane x)
{
    return std::polar(1.0, angle) * x;
}

// A random system in a random state. The vectors d12, d21 have random directions in their bodies, not
// TwoBody's.
struct Sample {
    TwoBodyFormulas f;
    Plane d12, d21;
    double theta1, theta2, omega1, omega2;
    Plane centreVelocity;
    std::mt19937_64* engine;

    double uniform(double low, double high) const
    {
        return std::uniform_real_distribution<double>(low, high)(*engine);
    }
    const TwoBodyParameters& p() const { return f.bodies.parameters(); }
    double m() const { return p().m1 + p().m2; }
    double theta() const { return theta2 - theta1; }
    C2 omega() const { return {omega1, omega2}; }
    Eigen::Vector2d realMomenta() const { return f.momenta(theta(), omega()).real(); }
    C3 reduced() const
    {
        const C2 mu = f.momenta(theta(), omega());
        return {theta(), mu[0], mu[1]};
    }
    // A point of the leaf mu1 + mu2 = bodies.mu(), the one (4.4) and (5.10) speak of.
    double leafNu() const { return omega1 * f.bodies.mu(); }

    // From the hinge constraint alone: velocities of the centres of mass in the frame of the common one.
    Plane velocity1(double w1, double w2) const { return -(p().m2 / m()) * relativeVelocity(w1, w2); }
    Plane velocity2(double w1, double w2) const { return (p().m1 / m()) * relativeVelocity(w1, w2); }
    // Kinetic energy of the hinged bodies from those velocities; no formula of the paper goes in.
    double embeddedEnergy(double w1, double w2) const
    {
        return 0.5 * (p().m1 * std::norm(velocity1(w1, w2)) + p().m2 * std::norm(velocity2(w1, w2)) +
                      p().I1 * w1 * w1 + p().I2 * w2 * w2);
    }

private:
    Plane relativeVelocity(double w1, double w2) const
    {
        return i * w1 * turned(theta1, d12) - i * w2 * turned(theta2, d21);
    }
};

struct Check {
    std::string id, claim, computed;
    std::function<double(const Sample&)> deviation; // relative, of the right form
    std::function<double(const Sample&)>
        printed; // relative, of the form with the misprint; empty without erratum
    std::string erratum;
    double digitsNeeded = 11;
};

// d/dx of a function that takes complex arguments to complex values, to rounding.
template <class F>
double complexStep(F f, double x)
{
    constexpr double h = 1e-30;
    return f(Complex(x, h)).imag() / h;
}
// Gradient in (theta, mu1, mu2).
C3 gradient(const std::function<Complex(const C3&)>& f, const C3& x);

void addIntroduction(std::vector<Check>& checks);
void addKinematics(std::vector<Check>& checks);
void addReduction(std::vector<Check>& checks);
void addStability(std::vector<Check>& checks);

} // namespace casimir::planar::claims
