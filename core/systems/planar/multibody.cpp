#include "core/systems/planar/multibody.h"

#include "core/model/error.h"
#include "core/numerics/sincos.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::planar {

namespace {

// An inertia below this part of what the body's hinges add to it is lost when the two are summed.
constexpr double leastInertia = 1e-13;
constexpr std::size_t vectorWidth = 4;

constexpr std::size_t wholeVectors(std::size_t n)
{
    return (n + vectorWidth - 1) / vectorWidth * vectorWidth;
}

bool finite(const TreeBody& b)
{
    return std::isfinite(b.mass) && std::isfinite(b.inertia) && b.hingeOnParent.allFinite() &&
           b.hingeOnBody.allFinite();
}

void checkBody(const std::vector<TreeBody>& bodies, int k)
{
    const TreeBody& b = bodies[static_cast<std::size_t>(k)];
    const int n = static_cast<int>(bodies.size());
    if (!finite(b))
        throw Error(fmt::format("body {} has a mass, inertia or hinge that is not a finite number", k));
    if (!(b.mass > 0))
        throw Error(fmt::format("body {} has the mass {}; it must be greater than 0", k, b.mass));
    if (!(b.inertia > 0))
        throw Error(fmt::format("body {} has the inertia {}; it must be greater than 0", k, b.inertia));
    if (b.parent < -1 || b.parent >= n)
        throw Error(fmt::format("body {} hangs on body {}, which does not exist; the bodies are 0 to {}", k,
                                b.parent, n - 1));
    if (b.parent == k)
        throw Error(fmt::format("body {} hangs on itself: a cycle, not a tree", k));
}

void checkJoint(const std::vector<TreeBody>& bodies, const std::vector<TreeJoint>& joints, std::size_t i)
{
    const TreeJoint& j = joints[i];
    if (j.body < 0 || j.body >= static_cast<int>(bodies.size()))
        throw Error(fmt::format("joint {} is of body {}, which does not exist; the bodies are 0 to {}", i,
                                j.body, bodies.size() - 1));
    if (bodies[static_cast<std::size_t>(j.body)].parent < 0)
        throw Error(
            fmt::format("joint {} is of body {}, which is the root and hangs on no hinge", i, j.body));
    for (const double x : {j.stiffness, j.restAngle, j.damping, j.amplitude, j.frequency, j.phase})
        if (!std::isfinite(x))
            throw Error(fmt::format("joint {} (of body {}) has a number that is not finite", i, j.body));
    if (j.stiffness < 0 || j.damping < 0)
        throw Error(fmt::format("joint {} (of body {}) has a negative stiffness or damping", i, j.body));
    for (std::size_t k = 0; k < i; ++k)
        if (joints[k].body == j.body)
            throw Error(fmt::format("joints {} and {} are both of body {}", k, i, j.body));
}

std::vector<int> parentsFirst(const std::vector<TreeBody>& bodies)
{
    const int n = static_cast<int>(bodies.size());
    int root = -1;
    std::vector<std::vector<int>> children(bodies.size());
    for (int k = 0; k < n; ++k) {
        const int p = bodies[static_cast<std::size_t>(k)].parent;
        if (p >= 0)
            children[static_cast<std::size_t>(p)].push_back(k);
        else if (root >= 0)
            throw Error(fmt::format("bodies {} and {} both have no parent; a tree has one root", root, k));
        else
            root = k;
    }
    if (root < 0)
        throw Error("every body hangs on another (body 0 among them): a cycle, not a tree");
    // Depth first, so that a path of bodies lies together in memory; the last child first, so that the
    // order of the file is kept where it can be.
    std::vector<int> order, open{root};
    std::vector<char> reached(bodies.size(), 0);
    while (!open.empty()) {
        const int k = open.back();
        open.pop_back();
        order.push_back(k);
        reached[static_cast<std::size_t>(k)] = 1;
        const auto& below = children[static_cast<std::size_t>(k)];
        open.insert(open.end(), below.rbegin(), below.rend());
    }
    for (int k = 0; k < n; ++k)
        if (!reached[static_cast<std::size_t>(k)])
            throw Error(fmt::format(
                "body {} does not hang on the root, body {}: there is a cycle in its parents", k, root));
    return order;
}

} // namespace

