// Camera: where a 3D picture is seen from, as a plain value that sessions keep, and the moves a person makes
// with it. The z-axis is up and stays up: turning is about the vertical and tilting stops at the poles.
#pragma once

#include <Eigen/Core>

class vtkRenderer;

namespace casimir {

struct Camera {
    Eigen::Vector3d position{0, -4, 2};
    Eigen::Vector3d focus{0, 0, 0};
    Eigen::Vector3d up{0, 0, 1};
    double angle = 22;        // of view, vertical, degrees; perspective
    double parallelScale = 1; // half the height seen; parallel projection
    bool parallel = false;
    bool operator==(const Camera&) const = default;
};

enum class ViewFrom { Oblique, High, Front, Back, Left, Right, Top };

// A camera that sees a ball about `centre` entirely when the picture is at least as wide as `aspect` says.
// Seen from the top, `up` points up in the picture.
Camera cameraFor(ViewFrom from, const Eigen::Vector3d& centre, double radius, bool parallel,
                 double aspect = 1, const Eigen::Vector3d& up = Eigen::Vector3d::UnitY());

Camera turned(const Camera& camera, double azimuth, double elevation); // radians
Camera zoomed(const Camera& camera, double factor);                    // > 1: closer
// Moves the picture by a part of its height: (0.1, 0) moves it a tenth of the height to the right.
Camera panned(const Camera& camera, double right, double up);

void applyCamera(const Camera& camera, vtkRenderer* renderer);

// The ray through a point of the picture: (-1, -1) its lower left corner, (1, 1) its upper right one.
struct Ray {
    Eigen::Vector3d origin, direction;
};
Ray rayThrough(const Camera& camera, double x, double y, double aspect);
// The inverse: where a point of space appears; the third component is the distance along the view.
Eigen::Vector3d imageOf(const Camera& camera, const Eigen::Vector3d& point, double aspect);

} // namespace casimir
