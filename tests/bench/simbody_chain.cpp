#include "tests/bench/simbody_chain.h"

#include <Simbody.h>

#include <algorithm>
#include <cmath>

namespace casimir::bench {

struct SimbodyChain::Parts {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::State start, moving;

    double energy(const SimTK::State& state) const
    {
        system.realize(state, SimTK::Stage::Velocity);
        return system.calcKineticEnergy(state);
    }
};

namespace {

// The root's angle comes before its place.
int slotOf(std::size_t body)
{
    return body == 0 ? 0 : static_cast<int>(body) + 2;
}

} // namespace

SimbodyChain::SimbodyChain(const std::vector<ChainLink>& links) : parts_(std::make_unique<Parts>())
{
    using namespace SimTK;
    MobilizedBody parent = parts_->matter.Ground();
    for (std::size_t k = 0; k < links.size(); ++k) {
        const ChainLink& link = links[k];
        const Body::Rigid body(
            MassProperties(link.mass, Vec3(0), Inertia(link.inertia, link.inertia, link.inertia)));
        if (k == 0)
            parent = MobilizedBody::Planar(parent, Transform(), body, Transform());
        else
            parent = MobilizedBody::Pin(parent, Transform(Vec3(link.parentX, link.parentY, 0)), body,
                                        Transform(Vec3(link.ownX, link.ownY, 0)));
    }
    parts_->start = parts_->system.realizeTopology();
    for (std::size_t k = 0; k < links.size(); ++k) {
        parts_->start.updQ()[slotOf(k)] = links[k].angle;
        parts_->start.updU()[slotOf(k)] = links[k].rate;
    }
    parts_->moving = parts_->start;
}

SimbodyChain::~SimbodyChain() = default;

void SimbodyChain::accelerate() const
{
    parts_->moving.updQ()[0] += 1e-9;
    parts_->moving.updU()[0] += 1e-9;
    parts_->system.realize(parts_->moving, SimTK::Stage::Acceleration);
}

std::vector<double> SimbodyChain::accelerations() const
{
    parts_->system.realize(parts_->start, SimTK::Stage::Acceleration);
    std::vector<double> result;
    for (std::size_t k = 0; static_cast<int>(k) + 2 < parts_->start.getNU(); ++k)
        result.push_back(parts_->start.getUDot()[slotOf(k)]);
    return result;
}

double SimbodyChain::move(double duration, double accuracy) const
{
    SimTK::RungeKuttaMersonIntegrator integrator(parts_->system);
    integrator.setAccuracy(accuracy);
    integrator.setReturnEveryInternalStep(true);
    SimTK::TimeStepper stepper(parts_->system, integrator);
    stepper.setReportAllSignificantStates(true);
    stepper.initialize(parts_->start);
    const double first = parts_->energy(integrator.getState());
    double worst = 0;
    while (integrator.getTime() < duration) {
        stepper.stepTo(duration);
        worst = std::max(worst, std::abs(parts_->energy(integrator.getState()) / first - 1));
    }
    return worst;
}

} // namespace casimir::bench
