// Sections 1 to 4: Poincare's equations, the energy integral, Whittaker's reduction, each with the sleigh as
// the system and in all three choices of variables.
#include "core/systems/sleigh/sleigh_checks.h"

namespace casimir::sleigh::claims {

namespace {

X3 trueVelocity(const Sample& s)
{
    return {s.x[PhiDot], s.x[V] * std::cos(s.x[Phi]), s.x[V] * std::sin(s.x[Phi])};
}

X3 etaOf(const Sample& s, Variables v)
{
    return s.model(v).parametrisation(s.place()) * s.theta(v);
}

// Newton's and Euler's rates of theta.
Theta trueRates(const Sample& s, Variables v)
{
    const Vector5 rate = newtonEuler(s.p(), s.x).field;
    return {rate[PhiDot], rate[V] - s.lever(v) * rate[PhiDot]};
}

template <class F>
double worstOfVariables(F deviation)
{
    double worst = 0;
    for (const Variables v : allVariables)
        worst = std::max(worst, deviation(v));
    return worst;
}

// X_p of the function sin(w . x), by a complex step along the frame.
X3 alongFrame(const Sample& s, Variables v, const X3& wave)
{
    const Mat<double, 3, 3> xi = s.model(v).frame(s.place());
    X3 result;
    for (int p = 0; p < 3; ++p) {
        const C3 at = stepped<3>(s.place(), xi.row(p).transpose());
        result[p] = derivativeOf(std::sin(wave[0] * at[0] + wave[1] * at[1] + wave[2] * at[2]));
    }
    return result;
}

double chainRule(const Sample& s, Variables v)
{
    const X3 wave(0.7, -0.4, 1.1);
    const C3 at = stepped<3>(s.place(), trueVelocity(s));
    const double direct = derivativeOf(std::sin(wave[0] * at[0] + wave[1] * at[1] + wave[2] * at[2]));
    return off(direct, etaOf(s, v).dot(alongFrame(s, v, wave)));
}

// The bracket of two fields given as functions of complex coordinates.
template <class F, class G>
X3 bracket(const X3& x, F first, G second)
{
    const auto real = [](const C3& z) { return X3(z.real()); };
    const X3 f = real(first(C3(x.cast<Complex>()))), g = real(second(C3(x.cast<Complex>())));
    const C3 along = second(stepped<3>(x, f)), back = first(stepped<3>(x, g));
    X3 result;
    for (int i = 0; i < 3; ++i)
        result[i] = derivativeOf(along[i]) - derivativeOf(back[i]);
    return result;
}

double commutators(const Sample& s, Variables v)
{
    const SleighModel model = s.model(v);
    const auto field = [&model](int p) {
        return [&model, p](const C3& x) { return C3(model.frame(x).row(p).transpose()); };
    };
    const Mat<double, 3, 3> xi = model.frame(s.place());
    const auto c = s.f.structure(v, s.place());
    double worst = 0;
    for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) {
            X3 sum = X3::Zero();
            for (int r = 0; r < 3; ++r)
                sum += c[static_cast<std::size_t>(r)](p, q) * xi.row(r).transpose();
            worst = std::max(worst, (sum - bracket(s.place(), field(p), field(q))).norm());
        }
    return worst;
}

// [Y_j, Y_i] = -K^p_ji X_p.
double curvatureIdentity(const Sample& s, Variables v)
{
    const SleighModel model = s.model(v);
    const auto field = [&model](int i) {
        return [&model, i](const C3& x) {
            return C3(model.frame(x).transpose() * model.parametrisation(x).col(i));
        };
    };
    const Mat<double, 3, 3> xi = model.frame(s.place());
    const auto k = s.f.curvature(v, s.place());
    double worst = 0;
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
            X3 sum = X3::Zero();
            for (int p = 0; p < 3; ++p)
                sum -= k[static_cast<std::size_t>(p)](j, i) * xi.row(p).transpose();
            worst = std::max(worst, (sum - bracket(s.place(), field(j), field(i))).norm());
        }
    return worst;
}

