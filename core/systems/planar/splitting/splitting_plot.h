// The picture of a splitting, shared by those who disturb a homoclinic orbit: the predicted wave and the
// measured samples over one period, or their ratio against the size of the disturbance.
#pragma once

#include "core/model/system.h"
#include "core/systems/planar/splitting/split_manifolds.h"

namespace casimir::planar {

struct SplittingPicture {
    Quantity phase;    // along: time or angle of the disturbance
    Quantity distance; // upwards
    double period = 1;
    double eps = 0;
    std::function<double(double phase)> predicted; // at this eps
    std::function<Splitting(double eps, int samples, const std::function<bool(const Splitting&)>& goOn)>
        measure;
};

// The options `show` and `branch`.
std::vector<Parameter> splittingOptions();
// Fills the plot as request.options "show" asks, publishing as samples come in.
Plot splittingPlot(const SplittingPicture& picture, const PlotRequest& request);
// What stands in its place where the bodies have no homoclinic orbit.
Plot noSplitting(const SplittingPicture& picture, const std::string& why);

} // namespace casimir::planar
