#include "core/systems/planar/three_body/three_body_claims.h"

#include "core/model/claims.h"
#include "core/numerics/dense.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <random>

namespace casimir::planar {

namespace {

using std::numbers::pi;
using Complex = std::complex<double>;
using Formulas = ThreeBodyFormulas;

struct Sample {
    ThreeBody bodies;
    double theta1, x, y;
    Eigen::Vector3d omega;

    const ThreeBodyParameters& p() const { return bodies.parameters(); }
};

// Kinetic energy of the hinged bodies from their velocities, the centre of mass at rest; no formula of the
// paper goes in. Angles may be complex, for derivatives.
template <class T>
T embeddedEnergy(const ThreeBodyParameters& p, const std::array<T, 3>& theta, const Eigen::Vector3d& omega)
{
    using std::cos;
    using std::sin;
    struct Plane {
        T x, y;
    };
    // velocity of e^{i theta} d
    const auto turning = [&](int k, double dx, double dy) {
        const T c = cos(theta[static_cast<std::size_t>(k)]), s = sin(theta[static_cast<std::size_t>(k)]);
        return Plane{omega[k] * (-s * dx - c * dy), omega[k] * (c * dx - s * dy)};
    };
    const auto minus = [](const Plane& a, const Plane& b) { return Plane{a.x - b.x, a.y - b.y}; };
    const auto plus = [](const Plane& a, const Plane& b) { return Plane{a.x + b.x, a.y + b.y}; };
    // Hinges: r1 + d12 = r2 + d21, r2 + d23 = r3 + d32
    const Plane v21 = minus(turning(0, p.c1, 0), turning(1, -p.b1, 0));
    const Plane v31 = plus(v21, minus(turning(1, p.e1, p.e2), turning(2, -p.d1, 0)));
    const double M = p.m1 + p.m2 + p.m3;
    const Plane v1{-(p.m2 * v21.x + p.m3 * v31.x) / M, -(p.m2 * v21.y + p.m3 * v31.y) / M};
    const Plane v2 = plus(v1, v21), v3 = plus(v1, v31);
    const auto square = [](const Plane& v) { return v.x * v.x + v.y * v.y; };
    return 0.5 * (p.m1 * square(v1) + p.m2 * square(v2) + p.m3 * square(v3) + p.I1 * omega[0] * omega[0] +
                  p.I2 * omega[1] * omega[1] + p.I3 * omega[2] * omega[2]);
}

double energyAt(const Sample& s, double x, double y, const Eigen::Vector3d& omega)
{
    return embeddedEnergy<double>(s.p(), {s.theta1, s.theta1 + x, s.theta1 + x + y}, omega);
}

// J from the energy, by polarisation.
Eigen::Matrix3d embeddedInertia(const Sample& s, double x, double y)
{
    Eigen::Matrix3d j;
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
            const Eigen::Vector3d a = Eigen::Vector3d::Unit(k), b = Eigen::Vector3d::Unit(l);
            j(k, l) = energyAt(s, x, y, a + b) - energyAt(s, x, y, a) - energyAt(s, x, y, b);
        }
    return j;
}

double polarInertia(const Sample& s, double x, double y)
{
    return 2 * energyAt(s, x, y, Eigen::Vector3d::Ones());
}

Vector5d stateOf(const Sample& s)
{
    Vector5d z;
    z << s.x, s.y, embeddedInertia(s, s.x, s.y) * s.omega;
    return z;
}

// The shape function from the polar inertia, and its coefficients by Fourier sums over a grid of eight.
ThreeBodyCoefficients fourierCoefficients(const Sample& s)
{
    constexpr int n = 8;
    ThreeBodyCoefficients f;
    const double half = 0.5 * s.bodies.mass();
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const double x = 2 * pi * i / n, y = 2 * pi * j / n,
                         weight = 2.0 / (n * n) * half * polarInertia(s, x, y);
            f.A1 += weight * std::cos(x + y);
            f.B1 += weight * std::cos(x);
            f.C1 -= weight * std::sin(x);
            f.B2 += weight * std::cos(y);
            f.C2 += weight * std::sin(y);
        }
    return f;
}

class Claims {
public:
    Claims(unsigned seed, const Formulas& formulas) : f_(formulas), engine_(seed)
    {
        for (int k = 0; k < 8; ++k)
            samples_.push_back(sample(k % 2 == 0 ? uniform(0.2, 2) : 0));
    }

