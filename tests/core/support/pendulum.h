// Stand-ins for systems, for tests of what is around them: a pendulum q'' = -(g/l) sin q, small enough to be
// known in closed form near its rest, with an event that ends the motion at the angle `wall` where that is
// not 0.
#pragma once

#include "core/base/error.h"
#include "core/engine/realised.h"
#include "core/model/kind.h"
#include "core/model/system.h"
#include "core/session/session.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace casimir::test {

class Pendulum : public System {
public:
    Pendulum(const Kind& kind, const Values& values)
        : System(kind, values), g_(values.real("g")), l_(values.real("l")), wall_(values.real("wall"))
    {
        coordinates_ = {{"q", "q", "angle", ""}, {"v", "v", "rate", "1/s"}};
        inputs_ = {{coordinates_[0], 0.5}, {coordinates_[1], 0}};
        quantities_ = {
            coordinates_[0], coordinates_[1], {"E", "E", "energy per mass", "J/kg", 0, Law::constant()}};
    }

    StateInputs inputsOf(const State& x) const override { return {{"q", x[0]}, {"v", x[1]}}; }

    void evaluate(double, const State& x, std::span<double> out) const override
    {
        out[0] = x[0];
        out[1] = x[1];
        out[2] = l_ * l_ * x[1] * x[1] / 2 + g_ * l_ * (1 - std::cos(x[0]));
    }

    void field(double, const State& x, State& dxdt) const override
    {
        dxdt[0] = x[1];
        dxdt[1] = -g_ / l_ * std::sin(x[0]);
    }

    std::vector<TerminalEvent> events() const override
    {
        if (wall_ == 0)
            return {};
        return {{"wall", fmt::format("The pendulum hits the wall at {}.", wall_),
                 [w = wall_](double, const State& x) { return x[0] - w; }}};
    }

    Analysis analyze(const Answers&) const override { return {}; }

protected:
    State startAt(const std::vector<double>& inputs) const override { return State{{inputs[0], inputs[1]}}; }

private:
    double g_;
    double l_;
    double wall_;
};

inline Kind pendulumKind()
{
    const auto parameter = [](const char* id, const char* name, const char* unit, double value, Range range) {
        Parameter p;
        p.id = p.symbol = id;
        p.name = name;
        p.unit = unit;
        p.defaultValue = value;
        p.range = range;
        return p;
    };
    Kind kind;
    kind.id = "pendulum";
    kind.title = "Pendulum";
    kind.schema = Schema({parameter("g", "gravity", "m/s²", 9.81, Range::nonNegative()),
                          parameter("l", "length", "m", 1, Range::positive()),
                          parameter("wall", "angle of the wall", "", 0, {})});
    kind.factory = [](const Kind& k, const Values& values) {
        return std::make_shared<const Pendulum>(k, values);
    };
    return kind;
}

// The one that lookups find; it outlives every system made from it.
inline const Kind& pendulum()
{
    static const Kind kind = pendulumKind();
    return kind;
}

inline const Kind& lookUp(const std::string& id)
{
    if (id != pendulum().id)
        throw Error(fmt::format("unknown system '{}'; known is pendulum", id));
    return pendulum();
}

inline Session pendulumSession(double g = 9.81, const StateInputs& start = {})
{
    Session session = defaultSession(pendulum());
    session.values.set("g", g);
    session.motions.front().state = start;
    return session;
}

inline std::shared_ptr<const Realised> realised(const Session& session)
{
    return realise(lookUp(session.kind), session);
}

inline IntegrationOptions fixedStep(double step)
{
    IntegrationOptions options;
    options.step = step;
    return options;
}

inline IntegrationOptions tolerance(double rtol)
{
    IntegrationOptions options;
    options.rtol = rtol;
    return options;
}

} // namespace casimir::test
