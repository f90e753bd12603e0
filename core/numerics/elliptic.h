// Jacobi's elliptic functions and Legendre's integral of the third kind, by the complementary modulus k'.
// Near a separatrix k rounds to 1 and all is lost but k' is known to its last digit; the arguments are
// counted from the nearest quarter period for the same reason.
#pragma once

#include <array>

namespace casimir {

// u = quarters K + offset, |offset| <= K/2.
struct EllipticPhase {
    double quarters = 0;
    double offset = 0;
};

struct JacobiValues {
    double sn = 0, cn = 1, dn = 1;
};

class JacobiFunctions {
public:
    // 0 <= k' <= 1; at k' = 0 they are tanh and sech, and there is no quarter period.
    explicit JacobiFunctions(double complement);

    double complement() const { return kc_; }
    double quarterPeriod() const { return quarter_; } // K; infinite for k' = 0

    JacobiValues at(const EllipticPhase& u) const;
    // Where (sn, cn) has the direction of these two; for k' = 0 `cn` must be positive.
    EllipticPhase phaseAt(double sn, double cn) const;
    EllipticPhase advanced(const EllipticPhase& u, double by) const;

    // The integral of du/(1 + w sn² u) from 0 to u, w >= 0.
    double thirdKind(double w, const EllipticPhase& u) const;
    // The same over one quarter period.
    double completeThirdKind(double w) const;

private:
    JacobiValues near(double offset) const;

    static constexpr int deepest = 16; // the mean is reached after 10 steps for k' = 1e-300
    double kc_, quarter_;
    int levels_ = 0;
    std::array<double, deepest> a_{}, b_{}, c_{}; // of the arithmetic-geometric mean
};

} // namespace casimir
