// Three planar rigid bodies in a chain: the mechanics of section 6 of Sreenath, Oh, Krishnaprasad and
// Marsden, "The dynamics of coupled planar rigid bodies, Part I" (equation numbers below are theirs), in the
// frame of the centre of mass. Formulas only: equilibria, the (kappa, tau) plane and the paper's claims have
// files of their own, and nothing is integrated here.
//
// Hinges in the frames of their bodies, seen from the centres of mass: d12 = (c1, 0), d21 = (-b1, 0),
// d23 = (e1, e2), d32 = (-d1, 0). Joint angles x = theta21 = theta2 - theta1, y = theta32 = theta3 - theta2.
// With plane vectors as complex numbers the inertia matrix is J = Re, its companion K = Im of
//     Gamma_kl e^{i(theta_l - theta_k)},   M Gamma_12 = P1 = B1 + i C1,  M Gamma_23 = P2 = B2 - i C2,
//     M Gamma_13 = A1,
// J symmetric with the inertias added to its diagonal, K antisymmetric, and dJ_kl/dtheta_l = -K_kl.
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <complex>

namespace casimir::planar {

struct ThreeBodyParameters {
    double m1 = 1, m2 = 1, m3 = 1;
    double I1 = 0.1, I2 = 0.1, I3 = 0.1; // about each body's own centre of mass
    double c1 = 1;                       // body 1: centre to hinge, d12 = (c1, 0)
    double b1 = 0.5;                     // body 2: d21 = (-b1, 0)
    double e1 = 0.5, e2 = 0;             // body 2: d23 = (e1, e2)
    double d1 = 1;                       // body 3: d32 = (-d1, 0)
    double mu = 2;                       // total angular momentum, the value of the Casimir

    bool operator==(const ThreeBodyParameters&) const = default;
};

// (6.12)-(6.14), (6.16), (6.17). They decide the equilibria; everything else decides how stable they are.
struct ThreeBodyCoefficients {
    double A1 = 0, B1 = 0, B2 = 0, C1 = 0, C2 = 0;

    std::complex<double> P1() const { return {B1, C1}; }
    std::complex<double> P2() const { return {B2, -C2}; }
    bool aligned() const { return C1 == 0 && C2 == 0; }
    double size() const { return std::abs(A1) + std::abs(P1()) + std::abs(P2()); }
};

ThreeBodyCoefficients coefficientsOf(const ThreeBodyParameters& p);

template <class T>
using Vec5 = Eigen::Matrix<T, 5, 1>;
using Vector5d = Vec5<double>;
using Matrix5d = Eigen::Matrix<double, 5, 5>;

struct ThreeBodyPlacement {
    Eigen::Vector2d r1, r2, r3, hinge12, hinge23;
};

class ThreeBody {
public:
    // Throws casimir::Error for values that are not finite, masses that are not positive, negative lengths or
    // inertias, and for bodies so thin that J is singular.
    explicit ThreeBody(const ThreeBodyParameters& parameters);

    const ThreeBodyParameters& parameters() const { return p_; }
    const ThreeBodyCoefficients& coefficients() const { return f_; }
    double mu() const { return p_.mu; }
    double mass() const { return M_; }
    // I_k~, the diagonal of J
    const Eigen::Vector3d& augmentedInertias() const { return diagonal_; }

    // The hinges of each body in its own frame, from its centre of mass.
    Eigen::Vector2d d12() const { return {p_.c1, 0}; }
    Eigen::Vector2d d21() const { return {-p_.b1, 0}; }
    Eigen::Vector2d d23() const { return {p_.e1, p_.e2}; }
    Eigen::Vector2d d32() const { return {-p_.d1, 0}; }

