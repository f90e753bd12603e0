#include "core/systems/rod/rod/block_tridiagonal.h"

#include "core/numerics/dense.h"

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

constexpr Eigen::Index halfBand = 11;

BandedMatrix banded(const BlockTridiagonal& A, const Vec6& springs)
{
    BandedMatrix band = rod::banded(A);
    for (Eigen::Index k = 0; k < 6; ++k)
        band(k, k) += springs[k];
    return band;
}

Eigen::MatrixXd withSprings(const Eigen::MatrixXd& U)
{
    Eigen::MatrixXd border = Eigen::MatrixXd::Zero(U.rows(), 6 + U.cols());
    border.topLeftCorner<6, 6>().setIdentity();
    border.rightCols(U.cols()) = U;
    return border;
}

// The border's own corner less what the chain answers: D - U^T A0^{-1} U with the springs' compliance.
Eigen::MatrixXd schurComplement(const Eigen::MatrixXd& border, const Eigen::MatrixXd& response,
                                const Eigen::MatrixXd& D, const Vec6& springs)
{
    Eigen::MatrixXd schur = -border.transpose() * response;
    for (Eigen::Index k = 0; k < 6; ++k)
        schur(k, k) += 1 / springs[k];
    schur.bottomRightCorner(D.rows(), D.cols()) += D;
    return schur;
}

} // namespace

BandedMatrix banded(const BlockTridiagonal& A)
{
    BandedMatrix band(A.size(), halfBand);
    const auto place = [&band](std::size_t i, std::size_t j, const Mat6& block) {
        for (Eigen::Index r = 0; r < 6; ++r)
            for (Eigen::Index c = 0; c < 6; ++c)
                band(6 * static_cast<Eigen::Index>(i) + r, 6 * static_cast<Eigen::Index>(j) + c) =
                    block(r, c);
    };
    for (std::size_t i = 0; i < A.nodes(); ++i) {
        place(i, i, A.diagonal[i]);
        if (i + 1 < A.nodes()) {
            place(i, i + 1, A.upper[i]);
            place(i + 1, i, A.lower[i]);
        }
    }
    return band;
}

BlockTridiagonal::BlockTridiagonal(std::size_t nodes)
    : diagonal(nodes, Mat6::Zero()), upper(nodes - 1, Mat6::Zero()), lower(nodes - 1, Mat6::Zero())
{
}

void BlockTridiagonal::setZero()
{
    for (auto* blocks : {&diagonal, &upper, &lower})
        std::fill(blocks->begin(), blocks->end(), Mat6::Zero());
}

void BlockTridiagonal::add(double factor, const BlockTridiagonal& other)
{
    for (std::size_t i = 0; i < diagonal.size(); ++i)
        diagonal[i] += factor * other.diagonal[i];
    for (std::size_t i = 0; i < upper.size(); ++i) {
        upper[i] += factor * other.upper[i];
        lower[i] += factor * other.lower[i];
    }
}

Eigen::MatrixXd BlockTridiagonal::operator*(const Eigen::MatrixXd& x) const
{
    Eigen::MatrixXd y(x.rows(), x.cols());
    for (Eigen::Index c = 0; c < x.cols(); ++c)
        for (std::size_t i = 0; i < nodes(); ++i) {
            const auto at = 6 * static_cast<Eigen::Index>(i);
            Vec6 sum = diagonal[i] * x.col(c).segment<6>(at);
            if (i + 1 < nodes())
                sum += upper[i] * x.col(c).segment<6>(at + 6);
            if (i > 0)
                sum += lower[i - 1] * x.col(c).segment<6>(at - 6);
            y.col(c).segment<6>(at) = sum;
        }
    return y;
}

double BlockTridiagonal::largest() const
{
    double most = 0;
    for (const auto* blocks : {&diagonal, &upper, &lower})
        for (const Mat6& block : *blocks)
            most = std::max(most, block.cwiseAbs().maxCoeff());
    return most;
}

Eigen::MatrixXd BlockTridiagonal::dense() const
{
    return *this * Eigen::MatrixXd::Identity(size(), size());
}

BorderedChain::BorderedChain(const BlockTridiagonal& A, const Eigen::MatrixXd& U, const Eigen::MatrixXd& D,
                             const Vec6& springs)
    : factors_(banded(A, springs)), border_(withSprings(U))
{
    regular_ = factors_.factor();
    RowMatrix columns = border_;
    factors_.solve(columns);
    response_ = columns;
    schur_.compute(schurComplement(border_, response_, D, springs));
    regular_ = regular_ && response_.allFinite();
}

