// The plot "cases" of three bodies: Tables 1-3 and Figures 8-9 of the paper, generated, with the fourth case
// that it rules out and the stable states it does not name. One row for each sign case, one column for each
// region.
#include "core/systems/planar/three_body/three_body_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace casimir::planar {

namespace {

using std::numbers::pi;

constexpr double headWidth = 1.5, headHeight = 0.55;
constexpr int columns = 6, rows = 4;

struct Column {
    Region region;
    const char* head;
    const char* condition;
    double kappa, tau; // |kappa|, |tau| of the figure
};
constexpr std::array<Column, columns> table{{{Region::One, "region 1", "κ² > 1 + τ²", 1.9, 1.3},
                                             {Region::Two, "region 2", "between", 1.0, 1.1},
                                             {Region::Three, "region 3", "κ² + τ² < 1", 0.65, 0.6},
                                             {Region::OSum, "outside", "|κ| + |τ| < 1", 0.4, 0.35},
                                             {Region::OTau, "outside", "|τ| > 1 + |κ|", 0.7, 2.0},
                                             {Region::OKappa, "outside", "|κ| > 1 + |τ|", 2.0, 0.7}}};

struct Row {
    const char* signs;
    const char* condition; // (6.37)-(6.40), with m1/(m1 + m2) = α and 1 + m2/m3 = β
};
constexpr std::array<Row, rows> cases{{{"κ > 0,  τ > 0", "b_1 > 0, e_1 > 0"},
                                       {"κ < 0,  τ < 0", "b_1 < 0, between"},
                                       {"κ > 0,  τ < 0", "b_1 < 0, e_1 small"},
                                       {"κ < 0,  τ > 0", "only with e_1 < 0"}}};

void addText(Plot& plot, double x, double y, std::string words, Colour colour = {Role::Neutral})
{
    plot.marks.push_back(
        {.x = x, .y = y, .shape = MarkShape::Text, .colour = colour, .label = std::move(words)});
}

void addBox(Plot& plot, double x, double y, double width, double height)
{
    Polyline box;
    box.x = {x, x + width, x + width, x, x};
    box.y = {y, y, y + height, y + height, y};
    box.colour = {Role::Guide};
    plot.lines.push_back(std::move(box));
}

// A stick figure within a box about (x, y).
void addFigure(Plot& plot, const Sketch& sketch, double x, double y, double width, double height)
{
    double left = 1e300, right = -1e300, low = 1e300, high = -1e300;
    for (const Polyline& line : sketch.lines)
        for (std::size_t i = 0; i < line.x.size(); ++i) {
            left = std::min(left, line.x[i]);
            right = std::max(right, line.x[i]);
            low = std::min(low, line.y[i]);
            high = std::max(high, line.y[i]);
        }
    const double scale =
        std::min(width / std::max(right - left, 1e-300), height / std::max(high - low, 1e-300));
    const double cx = 0.5 * (left + right), cy = 0.5 * (low + high);
    for (Polyline line : sketch.lines) {
        for (double& v : line.x)
            v = x + (v - cx) * scale;
        for (double& v : line.y)
            v = y + (v - cy) * scale;
        plot.lines.push_back(std::move(line));
    }
}

const char* symbol(SignPair straight)
{
    return straight.x > 0 ? (straight.y > 0 ? "(0, 0)" : "(0, π)") : (straight.y > 0 ? "(π, 0)" : "(π, π)");
}

const char* sign(int s)
{
    return s > 0 ? "+" : "−";
}

// What a cell says of its equilibria, and the figure of the stable one (or of the bent pair, inside the
// strip).
void addCell(Plot& plot, int signCase, const Column& column, double x, double y)
{
    ThreeBodyParameters p; // three equal masses: the table does not depend on them
    p.b1 = 1;
    p.e1 = signCase == 4 ? -1 : 1;
    const double kappa = signCase == 1 || signCase == 3 ? column.kappa : -column.kappa,
                 tau = signCase == 1 || signCase == 4 ? column.tau : -column.tau;
    if (!setKappaTau(p, {kappa, tau}))
        return;
    const ThreeBody bodies(p);
    const bool six = insideStrip(column.region);
    const bool pairStable = six && tableExtraIndex(signCase) == 0;
    std::string stable = "the bent pair";
    SignPair state{};
    for (const SignPair straight : {SignPair{1, 1}, SignPair{1, -1}, SignPair{-1, 1}, SignPair{-1, -1}})
        if (!pairStable && tableIndex(signCase, column.region, straight) == 0) {
            state = straight;
            stable = symbol(straight);
        }
    addText(plot, x + 0.5, y + 0.1, stable, {Role::Stable});
    if (six) {
        const SignPair signs = tableSigns(signCase, column.region);
        addText(plot, x + 0.5, y + 0.9, fmt::format("6:  ({}, {})", sign(signs.x), sign(signs.y)));
        for (const CriticalPoint& point : criticalPoints(bodies.coefficients()).points)
            if (!point.straight && point.x > 0)
                addFigure(plot, three_body::sketchOf(bodies, point.x, point.y, pairStable), x + 0.5, y + 0.5,
                          0.8, 0.5);
        return;
    }
    addText(plot, x + 0.5, y + 0.9, "4");
    addFigure(plot, three_body::sketchOf(bodies, state.x > 0 ? 0 : pi, state.y > 0 ? 0 : pi, true), x + 0.5,
              y + 0.5, 0.8, 0.5);
}

} // namespace

