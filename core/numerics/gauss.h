// One step of a Gauss-Legendre collocation method (order 2 x Stages; one stage is the implicit midpoint rule)
// on Eigen vectors of fixed or dynamic size. Symplectic, symmetric, keeps linear and quadratic invariants.
// With vectors of fixed size it allocates nothing. The run around it is
// in gauss_integration.h.
#pragma once

#include "core/base/error.h"
#include "core/numerics/doubled.h"
#include "core/numerics/gauss_tableau.h"

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace boost::numeric::odeint {
struct stepper_tag;
} // namespace boost::numeric::odeint

namespace casimir {

enum class GaussOutcome { converged, notFinite, notConverged };

// A Stepper in Odeint's sense: the system is called as system(x, dxdt, t).
//
// The stage equations Z_i = h sum_j a_ij f(t + c_j h, x + Z_j) are solved by fixed-point iteration down to
// rounding, from the collocation polynomial of the previous step continued, or by Newton's method with
// difference quotients where that does not contract. The step h sum_j b_j f_j is formed and added in doubled
// precision: what x loses by rounding is kept and enters the next step, so that over many steps only the
// rounding inside f remains. That memory is dropped when x is not the vector the last step left.
template <int Stages, class StateType = Eigen::VectorXd>
class GaussStepper {
public:
    using state_type = StateType;
    using deriv_type = StateType;
    using value_type = double;
    using time_type = double;
    using order_type = unsigned short;
    using stepper_category = boost::numeric::odeint::stepper_tag;
    using StageMatrix = Eigen::Matrix<double, StateType::RowsAtCompileTime, Stages>;

    GaussStepper()
    {
        const GaussTableau& tableau = gaussTableau(Stages);
        c_ = tableau.c;
        bHigh_ = tableau.bHigh;
        bLow_ = tableau.bLow;
        aHighT_ = tableau.aHigh.transpose();
        aLowT_ = tableau.aLow.transpose();
        extrapolationT_ = tableau.extrapolation.transpose();
    }

    static order_type order() { return 2 * Stages; }

    // Odeint's interface leaves no room for a failure but an exception; step() below returns it.
    template <class System>
    void do_step(System&& system, state_type& x, double t, double dt)
    {
        const GaussOutcome outcome = step(system, x, t, dt);
        if (outcome != GaussOutcome::converged)
            throw Error(fmt::format("The stage equations of the Gauss method have no solution at t = {:.10g} "
                                    "with the step {:.3g}.",
                                    t, dt));
    }

    // Leaves x alone unless it returns converged.
    template <class System>
    GaussOutcome step(System&& system, state_type& x, double t, double h)
    {
        const bool continues = started_ && x == last_;
        if (!continues) {
            K_.resize(x.size(), Stages);
            Z_.resize(x.size(), Stages);
            next_.resize(x.size(), Stages);
            lost_ = state_type::Zero(x.size());
            stage_ = x;
            slope_ = x;
            change_ = x;
            smallest_ = x;
        }
        if (guessed_)
            guessed_ = false;
        else if (continues && h == lastStep_)
            Z_ = h * K_.lazyProduct(extrapolationT_);
        else {
            system(x, slope_, t);
            for (int i = 0; i < Stages; ++i)
                Z_.col(i) = (h * c_[i]) * slope_;
        }
        started_ = false;
        GaussOutcome outcome = iterate(system, x, t, h);
        if (outcome != GaussOutcome::converged)
            outcome = newton(system, x, t, h);
        if (outcome != GaussOutcome::converged)
            return outcome;

        for (Eigen::Index i = 0; i < x.size(); ++i) {
            DoubledNumber sum;
            for (int j = 0; j < Stages; ++j) {
                sum = sum + exactProduct(bHigh_[j], K_(i, j));
                sum.low += bLow_[j] * K_(i, j);
            }
            DoubledNumber added = exactProduct(h, sum.high);
            added.low += h * sum.low + lost_[i];
            const DoubledNumber result = DoubledNumber{x[i], 0} + added;
            x[i] = result.high;
            lost_[i] = result.low;
        }
        last_ = x;
        lastStep_ = h;
        started_ = true;
        return outcome;
    }

    // Starts the next step's iteration from these Z, if x is of that size.
    void guess(const StageMatrix& Z)
    {
        Z_ = Z;
        guessed_ = true;
    }

    // Of the last step: the stages are its first x plus these columns.
    const StageMatrix& stageIncrements() const { return Z_; }

private:
    static constexpr Eigen::Index kRows = StateType::RowsAtCompileTime;
    // What a vector of dynamic size holds before the first step.
    static constexpr Eigen::Index kInitialRows = kRows == Eigen::Dynamic ? 0 : kRows;
    // Newton's unknowns: of dynamic size, so that the compiler does not unroll the elimination, but kept on
    // the stack as long as it bears them.
    static constexpr int kMostStacked = kRows == Eigen::Dynamic || kRows * Stages > 64
                                            ? Eigen::Dynamic
                                            : std::max(4, static_cast<int>(kRows) * Stages);
    using StackedStages = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostStacked, 1>;
    using StackedMatrix =
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostStacked, kMostStacked>;

    // Increments this small in proportion to the state count as rounding, so that "no longer falling" means
    // converged.
    static constexpr double kRounding = 1e-10;
    static constexpr int kMostIterations = 100;

    template <class System>
    void evaluateStages(System& system, const state_type& x, double t, double h)
    {
        for (int i = 0; i < Stages; ++i) {
            stage_ = x + (Z_.col(i) + lost_);
            system(stage_, slope_, t + c_[i] * h);
            K_.col(i) = slope_;
        }
    }

