// W1 by Simbody: the same chain, its accelerations and 10 s of its motion.
#include "tests/bench/chain.h"

#include <Simbody.h>

#include <fmt/format.h>

namespace casimir::bench {

namespace {

class SimbodyChain {
public:
    explicit SimbodyChain(int n) : matter_(system_)
    {
        using namespace SimTK;
        const planar::Tree tree = chainOf(n);
        MobilizedBody parent = matter_.Ground();
        for (int k = 0; k < n; ++k) {
            const planar::TreeBody& b = tree.bodies()[static_cast<std::size_t>(k)];
            const Body::Rigid body(MassProperties(b.mass, Vec3(0), Inertia(b.inertia, b.inertia, b.inertia)));
            const auto at = [](const Eigen::Vector2d& hinge) {
                return Transform(Vec3(hinge.x(), hinge.y(), 0));
            };
            if (k == 0)
                parent = MobilizedBody::Planar(parent, Transform(), body, Transform());
            else
                parent = MobilizedBody::Pin(parent, at(b.hingeOnParent), body, at(b.hingeOnBody));
        }
        start_ = system_.realizeTopology();
        const ChainStart given = chainStart(n);
        planar::Tree::Workspace w;
        tree.velocities(0, given.theta.data(), given.mu.data(), w);
        // Joint angles, and the root's angle before its place.
        for (int k = 0; k < n; ++k) {
            const auto i = static_cast<std::size_t>(k);
            const int slot = k == 0 ? 0 : k + 2;
            start_.updQ()[slot] = given.theta[i] - (k == 0 ? 0 : given.theta[i - 1]);
            start_.updU()[slot] = w.omega()[i] - (k == 0 ? 0 : w.omega()[i - 1]);
        }
    }

    SimTK::State start() const { return start_; }
    void accelerate(SimTK::State& state) const
    {
        state.updU()[0] += 1e-9; // so that nothing is taken from the evaluation before
        state.updQ()[0] += 1e-9;
        system_.realize(state, SimTK::Stage::Acceleration);
    }
    double move(double accuracy) const
    {
        SimTK::RungeKuttaMersonIntegrator integrator(system_);
        integrator.setAccuracy(accuracy);
        integrator.setReturnEveryInternalStep(true);
        SimTK::TimeStepper stepper(system_, integrator);
        stepper.initialize(start_);
        const double first = energy(integrator.getState());
        double worst = 0;
        stepper.setReportAllSignificantStates(true);
        while (integrator.getTime() < chainDuration) {
            stepper.stepTo(chainDuration);
            worst = std::max(worst, std::abs(energy(integrator.getState()) / first - 1));
        }
        return worst;
    }

private:
    double energy(const SimTK::State& state) const
    {
        system_.realize(state, SimTK::Stage::Velocity);
        return system_.calcKineticEnergy(state);
    }

    SimTK::MultibodySystem system_;
    SimTK::SimbodyMatterSubsystem matter_;
    SimTK::State start_;
};

void run(const Report& report)
{
    for (const int n : {2, 10, 100, 200}) {
        const SimbodyChain chain(n);
        const planar::Tree tree = chainOf(n);
        DenseChain dense(tree);
        auto [theta, mu] = chainStart(n);
        std::vector<double> omega(theta), muDot(theta);
        SimTK::State state = chain.start();
        const auto [fast, slow] = repeatsFor(n);
        const Comparison c = compare(
            report.repetitions(9), std::max(20, fast / 50), [&] { chain.accelerate(state); }, slow,
            [&] { dense.field(theta.data(), mu.data(), omega.data(), muDot.data()); });
        report.add({fmt::format("field of a chain of {}", n), "us", scaled(c.time, 1e6), "dense solve",
                    c.ratio, "", "Simbody"});
    }
    for (const int n : {2, 10, 50}) {
        const SimbodyChain chain(n);
        const Tuned tuned = tunedToEnergy([&](double accuracy) { return chain.move(accuracy); });
        const ChainBaseline baseline(n);
        const Comparison c = compare(
            report.quick() ? 1 : 3, [&] { chain.move(tuned.tolerance); }, [&] { baseline.run(); });
        report.add(fmt::format("10 s of a chain of {}, energy 1e-8", n), "Simbody", c, "dense + dopri5",
                   fmt::format("energy {:.0e}, baseline {:.0e}", tuned.error, baseline.tuned().error));
    }
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::bench::run(report.forItem("W1"));
}
