// Exact motions of a chain of tops, as functions of time: one or two groups of tops, each group moving like a
// single Lagrange top, cos(theta) of a group being mu times the x of one common nutation (Kharlamov's similar
// motions, Chebanov's class, the single top); or steady precession. How chains are found that can move so is
// in families.h.
#pragma once

#include "core/systems/tops/chain.h"
#include "core/systems/tops/nutation.h"

#include <optional>
#include <string>
#include <vector>

namespace casimir::tops {

// The tops of one vertical plane: cos(theta) = mu x, psi' = (p - k y)/(1 - y^2), y = mu x. A, p, k, h, R are
// those of the group divided by P (the paper's tilde).
struct PlaneGroup {
    double mu = 1;
    double A = 0, R = 0;
    double p = 0, k = 0, h = 0;
    // The turning points of y with the larger and smaller value are +1 or -1 exactly: the axis goes through
    // the vertical there.
    bool throughTop = false, throughBottom = false;
    // p - k and p + k, kept apart because each is the root of its own number and may vanish exactly.
    double minus = 0, plus = 0;
};

struct Inequality {
    std::string name;
    double value = 0;
    bool holds = true;
};

// Where every top is at one time. psi and beta are continuous in time from 0 at the base of the nutation;
// beta is the angle, against e_theta, of a tangent vector carried along without spin, so that
// phi = beta + q t.
struct MotionFrame {
    Axes e, v, acceleration;
    std::vector<double> theta; // signed where the axis passed through the vertical
    std::vector<double> psi, beta;
    double x = 0, dx = 0;
};

class ExactMotion {
public:
    // `group` and `delta` say for each top which group it belongs to and whether it lies opposite (psi + pi).
    ExactMotion(Chain chain, const Nutation& nutation, std::vector<PlaneGroup> groups, std::vector<int> group,
                std::vector<int> delta, std::vector<double> P);
    // Steady precession at the rate Omega with signed angles theta, planar; the chain has the spins it needs.
    ExactMotion(Chain chain, std::vector<double> theta, double Omega);

    const Chain& chain() const { return chain_; }
    bool steady() const { return !nutation_; }
    double Omega() const { return omega_; }
    const Nutation& nutation() const { return *nutation_; }
    const std::vector<PlaneGroup>& groups() const { return groups_; }
    int groupOf(int i) const { return group_[static_cast<std::size_t>(i)]; }
    int planes() const { return steady() ? 1 : static_cast<int>(groups_.size()); }
    // The first top of the second group, n_* in the paper; all tops where there is one group.
    int firstGroupSize() const;

    const std::vector<double>& P() const { return P_; } // empty for steady precession
    std::vector<double> p() const;                      // first integrals of (11), (12)
    std::vector<double> h() const;

    double period() const { return period_; } // of the nutation, or 2 pi/|Omega|
    double advance(int plane) const;          // of psi in a period

    // `planeAngles`: psi of the first top of each plane at t = 0 of the nutation.
    void at(double t, const std::vector<double>& planeAngles, MotionFrame& out) const;

    // Largest relative residual of the full equations of motion over a period.
    double residual(int samples = 64) const;
    // "waves", "loops" or "cusps" of the curve that the axes of a plane draw on the sphere; "circle".
    std::string curveName(int plane) const;

private:
    struct PolePair {
        std::optional<Nutation::Pole> minus, plus;
    };
    void groupAt(const Nutation::Point& point, std::size_t g, double psi, MotionFrame& out) const;

    Chain chain_;
    std::optional<Nutation> nutation_;
    std::vector<PlaneGroup> groups_;
    std::vector<PolePair> poles_;
    std::vector<int> group_, delta_;
    std::vector<double> P_;
    std::vector<double> theta_; // steady
    double omega_ = 0, period_ = 0;
};

} // namespace casimir::tops
