// The sleigh's motion from Poincare's equations, without a formula of section 5 but the kinetic energy: the
// direct equations in time, and Whittaker's in phi. Compiled once, because automatic differentiation is slow
// to compile.
#pragma once

#include "core/systems/sleigh/obstacle.h"
#include "core/systems/sleigh/sleigh.h"

#include <memory>
#include <vector>

namespace casimir::sleigh {

template <class Model>
class PoincareEquations;
struct SleighModel;

class SleighEquations {
public:
    SleighEquations(const SleighParameters& p, Variables variables);
    ~SleighEquations();
    SleighEquations(const SleighEquations&) = delete;
    SleighEquations& operator=(const SleighEquations&) = delete;

    Vector5 field(const Vector5& x) const; // (2.4)
    double energy(const Vector5& x) const; // (3.2)
    std::vector<Obstacle> obstacles(const Vector5& x) const;

    // Whittaker's equations (4.11) on the energy of a start. The unknowns over phi: x, y, theta'_2 and t.
    using Unknowns = Eigen::Vector4d;
    class Reduced {
    public:
        Reduced(const SleighEquations& equations, const Vector5& start);
        ~Reduced();
        Unknowns begin() const { return begin_; }
        void rates(double phi, const Eigen::Ref<const State>& y, Eigen::Ref<State> dy) const;
        Vector5 state(double phi, const Eigen::Ref<const State>& y) const;

    private:
        struct Parts;
        std::unique_ptr<const Parts> parts_;
        Unknowns begin_;
    };

private:
    std::unique_ptr<const PoincareEquations<SleighModel>> equations_;
    double lever_ = 0; // v = theta_2 + lever phidot
};

} // namespace casimir::sleigh
