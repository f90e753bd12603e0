// The elimination over a tree of any shape, with free and with prescribed joints. Rows of bodies have a way
// of their own, multibody_path.cpp.
#include "core/numerics/sincos.h"
#include "core/systems/planar/multibody.h"

#include <algorithm>

namespace casimir::planar {

// Sines, cosines and hinge vectors in space: all that does not wait for anything else.
void Tree::prepare(double t, const double* theta, const Columns& c) const
{
    const auto n = static_cast<std::size_t>(n_);
    if (identity_)
        std::copy(theta, theta + n, c.theta);
    else
        for (std::size_t i = 0; i < n; ++i)
            c.theta[i] = theta[order_[i]];
    if (prescribed_)
        for (std::size_t i = 1; i < n; ++i)
            if (const int j = jointAt_[i]; j >= 0 && joints_[static_cast<std::size_t>(j)].prescribed())
                c.theta[i] = c.theta[parentAt_[i]] + joints_[static_cast<std::size_t>(j)].angle(t);
    sinesAndCosines(c.theta, c.sine, c.cosine, padded(n));
    for (std::size_t i = 0; i < n; ++i) {
        c.Bx[i] = c.cosine[i] * bx_[i] - c.sine[i] * by_[i];
        c.By[i] = c.sine[i] * bx_[i] + c.cosine[i] * by_[i];
    }
    for (std::size_t i = 1; i < n; ++i) {
        const int p = parentAt_[i];
        c.Ax[i] = c.cosine[p] * ax_[i] - c.sine[p] * ay_[i];
        c.Ay[i] = c.sine[p] * ax_[i] + c.cosine[p] * ay_[i];
        c.sx[i] = c.By[p] - c.Ay[i];
        c.sy[i] = c.Ax[i] - c.Bx[p];
    }
}

// Free joints: mu -> omega, and the hinge impulses F.
void Tree::eliminate(const double* torque, const Columns& c, double* omega) const
{
    const auto n = static_cast<std::size_t>(n_);
    std::fill(c.accMxx, c.accMxx + 9 * stride_, 0.0);
    // What the child at the next place hands down stays in registers.
    double fromMxx = 0, fromMxy = 0, fromMyy = 0, fromhx = 0, fromhy = 0, fromD = 0, fromPx = 0, fromPy = 0,
           fromTau = 0;
    for (std::size_t i = n - 1; i > 0; --i) {
        double Mxx = m_[i] + fromMxx, Mxy = fromMxy, Myy = m_[i] + fromMyy;
        double hx = m_[i] * c.By[i] + fromhx, hy = fromhy - m_[i] * c.Bx[i];
        double D = hingeInertia_[i] + fromD;
        double Px = fromPx, Py = fromPy, tau = torque[i] + fromTau;
        Mxx += c.accMxx[i];
        Mxy += c.accMxy[i];
        Myy += c.accMyy[i];
        hx += c.acchx[i];
        hy += c.acchy[i];
        D += c.accD[i];
        Px += c.accPx[i];
        Py += c.accPy[i];
        tau += c.acctau[i];
        const double invD = 1 / D;
        const double g = tau * invD;
        const double kx = hx * invD, ky = hy * invD;
        Mxx -= (hx * hx) * invD;
        Mxy -= (hx * hy) * invD;
        Myy -= (hy * hy) * invD;
        Px += hx * g;
        Py += hy * g;
        c.hx[i] = kx;
        c.hy[i] = ky;
        c.g[i] = g;
        c.Mxx[i] = Mxx;
        c.Mxy[i] = Mxy;
        c.Myy[i] = Myy;
        c.Px[i] = Px;
        c.Py[i] = Py;
        const double sx = c.sx[i], sy = c.sy[i];
        const double downhx = Mxx * sx + Mxy * sy, downhy = Mxy * sx + Myy * sy;
        const double downD = Mxx * (sx * sx) + (Mxy * (2 * sx * sy) + Myy * (sy * sy));
        const double downTau = -(sx * Px + sy * Py);
        const auto p = static_cast<std::size_t>(parentAt_[i]);
        if (p + 1 == i) {
            fromMxx = Mxx;
            fromMxy = Mxy;
            fromMyy = Myy;
            fromhx = downhx;
            fromhy = downhy;
            fromD = downD;
            fromPx = Px;
            fromPy = Py;
            fromTau = downTau;
        } else {
            c.accMxx[p] += Mxx;
            c.accMxy[p] += Mxy;
            c.accMyy[p] += Myy;
            c.acchx[p] += downhx;
            c.acchy[p] += downhy;
            c.accD[p] += downD;
            c.accPx[p] += Px;
            c.accPy[p] += Py;
            c.acctau[p] += downTau;
            fromMxx = fromMxy = fromMyy = fromhx = fromhy = fromD = fromPx = fromPy = fromTau = 0;
        }
    }
    // The root: nothing pulls at it, so M u + P = 0 at its centre of mass.
    double Mxx = m_[0] + fromMxx, Mxy = fromMxy, Myy = m_[0] + fromMyy, hx = fromhx, hy = fromhy,
           D = hingeInertia_[0] + fromD, Px = fromPx, Py = fromPy, tau = torque[0] + fromTau;
    Mxx += c.accMxx[0];
    Mxy += c.accMxy[0];
    Myy += c.accMyy[0];
    hx += c.acchx[0];
    hy += c.acchy[0];
    D += c.accD[0];
    Px += c.accPx[0];
    Py += c.accPy[0];
    tau += c.acctau[0];
    const double invD = 1 / D;
    Mxx -= hx * hx * invD;
    Mxy -= hx * hy * invD;
    Myy -= hy * hy * invD;
    Px += hx * (tau * invD);
    Py += hy * (tau * invD);
    const double det = Mxx * Myy - Mxy * Mxy;
    c.ux[0] = -(Myy * Px - Mxy * Py) / det;
    c.uy[0] = -(Mxx * Py - Mxy * Px) / det;
    omega[0] = (tau - hx * c.ux[0] - hy * c.uy[0]) * invD;
    for (std::size_t i = 1; i < n; ++i) {
        const auto p = static_cast<std::size_t>(parentAt_[i]);
        c.ux[i] = c.ux[p] + omega[p] * c.sx[i];
        c.uy[i] = c.uy[p] + omega[p] * c.sy[i];
        omega[i] = c.g[i] - (c.hx[i] * c.ux[i] + c.hy[i] * c.uy[i]);
    }
    for (std::size_t i = 1; i < n; ++i) {
        c.Fx[i] = c.Mxx[i] * c.ux[i] + c.Mxy[i] * c.uy[i] + c.Px[i];
        c.Fy[i] = c.Mxy[i] * c.ux[i] + c.Myy[i] * c.uy[i] + c.Py[i];
    }
}

// The same where some joints are prescribed: there the child turns by `rate` more than its parent and its
// spin is not eliminated. (gx, gy) is added to the velocity of hinge i. Serves velocities (rates of the
// joints, g = 0) and accelerations (accelerations of the joints, g from the centripetal terms) alike.
void Tree::eliminatePrescribed(const double* torque, const double* rate, const double* gx, const double* gy,
                               const Columns& c, double* omega, double* reaction) const
{
    const auto n = static_cast<std::size_t>(n_);
    const auto fixed = [this](std::size_t i) {
        const int j = jointAt_[i];
        return j >= 0 && joints_[static_cast<std::size_t>(j)].prescribed();
    };
    std::fill(c.accMxx, c.accMxx + 9 * stride_, 0.0);
    double* const tauAt = c.g;
    double* const D = c.D;
    for (std::size_t i = n; i-- > 0;) {
        double Mxx = m_[i] + c.accMxx[i], Mxy = c.accMxy[i], Myy = m_[i] + c.accMyy[i];
        const double hx = m_[i] * c.By[i] + c.acchx[i], hy = c.acchy[i] - m_[i] * c.Bx[i];
        D[i] = hingeInertia_[i] + c.accD[i];
        double Px = c.accPx[i], Py = c.accPy[i];
        const double tau = torque[i] + c.acctau[i];
        const bool held = i > 0 && fixed(i);
        if (!held) {
            Mxx -= hx * hx / D[i];
            Mxy -= hx * hy / D[i];
            Myy -= hy * hy / D[i];
            Px += hx * (tau / D[i]);
            Py += hy * (tau / D[i]);
        }
        c.Mxx[i] = Mxx;
        c.Mxy[i] = Mxy;
        c.Myy[i] = Myy;
        c.hx[i] = hx;
        c.hy[i] = hy;
        c.Px[i] = Px;
        c.Py[i] = Py;
        tauAt[i] = tau;
        if (i == 0)
            break;
        const auto p = static_cast<std::size_t>(parentAt_[i]);
        const double sx = c.sx[i], sy = c.sy[i];
        double Qx = Px + Mxx * gx[i] + Mxy * gy[i], Qy = Py + Mxy * gx[i] + Myy * gy[i];
        const double Msx = Mxx * sx + Mxy * sy, Msy = Mxy * sx + Myy * sy;
        c.accMxx[p] += Mxx;
        c.accMxy[p] += Mxy;
        c.accMyy[p] += Myy;
        c.acchx[p] += Msx;
        c.acchy[p] += Msy;
        c.accD[p] += sx * Msx + sy * Msy;
        if (held) {
            Qx += hx * rate[i];
            Qy += hy * rate[i];
            c.acchx[p] += hx;
            c.acchy[p] += hy;
            c.accD[p] += 2 * (hx * sx + hy * sy) + D[i];
            c.acctau[p] -= hx * gx[i] + hy * gy[i] + D[i] * rate[i] - tau;
        }
        c.accPx[p] += Qx;
        c.accPy[p] += Qy;
        c.acctau[p] -= sx * Qx + sy * Qy;
    }
    const double det = c.Mxx[0] * c.Myy[0] - c.Mxy[0] * c.Mxy[0];
    c.ux[0] = -(c.Myy[0] * c.Px[0] - c.Mxy[0] * c.Py[0]) / det;
    c.uy[0] = -(c.Mxx[0] * c.Py[0] - c.Mxy[0] * c.Px[0]) / det;
    omega[0] = (tauAt[0] - c.hx[0] * c.ux[0] - c.hy[0] * c.uy[0]) / D[0];
    reaction[0] = 0;
    for (std::size_t i = 1; i < n; ++i) {
        const auto p = static_cast<std::size_t>(parentAt_[i]);
        c.ux[i] = c.ux[p] + omega[p] * c.sx[i] + gx[i];
        c.uy[i] = c.uy[p] + omega[p] * c.sy[i] + gy[i];
        const double hu = c.hx[i] * c.ux[i] + c.hy[i] * c.uy[i];
        c.Fx[i] = c.Mxx[i] * c.ux[i] + c.Mxy[i] * c.uy[i] + c.Px[i];
        c.Fy[i] = c.Mxy[i] * c.ux[i] + c.Myy[i] * c.uy[i] + c.Py[i];
        if (fixed(i)) {
            omega[i] = omega[p] + rate[i];
            c.Fx[i] += c.hx[i] * omega[i];
            c.Fy[i] += c.hy[i] * omega[i];
            reaction[i] = hu + D[i] * omega[i] - tauAt[i];
        } else {
            omega[i] = (tauAt[i] - hu) / D[i];
            reaction[i] = 0;
        }
    }
}

} // namespace casimir::planar
