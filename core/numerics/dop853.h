// One step of Dormand and Prince's method of order 8 with twelve stages, for autonomous fields on lanes
// (lanes.h): every lane has its own step. The two estimates of the error, of
// orders 5 and 3, and their combination are those of Hairer, Norsett and Wanner, "Solving Ordinary
// Differential Equations I", section II.10, as are the coefficients. Who steps decides what to accept.
#pragma once

#include "core/numerics/lanes.h"

namespace casimir {

// The square of the error of a step h from the sums e5 and e3 over all components: at most 1 where the step
// is good.
template <class Real>
CASIMIR_INLINE void dop853SquaredError(const Real& h, const Real& e5, const Real& e3, int components,
                                       Real& result)
{
    constexpr double tiny = 1e-200; // both estimates may be 0
    result = h * h * (e5 * e5) / ((e5 + 0.01 * e3 + tiny) * static_cast<double>(components));
}

// By what to multiply the step after one with this squared error: close encounters come suddenly, and a
// larger safety costs more in steps taken back.
template <class Real, class Bits>
CASIMIR_INLINE void dop853Factor(const Real& squaredError, Real& factor)
{
    constexpr double safety = 0.75, least = 0.3, most = 3;
    const Real bounded = squaredError < 1e-20 ? Real{} + 1e-20 : squaredError;
    roughInverseSixteenthRoot<Real, Bits>(bounded, factor);
    factor = safety * factor;
    factor = factor < least ? Real{} + least : factor;
    factor = factor > most ? Real{} + most : factor;
    factor = squaredError < 1e30 ? factor : Real{} + 0.1; // also where the error is no number
}

// Room for the stages of N components.
template <int N, class Real>
struct Dop853Room {
    Real numbers[10][N];
    static constexpr int size() { return N; }
    CASIMIR_INLINE Real* row(int i) { return numbers[i]; }
};
// Of as many as are given, the caller's: 10 n numbers.
template <class Real>
struct Dop853Room<0, Real> {
    int n;
    Real* numbers;
    int size() const { return n; }
    CASIMIR_INLINE Real* row(int i) const { return numbers + i * n; }
};

// N components, or with two numbers in each Real half as many; N = 0: any number.
template <int N, class Real>
class Dop853 {
public:
    Dop853() = default;
    explicit Dop853(const Dop853Room<N, Real>& room) : room_(room) {}

