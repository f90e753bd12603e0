// A tolerant comparison of pictures: two rasterisers place an edge differently by a part of a pixel, but no
// two different pictures agree in their blurred colours.
#pragma once

#include <QImage>

#include <algorithm>
#include <cmath>

namespace casimir::testing {

struct ImageDifference {
    double mean = 1;    // of all channels, in [0, 1]
    double largest = 1; // after averaging over squares of 8 pixels
};

inline ImageDifference compare(const QImage& a, const QImage& b)
{
    if (a.size() != b.size() || a.isNull())
        return {};
    const QImage p = a.convertToFormat(QImage::Format_RGB32), q = b.convertToFormat(QImage::Format_RGB32);
    constexpr int block = 8;
    double sum = 0, largest = 0;
    for (int y0 = 0; y0 < p.height(); y0 += block)
        for (int x0 = 0; x0 < p.width(); x0 += block) {
            double signedSum[3] = {0, 0, 0};
            int count = 0;
            for (int y = y0; y < std::min(y0 + block, p.height()); ++y)
                for (int x = x0; x < std::min(x0 + block, p.width()); ++x, ++count) {
                    const QRgb u = p.pixel(x, y), v = q.pixel(x, y);
                    const int d[3] = {qRed(u) - qRed(v), qGreen(u) - qGreen(v), qBlue(u) - qBlue(v)};
                    for (int c = 0; c < 3; ++c) {
                        signedSum[c] += d[c];
                        sum += std::abs(d[c]);
                    }
                }
            for (const double s : signedSum)
                largest = std::max(largest, std::abs(s) / count / 255);
        }
    return {sum / (3.0 * 255 * p.width() * p.height()), largest};
}

// How many different colours a picture has, up to `limit`; an empty frame has one.
inline int colours(const QImage& image, int limit = 64)
{
    QList<QRgb> seen;
    for (int y = 0; y < image.height() && seen.size() < limit; ++y)
        for (int x = 0; x < image.width() && seen.size() < limit; ++x)
            if (!seen.contains(image.pixel(x, y)))
                seen.push_back(image.pixel(x, y));
    return static_cast<int>(seen.size());
}

} // namespace casimir::testing
