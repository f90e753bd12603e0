#include "core/systems/tops/stability.h"

#include "core/model/analysis.h"
#include "core/numerics/dense.h"
#include "core/systems/tops/tangent_mass.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir::tops {

namespace {

// e_i = sigma_i e3 + zeta_i, zeta horizontal and complex: M zeta'' - i K zeta' - G zeta = 0 with
// K = diag(sigma_i k_i), G = diag(sigma_i g a_i), so zeta ~ e^{i omega t} where
// P(omega) = omega^2 M - omega K + G is singular.
class Pencil {
public:
    Pencil(const Chain& chain, const std::vector<int>& sigma) : M_(chain.inertia())
    {
        const int n = chain.size();
        K_.resize(n);
        G_.resize(n);
        for (int i = 0; i < n; ++i) {
            const int s = sigma[static_cast<std::size_t>(i)];
            K_[i] = s * chain.k(i);
            G_[i] = s * chain.g() * chain.a(i);
        }
    }
    Eigen::MatrixXd at(double omega) const
    {
        Eigen::MatrixXd P = omega * omega * M_;
        P.diagonal() += G_ - omega * K_;
        return P;
    }
    dense::Spectrum frequencies() const
    {
        const Eigen::Index n = M_.rows();
        Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(2 * n, 2 * n);
        companion.topRightCorner(n, n).setIdentity();
        companion.bottomLeftCorner(n, n) = dense::solveDefinite(M_, (-G_).asDiagonal());
        companion.bottomRightCorner(n, n) = dense::solveDefinite(M_, K_.asDiagonal());
        return dense::spectrum(companion);
    }
    double largestEigenvalue(double omega) const { return dense::symmetricValues(at(omega)).maxCoeff(); }

private:
    Eigen::MatrixXd M_;
    Eigen::VectorXd K_, G_;
};

// Where P(omega) is most nearly negative definite. H - omega L_z has the amended potential -P(omega)/2, so a
// negative definite P proves stability. The largest eigenvalue is convex in omega.
double bestRate(const Pencil& pencil, double low, double high, double scale)
{
    if (pencil.largestEigenvalue(0) < -1e-12 * scale)
        return 0;
    constexpr double golden = 0.6180339887498949;
    double a = low, b = high, c = b - golden * (b - a), d = a + golden * (b - a);
    double fc = pencil.largestEigenvalue(c), fd = pencil.largestEigenvalue(d);
    for (int i = 0; i < 48 && b - a > 1e-10 * (std::abs(low) + std::abs(high)); ++i) {
        if (fc < fd) {
            b = d;
            d = c;
            fd = fc;
            c = b - golden * (b - a);
            fc = pencil.largestEigenvalue(c);
        } else {
            a = c;
            c = d;
            fc = fd;
            d = a + golden * (b - a);
            fd = pencil.largestEigenvalue(d);
        }
    }
    return fc < fd ? c : d;
}

VerticalRest restOf(const Chain& chain, std::string name, std::vector<int> sigma)
{
    VerticalRest rest;
    const int n = chain.size();
    Eigen::Matrix3Xd e = Eigen::Matrix3Xd::Zero(3, n);
    const Eigen::Matrix3Xd still = e;
    for (int i = 0; i < n; ++i)
        e(2, i) = sigma[static_cast<std::size_t>(i)];
    rest.energy = chain.energy(e, still);
    rest.name = rest.title = std::move(name);
    rest.sigma = std::move(sigma);

    const Pencil pencil(chain, rest.sigma);
    const dense::Spectrum frequencies = pencil.frequencies();
    const Eigen::VectorXcd& omega = frequencies.values;
    const double size = omega.cwiseAbs().maxCoeff();
    // Meeting real frequencies are computed apart by the root of rounding.
    constexpr double realTolerance = 1e-7;
    bool allReal = true;
    Eigen::Index fastest = 0;
    double low = omega[0].real(), high = low;
    for (Eigen::Index k = 0; k < omega.size(); ++k) {
        std::complex<double> w = omega[k];
        if (std::abs(w.imag()) <= realTolerance * size)
            w = w.real();
        else
            allReal = false;
        const std::complex<double> s = std::complex(0.0, 1.0) * w;
        rest.eigenvalues.push_back(s);
        rest.eigenvalues.push_back(std::conj(s));
        if (-omega[k].imag() > -omega[fastest].imag())
            fastest = k;
        low = std::min(low, omega[k].real());
        high = std::max(high, omega[k].real());
    }
    std::sort(rest.eigenvalues.begin(), rest.eigenvalues.end(), [](const auto& a, const auto& b) {
        return std::pair(a.real(), a.imag()) < std::pair(b.real(), b.imag());
    });
    const Eigen::VectorXcd shape = frequencies.vectors.col(fastest);
    for (int i = 0; i < n; ++i) {
        rest.departure.push_back(shape[i]);
        rest.departureRate.push_back(std::complex(0.0, 1.0) * omega[fastest] * shape[i]);
    }

    const double scale = chain.inertia().norm() * size * size + 1e-300;
    const double rate = bestRate(pencil, low, high, scale);
    const Eigen::VectorXd amended = dense::symmetricValues(-pencil.at(rate));
    for (Eigen::Index k = 0; k < amended.size(); ++k)
        rest.amended.insert(rest.amended.end(), {amended[k], amended[k]});
    const Eigen::VectorXd kinetic = dense::symmetricValues(chain.inertia());
    for (const double x : kinetic)
        rest.kinetic.insert(rest.kinetic.end(), {x, x});
    if (!allReal) {
        rest.stability = verdict::unstable;
        rest.detail = fmt::format("A disturbance grows at {:.4g} per second.", -omega[fastest].imag());
    } else if (amended.minCoeff() > 1e-12 * scale) {
        rest.stability = verdict::stable;
        rest.detail =
            rate == 0 ? "The potential energy has a minimum here."
                      : fmt::format("H minus {:.4g} L_z has a minimum here: spin holds the tops up.", rate);
    } else if (amended.minCoeff() > -1e-12 * scale) {
        rest.stability = verdict::degenerate;
        rest.detail = "The second variation vanishes in some direction.";
    } else {
        rest.stability = verdict::spectrallyStable;
        rest.detail = "All frequencies are real, but no combination of energy and L_z is definite.";
    }
    return rest;
}

} // namespace

