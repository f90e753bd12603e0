// The formulas as the paper prints them (corrected), the random material, and the claims of sections 1 and 2.
#include "core/systems/tops/tops_claims.h"

#include "core/numerics/pi.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

namespace casimir::tops {

namespace {

std::vector<std::array<double, 2>> printedEquations(const Chain& chain, const std::vector<AngleMotion>& at)
{
    const int n = chain.size();
    std::vector<std::array<double, 2>> left;
    for (int i = 0; i < n; ++i) {
        const AngleMotion& x = at[static_cast<std::size_t>(i)];
        const double s = std::sin(x.theta), c = std::cos(x.theta), k = chain.k(i), J = chain.jPrime(i);
        std::array<double, 2> value{J * (x.ddtheta - x.dpsi * x.dpsi * s * c) + k * x.dpsi * s -
                                        chain.a(i) * chain.g() * s,
                                    J * (x.ddpsi * s + 2 * x.dtheta * x.dpsi * c) - k * x.dtheta};
        for (int j = 0; j < n; ++j) {
            if (j == i)
                continue;
            const AngleMotion& y = at[static_cast<std::size_t>(j)];
            const double sj = std::sin(y.theta), cj = std::cos(y.theta), D = x.psi - y.psi;
            const double along = y.ddtheta * cj - (y.dtheta * y.dtheta + y.dpsi * y.dpsi) * sj;
            const double across = y.ddpsi * sj + 2 * y.dtheta * y.dpsi * cj;
            const double G1 = (y.ddtheta * sj + y.dtheta * y.dtheta * cj) * s + across * c * std::sin(D) +
                              along * c * std::cos(D);
            const double G2 = across * std::cos(D) - along * std::sin(D);
            const double weight =
                chain.tops()[static_cast<std::size_t>(std::min(i, j))].s * chain.a(std::max(i, j));
            value[0] += weight * G1;
            value[1] += weight * G2;
        }
        left.push_back(value);
    }
    return left;
}

double alpha2Of(const FourTopMasses& x)
{
    return (x.mu * x.mu - 2) * x.m2 * x.m4 - x.mu * x.mu * (x.m2 + x.m3 + x.m4) * x.m3;
}

std::array<double, 3> betaOf(const FourTopMasses& x, double c4)
{
    const double mu = x.mu, mu2 = mu * mu, t1 = x.m2 + x.m3 + x.m4, t2 = x.m3 + x.m4;
    return {-alpha2Of(x) * mu * x.m1 * t2 * x.m3 * x.m4 * c4,
            x.m1 * t2 * x.m3 * (2 * x.J02 * x.m2 * x.m4 - mu2 * x.J04 * (t1 * x.m3 - x.m2 * x.m4)),
            mu * c4 *
                (t2 * x.m3 * x.m4 * (mu2 * t1 * x.m3 + (2 - mu2) * x.m2 * x.m4) * x.J01 +
                 x.m2 * x.m4 * (x.m3 - x.m4) * ((2 - mu2) * t1 * x.m3 + mu2 * x.m2 * x.m4) * x.J02 +
                 mu2 * (x.m4 * x.m4 - x.m3 * x.m3) * (x.m2 + x.m3) * (t1 * x.m3 - x.m2 * x.m4) * x.J04)};
}

std::array<double, 3> alphas678(const FourTopMasses& x)
{
    const double mu2 = x.mu * x.mu, t1 = x.m2 + x.m3 + x.m4, t2 = x.m3 + x.m4;
    const double m1 = x.m1, m2 = x.m2, m3 = x.m3, m4 = x.m4;
    return {4 * m2 * m2 * m4 * m4 * (m1 * m3 * m3 + mu2 * (m3 - m4) * ((2 - mu2) * t1 * m3 + mu2 * m2 * m4)),
            4 * mu2 * m2 * m4 *
                (m1 * m3 * m3 * (m2 * m4 - t1 * m3) + 2 * t1 * m2 * m3 * m4 * (m3 - m4) +
                 mu2 * (m4 - m3) * (t1 * t2 * m3 * (m2 + m3) - 2 * m2 * m2 * m4 * m4)),
            mu2 * mu2 * (t1 * m3 - m2 * m4) *
                (4 * m2 * m4 * (m2 + m3) * (m4 * m4 - m3 * m3) + m1 * m3 * m3 * (t1 * m3 - m2 * m4))};
}

} // namespace

TopsFormulas topsFormulas()
{
    TopsFormulas f;
    f.equations = printedEquations;
    f.sums = chainSums;
    f.alpha2 = alpha2Of;
    f.alpha1 = [](const FourTopMasses& x) {
        return x.m2 * (x.m3 + x.m4) * (x.J02 + x.J04) / (x.m3 * alpha2Of(x));
    };
    f.beta = betaOf;
    f.alpha3 = [](const FourTopMasses& x) {
        const auto [a6, a7, a8] = alphas678(x);
        const double alpha4 =
            4 * alpha2Of(x) * x.mu * x.mu * x.m2 * (x.m3 + x.m4) * x.m3 * x.m4 * x.m4 * (x.J02 + x.J04);
        return -alpha4 * x.J01 + a6 * x.J02 * x.J02 + a7 * x.J02 * x.J04 + a8 * x.J04 * x.J04;
    };
    f.discriminant = [](const FourTopMasses& x) {
        const double alpha2 = alpha2Of(x), t1 = x.m2 + x.m3 + x.m4;
        return 16 * alpha2 * alpha2 * std::pow(x.mu, 4) * x.m2 * x.m2 * x.m3 * x.m3 * x.m4 * x.m4 *
               (x.m3 - x.m4) * (x.m1 * (t1 * x.m3 - x.m2 * x.m4) + t1 * t1 * (x.m3 - x.m4));
    };
    f.spin1 = [](double A1, double A4, double mu, double p1, double p4, double k4) {
        return (p4 * k4 - A4 + mu * A1) / (mu * p1);
    };
    f.energies = [](double mu, double p1, double p4, double k1, double k4) {
        const double mu2 = mu * mu;
        return std::array{(p4 * p4 + k4 * k4 - k1 * k1 - mu2 * p1 * p1) / (1 - mu2),
                          (p4 * p4 + mu2 * (k4 * k4 - k1 * k1 - p1 * p1)) / (1 - mu2)};
    };
    return f;
}

namespace claims {

ExactMotion motionOf(const Sample& s)
{
    return twoPlanes(s.four.tops, s.four.delta, s.design.mu, gravity, s.choice);
}

FourTopMasses massesOf(const Sample& s)
{
    return {s.design.mu, s.four.tops[0].m, s.design.m2,  s.design.m3,
            s.design.m4, s.design.J01,     s.design.J02, s.design.J04};
}

namespace {

Sample randomSample(std::mt19937_64& engine)
{
    const auto draw = [&engine](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine);
    };
    const auto sign = [&] { return draw(-1, 1) < 0 ? -1 : 1; };
    std::vector<Top> tops;
    for (int i = 0; i < 5; ++i) {
        const double J0 = draw(0.1, 0.5);
        tops.push_back({draw(0.3, 2), sign() * draw(0.1, 0.6), sign() * draw(0.2, 0.8), J0, draw(0.2, 2) * J0,
                        sign() * draw(1, 8)});
    }
    Sample s{Chain(tops, gravity), {}, {}, 0, {}, {}, {}};
    for (int i = 0; i < 5; ++i) {
        s.angles.push_back({draw(0.3, 2.8), draw(-3, 3), draw(-2, 2), draw(-2, 2), draw(-3, 3), draw(-3, 3)});
        s.delta.push_back(i == 0 || i == 4 ? 0 : static_cast<int>(std::floor(draw(-1, 1.999))));
    }
    s.mu = sign() * draw(1.2, 3);
    FourTopDesign& d = s.design;
    d.mu = sign() * draw(1.6, 4);
    const double share = 1 - 2 / (d.mu * d.mu);
    d.m4 = draw(0.5, 2);
    d.m3 = draw(0.2, 0.7) * share * d.m4;
    d.m2 = draw(1.3, 3) * d.m3 * (d.m3 + d.m4) / (share * d.m4 - d.m3);
    d.J01 = draw(0.05, 0.5);
    d.J02 = draw(0.02, 0.2);
    d.J04 = draw(0.02, 0.2);
    d.part = draw(0.2, 0.8);
    d.roundness = draw(0.5, 2);
    s.four = fourTopChain(d);
    s.choice = {draw(-0.9, -0.1), draw(0.1, 0.9), draw(1.3, 4), {sign(), sign(), sign(), sign()}};
    return s;
}

// e'' of an axis whose angles have these rates.
Eigen::Vector3d secondRate(const AngleMotion& x)
{
    const double s = std::sin(x.theta), c = std::cos(x.theta);
    const auto [eTheta, ePsi] = angleBasis(x.theta, x.psi);
    const Eigen::Vector3d e = axisOf({x.theta, x.psi, 0, 0});
    return (x.ddtheta - x.dpsi * x.dpsi * s * c) * eTheta + (x.ddpsi * s + 2 * x.dtheta * x.dpsi * c) * ePsi -
           (x.dtheta * x.dtheta + x.dpsi * x.dpsi * s * s) * e;
}

// (1) against the balance of angular momentum of each augmented body, at arbitrary accelerations.
double equationsOff(const Sample& s, const TopsFormulas& f, int component)
{
    const auto left = f.equations(s.random, s.angles);
    double worstOff = 0, scale = 0;
    for (int i = 0; i < s.random.size(); ++i) {
        const AngleMotion& x = s.angles[static_cast<std::size_t>(i)];
        Eigen::Vector3d sum = s.random.g() * s.random.a(i) * Eigen::Vector3d::UnitZ();
        for (int j = 0; j < s.random.size(); ++j)
            sum += s.random.inertia()(i, j) * secondRate(s.angles[static_cast<std::size_t>(j)]);
        const AxisAngles at{x.theta, x.psi, x.dtheta, x.dpsi};
        const Eigen::Vector3d e = axisOf(at);
        const Eigen::Vector3d balance =
            -e.cross(Eigen::Vector3d(e.cross(sum) + s.random.k(i) * axisRateOf(at)));
        const Eigen::Vector3d direction = angleBasis(x.theta, x.psi)[static_cast<std::size_t>(component)];
        const double expected = direction.dot(balance);
        worstOff = std::max(
            worstOff,
            std::abs(left[static_cast<std::size_t>(i)][static_cast<std::size_t>(component)] - expected));
        scale = std::max(scale, std::abs(expected));
    }
    return worstOff / scale;
}

// Kinetic energy by the velocities of the mass centres and of the axes; with |s|, |c| the configuration is
// another.
double energyOff(const Sample& s, bool moduli)
{
    const int n = s.random.size();
    Eigen::Matrix3Xd e(3, n), v(3, n);
    double energy = 0, potential = 0;
    Eigen::Vector3d jointRate = Eigen::Vector3d::Zero(), joint = jointRate;
    std::vector<Top> tops = s.random.tops();
    for (int i = 0; i < n; ++i) {
        const AngleMotion& x = s.angles[static_cast<std::size_t>(i)];
        const AxisAngles at{x.theta, x.psi, x.dtheta, x.dpsi};
        e.col(i) = axisOf(at);
        v.col(i) = axisRateOf(at);
        Top& top = tops[static_cast<std::size_t>(i)];
        energy += 0.5 * top.m * (jointRate + top.c * v.col(i)).squaredNorm() +
                  0.5 * top.J0 * v.col(i).squaredNorm() + 0.5 * top.Js * top.q * top.q;
        potential += top.m * gravity * (joint.z() + top.c * e(2, i));
        jointRate += top.s * v.col(i);
        joint += top.s * e.col(i);
        if (moduli) {
            top.s = std::abs(top.s);
            top.c = std::abs(top.c);
        }
    }
    return off(Chain(tops, gravity).energy(e, v), energy + potential);
}

// A state of the form (4), (5) of the random chain, with arbitrary accelerations of theta_1 and psi_1, psi_n.
std::vector<AngleMotion> similarState(const Sample& s, bool tied)
{
    AngleMotion first = s.angles[0], last = s.angles[4];
    if (tied) {
        // cos theta_n = mu cos theta_1, differentiated twice; |mu| > 1, so theta_1 is kept near the horizon.
        first.theta = pi / 2 + 0.4 * (first.theta - pi / 2) / std::abs(s.mu);
        const double y = s.mu * std::cos(first.theta), r = std::sqrt(1 - y * y);
        const double dy = -s.mu * std::sin(first.theta) * first.dtheta;
        const double ddy = -s.mu * (std::sin(first.theta) * first.ddtheta +
                                    std::cos(first.theta) * first.dtheta * first.dtheta);
        last.theta = std::acos(y);
        last.dtheta = -dy / r;
        last.ddtheta = -(ddy + y * last.dtheta * last.dtheta) / r;
    }
    std::vector<AngleMotion> state;
    for (int i = 0; i < 5; ++i) {
        AngleMotion x = i < 2 ? first : last;
        x.psi += s.delta[static_cast<std::size_t>(i)] * pi;
        state.push_back(x);
    }
    return state;
}

// (8) with the sums handed in, or, with R (13), the same with Q and R~ joined.
double reducedOff(const Sample& s, const TopsFormulas& f, bool joined, bool printedR)
{
    const std::vector<AngleMotion> state = similarState(s, joined);
    const auto left = f.equations(s.random, state);
    ChainSums sums = f.sums(s.random, s.delta, 2, s.mu);
    const auto cosineSecond = [](const AngleMotion& x) {
        return -std::sin(x.theta) * x.ddtheta - std::cos(x.theta) * x.dtheta * x.dtheta;
    };
    double worstOff = 0, scale = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        const AngleMotion &own = state[i < 2 ? 0 : 4], &other = state[i < 2 ? 4 : 0];
        const double so = std::sin(own.theta), co = std::cos(own.theta), sn = std::sin(other.theta),
                     cn = std::cos(other.theta), D = own.psi - other.psi;
        const double f1 = other.ddtheta * cn - (other.dtheta * other.dtheta + other.dpsi * other.dpsi) * sn;
        const double f2 = other.ddpsi * sn + 2 * other.dpsi * other.dtheta * cn;
        const double k = s.random.k(static_cast<int>(i)), a = s.random.a(static_cast<int>(i));
        double lift = sums.Q[i] * cosineSecond(other) + sums.Rtilde[i] * cosineSecond(own);
        if (joined) {
            const double R = printedR && i >= 2 ? s.mu * sums.Rtilde[i] + sums.Q[i] : sums.R[i];
            lift = R * cosineSecond(own);
        }
        const double one = sums.P[i] * (own.ddtheta - own.dpsi * own.dpsi * so * co) +
                           (k * own.dpsi - a * gravity - lift) * so +
                           sums.T[i] * co * (f1 * std::cos(D) + f2 * std::sin(D));
        const double two = sums.P[i] * (own.ddpsi * so + 2 * own.dpsi * own.dtheta * co) - k * own.dtheta -
                           sums.T[i] * (f1 * std::sin(D) - f2 * std::cos(D));
        worstOff = std::max({worstOff, std::abs(left[i][0] - one), std::abs(left[i][1] - two)});
        scale = std::max({scale, std::abs(left[i][0]), std::abs(left[i][1])});
    }
    return worstOff / scale;
}

// The identity (19) of random constants against the six lines of (20).
double sixLinesOff(const Sample& s)
{
    const double mu = s.mu, A1 = s.angles[0].psi, An = s.angles[1].psi, h1 = s.angles[0].ddpsi,
                 hn = s.angles[1].ddpsi, p1 = s.angles[0].dpsi, pn = s.angles[1].dpsi, k1 = s.angles[2].dpsi,
                 kn = s.angles[3].dpsi, R1 = s.angles[2].psi, Rn = s.angles[3].psi,
                 x = std::cos(s.angles[0].theta);
    const auto cubic = [](double A, double h, double p, double k, double y) {
        return (1 - y * y) * (h - 2 * A * y) - (p - k * y) * (p - k * y);
    };
    const double identity = mu * mu * cubic(A1, h1, p1, k1, x) * (1 + Rn * (1 - mu * mu * x * x)) -
                            cubic(An, hn, pn, kn, mu * x) * (1 + R1 * (1 - x * x));
    const double L1 = An * R1 - mu * A1 * Rn;
    const double L2 = (hn + kn * kn) * R1 - mu * mu * (h1 + k1 * k1) * Rn;
    const double L3 = mu * mu * An - pn * kn * R1 - mu * (A1 - mu * mu * p1 * k1 * Rn);
    const double L4 = mu * mu * (hn + kn * kn) * (1 + R1) + (hn - pn * pn) * R1 -
                      mu * mu * ((h1 + k1 * k1) * (1 + Rn) + mu * mu * (h1 - p1 * p1) * Rn);
    const double L5 = An - pn * kn * (1 + R1) - mu * (A1 - p1 * k1 * (1 + Rn));
    const double L6 = (hn - pn * pn) * (1 + R1) - mu * mu * (h1 - p1 * p1) * (1 + Rn);
    const std::array terms{2 * mu * mu * mu * L1 * std::pow(x, 5),
                           -mu * mu * L2 * std::pow(x, 4),
                           -2 * mu * (L3 + (1 + mu * mu) * L1) * std::pow(x, 3),
                           L4 * x * x,
                           2 * mu * (L5 + L1) * x,
                           -L6};
    double sum = 0, size = 0;
    for (const double term : terms) {
        sum += term;
        size += std::abs(term);
    }
    return off(identity, sum, size);
}

// phi' + psi' cos theta against the angular velocity of the body about its axis.
double spinOff(const Sample& s)
{
    using C = std::complex<double>;
    using Matrix = Eigen::Matrix<C, 3, 3>;
    const AngleMotion& x = s.angles[1];
    const double phi = s.angles[2].psi, dphi = s.angles[3].dpsi;
    const auto about = [](C angle, bool z) {
        const C c = std::cos(angle), si = std::sin(angle);
        Matrix m = Matrix::Identity();
        if (z)
            m << c, -si, 0, si, c, 0, 0, 0, 1;
        else
            m << c, 0, si, 0, 1, 0, -si, 0, c;
        return m;
    };
    const C t(0, 1e-30);
    const Matrix turned =
        about(x.psi + x.dpsi * t, true) * about(x.theta + x.dtheta * t, false) * about(phi + dphi * t, true);
    const Eigen::Matrix3d R = turned.real(), rate = turned.imag() / 1e-30, W = rate * R.transpose();
    const Eigen::Vector3d omega(W(2, 1), W(0, 2), W(1, 0));
    return off(omega.dot(R.col(2)), dphi + x.dpsi * std::cos(x.theta), 1);
}

double epsilonOff(const Sample& s)
{
    const auto state = similarState(s, false);
    double result = 0;
    for (std::size_t l = 0; l < 5; ++l)
        for (std::size_t m = 0; m < 5; ++m) {
            const double epsilon = (s.delta[l] - s.delta[m]) % 2 == 0 ? 1 : -1;
            const bool together = (l < 2) == (m < 2);
            const double base = together ? 0 : (l < 2 ? 1 : -1) * (s.angles[0].psi - s.angles[4].psi);
            result =
                std::max({result, std::abs(std::cos(state[l].psi - state[m].psi) - epsilon * std::cos(base)),
                          std::abs(std::sin(state[l].psi - state[m].psi) - epsilon * std::sin(base))});
        }
    return result;
}

} // namespace

