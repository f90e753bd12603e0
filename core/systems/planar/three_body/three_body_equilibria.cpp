#include "core/systems/planar/three_body/three_body_equilibria.h"

#include "core/model/analysis.h"
#include "core/numerics/dense.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace casimir::planar {

namespace {

using std::numbers::pi;
using C = std::complex<double>;

std::string straightName(const CriticalPoint& point)
{
    return fmt::format("{}-{}", point.x == 0 ? "0" : "pi", point.y == 0 ? "0" : "pi");
}

ThreeBodyEquilibrium equilibriumAt(const ThreeBody& bodies, const CriticalPoint& point)
{
    ThreeBodyEquilibrium e;
    e.x = point.x;
    e.y = point.y;
    e.index = point.index;
    e.zero = point.zero;
    e.merged = point.merged;
    e.lockedInertia = bodies.lockedInertia(e.x, e.y);
    e.omega = bodies.mu() / e.lockedInertia;
    e.energy = 0.5 * bodies.mu() * e.omega;
    e.momenta = bodies.lockedMomenta(e.x, e.y);
    // D^2 V = -(omega^2/M) D^2 f
    e.potentialHessian =
        shapeSlope(bodies.coefficients(), e.x, e.y).hessian * (e.omega * e.omega / bodies.mass());
    e.polynomial = leafPolynomial(bodies, e.x, e.y);
    e.eigenvalues = leafEigenvalues(e.polynomial);
    e.secondVariation = bodies.hamiltonianHessian(e.state());
    e.secondVariationEigenvalues = dense::symmetricValues(e.secondVariation);
    e.signature = {5 - e.index - e.zero, e.index, e.zero};
    e.stability = stabilityOf(e.index, e.zero, e.polynomial);
    e.basis = e.stability == verdict::stable ? basis::energyCasimir : basis::linearisation;
    return e;
}

std::string nearestOther(const ThreeBodyEquilibrium& e, const std::vector<ThreeBodyEquilibrium>& all)
{
    std::vector<std::pair<double, std::string>> others;
    for (const ThreeBodyEquilibrium& o : all)
        if (o.name != e.name && o.zero > 0)
            others.emplace_back(std::hypot(principalAngle(o.x - e.x), principalAngle(o.y - e.y)), o.name);
    std::sort(others.begin(), others.end());
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(others.size(), 3); ++i)
        text += fmt::format("{}{} ({:.2g} rad away)", i ? " and " : "", others[i].second, others[i].first);
    return text;
}

std::string degenerateDetail(const ThreeBody& bodies, const ThreeBodyEquilibrium& e,
                             const std::vector<ThreeBodyEquilibrium>& all)
{
    const double size = e.omega * e.omega / bodies.mass() * bodies.coefficients().size();
    const double half = 0.5 * e.potentialHessian.trace();
    const double spread =
        std::hypot(0.5 * (e.potentialHessian(0, 0) - e.potentialHessian(1, 1)), e.potentialHessian(0, 1));
    const double least = std::min(std::abs(half - spread), std::abs(half + spread)) / size;
    std::string text =
        fmt::format("The second variation has {} to {:.1g} of its scale, so neither it nor the "
                    "linearisation decides. ",
                    e.zero == 2 ? "two zeros" : "a zero", std::max(least, 1e-16));
    if (e.merged == 4)
        text += "A monkey saddle: three saddles and an extremum coincide here to rounding.";
    else if (e.merged == 3)
        text += "A triple (pitchfork or cusp): three equilibria coincide here to rounding, within about 1e-5 "
                "rad.";
    else if (e.merged == 2)
        text += "A pair (fold): two equilibria coincide here to rounding, within about 1e-7 rad.";
    else if (const std::string others = nearestOther(e, all); !others.empty())
        text += "About to merge with " + others + ".";
    else
        text += "The potential is nearly flat along one angle.";
    return text;
}

std::string detailOf(const ThreeBodyEquilibrium& e)
{
    const auto& s = e.eigenvalues;
    const auto& [p, q] = e.polynomial;
    if (e.index == 0)
        return fmt::format(
            "V has a minimum here, so H + C with Φ' = {:.6g} is positive definite (energy-Casimir): "
            "Liapunov stable; small oscillations have the rates {:.6g} and {:.6g}.",
            -e.omega, std::abs(s[2].imag()), std::abs(s[3].imag()));
    if (e.index == 1)
        return fmt::format(
            "V has a saddle here (index 1), which gives a real eigenvalue, {:.6g}, whatever the "
            "gyroscopic terms do: unstable.",
            s[3].real());
    if (e.stability == verdict::spectrallyStable)
        return fmt::format(
            "V has a maximum here (index 2), but the gyroscopic terms hold it: p = {:.4g} > 2 sqrt(q) = "
            "{:.4g}, so all four eigenvalues are imaginary. H is indefinite and the energy-Casimir method "
            "says nothing; dissipation would destroy it.",
            p, 2 * std::sqrt(std::max(q, 0.0)));
    if (s[3].imag() != 0)
        return fmt::format(
            "V has a maximum here (index 2) and the gyroscopic terms are too weak, p^2 = {:.4g} < 4 q = "
            "{:.4g}: a complex quadruple with growth rate {:.6g}.",
            p * p, 4 * q, s[3].real());
    return fmt::format("V has a maximum here (index 2) and the gyroscopic terms do not help: two real pairs, "
                       "+-{:.6g} and +-{:.6g}.",
                       s[3].real(), s[2].real());
}

