#include "core/systems/planar/multibody/multibody_shape.h"

#include "core/numerics/methods.h"
#include "core/numerics/quadrature.h"

#include <fmt/format.h>

#include <boost/math/quadrature/gauss.hpp>

#include <cmath>
#include <numbers>

namespace casimir::planar {

using Eigen::VectorXd;

namespace {

constexpr int curvatureUpTo = 30;   // bodies; the surface integral takes matrices at some thousand shapes
constexpr double longestRatio = 64; // of the frequencies of a closed loop
constexpr double ratioRounding = 1e-9;

// By place in the tree, the prescribed joint of each hinge.
template <class Read>
VectorXd prescribed(const Tree& tree, const Read& read)
{
    VectorXd x = VectorXd::Zero(tree.size() - 1);
    for (std::size_t i = 1; i < tree.order().size(); ++i)
        for (const TreeJoint& j : tree.joints())
            if (j.body == tree.order()[i] && j.prescribed())
                x[static_cast<Eigen::Index>(i) - 1] = read(j);
    return x;
}

} // namespace

VectorXd jointAngles(const Tree& tree, const VectorXd& theta)
{
    VectorXd beta(tree.size() - 1);
    for (std::size_t i = 1; i < tree.order().size(); ++i) {
        const int k = tree.order()[i];
        beta[static_cast<Eigen::Index>(i) - 1] =
            theta[k] - theta[tree.bodies()[static_cast<std::size_t>(k)].parent];
    }
    return beta;
}

VectorXd anglesOf(const Tree& tree, const VectorXd& beta)
{
    VectorXd theta = VectorXd::Zero(tree.size());
    for (std::size_t i = 1; i < tree.order().size(); ++i) {
        const int k = tree.order()[i];
        theta[k] =
            theta[tree.bodies()[static_cast<std::size_t>(k)].parent] + beta[static_cast<Eigen::Index>(i) - 1];
    }
    return theta;
}

VectorXd prescribedShape(const Tree& tree, double t)
{
    return prescribed(tree, [t](const TreeJoint& j) { return j.angle(t); });
}

VectorXd prescribedRates(const Tree& tree, double t)
{
    return prescribed(tree, [t](const TreeJoint& j) { return j.rate(t); });
}

double connection(const Tree& tree, const VectorXd& beta, const VectorXd& rates)
{
    const VectorXd theta = anglesOf(tree, beta), omega = anglesOf(tree, rates);
    VectorXd mu(tree.size());
    tree.momentaOf(theta.data(), omega.data(), mu.data());
    return mu.sum() / tree.lockedInertia(theta.data());
}

double connectionCurvature(const Tree& tree, const TreeMatrices& matrices, const VectorXd& beta,
                           const VectorXd& u, const VectorXd& v)
{
    const auto m = matrices.at(anglesOf(tree, beta));
    const VectorXd delta = anglesOf(tree, u), w = anglesOf(tree, v);
    const VectorXd R = m.unitMomenta(), kappa = m.K.rowwise().sum();
    const double inertia = R.sum();
    return 2 * delta.dot(m.K * w) / inertia -
           2 * (R.dot(w) * kappa.dot(delta) - R.dot(delta) * kappa.dot(w)) / (inertia * inertia);
}

ShapeLoop shapeLoop(const Tree& tree, double mu)
{
    ShapeLoop loop;
    if (!tree.allPrescribed()) {
        loop.status = Status::failed(
            "free", "Only where every joint is prescribed is the shape a loop given in advance.");
        return loop;
    }
    double slowest = 0;
    for (const TreeJoint& j : tree.joints())
        if (const double f = std::abs(j.frequency); j.amplitude != 0 && f > 0)
            slowest = slowest == 0 ? f : std::min(slowest, f);
    if (slowest == 0) {
        loop.status = Status::failed("open", "No joint moves, so there is no loop of shapes.");
        return loop;
    }
    for (const TreeJoint& j : tree.joints()) {
        const double ratio = std::abs(j.frequency) / slowest;
        if (j.amplitude != 0 &&
            (std::abs(ratio - std::round(ratio)) > ratioRounding * ratio || ratio > longestRatio)) {
            loop.status =
                Status::failed("open", "The joints' frequencies are not multiples of the lowest: the loop of "
                                       "shapes does not close after its period.");
            return loop;
        }
    }
    loop.period = 2 * std::numbers::pi / slowest;
    const auto turn = [&](double t) {
        return -connection(tree, prescribedShape(tree, t), prescribedRates(tree, t));
    };
    const auto spin = [&](double t) {
        return mu / tree.lockedInertia(anglesOf(tree, prescribedShape(tree, t)).data());
    };
    constexpr double tolerance = 1e-13;
    constexpr long most = 1 << 14;
    loop.geometric = periodicIntegral(turn, 0, loop.period, tolerance, most).value;
    loop.dynamic = mu == 0 ? 0 : periodicIntegral(spin, 0, loop.period, tolerance, most).value;
    if (tree.size() <= curvatureUpTo) {
        const TreeMatrices matrices(tree);
        const VectorXd rest = prescribed(tree, [](const TreeJoint& j) { return j.restAngle; });
        const auto rim = [&](double t) {
            const VectorXd arm = prescribedShape(tree, t) - rest, rates = prescribedRates(tree, t);
            return boost::math::quadrature::gauss<double, 20>::integrate(
                [&](double r) {
                    return -r * connectionCurvature(tree, matrices, rest + r * arm, arm, rates);
                },
                0.0, 1.0);
        };
        loop.curvature = periodicIntegral(rim, 0, loop.period, 1e-10, 512).value;
    }
    return loop;
}

double measuredRotation(const Tree& tree, double mu, double period)
{
    const int n = tree.size();
    State x(2 * n);
    const VectorXd theta = anglesOf(tree, prescribedShape(tree, 0));
    VectorXd momenta(n);
    const double inertia = tree.lockedInertia(theta.data(), momenta.data());
    momenta *= mu / inertia;
    Tree::Workspace w;
    tree.velocities(0, theta.data(), momenta.data(), w);
    x << theta, Eigen::Map<const VectorXd>(w.momenta().data(), n);
    IntegrationOptions options;
    options.rtol = 1e-12;
    options.scale = State::Constant(2 * n, std::max(1.0, x.tail(n).cwiseAbs().maxCoeff()));
    options.scale.head(n).setOnes();
    options.maxSteps = 100000;
    // Not Fehlberg's: where the field depends on time alone, his estimate of the error is zero.
    const auto run = startIntegration(
        "dopri5",
        [&](double t, const State& y, State& dydt) {
            tree.field(t, y.data(), y.data() + n, dydt.data(), dydt.data() + n, w);
        },
        0, x, options);
    if (!advanceTo(*run, period).ok())
        return std::numeric_limits<double>::quiet_NaN();
    return run->state()[tree.root()] - x[tree.root()];
}

Quantity jointQuantity(const Tree& tree, int body)
{
    const int p = tree.bodies()[static_cast<std::size_t>(body)].parent;
    return {fmt::format("beta_{}", body + 1), fmt::format("β_{{{}}}", body + 1),
            fmt::format("joint angle, body {} against body {}", body + 1, p + 1), "rad"};
}

} // namespace casimir::planar
