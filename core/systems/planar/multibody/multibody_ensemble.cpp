#include "core/systems/planar/multibody/multibody_ensemble.h"

#include "core/numerics/dual.h"
#include "core/numerics/lanes.h"
#include "core/systems/planar/multibody/multibody_recursion.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace casimir::planar {

namespace {

constexpr std::size_t cacheLine = 64; // bytes

template <int W>
CASIMIR_INLINE void sineAndCosineOf(const typename Lanes<W>::Real& x, typename Lanes<W>::Real& sine,
                                    typename Lanes<W>::Real& cosine)
{
    using L = Lanes<W>;
    typename L::Bits beyond;
    sineAndCosine<typename L::Real, typename L::Bits>(x, sine, cosine, beyond);
    std::uint64_t far[W];
    __builtin_memcpy(far, &beyond, sizeof beyond);
    std::uint64_t some = 0;
    for (int lane = 0; lane < W; ++lane)
        some |= far[lane];
    if (some == 0)
        return;
    for (int lane = 0; lane < W; ++lane)
        if (far[lane]) {
            L::set(sine, lane, std::sin(L::get(x, lane)));
            L::set(cosine, lane, std::cos(L::get(x, lane)));
        }
}

// What the recursion computes with in each kind of evaluation: how such a number is read from the arrays, its
// value kept apart from its slope, and how it is written.
template <int W>
struct States {
    using T = typename Lanes<W>::Real;
    static constexpr int values = W; // times, or values of sines, at once
    static CASIMIR_INLINE void load(const TreeEnsemble::Work& work, std::size_t k, T& out)
    {
        __builtin_memcpy(&out, work.x + k * W, sizeof out);
    }
    static CASIMIR_INLINE void store(const TreeEnsemble::Work& work, std::size_t k, const T& number)
    {
        __builtin_memcpy(work.rate + k * W, &number, sizeof number);
    }
    static CASIMIR_INLINE void turn(const T& x, T& sine, T& cosine) { sineAndCosineOf<W>(x, sine, cosine); }
    static CASIMIR_INLINE void constant(const T& value, T& out) { out = value; }
};

// V: how many states; W: how many slopes.
template <int V, int W>
struct Slopes {
    using Value = typename Lanes<V>::Real;
    using T = Dual<Value, typename Lanes<W>::Real>;
    static constexpr int values = V;
    static CASIMIR_INLINE void load(const TreeEnsemble::Work& work, std::size_t k, T& out)
    {
        __builtin_memcpy(&out.value, work.x + k * V, sizeof out.value);
        __builtin_memcpy(&out.slope, work.v + k * W, sizeof out.slope);
    }
    static CASIMIR_INLINE void store(const TreeEnsemble::Work& work, std::size_t k, const T& number)
    {
        __builtin_memcpy(work.rate + k * V, &number.value, sizeof number.value);
        __builtin_memcpy(work.change + k * W, &number.slope, sizeof number.slope);
    }
    static CASIMIR_INLINE void turn(const T& x, T& sine, T& cosine)
    {
        sineAndCosineOf<V>(x.value, sine.value, cosine.value);
        sine.slope = cosine.value * x.slope;
        cosine.slope = -sine.value * x.slope;
    }
    static CASIMIR_INLINE void constant(const Value& value, T& out)
    {
        out = {value, typename Lanes<W>::Real{}};
    }
};

template <class Kind>
CASIMIR_INLINE void evaluate(const TreeEnsemble::Work& work)
{
    using T = typename Kind::T;
    using Value = typename Lanes<Kind::values>::Real;
    const std::vector<TreePlace>& at = work.tree.places();
    const std::size_t n = at.size();
    auto* const c = reinterpret_cast<TreeKept<T>*>(work.room);
    const TreeRecursion<T> recursion{at, work.tree.joints(), work.tree.hasPrescribed(), c};
    if (work.tree.hasTorques())
        for (std::size_t i = 1; i < n; ++i)
            if (const TreeJoint* j = recursion.joint(i)) {
                Value t, sine, cosine;
                __builtin_memcpy(&t, work.t, sizeof t);
                const Value phase = j->frequency * t + j->phase;
                sineAndCosineOf<Kind::values>(phase, sine, cosine);
                Kind::constant(sine, c[i].driveSine);
                Kind::constant(cosine, c[i].driveCosine);
            }
    recursion.takeState([&work](std::size_t k, T& out) CASIMIR_ALWAYS_INLINE { Kind::load(work, k, out); },
                        [&work, n](std::size_t k, T& out)
                            CASIMIR_ALWAYS_INLINE { Kind::load(work, n + k, out); });
    for (std::size_t i = 0; i < n; ++i)
        Kind::turn(c[i].theta, c[i].sine, c[i].cosine);
    recursion.velocities();
    recursion.rates();
    for (std::size_t i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(at[i].body);
        Kind::store(work, k, c[i].omega);
        Kind::store(work, n + k, c[i].muDot);
    }
}

template <class Kind>
constexpr std::size_t placeSize = sizeof(TreeKept<typename Kind::T>) / sizeof(double);

template <class Kind>
void run(const TreeEnsemble::Work& work)
{
    evaluate<Kind>(work);
}
template <int W>
constexpr TreeEnsemble::Kernels plain{W,
                                      {run<States<W>>, placeSize<States<W>>},
                                      {run<Slopes<W, W>>, placeSize<Slopes<W, W>>},
                                      {run<Slopes<1, W>>, placeSize<Slopes<1, W>>}};

#if CASIMIR_HAS_WIDE
template <class Kind>
CASIMIR_WIDE void runWide(const TreeEnsemble::Work& work)
{
    evaluate<Kind>(work);
}
constexpr TreeEnsemble::Kernels wide{4,
                                     {runWide<States<4>>, placeSize<States<4>>},
                                     {runWide<Slopes<4, 4>>, placeSize<Slopes<4, 4>>},
                                     {runWide<Slopes<1, 4>>, placeSize<Slopes<1, 4>>}};
#endif

const TreeEnsemble::Kernels& machineKernels()
{
#if CASIMIR_HAS_WIDE
    if (machineIsWide())
        return wide;
#endif
    return plain<2>;
}

const TreeEnsemble::Kernels& kernelsFor(TreeEnsemble::Width width)
{
    switch (width) {
    case TreeEnsemble::Width::One:
        return plain<1>;
    case TreeEnsemble::Width::Two:
        return plain<2>;
    case TreeEnsemble::Width::Machine:
        break;
    }
    return machineKernels();
}

} // namespace