    std::vector<casimir::Claim> all()
    {
        addMechanics();
        addEquilibria();
        addAligned();
        addTables();
        addTooStrong();
        addStability();
        return judge(checks_);
    }

private:
    double uniform(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }

    Sample sample(double e2)
    {
        ThreeBodyParameters p;
        for (double* x : {&p.m1, &p.m2, &p.m3, &p.I1, &p.I2, &p.I3, &p.c1, &p.d1, &p.mu})
            *x = uniform(0.3, 3);
        p.b1 = uniform(0.2, 2) * (uniform(0, 1) < 0.5 ? -1 : 1);
        p.e1 = uniform(0.2, 2);
        p.e2 = e2;
        return {ThreeBody(p),
                uniform(-3, 3),
                uniform(-3, 3),
                uniform(-3, 3),
                {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)}};
    }

    std::function<double()> worst(std::function<double(const Sample&)> deviation) const
    {
        return [this, deviation = std::move(deviation)] {
            double w = 0;
            for (const Sample& s : samples_) {
                const double d = deviation(s);
                if (!(d <= w))
                    w = d;
            }
            return w;
        };
    }
    // 0 if the test holds `count` times, else the share of failures.
    static std::function<double()> always(int count, std::function<bool()> test)
    {
        return [count, test = std::move(test)] {
            int failures = 0;
            for (int k = 0; k < count; ++k)
                failures += !test();
            return static_cast<double>(failures) / count;
        };
    }

    void add(std::string id, std::string statement, std::string computed, std::function<double()> deviation,
             std::function<double()> printed = {}, std::string erratum = {}, double digits = 11)
    {
        checks_.push_back({std::move(id), std::move(statement), std::move(computed), std::move(deviation),
                           std::move(printed), std::move(erratum), digits});
    }

    double energyOff(const Sample& s, double factor) const
    {
        const double wanted = energyAt(s, s.x, s.y, s.omega);
        return off(factor * f_.hamiltonian(s.bodies, stateOf(s)), wanted, wanted);
    }

    void addMechanics()
    {
        add("(6.1)", "H = ½ μᵀ J⁻¹ μ", "Kinetic energy of the hinged bodies from their velocities.",
            worst([this](const Sample& s) { return energyOff(s, 1); }),
            worst([this](const Sample& s) { return energyOff(s, 2); }),
            "The factor ½ is missing; (6.9) has it.");
        add("(6.4)", "J has the augmented inertias on its diagonal and the couplings λ̃ beside it",
            "The quadratic form of the kinetic energy, by polarisation.", worst([this](const Sample& s) {
                const Eigen::Matrix3d wanted = embeddedInertia(s, s.x, s.y);
                return (f_.inertia(s.bodies, s.x, s.y) - wanted).norm() / wanted.norm();
            }));
        add("(6.5)", "θ₂₁' = ω₂ − ω₁, θ₃₂' = ω₃ − ω₂, μ₁' = ∂H/∂θ₂₁, μ₂' = ∂H/∂θ₃₂ − ∂H/∂θ₂₁, μ₃' = −∂H/∂θ₃₂",
            "Lagrange's equations: μ_k' is the derivative of the kinetic energy along θ_k.",
            worst([this](const Sample& s) {
                constexpr double h = 1e-30;
                const Vector5d rate = f_.field(s.bodies, stateOf(s));
                Vector5d wanted;
                wanted[0] = s.omega[1] - s.omega[0];
                wanted[1] = s.omega[2] - s.omega[1];
                for (int k = 0; k < 3; ++k) {
                    std::array<Complex, 3> theta{s.theta1, s.theta1 + s.x, s.theta1 + s.x + s.y};
                    theta[static_cast<std::size_t>(k)] += Complex(0, h);
                    wanted[2 + k] = embeddedEnergy(s.p(), theta, s.omega).imag() / h;
                }
                return (rate - wanted).norm() / wanted.norm();
            }));
        add("(6.8)", "1ᵀ J 1 = Σ Ĩ_k + 2 [λ̃₁₂(θ₂₁) + λ̃₂₃(θ₃₂) + λ̃₃₁(θ₂₁ + θ₃₂)]",
            "Twice the kinetic energy of the bodies turning as one.", worst([this](const Sample& s) {
                const double wanted = polarInertia(s, s.x, s.y);
                return off(f_.lockedInertia(s.bodies, s.x, s.y), wanted, wanted);
            }),
            worst([](const Sample& s) {
                const auto g = s.bodies.couplings(s.x, s.y);
                const double product = s.bodies.couplings(0.0, s.y).J13 * (s.x + s.y);
                const double printed = s.bodies.augmentedInertias().sum() + 2 * (g.J12 + g.J23 + product);
                const double wanted = polarInertia(s, s.x, s.y);
                return off(printed, wanted, wanted);
            }),
            "λ̃₃₁ is a function of θ₂₁ + θ₃₂; printed as λ̃₃₁(θ₃₂)(θ₂₁ + θ₃₂).");
        add("(6.9), (6.10)",
            "At an equilibrium all bodies turn at one rate ω₀ = μ/(1ᵀ J 1), and H = μ²/(2 · 1ᵀ J 1)",
            "The field at every equilibrium, and its energy.", worst([this](const Sample& s) {
                double w = 0;
                for (const ThreeBodyEquilibrium& e : equilibria(s.bodies).equilibria) {
                    const double inertia = polarInertia(s, e.x, e.y),
                                 energy = s.p().mu * s.p().mu / (2 * inertia);
                    w = std::max(
                        {w, off(e.energy, energy, energy),
                         f_.field(s.bodies, e.state()).norm() / (std::abs(e.omega) + e.momenta.norm())});
                }
                return w;
            }));
    }

    // dH/dtheta21 and dH/dtheta32 of the bodies turning as one, from Lagrange's equations.
    static Eigen::Vector2d lockedSlopes(const Sample& s, double x, double y)
    {
        constexpr double h = 1e-30;
        const double omega = s.p().mu / polarInertia(s, x, y);
        const auto slope = [&](double dx, double dy) {
            const std::array<Complex, 3> theta{Complex(0), Complex(x, h * dx), Complex(x + y, h * (dx + dy))};
            // At given momenta H falls where the energy at given rates rises.
            return -embeddedEnergy(s.p(), theta, Eigen::Vector3d::Constant(omega)).imag() / h;
        };
        return {slope(1, 0), slope(0, 1)};
    }

    double slopesOff(const Sample& s, int which, double factor, double signOfC2) const
    {
        ThreeBodyCoefficients c = f_.coefficients(s.p());
        c.C2 *= signOfC2;
        const double omega = s.p().mu / polarInertia(s, s.x, s.y);
        const Eigen::Vector2d computed = factor * omega * omega / s.bodies.mass() * f_.slopes(c, s.x, s.y),
                              wanted = lockedSlopes(s, s.x, s.y);
        return off(computed[which], wanted[which], wanted.norm());
    }

    double coefficientOff(const Sample& s, double ThreeBodyCoefficients::*which) const
    {
        const ThreeBodyCoefficients wanted = fourierCoefficients(s);
        return off(f_.coefficients(s.p()).*which, wanted.*which, wanted.size());
    }

    void addEquilibria()
    {
        add("before (6.11)", "∂H/∂θ₂₁ = +(ω₀²/M) [A₁ sin(θ₂₁ + θ₃₂) + B₁ sin θ₂₁ + C₁ cos θ₂₁]",
            "Lagrange's equations for bodies that turn as one.",
            worst([this](const Sample& s) { return slopesOff(s, 0, 1, 1); }),
            worst([this](const Sample& s) { return slopesOff(s, 0, -0.5, 1); }),
            "Printed with −ω₀²/(2M): sign and factor 2. (6.11) itself, the bracket set to zero, is right.");
        using F = ThreeBodyCoefficients;
        add("(6.12), (6.13), (6.14)", "A₁ = m₁m₃c₁d₁, B₁ = [m₃(b₁ + e₁) + m₂b₁] m₁c₁, C₁ = m₁m₃c₁e₂",
            "Fourier coefficients of the polar inertia of the bodies.", worst([this](const Sample& s) {
                return std::max(
                    {coefficientOff(s, &F::A1), coefficientOff(s, &F::B1), coefficientOff(s, &F::C1)});
            }));
        add("(6.16), (6.17)", "B₂ = [m₁(b₁ + e₁) + m₂e₁] m₃d₁, C₂ = (m₁ + m₂) m₃ d₁ e₂",
            "Fourier coefficients of the polar inertia of the bodies.", worst([this](const Sample& s) {
                return std::max(coefficientOff(s, &F::B2), coefficientOff(s, &F::C2));
            }));
        add("(6.15)", "∂H/∂θ₃₂ = (ω₀²/M) [A₁ sin(θ₂₁ + θ₃₂) + B₂ sin θ₃₂ − C₂ cos θ₃₂]",
            "Lagrange's equations for bodies that turn as one.",
            worst([this](const Sample& s) { return slopesOff(s, 1, 1, 1); }),
            worst([this](const Sample& s) { return slopesOff(s, 1, 1, -1); }),
            "Printed with +C₂ (and a factor ½).");
        const auto restAt = [this](const Sample& s, double signOfC2) {
            ThreeBodyCoefficients c = f_.coefficients(s.p());
            c.C2 *= signOfC2;
            double w = 0;
            for (const CriticalPoint& point : criticalPoints(c).points) {
                const Eigen::Vector2d slope = lockedSlopes(s, point.x, point.y);
                const double omega = s.p().mu / polarInertia(s, point.x, point.y);
                w = std::max(w, slope.norm() / (omega * omega * c.size() / s.bodies.mass()));
            }
            return w;
        };
        add("(6.18)", "The equilibria are the roots of (6.11) and (6.15) with −C₂",
            "The torques on the bodies at every root of the degree-six polynomial.",
            worst([restAt](const Sample& s) { return restAt(s, 1); }),
            worst([restAt](const Sample& s) { return restAt(s, -1); }),
            "With the printed +C₂ its roots are no equilibria when e₂ ≠ 0.");
    }

    void addAligned()
    {
        add("(6.19)-(6.32)",
            "For e₂ = 0 the four straight states (0, 0), (0, π), (π, 0), (π, π) are equilibria",
            "The torques on the bodies there.", worst([](const Sample& s) {
                if (s.p().e2 != 0)
                    return 0.0;
                double w = 0;
                for (const double x : {0.0, pi})
                    for (const double y : {0.0, pi})
                        w = std::max(w, lockedSlopes(s, x, y).norm() / (s.p().mu * s.p().mu));
                return w;
            }));
        add("(6.33), (6.34)", "cos θ₂₁ = (1 − κ² − τ²)/(2κτ), cos θ₃₂ = (κ² − τ² − 1)/(2τ)",
            "The polynomial's roots for bodies made by the recipe from κ and τ.", [this] {
                double w = 0;
                for (int k = 0; k < 40; ++k) {
                    const KappaTau at = inStrip(static_cast<int>(uniform(1, 4.999)), Region::Two);
                    const Eigen::Vector2d wanted = bentByPolynomial(at),
                                          closed = f_.bentCosines(at.kappa, at.tau);
                    w = std::max(w, (wanted - closed).norm());
                }
                return w;
            });
        add("(6.35), (6.36)",
            "The two are there iff 1, |κ|, |τ| are the sides of a triangle; both conditions say the same",
            "The number of roots of the polynomial at 400 random points.", always(400, [this] {
                const KappaTau at{uniform(-3, 3), uniform(-3, 3)};
                const double k = std::abs(at.kappa), t = std::abs(at.tau);
                if (std::min({std::abs(k + t - 1), std::abs(std::abs(k - t) - 1), k, t}) < 1e-3)
                    return true;
                const auto points = criticalPointsByPolynomial(coefficientsAt(at)).points;
                return f_.bentExists(at.kappa, at.tau) == (points.size() == 6);
            }));
        add("(6.37)-(6.40)",
            "With e₁ > 0: κ, τ > 0 iff b₁ > 0 or e₁ > (1 + m₂/m₃)|b₁|; both < 0 iff m₁/(m₁+m₂) < e₁/|b₁| < 1 "
            "+ m₂/m₃; "
            "κ > 0 > τ iff e₁/|b₁| < m₁/(m₁+m₂)",
            "Signs of κ and τ of 1000 random bodies.", always(1000, [this] {
                const Sample s = sample(0);
                const ThreeBodyCoefficients c = f_.coefficients(s.p());
                const double low = s.p().m1 / (s.p().m1 + s.p().m2), high = 1 + s.p().m2 / s.p().m3;
                const double ratio = s.p().e1 / std::abs(s.p().b1);
                const int wanted = s.p().b1 > 0 || ratio > high ? 1 : ratio > low ? 2 : 3;
                return signCase({c.B1 / c.B2, c.B1 / c.A1}) == wanted;
            }));
        add("case 3, unnumbered", "For b₁ < 0: e₁ < −(m₁/(m₁+m₂)) b₁ < −(1 + m₂/m₃) b₁",
            "1000 random bodies of the case.", always(1000, [this] { return caseThreeOrder(false); }),
            always(1000, [this] { return caseThreeOrder(true); }),
            "Printed with the two bounds exchanged, which no masses satisfy; (6.39) itself is right.");
    }

    bool caseThreeOrder(bool printed)
    {
        const double m1 = uniform(0.1, 5), m2 = uniform(0.1, 5), m3 = uniform(0.1, 5), b1 = -uniform(0.1, 3);
        const double low = -m1 / (m1 + m2) * b1, high = -(1 + m2 / m3) * b1;
        return printed ? high < low : low < high;
    }

    ThreeBodyCoefficients coefficientsAt(const KappaTau& at)
    {
        ThreeBodyParameters p;
        p.m1 = uniform(0.3, 3);
        p.m2 = uniform(0.3, 3);
        p.m3 = uniform(0.3, 3);
        p.e1 = signCase(at) == 4 ? -0.5 : 0.5;
        setKappaTau(p, at);
        return f_.coefficients(p);
    }
    // A random point of a region, away from its borders.
    KappaTau inStrip(int sign, Region region)
    {
        while (true) {
            const double k = uniform(0.05, 3), t = uniform(0.05, 3);
            const double border = std::min({std::abs(k + t - 1), std::abs(std::abs(k - t) - 1),
                                            std::abs(k * k - 1 - t * t), std::abs(k * k + t * t - 1)});
            if (regionOf({k, t}) == region && border > 0.02)
                return {sign == 1 || sign == 3 ? k : -k, sign == 1 || sign == 4 ? t : -t};
        }
    }
    // (cos x, cos y) of the root of the polynomial that is farthest from straight.
    Eigen::Vector2d bentByPolynomial(const KappaTau& at)
    {
        Eigen::Vector2d best(2, 2);
        double bent = 0;
        for (const CriticalPoint& p : criticalPointsByPolynomial(coefficientsAt(at)).points)
            if (const double b = std::abs(std::sin(p.x)) + std::abs(std::sin(p.y)); b > bent) {
                bent = b;
                best = {std::cos(p.x), std::cos(p.y)};
            }
        return best;
    }

    void addTables()
    {
        constexpr std::array regions{Region::One, Region::Two, Region::Three};
        for (int sign = 1; sign <= 4; ++sign)
            for (const Region region : regions) {
                const SignPair s = tableSigns(sign, region);
                const auto word = [](int v) { return v > 0 ? "+" : "−"; };
                add(sign < 4 ? fmt::format("Table {}, region {}", sign, name(region))
                             : fmt::format("case 4, region {}", name(region)),
                    fmt::format(
                        "Case {}: in region {} the extra pair has (cos θ₂₁, cos θ₃₂) of signs ({}, {})", sign,
                        name(region), word(s.x), word(s.y)),
                    "The polynomial's roots at 40 random points of the region.",
                    always(40, [this, sign, region] {
                        const Eigen::Vector2d cosines = bentByPolynomial(inStrip(sign, region));
                        return f_.signs(sign, region) ==
                               SignPair{cosines[0] > 0 ? 1 : -1, cosines[1] > 0 ? 1 : -1};
                    }));
            }
    }

    static int countFor(double b1, double e1, double e2, double c1, double d1)
    {
        const CriticalPoints found =
            criticalPoints(coefficientsOf({.c1 = c1, .b1 = b1, .e1 = e1, .e2 = e2, .d1 = d1}));
        return found.continuum == Continuum::None ? static_cast<int>(found.points.size()) : 0;
    }

    void addTooStrong()
    {
        add(
            "section 6, number of equilibria",
            "Four or six where none is degenerate: even, at least 4 (Morse) and at most 6 (degree of the "
            "polynomial)",
            "600 random bodies. Not so at a fold (5: m = 1, c₁ = 1, b₁ = −1.31859…, e₁ = 1.15737…, e₂ = "
            "−0.04383…, d₁ = "
            "2.40148…), at a monkey saddle (3: b₁ = −1, e₁ = 1, e₂ = 1/√2, c₁ = √3, d₁ = √(3/2)), and for b₁ "
            "= e₁ = 0 "
            "(circles).",
            always(600,
                   [this] {
                       const CriticalPoints found =
                           criticalPoints(f_.coefficients(sample(uniform(-2, 2)).p()));
                       int sum = 0;
                       for (const CriticalPoint& p : found.points) {
                           if (p.degenerate())
                               return true;
                           sum += p.index % 2 == 0 ? 1 : -1;
                       }
                       return sum == 0 && (found.points.size() == 4 || found.points.size() == 6);
                   }),
            [] {
                // The counterexamples, each of which has another number.
                const bool fold = countFor(-1.3185942853508545, 1.1573720351973762, -0.043833793347702, 1,
                                           2.4014815262177596) == 5;
                const bool monkey = countFor(-1, 1, std::sqrt(0.5), std::sqrt(3.0), std::sqrt(1.5)) == 3;
                const bool circles = countFor(0, 0, 0, 1, 1) == 0;
                return fold && monkey && circles ? 1.0 : 0.0;
            },
            "\"Always four or six\" is too strong.");
        add(
            "section 6, case 4", "κ < 0 < τ needs e₁ < 0: case 2 with body 2's frame turned by π",
            "300 random bodies of case 2: (b₁, e₁) → (−b₁, −e₁) keeps κ and changes the sign of τ, and the "
            "equilibria move "
            "by (π, π).",
            always(300,
                   [this] {
                       ThreeBodyParameters p = sample(0).p();
                       setKappaTau(p, inStrip(2, Region::Two));
                       ThreeBodyParameters turned = p;
                       turned.b1 = -p.b1;
                       turned.e1 = -p.e1;
                       const ThreeBodyCoefficients a = f_.coefficients(p), b = f_.coefficients(turned);
                       const bool fourth = signCase({b.B1 / b.B2, b.B1 / b.A1}) == 4;
                       return fourth &&
                              f_.slopes(b, 0.4 + pi, 0.7 + pi).isApprox(f_.slopes(a, 0.4, 0.7), 1e-12);
                   }),
            [] {
                const ThreeBodyCoefficients c = coefficientsOf({.c1 = 1.5, .b1 = 1, .e1 = -1.25, .d1 = 0.75});
                return signCase({c.B1 / c.B2, c.B1 / c.A1}) == 4 ? 1.0 : 0.0;
            },
            "\"Case 4 can never exist\" holds only by the convention e₁ > 0; b₁ = 1, e₁ = −1.25 with equal "
            "masses is one.");
        add("section 5, end",
            "A strict minimum of the potential V = μ²/(2 · 1ᵀ J 1) is Liapunov stable for any number of "
            "bodies",
            "On a leaf H − V is a positive definite form in the momenta; at every minimum of V the second "
            "variation of H + C "
            "is definite.",
            worst([this](const Sample& s) {
                double w = 0;
                for (const ThreeBodyEquilibrium& e : equilibria(s.bodies).equilibria)
                    if (e.index == 0 && e.zero == 0 && !(e.secondVariationEigenvalues[0] > 0))
                        w = 1;
                // The least of H on the leaf over this shape is V.
                const Vector5d z = stateOf(s);
                const double mu = z.tail<3>().sum(), inertia = polarInertia(s, s.x, s.y);
                Vector5d least = z;
                least.tail<3>() = embeddedInertia(s, s.x, s.y).rowwise().sum() * (mu / inertia);
                const double v = mu * mu / (2 * inertia);
                if (!(f_.hamiltonian(s.bodies, z) > v))
                    w = 1;
                return std::max(w, off(f_.hamiltonian(s.bodies, least), v, v));
            }),
            worst([](const Sample& s) {
                // A counterexample to the printed sentence: a minimum that is stable.
                for (const ThreeBodyEquilibrium& e : equilibria(s.bodies).equilibria)
                    if (e.stability == verdict::stable)
                        return 1.0;
                return 0.0;
            }),
            "\"Looking for minima of the potential will not work\" for three bodies is not so: magnetic "
            "terms change the "
            "bracket, not H. An even index is what the potential alone does not decide.");
    }

    void addStability()
    {
        for (int sign = 1; sign <= 4; ++sign)
            add(fmt::format("stability, case {}", sign),
                fmt::format("Case {}: the index of every equilibrium follows from the region (the table the "
                            "paper announces)",
                            sign),
                "The signature of the second variation of H + C, numerically, at 30 points of each region.",
                [this, sign] { return tableFailures(sign); });
        add("stability, spectrum", "s⁴ + p s² + q = 0 on the leaf with the closed p and q",
            "Eigenvalues of the linearised field, numerically.", worst([this](const Sample& s) {
                double w = 0;
                for (const ThreeBodyEquilibrium& e : equilibria(s.bodies).equilibria) {
                    const auto [p, q] = f_.leafPolynomial(s.bodies, e.x, e.y);
                    const Matrix5d a = s.bodies.reducedJacobian(e.state()), square = a * a;
                    // tr a^2 = -2 p, tr a^4 = 2 p^2 - 4 q, whatever the fifth eigenvalue, 0
                    const double two = square.trace(), four = (square * square).trace();
                    const double size = square.norm();
                    w = std::max({w, off(two, -2 * p, size), off(four, 2 * p * p - 4 * q, size * size)});
                }
                return w;
            }));
    }

    double tableFailures(int sign)
    {
        int failures = 0, count = 0;
        for (const Region region :
             {Region::One, Region::Two, Region::Three, Region::OSum, Region::OTau, Region::OKappa})
            for (int k = 0; k < 30; ++k) {
                ThreeBodyParameters p = sample(0).p();
                p.e1 = sign == 4 ? -p.e1 : p.e1;
                setKappaTau(p, inStrip(sign, region));
                const ThreeBody bodies(p);
                for (const ThreeBodyEquilibrium& e : equilibria(bodies).equilibria) {
                    const Matrix5d form = bodies.hamiltonianHessian(e.state());
                    const int negative = static_cast<int>((dense::symmetricValues(form).array() < 0).count());
                    const int wanted =
                        e.kind == "extra"
                            ? tableExtraIndex(sign)
                            : f_.straightIndex(sign, region, {e.x == 0 ? 1 : -1, e.y == 0 ? 1 : -1});
                    failures += negative != wanted;
                    ++count;
                }
            }
        return static_cast<double>(failures) / count;
    }

    const Formulas& f_;
    std::mt19937_64 engine_;
    std::vector<Sample> samples_;
    std::vector<ClaimCheck> checks_;
};

} // namespace

