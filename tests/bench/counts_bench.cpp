// How many instructions the core's kernels take: a check of speed that does not depend on the clock.
//
//     valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=DIR/out bench_counts run
//     bench_counts compare DIR counts.json          bench_counts record DIR counts.json
//
// The first runs each kernel a few times inside callgrind, which writes one file for each; the second reads
// them and compares with what the repository holds, within 5 %.
#include "core/numerics/gauss.h"
#include "core/numerics/wide.h"
#include "core/systems/planar/multibody/multibody_ensemble.h"
#include "core/systems/planar/three_body/three_body_map.h"
#include "core/systems/planar/three_body/three_body_roots.h"
#include "core/systems/planar/two_body/two_body_motion.h"
#include "core/systems/rod/rod/rod_dynamics.h"
#include "core/systems/rod/rod/rod_equilibrium.h"
#include "core/systems/tops/chain.h"
#include "tests/bench/chain.h"
#include "tests/bench/two_body_work.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <valgrind/callgrind.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace casimir::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr double tolerance = 0.05;
constexpr int repeats = 4;

// The first call prepares what is kept; then `repeats` of them are counted.
void count(const char* name, const std::function<void()>& kernel)
{
    kernel();
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    for (int i = 0; i < repeats; ++i)
        kernel();
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
}

void countTrees()
{
    for (const int n : {2, 10, 100}) {
        const planar::Tree tree = chainOf(n);
        auto [theta, mu] = chainStart(n);
        std::vector<double> omega(theta), muDot(theta);
        planar::Tree::Workspace w;
        count(fmt::format("tree field, {} bodies", n).c_str(),
              [&] { tree.field(0, theta.data(), mu.data(), omega.data(), muDot.data(), w); });
    }
}

// All lanes of the machine at once.
void countEnsembles()
{
    for (const int n : {10, 100}) {
        const planar::Tree tree = chainOf(n);
        planar::TreeEnsemble ensemble(tree);
        const auto lanes = static_cast<std::size_t>(ensemble.lanes());
        const auto [theta, mu] = chainStart(n);
        std::vector<double> one(theta), x, t(lanes);
        one.insert(one.end(), mu.begin(), mu.end());
        for (const double number : one)
            x.insert(x.end(), lanes, number);
        std::vector<double> rate(x), v(x), change(x);
        count(fmt::format("ensemble, fields, {} bodies", n).c_str(),
              [&] { ensemble.field(t.data(), x.data(), rate.data()); });
        count(fmt::format("ensemble, variations, {} bodies", n).c_str(),
              [&] { ensemble.variation(t.data(), x.data(), v.data(), rate.data(), change.data()); });
        Eigen::MatrixXd jacobian;
        count(fmt::format("ensemble, a Jacobian, {} bodies", n).c_str(),
              [&] { ensemble.jacobian(0, one.data(), jacobian); });
    }
}

void countTwoBodies()
{
    const planar::NuWindow window = planar::usualWindow(bodies());
    planar::TwoBodyPortrait kept;
    count("portrait, 64 x 512", [&] { planar::portrait(bodies(), curves, points, window, kept); });
    const LongRun& work = longRun();
    const planar::TwoBodyMotion motion(bodies(), {0, work.nu, 0});
    count("two bodies, a state of the closed form", [&] { (void)motion.at(1234.5); });
    GaussStepper<3, Eigen::Vector3d> stepper;
    Eigen::Vector3d x = work.start;
    const auto field = [](const Eigen::Vector3d& at, Eigen::Vector3d& dxdt, double) {
        dxdt = bodies().reducedField(at);
    };
    count("gauss6, a step of two bodies", [&] { stepper.do_step(field, x, 0, work.period / 200); });
}

void countThreeBodies()
{
    const planar::MapAxis kappa{"kappa", -3, 3};
    planar::MapAxis tau{"tau", -3, 3};
    tau.cells = 4;
    count("map, 4 aligned rows of 200", [&] { (void)planar::equilibriumMap({}, kappa, tau); });
    count("map, 4 general rows of 200", [&] { (void)planar::equilibriumMap({.e2 = 0.5}, kappa, tau); });
    const planar::ThreeBodyCoefficients f = planar::coefficientsOf({.e2 = 0.5});
    count("equilibria of three bodies", [&] { (void)planar::criticalPoints(f); });
}