double TreeJoint::angle(double t) const
{
    return restAngle + amplitude * std::cos(frequency * t + phase);
}

double TreeJoint::rate(double t) const
{
    return -amplitude * frequency * std::sin(frequency * t + phase);
}

double TreeJoint::acceleration(double t) const
{
    return -amplitude * frequency * frequency * std::cos(frequency * t + phase);
}

double TreeJoint::torque(double t, double beta, double betaRate) const
{
    return -stiffness * (beta - restAngle) - damping * betaRate + amplitude * std::cos(frequency * t + phase);
}

Tree::Tree(std::vector<TreeBody> bodies, std::vector<TreeJoint> joints)
    : bodies_(std::move(bodies)), joints_(std::move(joints))
{
    if (bodies_.empty())
        throw Error("there is no body; a tree has at least one");
    n_ = static_cast<int>(bodies_.size());
    for (int k = 0; k < n_; ++k)
        checkBody(bodies_, k);
    order_ = parentsFirst(bodies_);
    for (std::size_t i = 0; i < joints_.size(); ++i)
        checkJoint(bodies_, joints_, i);

    const auto n = static_cast<std::size_t>(n_);
    stride_ = wholeVectors(n + 1);
    std::vector<int> placeOf(n);
    for (std::size_t i = 0; i < n; ++i)
        placeOf[static_cast<std::size_t>(order_[i])] = static_cast<int>(i);
    std::vector<double> carried(n); // mass of all that hangs on a body, itself included
    for (std::size_t i = 0; i < n; ++i) {
        TreeBody& b = bodies_[static_cast<std::size_t>(order_[i])];
        if (b.parent < 0)
            b.hingeOnParent = b.hingeOnBody = Eigen::Vector2d::Zero();
        const int p = b.parent < 0 ? -1 : placeOf[static_cast<std::size_t>(b.parent)];
        parentAt_.push_back(p);
        identity_ = identity_ && order_[i] == static_cast<int>(i);
        m_.push_back(b.mass);
        hingeInertia_.push_back(b.inertia + b.mass * b.hingeOnBody.squaredNorm());
        ax_.push_back(b.hingeOnParent.x());
        ay_.push_back(b.hingeOnParent.y());
        bx_.push_back(b.hingeOnBody.x());
        by_.push_back(b.hingeOnBody.y());
        carried[i] = b.mass;
        mass_ += b.mass;
    }
    for (std::size_t i = n; i-- > 1;)
        carried[static_cast<std::size_t>(parentAt_[i])] += carried[i];
    std::vector<double> arm(n); // what the hinges add to the inertia, at most
    for (std::size_t i = 0; i < n; ++i) {
        const double b2 = bx_[i] * bx_[i] + by_[i] * by_[i], a2 = ax_[i] * ax_[i] + ay_[i] * ay_[i];
        arm[i] += carried[i] * (1 - carried[i] / mass_) * b2;
        if (i > 0)
            arm[static_cast<std::size_t>(parentAt_[i])] += carried[i] * (1 - carried[i] / mass_) * a2;
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double inertia = bodies_[static_cast<std::size_t>(order_[i])].inertia;
        if (!(inertia >= leastInertia * arm[i]))
            throw Error(fmt::format("the inertia {} of body {} is lost beside the {} that its hinges add",
                                    inertia, order_[i], arm[i]));
    }
    jointAt_.assign(n, -1);
    for (std::size_t i = 0; i < joints_.size(); ++i) {
        jointAt_[static_cast<std::size_t>(placeOf[static_cast<std::size_t>(joints_[i].body)])] =
            static_cast<int>(i);
        prescribed_ = prescribed_ || joints_[i].prescribed();
    }
    if (!prescribed_)
        findPath();
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

bool Tree::allPrescribed() const
{
    return n_ > 1 && static_cast<int>(std::count_if(joints_.begin(), joints_.end(), [](const TreeJoint& j) {
                         return j.prescribed();
                     })) == n_ - 1;
}

bool Tree::driven() const
{
    return std::any_of(joints_.begin(), joints_.end(),
                       [](const TreeJoint& j) { return j.prescribed() || j.amplitude != 0; });
}

const Tree::Columns& Tree::columns(Workspace& w) const
{
    Columns& c = w.columns_;
    if (w.bodies_ == n_)
        return c;
    double** const all[] = {&c.theta,  &c.mu,    &c.sine,  &c.cosine, &c.Ax,    &c.Ay,     &c.Bx,
                            &c.By,     &c.sx,    &c.sy,    &c.Mxx,    &c.Mxy,   &c.Myy,    &c.Px,
                            &c.Py,     &c.hx,    &c.hy,    &c.D,      &c.g,     &c.accMxx, &c.accMxy,
                            &c.accMyy, &c.acchx, &c.acchy, &c.accD,   &c.accPx, &c.accPy,  &c.acctau,
                            &c.ux,     &c.uy,    &c.Fx,    &c.Fy,     &c.omega, &c.rate};
    w.numbers_.assign(std::size(all) * stride_, 0.0);
    double* at = w.numbers_.data();
    for (double** column : all) {
        *column = at;
        at += stride_;
    }
    const auto n = static_cast<std::size_t>(n_);
    w.omega_.assign(n, 0.0);
    w.momenta_.assign(n, 0.0);
    w.reaction_.assign(n, 0.0);
    w.extra_.assign(6 * n, 0.0);
    w.bodies_ = n_;
    return c;
}

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
    sinesAndCosines(c.theta, c.sine, c.cosine, wholeVectors(n));
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
    sinesAndCosines(c.theta, c.sine, c.cosine, wholeVectors(n));
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

const Tree::Columns& Tree::solve(double t, const double* theta, const double* mu, Workspace& w) const
{
    const Columns& c = columns(w);
    if (!path_.at.empty()) {
        solvePath(theta, mu, c);
        return c;
    }
    prepare(t, theta, c);
    const auto n = static_cast<std::size_t>(n_);
    const double* torque = mu;
    if (!identity_) {
        for (std::size_t i = 0; i < n; ++i)
            c.mu[i] = mu[order_[i]];
        torque = c.mu;
    }
    if (!prescribed_) {
        eliminate(torque, c, c.omega);
        return c;
    }
    double* const none = w.extra_.data();
    double* const impulse = none + n;
    std::fill(none, none + n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        const int j = jointAt_[i];
        c.rate[i] = j >= 0 && joints_[static_cast<std::size_t>(j)].prescribed()
                        ? joints_[static_cast<std::size_t>(j)].rate(t)
                        : 0;
    }
    eliminatePrescribed(torque, c.rate, none, none, c, c.omega, impulse);
    for (std::size_t i = 0; i < n; ++i)
        c.mu[i] = torque[i] + impulse[i];
    for (std::size_t i = 1; i < n; ++i)
        c.mu[parentAt_[i]] -= impulse[i];
    return c;
}

// By place; torque holds zero or more already.
void Tree::jointTorques(double t, const double* theta, const double* omega, double* torque) const
{
    for (std::size_t i = 1; i < static_cast<std::size_t>(n_); ++i) {
        const int j = jointAt_[i];
        if (j < 0 || joints_[static_cast<std::size_t>(j)].prescribed())
            continue;
        const int p = parentAt_[i];
        const double T =
            joints_[static_cast<std::size_t>(j)].torque(t, theta[i] - theta[p], omega[i] - omega[p]);
        torque[i] += T;
        torque[p] -= T;
    }
}

void Tree::velocities(double t, const double* theta, const double* mu, Workspace& w) const
{
    const Columns& c = solve(t, theta, mu, w);
    const std::vector<int>& bodyAt = path_.at.empty() ? order_ : path_.at;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
        const auto k = static_cast<std::size_t>(bodyAt[i]);
        w.omega_[k] = c.omega[i];
        w.momenta_[k] = prescribed_ ? c.mu[i] : mu[k];
    }
}

