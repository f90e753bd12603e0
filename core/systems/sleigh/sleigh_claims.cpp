#include "core/systems/sleigh/sleigh_claims.h"

#include "core/numerics/methods.h"
#include "core/systems/sleigh/sleigh_checks.h"

#include <Eigen/LU>

#include <numbers>

namespace casimir::sleigh {

namespace claims {

double Sample::kinetic() const
{
    // The velocity of the mass centre by differentiating where it is.
    const Vec<double, 3> rate(x[PhiDot], x[V] * std::cos(x[Phi]), x[V] * std::sin(x[Phi]));
    const C3 at = stepped<3>(place(), rate);
    const double vx = derivativeOf(at[1] + p().a * std::cos(at[0]) - p().b * std::sin(at[0]));
    const double vy = derivativeOf(at[2] + p().a * std::sin(at[0]) + p().b * std::cos(at[0]));
    return 0.5 * (vx * vx + vy * vy + p().k * p().k * x[PhiDot] * x[PhiDot]);
}

double Sample::potential() const
{
    return -p().G * (x[X] + std::cos(x[Phi]) * p().a - std::sin(x[Phi]) * p().b);
}

Laws newtonEuler(const SleighParameters& p, const Vector5& x)
{
    // Rows: the mass centre's acceleration along and across the blade, and the turn about the mass centre.
    // Unknowns: v', w', N; the force acts at (-a, -b) from the mass centre.
    const double w = x[PhiDot], v = x[V];
    Eigen::Matrix3d m;
    m << 1, -p.b, 0, //
        0, p.a, -1,  //
        0, p.k * p.k, p.a;
    const Eigen::Vector3d right(p.a * w * w + p.G * std::cos(x[Phi]),
                                -v * w + p.b * w * w - p.G * std::sin(x[Phi]), 0);
    const Eigen::Vector3d solution = m.partialPivLu().solve(right);
    return {Vector5(v * std::cos(x[Phi]), v * std::sin(x[Phi]), w, solution[0], solution[1]), solution[2]};
}

Vector5 moved(const SleighParameters& p, const Vector5& x, double time)
{
    IntegrationOptions options;
    options.rtol = 1e-15;
    const auto run = startIntegration(
        "rkf78", [&p](double, const State& at, State& rate) { rate = newtonEuler(p, at).field; }, 0, x,
        options);
    if (!advanceTo(*run, time).ok())
        return Vector5::Constant(std::numeric_limits<double>::quiet_NaN());
    return run->state();
}

std::vector<Sample> samplesOf(unsigned seed, const FormulaMaker& formulas, bool slope, int count)
{
    std::mt19937_64 engine(seed);
    const auto draw = [&engine](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine);
    };
    std::vector<Sample> samples;
    for (int i = 0; i < count; ++i) {
        SleighParameters p{draw(0.3, 1.2), draw(0.2, 0.8), draw(0.4, 1.2), 0};
        if (i % 2)
            p.a = -p.a;
        if (i % 3 == 1)
            p.b = -p.b;
        if (slope)
            p.G = draw(0.5, 2);
        const double w = draw(0.5, 1.5);
        const Vector5 x(draw(-1, 1), draw(-1, 1), draw(0.2, 1.3), draw(0.4, 2) * (i % 4 < 2 ? 1 : -1),
                        i % 4 == 1 || i % 4 == 2 ? -w : w);
        samples.push_back({formulas(p), x});
    }
    return samples;
}

namespace {

// phi, x, y, theta'_2 over phi by (4.11), on the energy of the sample; `closed`: with x and y carried along.
Theta reducedAfter(const Sample& s, double turn, bool closed)
{
    const double h = s.energy();
    const auto speeds = [&](const X3& at, double ratio) {
        const double b = s.p().b;
        const double Q = (ratio - b) * (ratio - b) + s.kappa() * s.kappa();
        const double V = -s.p().G * (at[1] + s.p().a * std::cos(at[0]) - b * std::sin(at[0]));
        const double w = std::copysign(std::sqrt(2 * (h - V) / Q), s.x[PhiDot]);
        return Theta(w, ratio * w);
    };
    const auto field = [&](double phi, const State& y, State& rate) {
        const X3 at(phi, y[0], y[1]);
        const Theta theta = speeds(at, y[2]);
        rate[0] = closed ? y[2] * std::cos(phi) : 0;
        rate[1] = closed ? y[2] * std::sin(phi) : 0;
        rate[2] = s.f.ratioRate(Variables::Space, at, theta);
        rate[3] = 1 / theta[0];
    };
    IntegrationOptions options;
    options.rtol = 1e-14;
    State start(4);
    start << s.x[X], s.x[Y], s.x[V] / s.x[PhiDot], 0;
    const auto run = startIntegration("rkf78", field, s.x[Phi], start, options);
    if (!advanceTo(*run, s.x[Phi] + turn).ok())
        return Theta::Constant(std::numeric_limits<double>::quiet_NaN());
    return {run->state()[2], run->state()[3]};
}

double reductionGap(const Sample& s, bool closed)
{
    // Over an arc of 0.1 s; the reduced form returns theta' and the time.
    const Vector5 end = moved(s.p(), s.x, 0.1);
    const Theta reduced = reducedAfter(s, end[Phi] - s.x[Phi], closed);
    return off(reduced[0], end[V] / end[PhiDot]) + off(reduced[1], 0.1);
}

void addSlope(std::vector<ClaimCheck>& checks, const std::vector<Sample>& samples)
{
    checks.push_back(
        {"(2.4) with a potential",
         "Poincaré's equations hold for L₀ = T − V on the slope, in all three choices of variables.",
         "Accelerations against Newton's and Euler's laws.", over(samples, [](const Sample& s) {
             double worst = 0;
             const Laws laws = newtonEuler(s.p(), s.x);
             for (const Variables v : allVariables) {
                 const Theta rate = s.f.accelerations(v, s.place(), s.theta(v));
                 worst = std::max(worst, off(Theta(rate[0], rate[1] + s.lever(v) * rate[0]),
                                             Theta(laws.field[PhiDot], laws.field[V])));
             }
             return worst;
         })});
    checks.push_back(
        {"(3.2) with a potential", "θ_i ∂L/∂θ_i − L is the energy T + V and is constant.",
         "Against the embedded body, at the start and after 1 s.", over(samples, [](const Sample& s) {
             Sample later = s;
             later.x = moved(s.p(), s.x, 1);
             const double first = s.f.energy(Variables::Space, s.place(), s.theta(Variables::Space));
             const double size = s.kinetic() + std::abs(s.potential());
             return std::abs(first - s.energy()) / size +
                    std::abs(later.f.energy(Variables::Space, later.place(), later.theta(Variables::Space)) -
                             first) /
                        size;
         })});
    checks.push_back({"(4.11) with a potential",
                      "Whittaker's equation gives dθ'/dφ on the slope, where L₀' = √(2(h − V)Q).",
                      "Against (v'φ' − vφ'')/φ'³ of Newton's and Euler's laws.",
                      over(samples, [](const Sample& s) {
                          const Vector5 rate = newtonEuler(s.p(), s.x).field;
                          const double w = s.x[PhiDot];
                          return off(s.f.ratioRate(Variables::Space, s.place(), s.theta(Variables::Space)),
                                     (rate[V] * w - s.x[V] * rate[PhiDot]) / (w * w * w));
                      })});
    checks.push_back(
        {"section 4, end",
         "With dx_s/dx₁ = η'_p ξ_p^s added, Whittaker's equations are closed and give the motion.",
         "θ' and the time after an arc of 0.1 s, run in φ and in time.",
         over(samples, [](const Sample& s) { return reductionGap(s, true); }),
         over(samples, [](const Sample& s) { return reductionGap(s, false); }),
         "n + k − 2 equations do not suffice where L₀', b or C depend on x₂ …: V does on x.", 10});
    checks.push_back(
        {"constraint force", "N = (sφ' + G sin φ) k²/κ².", "Against Newton's and Euler's laws.",
         over(samples, [](const Sample& s) { return off(s.f.force(s.x), newtonEuler(s.p(), s.x).force); })});
    // From here on a = 0: the knife edge.
    const auto edge = [](const Sample& s) {
        Sample e = s;
        e.f.p.a = 0;
        return e;
    };
    checks.push_back(
        {"knife edge, v(φ)", "With a = 0 φ' is constant and v = v₁ + (G/φ') sin φ.",
         "Against the motion by Newton's and Euler's laws after 2 s.", over(samples, [edge](const Sample& s) {
             const Sample e = edge(s);
             const Vector5 end = moved(e.p(), e.x, 2);
             const double w = e.x[PhiDot], G = e.p().G;
             return off(end[PhiDot], w) +
                    std::abs(end[V] - e.x[V] - G / w * (std::sin(end[Phi]) - std::sin(e.x[Phi]))) /
                        (std::abs(e.x[V]) + G / std::abs(w));
         })});
    checks.push_back(
        {"knife edge, drift", "Over a turn it does not descend and drifts sideways by (G/2φ')(2π/|φ'|).",
         "Against the motion by Newton's and Euler's laws over one turn.",
         over(samples, [edge](const Sample& s) {
             const Sample e = edge(s);
             const double w = e.x[PhiDot], period = 2 * std::numbers::pi / std::abs(w);
             const Vector5 end = moved(e.p(), e.x, period);
             const double drift = e.p().G / (2 * w) * period;
             return (std::abs(end[X] - e.x[X]) + std::abs(end[Y] - e.x[Y] - drift)) / std::abs(drift);
         })});
    checks.push_back(
        {"knife edge, cycloid", "With v₁ = 0 the track is a cycloid of the circle of radius G/(4φ'²).",
         "The closed form from rest at φ = 0 against the cycloid, and against Newton's and Euler's laws.",
         over(samples, [edge](const Sample& s) {
             Sample e = edge(s);
             const double w = e.x[PhiDot], r = e.p().G / (4 * w * w);
             const Vector5 rest(0, 0, 0, 0, w);
             const Vector5 end = formulasOf(e.p()).closedForm(rest, 1.7);
             const double roll = 2 * end[Phi];
             const Eigen::Vector2d cycloid(r * (1 - std::cos(roll)), r * (roll - std::sin(roll)));
             return off(end.head<2>(), cycloid) + off(end, moved(e.p(), rest, 1.7));
         })});
}

} // namespace

} // namespace claims

