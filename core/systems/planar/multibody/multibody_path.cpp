// Few bodies, by their matrix; bodies in a row, eliminated from both ends at once; and the order in which the
// recursion takes any tree. Which way is taken when was decided by measurement (tests/bench/tree_bench.cpp).
#include "core/numerics/sincos.h"
#include "core/systems/planar/multibody/multibody_matrices.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace casimir::planar {

namespace {

// What one arm of a path hands on towards the middle: F = M u + P at its last hinge.
struct Handed {
    double Mxx = 0, Mxy = 0, Myy = 0, Px = 0, Py = 0;
};

// One body of an arm: (Bx, By) its hinge towards the middle, (sx, sy) the velocity of its outer hinge by a
// unit spin about that. Written so that the way from one body's M to the next is short.
inline void takeIn(double m, double hingeInertia, double tau, double Bx, double By, double sx, double sy,
                   Handed& from, double& kx, double& ky, double& g)
{
    const double hx = m * By + (from.Mxx * sx + from.Mxy * sy), hy = (from.Mxy * sx + from.Myy * sy) - m * Bx;
    const double D =
        (hingeInertia + from.Mxx * (sx * sx)) + (from.Mxy * (2 * sx * sy) + from.Myy * (sy * sy));
    const double invD = 1 / D;
    const double torque = tau - (sx * from.Px + sy * from.Py);
    g = torque * invD;
    kx = hx * invD;
    ky = hy * invD;
    from.Mxx = (m + from.Mxx) - (hx * hx) * invD;
    from.Mxy = from.Mxy - (hx * hy) * invD;
    from.Myy = (m + from.Myy) - (hy * hy) * invD;
    from.Px += hx * g;
    from.Py += hy * g;
}

void turnHinges(std::size_t n, const double* __restrict cosine, const double* __restrict sine,
                const double* __restrict lx, const double* __restrict ly, const double* __restrict ux,
                const double* __restrict uy, double* __restrict Lx, double* __restrict Ly,
                double* __restrict Ux, double* __restrict Uy, double* __restrict sx, double* __restrict sy)
{
    for (std::size_t i = 0; i < n; ++i) {
        const double ax = cosine[i] * lx[i] - sine[i] * ly[i], ay = sine[i] * lx[i] + cosine[i] * ly[i];
        const double bx = cosine[i] * ux[i] - sine[i] * uy[i], by = sine[i] * ux[i] + cosine[i] * uy[i];
        Lx[i] = ax;
        Ly[i] = ay;
        Ux[i] = bx;
        Uy[i] = by;
        sx[i] = ay - by;
        sy[i] = bx - ax;
    }
}

// Hinge impulses G on body i at its upper hinge, kept at i + 1.
void pathImpulses(std::size_t from, std::size_t to, double sign, const double* __restrict Mxx,
                  const double* __restrict Mxy, const double* __restrict Myy, const double* __restrict Px,
                  const double* __restrict Py, const double* __restrict ux, const double* __restrict uy,
                  double* __restrict Gx, double* __restrict Gy)
{
    for (std::size_t i = from; i < to; ++i) {
        Gx[i] = sign * (Mxx[i] * ux[i] + Mxy[i] * uy[i] + Px[i]);
        Gy[i] = sign * (Mxy[i] * ux[i] + Myy[i] * uy[i] + Py[i]);
    }
}

void pathTorques(std::size_t n, const double* __restrict omega, const double* __restrict Lx,
                 const double* __restrict Ly, const double* __restrict Ux, const double* __restrict Uy,
                 const double* __restrict Gx, const double* __restrict Gy, double* __restrict rate)
{
    for (std::size_t i = 0; i < n; ++i)
        rate[i] = omega[i] * ((Ux[i] * Gx[i + 1] + Uy[i] * Gy[i + 1]) - (Lx[i] * Gx[i] + Ly[i] * Gy[i]));
}

} // namespace