ThreeBodyFormulas threeBodyFormulas()
{
    ThreeBodyFormulas f;
    f.inertia = [](const ThreeBody& b, double x, double y) { return b.J(x, y); };
    f.hamiltonian = [](const ThreeBody& b, const Vector5d& z) { return b.hamiltonian(z); };
    f.field = [](const ThreeBody& b, const Vector5d& z) { return b.reducedField(z); };
    f.lockedInertia = [](const ThreeBody& b, double x, double y) { return b.lockedInertia(x, y); };
    f.coefficients = coefficientsOf;
    f.slopes = [](const ThreeBodyCoefficients& c, double x, double y) {
        return Eigen::Vector2d(-shapeSlope(c, x, y).gradient);
    };
    f.bentCosines = [](double kappa, double tau) {
        const auto points = criticalPoints({.A1 = 1 / tau, .B1 = 1, .B2 = 1 / kappa}).points;
        return points.size() == 6 ? Eigen::Vector2d(std::cos(points[4].x), std::cos(points[4].y))
                                  : Eigen::Vector2d(2, 2);
    };
    f.bentExists = [](double kappa, double tau) { return insideStrip(regionOf({kappa, tau})); };
    f.signs = tableSigns;
    f.straightIndex = tableIndex;
    f.leafPolynomial = leafPolynomial;
    return f;
}

std::vector<casimir::Claim> threeBodyClaims(unsigned seed, const ThreeBodyFormulas& formulas)
{
    return Claims(seed, formulas).all();
}

} // namespace casimir::planar