    // The three couplings Re and Im of Gamma e^{i angle}: J12, J23, J13 and K12, K23, K13.
    template <class T>
    struct Couplings {
        T J12, J23, J13, K12, K23, K13;
    };
    template <class T>
    Couplings<T> couplings(const T& x, const T& y) const
    {
        using std::cos;
        using std::sin;
        const T cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y);
        return {(f_.B1 * cx - f_.C1 * sx) / M_,   (f_.B2 * cy + f_.C2 * sy) / M_,
                f_.A1 * (cx * cy - sx * sy) / M_, (f_.B1 * sx + f_.C1 * cx) / M_,
                (f_.B2 * sy - f_.C2 * cy) / M_,   f_.A1 * (sx * cy + cx * sy) / M_};
    }
    // (6.3)
    template <class T>
    Eigen::Matrix<T, 3, 3> J(const T& x, const T& y) const
    {
        const Couplings<T> g = couplings(x, y);
        Eigen::Matrix<T, 3, 3> j;
        j << T(diagonal_[0]), g.J12, g.J13, g.J12, T(diagonal_[1]), g.J23, g.J13, g.J23, T(diagonal_[2]);
        return j;
    }
    template <class T>
    Eigen::Matrix<T, 3, 3> K(const T& x, const T& y) const
    {
        const Couplings<T> g = couplings(x, y);
        Eigen::Matrix<T, 3, 3> k;
        k << T(0), g.K12, g.K13, -g.K12, T(0), g.K23, -g.K13, -g.K23, T(0);
        return k;
    }
    // J^-1 mu by Cholesky's elimination without square roots
    template <class T>
    Eigen::Matrix<T, 3, 1> velocities(const Couplings<T>& g, const Eigen::Matrix<T, 3, 1>& mu) const
    {
        const T l21 = g.J12 / diagonal_[0], l31 = g.J13 / diagonal_[0];
        const T p2 = diagonal_[1] - l21 * g.J12, s = g.J23 - l31 * g.J12, l32 = s / p2;
        const T p3 = diagonal_[2] - l31 * g.J13 - l32 * s;
        const T z2 = mu[1] - l21 * mu[0], z3 = mu[2] - l31 * mu[0] - l32 * z2;
        const T w3 = z3 / p3, w2 = z2 / p2 - l32 * w3;
        return {mu[0] / diagonal_[0] - l21 * w2 - l31 * w3, w2, w3};
    }
    template <class T>
    Eigen::Matrix<T, 3, 1> velocities(const T& x, const T& y, const Eigen::Matrix<T, 3, 1>& mu) const
    {
        return velocities(couplings(x, y), mu);
    }
    // (6.9); (6.1) lacks the factor 1/2. State (theta21, theta32, mu1, mu2, mu3).
    template <class T>
    T hamiltonian(const Vec5<T>& z) const
    {
        const Eigen::Matrix<T, 3, 1> mu = z.template tail<3>();
        const Eigen::Matrix<T, 3, 1> omega = velocities(z[0], z[1], mu);
        return (mu[0] * omega[0] + mu[1] * omega[1] + mu[2] * omega[2]) / 2.0;
    }
    // (6.5)-(6.7): mu_k' = omega_k sum_l K_kl omega_l, so that dH/dtheta21 = mu1' and dH/dtheta32 = -mu3'.
    template <class T>
    Vec5<T> reducedField(const Vec5<T>& z, Eigen::Matrix<T, 3, 1>& omega) const
    {
        const Couplings<T> g = couplings(z[0], z[1]);
        omega = velocities(g, Eigen::Matrix<T, 3, 1>(z.template tail<3>()));
        const T a = g.K12 * omega[0] * omega[1], b = g.K23 * omega[1] * omega[2],
                c = g.K13 * omega[0] * omega[2];
        Vec5<T> rate;
        rate << omega[1] - omega[0], omega[2] - omega[1], a + c, b - a, -b - c;
        return rate;
    }
    template <class T>
    Vec5<T> reducedField(const Vec5<T>& z) const
    {
        Eigen::Matrix<T, 3, 1> omega;
        return reducedField(z, omega);
    }
    // The bracket, from gradients in (theta21, theta32, mu1, mu2, mu3); its Casimirs are Phi(mu1 + mu2 +
    // mu3).
    template <class T>
    T bracket(const Vec5<T>& dF, const Vec5<T>& dG) const
    {
        return (dF[2] - dF[3]) * dG[0] - dF[0] * (dG[2] - dG[3]) + (dF[3] - dF[4]) * dG[1] -
               dF[1] * (dG[3] - dG[4]);
    }
    // The same as a constant matrix: z' = structure() grad H.
    static Matrix5d structure();

    // I_L = 1^T J 1, the inertia of the bodies with both joints locked, as a sum of terms that are not
    // negative.
    template <class T>
    T lockedInertia(const T& x, const T& y) const
    {
        using std::cos;
        using std::sin;
        // r2 - r1 and r3 - r2 in the frame of body 2
        const T ax = p_.c1 * cos(x) + p_.b1, ay = -p_.c1 * sin(x);
        const T bx = p_.e1 + p_.d1 * cos(y), by = p_.e2 + p_.d1 * sin(y);
        const T sx = ax + bx, sy = ay + by;
        return p_.I1 + p_.I2 + p_.I3 +
               (p_.m1 / M_) * (p_.m2 * (ax * ax + ay * ay) + p_.m3 * (sx * sx + sy * sy)) +
               (p_.m2 / M_) * p_.m3 * (bx * bx + by * by);
    }
    template <class T>
    T amendedPotential(const T& x, const T& y) const
    {
        return p_.mu * p_.mu / (2.0 * lockedInertia(x, y));
    }
    // The momenta of the bodies turning as one: mu_k = (mu/I_L) sum_l J_kl.
    Eigen::Vector3d lockedMomenta(double x, double y) const;

    Vector5d hamiltonianGradient(const Vector5d& z) const;
    Matrix5d hamiltonianHessian(const Vector5d& z) const;
    Matrix5d reducedJacobian(const Vector5d& z) const { return structure() * hamiltonianHessian(z); }

    // Centres of mass and hinges, the common centre of mass at the origin.
    ThreeBodyPlacement placement(double theta1, double x, double y) const;

private:
    double smallestPivot() const; // of J at the straight states, as a share of its diagonal

    ThreeBodyParameters p_;
    ThreeBodyCoefficients f_;
    Eigen::Vector3d diagonal_;
    double M_ = 0;
};

} // namespace casimir::planar
