#include "core/systems/planar/three_body/three_body_roots.h"

#include "core/systems/planar/two_body/two_body.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <limits>
#include <numbers>

namespace casimir::planar {

namespace {

using std::numbers::pi;
using C = std::complex<double>;

constexpr double rounding = std::numeric_limits<double>::epsilon();

// A point where Newton's iteration does not settle is still an equilibrium of a system that differs from this
// one by rounding, if the slope there is this many roundings: a double root that rounded parameters have just
// removed.
constexpr double slopeRoundings = 32;

// The polynomial's double roots leave the circle by 1e-8, the four-fold root of a monkey saddle by 1e-4.
// Newton's iteration decides afterwards, so this may be generous.
constexpr double offCircle = 0.02;

// Smallest to largest amplitude, the leading coefficient of the eliminant to the others: below it the
// companion matrix is too badly graded, and the eliminant as good as of degree four.
constexpr double negligibleLead = 1e-7;

struct Amplitude {
    double size;
    int angle; // 0: X, 1: Y, 2: Z
};

struct Symmetric {
    std::array<Amplitude, 3> by; // largest first
    double arg1, arg2, phi;

    explicit Symmetric(const ThreeBodyCoefficients& f)
        : by{{{std::abs(f.P1()), 0}, {std::abs(f.P2()), 1}, {f.A1, 2}}},
          arg1(std::arg(f.P1())),
          arg2(std::arg(f.P2())),
          phi(arg1 + arg2)
    {
        std::sort(by.begin(), by.end(),
                  [](const Amplitude& p, const Amplitude& q) { return p.size > q.size; });
        const double scale = by[0].size > 0 ? by[0].size : 1;
        for (Amplitude& amplitude : by)
            amplitude.size /= scale;
    }
    double largest() const { return by[0].size; }
    double middle() const { return by[1].size; }
    double smallest() const { return by[2].size; }

