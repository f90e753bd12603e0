#include "core/systems/planar/splitting/split_manifolds.h"

#include "core/base/error.h"
#include "core/numerics/events.h"
#include "core/numerics/methods.h"
#include "core/numerics/pi.h"

#include <Eigen/LU>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace casimir::planar {

namespace {

constexpr double manifoldTolerance = 1e-13;
// How far from the periodic orbit a manifold is entered, along its tangent, as a share of the widest swing of
// the momentum: its curvature then errs by the cube of this in the energy.
constexpr double entry = 1e-5;
// Of the passage, as a share of the period; the value changes by the disturbance times this.
constexpr double phaseTolerance = 1e-9;
// Growth, as an exponent, after which a perturbation points along the manifold to rounding: the other
// direction falls behind by twice this.
constexpr double alignment = 20;

using Complex = std::complex<double>;

// The periodic orbit that the saddle becomes, as a Fourier sum about the saddle. A shooting method would meet
// the growth over a whole period; this does not.
class DisturbedSaddle {
public:
    explicit DisturbedSaddle(const DisturbedFlow& flow) : flow_(flow)
    {
        const Eigen::Matrix2d J = flow.jacobian(0, flow.saddle);
        std::array<Eigen::Vector2d, points> values;
        values.fill(Eigen::Vector2d::Zero());
        coefficients_.fill(Eigen::Vector2cd::Zero());
        // d' = J d + r(t) with r the disturbance and what J leaves out, solved harmonic by harmonic: a
        // contraction as long as the orbit stays near the saddle.
        for (int pass = 0; pass < 200 && !converged_; ++pass) {
            std::array<Eigen::Vector2d, points> rest;
            for (std::size_t k = 0; k < points; ++k)
                rest[k] = flow.rate(timeOf(k), flow.saddle + values[k]) - J * values[k];
            for (std::size_t n = 0; n <= harmonics; ++n) {
                Eigen::Vector2cd sum = Eigen::Vector2cd::Zero();
                for (std::size_t k = 0; k < points; ++k)
                    sum += rest[k] * std::polar(1.0, -2 * pi * static_cast<double>(n * k % points) / points);
                const Eigen::Matrix2cd A =
                    Complex(0, static_cast<double>(n) * flow.Omega) * Eigen::Matrix2cd::Identity() -
                    J.cast<Complex>();
                coefficients_[n] = A.inverse() * sum * ((n == 0 ? 1.0 : 2.0) / points);
            }
            double change = 0, size = 0;
            for (std::size_t k = 0; k < points; ++k) {
                const Eigen::Vector2d now = deviation(timeOf(k));
                change = std::max(change, (now - values[k]).norm());
                size = std::max(size, std::max(std::abs(now[0]), std::abs(now[1]) / flow.momentumSwing));
                values[k] = now;
            }
            if (!(size < 1))
                return;
            converged_ = change <= 1e-15 * (1 + flow.saddle.norm());
        }
    }

    bool converged() const { return converged_; }
    double period() const { return 2 * pi / flow_.Omega; }
    Eigen::Vector2d at(double t) const { return flow_.saddle + deviation(t); }

    // The tangent of the unstable manifold at time 0, or of the stable one: what grows forwards, or
    // backwards, in time.
    Eigen::Vector2d direction(bool unstable) const
    {
        const double span = alignment / flow_.growthRate, start = unstable ? -span : span;
        constexpr int pieces = 8;
        IntegrationOptions options;
        options.rtol = 1e-12;
        const Field field = [this](double t, const State& v, State& r) {
            r = flow_.jacobian(t, at(t)) * Eigen::Vector2d(v);
        };
        Eigen::Vector2d v = Eigen::Vector2d::Ones().normalized();
        const auto run = startIntegration("dopri5", field, start, State(v), options);
        for (int k = 1; k <= pieces; ++k) {
            if (!advanceUnless(flow_.cancelled, *run, start * (pieces - k) / pieces).ok())
                break;
            v = run->state().normalized();
            run->replaceState(v);
        }
        return v;
    }

private:
    static constexpr std::size_t points = 64, harmonics = 24;

    double timeOf(std::size_t k) const { return period() * static_cast<double>(k) / points; }
    Eigen::Vector2d deviation(double t) const
    {
        Eigen::Vector2cd sum = Eigen::Vector2cd::Zero();
        const Complex turn = std::polar(1.0, flow_.Omega * t);
        for (std::size_t n = harmonics + 1; n-- > 0;)
            sum = sum * turn + coefficients_[n];
        return sum.real();
    }

