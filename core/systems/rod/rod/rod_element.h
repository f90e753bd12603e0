// One two-node element of the geometrically exact rod: strains between two frames joined by a geodesic of
// SO(3), their energy, and its exact first and second variation. Exactly objective: a rigid motion of both
// nodes changes nothing. Assembly into a rod is not here.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <cmath>

namespace casimir::rod {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;
using Quat = Eigen::Quaterniond;

inline Mat3 hat(const Vec3& a)
{
    Mat3 m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
}

// b(s) = asin(√s)/√s and d(s) = (1 - b)/s of s = |v|², with their derivatives.
struct ArcSeries {
    double b, d, bPrime, dPrime;
};
ArcSeries arcSeries(double s);

// The power series of b, good to rounding for s < 0.2; beyond it the closed form.
inline constexpr double arcSeriesLimit = 0.2;
inline constexpr int arcSeriesTerms = 26;
const std::array<double, arcSeriesTerms>& arcCoefficients(); // C(2k,k)/(4^k (2k+1))

template <class T>
T arcOverSine(const T& s)
{
    using std::asin, std::sqrt;
    if (s > arcSeriesLimit) {
        const T root = sqrt(s);
        return asin(root) / root;
    }
    const auto& c = arcCoefficients();
    T sum(c[arcSeriesTerms - 1]);
    for (int k = arcSeriesTerms - 2; k >= 0; --k)
        sum = T(sum * s) + c[static_cast<std::size_t>(k)];
    return sum;
}

// Stiffness and reference frame shared by all elements of a rod.
struct ElementLaw {
    Mat3 D = Mat3::Identity(); // [d1 d2 d3], fixed in body axes
    Vec3 CN = Vec3::Ones();    // GA1, GA2, EA
    Vec3 CM = Vec3::Ones();    // EI1, EI2, GJ
    double h = 1;              // reference length
};

// A quaternion as (w, x, y, z) of any scalar, so that the energy can be differentiated automatically.
template <class T>
using Rotor = Eigen::Matrix<T, 4, 1>;

template <class T>
Eigen::Matrix<T, 3, 1> turned(const Rotor<T>& q, const Eigen::Matrix<T, 3, 1>& a)
{
    const Eigen::Matrix<T, 3, 1> v = q.template tail<3>();
    const Eigen::Matrix<T, 3, 1> twice = (v.cross(a) * T(2)).eval();
    return a + twice * q[0] + v.cross(twice);
}

// W_e = h/2 (Γ·C_N Γ + K·C_M K).
template <class T>
T elementEnergy(const ElementLaw& law, const Eigen::Matrix<T, 3, 1>& xa, const Rotor<T>& qa,
                const Eigen::Matrix<T, 3, 1>& xb, Rotor<T> qb)
{
    using std::sqrt;
    using V = Eigen::Matrix<T, 3, 1>;
    const V va = qa.template tail<3>();
    T w = qa.dot(qb);
    if (w < 0) {
        qb = -qb;
        w = -w;
    }
    const V vb = qb.template tail<3>();
    const V v = vb * qa[0] - va * qb[0] - va.cross(vb);
    const T s = v.squaredNorm();
    Rotor<T> qm = (qa + qb) / sqrt(T(2) + T(2) * w);
    qm.template tail<3>() *= T(-1); // the inverse turns space into the middle frame
    const V d = (xb - xa) / T(law.h);
    const V middle = turned<T>(qm, d);
    const T b = arcOverSine<T>(s);
    T energy(0);
    for (int k = 0; k < 3; ++k) {
        T gamma(k == 2 ? -1.0 : 0.0), kappa(0);
        for (int j = 0; j < 3; ++j) {
            gamma += T(law.D(j, k)) * middle[j];
            kappa += T(2 / law.h * law.D(j, k)) * b * v[j];
        }
        energy += T(law.CN[k]) * gamma * gamma + T(law.CM[k]) * kappa * kappa;
    }
    return energy * T(law.h / 2);
}

// What strains and their variations share: the geodesic midpoint of the two frames.
struct ElementFrame {
    double w; // conj(q_a) q_b = (w, v), w >= 0
    Vec3 v;
    Mat3 Lam; // the midpoint
    Mat3 R;   // Lam D
    Vec3 d;   // (x_b - x_a)/h
    ArcSeries arc;
    Vec3 gamma, kappa;
};
ElementFrame elementFrame(const ElementLaw& law, const Vec3& xa, const Quat& qa, const Vec3& xb,
                          const Quat& qb);

struct ElementStrain {
    Vec3 gamma, kappa;
};
ElementStrain elementStrain(const ElementLaw& law, const Vec3& xa, const Quat& qa, const Vec3& xb,
                            const Quat& qb);

// Variations are spatial, in the order (δx_a, ϑ_a, δx_b, ϑ_b) with Λ -> exp(ϑ^)Λ. The Hessian is the one in
// exponential coordinates (symmetric also away from equilibrium).
struct ElementVariation {
    double energy = 0;
    Vec12 gradient;
    Mat12 hessian;
};
void varyElement(const ElementLaw& law, const Vec3& xa, const Quat& qa, const Vec3& xb, const Quat& qb,
                 ElementVariation& out, bool withHessian = true);

// Σ dε·C dε alone, without the part of the stress.
Mat12 materialStiffness(const ElementLaw& law, const Vec3& xa, const Quat& qa, const Vec3& xb,
                        const Quat& qb);

} // namespace casimir::rod