std::string familyDetail(const char* what, bool least)
{
    return fmt::format(
        "{} The second variation is zero along the family, so no single state of it is stable; {}", what,
        least ? "the family as a whole is, since V is least on it."
              : "V is largest on it, and the family as a whole is unstable.");
}

void addFamilies(const ThreeBody& bodies, Continuum continuum, ThreeBodyEquilibria& result)
{
    const ThreeBodyCoefficients& f = bodies.coefficients();
    const auto add = [&](std::string condition, double x, double y, std::string detail) {
        const double inertia = bodies.lockedInertia(x, y), omega = bodies.mu() / inertia;
        result.families.push_back({std::move(condition), omega, 0.5 * bodies.mu() * omega,
                                   bodies.lockedMomenta(x, y), verdict::degenerate, std::move(detail)});
    };
    const char* reason = "";
    switch (continuum) {
    case Continuum::None:
        return;
    case Continuum::Everywhere:
        reason = "A1, B1, B2, C1 and C2 all vanish: nothing couples the bodies, the potential is constant "
                 "and every "
                 "shape is an equilibrium.";
        add("any θ₂₁ and θ₃₂", 0, 0, familyDetail("Nothing couples the bodies.", true));
        break;
    case Continuum::Sum:
        reason = "b1 = e1 = e2 = 0: both hinges sit at the centre of mass of body 2, whose angle is free; "
                 "two circles "
                 "of equilibria.";
        add("θ₂₁ + θ₃₂ = 0", 0, 0, familyDetail("Body 2 may stand at any angle.", true));
        add("θ₂₁ + θ₃₂ = π", 0, pi, familyDetail("Body 2 may stand at any angle.", false));
        break;
    case Continuum::Joint21: {
        reason = "d1 = 0: body 3 is hinged at its own centre of mass and its angle is free; two circles of "
                 "equilibria.";
        const double x = principalAngle(-std::arg(f.P1()));
        add(fmt::format("θ₂₁ = {:.12g}", x), x, 0, familyDetail("Body 3 may stand at any angle.", true));
        add(fmt::format("θ₂₁ = {:.12g}", principalAngle(x + pi)), x + pi, 0,
            familyDetail("Body 3 may stand at any angle.", false));
        break;
    }
    case Continuum::Joint32: {
        reason = "c1 = 0: body 1 is hinged at its own centre of mass and its angle is free; two circles of "
                 "equilibria.";
        const double y = principalAngle(-std::arg(f.P2()));
        add(fmt::format("θ₃₂ = {:.12g}", y), 0, y, familyDetail("Body 1 may stand at any angle.", true));
        add(fmt::format("θ₃₂ = {:.12g}", principalAngle(y + pi)), 0, y + pi,
            familyDetail("Body 1 may stand at any angle.", false));
        break;
    }
    }
    result.status = Status::failed("degenerate", reason);
}

} // namespace

LeafPolynomial leafPolynomial(const ThreeBody& bodies, double x, double y)
{
    const auto g = bodies.couplings(x, y);
    const Eigen::Vector3d R = bodies.J(x, y).rowwise().sum();
    const double inertia = bodies.lockedInertia(x, y), omega = bodies.mu() / inertia, w2 = omega * omega;
    const double l = g.J12 * g.J23 + g.J23 * g.J13 + g.J13 * g.J12;
    // K12 = K23 = K31 at an equilibrium: the mean of the three
    const double k = (g.K12 + g.K23 - g.K13) / 3;
    // T = R2 R3 L11 + R1 R3 L22 + R1 R2 L33, L the Laplacian with weights J
    const double T =
        R[1] * R[2] * (g.J12 + g.J13) + R[0] * R[2] * (g.J12 + g.J23) + R[0] * R[1] * (g.J13 + g.J23);
    const Eigen::Vector3d& d = bodies.augmentedInertias();
    const double l21 = g.J12 / d[0], l31 = g.J13 / d[0], p2 = d[1] - l21 * g.J12, s = g.J23 - l31 * g.J12;
    const double p3 = d[2] - l31 * g.J13 - s / p2 * s;
    const double det = d[0] * p2 * p3;
    return {w2 * ((T - 2 * l * inertia + 4 * k * k * inertia) / det), w2 * w2 * (l * inertia / det)};
}