    std::array<double, 2> anglesAt(double x, double y) const
    {
        const std::array<double, 3> angle{x + arg1, y + arg2, -(x + y)};
        return {angle[static_cast<std::size_t>(by[0].angle)], angle[static_cast<std::size_t>(by[1].angle)]};
    }
    Eigen::Vector2d joints(double ofLargest, double ofMiddle) const
    {
        std::array<double, 3> angle{};
        angle[static_cast<std::size_t>(by[0].angle)] = ofLargest;
        angle[static_cast<std::size_t>(by[1].angle)] = ofMiddle;
        angle[static_cast<std::size_t>(by[2].angle)] = phi - ofLargest - ofMiddle;
        return {angle[0] - arg1, angle[1] - arg2};
    }
};

double distance(const CriticalPoint& p, const CriticalPoint& q)
{
    return std::hypot(principalAngle(p.x - q.x), principalAngle(p.y - q.y));
}

// -D^2 f in the angles of the largest and the middle amplitude, each measured by its own amplitude: its
// eigenvalues then tell a flat place from one where the amplitudes merely differ.
CriticalPoint pointAt(const ThreeBodyCoefficients& f, double x, double y)
{
    struct Term {
        double size, value; // amplitude, and amplitude times cosine
    };
    const double cx = std::cos(x), sx = std::sin(x), cy = std::cos(y), sy = std::sin(y);
    std::array<Term, 3> term{{{std::abs(f.P1()), f.B1 * cx - f.C1 * sx},
                              {std::abs(f.P2()), f.B2 * cy + f.C2 * sy},
                              {std::abs(f.A1), f.A1 * (cx * cy - sx * sy)}}};
    std::sort(term.begin(), term.end(), [](const Term& p, const Term& q) { return p.size > q.size; });
    const double l = term[0].size, m = term[1].size, third = term[2].value;
    const double a = (term[0].value + third) / l, b = (term[1].value + third) / m,
                 mixed = third / std::sqrt(l) / std::sqrt(m);
    const double half = 0.5 * (a + b), spread = std::hypot(0.5 * (a - b), mixed);
    CriticalPoint point{.x = principalAngle(x), .y = principalAngle(y)};
    point.curvature = {half - spread, half + spread};
    for (const double k : point.curvature) {
        if (std::abs(k) <= degenerateTolerance)
            ++point.zero;
        else if (k < 0)
            ++point.index;
    }
    return point;
}

// A clustered point stands for as many as its own topological index asks for, since the indices on a torus
// sum to zero: 0 a fold (two), +-1 a cusp (three), -2 a monkey saddle (four).
void countMerged(std::vector<CriticalPoint>& points)
{
    int sum = 0, open = 0;
    CriticalPoint* merged = nullptr;
    for (CriticalPoint& p : points) {
        if (p.degenerate()) {
            ++open;
            merged = &p;
        } else {
            sum += p.index % 2 == 0 ? 1 : -1;
        }
    }
    if (open == 1)
        merged->merged = sum == 0 ? 2 : sum == 2 ? 4 : 3;
}

bool before(const CriticalPoint& p, const CriticalPoint& q)
{
    return p.x != q.x ? p.x < q.x : p.y < q.y;
}

Continuum continuumOf(const ThreeBodyCoefficients& f)
{
    const bool a = f.P1() != 0.0, b = f.P2() != 0.0, c = f.A1 != 0;
    if (a + b + c >= 2)
        return Continuum::None;
    return a ? Continuum::Joint21 : b ? Continuum::Joint32 : c ? Continuum::Sum : Continuum::Everywhere;
}

// The angle opposite `side` in a triangle, from Kahan: accurate for needles too. Needs the triangle
// inequality.
double triangleAngle(double side, double p, double q)
{
    if (p < q)
        std::swap(p, q);
    const double m = q >= side ? side - (p - q) : q - (p - side);
    return 2 * std::atan(std::sqrt(((p - q) + side) * m / ((p + (q + side)) * ((p - side) + q))));
}

// The extra pair's joint angles; none outside the strip. The sides 1, |kappa|, |tau| as |A1 B2|, |A1 B1|, |B1
// B2|.
std::optional<Eigen::Vector2d> extraPoint(const ThreeBodyCoefficients& f)
{
    const double scale = std::max({std::abs(f.A1), std::abs(f.B1), std::abs(f.B2)});
    const double a = f.B1 / scale, b = f.B2 / scale, c = f.A1 / scale;
    const double one = std::abs(c * b), kappa = std::abs(c * a), tau = std::abs(a * b);
    if (!triangleSides(one, kappa, tau))
        return std::nullopt;
    // cos x = (1 - kappa^2 - tau^2)/(2 kappa tau), cos y = (kappa^2 - tau^2 - 1)/(2 tau)
    const double alpha = triangleAngle(one, kappa, tau), beta = triangleAngle(kappa, one, tau);
    const bool sameSign = (f.B2 > 0) == (f.A1 > 0);    // kappa tau > 0
    const bool tauPositive = (f.B1 > 0) == (f.A1 > 0); // tau > 0
    const double y = tauPositive ? pi - beta : beta;
    return Eigen::Vector2d(sameSign ? pi - alpha : alpha, (f.B1 > 0) == (f.B2 > 0) ? y : -y);
}

CriticalPoints alignedPoints(const ThreeBodyCoefficients& f)
{
    CriticalPoints result;
    for (const double x : {0.0, pi})
        for (const double y : {0.0, pi}) {
            result.points.push_back(pointAt(f, x, y));
            result.points.back().straight = true;
        }
    if (const auto extra = extraPoint(f))
        for (const double sign : {1.0, -1.0})
            result.points.push_back(pointAt(f, sign * (*extra)[0], sign * (*extra)[1]));
    else
        countMerged(result.points);
    return result;
}

void balance(Eigen::Matrix<C, 6, 6>& m)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < 6; ++i) {
            double row = 0, column = 0;
            for (int j = 0; j < 6; ++j)
                if (j != i) {
                    row += std::abs(m(i, j));
                    column += std::abs(m(j, i));
                }
            if (row == 0 || column == 0)
                continue;
            const int power = static_cast<int>(std::lround(0.5 * std::log2(row / column)));
            const double factor = std::ldexp(1.0, power);
            if (column * factor + row / factor < 0.95 * (column + row)) {
                m.row(i) /= factor;
                m.col(i) *= factor;
                changed = true;
            }
        }
    }
}

// F(U) = m^2 sin^2 U (l^2 + s^2 + 2 l s cos(U - phi)) - l^2 s^2 sin^2(U - phi) as the coefficients of
// e^{ikU}, k = 3 ... -3: l the largest amplitude, m the middle one, whose angle is U, s the smallest. It is
// the sextic over -4 u^3.
std::array<C, 7> eliminant(double l, double m, double s, double phi)
{
    const C e = std::polar(1.0, phi);
    // sin^2 U = (2 - u^2 - u^-2)/4, 2 cos(U - phi) = u conj(e) + e/u
    const double square = l * l + s * s, cross = l * s, mm = m * m / 4, other = cross * cross / 4;
    std::array<C, 7> c{}; // c[3 - k] of e^{ikU}
    c[0] = -mm * cross * std::conj(e);
    c[1] = -mm * square + other * std::conj(e * e);
    c[2] = mm * cross * (2.0 * std::conj(e) - e);
    c[3] = 2 * mm * square - 2 * other;
    for (std::size_t k = 0; k < 3; ++k)
        c[6 - k] = std::conj(c[k]);
    return c;
}

