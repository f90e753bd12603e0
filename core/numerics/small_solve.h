// Linear equations of a few unknowns, known when compiled: elimination with row exchanges, written out
// because Eigen's takes seconds to compile for each size.
#pragma once

#include <Eigen/Core>

#include <array>
#include <cmath>
#include <utility>

namespace casimir {

template <int n>
class SmallSolver {
public:
    using Matrix = Eigen::Matrix<double, n, n>;
    using Vector = Eigen::Matrix<double, n, 1>;

    explicit SmallSolver(const Matrix& A) : lu_(A)
    {
        for (int k = 0; k < n; ++k) {
            int pivot = k;
            for (int i = k + 1; i < n; ++i)
                if (std::abs(lu_(i, k)) > std::abs(lu_(pivot, k)))
                    pivot = i;
            row_[static_cast<std::size_t>(k)] = pivot;
            if (pivot != k)
                for (int j = 0; j < n; ++j)
                    std::swap(lu_(k, j), lu_(pivot, j));
            for (int i = k + 1; i < n; ++i) {
                lu_(i, k) /= lu_(k, k);
                for (int j = k + 1; j < n; ++j)
                    lu_(i, j) -= lu_(i, k) * lu_(k, j);
            }
        }
    }

    Vector solve(Vector b) const
    {
        for (int k = 0; k < n; ++k)
            std::swap(b[k], b[row_[static_cast<std::size_t>(k)]]);
        for (int k = 0; k < n; ++k)
            for (int i = k + 1; i < n; ++i)
                b[i] -= lu_(i, k) * b[k];
        for (int k = n - 1; k >= 0; --k) {
            for (int j = k + 1; j < n; ++j)
                b[k] -= lu_(k, j) * b[j];
            b[k] /= lu_(k, k);
        }
        return b;
    }

private:
    Matrix lu_;
    std::array<int, n> row_{};
};

} // namespace casimir
