// Private to the mechanics of the chain: the mass matrix in tangent bases of the spheres, factored. The
// equations of motion and their linearisation solve with the same matrix.
#pragma once

#include "core/systems/tops/chain.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

namespace casimir::tops {

class TangentMass {
public:
    using Basis = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 2 * maxTops>;
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2 * maxTops, 2 * maxTops>;
    using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2 * maxTops, 1>;

    // M_ij B_i^T B_j, with B_i any orthonormal basis of the plane across e_i.
    void compute(const Eigen::MatrixXd& inertia, const AxesRef& e)
    {
        const Eigen::Index n = e.cols();
        basis_.resize(3, 2 * n);
        for (Eigen::Index i = 0; i < n; ++i) {
            const Eigen::Vector3d axis = e.col(i);
            // This one stays well conditioned everywhere.
            Eigen::Index least = 0;
            axis.cwiseAbs().minCoeff(&least);
            const Eigen::Vector3d b = Eigen::Vector3d::Unit(least).cross(axis).normalized();
            basis_.col(2 * i) = b;
            basis_.col(2 * i + 1) = axis.cross(b);
        }
        mass_.resize(2 * n, 2 * n);
        for (Eigen::Index j = 0; j < n; ++j) {
            const auto own = basis_.middleCols<2>(2 * j);
            for (Eigen::Index i = j + 1; i < n; ++i) {
                const double M = inertia(i, j);
                for (int c = 0; c < 2; ++c)
                    for (int r = 0; r < 2; ++r)
                        mass_(2 * i + r, 2 * j + c) =
                            M * (basis_(0, 2 * i + r) * own(0, c) + basis_(1, 2 * i + r) * own(1, c) +
                                 basis_(2, 2 * i + r) * own(2, c));
            }
            mass_(2 * j, 2 * j) = mass_(2 * j + 1, 2 * j + 1) = inertia(j, j);
            mass_(2 * j + 1, 2 * j) = 0;
        }
        factor_.compute(mass_);
    }

    // The tangent vectors X_j with B_i^T sum_j M_ij X_j = B_i^T force_i.
    template <class Forces, class Out>
    void solve(const Forces& force, Out&& out) const
    {
        const Eigen::Index n = force.cols();
        Vector right(2 * n);
        for (Eigen::Index i = 0; i < n; ++i)
            right.template segment<2>(2 * i) = basis_.middleCols<2>(2 * i).transpose() * force.col(i);
        factor_.solveInPlace(right);
        for (Eigen::Index i = 0; i < n; ++i)
            out.col(i) = basis_.middleCols<2>(2 * i) * right.template segment<2>(2 * i);
    }

private:
    Basis basis_;
    Matrix mass_;
    Eigen::LLT<Matrix, Eigen::Lower> factor_;
};

} // namespace casimir::tops
