#include "core/systems/planar/multibody/multibody_flow.h"

#include "core/numerics/dop853.h"
#include "core/numerics/pi.h"
#include "core/systems/planar/multibody/multibody_ensemble.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace casimir::planar {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double firstStep = 1e-2; // of the flow's time
constexpr double shortest = 1e-10; // as a part of that: below it nothing moves on
constexpr double grown = 100;      // |d|^2 from which a disturbance is made small again

// What is integrated: the angles and momenta, with a disturbance of each where its growth is asked for, and
// the time where the field depends on it.
struct Layout {
    int bodies, state, components;
    bool growth, driven;
    std::vector<double> weight;              // of the components' errors, 1/tolerance
    std::vector<std::pair<int, int>> hinges; // bodies of the joints that are free to turn

    Layout(const Tree& tree, const TreeFlow& flow)
        : bodies(tree.size()),
          state(2 * bodies),
          growth(flow.question == TreeFlow::Question::Growth),
          driven(tree.driven())
    {
        components = (growth ? 2 : 1) * state + (driven ? 1 : 0);
        for (const double angle : {pi, 1.0}) { // angles count against half a turn, disturbances against 1
            if (angle == 1.0 && !growth)
                break;
            weight.insert(weight.end(), static_cast<std::size_t>(bodies), 1 / (flow.rtol * angle));
            weight.insert(weight.end(), static_cast<std::size_t>(bodies), 1 / (flow.rtol * flow.momentum));
        }
        if (driven)
            weight.push_back(0);
        for (const int k : tree.order()) {
            const int p = tree.bodies()[static_cast<std::size_t>(k)].parent;
            const bool held = std::any_of(tree.joints().begin(), tree.joints().end(),
                                          [k](const TreeJoint& j) { return j.body == k && j.prescribed(); });
            if (p >= 0 && !held)
                hinges.emplace_back(k, p);
        }
    }
};

// Lanes of numbers, aligned; zero at first.
template <class Real>
class Room {
public:
    explicit Room(int count) : numbers_(static_cast<std::size_t>(count) * lanes + ahead, 0.0)
    {
        const auto at = reinterpret_cast<std::uintptr_t>(numbers_.data());
        next_ = reinterpret_cast<Real*>((at + sizeof(Real) - 1) / sizeof(Real) * sizeof(Real));
    }
    Real* take(int count) { return std::exchange(next_, next_ + count); }

private:
    static constexpr std::size_t lanes = sizeof(Real) / sizeof(double), ahead = lanes;
    std::vector<double> numbers_;
    Real* next_;
};

template <class Real>
CASIMIR_INLINE void evaluate(TreeEnsemble& ensemble, const Layout& layout, const Real* z, Real* rate)
{
    constexpr std::size_t W = sizeof(Real) / sizeof(double);
    static constexpr std::array<double, W> atZero{};
    const auto* x = reinterpret_cast<const double*>(z);
    auto* r = reinterpret_cast<double*>(rate);
    const std::size_t after = W * static_cast<std::size_t>(layout.state);
    const double* t = layout.driven ? x + W * static_cast<std::size_t>(layout.components - 1) : atZero.data();
    if (layout.growth)
        ensemble.variation(t, x, x + after, r, r + after);
    else
        ensemble.field(t, x, r);
    if (layout.driven)
        rate[layout.components - 1] = Real{} + 1;
}

// One after the other: the shares of a step at which a full turn is made.
class TurnFinder {
public:
    TurnFinder(const Tree& tree, const Layout& layout)
        : layout_(layout), ensemble_(tree, TreeEnsemble::Width::One), room_(13 * layout.components)
    {
        stages_ = room_.take(10 * layout.components);
        z = room_.take(layout.components);
        slope = room_.take(layout.components);
        end_ = room_.take(layout.components);
    }

    // The begin of the step, to be filled.
    double *z, *slope;

    // How far beyond a full turn the joint that has come farthest is after the time h.
    double beyond(double h, const double* beta)
    {
        Dop853<0, double> stepper({layout_.components, stages_});
        double e5, e3;
        stepper.step(
            [this](const double* at, double* rate) { evaluate<double>(ensemble_, layout_, at, rate); }, z,
            slope, h, end_, layout_.weight.data(), e5, e3);
        double most = 0;
        for (std::size_t j = 0; j < layout_.hinges.size(); ++j) {
            const auto [k, p] = layout_.hinges[j];
            most = std::max(most, std::abs(end_[k] - end_[p] - beta[j]));
        }
        return most - 2 * pi;
    }

