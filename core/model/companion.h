// A second surface drawn through the one a portrait lives on, for systems that have one: the energy ellipsoid
// that cuts the momentum sphere along the orbit of the present state.
#pragma once

#include "core/model/colour.h"
#include "core/numerics/integration.h"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <string_view>

namespace casimir {

// About the middle of the surface, in the space it is embedded in; translucent.
struct Ellipsoid {
    Eigen::Vector3d halfAxes = Eigen::Vector3d::Ones();
    Colour colour = {};
    std::string layer = {}; // of the plot
};

class HasCompanion {
public:
    virtual ~HasCompanion() = default;
    virtual std::optional<Ellipsoid> companion(std::string_view plotId, const State& x) const = 0;
};

} // namespace casimir
