// A planar chain in Simbody, behind an interface of plain numbers: Simbody's headers are C++17.
#pragma once

#include <memory>
#include <vector>

namespace casimir::bench {

struct ChainLink {
    double mass, inertia;
    double parentX, parentY, ownX, ownY; // the hinge, on the parent and on the body itself
    double angle, rate;                  // against the parent
};

class SimbodyChain {
public:
    explicit SimbodyChain(const std::vector<ChainLink>& links);
    ~SimbodyChain();

    void accelerate() const;                   // once, at a state a little beside the one before
    std::vector<double> accelerations() const; // at the start, of the angles against the parents
    // By Runge, Kutta and Merson with step control; returns the largest relative error of the energy.
    double move(double duration, double accuracy) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace casimir::bench
