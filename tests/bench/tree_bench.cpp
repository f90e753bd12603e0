// The forward dynamics of a free planar chain, per evaluation, from 2 to 512 bodies, against a plain dense
// solve of the same equations in the same run; and how the time grows with the number of bodies.
#include "core/systems/planar/multibody_matrices.h"
#include "tests/bench/report.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <vector>

namespace casimir::planar {

namespace {

Tree chainOf(int n)
{
    std::vector<TreeBody> bodies(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) {
        TreeBody& b = bodies[static_cast<std::size_t>(k)];
        b.mass = 1 + 0.1 * (k % 3);
        b.inertia = 0.1 + 0.01 * (k % 5);
        b.parent = k - 1;
        b.hingeOnParent = {0.5, 0.05};
        b.hingeOnBody = {-0.5, 0.02};
    }
    return Tree(bodies);
}

// The baseline: the same field by a dense inertia matrix, each entry from one sine and cosine a body, and
// Cholesky's loops; memory is kept between evaluations.
class Dense {
public:
    explicit Dense(const Tree& tree)
        : n_(static_cast<std::size_t>(tree.size())),
          gamma_(TreeMatrices(tree).gamma()),
          J_(n_ * n_),
          K_(n_ * n_),
          e_(n_)
    {
        for (const TreeBody& b : tree.bodies())
            inertia_.push_back(b.inertia);
    }

    void field(const double* theta, const double* mu, double* omega, double* muDot)
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

private:
    std::size_t n_;
    Eigen::MatrixXcd gamma_;
    std::vector<double> J_, K_, inertia_;
    std::vector<std::complex<double>> e_;
};

void benchChains(const bench::Report& report)
{
    std::vector<double> sizes, times;
    for (const int n : {2, 3, 5, 10, 20, 50, 100, 200, 512}) {
        const Tree tree = chainOf(n);
        Dense dense(tree);
        std::vector<double> theta(static_cast<std::size_t>(n)), mu(theta), omega(theta), muDot(theta);
        for (int k = 0; k < n; ++k) {
            theta[static_cast<std::size_t>(k)] = 0.3 * std::sin(1.0 + k);
            mu[static_cast<std::size_t>(k)] = 0.2 + 0.1 * std::cos(2.0 * k);
        }
        Tree::Workspace w;
        const int fast = std::max(20, 400000 / n);
        const int slow = std::max(2, static_cast<int>(3e7 / (150.0 * n + 0.2 * n * n * n)));
        // Each evaluation waits for the one before, as in an integration.
        const auto work = [&] {
            for (int i = 0; i < fast; ++i) {
                tree.field(0, theta.data(), mu.data(), omega.data(), muDot.data(), w);
                theta[0] += 1e-9 * omega[0];
            }
        };
        const auto baseline = [&] {
            for (int i = 0; i < slow; ++i) {
                dense.field(theta.data(), mu.data(), omega.data(), muDot.data());
                theta[0] += 1e-9 * omega[0];
            }
        };
        const bench::Comparison c = bench::compare(9, work, baseline);
        const double share = static_cast<double>(slow) / fast;
        const double scale = 1e9 / fast;
        report.add({fmt::format("field of a chain of {}", n),
                    "ns",
                    {scale * c.time.median, scale * c.time.low, scale * c.time.high},
                    "dense solve",
                    bench::Spread{share * c.ratio.median, share * c.ratio.low, share * c.ratio.high},
                    fmt::format("{:.1f} ns a body", scale * c.time.median / n)});
        if (n >= 10) {
            sizes.push_back(std::log(n));
            times.push_back(std::log(c.time.median / fast));
        }
    }
    // Least squares in logarithms.
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto count = static_cast<double>(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        x += sizes[i];
        y += times[i];
        xx += sizes[i] * sizes[i];
        xy += sizes[i] * times[i];
    }
    const double exponent = (count * xy - x * y) / (count * xx - x * x);
    report.add({"growth of the field's time with N, 10 to 512",
                "exponent",
                {exponent, exponent, exponent},
                "",
                {},
                "1 is linear"});
}

} // namespace

} // namespace casimir::planar

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::planar::benchChains(report);
}