std::vector<VerticalRest> verticalRests(const Chain& chain)
{
    const int n = chain.size();
    std::vector<VerticalRest> rests;
    const auto size = static_cast<std::size_t>(n);
    rests.push_back(restOf(chain, "upright", std::vector<int>(size, 1)));
    if (n > 1 && n <= 3)
        for (int pattern = 1; pattern < (1 << n) - 1; ++pattern) {
            std::vector<int> sigma;
            std::string name;
            for (int i = 0; i < n; ++i) {
                sigma.push_back(pattern & (1 << i) ? -1 : 1);
                name += (i ? "-" : "") + std::string(sigma.back() > 0 ? "up" : "down");
            }
            rests.push_back(restOf(chain, name, sigma));
            std::replace(rests.back().title.begin(), rests.back().title.end(), '-', ' ');
        }
    rests.push_back(restOf(chain, "hanging", std::vector<int>(size, -1)));
    return rests;
}

namespace {

struct Disturbance {
    Axes e, v;
};

// The equations of motion linearised at one state of an exact motion. There
// sum_j M_ij e_j'' = -g a_i e3 + k_i e_i x v_i + lambda_i e_i; the variation of that, and of |e_i| = 1, is
// solved for the variation of e_j''.
class Linearisation {
public:
    void set(const Chain& chain, const MotionFrame& at)
    {
        chain_ = &chain;
        at_ = at;
        mass_.compute(chain.inertia(), at.e);
        const int n = chain.size();
        const Axes sum = at.acceleration * chain.inertia();
        lambda_.resize(n);
        for (int i = 0; i < n; ++i)
            lambda_[i] = at.e.col(i).dot(sum.col(i)) + chain.g() * chain.a(i) * at.e(2, i);
    }
    const MotionFrame& at() const { return at_; }
    void rate(const Disturbance& x, Disturbance& out) const
    {
        const int n = chain_->size();
        Axes along(3, n), force(3, n);
        for (int j = 0; j < n; ++j)
            along.col(j) =
                -(x.e.col(j).dot(at_.acceleration.col(j)) + 2 * at_.v.col(j).dot(x.v.col(j))) * at_.e.col(j);
        force.noalias() = -along * chain_->inertia();
        for (int i = 0; i < n; ++i) {
            const Eigen::Vector3d e = at_.e.col(i), v = at_.v.col(i), de = x.e.col(i), dv = x.v.col(i);
            force.col(i) += chain_->k(i) * (de.cross(v) + e.cross(dv)) + lambda_[i] * de;
        }
        out.e = x.v;
        mass_.solve(force, out.v);
        out.v += along;
    }

private:
    const Chain* chain_ = nullptr;
    MotionFrame at_;
    TangentMass mass_;
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, maxTops, 1> lambda_;
};

// The motion at the points of a grid of time, from one period of it: later on its planes have only turned.
class Replay {
public:
    Replay(const ExactMotion& motion, int points)
        : motion_(motion), points_(points), frames_(static_cast<std::size_t>(points))
    {
        const std::vector<double> angles(static_cast<std::size_t>(motion.planes()), 0.0);
        for (int j = 0; j < points; ++j)
            motion.at(motion.period() * j / points, angles, frames_[static_cast<std::size_t>(j)]);
        // Through the vertical an axis comes back on the other side.
        for (const PlaneGroup& group : motion.groups())
            flips_.push_back(group.throughTop != group.throughBottom ? -1 : 1);
    }
    MotionFrame at(int j) const
    {
        const int turns = j / points_;
        MotionFrame frame = frames_[static_cast<std::size_t>(j % points_)];
        for (int i = 0; i < motion_.chain().size() && turns > 0; ++i) {
            const int plane = motion_.steady() ? 0 : motion_.groupOf(i);
            const double side =
                motion_.steady() || turns % 2 == 0 ? 1 : flips_[static_cast<std::size_t>(plane)];
            const Eigen::Matrix2d turned =
                side * Eigen::Rotation2Dd(turns * motion_.advance(plane)).toRotationMatrix();
            for (Axes* axes : {&frame.e, &frame.v, &frame.acceleration})
                axes->col(i).head<2>() = (turned * axes->col(i).head<2>()).eval();
        }
        return frame;
    }

private:
    const ExactMotion& motion_;
    int points_;
    std::vector<MotionFrame> frames_;
    std::vector<double> flips_;
};

void keepTangent(const MotionFrame& at, Disturbance& x)
{
    for (Eigen::Index i = 0; i < at.e.cols(); ++i) {
        x.e.col(i) -= at.e.col(i).dot(x.e.col(i)) * at.e.col(i);
        x.v.col(i) -= (at.e.col(i).dot(x.v.col(i)) + at.v.col(i).dot(x.e.col(i))) * at.e.col(i);
    }
}

// Changes of energy and L_z along a disturbance.
Eigen::Vector2d changes(const Chain& chain, const MotionFrame& at, const Disturbance& x)
{
    // Both are quadratic: the symmetric difference is exact.
    const auto value = [&](double h) {
        const Axes e = at.e + h * x.e, v = at.v + h * x.v;
        return Eigen::Vector2d(chain.energy(e, v), chain.verticalMomentum(e, v));
    };
    return (value(1) - value(-1)) / 2;
}

} // namespace

