// The plots of three bodies: which there are, what moves in them, and the amended potential on the torus.
#include "core/systems/planar/three_body_system.h"

#include <cmath>

namespace casimir::planar {

std::vector<PlotInfo> ThreeBodySystem::plots() const
{
    return {};
}

Plot ThreeBodySystem::plot(const PlotRequest& request) const
{
    return System::plot(request);
}

void ThreeBodySystem::track(std::string_view, double, const State&, PlotTrack&) const {}

StateInputs ThreeBodySystem::pick(std::string_view, double, double, const StateInputs&) const
{
    return {};
}

} // namespace casimir::planar
