// How finely a circle is drawn.
#pragma once

namespace casimir {

// Pieces of a whole circle: on a radius of 4000 pixels a chord stays within a twentieth of one.
inline constexpr int circlePoints = 720;

} // namespace casimir