    // From z with the slope `first` there, by h. field(z, rate) fills the rates. The sums of squares e5 and
    // e3 of the two estimates divided by h, each component multiplied by its weight.
    template <class Field>
    CASIMIR_INLINE void step(const Field& field, const Real* z, const Real* first, const Real& h, Real* out,
                             const double* weight, Real& e5, Real& e3)
    {
        Real* const at = room_.row(9);
        const Real* k1 = first;
        Real *k2 = room_.row(0), *k3 = room_.row(1), *k4 = room_.row(2), *k5 = room_.row(3),
             *k6 = room_.row(4), *k7 = room_.row(5), *k8 = room_.row(6), *k9 = room_.row(7),
             *k10 = room_.row(8), *k11 = k2, *k12 = k3;
        go(at, z, h, Term{5.26001519587677318785587544488e-2, k1});
        field(at, k2);
        go(at, z, h, Term{1.97250569845378994544595329183e-2, k1},
           Term{5.91751709536136983633785987549e-2, k2});
        field(at, k3);
        go(at, z, h, Term{2.95875854768068491816892993775e-2, k1},
           Term{8.87627564304205475450678981324e-2, k3});
        field(at, k4);
        go(at, z, h, Term{2.41365134159266685502369798665e-1, k1},
           Term{-8.84549479328286085344864962717e-1, k3}, Term{9.24834003261792003115737966543e-1, k4});
        field(at, k5);
        go(at, z, h, Term{3.7037037037037037037037037037e-2, k1},
           Term{1.70828608729473871279604482173e-1, k4}, Term{1.25467687566822425016691814123e-1, k5});
        field(at, k6);
        go(at, z, h, Term{3.7109375e-2, k1}, Term{1.70252211019544039314978060272e-1, k4},
           Term{6.02165389804559606850219397283e-2, k5}, Term{-1.7578125e-2, k6});
        field(at, k7);
        go(at, z, h, Term{3.70920001185047927108779319836e-2, k1},
           Term{1.70383925712239993810214054705e-1, k4}, Term{1.07262030446373284651809199168e-1, k5},
           Term{-1.53194377486244017527936158236e-2, k6}, Term{8.27378916381402288758473766002e-3, k7});
        field(at, k8);
        go(at, z, h, Term{6.24110958716075717114429577812e-1, k1}, Term{-3.36089262944694129406857109825, k4},
           Term{-8.68219346841726006818189891453e-1, k5}, Term{2.75920996994467083049415600797e1, k6},
           Term{2.01540675504778934086186788979e1, k7}, Term{-4.34898841810699588477366255144e1, k8});
        field(at, k9);
        go(at, z, h, Term{4.77662536438264365890433908527e-1, k1}, Term{-2.48811461997166764192642586468, k4},
           Term{-5.90290826836842996371446475743e-1, k5}, Term{2.12300514481811942347288949897e1, k6},
           Term{1.52792336328824235832596922938e1, k7}, Term{-3.32882109689848629194453265587e1, k8},
           Term{-2.03312017085086261358222928593e-2, k9});
        field(at, k10);
        // k2 is not needed any more and becomes k11; k3 becomes k12.
        go(at, z, h, Term{-9.3714243008598732571704021658e-1, k1}, Term{5.18637242884406370830023853209, k4},
           Term{1.09143734899672957818500254654, k5}, Term{-8.14978701074692612513997267357, k6},
           Term{-1.85200656599969598641566180701e1, k7}, Term{2.27394870993505042818970056734e1, k8},
           Term{2.49360555267965238987089396762, k9}, Term{-3.0467644718982195003823669022, k10});
        field(at, k11);
        go(at, z, h, Term{2.27331014751653820792359768449, k1}, Term{-1.05344954667372501984066689879e1, k4},
           Term{-2.00087205822486249909675718444, k5}, Term{-1.79589318631187989172765950534e1, k6},
           Term{2.79488845294199600508499808837e1, k7}, Term{-2.85899827713502369474065508674, k8},
           Term{-8.87285693353062954433549289258, k9}, Term{1.23605671757943030647266201528e1, k10},
           Term{6.43392746015763530355970484046e-1, k11});
        field(at, k12);
        Real sum5[2] = {}, sum3[2] = {}; // of every second component
        const auto finish = [&](int i, Real& of5, Real& of3) CASIMIR_ALWAYS_INLINE {
            const Real slope =
                5.42937341165687622380535766363e-2 * k1[i] + 4.45031289275240888144113950566 * k6[i] +
                1.89151789931450038304281599044 * k7[i] - 5.8012039600105847814672114227 * k8[i] +
                3.1116436695781989440891606237e-1 * k9[i] - 1.52160949662516078556178806805e-1 * k10[i] +
                2.01365400804030348374776537501e-1 * k11[i] + 4.47106157277725905176885569043e-2 * k12[i];
            out[i] = z[i] + h * slope;
            const Real third =
                (slope - 0.244094488188976377952755905512 * k1[i] - 0.733846688281611857341361741547 * k9[i] -
                 0.220588235294117647058823529412e-1 * k12[i]) *
                weight[i];
            const Real fifth =
                (0.1312004499419488073250102996e-1 * k1[i] - 0.1225156446376204440720569753e+1 * k6[i] -
                 0.4957589496572501915214079952 * k7[i] + 0.1664377182454986536961530415e+1 * k8[i] -
                 0.3503288487499736816886487290 * k9[i] + 0.3341791187130174790297318841 * k10[i] +
                 0.8192320648511571246570742613e-1 * k11[i] - 0.2235530786388629525884427845e-1 * k12[i]) *
                weight[i];
            of3 = of3 + third * third;
            of5 = of5 + fifth * fifth;
        };
        const int n = room_.size();
        for (int i = 0; i + 1 < n; i += 2) {
            finish(i, sum5[0], sum3[0]);
            finish(i + 1, sum5[1], sum3[1]);
        }
        if (n % 2)
            finish(n - 1, sum5[0], sum3[0]);
        e5 = sum5[0] + sum5[1];
        e3 = sum3[0] + sum3[1];
    }

private:
    struct Term {
        double factor;
        const Real* slope;
    };
    template <class... Terms>
    CASIMIR_INLINE void go(Real* at, const Real* z, const Real& h, const Terms&... terms) const
    {
        for (int i = 0; i < room_.size(); ++i)
            at[i] = z[i] + h * (... + (terms.factor * terms.slope[i]));
    }

    Dop853Room<N, Real> room_;
};

} // namespace casimir
