// The elimination of multibody.h over a tree of any shape, with free and with prescribed joints, written once
// for every kind of number: a double, lanes of several states (core/numerics/lanes.h), or either with its
// derivative (core/numerics/dual.h). Which instructions it is compiled for is decided by who inlines it.
#pragma once

#include "core/systems/planar/multibody/multibody.h"

namespace casimir::planar {

// One evaluation: takeState, then the sines and cosines of the angles are the caller's (and those of the
// drives before that), then velocities, then rates.
template <class T>
struct TreeRecursion {
    const std::vector<TreePlace>& at;
    const std::vector<TreeJoint>& joints;
    bool prescribed; // some joint is
    TreeKept<T>* c;  // one for each place; `none` is zero

    std::size_t size() const { return at.size(); }
    CASIMIR_INLINE const TreeJoint* joint(std::size_t i) const
    {
        return at[i].joint < 0 ? nullptr : &joints[static_cast<std::size_t>(at[i].joint)];
    }
    CASIMIR_INLINE bool held(std::size_t i) const
    {
        const TreeJoint* j = joint(i);
        return j && j->prescribed();
    }
    CASIMIR_INLINE std::size_t parent(std::size_t i) const { return static_cast<std::size_t>(at[i].parent); }

    // Of body k by theta(k, out) and mu(k, out); driveCosine is there already.
    template <class Angles, class Momenta>
    CASIMIR_INLINE void takeState(const Angles& theta, const Momenta& mu) const
    {
        for (std::size_t i = 0; i < size(); ++i) {
            theta(static_cast<std::size_t>(at[i].body), c[i].theta);
            mu(static_cast<std::size_t>(at[i].body), c[i].mu);
        }
        if (prescribed)
            for (std::size_t i = 1; i < size(); ++i)
                if (held(i))
                    c[i].theta = c[parent(i)].theta + joint(i)->angleAt(c[i].driveCosine);
    }

    // omega from mu and muDot = -dH/dtheta; where joints are prescribed mu is put right.
    CASIMIR_INLINE void velocities() const
    {
        if (!prescribed) {
            eliminate();
            return;
        }
        for (std::size_t i = size(); i-- > 0;)
            turnHinges(i);
        for (std::size_t i = 0; i < size(); ++i)
            c[i].rate = held(i) ? joint(i)->rateAt(c[i].driveSine) : T{};
        eliminatePrescribed(&Kept::mu, &Kept::none, &Kept::none, &Kept::omega);
        for (std::size_t i = 1; i < size(); ++i) {
            c[i].mu += c[i].reaction;
            c[parent(i)].mu -= c[i].reaction;
        }
        c[0].muDot = T{};
        for (std::size_t i = 1; i < size(); ++i)
            passOn(i);
    }

    // The torques of joints added to muDot.
    CASIMIR_INLINE void rates() const
    {
        if (joints.empty())
            return;
        addTorques(&Kept::muDot);
        if (prescribed)
            addReactions();
    }

private:
    using Kept = TreeKept<T>;

    // The hinges of place i in space; of its own one the parent's side too.
    CASIMIR_INLINE void turnHinges(std::size_t i) const
    {
        const T sine = c[i].sine, cosine = c[i].cosine;
        c[i].Bx = cosine * at[i].bx - sine * at[i].by;
        c[i].By = sine * at[i].bx + cosine * at[i].by;
        if (i == 0)
            return;
        const std::size_t p = parent(i);
        const T sineP = c[p].sine, cosineP = c[p].cosine;
        const double x = at[i].ax - at[p].bx, y = at[i].ay - at[p].by;
        c[i].Ax = cosineP * at[i].ax - sineP * at[i].ay;
        c[i].Ay = sineP * at[i].ax + cosineP * at[i].ay;
        c[i].sx = -(sineP * x + cosineP * y);
        c[i].sy = cosineP * x - sineP * y;
    }

    // -dH/dtheta: what the impulse of hinge i does to its two bodies.
    CASIMIR_INLINE void passOn(std::size_t i) const
    {
        const std::size_t p = parent(i);
        c[i].muDot = c[i].omega * (c[i].Bx * c[i].Fx + c[i].By * c[i].Fy);
        c[p].muDot -= c[p].omega * (c[i].Ax * c[i].Fx + c[i].Ay * c[i].Fy);
    }

