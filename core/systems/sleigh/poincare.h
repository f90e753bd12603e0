// Poincare's equations of a system with nonholonomic constraints, its energy integral, and Whittaker's
// reduction, for any Lagrangian system given by frame fields and a parametrisation of its constraints (Q. K.
// Ghori, TR 143, King Fahd University, 1993). Derivatives are automatic. No system stands here;
// sleigh_model.h has one.
//
// A Model has
//     static constexpr int n, k;                                  coordinates, independent velocities
//     Matrix<S, n, n> frame(const Vec<S, n>& x)                   row p holds X_p: xi_p^s
//     Matrix<S, n, k> parametrisation(const Vec<S, n>& x)         b_pi of (2.1)
//     S kinetic(const Vec<S, n>& x, const Vec<S, n>& eta), S potential(const Vec<S, n>& x)       L0 = T - V
// each const and a template over the scalar S, and, if it likes,
//     Structure<n> structure(const Vec<double, n>& x)             C of (1.4); found from the frame without
//     it.
#pragma once

#include "core/numerics/small_solve.h"
#include "core/systems/sleigh/obstacle.h"

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

#include <array>
#include <cmath>
#include <vector>

namespace casimir::sleigh {

template <class S, int N>
using Vec = Eigen::Matrix<S, N, 1>;
template <class S, int R, int C>
using Mat = Eigen::Matrix<S, R, C>;

// [r](p, q) = C_pq^r.
template <int N>
using Structure = std::array<Mat<double, N, N>, static_cast<std::size_t>(N)>;

// Numbers that carry their first, or first and second, derivatives in N variables.
template <int N>
using First = Eigen::AutoDiffScalar<Vec<double, N>>;
template <int N>
using Second = Eigen::AutoDiffScalar<Vec<First<N>, N>>;

template <int N>
Vec<First<N>, N> firstVariables(const Vec<double, N>& z)
{
    Vec<First<N>, N> result;
    for (int i = 0; i < N; ++i)
        result[i] = First<N>(z[i], N, i);
    return result;
}

template <int N>
Vec<Second<N>, N> secondVariables(const Vec<double, N>& z)
{
    Vec<Second<N>, N> result;
    for (int i = 0; i < N; ++i) {
        result[i].value() = First<N>(z[i], N, i);
        for (int j = 0; j < N; ++j)
            result[i].derivatives()[j] = First<N>(i == j ? 1.0 : 0.0);
    }
    return result;
}

// The value of a function with its gradient and Hessian.
template <int N>
struct Expansion {
    double value = 0;
    Vec<double, N> gradient;
    Mat<double, N, N> hessian;

    explicit Expansion(const Second<N>& f) : value(f.value().value())
    {
        for (int i = 0; i < N; ++i) {
            gradient[i] = f.derivatives()[i].value();
            hessian.row(i) = f.derivatives()[i].derivatives().transpose();
        }
    }
};

template <class Model>
class PoincareEquations {
public:
    static constexpr int n = Model::n;
    static constexpr int k = Model::k;
    using X = Vec<double, n>;
    using Theta = Vec<double, k>;
    // [p](j, i) = K^p_ji.
    using Curvature = std::array<Mat<double, k, k>, static_cast<std::size_t>(n)>;

    explicit PoincareEquations(Model model) : model_(std::move(model)) {}
    const Model& model() const { return model_; }

    // (1.4): [X_p, X_q] = C_pq^r X_r.
    Structure<n> structure(const X& x) const
    {
        if constexpr (requires { model_.structure(x); })
            return model_.structure(x);
        else
            return structureOfFrame(x);
    }
    Structure<n> structureOfFrame(const X& x) const;

    // K^p_ji = Y_i(b_pj) - Y_j(b_pi) - C_qr^p b_qj b_ri, after (2.3).
    Curvature curvature(const X& x) const;

    // (2.1), and (1.2) with the indices of xi as X_p has them: the paper prints them exchanged.
    X eta(const X& x, const Theta& theta) const { return model_.parametrisation(x) * theta; }
    X velocity(const X& x, const Theta& theta) const { return model_.frame(x).transpose() * eta(x, theta); }

    // dL0/deta_p at eta = b theta.
    X momenta(const X& x, const Theta& theta) const;

    // (2.4) solved for the rates of theta.
    Theta accelerations(const X& x, const Theta& theta) const;

    // (3.2): theta . dL/dtheta - L.
    double energy(const X& x, const Theta& theta) const;

    // L(x, theta) = L0(x, b theta).
    template <class S>
    S lagrangian(const Vec<S, n>& x, const Vec<S, k>& theta) const
    {
        const Vec<S, n> eta = applied(model_.parametrisation(x), theta);
        return S(model_.kinetic(x, eta) - model_.potential(x));
    }

