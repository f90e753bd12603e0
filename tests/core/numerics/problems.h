// Motions known in closed form, to measure integrators against.
#pragma once

#include "core/numerics/integration.h"

#include <Eigen/Geometry>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include <cmath>

namespace casimir::testing {

// The free rigid body M' = M x Omega, Omega_i = M_i / I_i, with I1 < I2 < I3 and |M|^2 > 2 E I2 (Landau and
// Lifshitz, Mechanics, section 37): Omega = (a1 cn, a2 sn, a3 dn)(tau).
struct FreeRigidBody {
    Eigen::Vector3d I{1, 2, 3.5};
    double energy = 1.1;
    double momentum = std::sqrt(5.6);

    static Field field()
    {
        return [](double, const State& M, State& dMdt) {
            const FreeRigidBody body;
            const Eigen::Vector3d m = M;
            dMdt = m.cross(m.cwiseQuotient(body.I));
        };
    }

    State exact(double t) const
    {
        const double M2 = momentum * momentum;
        const double E2 = 2 * energy;
        const double tau = t * std::sqrt((I[2] - I[1]) * (M2 - E2 * I[0]) / I.prod());
        const double k2 = (I[1] - I[0]) * (E2 * I[2] - M2) / ((I[2] - I[1]) * (M2 - E2 * I[0]));
        double cn = 0;
        double dn = 0;
        const double sn = boost::math::jacobi_elliptic(std::sqrt(k2), tau, &cn, &dn);
        State M(3);
        M << I[0] * std::sqrt((E2 * I[2] - M2) / (I[0] * (I[2] - I[0]))) * cn,
            I[1] * std::sqrt((E2 * I[2] - M2) / (I[1] * (I[2] - I[1]))) * sn,
            I[2] * std::sqrt((M2 - E2 * I[0]) / (I[2] * (I[2] - I[0]))) * dn;
        return M;
    }
};

// The pendulum q' = p, p' = -sin q, released at rest at the angle q0: sin(q/2) = k sn(K - t), k = sin(q0/2).
struct Pendulum {
    double q0 = 2.0;

    static Field field()
    {
        return [](double, const State& x, State& dxdt) {
            dxdt[0] = x[1];
            dxdt[1] = -std::sin(x[0]);
        };
    }

    double k() const { return std::sin(q0 / 2); }
    double quarterPeriod() const { return boost::math::ellint_1(k()); }

    State exact(double t) const
    {
        double cn = 0;
        double dn = 0;
        const double sn = boost::math::jacobi_elliptic(k(), quarterPeriod() - t, &cn, &dn);
        State x(2);
        x << 2 * std::asin(k() * sn), -2 * k() * cn;
        return x;
    }

    static double energy(const State& x) { return x[1] * x[1] / 2 - std::cos(x[0]); }
};

} // namespace casimir::testing
