// W4: a Poincare section of three bodies, the flow one by one, in lanes and on all cores, against a plain
// loop, and how it grows; beside it Odeint and SciPy.
#include "tests/bench/odeint.h"
#include "tests/bench/peer_process.h"
#include "tests/bench/report.h"
#include "tests/bench/section_work.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir::bench {

namespace {

using planar::Vector5d;

const char* const baseline = "dopri5, dense root";

void follow(const std::vector<Vector5d>& seeds, int crossings, Crossings& out)
{
    out.assign(seeds.size(), {});
    (void)section().followAll(seeds, sectionTime, sectionTolerance, [&](int i, double, const Vector5d& z) {
        auto& orbit = out[static_cast<std::size_t>(i)];
        orbit.push_back(z);
        return static_cast<int>(orbit.size()) < crossings;
    });
}

void benchOurs(const Report& report)
{
    const int crossings = sectionCrossings(report);
    Crossings plain, singly, batched;
    const auto add = [&](const std::string& work, const auto& run, const Crossings& found, auto* clock,
                         const char* goal) {
        const Comparison c = compare(
            report.repetitions(5), run, [&] { plainSection(crossings, plain); }, clock);
        report.add(
            work, "Casimir", c, baseline,
            fmt::format("{}; baseline {}; goal {}", sectionAccuracy(found), sectionAccuracy(plain), goal));
    };
    add(
        sectionName(report) + ", one by one",
        [&] {
            singly.assign(sectionOrbits, {});
            for (std::size_t i = 0; i < singly.size(); ++i)
                (void)section().follow(sectionSeeds()[i], crossings, sectionTime, sectionTolerance,
                                       [&](double, const Vector5d& z) {
                                           singly[i].push_back(z);
                                           return true;
                                       });
        },
        singly, timeOf, "0.3");
    add(
        "the same in lanes and on all cores", [&] { follow(sectionSeeds(), crossings, batched); }, batched,
        wallTimeOf, "0.08");
}

void benchGrowth(const Report& report)
{
    constexpr int crossings = 100;
    std::vector<double> sizes, times;
    Crossings found;
    for (const int orbits : {4, 8, 16, 32, 64, 128}) {
        const std::vector<Vector5d> seeds = section().seeds(orbits);
        std::vector<double> all;
        for (int i = 0; i <= report.repetitions(5); ++i)
            all.push_back(wallTimeOf([&] { follow(seeds, crossings, found); }));
        sizes.push_back(orbits);
        times.push_back(spreadOf(all).median);
    }
    report.addGrowth("growth of the section with orbits, 4 to 128", sizes, times,
                     "below 1 while lanes and cores fill");
}

// Odeint is faster on plain arrays than on Eigen's vectors of five.
using Array5 = std::array<double, 5>;

Vector5d vectorOf(const Array5& z)
{
    return Vector5d(z.data());
}

Array5 startOf(std::size_t orbit)
{
    Array5 z;
    std::copy_n(sectionSeeds()[orbit].data(), z.size(), z.begin());
    return z;
}

void field(const Array5& z, Array5& rate, double)
{
    Eigen::Map<Vector5d>(rate.data()) = threeBodies().reducedField<double>(vectorOf(z));
}

// Odeint's dense output and a root in it.
void odeintDopri5(int crossings, Crossings& out)
{
    out.assign(sectionOrbits, {});
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto stepper = odeint::make_dense_output(sectionTolerance, sectionTolerance,
                                                 odeint::runge_kutta_dopri5<Array5>());
        stepper.initialize(startOf(i), 0.0, 1e-3);
        double before = height(sectionSeeds()[i]);
        while (static_cast<int>(out[i].size()) < crossings) {
            const std::pair<double, double> step = stepper.do_step(field);
            const Vector5d end = vectorOf(stepper.current_state());
            if (crosses(before, end)) {
                Array5 z;
                const auto at = [&](double t) {
                    stepper.calc_state(step.first + t, z);
                    return height(vectorOf(z));
                };
                at(risingRoot(at, step.second - step.first, before, height(end)));
                out[i].push_back(vectorOf(z));
            }
            before = height(end);
        }
    }
}