std::vector<double> circleRoots(const std::array<C, 7>& c)
{
    Eigen::Matrix<C, 6, 6> companion = Eigen::Matrix<C, 6, 6>::Zero();
    for (int k = 0; k < 6; ++k)
        companion(0, k) = -c[static_cast<std::size_t>(k) + 1] / c[0];
    for (int k = 1; k < 6; ++k)
        companion(k, k - 1) = 1;
    balance(companion);
    const Eigen::ComplexEigenSolver<Eigen::Matrix<C, 6, 6>> solver(companion, false);
    std::vector<double> angles;
    for (const C& u : solver.eigenvalues())
        if (std::abs(std::abs(u) - 1) < offCircle)
            angles.push_back(std::arg(u));
    return angles;
}

// The same for l -> infinity: m^2 sin^2 U = s^2 sin^2(U - phi), so that tan U = +-s sin phi/(m +- s cos phi).
// Where one of these two sines all but vanishes, what is left of it has a few more zeros anywhere: starts all
// around find them.
std::vector<double> limitRoots(double m, double s, double phi)
{
    std::vector<double> angles;
    for (const double sign : {1.0, -1.0}) {
        const C sine = m + sign * s * std::polar(1.0, -phi);
        for (int k = 0; k < 2; ++k)
            angles.push_back(k * pi - std::arg(sine));
        if (std::abs(sine) < 1e-6 * m)
            for (int k = 0; k < 12; ++k)
                angles.push_back(k * pi / 6);
    }
    return angles;
}

class Collector {
public:
    explicit Collector(const ThreeBodyCoefficients& f) : f_(f) {}

    void tryFrom(const Eigen::Vector2d& start)
    {
        const auto found = polishedCriticalPoint(f_, start[0], start[1]);
        if (!found)
            return;
        const CriticalPoint point = pointAt(f_, (*found)[0], (*found)[1]);
        for (CriticalPoint& known : points_)
            if (distance(known, point) < mergeDistance) {
                if (slopeAt(point) < slopeAt(known))
                    known = point;
                return;
            }
        points_.push_back(point);
    }
    std::vector<CriticalPoint> take()
    {
        std::sort(points_.begin(), points_.end(), before);
        countMerged(points_);
        return std::move(points_);
    }

private:
    double slopeAt(const CriticalPoint& p) const { return shapeSlope(f_, p.x, p.y).gradient.norm(); }

    ThreeBodyCoefficients f_;
    std::vector<CriticalPoint> points_;
};

} // namespace

bool triangleSides(double p, double q, double r)
{
    if (p < q)
        std::swap(p, q);
    if (p < r)
        std::swap(p, r);
    return p > 0 && (q - (p - r)) > lineTolerance * p;
}

ShapeSlope shapeSlope(const ThreeBodyCoefficients& f, double x, double y)
{
    const double cx = std::cos(x), sx = std::sin(x), cy = std::cos(y), sy = std::sin(y);
    const double sinSum = f.A1 * (sx * cy + cx * sy), cosSum = f.A1 * (cx * cy - sx * sy);
    ShapeSlope slope;
    slope.gradient = {-(sinSum + f.B1 * sx + f.C1 * cx), -(sinSum + f.B2 * sy - f.C2 * cy)};
    slope.hessian << cosSum + f.B1 * cx - f.C1 * sx, cosSum, cosSum, cosSum + f.B2 * cy + f.C2 * sy;
    return slope;
}

