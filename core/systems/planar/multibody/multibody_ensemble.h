// Many evaluations of one tree at once, each in a lane of a vector: the field at several states, its
// derivative along a direction at each of them, or along several directions at one; and from these the
// Jacobian. The recursion is that of multibody_recursion.h, exact derivatives included; four lanes where the
// machine has wide vectors, else two, and every lane gives the digits it would give alone.
//
// A state is (theta_1 .. theta_N, mu_1 .. mu_N). Of several, the numbers of one kind stand together: number k
// of lane l at x[k * lanes() + l].
#pragma once

#include "core/systems/planar/multibody/multibody.h"

#include <array>

namespace casimir::planar {

class TreeEnsemble {
public:
    enum class Width { Machine, Two, One };
    // The tree must outlive it. By one thread at a time; memory is taken at the first call of each kind.
    explicit TreeEnsemble(const Tree& tree, Width width = Width::Machine);

    const Tree& tree() const { return *tree_; }
    int lanes() const { return kernels_->lanes; }
    // How many states or directions the machine takes at once.
    static int machineLanes();

    // theta' and mu' at lanes() states and times, as Tree::field. A lane whose numbers are not finite does
    // not touch the others.
    void field(const double* t, const double* x, double* rate);
    // The same, and beside each rate its derivative along the state's own direction v.
    void variation(const double* t, const double* x, const double* v, double* rate, double* change);
    // At one state (rate: 2N numbers) the derivatives along lanes() directions.
    void derivatives(double t, const double* x, const double* v, double* rate, double* changes);
    // d(theta', mu')/d(theta, mu), 2N x 2N: by Hamilton's equations the derivatives along the angles and the
    // velocities of unit momenta say all, in N/lanes() sweeps of each. Where joints are prescribed, along
    // all.
    void jacobian(double t, const double* x, Eigen::MatrixXd& out);

    // One kind of evaluation compiled for one width.
    struct Work {
        const Tree& tree;
        double* room; // aligned
        const double *t, *x, *v;
        double *rate, *change;
    };
    struct Kernel {
        void (*run)(const Work&);
        std::size_t placeSize; // what it keeps of a body, in doubles
    };
    struct Kernels {
        int lanes;
        Kernel field, variation, derivatives;
    };

private:
    enum Kind { Field, Variation, Derivatives };
    double* room(Kind kind, const Kernel& kernel);
    // The first `count` columns of the Jacobian.
    void columns(double t, const double* x, Eigen::Index count, Eigen::MatrixXd& out);

    const Tree* tree_;
    const Kernels* kernels_;
    std::array<std::vector<double>, 3> numbers_;
    std::vector<double> directions_, changes_, rate_;
};

} // namespace casimir::planar