TreeEnsemble::TreeEnsemble(const Tree& tree, Width width) : tree_(&tree), kernels_(&kernelsFor(width)) {}

int TreeEnsemble::machineLanes()
{
    return machineKernels().lanes;
}

double* TreeEnsemble::room(Kind kind, const Kernel& kernel)
{
    std::vector<double>& numbers = numbers_[kind];
    const auto n = static_cast<std::size_t>(tree_->size());
    constexpr std::size_t ahead = cacheLine / sizeof(double);
    if (numbers.empty())
        numbers.assign(n * kernel.placeSize + ahead, 0.0);
    const auto at = reinterpret_cast<std::uintptr_t>(numbers.data());
    return numbers.data() + ((at + cacheLine - 1) / cacheLine * cacheLine - at) / sizeof(double);
}

void TreeEnsemble::field(const double* t, const double* x, double* rate)
{
    kernels_->field.run({*tree_, room(Field, kernels_->field), t, x, nullptr, rate, nullptr});
}

void TreeEnsemble::variation(const double* t, const double* x, const double* v, double* rate, double* change)
{
    kernels_->variation.run({*tree_, room(Variation, kernels_->variation), t, x, v, rate, change});
}

void TreeEnsemble::derivatives(double t, const double* x, const double* v, double* rate, double* changes)
{
    kernels_->derivatives.run({*tree_, room(Derivatives, kernels_->derivatives), &t, x, v, rate, changes});
}

void TreeEnsemble::columns(double t, const double* x, Eigen::Index count, Eigen::MatrixXd& out)
{
    const Eigen::Index W = lanes(), size = 2 * tree_->size();
    directions_.assign(static_cast<std::size_t>(size * W), 0.0);
    changes_.resize(directions_.size());
    rate_.resize(directions_.size());
    const auto one = [this, W](Eigen::Index k, Eigen::Index lane) -> double& {
        return directions_[static_cast<std::size_t>(k * W + lane)];
    };
    for (Eigen::Index from = 0; from < count; from += W) {
        const Eigen::Index many = std::min(W, count - from);
        for (Eigen::Index lane = 0; lane < many; ++lane)
            one(from + lane, lane) = 1;
        derivatives(t, x, directions_.data(), rate_.data(), changes_.data());
        for (Eigen::Index lane = 0; lane < many; ++lane)
            one(from + lane, lane) = 0;
        for (Eigen::Index k = 0; k < size; ++k)
            for (Eigen::Index lane = 0; lane < many; ++lane)
                out(k, from + lane) = changes_[static_cast<std::size_t>(k * W + lane)];
    }
}

void TreeEnsemble::jacobian(double t, const double* x, Eigen::MatrixXd& out)
{
    const Eigen::Index n = tree_->size(), W = lanes();
    out.resize(2 * n, 2 * n);
    if (tree_->hasPrescribed() || 2 * n <= W) {
        columns(t, x, 2 * n, out);
        return;
    }
    columns(t, x, n, out);
    // omega = dH/dmu = J^-1 mu is linear in mu: its derivatives are the velocities of unit momenta.
    for (Eigen::Index k = 0; k < n; ++k)
        std::fill_n(directions_.begin() + k * W, W, x[k]);
    changes_.assign(static_cast<std::size_t>(W), t); // the times of all lanes
    for (Eigen::Index from = 0; from < n; from += W) {
        const Eigen::Index many = std::min(W, n - from);
        std::fill(directions_.begin() + n * W, directions_.end(), 0.0);
        for (Eigen::Index lane = 0; lane < many; ++lane)
            directions_[static_cast<std::size_t>((n + from + lane) * W + lane)] = 1;
        field(changes_.data(), directions_.data(), rate_.data());
        for (Eigen::Index k = 0; k < n; ++k)
            for (Eigen::Index lane = 0; lane < many; ++lane)
                out(k, n + from + lane) = rate_[static_cast<std::size_t>(k * W + lane)];
    }
    // mu' = -dH/dtheta and the torques, of which only dampers know the velocities.
    out.bottomRightCorner(n, n) = -out.topLeftCorner(n, n).transpose();
    for (const TreeJoint& j : tree_->joints()) {
        const Eigen::Index k = j.body, p = tree_->bodies()[static_cast<std::size_t>(k)].parent;
        const Eigen::RowVectorXd given = -j.damping * (out.row(k) - out.row(p)).tail(n);
        out.row(n + k).tail(n) += given;
        out.row(n + p).tail(n) -= given;
    }
}

} // namespace casimir::planar