    void sumStages(double h) { next_ = h * (K_.lazyProduct(aHighT_) + K_.lazyProduct(aLowT_)); }

    double size(const state_type& x) const { return x.cwiseAbs().maxCoeff() + Z_.cwiseAbs().maxCoeff(); }

    // Stops when no component's increment is smaller than it ever was, twice in a row (Antonana, Makazaga,
    // Murua, Reducing and monitoring round-off error propagation for symplectic implicit Runge-Kutta schemes,
    // 2017).
    template <class System>
    GaussOutcome iterate(System& system, const state_type& x, double t, double h)
    {
        smallest_.setConstant(std::numeric_limits<double>::infinity());
        double before = std::numeric_limits<double>::infinity();
        int still = 0;
        int slow = 0;
        for (int iteration = 0; iteration < kMostIterations; ++iteration) {
            evaluateStages(system, x, t, h);
            sumStages(h);
            change_ = (next_ - Z_).cwiseAbs().rowwise().maxCoeff();
            Z_ = next_;
            if (!Z_.allFinite())
                return GaussOutcome::notFinite;
            bool falls = false;
            for (Eigen::Index i = 0; i < x.size(); ++i)
                if (change_[i] < smallest_[i]) {
                    smallest_[i] = change_[i];
                    falls = falls || change_[i] > 0;
                }
            const double largest = change_.maxCoeff();
            const bool small = largest <= kRounding * size(x);
            still = falls ? 0 : still + 1;
            if (largest == 0 || (still == 2 && small))
                return GaussOutcome::converged;
            if (!small && largest > 0.7 * before && ++slow == 3)
                return GaussOutcome::notConverged;
            before = largest;
        }
        return before <= kRounding * size(x) ? GaussOutcome::converged : GaussOutcome::notConverged;
    }

    // Newton's method on R = Z - h f(x + Z) A^T, with the Jacobian of every stage, renewed while convergence
    // is slow.
    template <class System>
    [[gnu::noinline]] GaussOutcome newton(System& system, const state_type& x, double t, double h)
    {
        const Eigen::Index n = x.size();
        Eigen::PartialPivLU<StackedMatrix> lu(n * Stages);
        Z_.setZero();
        double before = std::numeric_limits<double>::infinity();
        bool renew = true;
        for (int iteration = 0; iteration < kMostIterations; ++iteration) {
            evaluateStages(system, x, t, h);
            if (!K_.allFinite())
                return GaussOutcome::notFinite;
            if (renew)
                lu.compute(stageJacobian(system, x, t, h));
            sumStages(h);
            const StageMatrix residual = next_ - Z_;
            const StackedStages d = lu.solve(residual.reshaped());
            if (!d.allFinite())
                return GaussOutcome::notConverged;
            Z_ += d.reshaped(n, Stages);
            const double largest = d.cwiseAbs().maxCoeff();
            const bool small = largest <= kRounding * size(x);
            if (largest == 0 || (small && largest >= 0.5 * before)) {
                evaluateStages(system, x, t, h);
                return K_.allFinite() ? GaussOutcome::converged : GaussOutcome::notFinite;
            }
            renew = !small && largest > 0.1 * before;
            before = largest;
        }
        return GaussOutcome::notConverged;
    }

    template <class System>
    [[gnu::noinline]] StackedMatrix stageJacobian(System& system, const state_type& x, double t, double h)
    {
        const Eigen::Index n = x.size();
        const double delta = std::sqrt(std::numeric_limits<double>::epsilon());
        StackedMatrix matrix = StackedMatrix::Identity(n * Stages, n * Stages);
        Eigen::Matrix<double, kRows, kRows> J(n, n);
        for (int j = 0; j < Stages; ++j) {
            stage_ = x + (Z_.col(j) + lost_);
            const double reach = stage_.cwiseAbs().maxCoeff();
            for (Eigen::Index k = 0; k < n; ++k) {
                const double kept = stage_[k];
                const double scale = std::max(std::abs(kept), 1e-4 * reach);
                stage_[k] = kept + delta * (scale > 0 ? scale : 1);
                system(stage_, slope_, t + c_[j] * h);
                J.col(k) = (slope_ - K_.col(j)) / (stage_[k] - kept);
                stage_[k] = kept;
            }
            for (int i = 0; i < Stages; ++i)
                matrix.template block<kRows, kRows>(i * n, j * n, n, n) -=
                    h * (aHighT_(j, i) + aLowT_(j, i)) * J;
        }
        return matrix;
    }

    Eigen::Matrix<double, Stages, 1> c_;
    Eigen::Matrix<double, Stages, 1> bHigh_;
    Eigen::Matrix<double, Stages, 1> bLow_;
    Eigen::Matrix<double, Stages, Stages> aHighT_;
    Eigen::Matrix<double, Stages, Stages> aLowT_;
    Eigen::Matrix<double, Stages, Stages> extrapolationT_;
    StageMatrix K_ = StageMatrix::Zero(kInitialRows, Stages);
    StageMatrix Z_ = K_;
    StageMatrix next_ = K_;
    state_type lost_ = state_type::Zero(kInitialRows);
    state_type last_ = lost_;
    state_type stage_ = lost_;
    state_type slope_ = lost_;
    state_type change_ = lost_;
    state_type smallest_ = lost_;
    double lastStep_ = 0;
    bool started_ = false;
    bool guessed_ = false;
};

} // namespace casimir
