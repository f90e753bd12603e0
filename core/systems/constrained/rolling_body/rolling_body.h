// A convex body that rolls without slipping on a plane at rest or turning about the vertical through the
// origin (Marle's Examples 1 and 2): its surface as an inverse Gauss map, the equations of motion, the
// contact force, and the invariants that hold for it. How it is shown is elsewhere (rolling_body_system.h).
#pragma once

#include "core/systems/constrained/constraint_split.h"

#include <Eigen/Geometry>

#include <optional>

namespace casimir::constrained {

enum class RollingShape { Ellipsoid, Sphere, Disk };

struct RollingParameters {
    double m = 1, g = 9.81, omega = 0;
    RollingShape shape = RollingShape::Ellipsoid;
    Eigen::Vector3d axes{0.5, 0.4, 0.3};              // semi-axes of the ellipsoid
    double radius = 0.3;                              // of the sphere, of the disk's middle circle
    double rounding = 0;                              // added all round
    Eigen::Vector3d centre = Eigen::Vector3d::Zero(); // of the figure, from the mass centre, in body axes
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity(); // about the mass centre, in body axes
};

class RollingBody {
public:
    using State10 = Eigen::Matrix<double, 10, 1>; // X (3), q = (w, x, y, z) body to space, Omega in body axes
    using Vec3 = Eigen::Vector3d;

    explicit RollingBody(const RollingParameters& parameters);

    const RollingParameters& parameters() const { return p_; }

    // The point of the surface whose outward normal is n, in body axes from the mass centre, and how it
    // moves.
    Vec3 gamma(const Vec3& n) const;
    Vec3 gammaRate(const Vec3& n, const Vec3& nDot) const;
    double height(const Vec3& n) const
    {
        return n.dot(gamma(n));
    } // support function: the mass centre's height

    struct Contact {
        Eigen::Matrix3d R;
        Vec3 up;       // gam = R^T e3, in body axes
        Vec3 s;        // contact point, in body axes from the mass centre
        Vec3 sDot;     // on the body
        Vec3 P;        // in space
        Vec3 velocity; // of the mass centre, in body axes
        Vec3 k;        // the acceleration that Omegadot does not enter
    };
    Contact contact(const State10& x) const;
    Vec3 angularAcceleration(const State10& x, const Contact& at) const;
    State10 field(const State10& x) const;
    void project(State10& x) const; // unit q; the mass centre at the height of the surface

    struct Report {
        Vec3 contactPoint, onBody, velocity, force; // in space, but onBody
        double energy, angularMomentum;             // E and J_z about the vertical through the origin
        double power, torque;                       // of the contact force: dE/dt and dJ_z/dt
        Vec3 contactMomentum;                       // K, about the contact point
        double jellett, routh, verticalSpin;
        double gap;
    };
    Report report(const State10& x) const;

    bool isSphere() const;            // with the mass centre anywhere
    bool isChaplyginBall() const;     // its mass centre in the middle
    bool isHomogeneousSphere() const; // and all inertias equal
    bool hasJellett() const; // sphere with an axis of symmetry through the mass centre, plane at rest
    double kappa() const;    // I/(m r^2) of the homogeneous sphere
    double sphereRadius() const;

    // Homogeneous sphere: the circle on the turning plane, nu = omega kappa/(1 + kappa).
    struct Circle {
        double nu = 0;
        Eigen::Vector2d centre = Eigen::Vector2d::Zero();
        double radius = 0;
    };
    std::optional<Circle> circle(const State10& x) const; // none where nu = 0: a straight line
    // Position, and spin in space, after t.
    struct SphereMotion {
        Vec3 X, spin;
    };
    SphereMotion sphereAt(const State10& start, double t) const;

    // In (X, q, V, Omega) with V the velocity in space: the three conditions of rolling, and the gap.
    SplitProblem splitProblem(const State10& x) const;
    static Eigen::Matrix3d rotation(const State10& x);

private:
    RollingParameters p_;
};

} // namespace casimir::constrained
