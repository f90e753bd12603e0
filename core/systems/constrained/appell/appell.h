// Appell's heavy point with vx^2 + vy^2 = a^2 vz^2: held by Chetaev's force, and as the end of a thread that
// a rolling wheel winds up. The equations, their closed forms and the constraint split; no pictures. The
// machine is modelled as usually described, its accessories lumped into M over the contact, Jz and C.
#pragma once

#include "core/systems/constrained/constraint_split.h"

#include <Eigen/Core>

#include <optional>

namespace casimir::constrained {

struct AppellParameters {
    double m = 1;      // of the point
    double R = 0.4;    // wheel
    double b = 0.2;    // drum fixed to it
    double rho = 0;    // how far ahead of the contact the point hangs
    double M = 0.2;    // accessories, over the contact
    double Jz = 0.02;  // about the vertical through the contact
    double C = 0.0048; // about the axle
    double g = 9.81;
    bool machine = true; // false: the point alone, with Chetaev's force
};

class Appell {
public:
    using State6 = Eigen::Matrix<double, 6, 1>; // x, y, z of the point, heading theta, phidot, thetadot

    explicit Appell(const AppellParameters& parameters) : p_(parameters) {}

    const AppellParameters& parameters() const { return p_; }
    double a() const { return p_.R / p_.b; }
    double
    rollingInertia() const; // [..] of u^2/2: m (R^2 + b^2) + M R^2 + C; the point alone has no more than m
    double headingInertia() const; // Jz + m rho^2
    double retardation() const;    // -du/dt at rest in heading
    double heightAcceleration() const { return -p_.b * retardation(); }

    Eigen::Vector3d velocity(const State6& s) const;
    State6 field(const State6& s) const;
    double energy(const State6& s) const;
    Eigen::Vector3d forceOnPoint(const State6& s) const; // along the heading, across it, upwards
    double headingRate(const State6& s) const { return p_.machine ? s[5] : 0; }

    bool hasClosedForm() const { return !p_.machine || p_.rho == 0; }
    State6 closedForm(const State6& start, double t) const;
    // When v_z = 0: after the start where the point climbs, before it where it sinks. By formula where
    // hasClosedForm() or nothing turns, else by a quadrature; none where that never happens.
    std::optional<double> apexTime(const State6& start) const;
    // rho = 0: the path is an involute of a circle of this radius.
    double involuteRadius(double thetaDot) const;

    // In positions and velocities: (r, v) of the point, or (x, y, z, theta, phi) and their rates of the
    // machine.
    SplitProblem splitProblem(const State6& s) const;
    // How far the velocities of s are off the constraint, formed from the positions' own rates.
    Eigen::VectorXd constraint(const Eigen::VectorXd& qv) const;
    Eigen::VectorXd inPhaseSpace(const State6& s) const;
    bool massless() const
    {
        return p_.machine && (p_.C == 0 || p_.Jz == 0);
    } // the free motion is not defined

private:
    AppellParameters p_;
};

} // namespace casimir::constrained