SleighFormulas formulasOf(const SleighParameters& p)
{
    using Equations = PoincareEquations<SleighModel>;
    using Whittaker = WhittakerReduction<SleighModel>;
    using X3 = SleighFormulas::X;
    using Theta = SleighFormulas::Theta;
    const auto equations = [p](Variables v) { return Equations(SleighModel{p, v}); };
    const auto whittaker = [equations](Variables v, const X3& x, const Theta& theta) {
        return Whittaker(equations(v), equations(v).energy(x, theta), theta[0] < 0 ? -1 : 1);
    };
    const auto ratio = [](const Theta& theta) { return Whittaker::Ratios(theta[1] / theta[0]); };
    SleighFormulas f;
    f.p = p;
    f.structure = [equations](Variables v, const X3& x) { return equations(v).structure(x); };
    f.curvature = [equations](Variables v, const X3& x) { return equations(v).curvature(x); };
    f.accelerations = [equations](Variables v, const X3& x, const Theta& theta) {
        return equations(v).accelerations(x, theta);
    };
    f.energy = [equations](Variables v, const X3& x, const Theta& theta) {
        return equations(v).energy(x, theta);
    };
    f.kinetic = [p](const X3& x, const X3& eta) { return SleighModel{p, Variables::Space}.kinetic(x, eta); };
    f.ratioRate = [whittaker, ratio](Variables v, const X3& x, const Theta& theta) {
        return whittaker(v, x, theta).rates(x, ratio(theta)).ratios[0];
    };
    f.eta1 = [whittaker, ratio](Variables v, const X3& x, const Theta& theta) {
        return whittaker(v, x, theta).eta1(x, ratio(theta));
    };
    f.thetaPrime = [p](double phi, double c) {
        const double kappa = std::hypot(p.a, p.k);
        return p.b + kappa * std::tan((p.a * phi + c) / kappa);
    };
    f.field = [p](const Vector5& x) { return Sleigh(p).field(x); };
    f.force = [p](const Vector5& x) { return Sleigh(p).force(x); };
    f.forecast = [p](const Vector5& x) { return forecast(Sleigh(p), x); };
    f.closedForm = [p](const Vector5& x, double t) { return SleighMotion(Sleigh(p), x).at(t); };
    return f;
}

std::vector<Claim> sleighClaims(unsigned seed, const FormulaMaker& formulas)
{
    const auto samples = claims::samplesOf(seed, formulas, false);
    std::vector<ClaimCheck> checks;
    claims::addMethod(checks, samples);
    claims::addExample(checks, samples);
    return judge(checks);
}

std::vector<Claim> slopeClaims(unsigned seed, const FormulaMaker& formulas)
{
    const auto samples = claims::samplesOf(seed, formulas, true);
    std::vector<ClaimCheck> checks;
    claims::addSlope(checks, samples);
    return judge(checks);
}

} // namespace casimir::sleigh