// Columns by position; (Ax, Ay) and (Bx, By) are the lower and the upper hinge in space.
void Tree::solvePath(const double* theta, const double* mu, const Columns& c) const
{
    const auto n = static_cast<std::size_t>(n_);
    const Path& p = path_;
    if (p.identity) {
        std::copy(theta, theta + n, c.theta);
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            c.theta[i] = theta[p.at[i]];
            c.mu[i] = mu[p.at[i]];
        }
        mu = c.mu;
    }
    sinesAndCosines(c.theta, c.sine, c.cosine, padded(n));
    turnHinges(n, c.cosine, c.sine, p.lowerX.data(), p.lowerY.data(), p.upperX.data(), p.upperY.data(), c.Ax,
               c.Ay, c.Bx, c.By, c.sx, c.sy);
    const std::size_t middle = n / 2;
    Handed low, high;
    const auto keep = [&c](std::size_t i, const Handed& from) {
        c.Mxx[i] = from.Mxx;
        c.Mxy[i] = from.Mxy;
        c.Myy[i] = from.Myy;
        c.Px[i] = from.Px;
        c.Py[i] = from.Py;
    };
    const auto lower = [&](std::size_t i) {
        takeIn(p.m[i], p.hingeInertia[i], mu[i], c.Bx[i], c.By[i], -c.sx[i], -c.sy[i], low, c.hx[i], c.hy[i],
               c.g[i]);
        keep(i, low);
    };
    const auto upper = [&](std::size_t i) {
        takeIn(p.m[i], p.hingeInertia[i], mu[i], c.Ax[i], c.Ay[i], c.sx[i], c.sy[i], high, c.hx[i], c.hy[i],
               c.g[i]);
        keep(i, high);
    };
    const std::size_t both = n - 1 - middle; // the upper arm is never the longer
    for (std::size_t k = 0; k < both; ++k) {
        lower(k);
        upper(n - 1 - k);
    }
    if (both < middle)
        lower(middle - 1);

    // The middle body: nothing but its two arms pulls at it, so M u + P = 0 at its centre of mass.
    const double lx = -c.Ay[middle], ly = c.Ax[middle], rx = -c.By[middle], ry = c.Bx[middle];
    const double hx = (low.Mxx * lx + low.Mxy * ly) + (high.Mxx * rx + high.Mxy * ry),
                 hy = (low.Mxy * lx + low.Myy * ly) + (high.Mxy * rx + high.Myy * ry);
    const double D = p.hingeInertia[middle] +
                     (low.Mxx * lx * lx + 2 * low.Mxy * lx * ly + low.Myy * ly * ly) +
                     (high.Mxx * rx * rx + 2 * high.Mxy * rx * ry + high.Myy * ry * ry);
    const double tau = mu[middle] - (lx * low.Px + ly * low.Py) - (rx * high.Px + ry * high.Py);
    const double invD = 1 / D;
    const double Mxx = p.m[middle] + low.Mxx + high.Mxx - hx * hx * invD,
                 Mxy = low.Mxy + high.Mxy - hx * hy * invD,
                 Myy = p.m[middle] + low.Myy + high.Myy - hy * hy * invD;
    const double Px = low.Px + high.Px + hx * (tau * invD), Py = low.Py + high.Py + hy * (tau * invD);
    const double invDet = 1 / (Mxx * Myy - Mxy * Mxy);
    const double ux = -(Myy * Px - Mxy * Py) * invDet, uy = -(Mxx * Py - Mxy * Px) * invDet;
    const double spin = (tau - hx * ux - hy * uy) * invD;
    c.omega[middle] = spin;

    // Outwards again; the spin by way of the inner body's velocities, one multiplication less to wait for.
    struct Front {
        double ux, uy, spin, sx, sy;
    };
    Front down{ux, uy, spin, lx, ly}, up{ux, uy, spin, rx, ry};
    const auto advance = [&c](std::size_t i, Front& f, double sign) {
        const double ks = c.hx[i] * f.sx + c.hy[i] * f.sy;
        const double next = (c.g[i] - f.spin * ks) - (c.hx[i] * f.ux + c.hy[i] * f.uy);
        f.ux += f.spin * f.sx;
        f.uy += f.spin * f.sy;
        f.spin = next;
        f.sx = sign * c.sx[i];
        f.sy = sign * c.sy[i];
        c.ux[i] = f.ux;
        c.uy[i] = f.uy;
        c.omega[i] = next;
    };
    for (std::size_t k = 1; k <= both; ++k) {
        advance(middle - k, down, -1);
        advance(middle + k, up, 1);
    }
    if (both < middle)
        advance(0, down, -1);
}

