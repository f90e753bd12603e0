// The linearised motion on its reduced phase space: pairs of a variation δq and its rate η' with the mass
// centre and the angle about the axis held and the momentum fixed, δJ = c(δq) + Rᵀ M η' = 0. The rate's rigid
// part is taken from that condition, so that it holds however heavy the body is. The space is the whole of a
// short chain and a Krylov space of a long one. Solving the pencil and judging the answer is in
// rod_spectrum.cpp.
#pragma once

#include "core/systems/rod/rod/rod_stability.h"

#include <complex>

namespace casimir::rod {

// J z' = (H + D) z: J the symplectic form, H the second variation of the energy at fixed momentum, D the
// damping.
struct ReducedPencil {
    Eigen::MatrixXd J, H, D;
    Eigen::MatrixXd loss;          // η'·τN η': twice what damping takes in a unit of time
    Eigen::MatrixXd shapes, rates; // δq and η' of a unit of each coordinate
};

class ReducedSpace {
public:
    // `damping` is the time constant of the rod's viscosity.
    ReducedSpace(const RodLinearisation& at, double damping);

    // Adds pairs until there are `columns`, or all there are.
    void grow(Eigen::Index columns);
    Eigen::Index columns() const { return pairs_.cols(); }
    bool whole() const { return whole_; }

    ReducedPencil pencil() const;
    // η of a mode: its velocity over the exponent. Of a slow one, of which that would be rounding, the
    // position with the swing about the axis and the turn of the sections, which the space leaves out.
    Eigen::VectorXcd shape(std::complex<double> value, const Eigen::VectorXcd& position,
                           const Eigen::VectorXcd& velocity) const;
    // Q(λ) η of the full pencil Q = λ²M + λ(G + τN) + K, answered by Q(s)⁻¹ at the real shift s of the Krylov
    // space, relative to η: by how much each shape fails to be a mode.
    Eigen::VectorXd residuals(const Eigen::VectorXcd& values, const Eigen::MatrixXcd& shapes) const;

    const BlockTridiagonal& gyroscopic() const { return G_; }

private:
    Eigen::Index most() const { return 2 * (at_.rod->size() - 5); }
    void holdRigid(Eigen::MatrixXd& positions, Eigen::MatrixXd& rates) const;
    Eigen::MatrixXd everything() const;
    Eigen::MatrixXd massTimes(const Eigen::MatrixXd& pairs) const;
    Eigen::Index add(Eigen::MatrixXd pairs);
    Eigen::MatrixXd start();
    Eigen::MatrixXd advance(const Eigen::MatrixXd& pairs) const;

    const RodLinearisation& at_;
    double damping_, shift_;
    BlockTridiagonal G_, N_; // N of the viscosity, with its time constant
    BorderedChain inverse_;  // of Q(s)
    Eigen::MatrixXd MR_, MT_, c_;
    Mat3 inverseInertia_;
    // Of a rod with material symmetry: the turn of its sections, the condition that it has no momentum, and
    // where that turn is rigid the direction by which the condition is kept.
    Eigen::VectorXd freeTurn_, MFreeTurn_, turnMomentum_, acrossTurn_;
    // Of positions and rates; of a Krylov space orthonormal in diag(M, M), the last block last_ wide.
    Eigen::MatrixXd pairs_, MPairs_;
    Eigen::Index last_ = 0;
    int starts_ = 0;
    bool whole_ = false;
};

// Negative directions of H - iωJ on the whole reduced space. While H is definite they are the frequencies
// below ω (Sylvester's law of inertia); else each frequency counts by the sign of its energy, and what was
// negative at ω = 0 is added.
int frequenciesBelow(const RodLinearisation& at, const BlockTridiagonal& gyroscopic, double omega);

} // namespace casimir::rod