// dL0/deta_p: exact for a quadratic form, at complex arguments.
C3 momentaAt(const SleighModel& model, const C3& x, const C3& eta)
{
    C3 result;
    for (int p = 0; p < 3; ++p) {
        C3 up = eta, down = eta;
        up[p] += 1.0;
        down[p] -= 1.0;
        result[p] = 0.5 * (model.kinetic(x, up) - model.kinetic(x, down));
    }
    return result;
}

// (2.3) with the true accelerations put in.
double undetermined(const Sample& s, Variables v)
{
    const SleighModel model = s.model(v);
    const X3 eta = etaOf(s, v), m = momentaAt(model, s.place().cast<Complex>(), eta.cast<Complex>()).real();
    const C3 at = stepped<3>(s.place(), trueVelocity(s));
    const Vec<Complex, 2> theta = stepped<2>(s.theta(v), trueRates(s, v));
    const C3 etas = model.parametrisation(at) * theta, moving = momentaAt(model, at, etas);
    const auto c = s.f.structure(v, s.place());
    const Mat<double, 3, 3> xi = model.frame(s.place());
    X3 bracketed;
    for (int p = 0; p < 3; ++p) {
        const C3 shifted = stepped<3>(s.place(), xi.row(p).transpose());
        bracketed[p] =
            derivativeOf(moving[p]) - derivativeOf(model.kinetic(shifted, C3(eta.cast<Complex>())));
        for (int r = 0; r < 3; ++r)
            bracketed[p] -= c[static_cast<std::size_t>(r)].col(p).dot(eta) * m[r];
    }
    const Theta left = model.parametrisation(s.place()).transpose() * bracketed;
    return left.norm() / (1 + bracketed.norm());
}

double directEquations(const Sample& s, Variables v)
{
    return off(s.f.accelerations(v, s.place(), s.theta(v)), trueRates(s, v));
}

double energyIntegral(const Sample& s, Variables v)
{
    Sample later = s;
    later.x = moved(s.p(), s.x, 1);
    const double first = s.f.energy(v, s.place(), s.theta(v));
    return off(first, s.energy()) + off(first, later.f.energy(v, later.place(), later.theta(v)));
}

// L0' = sqrt(4 h T(x, eta')) at complex arguments.
Complex reduced(const Sample& s, Variables v, const C3& x, const C3& etaPrime)
{
    return std::copysign(1.0, s.x[PhiDot]) * std::sqrt(4 * s.kinetic() * s.model(v).kinetic(x, etaPrime));
}

// dL0'/deta'_alpha = dL0/deta_alpha and X_p L0' = X_p L0/eta_1.
double reducedDerivatives(const Sample& s, Variables v)
{
    const SleighModel model = s.model(v);
    const X3 eta = etaOf(s, v), prime = eta / eta[0];
    const C3 x = s.place().cast<Complex>(), primes = prime.cast<Complex>();
    const X3 m = momentaAt(model, x, eta.cast<Complex>()).real();
    const Mat<double, 3, 3> xi = model.frame(s.place());
    double worst = off(reduced(s, v, x, primes).real(), 2 * s.kinetic() / eta[0]); // (4.7)
    for (int a = 1; a < 3; ++a) {
        X3 unit = X3::Zero();
        unit[a] = 1;
        worst = std::max(worst, std::abs(derivativeOf(reduced(s, v, x, stepped<3>(prime, unit))) - m[a]));
    }
    for (int p = 0; p < 3; ++p) {
        const C3 along = stepped<3>(s.place(), xi.row(p).transpose());
        worst =
            std::max(worst, std::abs(derivativeOf(reduced(s, v, along, primes)) -
                                     derivativeOf(model.kinetic(along, C3(eta.cast<Complex>()))) / eta[0]));
    }
    return worst;
}

