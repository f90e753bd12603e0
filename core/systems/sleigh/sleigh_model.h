// Chaplygin's sleigh, flat or on a slope, as a Model of poincare.h: coordinates (phi, x, y) as in section 5
// of Ghori's paper, in any of three choices of Poincare's variables.
#pragma once

#include "core/systems/sleigh/poincare.h"
#include "core/systems/sleigh/sleigh.h"

namespace casimir::sleigh {

struct SleighModel {
    static constexpr int n = 3;
    static constexpr int k = 2;

    SleighParameters p;
    Variables variables = Variables::Space;

    template <class S>
    Mat<S, 3, 3> frame(const Vec<S, 3>& x) const
    {
        using std::cos;
        using std::sin;
        Mat<S, 3, 3> xi;
        xi.setConstant(S(0.0));
        xi(0, 0) = S(1.0);
        if (variables == Variables::Space) { // X_2 = d/dx, X_3 = d/dy
            xi(1, 1) = S(1.0);
            xi(2, 2) = S(1.0);
        } else { // along and across the runner: C_12^3 = 1, C_13^2 = -1
            const S c = cos(x[0]), s = sin(x[0]);
            xi(1, 1) = c;
            xi(1, 2) = s;
            xi(2, 1) = -s;
            xi(2, 2) = c;
        }
        return xi;
    }

    template <class S>
    Mat<S, 3, 2> parametrisation(const Vec<S, 3>& x) const
    {
        using std::cos;
        using std::sin;
        Mat<S, 3, 2> b;
        b.setConstant(S(0.0));
        b(0, 0) = S(1.0);
        if (variables == Variables::Space) { // (5.1) without the dots on theta
            b(1, 1) = cos(x[0]);
            b(2, 1) = sin(x[0]);
        } else { // theta_2 = v, or the mass centre's s = v - b phidot
            b(1, 1) = S(1.0);
            if (variables == Variables::Centre)
                b(1, 0) = S(p.b);
        }
        return b;
    }

    // Of unit mass. The paper prints squares within the squares, and a minus in the second bracket; its (5.5)
    // is right.
    template <class S>
    S kinetic(const Vec<S, 3>& x, const Vec<S, 3>& eta) const
    {
        using std::cos;
        using std::sin;
        S along = eta[1] - eta[0] * p.b, across = eta[2] + eta[0] * p.a;
        if (variables == Variables::Space) {
            const S c = cos(x[0]), s = sin(x[0]);
            along = eta[1] - eta[0] * S(p.a * s + p.b * c);
            across = eta[2] + eta[0] * S(p.a * c - p.b * s);
        }
        return S(0.5 * (along * along + across * across + (p.k * p.k) * eta[0] * eta[0]));
    }

    // x runs downhill; the height of the mass centre counts.
    template <class S>
    S potential(const Vec<S, 3>& x) const
    {
        using std::cos;
        using std::sin;
        return S(-p.G * (x[1] + p.a * cos(x[0]) - p.b * sin(x[0])));
    }
};

} // namespace casimir::sleigh
