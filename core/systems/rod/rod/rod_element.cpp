#include "core/systems/rod/rod/rod_element.h"

namespace casimir::rod {

namespace {

using Mat3x12 = Eigen::Matrix<double, 3, 12>;
using Row12 = Eigen::Matrix<double, 1, 12>;

// Differentials as 3 x 12 matrices acting on the variation.
struct StrainRates {
    StrainRates(const ElementLaw& law, const ElementFrame& m)
    {
        const double w1 = 1 + m.w;
        const Mat3 LamT = m.Lam.transpose(), aHat = hat(m.Lam * m.v / w1);
        Mat3x12 De = Mat3x12::Zero();
        De.middleCols<3>(3) = -LamT;
        De.middleCols<3>(9) = LamT;
        const Mat3 half = Mat3::Identity() / 2;
        thm.setZero();
        thm.middleCols<3>(3) = half + aHat / 2;
        thm.middleCols<3>(9) = half - aHat / 2;
        dd.setZero();
        dd.middleCols<3>(0) = -Mat3::Identity() / law.h;
        dd.middleCols<3>(6) = Mat3::Identity() / law.h;
        const Row12 vDe = m.v.transpose() * De;
        dv = (De - m.v * vDe / w1) / 2;
        dw = -vDe / 2;
        ds = 2 * m.v.transpose() * dv;
        db = m.arc.bPrime * ds;
        dGamma = m.R.transpose() * (dd + hat(m.d) * thm);
        dKappa = (2 / law.h) * law.D.transpose() * (m.v * db + m.arc.b * dv);
    }
    Mat3x12 thm, dd, dv, dGamma, dKappa;
    Row12 dw, ds, db;
};

} // namespace

const std::array<double, arcSeriesTerms>& arcCoefficients()
{
    static const std::array<double, arcSeriesTerms> c = [] {
        std::array<double, arcSeriesTerms> a{};
        double central = 1; // C(2k,k)/4^k
        for (int k = 0; k < arcSeriesTerms; ++k) {
            a[static_cast<std::size_t>(k)] = central / (2 * k + 1);
            central *= (2.0 * k + 1) / (2.0 * k + 2);
        }
        return a;
    }();
    return c;
}

ArcSeries arcSeries(double s)
{
    ArcSeries arc{};
    if (s > arcSeriesLimit) {
        // |v| = 1 is a turn by π within one element; the derivatives are infinite there.
        constexpr double largest = 1 - 1e-12;
        s = std::min(s, largest);
        arc.b = arcOverSine(s);
        arc.d = (1 - arc.b) / s;
        arc.bPrime = (1 / std::sqrt(1 - s) - arc.b) / (2 * s);
        arc.dPrime = -(arc.bPrime + arc.d) / s;
        return arc;
    }
    const auto& c = arcCoefficients();
    // d = -(c1 + c2 s + ...)
    for (int k = arcSeriesTerms - 1; k >= 0; --k) {
        arc.bPrime = arc.bPrime * s + arc.b;
        arc.b = arc.b * s + c[static_cast<std::size_t>(k)];
    }
    for (int k = arcSeriesTerms - 1; k >= 1; --k) {
        arc.dPrime = arc.dPrime * s + arc.d;
        arc.d = arc.d * s - c[static_cast<std::size_t>(k)];
    }
    return arc;
}

Mat12 materialStiffness(const ElementLaw& law, const Vec3& xa, const Quat& qa, const Vec3& xb, const Quat& qb)
{
    const ElementFrame m = elementFrame(law, xa, qa, xb, qb);
    const StrainRates rates(law, m);
    return law.h * (rates.dGamma.transpose() * law.CN.asDiagonal() * rates.dGamma +
                    rates.dKappa.transpose() * law.CM.asDiagonal() * rates.dKappa);
}

ElementFrame elementFrame(const ElementLaw& law, const Vec3& xa, const Quat& qa, const Vec3& xb,
                          const Quat& qb)
{
    ElementFrame m;
    Quat relative = qa.conjugate() * qb;
    Quat mean(qa.coeffs() + qb.coeffs());
    if (relative.w() < 0) {
        relative.coeffs() *= -1;
        mean.coeffs() = qa.coeffs() - qb.coeffs();
    }
    m.w = relative.w();
    m.v = relative.vec();
    m.Lam = mean.normalized().toRotationMatrix();
    m.R = m.Lam * law.D;
    m.d = (xb - xa) / law.h;
    m.arc = arcSeries(m.v.squaredNorm());
    m.gamma = m.R.transpose() * m.d - Vec3::UnitZ();
    m.kappa = (2 / law.h) * m.arc.b * (law.D.transpose() * m.v);
    return m;
}

ElementStrain elementStrain(const ElementLaw& law, const Vec3& xa, const Quat& qa, const Vec3& xb,
                            const Quat& qb)
{
    const ElementFrame m = elementFrame(law, xa, qa, xb, qb);
    return {m.gamma, m.kappa};
}

void varyElement(const ElementLaw& law, const Vec3& xa, const Quat& qa, const Vec3& xb, const Quat& qb,
                 ElementVariation& out, bool withHessian)
{
    const ElementFrame m = elementFrame(law, xa, qa, xb, qb);
    const double h = law.h, w1 = 1 + m.w;
    const Vec3 N = law.CN.cwiseProduct(m.gamma), M = law.CM.cwiseProduct(m.kappa);
    out.energy = h / 2 * (N.dot(m.gamma) + M.dot(m.kappa));

    const Vec3 n = m.R * N;
    const Vec3 mm = law.D * M;
    const double vm = m.v.dot(mm);
    const Vec3 ms = m.Lam * (m.arc.b * mm + m.arc.d * vm * m.v);
    const Vec3 a = m.Lam * m.v / w1;
    const Vec3 t = -h * m.d.cross(n);
    const Vec3 ta = t.cross(a);
    out.gradient << -n, (t + ta) / 2 - ms, n, (t - ta) / 2 + ms;
    if (!withHessian)
        return;

    const StrainRates r(law, m);
    const Mat3 aHat = hat(a), nHat = hat(n);
    const Row12 dArc = m.arc.dPrime * r.ds;
    const Mat3x12 dn = -nHat * r.thm + m.R * law.CN.asDiagonal() * r.dGamma;
    const Mat3x12 dmm = law.D * law.CM.asDiagonal() * r.dKappa;
    const Row12 dvm = mm.transpose() * r.dv + m.v.transpose() * dmm;
    const Mat3x12 dms =
        -hat(ms) * r.thm +
        m.Lam * (mm * r.db + m.arc.b * dmm + m.v * (vm * dArc + m.arc.d * dvm) + (m.arc.d * vm) * r.dv);
    const Mat3x12 da = -aHat * r.thm + m.Lam * (r.dv / w1 - m.v * r.dw / (w1 * w1));
    const Mat3x12 dt = -h * (-nHat * r.dd + hat(m.d) * dn);
    const Mat3x12 dta = -aHat * dt + hat(t) * da;

    Mat12 H;
    H.middleRows<3>(0) = -dn;
    H.middleRows<3>(3) = (dt + dta) / 2 - dms;
    H.middleRows<3>(6) = dn;
    H.middleRows<3>(9) = (dt - dta) / 2 + dms;
    out.hessian = (H + H.transpose()) / 2;
}

} // namespace casimir::rod
