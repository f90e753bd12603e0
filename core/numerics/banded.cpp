#include "core/numerics/banded.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir {

BandedMatrix::BandedMatrix(Eigen::Index size, Eigen::Index half)
    : size_(size),
      half_(half),
      width_(3 * half + 1),
      entries_(static_cast<std::size_t>(size * (3 * half + 1)), 0.0)
{
}

bool BandedMatrix::factor()
{
    pivots_.assign(static_cast<std::size_t>(size_), 0);
    double largest = 0;
    for (const double x : entries_)
        largest = std::max(largest, std::abs(x));
    bool regular = std::isfinite(largest);
    for (Eigen::Index k = 0; k < size_; ++k) {
        const Eigen::Index lastRow = std::min(size_ - 1, k + half_);
        const Eigen::Index lastColumn = std::min(size_ - 1, k + 2 * half_);
        Eigen::Index pivot = k;
        for (Eigen::Index r = k + 1; r <= lastRow; ++r)
            if (std::abs((*this)(r, k)) > std::abs((*this)(pivot, k)))
                pivot = r;
        pivots_[static_cast<std::size_t>(k)] = pivot;
        if (pivot != k)
            std::swap_ranges(&(*this)(k, k), &(*this)(k, k) + (lastColumn - k + 1), &(*this)(pivot, k));
        double& diagonal = (*this)(k, k);
        if (!(std::abs(diagonal) > 1e-300)) {
            regular = false;
            diagonal = std::numeric_limits<double>::epsilon() * std::max(largest, 1e-290);
        }
        const double inverse = 1 / diagonal;
        const double* source = &(*this)(k, k) + 1;
        const Eigen::Index count = lastColumn - k;
        for (Eigen::Index r = k + 1; r <= lastRow; ++r) {
            double* target = &(*this)(r, k);
            const double l = *target * inverse;
            *target = l;
            if (l == 0)
                continue;
            ++target;
            for (Eigen::Index j = 0; j < count; ++j)
                target[j] -= l * source[j];
        }
    }
    return regular;
}

void BandedMatrix::solve(RowMatrix& b) const
{
    for (Eigen::Index k = 0; k < size_; ++k) {
        if (const Eigen::Index pivot = pivots_[static_cast<std::size_t>(k)]; pivot != k)
            b.row(k).swap(b.row(pivot));
        for (Eigen::Index r = k + 1; r <= std::min(size_ - 1, k + half_); ++r)
            if (const double l = (*this)(r, k); l != 0)
                b.row(r) -= l * b.row(k);
    }
    for (Eigen::Index k = size_ - 1; k >= 0; --k) {
        for (Eigen::Index c = k + 1; c <= std::min(size_ - 1, k + 2 * half_); ++c)
            if (const double u = (*this)(k, c); u != 0)
                b.row(k) -= u * b.row(c);
        b.row(k) /= (*this)(k, k);
    }
}

void BandedMatrix::solve(Eigen::VectorXd& b) const
{
    for (Eigen::Index k = 0; k < size_; ++k) {
        if (const Eigen::Index pivot = pivots_[static_cast<std::size_t>(k)]; pivot != k)
            std::swap(b[k], b[pivot]);
        const double x = b[k];
        for (Eigen::Index r = k + 1; r <= std::min(size_ - 1, k + half_); ++r)
            b[r] -= (*this)(r, k) * x;
    }
    for (Eigen::Index k = size_ - 1; k >= 0; --k) {
        const Eigen::Index count = std::min(size_ - 1, k + 2 * half_) - k;
        const double* row = &(*this)(k, k);
        double sum = b[k];
        for (Eigen::Index j = 1; j <= count; ++j)
            sum -= row[j] * b[k + j];
        b[k] = sum / row[0];
    }
}

} // namespace casimir