    // Within the step h at whose end it is `after` > 0 beyond: false position, halving the old end's value
    // where it stays (the Illinois way).
    double time(double h, double before, double after, const double* beta)
    {
        double low = 0, high = h, fLow = before, fHigh = after;
        for (int k = 0, side = 0; k < 60 && high - low > 1e-12 * h; ++k) {
            const double middle = (low * fHigh - high * fLow) / (fHigh - fLow);
            const double f = beyond(middle, beta);
            if (std::abs(f) < 1e-13)
                return middle;
            if (f > 0) {
                high = middle;
                fHigh = f;
                fLow *= side == 1 ? 0.5 : 1;
                side = 1;
            } else {
                low = middle;
                fLow = f;
                fHigh *= side == -1 ? 0.5 : 1;
                side = -1;
            }
        }
        return high;
    }

private:
    const Layout& layout_;
    TreeEnsemble ensemble_;
    Room<double> room_;
    double *stages_, *end_;
};

template <int W>
CASIMIR_INLINE void follow(const Tree& tree, const TreeFlow& flow, TreeEnsemble::Width width,
                           const NextTreeStart& next, const TreeEnded& ended, const std::atomic<bool>& stop)
{
    using L = Lanes<W>;
    using Real = typename L::Real;
    const Layout layout(tree, flow);
    const int size = layout.components, state = layout.state, n = layout.bodies,
              hinges = static_cast<int>(layout.hinges.size());
    TreeEnsemble ensemble(tree, width);
    Room<Real> room(15 * size + hinges);
    Dop853<0, Real> stepper({size, room.take(10 * size)});
    Real *const z = room.take(size), *const slope = room.take(size), *const end = room.take(size),
                *const endSlope = room.take(size), *const fresh = room.take(size),
                *const beta = room.take(hinges);
    TurnFinder finder(tree, layout);
    std::vector<double> laneBeta(static_cast<std::size_t>(hinges));
    const double first = firstStep * flow.time;
    const double perMomentum = 1 / flow.momentum;

    Real h = Real{} + first, t = Real{};
    std::array<int, W> orbit{};
    std::array<long, W> steps{};
    std::array<double, W> logarithm{};
    std::array<bool, W> busy{};
    int running = 0;
    const auto begin = [&](int lane) {
        running -= busy[static_cast<std::size_t>(lane)];
        const auto start = next();
        busy[static_cast<std::size_t>(lane)] = start.has_value();
        L::set(h, lane, first);
        L::set(t, lane, 0);
        if (!start) { // an idle lane goes on with what rests and is not looked at
            for (int i = 0; i < size; ++i) {
                L::set(z[i], lane, 0);
                L::set(slope[i], lane, 0);
            }
            return;
        }
        ++running;
        orbit[static_cast<std::size_t>(lane)] = start->orbit;
        steps[static_cast<std::size_t>(lane)] = 0;
        logarithm[static_cast<std::size_t>(lane)] = 0;
        double norm = 0;
        for (int k = 0; k < n && layout.growth; ++k) {
            const double angle = flow.disturbance[k], momentum = flow.disturbance[n + k] * perMomentum;
            norm += angle * angle + momentum * momentum;
        }
        const double scale = 1 / std::sqrt(norm);
        for (int i = 0; i < state; ++i) {
            L::set(z[i], lane, start->x[i]);
            if (layout.growth)
                L::set(z[state + i], lane, scale * flow.disturbance[i]);
        }
        if (layout.driven)
            L::set(z[size - 1], lane, 0);
        for (int j = 0; j < hinges; ++j)
            L::set(beta[j], lane,
                   start->x[layout.hinges[static_cast<std::size_t>(j)].first] -
                       start->x[layout.hinges[static_cast<std::size_t>(j)].second]);
        evaluate<Real>(ensemble, layout, z, fresh);
        for (int i = 0; i < size; ++i)
            L::set(slope[i], lane, L::get(fresh[i], lane));
    };
    const auto finish = [&](int lane, double answer) {
        ended(orbit[static_cast<std::size_t>(lane)], {answer, steps[static_cast<std::size_t>(lane)]});
        begin(lane);
    };
    for (int lane = 0; lane < W; ++lane)
        begin(lane);
    while (running > 0 && !stop) {
        const Real left = flow.tEnd - t;
        const Real taken = h < left ? h : left;
        Real e5, e3, error, factor;
        stepper.step([&](const Real* at, Real* rate)
                         CASIMIR_ALWAYS_INLINE { evaluate<Real>(ensemble, layout, at, rate); },
                     z, slope, taken, end, layout.weight.data(), e5, e3);
        dop853SquaredError(taken, e5, e3, size, error);
        dop853Factor<Real, typename L::Bits>(error, factor);
        evaluate<Real>(ensemble, layout, end, endSlope);

        Real measure{}; // |d|^2, or by how much the joint that has come farthest has turned
        if (layout.growth)
            for (int k = 0; k < n; ++k) {
                const Real momentum = end[state + n + k] * perMomentum;
                measure = measure + (end[state + k] * end[state + k] + momentum * momentum);
            }
        else
            for (int j = 0; j < hinges; ++j) {
                const auto [k, p] = layout.hinges[static_cast<std::size_t>(j)];
                const Real turned = end[k] - end[p] - beta[j], size2 = turned * turned;
                measure = size2 > measure ? size2 : measure;
            }
        for (int lane = 0; lane < W; ++lane) {
            const auto at = static_cast<std::size_t>(lane);
            if (!busy[at])
                continue;
            const double step = L::get(taken, lane);
            // A last step that was cut short says nothing about the next, but there is none.
            L::set(h, lane, step * L::get(factor, lane));
            if (++steps[at] > flow.maxSteps || !(L::get(h, lane) > shortest * first)) {
                finish(lane, nan);
                continue;
            }
            if (!(L::get(error, lane) <= 1))
                continue;
            const double size2 = L::get(measure, lane);
            const bool last = step >= L::get(left, lane);
            if (!layout.growth && size2 >= 4 * pi * pi) {
                for (int i = 0; i < size; ++i) {
                    finder.z[i] = L::get(z[i], lane);
                    finder.slope[i] = L::get(slope[i], lane);
                }
                double before = 0;
                for (int j = 0; j < hinges; ++j) {
                    const auto [k, p] = layout.hinges[static_cast<std::size_t>(j)];
                    laneBeta[static_cast<std::size_t>(j)] = L::get(beta[j], lane);
                    before = std::max(
                        before, std::abs(finder.z[k] - finder.z[p] - laneBeta[static_cast<std::size_t>(j)]));
                }
                finish(lane, L::get(t, lane) + finder.time(step, before - 2 * pi, std::sqrt(size2) - 2 * pi,
                                                           laneBeta.data()));
                continue;
            }
            if (last) {
                finish(lane, layout.growth ? logarithm[at] + 0.5 * std::log(size2)
                                           : std::numeric_limits<double>::infinity());
                continue;
            }
            L::set(t, lane, L::get(t, lane) + step);
            for (int i = 0; i < size; ++i) {
                L::set(z[i], lane, L::get(end[i], lane));
                L::set(slope[i], lane, L::get(endSlope[i], lane));
            }
            if (layout.growth && size2 > grown) {
                const double scale = 1 / std::sqrt(size2);
                logarithm[at] += 0.5 * std::log(size2);
                for (int i = state; i < 2 * state; ++i) {
                    L::set(z[i], lane, scale * L::get(z[i], lane));
                    L::set(slope[i], lane, scale * L::get(slope[i], lane));
                }
            }
        }
    }
}

