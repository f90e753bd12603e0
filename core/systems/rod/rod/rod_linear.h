// The linearised motion about the turning equilibrium, and how a state of the full motion lies to it: as a
// small deviation in the turning frame, on the equilibrium's own level of momentum. Exponents and modes come
// from rod_stability.h; the full motion is in rod_dynamics.h.
#pragma once

#include "core/systems/rod/rod/rod_dynamics.h"
#include "core/systems/rod/rod/rod_stability.h"

#include <complex>

namespace casimir::rod {

// Of a state from the equilibrium that was turned by `angle`: variations of the nodes, six numbers each, with
// the mass centre held and no turn about the axis, and their rates at the equilibrium's momentum.
struct RodDeviation {
    double angle = 0;
    Eigen::VectorXd shape, rate;
};

// A mode whose swing about the axis, which is no change of shape, stands apart.
struct LinearMode {
    std::complex<double> value; // the exponent
    Eigen::VectorXcd shape, rate;
    std::complex<double> swing;
};

class RodLinearMotion {
public:
    RodLinearMotion(const RodDynamics& dynamics, const RodEquilibrium& equilibrium);

    LinearMode split(const RodMode& mode) const;
    RodDeviation inMode(const LinearMode& mode, std::complex<double> amplitude) const;
    RodDeviation none() const;

    // Each undoes the other on states without linear momentum and with the equilibrium's angular momentum; of
    // any other state the deviation is that of the nearest such one.
    RodState stateAt(const RodDeviation& deviation) const;
    RodDeviation deviationOf(const RodState& s) const;

    // Of the linearised motion, which keeps it: the equilibrium's energy and the second variation.
    double energy(const RodDeviation& deviation) const;

    // The amplitude with which a mode fits a deviation best, and what it leaves of it (0 where it fits).
    struct Fit {
        std::complex<double> amplitude;
        double left = 0;
    };
    static Fit fit(const LinearMode& mode, const RodDeviation& deviation);
    // The same for the shape alone and a real amplitude.
    static Fit fitShape(const LinearMode& mode, const RodDeviation& deviation);

private:
    Eigen::VectorXd shapeAt(const RodConfiguration& centred, double angle) const;

    const RodDynamics* dynamics_;
    RodLinearisation at_;
    Eigen::MatrixXd shifts_, massShifts_, massTurns_, momentum_; // T, M T, M η_Q, δJ of a variation
    double turning_;                                             // η_Qᵀ M η_Q of the axis
};

} // namespace casimir::rod
