#include "core/base/error.h"
#include "core/numerics/sincos.h"
#include "core/systems/planar/multibody/multibody_recursion.h"

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
        throw Error(fmt::format("body {} has a mass, inertia or hinge that is not a finite number", k + 1));
    if (!(b.mass > 0))
        throw Error(fmt::format("body {} has the mass {}; it must be greater than 0", k + 1, b.mass));
    if (!(b.inertia > 0))
        throw Error(fmt::format("body {} has the inertia {}; it must be greater than 0", k + 1, b.inertia));
    if (b.parent < -1 || b.parent >= n)
        throw Error(fmt::format("body {} hangs on body {}, which does not exist; the bodies are 1 to {}",
                                k + 1, b.parent + 1, n));
    if (b.parent == k)
        throw Error(fmt::format("body {} hangs on itself: a cycle, not a tree", k + 1));
}

void checkJoint(const std::vector<TreeBody>& bodies, const std::vector<TreeJoint>& joints, std::size_t i)
{
    const TreeJoint& j = joints[i];
    if (j.body < 0 || j.body >= static_cast<int>(bodies.size()))
        throw Error(fmt::format("joint {} is of body {}, which does not exist; the bodies are 1 to {}", i + 1,
                                j.body + 1, bodies.size()));
    if (bodies[static_cast<std::size_t>(j.body)].parent < 0)
        throw Error(fmt::format("joint {} is of body {}, which is the root and hangs on no hinge", i + 1,
                                j.body + 1));
    for (const double x : {j.stiffness, j.restAngle, j.damping, j.amplitude, j.frequency, j.phase})
        if (!std::isfinite(x))
            throw Error(
                fmt::format("joint {} (of body {}) has a number that is not finite", i + 1, j.body + 1));
    if (j.stiffness < 0 || j.damping < 0)
        throw Error(
            fmt::format("joint {} (of body {}) has a negative stiffness or damping", i + 1, j.body + 1));
    for (std::size_t k = 0; k < i; ++k)
        if (joints[k].body == j.body)
            throw Error(fmt::format("joints {} and {} are both of body {}", k + 1, i + 1, j.body + 1));
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
            throw Error(
                fmt::format("bodies {} and {} both have no parent; a tree has one root", root + 1, k + 1));
        else
            root = k;
    }
    if (root < 0)
        throw Error("every body hangs on another (body 1 among them): a cycle, not a tree");
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
            throw Error(
                fmt::format("body {} does not hang on the root, body {}: there is a cycle in its parents",
                            k + 1, root + 1));
    return order;
}

} // namespace

double TreeJoint::angle(double t) const
{
    return angleAt(std::cos(frequency * t + phase));
}

double TreeJoint::rate(double t) const
{
    return rateAt(std::sin(frequency * t + phase));
}

double TreeJoint::torque(double t, double beta, double betaRate) const
{
    return torqueAt(std::cos(frequency * t + phase), beta, betaRate);
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
    bodies_[static_cast<std::size_t>(order_.front())].hingeOnParent = Eigen::Vector2d::Zero();
    bodies_[static_cast<std::size_t>(order_.front())].hingeOnBody = Eigen::Vector2d::Zero();
    std::vector<double> carried(n); // mass of all that hangs on a body, itself included
    for (std::size_t i = n; i-- > 0;) {
        const auto k = static_cast<std::size_t>(order_[i]);
        carried[k] += bodies_[k].mass;
        if (i > 0)
            carried[static_cast<std::size_t>(bodies_[k].parent)] += carried[k];
        mass_ += bodies_[k].mass;
    }
    std::vector<double> arm(n); // what the hinges add to the inertia, at most
    for (std::size_t k = 0; k < n; ++k) {
        const TreeBody& b = bodies_[k];
        const double swung = carried[k] * (1 - carried[k] / mass_);
        arm[k] += swung * b.hingeOnBody.squaredNorm();
        if (b.parent >= 0)
            arm[static_cast<std::size_t>(b.parent)] += swung * b.hingeOnParent.squaredNorm();
    }
    for (std::size_t k = 0; k < n; ++k)
        if (!(bodies_[k].inertia >= leastInertia * arm[k]))
            throw Error(fmt::format("the inertia {} of body {} is lost beside the {} that its hinges add",
                                    bodies_[k].inertia, k + 1, arm[k]));
    prescribed_ =
        std::any_of(joints_.begin(), joints_.end(), [](const TreeJoint& j) { return j.prescribed(); });
    arrangePlaces();
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
    double** const all[] = {&c.theta, &c.mu, &c.sine, &c.cosine, &c.Ax,  &c.Ay, &c.Bx,    &c.By,
                            &c.sx,    &c.sy, &c.Mxx,  &c.Mxy,    &c.Myy, &c.Px, &c.Py,    &c.hx,
                            &c.hy,    &c.g,  &c.ux,   &c.uy,     &c.Fx,  &c.Fy, &c.omega, &c.rate};
    w.numbers_.assign(std::size(all) * stride_, 0.0);
    double* at = w.numbers_.data();
    for (double** column : all) {
        *column = at;
        at += stride_;
    }
    w.kept_.assign(static_cast<std::size_t>(n_), {});
    const auto n = static_cast<std::size_t>(n_);
    w.omega_.assign(n, 0.0);
    w.momenta_.assign(n, 0.0);
    w.reaction_.assign(n, 0.0);
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
    const TreeRecursion<double> recursion{places_, joints_, prescribed_, w.kept_.data()};
    const auto n = static_cast<std::size_t>(n_);
    TreeKept<double>* const kept = w.kept_.data();
    if (hasTorques())
        for (std::size_t i = 1; i < n; ++i)
            if (const TreeJoint* j = recursion.joint(i)) {
                const double phase = j->frequency * t + j->phase;
                kept[i].driveSine = std::sin(phase);
                kept[i].driveCosine = std::cos(phase);
            }
    recursion.takeState([theta](std::size_t k, double& out) { out = theta[k]; },
                        [mu](std::size_t k, double& out) { out = mu[k]; });
    for (std::size_t i = 0; i < n; ++i)
        c.theta[i] = kept[i].theta;
    sinesAndCosines(c.theta, c.sine, c.cosine, padded(n));
    for (std::size_t i = 0; i < n; ++i) {
        kept[i].sine = c.sine[i];
        kept[i].cosine = c.cosine[i];
    }
    recursion.velocities();
    for (std::size_t i = 0; i < n; ++i) {
        c.omega[places_[i].body] = kept[i].omega;
        c.mu[places_[i].body] = kept[i].mu;
    }
    return c;
}

void Tree::velocities(double t, const double* theta, const double* mu, Workspace& w) const
{
    const Columns& c = solve(t, theta, mu, w);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
        const std::size_t k = path_.at.empty() ? i : static_cast<std::size_t>(path_.at[i]);
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
    TreeRecursion<double>{places_, joints_, prescribed_, w.kept_.data()}.rates();
    for (const TreePlace& place : places_) {
        const TreeKept<double>& kept = w.kept_[static_cast<std::size_t>(&place - places_.data())];
        thetaDot[place.body] = kept.omega;
        muDot[place.body] = kept.muDot;
        w.reaction_[static_cast<std::size_t>(place.body)] = kept.reaction;
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
    for (const TreePlace& place : places_)
        if (place.joint >= 0 && joints_[static_cast<std::size_t>(place.joint)].prescribed())
            out[place.body] = out[places_[static_cast<std::size_t>(place.parent)].body] +
                              joints_[static_cast<std::size_t>(place.joint)].angle(t);
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