void addStructure(std::vector<ClaimCheck>& checks, const TopsFormulas& f, const Samples& samples)
{
    const auto add = [&](std::string id, std::string statement, std::string computed,
                         std::function<double(const Sample&)> deviation,
                         std::function<double(const Sample&)> printed = {}, std::string erratum = {}) {
        ClaimCheck check;
        check.id = std::move(id);
        check.statement = std::move(statement);
        check.computed = std::move(computed);
        check.deviation = [&samples, deviation] { return worst(samples, deviation); };
        if (printed)
            check.printed = [&samples, printed] { return worst(samples, printed); };
        check.erratum = std::move(erratum);
        checks.push_back(std::move(check));
    };
    add("(1), m = 1", "the equations of motion along e_θ, with F and G as printed",
        "Against the angular momentum balance of each augmented body, five random tops.",
        [f](const Sample& s) { return equationsOff(s, f, 0); });
    add("(1), m = 2", "the equations of motion along e_ψ, with F and G as printed",
        "Against the angular momentum balance of each augmented body, five random tops.",
        [f](const Sample& s) { return equationsOff(s, f, 1); });
    add("(2)", "φ_i' + ψ_i' cos θ_i = q_i is the angular velocity about the axis",
        "Against the derivative of the rotation matrix by a complex step.", spinOff);
    add(
        "(3), (30)", "J'_i = J⁰_i + m_i c_i² + m~_i s_i² and a_i = m_i c_i + m~_i s_i with signed s and c",
        "Energy from the velocities of all mass centres against that from J' and a.",
        [](const Sample& s) { return energyOff(s, false); },
        [](const Sample& s) { return energyOff(s, true); },
        "s_i and c_i are printed as distances; they must be signed coordinates along the axis, or the class "
        "is empty.");
    add("(6), (7)", "cosines and sines of the differences of azimuths by ε_lm", "Random azimuths and deltas.",
        epsilonOff);
    add("(8), (9)", "what (1) becomes when the tops of each part move alike, with P, Q, R~, T",
        "Both sides at random states and accelerations of the form (4), n = 5, n_* = 2.",
        [f](const Sample& s) { return reducedOff(s, f, false, false); });
    add(
        "(11) to (13)", "R_j = R̃_j + μ Q_j in S_*, R_k = R̃_k + Q_k/μ in S^*",
        "Both sides at random states of the form (4), (5).",
        [f](const Sample& s) { return reducedOff(s, f, true, false); },
        [f](const Sample& s) { return reducedOff(s, f, true, true); },
        "R_k is printed μ times too large, and the index of the first line should be j.");
    add("(19), (20)", "six conditions on the constants make θ₁ and θ_n compatible",
        "The polynomial identity at random constants against the six lines, term by term. After (20), read "
        "(m = 1, n), "
        "and Θ_m sin² θ_m is rational unless R_m = 0.",
        sixLinesOff);
}

} // namespace claims

std::vector<Claim> topsClaims(unsigned seed, const TopsFormulas& formulas)
{
    std::mt19937_64 engine(seed);
    claims::Samples samples;
    for (int k = 0; k < 8; ++k)
        samples.push_back(claims::randomSample(engine));
    std::vector<ClaimCheck> checks;
    claims::addStructure(checks, formulas, samples);
    claims::addFourTops(checks, formulas, samples);
    return judge(checks);
}

} // namespace casimir::tops