Plot ThreeBodySystem::casesPlot() const
{
    Plot plot;
    plot.id = "cases";
    plot.title = "Cases of aligned bodies";
    plot.axes = false;
    plot.x = {{"region", "", "region", ""}, 0, headWidth + columns};
    plot.y = {{"case", "", "case", ""}, 0, headHeight + rows};

    const ThreeBodyCoefficients& f = bodies_.coefficients();
    const auto kappa = kappaOf(f), tau = tauOf(f);
    const int present = f.aligned() && kappa && tau ? signCase({*kappa, *tau}) : 0;
    const Region region = present ? regionOf({*kappa, *tau}) : Region::Line;
    for (int c = 0; c < columns; ++c) {
        const Column& column = table[static_cast<std::size_t>(c)];
        addText(plot, headWidth + c + 0.5, rows + 0.7 * headHeight, column.head);
        addText(plot, headWidth + c + 0.5, rows + 0.3 * headHeight, column.condition, {Role::Guide});
    }
    addText(plot, 0.5 * headWidth, rows + 0.5 * headHeight, "case");
    for (int r = 0; r < rows; ++r) {
        const double y = rows - 1 - r;
        const Row& row = cases[static_cast<std::size_t>(r)];
        addText(plot, 0.5 * headWidth, y + 0.72, fmt::format("case {}", r + 1));
        addText(plot, 0.5 * headWidth, y + 0.5, row.signs);
        addText(plot, 0.5 * headWidth, y + 0.28, row.condition, {Role::Guide});
        addBox(plot, 0, y, headWidth, 1);
        for (int c = 0; c < columns; ++c) {
            const Column& column = table[static_cast<std::size_t>(c)];
            const double x = headWidth + c;
            if (r + 1 == present && column.region == region)
                plot.regions.push_back(
                    {{x, x + 1, x + 1, x}, {y, y, y + 1, y + 1}, Colour::region(0), "present case"});
            addBox(plot, x, y, 1, 1);
            addCell(plot, r + 1, column, x, y);
        }
    }
    if (!f.aligned())
        plot.note = "e₂ ≠ 0: the bodies are not aligned, and none of these cases is theirs. Figures: the "
                    "bent pair where "
                    "there are 6 equilibria, with the signs of its cosines; else the stable state. Dashed: "
                    "not stable.";
    else if (!present)
        plot.note = "κ or τ is zero or has no value: between the cases.";
    else if (region == Region::Line)
        plot.note = fmt::format(
            "The present bodies are in case {}, on a bifurcation line between two regions.", present);
    else
        plot.note = fmt::format(
            "The present bodies are in case {}, {}. Figures: the bent pair where there are 6 "
            "equilibria, with the signs of its cosines; else the stable state. Dashed: not stable.",
            present, insideStrip(region) ? fmt::format("region {}", title(region)) : title(region));
    return plot;
}

} // namespace casimir::planar
