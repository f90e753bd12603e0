// Turns between directions.
#pragma once

#include <Eigen/Geometry>

namespace casimir {

// The shortest turn that takes the direction of one vector into that of the other, to rounding. Of opposite
// ones: half a turn about an axis across, followed by what is left. (Eigen's own goes by singular values
// there.)
inline Eigen::Quaterniond turnBetween(const Eigen::Vector3d& from, const Eigen::Vector3d& to)
{
    const auto shortest = [](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
        const Eigen::Vector3d across = a.cross(b);
        return Eigen::Quaterniond(1 + a.dot(b), across.x(), across.y(), across.z()).normalized();
    };
    const Eigen::Vector3d a = from.normalized(), b = to.normalized();
    constexpr double opposite = 1e-6;
    if ((a + b).norm() > opposite)
        return shortest(a, b);
    const Eigen::Vector3d axis = a.unitOrthogonal();
    return shortest(-a, b) * Eigen::Quaterniond(0, axis.x(), axis.y(), axis.z());
}

} // namespace casimir
