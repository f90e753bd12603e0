// Chains of heavy tops: one evaluation of the accelerations from 1 to 32 tops, against a dense solve for the
// accelerations and the tensions of the unit axes together.
#include "core/systems/tops/chain.h"
#include "tests/bench/report.h"

#include <Eigen/Dense>
#include <fmt/format.h>

#include <cmath>

namespace casimir::tops {

namespace {

Chain chainOf(int n)
{
    std::vector<Top> tops(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        Top& top = tops[static_cast<std::size_t>(i)];
        top = {1 + 0.1 * (i % 3), 0.3, 0.5, 0.02, 0.01, 20.0 + i};
    }
    return Chain(std::move(tops), 9.81);
}

// sum_j M_ij e_j'' + g a_i e3 + k_i v_i x e_i = lambda_i e_i with e_i . e_i'' = -v_i^2, as one linear system.
void plainAccelerations(const Chain& chain, const Axes& e, const Axes& v, Eigen::Matrix3Xd& out)
{
    const int n = chain.size();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4 * n, 4 * n);
    Eigen::VectorXd b(4 * n);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j)
            A.block<3, 3>(3 * i, 3 * j).diagonal().setConstant(chain.inertia()(i, j));
        A.block<3, 1>(3 * i, 3 * n + i) = -e.col(i);
        A.block<1, 3>(3 * n + i, 3 * i) = e.col(i).transpose();
        const Eigen::Vector3d vi = v.col(i), ei = e.col(i);
        b.segment<3>(3 * i) = -chain.g() * chain.a(i) * Eigen::Vector3d::UnitZ() - chain.k(i) * vi.cross(ei);
        b[3 * n + i] = -vi.squaredNorm();
    }
    const Eigen::VectorXd x = A.partialPivLu().solve(b);
    out = x.head(3 * n).reshaped(3, n);
}

void run(const bench::Report& report)
{
    std::vector<double> sizes, times;
    for (const int n : {1, 2, 4, 8, 16, 32}) {
        const Chain chain = chainOf(n);
        Axes e(3, n), v(3, n);
        for (int i = 0; i < n; ++i) {
            const AxisAngles at{0.4 + 0.05 * i, 0.3 * i, 0.1, 1 - 0.02 * i};
            e.col(i) = axisOf(at);
            v.col(i) = axisRateOf(at);
        }
        Eigen::Matrix3Xd fast(3, n), plain(3, n);
        const bench::Comparison c = bench::compare(
            report.repetitions(21), std::max(20, 40000 / (n * n)),
            [&] {
                chain.accelerations(e, v, fast);
                v(0, 0) += 1e-12 * fast(0, 0);
            },
            std::max(2, 40000 / (n * n * n + 20)), [&] { plainAccelerations(chain, e, v, plain); });
        chain.accelerations(e, v, fast);
        plainAccelerations(chain, e, v, plain);
        report.add({fmt::format("accelerations of {} tops", n), "us", bench::scaled(c.time, 1e6),
                    "dense, 4 n unknowns", c.ratio,
                    fmt::format("the two differ by {:.0e}", (fast - plain).norm() / plain.norm())});
        sizes.push_back(n);
        times.push_back(c.time.median);
    }
    const double last = bench::fittedExponent({sizes.end() - 3, sizes.end()}, {times.end() - 3, times.end()});
    report.addGrowth("growth of that with n, 1 to 32", sizes, times, fmt::format("8 to 32: {:.2f}", last));
}

} // namespace

} // namespace casimir::tops

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::tops::run(report.forItem("tops"));
}