void countRod()
{
    rod::RodParameters p;
    p.bodyInertia = {0.4, 0.5, 0.9};
    p.r0 = {0.2, 0.1, 0.1};
    p.d3 = {1, 0, 1};
    p.CN = {128.2, 128.2, 400};
    p.elements = 32;
    const rod::Rod rod(p);
    const rod::RodEquilibrium e = rod::followFromRest(rod, rod::SpinAxis::Maximum, 3);
    count("rod of 32 elements, equilibrium", [&] { (void)rod::follow(rod, e, 3.05); });
    const rod::RodDynamics dynamics(rod, 0);
    const rod::RodEquilibrium moving = rod::followFromRest(dynamics.rod(), rod::SpinAxis::Maximum, 3);
    std::vector<rod::Vec3> v, w;
    for (const rod::Vec3& x : moving.at.x) {
        v.push_back(moving.xi().cross(x) + 0.1 * x.squaredNorm() * rod::Vec3(0.3, 0.2, 0.4));
        w.push_back(moving.xi());
    }
    const rod::RodState start = dynamics.stateOf(moving.at, v, w);
    count("rod of 32 elements, step", [&] {
        rod::RodState s = start;
        (void)dynamics.step(s, 1.0 / 60);
    });
}

void countTops()
{
    for (const int n : {4, 32}) {
        std::vector<tops::Top> all(static_cast<std::size_t>(n), {1, 0.3, 0.5, 0.02, 0.01, 20});
        const tops::Chain chain(all, 9.81);
        tops::Axes e(3, n), v(3, n);
        for (int i = 0; i < n; ++i) {
            const tops::AxisAngles at{0.4 + 0.05 * i, 0.3 * i, 0.1, 1 - 0.02 * i};
            e.col(i) = tops::axisOf(at);
            v.col(i) = tops::axisRateOf(at);
        }
        Eigen::Matrix3Xd out(3, n);
        count(fmt::format("accelerations, {} tops", n).c_str(), [&] { chain.accelerations(e, v, out); });
    }
}

// Each dump has a line "desc: Trigger: Client Request: NAME" and one "summary: INSTRUCTIONS".
std::map<std::string, long> readCounts(const std::string& folder)
{
    std::map<std::string, long> counts;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path());
        std::string line, name;
        const std::string named = "desc: Trigger: Client Request: ", summed = "summary: ";
        while (std::getline(file, line)) {
            if (line.rfind(named, 0) == 0)
                name = line.substr(named.size());
            if (line.rfind(summed, 0) == 0 && !name.empty())
                counts[name] = std::stol(line.substr(summed.size())) / repeats;
        }
    }
    return counts;
}

int compare(const std::string& folder, const std::string& path)
{
    const std::map<std::string, long> counts = readCounts(folder);
    const Json known = Json::parse(std::ifstream(path));
    if (known.at("compiler") != __VERSION__)
        fmt::print("The recorded counts are of g++ {}, this is {}: differences may be the compiler's.\n",
                   known.at("compiler").get<std::string>(), __VERSION__);
    if (known.at("wide_vectors") != machineIsWide())
        fmt::print(
            "The recorded counts are of a machine {} wide vectors, this one is {}: they do not compare.\n",
            machineIsWide() ? "without" : "with", machineIsWide() ? "with" : "without");
    int more = 0, less = 0;
    fmt::print("{:<44} {:>12} {:>12} {:>8}\n", "kernel", "recorded", "now", "change");
    for (const auto& [name, before] : known.at("instructions").items()) {
        if (!counts.contains(name)) {
            fmt::print("{:<44} was not measured\n", name);
            ++more;
            continue;
        }
        const double change = static_cast<double>(counts.at(name)) / before.get<double>() - 1;
        more += change > tolerance;
        less += change < -tolerance;
        fmt::print("{:<44} {:>12} {:>12} {:>+7.1f}%{}\n", name, before.get<long>(), counts.at(name),
                   100 * change,
                   change > tolerance    ? "  TOO MANY"
                   : change < -tolerance ? "  fewer"
                                         : "");
    }
    if (more > 0)
        fmt::print(
            "Kernels that take over {1:.0f} % more instructions than recorded: {0}. Find out why, or, if "
            "it is worth it, record the new counts: scripts/bench --counts --record\n",
            more, 100 * tolerance);
    else if (less > 0)
        fmt::print("Some kernels became cheaper: keep it so with scripts/bench --counts --record\n");
    return more > 0 ? 1 : 0;
}

int record(const std::string& folder, const std::string& path)
{
    Json json;
    json["what"] = "instructions of one call, by callgrind; scripts/bench --counts compares, --record renews";
    json["compiler"] = __VERSION__;
    json["wide_vectors"] = machineIsWide();
    for (const auto& [name, instructions] : readCounts(folder))
        json["instructions"][name] = instructions;
    std::ofstream(path) << json.dump(2) << '\n';
    fmt::print("Recorded {} kernels in {}\n", json["instructions"].size(), path);
    return json["instructions"].empty() ? 1 : 0;
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    using namespace casimir::bench;
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "run") {
        countTrees();
        countEnsembles();
        countTwoBodies();
        countThreeBodies();
        countRod();
        countTops();
        return 0;
    }
    if (argc == 4 && what == "compare")
        return compare(argv[2], argv[3]);
    if (argc == 4 && what == "record")
        return record(argv[2], argv[3]);
    std::fprintf(stderr, "Usage: bench_counts run | compare DIR FILE.json | record DIR FILE.json\n");
    return 2;
}