    // A body with what its children hand to it.
    struct Gathered {
        T Mxx, Mxy, Myy, hx, hy, D, Px, Py, tau;
    };
    CASIMIR_INLINE void gather(std::size_t i, const T& torque, Gathered& all) const
    {
        const double m = at[i].m;
        all = {m + T{}, T{}, m + T{}, m * c[i].By, -m * c[i].Bx, at[i].hingeInertia + T{}, T{}, T{}, torque};
        for (int child = at[i].firstChild; child >= 0;) {
            const auto j = static_cast<std::size_t>(child);
            all.Mxx += c[j].Mxx;
            all.Mxy += c[j].Mxy;
            all.Myy += c[j].Myy;
            all.hx += c[j].downhx;
            all.hy += c[j].downhy;
            all.D += c[j].downD;
            all.Px += c[j].downPx;
            all.Py += c[j].downPy;
            all.tau += c[j].downTau;
            child = at[j].nextSibling;
        }
    }

    // Free joints: mu -> omega and muDot.
    CASIMIR_INLINE void eliminate() const
    {
        const std::size_t n = size();
        Gathered all;
        for (std::size_t i = n - 1; i > 0; --i) {
            turnHinges(i);
            gather(i, c[i].mu, all);
            const T invD = 1 / all.D;
            const T g = all.tau * invD;
            const T Mxx = all.Mxx - (all.hx * all.hx) * invD, Mxy = all.Mxy - (all.hx * all.hy) * invD,
                    Myy = all.Myy - (all.hy * all.hy) * invD;
            const T Px = all.Px + all.hx * g, Py = all.Py + all.hy * g;
            const T sx = c[i].sx, sy = c[i].sy;
            c[i].hx = all.hx * invD;
            c[i].hy = all.hy * invD;
            c[i].g = g;
            c[i].Mxx = Mxx;
            c[i].Mxy = Mxy;
            c[i].Myy = Myy;
            c[i].downPx = Px;
            c[i].downPy = Py;
            c[i].downhx = Mxx * sx + Mxy * sy;
            c[i].downhy = Mxy * sx + Myy * sy;
            c[i].downD = Mxx * (sx * sx) + (Mxy * (2 * sx * sy) + Myy * (sy * sy));
            c[i].downTau = -(sx * Px + sy * Py);
        }
        // The root: nothing pulls at it, so M u + P = 0 at its centre of mass.
        turnHinges(0);
        gather(0, c[0].mu, all);
        const T invD = 1 / all.D;
        const T Mxx = all.Mxx - all.hx * all.hx * invD, Mxy = all.Mxy - all.hx * all.hy * invD,
                Myy = all.Myy - all.hy * all.hy * invD;
        const T Px = all.Px + all.hx * (all.tau * invD), Py = all.Py + all.hy * (all.tau * invD);
        const T invDet = 1 / (Mxx * Myy - Mxy * Mxy);
        c[0].ux = (Mxy * Py - Myy * Px) * invDet;
        c[0].uy = (Mxy * Px - Mxx * Py) * invDet;
        c[0].omega = (all.tau - all.hx * c[0].ux - all.hy * c[0].uy) * invD;
        c[0].muDot = T{};
        for (std::size_t i = 1; i < n; ++i) {
            const std::size_t p = parent(i);
            const T ux = c[p].ux + c[p].omega * c[i].sx, uy = c[p].uy + c[p].omega * c[i].sy;
            c[i].ux = ux;
            c[i].uy = uy;
            c[i].omega = c[i].g - (c[i].hx * ux + c[i].hy * uy);
            c[i].Fx = c[i].Mxx * ux + c[i].Mxy * uy + c[i].downPx;
            c[i].Fy = c[i].Mxy * ux + c[i].Myy * uy + c[i].downPy;
            passOn(i);
        }
    }

