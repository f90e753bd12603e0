// Private to the claims of the sleigh: random samples, the body on its blade by Newton's and Euler's laws,
// and derivatives by a complex step. No formula of the paper goes in.
#pragma once

#include "core/model/claims.h"
#include "core/systems/sleigh/sleigh_claims.h"
#include "core/systems/sleigh/sleigh_model.h"

#include <complex>
#include <random>

namespace casimir::sleigh::claims {

using Complex = std::complex<double>;
using X3 = SleighFormulas::X;
using Theta = SleighFormulas::Theta;
using C3 = Vec<Complex, 3>;

inline constexpr std::array allVariables{Variables::Space, Variables::Body, Variables::Centre};

struct Sample {
    SleighFormulas f;
    Vector5 x;

    const SleighParameters& p() const { return f.p; }
    double kappa() const { return std::hypot(p().a, p().k); }
    X3 place() const { return {x[Phi], x[X], x[Y]}; }
    SleighModel model(Variables variables) const { return {p(), variables}; }
    // theta of a choice of variables; lever() turns its second component into v.
    double lever(Variables variables) const { return variables == Variables::Centre ? p().b : 0; }
    Theta theta(Variables variables) const { return {x[PhiDot], x[V] - lever(variables) * x[PhiDot]}; }
    double s() const { return x[V] - p().b * x[PhiDot]; }
    // Of the embedded body: (v_C^2 + k^2 w^2)/2, and its height.
    double kinetic() const;
    double potential() const;
    double energy() const { return kinetic() + potential(); }
};

struct Laws {
    Vector5 field;
    double force;
};
// Newton's law for the mass centre, Euler's about it, with the force across the blade as the third unknown.
Laws newtonEuler(const SleighParameters& p, const Vector5& x);
// The motion of newtonEuler() after a time, by Runge-Kutta-Fehlberg at the tightest tolerance.
Vector5 moved(const SleighParameters& p, const Vector5& x, double time);

std::vector<Sample> samplesOf(unsigned seed, const FormulaMaker& formulas, bool slope, int count = 6);

template <int N>
Vec<Complex, N> stepped(const Vec<double, N>& x, const Vec<double, N>& direction)
{
    Vec<Complex, N> result;
    for (int i = 0; i < N; ++i)
        result[i] = Complex(x[i], 1e-30 * direction[i]);
    return result;
}
inline double derivativeOf(Complex value)
{
    return value.imag() / 1e-30;
}

void addMethod(std::vector<ClaimCheck>& checks, const std::vector<Sample>& samples);  // sections 1 to 4
void addExample(std::vector<ClaimCheck>& checks, const std::vector<Sample>& samples); // section 5

} // namespace casimir::sleigh::claims
