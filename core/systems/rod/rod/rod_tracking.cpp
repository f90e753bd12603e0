#include "core/systems/rod/rod/rod_tracking.h"

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

constexpr double related = 0.3; // below it two shapes have nothing to do with each other

// The shapes, one column each, at every stride-th node.
Eigen::MatrixXcd sampled(const std::vector<RodMode>& modes, Eigen::Index nodes, Eigen::Index stride)
{
    Eigen::MatrixXcd shapes(6 * nodes, static_cast<Eigen::Index>(modes.size()));
    for (Eigen::Index k = 0; k < shapes.cols(); ++k)
        for (Eigen::Index i = 0; i < nodes; ++i)
            shapes.col(k).segment<6>(6 * i) =
                modes[static_cast<std::size_t>(k)].shape.segment<6>(6 * stride * i);
    return shapes;
}

Eigen::MatrixXd overlaps(const RodLinearisation& atA, const std::vector<RodMode>& a,
                         const RodLinearisation& atB, const std::vector<RodMode>& b)
{
    const int na = atA.rod->parameters().elements, nb = atB.rod->parameters().elements;
    const int coarse = std::min(na, nb);
    Eigen::MatrixXd none =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(a.size()), static_cast<Eigen::Index>(b.size()));
    if (na % coarse != 0 || nb % coarse != 0 || a.empty() || b.empty())
        return none;
    const BlockTridiagonal& M = na <= nb ? atA.M : atB.M;
    const auto times = [&M](const Eigen::MatrixXcd& x) {
        return Eigen::MatrixXcd((M * Eigen::MatrixXd(x.real())).cast<std::complex<double>>() +
                                std::complex<double>(0, 1) *
                                    (M * Eigen::MatrixXd(x.imag())).cast<std::complex<double>>());
    };
    const Eigen::MatrixXcd A = sampled(a, coarse + 1, na / coarse), B = sampled(b, coarse + 1, nb / coarse);
    const Eigen::MatrixXcd MA = times(A), MB = times(B);
    Eigen::MatrixXd result = (A.adjoint() * MB).cwiseAbs();
    for (Eigen::Index i = 0; i < result.rows(); ++i)
        result.row(i) /= std::sqrt(std::abs(A.col(i).dot(MA.col(i))));
    for (Eigen::Index j = 0; j < result.cols(); ++j)
        result.col(j) /= std::sqrt(std::abs(B.col(j).dot(MB.col(j))));
    return result;
}

} // namespace

double overlap(const RodLinearisation& atA, const RodMode& a, const RodLinearisation& atB, const RodMode& b)
{
    return overlaps(atA, {a}, atB, {b})(0, 0);
}

ModePairs pairModes(const RodLinearisation& atA, const std::vector<RodMode>& a, const RodLinearisation& atB,
                    const std::vector<RodMode>& b)
{
    Eigen::MatrixXd left = overlaps(atA, a, atB, b);
    // Shapes of equal frequencies mix freely: among overlaps about equal the nearest frequency decides.
    for (Eigen::Index i = 0; i < left.rows(); ++i)
        for (Eigen::Index j = 0; j < left.cols(); ++j) {
            const std::complex<double> x = a[static_cast<std::size_t>(i)].value,
                                       y = b[static_cast<std::size_t>(j)].value;
            left(i, j) -= 0.1 * std::min(1.0, std::abs(x - y) / std::max(std::abs(x), std::abs(y)));
        }
    ModePairs pairs{std::vector<int>(a.size(), -1), 1};
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        Eigen::Index i = 0, j = 0;
        const double most = left.maxCoeff(&i, &j);
        if (!(most > related))
            break;
        pairs.partner[static_cast<std::size_t>(i)] = static_cast<int>(j);
        pairs.least = std::min(pairs.least, most);
        left.row(i).setConstant(-1);
        left.col(j).setConstant(-1);
    }
    return pairs;
}

} // namespace casimir::rod
