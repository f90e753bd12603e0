// Where a curve through points would be seen to have a corner, so that more points are wanted beside it.
#pragma once

#include "core/model/plot.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace casimir {

// Of a picture as it is exported by default; in a smaller one turns are no larger.
inline constexpr double pictureWidth = 900, pictureHeight = 675;

// Indices of inner points at which the drawn curve turns by more than an eye forgives, both pieces being long
// enough to be seen as straight. Not where x or y is not finite, leaves the axes' limits or goes round.
inline std::vector<std::size_t> corners(std::span<const double> x, std::span<const double> y,
                                        const PlotAxis& across, const PlotAxis& up)
{
    constexpr double mostTurn = 0.08; // rad
    constexpr double leastPiece = 2;  // pixels
    const auto part = [](const PlotAxis& axis, double v) {
        return axis.scale == Scale::Logarithmic ? std::log(v / axis.min) / std::log(axis.max / axis.min)
                                                : (v - axis.min) / (axis.max - axis.min);
    };
    std::vector<std::size_t> found;
    for (std::size_t i = 1; i + 1 < x.size(); ++i) {
        double px[3], py[3];
        bool seen = true;
        for (std::size_t k = 0; k < 3; ++k) {
            px[k] = pictureWidth * part(across, x[i + k - 1]);
            py[k] = pictureHeight * part(up, y[i + k - 1]);
            seen = seen && std::isfinite(px[k]) && py[k] > -pictureHeight && py[k] < 2 * pictureHeight;
        }
        const double ax = px[1] - px[0], ay = py[1] - py[0], bx = px[2] - px[1], by = py[2] - py[1];
        const bool round =
            up.quantity.period > 0 && (std::abs(ay) > pictureHeight / 2 || std::abs(by) > pictureHeight / 2);
        if (seen && !round && std::hypot(ax, ay) > leastPiece && std::hypot(bx, by) > leastPiece &&
            std::abs(std::atan2(ax * by - ay * bx, ax * bx + ay * by)) > mostTurn)
            found.push_back(i);
    }
    return found;
}

} // namespace casimir
