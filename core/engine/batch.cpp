#include "core/engine/batch.h"

#include "core/base/error.h"
#include "core/numerics/closed_form_motion.h"
#include "core/numerics/roots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

// The number of rows before the last: a multiple of dt this close to the length is all of it.
long long rowsBefore(double length, double dt)
{
    constexpr double kSlack = 1e-9;
    return static_cast<long long>(std::ceil(std::abs(length) / dt - kSlack));
}

} // namespace

Status runBatch(const System& system, const std::string& method, const IntegrationOptions& options,
                const Recorder::Origin& from, double tEnd, double dt, const RowCallback& row)
{
    const auto& [t0, x0] = from;
    if (!std::isfinite(tEnd))
        throw Error(fmt::format("the end time {} is not a number of seconds", tEnd));
    if (!(std::isfinite(dt) && dt > 0))
        throw Error(fmt::format("the spacing of rows {} must be greater than 0", dt));
    if (std::abs(tEnd - t0) / dt > 1e15)
        throw Error(fmt::format("the spacing of rows {} is too small for an end time of {}", dt, tEnd));

    const auto methods = system.methods();
    if (method.empty() && methods.empty())
        throw Error("the system offers no method to compute its motion with");
    const auto run =
        system.integrate(method.empty() ? std::string(methods.front().id) : method, t0, x0, options);

    const int direction = tEnd < t0 ? -1 : 1;
    const long long last = rowsBefore(tEnd - t0, dt);
    State x = x0;
    double lastRow = t0;
    row(t0, x0);
    if (const auto* known = dynamic_cast<const KnownAtAnyTime*>(run.get())) {
        for (long long k = 1; k <= last; ++k) {
            const double t = k < last ? t0 + direction * dt * static_cast<double>(k) : tEnd;
            known->stateAt(t, x);
            row(t, x);
        }
        return {};
    }
    long long k = 1;
    Status status;
    while (run->time() != tEnd && status.ok()) {
        const double before = run->time();
        const double limit = naturalLimit(before, direction, options);
        status = run->advance(direction * limit < direction * tEnd ? limit : tEnd);
        const double now = run->time();
        if (now == before) {
            if (status.ok())
                status = Status::failed("stalled", fmt::format("The motion stands still at t = {}.", before));
            break;
        }
        const auto step = run->interpolant();
        for (; k < last; ++k) {
            const double t = t0 + direction * dt * static_cast<double>(k);
            if (direction * t > direction * now)
                break;
            step->at(t, x);
            row(t, x);
            lastRow = t;
        }
    }
    if (run->time() != lastRow)
        row(run->time(), run->state());
    return status;
}

Status runBatchBy(const HasReducedForm& form, const IntegrationOptions& options, const State& x0, double tEnd,
                  double spacing, const RowCallback& row)
{
    if (!std::isfinite(tEnd))
        throw Error(fmt::format("the end time {} is not a number of seconds", tEnd));
    if (!(std::isfinite(spacing) && spacing > 0))
        throw Error(fmt::format("the spacing of rows {} must be greater than 0", spacing));
    const auto run = form.integrateBy(x0, options);
    const double first = run->time();
    const double rate = form.independentRate(x0);
    const int direction = (rate < 0) == (tEnd < 0) ? 1 : -1;
    const Eigen::Index n = x0.size();
    const auto emit = [&](const State& x) { row(x[n], x.head(n)); };
    row(0, x0);
    if (tEnd == 0)
        return {};

    Status status;
    bool reached = false;
    double lastRow = first;
    for (long long k = 1; !reached && status.ok();) {
        const double before = run->time();
        status = run->advance(naturalLimit(before, direction, options));
        const auto step = run->interpolant();
        double end = run->time();
        if (end == before)
            break;
        const auto late = [&](double q) { return std::abs(step->sample(q)[n]) - std::abs(tEnd); };
        reached = late(end) >= 0;
        if (reached)
            end = bracketedRoot(late, before, end).x;
        for (;; ++k) {
            const double q = first + direction * spacing * static_cast<double>(k);
            if (direction * q >= direction * end)
                break;
            emit(step->sample(q));
            lastRow = q;
        }
        if (reached) {
            State x = step->sample(end);
            x[n] = tEnd; // to the rounding of the root
            emit(x);
            return {};
        }
    }
    if (run->time() != lastRow)
        emit(run->state());
    return status;
}

} // namespace casimir
