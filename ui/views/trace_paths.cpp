#include "ui/views/trace_paths.h"

#include <algorithm>

namespace casimir {

namespace {

constexpr int deepest = 12;
// Not the middle: a point that turns twice between two samples is at home again there.
constexpr double part = 0.3819660112501051;

double distanceToSegment(const Eigen::Vector3d& p, const Eigen::Vector3d& a, const Eigen::Vector3d& b)
{
    const Eigen::Vector3d along = b - a;
    const double square = along.squaredNorm();
    const double s = square > 0 ? std::clamp((p - a).dot(along) / square, 0.0, 1.0) : 0;
    return (p - a - s * along).norm();
}

} // namespace

void TracePaths::refine(double t0, const Points& p0, double t1, const Points& p1, double tolerance, int depth,
                        const PointsAt& pointsAt, std::vector<Points>& out)
{
    if (depth == 0)
        return;
    const double t = t0 + part * (t1 - t0);
    const Points p = pointsAt(t);
    ++asked_;
    bool straight = true;
    for (std::size_t i = 0; i < p.size(); ++i)
        straight = straight && !(distanceToSegment(p[i], p0[i], p1[i]) > tolerance);
    if (straight)
        return;
    refine(t0, p0, t, p, tolerance, depth - 1, pointsAt, out);
    out.push_back(p);
    refine(t, p, t1, p1, tolerance, depth - 1, pointsAt, out);
}

std::vector<TracePaths::Points> TracePaths::lookBack(const Recording& recording, double begin, double end,
                                                     double spacing, double tolerance,
                                                     const std::string& what, const PointsAt& pointsAt)
{
    if (!last_ || last_->motion != recording.motion() || last_->end != end || last_->what != what) {
        ++asked_;
        last_ = Last{recording.motion(), end, what, pointsAt(end)};
    }
    return look(recording, begin, end, spacing, tolerance, what, last_->at, pointsAt);
}

std::vector<TracePaths::Points> TracePaths::look(const Recording& recording, double begin, double end,
                                                 double spacing, double tolerance, const std::string& what,
                                                 const Points& now, const PointsAt& pointsAt)
{
    std::vector<Points> paths(now.size());
    const auto append = [&paths](const Points& points) {
        for (std::size_t i = 0; i < std::min(points.size(), paths.size()); ++i)
            if (points[i].allFinite())
                paths[i].push_back(points[i]);
    };
    const auto timeOf = [spacing](std::int64_t k) { return static_cast<double>(k) * spacing; };
    samples_.look(recording, spacing, what, begin, end, [&](std::int64_t k) {
        ++asked_;
        return Sample{pointsAt(timeOf(k)), false, {}};
    });
    auto& samples = samples_.samples();
    for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
        const std::int64_t number = samples_.first() + static_cast<std::int64_t>(k);
        if (!samples[k].followed)
            refine(timeOf(number), samples[k].at, timeOf(number + 1), samples[k + 1].at, tolerance, deepest,
                   pointsAt, samples[k].onTheWay);
        samples[k].followed = true;
        append(samples[k].at);
        for (const Points& points : samples[k].onTheWay)
            append(points);
    }
    if (!samples.empty()) {
        append(samples.back().at);
        // The piece since the newest sample grows with every frame; where the last whole one was bent it is.
        if (samples.size() > 1 && !samples[samples.size() - 2].onTheWay.empty()) {
            std::vector<Points> newest;
            const std::int64_t last = samples_.first() + static_cast<std::int64_t>(samples.size()) - 1;
            if (timeOf(last) < end)
                refine(timeOf(last), samples.back().at, end, now, tolerance, deepest, pointsAt, newest);
            for (const Points& points : newest)
                append(points);
        }
    }
    append(now);
    return paths;
}

} // namespace casimir