    template <class S>
    static Vec<S, n> applied(const Mat<S, n, k>& b, const Vec<S, k>& theta)
    {
        Vec<S, n> eta;
        for (int p = 0; p < n; ++p) {
            eta[p] = S(0.0);
            for (int i = 0; i < k; ++i)
                eta[p] += b(p, i) * theta[i];
        }
        return eta;
    }

private:
    Model model_;
};

// Section 4: the energy integral removes time, x_1 becomes the independent variable and the equations keep
// their form. For L0 = T - V with 2T = eta_1^2 Q(x, eta'): eta_1 = +-sqrt(2 (h - V)/Q) and L0' = +-sqrt(2 (h
// - V) Q).
template <class Model>
class WhittakerReduction {
public:
    static constexpr int n = Model::n;
    static constexpr int k = Model::k;
    using Equations = PoincareEquations<Model>;
    using X = typename Equations::X;
    using Theta = typename Equations::Theta;
    using Ratios = Vec<double, k - 1>; // theta'_2 ... theta'_k

    // The motions of energy h whose eta_1 has the given sign.
    WhittakerReduction(Equations equations, double h, int sign)
        : equations_(std::move(equations)), h_(h), sign_(sign)
    {
    }

    // What stands in the way at this point; empty: the reduction applies there.
    static std::vector<Obstacle> obstacles(const Equations& equations, const X& x, const Theta& theta);

    double energy() const { return h_; }

    // (4.6); not a number where h < V.
    double eta1(const X& x, const Ratios& ratios) const;
    // theta from theta' and (4.6).
    Theta theta(const X& x, const Ratios& ratios) const;

    struct Rates { // with respect to x_1
        X x;
        Ratios ratios; // (4.11)
        double t = 0;
    };
    Rates rates(const X& x, const Ratios& ratios) const;

private:
    template <class S>
    S reducedLagrangian0(const Vec<S, n>& x, const Vec<S, n>& etaPrime) const // L0' of (4.7)
    {
        using std::sqrt;
        const S square =
            S(4.0) * (S(h_) - equations_.model().potential(x)) * equations_.model().kinetic(x, etaPrime);
        return S(S(static_cast<double>(sign_)) * sqrt(square));
    }
    static Theta withOne(const Ratios& ratios)
    {
        Theta all;
        all[0] = 1;
        all.template tail<k - 1>() = ratios;
        return all;
    }