void Tree::field(double t, const double* theta, const double* mu, double* thetaDot, double* muDot,
                 Workspace& w) const
{
    const Columns& c = solve(t, theta, mu, w);
    const auto n = static_cast<std::size_t>(n_);
    if (!path_.at.empty()) {
        pathRates(c, thetaDot, muDot);
        for (const TreeJoint& j : joints_) {
            const int k = j.body, p = bodies_[static_cast<std::size_t>(k)].parent;
            const double T = j.torque(t, theta[k] - theta[p], thetaDot[k] - thetaDot[p]);
            muDot[k] += T;
            muDot[p] -= T;
        }
        return;
    }
    // By place at first; ux has served.
    double* const rate = identity_ ? muDot : c.ux;
    rate[0] = 0;
    for (std::size_t i = 1; i < n; ++i) {
        const int p = parentAt_[i];
        rate[i] = c.omega[i] * (c.Bx[i] * c.Fx[i] + c.By[i] * c.Fy[i]);
        rate[p] -= c.omega[p] * (c.Ax[i] * c.Fx[i] + c.Ay[i] * c.Fy[i]);
    }
    if (!joints_.empty())
        jointTorques(t, c.theta, c.omega, rate);
    if (prescribed_) {
        // I_i omega_i' + ... = joint torques, with hinge accelerations g = omega_i^2 B_i - omega_p^2 A_i.
        double* const gx = w.extra_.data();
        double *const gy = gx + n, *const torque = gx + 2 * n, *const reaction = gx + 3 * n;
        std::fill(torque, torque + n, 0.0);
        jointTorques(t, c.theta, c.omega, torque);
        gx[0] = gy[0] = 0;
        for (std::size_t i = 1; i < n; ++i) {
            const int p = parentAt_[i], j = jointAt_[i];
            const double wi = c.omega[i] * c.omega[i], wp = c.omega[p] * c.omega[p];
            gx[i] = wi * c.Bx[i] - wp * c.Ax[i];
            gy[i] = wi * c.By[i] - wp * c.Ay[i];
            c.rate[i] = j >= 0 && joints_[static_cast<std::size_t>(j)].prescribed()
                            ? joints_[static_cast<std::size_t>(j)].acceleration(t)
                            : 0;
        }
        double *const alpha = gx + 4 * n, *const kept = gx + 5 * n;
        // The columns are used again: the momenta's rates must stand elsewhere.
        std::copy(rate, rate + n, kept);
        eliminatePrescribed(torque, c.rate, gx, gy, c, alpha, reaction);
        for (std::size_t i = 1; i < n; ++i) {
            kept[i] += reaction[i];
            kept[parentAt_[i]] -= reaction[i];
        }
        std::copy(kept, kept + n, rate);
        for (std::size_t i = 0; i < n; ++i)
            w.reaction_[static_cast<std::size_t>(order_[i])] = reaction[i];
    }
    if (identity_) {
        std::copy(c.omega, c.omega + n, thetaDot);
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            thetaDot[order_[i]] = c.omega[i];
            muDot[order_[i]] = rate[i];
        }
    }
}

