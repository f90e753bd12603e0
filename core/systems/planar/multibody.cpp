#include "core/systems/planar/multibody.h"

#include "core/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::planar {

namespace {

// An inertia below this part of what the body's hinges add to it is lost when the two are summed.
constexpr double leastInertia = 1e-13;

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
    stride_ = padded(n + 1);
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
    if (!prescribed_ && (n_ == 2 || n_ == 3))
        findSmall();
    else if (!prescribed_)
        findPath();
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

const Tree::Columns& Tree::solve(double t, const double* theta, const double* mu, Workspace& w) const
{
    const Columns& c = columns(w);
    if (small()) {
        solveSmall(theta, mu, c);
        return c;
    }
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
        const std::size_t k = small() ? i : static_cast<std::size_t>(bodyAt[i]);
        w.omega_[k] = c.omega[i];
        w.momenta_[k] = prescribed_ ? c.mu[i] : mu[k];
    }
}

void Tree::field(double t, const double* theta, const double* mu, double* thetaDot, double* muDot,
                 Workspace& w) const
{
    const Columns& c = solve(t, theta, mu, w);
    const auto n = static_cast<std::size_t>(n_);
    if (small() || !path_.at.empty()) {
        if (small()) {
            std::copy(c.omega, c.omega + n, thetaDot);
            std::copy(c.rate, c.rate + n, muDot);
        } else {
            pathRates(c, thetaDot, muDot);
        }
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
