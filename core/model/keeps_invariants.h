// The capability of systems whose quantities declared constant depend smoothly on the state alone, so that a
// motion can be put back onto their level: the method "conserving" (core/numerics/held_invariants.h).
#pragma once

#include <Eigen/Core>

namespace casimir {

class KeepsInvariants {
public:
    virtual ~KeepsInvariants() = default;
    // Not where a drive or a damper works.
    virtual bool keepsInvariants() const { return true; }
    // The gradients of the quantities declared constant, one a row in their order. False where the system
    // knows them no better than by difference quotients.
    virtual bool invariantGradients(double /*t*/, const Eigen::VectorXd& /*x*/,
                                    Eigen::MatrixXd& /*out*/) const
    {
        return false;
    }
};

} // namespace casimir