double Tree::energy(double t, const double* theta, const double* mu, Workspace& w) const
{
    velocities(t, theta, mu, w);
    double twice = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k)
        twice += w.momenta_[k] * w.omega_[k];
    return 0.5 * twice;
}

double Tree::power(double t, const double* theta, const double* mu, Workspace& w) const
{
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> thetaDot(n), muDot(n), at(n);
    field(t, theta, mu, thetaDot.data(), muDot.data(), w);
    angles(t, theta, at.data());
    double sum = 0;
    for (const TreeJoint& j : joints_) {
        const auto k = static_cast<std::size_t>(j.body), p = static_cast<std::size_t>(bodies_[k].parent);
        const double rate = thetaDot[k] - thetaDot[p];
        sum += rate * (j.prescribed() ? w.reaction_[k] : j.torque(t, at[k] - at[p], rate));
    }
    return sum;
}

void Tree::angles(double t, const double* theta, double* out) const
{
    std::copy(theta, theta + n_, out);
    if (!prescribed_)
        return;
    for (std::size_t i = 1; i < static_cast<std::size_t>(n_); ++i)
        if (const int j = jointAt_[i]; j >= 0 && joints_[static_cast<std::size_t>(j)].prescribed())
            out[order_[i]] = out[order_[static_cast<std::size_t>(parentAt_[i])]] +
                             joints_[static_cast<std::size_t>(j)].angle(t);
}

