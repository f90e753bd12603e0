#include "core/model/scene.h"

namespace casimir {

void changeFrame(Pose& pose, const Placement& frame)
{
    const Eigen::Quaterniond back = frame.rotation.conjugate();
    const auto point = [&](const Eigen::Vector3d& p) -> Eigen::Vector3d {
        return back * (p - frame.translation);
    };
    for (Placement& placement : pose.placements)
        placement = {back * placement.rotation, point(placement.translation)};
    for (Arrow& arrow : pose.arrows)
        arrow = {point(arrow.origin), back * arrow.vector};
    for (Curve& curve : pose.curves)
        for (Eigen::Vector3d& p : curve.points)
            p = point(p);
    for (Eigen::Vector3d& p : pose.points)
        p = point(p);
}

} // namespace casimir