void Tree::pathRates(const Columns& c, double* thetaDot, double* muDot) const
{
    const auto n = static_cast<std::size_t>(n_);
    const std::size_t middle = n / 2;
    c.Fx[0] = c.Fy[0] = c.Fx[n] = c.Fy[n] = 0;
    pathImpulses(0, middle, 1, c.Mxx, c.Mxy, c.Myy, c.Px, c.Py, c.ux, c.uy, c.Fx + 1, c.Fy + 1);
    pathImpulses(middle + 1, n, -1, c.Mxx, c.Mxy, c.Myy, c.Px, c.Py, c.ux, c.uy, c.Fx, c.Fy);
    if (path_.identity) {
        pathTorques(n, c.omega, c.Ax, c.Ay, c.Bx, c.By, c.Fx, c.Fy, muDot);
        std::copy(c.omega, c.omega + n, thetaDot);
        return;
    }
    pathTorques(n, c.omega, c.Ax, c.Ay, c.Bx, c.By, c.Fx, c.Fy, c.rate);
    for (std::size_t i = 0; i < n; ++i) {
        thetaDot[path_.at[i]] = c.omega[i];
        muDot[path_.at[i]] = c.rate[i];
    }
}

// The places of the recursion.
void Tree::arrangePlaces()
{
    const auto n = static_cast<std::size_t>(n_);
    std::vector<std::vector<int>> neighbours(n);
    for (const int k : order_)
        if (const int p = bodies_[static_cast<std::size_t>(k)].parent; p >= 0) {
            neighbours[static_cast<std::size_t>(p)].push_back(k);
            neighbours[static_cast<std::size_t>(k)].push_back(p);
        }
    // Every body with the one it was reached from, near ones first.
    const auto spread = [&](int from) {
        std::vector<std::pair<int, int>> reached{{from, -1}};
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const auto [k, before] = reached[i]; // a copy: the list grows
            for (const int next : neighbours[static_cast<std::size_t>(k)])
                if (next != before)
                    reached.emplace_back(next, k);
        }
        return reached;
    };
    int first = root();
    if (!prescribed_) {
        // The middle of a longest way through the tree.
        const int end = spread(first).back().first;
        const auto away = spread(end);
        std::vector<int> before(n, -1), way{away.back().first};
        for (const auto& [k, from] : away)
            before[static_cast<std::size_t>(k)] = from;
        while (way.back() != end)
            way.push_back(before[static_cast<std::size_t>(way.back())]);
        first = way[way.size() / 2];
    }
    std::vector<int> placeOf(n, -1);
    for (const auto& [k, from] : spread(first)) {
        const auto i = static_cast<int>(places_.size());
        const TreeBody& b = bodies_[static_cast<std::size_t>(k)];
        placeOf[static_cast<std::size_t>(k)] = i;
        TreePlace place{.body = k, .parent = from < 0 ? -1 : placeOf[static_cast<std::size_t>(from)]};
        place.m = b.mass;
        place.hingeInertia = b.inertia;
        if (from >= 0) {
            const bool usual = b.parent == from;
            const TreeBody& hanging = usual ? b : bodies_[static_cast<std::size_t>(from)];
            const Eigen::Vector2d& onParent = usual ? hanging.hingeOnParent : hanging.hingeOnBody;
            const Eigen::Vector2d& onBody = usual ? hanging.hingeOnBody : hanging.hingeOnParent;
            place.ax = onParent.x();
            place.ay = onParent.y();
            place.bx = onBody.x();
            place.by = onBody.y();
            place.hingeInertia += b.mass * onBody.squaredNorm();
            place.jointSign = usual ? 1 : -1;
            for (std::size_t j = 0; j < joints_.size(); ++j)
                if (joints_[j].body == (usual ? k : from))
                    place.joint = static_cast<int>(j);
            TreePlace& parent = places_[static_cast<std::size_t>(place.parent)];
            place.nextSibling = std::exchange(parent.firstChild, i);
        }
        places_.push_back(place);
    }
}

