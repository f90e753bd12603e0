// Two planar rigid bodies joined by a hinge: the mechanics of Sreenath, Oh, Krishnaprasad and Marsden, "The
// dynamics of coupled planar rigid bodies, Part I" (equation numbers below are theirs), in the frame of the
// centre of mass. Formulas only: equilibria, orbits and the paper's claims have files of their own, and
// nothing is integrated here.
//
// The scalar formulas are templates so that they can be evaluated at complex arguments (complex-step
// derivatives). Sums of nearly equal numbers are avoided: with psi = theta - theta0 and D = eps d1 d2,
//     S = S_- + 4 D cos^2(psi/2),   Delta = Delta_e + D^2 sin^2(psi),   both sums of non-negative terms.
#pragma once

#include <Eigen/Core>

#include <cmath>

namespace casimir::planar {

inline double square(double x)
{
    return x * x;
}

struct TwoBodyParameters {
    double m1 = 1, m2 = 1; // masses
    double I1 = 1, I2 = 1; // moments of inertia about each body's own centre of mass
    double d1 = 1, d2 = 1; // distances from the centres of mass to the hinge
    double theta0 = 0;     // joint angle at which the bodies are stretched; 0 if d12 and d21 are antiparallel
    double mu = 1;         // total angular momentum, the value of the Casimir

    bool operator==(const TwoBodyParameters&) const = default;
};

template <class T>
using Vec2 = Eigen::Matrix<T, 2, 1>;
template <class T>
using Vec3 = Eigen::Matrix<T, 3, 1>;

// Where the bodies are in the plane, the common centre of mass at the origin.
struct TwoBodyPlacement {
    Eigen::Vector2d r1, r2, hinge;
};

class TwoBody {
public:
    // Throws casimir::Error for values that are not finite, masses that are not positive, negative lengths or
    // inertias, and for bodies so thin that J is singular.
    explicit TwoBody(const TwoBodyParameters& parameters);

    const TwoBodyParameters& parameters() const { return p_; }
    double mu() const { return p_.mu; }
    double theta0() const { return p_.theta0; }

    double epsilon() const { return epsilon_; }              // m1 m2/(m1 + m2), the reduced mass
    double I1Tilde() const { return I1Tilde_; }              // augmented inertias, I_i + eps d_i^2
    double I2Tilde() const { return I2Tilde_; }              //
    double coupling() const { return D_; }                   // D = eps d1 d2
    double inertiaDifference() const { return difference_; } // I1~ - I2~
    double stretchedInertia() const { return SPlus_; }       // S_+ = I1~ + I2~ + 2 D
    double foldedInertia() const { return SMinus_; }         // S_- = I1~ + I2~ - 2 D
    double straightDeterminant() const { return DeltaE_; }   // Delta_e = I1~ I2~ - D^2
    // Every configuration is an equilibrium at rest, or without coupling.
    bool hasCircleOfEquilibria() const { return p_.mu == 0 || D_ == 0; }
    double lockedInertiaAt(int sigma) const { return sigma > 0 ? SPlus_ : SMinus_; }

    // The hinge seen from each centre of mass in that body's frame; the choice d12 along the first axis is
    // ours.
    Eigen::Vector2d d12() const { return {p_.d1, 0}; }
    Eigen::Vector2d d21() const { return {-p_.d2 * std::cos(p_.theta0), p_.d2 * std::sin(p_.theta0)}; }

    // (2.22). Remark 1 after it says lambda = d1 d2 cos(theta) for parallel d12, d21; they must be
    // antiparallel.
    template <class T>
    T lambda(const T& theta) const
    {
        using std::cos;
        return p_.d1 * p_.d2 * cos(psi(theta));
    }
    template <class T>
    T lambdaPrime(const T& theta) const
    {
        using std::sin;
        return -p_.d1 * p_.d2 * sin(psi(theta));
    }
    template <class T>
    T epsLambda(const T& theta) const
    {
        using std::cos;
        return D_ * cos(psi(theta));
    }
    template <class T>
    T epsLambdaPrime(const T& theta) const
    {
        using std::sin;
        return -D_ * sin(psi(theta));
    }

