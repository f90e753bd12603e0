#include "tests/bench/xppaut.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <fstream>

namespace casimir::bench {

namespace {

// A table over 0, 1, 2...: how many, the first place and the last, then the values.
std::string table(const std::vector<Arc>& arcs, double (*value)(const Arc&))
{
    std::string text = fmt::format("{}\n0\n{}\n", arcs.size(), arcs.size() - 1);
    for (const Arc& arc : arcs)
        text += fmt::format("{}\n", value(arc));
    return text;
}

} // namespace

bool XppautPortrait::installed()
{
    return !programNamed("xppaut").empty();
}

XppautPortrait::XppautPortrait(std::vector<Arc> arcs) : arcs_(std::move(arcs))
{
    for (std::size_t k = 0; k < arcs_.size(); ++k)
        outputs_.push_back(fmt::format("output.dat.{}", k));
    folder_.write("theta.tab", table(arcs_, [](const Arc& a) { return a.start[0]; }));
    folder_.write("nu.tab", table(arcs_, [](const Arc& a) { return a.start[1]; }));
    folder_.write("period.tab", table(arcs_, [](const Arc& a) { return a.duration; }));
    // x and y are the ways from the start, which a range may not set; time is in parts of the period. In s, b
    // and det the lines of TwoBody::leafField.
    const planar::TwoBody& b = bodies();
    const planar::TwoBodyParameters& p = b.parameters();
    const std::size_t samples = static_cast<std::size_t>(arcs_.front().samples);
    folder_.write("portrait.ode",
                  fmt::format("par k=0\n"
                              "table th theta.tab\ntable nu nu.tab\ntable per period.tab\n"
                              "c={D}*cos(th(k)+x-({theta0}))\n"
                              "s=-{D}*sin(th(k)+x-({theta0}))\n"
                              "b={J1}+{J2}+2*c\n"
                              "w=(b*(nu(k)+y)+0.5*({J1}-{J2})*{mu})/({J1}*{J2}-c*c)\n"
                              "x'=per(k)*w\n"
                              "y'=per(k)*s*({mu}-({J2}+c)*w)*({mu}+({J1}+c)*w)/(b*b)\n"
                              "@ total=1,dt={dt},meth=cvode,tol={tol},atol={tol},maxstor={rows}\n"
                              "@ range=1,rangeover=k,rangestep={last},rangelow=0,rangehigh={last}\n"
                              "@ rangereset=yes\n"
                              "done\n",
                              fmt::arg("D", b.coupling()), fmt::arg("theta0", p.theta0),
                              fmt::arg("J1", b.I1Tilde()), fmt::arg("J2", b.I2Tilde()), fmt::arg("mu", p.mu),
                              fmt::arg("tol", portraitTolerance),
                              fmt::arg("dt", 1.0 / static_cast<double>(samples - 1)),
                              fmt::arg("rows", 2 * samples), fmt::arg("last", arcs_.size() - 1)));
}

void XppautPortrait::run() const
{
    runProgram(folder_.path(), {programNamed("xppaut"), "portrait.ode", "-silent"}, outputs_);
}

Curves XppautPortrait::curves() const
{
    Curves result(arcs_.size());
    for (std::size_t k = 0; k < arcs_.size(); ++k) {
        std::ifstream in(folder_.path() / outputs_[k]);
        double t = 0, x = 0, y = 0;
        while (in >> t >> x >> y)
            result[k].push_back(arcs_[k].start + Eigen::Vector2d(x, y));
        if (result[k].size() != static_cast<std::size_t>(arcs_[k].samples))
            throw Error(
                fmt::format("curve {} has {} points, not {}.", k, result[k].size(), arcs_[k].samples));
    }
    return result;
}

} // namespace casimir::bench