std::optional<Eigen::Vector2d> polishedCriticalPoint(const ThreeBodyCoefficients& f, double x, double y)
{
    constexpr int limit = 80;
    constexpr double longestStep = 0.3; // rad, so that a flat place does not throw the point across the torus
    // In the angles V, U of the largest and the middle amplitude, each equation has a scale of its own:
    //     l sin V = s sin W,  m sin U = s sin W,  W = phi - U - V.
    const Symmetric sym(f);
    const double l = sym.largest(), m = sym.middle(), s = sym.smallest();
    auto [V, U] = sym.anglesAt(x, y);
    double bestV = V, bestU = U, least = std::numeric_limits<double>::infinity(), lastStep = least;
    int still = 0;
    for (int i = 0; i < limit; ++i) {
        const double W = sym.phi - U - V;
        const double last = s * std::sin(W), first = l * std::sin(V) - last, second = m * std::sin(U) - last;
        const double residual = std::max(std::abs(first) / l, std::abs(second) / m);
        if (residual < least) {
            least = residual;
            bestV = V;
            bestU = U;
            still = 0;
        } else if (++still > 3 && least < slopeRoundings * rounding) {
            break;
        }
        const double mixed = s * std::cos(W), a = l * std::cos(V) + mixed, b = m * std::cos(U) + mixed;
        const double det = a * b - mixed * mixed;
        if (residual == 0 || det == 0)
            break;
        double dV = (mixed * second - b * first) / det, dU = (mixed * first - a * second) / det;
        const double length = std::hypot(dV, dU);
        if (!std::isfinite(length))
            break;
        if (length > longestStep) {
            dV *= longestStep / length;
            dU *= longestStep / length;
        }
        V += dV;
        U += dU;
        if (length < 4 * rounding && lastStep < 4 * rounding)
            break;
        lastStep = length;
    }
    if (!(least < slopeRoundings * rounding))
        return std::nullopt;
    return sym.joints(bestV, bestU);
}

CriticalPoints criticalPointsByPolynomial(const ThreeBodyCoefficients& f)
{
    CriticalPoints result;
    result.continuum = continuumOf(f);
    if (result.continuum != Continuum::None)
        return result;
    const Symmetric s(f);
    Collector collector(f);
    if (s.smallest() < smallAmplitude * s.middle()) {
        // Each point continues one of the four of f = a cos X + b cos Y.
        for (const double u : {0.0, pi})
            for (const double v : {0.0, pi})
                collector.tryFrom(s.joints(u, v));
        result.points = collector.take();
        return result;
    }
    const double l = s.largest(), m = s.middle(), n = s.smallest();
    const std::vector<double> angles =
        n < negligibleLead * l ? limitRoots(m, n, s.phi) : circleRoots(eliminant(l, m, n, s.phi));
    for (const double angle : angles) {
        ++result.polynomialRoots;
        // l sin V = n sin(phi - angle - V): e^{iV} = +-(l + n e^{i(phi - angle)}); the sign by m sin U = l
        // sin V, which Newton's iteration decides.
        const double other = std::arg(l + n * std::polar(1.0, s.phi - angle));
        collector.tryFrom(s.joints(other, angle));
        collector.tryFrom(s.joints(other + pi, angle));
    }
    if (l - n < 0.1 * l) {
        // Where l + n e^{i(phi - U)} vanishes, sin V = (m/l) sin U has two solutions.
        const double angle = s.phi + pi, other = std::asin(std::clamp(m / l * std::sin(angle), -1.0, 1.0));
        collector.tryFrom(s.joints(other, angle));
        collector.tryFrom(s.joints(pi - other, angle));
    }
    result.points = collector.take();
    return result;
}

CriticalPoints criticalPoints(const ThreeBodyCoefficients& f)
{
    CriticalPoints result;
    result.continuum = continuumOf(f);
    if (result.continuum != Continuum::None)
        return result;
    return f.aligned() ? alignedPoints(f) : criticalPointsByPolynomial(f);
}

std::array<C, 7> sextic(const ThreeBodyCoefficients& f)
{
    // Products of polynomials in u, lowest power first
    const auto times = [](const std::vector<C>& p, const std::vector<C>& q) {
        std::vector<C> r(p.size() + q.size() - 1);
        for (std::size_t i = 0; i < p.size(); ++i)
            for (std::size_t j = 0; j < q.size(); ++j)
                r[i + j] += p[i] * q[j];
        return r;
    };
    const C a = f.A1, p1 = f.P1(), p2 = f.P2();
    const std::vector<C> square{-std::conj(p1), 0, p1}, shift{0, a * a}, rest{p2, 0, -std::conj(p2)};
    const std::vector<C> first = times(times({a, std::conj(p2)}, {p2, a}), times(square, square));
    const std::vector<C> second = times(shift, times(rest, rest));
    std::array<C, 7> c{};
    for (std::size_t k = 0; k < 7; ++k)
        c[6 - k] = first[k] - (k < second.size() ? second[k] : 0.0);
    return c;
}

} // namespace casimir::planar