    // Delta = det J, beside (4.3).
    template <class T>
    T delta(const T& theta) const
    {
        const T c = epsLambdaPrime(theta);
        return DeltaE_ + c * c;
    }
    // S = I1~ + I2~ + 2 eps lambda, the inertia of the bodies with the joint locked.
    template <class T>
    T lockedInertia(const T& theta) const
    {
        using std::cos;
        const T c = cos(0.5 * psi(theta));
        return SMinus_ + 4 * D_ * c * c;
    }
    // I1~ + eps lambda and I2~ + eps lambda: the momenta per unit of a common spin; their sum is S.
    template <class T>
    T share1(const T& theta) const
    {
        using std::cos;
        return p_.I1 + epsilon_ * p_.d1 * (p_.d1 + p_.d2 * cos(psi(theta)));
    }
    template <class T>
    T share2(const T& theta) const
    {
        using std::cos;
        return p_.I2 + epsilon_ * p_.d2 * (p_.d2 + p_.d1 * cos(psi(theta)));
    }

    // (1.6b)
    template <class T>
    Eigen::Matrix<T, 2, 2> J(const T& theta) const
    {
        const T c = epsLambda(theta);
        Eigen::Matrix<T, 2, 2> j;
        j << T(I1Tilde_), c, c, T(I2Tilde_);
        return j;
    }
    // (1.6a): omega -> mu
    template <class T>
    Vec2<T> momenta(const T& theta, const Vec2<T>& omega) const
    {
        return J(theta) * omega;
    }
    // The inverse of (1.6a), as written below (5.5): mu -> omega
    template <class T>
    Vec2<T> velocities(const T& theta, const Vec2<T>& momentum) const
    {
        const T c = epsLambda(theta), det = delta(theta);
        return {(I2Tilde_ * momentum[0] - c * momentum[1]) / det,
                (I1Tilde_ * momentum[1] - c * momentum[0]) / det};
    }

    // (1.7a), as a sum of squares
    template <class T>
    T kineticEnergy(const T& theta, const Vec2<T>& omega) const
    {
        using std::cos;
        using std::sin;
        const T along = p_.d1 * omega[0] + p_.d2 * cos(psi(theta)) * omega[1];
        const T across = p_.d2 * sin(psi(theta)) * omega[1];
        return 0.5 * (p_.I1 * omega[0] * omega[0] + p_.I2 * omega[1] * omega[1] +
                      epsilon_ * (along * along + across * across));
    }
    // (1.7b) = (4.3), as a sum of squares; x = (theta, mu1, mu2)
    template <class T>
    T hamiltonian(const Vec3<T>& x) const
    {
        using std::cos;
        using std::sin;
        const T along = p_.d2 * x[1] - p_.d1 * cos(psi(x[0])) * x[2];
        const T across = p_.d1 * sin(psi(x[0])) * x[2];
        return (p_.I2 * x[1] * x[1] + p_.I1 * x[2] * x[2] + epsilon_ * (along * along + across * across)) /
               (2.0 * delta(x[0]));
    }
    // (1.8), from the gradients of F and G in (theta, mu1, mu2)
    template <class T>
    T bracket(const Vec3<T>& dF, const Vec3<T>& dG) const
    {
        return dF[0] * (dG[2] - dG[1]) - dG[0] * (dF[2] - dF[1]);
    }

