// The mechanics of a chain of heavy Lagrange tops on spherical joints, in a form without singularities: the
// axes e_i on unit spheres, their velocities v_i, the spins q_i constant. D. A. Chebanov (2011), section 1.
// The exact motions are in exact_motion.h; how a chain is shown is in tops_system.h.
#pragma once

#include <Eigen/Core>

#include <array>
#include <vector>

namespace casimir::tops {

inline constexpr int maxTops = 32;

// s and c are signed coordinates along the axis (the paper's moduli leave its class empty).
struct Top {
    double m = 1;   // mass
    double c = 0.3; // from O_i to the centre of mass
    double s = 0.5; // from O_i to the next joint
    double J0 = 0;  // central equatorial inertia
    double Js = 0;  // axial inertia, at most 2 J0 for a real body
    double q = 0;   // spin, omega_i . e_i
};

// One column for each top.
using Axes = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, maxTops>;
using AxesRef = Eigen::Ref<const Eigen::Matrix3Xd>;

class Chain {
public:
    // Throws Error: no tops or too many, a mass or inertia that is not positive, Js > 2 J0.
    Chain(std::vector<Top> tops, double g);

    int size() const { return static_cast<int>(tops_.size()); }
    double g() const { return g_; }
    const std::vector<Top>& tops() const { return tops_; }
    double a(int i) const { return a_[i]; }                     // (3)
    double k(int i) const { return k_[i]; }                     // J^s_i q_i
    double jPrime(int i) const { return inertia_(i, i); }       // (3)
    const Eigen::MatrixXd& inertia() const { return inertia_; } // M_ii = J'_i, M_ij = s_min a_max

    void setSpin(int i, double q);

    // e'' of every axis: e_i x (sum_j M_ij e_j'' + g a_i e3) + k_i e_i' = 0 on |e_i| = 1, which is (1).
    void accelerations(const AxesRef& e, const AxesRef& v, Eigen::Ref<Eigen::Matrix3Xd> out) const;

    double energy(const AxesRef& e, const AxesRef& v) const;
    double verticalMomentum(const AxesRef& e, const AxesRef& v) const;

    // The largest of |e_i x (sum_j M_ij e_j'' + g a_i e3) + k_i e_i'|, relative to the size of its terms.
    double residual(const AxesRef& e, const AxesRef& v, const AxesRef& acceleration) const;

    Eigen::Vector3d joint(const AxesRef& e, int i) const;  // O_(i+1), i = 0 is O_1
    Eigen::Vector3d centre(const AxesRef& e, int i) const; // C_i

private:
    std::vector<Top> tops_;
    double g_;
    Eigen::VectorXd a_, k_;
    Eigen::MatrixXd inertia_;
};

// The angles of an axis and their rates; e = (sin theta cos psi, sin theta sin psi, cos theta).
struct AxisAngles {
    double theta = 0, psi = 0, dtheta = 0, dpsi = 0;
};
Eigen::Vector3d axisOf(const AxisAngles& at);
Eigen::Vector3d axisRateOf(const AxisAngles& at);
// e_theta and e_psi.
std::array<Eigen::Vector3d, 2> angleBasis(double theta, double psi);
// theta in [0, pi]; psi nearest to `psiNear`, and `psiNear` itself on the vertical.
AxisAngles anglesOf(const Eigen::Vector3d& e, const Eigen::Vector3d& v, double psiNear);

// The angle that differs from `angle` by whole turns and lies nearest to `reference`.
double nearestTurn(double angle, double reference);

} // namespace casimir::tops