#if CASIMIR_HAS_WIDE
CASIMIR_WIDE void followWide(const Tree& tree, const TreeFlow& flow, const NextTreeStart& next,
                             const TreeEnded& ended, const std::atomic<bool>& stop)
{
    follow<4>(tree, flow, TreeEnsemble::Width::Machine, next, ended, stop);
}
#endif

void followNarrow(const Tree& tree, const TreeFlow& flow, const NextTreeStart& next, const TreeEnded& ended,
                  const std::atomic<bool>& stop)
{
    follow<2>(tree, flow, TreeEnsemble::Width::Two, next, ended, stop);
}

} // namespace

void followTrees(const Tree& tree, const TreeFlow& flow, const NextTreeStart& next, const TreeEnded& ended,
                 const std::atomic<bool>& stop)
{
#if CASIMIR_HAS_WIDE
    if (machineIsWide()) {
        followWide(tree, flow, next, ended, stop);
        return;
    }
#endif
    followNarrow(tree, flow, next, ended, stop);
}

void followTreesSingly(const Tree& tree, const TreeFlow& flow, const NextTreeStart& next,
                       const TreeEnded& ended, const std::atomic<bool>& stop)
{
    follow<1>(tree, flow, TreeEnsemble::Width::One, next, ended, stop);
}

} // namespace casimir::planar