// d theta'_2/d phi by Newton's and Euler's laws.
double trueRatioRate(const Sample& s, Variables v)
{
    const Theta rate = trueRates(s, v), theta = s.theta(v);
    return (rate[1] * theta[0] - theta[1] * rate[0]) / std::pow(theta[0], 3);
}

} // namespace

void addMethod(std::vector<ClaimCheck>& checks, const std::vector<Sample>& samples)
{
    const auto inAll = [&samples](double (*deviation)(const Sample&, Variables)) {
        return over(samples, [deviation](const Sample& s) {
            return worstOfVariables([&](Variables v) { return deviation(s, v); });
        });
    };
    const char* frames = " In all three choices of variables.";

    checks.push_back(
        {"(1.2)", "ẋ_p = ξ_s^p η_s, the indices of ξ as in X_p = ξ_p^s ∂/∂x_s.",
         "The velocity of the runner from η in the frame of the blade.",
         over(samples,
              [](const Sample& s) {
                  const X3 eta = etaOf(s, Variables::Body);
                  return off(s.model(Variables::Body).frame(s.place()).transpose() * eta, trueVelocity(s));
              }),
         over(samples,
              [](const Sample& s) {
                  return off(s.model(Variables::Body).frame(s.place()) * etaOf(s, Variables::Body),
                             trueVelocity(s));
              }),
         "The indices of ξ are printed exchanged, here and in δx_p."});
    checks.push_back({"(1.3)", "df/dt = η_p X_p f along a motion.",
                      std::string("A test function of φ, x, y, by a complex step.") + frames,
                      inAll(chainRule)});
    checks.push_back(
        {"(1.4)", "[X_p, X_q] = C_pq^r X_r defines C, antisymmetric in p and q.",
         std::string("C found from the frame by automatic differentiation, against commutators by a "
                     "complex step.") +
             frames,
         inAll(commutators)});
    checks.push_back(
        {"(1.5), (2.1)", "η_p = b_pi θ_i satisfies the constraint for every θ.",
         std::string("The velocity across the blade.") + frames, over(samples, [](const Sample& s) {
             return worstOfVariables([&](Variables v) {
                 const X3 rate = s.model(v).frame(s.place()).transpose() * etaOf(s, v);
                 return std::abs(rate[2] * std::cos(s.x[Phi]) - rate[1] * std::sin(s.x[Phi])) / rate.norm();
             });
         })});
    checks.push_back({"(2.3)", "b_pi (d/dt ∂L₀/∂η_p − C_qp^r η_q ∂L₀/∂η_r − X_p L₀) = 0.",
                      std::string("With the accelerations of Newton's and Euler's laws put in.") + frames,
                      inAll(undetermined)});
    checks.push_back(
        {"K after (2.3)", "K^p_ji = Y_i(b_pj) − Y_j(b_pi) − C_qr^p b_qj b_ri.",
         std::string("K by automatic differentiation against [Y_j, Y_i] = −K^p_ji X_p by a complex "
                     "step.") +
             frames,
         inAll(curvatureIdentity)});
    checks.push_back({"(2.4)", "d/dt ∂L/∂θ_i − Y_i L + K^p_ji θ_j ∂L₀/∂η_p = 0 are the equations of motion.",
                      std::string("The accelerations against Newton's and Euler's laws.") + frames,
                      inAll(directEquations)});
    checks.push_back(
        {"(3.1), (3.2)", "θ_i ∂L/∂θ_i − L is constant, and is the energy of the body.",
         std::string("Against the energy of the embedded body, at the start and after 1 s.") + frames,
         inAll(energyIntegral)});
    checks.push_back(
        {"section 4, first lines", "ẋ₁ = η₁ = θ₁.", "The rate of φ against θ₁.",
         over(samples, [](const Sample& s) { return off(trueVelocity(s)[0], s.theta(Variables::Space)[0]); }),
         over(samples, [](const Sample& s) { return off(s.place()[0], s.theta(Variables::Space)[0]); }),
         "Printed x₁ = η₁ = θ₁, without the dot."});
    checks.push_back(
        {"section 4, b_1μ", "b_1μ = 0 for μ = 2 … k, and C^1_pα = 0.",
         std::string("b and C at random places; μ goes to k = 2, since b has no more columns (printed: to "
                     "n).") +
             frames,
         over(samples, [](const Sample& s) {
             return worstOfVariables([&](Variables v) {
                 return std::abs(s.model(v).parametrisation(s.place())(0, 1)) +
                        s.f.structure(v, s.place())[0].norm();
             });
         })});
    checks.push_back({"(4.4) to (4.8)", "L₀' = ∂K/∂η₁ has ∂L₀'/∂η'_α = ∂L₀/∂η_α and X_p L₀' = X_p L₀/η₁.",
                      std::string("By complex steps, L₀' = √(4hT(x, η')).") + frames,
                      inAll(reducedDerivatives)});
    checks.push_back({"(4.6)", "The energy integral gives η₁ from x and η'.",
                      std::string("Against φ'.") + frames, over(samples, [](const Sample& s) {
                          return worstOfVariables([&](Variables v) {
                              return off(s.f.eta1(v, s.place(), s.theta(v)), s.x[PhiDot]);
                          });
                      })});
    checks.push_back(
        {"before (4.11)", "The curvature enters as K^β_iμ η₁ θ'_i ∂L₀'/∂η'_β.",
         "dθ'/dφ against Newton's and Euler's laws; as printed only K^i_{22} = 0 remains within range.",
         over(samples,
              [](const Sample& s) {
                  return off(s.f.ratioRate(Variables::Space, s.place(), s.theta(Variables::Space)),
                             trueRatioRate(s, Variables::Space));
              }),
         // Without the term ∂L'/∂θ' is constant, and with it θ'.
         over(samples, [](const Sample& s) { return off(0, trueRatioRate(s, Variables::Space)); }),
         "Printed K^i_βμ, which (4.11) has right."});
    checks.push_back({"(4.11)", "d/dx₁ ∂L'/∂θ'_μ − Y_μ L' + K^β_iμ θ'_i ∂L₀'/∂η'_β = 0 gives dθ'/dφ.",
                      std::string("Against Newton's and Euler's laws.") + frames,
                      over(samples, [](const Sample& s) {
                          return worstOfVariables([&](Variables v) {
                              return off(s.f.ratioRate(v, s.place(), s.theta(v)), trueRatioRate(s, v));
                          });
                      })});
    checks.push_back(
        {"section 4, validity",
         "The reduction applies while η₁ ≠ 0, and loses accuracy as 1/η₁ when it goes to 0 (left unsaid).",
         "Near the end of the turn, cos u = 1e-3: d ln η₁/dφ by (4.11) against −(a/κ) tan u, which has no "
         "bound.",
         over(samples,
              [](const Sample& s) {
                  // Along (5.7) to where cos(u) is 1e-3: the closed form beside the rates of (4.11).
                  const double kappa = s.kappa(), b = s.p().b, u = std::acos(1e-3);
                  const Theta at(s.x[PhiDot], s.x[PhiDot] * (b + kappa * std::tan(u)));
                  const double rate = s.f.ratioRate(Variables::Space, s.place(), at);
                  // d ln(eta_1)/d phi = -(theta' - b)/Q dtheta'/d phi, which is -(a/kappa) tan(u).
                  const double ratio = at[1] / at[0], Q = (ratio - b) * (ratio - b) + kappa * kappa;
                  return off((ratio - b) / Q * rate, s.p().a / kappa * std::tan(u));
              }),
         {},
         {},
         9});
}

} // namespace casimir::sleigh::claims
