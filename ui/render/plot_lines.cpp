#include "ui/render/plot_lines.h"

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

struct Point {
    double x, y;
};
using Piece = std::vector<Point>;

double periodOf(const PlotAxis& axis)
{
    return axis.scale == Scale::Linear && axis.quantity.period > 0 ? axis.quantity.period : 0;
}

// Cuts a path that may wind around into pieces within [lo, lo + period]. Coordinate 0 is x, 1 is y.
template <int axis>
std::vector<Piece> cutAtPeriod(const Piece& path, double lo, double period)
{
    const auto get = [](const Point& p) { return axis == 0 ? p.x : p.y; };
    const auto shifted = [](Point p, double by) {
        (axis == 0 ? p.x : p.y) += by;
        return p;
    };
    // A curve that ends exactly on the upper edge stays there instead of jumping to the lower one.
    const double slack = 1e-9 * period;
    std::vector<Piece> pieces(1);
    double shift = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (i == 0) {
            shift = get(path[0]) > lo + period + slack || get(path[0]) < lo - slack
                        ? -period * std::floor((get(path[0]) - lo) / period)
                        : 0;
            pieces.back().push_back(shifted(path[0], shift));
            continue;
        }
        const double raw = get(path[i]) - get(path[i - 1]);
        // The neighbour is the nearest copy: a jump of more than half a period is a stored angle that was
        // wrapped.
        const double turns = std::abs(raw) > period / 2 ? std::round(raw / period) : 0;
        shift -= turns * period;
        Point to = shifted(path[i], shift);
        while (get(to) > lo + period + slack || get(to) < lo - slack) {
            const bool up = get(to) > lo;
            const double edge = up ? lo + period : lo;
            const Point from = pieces.back().back();
            const double s = std::clamp((edge - get(from)) / (get(to) - get(from)), 0.0, 1.0);
            Point at{from.x + s * (to.x - from.x), from.y + s * (to.y - from.y)};
            (axis == 0 ? at.x : at.y) = edge;
            pieces.back().push_back(at);
            const double by = up ? -period : period;
            pieces.push_back({shifted(at, by)});
            to = shifted(to, by);
            shift += by;
        }
        pieces.back().push_back(to);
    }
    return pieces;
}

// The copies of [lo, hi] that a window shows: shifts k * period for k in [first, last].
std::pair<int, int> copies(double lo, double hi, double windowLo, double windowHi, double period)
{
    if (period == 0)
        return {0, 0};
    // A copy that only touches the window at its end is not seen; a point on the edge is.
    const double slack = (hi - lo > 1e-9 * period ? -1e-9 : 1e-9) * period;
    return {static_cast<int>(std::ceil((windowLo - hi - slack) / period)),
            static_cast<int>(std::floor((windowHi - lo + slack) / period))};
}

// Liang and Barsky; false when nothing of the segment is inside.
bool clipSegment(const QRectF& r, QPointF& a, QPointF& b)
{
    const QPointF d = b - a;
    double s0 = 0, s1 = 1;
    const auto edge = [&](double p, double q) {
        if (p == 0)
            return q >= 0;
        const double s = q / p;
        if (p < 0)
            s0 = std::max(s0, s);
        else
            s1 = std::min(s1, s);
        return s0 <= s1;
    };
    if (!edge(-d.x(), a.x() - r.left()) || !edge(d.x(), r.right() - a.x()) ||
        !edge(-d.y(), a.y() - r.top()) || !edge(d.y(), r.bottom() - a.y()))
        return false;
    const QPointF start = a;
    a = start + s0 * d;
    b = start + s1 * d;
    return true;
}

void clipInto(std::vector<QPolygonF>& out, const QRectF& area, const QPolygonF& path)
{
    bool open = false;
    for (qsizetype i = 1; i < path.size(); ++i) {
        QPointF a = path[i - 1], b = path[i];
        if (!clipSegment(area, a, b)) {
            open = false;
            continue;
        }
        if (!open || out.back().back() != a)
            out.push_back({a});
        out.back().push_back(b);
        open = b == path[i];
    }
}

