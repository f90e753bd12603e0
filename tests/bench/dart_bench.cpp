// W1 by DART: the accelerations of the same chain, and 10 s of its motion with the plain integrator, because
// DART's own time step keeps the energy to 1e-3 at best.
#include "tests/bench/chain.h"

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include <fmt/format.h>

namespace casimir::bench {

namespace {

class DartChain {
public:
    explicit DartChain(int n) : n_(n), skeleton_(dart::dynamics::Skeleton::create())
    {
        using namespace dart::dynamics;
        const planar::Tree tree = chainOf(n);
        skeleton_->setGravity(Eigen::Vector3d::Zero());
        BodyNode* parent = nullptr;
        for (int k = 0; k < n; ++k) {
            const planar::TreeBody& b = tree.bodies()[static_cast<std::size_t>(k)];
            const auto at = [](const Eigen::Vector2d& hinge) {
                Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
                place.translation() << hinge, 0;
                return place;
            };
            BodyNode::Properties body(BodyNode::AspectProperties(fmt::format("body {}", k)));
            body.mInertia = Inertia(b.mass, Eigen::Vector3d::Zero(), b.inertia * Eigen::Matrix3d::Identity());
            if (k == 0) {
                parent =
                    skeleton_
                        ->createJointAndBodyNodePair<PlanarJoint>(nullptr, PlanarJoint::Properties(), body)
                        .second;
            } else {
                RevoluteJoint::Properties joint;
                joint.mName = fmt::format("joint {}", k); // DART complains of a name that comes again
                joint.mAxis = Eigen::Vector3d::UnitZ();
                joint.mT_ParentBodyToJoint = at(b.hingeOnParent);
                joint.mT_ChildBodyToJoint = at(b.hingeOnBody);
                parent = skeleton_->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second;
            }
        }
        const ChainStart given = chainStart(n);
        planar::Tree::Workspace w;
        tree.velocities(0, given.theta.data(), given.mu.data(), w);
        start_ = Eigen::VectorXd::Zero(2 * (n + 2));
        for (int k = 0; k < n; ++k) { // the root's place (x, y) comes before its angle
            const auto i = static_cast<std::size_t>(k);
            start_[k + 2] = given.theta[i] - (k == 0 ? 0 : given.theta[i - 1]);
            start_[n + 2 + k + 2] = w.omega()[i] - (k == 0 ? 0 : w.omega()[i - 1]);
        }
    }

    const Eigen::VectorXd& start() const { return start_; }
    void field(const Eigen::VectorXd& x, Eigen::VectorXd& dxdt) const
    {
        set(x);
        skeleton_->computeForwardDynamics();
        dxdt.head(n_ + 2) = x.tail(n_ + 2);
        dxdt.tail(n_ + 2) = skeleton_->getAccelerations();
    }
    double move(double tolerance) const
    {
        return moveByDopri5([this](const Eigen::VectorXd& x, Eigen::VectorXd& dxdt) { field(x, dxdt); },
                            [this](const Eigen::VectorXd& x) {
                                set(x);
                                return skeleton_->computeKineticEnergy();
                            },
                            start_, tolerance);
    }

private:
    void set(const Eigen::VectorXd& x) const
    {
        skeleton_->setPositions(x.head(n_ + 2));
        skeleton_->setVelocities(x.tail(n_ + 2));
    }

    int n_;
    dart::dynamics::SkeletonPtr skeleton_;
    Eigen::VectorXd start_;
};

void run(const Report& report)
{
    std::vector<double> sizes, times;
    for (const int n : {2, 10, 50, 100, 200}) {
        const DartChain chain(n);
        const planar::Tree tree = chainOf(n);
        DenseChain dense(tree);
        auto [theta, mu] = chainStart(n);
        std::vector<double> omega(theta), muDot(theta);
        Eigen::VectorXd x = chain.start(), rate(x.size());
        chain.field(x, rate);
        const std::vector<double> start(rate.end() - n, rate.end());
        const auto [fast, slow] = repeatsFor(n);
        const Comparison c = compare(
            report.repetitions(9), std::max(20, fast / 50),
            [&] {
                x[2] += 1e-9;
                chain.field(x, rate);
            },
            slow, [&] { dense.field(theta.data(), mu.data(), omega.data(), muDot.data()); });
        report.add({fmt::format("field of a chain of {}", n), "us", scaled(c.time, 1e6), "dense solve",
                    c.ratio, fmt::format("accelerations {:.0e} from ours", accelerationError(n, start)),
                    "DART"});
        if (n >= 10) {
            sizes.push_back(n);
            times.push_back(c.time.median);
        }
    }
    report.addGrowth("growth of that with N, 10 to 200", sizes, times, "1 is linear", "DART");
    for (const int n : {2, 10, 50}) {
        if (report.quick() && n > 10)
            break;
        const DartChain chain(n);
        const Tuned tuned = tunedToEnergy([&](double tolerance) { return chain.move(tolerance); });
        const ChainBaseline baseline(n);
        const Comparison c = compare(
            report.quick() ? 1 : 3, [&] { chain.move(tuned.tolerance); }, [&] { baseline.run(); });
        report.add(
            fmt::format("10 s of a chain of {}, energy 1e-8", n), "DART", c, "dense + dopri5",
            fmt::format("energy {:.0e}, with dopri5, baseline {:.0e}", tuned.error, baseline.tuned().error));
    }
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report = casimir::bench::Report(argc, argv).forItem("W1");
    report.addPeer("chains", "DART", [&] { casimir::bench::run(report); });
}
