// W2: the portrait of two bodies against the plain loop of a general integrator, and how it grows; beside it
// Odeint, NumPy's closed form and XPPAUT.
#include "tests/bench/odeint.h"
#include "tests/bench/peer_process.h"
#include "tests/bench/report.h"
#include "tests/bench/two_body_work.h"
#include "tests/bench/xppaut.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace casimir::bench {

namespace {

using planar::TwoBodyPortrait;

void odeintPortrait(const std::vector<Arc>& arcs, Curves& out)
{
    using State2 = Eigen::Vector2d;
    out.resize(arcs.size());
    for (std::size_t k = 0; k < arcs.size(); ++k) {
        const Arc& arc = arcs[k];
        const double sign = arc.duration < 0 ? -1 : 1;
        const auto field = [sign](const State2& x, State2& dxdt, double) {
            dxdt = sign * bodies().leafField(x[0], x[1]);
        };
        auto stepper =
            odeint::make_dense_output(portraitTolerance, portraitTolerance, OdeintDopri5<State2>());
        stepper.initialize(arc.start, 0.0, 0.01);
        out[k].resize(static_cast<std::size_t>(arc.samples));
        out[k][0] = arc.start;
        for (int i = 1; i < arc.samples; ++i) {
            const double t = std::abs(arc.duration) * i / (arc.samples - 1);
            while (stepper.current_time() < t)
                stepper.do_step(field);
            stepper.calc_state(t, out[k][static_cast<std::size_t>(i)]);
        }
    }
}

const char* const baseline = "plain dopri5";

double energyError(const TwoBodyPortrait& picture)
{
    double worst = 0;
    for (const planar::PhaseCurve& curve : picture.curves)
        for (const Eigen::Vector2d& p : curve.points)
            worst = std::max(worst, std::abs(bodies().leafHamiltonian(p[0], p[1]) / curve.energy - 1));
    return worst;
}

void benchOurs(const Report& report, TwoBodyPortrait& kept, const std::vector<Arc>& arcs)
{
    const int repetitions = report.repetitions(51);
    const planar::NuWindow window = planar::usualWindow(bodies());
    Curves plain, byOdeint;
    const auto plainLoop = [&] { plainPortrait(arcs, plain); };
    const Comparison reused = compare(
        repetitions, 20, [&] { planar::portrait(bodies(), curves, points, window, kept); }, 1, plainLoop);
    const Comparison fresh = compare(
        repetitions, [&] { planar::portrait(bodies(), curves, points, window); }, plainLoop);
    const Comparison peer = compare(
        repetitions, [&] { odeintPortrait(arcs, byOdeint); }, plainLoop);
    const std::string accuracy =
        fmt::format("energy {:.0e}, baseline {:.0e}", energyError(kept), portraitError(arcs, plain));
    constexpr double loose = 1e-6;
    Curves rough;
    const Comparison coarse = compare(
        repetitions, 20, [&] { planar::portrait(bodies(), curves, points, window, kept); }, 1,
        [&] { plainPortrait(arcs, rough, loose); });
    report.add("portrait, 64 x 512 and pair", "Casimir", reused, baseline, accuracy + ", goal 0.03");
    report.add(fmt::format("  the same, baseline at {:.0e} instead of {:.0e}", loose, portraitTolerance),
               "Casimir", coarse, baseline, fmt::format("baseline {:.0e}", portraitError(arcs, rough)));
    // What the machine takes to store so many points, however they are found.
    TwoBodyPortrait copied = kept;
    const Comparison stored = compare(
        repetitions, 20, [&] { planar::portrait(bodies(), curves, points, window, kept); }, 20,
        [&] {
            for (std::size_t k = 0; k < kept.curves.size(); ++k)
                std::copy(kept.curves[k].points.begin(), kept.curves[k].points.end(),
                          copied.curves[k].points.begin());
        });
    report.add("  the same", "Casimir", stored, "copying the points", "the limit");
    report.add("  the same into fresh memory", "Casimir", fresh, baseline, "the system hands out 132 pages");
    report.add("  the same", "Odeint", peer, baseline,
               fmt::format("energy {:.0e}", portraitError(arcs, byOdeint)));
}

void benchGrowth(const Report& report)
{
    const planar::NuWindow window = planar::usualWindow(bodies());
    const auto timeFor = [&](int howMany, int length) {
        TwoBodyPortrait picture;
        std::vector<double> times;
        const int inner = std::max(2, 2'000'000 / (howMany * length));
        for (int i = 0; i <= report.repetitions(21); ++i)
            times.push_back(timeOf([&] {
                                for (int k = 0; k < inner; ++k)
                                    planar::portrait(bodies(), howMany, length, window, picture);
                            }) /
                            inner);
        return spreadOf(times).median;
    };
    std::vector<double> sizes, byPoints, byCurves;
    for (const int n : {64, 128, 256, 512, 1024, 2048}) {
        sizes.push_back(n);
        byPoints.push_back(timeFor(curves, n));
        byCurves.push_back(timeFor(n / 8, points));
    }
    report.addGrowth("growth of the portrait with points, 64 to 2048", sizes, byPoints, "1 is linear");
    report.addGrowth("growth of the portrait with curves, 8 to 256", sizes, byCurves, "1 is linear");
}

// The closed form on whole arrays, at the same places as ours.
void benchNumpy(const Report& report, const TwoBodyPortrait& ours, const std::vector<Arc>& arcs)
{
    const planar::TwoBodyParameters& p = bodies().parameters();
    nlohmann::json work{{"m1", p.m1}, {"m2", p.m2}, {"I1", p.I1},         {"I2", p.I2},      {"d1", p.d1},
                        {"d2", p.d2}, {"mu", p.mu}, {"theta0", p.theta0}, {"points", points}};
    std::vector<const planar::PhaseCurve*> librations, rotations;
    for (const planar::PhaseCurve& curve : ours.curves)
        (curve.branch == 0 ? librations : rotations).push_back(&curve);
    for (const auto* pair : {&ours.homoclinicUpper, &ours.homoclinicLower})
        rotations.push_back(&pair->value());
    for (const planar::PhaseCurve* curve : librations)
        work["librations"].push_back(curve->energy);
    for (const planar::PhaseCurve* curve : rotations) {
        work["rotations"].push_back(curve->energy);
        work["signs"].push_back(curve->branch);
    }
    Curves plain;
    const PythonAnswer answer =
        comparePython("numpy_portrait.py", work, report.repetitions(51), [&] { plainPortrait(arcs, plain); });
    double energy = 0, apart = 0;
    const auto look = [&](std::size_t family, const std::vector<const planar::PhaseCurve*>& of) {
        const auto& theta = answer.result.at("theta").at(family);
        for (std::size_t k = 0; k < of.size(); ++k)
            for (std::size_t i = 0; i < of[k]->points.size(); ++i) {
                const Eigen::Vector2d at(family == 0 ? theta.at(k).at(i) : theta.at(i),
                                         answer.result.at("nu").at(family).at(k).at(i));
                energy =
                    std::max(energy, std::abs(bodies().leafHamiltonian(at[0], at[1]) / of[k]->energy - 1));
                apart = std::max(apart, (at - of[k]->points[i]).norm());
            }
    };
    look(0, librations);
    look(1, rotations);
    report.add("  the same, closed form on arrays", "NumPy", answer.comparison, baseline,
               fmt::format("energy {:.0e}, points {:.0e} from ours", energy, apart));
}

void benchXppaut(const Report& report, std::vector<Arc> arcs)
{
    arcs.resize(curves); // the level curves; the arcs of the pair come after them
    const XppautPortrait xppaut(arcs);
    Curves plain;
    const Comparison c = compare(
        report.repetitions(11), [&] { xppaut.run(); }, [&] { plainPortrait(arcs, plain); }, wallTimeOf);
    report.add("  the same without the pair, -silent", "XPPAUT", c, baseline,
               fmt::format("energy {:.0e}, baseline {:.0e}; whole process, its cvode at {:.0e}",
                           portraitError(arcs, xppaut.curves()), portraitError(arcs, plain),
                           portraitTolerance));
}

void benchPortrait(const Report& report)
{
    TwoBodyPortrait kept = planar::portrait(bodies(), curves, points, planar::usualWindow(bodies()));
    const std::vector<Arc> arcs = arcsOf(kept);
    benchOurs(report, kept, arcs);
    benchGrowth(report);
    if (pythonHas("numpy"))
        report.addPeer("  the same, closed form on arrays", "NumPy", [&] { benchNumpy(report, kept, arcs); });
    if (XppautPortrait::installed())
        report.addPeer("  the same without the pair, -silent", "XPPAUT", [&] { benchXppaut(report, arcs); });
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::bench::benchPortrait(report.forItem("W2"));
}