// Many points in one column of pixels (a long time series) become first, least, greatest, last; elsewhere a
// point must be `tolerance` away from the last one kept.
QPolygonF thinned(const QPolygonF& path, double tolerance)
{
    if (path.size() < 3)
        return path;
    QPolygonF out{path.front()};
    for (qsizetype i = 1; i + 1 < path.size();) {
        qsizetype end = i;
        while (end + 1 < path.size() && std::floor(path[end].x()) == std::floor(path[i].x()))
            ++end;
        if (end - i > 8) {
            const auto [least, greatest] = std::minmax_element(
                path.begin() + i, path.begin() + end, [](auto& p, auto& q) { return p.y() < q.y(); });
            out.push_back(path[i]);
            out.push_back(*std::min(least, greatest));
            out.push_back(*std::max(least, greatest));
            out.push_back(path[end - 1]);
            i = end;
            continue;
        }
        const QPointF d = path[i] - out.back();
        if (std::abs(d.x()) + std::abs(d.y()) >= tolerance)
            out.push_back(path[i]);
        ++i;
    }
    out.push_back(path.back());
    return out;
}

std::vector<Piece> finiteRuns(const std::vector<double>& x, const std::vector<double>& y)
{
    std::vector<Piece> runs;
    bool open = false;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        const bool ok = std::isfinite(x[i]) && std::isfinite(y[i]);
        if (ok && !open)
            runs.emplace_back();
        if (ok)
            runs.back().push_back({x[i], y[i]});
        open = ok;
    }
    return runs;
}

} // namespace

std::vector<QPolygonF> visiblePieces(const Plot& plot, const PlotTransform& transform,
                                     const std::vector<double>& x, const std::vector<double>& y,
                                     double tolerance)
{
    const PlotWindow& w = transform.window();
    const double px = periodOf(plot.x), py = periodOf(plot.y);
    std::vector<Piece> pieces;
    for (const Piece& run : finiteRuns(x, y))
        for (const Piece& strip : px > 0 ? cutAtPeriod<0>(run, plot.x.min, px) : std::vector<Piece>{run})
            for (Piece& cell : py > 0 ? cutAtPeriod<1>(strip, plot.y.min, py) : std::vector<Piece>{strip})
                pieces.push_back(std::move(cell));

    std::vector<QPolygonF> out;
    for (const Piece& piece : pieces) {
        if (piece.size() < 2)
            continue;
        const auto [left, right] =
            std::minmax_element(piece.begin(), piece.end(), [](auto& p, auto& q) { return p.x < q.x; });
        const auto [low, high] =
            std::minmax_element(piece.begin(), piece.end(), [](auto& p, auto& q) { return p.y < q.y; });
        const auto [i0, i1] = copies(left->x, right->x, w.xMin, w.xMax, px);
        const auto [j0, j1] = copies(low->y, high->y, w.yMin, w.yMax, py);
        for (int i = i0; i <= i1; ++i)
            for (int j = j0; j <= j1; ++j) {
                QPolygonF path;
                path.reserve(static_cast<qsizetype>(piece.size()));
                for (const Point& p : piece) {
                    const QPointF q = transform.toPixel(p.x + i * px, p.y + j * py);
                    if (std::isfinite(q.x()) && std::isfinite(q.y())) {
                        path.push_back(q);
                    } else {
                        clipInto(out, transform.area(), thinned(path, tolerance));
                        path.clear();
                    }
                }
                clipInto(out, transform.area(), thinned(path, tolerance));
            }
    }
    return out;
}

std::vector<QPointF> visiblePlaces(const Plot& plot, const PlotTransform& transform, double x, double y)
{
    std::vector<QPointF> places;
    if (!std::isfinite(x) || !std::isfinite(y))
        return places;
    const PlotWindow& w = transform.window();
    const double px = periodOf(plot.x), py = periodOf(plot.y);
    const auto [i0, i1] = copies(x, x, w.xMin, w.xMax, px);
    const auto [j0, j1] = copies(y, y, w.yMin, w.yMax, py);
    const QRectF area = transform.area().adjusted(-0.5, -0.5, 0.5, 0.5);
    for (int i = i0; i <= i1; ++i)
        for (int j = j0; j <= j1; ++j)
            if (const QPointF p = transform.toPixel(x + i * px, y + j * py); area.contains(p))
                places.push_back(p);
    return places;
}

} // namespace casimir
