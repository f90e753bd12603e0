// TracePaths: where chosen points of one Motion went, as lines so fine that no corner is seen, kept from
// frame to frame: a new frame asks for the points that came since the last one.
#pragma once

#include "core/engine/kept_samples.h"

#include <Eigen/Core>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace casimir {

class TracePaths {
public:
    using Points = std::vector<Eigen::Vector3d>;
    using PointsAt = std::function<Points(double t)>; // the same number at every time

    // The paths over [begin, end], where `now` are the points at the end, corners smaller than `tolerance`.
    // `what` says which points these are and where they are seen from.
    std::vector<Points> look(const Recording& recording, double begin, double end, double spacing,
                             double tolerance, const std::string& what, const Points& now,
                             const PointsAt& pointsAt);
    // The same of a recording that ended there: its last points are asked for once.
    std::vector<Points> lookBack(const Recording& recording, double begin, double end, double spacing,
                                 double tolerance, const std::string& what, const PointsAt& pointsAt);
    long asked() const { return asked_; } // how often points were asked for, in all

private:
    struct Sample {
        Points at;
        bool followed = false;        // `onTheWay` is known
        std::vector<Points> onTheWay; // to the next sample
    };
    void refine(double t0, const Points& p0, double t1, const Points& p1, double tolerance, int depth,
                const PointsAt& pointsAt, std::vector<Points>& out);

    KeptSamples<Sample> samples_;
    struct Last {
        std::uint64_t motion = 0;
        double end = 0;
        std::string what;
        Points at;
    };
    std::optional<Last> last_;
    long asked_ = 0;
};

} // namespace casimir
