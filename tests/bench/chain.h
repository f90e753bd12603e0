// The free planar chain that the W1 benchmarks move, the plain way to move it, and 10 s of motion by a method
// whose tolerance is chosen so that the energy is kept to 1e-8.
#pragma once

#include "core/systems/planar/multibody/multibody_matrices.h"
#include "tests/bench/report.h"

#include <functional>
#include <vector>

namespace casimir::bench {

planar::Tree chainOf(int n);

// Angles and momenta to start from.
struct ChainStart {
    std::vector<double> theta, mu;
};
ChainStart chainStart(int n);

// The relative distance of a peer's turn accelerations there from ours, which are differences of ours over a
// short time and as such right to about 1e-9. Given are those against the parent.
double accelerationError(int n, const std::vector<double>& relative);

// The baseline: the same field by a dense inertia matrix, each entry from one sine and cosine a body, and
// Cholesky's loops; memory is kept between evaluations.
class DenseChain {
public:
    explicit DenseChain(const planar::Tree& tree);
    void field(const double* theta, const double* mu, double* omega, double* muDot);

private:
    std::size_t n_;
    Eigen::MatrixXcd gamma_;
    std::vector<double> J_, K_, inertia_;
    std::vector<std::complex<double>> e_;
};

// x' = field(x) over 10 s by the plain loop of Dormand and Prince; returns the largest relative error of the
// energy.
constexpr double chainDuration = 10;
using ChainField = std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& dxdt)>;
using ChainEnergy = std::function<double(const Eigen::VectorXd& x)>;
double moveByDopri5(const ChainField& field, const ChainEnergy& energy, const Eigen::VectorXd& start,
                    double tolerance);

// The largest tolerance of a geometric series with which run(tolerance) -> energy error stays at 1e-8.
struct Tuned {
    double tolerance, error;
};
Tuned tunedToEnergy(const std::function<double(double)>& run);

// The plain loop with the dense field, tuned.
class ChainBaseline {
public:
    explicit ChainBaseline(int n);
    void run() const;
    const Tuned& tuned() const { return tuned_; }

private:
    double at(double tolerance) const;
    planar::Tree tree_;
    mutable DenseChain dense_;
    Eigen::VectorXd start_;
    Tuned tuned_;
};

// How often to repeat one evaluation, and one of the baseline's, so that each takes some milliseconds.
struct Repeats {
    int fast, slow;
};
Repeats repeatsFor(int n);

} // namespace casimir::bench
