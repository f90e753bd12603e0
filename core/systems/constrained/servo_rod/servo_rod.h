// A rod balanced on a moving finger (Marle, sections 3 and 4): its Hamiltonian, the law the servomechanism
// keeps, the direction in which it may push, and what follows of them at the upright position. How it is
// shown is elsewhere (servo_rod_system.h).
#pragma once

#include "core/base/status.h"
#include "core/systems/constrained/constraint_split.h"

#include <Eigen/Core>

#include <array>
#include <complex>
#include <optional>
#include <string_view>
#include <vector>

namespace casimir::constrained {

enum class ServoLaw {
    Marle, // section 4: p_x = a psi - (B + m l sin/J) p_theta, a graph over (theta, p_theta)
    Linear // xdot = kx x + kt psi + ko psidot
};

enum class ServoForce {
    Finger,    // on x alone (Example 3)
    Angle,     // a torque on theta alone; the contact slides freely (the second servo example)
    Chetaev,   // along the velocity gradient of the law
    Direction, // along (wx, wt)
    Hand       // no law: the finger goes where it is put
};

struct ServoRodParameters {
    double m = 1, l = 0.5, I = 1.0 / 12; // l from the contact to the mass centre, I about the mass centre
    double g = 9.81;
    ServoLaw law = ServoLaw::Marle;
    double a = -1, beta = 0.6;
    double kx = 0, kt = 3, ko = 1.5;
    ServoForce force = ServoForce::Finger;
    double wx = 1, wt = 0;
};

// The roots of the characteristic polynomial at the upright position, and what they say.
struct ServoSpectrum {
    std::vector<std::complex<double>> eigenvalues;
    Status status; // "irregular" where the force cannot hold the law at the upright position
};

enum class ServoVerdict { StableNode, StableFocus, Neutral, UnstableFocus, UnstableNode, Saddle, Irregular };

class ServoRod {
public:
    using Phase = Eigen::Vector4d; // x, theta, p_x, p_theta
    using Pair = Eigen::Vector2d;

    explicit ServoRod(const ServoRodParameters& parameters);

    const ServoRodParameters& parameters() const { return p_; }
    double J() const { return J_; }
    double momentumScale() const; // of p_theta: sqrt(J m g l), and not 0 without gravity

    Pair velocities(const Phase& z) const;
    Pair momenta(double theta, const Pair& velocity) const;
    double hamiltonian(const Phase& z) const;
    Phase XH(const Phase& z) const;

    // The law as a function that vanishes on D, its differential, and its velocity gradient's image
    // (c_1, c_2) = (dphi/dp_x, dphi/dp_theta).
    double phi(const Phase& z) const;
    Phase dphi(const Phase& z) const;
    // The p_x that puts (x, theta, p_theta) on D; none where the linear law has none.
    std::optional<double> lawMomentum(double x, double theta, double pTheta) const;

    Pair forceDirection(const Phase& z) const;
    // |<dphi, w>| against the size of its terms: 0 where the force loses its hold on the law.
    double hold(const Phase& z) const;

    struct Motion {
        Phase rate;                // X_D
        Pair force = Pair::Zero(); // F on the finger, N on the angle
        double power = 0;          // of the force
        bool regular = true;
    };
    Motion motion(const Phase& z) const;
    SplitProblem splitProblem(const Phase& z) const;
    void project(Phase& z) const; // onto D along W; by hand, onto a finger at rest

    // With the finger led by hand: its velocity and acceleration given.
    Motion led(double theta, double pTheta, double xDot, double xDotDot) const;

    // q[0] + q[1] s + q[2] s^2 + q[3] s^3 at the upright position, over the tangent space of D.
    std::array<double, 4> characteristic() const;
    // Without the zero along x where the law does not know x.
    ServoSpectrum spectrum() const;
    ServoVerdict verdict() const;
    // The direction (wx, wt) of Chetaev's force at the upright position.
    Pair chetaevDirection() const;
    bool knowsPosition() const
    {
        return p_.force != ServoForce::Hand && p_.law == ServoLaw::Linear && p_.kx != 0;
    }

    // Law of section 4, beta > 0: while |psi| is below this the law can be solved for xdot, and for a < 0 the
    // strip is forward invariant with the force on the finger.
    std::optional<double> stripHalfWidth() const;
    // Linear law: regular with the force on the finger while |psi| is below this; none: everywhere.
    std::optional<double> regularHalfWidth() const;
    // Law of section 4, linearised: how far the finger travels until the rod is at rest.
    double fingerTravel(double psi, double pTheta) const;
    // Second servo example: the tilt at which the rod ends, p_theta = -l sin(theta) c; p_x = c is constant.
    std::optional<double> slidingTilt(double c) const;

private:
    struct LawTerms {
        double c1, c2, size1,
            size2; // the gradient in (p_x, p_theta) and the sizes of the terms it is made of
    };
    LawTerms lawTerms(double theta) const;
    double B(double theta) const;

    ServoRodParameters p_;
    double J_;
};

enum class RodFate { Settles, Falls, Undecided };
// With the force on the finger or any other that leaves x out of the law: from (psi, p_theta), does the rod
// come to rest upright without passing the horizontal?
struct FateOptions {
    double tolerance = 1e-8;
    int steps = 4000; // more: undecided
};
RodFate fateOf(const ServoRod& rod, double psi, double pTheta, const FateOptions& options = {});
// The largest tilt at p_theta = 0 from which it settles.
double largestTilt(const ServoRod& rod);

std::string_view name(ServoVerdict verdict);

} // namespace casimir::constrained
