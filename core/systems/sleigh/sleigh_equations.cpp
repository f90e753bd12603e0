#include "core/systems/sleigh/sleigh_equations.h"

#include "core/base/error.h"
#include "core/systems/sleigh/sleigh_model.h"

#include <fmt/format.h>

namespace casimir::sleigh {

namespace {

using Equations = PoincareEquations<SleighModel>;
using Whittaker = WhittakerReduction<SleighModel>;

Equations::X place(const Vector5& x)
{
    return {x[Phi], x[X], x[Y]};
}

Equations::Theta velocities(const Vector5& x, double lever)
{
    return {x[PhiDot], x[V] - lever * x[PhiDot]};
}

} // namespace

SleighEquations::SleighEquations(const SleighParameters& p, Variables variables)
    : equations_(std::make_unique<const Equations>(SleighModel{p, variables})),
      lever_(variables == Variables::Centre ? p.b : 0)
{
}

SleighEquations::~SleighEquations() = default;

Vector5 SleighEquations::field(const Vector5& x) const
{
    const Equations::X at = place(x);
    const Equations::Theta theta = velocities(x, lever_);
    const Equations::X rate = equations_->velocity(at, theta);
    const Equations::Theta thetaRate = equations_->accelerations(at, theta);
    return Vector5(rate[1], rate[2], rate[0], thetaRate[1] + lever_ * thetaRate[0], thetaRate[0]);
}

double SleighEquations::energy(const Vector5& x) const
{
    return equations_->energy(place(x), velocities(x, lever_));
}

std::vector<Obstacle> SleighEquations::obstacles(const Vector5& x) const
{
    return Whittaker::obstacles(*equations_, place(x), velocities(x, lever_));
}

struct SleighEquations::Reduced::Parts {
    Whittaker whittaker;
    double lever;
};

SleighEquations::Reduced::Reduced(const SleighEquations& equations, const Vector5& start)
{
    if (start[PhiDot] == 0)
        throw Error(
            "the reduced form divides by phidot, which is 0 at the start; the direct equations go on");
    for (const Obstacle& obstacle : equations.obstacles(start))
        throw Error(fmt::format("the reduced form does not apply here: {}", obstacle.sentence));
    const Equations::Theta theta = velocities(start, equations.lever_);
    parts_ = std::make_unique<const Parts>(
        Parts{Whittaker(*equations.equations_, equations.energy(start), start[PhiDot] < 0 ? -1 : 1),
              equations.lever_});
    begin_ = {start[X], start[Y], theta[1] / theta[0], 0};
    if (!begin_.allFinite())
        throw Error(
            fmt::format("the reduced form divides by phidot = {}, which is too small", start[PhiDot]));
}

SleighEquations::Reduced::~Reduced() = default;

void SleighEquations::Reduced::rates(double phi, const Eigen::Ref<const State>& y, Eigen::Ref<State> dy) const
{
    const Whittaker::Rates rates =
        parts_->whittaker.rates(Equations::X(phi, y[0], y[1]), Whittaker::Ratios(y[2]));
    dy << rates.x[1], rates.x[2], rates.ratios[0], rates.t;
}

Vector5 SleighEquations::Reduced::state(double phi, const Eigen::Ref<const State>& y) const
{
    const Equations::Theta theta =
        parts_->whittaker.theta(Equations::X(phi, y[0], y[1]), Whittaker::Ratios(y[2]));
    return Vector5(y[0], y[1], phi, theta[1] + parts_->lever * theta[0], theta[0]);
}

} // namespace casimir::sleigh