    Equations equations_;
    double h_;
    int sign_;
};

template <class Model>
auto PoincareEquations<Model>::structureOfFrame(const X& x) const -> Structure<n>
{
    const auto xi = model_.frame(firstVariables<n>(x));
    Mat<double, n, n> value;
    for (int p = 0; p < n; ++p)
        for (int s = 0; s < n; ++s)
            value(p, s) = xi(p, s).value();
    const SmallSolver<n> inFrame(value.transpose());
    Structure<n> c;
    for (auto& matrix : c)
        matrix.setZero();
    for (int p = 0; p < n; ++p)
        for (int q = 0; q < p; ++q) {
            X bracket;
            for (int s = 0; s < n; ++s)
                bracket[s] =
                    value.row(p).dot(xi(q, s).derivatives()) - value.row(q).dot(xi(p, s).derivatives());
            const X components = inFrame.solve(bracket);
            for (int r = 0; r < n; ++r) {
                c[static_cast<std::size_t>(r)](p, q) = components[r];
                c[static_cast<std::size_t>(r)](q, p) = -components[r];
            }
        }
    return c;
}

template <class Model>
typename PoincareEquations<Model>::Curvature PoincareEquations<Model>::curvature(const X& x) const
{
    const auto b = model_.parametrisation(firstVariables<n>(x));
    const Mat<double, n, k> value = model_.parametrisation(x);
    const Mat<double, n, k> y = model_.frame(x).transpose() * value; // column i: Y_i = b_pi X_p
    const Structure<n> c = structure(x);
    Curvature result;
    for (int p = 0; p < n; ++p) {
        auto& kp = result[static_cast<std::size_t>(p)];
        kp = -value.transpose() * c[static_cast<std::size_t>(p)] * value;
        for (int j = 0; j < k; ++j)
            for (int i = 0; i < k; ++i)
                kp(j, i) += y.col(i).dot(b(p, j).derivatives()) - y.col(j).dot(b(p, i).derivatives());
    }
    return result;
}

template <class Model>
typename PoincareEquations<Model>::X PoincareEquations<Model>::momenta(const X& x, const Theta& theta) const
{
    const Vec<First<n>, n> at = x.template cast<First<n>>();
    return model_.kinetic(at, firstVariables<n>(eta(x, theta))).derivatives();
}

template <class Model>
typename PoincareEquations<Model>::Theta PoincareEquations<Model>::accelerations(const X& x,
                                                                                 const Theta& theta) const
{
    constexpr int all = n + k;
    Vec<double, all> z;
    z << x, theta;
    const auto variables = secondVariables<all>(z);
    const Vec<Second<all>, n> xs = variables.template head<n>();
    const Vec<Second<all>, k> thetas = variables.template tail<k>();
    const Expansion<all> L(lagrangian<Second<all>>(xs, thetas));

    const Mat<double, n, k> y = model_.frame(x).transpose() * model_.parametrisation(x);
    const X m = momenta(x, theta);
    const Curvature curved = curvature(x);
    Theta right = y.transpose() * L.gradient.template head<n>() -
                  L.hessian.template bottomLeftCorner<k, n>() * (y * theta);
    for (int p = 0; p < n; ++p)
        right -= m[p] * curved[static_cast<std::size_t>(p)].transpose() * theta;
    return SmallSolver<k>(L.hessian.template bottomRightCorner<k, k>()).solve(right);
}

template <class Model>
double PoincareEquations<Model>::energy(const X& x, const Theta& theta) const
{
    const Vec<First<k>, n> at = x.template cast<First<k>>();
    const First<k> L = lagrangian<First<k>>(at, firstVariables<k>(theta));
    return theta.dot(L.derivatives()) - L.value();
}

template <class Model>
std::vector<Obstacle> WhittakerReduction<Model>::obstacles(const Equations& equations, const X& x,
                                                           const Theta& theta)
{
    constexpr double rounding = 1e-12;
    std::vector<Obstacle> found;
    const Mat<double, n, n> xi = equations.model().frame(x);
    X first = X::Zero();
    first[0] = 1;
    if ((xi.col(0) - first).norm() > rounding)
        found.push_back({"x1-velocity", "The rate of x_1 is not the Poincare velocity η_1 alone."});
    const Mat<double, n, k> b = equations.model().parametrisation(x);
    if (std::abs(b(0, 0) - 1) > rounding || b.row(0).template tail<k - 1>().norm() > rounding)
        found.push_back(
            {"eta1-is-theta1", "η_1 is not the independent velocity θ_1 alone: b_{1μ} does not vanish."});
    if (equations.structure(x)[0].norm() > rounding)
        found.push_back(
            {"C1-vanishes", "X_1 occurs in a commutator of the frame: C^1_{pα} does not vanish."});
    const X eta = equations.eta(x, theta);
    const double T = equations.model().kinetic(x, eta);
    if (!(std::abs(equations.model().kinetic(x, X(2 * eta)) - 4 * T) <= rounding * std::abs(T)))
        found.push_back({"quadratic-T", "The kinetic energy is not a quadratic form of the velocities."});
    if (!(theta[0] != 0))
        found.push_back({"eta1-not-zero", "The rate of x_1 is 0, and the reduction divides by it."});
    return found;
}

template <class Model>
double WhittakerReduction<Model>::eta1(const X& x, const Ratios& ratios) const
{
    const X etaPrime = equations_.eta(x, withOne(ratios));
    return sign_ *
           std::sqrt((h_ - equations_.model().potential(x)) / equations_.model().kinetic(x, etaPrime));
}

template <class Model>
typename WhittakerReduction<Model>::Theta WhittakerReduction<Model>::theta(const X& x,
                                                                           const Ratios& ratios) const
{
    return eta1(x, ratios) * withOne(ratios);
}

template <class Model>
typename WhittakerReduction<Model>::Rates WhittakerReduction<Model>::rates(const X& x,
                                                                           const Ratios& ratios) const
{
    constexpr int all = n + k - 1;
    const Model& model = equations_.model();
    Vec<double, all> z;
    z << x, ratios;
    const auto variables = secondVariables<all>(z);
    const Vec<Second<all>, n> xs = variables.template head<n>();
    Vec<Second<all>, k> thetas;
    thetas[0] = Second<all>(1.0);
    thetas.template tail<k - 1>() = variables.template tail<k - 1>();
    const Vec<Second<all>, n> etas = Equations::applied(model.parametrisation(xs), thetas); // (4.3)
    const Expansion<all> L(reducedLagrangian0<Second<all>>(xs, etas));

    const Theta primes = withOne(ratios);
    const Mat<double, n, k> y = model.frame(x).transpose() * model.parametrisation(x);
    const Vec<First<n>, n> at = x.template cast<First<n>>();
    const X m = reducedLagrangian0<First<n>>(at, firstVariables<n>(equations_.eta(x, primes))).derivatives();
    const auto curved = equations_.curvature(x);

    Rates rates;
    rates.x = y * primes;
    // (4.11) for mu = 2 ... k; beta = 2 ... n. The unnumbered equation before it has K^i_{beta mu} for
    // K^beta_{i mu}.
    Ratios right = y.template rightCols<k - 1>().transpose() * L.gradient.template head<n>() -
                   L.hessian.template bottomLeftCorner<k - 1, n>() * rates.x;
    for (int beta = 1; beta < n; ++beta) {
        const Theta turned = curved[static_cast<std::size_t>(beta)].transpose() * primes;
        right -= m[beta] * turned.template tail<k - 1>();
    }
    rates.ratios = SmallSolver<k - 1>(L.hessian.template bottomRightCorner<k - 1, k - 1>()).solve(right);
    rates.t = 1 / eta1(x, ratios);
    return rates;
}

} // namespace casimir::sleigh