    const DisturbedFlow& flow_;
    std::array<Eigen::Vector2cd, harmonics + 1> coefficients_;
    bool converged_ = false;
};

struct Arrival {
    double t = 0, value = 0;
};

// Where the orbit from z at time 0 passes the section, forwards (direction +1) or backwards in time.
std::optional<Arrival> arrive(const DisturbedFlow& flow, const Eigen::Vector2d& z, int direction,
                              double patience)
{
    IntegrationOptions options;
    options.rtol = manifoldTolerance;
    const double at = flow.section;
    const Field field = [&flow](double t, const State& x, State& r) { r = flow.rate(t, Eigen::Vector2d(x)); };
    const EventFunction section = [at](double, const State& x) { return x[0] - at; };
    const auto run = startIntegration("rkf78", field, 0, State(z), options);
    const bool below = z[0] < at;
    while (std::abs(run->time()) < patience) {
        if (!run->advance(direction * patience).ok() || (flow.cancelled && flow.cancelled()))
            return std::nullopt;
        if ((run->state()[0] < at) == below)
            continue;
        const auto t = locateEvent(*run->interpolant(), section);
        if (!t)
            return std::nullopt;
        return Arrival{*t, flow.value(*t, Eigen::Vector2d(run->interpolant()->sample(*t)))};
    }
    return std::nullopt;
}

Splitting measuredOn(const DisturbedFlow& flow, int samples, const std::function<double(double)>& predicted,
                     const std::function<bool(const Splitting&)>& goOn)
{
    Splitting result;
    const DisturbedSaddle saddle(flow);
    if (!saddle.converged()) {
        result.status =
            Status::failed("not-converged", "No periodic orbit lies near the saddle at this amplitude.");
        return result;
    }
    const double period = saddle.period();
    const double patience = 60 / flow.growthRate + 5 * period;

    // The unstable manifold leaves the saddle before the section and the stable one enters it beyond, or the
    // other way round on branch -1.
    struct Side {
        Eigen::Vector2d base, tangent;
    };
    const auto side = [&](bool leaving) {
        const bool before = leaving == (flow.branch > 0);
        Side s{saddle.at(0), saddle.direction(leaving)};
        if ((s.tangent[0] > 0) != before)
            s.tangent = -s.tangent;
        s.base[0] -= before ? 2 * pi : 0;
        return s;
    };
    const std::array<Side, 2> sides{side(false), side(true)};

    // The value on one manifold where it passes the section at the time t0: the entry point is moved along
    // the tangent until the passage comes at that phase.
    const auto valueAt = [&](bool leaving, double t0) -> std::optional<double> {
        const Side& s = sides[leaving ? 1 : 0];
        const int direction = leaving ? 1 : -1;
        double logarithm = std::log(entry * flow.momentumSwing);
        std::optional<Arrival> arrival;
        for (int k = 0; k < 40; ++k) {
            arrival = arrive(flow, s.base + std::exp(logarithm) * s.tangent, direction, patience);
            if (!arrival)
                return std::nullopt;
            const double late = std::remainder(arrival->t - t0, period);
            if (std::abs(late) < phaseTolerance * period)
                break;
            logarithm += direction * flow.growthRate * late;
        }
        return arrival->value;
    };

    for (int k = 0; k < samples; ++k) {
        SplittingSample sample;
        sample.t0 = period * k / samples;
        const auto u = valueAt(true, sample.t0), s = valueAt(false, sample.t0);
        if (!u || !s) {
            result.status = Status::failed("not-reached", "A manifold does not come round at this amplitude; "
                                                          "it is too large for a first order.");
            return result;
        }
        sample.measured = *u - *s;
        sample.predicted = predicted(sample.t0);
        result.samples.push_back(sample);
        if (goOn && !goOn(result))
            return result;
    }
    return result;
}

} // namespace

void requireVisible(double Omega, double stripWidth)
{
    constexpr double most = 45; // e^-45 is a thousandth of the last digit
    const double exponent = std::abs(Omega) * stripWidth;
    if (exponent > most)
        throw Error(fmt::format("the disturbance is so fast beside the homoclinic orbit that it splits it by "
                                "less than e^-{:.3g} of its size, which no computed digit shows",
                                exponent));
}

double Splitting::ratio() const
{
    double mixed = 0, square = 0;
    for (const SplittingSample& s : samples) {
        mixed += s.measured * s.predicted;
        square += s.predicted * s.predicted;
    }
    return mixed / square;
}

Splitting measureSplitting(const DisturbedFlow& flow, int samples,
                           const std::function<double(double)>& predicted,
                           const std::function<bool(const Splitting&)>& goOn)
{
    try {
        return measuredOn(flow, samples, predicted, goOn);
    } catch (const Error&) {
        // Where the energy leaves no real momentum along the way, the flow has no numbers.
        Splitting none;
        none.status = Status::failed("too-large", "The disturbance is too large: the saddle's periodic orbit "
                                                  "and its manifolds cannot be followed.");
        return none;
    }
}

} // namespace casimir::planar
