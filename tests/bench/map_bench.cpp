// W3: maps of the equilibria of three bodies against the closed form cell by cell, and how they grow; beside
// them NumPy and AUTO-07p.
#include "core/systems/planar/three_body/three_body_map.h"
#include "tests/bench/auto_07p.h"
#include "tests/bench/peer_process.h"
#include "tests/bench/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace casimir::bench {

namespace {

using planar::MapAxis;
using planar::MapKind;
using planar::ThreeBodyParameters;

// The work: which numbers vary, and where.
const MapAxis kappa{"kappa", -3, 3}, tau{"tau", -3, 3}, e1{"e1", -2, 2}, e2{"e2", -2, 2};
const ThreeBodyParameters bent{.e2 = 0.5};

const char* const baseline = "scalar closed form";

// Aligned bodies, f/A1 = tau cos x + (tau/kappa) cos y + cos(x + y): the index of each straight state, (0,
// 0), (0, pi), (pi, 0) and (pi, pi), from trace and determinant, a digit to the base 4 each; the bent pair's
// angles from the closed form where there is one.
constexpr int stablePair = 256, unstablePair = 512;
int plainCell(double k, double t)
{
    const double B2 = t / k;
    const auto index = [&](double cx, double cy) {
        const double cz = cx * cy, a = t * cx + cz, b = B2 * cy + cz, det = a * b - cz * cz;
        return det < 0 ? 1 : a < 0 ? 2 : 0;
    };
    int code = index(1, 1) + 4 * index(1, -1) + 16 * index(-1, 1) + 64 * index(-1, -1);
    const double cx = (1 - k * k - t * t) / (2 * k * t), cy = (k * k - t * t - 1) / (2 * t);
    if (std::abs(cx) < 1 && std::abs(cy) < 1)
        code += k < 0 ? stablePair : unstablePair;
    return code;
}

std::vector<int> plainMap(const MapAxis& x, const MapAxis& y)
{
    std::vector<int> codes;
    codes.reserve(static_cast<std::size_t>(x.cells) * static_cast<std::size_t>(y.cells));
    for (int j = 0; j < y.cells; ++j)
        for (int i = 0; i < x.cells; ++i)
            codes.push_back(plainCell(x.at(i), y.at(j)));
    return codes;
}

AutoRow::Cell countOf(int code)
{
    AutoRow::Cell cell{4, 0};
    for (const int place : {1, 4, 16, 64})
        cell.stable += code / place % 4 == 0;
    if (code >= stablePair)
        cell = {6, cell.stable + (code < unstablePair ? 2 : 0)};
    return cell;
}

// Whether a cell of ours says the same.
bool agree(MapKind kind, int code)
{
    const auto stable = [code](int place) { return code / place % 4 == 0; };
    switch (kind) {
    case MapKind::FourWith00:
    case MapKind::SixWith00:
        return stable(1) && countOf(code) == AutoRow::Cell{kind == MapKind::FourWith00 ? 4 : 6, 1};
    case MapKind::FourWithPiPi:
    case MapKind::SixWithPiPi:
        return stable(64) && countOf(code) == AutoRow::Cell{kind == MapKind::FourWithPiPi ? 4 : 6, 1};
    case MapKind::FourWith0Pi:
        return stable(4) && countOf(code) == AutoRow::Cell{4, 1};
    case MapKind::FourWithPi0:
        return stable(16) && countOf(code) == AutoRow::Cell{4, 1};
    case MapKind::SixWithPair:
        return countOf(code) == AutoRow::Cell{6, 2};
    default:
        return false;
    }
}

// As numpy_map.py writes it: equilibria, stable ones, whether gyroscopic terms hold another.
int generalCode(MapKind kind)
{
    switch (kind) {
    case MapKind::Four:
        return 410;
    case MapKind::FourHeld:
        return 411;
    case MapKind::SixOne:
        return 610;
    case MapKind::SixOneHeld:
        return 611;
    case MapKind::SixTwo:
        return 620;
    case MapKind::SixTwoHeld:
        return 621;
    default:
        return 0;
    }
}

// How many of the cells differ, in words; not those that no bodies have, where ours says nothing else.
template <class Theirs, class Same>
std::string differing(const std::vector<MapKind>& ours, const Theirs& theirs, const Same& same)
{
    std::size_t wrong = 0, all = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (ours[i] != MapKind::Impossible) {
            ++all;
            wrong += !same(ours[i], theirs.at(i));
        }
    return fmt::format("{} of {} cells differ", wrong, all);
}

void benchOurs(const Report& report)
{
    std::size_t kept = 0; // used at the end, so that no loop is left out
    const auto add = [&](const char* work, const ThreeBodyParameters& p, const MapAxis& x, const MapAxis& y,
                         const std::string& note) {
        const Comparison c = compare(
            report.repetitions(51), [&] { kept += equilibriumMap(p, x, y).size(); },
            [&] { kept += plainMap(kappa, tau).size(); });
        report.add(work, "Casimir", c, baseline, note);
    };
    const auto grows = [&](const char* work, const ThreeBodyParameters& p, MapAxis x, MapAxis y) {
        std::vector<double> cells, times;
        for (const int side : {100, 141, 200, 283, 400}) {
            x.cells = y.cells = side;
            std::vector<double> all;
            for (int i = 0; i <= report.repetitions(11); ++i)
                all.push_back(timeOf([&] { kept += equilibriumMap(p, x, y).size(); }));
            cells.push_back(static_cast<double>(side) * side);
            times.push_back(spreadOf(all).median);
        }
        report.addGrowth(work, cells, times, "1 is linear");
    };
    add("map of kappa and tau, 200 x 200, aligned", {}, kappa, tau,
        differing(equilibriumMap({}, kappa, tau), plainMap(kappa, tau), agree) +
            ", the other quarter is no bodies; goal 0.3");
    grows("growth of the aligned map with cells, 100^2..400^2", {}, kappa, tau);
    add("the same with e2 = 0.5", bent, kappa, tau, "goal 20");
    add("map of e1 and e2, 200 x 200", bent, e1, e2, "goal 20");
    grows("growth of the map of e1, e2 with cells, to 400^2", bent, e1, e2);
    if (kept == 0)
        fmt::print("no cells\n");
}

void benchNumpy(const Report& report, const char* work, bool aligned)
{
    const MapAxis &x = aligned ? kappa : e1, &y = aligned ? tau : e2;
    const ThreeBodyParameters p;
    const nlohmann::json given{{"aligned", aligned},
                               {"x", {x.min, x.max, x.cells}},
                               {"y", {y.min, y.max, y.cells}},
                               {"bodies",
                                {{"m1", p.m1},
                                 {"m2", p.m2},
                                 {"m3", p.m3},
                                 {"I1", p.I1},
                                 {"I2", p.I2},
                                 {"I3", p.I3},
                                 {"c1", p.c1},
                                 {"b1", p.b1},
                                 {"d1", p.d1}}}};
    const PythonAnswer answer = comparePython("numpy_map.py", given, report.repetitions(aligned ? 51 : 9),
                                              [] { (void)plainMap(kappa, tau); });
    const auto& cells = answer.result.at("cells");
    report.add(work, "NumPy", answer.comparison, baseline,
               aligned ? differing(equilibriumMap({}, x, y), cells, agree)
                       : differing(equilibriumMap(bent, x, y), cells,
                                   [](MapKind ours, int code) { return generalCode(ours) == code; }));
}

void benchAuto(const Report& report, const char* work)
{
    constexpr int row = 150;
    const AutoRow peer(kappa, tau.at(row));
    const Comparison c = compare(
        report.repetitions(11), [&] { peer.run(); }, [] { (void)plainMap(kappa, tau); }, wallTimeOf);
    const std::vector<AutoRow::Cell> cells = peer.cells();
    int wrong = 0;
    for (int i = 0; i < kappa.cells; ++i)
        wrong += countOf(plainCell(kappa.at(i), tau.at(row))) != cells.at(static_cast<std::size_t>(i));
    const Comparison whole{scaled(c.time, tau.cells), c.baseline, scaled(c.ratio, tau.cells)};
    report.add(work, "AUTO-07p", whole, baseline,
               fmt::format("{} of {} cells differ; the row tau = {:.3f} alone, times {}: the straight "
                           "states continued in kappa, switched to the pair, in 8 processes",
                           wrong, cells.size(), tau.at(row), tau.cells));
}

void benchMap(const Report& report)
{
    benchOurs(report);
    if (pythonHas("numpy")) {
        const char *first = "map of kappa and tau, 200 x 200, aligned",
                   *second = "map of e1 and e2, 200 x 200, companion matrices";
        report.addPeer(first, "NumPy", [&] { benchNumpy(report, first, true); });
        report.addPeer(second, "NumPy", [&] { benchNumpy(report, second, false); });
    }
    if (AutoRow::installed()) {
        const char* work = "map of kappa and tau, 200 x 200, aligned";
        report.addPeer(work, "AUTO-07p", [&] { benchAuto(report, work); });
    }
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::bench::benchMap(report.forItem("W3"));
}
