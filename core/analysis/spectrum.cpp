#include "core/analysis/spectrum.h"

#include "core/analysis/consistency.h"
#include "core/analysis/nice_limits.h"
#include "core/model/quick_analysis.h"

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

// An axis along which nothing reaches far still shows this part of the other.
constexpr double leastPart = 0.25;
constexpr double air = 1.15;
// Of an axis: words nearer than this would cover each other.
constexpr double besideEachOther = 0.02, aboveEachOther = 0.015;

Polyline guide(double x0, double y0, double x1, double y1)
{
    Polyline line;
    line.x = {x0, x1};
    line.y = {y0, y1};
    line.colour = {Role::Guide};
    line.style = LineStyle::Dashed;
    return line;
}

} // namespace

Colour verdictColour(const std::string& stability)
{
    if (stability == verdict::stable || stability == verdict::asymptoticallyStable)
        return {Role::Stable};
    return {stability == verdict::unstable ? Role::Unstable : Role::Undecided};
}

MarkShape verdictShape(const std::string& stability)
{
    if (stability == verdict::stable || stability == verdict::asymptoticallyStable)
        return MarkShape::Disc;
    if (stability == verdict::unstable)
        return MarkShape::Cross;
    return stability == verdict::spectrallyStable ? MarkShape::Diamond : MarkShape::Square;
}

void shareLabels(Plot& plot)
{
    const auto part = [](const PlotAxis& axis, double v) {
        return axis.scale == Scale::Logarithmic ? std::log(v / axis.min) / std::log(axis.max / axis.min)
                                                : (v - axis.min) / (axis.max - axis.min);
    };
    for (std::size_t i = 0; i < plot.marks.size(); ++i)
        for (std::size_t k = 0; k < i && !plot.marks[i].label.empty(); ++k) {
            const Mark &a = plot.marks[k], &b = plot.marks[i];
            const double dy = plot.y.quantity.period > 0 ? std::remainder(b.y - a.y, plot.y.quantity.period) /
                                                               (plot.y.max - plot.y.min)
                                                         : part(plot.y, b.y) - part(plot.y, a.y);
            if (a.label.empty() || std::abs(part(plot.x, b.x) - part(plot.x, a.x)) > besideEachOther ||
                std::abs(dy) > aboveEachOther)
                continue;
            if (plot.marks[k].label != plot.marks[i].label)
                plot.marks[k].label += ", " + plot.marks[i].label;
            plot.marks[i].label.clear();
        }
}

PlotInfo spectrumInfo(const System& system)
{
    return {.id = "spectrum", .title = "Spectrum", .followsStart = system.analysisFollowsStart()};
}

Plot spectrumPlot(const System& system, const StateInputs& start)
{
    const Analysis analysis = consistent(quickAnalysisFrom(system, start));
    Plot plot;
    plot.id = "spectrum";
    plot.title = "Eigenvalues of the equilibria";
    double re = 0, im = 0;
    for (const Equilibrium& e : analysis.equilibria) {
        const std::complex<double>* labelled = nullptr;
        for (const auto& s : e.eigenvalues) {
            if (!std::isfinite(s.real()) || !std::isfinite(s.imag()))
                continue;
            re = std::max(re, std::abs(s.real()));
            im = std::max(im, std::abs(s.imag()));
            // The name stands at the fastest eigenvalue, of a pair at the upper or right one.
            const auto before = [](const std::complex<double>& a, const std::complex<double>& b) {
                const double size = std::abs(a), other = std::abs(b);
                if (std::abs(size - other) > 1e-9 * (size + other))
                    return size < other;
                return a.imag() + a.real() < b.imag() + b.real();
            };
            if (!labelled || before(*labelled, s))
                labelled = &s;
        }
        for (const auto& s : e.eigenvalues)
            if (std::isfinite(s.real()) && std::isfinite(s.imag()))
                plot.marks.push_back({.x = s.real(),
                                      .y = s.imag(),
                                      .shape = verdictShape(e.stability),
                                      .colour = verdictColour(e.stability),
                                      .label = &s == labelled ? e.title : "",
                                      .id = e.name});
    }
    double x = std::max(re, leastPart * im), y = std::max(im, leastPart * re);
    if (!(x > 0))
        x = y = 1;
    x = roundedUp(air * x);
    y = roundedUp(air * y);
    plot.x = {{"re", "Re s", "growth rate", "rad/s"}, -x, x};
    plot.y = {{"im", "Im s", "frequency", "rad/s"}, -y, y};
    shareLabels(plot);
    plot.lines = {guide(0, -y, 0, y), guide(-x, 0, x, 0)};
    if (analysis.equilibria.empty())
        plot.note =
            analysis.status.sentence.empty() ? "There is no equilibrium here." : analysis.status.sentence;
    return plot;
}

} // namespace casimir
