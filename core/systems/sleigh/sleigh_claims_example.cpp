// Section 5: Chaplygin's sleigh on the flat.
#include "core/numerics/quadrature.h"
#include "core/systems/sleigh/sleigh_checks.h"

#include <numbers>

namespace casimir::sleigh::claims {

namespace {

// Long enough to see every formula at work, short enough that no sample turns beyond |u| = pi/2 by rounding.
constexpr double runTime = 0.8;

double ratioOf(const Vector5& x)
{
    return x[V] / x[PhiDot];
}

X3 etaOf(const Sample& s) // phi', x', y'
{
    return {s.x[PhiDot], s.x[V] * std::cos(s.x[Phi]), s.x[V] * std::sin(s.x[Phi])};
}

double u(const Sample& s)
{
    return std::atan((ratioOf(s.x) - s.p().b) / s.kappa());
}

// c of (5.7) from the start.
double constantOf(const Sample& s)
{
    return s.kappa() * u(s) - s.p().a * s.x[Phi];
}

double printedKinetic(const Sample& s)
{
    const X3 eta = etaOf(s);
    const double w = eta[0], sine = std::sin(s.x[Phi]), cosine = std::cos(s.x[Phi]), a = s.p().a, b = s.p().b;
    const double first = eta[1] * eta[1] - w * (a * sine + b * cosine);
    const double second = eta[2] * eta[2] - w * (a * cosine - b * sine);
    return 0.5 * (first * first + second * second + s.p().k * s.p().k * w * w);
}

// The bracket of (5.5).
double bracket55(const Sample& s, const X3& prime)
{
    const double sine = std::sin(s.x[Phi]), cosine = std::cos(s.x[Phi]), a = s.p().a, b = s.p().b;
    return prime[1] * prime[1] - 2 * prime[1] * (a * sine + b * cosine) + prime[2] * prime[2] +
           2 * prime[2] * (a * cosine - b * sine) + a * a + b * b + s.p().k * s.p().k;
}

double bracket(const Sample& s, double ratio)
{
    const double a = s.p().a, b = s.p().b, k = s.p().k;
    return ratio * ratio - 2 * b * ratio + a * a + b * b + k * k;
}

// x(phi) - x(phi0) from the paper's formula; as printed, with sin of theta' in its first term.
double displacementX(const Sample& s, const Vector5& end, bool printed)
{
    const double c = constantOf(s), b = s.p().b;
    const auto integrand = [&](double phi) { return std::cos(phi) * (s.f.thetaPrime(phi, c) - b); };
    const double integral = adaptiveIntegral(integrand, s.x[Phi], end[Phi], 1e-14).value;
    const double first =
        printed ? std::sin(ratioOf(end)) - std::sin(ratioOf(s.x)) : std::sin(end[Phi]) - std::sin(s.x[Phi]);
    return b * first + integral;
}

double displacementY(const Sample& s, const Vector5& end)
{
    const double c = constantOf(s), b = s.p().b;
    const auto integrand = [&](double phi) { return std::sin(phi) * (s.f.thetaPrime(phi, c) - b); };
    return -b * (std::cos(end[Phi]) - std::cos(s.x[Phi])) +
           adaptiveIntegral(integrand, s.x[Phi], end[Phi], 1e-14).value;
}

// t(phi) - t(phi0) by the paper's logarithm.
double timeBetween(const Sample& s, const Vector5& end)
{
    const double kappa = s.kappa(), c = constantOf(s), speed = std::sqrt(2 * s.kinetic());
    const auto logarithm = [&](double phi) {
        return std::log(std::tan(std::numbers::pi / 4 + (s.p().a * phi + c) / (2 * kappa)));
    };
    return kappa * kappa / (s.p().a * speed) * (logarithm(end[Phi]) - logarithm(s.x[Phi]));
}

double asymptotics(const Sample& s)
{
    const SleighForecast f = s.f.forecast(s.x);
    if (!f.phiFinal || !f.phiInitial || !f.turnTotal)
        return std::numeric_limits<double>::quiet_NaN();
    const double long_ = 34 / f.rate; // e^-34 is below rounding
    const Vector5 end = moved(s.p(), s.x, long_), before = moved(s.p(), s.x, -long_);
    return off(end[V], f.asymptoticSpeed) + off(before[V], -f.asymptoticSpeed) +
           std::abs(end[Phi] - *f.phiFinal) + std::abs(before[Phi] - *f.phiInitial) +
           off(std::abs(end[Phi] - before[Phi]), *f.turnTotal);
}

double growth(const Sample& s)
{
    // Beside the straight run with the mass centre behind, a rate of turn of 1e-9 over a time 1/rate.
    const double a = s.p().a, c = std::sqrt(2 * s.kinetic());
    const Vector5 beside(0, 0, 0, -std::copysign(c, a) + 1e-9 * s.p().b, 1e-9);
    const double rate = s.f.forecast(beside).rate;
    return off(moved(s.p(), beside, 1 / rate)[PhiDot], std::exp(1.0) * 1e-9);
}

double cusp(const Sample& s)
{
    const SleighForecast f = s.f.forecast(s.x);
    if (!f.cuspTime || !f.cuspPhi)
        return std::numeric_limits<double>::quiet_NaN();
    const Vector5 at = moved(s.p(), s.x, *f.cuspTime);
    return std::abs(at[V]) / f.speed + std::abs(at[Phi] - *f.cuspPhi);
}

} // namespace

void addExample(std::vector<ClaimCheck>& checks, const std::vector<Sample>& samples)
{
    const auto check = [&](auto deviation) { return over(samples, deviation); };
    const char* laws = "Against Newton's and Euler's laws.";
    checks.push_back({"section 5, constraint", "ẏ − ẋ tan φ = 0.", "The velocity of the runner.",
                      check([](const Sample& s) {
                          const X3 eta = etaOf(s);
                          return off(eta[2], eta[1] * std::tan(s.x[Phi]));
                      }),
                      check([](const Sample& s) {
                          const X3 eta = etaOf(s);
                          return off(eta[2], eta[1] * std::tan(s.x[V]));
                      }),
                      "Printed tan θ; the next display has φ."});
    checks.push_back(
        {"(5.1)", "η₁ = θ₁ = φ', η₂ = θ₂ cos φ, η₃ = θ₂ sin φ.", "Against the velocity of the runner.",
         check([](const Sample& s) {
             return off(s.model(Variables::Space).parametrisation(s.place()) * s.theta(Variables::Space),
                        etaOf(s));
         }),
         check([](const Sample& s) {
             const Vector5 rate = newtonEuler(s.p(), s.x).field;
             return off(s.model(Variables::Space).parametrisation(s.place()) * Theta(rate[PhiDot], rate[V]),
                        etaOf(s));
         }),
         "Printed with dots on θ₁ and θ₂, which are velocities already."});
    checks.push_back(
        {"2T_0", "2T₀ = [η₂ − φ'(a sin φ + b cos φ)]² + [η₃ + φ'(a cos φ − b sin φ)]² + k²φ'².",
         "Against the velocity of the mass centre of the embedded body.",
         check([](const Sample& s) { return off(s.f.kinetic(s.place(), etaOf(s)), s.kinetic()); }),
         check([](const Sample& s) { return off(printedKinetic(s), s.kinetic()); }),
         "Printed with η_2² and η_3² inside the squares and a minus in the second bracket."});
    checks.push_back({"(5.3)", "η'_2 = η₂/φ', η'_3 = η₃/φ', θ'_2 = θ₂/φ'.",
                      "η'_2 = dx/dφ of the motion, by its neighbours in time.", check([](const Sample& s) {
                          constexpr double h = 1e-3;
                          const Vector5 f2 = moved(s.p(), s.x, 2 * h), f1 = moved(s.p(), s.x, h),
                                        b1 = moved(s.p(), s.x, -h), b2 = moved(s.p(), s.x, -2 * h);
                          const auto slope = [&](int i) { return 8 * (f1[i] - b1[i]) - (f2[i] - b2[i]); };
                          return off(slope(X) / slope(Phi), etaOf(s)[1] / s.x[PhiDot]);
                      }),
                      check([](const Sample& s) { return off(1 / s.x[Phi], 1 / s.x[PhiDot]); }),
                      "Printed with φ for φ' in the denominators.", 9});
    checks.push_back({"(5.4)", "η'_2 = θ'_2 cos φ, η'_3 = θ'_2 sin φ.", "Against the velocity of the runner.",
                      check([](const Sample& s) {
                          return off(ratioOf(s.x) * std::cos(s.x[Phi]), etaOf(s)[1] / s.x[PhiDot]);
                      }),
                      check([](const Sample& s) {
                          return off(ratioOf(s.x) * std::cos(ratioOf(s.x)), etaOf(s)[1] / s.x[PhiDot]);
                      }),
                      "Printed cos θ in the first."});
    checks.push_back({"(5.5)",
                      "2T₀ = φ'²[η'_2² − 2η'_2(a sin φ + b cos φ) + η'_3² + 2η'_3(a cos φ − b sin φ) + δ²].",
                      "Against the kinetic energy of the embedded body.", check([](const Sample& s) {
                          const double w = s.x[PhiDot];
                          return off(0.5 * w * w * bracket55(s, etaOf(s) / w), s.kinetic());
                      })});
    checks.push_back(
        {"(5.2), (5.6)", "φ' follows from h and the bracket of (5.5).",
         "After some time, with h of the start.", check([](const Sample& s) {
             Sample end = s;
             end.x = moved(s.p(), s.x, runTime);
             const double w = end.x[PhiDot];
             return off(std::copysign(std::sqrt(2 * s.kinetic() / bracket55(end, etaOf(end) / w)), w), w);
         })});
    checks.push_back(
        {"T₀', T'", "T₀' = T' = {2h(θ'² − 2bθ' + δ²)}^(1/2).", "Against 2T/|φ'|.", check([](const Sample& s) {
             return off(std::sqrt(2 * s.kinetic() * bracket(s, ratioOf(s.x))),
                        2 * s.kinetic() / std::abs(s.x[PhiDot]));
         })});
    checks.push_back({"K_12^2, K_12^3", "K_12^2 = sin φ, K_12^3 = −cos φ, K_22 = 0.",
                      "K by automatic differentiation.", check([](const Sample& s) {
                          const auto k = s.f.curvature(Variables::Space, s.place());
                          return std::abs(k[1](0, 1) - std::sin(s.x[Phi])) +
                                 std::abs(k[2](0, 1) + std::cos(s.x[Phi])) + std::abs(k[1](1, 1)) +
                                 std::abs(k[2](1, 1));
                      })});
    checks.push_back(
        {"before (5.7)", "dθ'/(θ'² − 2bθ' + δ²) = a dφ/(a² + k²).", laws, check([](const Sample& s) {
             const Vector5 rate = newtonEuler(s.p(), s.x).field;
             const double w = s.x[PhiDot];
             return off((rate[V] * w - s.x[V] * rate[PhiDot]) / (w * w * w),
                        s.p().a * bracket(s, ratioOf(s.x)) / (s.kappa() * s.kappa()));
         })});
    checks.push_back({"(5.7)", "θ' = b + κ tan((aφ + c)/κ), κ² = a² + k², c a length.",
                      "v/φ' after some time, by Newton's and Euler's laws.", check([](const Sample& s) {
                          const Vector5 end = moved(s.p(), s.x, runTime);
                          return off(s.f.thetaPrime(end[Phi], constantOf(s)), ratioOf(end));
                      })});
    checks.push_back({"x(φ), y(φ)", "x = b sin φ + κ∫cos φ tan u dφ, y = −b cos φ + κ∫sin φ tan u dφ.",
                      "Displacements after some time, by Newton's and Euler's laws.",
                      check([](const Sample& s) {
                          const Vector5 end = moved(s.p(), s.x, runTime);
                          return off(Theta(displacementX(s, end, false), displacementY(s, end)),
                                     Theta((end - s.x).head<2>()));
                      }),
                      check([](const Sample& s) {
                          const Vector5 end = moved(s.p(), s.x, runTime);
                          return off(displacementX(s, end, true), end[X] - s.x[X]);
                      }),
                      "Printed b sin θ in x."});
    checks.push_back({"t(φ)", "t = sgn(φ') (κ²/(a√(2h))) ln tan(π/4 + u/2) + d, |u| < π/2.",
                      "The time that passed, by Newton's and Euler's laws.", check([](const Sample& s) {
                          const Vector5 end = moved(s.p(), s.x, runTime);
                          return off(std::copysign(1.0, s.x[PhiDot]) * timeBetween(s, end), runTime);
                      }),
                      check([](const Sample& s) {
                          const Vector5 end = moved(s.p(), s.x, runTime);
                          return off(timeBetween(s, end), runTime);
                      }),
                      "Printed for φ' > 0 only, without the sign."});
    checks.push_back({"equations of motion", "s' = aφ'², κ²φ'' = −a s φ'.", laws, check([](const Sample& s) {
                          return off(s.f.field(s.x), newtonEuler(s.p(), s.x).field);
                      })});
    checks.push_back({"constraint force", "N = s φ' k²/κ².", laws, check([](const Sample& s) {
                          return off(s.f.force(s.x), newtonEuler(s.p(), s.x).force);
                      })});
    checks.push_back({"closed form", "s = c tanh τ, φ' = ±(c/κ) sech τ, φ = φ₀ ± (κ/a)(gd τ − gd τ₀).",
                      "The state after 3 s, by Newton's and Euler's laws.", check([](const Sample& s) {
                          return off(s.f.closedForm(s.x, 3), moved(s.p(), s.x, 3));
                      })});
    checks.push_back({"asymptotics",
                      "It ends with the mass centre ahead, having turned by πκ/|a| over all time.",
                      "By Newton's and Euler's laws, long before and long after.",
                      check(asymptotics),
                      {},
                      {},
                      9});
    checks.push_back({"instability",
                      "Beside the straight run with the mass centre behind φ' grows at |a|√(2h)/κ².",
                      "By Newton's and Euler's laws from φ' = 1e-9.",
                      check(growth),
                      {},
                      {},
                      9});
    checks.push_back({"cusp",
                      "v = 0 where tan u = −b/κ.",
                      "The state at that time, by Newton's and Euler's laws.",
                      check(cusp),
                      {},
                      {},
                      9});
}

} // namespace casimir::sleigh::claims