void Tree::findPath()
{
    std::vector<std::vector<int>> neighbours(bodies_.size());
    for (int k = 0; k < n_; ++k)
        if (const int p = bodies_[static_cast<std::size_t>(k)].parent; p >= 0) {
            neighbours[static_cast<std::size_t>(k)].push_back(p);
            neighbours[static_cast<std::size_t>(p)].push_back(k);
        }
    int end = -1;
    for (int k = n_ - 1; k >= 0; --k) {
        if (neighbours[static_cast<std::size_t>(k)].size() > 2)
            return;
        if (neighbours[static_cast<std::size_t>(k)].size() < 2)
            end = k;
    }
    for (int before = -1, k = end; k >= 0;) {
        path_.identity = path_.identity && k == static_cast<int>(path_.at.size());
        path_.at.push_back(k);
        int next = -1;
        for (const int other : neighbours[static_cast<std::size_t>(k)])
            if (other != before)
                next = other;
        before = k;
        k = next;
    }
    const auto towards = [this](int from, int to) -> Eigen::Vector2d {
        const TreeBody &f = bodies_[static_cast<std::size_t>(from)],
                       &t = bodies_[static_cast<std::size_t>(to)];
        return f.parent == to ? f.hingeOnBody : t.hingeOnParent;
    };
    const std::size_t n = path_.at.size(), middle = n / 2;
    for (std::size_t i = 0; i < n; ++i) {
        const TreeBody& b = bodies_[static_cast<std::size_t>(path_.at[i])];
        const Eigen::Vector2d lower =
            i > 0 ? towards(path_.at[i], path_.at[i - 1]) : Eigen::Vector2d(Eigen::Vector2d::Zero());
        const Eigen::Vector2d upper =
            i + 1 < n ? towards(path_.at[i], path_.at[i + 1]) : Eigen::Vector2d(Eigen::Vector2d::Zero());
        const double arm = i < middle ? upper.squaredNorm() : i > middle ? lower.squaredNorm() : 0;
        path_.m.push_back(b.mass);
        path_.hingeInertia.push_back(b.inertia + b.mass * arm);
        path_.lowerX.push_back(lower.x());
        path_.lowerY.push_back(lower.y());
        path_.upperX.push_back(upper.x());
        path_.upperY.push_back(upper.y());
    }
}

// Two and three bodies: at that size the matrix is the quicker way. c.omega and c.rate by body.
void Tree::solveSmall(const double* theta, const double* mu, const Columns& c) const
{
    double* const w = c.omega;
    double* const rate = c.rate;
    const Small& g = small_;
    if (n_ == 2) {
        const double cosine = std::cos(theta[1] - theta[0]), sine = std::sin(theta[1] - theta[0]);
        const double J = g.re[0] * cosine - g.im[0] * sine, K = g.re[0] * sine + g.im[0] * cosine;
        const double invDet = 1 / (g.diagonal[0] * g.diagonal[1] - J * J);
        w[0] = (g.diagonal[1] * mu[0] - J * mu[1]) * invDet;
        w[1] = (g.diagonal[0] * mu[1] - J * mu[0]) * invDet;
        rate[0] = K * w[0] * w[1];
        rate[1] = -rate[0];
        return;
    }
    c.theta[0] = theta[1] - theta[0];
    c.theta[1] = theta[2] - theta[1];
    sinesAndCosines(c.theta, c.sine, c.cosine, padded(2));
    const double c1 = c.cosine[0], s1 = c.sine[0], c2 = c.cosine[1], s2 = c.sine[1];
    const double c3 = c1 * c2 - s1 * s2, s3 = s1 * c2 + c1 * s2;
    const double J01 = g.re[0] * c1 - g.im[0] * s1, K01 = g.re[0] * s1 + g.im[0] * c1;
    const double J12 = g.re[1] * c2 - g.im[1] * s2, K12 = g.re[1] * s2 + g.im[1] * c2;
    const double J02 = g.re[2] * c3 - g.im[2] * s3, K02 = g.re[2] * s3 + g.im[2] * c3;
    // Cholesky's elimination without square roots.
    const double l1 = J01 * g.invFirst, l2 = J02 * g.invFirst;
    const double p1 = g.diagonal[1] - l1 * J01, s = J12 - l2 * J01;
    const double invP1 = 1 / p1;
    const double l3 = s * invP1, p2 = (g.diagonal[2] - l2 * J02) - l3 * s;
    const double z1 = mu[1] - l1 * mu[0], z2 = (mu[2] - l2 * mu[0]) - l3 * z1;
    w[2] = z2 / p2;
    w[1] = z1 * invP1 - l3 * w[2];
    w[0] = mu[0] * g.invFirst - (l1 * w[1] + l2 * w[2]);
    const double a = K01 * w[0] * w[1], b = K12 * w[1] * w[2], d = K02 * w[0] * w[2];
    rate[0] = a + d;
    rate[1] = b - a;
    rate[2] = -b - d;
}

void Tree::findSmall()
{
    const TreeMatrices matrices(*this);
    const auto& gamma = matrices.gamma();
    const auto take = [&](std::size_t at, int k, int l) {
        small_.re[at] = gamma(k, l).real();
        small_.im[at] = gamma(k, l).imag();
    };
    for (int k = 0; k < n_; ++k)
        small_.diagonal[static_cast<std::size_t>(k)] =
            gamma(k, k).real() + bodies_[static_cast<std::size_t>(k)].inertia;
    small_.invFirst = 1 / small_.diagonal[0];
    take(0, 0, 1);
    if (n_ == 3) {
        take(1, 1, 2);
        take(2, 0, 2);
    }
}

} // namespace casimir::planar
