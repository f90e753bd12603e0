// W1 by the Open Dynamics Engine: one step of the same chain, of first order, with its exact solver for the
// forces in the hinges.
#include "core/base/error.h"
#include "tests/bench/chain.h"
#include "tests/bench/plain_dopri5.h"

#include <ode/ode.h>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <cmath>

namespace casimir::bench {

namespace {

class OdeChain {
public:
    explicit OdeChain(int n) : world_(dWorldCreate())
    {
        const planar::Tree tree = chainOf(n);
        const ChainStart given = chainStart(n);
        planar::Tree::Workspace w;
        tree.velocities(0, given.theta.data(), given.mu.data(), w);
        // The hinges are met at the start and no gap is closed, so that nothing but their forces acts.
        dWorldSetGravity(world_, 0, 0, 0);
        dWorldSetERP(world_, 0);
        dWorldSetCFM(world_, 0);
        Eigen::Vector2d place(0, 0), velocity(0, 0), hinge(0, 0);
        for (std::size_t k = 0; k < tree.bodies().size(); ++k) {
            const planar::TreeBody& b = tree.bodies()[k];
            const auto turned = [&](const Eigen::Vector2d& v, std::size_t body) {
                return Eigen::Vector2d(Eigen::Rotation2Dd(given.theta[body]) * v);
            };
            const auto speed = [&](const Eigen::Vector2d& arm, std::size_t body) {
                return Eigen::Vector2d(w.omega()[body] * Eigen::Vector2d(-arm.y(), arm.x()));
            };
            if (k > 0) {
                const Eigen::Vector2d out = turned(b.hingeOnParent, k - 1), in = turned(b.hingeOnBody, k);
                hinge = place + out;
                place = hinge - in;
                velocity += speed(out, k - 1) - speed(in, k);
            }
            const dBodyID body = dBodyCreate(world_);
            dMass mass;
            dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia, b.inertia, b.inertia, 0, 0, 0);
            dBodySetMass(body, &mass);
            dMatrix3 rotation;
            dRFromAxisAndAngle(rotation, 0, 0, 1, given.theta[k]);
            dBodySetRotation(body, rotation);
            dBodySetPosition(body, place.x(), place.y(), 0);
            dBodySetLinearVel(body, velocity.x(), velocity.y(), 0);
            dBodySetAngularVel(body, 0, 0, w.omega()[k]);
            if (k > 0) {
                const dJointID joint = dJointCreateHinge(world_, nullptr);
                dJointAttach(joint, bodies_.back(), body);
                dJointSetHingeAnchor(joint, hinge.x(), hinge.y(), 0);
                dJointSetHingeAxis(joint, 0, 0, 1);
            }
            bodies_.push_back(body);
        }
    }
    OdeChain(const OdeChain&) = delete;
    OdeChain& operator=(const OdeChain&) = delete;
    ~OdeChain() { dWorldDestroy(world_); }

    void step(double h)
    {
        if (!dWorldStep(world_, h))
            throw Error("dWorldStep found no memory.");
    }
    double omega(std::size_t body) const { return dBodyGetAngularVel(bodies_[body])[2]; }

private:
    dWorldID world_;
    std::vector<dBodyID> bodies_;
};

// The largest error of the turn rates after 10 ms in steps of h, as a share of the largest, against ours.
double errorOf(int n, double h)
{
    constexpr double end = 0.01;
    const planar::Tree tree = chainOf(n);
    const ChainStart given = chainStart(n);
    Eigen::VectorXd start(2 * n);
    std::copy(given.theta.begin(), given.theta.end(), start.data());
    std::copy(given.mu.begin(), given.mu.end(), start.data() + n);
    planar::Tree::Workspace w;
    const auto field = [&](const Eigen::VectorXd& x) {
        Eigen::VectorXd dxdt(x.size());
        tree.field(0, x.data(), x.data() + n, dxdt.data(), dxdt.data() + n, w);
        return dxdt;
    };
    PlainDopri5<Eigen::VectorXd, decltype(field)> run(field, 1e-12, start, 1e-4);
    while (run.time() < end)
        run.step();
    const Eigen::VectorXd right = run.at(end);
    tree.velocities(0, right.data(), right.data() + n, w);
    OdeChain chain(n);
    for (int i = 0; i < std::lround(end / h); ++i)
        chain.step(h);
    double worst = 0, largest = 0;
    for (std::size_t k = 0; k < w.omega().size(); ++k) {
        worst = std::max(worst, std::abs(chain.omega(k) - w.omega()[k]));
        largest = std::max(largest, std::abs(w.omega()[k]));
    }
    return worst / largest;
}

void run(const Report& report)
{
    std::vector<double> sizes, times;
    for (const int n : {2, 10, 100}) {
        OdeChain chain(n);
        const planar::Tree tree = chainOf(n);
        DenseChain dense(tree);
        auto [theta, mu] = chainStart(n);
        std::vector<double> omega(theta), muDot(theta);
        constexpr double h = 1e-3, timedStep = 1e-6; // the time for a step does not depend on its length
        const Comparison c = compare(
            report.repetitions(9), std::max(1, 20000 / (n * n)), [&] { chain.step(timedStep); },
            repeatsFor(n).slow, [&] { dense.field(theta.data(), mu.data(), omega.data(), muDot.data()); });
        report.add(
            {fmt::format("one step of a chain of {}", n), "us", scaled(c.time, 1e6), "dense solve", c.ratio,
             fmt::format("dWorldStep, order 1, no evaluation: turn rates {:.0e} off after 10 ms by 1 ms",
                         errorOf(n, h)),
             "ODE"});
        sizes.push_back(n);
        times.push_back(c.time.median);
    }
    report.addGrowth("growth of that with N, 10 to 100", {sizes.begin() + 1, sizes.end()},
                     {times.begin() + 1, times.end()}, "1 is linear", "ODE");
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    dInitODE2(0);
    const casimir::bench::Report w1 = report.forItem("W1");
    w1.addPeer("one step of a chain", "ODE", [&] { casimir::bench::run(w1); });
    dCloseODE();
}
