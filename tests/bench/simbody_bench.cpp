// W1 by Simbody: the same chain, its accelerations and 10 s of its motion.
#include "tests/bench/chain.h"
#include "tests/bench/simbody_chain.h"

#include <fmt/format.h>

namespace casimir::bench {

namespace {

SimbodyChain simbodyChain(int n)
{
    const planar::Tree tree = chainOf(n);
    const ChainStart start = chainStart(n);
    planar::Tree::Workspace w;
    tree.velocities(0, start.theta.data(), start.mu.data(), w);
    std::vector<ChainLink> links;
    for (std::size_t k = 0; k < tree.bodies().size(); ++k) {
        const planar::TreeBody& b = tree.bodies()[k];
        links.push_back({b.mass, b.inertia, b.hingeOnParent.x(), b.hingeOnParent.y(), b.hingeOnBody.x(),
                         b.hingeOnBody.y(), start.theta[k] - (k == 0 ? 0 : start.theta[k - 1]),
                         w.omega()[k] - (k == 0 ? 0 : w.omega()[k - 1])});
    }
    return SimbodyChain(links);
}

void run(const Report& report)
{
    std::vector<double> sizes, times;
    for (const int n : {2, 10, 50, 100, 200}) {
        const SimbodyChain chain = simbodyChain(n);
        const planar::Tree tree = chainOf(n);
        DenseChain dense(tree);
        auto [theta, mu] = chainStart(n);
        std::vector<double> omega(theta), muDot(theta);
        const auto [fast, slow] = repeatsFor(n);
        const Comparison c = compare(
            report.repetitions(9), std::max(20, fast / 50), [&] { chain.accelerate(); }, slow,
            [&] { dense.field(theta.data(), mu.data(), omega.data(), muDot.data()); });
        report.add(
            {fmt::format("field of a chain of {}", n), "us", scaled(c.time, 1e6), "dense solve", c.ratio,
             fmt::format("accelerations {:.0e} from ours", accelerationError(n, chain.accelerations())),
             "Simbody"});
        if (n >= 10) {
            sizes.push_back(n);
            times.push_back(c.time.median);
        }
    }
    report.addGrowth("growth of that with N, 10 to 200", sizes, times, "1 is linear", "Simbody");
    for (const int n : {2, 10, 50}) {
        if (report.quick() && n > 10)
            break;
        const SimbodyChain chain = simbodyChain(n);
        const Tuned tuned =
            tunedToEnergy([&](double accuracy) { return chain.move(chainDuration, accuracy); });
        const ChainBaseline baseline(n);
        const Comparison c = compare(
            report.quick() ? 1 : 3, [&] { chain.move(chainDuration, tuned.tolerance); },
            [&] { baseline.run(); });
        report.add(fmt::format("10 s of a chain of {}, energy 1e-8", n), "Simbody", c, "dense + dopri5",
                   fmt::format("energy {:.0e}, baseline {:.0e}", tuned.error, baseline.tuned().error));
    }
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report = casimir::bench::Report(argc, argv).forItem("W1");
    report.addPeer("chains", "Simbody", [&] { casimir::bench::run(report); });
}
