#include "tests/bench/auto_07p.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

namespace casimir::bench {

namespace fs = std::filesystem;

namespace {

const fs::path library = "/usr/lib/auto-07p/lib";

// The ascent of f = tau cos x + (tau/kappa) cos y + cos(x + y): what is stable for it is a minimum of the
// amended potential. PAR(1) is kappa, PAR(2) tau.
const char* const equations = R"(subroutine func(ndim, u, icp, par, ijac, f, dfdu, dfdp)
  implicit none
  integer, intent(in) :: ndim, icp(*), ijac
  double precision, intent(in) :: u(ndim), par(*)
  double precision, intent(out) :: f(ndim)
  double precision, intent(inout) :: dfdu(ndim, ndim), dfdp(ndim, *)
  double precision :: c
  f(1) = -par(2)*sin(u(1)) - sin(u(1) + u(2))
  f(2) = -par(2)/par(1)*sin(u(2)) - sin(u(1) + u(2))
  if (ijac == 0) return
  c = -cos(u(1) + u(2))
  dfdu(1, 1) = -par(2)*cos(u(1)) + c
  dfdu(1, 2) = c
  dfdu(2, 1) = c
  dfdu(2, 2) = -par(2)/par(1)*cos(u(2)) + c
  if (ijac == 1) return
  dfdp(1, 1) = 0
  dfdp(2, 1) = par(2)/par(1)**2*sin(u(2))
end subroutine func
subroutine stpnt
end subroutine stpnt
subroutine bcnd
end subroutine bcnd
subroutine icnd
end subroutine icnd
subroutine fopt
end subroutine fopt
subroutine pvls
end subroutine pvls
)";

struct Point {
    int branch = 0;
    bool stable = false, bifurcation = false;
    double kappa = 0;
};

// The rows of the bifurcation diagram: branch, point (negative: stable), type (1: a branch point), label,
// kappa; headings have branch 0.
std::vector<Point> diagram(const fs::path& file)
{
    std::vector<Point> points;
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        int branch = 0, point = 0, type = 0, label = 0;
        double kappa = 0;
        if (words >> branch >> point >> type >> label >> kappa && branch != 0)
            points.push_back({std::abs(branch), point < 0, type == 1, kappa});
    }
    return points;
}

} // namespace

bool AutoRow::installed()
{
    return !programNamed("auto-07p").empty() && fs::exists(library);
}

AutoRow::AutoRow(const planar::MapAxis& kappa, double tau) : kappa_(kappa)
{
    const fs::path compiler = programNamed("gfortran");
    if (compiler.empty())
        throw Error("it needs gfortran, which is not installed.");
    folder_.write("row.f90", equations);
    std::vector<std::string> words{compiler, "-O2", "-w", "-fopenmp", "row.f90", "-o", "row"};
    for (const fs::directory_entry& file : fs::directory_iterator(library))
        if (file.path().extension() == ".o")
            words.push_back(file.path());
    runProgram(folder_.path(), words);
    // 1/kappa has a pole at 0, so each sign is a branch of its own, from the cell beside 0 outwards.
    const double first = 0.5 * (kappa.max - kappa.min) / kappa.cells, last = kappa.max - first;
    for (const double side : {1.0, -1.0})
        for (const double x : {0.0, std::numbers::pi})
            for (const double y : {0.0, std::numbers::pi}) {
                const std::string name = fmt::format("run{}", runs_.size());
                // Branches are switched at the first branch point, in one direction: the pair is symmetric.
                folder_.write(name + "/fort.2",
                              fmt::format("NDIM=2, IPS=1, IRS=0, ILP=0, ISP=2, ISW=1, JAC=1, IID=0\n"
                                          "ICP=[1], PAR={{1: {}, 2: {}}}, U={{1: {}, 2: {}}}\n"
                                          "NMX=60, NPR=0, MXBF=-1, EPSL=1e-8, EPSU=1e-8, EPSS=1e-6\n"
                                          "DS={}, DSMIN=0.00001, DSMAX=0.2, IADS=1\n"
                                          "UZSTOP={{1: [{}, {}]}}\n",
                                          side * first, tau, x, y, 0.1 * side, 0.9 * side * first,
                                          side * last));
                runs_.push_back(folder_.path() / name);
            }
}

void AutoRow::run() const
{
    for (const fs::path& run : runs_)
        runProgram(run, {folder_.path() / "row"}, {"fort.7", "fort.8", "fort.9"});
}

std::vector<AutoRow::Cell> AutoRow::cells() const
{
    std::vector<Cell> cells(static_cast<std::size_t>(kappa_.cells));
    std::vector<int> pair(cells.size(), -1); // 1: stable, 0: not, -1: none
    for (const fs::path& run : runs_) {
        const std::vector<Point> points = diagram(run / "fort.7");
        if (points.empty())
            throw Error("it left no bifurcation diagram.");
        std::vector<bool> seen(cells.size());
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            const Point &a = points[i], &b = points[i + 1];
            if (a.branch != b.branch)
                continue;
            // Stability changes at branch points, and belongs to neither side there.
            const bool stable = a.bifurcation ? b.stable : a.stable;
            constexpr double margin = 1e-6; // the ends are met to this
            for (std::size_t k = 0; k < cells.size(); ++k) {
                const double kappa = kappa_.at(static_cast<int>(k));
                if (kappa < std::min(a.kappa, b.kappa) - margin ||
                    kappa > std::max(a.kappa, b.kappa) + margin)
                    continue;
                if (a.branch != 1) {
                    pair[k] = stable;
                } else if (!seen[k]) {
                    seen[k] = true;
                    ++cells[k].equilibria;
                    cells[k].stable += stable;
                }
            }
        }
    }
    for (std::size_t k = 0; k < cells.size(); ++k)
        if (pair[k] >= 0) {
            cells[k].equilibria += 2;
            cells[k].stable += 2 * pair[k];
        }
    return cells;
}

} // namespace casimir::bench
