#include "tests/bench/two_body_work.h"

#include "core/systems/planar/two_body/two_body_motion.h"
#include "tests/bench/plain_dopri5.h"

namespace casimir::bench {

using namespace planar;

const TwoBody& bodies()
{
    static const TwoBody figure1(
        {.m1 = 100, .m2 = 125, .I1 = 50, .I2 = 50, .d1 = 1, .d2 = 0.6, .theta0 = 0, .mu = 50});
    return figure1;
}

std::vector<Arc> arcsOf(const TwoBodyPortrait& picture)
{
    std::vector<Arc> arcs;
    for (const PhaseCurve& curve : picture.curves)
        arcs.push_back({curve.points.front(), orbitOfEnergy(bodies(), curve.energy).period.value(), points});
    const HomoclinicPair pair(bodies());
    for (const int branch : {1, -1})
        for (const int direction : {1, -1})
            arcs.push_back({{bodies().theta0(), pair.nu(0, branch)},
                            direction * std::abs(pair.time(3.1, branch)),
                            points / 2});
    return arcs;
}

void plainPortrait(const std::vector<Arc>& arcs, Curves& out, double tolerance)
{
    out.resize(arcs.size());
    for (std::size_t k = 0; k < arcs.size(); ++k) {
        const Arc& arc = arcs[k];
        const double sign = arc.duration < 0 ? -1 : 1;
        const auto field = [sign](const Eigen::Vector2d& x) {
            return Eigen::Vector2d(sign * bodies().leafField(x[0], x[1]));
        };
        PlainDopri5<Eigen::Vector2d, decltype(field)> run(field, tolerance, arc.start, 0.01);
        out[k].resize(static_cast<std::size_t>(arc.samples));
        out[k][0] = arc.start;
        for (int i = 1; i < arc.samples; ++i) {
            const double t = std::abs(arc.duration) * i / (arc.samples - 1);
            while (run.time() < t)
                run.step();
            out[k][static_cast<std::size_t>(i)] = run.at(t);
        }
    }
}

double portraitError(const std::vector<Arc>& arcs, const Curves& out)
{
    double worst = 0;
    for (std::size_t k = 0; k < arcs.size(); ++k) {
        const double h = bodies().leafHamiltonian(arcs[k].start[0], arcs[k].start[1]);
        for (const Eigen::Vector2d& p : out[k])
            worst = std::max(worst, std::abs(bodies().leafHamiltonian(p[0], p[1]) / h - 1));
    }
    return worst;
}

double LongRun::errorAt(const Eigen::Vector3d& x) const
{
    return std::abs(bodies().hamiltonian(x) / energy - 1);
}

double LongRun::lagAt(double t, const Eigen::Vector3d& x) const
{
    const auto right = TwoBodyMotion(bodies(), {0, nu, 0}).at(t);
    return (right.theta - x[0]) / bodies().thetaDot(right.theta, right.nu);
}

const LongRun& longRun()
{
    static const LongRun run = [] {
        const TwoBody& b = bodies();
        LongRun result;
        result.energy = HomoclinicPair(b).energy() * (1 - 1e-3);
        result.period = orbitOfEnergy(b, result.energy).period.value();
        result.nu = b.nu0(0.0) + std::sqrt(2 * b.delta(0.0) * (result.energy - b.amendedPotential(0.0)) /
                                           b.lockedInertia(0.0));
        result.start = b.onLeaf(0.0, result.nu);
        return result;
    }();
    return run;
}

void LongRunError::see(double part, double error)
{
    energy = std::max(energy, error);
    if (part < 0.2)
        early = energy;
}

LongRunError plainLongRun(long periods)
{
    const LongRun& work = longRun();
    const double end = static_cast<double>(periods) * work.period;
    const auto field = [](const Eigen::Vector3d& x) { return Eigen::Vector3d(bodies().reducedField(x)); };
    PlainDopri5<Eigen::Vector3d, decltype(field)> run(field, 1e-10, work.start, 1e-3 * work.period);
    LongRunError error;
    while (run.time() < end) {
        run.step();
        error.see(run.time() / end, work.errorAt(run.state()));
    }
    error.lag = work.lagAt(run.time(), run.state());
    return error;
}

} // namespace casimir::bench