    // The same where some joints are prescribed: there the child turns by c.rate more than its parent and its
    // spin is not eliminated. (gx, gy) is added to the velocity of hinge i. Serves velocities (rates of the
    // joints, g = 0) and accelerations (accelerations of the joints, g from the centripetal terms) alike.
    CASIMIR_INLINE void eliminatePrescribed(T Kept::*torque, T Kept::*gx, T Kept::*gy, T Kept::*omega) const
    {
        Gathered all;
        for (std::size_t i = size(); i-- > 0;) {
            gather(i, c[i].*torque, all);
            const bool fixed = i > 0 && held(i);
            if (!fixed) {
                all.Mxx -= all.hx * all.hx / all.D;
                all.Mxy -= all.hx * all.hy / all.D;
                all.Myy -= all.hy * all.hy / all.D;
                all.Px += all.hx * (all.tau / all.D);
                all.Py += all.hy * (all.tau / all.D);
            }
            c[i].Mxx = all.Mxx;
            c[i].Mxy = all.Mxy;
            c[i].Myy = all.Myy;
            c[i].hx = all.hx;
            c[i].hy = all.hy;
            c[i].Px = all.Px;
            c[i].Py = all.Py;
            c[i].D = all.D;
            c[i].g = all.tau;
            if (i == 0)
                break;
            const T sx = c[i].sx, sy = c[i].sy, gxi = c[i].*gx, gyi = c[i].*gy;
            const T Msx = all.Mxx * sx + all.Mxy * sy, Msy = all.Mxy * sx + all.Myy * sy;
            T Qx = all.Px + all.Mxx * gxi + all.Mxy * gyi, Qy = all.Py + all.Mxy * gxi + all.Myy * gyi;
            c[i].downhx = Msx;
            c[i].downhy = Msy;
            c[i].downD = sx * Msx + sy * Msy;
            c[i].downTau = T{};
            if (fixed) {
                Qx += all.hx * c[i].rate;
                Qy += all.hy * c[i].rate;
                c[i].downhx += all.hx;
                c[i].downhy += all.hy;
                c[i].downD += 2 * (all.hx * sx + all.hy * sy) + all.D;
                c[i].downTau = all.tau - (all.hx * gxi + all.hy * gyi + all.D * c[i].rate);
            }
            c[i].downPx = Qx;
            c[i].downPy = Qy;
            c[i].downTau -= sx * Qx + sy * Qy;
        }
        const T det = c[0].Mxx * c[0].Myy - c[0].Mxy * c[0].Mxy;
        c[0].ux = -(c[0].Myy * c[0].Px - c[0].Mxy * c[0].Py) / det;
        c[0].uy = -(c[0].Mxx * c[0].Py - c[0].Mxy * c[0].Px) / det;
        c[0].*omega = (c[0].g - c[0].hx * c[0].ux - c[0].hy * c[0].uy) / c[0].D;
        c[0].reaction = T{};
        for (std::size_t i = 1; i < size(); ++i) {
            const std::size_t p = parent(i);
            c[i].ux = c[p].ux + c[p].*omega * c[i].sx + c[i].*gx;
            c[i].uy = c[p].uy + c[p].*omega * c[i].sy + c[i].*gy;
            const T hu = c[i].hx * c[i].ux + c[i].hy * c[i].uy;
            c[i].Fx = c[i].Mxx * c[i].ux + c[i].Mxy * c[i].uy + c[i].Px;
            c[i].Fy = c[i].Mxy * c[i].ux + c[i].Myy * c[i].uy + c[i].Py;
            if (held(i)) {
                c[i].*omega = c[p].*omega + c[i].rate;
                c[i].Fx += c[i].hx * c[i].*omega;
                c[i].Fy += c[i].hy * c[i].*omega;
                c[i].reaction = hu + c[i].D * c[i].*omega - c[i].g;
            } else {
                c[i].*omega = (c[i].g - hu) / c[i].D;
                c[i].reaction = T{};
            }
        }
    }

    CASIMIR_INLINE void addTorques(T Kept::*torque) const
    {
        for (std::size_t i = 1; i < size(); ++i) {
            const TreeJoint* j = joint(i);
            if (!j || j->prescribed())
                continue;
            const std::size_t p = parent(i);
            const double sign = at[i].jointSign;
            const T beta = sign * (c[i].theta - c[p].theta), rate = sign * (c[i].omega - c[p].omega);
            const T given = sign * j->torqueAt(c[i].driveCosine, beta, rate);
            c[i].*torque += given;
            c[p].*torque -= given;
        }
    }

    // I_i omega_i' + ... = joint torques, with hinge accelerations g = omega_i^2 B_i - omega_p^2 A_i.
    CASIMIR_INLINE void addReactions() const
    {
        for (std::size_t i = 0; i < size(); ++i)
            c[i].torque = T{};
        addTorques(&Kept::torque);
        for (std::size_t i = 1; i < size(); ++i) {
            const std::size_t p = parent(i);
            const T wi = c[i].omega * c[i].omega, wp = c[p].omega * c[p].omega;
            c[i].gx = wi * c[i].Bx - wp * c[i].Ax;
            c[i].gy = wi * c[i].By - wp * c[i].Ay;
            c[i].rate = held(i) ? joint(i)->accelerationAt(c[i].driveCosine) : T{};
        }
        eliminatePrescribed(&Kept::torque, &Kept::gx, &Kept::gy, &Kept::alpha);
        for (std::size_t i = 1; i < size(); ++i) {
            c[i].muDot += c[i].reaction;
            c[parent(i)].muDot -= c[i].reaction;
        }
    }
};

} // namespace casimir::planar
