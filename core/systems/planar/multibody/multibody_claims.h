// What the paper says of N bodies (section 6 and Theorem 3), each statement computed when asked at random
// trees by a route of its own: the bodies' positions, Newton's and Euler's laws with hinge forces. The
// formulas under test are handed in, so that an altered one can be seen to fail.
#pragma once

#include "core/model/analysis.h"
#include "core/systems/planar/multibody/multibody_equilibria.h"

#include <functional>
#include <vector>

namespace casimir::planar {

struct TreeFormulas {
    using Vector = Eigen::VectorXd;

    std::function<Eigen::MatrixXd(const Tree&, const Vector&theta)> J, K;
    std::function<double(const Tree&, const Vector& theta, const Vector& mu)> hamiltonian;
    // theta' and mu', one above the other
    std::function<Vector(const Tree&, const Vector& theta, const Vector& mu)> field;
    std::function<double(const Tree&, const Vector& fBeta, const Vector& fMu, const Vector& gBeta,
                         const Vector& gMu)>
        bracket;
    std::function<double(const Tree&, const Vector& theta, double mu)> amendedPotential;
    std::function<double(const Tree&, const Vector& beta, const Vector& rates)> connection;
};

TreeFormulas treeFormulas();

std::vector<Claim> multibodyClaims(unsigned seed, const TreeFormulas& formulas = treeFormulas());

} // namespace casimir::planar
