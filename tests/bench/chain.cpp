#include "tests/bench/chain.h"

#include "tests/bench/plain_dopri5.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace casimir::bench {

planar::Tree chainOf(int n)
{
    std::vector<planar::TreeBody> bodies(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) {
        planar::TreeBody& b = bodies[static_cast<std::size_t>(k)];
        b.mass = 1 + 0.1 * (k % 3);
        b.inertia = 0.1 + 0.01 * (k % 5);
        b.parent = k - 1;
        b.hingeOnParent = {0.5, 0.05};
        b.hingeOnBody = {-0.5, 0.02};
    }
    return planar::Tree(bodies);
}

ChainStart chainStart(int n)
{
    ChainStart start;
    for (int k = 0; k < n; ++k) {
        start.theta.push_back(0.3 * std::sin(1.0 + k));
        start.mu.push_back(0.2 + 0.1 * std::cos(2.0 * k));
    }
    return start;
}

double accelerationError(int n, const std::vector<double>& relative)
{
    constexpr double h = 1e-5;
    const planar::Tree tree = chainOf(n);
    const auto [theta, mu] = chainStart(n);
    planar::Tree::Workspace w;
    std::vector<double> omega(theta), muDot(theta);
    tree.field(0, theta.data(), mu.data(), omega.data(), muDot.data(), w);
    // Along the tangent of the motion, which has the same derivative.
    const auto omegaAt = [&](double t) {
        std::vector<double> angle(theta), momentum(mu);
        for (std::size_t k = 0; k < theta.size(); ++k) {
            angle[k] += t * omega[k];
            momentum[k] += t * muDot[k];
        }
        tree.velocities(0, angle.data(), momentum.data(), w);
        return w.omega();
    };
    const std::vector<double> after = omegaAt(h), before = omegaAt(-h);
    double theirs = 0, worst = 0, largest = 0;
    for (std::size_t k = 0; k < after.size(); ++k) {
        theirs += relative[k];
        const double ours = (after[k] - before[k]) / (2 * h);
        worst = std::max(worst, std::abs(theirs - ours));
        largest = std::max(largest, std::abs(ours));
    }
    return worst / largest;
}

DenseChain::DenseChain(const planar::Tree& tree)
    : n_(static_cast<std::size_t>(tree.size())),
      gamma_(planar::TreeMatrices(tree).gamma()),
      J_(n_ * n_),
      K_(n_ * n_),
      e_(n_)
{
    for (const planar::TreeBody& b : tree.bodies())
        inertia_.push_back(b.inertia);
}

void DenseChain::field(const double* theta, const double* mu, double* omega, double* muDot)
{
    for (std::size_t k = 0; k < n_; ++k)
        e_[k] = {std::cos(theta[k]), std::sin(theta[k])};
    for (std::size_t k = 0; k < n_; ++k)
        for (std::size_t l = 0; l <= k; ++l) {
            const auto g = gamma_(static_cast<Eigen::Index>(l), static_cast<Eigen::Index>(k));
            const double c = e_[k].real() * e_[l].real() + e_[k].imag() * e_[l].imag();
            const double s = e_[k].imag() * e_[l].real() - e_[k].real() * e_[l].imag();
            J_[k * n_ + l] = g.real() * c - g.imag() * s + (k == l ? inertia_[k] : 0);
            K_[l * n_ + k] = g.real() * s + g.imag() * c;
            K_[k * n_ + l] = -K_[l * n_ + k];
        }
    for (std::size_t k = 0; k < n_; ++k) {
        double y = mu[k];
        for (std::size_t l = 0; l <= k; ++l) {
            double sum = J_[k * n_ + l];
            for (std::size_t i = 0; i < l; ++i)
                sum -= J_[k * n_ + i] * J_[l * n_ + i];
            J_[k * n_ + l] = l == k ? std::sqrt(sum) : sum / J_[l * n_ + l];
        }
        for (std::size_t i = 0; i < k; ++i)
            y -= J_[k * n_ + i] * omega[i];
        omega[k] = y / J_[k * n_ + k];
    }
    for (std::size_t k = n_; k-- > 0;) {
        for (std::size_t i = k + 1; i < n_; ++i)
            omega[k] -= J_[i * n_ + k] * omega[i];
        omega[k] /= J_[k * n_ + k];
    }
    for (std::size_t k = 0; k < n_; ++k) {
        double sum = 0;
        for (std::size_t l = 0; l < n_; ++l)
            sum += K_[k * n_ + l] * omega[l];
        muDot[k] = omega[k] * sum;
    }
}

double moveByDopri5(const ChainField& field, const ChainEnergy& energy, const Eigen::VectorXd& start,
                    double tolerance)
{
    const double first = energy(start);
    double worst = 0;
    const auto rate = [&](const Eigen::VectorXd& x) {
        Eigen::VectorXd dxdt(x.size());
        field(x, dxdt);
        return dxdt;
    };
    PlainDopri5<Eigen::VectorXd, decltype(rate)> run(rate, tolerance, start, 1e-3);
    while (run.time() < chainDuration) {
        run.step();
        worst = std::max(worst, std::abs(energy(run.state()) / first - 1));
    }
    return worst;
}

Tuned tunedToEnergy(const std::function<double(double)>& run)
{
    constexpr double wanted = 1e-8, ratio = 0.5;
    double tolerance = 1e-6;
    while (true) {
        const double error = run(tolerance);
        if (error <= wanted || tolerance < 1e-13)
            return {tolerance, error};
        // The error is about proportional to the tolerance; the last steps are small.
        tolerance *= error > 100 * wanted ? 0.1 : ratio;
    }
}

ChainBaseline::ChainBaseline(int n) : tree_(chainOf(n)), dense_(tree_), start_(2 * n)
{
    const ChainStart start = chainStart(n);
    std::copy(start.theta.begin(), start.theta.end(), start_.data());
    std::copy(start.mu.begin(), start.mu.end(), start_.data() + n);
    tuned_ = tunedToEnergy([this](double tolerance) { return at(tolerance); });
}

double ChainBaseline::at(double tolerance) const
{
    const auto n = static_cast<Eigen::Index>(tree_.size());
    planar::Tree::Workspace w;
    return moveByDopri5(
        [&](const Eigen::VectorXd& x, Eigen::VectorXd& dxdt) {
            dense_.field(x.data(), x.data() + n, dxdt.data(), dxdt.data() + n);
        },
        [&](const Eigen::VectorXd& x) { return tree_.energy(0, x.data(), x.data() + n, w); }, start_,
        tolerance);
}

void ChainBaseline::run() const
{
    at(tuned_.tolerance);
}

Repeats repeatsFor(int n)
{
    return {std::max(20, 400000 / n), std::max(2, static_cast<int>(3e7 / (150.0 * n + 0.2 * n * n * n)))};
}

} // namespace casimir::bench