void BorderedChain::solve(const Eigen::MatrixXd& f, const Eigen::MatrixXd& g, Eigen::MatrixXd& x,
                          Eigen::MatrixXd& y) const
{
    if (f.cols() == 1) {
        Eigen::VectorXd column = f;
        factors_.solve(column);
        x = column;
    } else {
        RowMatrix columns = f;
        factors_.solve(columns);
        x = columns;
    }
    Eigen::MatrixXd right = -border_.transpose() * x;
    right.bottomRows(g.rows()) += g;
    const Eigen::MatrixXd all = schur_.solve(right);
    x.noalias() -= response_ * all;
    y = all.bottomRows(g.rows());
}

Eigen::MatrixXd BorderedChain::solve(const Eigen::MatrixXd& f) const
{
    Eigen::MatrixXd x, y;
    solve(f, Eigen::MatrixXd::Zero(border_.cols() - 6, f.cols()), x, y);
    return x;
}

namespace {

dense::SymmetricSpectrum spectrumOf(const Eigen::MatrixXd& A)
{
    return dense::symmetricSpectrum(A);
}

dense::HermitianSpectrum spectrumOf(const Eigen::MatrixXcd& A)
{
    return dense::hermitianSpectrum(A);
}

Eigen::VectorXd eigenvaluesOf(const Eigen::MatrixXd& A)
{
    return dense::symmetricValues(A);
}

Eigen::VectorXd eigenvaluesOf(const Eigen::MatrixXcd& A)
{
    return dense::hermitianValues(A);
}

// From the tip towards the first node, then the border. `diagonal(k)` and `upper(k)` give the chain's blocks.
template <typename Scalar, typename Diagonal, typename Upper>
int negativesOf(std::size_t nodes, const Diagonal& diagonal, const Upper& upper,
                const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& U, const Eigen::MatrixXd& D,
                const Vec6& springs)
{
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
    using Block = Eigen::Matrix<Scalar, 6, 6>;
    int negative = 0;
    Matrix rest = Matrix::Zero(U.rows(), 6 + U.cols());
    // The springs' rows by the root of the springs, so that a heavy body's keep their sign through rounding.
    rest.template topLeftCorner<6, 6>() =
        springs.cwiseSqrt().asDiagonal().toDenseMatrix().template cast<Scalar>();
    rest.rightCols(U.cols()) = U;
    Matrix schur = Matrix::Zero(rest.cols(), rest.cols());
    schur.template topLeftCorner<6, 6>().setIdentity();
    schur.bottomRightCorner(D.rows(), D.cols()) = D.template cast<Scalar>();
    Block block = Block::Zero();
    for (std::size_t k = nodes; k-- > 0;) {
        block += diagonal(k);
        if (k == 0)
            block.diagonal() += springs.template cast<Scalar>();
        const auto spectrum = spectrumOf(Matrix(block));
        const Vec6 values = spectrum.values;
        negative += static_cast<int>((values.array() < 0).count());
        // A block singular to rounding: its sign is given to the positive side, which the next one answers.
        const double floor = 1e-300 + 1e-18 * values.cwiseAbs().maxCoeff();
        Vec6 inverse;
        for (int i = 0; i < 6; ++i)
            inverse[i] = 1 / (std::abs(values[i]) < floor ? floor : values[i]);
        const Block vectors = spectrum.vectors;
        const Block inverted = vectors * inverse.asDiagonal() * vectors.adjoint();
        const auto at = 6 * static_cast<Eigen::Index>(k);
        const Matrix answered = inverted * rest.template middleRows<6>(at);
        schur.noalias() -= rest.template middleRows<6>(at).adjoint() * answered;
        if (k > 0) {
            const Block beside = upper(k - 1);
            rest.template middleRows<6>(at - 6).noalias() -= beside * answered;
            block = -beside * inverted * beside.adjoint();
        }
    }
    return negative + static_cast<int>((eigenvaluesOf(schur).array() < 0).count());
}

} // namespace

int negativeDirections(const BlockTridiagonal& A, const Eigen::MatrixXd& U, const Eigen::MatrixXd& D,
                       const Vec6& springs)
{
    return negativesOf<double>(
        A.nodes(), [&](std::size_t k) -> const Mat6& { return A.diagonal[k]; },
        [&](std::size_t k) -> const Mat6& { return A.upper[k]; }, U, D, springs);
}

int negativeDirections(const BlockTridiagonal& A, const BlockTridiagonal& B, const Eigen::MatrixXcd& U,
                       const Eigen::MatrixXd& D, const Vec6& springs)
{
    using Block = Eigen::Matrix<std::complex<double>, 6, 6>;
    const auto joined = [](const Mat6& a, const Mat6& b) -> Block {
        return a.cast<std::complex<double>>() + std::complex<double>(0, 1) * b.cast<std::complex<double>>();
    };
    return negativesOf<std::complex<double>>(
        A.nodes(), [&](std::size_t k) { return joined(A.diagonal[k], B.diagonal[k]); },
        [&](std::size_t k) { return joined(A.upper[k], B.upper[k]); }, U, D, springs);
}

} // namespace casimir::rod
