// The capability of systems whose quantities declared constant depend smoothly on the state alone, so that a
// motion can be put back onto their level: the method "conserving" (core/numerics/held_invariants.h).
#pragma once

namespace casimir {

class KeepsInvariants {
public:
    virtual ~KeepsInvariants() = default;
    // Not where a drive or a damper works.
    virtual bool keepsInvariants() const { return true; }
};

} // namespace casimir