    // (4.5) in x = (theta, mu1, mu2). (5.5) prints dH/dtheta with the wrong sign; (5.4) has it right.
    template <class T>
    Vec3<T> reducedField(const Vec3<T>& x) const
    {
        const Vec2<T> omega = velocities<T>(x[0], {x[1], x[2]});
        const T torque = epsLambdaPrime(x[0]) * omega[0] * omega[1];
        return {(share1(x[0]) * x[2] - share2(x[0]) * x[1]) / delta(x[0]), -torque, torque};
    }
    // (1.5) in (theta, omega1, omega2)
    template <class T>
    Vec3<T> velocityField(const Vec3<T>& x) const
    {
        const T gamma = epsLambdaPrime(x[0]) / delta(x[0]), c = epsLambda(x[0]);
        const T w1 = x[1] * x[1], w2 = x[2] * x[2];
        return {x[2] - x[1], -gamma * (I2Tilde_ * w2 + c * w1), gamma * (I1Tilde_ * w1 + c * w2)};
    }

    // On the leaf mu1 + mu2 = mu, with nu = (mu2 - mu1)/2.
    template <class T>
    Vec3<T> onLeaf(const T& theta, const T& nu) const
    {
        return {theta, 0.5 * p_.mu - nu, 0.5 * p_.mu + nu};
    }
    template <class T>
    T nu0(const T& theta) const
    {
        return -difference_ * p_.mu / (2.0 * lockedInertia(theta));
    }
    // (5.10), which prints a plus between its two terms; with the minus they collapse to mu^2/(2 S).
    template <class T>
    T amendedPotential(const T& theta) const
    {
        return p_.mu * p_.mu / (2.0 * lockedInertia(theta));
    }
    template <class T>
    T amendedPotentialPrime(const T& theta) const
    {
        const T s = lockedInertia(theta);
        return -p_.mu * p_.mu * epsLambdaPrime(theta) / (s * s);
    }
    // (4.4) with the square completed
    template <class T>
    T leafHamiltonian(const T& theta, const T& nu) const
    {
        const T s = lockedInertia(theta), q = nu - nu0(theta);
        return s * q * q / (2.0 * delta(theta)) + amendedPotential(theta);
    }
    template <class T>
    T thetaDot(const T& theta, const T& nu) const
    {
        return (lockedInertia(theta) * nu + 0.5 * difference_ * p_.mu) / delta(theta);
    }
    // (omega1, omega2) on the leaf by the mechanical connection: omega1 = (mu - (I2~ + eps lambda) theta')/S
    template <class T>
    Vec2<T> leafVelocities(const T& theta, const T& nu) const
    {
        const T s = lockedInertia(theta), rate = thetaDot(theta, nu);
        return {(p_.mu - share2(theta) * rate) / s, (p_.mu + share1(theta) * rate) / s};
    }
    // (4.6): (theta', nu')
    template <class T>
    Vec2<T> leafField(const T& theta, const T& nu) const
    {
        const Vec2<T> omega = leafVelocities(theta, nu);
        return {thetaDot(theta, nu), epsLambdaPrime(theta) * omega[0] * omega[1]};
    }
    // theta1' of the reconstruction; body 2 follows as theta2 = theta1 + theta
    double theta1Dot(double theta, double nu) const { return leafVelocities(theta, nu)[0]; }

    Eigen::Vector3d hamiltonianGradient(const Eigen::Vector3d& x) const; // (5.5) with the sign of (5.4)
    // (5.8); the paper's mixed entries have Delta^2 where Delta is right
    Eigen::Matrix3d hamiltonianHessian(const Eigen::Vector3d& x) const;
    Eigen::Matrix2d leafHessian(double theta, double nu) const;
    Eigen::Matrix3d reducedJacobian(const Eigen::Vector3d& x) const;
    Eigen::Matrix2d leafJacobian(double theta, double nu) const;

    // (2.12): both centres of mass and the hinge
    TwoBodyPlacement placement(double theta1, double theta) const;

private:
    template <class T>
    T psi(const T& theta) const
    {
        return theta - p_.theta0;
    }

    TwoBodyParameters p_;
    double epsilon_ = 0, I1Tilde_ = 0, I2Tilde_ = 0, D_ = 0, difference_ = 0, SPlus_ = 0, SMinus_ = 0,
           DeltaE_ = 0;
};

// The representative of an angle in (-pi, pi].
double principalAngle(double angle);

} // namespace casimir::planar
