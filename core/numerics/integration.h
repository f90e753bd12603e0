// A run of any method that yields steps: x' = f(t, x) by a Runge-Kutta or Gauss method, a system's own
// stepper, a closed form. The generic methods stand in methods.h, events and projections in events.h.
#pragma once

#include "core/base/status.h"
#include "core/numerics/interpolant.h"

#include <Eigen/Core>

#include <functional>
#include <memory>

namespace casimir {

class LiveInput;

using State = Eigen::VectorXd;

// dxdt arrives with the size of x. Some interpolants call the field again, from whatever thread reads them:
// it must be safe to call concurrently.
using Field = std::function<void(double t, const State& x, State& dxdt)>;

struct IntegrationOptions {
    // An adaptive method accepts a step when its estimated error is a twentieth of atol + rtol S_i or less in
    // every component; S_i, the scale of that component, is explained in error_norm.h. atol = 0 leaves it to
    // the scale alone.
    double rtol = 1e-10;
    double atol = 0;
    // Empty, or one number for each component: where it is not 0 it replaces S_i. An angle that winds has the
    // scale 1 however often it went round.
    State scale;
    // The step of the fixed-step methods; 0 chooses it once, by doubling, from rtol.
    double step = 0;
    long maxSteps = 1'000'000'000;
    // What a person leads while the motion runs, for a system that listens to it (core/model/live_input.h).
    std::shared_ptr<const LiveInput> input = {};
};

class Integration {
public:
    virtual ~Integration();

    virtual double time() const = 0;
    virtual const State& state() const = 0;

    // One accepted step, never beyond tLimit and exactly onto it when it is reached. tLimit may lie before
    // time(): then time runs backwards. At tLimit == time() nothing happens. After a failure time() and
    // state() are those of the last accepted step. A fixed-step method keeps its step only if tLimit lies
    // ahead of it: for values in between ask the interpolant instead of limiting the step.
    virtual Status advance(double tLimit) = 0;

    // Of the last accepted step; before the first one, constant.
    virtual std::shared_ptr<const Interpolant> interpolant() const = 0;

    // How often the field was evaluated to make the steps; interpolants are not counted.
    virtual long evaluations() const = 0;

    // Continues from another state at the same time, as after a projection. The interpolant remains that of
    // the step made. Methods that cannot do this refuse with an Error.
    virtual void replaceState(const State& x);
};

// Advances until t is reached or a step fails; `onStep` sees the integration after every accepted step,
// including the one that an event cut short.
Status advanceTo(Integration& integration, double t,
                 const std::function<void(const Integration&)>& onStep = {});

// The same until `cancelled`, asked after every step, says so; then the status is "cancelled". Empty: never.
Status advanceUnless(const std::function<bool()>& cancelled, Integration& integration, double t);

} // namespace casimir