std::array<C, 4> leafEigenvalues(const LeafPolynomial& polynomial)
{
    const auto& [p, q] = polynomial;
    const double half = p / 2, under = half * half - q;
    std::array<C, 4> s;
    if (under < 0) {
        // s^2 = -p/2 +- i r with |s|^2 = sqrt(q): s = +-(re +- i im)
        const double modulus = std::sqrt(q);
        double re, im;
        if (half > 0) {
            im = std::sqrt((modulus + half) / 2);
            re = std::sqrt(-under) / (2 * im);
        } else {
            re = std::sqrt((modulus - half) / 2);
            im = std::sqrt(-under) / (2 * re);
        }
        s = {C(-re, -im), C(-re, im), C(re, -im), C(re, im)};
    } else {
        // The larger root of s^2 without cancellation, the other from the product q
        const double larger = half > 0 ? -half - std::sqrt(under) : -half + std::sqrt(under);
        const double smaller = larger != 0 ? q / larger : 0;
        const auto root = [](double square) {
            return square >= 0 ? C(std::sqrt(square), 0) : C(0, std::sqrt(-square));
        };
        const C a = root(larger), b = root(smaller);
        s = {-a, -b, a, b};
        for (C& z : s)
            z = {z.real() + 0.0, z.imag() + 0.0}; // no -0
    }
    std::sort(s.begin(), s.end(), [](const C& a, const C& b) {
        return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
    return s;
}

std::string stabilityOf(int index, int zero, const LeafPolynomial& polynomial)
{
    if (zero > 0)
        return verdict::degenerate;
    if (index == 0)
        return verdict::stable;
    if (index == 2 && polynomial.p > 0 && polynomial.p * polynomial.p > 4 * polynomial.q)
        return verdict::spectrallyStable;
    return verdict::unstable;
}

ThreeBodyEquilibria equilibria(const ThreeBody& bodies)
{
    ThreeBodyEquilibria result;
    if (bodies.mu() == 0) {
        result.status =
            Status::failed("degenerate", "μ = 0: the amended potential vanishes and the bodies rest at any "
                                         "joint angles; there are no isolated equilibria.");
        result.families.push_back(
            {"any θ₂₁ and θ₃₂", 0, 0, Eigen::Vector3d::Zero(), verdict::degenerate,
             "All momenta vanish. The slightest momentum makes the joints turn, so no single "
             "state is stable; H is least on the whole torus."});
        return result;
    }
    const CriticalPoints found = criticalPoints(bodies.coefficients());
    if (found.continuum != Continuum::None) {
        addFamilies(bodies, found.continuum, result);
        return result;
    }
    const bool aligned = bodies.coefficients().aligned();
    int number = 0, extra = 0;
    for (const CriticalPoint& point : found.points) {
        ThreeBodyEquilibrium e = equilibriumAt(bodies, point);
        e.kind = !aligned ? "general" : point.straight ? "fundamental" : "extra";
        e.name = !aligned         ? fmt::format("general-{}", ++number)
                 : point.straight ? straightName(point)
                                  : (extra++ == 0 ? "extra-plus" : "extra-minus");
        if (aligned)
            e.title = !point.straight
                          ? (e.x > 0 ? "bent left" : "bent right")
                          : fmt::format("straight ({}, {})", e.x == 0 ? "0" : "π", e.y == 0 ? "0" : "π");
        result.equilibria.push_back(std::move(e));
    }
    for (ThreeBodyEquilibrium& e : result.equilibria)
        e.detail = e.zero > 0 ? degenerateDetail(bodies, e, result.equilibria) : detailOf(e);
    return result;
}

Vec5<C> departure(const ThreeBody& bodies, const ThreeBodyEquilibrium& e, C s)
{
    // (s^2 J - 2 omega s K + omega^2 L) delta = 0: the null vector is the cross product of two rows, the
    // longest of the three there are.
    const Eigen::Matrix3d J = bodies.J(e.x, e.y), K = bodies.K(e.x, e.y);
    Eigen::Matrix3d L = -J;
    for (int k = 0; k < 3; ++k)
        L(k, k) += J.row(k).sum();
    const Eigen::Matrix3cd m =
        s * s * J.cast<C>() - 2.0 * e.omega * s * K.cast<C>() + e.omega * e.omega * L.cast<C>();
    Eigen::Vector3cd delta = Eigen::Vector3cd::Zero();
    for (int k = 0; k < 3; ++k) {
        const Eigen::RowVector3cd a = m.row(k), b = m.row((k + 1) % 3);
        const Eigen::Vector3cd n{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                 a[0] * b[1] - a[1] * b[0]};
        if (n.norm() > delta.norm())
            delta = n;
    }
    const C dx = delta[1] - delta[0], dy = delta[2] - delta[1];
    // mu = J omega: J s delta and the change of J, which is -K where x or y enters
    const double w = e.omega;
    const C a = -K(0, 1) * dx, b = -K(1, 2) * dy, c = -K(0, 2) * (dx + dy);
    const Eigen::Vector3cd dmu = s * (J.cast<C>() * delta) + w * Eigen::Vector3cd(a + c, a + b, b + c);
    Vec5<C> direction;
    direction << dx, dy, dmu;
    const double length = direction.head<2>().norm();
    return length > 0 ? Vec5<C>(direction / length) : Vec5<C>(Vec5<C>::Unit(0));
}

} // namespace casimir::planar
