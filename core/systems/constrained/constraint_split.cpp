#include "core/systems/constrained/constraint_split.h"

#include "core/numerics/dense.h"

#include <fmt/format.h>

#include <algorithm>

namespace casimir::constrained {

namespace {

// Rows of dphi and columns of W at length 1, so that singular values mean angles; zero vectors stay zero.
struct Normalised {
    Eigen::MatrixXd dphi, W, G;
    Eigen::VectorXd columnLength;
};

Normalised normalised(const SplitProblem& problem)
{
    Normalised n{problem.dphi, problem.W, {}, problem.W.colwise().norm()};
    for (Eigen::Index a = 0; a < n.dphi.rows(); ++a)
        n.dphi.row(a).stableNormalize();
    for (Eigen::Index b = 0; b < n.W.cols(); ++b)
        n.W.col(b).stableNormalize();
    n.G = n.dphi * n.W;
    return n;
}

} // namespace

ConstraintSplit split(const SplitProblem& problem)
{
    const Normalised n = normalised(problem);
    const Eigen::Index s = n.W.cols();
    ConstraintSplit result;
    result.XD = problem.XH;
    result.XW = Eigen::VectorXd::Zero(problem.XH.size());
    result.lambda = Eigen::VectorXd::Zero(s);
    if (s == 0)
        return result;
    const dense::SingularValues svd = dense::decomposed(n.G);
    // Fewer rows than columns: the force is not determined.
    result.smallestSingularValue = n.G.rows() < s ? 0 : svd.s[s - 1];
    if (!(result.smallestSingularValue >= kIrregular)) {
        result.status = Status::failed(
            "irregular", fmt::format("A force that may hold the constraint points along the constraint set: "
                                     "the smallest singular value is {:.3g}.",
                                     result.smallestSingularValue));
        return result;
    }
    const Eigen::VectorXd rate = n.dphi * problem.XH;
    const Eigen::VectorXd lambda = svd.solve(rate);
    const double size = rate.norm();
    result.mismatch = size > 0 ? (n.G * lambda - rate).norm() / size : 0;
    if (n.G.rows() > s && result.mismatch > kIrregular) {
        result.status = Status::failed(
            "irregular", fmt::format("No force in the allowed directions keeps the motion on the constraint "
                                     "set: a part {:.3g} of the rate is left.",
                                     result.mismatch));
        return result;
    }
    result.XW = n.W * lambda;
    result.XD = problem.XH - result.XW;
    result.lambda = lambda.array() / n.columnLength.array();
    return result;
}

Eigen::VectorXd splitByBases(const SplitProblem& problem)
{
    const Normalised n = normalised(problem);
    const Eigen::MatrixXd T = dense::kernel(n.dphi);
    Eigen::MatrixXd basis(T.rows(), T.cols() + n.W.cols());
    basis << T, n.W;
    const Eigen::VectorXd x = dense::leastSquares(basis, problem.XH);
    return T * x.head(T.cols());
}

Eigen::VectorXd stepTowards(const SplitProblem& problem, const Eigen::VectorXd& phi)
{
    const Eigen::MatrixXd G = problem.dphi * problem.W;
    return -problem.W * dense::leastSquares(G, phi);
}

} // namespace casimir::constrained