// Fehlberg's pair has no dense output: Newton's iteration for the length of the step that ends on the
// section.
void odeintRkf78(int crossings, Crossings& out)
{
    out.assign(sectionOrbits, {});
    odeint::runge_kutta_fehlberg78<Array5> single;
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto stepper = odeint::make_controlled(sectionTolerance, sectionTolerance,
                                               odeint::runge_kutta_fehlberg78<Array5>());
        Array5 z = startOf(i);
        double t = 0, h = 1e-2;
        while (static_cast<int>(out[i].size()) < crossings) {
            const Array5 start = z;
            const double from = t, before = height(vectorOf(start));
            if (stepper.try_step(field, z, t, h) != odeint::success || !crosses(before, vectorOf(z)))
                continue;
            Array5 crossing = z, rate;
            double length = t - from;
            for (int k = 0; k < 10; ++k) {
                field(crossing, rate, 0);
                const double change = height(vectorOf(crossing)) / (std::cos(crossing[0]) * rate[0]);
                length -= change;
                single.do_step(field, start, 0.0, crossing, length);
                if (std::abs(change) < 1e-8) // the next would be its square
                    break;
            }
            out[i].push_back(vectorOf(crossing));
        }
    }
}

void benchOdeint(const Report& report)
{
    const int crossings = sectionCrossings(report);
    Crossings found, plain;
    const auto add = [&](const char* how, void (*run)(int, Crossings&)) {
        const Comparison c = compare(
            report.repetitions(5), [&] { run(crossings, found); }, [&] { plainSection(crossings, plain); });
        report.add(sectionName(report) + how, "Odeint", c, baseline, sectionAccuracy(found));
    };
    add(", rkf78", odeintRkf78);
    add(", dopri5", odeintDopri5);
}

void benchScipy(const Report& report, const std::string& work)
{
    // A part of the work, so that it takes seconds.
    const int orbits = report.quick() ? 4 : sectionOrbits, some = 10;
    const planar::ThreeBody& b = threeBodies();
    const planar::ThreeBodyCoefficients& f = b.coefficients();
    nlohmann::json given{
        {"M", b.mass()},           {"A1", f.A1}, {"B1", f.B1}, {"B2", f.B2}, {"C1", f.C1}, {"C2", f.C2},
        {"rtol", sectionTolerance}};
    for (const double inertia : b.augmentedInertias())
        given["inertias"].push_back(inertia);
    for (int i = 0; i < orbits; ++i) {
        const Vector5d& seed = sectionSeeds()[static_cast<std::size_t>(i)];
        // solve_ivp is told how long to go, not how often to cross.
        double end = 0;
        (void)section().follow(seed, some, sectionTime, sectionTolerance, [&](double t, const Vector5d&) {
            end = t;
            return true;
        });
        given["orbits"].push_back({{"start", std::vector<double>(seed.begin(), seed.end())}, {"end", end}});
    }
    const int crossings = sectionCrossings(report);
    Crossings plain, found;
    const PythonAnswer answer =
        comparePython("scipy_section.py", given, 1, [&] { plainSection(crossings, plain); });
    std::size_t count = 0;
    for (const auto& orbit : answer.result.at("crossings")) {
        found.emplace_back();
        for (const auto& z : orbit)
            found.back().emplace_back(z.get<std::vector<double>>().data());
        count += found.back().size();
    }
    const double share = sectionOrbits * crossings / static_cast<double>(count);
    const Comparison& c = answer.comparison;
    report.add(work, "SciPy", {scaled(c.time, share), c.baseline, scaled(c.ratio, share)}, baseline,
               fmt::format("{}; {} crossings of {} orbits, times {:.0f}", sectionAccuracy(found), count,
                           orbits, share));
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    using namespace casimir::bench;
    const Report report = Report(argc, argv).forItem("W4");
    benchOurs(report);
    benchGrowth(report);
    benchOdeint(report);
    const std::string work = sectionName(report) + ", DOP853";
    if (pythonHas("scipy"))
        report.addPeer(work, "SciPy", [&] { benchScipy(report, work); });
}
