#include "core/systems/planar/splitting/homoclinic_integral.h"

#include "core/base/error.h"
#include "core/numerics/gauss_tableau.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir::planar {

std::complex<double> homoclinicIntegral(const HomoclinicPair& pair, int direction,
                                        const std::function<HomoclinicTerm(double x)>& term,
                                        const std::function<bool()>& cancelled)
{
    // Gauss collocation of order 8 on (phi, integral), explicit because phi' depends on x alone. With these
    // shares of a radian and of the distance to the nearest singularity a step errs by some 1e-14.
    constexpr int stages = 4;
    constexpr double radians = 0.3, share = 0.1, longest = 0.25, far = 40;
    const GaussTableau& tableau = gaussTableau(stages);
    const Eigen::Matrix<double, stages, stages> a = tableau.aHigh + tableau.aLow;
    const Eigen::Matrix<double, stages, 1> b = tableau.bHigh + tableau.bLow, c = tableau.c;
    const double near = pair.branchPoint();

    std::complex<double> sum;
    double phase = 0, phaseRate = std::abs(term(0).phaseRate);
    for (double x = 0; x < far;) {
        if (cancelled && cancelled())
            throw Error("nobody waits for the integral along the homoclinic orbit any more");
        const double h =
            std::min({share * std::hypot(x, near), longest, radians / (phaseRate + 1e-300), far - x});
        std::array<HomoclinicTerm, stages> terms;
        Eigen::Matrix<double, stages, 1> rates;
        for (int i = 0; i < stages; ++i) {
            terms[static_cast<std::size_t>(i)] = term(direction * (x + h * c[i]));
            rates[i] = direction * terms[static_cast<std::size_t>(i)].phaseRate;
        }
        const Eigen::Matrix<double, stages, 1> within = h * (a * rates);
        for (int i = 0; i < stages; ++i)
            sum += h * b[i] * terms[static_cast<std::size_t>(i)].factor * std::polar(1.0, phase + within[i]);
        phase += h * b.dot(rates);
        phaseRate = rates.cwiseAbs().maxCoeff();
        x = h < far - x ? x + h : far;
    }
    return static_cast<double>(direction) * sum;
}

} // namespace casimir::planar