Growth growthAlong(const ExactMotion& motion, int periods, int stepsPerPeriod,
                   const std::function<bool()>& cancelled)
{
    const Chain& chain = motion.chain();
    const int n = chain.size();
    const double period = motion.period(), h = period / stepsPerPeriod;
    const double weight = std::pow(period / 6.283185307179586, 2); // makes v comparable with e
    const Replay replay(motion, 2 * stepsPerPeriod);
    const MotionFrame begin = replay.at(0);

    Disturbance x{Axes(3, n), Axes(3, n)}, push = x, turn = x;
    for (int i = 0; i < n; ++i) {
        // A fixed direction that no symmetry of a motion prefers.
        x.e.col(i) << std::sin(1.0 + i), std::cos(2.3 * i), std::sin(0.7 - 1.9 * i);
        x.v.col(i) << std::cos(0.4 + 1.7 * i), std::sin(1.1 * i + 2), std::cos(3.0 * i);
        x.v.col(i) /= std::sqrt(weight);
    }
    keepTangent(begin, x);
    push.e.setZero();
    turn.e.setZero();
    push.v = begin.v;
    for (int i = 0; i < n; ++i)
        turn.v.col(i) = Eigen::Vector3d(-begin.e(1, i), begin.e(0, i), 0);
    for (Disturbance* d : {&push, &turn})
        keepTangent(begin, *d);
    Eigen::Matrix2d response;
    response << changes(chain, begin, push), changes(chain, begin, turn);
    const Eigen::Vector2d part = dense::leastSquares(response, changes(chain, begin, x));
    x.v -= part[0] * push.v + part[1] * turn.v;

    Growth growth;
    double logarithm = 0;
    const auto renormalise = [&] {
        const double size = std::sqrt(x.e.squaredNorm() + x.v.squaredNorm() * weight);
        logarithm += std::log(size);
        x.e /= size;
        x.v /= size;
    };
    renormalise();
    logarithm = 0;
    growth.time.push_back(0);
    growth.size.push_back(0);
    Disturbance k1 = x, k2 = x, k3 = x, k4 = x, y = x;
    const auto shifted = [&](const Disturbance& k, double by) {
        y.e = x.e + by * k.e;
        y.v = x.v + by * k.v;
    };
    std::array<Linearisation, 2> ends;
    Linearisation middle;
    ends[0].set(chain, begin);
    const int perPoint = std::max(1, stepsPerPeriod / 8);
    for (int step = 0; step < periods * stepsPerPeriod; ++step) {
        middle.set(chain, replay.at(2 * step + 1));
        const Linearisation& before = ends[static_cast<std::size_t>(step % 2)];
        Linearisation& after = ends[static_cast<std::size_t>((step + 1) % 2)];
        after.set(chain, replay.at(2 * step + 2));
        before.rate(x, k1);
        shifted(k1, h / 2);
        middle.rate(y, k2);
        shifted(k2, h / 2);
        middle.rate(y, k3);
        shifted(k3, h);
        after.rate(y, k4);
        x.e += h / 6 * (k1.e + 2 * k2.e + 2 * k3.e + k4.e);
        x.v += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
        keepTangent(after.at(), x);
        renormalise();
        if ((step + 1) % perPoint == 0) {
            growth.time.push_back(static_cast<double>(step + 1) / stepsPerPeriod);
            growth.size.push_back(logarithm);
            if (cancelled && cancelled())
                break;
        }
    }
    const std::size_t last = growth.size.size() - 1, half = last / 2;
    if (last > half)
        growth.perPeriod = (growth.size[last] - growth.size[half]) / (growth.time[last] - growth.time[half]);
    return growth;
}

} // namespace casimir::tops