void Tree::centres(double t, const double* theta, std::vector<Eigen::Vector2d>& out) const
{
    const auto n = static_cast<std::size_t>(n_);
    out.assign(n, Eigen::Vector2d::Zero());
    std::vector<double> at(n);
    angles(t, theta, at.data());
    Eigen::Vector2d common = Eigen::Vector2d::Zero();
    const auto turned = [](double angle, const Eigen::Vector2d& x) {
        const double c = std::cos(angle), s = std::sin(angle);
        return Eigen::Vector2d(c * x.x() - s * x.y(), s * x.x() + c * x.y());
    };
    for (const int body : order_) {
        const auto k = static_cast<std::size_t>(body);
        const TreeBody& b = bodies_[k];
        if (b.parent >= 0) {
            const auto p = static_cast<std::size_t>(b.parent);
            out[k] = out[p] + turned(at[p], b.hingeOnParent) - turned(at[k], b.hingeOnBody);
        }
        common += (b.mass / mass_) * out[k];
    }
    for (Eigen::Vector2d& r : out)
        r -= common;
}

void Tree::momentaOf(const double* theta, const double* omega, double* mu) const
{
    const auto n = static_cast<std::size_t>(n_);
    const auto turned = [](double angle, const Eigen::Vector2d& x) {
        const double c = std::cos(angle), s = std::sin(angle);
        return Eigen::Vector2d(c * x.x() - s * x.y(), s * x.x() + c * x.y());
    };
    const auto across = [](const Eigen::Vector2d& x) { return Eigen::Vector2d(-x.y(), x.x()); };
    std::vector<Eigen::Vector2d> A(n), B(n), v(n, Eigen::Vector2d::Zero());
    Eigen::Vector2d common = Eigen::Vector2d::Zero();
    for (const int body : order_) {
        const auto k = static_cast<std::size_t>(body);
        const TreeBody& b = bodies_[k];
        if (b.parent >= 0) {
            const auto p = static_cast<std::size_t>(b.parent);
            A[k] = across(turned(theta[p], b.hingeOnParent));
            B[k] = across(turned(theta[k], b.hingeOnBody));
            v[k] = v[p] + omega[p] * A[k] - omega[k] * B[k];
        }
        mu[k] = b.inertia * omega[k];
        common += (b.mass / mass_) * v[k];
    }
    // Leaves to root, F_k is the linear momentum of all that hangs on hinge k.
    std::vector<Eigen::Vector2d> F(n);
    for (std::size_t k = 0; k < n; ++k)
        F[k] = bodies_[k].mass * (v[k] - common);
    for (std::size_t i = n; i-- > 1;) {
        const auto k = static_cast<std::size_t>(order_[i]), p = static_cast<std::size_t>(bodies_[k].parent);
        F[p] += F[k];
        mu[k] -= B[k].dot(F[k]);
        mu[p] += A[k].dot(F[k]);
    }
}

double Tree::lockedInertia(const double* theta, double* unitMomenta) const
{
    const std::vector<double> ones(static_cast<std::size_t>(n_), 1.0);
    std::vector<double> own;
    if (!unitMomenta) {
        own.resize(ones.size());
        unitMomenta = own.data();
    }
    momentaOf(theta, ones.data(), unitMomenta);
    double sum = 0;
    for (int k = 0; k < n_; ++k)
        sum += unitMomenta[k];
    return sum;
}

} // namespace casimir::planar
